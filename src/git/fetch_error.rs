//! Why a repository could not be brought here: whose fault it is, and whether trying again helps.

use std::io::ErrorKind;
use std::path::PathBuf;
use std::time::Duration;

use super::GitError;
use super::error::one_line;

/// A repository could not be cloned or fetched.
#[derive(Debug, thiserror::Error)]
#[error("{address}: {problem}")]
pub struct FetchError {
    /// The address without anything secret.
    pub address: String,
    /// What is wrong.
    pub problem: Problem,
}

/// What is wrong with a clone or a fetch.
#[derive(Debug, thiserror::Error)]
pub enum Problem {
    /// There is no such repository, or it does not show itself to strangers.
    #[error("the repository does not exist or needs credentials ({0}); check the address, or give a token or a key")]
    NotFound(String),
    /// The server wants to know who asks, or does not like who does.
    #[error("the server refuses access ({0}); check the token or the ssh key")]
    Refused(String),
    /// The token file cannot be read.
    #[error("the token file '{}' cannot be read: {reason}", path.display())]
    TokenFile {
        /// The file.
        path: PathBuf,
        /// Why.
        reason: String,
    },
    /// The repository cannot be followed, whatever is tried.
    #[error("the repository cannot be followed: {0}")]
    Unsupported(String),
    /// There is no such folder.
    #[error("there is no such folder; check the path")]
    NoFolder,
    /// There is no repository in the folder.
    #[error("there is no git repository in this folder; give the path of a work tree or of a bare repository")]
    NoRepository,
    /// A repository on this machine, or its mirror, cannot be read.
    #[error("{0}")]
    Unreadable(GitError),
    /// The server cannot be reached, or broke off.
    #[error("the repository cannot be reached: {0}; it is tried again")]
    Unreachable(String),
    /// Nothing came for too long.
    #[error("nothing came from the server for {} seconds; it is tried again", .0.as_secs())]
    Stalled(Duration),
    /// The program is about to end.
    #[error("stopped on request")]
    Stopped,
    /// The state directory cannot be written.
    #[error("the mirror in '{}' cannot be written: {reason}", path.display())]
    Storage {
        /// The mirror.
        path: PathBuf,
        /// Why.
        reason: String,
    },
}

impl Problem {
    /// Whether the same may work later without anybody's help. Else somebody must change the
    /// configuration, the repository or the server, and there is no hurry in trying again.
    pub fn is_transient(&self) -> bool {
        match self {
            Self::Unreachable(_) | Self::Stalled(_) | Self::Stopped | Self::Storage { .. } => true,
            Self::Unreadable(error) => !matches!(error, GitError::ObjectFormat(_)),
            Self::NotFound(_)
            | Self::Refused(_)
            | Self::TokenFile { .. }
            | Self::Unsupported(_)
            | Self::NoFolder
            | Self::NoRepository => false,
        }
    }

    /// Makes sense of gix's error.
    pub(super) fn from_gix(error: &gix::Error, mirror: &std::path::Path) -> Self {
        if let Some(own) = error.downcast_any_ref::<NoCredentials>() {
            return Self::NotFound(own.to_string());
        }
        let text = plain(&one_line(error));
        let lower = text.to_lowercase();
        let says = |parts: &[&str]| parts.iter().any(|part| lower.contains(part));
        let io = |kinds: &[ErrorKind]| {
            error
                .iter_errors()
                .any(|cause| cause.downcast_ref::<std::io::Error>().is_some_and(|cause| kinds.contains(&cause.kind())))
        };
        if error.is_cancelled() {
            return Self::Stopped;
        }
        if io(&[ErrorKind::StorageFull, ErrorKind::QuotaExceeded, ErrorKind::ReadOnlyFilesystem])
            || says(&["permission denied (os error"])
        {
            return Self::Storage { path: mirror.to_owned(), reason: text };
        }
        if says(&[
            "http status 404",
            "http status 410",
            "not found",
            "not exported",
            "not appear to be a git repository",
        ]) {
            return Self::NotFound(text);
        }
        if says(&["http status 401", "http status 403", "permission denied", "host key verification failed"])
            || error.is_unauthenticated()
        {
            return Self::Refused(text);
        }
        if says(&["clear text"]) {
            return Self::Refused("credentials are sent over https only".to_owned());
        }
        if error.is_unsupported() {
            return Self::Unsupported(text);
        }
        Self::Unreachable(text)
    }
}

/// Leaves out what gix says of every error, and says the rest as people do.
fn plain(text: &str) -> String {
    let mut text = text.to_owned();
    for layer in ["Transport handshake failed: ", "An IO error occurred when talking to the server: "] {
        text = text.replace(layer, "");
    }
    text.replace("failed to fill whole buffer", "the server closed the connection")
}

/// The server asked who we are, and there is nothing to tell it.
#[derive(Debug, thiserror::Error)]
#[error("the server asks for credentials, and none are configured")]
pub(super) struct NoCredentials;

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;

    fn problem(text: &'static str) -> Problem {
        let error = gix::Error::from_error(std::io::Error::other(text));
        Problem::from_gix(&error, Path::new("mirror"))
    }

    #[test]
    fn what_servers_and_programs_say_tells_whose_fault_it_is() {
        assert!(matches!(problem("ERROR: Repository not found."), Problem::NotFound(_)));
        assert!(matches!(problem("fatal: 'x' does not appear to be a git repository"), Problem::NotFound(_)));
        assert!(matches!(problem("git@h: Permission denied (publickey)."), Problem::Refused(_)));
        assert!(matches!(problem("Host key verification failed."), Problem::Refused(_)));
        assert!(matches!(problem("Permission denied (os error 13)"), Problem::Storage { .. }));
        assert!(matches!(problem("connection reset by peer"), Problem::Unreachable(_)));
        let full = gix::Error::from_error(std::io::Error::from(ErrorKind::StorageFull));
        assert!(matches!(Problem::from_gix(&full, Path::new("mirror")), Problem::Storage { .. }));
    }

    #[test]
    fn messages_say_what_is_wrong_without_the_layers_it_came_through() {
        let closed = problem("Transport handshake failed: failed to fill whole buffer");
        let expected = "the repository cannot be reached: the server closed the connection; it is tried again";
        assert_eq!(closed.to_string(), expected);
    }
}
