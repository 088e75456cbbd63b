//! Writing JSON straight into bytes, as 3.4 renders it (docs/spec/http.md#json): fixed key order, no whitespace,
//! no intermediate value trees.

use chrono::{DateTime, Datelike, Timelike};

use gitglot_model::{OffsetTime, Timestamp};

/// Writes an object: keys are joined at compile time, each value is written by the function named.
macro_rules! object {
    ($out:expr; $first:literal => $write:ident($($arg:expr),*) $(, $key:literal => $next:ident($($more:expr),*))* $(,)?) => {{
        let out: &mut Vec<u8> = $out;
        out.extend_from_slice(concat!("{\"", $first, "\":").as_bytes());
        $write(out $(, $arg)*);
        $crate::encode::json::fields!(out; $($key => $next($($more),*)),*);
        out.push(b'}');
    }};
}
pub(crate) use object;

/// Writes further fields of an object that was begun, each with a comma in front.
macro_rules! fields {
    ($out:expr; $($key:literal => $write:ident($($arg:expr),*)),* $(,)?) => {{
        let out: &mut Vec<u8> = $out;
        $(
            out.extend_from_slice(concat!(",\"", $key, "\":").as_bytes());
            $write(out $(, $arg)*);
        )*
    }};
}
pub(crate) use fields;

/// Writes a text with its quotes.
pub(crate) fn text(out: &mut Vec<u8>, text: &str) {
    out.push(b'"');
    escaped(out, text);
    out.push(b'"');
}

/// Writes a text without its quotes: U+2028 and U+2029 are escaped too.
pub(crate) fn escaped(out: &mut Vec<u8>, text: &str) {
    let bytes = text.as_bytes();
    let mut clean = 0;
    while let Some(found) = suspicious(&bytes[clean..]) {
        let at = clean + found;
        out.extend_from_slice(&bytes[clean..at]);
        clean = at + 1;
        match bytes[at] {
            b'"' => out.extend_from_slice(b"\\\""),
            b'\\' => out.extend_from_slice(b"\\\\"),
            b'\n' => out.extend_from_slice(b"\\n"),
            b'\r' => out.extend_from_slice(b"\\r"),
            b'\t' => out.extend_from_slice(b"\\t"),
            0x08 => out.extend_from_slice(b"\\b"),
            0x0c => out.extend_from_slice(b"\\f"),
            0xe2 => match bytes.get(at + 1..at + 3) {
                Some([0x80, last @ (0xa8 | 0xa9)]) => {
                    out.extend_from_slice(if *last == 0xa8 {
                        b"\\u2028"
                    } else {
                        b"\\u2029"
                    });
                    clean = at + 3;
                }
                _ => out.push(0xe2),
            },
            control => {
                out.extend_from_slice(b"\\u00");
                out.push(HEX[usize::from(control >> 4)]);
                out.push(HEX[usize::from(control & 15)]);
            }
        }
    }
    out.extend_from_slice(&bytes[clean..]);
}

/// Lower-case hexadecimal digits.
const HEX: &[u8; 16] = b"0123456789abcdef";

/// The position of the first byte that may need escaping. Sixteen bytes at a time, which compilers turn into vector
/// instructions.
fn suspicious(bytes: &[u8]) -> Option<usize> {
    let special = |byte: u8| (byte < 0x20) | (byte == b'"') | (byte == b'\\') | (byte == 0xe2);
    let mut at = 0;
    for block in bytes.chunks_exact(16) {
        if block.iter().fold(false, |any, &byte| any | special(byte)) {
            break;
        }
        at += 16;
    }
    let found = bytes[at..].iter().position(|&byte| special(byte))?;
    Some(at + found)
}

/// Writes a value with `write`, or `null`.
pub(crate) fn optional<T>(
    out: &mut Vec<u8>,
    value: Option<T>,
    write: impl FnOnce(&mut Vec<u8>, T),
) {
    match value {
        Some(value) => write(out, value),
        None => null(out),
    }
}

pub(crate) fn int(out: &mut Vec<u8>, value: impl itoa::Integer) {
    out.extend_from_slice(itoa::Buffer::new().format(value).as_bytes());
}

/// Writes a percentage that is given in tenths, as Python prints it: `57.9`, `100.0`.
pub(crate) fn tenths(out: &mut Vec<u8>, value: u32) {
    int(out, value / 10);
    out.push(b'.');
    int(out, value % 10);
}

pub(crate) fn boolean(out: &mut Vec<u8>, value: bool) {
    out.extend_from_slice(if value { b"true" } else { b"false" });
}

pub(crate) fn null(out: &mut Vec<u8>) {
    out.extend_from_slice(b"null");
}

