//! Selects strings with a query, as they are at the tip of the branch (`docs/spec/query.md`).

use std::collections::HashSet;
use std::sync::Arc;

use anyhow::{Context, bail};

use super::CheckArgs;
use super::source::{CheckSource, CheckSources};
use crate::cli::follow_setup::{FollowSetup, temporary_folder};
use crate::cli::reading;
use crate::config::People;
use gitglot_catalog::query::{Dialect, Selection, parse};
use gitglot_catalog::scan::Budget;
use gitglot_catalog::{Snapshot, UnitView};
use gitglot_lint::StaleStrings;
use gitglot_model::{CommitId, SeededMap, Timestamp};

/// The strings that a query selects, by the path of their file and their key. The sources get the stale strings that
/// were read on the way, so that the history is read once.
pub(super) fn select(
    args: &CheckArgs,
    sources: &mut CheckSources,
    query: &str,
) -> anyhow::Result<HashSet<(String, String)>> {
    let snapshot = read_log(args)?;
    let found = selected(&snapshot, query)?;
    // With several repositories, paths do not tell whose they are.
    if let [source] = &mut sources.list[..] {
        source.known_stale = known_stale(&snapshot);
    }
    Ok(found)
}

/// The strings of a snapshot that a query selects, by the path of their file and their key.
pub(super) fn selected(
    snapshot: &Snapshot,
    query: &str,
) -> anyhow::Result<HashSet<(String, String)>> {
    let now = Timestamp::from_seconds(chrono::Utc::now().timestamp());
    let filter = parse(query, Dialect::Weblate34, now).context("--query")?;
    let budget = Budget::unlimited();
    let mut selection = Selection::new(&filter, snapshot.users(), &budget);
    let mut found = HashSet::new();
    for unit in snapshot.units_from(0) {
        if selection.selects(unit) {
            let path = unit.translation.own_path.to_string();
            found.insert((path, unit.component.key(unit.source)));
        }
    }
    Ok(found)
}

/// The commit that all components were read at, and the strings that are stale in it.
fn known_stale(snapshot: &Snapshot) -> Option<(CommitId, StaleStrings)> {
    let mut components = snapshot.components().iter();
    let tip = components.next()?.tip.id;
    if components.any(|component| component.tip.id != tip) {
        return None;
    }
    let mut stale = StaleStrings::default();
    let components = snapshot.components().iter();
    for view in components.flat_map(|component| component.views()) {
        let translation = view.translation;
        let units = translation
            .stale
            .iter()
            .filter_map(|&(row, _)| view.unit(row));
        let string = |unit: UnitView<'_>| {
            let previous = unit.known_previous_source().to_owned();
            (unit.component.key(unit.source), previous)
        };
        let strings: SeededMap<_, _> = units.map(string).collect();
        if !strings.is_empty() {
            stale.insert(translation.own_path.clone(), strings);
        }
    }
    Some((tip, stale))
}

/// The only repository, with the people of its languages and its whole history. `next_step` says what to do if there are
/// several.
pub(super) fn read_one(
    args: &CheckArgs,
    next_step: &str,
) -> anyhow::Result<(CheckSource, People, Arc<Snapshot>)> {
    let mut sources = CheckSources::find(args)?;
    let (Some(source), true) = (sources.list.pop(), sources.list.is_empty()) else {
        bail!("the configuration has several repositories: {next_step}");
    };
    Ok((source, sources.people, read_log(args)?))
}

/// Reads the whole history of the repositories, as a server does.
fn read_log(args: &CheckArgs) -> anyhow::Result<Arc<Snapshot>> {
    let (target, data, log) = (args.target.clone(), args.data.clone(), args.log.clone());
    let mut config = reading::config(target, None, data, log)?;
    let folder = temporary_folder()?;
    config.state_dir = folder.path().join("state");
    let setup = FollowSetup::new(config);
    reading::read(&setup)?;
    setup.published.load().context("nothing was read")
}
