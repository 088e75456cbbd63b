//! The texts of string and template literals.

use crate::code::HALF;
use crate::code::lexer::Text;
use crate::error::{ReadErrorKind, SyntaxError};
use crate::scan::Scanner;

/// The text of a literal, without substitutions and halves of surrogate pairs.
#[derive(Default)]
pub(super) struct Cooked {
    pub(super) text: String,
    /// Whether it had half of a surrogate pair.
    has_half: bool,
}

impl Cooked {
    pub(super) fn text(self) -> Text {
        if self.has_half {
            Err(HALF)
        } else {
            Ok(self.text)
        }
    }
}

/// Reads a string literal up to its closing quote. The opening quote is skipped.
pub(super) fn string(scan: &mut Scanner<'_>, quote: char) -> Result<Text, SyntaxError> {
    let start = scan.at.saturating_sub(1);
    let mut cooked = Cooked::default();
    loop {
        cooked
            .text
            .push_str(scan.skip_while(|char| char != quote && !matches!(char, '\\' | '\n' | '\r')));
        match scan.peek() {
            Some('\\') => escape(scan, &mut cooked)?,
            Some(end) if end == quote => {
                scan.at += 1;
                return Ok(cooked.text());
            }
            _ => return Err(ReadErrorKind::OpenString.at(start)),
        }
    }
}

/// The part of a template literal up to its end, or up to `${`. Returns whether it ends.
pub(super) fn template_part(
    scan: &mut Scanner<'_>,
    cooked: &mut Cooked,
) -> Result<bool, SyntaxError> {
    let start = scan.at.saturating_sub(1);
    loop {
        cooked
            .text
            .push_str(scan.skip_while(|char| !matches!(char, '`' | '\\' | '$' | '\r')));
        match scan.peek() {
            Some('`') => {
                scan.at += 1;
                return Ok(true);
            }
            Some('\\') => escape(scan, cooked)?,
            Some('\r') => {
                scan.at += 1;
                scan.skip("\n");
                cooked.text.push('\n');
            }
            Some(_) if scan.skip("${") => return Ok(false),
            Some(dollar) => {
                scan.at += 1;
                cooked.text.push(dollar);
            }
            None => return Err(ReadErrorKind::OpenString.at(start)),
        }
    }
}

/// Reads an escape, whose backslash is next.
fn escape(scan: &mut Scanner<'_>, cooked: &mut Cooked) -> Result<(), SyntaxError> {
    let start = scan.at;
    scan.at += 1;
    let Some(kind) = scan.peek() else {
        return Err(ReadErrorKind::OpenString.at(start));
    };
    scan.at += kind.len_utf8();
    let character = match kind {
        'n' => '\n',
        't' => '\t',
        'r' => '\r',
        'b' => '\u{8}',
        'f' => '\u{C}',
        'v' => '\u{B}',
        '0' if !scan.peek().is_some_and(|next| next.is_ascii_digit()) => '\0',
        '\r' => {
            scan.skip("\n");
            return Ok(());
        }
        '\n' | '\u{2028}' | '\u{2029}' => return Ok(()),
        'x' => {
            let unit = hexadecimal(scan, 2).ok_or_else(|| invalid(start))?;
            char::from_u32(unit).ok_or_else(|| invalid(start))?
        }
        'u' => {
            let unit = unicode(scan).ok_or_else(|| invalid(start))?;
            match character(unit, scan) {
                Some(character) => character,
                None => {
                    cooked.has_half = true;
                    return Ok(());
                }
            }
        }
        '0'..='9' => return Err(invalid(start)),
        other => other,
    };
    cooked.text.push(character);
    Ok(())
}

/// The character of an escape and, if it is the first half of a pair, of the escape after it.
fn character(unit: u32, scan: &mut Scanner<'_>) -> Option<char> {
    if let 0xD800..0xDC00 = unit {
        let mut ahead = *scan;
        if ahead.skip("\\u")
            && let Some(low @ 0xDC00..0xE000) = unicode(&mut ahead)
        {
            *scan = ahead;
            return char::from_u32(0x10000 + ((unit - 0xD800) << 10) + (low - 0xDC00));
        }
    }
    char::from_u32(unit)
}

/// Four digits, or some in braces.
fn unicode(scan: &mut Scanner<'_>) -> Option<u32> {
    if !scan.skip("{") {
        return hexadecimal(scan, 4);
    }
    let digits = scan.skip_while(|char| char.is_ascii_hexdigit());
    let unit = u32::from_str_radix(digits, 16).ok()?;
    (scan.skip("}") && unit <= 0x10_FFFF).then_some(unit)
}

fn hexadecimal(scan: &mut Scanner<'_>, count: usize) -> Option<u32> {
    let digits = scan.rest().get(..count)?;
    let is_hexadecimal = digits.bytes().all(|digit| digit.is_ascii_hexdigit());
    let unit = u32::from_str_radix(digits, 16)
        .ok()
        .filter(|_| is_hexadecimal)?;
    scan.at += count;
    Some(unit)
}

fn invalid(at: usize) -> SyntaxError {
    ReadErrorKind::syntax(
        "expected an escape such as \\n, \\x41 or \\u0041, found a different one",
        at,
    )
}
