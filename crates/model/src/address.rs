//! URL encoding, and the web pages of commits and files on known repository hosts.

use std::borrow::Cow;
use std::fmt::Display;

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};

use crate::object::CommitId;

/// Characters to escape in paths.
const IN_LINK: &AsciiSet = &without(NON_ALPHANUMERIC, b"-._~!$&'()*+,;=:@/");
/// Characters to escape in queries; spaces become `+`.
const IN_QUERY: &AsciiSet = &without(NON_ALPHANUMERIC, b"-._~ ");

/// The characters that are not encoded in the path of a page link or a redirect. Smaller than in other links, as in
/// 3.4.
const IN_PAGE_LINK: &AsciiSet = &without(NON_ALPHANUMERIC, b"/:@&+$,-_.!~*'()");
/// The characters that are not encoded in a repeated query.
const IN_UNCHANGED_QUERY: &AsciiSet = &without(NON_ALPHANUMERIC, b"/#%[]=:;$&()+,!?*@'~-._");

/// Removes characters from an escape set.
pub const fn without(set: &AsciiSet, keep: &[u8]) -> AsciiSet {
    let mut out = set.union(AsciiSet::EMPTY);
    let mut at = 0;
    while at < keep.len() {
        out = out.remove(keep[at]);
        at += 1;
    }
    out
}

/// Percent-encodes a part of a path.
pub fn encoded(part: &str) -> Cow<'_, str> {
    utf8_percent_encode(part, IN_LINK).into()
}

/// Percent-encodes a name or value of a query.
pub fn encoded_value(value: &str) -> String {
    utf8_percent_encode(value, IN_QUERY)
        .to_string()
        .replace(' ', "+")
}

/// Writes a query string with its `?`; `""` for no pairs.
pub fn query_string<'q>(pairs: impl IntoIterator<Item = (&'q str, &'q str)>) -> String {
    let mut out = String::new();
    for (name, value) in pairs {
        out.push(if out.is_empty() { '?' } else { '&' });
        out.extend([&*encoded_value(name), "=", &*encoded_value(value)]);
    }
    out
}

/// The decoded path of a request, as page links and redirects repeat it.
pub fn encoded_path(path: &str) -> Cow<'_, str> {
    let encoded: Cow<'_, str> = utf8_percent_encode(path, IN_PAGE_LINK).into();
    // A decoded path has `%2F` where it is part of a name.
    if encoded.contains("%252F") {
        encoded.replace("%252F", "%2F").into()
    } else {
        encoded
    }
}

/// The query of a request, as redirects repeat it.
pub fn unchanged_query(query: &str) -> Cow<'_, str> {
    utf8_percent_encode(query, IN_UNCHANGED_QUERY).into()
}

/// The address of a repository for readers: of one on this machine only the name of its directory.
pub fn shown_repository(repo: &str) -> &str {
    let is_remote = match repo.split_once("://") {
        Some((scheme, _)) => scheme != "file",
        None => repo
            .split_once(':')
            .is_some_and(|(host, _)| !host.contains(['/', '\\']) && host.len() > 1),
    };
    let name = repo.trim_end_matches(['/', '\\']);
    let name = name.rsplit(['/', '\\']).next().unwrap_or(name);
    if is_remote { repo } else { name }
}

/// Whether a text is a web URL and can be linked.
pub fn is_web(address: &str) -> bool {
    address.starts_with("https://") || address.starts_with("http://")
}

/// The web page of a commit, by its id or the first digits of that; `None` for unknown hosts. `repo` is any URL that git accepts.
pub fn commit_page(repo: &str, commit: impl Display) -> Option<String> {
    let (host, root) = hosted(repo)?;
    Some(format!("{root}/{}/{commit}", host.commit))
}

/// The web page of a file at a commit; `None` for unknown hosts, and for the pattern of a group of files. `path` starts at
/// the root of the repository.
pub fn file_page(repo: &str, commit: CommitId, path: &str) -> Option<String> {
    if path.contains("**") {
        return None;
    }
    let (host, root) = hosted(repo)?;
    let ((before, after), path) = (host.file, encoded(path));
    Some(format!("{root}/{before}/{commit}{after}/{path}"))
}

/// The web page where a file of a branch can be edited; `None` for hosts without one.
pub fn edit_page(repo: &str, branch: &str, path: &str) -> Option<String> {
    let (host, root) = hosted(repo)?;
    let (before, after) = host.edit?;
    let (branch, path) = (encoded(branch), encoded(path));
    Some(format!("{root}/{before}/{branch}/{path}{after}"))
}

/// The web page of a repository; `None` for unknown hosts.
pub fn repository_page(repo: &str) -> Option<String> {
    Some(hosted(repo)?.1)
}

