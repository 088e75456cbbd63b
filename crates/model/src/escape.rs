//! Escapes for texts from a repository, which may try to look like a part of the output.

use std::borrow::Cow;
use std::fmt::Write;

/// Whether a character can move a cursor, colour a terminal, break a line or reverse the direction of a text.
pub fn is_active(char: char) -> bool {
    char.is_control()
        || matches!(char, '\u{61c}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{2069}')
        || matches!(char, '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}')
}

/// Whether a spreadsheet program may evaluate a text. Some ignore blanks before a formula, or read full-width characters
/// like the usual ones. A text that begins with a space is a text everywhere.
pub fn is_formula(text: &str) -> bool {
    const SIGNS: [char; 10] = ['=', '+', '-', '@', '|', '%', '＝', '＋', '－', '＠'];
    let is_blank = |c: char| c.is_whitespace() || is_active(c);
    text.starts_with(['\t', '\r', '\n'])
        || (!text.starts_with(' ') && text.trim_start_matches(is_blank).starts_with(SIGNS))
}

/// A text that spreadsheet programs would read as a formula, escaped like the exporter of 3.4 does (docs/spec/http.md#csv).
pub fn spreadsheet_text(text: &str) -> Cow<'_, str> {
    if is_formula(text) {
        ["'", &text.replace('|', "\\|"), "'"].concat().into()
    } else {
        text.into()
    }
}

/// Whether the runners of GitHub Actions and Azure Pipelines read a command here, anywhere in a line.
fn is_runner_command(text: &str) -> bool {
    let rest = text.strip_prefix("##");
    rest.is_some_and(|rest| rest.starts_with('[') || rest.starts_with("vso["))
}

/// One line of readable text: active characters become escapes such as `\n` and `\u{202e}`, and commands of runners
/// (`##[…]`) begin with one.
pub fn escape_line(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for (at, char) in text.char_indices() {
        match char {
            '#' if is_runner_command(&text[at..]) => out.push_str("\\u{23}"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            char if is_active(char) => {
                // Writing to a string cannot fail.
                let _ = write!(out, "\\u{{{:x}}}", u32::from(char));
            }
            char => out.push(char),
        }
    }
    out
}

/// A JSON document whose active characters and commands of runners are JSON escapes. The values do not change.
pub fn escape_json(document: &str) -> Cow<'_, str> {
    // Reports can be large, and most of their bytes are plain.
    let is_plain = |byte: &u8| matches!(byte, b'\n' | b' '..=b'~') && *byte != b'#';
    let mut out = String::new();
    let (mut copied, mut at) = (0, 0);
    let mut units = [0; 2];
    while let Some(plain) = document[at..].bytes().position(|byte| !is_plain(&byte)) {
        at += plain;
        let Some(char) = document[at..].chars().next() else {
            break;
        };
        let is_command = char == '#' && is_runner_command(&document[at..]);
        if is_command || is_active(char) {
            out.push_str(&document[copied..at]);
            for unit in char.encode_utf16(&mut units) {
                // Writing to a string cannot fail.
                let _ = write!(out, "\\u{unit:04x}");
            }
            copied = at + char.len_utf8();
        }
        at += char.len_utf8();
    }
    if copied == 0 {
        return Cow::Borrowed(document);
    }
    out.push_str(&document[copied..]);
    Cow::Owned(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_of_runners_are_broken() {
        assert_eq!(escape_line("a ##[b]"), "a \\u{23}#[b]");
        assert_eq!(escape_line("##vso[b]"), "\\u{23}#vso[b]");
        assert_eq!(escape_line("## [a] #[b]"), "## [a] #[b]");
    }

    #[test]
    fn json_keeps_its_values() {
        let value = serde_json::json!({"c": "##[b]", "a": "\u{202e}\u{9b}\u{7f}\u{e0001}é"});
        let document = value.to_string();
        let text = escape_json(&document);
        assert!(text.is_ascii() || text.contains('é'), "{text}");
        assert!(!text.contains('\u{202e}') && !text.contains("##["));
        assert_eq!(
            serde_json::from_str::<serde_json::Value>(&text).unwrap(),
            value
        );
    }
}
