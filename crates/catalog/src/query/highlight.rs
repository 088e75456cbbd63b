//! Finds the parts of a text that a query asks for, for pages that mark them.

use std::ops::Range;

use super::case_folding::CaseFolding;
use super::plan::Filter;
use super::syntax::{Match, TextScope};
use gitglot_model::PLURAL_SEPARATOR;

/// A text of a unit that a page shows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ShownText {
    /// The key.
    Key,
    /// The source text.
    Source,
    /// The translation.
    Target,
}

impl Filter {
    /// The parts of a text that the query asks for, in order and without overlap. The time grows with the length of the
    /// text and the number of words.
    pub fn highlights(&self, shown: ShownText, text: &str) -> Vec<Range<usize>> {
        let own = match shown {
            ShownText::Key => TextScope::Key,
            ShownText::Source => TextScope::Source,
            ShownText::Target => TextScope::Target,
        };
        let is_own = |scope: TextScope| scope == own || scope == TextScope::Anywhere;
        let mut parts: Vec<Range<usize>> = Vec::new();
        let mut folded = None;
        for (_, wanted) in self.wanted.iter().filter(|(scope, _)| is_own(*scope)) {
            match wanted {
                Match::Whole(whole) if whole == text => parts.push(0..text.len()),
                Match::Whole(_) => {}
                Match::Form(form) => {
                    parts.extend(forms(text).filter(|at| text[at.clone()] == **form))
                }
                Match::Contains(word) if word.is_empty() => {}
                Match::Contains(word) => {
                    let folded = folded.get_or_insert_with(|| Folded::of(text));
                    folded.find(word, &mut parts);
                }
                Match::Pattern(pattern) => parts.extend(pattern.parts(text)),
            }
        }
        parts.retain(|part| !part.is_empty());
        parts.sort_unstable_by_key(|part| part.start);
        parts.dedup_by(|next, last| {
            let is_joined = next.start <= last.end;
            if is_joined {
                last.end = last.end.max(next.end);
            }
            is_joined
        });
        parts
    }
}

/// Where the plural forms of a text are.
fn forms(text: &str) -> impl Iterator<Item = Range<usize>> {
    let mut start = 0;
    text.split(PLURAL_SEPARATOR).map(move |form| {
        let at = start..start + form.len();
        start = at.end + PLURAL_SEPARATOR.len();
        at
    })
}

/// A text without the differences of letter case.
struct Folded {
    text: String,
    /// For each byte of it, and its end, where its character begins in the original.
    origins: Vec<usize>,
}

impl Folded {
    fn of(original: &str) -> Self {
        let (mut text, mut origins) = (String::new(), Vec::new());
        for (at, c) in original.char_indices() {
            text.push(CaseFolding::get().fold(c));
            origins.resize(text.len(), at);
        }
        origins.push(original.len());
        Self { text, origins }
    }

    fn find(&self, word: &str, parts: &mut Vec<Range<usize>>) {
        let mut folded = String::new();
        CaseFolding::get().fold_into(word, &mut folded);
        let found = self.text.match_indices(&*folded);
        parts.extend(found.map(|(at, found)| self.origins[at]..self.origins[at + found.len()]));
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Dialect, parse};
    use super::*;
    use gitglot_model::Timestamp;

    fn marked(query: &str, shown: ShownText, text: &str) -> String {
        let filter = parse(query, Dialect::Weblate34, Timestamp(0)).unwrap();
        let mut out = text.to_owned();
        for part in filter.highlights(shown, text).into_iter().rev() {
            out.insert(part.end, ']');
            out.insert(part.start, '[');
        }
        out
    }

    #[test]
    fn words_of_a_query_are_found_in_any_case() {
        use ShownText::{Key, Source, Target};
        for (query, shown, text, expected) in [
            ("open", Source, "Open and reopen", "[Open] and re[open]"),
            ("ÄPFEL", Target, "äpfel, Äpfel", "[äpfel], [Äpfel]"),
            ("\u{212a}elvin", Target, "kelvin", "[kelvin]"),
            ("pen OR open", Source, "Open", "[Open]"),
            ("key:menu", Key, "menu.open", "[menu].open"),
            ("key:menu", Source, "menu", "menu"),
            ("NOT open", Source, "Open", "Open"),
            ("source:=Open", Source, "Open", "[Open]"),
            (
                "source:=bed",
                Source,
                "bed\u{1e}\u{1e}beds",
                "[bed]\u{1e}\u{1e}beds",
            ),
            ("source:r\"^O.\"", Source, "Open", "[Op]en"),
            ("state:stale", Source, "stale", "stale"),
        ] {
            assert_eq!(marked(query, shown, text), expected, "{query}");
        }
    }
}