/// The web page of a line, 1-based.
pub fn line_page(repo: &str, commit: CommitId, path: &str, line: usize) -> Option<String> {
    let (host, _) = hosted(repo)?;
    let page = file_page(repo, commit, path)?;
    Some(format!("{page}{}{line}", host.line))
}

/// The web pages of all lines at a commit, with `{path}` for the encoded path of a file and `{line}` for the number.
pub fn line_pages(repo: &str, commit: CommitId) -> Option<String> {
    let (host, root) = hosted(repo)?;
    let ((before, after), line) = (host.file, host.line);
    Some(format!(
        "{root}/{before}/{commit}{after}/{{path}}{line}{{line}}"
    ))
}

/// The paths of a kind of host.
struct Host {
    /// Names of servers, or labels in them.
    names: &'static [&'static str],
    /// The text before the id in the path of a commit.
    commit: &'static str,
    /// The text before and after the id in the path of a file.
    file: (&'static str, &'static str),
    /// The text before the number of a line.
    line: &'static str,
    /// The text before the branch and after the path of a file that is edited.
    edit: Option<(&'static str, &'static str)>,
}

/// The known hosts, first match first.
static HOSTS: [Host; 5] = [
    Host {
        names: &["github"],
        commit: "commit",
        file: ("blob", ""),
        line: "#L",
        edit: Some(("edit", "")),
    },
    Host {
        names: &["gitea", "forgejo", "codeberg"],
        commit: "commit",
        file: ("src/commit", ""),
        line: "#L",
        edit: Some(("_edit", "")),
    },
    Host {
        names: &["gitlab"],
        commit: "-/commit",
        file: ("-/blob", ""),
        line: "#L",
        edit: Some(("-/edit", "")),
    },
    Host {
        names: &["bitbucket"],
        commit: "commits",
        file: ("src", ""),
        line: "#lines-",
        edit: Some(("src", "?mode=edit")),
    },
    Host {
        names: &["git.sr.ht"],
        commit: "commit",
        file: ("tree", "/item"),
        line: "#L",
        edit: None,
    },
];

