//! Strings that came to a component from a different one of its project, and their entries there
//! (docs/spec/renames.md#other-components).

use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

use super::{ChangeView, ComponentSnapshot, Snapshot, UnitView};
use gitglot_model::{ComponentId, KeyId, KeyRename, LineageId, LineageRow, Timestamp};

/// A string that came from a different component.
#[derive(Clone, Debug)]
pub struct StringArrival {
    /// Its keys here and there, with its first entry here and the number of entries of the log there before the commit.
    pub rename: KeyRename,
    /// The component that had the string before.
    pub from: ComponentId,
    /// `project/component` of it.
    pub from_path: Arc<str>,
    /// The key there as people see it.
    pub old_name: Arc<str>,
    /// Indexes of the entries whose texts moved.
    pub moved: Vec<u32>,
}

/// The strings that came from other components.
#[derive(Default, Debug)]
pub struct Arrivals {
    /// In the order of their entries.
    list: Vec<StringArrival>,
    /// Indexes in `list` by key, ascending.
    by_key: HashMap<KeyId, Vec<u32>>,
    /// The entries whose texts moved, ascending, with indexes in `list`.
    moved: Vec<(u32, u32)>,
}

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

impl Arrivals {
    /// Indexes arrivals.
    pub fn new(mut list: Vec<StringArrival>) -> Self {
        list.sort_by_key(|arrival| arrival.rename.entry);
        let mut by_key: HashMap<KeyId, Vec<u32>> = HashMap::new();
        let mut moved = Vec::new();
        for (at, arrival) in (0..).zip(&list) {
            by_key.entry(arrival.rename.to).or_default().push(at);
            moved.extend(arrival.moved.iter().map(|&entry| (entry, at)));
        }
        moved.sort_unstable();
        Self {
            list,
            by_key,
            moved,
        }
    }

    /// The arrivals, in the order of their entries.
    pub fn iter(&self) -> std::slice::Iter<'_, StringArrival> {
        self.list.iter()
    }

    /// The number of arrivals.
    pub fn len(&self) -> usize {
        self.list.len()
    }

    /// Whether no string came from a different component.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// The arrival whose text an entry moved.
    fn of_moved(&self, entry: u32) -> Option<&StringArrival> {
        let at = self.moved.binary_search_by_key(&entry, |moved| moved.0);
        self.list.get(self.moved.get(at.ok()?)?.1 as usize)
    }

    /// The number of entries whose texts moved here.
    pub(super) fn moved_count(&self) -> usize {
        self.moved.len()
    }

    /// Whether the text of an entry moved here.
    pub(super) fn has_moved(&self, entry: u32) -> bool {
        !self.moved.is_empty() && self.of_moved(entry).is_some()
    }

    /// The arrival that an entry belongs to: that of its key, if it is the first one, or of its text.
    pub(super) fn of_entry(&self, entry: u32) -> Option<&StringArrival> {
        let first = || {
            let list = &self.list;
            let at = list.binary_search_by_key(&entry, |arrival| arrival.rename.entry);
            list.get(at.ok()?)
        };
        self.of_moved(entry).or_else(first)
    }

    /// The last arrival of a key among some entries.
    fn last(&self, key: KeyId, entries: &Range<u32>) -> Option<&StringArrival> {
        let of_key = self.by_key.get(&key)?.iter().rev();
        let mut arrivals = of_key.filter_map(|&at| self.list.get(at as usize));
        arrivals.find(|arrival| entries.contains(&arrival.rename.entry))
    }
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
                let key = component
                    .renames()
                    .newest_key(arrival.rename.entry, arrival.rename.to);
                component.row_of_key.get(key.0 as usize).copied()
            });
            let mut rows: Vec<u32> = rows.filter(|&row| row != u32::MAX).collect();
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
