//! Strings that move between the components of a project: found in their logs after the components advance, so that all
//! replicas find the same (docs/spec/renames.md#other-components).

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::component::{Advanced, ComponentState};
use gitglot_catalog::{Arrivals, StringArrival};
use gitglot_history::Projection;
use gitglot_history::component_moves::{
    ComponentLog, ComponentMove, FoundMoves, MovedText, component_moves,
};
use gitglot_ledger::IdRegistry;
use gitglot_model::{ComponentIndex, KeyId, LineageId, LogMark};

/// Project, repository and branch of components between which strings can move.
type GroupKey = (String, String, String);

/// A translation and a key, the index of the entry that wrote the text, and the source that it was written for.
type CarriedText = (LineageId, KeyId, u32, String);

/// The moves found so far.
#[derive(Default, Debug)]
pub(super) struct MovedStrings {
    groups: BTreeMap<GroupKey, Group>,
}

/// Components of a project that follow the same branch.
#[derive(Default, Debug)]
struct Group {
    members: Vec<Member>,
    /// The moves, each with the old key as people see it. Components are indexes in `members`.
    moves: Vec<(ComponentMove, Arc<str>)>,
    /// Number of moves of commits that all members have reached.
    settled: usize,
}

impl Group {
    /// Forgets what commits moved that are compared again, given the number of rows of each mainline before them.
    fn forget_unsettled(&mut self, logs: &[ComponentLog<'_>], first: &[usize]) {
        self.moves.truncate(self.settled);
        for (it, _) in &mut self.moves {
            let rows = first.get(it.to).and_then(|rows| rows.checked_sub(1));
            let row = rows.and_then(|at| logs.get(it.to)?.log.mainline.get(at));
            let settled = row.map_or(0, |row| row.entries);
            it.texts.retain(|text| text.entry < settled);
        }
    }
}

/// A component of a group.
#[derive(Debug)]
struct Member {
    component: ComponentIndex,
    /// Its log when it was compared.
    log: LogMark,
    /// Number of its mainline commits that were compared with all other members.
    commits: usize,
}

impl MovedStrings {
    /// Finds the strings that new commits moved between components. Texts that were stale before stay stale.
    pub fn find(&mut self, components: &mut [ComponentState], advanced: &mut Advanced) {
        let advances = advanced.advances.iter();
        let advancing = advances.filter_map(|it| components.get(it.component.get()));
        let mut groups: BTreeMap<GroupKey, Vec<ComponentIndex>> = advancing
            .map(|component| (branch_of(component), Vec::new()))
            .collect();
        let slugs: BTreeSet<String> = groups.keys().map(|(slug, ..)| slug.clone()).collect();
        // There can be very many components, and few of them advance.
        for (at, component) in components.iter().enumerate() {
            if slugs.contains(&component.project_slug)
                && component.phase.history().is_some()
                && component.config.renames
                && let Some(members) = groups.get_mut(&branch_of(component))
            {
                members.push(ComponentIndex::new(at));
            }
        }
        self.groups
            .retain(|key, _| groups.get(key).is_none_or(|members| members.len() > 1));
        groups.retain(|_, members| members.len() > 1);
        for (key, members) in groups {
            let known = self.groups.remove(&key).unwrap_or_default();
            let (group, received) = compare_group(known, &members, components, advanced);
            self.groups.insert(key, group);
            for (component, carried) in received {
                if let Some(state) = components.get_mut(component.get()) {
                    receive(state, component, &carried, advanced);
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
        let of = |at: usize| group.members.get(at).map(|it| it.component);
        let own = group.moves.iter().filter(|(it, _)| of(it.to) == Some(to));
        let arrivals = own.filter_map(|(it, old_name)| {
            let name = &components.get(of(it.from)?.get())?.name;
            Some(StringArrival {
                key: it.to_key,
                entry: it.entry,
                from: ids.component_id(name)?,
                from_path: name.as_str().into(),
                from_key: it.from_key,
                old_name: old_name.clone(),
                until: it.until,
                evidence: it.evidence,
                languages: it.languages,
                moved: it.texts.iter().map(|text| text.entry).collect(),
            })
        });
        Arc::new(Arrivals::new(arrivals.collect()))
    }
}

/// The group that a component belongs to.
fn branch_of(component: &ComponentState) -> GroupKey {
    let config = &component.config;
    let slug = component.project_slug.clone();
    (slug, config.repo.clone(), config.branch.clone())
}

/// Compares the commits of a group that were not compared yet. Returns also the components that got strings, with the
/// texts among them that were written for other sources.
fn compare_group(
    mut group: Group,
    members: &[ComponentIndex],
    components: &[ComponentState],
    advanced: &Advanced,
) -> (Group, BTreeMap<ComponentIndex, Vec<CarriedText>>) {
    let projected = |of: ComponentIndex| -> Option<&Projection> {
        let at = advanced.advances.iter().position(|it| it.component == of)?;
        advanced.projections.get(at)
    };
    let log_of = |&index: &ComponentIndex| {
        let component = components.get(index.get())?;
        let shape = component.config.file_format.shape();
        let log = match (projected(index), component.snapshot()) {
            (Some(projection), _) => ComponentLog {
                log: &projection.log,
                texts: &projection.texts,
                sources: &projection.sources,
                shape,
            },
            (None, Some(snapshot)) => ComponentLog {
                log: &snapshot.log,
                texts: &snapshot.texts,
                sources: snapshot.strings(),
                shape,
            },
            (None, None) => return None,
        };
        Some((index, log))
    };
    let (present, logs): (Vec<_>, Vec<_>) = members.iter().filter_map(log_of).unzip();
    let mut known = group.members.iter().zip(present.iter().zip(&logs));
    let is_same = group.members.len() == present.len()
        && known.all(|(member, (of, it))| {
            member.component == *of && it.log.continues_from(&member.log)
        });
    if !is_same {
        group = Group::default();
    }
    let compared = |at: usize| group.members.get(at).map_or(0, |member| member.commits);
    let first: Vec<usize> = (0..logs.len()).map(compared).collect();
    group.forget_unsettled(&logs, &first);
    let known: Vec<&ComponentMove> = group.moves.iter().map(|(it, _)| it).collect();
    let FoundMoves { moves, followed } = component_moves(&logs, &first, &known);
    let mut received: BTreeMap<ComponentIndex, Vec<CarriedText>> = BTreeMap::new();
    let mut receive = |it: &ComponentMove, texts: &[MovedText]| {
        let carried = texts.iter().filter_map(|text| {
            let of = logs.get(text.source.0)?;
            let source = of.texts.get(text.source.1).to_owned();
            Some((text.lineage, it.to_key, text.entry, source))
        });
        let to = present.get(it.to)?;
        received.entry(*to).or_default().extend(carried);
        Some(())
    };
    for (at, text) in followed {
        let Some((it, _)) = group.moves.get_mut(at) else {
            continue;
        };
        receive(it, &[text]);
        it.texts.push(text);
        it.texts.sort_by_key(|text| text.entry);
    }
    for it in moves {
        let Some(from) = logs.get(it.from) else {
            continue;
        };
        receive(&it, &it.texts);
        let name = from.name_of(it.from_key).into();
        group.moves.push((it, name));
    }
    let last = |it: &ComponentLog<'_>| {
        let last = it.log.mainline.len().checked_sub(1)?;
        it.log.mainline.get(last).map(|row| row.commit)
    };
    // A component that is behind is compared again.
    let is_settled = logs.windows(2).all(|pair| last(&pair[0]) == last(&pair[1]));
    if is_settled {
        group.settled = group.moves.len();
    }
    let member = |(at, (&component, it)): (usize, (&ComponentIndex, &ComponentLog<'_>))| Member {
        component,
        log: it.log.mark(),
        commits: match is_settled {
            true => it.log.mainline.len(),
            false => first.get(at).copied().unwrap_or_default(),
        },
    };
    group.members = present.iter().zip(&logs).enumerate().map(member).collect();
    (group, received)
}

/// Takes strings from other components. A component that has not advanced is projected again.
fn receive(
    component: &mut ComponentState,
    index: ComponentIndex,
    carried: &[CarriedText],
    advanced: &mut Advanced,
) {
    let texts: Vec<_> = carried
        .iter()
        .map(|(lineage, key, entry, source)| (*lineage, *key, *entry, &**source))
        .collect();
    let history = component.phase.history_mut();
    let becomes_stale = history.is_some_and(|history| history.carry(&texts));
    let known = advanced
        .advances
        .iter()
        .position(|it| it.component == index);
    if known.is_some() && !becomes_stale {
        return;
    }
    match (component.project_again(index), known) {
        (Ok(Some((_, projection))), Some(at)) => advanced.projections[at] = projection,
        (Ok(Some((advance, projection))), None) => {
            advanced.advances.push(advance);
            advanced.projections.push(projection);
        }
        (Ok(None), _) => {}
        (Err(error), _) => tracing::warn!(
            component = component.name,
            "{}: cannot show strings that moved from other components: {error}",
            component.name
        ),
    }
}
