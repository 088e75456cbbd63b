//! Untrusted texts from repositories. They are isolated from surrounding text, and invisible characters and characters
//! that change the text direction are made visible (docs/spec/pages.md#untrusted-text).

use std::ops::Range;

use askama::Template;
use askama::filters::HtmlSafe;
use similar::{ChangeTag, TextDiff};

use gitglot_model::language::{Language, resolve};

/// Longer texts are not compared word by word, in characters.
const MAX_COMPARED: usize = 4_000;
/// Texts with more words are not compared word by word: the time grows with the square of their number.
const MAX_WORDS: usize = 700;
/// Length limit on the page of a string, in characters.
pub(crate) const LONG: usize = 20_000;
/// Length limit in lists, in characters.
pub(crate) const SHORT: usize = 300;

/// A text with its language.
#[derive(Template, Clone, Debug)]
#[template(path = "parts/text.html")]
pub(crate) struct LocalizedText {
    attrs: LangAttrs,
    pieces: Vec<TextPiece>,
    /// Number of characters cut off at the end.
    cut_off: usize,
}

impl HtmlSafe for LocalizedText {}

/// The HTML attributes `lang` and `dir` of a text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct LangAttrs {
    /// A BCP 47 tag, or `""` if unknown.
    pub(crate) lang: String,
    /// `ltr`, `rtl` or `auto`.
    pub(crate) dir: &'static str,
}

impl LangAttrs {
    /// The attributes of names and keys.
    pub(crate) fn unknown() -> Self {
        Self {
            lang: String::new(),
            dir: "auto",
        }
    }

    /// The attributes of texts in a language.
    pub(crate) fn of(language: &Language) -> Self {
        let dir = match (language.rtl, language.rank) {
            (true, _) => "rtl",
            (false, Some(_)) => "ltr",
            (false, None) => "auto",
        };
        Self {
            lang: tag(&language.code),
            dir,
        }
    }

    /// The attributes of texts in the language of this code.
    pub(crate) fn of_code(code: &str) -> Self {
        Self::of(&resolve(code))
    }
}

/// Converts a language code to a BCP 47 tag; `""` if that is impossible.
fn tag(code: &str) -> String {
    let tag = match code.split_once('@') {
        Some((base, "latin")) => [base, "-Latn"].concat(),
        Some((base, "cyrillic")) => [base, "-Cyrl"].concat(),
        Some((base, _)) => base.to_owned(),
        None => code.to_owned(),
    };
    let tag = tag.replace('_', "-");
    let fits = |part: &str| {
        (1..=8).contains(&part.len()) && part.chars().all(|c| c.is_ascii_alphanumeric())
    };
    if tag.split('-').all(fits) {
        tag
    } else {
        String::new()
    }
}

/// Why a part of a text is marked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Mark {
    /// It is not.
    None,
    /// Only in the new text.
    Added,
    /// Only in the old text.
    Removed,
    Placeholder,
    /// A failing check reports it.
    Reported,
}

/// A part of a text.
#[derive(Clone, PartialEq, Eq, Debug)]
enum TextPiece {
    Text(Mark, String),
    /// The visible form and the name of a special character.
    Special(String, &'static str),
    LineBreak,
}

impl LocalizedText {
    /// A text on the page of its string.
    pub(crate) fn new(attrs: LangAttrs, text: &str) -> Self {
        Self::marked(attrs, text, &[])
    }

    /// A text on the page of its string with marked parts. The parts are sorted and do not overlap.
    pub(crate) fn marked(attrs: LangAttrs, text: &str, parts: &[(Range<usize>, Mark)]) -> Self {
        Self::cut(attrs, text, LONG, parts)
    }

    /// A text in a list.
    pub(crate) fn short(attrs: LangAttrs, text: &str) -> Self {
        Self::cut(attrs, text, SHORT, &[])
    }

    /// A name or a key.
    pub(crate) fn name(text: impl AsRef<str>) -> Self {
        Self::short(LangAttrs::unknown(), text.as_ref())
    }

    fn cut(attrs: LangAttrs, text: &str, most: usize, parts: &[(Range<usize>, Mark)]) -> Self {
        let (shown, cut_off) = cut(text, most);
        let (mut pieces, mut end) = (Vec::new(), 0);
        for (range, mark) in parts {
            let part = shown.get(range.clone()).filter(|_| range.start >= end);
            let (Some(before), Some(part)) = (shown.get(end..range.start), part) else {
                continue;
            };
            push_text(before, Mark::None, &mut pieces);
            // Adjacent parts stay separate.
            let mut own = Vec::new();
            push_text(part, *mark, &mut own);
            pieces.append(&mut own);
            end = range.end;
        }
        push_text(
            shown.get(end..).unwrap_or_default(),
            Mark::None,
            &mut pieces,
        );
        Self {
            attrs,
            pieces,
            cut_off,
        }
    }

