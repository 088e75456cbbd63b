//! Named pipes.

use std::path::Path;

/// Makes a FIFO with the program `mkfifo`.
///
/// # Panics
/// When the system has no such program.
pub fn make_pipe(path: &Path) {
    let made = std::process::Command::new("mkfifo").arg(path).status();
    assert!(made.is_ok_and(|status| status.success()));
}
