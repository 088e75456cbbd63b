//! Addresses of repositories.

use std::path::{Path, PathBuf};

use gix::bstr::ByteSlice;
use gix::url::Scheme;

/// The address of a repository: a network address or a local directory.
///
/// Its text form never contains a password or an `https` user name, so logs and responses may show it.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct RepositorySource {
    location: Location,
    pub(crate) account: Option<Account>,
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
enum Location {
    /// An address without secrets.
    Network { address: String, scheme: Network },
    /// An absolute path.
    Folder(PathBuf),
}

/// The network transports.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Network {
    Http,
    Ssh,
    Git,
}

/// The user name and password of an address.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(crate) struct Account {
    pub(crate) user: String,
    pub(crate) password: Option<String>,
}

impl std::fmt::Debug for Account {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Account { .. }")
    }
}

/// The text is not the address of a repository.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ParseSourceError {
    /// There is no text.
    #[error("the repository URL is empty; give a URL or a path")]
    Empty,
    /// It is malformed. The message omits the text, which may contain a password.
    #[error("this is not a repository URL; use https://host/path, ssh://user@host/path or a path")]
    Malformed,
    /// Its scheme is unsupported.
    #[error("'{0}' URLs are not supported; use https, http, ssh, git, file or a path")]
    Scheme(String),
    /// The ssh program could parse its host or path as an option.
    #[error("user, host and path of a repository URL must not start with '-'")]
    Option,
}

impl RepositorySource {
    /// Parses `https://`, `http://`, `ssh://`, `git://` and `file://` addresses, `user@host:path` and paths. A relative
    /// path starts at the current directory.
    ///
    /// # Errors
    /// When the text is not an address.
    pub fn parse(text: &str) -> Result<Self, ParseSourceError> {
        let text = text.trim();
        if text.is_empty() {
            return Err(ParseSourceError::Empty);
        }
        let malformed = || ParseSourceError::Malformed;
        let mut url = gix::url::parse(text.as_bytes().as_bstr()).map_err(|_| malformed())?;
        let scheme = match &url.scheme {
            Scheme::File => {
                let path = gix::path::from_bstr(url.path.as_bstr());
                return Self::folder(&path.map_err(|_| malformed())?);
            }
            Scheme::Https | Scheme::Http => Network::Http,
            Scheme::Ssh => Network::Ssh,
            Scheme::Git => Network::Git,
            other => return Err(ParseSourceError::Scheme(other.as_str().to_owned())),
        };
        let dashed = |part: Option<&str>| part.is_some_and(|part| part.starts_with('-'));
        if dashed(url.user()) || dashed(url.host()) || url.path.starts_with(b"-") {
            return Err(ParseSourceError::Option);
        }
        if url.host().is_none_or(str::is_empty) {
            return Err(malformed());
        }
        let password = url.set_password(None);
        // With ssh the user name is part of the address (mostly "git"); with http it may be a token.
        let user = if scheme == Network::Ssh {
            url.user().map(str::to_owned)
        } else {
            url.set_user(None)
        };
        let account = user.map(|user| Account { user, password });
        let address = String::from_utf8(url.to_bstring().into()).map_err(|_| malformed())?;
        Ok(Self {
            location: Location::Network { address, scheme },
            account,
        })
    }

    /// A repository at a path, which need not be UTF-8.
    ///
    /// # Errors
    /// When the path is empty.
    pub fn folder(path: &Path) -> Result<Self, ParseSourceError> {
        let absolute = std::path::absolute(path).map_err(|_| ParseSourceError::Empty)?;
        // Removes "." and trailing slashes.
        Ok(Self {
            location: Location::Folder(absolute.components().collect()),
            account: None,
        })
    }

    /// The path of a local repository.
    pub fn path(&self) -> Option<&Path> {
        match &self.location {
            Location::Folder(path) => Some(path),
            Location::Network { .. } => None,
        }
    }

    /// The last part of the path without `.git`, the base of derived slugs (docs/spec/settings.md#slugs). May be empty.
    pub fn name(&self) -> String {
        let path = match &self.location {
            Location::Folder(path) => path.to_string_lossy().into_owned(),
            Location::Network { address, .. } => {
                let after_host = address
                    .split_once("://")
                    .map_or(&**address, |(_, rest)| rest);
                let start = after_host.find(['/', ':']);
                let start = start.map_or(after_host.len(), |at| at + 1);
                after_host[start..].to_owned()
            }
        };
        let parts = path.rsplit(['/', ':', '\\']);
        let mut parts = parts.map(|part| part.strip_suffix(".git").unwrap_or(part));
        let name = parts.find(|part| !part.is_empty());
        name.unwrap_or_default().to_owned()
    }

    /// The directory name of the mirror: readable, unique for the address, and independent of the user name
    /// and password.
    pub fn folder_name(&self) -> String {
        let is_plain = |letter: char| letter.is_ascii_alphanumeric() || "-_".contains(letter);
        let readable = self.name();
        let plain = readable
            .chars()
            .map(|letter| if is_plain(letter) { letter } else { '-' });
        let mut name: String = plain.take(40).collect();
        let hash = match &self.location {
            Location::Folder(path) => blake3::hash(path.as_os_str().as_encoded_bytes()),
            Location::Network { address, .. } => blake3::hash(address.as_bytes()),
        };
        if !name.is_empty() {
            name.push('-');
        }
        name.push_str(&hash.to_hex()[..12]);
        name
    }

