//! Errors of cloning and fetching, and whether a retry can help.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::error::{GitError, one_line};
use gitglot_model::Crash;

/// A failed clone or fetch.
#[derive(Debug, thiserror::Error)]
#[error("{address}: {problem}")]
pub struct FetchError {
    /// The address without secrets.
    pub address: String,
    /// The problem.
    pub problem: FetchProblem,
}

/// The reason why a clone or fetch failed.
#[derive(Debug, thiserror::Error)]
pub enum FetchProblem {
    /// The repository does not exist, or is hidden without credentials.
    #[error(
        "the repository does not exist or needs credentials ({0}); check the URL, or give a token or an ssh key"
    )]
    NotFound(String),
    /// The server refuses the credentials.
    #[error("the server refuses access ({0}); check the token or the ssh key")]
    Refused(String),
    /// The token file cannot be read.
    #[error("the token file '{}' cannot be read: {reason}", path.display())]
    TokenFile {
        /// The file.
        path: PathBuf,
        /// The reason.
        reason: String,
    },
    /// The environment variable of the token is unset.
    #[error("the environment variable {0} for the token is not set; set it for gitglot")]
    TokenVariable(String),
    /// The host key is unknown or changed.
    #[error(
        "ssh does not trust the server ({0}); check its host key, and add it to the known hosts if it is correct"
    )]
    HostKey(String),
    /// The server's certificate is not trusted.
    #[error(
        "the certificate of the server is not trusted ({0}); to trust it, set ca_file to the certificate of its \
         authority"
    )]
    Certificate(String),
    /// The ssh program cannot run.
    #[error("cannot run ssh: {0}; install the OpenSSH client")]
    NoSsh(String),
    /// The repository has an unsupported property.
    #[error("cannot follow the repository: {0}")]
    Unsupported(String),
    /// The directory does not exist.
    #[error("there is no such directory; check the path")]
    NoFolder,
    /// The directory is not a repository.
    #[error(
        "there is no git repository in this directory; give the path of a working tree or a bare repository"
    )]
    NoRepository,
    /// A local repository or the mirror cannot be read.
    #[error("{0}")]
    Unreadable(#[from] GitError),
    /// The server is unreachable or closed the connection.
    #[error("the repository cannot be reached: {0}; gitglot tries again")]
    Unreachable(String),
    /// The server limits the number of requests.
    #[error("the server limits requests ({reason}); gitglot tries again later")]
    Limited {
        /// Its answer.
        reason: String,
        /// How long it wants no requests, if it says so.
        retry_after: Option<Duration>,
    },
    /// The server sent nothing for too long.
    #[error("the server sent nothing for {} seconds; gitglot tries again", .0.as_secs())]
    Stalled(Duration),
    /// The repository costs more than the limits allow.
    #[error("the repository is too large: {0}")]
    Excessive(String),
    /// The disk of the state directory is nearly full.
    #[error(
        "the disk has {free} free, of which disk-reserve keeps {reserve}; free some space, and gitglot tries again"
    )]
    DiskFull {
        /// The free space.
        free: String,
        /// The space that stays free.
        reserve: String,
    },
    /// The program is shutting down.
    #[error("stopped on request")]
    Stopped,
    /// A fault of this program.
    #[error("{0}; gitglot tries again")]
    Crash(#[from] Crash),
    /// The state directory cannot be written.
    #[error("the mirror in '{}' cannot be written: {reason}", path.display())]
    Storage {
        /// The mirror.
        path: PathBuf,
        /// The reason.
        reason: String,
    },
}

impl FetchProblem {
    /// The mirror cannot be written.
    pub(crate) fn storage(mirror: &Path, reason: impl std::fmt::Display) -> Self {
        Self::Storage {
            path: mirror.to_owned(),
            reason: reason.to_string(),
        }
    }

    /// Whether a retry may succeed. Otherwise the configuration, the repository or the server has to change first.
    pub fn is_transient(&self) -> bool {
        match self {
            Self::Unreachable(_)
            | Self::Limited { .. }
            | Self::Stalled(_)
            | Self::Stopped
            | Self::Crash(_)
            | Self::DiskFull { .. }
            | Self::Storage { .. } => true,
            Self::Unreadable(error) => {
                !matches!(error, GitError::ObjectFormat(_) | GitError::RefFormat(_))
            }
            Self::NotFound(_)
            | Self::Refused(_)
            | Self::TokenFile { .. }
            | Self::TokenVariable(_)
            | Self::HostKey(_)
            | Self::Certificate(_)
            | Self::NoSsh(_)
            | Self::Unsupported(_)
            | Self::Excessive(_)
            | Self::NoFolder
            | Self::NoRepository => false,
        }
    }

