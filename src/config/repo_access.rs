//! How a repository is reached: tokens, keys and whom to trust.

use std::path::{Path, PathBuf};

use clap::Args;
use serde::Serialize;

use super::settings::help;

/// How a repository is reached, where that is not to be left to ssh and the system. All components of a repository
/// have the same.
#[derive(Clone, PartialEq, Eq, Default, Debug, Args, Serialize)]
#[command(next_help_heading = "Reaching REPO")]
pub struct RepoAccess {
    /// The file with the token for `https`, or with `user:password`. Absolute, once loaded.
    #[arg(long, env = "GITGLOT_TOKEN_FILE", value_name = "FILE", help = help("token-file"), hide_env_values = true)]
    pub token_file: Option<PathBuf>,
    /// The environment variable with the token.
    #[arg(long, env = "GITGLOT_TOKEN_ENV", value_name = "NAME", help = help("token-env"), hide_env_values = true)]
    pub token_env: Option<String>,
    /// The user name that goes with the token.
    #[arg(long, env = "GITGLOT_USERNAME", value_name = "NAME", help = help("username"), hide_env_values = true)]
    pub username: Option<String>,
    /// A credential helper, as in git's `credential.helper`.
    #[arg(long, env = "GITGLOT_CREDENTIAL_HELPER", value_name = "HELPER", help = help("credential-helper"), hide_env_values = true)]
    pub credential_helper: Option<String>,
    /// The private key for `ssh`. Absolute, once loaded.
    #[arg(long, env = "GITGLOT_SSH_KEY", value_name = "FILE", help = help("ssh-key"), hide_env_values = true)]
    pub ssh_key: Option<PathBuf>,
    /// The host keys that `ssh` trusts. Absolute, once loaded.
    #[arg(long, env = "GITGLOT_KNOWN_HOSTS", value_name = "FILE", help = help("known-hosts"), hide_env_values = true)]
    pub known_hosts: Option<PathBuf>,
    /// The certificates that `https` trusts. Absolute, once loaded.
    #[arg(long, env = "GITGLOT_CA_FILE", value_name = "FILE", help = help("ca-file"), hide_env_values = true)]
    pub ca_file: Option<PathBuf>,
}

impl RepoAccess {
    /// The same with paths that start at a folder.
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

    /// What of it cannot stand together: the key at fault, and one sentence.
    pub(super) fn contradiction(&self) -> Option<(&'static str, &'static str)> {
        let texts = [
            ("token_env", &self.token_env),
            ("username", &self.username),
            ("credential_helper", &self.credential_helper),
        ];
        if let Some((key, _)) = texts.into_iter().find(|(_, text)| text.as_deref() == Some("")) {
            return Some((key, "the text is empty: write a value or leave the key out"));
        }
        let files = [
            ("token_file", &self.token_file),
            ("ssh_key", &self.ssh_key),
            ("known_hosts", &self.known_hosts),
            ("ca_file", &self.ca_file),
        ];
        if let Some((key, _)) = files.into_iter().find(|(_, path)| path.as_deref() == Some(Path::new(""))) {
            return Some((key, "the path is empty: name a file or leave the key out"));
        }
        if self.known_hosts.as_ref().is_some_and(|path| path.to_string_lossy().contains('"')) {
            return Some(("known_hosts", "ssh takes no path with a quotation mark: rename the file"));
        }
        let both = self.token_file.is_some() && self.token_env.is_some();
        both.then_some(("token_env", "the token is given twice, by token_file and token_env: leave one of them out"))
    }

    /// The flag of the first thing that is given, if any is.
    pub(super) fn first_given(&self) -> Option<&'static str> {
        let given = [
            ("--token-file", self.token_file.is_some()),
            ("--token-env", self.token_env.is_some()),
            ("--username", self.username.is_some()),
            ("--credential-helper", self.credential_helper.is_some()),
            ("--ssh-key", self.ssh_key.is_some()),
            ("--known-hosts", self.known_hosts.is_some()),
            ("--ca-file", self.ca_file.is_some()),
        ];
        given.into_iter().find_map(|(flag, given)| given.then_some(flag))
    }
}
