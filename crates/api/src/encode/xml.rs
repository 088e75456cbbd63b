//! Escapes texts for XML.

use std::borrow::Cow;

/// Escapes the content of an element. A carriage return becomes a reference, because parsers drop a bare one.
pub(crate) fn escaped(text: &str) -> String {
    quick_xml::escape::partial_escape(valid(text)).replace('\r', "&#13;")
}

/// A text without the characters that XML 1.0 cannot carry, not even as references; U+FFFD replaces each.
pub(crate) fn valid(text: &str) -> Cow<'_, str> {
    let fits = |c: char| matches!(c, '\t' | '\n' | '\r' | '\u{20}'..='\u{fffd}' | '\u{10000}'..);
    if text.chars().all(fits) {
        return text.into();
    }
    text.chars()
        .map(|c| if fits(c) { c } else { '\u{fffd}' })
        .collect()
}
