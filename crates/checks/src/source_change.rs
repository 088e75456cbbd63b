//! Classifies changes of a source text (`docs/spec/checks.md#stale-translations`).

use serde::Serialize;

use super::pair::surplus;
use crate::limit::MAX_CHECKED;
use gitglot_model::steps;

/// The weight of a change of a source text for its translations.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum SourceChange {
    /// Only case, whitespace, punctuation, quotes or HTML attributes changed.
    Cosmetic,
    /// A small part of the words changed.
    Minor,
    /// The meaning probably changed.
    Major,
}

impl SourceChange {
    /// All classes, lightest first.
    pub const ALL: [Self; 3] = [Self::Cosmetic, Self::Minor, Self::Major];

    /// Classifies the change between two source texts. Long texts are not compared.
    pub fn between(old: &str, new: &str) -> Self {
        if old.len() + new.len() > MAX_CHECKED {
            return Self::Major;
        }
        Self::of_any(old, new)
    }

    /// Classifies the change between texts of any length.
    fn of_any(old: &str, new: &str) -> Self {
        let (old, new) = (parts(old), parts(new));
        if old.text == new.text {
            return Self::Cosmetic;
        }
        if old.placeholders != new.placeholders || old.negations != new.negations {
            return Self::Major;
        }
        let total = old.words.len().max(new.words.len());
        let removed = surplus_words(&old.words, &new.words);
        let added = surplus_words(&new.words, &old.words);
        let changed = removed.len().max(added.len());
        if changed * 3 <= total || is_respelled(&removed, &added) {
            Self::Minor
        } else {
            Self::Major
        }
    }

    /// Returns the id: `cosmetic`, `minor` or `major`.
    pub const fn id(self) -> &'static str {
        match self {
            Self::Cosmetic => "cosmetic",
            Self::Minor => "minor",
            Self::Major => "major",
        }
    }

    /// Returns the class with this id.
    pub fn from_id(id: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|class| class.id() == id)
    }
}

/// The parts of a text that a translation depends on.
#[derive(Default)]
struct RelevantParts {
    /// Words and placeholders in order, without separators.
    text: String,
    words: Vec<String>,
    /// Placeholders and tags without attributes, sorted.
    placeholders: Vec<String>,
    /// The number of words that negate.
    negations: usize,
}

fn parts(text: &str) -> RelevantParts {
    let mut parts = RelevantParts::default();
    let mut rest = text;
    while let Some(char) = rest.chars().next() {
        let length = placeholder(rest);
        if length > 0 {
            let (written, after) = rest.split_at_checked(length).unwrap_or((rest, ""));
            let placeholder = without_attributes(written).to_lowercase();
            parts.text.push('\0');
            parts.text.push_str(&placeholder);
            parts.placeholders.push(placeholder);
            rest = after;
        } else if char.is_alphanumeric() {
            let word = word(rest);
            let lower = word.to_lowercase();
            let is_plain = |char: &char| char.is_alphanumeric() || matches!(char, '.' | ',');
            let plain: String = lower.chars().filter(is_plain).collect();
            parts.negations += usize::from(is_negation(&lower));
            parts.text.push_str(&plain);
            parts.words.push(plain);
            rest = &rest[word.len()..];
        } else {
            // Symbols such as emoji count, punctuation does not.
            if !is_separator(char) {
                parts.text.push(char);
                parts.words.push(char.to_string());
            }
            rest = &rest[char.len_utf8()..];
        }
    }
    parts.placeholders.sort_unstable();
    parts
}

/// Returns the word at the start of a text. An apostrophe between letters and a separator between digits belong to it;
/// every ideograph is a word of its own.
fn word(text: &str) -> &str {
    let mut end = 0;
    let mut chars = text.char_indices().peekable();
    let mut previous = ' ';
    while let Some((at, char)) = chars.next() {
        let next = chars.peek().map_or(' ', |&(_, next)| next);
        let inside = match char {
            '\'' | '’' => previous.is_alphabetic() && next.is_alphabetic(),
            '.' | ',' => previous.is_ascii_digit() && next.is_ascii_digit(),
            _ => char.is_alphanumeric(),
        };
        if !inside || (is_ideograph(char) && at > 0) {
            break;
        }
        end = at + char.len_utf8();
        if is_ideograph(char) {
            break;
        }
        previous = char;
    }
    &text[..end]
}

fn is_ideograph(char: char) -> bool {
    matches!(char, '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{3ffff}')
}

fn is_separator(char: char) -> bool {
    char.is_whitespace()
        || char.is_control()
        || (char.is_ascii_punctuation()
            && !matches!(char, '%' | '$' | '#' | '@' | '&' | '+' | '=' | '<' | '>'))
        || matches!(char, '\u{2010}'..='\u{205e}' | '\u{3000}'..='\u{303f}' | '\u{ff00}'..='\u{ff0f}' | '\u{ff1a}'..='\u{ff20}')
        || matches!(
            char,
            '«' | '»' | '¡' | '¿' | '·' | '´' | '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{feff}'
        )
}