    /// Classifies an error of gix.
    pub(crate) fn from_gix(error: &gix::Error, mirror: &Path) -> Self {
        if let Some(refused) = error.downcast_any_ref::<NoCredentials>() {
            return Self::NotFound(refused.to_string());
        }
        let text = plain(&one_line(error));
        let io = |kinds: &[ErrorKind]| {
            error.iter_errors().any(|cause| {
                cause
                    .downcast_ref::<std::io::Error>()
                    .is_some_and(|cause| kinds.contains(&cause.kind()))
            })
        };
        if error.is_cancelled() {
            return Self::Stopped;
        }
        if io(&[
            ErrorKind::StorageFull,
            ErrorKind::QuotaExceeded,
            ErrorKind::ReadOnlyFilesystem,
        ]) || text.to_lowercase().contains("permission denied (os error")
        {
            return Self::storage(mirror, text);
        }
        match Self::from_words(&text) {
            Some(problem) => problem,
            None if error.is_unauthenticated() => Self::Refused(text),
            None if error.is_unsupported() => Self::Unsupported(text),
            None => Self::Unreachable(text),
        }
    }

    /// Classifies a message of a server or program; `None` if it is unknown.
    fn from_words(text: &str) -> Option<Self> {
        /// A part of a message in lower case, and the problem. The first match counts.
        type Rule = (&'static str, fn(String) -> FetchProblem);
        const RULES: [Rule; 14] = [
            ("host key verification failed", FetchProblem::HostKey),
            ("host identification has changed", FetchProblem::HostKey),
            ("http status 429", |reason| FetchProblem::Limited {
                reason,
                retry_after: None,
            }),
            ("http status 404", FetchProblem::NotFound),
            ("http status 410", FetchProblem::NotFound),
            ("not found", FetchProblem::NotFound),
            ("not exported", FetchProblem::NotFound),
            ("not appear to be a git repository", FetchProblem::NotFound),
            ("http status 401", FetchProblem::Refused),
            ("http status 403", FetchProblem::Refused),
            ("permission denied", FetchProblem::Refused),
            ("clear text", |_| {
                FetchProblem::Refused("credentials are sent over https only".to_owned())
            }),
            ("certificate", FetchProblem::Certificate),
            ("unknownissuer", FetchProblem::Certificate),
        ];
        let lower = text.to_lowercase();
        let (_, problem) = RULES.iter().find(|(part, _)| lower.contains(part))?;
        Some(problem(text.to_owned()))
    }

    /// The problem that the stderr of ssh names, if there is any.
    pub(crate) fn explained_by(self, stderr: &[String]) -> Self {
        let text = stderr.join(" ");
        match self {
            Self::Unreachable(_) | Self::NotFound(_) | Self::Refused(_) if !stderr.is_empty() => {
                match Self::from_words(&text).unwrap_or(Self::Unreachable(text)) {
                    // The lines before are a long banner.
                    Self::HostKey(_) => {
                        let end = &stderr[stderr.len().saturating_sub(2)..];
                        Self::HostKey(end.join(" "))
                    }
                    other => other,
                }
            }
            other => other,
        }
    }
}

/// Removes the generic prefixes of gix and rewords unclear messages.
fn plain(text: &str) -> String {
    let mut text = text.to_owned();
    for layer in [
        "Transport handshake failed: ",
        "An IO error occurred when talking to the server: ",
    ] {
        text = text.replace(layer, "");
    }
    let closed = "the server closed the connection";
    text.replace("failed to fill whole buffer", closed)
}

/// The server requires authentication and there are no credentials.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub(crate) struct NoCredentials(pub(crate) String);

#[cfg(test)]
mod tests {
    use super::*;

    fn problem(text: &'static str) -> FetchProblem {
        let error = gix::Error::from_error(std::io::Error::other(text));
        FetchProblem::from_gix(&error, Path::new("mirror"))
    }

    #[test]
    fn messages_of_servers_and_programs_are_classified() {
        assert!(matches!(
            problem("ERROR: Repository not found."),
            FetchProblem::NotFound(_)
        ));
        assert!(matches!(
            problem("fatal: 'x' does not appear to be a git repository"),
            FetchProblem::NotFound(_)
        ));
        assert!(matches!(
            problem("git@h: Permission denied (publickey)."),
            FetchProblem::Refused(_)
        ));
        assert!(matches!(
            problem("Host key verification failed."),
            FetchProblem::HostKey(_)
        ));
        assert!(matches!(
            problem("Permission denied (os error 13)"),
            FetchProblem::Storage { .. }
        ));
        assert!(matches!(
            problem("Received HTTP status 429"),
            FetchProblem::Limited { .. }
        ));
        assert!(matches!(
            problem("connection reset by peer"),
            FetchProblem::Unreachable(_)
        ));
        let full = gix::Error::from_error(std::io::Error::from(ErrorKind::StorageFull));
        assert!(matches!(
            FetchProblem::from_gix(&full, Path::new("mirror")),
            FetchProblem::Storage { .. }
        ));
    }

    #[test]
    fn messages_omit_the_prefixes_of_gix() {
        let closed = problem("Transport handshake failed: failed to fill whole buffer");
        let expected = "the repository cannot be reached: the server closed the connection; gitglot tries again";
        assert_eq!(closed.to_string(), expected);
    }
}
