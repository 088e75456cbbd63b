//! Payloads of repository hosts. Source: `docs/spec/http.md#hooks`.

use poem::http::HeaderMap;
use poem::http::header::CONTENT_TYPE;
use serde_json::Value;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum HookService {
    /// GitHub, also on other hosts.
    GitHub,
    GitLab,
    /// Bitbucket, with its current and its previous payload.
    Bitbucket,
    Pagure,
    /// Gitea and Forgejo, which send the payload of GitHub.
    Gitea,
}

impl HookService {
    /// The service of a path.
    pub(super) fn from_name(name: &str) -> Option<Self> {
        Some(match name {
            "github" => Self::GitHub,
            "gitlab" => Self::GitLab,
            "bitbucket" => Self::Bitbucket,
            "pagure" => Self::Pagure,
            "gitea" | "forgejo" => Self::Gitea,
            _ => return None,
        })
    }
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum HookEvent {
    Push(Push),
    /// A ping or any other event.
    Ignored,
}

#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(super) struct Push {
    /// The branch; `None` for any.
    pub(super) branch: Option<String>,
    /// Possible addresses of the repository.
    pub(super) addresses: Vec<String>,
    /// A suffix of other possible addresses; `""` for none.
    pub(super) suffix: String,
}

impl HookEvent {
    fn push(branch: Option<String>, addresses: Vec<String>, suffix: &str) -> Self {
        let suffix = suffix.to_owned();
        Self::Push(Push {
            branch,
            addresses,
            suffix,
        })
    }
}

/// Why a payload is rejected: the response body of Weblate 3.4.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub(super) enum PayloadError {
    #[error("Could not parse JSON payload!")]
    InvalidJson,
    #[error("Invalid data in json payload!")]
    Incomplete,
}

/// Parses a payload: the body if it is JSON, else the form field `payload`.
pub(super) fn parse(
    service: HookService,
    headers: &HeaderMap,
    body: &[u8],
) -> Result<HookEvent, PayloadError> {
    let header = |name: &str| headers.get(name).and_then(|value| value.to_str().ok());
    let value: Value =
        if header(CONTENT_TYPE.as_str()).is_some_and(|media| media.contains("application/json")) {
            serde_json::from_slice(body)
        } else {
            let field = form_urlencoded::parse(body).find(|(name, _)| name == "payload");
            serde_json::from_str(&field.ok_or(PayloadError::InvalidJson)?.1)
        }
        .map_err(|_| PayloadError::InvalidJson)?;
    let empty = match &value {
        Value::Null => true,
        Value::Object(fields) => fields.is_empty(),
        Value::Array(values) => values.is_empty(),
        _ => false,
    };
    if empty {
        return Err(PayloadError::Incomplete);
    }
    if header("x-event-key") == Some("diagnostics:ping") {
        return Ok(HookEvent::Ignored);
    }
    let event = match service {
        HookService::GitHub | HookService::Gitea => github(&value),
        HookService::GitLab => gitlab(&value),
        HookService::Bitbucket => bitbucket(&value),
        HookService::Pagure => pagure(&value),
    };
    event.ok_or(PayloadError::Incomplete)
}

fn text<'a>(value: &'a Value, path: &str) -> Option<&'a str> {
    value.pointer(path)?.as_str()
}

fn without_scheme(url: &str) -> &str {
    url.split_once("://").map_or(url, |(_, rest)| rest)
}

fn branch_name(name: &str) -> String {
    name.strip_prefix("refs/heads/").unwrap_or(name).to_owned()
}

/// The fields with addresses of a repository at GitHub.
const ADDRESSES: [&str; 6] = [
    "/clone_url",
    "/git_url",
    "/ssh_url",
    "/svn_url",
    "/html_url",
    "/url",
];

fn github(value: &Value) -> Option<HookEvent> {
    let is_ping = value.get("ref").is_none() && value.get("zen").is_some();
    let action = text(value, "/action");
    if is_ping || matches!(action, Some("created" | "added" | "deleted")) {
        return Some(HookEvent::Ignored);
    }
    let repository = value.get("repository")?;
    repository.get("url")?;
    let owner = text(repository, "/owner/login").or_else(|| text(repository, "/owner/name"))?;
    let full = format!("{owner}/{}.git", text(repository, "/name")?);
    let addresses = if repository.get("clone_url").is_some() {
        let addresses = ADDRESSES.iter().filter_map(|name| text(repository, name));
        addresses.map(str::to_owned).collect()
    } else {
        let plain = full.trim_end_matches(".git");
        vec![
            format!("git://github.com/{full}"),
            format!("https://github.com/{full}"),
            format!("https://github.com/{plain}"),
            format!("git@github.com:{full}"),
        ]
    };
    let branch = branch_name(text(value, "/ref")?);
    Some(HookEvent::push(Some(branch), addresses, &full))
}

fn gitlab(value: &Value) -> Option<HookEvent> {
    let Some(reference) = text(value, "/ref") else {
        return Some(HookEvent::Ignored);
    };
    let repository = value.get("repository")?;
    let (url, homepage) = (text(repository, "/url")?, text(repository, "/homepage")?);
    let mut addresses = vec![url.to_owned(), format!("{homepage}.git")];
    let named = ["/git_http_url", "/git_ssh_url"].into_iter();
    addresses.extend(named.filter_map(|name| Some(text(repository, name)?.to_owned())));
    addresses.push(homepage.to_owned());
    let suffix = url.split_once(':').map_or("", |(_, rest)| rest);
    Some(HookEvent::push(
        Some(branch_name(reference)),
        addresses,
        suffix,
    ))
}

fn bitbucket(value: &Value) -> Option<HookEvent> {
    let repository = value.get("repository")?;
    let named = |change: &Value| {
        let name = text(change, "/new/name").or_else(|| text(change, "/old/name"));
        name.map(str::to_owned)
    };
    let branch = match value.pointer("/push/changes").and_then(Value::as_array) {
        Some(changes) => changes.last().and_then(named),
        None => {
            let commits = value.get("commits").and_then(Value::as_array);
            commits.and_then(|all| Some(text(all.last()?, "/branch")?.to_owned()))
        }
    };
    let owner_and_slug =
        || Some([text(repository, "/owner")?, text(repository, "/slug")?].join("/"));
    let full = text(repository, "/full_name").map(str::to_owned);
    let full = full.or_else(owner_and_slug)?;
    let page = text(repository, "/links/html/href")
        .or_else(|| text(value, "/canon_url"))
        .unwrap_or("https://bitbucket.org");
    let host = without_scheme(page).split('/').next().unwrap_or_default();
    let addresses = vec![
        format!("https://{host}/{full}.git"),
        format!("https://{host}/{full}"),
        format!("ssh://git@{host}/{full}.git"),
        format!("git@{host}:{full}.git"),
    ];
    Some(HookEvent::push(branch, addresses, &format!("{full}.git")))
}

fn pagure(value: &Value) -> Option<HookEvent> {
    let Some(message) = value.get("msg") else {
        return Some(HookEvent::Ignored);
    };
    if text(value, "/topic") != Some("git.receive") {
        return Some(HookEvent::Ignored);
    }
    let project = text(message, "/project_fullname")?;
    let host = text(message, "/pagure_instance").unwrap_or("https://pagure.io");
    let host = without_scheme(host).trim_end_matches('/');
    let addresses = vec![
        format!("https://{host}/{project}"),
        format!("https://{host}/{project}.git"),
        format!("ssh://git@{host}/{project}.git"),
    ];
    let branch = text(message, "/branch")?.to_owned();
    Some(HookEvent::push(Some(branch), addresses, project))
}
