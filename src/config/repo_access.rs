//! Rules for [`RepoAccess`] beyond the types of its settings.

use std::path::{Path, PathBuf};

use super::RepoAccess;

impl RepoAccess {
    /// Makes relative paths start at a folder.
    pub(super) fn in_folder(self, folder: &Path) -> Self {
        let absolute = |path: Option<PathBuf>| path.map(|path| folder.join(path));
        Self {
            token_file: absolute(self.token_file),
            ssh_key: absolute(self.ssh_key),
            known_hosts: absolute(self.known_hosts),
            ca_file: absolute(self.ca_file),
            ..self
        }
    }

    /// The first invalid key and the problem, in one sentence.
    pub(super) fn problem(&self) -> Option<(&'static str, &'static str)> {
        let texts = [
            ("token_env", &self.token_env),
            ("username", &self.username),
            ("credential_helper", &self.credential_helper),
        ];
        if let Some((key, _)) = texts.into_iter().find(|(_, text)| text.as_deref() == Some("")) {
            return Some((key, "the value is empty: set it or remove the key"));
        }
        let files = [
            ("token_file", &self.token_file),
            ("ssh_key", &self.ssh_key),
            ("known_hosts", &self.known_hosts),
            ("ca_file", &self.ca_file),
        ];
        if let Some((key, _)) = files.into_iter().find(|(_, path)| path.as_deref() == Some(Path::new(""))) {
            return Some((key, "the path is empty: name a file or remove the key"));
        }
        if self.known_hosts.as_ref().is_some_and(|path| path.to_string_lossy().contains('"')) {
            return Some(("known_hosts", "ssh does not support quotation marks in this path: rename the file"));
        }
        let both = self.token_file.is_some() && self.token_env.is_some();
        both.then_some(("token_env", "token_file and token_env exclude each other: remove one"))
    }
}
