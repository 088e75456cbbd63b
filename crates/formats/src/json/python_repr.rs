//! Prints values as Python's `repr` does (`docs/spec/formats.md#values`).

use std::fmt::Write as _;

use super::literal::{lexed_float, string_len, unescape};

/// Appends a float: the shortest digits that round-trip, with an exponent of at least two digits below 1e-4 and
/// from 1e16 on.
pub(super) fn python_float(value: f64, out: &mut String) {
    let scientific = format!("{value:e}");
    let (mantissa, exponent) = scientific.split_once('e').unwrap_or((&scientific, "0"));
    let exponent: i32 = exponent
        .parse()
        .expect("the exponent of a formatted number");
    if (-4..16).contains(&exponent) {
        let plain = format!("{value}");
        out.push_str(&plain);
        if !plain.contains('.') {
            out.push_str(".0");
        }
    } else {
        let sign = if exponent < 0 { '-' } else { '+' };
        // Writing to a string cannot fail.
        let _ = write!(out, "{mantissa}e{sign}{:02}", exponent.unsigned_abs());
    }
}

/// Appends an array or object. Returns whether it has any elements.
pub(super) fn python_repr(raw: &str, out: &mut String) -> bool {
    let mut rest = raw;
    while let Some(first) = rest.bytes().next() {
        let len = match first {
            b'"' => {
                let len = string_len(rest.as_bytes()).expect("a string that the lexer read");
                let mut text = String::new();
                unescape(&rest[1..len - 1], &mut text);
                quoted(&text, out);
                len
            }
            b',' | b':' => {
                out.extend([char::from(first), ' ']);
                1
            }
            b'{' | b'}' | b'[' | b']' => {
                out.push(char::from(first));
                1
            }
            b' ' | b'\n' | b'\r' | b'\t' => 1,
            _ => {
                let len = rest
                    .find([',', ' ', '\n', '\r', '\t', ']', '}'])
                    .unwrap_or(rest.len());
                let word = &rest[..len];
                match word {
                    "true" => out.push_str("True"),
                    "false" => out.push_str("False"),
                    "null" => out.push_str("None"),
                    "-0" => out.push('0'),
                    digits if digits.contains(['.', 'e', 'E']) => {
                        python_float(lexed_float(digits), out);
                    }
                    digits => out.push_str(digits),
                }
                len
            }
        };
        rest = &rest[len..];
    }
    out.len() > 2
}

fn quoted(text: &str, out: &mut String) {
    let quote = if text.contains('\'') && !text.contains('"') {
        '"'
    } else {
        '\''
    };
    out.push(quote);
    for character in text.chars() {
        match character {
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            c if c == quote => out.extend(['\\', c]),
            c if is_printable(c) => out.push(c),
            c => {
                // Writing to a string cannot fail.
                let _ = match u32::from(c) {
                    code @ ..0x100 => write!(out, "\\x{code:02x}"),
                    code @ ..0x1_0000 => write!(out, "\\u{code:04x}"),
                    code => write!(out, "\\U{code:08x}"),
                };
            }
        }
    }
    out.push(quote);
}

/// Whether Python shows a character as it is: no control, format or unassigned character and no space except U+0020.
/// The standard library has the same rule, except for combining characters at the start of a text.
fn is_printable(character: char) -> bool {
    let mut text = String::from("a");
    text.push(character);
    character.is_ascii_graphic() || text.escape_debug().nth(1) == Some(character)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::literal::float;

    #[test]
    fn floats_have_the_notation_of_python() {
        for (json, python) in [
            ("1.0", "1.0"),
            ("1e5", "100000.0"),
            ("1e15", "1000000000000000.0"),
            ("1e16", "1e+16"),
            ("1.5e16", "1.5e+16"),
            ("9999999999999998.0", "9999999999999998.0"),
            ("123456789012345680.0", "1.2345678901234568e+17"),
            ("1e-4", "0.0001"),
            ("1e-5", "1e-05"),
            ("1e-7", "1e-07"),
            ("1.25e-10", "1.25e-10"),
            ("1e300", "1e+300"),
            ("5e-324", "5e-324"),
            ("1e-400", "0.0"),
            ("-0.0", "-0.0"),
            ("-1.50", "-1.5"),
            ("0.1", "0.1"),
            ("3.141592653589793", "3.141592653589793"),
        ] {
            let mut out = String::new();
            python_float(float(json.as_bytes()).unwrap(), &mut out);
            assert_eq!(out, python, "{json}");
        }
        assert_eq!(float(b"1E400"), None);
    }

    #[test]
    fn lists_and_objects_have_the_notation_of_python() {
        for (json, python, truth) in [
            ("[]", "[]", false),
            ("{ }", "{}", false),
            (
                r#"[1, -0, 1e5,true , null,"it's", "a\"\\"]"#,
                r#"[1, 0, 100000.0, True, None, "it's", 'a"\\']"#,
                true,
            ),
            (r#"{"a":{"b" : [false]}}"#, "{'a': {'b': [False]}}", true),
            (r#"["\\","x"]"#, r"['\\', 'x']", true),
            (
                "[\"\u{a0}e\u{301} \u{2028}\u{e000}\u{1f600}\u{e0001}\"]",
                "['\\xa0e\u{301} \\u2028\\ue000\u{1f600}\\U000e0001']",
                true,
            ),
        ] {
            let mut out = String::new();
            assert_eq!(python_repr(json, &mut out), truth, "{json}");
            assert_eq!(out, python);
        }
    }
}
