//! Regular expressions of PostgreSQL, as far as they can be matched in linear time
//! (docs/spec/query.md#regular-expressions).

use std::hash::{Hash, Hasher};
use std::ops::Range;

use regex::{Regex, RegexBuilder};

use super::error::Reason;

/// Sizes of compiled expressions in bytes, and the rows that 64 bytes of text count as. In the worst case, the time of a
/// match is the product of size and length; with these weights it stays within the turn of a scan.
const SIZES: [(usize, u64); 4] = [(1 << 12, 1), (1 << 15, 4), (1 << 18, 8), (1 << 20, 32)];
/// The bytes of a text that are examined.
const MAX_TEXT: usize = 1 << 16;
/// Maximum nesting of groups and repetitions.
const MAX_DEPTH: u32 = 50;

/// A regular expression. Two are equal if they are written in the same way.
#[derive(Clone, Debug)]
pub(super) struct Pattern {
    regex: Regex,
    /// Rows that 64 bytes of text count as.
    weight: u64,
}

impl PartialEq for Pattern {
    fn eq(&self, other: &Self) -> bool {
        self.regex.as_str() == other.regex.as_str()
    }
}

impl Eq for Pattern {}

impl Hash for Pattern {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.regex.as_str().hash(state);
    }
}

impl Pattern {
    /// Where it matches.
    pub(super) fn parts<'t>(&'t self, text: &'t str) -> impl Iterator<Item = Range<usize>> + 't {
        let found = self.regex.find_iter(beginning(text));
        found.map(|found| found.range())
    }

    /// Compiles an expression.
    ///
    /// # Errors
    /// It is invalid, has look-around or back-references, or is too large.
    pub(super) fn new(pattern: &str) -> Result<Self, Reason> {
        let translated = translate(pattern);
        // Cheap, and says why.
        let parsed = regex_syntax::ParserBuilder::new()
            .nest_limit(MAX_DEPTH)
            .build()
            .parse(&translated);
        if let Err(error) = parsed {
            return Err(invalid(pattern, &error));
        }
        for (size, weight) in SIZES {
            let built = RegexBuilder::new(&translated)
                .dot_matches_new_line(true)
                .nest_limit(MAX_DEPTH)
                .size_limit(size)
                .dfa_size_limit(size)
                .build();
            if let Ok(regex) = built {
                return Ok(Self { regex, weight });
            }
        }
        Err(Reason::of(
            "the regular expression is too large",
            INVALID,
            "regular expression is too complex",
        ))
    }

    /// Whether the expression matches somewhere in a text, of which only the beginning is examined if it is very long.
    pub(super) fn finds(&self, text: &str) -> bool {
        self.regex.is_match(beginning(text))
    }

    /// The rows that a match counts as.
    pub(super) fn rows(&self, text: &str) -> u64 {
        (1 + beginning(text).len() as u64 / 64) * self.weight
    }
}

fn beginning(text: &str) -> &str {
    let mut ends = (0..=text.len().min(MAX_TEXT)).rev();
    // A boundary is at most three bytes before.
    let end = ends.find(|&end| text.is_char_boundary(end));
    &text[..end.unwrap_or_default()]
}

/// What the errors of current Weblate begin with.
const INVALID: &str = "Invalid regular expression: invalid regular expression";

/// An error with the words of PostgreSQL.
fn invalid(pattern: &str, error: &regex_syntax::Error) -> Reason {
    use regex_syntax::ast::ErrorKind;
    let (message, words) = match error {
        regex_syntax::Error::Parse(error) => {
            let words = match error.kind() {
                ErrorKind::GroupUnclosed | ErrorKind::GroupUnopened => {
                    "parentheses () not balanced"
                }
                ErrorKind::ClassUnclosed => "brackets [] not balanced",
                ErrorKind::RepetitionMissing => "quantifier operand invalid",
                ErrorKind::RepetitionCountUnclosed => "braces {} not balanced",
                ErrorKind::RepetitionCountInvalid
                | ErrorKind::RepetitionCountDecimalEmpty
                | ErrorKind::DecimalInvalid => "invalid repetition count(s)",
                ErrorKind::ClassRangeInvalid | ErrorKind::ClassRangeLiteral => {
                    "invalid character range"
                }
                ErrorKind::EscapeUnexpectedEof | ErrorKind::EscapeUnrecognized => {
                    "invalid escape \\ sequence"
                }
                ErrorKind::UnsupportedBackreference => "invalid backreference number",
                ErrorKind::NestLimitExceeded(_) => "regular expression is too complex",
                _ => "regular expression is invalid",
            };
            (error.kind().to_string(), words)
        }
        other => (other.to_string(), "regular expression is invalid"),
    };
    let message = format!("'{pattern}' is not a regular expression: {message}");
    Reason::of(message, INVALID, words)
}

