//! HTML that a sanitizer would change (`docs/spec/checks.md#safe-html`).

use super::super::finding::Problem;
use super::super::unit::Pair;

/// Compares the HTML of a pair.
pub(in super::super) fn check(_pair: &Pair, _auto: bool, _markdown: bool) -> Option<Problem> {
    None
}
