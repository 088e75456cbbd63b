//! Reads the grants of a token file: who may read which projects. Rules: `docs/spec/http.md#grants`.

use std::collections::HashSet;
use std::ops::Range;
use std::path::Path;

use anyhow::{anyhow, bail};
use chrono::{DateTime, NaiveDate, NaiveDateTime, NaiveTime};
use serde::Deserialize;
use toml::Spanned;
use toml::value::Datetime;

use gitglot_api::{Grant, Subject, VisibleProjects};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct GrantFile {
    #[serde(default)]
    grant: Vec<Spanned<GrantTable>>,
}

/// `[[grant]]`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct GrantTable {
    name: String,
    token_sha256: Option<String>,
    user: Option<String>,
    group: Option<String>,
    projects: Vec<String>,
    expires: Option<Datetime>,
}

/// Whether a token file contains grants instead of tokens: a line begins with `[`, as tables do. No line of a misspelt
/// grant must become a token, which would read everything.
pub(super) fn are_in(text: &str) -> bool {
    text.lines().any(|line| line.trim_start().starts_with('['))
}

/// The grants of the file at `path`.
///
/// # Errors
/// The first problem, with its line.
pub(super) fn parse(path: &Path, text: &str) -> anyhow::Result<Vec<Grant>> {
    let at = |span: Range<usize>| {
        let before = text.get(..span.start).unwrap_or_default();
        format!("{}:{}", path.display(), before.matches('\n').count() + 1)
    };
    let file: GrantFile = toml::from_str(text).map_err(|error| {
        let problem = error.message().replace('\n', ", ");
        anyhow!("{}: {problem}", at(error.span().unwrap_or_default()))
    })?;
    let mut names = HashSet::new();
    let grants = file.grant.into_iter().map(|table| {
        let span = table.span();
        let name = table.get_ref().name.clone();
        let grant = if names.insert(name.clone()) {
            grant(table.into_inner())
        } else {
            Err(anyhow!(
                "name: two grants have the name '{name}': rename one"
            ))
        };
        grant.map_err(|problem| anyhow!("{}: {problem}", at(span)))
    });
    grants.collect()
}

fn grant(table: GrantTable) -> anyhow::Result<Grant> {
    if table.name.trim().is_empty() {
        bail!("name: the value is empty: name the reader");
    }
    let subject = match (table.token_sha256, table.user, table.group) {
        (Some(digits), None, None) => Subject::Token(sha256(&digits)?),
        (None, Some(user), None) if !user.is_empty() => Subject::User(user),
        (None, None, Some(group)) if !group.is_empty() => Subject::Group(group),
        _ => bail!("the grant needs exactly one of token_sha256, user and group"),
    };
    for pattern in &table.projects {
        let start = pattern.strip_suffix('*').unwrap_or(pattern);
        let fits = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_');
        if pattern.is_empty() || !start.chars().all(fits) {
            bail!(
                "projects: '{pattern}' is no slug: use a slug, a beginning such as acme-*, or * for all"
            );
        }
    }
    if table.projects.is_empty() {
        bail!("projects: the array is empty: add slugs, or * for all");
    }
    let expires = table.expires.map(unix_seconds).transpose()?;
    Ok(Grant {
        name: table.name,
        subject,
        projects: VisibleProjects::new(table.projects.iter().map(String::as_str)),
        expires,
    })
}

/// The bytes of a SHA-256 hash in hexadecimal digits.
fn sha256(digits: &str) -> anyhow::Result<[u8; 32]> {
    let problem = || {
        anyhow!("token_sha256: it is not a SHA-256 hash: write the 64 digits that sha256sum prints")
    };
    let hash = blake3::Hash::from_hex(digits.as_bytes()).map_err(|_| problem())?;
    Ok(*hash.as_bytes())
}

/// The time at which a grant ends: the beginning of a date; UTC without an offset.
fn unix_seconds(end: Datetime) -> anyhow::Result<i64> {
    let text = end.to_string();
    let with_offset = DateTime::parse_from_rfc3339(&text).map(|time| time.timestamp());
    let local = || {
        let format = "%Y-%m-%dT%H:%M:%S%.f";
        let time = NaiveDateTime::parse_from_str(&text.replace(' ', "T"), format);
        time.map(|time| time.and_utc().timestamp())
    };
    let date = || {
        let date = NaiveDate::parse_from_str(&text, "%Y-%m-%d");
        date.map(|date| date.and_time(NaiveTime::MIN).and_utc().timestamp())
    };
    let time = with_offset.or_else(|_| local()).or_else(|_| date());
    time.map_err(|_| anyhow!("expires: {text} is no date: write one such as 2027-06-30"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(text: &str) -> anyhow::Result<Vec<Grant>> {
        parse(Path::new("/etc/tokens"), text)
    }

    #[test]
    fn a_grant_names_a_reader_projects_and_an_end() {
        let hash = "2bb80d537b1da3e38bd30361aa855686bde0eacd7162fef6a25fe97bf527a25b";
        let text = format!(
            "# tenants\n[[grant]]\nname = 'acme'\ntoken_sha256 = '{hash}'\nprojects = ['acme-*']\n\
             expires = 2027-06-30\n[[grant]]\nname = 'staff'\ngroup = 'l10n'\nprojects = ['*']\n\
             expires = 2027-06-30T12:00:00+02:00\n"
        );
        assert!(are_in(&text) && !are_in("# [x]\ntoken\n"));
        let grants = parsed(&text).unwrap();
        assert_eq!(grants[0].subject, Subject::token("secret"));
        assert_eq!(grants[0].expires, Some(1_814_313_600));
        assert_eq!(grants[1].subject, Subject::Group("l10n".into()));
        assert_eq!(grants[1].expires, Some(1_814_313_600 + 36_000));
    }

    #[test]
    fn errors_have_a_line_and_a_next_step() {
        let with = |rest: &str| parsed(&format!("\n[[grant]]\nname = 'a'\n{rest}\n"));
        for (rest, expected) in [
            ("projects = ['a']", "exactly one of"),
            (
                "user = 'a'\ngroup = 'b'\nprojects = ['a']",
                "exactly one of",
            ),
            ("token_sha256 = 'secret'\nprojects = ['a']", "sha256sum"),
            ("user = 'a'\nprojects = []", "add slugs"),
            ("user = 'a'\nprojects = ['a/b']", "is no slug"),
            ("user = 'a'\nproject = ['a']", "unknown field"),
            (
                "user = 'a'\nprojects = ['a']\n[[grant]]\nname = 'a'\nuser = 'b'\nprojects = ['a']",
                "two grants",
            ),
        ] {
            let error = with(rest).unwrap_err().to_string();
            assert!(error.starts_with("/etc/tokens:"), "{error}");
            assert!(error.contains(expected), "{error}");
        }
    }
}
