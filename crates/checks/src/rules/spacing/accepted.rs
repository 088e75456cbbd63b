//! Spaces and line breaks.

use crate::finding::PartialFinding;
use crate::input::FormPair;
use crate::languages;
use gitglot_model::steps;

/// Whether another number of line breaks does not matter: texts are wrapped differently, but a text of one line stays
/// on one line, and a long list keeps its lines.
pub(crate) fn accepts_line_breaks(pair: &FormPair) -> bool {
    let (wanted, found) = (lines(pair.source), lines(pair.target));
    match wanted {
        0 | 1 => found <= wanted.max(1) || pair.source.chars().nth(MAX_SHORT).is_some(),
        2 | 3 => true,
        _ => found * 2 > wanted,
    }
}

/// The most characters of a text that is shown on one line.
const MAX_SHORT: usize = 40;

/// Whether the template writes the line break at the end as `\\n`.
pub(crate) fn accepts_escaped(pair: &FormPair) -> bool {
    let without = |text: &str| text.trim_end().trim_end_matches("\\n").contains('\\');
    !without(pair.source) && !without(pair.target)
}

/// Whether a missing line break at the start does not matter: before a paragraph of several.
pub(crate) fn accepts_start(pair: &FormPair) -> bool {
    pair.source.starts_with('\n') && lines(pair.source) > 2
}

/// The lines with a text.
fn lines(text: &str) -> usize {
    steps::count(text.len());
    text.lines().filter(|line| !line.trim().is_empty()).count()
}

/// Whether the spaces at an end of the translation do not matter: the source has more of them, and ends with a sentence
/// or the language has no spaces.
pub(crate) fn accepts_ends(pair: &FormPair, language: &str) -> bool {
    let (source, target) = (pair.source, pair.target);
    let has_more = |text: &str| {
        let start = text.len() - text.trim_start_matches(' ').len();
        let end = text.len() - text.trim_end_matches(' ').len();
        (start, end)
    };
    let ((start, end), (target_start, target_end)) = (has_more(source), has_more(target));
    // A list is joined with a comma in one language and with a word in the other.
    let is_joint = source.starts_with([',', ';']) && target_start == 1 && target_end == end;
    if (target_start > start || target_end > end) && !is_joint {
        return false;
    }
    is_joint
        || languages::has_no_spaces(language)
        || source.trim_end().ends_with(['.', '!', '?', '>'])
}

/// Whether the text after a mark begins with a value, as in `when: 0`.
fn is_code(after: &str) -> bool {
    let word = after.trim_start().split(char::is_whitespace).next();
    word.is_some_and(|word| {
        let word = word.trim_end_matches([',', '.', ')']);
        matches!(word, "true" | "false") || word.bytes().any(|byte| byte.is_ascii_digit())
    })
}

/// Whether a double punctuation mark without a space before it is none: in an untranslated text, before a brace
/// (`{m}:{ss}`), in an emoji (`:smile:`) or behind an apostrophe or a quotation mark that encloses a name.
pub(crate) fn accepts_mark(pair: &FormPair, finding: &PartialFinding) -> bool {
    if pair.source == pair.target {
        return true;
    }
    let Some(at) = finding.spans.first().map(|span| span.range.start) else {
        return false;
    };
    let (before, rest) = pair.target.split_at_checked(at).unwrap_or_default();
    let after = rest.get(1..).unwrap_or_default();
    if after.starts_with(['{', '%', '$']) || !before.contains(char::is_alphanumeric) {
        return true;
    }
    // Inside of a placeholder, or a piece of code that the source has, too.
    let opened = before.matches('{').count() > before.matches('}').count();
    let mut words = before.rsplit(char::is_whitespace);
    let last = words.next().unwrap_or_default();
    let mark = rest.get(..1).unwrap_or_default();
    if opened || (last.len() > 1 && pair.source.contains(&[last, mark].concat()) && is_code(after))
    {
        return true;
    }
    let is_name = |char: char| char.is_ascii_alphanumeric() || matches!(char, '_' | '-' | '+');
    let start = before.trim_end_matches(is_name);
    rest.starts_with(':') && start.ends_with(':') && start.len() < before.len()
}