/// Returns the length of the placeholder or tag at the start of a text; 0 if there is none.
fn placeholder(text: &str) -> usize {
    let until = |open: &str, close: char| {
        let inside = text.strip_prefix(open)?;
        // A limit, because a text may open many placeholders and close none.
        let mut near = inside.char_indices().take_while(|&(at, _)| at < 200);
        let found = near.find(|&(_, char)| char == close || char == '\n');
        steps::count(found.map_or(inside.len().min(200), |(end, _)| end));
        let (end, found) = found?;
        (found == close).then_some(open.len() + end + close.len_utf8())
    };
    let found = match text.as_bytes() {
        [b'{', b'{', ..] => until("{{", '}').map(|end| {
            end + usize::from(text.get(end..).is_some_and(|rest| rest.starts_with('}')))
        }),
        [b'{', ..] => until("{", '}'),
        [b'$', b'{', ..] => until("${", '}'),
        [b'<', next, ..] if next.is_ascii_alphanumeric() || *next == b'/' => until("<", '>'),
        [b'%', b'(', ..] => until("%(", ')').map(|end| end + 1),
        [b'%', b'{', ..] => until("%{", '}'),
        [b'%', after @ ..] => {
            let is_width = |byte: &&u8| byte.is_ascii_digit() || b"$.-".contains(byte);
            let width = after.iter().take_while(is_width).count();
            let conversion = after.get(width).filter(|byte| b"sdiuf@".contains(byte));
            conversion.map(|_| 1 + width + 1)
        }
        _ => None,
    };
    found.unwrap_or(0).min(text.len())
}

/// Removes the attributes of a tag.
fn without_attributes(written: &str) -> &str {
    if !written.starts_with('<') {
        return written;
    }
    let name = written
        .split(|char: char| char.is_whitespace() || char == '>')
        .next();
    name.unwrap_or(written).trim_end_matches('/')
}

fn is_negation(word: &str) -> bool {
    matches!(word, "no" | "not" | "never" | "none" | "cannot" | "without")
        || word.ends_with("n't")
        || word.ends_with("n’t")
}

/// Returns the words that only the first text has, sorted. Repetitions count.
fn surplus_words<'a>(these: &'a [String], those: &'a [String]) -> Vec<&'a String> {
    let mut words = surplus(these, those, String::as_str);
    words.sort_unstable();
    words
}

/// Whether all changed words differ only in their spelling.
fn is_respelled(removed: &[&String], added: &[&String]) -> bool {
    removed.len() == added.len()
        && removed.len() <= 8
        && removed.iter().zip(added).all(|(one, other)| {
            let length = one.chars().count().max(other.chars().count());
            (4..=64).contains(&length) && strsim::levenshtein(one, other) <= (length / 5).max(1)
        })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn placeholders_that_never_end_take_linear_time() {
        let work = |length: usize| {
            let old = "<a{x${y%(z".repeat(length / 10);
            let new = format!("{old} b");
            steps::of(|| assert_eq!(SourceChange::of_any(&old, &new), SourceChange::Minor))
        };
        let (short, long) = (work(2_000), work(8_000));
        assert!(short > 2_000 && long < 5 * short, "{short} and {long}");
        let long = |word: &str| format!("{word} {}", "x".repeat(MAX_CHECKED / 2));
        assert_eq!(
            SourceChange::between(&long("One"), &long("one")),
            SourceChange::Major,
            "long texts are not compared"
        );
    }

    #[test]
    fn changes_without_new_words_are_cosmetic() {
        for (old, new) in [
            ("Delete file", "Delete file."),
            ("Delete File", "delete file"),
            ("a  b", "a b\n"),
            ("Write \"hi\"", "Write “hi”"),
            ("It's", "It’s"),
            ("<a href=\"x\">y</a>", "<a class='z' href=\"q\">y</a>"),
            ("log-in", "log in"),
            ("Wait...", "Wait…"),
            ("{name}: {count}", "{name} – {count}"),
        ] {
            assert_eq!(
                SourceChange::between(old, new),
                SourceChange::Cosmetic,
                "{old} → {new}"
            );
        }
    }

    #[test]
    fn a_few_changed_words_are_minor() {
        for (old, new) in [
            (
                "The file was deleted",
                "The file has been deleted from disk, permanently and completely now, ok",
            ),
            ("Delete {name}", "Delete it {name}"),
        ] {
            assert_ne!(
                SourceChange::between(old, new),
                SourceChange::Cosmetic,
                "{old} → {new}"
            );
        }
        for (old, new) in [
            ("Choose your colour", "Choose your color"),
            ("Colour", "Color"),
            ("Open the file in the editor", "Open a file in the editor"),
            (
                "Upload files to the server",
                "Upload your files to the server",
            ),
        ] {
            assert_eq!(
                SourceChange::between(old, new),
                SourceChange::Minor,
                "{old} → {new}"
            );
        }
    }

    #[test]
    fn other_words_placeholders_and_negations_are_major() {
        for (old, new) in [
            ("Delete", "Remove"),
            ("Delete {name}", "Delete {title}"),
            (
                "You can delete this file now",
                "You can not delete this file now",
            ),
            ("<b>x</b>", "<i>x</i>"),
            ("%d files", "%s files"),
            ("", "x"),
            ("1.5 GB", "15 GB"),
            ("Enable", "Disable"),
        ] {
            assert_eq!(
                SourceChange::between(old, new),
                SourceChange::Major,
                "{old} → {new}"
            );
        }
    }

    #[test]
    fn ideographs_are_words() {
        assert_eq!(
            SourceChange::between("删除这个文件", "删除该文件"),
            SourceChange::Minor
        );
        assert_eq!(SourceChange::between("删除", "添加"), SourceChange::Major);
    }

    proptest! {
        #[test]
        fn any_texts_have_a_class(old in ".{0,60}", new in ".{0,60}") {
            SourceChange::between(&old, &new);
            prop_assert_eq!(SourceChange::between(&old, &old), SourceChange::Cosmetic);
        }
    }
}
