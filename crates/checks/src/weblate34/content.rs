//! Checks of the whole text: escaped newlines, zero-width spaces, markup.
//!
//! Rules: `docs/spec/checks.md#escaped-newlines` and the sections after it.

use memchr::memchr3_iter;

use crate::input::FormPair;
use crate::language_rules::{LanguageGroup, LanguageRules};
use crate::registry::{CheckId, CheckIds};
use crate::rules::bbcode;
use crate::xml;

/// Checks the content of a pair.
pub(super) fn check(
    FormPair { source, target, .. }: &FormPair,
    rules: LanguageRules,
    failing: &mut CheckIds,
) {
    // One scan finds the checks that apply. Most units need none.
    let mut backslash = target.contains('\\');
    let (mut bracket, mut angle) = (false, false);
    for at in memchr3_iter(b'\\', b'[', b'<', source.as_bytes()) {
        match source.as_bytes().get(at) {
            Some(b'\\') => backslash = true,
            Some(b'[') => bracket = true,
            _ => angle = true,
        }
    }
    if backslash && !source.is_empty() && !target.is_empty() {
        let count = |text: &str| text.matches("\\n").count();
        failing.set(CheckId::EscapedNewline, count(source) != count(target));
    }
    if bracket {
        failing.set(CheckId::Bbcode, bbcode::differ(source, target));
    }
    if angle {
        xml::check(source, target, failing);
    }
    if rules.group != LanguageGroup::Khmer && !(source.is_ascii() && target.is_ascii()) {
        let has = |text: &str| text.contains('\u{200b}');
        failing.set(CheckId::ZeroWidthSpace, has(source) != has(target));
    }
}
