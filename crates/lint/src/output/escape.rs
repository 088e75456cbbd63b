//! Escapes for texts from a repository, which may try to look like a part of the output.

use std::borrow::Cow;

use serde::Serialize;

pub use gitglot_model::{escape_json as json, escape_line as line};

/// A JSON document with a line break at its end.
pub(super) fn json_text(mut document: String) -> String {
    if let Cow::Owned(escaped) = json(&document) {
        document = escaped;
    }
    document.push('\n');
    document
}

/// A document as indented JSON, whose keys must be texts.
pub fn indented_json(document: &impl Serialize) -> String {
    let text = serde_json::to_string_pretty(document).expect("texts and numbers can be written");
    json_text(text)
}

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

/// The beginning of a line. The runner of GitHub Actions reads a line that begins with `::` as a command.
pub(super) fn line_start(text: &str) -> String {
    let line = line(text);
    match line.trim_start().strip_prefix("::") {
        Some(rest) => format!("\\u{{3a}}:{rest}"),
        None => line,
    }
}

/// Text of HTML or XML on one line.
pub fn xml(text: &str) -> String {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn active_characters_become_visible() {
        assert_eq!(
            line("a\u{1b}[31mb\nc\u{202e}d\te"),
            "a\\u{1b}[31mb\\nc\\u{202e}d\\te"
        );
        assert_eq!(line_start(" ::set-env::a"), "\\u{3a}:set-env::a");
        assert_eq!(line_start("a::b"), "a::b");
        assert_eq!(short("abcdef", 4), "abc…");
        assert_eq!(short("ab", 2), "ab");
    }
}
