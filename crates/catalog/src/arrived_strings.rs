//! The entries of strings while other components of their project had them (docs/spec/renames.md#other-components).

use std::ops::Range;
use std::sync::Arc;

use super::component::ComponentSnapshot;
use super::log::ChangeView;
use super::snapshot::Snapshot;
use super::views::UnitView;
use gitglot_model::{ComponentId, KeyId, LineageId, LineageRow, Timestamp};

/// The entries of a string while a different component had it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StringPart {
    /// The component.
    pub component: ComponentId,
    /// The key there.
    pub key: KeyId,
    /// Indexes in its log.
    pub entries: Range<u32>,
    /// When the string moved on.
    pub end: Timestamp,
}

/// A string of a component, with its entries while other components had it.
#[derive(Clone, Debug)]
pub struct ArrivedString<'a> {
    /// The component that has it.
    pub component: &'a ComponentSnapshot,
    /// Its index there.
    pub string: u32,
    /// Its entries elsewhere.
    pub parts: Vec<StringPart>,
}

impl StringPart {
    /// The parts of the history of a unit's string in other components, newest first.
    pub fn all_of(snapshot: &Snapshot, unit: UnitView<'_>) -> Vec<Self> {
        parts_of(snapshot, unit.component, unit.string(), false)
    }

    /// Whether an entry is one of this part in a language.
    pub fn has(&self, view: &ChangeView<'_>, language: &str) -> bool {
        view.component.component.id == self.component
            && view.entry.key == Some(self.key)
            && self.entries.contains(&view.index)
            && view.entry.lineage.is_some()
            && view.language() == Some(language)
    }

    /// Its entries in the translations with these languages, newest first, except moved texts; at most `most`.
    pub fn changes<'a>(
        &self,
        snapshot: &'a Snapshot,
        languages: &[&str],
        most: usize,
        proceed: &dyn Fn() -> bool,
    ) -> Vec<ChangeView<'a>> {
        let Some(component) = snapshot.component_of_id(self.component) else {
            return Vec::new();
        };
        let mut found = Vec::new();
        for lineage in lineages_of(component, languages) {
            let Some(entries) = component.log.of_lineage(lineage) else {
                continue;
            };
            let end = entries.partition_point(|&at| at < self.entries.end);
            let older = (0..end).rev().take_while(|_| proceed());
            let older = older.filter_map(|at| entries.get(at).copied());
            let own = older.take_while(|&at| at >= self.entries.start);
            let views = own.filter_map(|at| ChangeView::of(component, at));
            let views = views.filter(|view| view.entry.key == Some(self.key) && !view.entry.moved);
            found.extend(views.take(most));
        }
        found
    }
}

impl<'a> ArrivedString<'a> {
    /// The strings of a project that came from other components.
    pub fn all_of(snapshot: &'a Snapshot, project: &str) -> Vec<Self> {
        let of_component = |component: &'_ Arc<ComponentSnapshot>| {
            let rows = component.arrivals.iter().filter_map(|arrival| {
                let rename = &arrival.rename;
                let key = component.renames().newest_key(rename.entry, rename.to);
                component.row_of_key(key)
            });
            let mut rows: Vec<u32> = rows.collect();
            rows.sort_unstable();
            rows.dedup();
            rows
        };
        let components = snapshot.components_of(project);
        let all = components.flat_map(|component| {
            let rows = of_component(component).into_iter();
            rows.map(move |row| (&**component, row))
        });
        let strings = all.map(|(component, string)| Self {
            component,
            string,
            parts: parts_of(snapshot, component, string, true),
        });
        strings.collect()
    }
}

/// The parts of the history of a string, newest first, without the one in which it is today. Those in its own
/// component are left out unless `with_own`.
fn parts_of(
    snapshot: &Snapshot,
    own: &ComponentSnapshot,
    string: u32,
    with_own: bool,
) -> Vec<StringPart> {
    /// Most components of one history.
    const MAX_PARTS: usize = 100;
    let (mut component, mut end, mut parts) = (own, u32::MAX, Vec::new());
    let mut moved = None;
    let Some(mut key) = own.key_of(string) else {
        return parts;
    };
    while parts.len() < MAX_PARTS {
        let mut came = None;
        for (name, entries) in component.renames().keys_of(key, end) {
            came = component.arrivals.last(name, &entries);
            let start = came.map_or(entries.start, |arrival| arrival.rename.entry);
            let is_other = with_own || component.component.id != own.component.id;
            if let Some(end) = moved.filter(|_| is_other) {
                parts.push(StringPart {
                    component: component.component.id,
                    key: name,
                    entries: start..entries.end,
                    end,
                });
            }
            if came.is_some() {
                break;
            }
        }
        let older = came.and_then(|arrival| snapshot.component_of_id(arrival.from));
        let Some((arrival, older)) = came.zip(older) else {
            break;
        };
        let entry = component.log.get(arrival.rename.entry as usize);
        moved = entry.map(|entry| entry.time);
        (component, key, end) = (older, arrival.rename.from, arrival.rename.until);
    }
    parts
}

fn lineages_of<'a>(
    component: &'a ComponentSnapshot,
    languages: &'a [&str],
) -> impl Iterator<Item = LineageId> + use<'a> {
    let rows = (0..).map(LineageId).zip(&component.log.lineages);
    let language = |row: &LineageRow| component.texts.get(row.language);
    let wanted = rows.filter(move |(_, row)| languages.contains(&language(row)));
    wanted.map(|(lineage, _)| lineage)
}