/// Writes bytes that are JSON already.
pub(crate) fn raw(out: &mut Vec<u8>, json: &[u8]) {
    out.extend_from_slice(json);
}

pub(crate) fn list<T>(
    out: &mut Vec<u8>,
    items: impl IntoIterator<Item = T>,
    mut write: impl FnMut(&mut Vec<u8>, T),
) {
    out.push(b'[');
    let mut first = true;
    for item in items {
        if !first {
            out.push(b',');
        }
        first = false;
        write(out, item);
    }
    out.push(b']');
}

/// Writes a timestamp in UTC with six digits of fraction, so that clients parse a single form.
pub(crate) fn timestamp(out: &mut Vec<u8>, time: Timestamp) {
    out.push(b'"');
    date_time(out, time.0.div_euclid(1_000_000));
    out.push(b'.');
    padded(out, time.0.rem_euclid(1_000_000), 6);
    out.extend_from_slice(b"Z\"");
}

/// Writes a timestamp as the JSON of Django does: cut to milliseconds, without a fraction if it has no microseconds.
pub(crate) fn millis(out: &mut Vec<u8>, value: Timestamp) {
    let is_whole = value.0.rem_euclid(1_000_000) == 0;
    timestamp(out, value);
    // `.123456Z"` without the last three digits, or without the fraction.
    out.truncate(out.len() - if is_whole { 9 } else { 5 });
    out.extend_from_slice(b"Z\"");
}

/// JSON with every character beyond ASCII escaped, as Python does it by default.
pub(crate) fn ascii(json: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(json.len());
    for c in String::from_utf8_lossy(json).chars() {
        if c.is_ascii() {
            out.push(c as u8);
            continue;
        }
        for unit in c.encode_utf16(&mut [0; 2]) {
            out.extend_from_slice(b"\\u");
            out.extend([12, 8, 4, 0].map(|shift| HEX[usize::from(*unit >> shift & 15)]));
        }
    }
    out
}

/// Writes a commit's time with its own offset; only `+00:00` is written `Z`.
pub(crate) fn offset_time(out: &mut Vec<u8>, time: OffsetTime) {
    out.push(b'"');
    let minutes = i64::from(time.offset / 60).clamp(-1439, 1439);
    let seconds = time.seconds.clamp(-62_135_500_000, 253_402_200_000);
    date_time(out, seconds + minutes * 60);
    if minutes == 0 {
        out.push(b'Z');
    } else {
        out.push(if minutes < 0 { b'-' } else { b'+' });
        padded(out, minutes.abs() / 60, 2);
        out.push(b':');
        padded(out, minutes.abs() % 60, 2);
    }
    out.push(b'"');
}

fn padded(out: &mut Vec<u8>, value: i64, digits: usize) {
    let mut buffer = itoa::Buffer::new();
    let shown = buffer.format(value);
    let zeros = digits.saturating_sub(shown.len());
    out.extend(std::iter::repeat_n(b'0', zeros));
    out.extend_from_slice(shown.as_bytes());
}

/// `YYYY-MM-DDTHH:MM:SS` of seconds since 1970, in the Gregorian calendar.
fn date_time(out: &mut Vec<u8>, seconds: i64) {
    let time = DateTime::from_timestamp(seconds, 0).unwrap_or_default();
    padded(out, time.year().into(), 4);
    for (mark, value) in [
        (b'-', time.month()),
        (b'-', time.day()),
        (b'T', time.hour()),
        (b':', time.minute()),
        (b':', time.second()),
    ] {
        out.push(mark);
        padded(out, value.into(), 2);
    }
}

