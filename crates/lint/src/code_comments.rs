//! Finds comments in code of any language, which show old code.

/// The most characters of a line that are searched for the start of a comment.
const MAX_LINE: usize = 200;

/// Whether the text before a place ends in a comment of one line. Of long lines, as in generated code, the end counts.
pub(super) fn is_in_comment(before: &str) -> bool {
    let line = before.char_indices().rev().take(MAX_LINE);
    let line = line.take_while(|(_, char)| *char != '\n');
    let start = line.last().map_or(before.len(), |(at, _)| at);
    let line = &before[start..];
    let start = line.trim_start();
    let is_open = |(mark, end): (&str, &str)| {
        let rest = start.strip_prefix(mark);
        rest.is_some_and(|rest| !rest.contains(end))
    };
    // `*ngIf`, `#id` of Haml and `--count` are code.
    let is_mark = |mark: &str| {
        let rest = start.strip_prefix(mark);
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with([' ', '\t', '#', '!', '-']))
    };
    [("<!--", "-->"), ("/*", "*/"), ("* ", "*/")]
        .into_iter()
        .any(is_open)
        || ["#", "--"].into_iter().any(is_mark)
        || has_line_comment(line)
}

/// Whether `//` is in a line, outside of strings, at the start or after a space: addresses have it, too.
fn has_line_comment(line: &str) -> bool {
    let (mut quote, mut before) = (None, ' ');
    let mut rest = line.chars();
    while let Some(char) = rest.next() {
        match quote {
            Some(_) if char == '\\' => {
                rest.next();
            }
            Some(end) if char == end => quote = None,
            Some(_) => {}
            None if char == '/' && before.is_whitespace() && rest.as_str().starts_with('/') => {
                return true;
            }
            // An apostrophe inside of a word is none.
            None if matches!(char, '"' | '`') || (char == '\'' && !before.is_alphanumeric()) => {
                quote = Some(char);
            }
            None => {}
        }
        before = char;
    }
    false
}
