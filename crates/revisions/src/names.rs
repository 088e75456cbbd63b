//! From the name of a revision to its commit (docs/spec/revisions.md#names).

use std::sync::Arc;

use chrono::{DateTime, NaiveDate, NaiveDateTime};

use super::reader::{CacheEntry, CacheKey, Revisions};
use super::revision::{Revision, RevisionProblem, RevisionReadError};
use gitglot_catalog::ComponentSnapshot;
use gitglot_git::{Repository, RevisionError, ancestors, find_named, is_short_id, named_commits};
use gitglot_model::CommitId;

/// Mainline commits that a search by time reads in a component without a log.
const MAX_WALKED: usize = 100_000;

/// Finds the commit of a name without a look at the repository: the tip, or a mainline commit of the log by its full id or
/// by a time.
pub fn find_in_memory(component: &ComponentSnapshot, name: &str) -> Option<Revision> {
    let mainline = &component.log.mainline;
    let branch = &component.component.branch;
    let (commit, is_fixed) = if let Some(time) = name.strip_prefix('@') {
        (mainline_at(component, seconds(time)?)?, false)
    } else if name == "HEAD" || name == branch || name.strip_prefix("refs/heads/") == Some(branch) {
        (component.tip.id, false)
    } else {
        let commit = name.parse::<CommitId>().ok()?;
        let is_known =
            commit == component.tip.id || mainline.iter().any(|row| row.commit == commit);
        (is_known.then_some(commit)?, true)
    };
    Some(Revision {
        name: name.to_owned(),
        commit,
        is_fixed,
    })
}

/// The last mainline commit of the log at or before a time.
fn mainline_at(component: &ComponentSnapshot, time: i64) -> Option<CommitId> {
    let row = component.log.mainline_at(&[time]).pop().flatten();
    row.map(|row| row.commit)
}

/// Finds the commit of a name: a commit id, a tag, a branch that is fetched, or a time after `@`.
///
/// # Errors
/// If there is no such commit, with the reason.
pub fn find(
    revisions: &Revisions,
    component: &ComponentSnapshot,
    name: &str,
) -> Result<Revision, RevisionProblem> {
    let found = |commit, is_fixed| Revision {
        name: name.to_owned(),
        commit,
        is_fixed,
    };
    if let Some(time) = name.strip_prefix('@') {
        let time = seconds(time).ok_or_else(|| {
            RevisionProblem::NotFound(format!(
                "'@{time}' is not a time: use @2024-01-31 or @2024-01-31T12:00:00Z."
            ))
        })?;
        let commit = revisions
            .with_repository(component, |repository| at_time(component, repository, time))?;
        return Ok(found(commit, false));
    }
    let branch = &component.component.branch;
    if name == "HEAD" || name == branch || name.strip_prefix("refs/heads/") == Some(branch) {
        return Ok(found(component.tip.id, false));
    }
    let repository = revisions.repository(component)?;
    let patterns = &component.component.branches;
    let commit = match find_named(&repository, name, patterns) {
        // The commit may be in a pack that was added since.
        Err(RevisionError::NotNamed(_)) => {
            let reopened = repository.reopen().map_err(RevisionReadError::from)?;
            find_named(&reopened, name, patterns)
        }
        found => found,
    };
    let commit = commit.map_err(|error| RevisionProblem::NotFound(reason(component, &error)))?;
    let is_fixed = name.parse::<CommitId>().is_ok();
    let is_id = is_fixed || is_short_id(name);
    if !is_id || is_reachable(revisions, component, &repository, commit)? {
        return Ok(found(commit, is_fixed));
    }
    Err(RevisionProblem::NotFound(format!(
        "The commit {name} is not on an available branch or tag. {}",
        served(component)
    )))
}

/// Whether the followed branch, a fetched branch or a tag contains a commit.
fn is_reachable(
    revisions: &Revisions,
    component: &ComponentSnapshot,
    repository: &Repository,
    commit: CommitId,
) -> Result<bool, RevisionProblem> {
    let log = &component.log;
    if commit == component.tip.id || log.mainline.iter().any(|row| row.commit == commit) {
        return Ok(true);
    }
    let patterns = &component.component.branches;
    let mut tips = named_commits(repository, patterns).map_err(RevisionReadError::from)?;
    tips.push(component.tip.id);
    tips.sort_unstable();
    tips.dedup();
    if tips.contains(&commit) {
        return Ok(true);
    }
    let key = CacheKey::Reachable(component.component.id, tips.clone());
    if let Some(CacheEntry::Reachable(known)) = revisions.cache().get(&key) {
        return Ok(known.contains(&commit));
    }
    let known = Arc::new(ancestors(&mut repository.reader(), tips));
    let result = known.contains(&commit);
    let bytes = known.capacity() * size_of::<CommitId>() + 4096;
    revisions.cache_value(key, CacheEntry::Reachable(known), bytes);
    Ok(result)
}

