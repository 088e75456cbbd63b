//! The texts of strings and numbers in JSON.

/// The code unit of a `\uXXXX` escape, from its six bytes.
pub(super) fn code_unit(escape: &[u8]) -> Option<u16> {
    let digits = escape.strip_prefix(b"\\u")?;
    digits.iter().try_fold(0u16, |value, &digit| {
        let digit = char::from(digit).to_digit(16)?;
        Some(value << 4 | u16::try_from(digit).ok()?)
    })
}

/// Appends the decoded text of a valid string literal without its quotes.
pub(super) fn unescape(mut raw: &str, out: &mut String) {
    while let Some(backslash) = memchr::memchr(b'\\', raw.as_bytes()) {
        let (plain, escape) = raw.split_at(backslash);
        out.push_str(plain);
        let (character, len) = escaped_char(escape.as_bytes());
        out.push(character);
        raw = &escape[len..];
    }
    out.push_str(raw);
}

/// The character of an escape, and the length of the escape in bytes.
fn escaped_char(escape: &[u8]) -> (char, usize) {
    let simple = match escape.get(1) {
        Some(b'b') => '\u{8}',
        Some(b'f') => '\u{C}',
        Some(b'n') => '\n',
        Some(b'r') => '\r',
        Some(b't') => '\t',
        Some(b'u') => {
            let unit = |from: usize| escape.get(from..from + 6).and_then(code_unit);
            let pair = [unit(0), unit(6)];
            let first = pair[0].expect("an escape that the lexer read");
            return match char::from_u32(u32::from(first)) {
                Some(character) => (character, 6),
                None => {
                    let decoded = char::decode_utf16(pair.into_iter().flatten()).next();
                    (
                        decoded
                            .and_then(Result::ok)
                            .unwrap_or(char::REPLACEMENT_CHARACTER),
                        12,
                    )
                }
            };
        }
        Some(&byte) => char::from(byte),
        None => char::REPLACEMENT_CHARACTER,
    };
    (simple, 2)
}

/// The length of the string literal at the start, with its quotes; `None` if it has no end.
pub(super) fn string_len(bytes: &[u8]) -> Option<usize> {
    let mut at = 1;
    loop {
        let stop = at + memchr::memchr2(b'"', b'\\', bytes.get(at..)?)?;
        match bytes.get(stop)? {
            b'"' => return Some(stop + 1),
            _ => at = stop + 2,
        }
    }
}

/// The value of a number with fraction or exponent; `None` if no finite float represents it.
pub(super) fn float(digits: &[u8]) -> Option<f64> {
    let value: f64 = std::str::from_utf8(digits).ok()?.parse().ok()?;
    value.is_finite().then_some(value)
}

/// The value of a number that the lexer read, which refuses all others.
pub(super) fn lexed_float(digits: &str) -> f64 {
    float(digits.as_bytes()).expect("a number that the lexer read")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes_become_their_characters() {
        let mut out = String::new();
        unescape(r#"a\"\\\/\b\f\n\r\tA\u00e9\uD83D\uDE00z\u0000"#, &mut out);
        assert_eq!(out, "a\"\\/\u{8}\u{C}\n\r\tAé😀z\0");
    }
}
