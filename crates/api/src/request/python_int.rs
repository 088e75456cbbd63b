//! Numbers in requests, which have the notation of Python's `int()` (docs/spec/http.md#paths).

/// The zero of every script with decimal digits below U+10000.
const ZEROS: [u32; 37] = [
    0x30, 0x660, 0x6f0, 0x7c0, 0x966, 0x9e6, 0xa66, 0xae6, 0xb66, 0xbe6, 0xc66, 0xce6, 0xd66,
    0xde6, 0xe50, 0xed0, 0xf20, 0x1040, 0x1090, 0x17e0, 0x1810, 0x1946, 0x19d0, 0x1a80, 0x1a90,
    0x1b50, 0x1bb0, 0x1c40, 0x1c50, 0xa620, 0xa8d0, 0xa900, 0xa9d0, 0xa9f0, 0xaa50, 0xabf0, 0xff10,
];

/// Parses a number: surrounding whitespace, a sign, digits of any script, single underscores between digits. Numbers beyond
/// 64 bits are clamped; ids and pages are smaller.
pub(crate) fn int(text: &str) -> Option<i64> {
    let is_space = |c: char| c.is_whitespace() || ('\u{1c}'..='\u{1f}').contains(&c);
    let text = text.trim_matches(is_space);
    let (negative, digits) = match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    let mut value: i64 = 0;
    let mut after_digit = false;
    for c in digits.chars() {
        if c == '_' && after_digit {
            after_digit = false;
            continue;
        }
        value = value
            .saturating_mul(10)
            .saturating_add(i64::from(digit(c)?));
        after_digit = true;
    }
    after_digit.then_some(if negative { -value } else { value })
}

/// Parses a number that a type can express.
pub(crate) fn number<T: TryFrom<i64>>(text: &str) -> Option<T> {
    int(text)?.try_into().ok()
}

fn digit(c: char) -> Option<u32> {
    let code = u32::from(c);
    let at = ZEROS.partition_point(|&zero| zero <= code).checked_sub(1)?;
    let value = code - ZEROS.get(at)?;
    (value < 10).then_some(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_read_as_python_reads_them() {
        let good = [
            ("1", 1),
            (" 1", 1),
            ("+2 ", 2),
            ("02", 2),
            ("-1", -1),
            ("1_0", 10),
            ("\u{662}", 2),
            ("٣4", 34),
        ];
        for (text, value) in good {
            assert_eq!(int(text), Some(value), "{text:?}");
        }
        for text in [
            "", " ", "+", "abc", "1.0", "_1", "1_", "1__0", "+-1", "0x1", "1e3",
        ] {
            assert_eq!(int(text), None, "{text:?}");
        }
        assert_eq!(int("9999999999999999999999"), Some(i64::MAX));
    }
}