/// The last mainline commit at or before a time.
fn at_time(
    component: &ComponentSnapshot,
    repository: &Repository,
    time: i64,
) -> Result<CommitId, RevisionReadError> {
    let too_early = || {
        let reason = "The branch has no commit at or before that time: choose a later one.";
        RevisionReadError::NotFound(reason.to_owned())
    };
    if !component.log.mainline.is_empty() {
        return mainline_at(component, time).ok_or_else(too_early);
    }
    let mut reader = repository.reader();
    let mut at = component.tip.id;
    for _ in 0..MAX_WALKED {
        let header = reader.commit_header(at)?;
        if header.committed <= time {
            return Ok(at);
        }
        at = *header.parents.first().ok_or_else(too_early)?;
    }
    Err(too_early())
}

/// The Unix seconds of a date, which begins at 00:00 UTC, or of a time, in UTC unless it has an offset.
pub(super) fn seconds(text: &str) -> Option<i64> {
    if let Ok(time) = DateTime::parse_from_rfc3339(text) {
        return Some(time.timestamp());
    }
    let text = text.strip_suffix('Z').unwrap_or(text);
    let parse = |format| NaiveDateTime::parse_from_str(text, format).ok();
    let time = parse("%Y-%m-%dT%H:%M:%S").or_else(|| parse("%Y-%m-%dT%H:%M"));
    let date = || {
        let date = NaiveDate::parse_from_str(text, "%Y-%m-%d");
        date.ok()?.and_hms_opt(0, 0, 0)
    };
    Some(time.or_else(date)?.and_utc().timestamp())
}

/// Why a name selects no commit, and the next step.
fn reason(component: &ComponentSnapshot, error: &RevisionError) -> String {
    match error {
        RevisionError::Ambiguous(name) => format!(
            "The revision '{name}' is ambiguous: use the full commit id, refs/tags/NAME or refs/heads/NAME."
        ),
        RevisionError::NotACommit(name) => format!(
            "The revision '{name}' is not a commit: use a commit id, a tag of a commit, or a branch."
        ),
        RevisionError::Unknown(name, _) | RevisionError::NotNamed(name) => {
            let served = served(component);
            format!("There is no revision '{name}'. {served} Encode a `/` in a name as %2F.")
        }
    }
}

/// The revisions that can be named.
fn served(component: &ComponentSnapshot) -> String {
    let settings = &component.component;
    let patterns: Vec<String> = settings.branches.iter().map(ToString::to_string).collect();
    let (branches, more) = if patterns.iter().any(|pattern| pattern == "*") {
        ("all branches".to_owned(), "")
    } else {
        let served = format!("the branch {}", settings.branch);
        let branches = [&[served], &*patterns].concat().join(", ");
        (
            branches,
            " The setting branches (--branches) allows others.",
        )
    };
    format!(
        "Available revisions: {branches}, tags, their commit ids, and times such as @2024-01-31.{more}"
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_snapshot::snapshot;

    #[test]
    fn the_tip_has_names_that_move_and_one_that_does_not() {
        let snapshot = snapshot();
        let component = &snapshot.components()[0];
        let found = |name: &str| {
            let revision = find_in_memory(component, name)?;
            Some((revision.commit == component.tip.id, revision.is_fixed))
        };
        for name in ["HEAD", "main", "refs/heads/main"] {
            assert_eq!(found(name), Some((true, false)), "{name}");
        }
        assert_eq!(found(&component.tip.id.to_string()), Some((true, true)));
        for name in ["v1", "refs/tags/main", &"7".repeat(40), "@2024-01-31", "@x"] {
            assert_eq!(found(name), None, "{name}");
        }
    }

    #[test]
    fn times_are_dates_or_times_in_utc() {
        for (text, wanted) in [
            ("2024-01-31", Some(1_706_659_200)),
            ("2024-01-31T12:00", Some(1_706_702_400)),
            ("2024-01-31T12:00:01Z", Some(1_706_702_401)),
            ("2024-01-31T12:00:00+02:00", Some(1_706_695_200)),
            ("2024-02-30", None),
            ("yesterday", None),
            ("", None),
            ("2024", None),
        ] {
            assert_eq!(seconds(text), wanted, "{text}");
        }
    }
}
