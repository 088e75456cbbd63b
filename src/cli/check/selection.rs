//! Selects strings with a query, as they are at the tip of the branch (`docs/spec/query.md`).

use std::collections::HashSet;
use std::sync::Arc;

use anyhow::Context;

use super::CheckArgs;
use crate::cli::checkout;
use crate::cli::follow_setup::{FollowSetup, temporary_folder};
use crate::cli::reading;
use crate::config::{Config, ConfigFlags, HttpArgs};
use gitglot_catalog::Snapshot;
use gitglot_catalog::query::{Dialect, Selection, parse};
use gitglot_catalog::scan::Budget;
use gitglot_model::Timestamp;

/// The strings that a query selects, by the path of their file and their key.
pub(super) fn select(args: &CheckArgs, query: &str) -> anyhow::Result<HashSet<(String, String)>> {
    let now = Timestamp::from_seconds(chrono::Utc::now().timestamp());
    let filter = parse(query, Dialect::Weblate34, now).context("--query")?;
    let snapshot = read_log(args)?;
    let budget = Budget::unlimited();
    let mut selection = Selection::new(&filter, snapshot.users(), &budget);
    let mut found = HashSet::new();
    for unit in snapshot.units_from(0) {
        if selection.selects(unit) {
            let path = unit.translation.path.to_string();
            found.insert((path, unit.component.key(unit.source)));
        }
    }
    Ok(found)
}

/// Reads the whole history of the repositories, as a server does.
pub(super) fn read_log(args: &CheckArgs) -> anyhow::Result<Arc<Snapshot>> {
    let mut config = Config::load(ConfigFlags {
        target: args.target.clone(),
        http: HttpArgs::default(),
        data: args.data.clone(),
        log: args.log.clone(),
    })?;
    checkout::describe(&mut config)?;
    let folder = temporary_folder()?;
    config.state_dir = folder.path().join("state");
    let setup = FollowSetup::new(config);
    reading::read(&setup)?;
    setup.published.load().context("nothing was read")
}
