//! Strings that move between the components of a project: found in their logs after the components advance, so that all
//! replicas find the same (docs/spec/renames.md#other-components).

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::component::{Advanced, ComponentState};
use crate::project::HistoryMode;
use gitglot_catalog::{Arrivals, StringArrival};
use gitglot_history::component_moves::{BranchMoves, CarriedText, ComponentLog};
use gitglot_ledger::IdRegistry;
use gitglot_model::ComponentIndex;

/// Repository, project and branch of components between which strings can move.
type GroupKey = (String, String, String);

/// The moves found so far.
#[derive(Default, Debug)]
pub(super) struct MovedStrings {
    groups: BTreeMap<GroupKey, BranchMoves>,
}

/// Components by their index.
pub(super) type Components<'a> = BTreeMap<ComponentIndex, &'a mut ComponentState>;

impl MovedStrings {
    /// Removes the groups of a repository.
    pub fn take(&mut self, repository: &str) -> Self {
        let first = (repository.to_owned(), String::new(), String::new());
        let keys = self.groups.range(first..).map(|(key, _)| key);
        let keys = keys.take_while(|(of, ..)| of == repository).cloned();
        let keys: Vec<GroupKey> = keys.collect();
        let remove = |key: GroupKey| self.groups.remove_entry(&key);
        Self {
            groups: keys.into_iter().filter_map(remove).collect(),
        }
    }

    /// Takes groups back.
    pub fn put(&mut self, groups: Self) {
        self.groups.extend(groups.groups);
    }

    /// Finds the strings that new commits moved between components, except of repositories of which a step has done so.
    /// Texts that were stale before stay stale.
    pub fn find(&mut self, components: &mut Components<'_>, advanced: &mut Advanced) {
        let advancing = advanced.states.keys();
        let advancing = advancing.filter_map(|index| components.get(index));
        // The state of a checkpoint lacks the strings of other components.
        let restored = components.values();
        let restored = restored.filter(|component| component.is_restored());
        let mut groups: BTreeMap<GroupKey, Vec<ComponentIndex>> = advancing
            .chain(restored)
            .map(|component| (branch_of(component), Vec::new()))
            .filter(|(key, _)| !advanced.with_moves.contains(&key.0))
            .collect();
        let slugs: BTreeSet<String> = groups.keys().map(|(_, slug, _)| slug.clone()).collect();
        // There can be very many components, and few of them advance.
        for (&at, component) in &*components {
            if slugs.contains(&component.project_slug)
                && component.config.renames
                && component.mode == HistoryMode::Full
                && (component.snapshot().is_some() || advanced.states.contains_key(&at))
                && let Some(members) = groups.get_mut(&branch_of(component))
            {
                members.push(at);
            }
        }
        self.groups
            .retain(|key, _| groups.get(key).is_none_or(|members| members.len() > 1));
        // A late step takes the strings later. A checkpoint is not written on a thread next to a late step.
        let is_in_step = |index: &ComponentIndex| {
            components
                .get(index)
                .is_some_and(|component| component.is_in_step())
        };
        groups.retain(|_, members| members.len() > 1 && !members.iter().any(is_in_step));
        for (key, members) in groups {
            let group = self.groups.entry(key).or_default();
            let received = group.compare(&logs_of(&members, components, advanced));
            for (component, carried) in received.texts {
                if let Some(state) = components.get_mut(&component) {
                    receive(state, component, &carried, received.is_all, advanced);
                }
            }
        }
    }

    /// The strings that came to a component.
    pub fn arrivals(
        &self,
        to: ComponentIndex,
        components: &[ComponentState],
        ids: &IdRegistry,
    ) -> Arc<Arrivals> {
        let key = components.get(to.get()).map(branch_of);
        let Some(group) = key.and_then(|key| self.groups.get(&key)) else {
            return Arc::default();
        };
        let arrivals = group.arrived(to).filter_map(|(it, from)| {
            let name = &components.get(from.get())?.name;
            Some(StringArrival {
                rename: it.rename,
                from: ids.component_id(name)?,
                from_path: name.as_str().into(),
                old_name: it.old_name.clone(),
                moved: it.moved_entries().collect(),
            })
        });
        Arc::new(Arrivals::new(arrivals.collect()))
    }
}