    /// The network address for gix, without secrets, and its transport.
    pub(crate) fn network(&self) -> Option<(&str, Network)> {
        match &self.location {
            Location::Network { address, scheme } => Some((address, *scheme)),
            Location::Folder(_) => None,
        }
    }

    /// The host of a network address, with its port.
    pub fn host(&self) -> Option<&str> {
        let (address, _) = self.network()?;
        let after = address.split_once("://").map_or(address, |(_, rest)| rest);
        // The user name is part of an ssh address.
        let host = after.split('/').next()?.rsplit('@').next()?;
        // `HOST:PATH` of ssh.
        let is_short = !address.contains("://");
        if is_short {
            host.split(':').next()
        } else {
            Some(host)
        }
    }

    /// Whether the address contains a user name.
    pub fn names_account(&self) -> bool {
        self.account.is_some()
    }
}

impl std::fmt::Display for RepositorySource {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match &self.location {
            Location::Network { address, .. } => f.write_str(address),
            Location::Folder(path) => write!(f, "{}", path.display()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str) -> String {
        RepositorySource::parse(text).unwrap().to_string()
    }

    #[test]
    fn repositories_of_a_server_have_the_same_host() {
        let host = |text: &str| {
            RepositorySource::parse(text)
                .unwrap()
                .host()
                .map(str::to_owned)
        };
        for text in [
            "https://example.org/a/b.git",
            "https://ada:secret@example.org/c",
        ] {
            assert_eq!(host(text).as_deref(), Some("example.org"), "{text}");
        }
        assert_eq!(
            host("https://example.org:8443/a").as_deref(),
            Some("example.org:8443")
        );
        assert_eq!(
            host("git@example.org:a/b.git").as_deref(),
            Some("example.org")
        );
        assert_eq!(host("/srv/a.git"), None);
    }

    #[test]
    fn the_text_of_an_address_has_no_secrets() {
        assert_eq!(
            shown("https://example.org/a/b.git"),
            "https://example.org/a/b.git"
        );
        assert_eq!(
            shown("https://me:s3cret@example.org:8443/a/b"),
            "https://example.org:8443/a/b"
        );
        assert_eq!(
            shown("https://t0ken@example.org/a/b"),
            "https://example.org/a/b"
        );
        assert_eq!(
            shown("ssh://git:s3cret@example.org/a/b"),
            "ssh://git@example.org/a/b"
        );
        assert_eq!(shown("git@example.org:a/b.git"), "git@example.org:a/b.git");
        let source = RepositorySource::parse("https://ada:s3cret@example.org/x").unwrap();
        assert!(!format!("{source:?}").contains("s3cret"));
        assert!(!format!("{source:?}").contains("ada"));
        assert_eq!(source.account.unwrap().password.as_deref(), Some("s3cret"));
    }

    #[test]
    fn a_path_becomes_absolute_and_file_addresses_are_paths() {
        assert_eq!(shown("file:///srv/git/a.git/"), "/srv/git/a.git");
        assert_eq!(shown("/srv/./git/a/"), "/srv/git/a");
        let here = std::env::current_dir().unwrap();
        assert_eq!(
            RepositorySource::parse("work/tree")
                .unwrap()
                .path()
                .unwrap(),
            here.join("work/tree")
        );
        assert_eq!(RepositorySource::parse(".").unwrap().path().unwrap(), here);
    }

    #[test]
    fn an_invalid_address_is_an_error_without_secrets() {
        assert_eq!(RepositorySource::parse("  "), Err(ParseSourceError::Empty));
        assert_eq!(
            RepositorySource::parse("ftp://u:s3cret@h/p"),
            Err(ParseSourceError::Scheme("ftp".to_owned()))
        );
        assert_eq!(
            RepositorySource::parse("ext::sh -c true"),
            Err(ParseSourceError::Scheme("ext".to_owned()))
        );
        assert_eq!(
            RepositorySource::parse("ssh://-oProxyCommand=x/p"),
            Err(ParseSourceError::Option)
        );
        assert_eq!(
            RepositorySource::parse("https:///nohost"),
            Err(ParseSourceError::Malformed)
        );
        assert_eq!(
            RepositorySource::parse("https://u:s3cret@host:port/p"),
            Err(ParseSourceError::Malformed)
        );
    }

    #[test]
    fn the_name_is_the_last_part_of_the_path() {
        let name = |text: &str| RepositorySource::parse(text).unwrap().name();
        assert_eq!(name("https://example.org/gorhill/uBlock.git"), "uBlock");
        assert_eq!(name("https://example.org/gorhill/uBlock/"), "uBlock");
        assert_eq!(name("git@example.org:uBlock.git"), "uBlock");
        assert_eq!(name("ssh://git@example.org:22/a/uBlock"), "uBlock");
        assert_eq!(name("/srv/uBlock.git"), "uBlock");
        assert_eq!(name("/srv/uBlock/.git"), "uBlock");
        assert_eq!(name("https://example.org/"), "");
    }

    #[test]
    fn the_folder_name_depends_on_the_address_only() {
        let name = |text: &str| RepositorySource::parse(text).unwrap().folder_name();
        let plain = name("https://example.org/a/b.git");
        assert!(plain.starts_with("b-") && plain.len() == 14, "{plain}");
        assert_eq!(plain, name("https://me:s3cret@example.org/a/b.git"));
        assert_ne!(plain, name("https://example.org/c/b.git"));
        assert!(
            name("/srv/ü ../x y.git")
                .chars()
                .all(|letter| letter.is_ascii_alphanumeric() || "-_".contains(letter))
        );
    }
}
