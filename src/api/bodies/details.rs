use super::change::{translation_link, unit_link};
use super::component_path;
use crate::api::json::{int, moment, object, offset_time, optional_text, text};
use crate::api::links::{Links, encoded, link, numbered};
use crate::api::privacy::{name, without_addresses};
use crate::catalog::ChangeView;
use crate::model::{CommitId, CommitRow, OffsetTime};

/// Writes what git knows of an entry of the change log: which string of which file, in which commit, from which
/// text to which. Also told when string or file are gone.
pub(in crate::api) fn details(out: &mut Vec<u8>, links: &Links, view: ChangeView<'_>) {
    let (component, entry) = (view.component, &view.entry);
    let (log, texts) = (&component.log, &component.texts);
    let translation = view.translation().and_then(|at| component.translations.get(at as usize));
    let lineage = entry.lineage.and_then(|lineage| log.lineages.get(usize::from(lineage.0)));
    let language = translation
        .map(|translation| &*translation.language.code)
        .or_else(|| lineage.map(|lineage| texts.get(lineage.language)));
    let path =
        translation.map(|translation| &*translation.path).or_else(|| lineage.map(|lineage| texts.get(lineage.path)));
    let key = entry.key.and_then(|key| {
        let row = component.row_of_key.get(key.0 as usize).and_then(|&row| component.sources.get(row as usize));
        row.map(|row| row.context).or_else(|| log.keys.get(key.0 as usize).copied())
    });
    object!(out;
        "id" => int(entry.id.0),
        "url" => numbered_details(links, entry.id.0),
        "change" => numbered(links, "changes/", entry.id.0),
        "component" => link(links, &["components/", &component_path(component)]),
        "translation" => translation_link(links, view),
        "unit" => unit_link(links, view),
        "action" => int(entry.action.code()),
        "action_name" => text(entry.action.label()),
        "timestamp" => moment(entry.time),
        "language" => optional_text(language),
        "path" => optional_text(path),
        "key" => optional_text(key.map(|key| texts.get(key))),
        "previous" => text(texts.get(entry.previous)),
        "target" => text(texts.get(entry.target)),
        "commit" => commit(view),
    );
}

fn numbered_details(out: &mut Vec<u8>, links: &Links, id: u32) {
    link(out, links, &["changes/", itoa::Buffer::new().format(id), "/details"]);
}

fn commit(out: &mut Vec<u8>, view: ChangeView<'_>) {
    let texts = &view.component.texts;
    let row: Option<&CommitRow> = view.commit();
    let id = row.map_or(view.component.tip.id, |row| row.id);
    let time = |pick: fn(&CommitRow) -> OffsetTime| row.map_or(view.component.tip.committer.time, pick);
    object!(out;
        "id" => text(&id.to_string()),
        "url" => optional_text(commit_page(&view.component.component.repo, id).as_deref()),
        "subject" => text(&without_addresses(row.map_or("", |row| texts.get(row.subject)))),
        "author_name" => text(&name(row.map_or("", |row| texts.get(row.author_name)))),
        "author_time" => offset_time(time(|row| row.authored)),
        "committer_time" => offset_time(time(|row| row.committed)),
    );
}

/// The page of a commit on a known host: `repo` is any address of the repository that git takes.
fn commit_page(repo: &str, commit: CommitId) -> Option<String> {
    let (host, path) = match repo.split_once("://") {
        Some(("https" | "http" | "ssh" | "git", rest)) => rest.split_once('/')?,
        Some(_) => return None,
        // `user@host:path`
        None => repo.split_once(':').filter(|(host, _)| !host.contains('/') && host.len() > 1)?,
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
    let says = |word: &str| server.split(['.', '-']).any(|label| label == word);
    let middle = if says("github") || says("gitea") || says("forgejo") || says("codeberg") {
        "commit"
    } else if says("gitlab") {
        "-/commit"
    } else if says("bitbucket") {
        "commits"
    } else {
        return None;
    };
    // A port counts only where it is one of web pages.
    let (scheme, port) = match repo.split_once("://") {
        Some(("http", _)) => ("http", port),
        Some(("https", _)) => ("https", port),
        _ => ("https", ""),
    };
    let colon = if port.is_empty() { "" } else { ":" };
    let path: Vec<_> = path.split('/').map(encoded).collect();
    Some(format!("{scheme}://{server}{colon}{port}/{}/{middle}/{commit}", path.join("/")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_of_a_commit_is_known_for_the_usual_hosts() {
        let id = CommitId([0xab; 20]);
        let page = |repo| commit_page(repo, id).map(|url| url.replace(&id.to_string(), "ID"));
        for (repo, url) in [
            ("https://github.com/a/b.git", "https://github.com/a/b/commit/ID"),
            ("https://github.com/a/b/", "https://github.com/a/b/commit/ID"),
            ("git@github.com:a/b.git", "https://github.com/a/b/commit/ID"),
            ("ssh://git@gitlab.example.org:2222/g/s/r.git", "https://gitlab.example.org/g/s/r/-/commit/ID"),
            ("http://gitea.example.org:3000/a/b", "http://gitea.example.org:3000/a/b/commit/ID"),
            ("https://codeberg.org/a/b.git", "https://codeberg.org/a/b/commit/ID"),
            ("https://bitbucket.org/a/b.git", "https://bitbucket.org/a/b/commits/ID"),
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
}