/// The kind of host of a repository, and its web page without a final slash. `None` for unknown hosts.
fn hosted(repo: &str) -> Option<(&'static Host, String)> {
    let (host, path) = match repo.split_once("://") {
        Some(("https" | "http" | "ssh" | "git", rest)) => rest.split_once('/')?,
        Some(_) => return None,
        // `user@host:path`
        None => repo
            .split_once(':')
            .filter(|(host, _)| !host.contains('/') && host.len() > 1)?,
    };
    let host = host.rsplit_once('@').map_or(host, |(_, host)| host);
    let (server, port) = host.split_once(':').unwrap_or((host, ""));
    let server = server.to_ascii_lowercase();
    let path = path.trim_matches('/');
    let path = path.strip_suffix(".git").unwrap_or(path);
    let fits = |part: &str| !part.is_empty() && part != "." && part != "..";
    if path.split('/').count() < 2 || !path.split('/').all(fits) {
        return None;
    }
    let labels = server.split(['.', '-']).chain([&*server]);
    let host = HOSTS.iter().find(|host| {
        let mut labels = labels.clone();
        labels.any(|label| host.names.contains(&label))
    })?;
    // Ports of other protocols are not those of the web server.
    let (scheme, port) = match repo.split_once("://") {
        Some(("http", _)) => ("http", port),
        Some(("https", _)) => ("https", port),
        _ => ("https", ""),
    };
    let colon = if port.is_empty() { "" } else { ":" };
    let path: Vec<_> = path.split('/').map(encoded).collect();
    let root = format!("{scheme}://{server}{colon}{port}/{}", path.join("/"));
    Some((host, root))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_name_of_a_local_repository_is_shown() {
        let shown = [
            ("/home/anna/app", "app"),
            ("file:///srv/git/app.git/", "app.git"),
            ("C:\\work\\app", "app"),
            ("git@example.org:some/app", "git@example.org:some/app"),
            ("https://example.org/app", "https://example.org/app"),
        ];
        for (repo, expected) in shown {
            assert_eq!(shown_repository(repo), expected);
        }
    }

    #[test]
    fn paths_are_encoded_as_weblate_encodes_them() {
        assert_eq!(encoded("ěš"), "%C4%9B%C5%A1");
        assert_eq!(encoded("be@tarask"), "be@tarask");
        assert_eq!(encoded("a=b;c\"d e"), "a=b;c%22d%20e");
        assert_eq!(encoded_path("/api/a=b;c/"), "/api/a%3Db%3Bc/");
        assert_eq!(
            encoded_value("/:@,!$'()*; é~"),
            "%2F%3A%40%2C%21%24%27%28%29%2A%3B+%C3%A9~"
        );
    }

    #[test]
    fn commits_have_pages_on_known_hosts() {
        let id = CommitId([0xab; 20]);
        let page = |repo| commit_page(repo, id).map(|url| url.replace(&id.to_string(), "ID"));
        for (repo, url) in [
            (
                "https://github.com/a/b.git",
                "https://github.com/a/b/commit/ID",
            ),
            (
                "https://github.com/a/b/",
                "https://github.com/a/b/commit/ID",
            ),
            ("git@github.com:a/b.git", "https://github.com/a/b/commit/ID"),
            (
                "ssh://git@gitlab.example.org:2222/g/s/r.git",
                "https://gitlab.example.org/g/s/r/-/commit/ID",
            ),
            (
                "http://gitea.example.org:3000/a/b",
                "http://gitea.example.org:3000/a/b/commit/ID",
            ),
            (
                "https://codeberg.org/a/b.git",
                "https://codeberg.org/a/b/commit/ID",
            ),
            (
                "https://bitbucket.org/a/b.git",
                "https://bitbucket.org/a/b/commits/ID",
            ),
            ("https://git.sr.ht/~a/b", "https://git.sr.ht/~a/b/commit/ID"),
        ] {
            assert_eq!(page(repo).as_deref(), Some(url), "{repo}");
        }
        for repo in [
            "https://git.example.org/a/b",
            "/srv/github/a/b",
            "file:///github.com/a/b",
            "C:/github",
            "https://github.com/a",
            "",
        ] {
            assert_eq!(page(repo), None, "{repo}");
        }
    }

    #[test]
    fn files_have_pages_on_known_hosts() {
        let id = CommitId([0xab; 20]);
        let page =
            |repo| file_page(repo, id, "a b/c?.json").map(|url| url.replace(&id.to_string(), "ID"));
        for (repo, url) in [
            (
                "https://github.com/a/b.git",
                "https://github.com/a/b/blob/ID/a%20b/c%3F.json",
            ),
            (
                "https://gitlab.com/a/b",
                "https://gitlab.com/a/b/-/blob/ID/a%20b/c%3F.json",
            ),
            (
                "https://codeberg.org/a/b",
                "https://codeberg.org/a/b/src/commit/ID/a%20b/c%3F.json",
            ),
            (
                "https://bitbucket.org/a/b",
                "https://bitbucket.org/a/b/src/ID/a%20b/c%3F.json",
            ),
        ] {
            assert_eq!(page(repo).as_deref(), Some(url), "{repo}");
        }
        assert_eq!(page("https://git.example.org/a/b"), None);
    }

    #[test]
    fn lines_have_anchors_on_known_hosts() {
        let id = CommitId([0xab; 20]);
        let page =
            |repo| line_page(repo, id, "c.json", 12).map(|url| url.replace(&id.to_string(), "ID"));
        for (repo, url) in [
            (
                "https://github.com/a/b.git",
                "https://github.com/a/b/blob/ID/c.json#L12",
            ),
            (
                "https://gitlab.com/a/b",
                "https://gitlab.com/a/b/-/blob/ID/c.json#L12",
            ),
            (
                "git@codeberg.org:a/b.git",
                "https://codeberg.org/a/b/src/commit/ID/c.json#L12",
            ),
            (
                "https://bitbucket.org/a/b",
                "https://bitbucket.org/a/b/src/ID/c.json#lines-12",
            ),
            (
                "https://git.sr.ht/~a/b",
                "https://git.sr.ht/~a/b/tree/ID/item/c.json#L12",
            ),
        ] {
            assert_eq!(page(repo).as_deref(), Some(url), "{repo}");
            let pages = line_pages(repo, id).map(|it| it.replace("{path}", "c.json"));
            let page = pages.map(|it| it.replace("{line}", "12").replace(&id.to_string(), "ID"));
            assert_eq!(page.as_deref(), Some(url), "{repo}");
        }
    }

    #[test]
    fn only_web_urls_can_be_linked() {
        assert!(is_web("https://example.org") && is_web("http://example.org/a"));
        assert!(
            !is_web("javascript:alert(1)")
                && !is_web("git@example.org:a/b")
                && !is_web(" https://example.org")
        );
    }

    #[test]
    fn files_can_be_edited_on_known_hosts() {
        for (repo, page) in [
            (
                "https://github.com/a/b.git",
                Some("https://github.com/a/b/edit/release/1/po/de.po"),
            ),
            (
                "git@gitlab.com:a/b.git",
                Some("https://gitlab.com/a/b/-/edit/release/1/po/de.po"),
            ),
            (
                "https://codeberg.org/a/b",
                Some("https://codeberg.org/a/b/_edit/release/1/po/de.po"),
            ),
            (
                "https://bitbucket.org/a/b",
                Some("https://bitbucket.org/a/b/src/release/1/po/de.po?mode=edit"),
            ),
            ("https://git.sr.ht/~a/b", None),
            ("/srv/git/b", None),
        ] {
            assert_eq!(
                edit_page(repo, "release/1", "po/de.po").as_deref(),
                page,
                "{repo}"
            );
        }
    }
}
