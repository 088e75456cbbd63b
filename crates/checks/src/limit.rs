//! Limits of the work of checks.

/// The most bytes of the texts of a string that are checked, source and translation together
/// (`docs/spec/checks.md#long-texts`).
pub const MAX_CHECKED: usize = 256 << 10;

/// Asks whether work may go on. The argument is the number of bytes that it reads next. After `false`, the result is
/// incomplete and must not be used.
pub type Proceed<'a> = &'a dyn Fn(usize) -> bool;
