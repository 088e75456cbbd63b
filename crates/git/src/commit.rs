//! Signatures and texts of commits, including malformed ones.

use gix::actor::SignatureRef;
use gix::bstr::ByteSlice;

use gitglot_model::{OffsetTime, Signature};

/// A day in seconds, the limit of a UTC offset.
const DAY: i32 = 24 * 60 * 60;

/// Parses an `author` or `committer` line. A malformed line becomes the name.
pub(crate) fn signature(line: &[u8], encoding: Option<&[u8]>) -> Signature {
    match SignatureRef::from_bytes(line) {
        Ok(read) => {
            let read = read.trim();
            Signature {
                name: text(read.name, encoding).into(),
                email: text(read.email, encoding).into(),
                time: time(&read),
            }
        }
        Err(_) => Signature {
            name: text(line.trim(), encoding).into(),
            email: "".into(),
            time: OffsetTime::default(),
        },
    }
}

fn time(signature: &SignatureRef<'_>) -> OffsetTime {
    let offset = signature.time().map_or(0, |time| time.offset);
    OffsetTime {
        seconds: signature.seconds(),
        offset: if offset.abs() < DAY { offset } else { 0 },
    }
}

/// Decodes text of a commit as UTF-8, or as Latin-1 if the commit declares it, the only other common encoding of old
/// histories. Replaces invalid bytes.
pub(crate) fn text(bytes: &[u8], encoding: Option<&[u8]>) -> String {
    match std::str::from_utf8(bytes) {
        Ok(text) => text.to_owned(),
        Err(_) if encoding.is_some_and(is_latin1) => {
            bytes.iter().map(|byte| char::from(*byte)).collect()
        }
        Err(_) => bytes.to_str_lossy().into_owned(),
    }
}

fn is_latin1(name: &[u8]) -> bool {
    const NAMES: [&[u8]; 5] = [
        b"iso-8859-1",
        b"iso8859-1",
        b"iso88591",
        b"latin1",
        b"latin-1",
    ];
    NAMES.iter().any(|known| known.eq_ignore_ascii_case(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_signature_has_a_utc_offset() {
        let read = signature(b"Ada <ada@example.org> 1700000000 +0530", None);
        assert_eq!(&*read.name, "Ada");
        assert_eq!(&*read.email, "ada@example.org");
        assert_eq!(
            read.time,
            OffsetTime {
                seconds: 1_700_000_000,
                offset: 19_800
            }
        );
    }

    #[test]
    fn a_malformed_time_or_offset_keeps_the_name() {
        let read = signature(b"Ada <ada@example.org> 1700000000 +051800", None);
        assert_eq!((&*read.name, read.time.seconds), ("Ada", 1_700_000_000));
        assert!(read.time.offset.abs() < DAY);
        assert_eq!(&*signature(b"Ada <ada@example.org>", None).name, "Ada");
        assert_eq!(
            &*signature(b"nobody in particular", None).name,
            "nobody in particular"
        );
    }

    #[test]
    fn text_in_latin_1_is_read_and_other_bytes_are_replaced() {
        assert_eq!(text(b"Ren\xe9", Some(b"ISO-8859-1")), "René");
        assert_eq!(text("René".as_bytes(), Some(b"ISO-8859-1")), "René");
        assert_eq!(text(b"Ren\xe9", None), "Ren\u{fffd}");
    }
}
