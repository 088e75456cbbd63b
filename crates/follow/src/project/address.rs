//! Addresses of repositories. Rules: `docs/spec/settings.md#repository-addresses`.

use std::path::{Path, PathBuf};

/// The address of a git repository: a URL, an scp-like address (`git@host:path`) or an absolute path.
///
/// It may contain a password, which `Display` and `Debug` omit.
#[derive(Clone, PartialEq, Eq)]
pub struct RepoAddress {
    text: String,
    local: bool,
}

/// Why a text is not the address of a repository.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum RepoAddressError {
    /// There is no text.
    #[error("the repository URL is empty: give a URL or a path")]
    Empty,
    /// It is a path that an address cannot contain.
    #[error("the path '{}' is not UTF-8: rename the directory", .0.display())]
    NotUtf8(PathBuf),
}

impl RepoAddress {
    /// Parses an address; a relative path starts at `base`, which is absolute.
    ///
    /// # Errors
    /// If the text is no address.
    pub fn parse(text: &str, base: &Path) -> Result<Self, RepoAddressError> {
        if text.is_empty() {
            return Err(RepoAddressError::Empty);
        }
        if text.contains("://") || scp_like(text) {
            return Ok(Self {
                text: text.to_owned(),
                local: false,
            });
        }
        let path = base.join(text);
        // All names of a repository get the same address. Opening the repository reports a missing path.
        let path = path.canonicalize().unwrap_or(path);
        match path.to_str() {
            Some(path) => Ok(Self {
                text: path.to_owned(),
                local: true,
            }),
            None => Err(RepoAddressError::NotUtf8(path)),
        }
    }

    /// The address for git. It may contain a password: never print it.
    pub fn for_git(&self) -> &str {
        &self.text
    }

    /// The path, if the address is a path or a `file` URL.
    pub fn local_path(&self) -> Option<PathBuf> {
        if self.local {
            return Some(PathBuf::from(&self.text));
        }
        let path = self.text.strip_prefix("file://")?;
        path.starts_with('/').then(|| PathBuf::from(path))
    }

    /// The address without user name and password. The user name of an `ssh` address is not secret and remains.
    pub fn public(&self) -> String {
        let Some((scheme, rest)) = self.text.split_once("://").filter(|_| !self.local) else {
            return self.text.clone();
        };
        let host_end = rest.find('/').unwrap_or(rest.len());
        let (authority, path) = rest.split_at(host_end);
        let Some((user, host)) = authority.rsplit_once('@') else {
            return self.text.clone();
        };
        match user {
            user if scheme.contains("ssh") && !user.contains(':') => self.text.clone(),
            _ => format!("{scheme}://{host}{path}"),
        }
    }

    /// The last segment of the path without `.git`: `uBlock` in `https://github.com/gorhill/uBlock.git`. May be empty.
    pub fn last_part(&self) -> String {
        let public = self.public();
        let path = match public.split_once("://").filter(|_| !self.local) {
            Some((_, rest)) => rest.split_once('/').map_or("", |(_, path)| path),
            None => public
                .rsplit_once(':')
                .filter(|_| !self.local)
                .map_or(&*public, |(_, path)| path),
        };
        let path = path.split(['?', '#']).next().unwrap_or("");
        let path = path.trim_end_matches(['/', '\\']);
        let path = path.strip_suffix("/.git").unwrap_or(path);
        let last = path.rsplit(['/', '\\']).next().unwrap_or("");
        last.strip_suffix(".git").unwrap_or(last).to_owned()
    }
}

impl std::fmt::Display for RepoAddress {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.public())
    }
}

impl std::fmt::Debug for RepoAddress {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:?}", self.public())
    }
}

/// Whether git reads the text as `host:path` or `user@host:path`: a colon before any slash, and no drive letter.
fn scp_like(text: &str) -> bool {
    let Some((host, _)) = text.split_once(':') else {
        return false;
    };
    host.len() > 1 && !host.contains(['/', '\\'])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> RepoAddress {
        RepoAddress::parse(text, Path::new("/base")).unwrap()
    }

    #[test]
    fn relative_paths_become_absolute() {
        assert_eq!(parse("sub/project").for_git(), "/base/sub/project");
        assert_eq!(parse("/elsewhere/project").for_git(), "/elsewhere/project");
        let folder = tempfile::tempdir().unwrap();
        let base = folder.path().canonicalize().unwrap();
        std::fs::create_dir(base.join("project")).unwrap();
        let address = RepoAddress::parse("./project/../project/.", &base).unwrap();
        assert_eq!(address.local_path().unwrap(), base.join("project"));
        assert!(RepoAddress::parse("", &base).is_err());
    }

    #[test]
    fn urls_and_scp_addresses_do_not_change() {
        for text in [
            "https://host.example/a.git",
            "git@host.example:a/b.git",
            "ssh://git@host.example/a",
            "host:a",
        ] {
            assert_eq!(parse(text).for_git(), text);
            assert_eq!(parse(text).local_path(), None);
            assert_eq!(parse(text).to_string(), text);
        }
        assert_eq!(
            parse("file:///srv/a.git").local_path(),
            Some("/srv/a.git".into())
        );
    }

    #[test]
    fn a_password_is_never_printed() {
        for (given, public) in [
            (
                "https://user:secret@host.example/a.git",
                "https://host.example/a.git",
            ),
            ("https://secret@host.example", "https://host.example"),
            (
                "https://user:se@cret@host.example/a",
                "https://host.example/a",
            ),
            ("ssh://git:secret@host.example/a", "ssh://host.example/a"),
            ("ssh://git@host.example/a@b", "ssh://git@host.example/a@b"),
            ("https://host.example/a@b", "https://host.example/a@b"),
        ] {
            let address = parse(given);
            assert_eq!(address.for_git(), given);
            assert_eq!(address.to_string(), public);
            assert_eq!(format!("{address:?}"), format!("{public:?}"));
        }
    }

    #[test]
    fn the_last_part_is_the_name_of_the_repository() {
        for (address, last) in [
            ("https://github.com/gorhill/uBlock.git", "uBlock"),
            ("https://host.example/group/sub/project/", "project"),
            ("git@host.example:project.git", "project"),
            ("git@host.example:group/project.git", "project"),
            ("/srv/git/project.git", "project"),
            ("/home/somebody/project/.git", "project"),
            ("/home/a:b/project", "project"),
            ("https://host.example", ""),
            ("/", ""),
        ] {
            assert_eq!(parse(address).last_part(), last, "{address}");
        }
    }
}
