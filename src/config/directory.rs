//! A directory of configuration files: `gitglot.toml` with the settings, and one file per project
//! (docs/spec/settings.md#directory).

use std::ffi::OsStr;
use std::io;
use std::path::{Path, PathBuf};

use super::ConfigError;
use super::text_file::read_text_file;

/// The file that may contain settings of the server.
const MAIN: &str = "gitglot.toml";

/// A configuration file and its text.
pub type ConfigText = (PathBuf, String);

/// Whether a file of a directory may contain settings of the server.
pub(super) fn may_have_settings(file: &Path) -> bool {
    file.file_name() == Some(OsStr::new(MAIN))
}

/// The files of a configuration: a file, or those of a directory whose names end with `.toml` and do not begin with a
/// dot, by name.
///
/// # Errors
/// If the directory or a file cannot be read.
pub fn config_files(path: &Path) -> Result<Vec<ConfigText>, ConfigError> {
    let files = if path.is_dir() {
        names(path).map_err(ConfigError::unreadable(path))?
    } else {
        vec![path.to_owned()]
    };
    let texts = files.into_iter().map(|file| {
        let text = read_text_file(&file).map_err(ConfigError::unreadable(&file))?;
        Ok((file, text))
    });
    texts.collect()
}

/// The paths whose changes change the configuration.
pub fn watched_paths(path: &Path) -> Vec<PathBuf> {
    if !path.is_dir() {
        return vec![path.to_owned()];
    }
    let files = names(path).unwrap_or_default();
    [path.join(MAIN), path.to_owned()]
        .into_iter()
        .chain(files)
        .collect()
}

fn names(directory: &Path) -> io::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for entry in std::fs::read_dir(directory)? {
        let path = entry?.path();
        let name = path.file_name().unwrap_or_default().as_encoded_bytes();
        if name.ends_with(b".toml") && !name.starts_with(b".") && path.is_file() {
            files.push(path);
        }
    }
    files.sort();
    Ok(files)
}
