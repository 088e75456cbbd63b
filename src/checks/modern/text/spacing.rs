//! Whitespace inside a text (`docs/spec/checks.md#text-checks`).

use super::super::ModernCheck;
use super::super::finding::{PartialFinding, TextSide};
use super::super::unit::FormPair;

/// Checks the whitespace of a pair. `french` selects the rules for spaces before punctuation, `khmer` permits zero-width
/// spaces.
pub(in super::super) fn check(
    pair: &FormPair,
    french: bool,
    khmer: bool,
    mut report: impl FnMut(ModernCheck, PartialFinding),
) {
    let FormPair {
        source,
        target,
        target_form,
        ..
    } = *pair;
    let newlines = |text: &str| memchr::memchr_iter(b'\n', text.as_bytes()).count();
    let (wanted, found) = (newlines(source), newlines(target));
    if wanted != found && !source.is_empty() && !target.is_empty() {
        let message = format!("The translation has {found} line breaks, the source has {wanted}.");
        report(ModernCheck::NewlineCount, PartialFinding::new(message));
    }
    if memchr::memchr2(b'\\', b'\\', source.as_bytes()).is_some() || target.contains('\\') {
        let escaped = |text: &str| text.matches("\\n").count();
        if escaped(source) != escaped(target) && !source.is_empty() && !target.is_empty() {
            report(
                ModernCheck::EscapedNewline,
                PartialFinding::new("The translation has more or fewer \\n than the source."),
            );
        }
    }
    if let Some(at) = double_space(target)
        && double_space(source).is_none()
    {
        let problem = PartialFinding::new("The translation has two spaces in a row.");
        report(
            ModernCheck::DoubleSpace,
            problem.with(TextSide::Target, target_form, at..at + 2),
        );
    }
    if !khmer
        && !target.is_ascii()
        && let Some(at) = target.find('\u{200b}')
        && !source.contains('\u{200b}')
    {
        let problem = PartialFinding::new("The translation has a zero-width space.");
        report(
            ModernCheck::ZeroWidthSpace,
            problem.with(TextSide::Target, target_form, at..at + 3),
        );
    }
    if french && let Some(at) = unspaced_mark(target) {
        let problem = PartialFinding::new(
            "The translation lacks a non-breaking space before a double punctuation mark.",
        );
        report(
            ModernCheck::PunctuationSpacing,
            problem.with(TextSide::Target, target_form, at..at + 1),
        );
    }
}

fn double_space(text: &str) -> Option<usize> {
    memchr::memchr_iter(b' ', text.as_bytes())
        .find(|&at| text.as_bytes().get(at + 1) == Some(&b' '))
}

/// Returns the first double punctuation mark at the end of a word without a space before it.
fn unspaced_mark(text: &str) -> Option<usize> {
    let is_mark = |char: char| matches!(char, ';' | ':' | '?' | '!');
    let mut previous: Option<char> = None;
    let mut chars = text.char_indices().peekable();
    while let Some((at, char)) = chars.next() {
        if is_mark(char) {
            let ends_word = chars.peek().is_none_or(|(_, next)| next.is_whitespace());
            let spaced = previous.is_none_or(|before| before.is_whitespace() || is_mark(before));
            let entity = char == ';' && ends_entity(text.get(..at).unwrap_or_default());
            if ends_word && !spaced && !entity {
                return Some(at);
            }
        }
        previous = Some(char);
    }
    None
}

/// Whether a text ends with `&name` or `&#number`.
fn ends_entity(text: &str) -> bool {
    let name = text.trim_end_matches(|char: char| char.is_ascii_alphanumeric());
    name.len() < text.len() && (name.ends_with('&') || name.ends_with("&#"))
}
