//! Escapes for texts from a repository, which may try to look like a part of the output.

use std::fmt::Write;

/// Whether a character can move a cursor, colour a terminal, break a line or reverse the direction of a text.
pub fn is_active(char: char) -> bool {
    char.is_control()
        || matches!(char, '\u{61c}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{2069}')
        || matches!(char, '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}')
}

/// One line of readable text: active characters become escapes such as `\n` and `\u{202e}`.
pub fn escape_line(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for char in text.chars() {
        match char {
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
