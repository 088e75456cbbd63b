//! Reads configuration files, up to a limit.

use std::fs::File;
use std::io::{self, ErrorKind, Read};
use std::path::Path;

/// The maximum size of a configuration or token file in bytes.
const MAX_BYTES: u64 = 8 << 20;

/// Reads a configuration or token file.
///
/// # Errors
/// If it cannot be read, is not UTF-8 or is larger than 8 MB.
pub fn read_text_file(path: &Path) -> io::Result<String> {
    read_text(File::open(path)?)
}

/// Reads the text of a configuration file.
///
/// # Errors
/// As for [`read_text_file`].
pub fn read_text(file: impl Read) -> io::Result<String> {
    let mut text = String::new();
    // Devices and pipes have no size, so the read is limited, too.
    let read = file.take(MAX_BYTES + 1).read_to_string(&mut text);
    if text.len() as u64 > MAX_BYTES || read.as_ref().is_ok_and(|read| *read as u64 > MAX_BYTES) {
        return Err(io::Error::new(
            ErrorKind::FileTooLarge,
            "it is larger than 8 MB",
        ));
    }
    read.map(|_| text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_read_up_to_the_limit() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("gitglot.toml");
        let largest = "#".repeat(MAX_BYTES as usize);
        std::fs::write(&path, &largest).unwrap();
        assert!(read_text_file(&path).unwrap() == largest);
        std::fs::write(&path, largest + "#").unwrap();
        let error = read_text_file(&path).unwrap_err();
        assert_eq!(error.to_string(), "it is larger than 8 MB");
        std::fs::write(&path, b"\xff").unwrap();
        assert_eq!(
            read_text_file(&path).unwrap_err().kind(),
            ErrorKind::InvalidData
        );
    }

    #[cfg(unix)]
    #[test]
    fn an_endless_file_is_not_read_to_its_end() {
        let error = read_text_file(Path::new("/dev/zero")).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::FileTooLarge);
    }
}
