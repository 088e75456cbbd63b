//! Content encodings: negotiation (RFC 9110, section 12.5.3) and compression (docs/spec/http.md#caching).

use std::io::{self, Write};

use poem::http::HeaderValue;
use poem::http::header::{ACCEPT_ENCODING, HeaderMap};

#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub(crate) enum ContentEncoding {
    #[default]
    Identity,
    #[cfg(feature = "zstd")]
    Zstd,
    #[cfg(feature = "brotli")]
    Brotli,
    Gzip,
}

/// The encodings in the order of preference for equal quality values.
const PREFERENCE: &[ContentEncoding] = &[
    #[cfg(feature = "zstd")]
    ContentEncoding::Zstd,
    #[cfg(feature = "brotli")]
    ContentEncoding::Brotli,
    ContentEncoding::Gzip,
];

/// Smaller bodies fit into one packet without compression, in bytes.
const SMALL: usize = 1_200;

/// Brotli quality, up to 11: as fast as the other encodings, and smaller.
#[cfg(feature = "brotli")]
const BROTLI_QUALITY: i32 = 5;
/// Size of the brotli window in bits: 4 MiB, more than most bodies.
#[cfg(feature = "brotli")]
const BROTLI_WINDOW: i32 = 22;
/// Zstd level, up to 22.
#[cfg(feature = "zstd")]
const ZSTD_LEVEL: i32 = 3;

impl ContentEncoding {
    /// The name in headers; `None` for identity.
    pub(crate) fn name(self) -> Option<&'static str> {
        match self {
            Self::Identity => None,
            #[cfg(feature = "zstd")]
            Self::Zstd => Some("zstd"),
            #[cfg(feature = "brotli")]
            Self::Brotli => Some("br"),
            Self::Gzip => Some("gzip"),
        }
    }

    /// The preferred encoding of a request; identity if it accepts no other.
    pub(crate) fn wanted(headers: &HeaderMap) -> Self {
        let values = headers.get_all(ACCEPT_ENCODING).iter();
        let values = values.filter_map(|value| value.to_str().ok());
        let asked = values.flat_map(|value| value.split(','));
        let asked: Vec<(&str, u16)> = asked.filter_map(entry).collect();
        let named = |name: &str| {
            let mut asked = asked.iter();
            let found = asked.find(|(asked, _)| asked.eq_ignore_ascii_case(name));
            found.map(|&(_, weight)| weight)
        };
        let weight = |name: &str| named(name).or_else(|| named("*")).unwrap_or(0);
        // Identity is acceptable even if it is not named.
        let identity = named("identity").unwrap_or(1);
        PREFERENCE
            .iter()
            .map(|&encoding| (weight(encoding.name().unwrap_or_default()), encoding))
            .filter(|&(weight, _)| weight > 0 && weight >= identity)
            .reduce(|best, next| if next.0 > best.0 { next } else { best })
            .map_or(Self::Identity, |(_, encoding)| encoding)
    }

    /// Whether compression makes a body of this length and media type smaller.
    pub(crate) fn pays(length: usize, media: Option<&HeaderValue>) -> bool {
        let media = media
            .and_then(|media| media.to_str().ok())
            .unwrap_or_default();
        let media = media.split(';').next().unwrap_or_default().trim();
        let text = media.starts_with("text/")
            || ["json", "xml", "yaml", "javascript"]
                .iter()
                .any(|kind| media.ends_with(kind))
            || media == "application/binary";
        text && length >= SMALL
    }

    /// The encoded body.
    ///
    /// # Errors
    /// None in practice: it writes to memory.
    pub(crate) fn compressed(self, body: &[u8]) -> io::Result<Vec<u8>> {
        let out = Vec::with_capacity(body.len() / 4);
        match self {
            Self::Identity => Ok(body.to_vec()),
            #[cfg(feature = "zstd")]
            Self::Zstd => zstd::bulk::compress(body, ZSTD_LEVEL),
            #[cfg(feature = "brotli")]
            Self::Brotli => {
                let mut out = out;
                let parameters = brotli::enc::BrotliEncoderParams {
                    quality: BROTLI_QUALITY,
                    lgwin: BROTLI_WINDOW,
                    size_hint: body.len(),
                    ..Default::default()
                };
                brotli::BrotliCompress(&mut &*body, &mut out, &parameters)?;
                Ok(out)
            }
            Self::Gzip => {
                let mut encoder =
                    flate2::write::GzEncoder::new(out, flate2::Compression::default());
                encoder.write_all(body)?;
                encoder.finish()
            }
        }
    }
}

