//! Opens files only if they are regular: opening a FIFO waits for its other end, and a device never ends.

use std::fs::{File, OpenOptions};
use std::io::{self, ErrorKind, Read};
use std::path::Path;

/// Opens a file without waiting, and refuses anything but a regular file.
///
/// # Errors
/// When it cannot be opened; [`ErrorKind::InvalidInput`] if it is not a regular file.
pub fn open_regular(options: &mut OpenOptions, path: &Path) -> io::Result<File> {
    let not_regular = || io::Error::new(ErrorKind::InvalidInput, "it is not a regular file");
    let file = match without_waiting(options).open(path) {
        // A socket, or a FIFO that nobody reads.
        Err(error) if is_no_file(&error) => return Err(not_regular()),
        opened => opened?,
    };
    match file.metadata()?.file_type() {
        kind if kind.is_file() => Ok(file),
        kind if kind.is_dir() => Err(ErrorKind::IsADirectory.into()),
        _ => Err(not_regular()),
    }
}

/// Reads a regular file of at most `max` bytes.
///
/// # Errors
/// As [`open_regular`], and [`ErrorKind::FileTooLarge`] if it is larger.
pub fn read_regular(path: &Path, max: u64) -> io::Result<Vec<u8>> {
    let file = open_regular(OpenOptions::new().read(true), path)?;
    let mut content = Vec::new();
    // It may grow meanwhile.
    if file.metadata()?.len() <= max {
        file.take(max.saturating_add(1)).read_to_end(&mut content)?;
        if content.len() as u64 <= max {
            return Ok(content);
        }
    }
    let reason = format!("it is larger than {max} bytes");
    Err(io::Error::new(ErrorKind::FileTooLarge, reason))
}

#[cfg(unix)]
fn without_waiting(options: &mut OpenOptions) -> &mut OpenOptions {
    use std::os::unix::fs::OpenOptionsExt;
    options.custom_flags(rustix::fs::OFlags::NONBLOCK.bits().cast_signed())
}

#[cfg(not(unix))]
fn without_waiting(options: &mut OpenOptions) -> &mut OpenOptions {
    options
}

#[cfg(unix)]
fn is_no_file(error: &io::Error) -> bool {
    error.raw_os_error() == Some(rustix::io::Errno::NXIO.raw_os_error())
}

#[cfg(not(unix))]
fn is_no_file(_error: &io::Error) -> bool {
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_read_up_to_the_limit() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("object");
        std::fs::write(&path, b"five!").unwrap();
        assert_eq!(read_regular(&path, 5).unwrap(), b"five!");
        let error = read_regular(&path, 4).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::FileTooLarge);
        let missing = read_regular(&folder.path().join("missing"), 4).unwrap_err();
        assert_eq!(missing.kind(), ErrorKind::NotFound);
    }
}