/// The group that a component belongs to.
fn branch_of(component: &ComponentState) -> GroupKey {
    let slug = component.project_slug.clone();
    let branch = component.config.branch.clone();
    (component.repository.clone(), slug, branch)
}

/// The logs of the components of a group that have a state, with what advances add.
fn logs_of<'a>(
    members: &[ComponentIndex],
    components: &'a Components<'_>,
    advanced: &'a Advanced,
) -> Vec<ComponentLog<'a>> {
    let log_of = |&index: &ComponentIndex| {
        let component = components.get(&index)?;
        let (log, texts, sources) = match (advanced.states.get(&index), component.snapshot()) {
            (Some((_, new)), _) => (&new.log, &new.texts, &*new.sources),
            (None, Some(shown)) => (&shown.log, &shown.texts, shown.strings()),
            (None, None) => return None,
        };
        let shape = component.config.file_format.shape();
        Some(ComponentLog {
            component: index,
            log,
            texts,
            sources,
            shape,
        })
    };
    members.iter().filter_map(log_of).collect()
}

/// Takes strings from other components. A component that has not advanced is projected again.
fn receive(
    component: &mut ComponentState,
    index: ComponentIndex,
    carried: &[CarriedText],
    is_all: bool,
    advanced: &mut Advanced,
) {
    let history = component.phase.history_mut();
    let becomes_stale = history.is_some_and(|history| history.carry(carried, is_all));
    let advancing = advanced.states.get_mut(&index);
    if advancing.is_some() && !becomes_stale {
        return;
    }
    match (component.project_again(index), advancing) {
        (Ok(Some((_, again))), Some((_, projection))) => *projection = again,
        (Ok(Some(unmoved)), None) => {
            advanced.states.insert(index, unmoved);
        }
        (Ok(None), _) => {}
        (Err(error), _) => tracing::warn!(
            component = component.name,
            "{}: cannot show strings that moved from other components: {error}",
            component.name
        ),
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use crate::testing::{FollowSite, contents, moved_project, moved_string, project};
    use gitglot_model::FileFormat;
    use gitglot_testkit::{Repo, commit};

    /// The old and new keys of strings that moved, and the Czech text with its earlier source, after some pushes.
    fn moved(tips: &[&str]) -> (Vec<String>, Option<String>) {
        let folder = tempfile::tempdir().unwrap();
        let repo = Repo::with(&folder.path().join("garden.git"), &moved_string());
        let mut site = FollowSite::new(&moved_project(&repo), None);
        for (nth, tip) in (0..).zip(tips) {
            site.observe(repo.id(tip), 10 * nth);
        }
        let running = contents(&site.snapshot());
        site.write_checkpoints();
        for _ in 0..2 {
            site.restart();
            assert_eq!(contents(&site.snapshot()), running, "{tips:?}");
            site.remove_checkpoints();
        }
        let snapshot = site.snapshot();
        let arrivals = snapshot.components().iter().flat_map(|of| {
            let key = |it: &gitglot_catalog::StringArrival| {
                of.texts
                    .get(of.log.keys[it.rename.to.0 as usize])
                    .to_owned()
            };
            of.arrivals()
                .iter()
                .map(move |it| format!("{} > {} {:?}", it.old_name, key(it), it.rename.evidence))
        });
        let arrivals = arrivals.collect();
        let stale = snapshot.units_from(0).find(|unit| {
            unit.component.texts.get(unit.source.context) == ".k2" && !unit.translation.is_template
        });
        let stale = stale.filter(|unit| unit.unit.fuzzy());
        let previous = stale.map(|unit| {
            let text = unit.translation.previous_source(unit.row);
            unit.component.texts.get(text).to_owned()
        });
        (arrivals, previous)
    }

    #[test]
    fn a_commit_that_is_pushed_again_moves_its_strings_again() {
        let there = ".k > .k2 SourceAndTranslations".to_owned();
        let back = ".k2 > .k SourceAndTranslations".to_owned();
        let stale = Some("Hello".to_owned());
        assert_eq!(moved(&["b", "c"]), (vec![there.clone()], stale.clone()));
        let twice = vec![back.clone(), there.clone(), there.clone()];
        assert_eq!(moved(&["b", "c", "b", "c"]), (twice, stale.clone()));
        let again = vec![there.clone(), there.clone()];
        assert_eq!(moved(&["b", "c", "a", "c"]), (again, stale.clone()));
        let more = [vec![back; 2], vec![there; 3]].concat();
        assert_eq!(moved(&["b", "c", "b", "c", "b", "c"]), (more, stale));
    }

    #[test]
    fn a_language_that_is_renamed_counts_as_after_a_restart() {
        let folder = tempfile::tempdir().unwrap();
        let history = moved_string()
            .commit("d")
            .delete("b/cs.json")
            .write("b/sk.json", r#"{"q": "Konec", "k2": "Ahoj"}"#);
        let repo = Repo::with(&folder.path().join("garden.git"), &history);
        let mut site = FollowSite::new(&moved_project(&repo), None);
        for (nth, tip) in (0..).zip(["a", "c", "d"]) {
            site.observe(repo.id(tip), 10 * nth);
        }
        let arrivals = |site: &FollowSite| {
            let snapshot = site.snapshot();
            let of = snapshot.components()[1].arrivals().iter();
            of.map(|it| format!("{:?}", it.rename.evidence))
                .collect::<Vec<_>>()
        };
        let running = arrivals(&site);
        site.restart();
        assert_eq!(arrivals(&site), running);
        assert_eq!(running.len(), 1);
    }

    #[test]
    fn a_plural_that_moves_stays_written_for_its_source() {
        let folder = tempfile::tempdir().unwrap();
        let (en, cs) = (
            r#"{"k_one": "a file", "k_other": "files"}"#,
            r#"{"k_one": "soubor", "k_other": "soubory"}"#,
        );
        let history = commit("a")
            .write("a/en.json", en)
            .write("a/cs.json", cs)
            .write("b/en.json", "{}")
            .write("b/cs.json", "{}")
            .commit("b")
            .write("a/en.json", "{}")
            .write("a/cs.json", "{}")
            .write("b/en.json", en)
            .write("b/cs.json", cs);
        let repo = Repo::with(&folder.path().join("garden.git"), &history);
        let components = ["a", "b"].map(|slug| {
            (
                slug,
                [slug, "/*.json"].concat(),
                [slug, "/en.json"].concat(),
            )
        });
        let components = components
            .each_ref()
            .map(|(slug, mask, template)| (*slug, &**mask, &**template, FileFormat::I18nextV4));
        let mut site = FollowSite::new(&project(repo.dir(), &components), None);
        site.observe(repo.id("b"), 0);
        let snapshot = site.snapshot();
        assert_eq!(snapshot.components()[1].arrivals().iter().count(), 1);
        assert!(snapshot.units_from(0).all(|unit| !unit.unit.fuzzy()));
    }

    #[test]
    fn a_late_step_that_fails_leaves_strings_where_they_moved() {
        let folder = tempfile::tempdir().unwrap();
        let history = moved_string()
            .commit("d")
            .write("a/cs.json", r#"{"z": "Zet"}"#);
        let repo = Repo::with(&folder.path().join("garden.git"), &history);
        let mut site = FollowSite::late(&moved_project(&repo), None);
        site.observe(repo.id("b"), 0);
        site.observe(repo.id("c"), 10);
        site.write_checkpoints();
        site.open();
        site.followed().steps.progress = Arc::new(|_, _| panic!("injected"));
        let arrivals = |site: &FollowSite| -> Vec<usize> {
            let snapshot = site.snapshot();
            let components = snapshot.components().iter();
            components.map(|of| of.arrivals().iter().count()).collect()
        };
        site.begin(repo.id("d"), 20);
        assert_eq!(arrivals(&site), [0, 0], "they may come with the late step");
        site.finish();
        assert!(site.failures().iter().all(Option::is_some));
        assert_eq!(arrivals(&site), [0, 1]);
    }
}