/// Indents compact JSON by `width` spaces for each level, for `indent=` in an `Accept` header.
pub(crate) fn indented(json: &[u8], width: usize) -> Vec<u8> {
    let mut out = Vec::with_capacity(json.len() * 2);
    let mut depth = 0_usize;
    let mut inside = false;
    let line = |out: &mut Vec<u8>, depth: usize| {
        out.push(b'\n');
        out.extend(std::iter::repeat_n(b' ', depth * width));
    };
    let mut bytes = json.iter().copied().peekable();
    while let Some(byte) = bytes.next() {
        match byte {
            b'"' => {
                inside = !inside;
                out.push(byte);
            }
            b'\\' if inside => {
                out.push(byte);
                out.extend(bytes.next());
            }
            _ if inside => out.push(byte),
            b'{' | b'[' => {
                out.push(byte);
                if matches!(bytes.peek(), Some(b'}' | b']')) {
                    out.extend(bytes.next());
                } else {
                    depth += 1;
                    line(&mut out, depth);
                }
            }
            b'}' | b']' => {
                depth = depth.saturating_sub(1);
                line(&mut out, depth);
                out.push(byte);
            }
            b',' => {
                out.push(byte);
                line(&mut out, depth);
            }
            b':' => out.extend_from_slice(b": "),
            _ => out.push(byte),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn written(write: impl FnOnce(&mut Vec<u8>)) -> String {
        let mut out = Vec::new();
        write(&mut out);
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn texts_are_escaped_as_weblate_escapes_them() {
        let cases = [
            ("", r#""""#),
            ("Příliš </b>/&\u{7f}", "\"Příliš </b>/&\u{7f}\""),
            ("a\"b\\c", r#""a\"b\\c""#),
            ("\n\r\t\u{8}\u{c}\u{0}\u{1f}", r#""\n\r\t\b\f\u0000\u001f""#),
            ("x\u{2028}y\u{2029}", r#""x\u2028y\u2029""#),
            ("– … €", "\"– … €\""),
        ];
        for (source, json) in cases {
            assert_eq!(written(|out| text(out, source)), json);
        }
    }

    #[test]
    fn numbers_and_times_are_printed_as_weblate_prints_them() {
        assert_eq!(written(|out| tenths(out, 579)), "57.9");
        assert_eq!(written(|out| tenths(out, 1000)), "100.0");
        assert_eq!(written(|out| tenths(out, 0)), "0.0");
        assert_eq!(
            written(|out| timestamp(out, Timestamp(0))),
            "\"1970-01-01T00:00:00.000000Z\""
        );
        assert_eq!(
            written(|out| timestamp(out, Timestamp(1_551_614_400_000_070))),
            "\"2019-03-03T12:00:00.000070Z\""
        );
        assert_eq!(
            written(|out| timestamp(out, Timestamp::from_seconds(i64::MAX))),
            "\"9999-12-31T23:59:59.000000Z\""
        );
        assert_eq!(
            written(|out| timestamp(out, Timestamp::from_seconds(i64::MIN))),
            "\"0001-01-01T00:00:00.000000Z\""
        );
        let at = |seconds, offset| written(|out| offset_time(out, OffsetTime { seconds, offset }));
        assert_eq!(at(1_582_934_400, 0), "\"2020-02-29T00:00:00Z\"");
        assert_eq!(at(1_582_934_400, 7_200), "\"2020-02-29T02:00:00+02:00\"");
        assert_eq!(at(1_582_934_400, -12_600), "\"2020-02-28T20:30:00-03:30\"");
    }

    #[test]
    fn exports_are_ascii_with_times_in_milliseconds() {
        assert_eq!(
            ascii("{\"é\":\"😀…\u{7f}\"}".as_bytes()),
            b"{\"\\u00e9\":\"\\ud83d\\ude00\\u2026\x7f\"}"
        );
        let shown = |micros| written(|out| millis(out, Timestamp(micros)));
        assert_eq!(shown(1_551_614_400_123_999), "\"2019-03-03T12:00:00.123Z\"");
        assert_eq!(shown(1_551_614_400_000_070), "\"2019-03-03T12:00:00.000Z\"");
        assert_eq!(shown(1_551_614_400_000_000), "\"2019-03-03T12:00:00Z\"");
        assert_eq!(written(|out| optional(out, None, millis)), "null");
    }

    #[test]
    fn indenting_lays_out_as_python_does() {
        let json = br#"{"a":[1,{"b:,":"x\"{"}],"c":[],"d":{}}"#;
        let expected = "{\n  \"a\": [\n    1,\n    {\n      \"b:,\": \"x\\\"{\"\n    }\n  ],\n  \"c\": [],\n  \"d\": {}\n}";
        assert_eq!(String::from_utf8(indented(json, 2)).unwrap(), expected);
    }

    proptest! {
        #[test]
        fn every_text_survives_a_round_trip(source in "\\PC*|[\\x00-\\x7f\u{2028}\u{2029}\u{2030}]{0,60}") {
            let json = written(|out| text(out, &source));
            prop_assert_eq!(serde_json::from_str::<String>(&json).unwrap(), source);
            let raw = json.contains('\u{2028}');
            prop_assert!(!raw);
        }

        #[test]
        fn dates_equal_those_of_a_calendar_library(seconds in -62_135_596_800_i64..253_402_300_799) {
            let expected = chrono::DateTime::from_timestamp(seconds, 0).unwrap().format("\"%Y-%m-%dT%H:%M:%S.000000Z\"");
            prop_assert_eq!(written(|out| timestamp(out, Timestamp::from_seconds(seconds))), expected.to_string());
        }
    }
}
