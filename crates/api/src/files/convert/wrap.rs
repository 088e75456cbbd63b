//! Line breaks of a gettext catalogue where current Weblate has them (docs/spec/current-api.md#line-breaks-of-catalogues).

use unicode_segmentation::UnicodeSegmentation;
use unicode_width::UnicodeWidthStr;

/// Columns of a line, without its quotes.
const WIDTH: usize = 77;

/// Splits an escaped text into lines. Also returns whether the first one is on a line of its own, below the keyword.
pub(super) fn lines(escaped: &str) -> (Vec<String>, bool) {
    let mut lines: Vec<String> = Vec::new();
    let (mut is_full, mut columns) = (true, 0);
    for piece in pieces(escaped) {
        let width = piece.width();
        match lines.last_mut() {
            Some(line) if !is_full && columns + width <= WIDTH => {
                line.push_str(piece);
                columns += width;
            }
            _ => {
                lines.push(piece.to_owned());
                columns = width;
            }
        }
        is_full = piece.ends_with("\\n");
    }
    let is_long = |line: &String| line.chars().count() > WIDTH - "msgid ".len();
    let is_below = lines.len() > 1 || lines.first().is_some_and(is_long);
    if lines.is_empty() {
        lines.push(String::new());
    }
    (lines, is_below)
}

/// The parts of a text that stay on one line.
fn pieces(text: &str) -> Vec<&str> {
    let mut pieces = Vec::new();
    let mut start = 0;
    // The two characters before the word. Those of a longer word are swapped, as they are there.
    let (mut last, mut second) = (None, None);
    for (mut at, mut word) in text.split_word_bound_indices() {
        if last == Some('\\') && word.len() > 1 {
            // Its first character ends an escape.
            let escaped = word.chars().next().map_or(0, char::len_utf8);
            at += escaped;
            word = &word[escaped..];
            pieces.push(&text[start..at]);
            start = at;
        }
        let Some(first) = word.chars().next() else {
            continue;
        };
        let is_after_escape = second == Some('\\') && matches!(last, Some('\\' | 'n'));
        let is_joined = last.is_some_and(|last| !is_after_escape && joins(last, first, word));
        if !is_joined && start < at {
            pieces.push(&text[start..at]);
            start = at;
        }
        let mut reversed = word.chars().rev();
        (second, last) = match (reversed.next(), reversed.next()) {
            (of_word, Some(before)) => (of_word, Some(before)),
            (of_word, None) => (last.filter(|_| is_joined), of_word),
        };
    }
    if start < text.len() {
        pieces.push(&text[start..]);
    }
    pieces
}

/// Whether no line ends between a character and the word after it.
fn joins(last: char, first: char, word: &str) -> bool {
    let ends_line = |c| matches!(c, '/' | '}' | ')' | '>' | '-');
    if word.len() == 1 && (ends_line(first) || matches!(first, ' ' | '\t')) {
        return true;
    }
    let is_next_to_punctuation =
        last.is_ascii_punctuation() || first.is_ascii_punctuation() && !last.is_whitespace();
    !matches!(first, '{' | '(') && !ends_line(last) && is_next_to_punctuation
}

#[cfg(test)]
mod tests {
    fn lines(escaped: &str) -> Vec<String> {
        super::lines(escaped).0
    }

    #[test]
    fn lines_end_after_spaces_and_at_the_parts_of_an_address() {
        let text =
            "Team: English <http://weblate.example.com/projects/redirect/ and/extension/en/>";
        assert_eq!(
            lines(text),
            [
                "Team: English <http://weblate.example.com/projects/redirect/ and/extension/",
                "en/>"
            ]
        );
    }

    #[test]
    fn a_line_ends_after_each_line_break_and_not_in_an_escape() {
        assert_eq!(
            lines("one\\ntwo\\n\\nthree\\n"),
            ["one\\n", "two\\n", "\\n", "three\\n"]
        );
        assert_eq!(super::lines(""), (vec![String::new()], false));
        let quotes = "\\\"".repeat(50);
        let found = lines(&quotes);
        assert!(found.iter().all(|line| line.len() % 2 == 0), "{found:?}");
    }

    #[test]
    fn long_lines_start_below_the_keyword_and_wide_characters_have_two_columns() {
        assert!(!super::lines(&"a".repeat(71)).1);
        assert!(super::lines(&"a".repeat(72)).1);
        let found = lines(&"花壇".repeat(30));
        assert_eq!(
            found
                .iter()
                .map(|line| line.chars().count())
                .collect::<Vec<_>>(),
            [38, 22]
        );
    }
}