    fn whole(attrs: LangAttrs, pieces: Vec<TextPiece>) -> Self {
        Self {
            attrs,
            pieces,
            cut_off: 0,
        }
    }

    /// Whether the text is empty.
    pub(crate) fn is_empty(&self) -> bool {
        self.pieces.is_empty()
    }
}

/// The first characters of a text, and the number of the others.
fn cut(text: &str, most: usize) -> (&str, usize) {
    match text.char_indices().nth(most) {
        Some((at, _)) => (&text[..at], text[at..].chars().count()),
        None => (text, 0),
    }
}

/// Formats a short text where markup is not possible, as in titles and options.
pub(crate) fn plain(text: &str) -> String {
    let visible = |c: char| {
        if special_name(c).is_some() {
            visible_form(c)
        } else {
            c.to_string()
        }
    };
    text.chars().take(SHORT).map(visible).collect()
}

/// Compares two texts word by word; shows up to `most` characters of each.
pub(crate) fn difference(attrs: LangAttrs, old: &str, new: &str, most: usize) -> LocalizedText {
    let mut pieces = Vec::new();
    let limit = most.min(MAX_COMPARED);
    if old.is_empty() || new.is_empty() || is_long(old, limit) || is_long(new, limit) {
        let ((old, old_rest), (new, new_rest)) = (cut(old, most), cut(new, most));
        push_text(old, Mark::Removed, &mut pieces);
        push_text(new, Mark::Added, &mut pieces);
        return LocalizedText {
            attrs,
            pieces,
            cut_off: old_rest + new_rest,
        };
    }
    for change in TextDiff::from_words(old, new).iter_all_changes() {
        push_text(change.value(), mark_of(change.tag()), &mut pieces);
    }
    LocalizedText::whole(attrs, pieces)
}

fn is_long(text: &str, limit: usize) -> bool {
    (text.len() > limit && text.chars().count() > limit)
        || text.split_whitespace().nth(MAX_WORDS).is_some()
}

fn mark_of(change: ChangeTag) -> Mark {
    match change {
        ChangeTag::Equal => Mark::None,
        ChangeTag::Insert => Mark::Added,
        ChangeTag::Delete => Mark::Removed,
    }
}

/// Two texts side by side, each with the words that the other one lacks marked.
pub(crate) fn side_by_side(
    attrs: LangAttrs,
    old: &str,
    new: &str,
) -> (LocalizedText, LocalizedText) {
    if is_long(old, MAX_COMPARED) || is_long(new, MAX_COMPARED) {
        let first = |text| LocalizedText::cut(attrs.clone(), text, MAX_COMPARED, &[]);
        return (first(old), first(new));
    }
    let (mut before, mut after) = (Vec::new(), Vec::new());
    for change in TextDiff::from_words(old, new).iter_all_changes() {
        let (text, mark) = (change.value(), mark_of(change.tag()));
        if mark != Mark::Added {
            push_text(text, mark, &mut before);
        }
        if mark != Mark::Removed {
            push_text(text, mark, &mut after);
        }
    }
    (
        LocalizedText::whole(attrs.clone(), before),
        LocalizedText::whole(attrs, after),
    )
}

/// Appends a text; adjacent pieces of the same kind are merged.
fn push_text(text: &str, mark: Mark, pieces: &mut Vec<TextPiece>) {
    // The start of the characters that are shown as they are.
    let mut start = 0;
    let mut chars = text.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        // Most characters.
        if (' '..='~').contains(&c) {
            continue;
        }
        let piece = if c == '\n' {
            TextPiece::LineBreak
        } else if c == '\u{1e}' && chars.next_if(|(_, next)| *next == '\u{1e}').is_some() {
            TextPiece::Special(" ‖ ".to_owned(), "next plural form")
        } else if let Some(name) = special_name(c) {
            TextPiece::Special(visible_form(c), name)
        } else {
            continue;
        };
        push_run(&text[start..at], mark, pieces);
        pieces.push(piece);
        start = chars.peek().map_or(text.len(), |(next, _)| *next);
    }
    push_run(&text[start..], mark, pieces);
}

