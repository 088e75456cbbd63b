//! reStructuredText (`docs/spec/checks.md#restructuredtext`).

use rustc_hash::FxHashSet;

use crate::checks::pair::{bounded, run, surplus};

use super::super::finding::{PartialFinding, missing_and_extra};
use super::super::unit::FormPair;

/// The maximum length of inline markup in bytes. It keeps the time linear.
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
pub(in super::super) fn references(pair: &FormPair) -> Option<PartialFinding> {
    let (wanted, found) = (Inline::parse(pair.source), Inline::parse(pair.target));
    let missing = surplus(&wanted.references, &found.references, String::as_str);
    let extra = surplus(&found.references, &wanted.references, String::as_str);
    if missing.is_empty() && extra.is_empty() {
        return None;
    }
    let parts = missing_and_extra("references", &missing, &extra);
    Some(PartialFinding::new(format!(
        "The references differ from the source ({parts})."
    )))
}

/// Checks the inline markup of the translation.
pub(in super::super) fn syntax(pair: &FormPair) -> Option<PartialFinding> {
    let source = Inline::parse(pair.source);
    if source.unclosed.is_some() {
        return None;
    }
    let target = Inline::parse(pair.target);
    if let Some(at) = target.unclosed {
        let message = "The translation has inline markup without an end.";
        return Some(PartialFinding::in_target(pair, message, at..at + 1));
    }
    let known: FxHashSet<&String> = source.roles.iter().collect();
    let unknown = target.roles.iter().find(|role| !known.contains(role))?;
    Some(PartialFinding::new(format!(
        "The translation uses the role '{unknown}', which the source does not have."
    )))
}

impl Inline {
    fn parse(text: &str) -> Self {
        let mut inline = Self::default();
        let mut at = 0;
        while let Some(next) = text
            .get(at..)
            .and_then(|rest| rest.find(['`', '*', '|', '[', ':', 'h']))
            .map(|next| at + next)
        {
            let before = text
                .get(..next)
                .and_then(|before| before.chars().next_back());
            let begins = before.is_none_or(|char| !char.is_alphanumeric());
            let rest = bounded(text.get(next..).unwrap_or_default(), MAX_LENGTH);
            let length = if begins { inline.read(rest, next) } else { 1 };
            at = next + length.max(1);
        }
        inline.references.sort_unstable();
        inline
    }

    /// Reads the inline markup at the start of a text. Returns its length in bytes.
    fn read(&mut self, text: &str, at: usize) -> usize {
        if text.starts_with(':') {
            return self.role(text).unwrap_or(1);
        }
        if text.starts_with("http") {
            return self.url(text);
        }
        for mark in ["``", "**", "`", "*", "|"] {
            if let Some(inside) = text.strip_prefix(mark) {
                return self.span(mark, inside, at);
            }
        }
        // A footnote: [1]_
        if let Some(end) = text
            .find("]_")
            .filter(|&end| !text.get(1..end).unwrap_or(" ").contains([' ', '[', ']']))
        {
            self.references
                .push(text.get(..end + 2).unwrap_or_default().to_owned());
            return end + 2;
        }
        1
    }

    fn span(&mut self, mark: &str, inside: &str, at: usize) -> usize {
        let starts = inside
            .chars()
            .next()
            .is_some_and(|char| !char.is_whitespace());
        match inside.find(mark).filter(|&end| end > 0) {
            Some(end) if starts => {
                if mark == "|" {
                    self.references
                        .push(format!("|{}|", inside.get(..end).unwrap_or_default()));
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

    /// Reads ``:role:`title <target>` ``.
    fn role(&mut self, text: &str) -> Option<usize> {
        let (name, after) = text.strip_prefix(':')?.split_once(":`")?;
        let is_name = !name.is_empty()
            && name
                .chars()
                .all(|char| char.is_alphanumeric() || "-_.:+".contains(char));
        is_name.then_some(())?;
        let end = after.find('`')?;
        let content = after.get(..end)?;
        let target = content
            .strip_suffix('>')
            .and_then(|content| content.rsplit_once('<'))
            .map_or(content, |(_, target)| target);
        self.roles.push(name.to_owned());
        let is_text = TEXT_ROLES.split(' ').any(|role| role == name);
        self.references.push(match is_text {
            true => format!(":{name}:"),
            false => format!(":{name}:`{target}`"),
        });
        Some(1 + name.len() + 2 + end + 1)
    }

    fn url(&mut self, text: &str) -> usize {
        if !text.starts_with("http://") && !text.starts_with("https://") {
            return 1;
        }
        let end = run(text, |char| {
            !char.is_whitespace() && !"<>`\"".contains(char)
        });
        self.references.push(
            text.get(..end)
                .unwrap_or_default()
                .trim_end_matches(['.', ',', ';', ':', '!', '?', ')'])
                .to_owned(),
        );
        end
    }
}
