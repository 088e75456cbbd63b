//! Rules for [`RepoAccess`] beyond the types of its settings.

use std::path::{Path, PathBuf};

use super::RepoAccess;

impl RepoAccess {
    /// Makes relative paths start at a directory.
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
        let empty_text = |text: &Option<String>| text.as_deref() == Some("");
        let empty_path = |path: &Option<PathBuf>| path.as_deref() == Some(Path::new(""));
        let values = [
            ("token_env", empty_text(&self.token_env)),
            ("username", empty_text(&self.username)),
            ("credential_helper", empty_text(&self.credential_helper)),
            ("token_file", empty_path(&self.token_file)),
            ("ssh_key", empty_path(&self.ssh_key)),
            ("known_hosts", empty_path(&self.known_hosts)),
            ("ca_file", empty_path(&self.ca_file)),
        ];
        if let Some((key, _)) = values.into_iter().find(|(_, empty)| *empty) {
            return Some((key, "the value is empty: set it or remove the key"));
        }
        if self
            .known_hosts
            .as_ref()
            .is_some_and(|path| path.to_string_lossy().contains('"'))
        {
            return Some((
                "known_hosts",
                "ssh does not support quotation marks in this path: rename the file",
            ));
        }
        let both = self.token_file.is_some() && self.token_env.is_some();
        both.then_some((
            "token_env",
            "token_file and token_env exclude each other: remove one",
        ))
    }
}
