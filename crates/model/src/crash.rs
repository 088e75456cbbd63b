//! A panic is a fault of this program. It is an error of the one thing that was worked on, and others go on.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// The message of a panic.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("an internal error occurred: {0}. Please report it")]
pub struct Crash(pub String);

impl From<Box<dyn Any + Send>> for Crash {
    fn from(panic: Box<dyn Any + Send>) -> Self {
        let text = panic.downcast_ref::<&str>().copied();
        let text = text.or_else(|| panic.downcast_ref::<String>().map(String::as_str));
        Self(text.unwrap_or("no message").to_owned())
    }
}

/// Runs work and returns a panic as an error. What the work changes may then be inconsistent: discard it.
///
/// # Errors
/// If the work panics.
pub fn catch_crash<T>(work: impl FnOnce() -> T) -> Result<T, Crash> {
    catch_unwind(AssertUnwindSafe(work)).map_err(Crash::from)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_is_an_error_with_its_message() {
        assert_eq!(catch_crash(|| 1), Ok(1));
        let crash = catch_crash(|| panic!("of {}", "a rule"));
        let crash: Result<(), _> = crash;
        let text = "an internal error occurred: of a rule. Please report it";
        assert_eq!(crash.unwrap_err().to_string(), text);
    }
}
