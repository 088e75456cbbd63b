//! Line breaks and spaces at both ends (`docs/spec/checks.md#newlines-and-spaces`).

use crate::input::FormPair;
use crate::language_rules::{LanguageGroup, LanguageRules};
use crate::pair::at_most;
use crate::registry::{CheckId, CheckIds};

/// Checks both ends of a pair.
pub(crate) fn check(pair: &FormPair, rules: LanguageRules, failing: &mut CheckIds) {
    if let (Some(first), Some(last)) = (pair.first(), pair.last()) {
        failing.set(
            CheckId::BeginNewline,
            (first.0 == '\n') != (first.1 == '\n'),
        );
        failing.set(CheckId::EndNewline, (last.0 == '\n') != (last.1 == '\n'));
    }
    failing.set(CheckId::BeginSpace, begin_space(pair));
    failing.set(CheckId::EndSpace, end_space(pair, rules));
}

fn begin_space(FormPair { source, target, .. }: &FormPair) -> bool {
    let differs = leading(source.bytes()) != leading(target.bytes());
    differs && !is_blank(target) && !is_tiny(source, target)
}

fn end_space(FormPair { source, target, .. }: &FormPair, rules: LanguageRules) -> bool {
    let differs = leading(source.bytes().rev()) != leading(target.bytes().rev());
    if !differs || source.is_empty() || is_blank(target) || is_tiny(source, target) {
        return false;
    }
    // French allows a space after the mark.
    !(rules.group == LanguageGroup::French
        && source.ends_with([':', '!', '?'])
        && target.ends_with(' '))
}

fn leading(bytes: impl Iterator<Item = u8>) -> usize {
    bytes.take_while(|&byte| byte == b' ').count()
}

fn is_blank(text: &str) -> bool {
    text.bytes().all(|byte| byte == b' ')
}

fn is_tiny(source: &str, target: &str) -> bool {
    at_most(source, 1) && at_most(target, 1)
}
