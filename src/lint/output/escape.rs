//! Escapes for texts from a repository, which may try to look like a part of the output.

use std::fmt::Write;

pub use crate::model::escape_line as line;
use crate::model::is_active;

/// A line of at most `max` characters.
pub(super) fn short(text: &str, max: usize) -> String {
    let line = line(text);
    if line.chars().count() <= max {
        return line;
    }
    line.chars()
        .take(max.saturating_sub(1))
        .chain(['…'])
        .collect()
}

/// Text of HTML or XML on one line.
pub(super) fn xml(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for char in line(text).chars() {
        match char {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            // XML cannot contain these.
            '\u{fffe}' | '\u{ffff}' => out.push('\u{fffd}'),
            char => out.push(char),
        }
    }
    out
}

/// A JSON document whose active characters are JSON escapes. The values do not change.
pub(super) fn json(document: &str) -> String {
    let mut out = String::with_capacity(document.len());
    let mut units = [0; 2];
    for char in document.chars() {
        if is_active(char) && char != '\n' {
            for unit in char.encode_utf16(&mut units) {
                let _ = write!(out, "\\u{unit:04x}");
            }
        } else {
            out.push(char);
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn active_characters_become_visible() {
        assert_eq!(
            line("a\u{1b}[31mb\nc\u{202e}d\te"),
            "a\\u{1b}[31mb\\nc\\u{202e}d\\te"
        );
        assert_eq!(short("abcdef", 4), "abc…");
        assert_eq!(short("ab", 2), "ab");
    }

    #[test]
    fn json_keeps_its_values() {
        let value = serde_json::json!({"a": "\u{202e}\u{9b}\u{7f}\u{e0001}é"});
        let text = json(&value.to_string());
        assert!(text.is_ascii() || text.contains('é'), "{text}");
        assert!(!text.contains('\u{202e}'));
        assert_eq!(
            serde_json::from_str::<serde_json::Value>(&text).unwrap(),
            value
        );
    }
}
