//! Texts out of repositories, shown so that they can do no harm: isolated from the text around them, with characters
//! that cannot be seen, or that turn the direction of others, in a visible form.

use askama::Template;
use askama::filters::HtmlSafe;
use similar::{ChangeTag, TextDiff};

use crate::language::{Language, resolve};

/// Characters up to which two texts are compared word by word.
const COMPARED: usize = 4_000;
/// Characters of a text that a page of its own shows.
const WHOLE: usize = 20_000;
/// Characters of a text that a list shows.
const SHORT: usize = 300;

/// A text with its language.
#[derive(Template, Clone, Debug)]
#[template(path = "web/parts/text.html")]
pub(in crate::web) struct Text {
    tongue: Tongue,
    pieces: Vec<Piece>,
    /// Characters that are left out at the end.
    left_out: usize,
}

impl HtmlSafe for Text {}

/// The language of a text, as attributes have it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(in crate::web) struct Tongue {
    /// The tag of BCP 47, or `""` where none is known.
    pub(in crate::web) lang: String,
    /// `ltr`, `rtl` or `auto`.
    pub(in crate::web) dir: &'static str,
}

impl Tongue {
    /// That of names and keys: unknown.
    pub(in crate::web) fn unknown() -> Self {
        Self { lang: String::new(), dir: "auto" }
    }

    /// That of a language.
    pub(in crate::web) fn of(language: &Language) -> Self {
        let dir = match (language.rtl, language.rank) {
            (true, _) => "rtl",
            (false, Some(_)) => "ltr",
            (false, None) => "auto",
        };
        Self { lang: tag(&language.code), dir }
    }

    /// That of the language of a code.
    pub(in crate::web) fn of_code(code: &str) -> Self {
        Self::of(&resolve(code))
    }
}

/// The tag of BCP 47 for a code; `""` for a code that makes none.
fn tag(code: &str) -> String {
    let tag = match code.split_once('@') {
        Some((base, "latin")) => [base, "-Latn"].concat(),
        Some((base, "cyrillic")) => [base, "-Cyrl"].concat(),
        Some((base, _)) => base.to_owned(),
        None => code.to_owned(),
    };
    let tag = tag.replace('_', "-");
    let fits = |part: &str| (1..=8).contains(&part.len()) && part.chars().all(|c| c.is_ascii_alphanumeric());
    if tag.split('-').all(fits) { tag } else { String::new() }
}

/// A part of a text.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Piece {
    Plain(String),
    /// Only in the newer of two texts.
    Added(String),
    /// Only in the older of two texts.
    Removed(String),
    /// A character in a visible form, and its name.
    Sign(String, &'static str),
    /// A line break.
    Break,
}

impl Text {
    /// A whole text.
    pub(in crate::web) fn new(tongue: Tongue, text: &str) -> Self {
        Self::cut(tongue, text, WHOLE)
    }

    /// The beginning of a text, for lists.
    pub(in crate::web) fn short(tongue: Tongue, text: &str) -> Self {
        Self::cut(tongue, text, SHORT)
    }

    /// A name or a key.
    pub(in crate::web) fn name(text: &str) -> Self {
        Self::cut(Tongue::unknown(), text, SHORT)
    }

    fn cut(tongue: Tongue, text: &str, most: usize) -> Self {
        let (shown, left_out) = match text.char_indices().nth(most) {
            Some((at, _)) => (&text[..at], text[at..].chars().count()),
            None => (text, 0),
        };
        let mut pieces = Vec::new();
        visible(shown, Piece::Plain, &mut pieces);
        Self { tongue, pieces, left_out }
    }

    /// Whether there is nothing to show.
    pub(in crate::web) fn is_empty(&self) -> bool {
        self.pieces.is_empty()
    }
}

/// A short text as it stands where there is no markup, in titles and choices.
pub(in crate::web) fn plain(text: &str) -> String {
    let shown = |c: char| if sign(c).is_some() { face(c) } else { c.to_string() };
    text.chars().take(SHORT).map(shown).collect()
}

/// How a text became another, word by word.
pub(in crate::web) fn difference(tongue: Tongue, old: &str, new: &str) -> Text {
    compared(tongue, old, new, WHOLE)
}

/// The same for lists, where long texts are cut.
pub(in crate::web) fn short_difference(tongue: Tongue, old: &str, new: &str) -> Text {
    compared(tongue, old, new, SHORT)
}