/// Writes what PostgreSQL writes differently: escapes for boundaries, and characters that are only literals there.
fn translate(pattern: &str) -> String {
    let mut out = String::with_capacity(pattern.len());
    let mut chars = pattern.chars().peekable();
    let mut in_class = false;
    // Whether the next character is the first of a class, where `]` is a literal.
    let mut is_first = false;
    while let Some(c) = chars.next() {
        let was_first = std::mem::take(&mut is_first);
        match c {
            '\\' => match chars.next() {
                Some('y') if !in_class => out.push_str("\\b"),
                Some('Y') if !in_class => out.push_str("\\B"),
                Some('m') if !in_class => out.push_str("\\b{start}"),
                Some('M') if !in_class => out.push_str("\\b{end}"),
                Some('Z') if !in_class => out.push_str("\\z"),
                other => {
                    out.push('\\');
                    out.extend(other);
                }
            },
            '[' if !in_class => {
                out.push('[');
                in_class = true;
                is_first = true;
                if chars.next_if_eq(&'^').is_some() {
                    out.push('^');
                }
            }
            '[' if chars.peek() == Some(&':') => out.push('['),
            '[' => out.push_str("\\["),
            ']' if was_first => out.push_str("\\]"),
            // The end of `[:alpha:]` does not end the class.
            ']' if in_class => {
                out.push(']');
                in_class = out.ends_with(":]");
            }
            '&' | '~' if in_class => out.extend(['\\', c]),
            '{' if !in_class && !chars.peek().is_some_and(char::is_ascii_digit) => {
                out.push_str("\\{");
            }
            _ => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn finds(pattern: &str, text: &str) -> bool {
        Pattern::new(pattern).unwrap().finds(text)
    }

    #[test]
    fn expressions_match_as_in_postgresql() {
        for (pattern, text) in [
            ("^S.*", "Save\nall"),
            ("a.b", "a\nb"),
            ("\\mway\\M", "the way out"),
            ("{{name}}", "Hello {{name}}"),
            ("{[a-z]+}", "{name}"),
            ("^[[:alpha:]]+$", "abc"),
            ("[]x]", "]"),
            ("[^]x]", "a"),
            ("[a&&b]", "&"),
            ("x{2,3}", "xxx"),
            ("\\d+\\s\\w", "12 é"),
            ("e\\Z", "Save"),
        ] {
            assert!(finds(pattern, text), "{pattern} in {text}");
        }
        for (pattern, text) in [("^s", "Save"), ("\\mway\\M", "always"), ("Save$", "Save\n")] {
            assert!(!finds(pattern, text), "{pattern} in {text}");
        }
    }

    #[test]
    fn errors_have_the_words_of_postgresql() {
        for (pattern, words) in [
            ("(", "parentheses () not balanced"),
            ("a)", "parentheses () not balanced"),
            ("[a", "brackets [] not balanced"),
            ("*a", "quantifier operand invalid"),
            ("x{3,2}", "invalid repetition count(s)"),
            ("[b-a]", "invalid character range"),
            ("(a)\\1", "invalid backreference number"),
            ("(\\w{1000}){1000}", "regular expression is too complex"),
        ] {
            let reason = Pattern::new(pattern).unwrap_err();
            assert_eq!(
                reason.in_weblate,
                [INVALID, ": ", words].concat(),
                "{pattern}"
            );
        }
    }

    #[test]
    fn only_the_beginning_of_a_very_long_text_is_examined() {
        let text = "é".repeat(MAX_TEXT) + "x";
        assert!(!finds("x", &text));
        assert!(finds("^é+$", &text));
    }
}
