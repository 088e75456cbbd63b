//! reStructuredText (`docs/spec/checks.md#restructuredtext`).

use std::collections::HashSet;

use crate::marks::{NextMark, RunEnd};
use crate::pair::{bounded, char_before, find_from, run};

use crate::finding::PartialFinding;
use crate::input::FormPair;

rule! {
    /// A lost or translated reference of reStructuredText has no target.
    RST_REFERENCES: "rst-references" "reStructuredText references" "The references differ from the source." Warning;
    fails "flags:rst-text" "de" "See :ref:`intro`" "Siehe hier";
    passes "flags:rst-text" "de" "See :ref:`intro`" "Siehe :ref:`intro`";
}

rule! {
    /// Inline markup without an end, or a role that the source does not have, is an error of docutils.
    RST_SYNTAX: "rst-syntax" "reStructuredText syntax" "The reStructuredText markup is invalid." Warning;
    fails "flags:rst-text" "de" "A **bold** word" "Ein **fettes Wort";
    passes "flags:rst-text" "de" "A **bold** word" "Ein **fettes** Wort";
}

/// The maximum length of inline markup in bytes.
const MAX_LENGTH: usize = 2048;

/// Inline markup of a text.
#[derive(Default, Debug)]
struct Inline {
    /// Roles with targets, substitutions, footnotes and plain URLs, each as written or without its title.
    references: Vec<String>,
    /// The names of the roles.
    roles: Vec<String>,
    /// The first start of inline markup without an end.
    unclosed: Option<usize>,
}

/// Roles whose content is prose.
const TEXT_ROLES: &str =
    "guilabel menuselection kbd strong emphasis sub sup subscript superscript abbr index dfn samp";

/// Compares roles with their targets, substitutions and footnotes.
pub(crate) fn references(pair: &FormPair) -> Option<PartialFinding> {
    let (wanted, found) = (Inline::parse(pair.source), Inline::parse(pair.target));
    PartialFinding::of_names("references", pair, &wanted.references, &found.references)
}

/// Checks the inline markup of the translation.
pub(crate) fn syntax(pair: &FormPair) -> Option<PartialFinding> {
    let source = Inline::parse(pair.source);
    if source.unclosed.is_some() {
        return None;
    }
    let target = Inline::parse(pair.target);
    if let Some(at) = target.unclosed {
        let message = "The translation has inline markup without an end.";
        return Some(PartialFinding::in_target(pair, message, at..at + 1));
    }
    let known: HashSet<&String> = source.roles.iter().collect();
    let unknown = target.roles.iter().find(|role| !known.contains(role))?;
    Some(PartialFinding::new(format!(
        "The translation uses the role '{unknown}', which the source does not have."
    )))
}

/// The marks of inline markup. Longer ones come first.
const MARKS: [&str; 5] = ["``", "**", "`", "*", "|"];

/// A text, and the marks that end its inline markup.
struct RstText<'a> {
    text: &'a str,
    spans: [NextMark<'a>; MARKS.len()],
    /// The end of the name of a role.
    role_start: NextMark<'a>,
    role_end: NextMark<'a>,
    role_name: RunEnd<'a>,
}

impl<'a> RstText<'a> {
    fn new(text: &'a str) -> Self {
        Self {
            text,
            spans: MARKS.map(|mark| NextMark::new(text, mark)),
            role_start: NextMark::new(text, ":`"),
            role_end: NextMark::new(text, "`"),
            role_name: RunEnd::new(text, |char| {
                char.is_alphanumeric() || "-_.:+".contains(char)
            }),
        }
    }

    /// The role at the position of a colon: its name, its content and its end.
    fn role(&self, at: usize) -> Option<(&'a str, &'a str, usize)> {
        let start = self.role_start.at_or_after(at + 1)?;
        (start > at + 1 && start <= self.role_name.of(at + 1)).then_some(())?;
        let end = self.role_end.at_or_after(start + 2)?;
        (end - at < MAX_LENGTH).then_some(())?;
        let content = self.text.get(start + 2..end)?;
        Some((self.text.get(at + 1..start)?, content, end + 1))
    }
}

impl Inline {
    fn parse(text: &str) -> Self {
        let mut inline = Self::default();
        let input = RstText::new(text);
        let mut at = 0;
        while let Some(next) = find_from(text, at, &['`', '*', '|', '[', ':', 'h']) {
            let begins = char_before(text, next).is_none_or(|char| !char.is_alphanumeric());
            at = next + if begins { inline.read(&input, next) } else { 1 };
        }
        inline.references.sort_unstable();
        inline
    }

    /// Reads the inline markup at a position. Returns its length in bytes.
    fn read(&mut self, input: &RstText<'_>, at: usize) -> usize {
        let text = bounded(&input.text[at..], MAX_LENGTH);
        if text.starts_with(':') {
            let Some((name, content, end)) = input.role(at) else {
                return 1;
            };
            self.role(name, content);
            return end - at;
        }
        if text.starts_with("http") {
            return self.url(text);
        }
        for (mark, next) in MARKS.into_iter().zip(&input.spans) {
            if let Some(inside) = text.strip_prefix(mark) {
                let start = at + mark.len();
                let end = next.at_or_after(start).map(|end| end - start);
                let end = end.filter(|end| end + mark.len() <= inside.len());
                return self.span(mark, inside, end, at);
            }
        }
        // A footnote: [1]_
        let Some(inside) = text.strip_prefix('[') else {
            return 1;
        };
        let end = 1 + run(inside, |char| !" []".contains(char));
        if text.get(end..).is_some_and(|rest| rest.starts_with("]_")) {
            let footnote = &text[..end + 2];
            self.references.push(footnote.to_owned());
            end + 2
        } else {
            1
        }
    }

    /// Reads a span with a mark whose end is at an offset in the text after the mark.
    fn span(&mut self, mark: &str, inside: &str, end: Option<usize>, at: usize) -> usize {
        let starts = inside.starts_with(|char: char| !char.is_whitespace());
        match end.filter(|&end| end > 0) {
            Some(end) if starts => {
                if mark == "|" {
                    self.references.push(format!("|{}|", &inside[..end]));
                }
                mark.len() + end + mark.len()
            }
            _ => {
                if mark != "|" && (starts || (inside.is_empty() && mark.starts_with('`'))) {
                    self.unclosed.get_or_insert(at);
                    if starts {
                        self.references.push(format!("{mark}…"));
                    }
                }
                mark.len()
            }
        }
    }

    /// Adds ``:role:`title <target>` ``.
    fn role(&mut self, name: &str, content: &str) {
        let target = content
            .strip_suffix('>')
            .and_then(|content| content.rsplit_once('<'))
            .map_or(content, |(_, target)| target);
        self.roles.push(name.to_owned());
        let is_text = TEXT_ROLES.split(' ').any(|role| role == name);
        self.references.push(if is_text {
            format!(":{name}:")
        } else {
            format!(":{name}:`{target}`")
        });
    }

    fn url(&mut self, text: &str) -> usize {
        if !text.starts_with("http://") && !text.starts_with("https://") {
            return 1;
        }
        let end = run(text, |char| {
            !char.is_whitespace() && !"<>`\"".contains(char)
        });
        self.references.push(
            text[..end]
                .trim_end_matches(['.', ',', ';', ':', '!', '?', ')'])
                .to_owned(),
        );
        end
    }
}
