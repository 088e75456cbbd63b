//! The texts of units: plural forms, notes, words and hashes (docs/spec/units.md).

use std::borrow::Cow;

use siphasher::sip::SipHasher24;

use crate::language::Language;
use crate::model::{FileFormat, PLURAL_SEPARATOR, fit_forms};

/// A target with plural forms as the API shows it (docs/spec/units.md#plural-forms).
pub(super) fn fitted<'t>(target: &'t str, format: FileFormat, language: &Language) -> Cow<'t, str> {
    if format.fits_forms() {
        fit_forms(target, language.plural.forms.into()).into()
    } else {
        target.into()
    }
}

/// The plural forms of a joined text.
pub(super) fn split_forms(joined: &str) -> Vec<&str> {
    joined.split(PLURAL_SEPARATOR).collect()
}

/// Appends the comment of a unit: the notes of template and translation (docs/spec/units.md#comment).
pub fn push_comment(out: &mut String, template: &str, translation: &str) {
    if template != translation {
        out.push_str(template);
        out.push(' ');
    }
    out.push_str(translation);
}

/// Words of a source text: the parts between Python's white space (docs/spec/units.md#words).
pub fn words(source: &str) -> u32 {
    let is_space = |c: char| c.is_whitespace() || ('\u{1c}'..='\u{1f}').contains(&c);
    source
        .split(is_space)
        .filter(|word| !word.is_empty())
        .count() as u32
}

/// Weblate's hash of texts put one after the other, as the signed number that it stores (docs/spec/units.md#hashes).
pub fn signed_hash(parts: &[&str]) -> i64 {
    use std::hash::Hasher;
    let mut hasher = SipHasher24::new_with_key(b"Weblate Sip Hash");
    parts.iter().for_each(|part| hasher.write(part.as_bytes()));
    (hasher.finish() ^ (1 << 63)) as i64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hashes_match_weblate() {
        let cases: [(&[&str], i64); 7] = [
            (&[""], 2141328909150225308),
            (&[".hello"], -3886856454571204551),
            (&["hello"], 1219941101254463490),
            (&[".key14"], -9200099127887087275),
            (&["Hello, world!\n", ".hello"], -8154609877154160748),
            (&["Příliš žluťoučký kůň", ".uni"], -1023089291559694422),
            (&["a", "b"], -1326248940019328263),
        ];
        for (parts, hash) in cases {
            assert_eq!(signed_hash(parts), hash, "{parts:?}");
        }
    }

    #[test]
    fn words_are_separated_by_python_whitespace() {
        let cases = [
            ("Some  double   spaced words", 4),
            ("Non\u{a0}breaking space", 3),
            ("", 0),
            ("42", 1),
            ("a\u{1c}b\u{200b}c", 2),
        ];
        for (text, count) in cases {
            assert_eq!(words(text), count, "{text:?}");
        }
    }

    #[test]
    fn notes_are_joined_like_in_weblate() {
        let cases = [
            ("Greeting", "", "Greeting "),
            ("", "Has own desc", " Has own desc"),
            ("d", "x", "d x"),
            ("Name", "Name", "Name"),
            ("", "", ""),
        ];
        for (template, translation, comment) in cases {
            let mut out = String::new();
            push_comment(&mut out, template, translation);
            assert_eq!(out, comment);
        }
    }
}