fn push_run(run: &str, mark: Mark, pieces: &mut Vec<TextPiece>) {
    match pieces.last_mut() {
        _ if run.is_empty() => {}
        Some(TextPiece::Text(last, known)) if *last == mark => known.push_str(run),
        _ => pieces.push(TextPiece::Text(mark, run.to_owned())),
    }
}

/// The name of an invisible character or one that affects its neighbours.
fn special_name(c: char) -> Option<&'static str> {
    Some(match c {
        '\t' => "tab",
        '\u{0}'..='\u{1f}' | '\u{7f}'..='\u{9f}' => "control character",
        '\u{a0}' | '\u{202f}' => "no-break space",
        '\u{ad}' => "soft hyphen",
        '\u{61c}' | '\u{200e}' | '\u{200f}' => "direction mark",
        '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => "direction control",
        '\u{200b}' | '\u{2060}' | '\u{feff}' => "zero-width space",
        '\u{2028}' => "line separator",
        '\u{2029}' => "paragraph separator",
        '\u{206a}'..='\u{206f}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}' => {
            "invisible character"
        }
        _ => return None,
    })
}

/// The visible form of a special character.
fn visible_form(c: char) -> String {
    match c {
        '\t' => "⇥".into(),
        '\u{a0}' | '\u{202f}' => "⍽".into(),
        '\u{7f}' => "␡".into(),
        '\u{0}'..='\u{1f}' => char::from_u32(0x2400 + u32::from(c)).unwrap_or('␦').into(),
        _ => format!("U+{:04X}", u32::from(c)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn special_characters_are_visible_and_inert() {
        let shown = LocalizedText::new(
            LangAttrs::of_code("ar"),
            "a\u{202e}<b>\u{0}\n\u{feff}\u{a0}&",
        )
        .to_string();
        assert!(
            shown.starts_with("<bdi lang=\"ar\" dir=\"rtl\">a<span class=\"sign\""),
            "{shown}"
        );
        for part in ["U+202E", "␀", "U+FEFF", "⍽", "↵"] {
            assert!(shown.contains(part), "{part}: {shown}");
        }
        for part in ["\u{202e}", "\u{0}", "\u{feff}", "\u{a0}", "<b>"] {
            assert!(!shown.contains(part), "{part:?}: {shown}");
        }
    }

    #[test]
    fn a_difference_marks_words() {
        let shown = difference(
            LangAttrs::of_code("en"),
            "Open a file",
            "Open the file",
            LONG,
        )
        .to_string();
        assert_eq!(
            shown,
            "<bdi lang=\"en\" dir=\"ltr\">Open <del>a</del><ins>the</ins> file</bdi>"
        );
    }

    #[test]
    fn texts_side_by_side_mark_their_own_words() {
        let (old, new) = side_by_side(LangAttrs::of_code("en"), "Open a file", "Open the file");
        assert!(old.to_string().contains("Open <del>a</del> file"), "{old}");
        assert!(
            new.to_string().contains("Open <ins>the</ins> file"),
            "{new}"
        );
    }

    #[test]
    fn long_texts_are_cut_with_a_note() {
        let text = "é".repeat(LONG + 7);
        let shown = LocalizedText::new(LangAttrs::unknown(), &text).to_string();
        assert!(shown.contains("7 more characters") && shown.len() < 2 * LONG + 200);
        assert!(
            difference(LangAttrs::unknown(), &text, "b", LONG)
                .to_string()
                .contains("7 more characters")
        );
        assert!(
            difference(LangAttrs::unknown(), &text, "b", SHORT)
                .to_string()
                .len()
                < 3 * SHORT
        );
    }

    #[test]
    fn marked_parts_are_isolated_and_escaped() {
        let parts = [
            (0..3, Mark::Placeholder),
            (3..6, Mark::Reported),
            (7..90, Mark::Reported),
        ];
        let shown = LocalizedText::marked(LangAttrs::unknown(), "{a}<b> c", &parts).to_string();
        assert_eq!(
            shown,
            "<bdi><code class=\"ph\">{a}</code><mark>&#60;b&#62;</mark> c</bdi>"
        );
    }

    #[test]
    fn titles_have_no_direction_controls() {
        assert_eq!(plain("a\u{202e}b\nc <d>"), "aU+202Eb␊c <d>");
    }

    #[test]
    fn language_codes_become_bcp47_tags() {
        for (code, lang) in [
            ("pt_BR", "pt-BR"),
            ("sr@latin", "sr-Latn"),
            ("be@tarask", "be"),
            ("zh-Hant", "zh-Hant"),
            ("ěš", ""),
            ("a\"b", ""),
        ] {
            assert_eq!(tag(code), lang, "{code}");
        }
    }
}
