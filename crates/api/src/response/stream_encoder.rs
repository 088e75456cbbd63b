//! Compression of bodies while they are written (docs/spec/http.md#caching). The memory that an encoder needs does not
//! depend on the length of the body.

use std::io::{self, Write};

use flate2::write::GzEncoder;
use futures_util::stream::{self, StreamExt};
use hyper::body::Bytes;
use poem::Body;

use super::content_encoding::ContentEncoding;

/// Gzip level, up to 9: fast enough to keep up with a list.
const GZIP_LEVEL: u32 = 1;
/// Zstd level, up to 22.
#[cfg(feature = "zstd")]
const ZSTD_LEVEL: i32 = 1;
/// Brotli quality, up to 11.
#[cfg(feature = "brotli")]
const BROTLI_QUALITY: u32 = 1;
/// Size of the brotli window in bits.
#[cfg(feature = "brotli")]
const BROTLI_WINDOW: u32 = 20;
/// Size of the buffers of the brotli encoder, in bytes.
#[cfg(feature = "brotli")]
const BROTLI_BUFFER: usize = 16 << 10;

enum Encoder {
    Gzip(Box<GzEncoder<Vec<u8>>>),
    #[cfg(feature = "zstd")]
    Zstd(Box<zstd::stream::write::Encoder<'static, Vec<u8>>>),
    #[cfg(feature = "brotli")]
    Brotli(Box<brotli::CompressorWriter<Vec<u8>>>),
}

/// The body in a content encoding. An encoder that cannot be created replaces the body with an error.
pub(super) fn encoded(body: Body, encoding: ContentEncoding) -> Body {
    let encoder = match Encoder::new(encoding) {
        Ok(Some(encoder)) => encoder,
        Ok(None) => return body,
        Err(error) => return Body::from_bytes_stream(stream::iter([Err::<Bytes, _>(error)])),
    };
    let chunks = Box::pin(body.into_bytes_stream());
    let state = (chunks, Some(encoder));
    let encoded = stream::try_unfold(state, |(mut chunks, mut encoder)| async move {
        while let Some(open) = &mut encoder {
            let encoded = match chunks.next().await.transpose()? {
                Some(chunk) => open.push(&chunk)?,
                None => encoder.take().map_or(Ok(Vec::new()), Encoder::finish)?,
            };
            if !encoded.is_empty() {
                return Ok(Some((encoded, (chunks, encoder))));
            }
        }
        Ok::<_, io::Error>(None)
    });
    Body::from_bytes_stream(encoded)
}

impl Encoder {
    /// The encoder of a content encoding; `None` for identity.
    fn new(encoding: ContentEncoding) -> io::Result<Option<Self>> {
        Ok(match encoding {
            ContentEncoding::Identity => None,
            ContentEncoding::Gzip => {
                let encoder = GzEncoder::new(Vec::new(), flate2::Compression::new(GZIP_LEVEL));
                Some(Self::Gzip(Box::new(encoder)))
            }
            #[cfg(feature = "zstd")]
            ContentEncoding::Zstd => {
                let encoder = zstd::stream::write::Encoder::new(Vec::new(), ZSTD_LEVEL)?;
                Some(Self::Zstd(Box::new(encoder)))
            }
            #[cfg(feature = "brotli")]
            ContentEncoding::Brotli => {
                let writer = brotli::CompressorWriter::new(
                    Vec::new(),
                    BROTLI_BUFFER,
                    BROTLI_QUALITY,
                    BROTLI_WINDOW,
                );
                Some(Self::Brotli(Box::new(writer)))
            }
        })
    }

    /// Encodes a chunk; returns the bytes that are complete.
    fn push(&mut self, chunk: &[u8]) -> io::Result<Vec<u8>> {
        Ok(std::mem::take(match self {
            Self::Gzip(encoder) => {
                encoder.write_all(chunk)?;
                encoder.get_mut()
            }
            #[cfg(feature = "zstd")]
            Self::Zstd(encoder) => {
                encoder.write_all(chunk)?;
                encoder.get_mut()
            }
            #[cfg(feature = "brotli")]
            Self::Brotli(encoder) => {
                encoder.write_all(chunk)?;
                encoder.get_mut()
            }
        }))
    }

    /// Ends the encoding; returns the last bytes.
    fn finish(self) -> io::Result<Vec<u8>> {
        match self {
            Self::Gzip(encoder) => encoder.finish(),
            #[cfg(feature = "zstd")]
            Self::Zstd(encoder) => encoder.finish(),
            #[cfg(feature = "brotli")]
            Self::Brotli(encoder) => Ok(encoder.into_inner()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Read;

    #[tokio::test]
    async fn an_encoded_stream_decodes_to_the_same_bytes() {
        let chunks: Vec<Vec<u8>> = (0..200)
            .map(|at| format!("{{\"id\":{at}}}\n").repeat(99).into_bytes())
            .collect();
        let plain = chunks.concat();
        for encoding in [
            ContentEncoding::Gzip,
            #[cfg(feature = "zstd")]
            ContentEncoding::Zstd,
            #[cfg(feature = "brotli")]
            ContentEncoding::Brotli,
        ] {
            let body = Body::from_bytes_stream(stream::iter(
                chunks.clone().into_iter().map(Ok::<_, io::Error>),
            ));
            let small = encoded(body, encoding).into_vec().await.unwrap();
            assert!(
                small.len() * 5 < plain.len(),
                "{encoding:?}: {}",
                small.len()
            );
            let mut back = Vec::new();
            match encoding {
                #[cfg(feature = "zstd")]
                ContentEncoding::Zstd => back = zstd::stream::decode_all(&*small).unwrap(),
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
            assert_eq!(back, plain, "{encoding:?}");
        }
    }

    #[tokio::test]
    async fn an_error_of_the_body_ends_the_encoded_stream() {
        let broken = [Ok(vec![b'x'; 99]), Err(io::Error::other("gone"))];
        let body = Body::from_bytes_stream(stream::iter(broken));
        assert!(
            encoded(body, ContentEncoding::Gzip)
                .into_vec()
                .await
                .is_err()
        );
    }
}
