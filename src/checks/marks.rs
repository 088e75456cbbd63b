//! What stands inside the texts: escaped line breaks, zero-width spaces, markup (`checks.md` 3 and 5).

use memchr::memchr3_iter;

use super::manner::Manner;
use super::pair::Pair;
use super::{CheckId, Failing, bbcode, xml};

/// Checks the inside of a pair.
pub(super) fn check(Pair { source, target, .. }: &Pair, manner: Manner, failing: &mut Failing) {
    // One look tells which checks have anything to do; most units end here.
    let (mut backslash, mut bracket, mut angle) = (memchr::memchr(b'\\', target.as_bytes()).is_some(), false, false);
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
    if manner != Manner::Khmer && !(source.is_ascii() && target.is_ascii()) {
        let has = |text: &str| text.contains('\u{200b}');
        failing.set(CheckId::ZeroWidthSpace, has(source) != has(target));
    }
}
