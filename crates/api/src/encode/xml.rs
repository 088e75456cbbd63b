//! Escapes texts for XML.

use std::borrow::Cow;

/// Escapes the content of an element. A carriage return becomes a reference, because parsers drop a bare one. U+FFFD
/// replaces characters that XML cannot carry.
pub(crate) fn escaped(text: &str) -> String {
    quick_xml::escape::partial_escape(valid(text)).into_owned()
}

/// Escapes the value of an attribute, as [`escaped`]. Line ends and tabs become references, because parsers read them
/// as spaces.
pub(crate) fn attribute(text: &str) -> String {
    let text = valid(text);
    let attribute = quick_xml::events::attributes::Attribute::from(("", &*text));
    attribute.value.into_owned()
}

/// A text without the characters that XML 1.0 cannot carry, not even as references; U+FFFD replaces each.
fn valid(text: &str) -> Cow<'_, str> {
    let fits = |c: char| matches!(c, '\t' | '\n' | '\r' | '\u{20}'..='\u{fffd}' | '\u{10000}'..);
    if text.chars().all(fits) {
        return text.into();
    }
    text.chars()
        .map(|c| if fits(c) { c } else { '\u{fffd}' })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn attributes_keep_line_ends_and_tabs() {
        let shown = "a&#10;&quot;b&quot;&#9;&apos;c&apos;&#13;\u{fffd}";
        assert_eq!(attribute("a\n\"b\"\t'c'\r\u{1}"), shown);
    }
}
