//! Lists in sentences.

/// The first of a list, and how many more it has: `a, b and 3 more`.
pub(super) fn listed(all: impl ExactSizeIterator<Item = impl ToString>, most: usize) -> String {
    let more = all.len().saturating_sub(most);
    let first = all.take(most).map(|item| item.to_string());
    let first = first.collect::<Vec<_>>().join(", ");
    match more {
        0 => first,
        more => format!("{first} and {more} more"),
    }
}
