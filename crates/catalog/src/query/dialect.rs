//! The meanings that a query can have. Must not depend on other modules.

/// Which meaning the terms of a query have (docs/spec/query.md). The syntax is the same.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Dialect {
    /// That of pages and of the API of Weblate 3.4: with the fields and values that only gitglot has.
    Weblate34,
    /// That of current Weblate.
    Current,
}
