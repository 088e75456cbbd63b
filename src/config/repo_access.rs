//! Credentials from flags and files, and rules beyond the types of their settings.

use std::path::{Path, PathBuf};

use super::RepoAccessArgs;
use gitglot_follow::RepoAccess;

/// The credentials in the fields of a value that has others, too.
macro_rules! access_of {
    ($value:expr) => {
        gitglot_follow::RepoAccess {
            token_file: $value.token_file.clone(),
            token_env: $value.token_env.clone(),
            username: $value.username.clone(),
            credential_helper: $value.credential_helper.clone(),
            ssh_key: $value.ssh_key.clone(),
            known_hosts: $value.known_hosts.clone(),
            ca_file: $value.ca_file.clone(),
            ..gitglot_follow::RepoAccess::default()
        }
    };
}
pub(super) use access_of;

impl From<RepoAccessArgs> for RepoAccess {
    fn from(args: RepoAccessArgs) -> Self {
        access_of!(args)
    }
}

/// Makes relative paths start at a directory.
pub(super) fn in_folder(access: RepoAccess, folder: &Path) -> RepoAccess {
    let absolute = |path: Option<PathBuf>| path.map(|path| folder.join(path));
    RepoAccess {
        token_file: absolute(access.token_file),
        ssh_key: absolute(access.ssh_key),
        known_hosts: absolute(access.known_hosts),
        ca_file: absolute(access.ca_file),
        ..access
    }
}

/// The first invalid key and the problem, in one sentence.
pub(super) fn problem(access: &RepoAccess) -> Option<(&'static str, &'static str)> {
    let empty_text = |text: &Option<String>| text.as_deref() == Some("");
    let empty_path = |path: &Option<PathBuf>| path.as_deref() == Some(Path::new(""));
    let values = [
        ("token_env", empty_text(&access.token_env)),
        ("username", empty_text(&access.username)),
        ("credential_helper", empty_text(&access.credential_helper)),
        ("token_file", empty_path(&access.token_file)),
        ("ssh_key", empty_path(&access.ssh_key)),
        ("known_hosts", empty_path(&access.known_hosts)),
        ("ca_file", empty_path(&access.ca_file)),
    ];
    if let Some((key, _)) = values.into_iter().find(|(_, empty)| *empty) {
        return Some((key, "the value is empty: set it or remove the key"));
    }
    let has_quote = |path: &PathBuf| path.to_string_lossy().contains('"');
    if access.known_hosts.as_ref().is_some_and(has_quote) {
        let problem = "ssh does not support quotation marks in this path: rename the file";
        return Some(("known_hosts", problem));
    }
    let both = access.token_file.is_some() && access.token_env.is_some();
    let problem = "token_file and token_env exclude each other: remove one";
    both.then_some(("token_env", problem))
}