fn compared(tongue: Tongue, old: &str, new: &str, most: usize) -> Text {
    let mut pieces = Vec::new();
    let limit = most.min(COMPARED);
    let long = |text: &str| text.len() > limit && text.chars().count() > limit;
    if old.is_empty() || new.is_empty() || long(old) || long(new) {
        let (old, new) = (Text::cut(tongue.clone(), old, most), Text::cut(tongue.clone(), new, most));
        let marked = |pieces: Vec<Piece>, mark: fn(String) -> Piece| {
            pieces.into_iter().map(move |piece| if let Piece::Plain(text) = piece { mark(text) } else { piece })
        };
        pieces.extend(marked(old.pieces, Piece::Removed));
        pieces.extend(marked(new.pieces, Piece::Added));
        return Text { tongue, pieces, left_out: old.left_out + new.left_out };
    }
    for change in TextDiff::from_words(old, new).iter_all_changes() {
        let mark = match change.tag() {
            ChangeTag::Equal => Piece::Plain,
            ChangeTag::Insert => Piece::Added,
            ChangeTag::Delete => Piece::Removed,
        };
        visible(change.value(), mark, &mut pieces);
    }
    Text { tongue, pieces, left_out: 0 }
}

/// Adds a text in pieces; one that ends as the next begins is made longer.
fn visible(text: &str, mark: fn(String) -> Piece, pieces: &mut Vec<Piece>) {
    for c in text.chars() {
        if c == '\n' {
            pieces.push(Piece::Break);
        } else if let Some(name) = sign(c) {
            pieces.push(Piece::Sign(face(c), name));
        } else {
            let same_kind = |last: &Piece| std::mem::discriminant(last) == std::mem::discriminant(&mark(String::new()));
            match pieces.last_mut().filter(|last| same_kind(last)) {
                Some(Piece::Plain(run) | Piece::Added(run) | Piece::Removed(run)) => run.push(c),
                _ => pieces.push(mark(c.into())),
            }
        }
    }
}

/// The name of a character that cannot be seen, or does something to others.
fn sign(c: char) -> Option<&'static str> {
    Some(match c {
        '\t' => "tab",
        '\u{0}'..='\u{1f}' | '\u{7f}'..='\u{9f}' => "control character",
        '\u{a0}' | '\u{202f}' => "no-break space",
        '\u{ad}' => "soft hyphen",
        '\u{61c}' | '\u{200e}' | '\u{200f}' => "mark of direction",
        '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => "control of direction",
        '\u{200b}' | '\u{2060}' | '\u{feff}' => "space without width",
        '\u{2028}' => "line separator",
        '\u{2029}' => "paragraph separator",
        '\u{206a}'..='\u{206f}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}' => "invisible character",
        _ => return None,
    })
}

/// How such a character is shown.
fn face(c: char) -> String {
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
    fn what_cannot_be_seen_is_shown_and_does_nothing() {
        let shown = Text::new(Tongue::of_code("ar"), "a\u{202e}<b>\u{0}\n\u{feff}\u{a0}&").to_string();
        assert!(shown.starts_with("<bdi lang=\"ar\" dir=\"rtl\">a<span class=\"sign\""), "{shown}");
        for part in ["U+202E", "␀", "U+FEFF", "⍽", "↵"] {
            assert!(shown.contains(part), "{part}: {shown}");
        }
        for part in ["\u{202e}", "\u{0}", "\u{feff}", "\u{a0}", "<b>"] {
            assert!(!shown.contains(part), "{part:?}: {shown}");
        }
    }

    #[test]
    fn a_difference_marks_words() {
        let shown = difference(Tongue::of_code("en"), "Open a file", "Open the file").to_string();
        assert_eq!(shown, "<bdi lang=\"en\" dir=\"ltr\">Open <del>a</del><ins>the</ins> file</bdi>");
    }

    #[test]
    fn a_huge_text_is_cut_and_says_so() {
        let text = "é".repeat(WHOLE + 7);
        let shown = Text::new(Tongue::unknown(), &text).to_string();
        assert!(shown.contains("7 more characters") && shown.len() < 2 * WHOLE + 200);
        assert!(difference(Tongue::unknown(), &text, "b").to_string().contains("7 more characters"));
        assert!(short_difference(Tongue::unknown(), &text, "b").to_string().len() < 3 * SHORT);
    }

    #[test]
    fn titles_hold_nothing_that_turns_text() {
        assert_eq!(plain("a\u{202e}b\nc <d>"), "aU+202Eb␊c <d>");
    }

    #[test]
    fn codes_become_tags_where_they_can() {
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