/// A name with its quality value in thousandths.
fn entry(entry: &str) -> Option<(&str, u16)> {
    let (name, parameters) = entry.split_once(';').unwrap_or((entry, ""));
    let weight = match parameters.trim().split_once('=') {
        Some((q, value)) if q.trim().eq_ignore_ascii_case("q") => {
            value.trim().parse::<f32>().ok()?
        }
        _ => 1.0,
    };
    let name = name.trim();
    (!name.is_empty()).then_some((name, (weight.clamp(0.0, 1.0) * 1000.0) as u16))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Read;

    #[test]
    fn the_best_accepted_content_encoding_is_chosen() {
        let best = PREFERENCE[0];
        // Without gzip, and without zstd.
        let mut others = PREFERENCE.iter().copied();
        let other = others.find(|&coding| coding != ContentEncoding::Gzip);
        let other = other.unwrap_or_default();
        let next = PREFERENCE[usize::from(cfg!(feature = "zstd"))];
        let brotli = if cfg!(feature = "brotli") {
            next
        } else {
            ContentEncoding::Identity
        };
        for (accept, coding) in [
            (None, ContentEncoding::Identity),
            (Some(""), ContentEncoding::Identity),
            (Some("gzip"), ContentEncoding::Gzip),
            (Some("gzip, deflate, br, zstd"), best),
            (Some("gzip, deflate, br"), next),
            (Some("zstd;q=0.5, gzip;q=0.8"), ContentEncoding::Gzip),
            (Some("gzip;q=0, *"), other),
            (Some("*;q=0"), ContentEncoding::Identity),
            (Some("gzip;q=0"), ContentEncoding::Identity),
            (Some("identity, gzip;q=0.5"), ContentEncoding::Identity),
            (Some("identity;q=0.2, GZIP;Q=0.5"), ContentEncoding::Gzip),
            (Some("identity;q=0"), ContentEncoding::Identity),
            (Some("compress, deflate"), ContentEncoding::Identity),
            (Some("gzip;q=x, br;q=0.001"), brotli),
        ] {
            let mut headers = HeaderMap::new();
            if let Some(accept) = accept {
                headers.insert(ACCEPT_ENCODING, HeaderValue::from_str(accept).unwrap());
            }
            assert_eq!(ContentEncoding::wanted(&headers), coding, "{accept:?}");
        }
    }

    #[test]
    fn compressed_data_decompresses_to_the_original() {
        let body: Vec<u8> = (0..5000)
            .flat_map(|number| format!("{{\"id\":{number}}},").into_bytes())
            .collect();
        for &coding in PREFERENCE {
            let small = coding.compressed(&body).unwrap();
            assert!(small.len() * 3 < body.len(), "{coding:?}: {}", small.len());
            let mut back = Vec::new();
            match coding {
                #[cfg(feature = "zstd")]
                ContentEncoding::Zstd => back = zstd::bulk::decompress(&small, body.len()).unwrap(),
                #[cfg(feature = "brotli")]
                ContentEncoding::Brotli => {
                    brotli::Decompressor::new(&*small, 4096)
                        .read_to_end(&mut back)
                        .unwrap();
                }
                _ => {
                    flate2::read::GzDecoder::new(&*small)
                        .read_to_end(&mut back)
                        .unwrap();
                }
            }
            assert_eq!(back, body, "{coding:?}");
        }
    }

    #[test]
    fn small_bodies_and_pictures_are_left_alone() {
        let pays = |length, media: &'static str| {
            ContentEncoding::pays(length, Some(&HeaderValue::from_static(media)))
        };
        assert!(pays(5000, "application/json"));
        assert!(pays(5000, "text/html; charset=utf-8"));
        assert!(pays(5000, "image/svg+xml"));
        assert!(!pays(500, "application/json"));
        assert!(!pays(5000, "image/png"));
        assert!(!ContentEncoding::pays(5000, None));
    }
}
