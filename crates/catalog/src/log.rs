//! Lists of change log entries: all, by project, by component and by translation.

mod on_request;

use std::borrow::Cow;
use std::collections::HashMap;

use super::component::ComponentSnapshot;
use super::snapshot::Snapshot;
use super::unit_text::fitted;
use super::views::{TranslationView, UnitView};
use gitglot_model::{
    Action, ChangeId, CommitRow, LogEntry, PLURAL_SEPARATOR, PersistentVec, TextId, UserId,
};

pub use on_request::OnRequest;

/// A list of change log entries with random access.
#[derive(Clone, Copy, Debug)]
pub struct LogView<'a> {
    pub(super) snapshot: &'a Snapshot,
    pub(super) order: LogOrder<'a>,
    /// Whether a merged list is ordered by id, else by time.
    pub(super) by_id: bool,
    /// The number of entries before those that are held back.
    pub(super) limit: usize,
}

/// The order of a list.
#[derive(Clone, Copy, Debug)]
pub(super) enum LogOrder<'a> {
    /// The log of a component, by its index.
    Log(u32),
    /// Indexes of components and entries.
    Merged(&'a PersistentVec<(u32, u32)>),
    /// Some entries of a component.
    Some(u32, &'a PersistentVec<u32>),
    /// No entries.
    None,
}

/// An entry with its component.
#[derive(Clone, Copy, Debug)]
pub struct ChangeView<'a> {
    /// The component.
    pub component: &'a ComponentSnapshot,
    /// Its index in the component's log.
    pub index: u32,
    /// The entry.
    pub entry: LogEntry,
}

impl Snapshot {
    /// The whole log, by ascending id. Ends before changes that are held back.
    pub fn changes(&self) -> LogView<'_> {
        let mut changes = self.all_changes();
        if let Some(first) = self.held_back_from {
            changes.limit = changes.before(first);
        }
        changes
    }

    /// The positions of the entries of a user in [`Self::changes`], ascending.
    pub fn changes_of_user(&self, user: UserId) -> &[u32] {
        let index = || {
            let mut index: HashMap<u32, Vec<u32>> = HashMap::new();
            let all = self.all_changes();
            for at in 0..all.len() {
                if let Some(user) = all.get(at).and_then(|view| view.user()) {
                    index.entry(user).or_default().push(at as u32);
                }
            }
            index
        };
        let index = self.by_user.get_or_init(index);
        let own = index.get(&user.0).map_or(&[][..], Vec::as_slice);
        let shown = self.changes().len();
        &own[..own.partition_point(|&at| (at as usize) < shown)]
    }

    fn log_in<'a>(&'a self, order: LogOrder<'a>, by_id: bool) -> LogView<'a> {
        LogView {
            snapshot: self,
            order,
            by_id,
            limit: usize::MAX,
        }
    }

    fn all_changes(&self) -> LogView<'_> {
        let order = if self.components.len() == 1 {
            LogOrder::Log(0)
        } else {
            LogOrder::Merged(&self.changes)
        };
        self.log_in(order, true)
    }

    /// The entry of that number.
    pub fn change(&self, id: ChangeId) -> Option<ChangeView<'_>> {
        let changes = self.all_changes();
        let found = changes.get(changes.before(id))?;
        (found.entry.id == id).then_some(found)
    }

    /// The greatest number that an entry has or had: later entries have greater ones.
    pub fn last_change(&self) -> ChangeId {
        let changes = self.changes();
        let newest = changes.len().checked_sub(1).and_then(|at| changes.get(at));
        let newest = newest.map_or(0, |view| view.entry.id.0);
        ChangeId(newest.max(self.last_change))
    }

    /// The log of a project, by ascending time; `None` for an unknown project.
    pub fn changes_of_project(&self, project: &str) -> Option<LogView<'_>> {
        let entry = self.entry(project)?;
        let order = match entry.components[..] {
            [only] => LogOrder::Log(only),
            _ => LogOrder::Merged(&entry.changes),
        };
        Some(self.log_in(order, false))
    }

    /// The log of a component, by ascending time.
    pub fn changes_of_component(&self, component: &ComponentSnapshot) -> LogView<'_> {
        let at = self.index_of(component);
        self.log_in(at.map_or(LogOrder::None, LogOrder::Log), true)
    }

    /// The log of a translation, by ascending time.
    pub fn changes_of_translation(&self, translation: TranslationView<'_>) -> LogView<'_> {
        let lineage = translation.translation.lineage;
        let order = self.index_of(translation.component).and_then(|at| {
            let entries = self.components[at as usize].log.of_lineage(lineage)?;
            Some(LogOrder::Some(at, entries))
        });
        self.log_in(order.unwrap_or(LogOrder::None), true)
    }
}

impl<'a> LogView<'a> {
    /// Whether there are no entries.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Number of entries.
    pub fn len(&self) -> usize {
        let len = match self.order {
            LogOrder::Log(component) => self
                .snapshot
                .component_at(component)
                .map_or(0, |component| component.log.len()),
            LogOrder::Merged(positions) => positions.len(),
            LogOrder::Some(_, entries) => entries.len(),
            LogOrder::None => 0,
        };
        len.min(self.limit)
    }

    /// The number of entries with smaller ids, in a list by id.
    fn before(&self, id: ChangeId) -> usize {
        let (mut low, mut high) = (0, self.len());
        while low < high {
            let middle = low + (high - low) / 2;
            match self.get(middle) {
                Some(found) if found.entry.id < id => low = middle + 1,
                _ => high = middle,
            }
        }
        low
    }

    /// Whether a component of the list has renamed keys, and so perhaps texts that moved.
    pub fn has_renames(&self) -> bool {
        let has_any = |component: u32| {
            let component = self.snapshot.component_at(component);
            component.is_some_and(|component| {
                component.log.renames().next().is_some() || !component.arrivals.is_empty()
            })
        };
        match self.order {
            LogOrder::Log(component) | LogOrder::Some(component, _) => has_any(component),
            LogOrder::Merged(_) => (0..self.snapshot.components.len() as u32).any(has_any),
            LogOrder::None => false,
        }
    }

    /// Whether entries are ordered by id.
    pub fn is_by_id(&self) -> bool {
        !matches!(self.order, LogOrder::Merged(_)) || self.by_id
    }

    /// Whether entries are ordered by time.
    pub fn is_by_time(&self) -> bool {
        !matches!(self.order, LogOrder::Merged(_)) || !self.by_id
    }

    /// All entries in order; faster than [`Self::get`] for each.
    pub fn iter(&self) -> impl Iterator<Item = ChangeView<'a>> {
        let changes = *self;
        let whole = match changes.order {
            LogOrder::Log(component) => changes.snapshot.component_at(component),
            _ => None,
        };
        let own = whole.into_iter();
        let others = if whole.is_some() { 0 } else { changes.len() };
        let own = own.flat_map(|component| {
            let entries = (0..).zip(component.log.iter());
            entries.map(move |(index, entry)| ChangeView::new(component, index, entry))
        });
        let all = own.chain((0..others).filter_map(move |at| changes.get(at)));
        all.take(changes.limit)
    }

    /// The entry at a 0-based index.
    pub fn get(&self, at: usize) -> Option<ChangeView<'a>> {
        let (component, index) = match self.order {
            LogOrder::Log(component) => (component, u32::try_from(at).ok()?),
            LogOrder::Merged(positions) => *positions.get(at)?,
            LogOrder::Some(component, entries) => (component, *entries.get(at)?),
            LogOrder::None => return None,
        };
        ChangeView::of(self.snapshot.component_at(component)?, index)
    }

    fn position(&self, component: u32, entry: u32) -> Option<u32> {
        let key = |&(component, entry): &(u32, u32)| {
            let component = self.snapshot.component_at(component)?;
            let entry = component.log.get(entry as usize)?;
            let id = i64::from(entry.id.0);
            Some(if self.by_id { id } else { entry.time.0 })
        };
        match self.order {
            LogOrder::Log(own) => (own == component).then_some(entry),
            LogOrder::Merged(positions) => {
                let wanted = (component, entry);
                let at =
                    positions.partition_point(|item| (key(item), *item) < (key(&wanted), wanted));
                (positions.get(at) == Some(&wanted)).then_some(at as u32)
            }
            LogOrder::Some(own, entries) if own == component => {
                let at = entries.partition_point(|&index| index < entry);
                (entries.get(at) == Some(&entry)).then_some(at as u32)
            }
            LogOrder::Some(..) | LogOrder::None => None,
        }
    }
}

impl<'a> ChangeView<'a> {
    /// The entry of a component's log at an index.
    pub fn of(component: &'a ComponentSnapshot, index: u32) -> Option<Self> {
        let entry = component.log.get(index as usize)?;
        Some(Self::new(component, index, entry))
    }

    fn new(component: &'a ComponentSnapshot, index: u32, mut entry: LogEntry) -> Self {
        entry.moved |= component.arrivals.has_moved(index);
        Self {
            component,
            index,
            entry,
        }
    }

    /// The states of the entry's text after and before, as numbers of Weblate 3.4; `None` if it is about no translation.
    pub fn states(&self) -> Option<[u8; 2]> {
        let entry = &self.entry;
        let state = |text: TextId, is_fuzzy: bool| {
            let forms = self.component.texts.get(text).split(PLURAL_SEPARATOR);
            match forms.into_iter().next().is_none_or(str::is_empty) {
                true => 0,
                false if is_fuzzy => 10,
                false => 20,
            }
        };
        let states = [
            state(entry.target, entry.fuzzy),
            state(entry.previous, entry.was_fuzzy),
        ];
        entry.action.is_about_text().then_some(states)
    }

    /// Index of the entry's translation in the component, if it still exists.
    pub fn translation_index(&self) -> Option<u32> {
        self.component.current_index(self.entry.lineage?)
    }

    /// The entry's translation, if it still exists.
    pub fn translation(&self) -> Option<TranslationView<'a>> {
        let translation = self
            .component
            .logged_translation(self.translation_index()?)?;
        Some(self.component.view_of(translation))
    }

    /// The entry's unit, if it still exists.
    pub fn unit(&self) -> Option<UnitView<'a>> {
        let row = self.component.string_of(&self.entry)?;
        self.translation()?.unit_of_string(row)
    }

    /// Index of the entry's string today, also if its key was renamed since (docs/spec/renames.md#history-of-a-string).
    pub fn string(&self) -> Option<u32> {
        let renames = self.component.renames();
        let key = renames.newest_key(self.index, self.entry.key?);
        self.component.row_of_key(key)
    }

    /// The unit that the entry's string has today in the entry's translation.
    pub fn unit_of_string(&self) -> Option<UnitView<'a>> {
        self.translation()?.unit_of_string(self.string()?)
    }

    /// The older key of an entry that renames its string, or has a text that moved with it.
    pub fn renamed_from(&self) -> Option<&'a str> {
        if let Some(arrival) = self.component.arrivals.of_entry(self.index) {
            return Some(&arrival.old_name);
        }
        let rename = self.component.renames().of_entry(self.index, &self.entry)?;
        self.component.old_name(rename)
    }

    /// The source text of the entry's string in bilingual files, whether or not it still exists.
    pub fn source(&self) -> Option<&'a str> {
        self.component.source_of_key(self.entry.key?)
    }

    /// The source text of the entry's string at the time of the entry, of entries about a string: the text of the template
    /// after the change, or the one that the translation was written for (docs/spec/change-log.md#entries).
    pub fn source_text(&self) -> Option<&'a str> {
        let entry = &self.entry;
        let of_template = match entry.action {
            Action::SourceStringChanged => entry.target,
            Action::NewSourceString => entry.source,
            action if action.is_about_text() => entry.source,
            _ => return self.source(),
        };
        let of_template = || Some(self.component.texts.get(of_template));
        self.source().or_else(of_template)
    }

    /// The name of the entry's string for people, as [`UnitView::name`].
    pub fn string_name(&self) -> Option<Cow<'a, str>> {
        let (format, context) = (self.component.component.file_format, self.context()?);
        let source = self.source().unwrap_or_default();
        Some(match format.shape() {
            shape if shape.has_template() => format.shown_key(context),
            shape => shape.name(context, source),
        })
    }

    /// `project/component` of the component that had the string of [`Self::renamed_from`], if it is a different one.
    pub fn moved_from(&self) -> Option<&'a str> {
        let arrival = self.component.arrivals.of_entry(self.index)?;
        Some(&arrival.from_path)
    }

    /// The context of the entry's string, whether or not it still exists.
    pub fn context(&self) -> Option<&'a str> {
        self.component.context_of_key(self.entry.key?)
    }

    /// The entry's language code; from the log if the translation no longer exists.
    pub fn language(&self) -> Option<&'a str> {
        if let Some(view) = self.translation() {
            return Some(&view.translation.language.code);
        }
        let lineage = usize::from(self.entry.lineage?.0);
        let lineage = self.component.log.lineages.get(lineage)?;
        Some(self.component.texts.get(lineage.language))
    }

    /// The text after the change: that of [`Self::target`], or the text of a new source string, which has none there.
    pub fn text_after(&self) -> Cow<'a, str> {
        match self.entry.action {
            Action::NewSourceString => self.component.texts.get(self.entry.source).into(),
            _ => self.target(),
        }
    }

    /// The entry's text. Plural forms of a translation are those of the language, as in the unit
    /// (docs/spec/units.md#plural-forms). A parse error has none, as in 3.4: its target is the path of the file.
    pub fn target(&self) -> Cow<'a, str> {
        let component = self.component;
        if self.entry.action == Action::ParseError {
            return Cow::default();
        }
        let target = component.texts.get(self.entry.target);
        let translates = self.entry.action.is_about_text();
        if !translates || !component.texts.is_plural(self.entry.target) {
            return target.into();
        }
        let Some(view) = self.translation() else {
            return target.into();
        };
        let (format, translation) = (component.component.file_format, view.translation);
        let forms = translation.plural_forms();
        fitted(target, format, &translation.language, forms)
    }

    /// The entry's commit.
    pub fn commit(&self) -> Option<&'a CommitRow> {
        self.component.log.commits.get(self.entry.commit as usize)
    }

    /// The user id in `user`.
    pub fn user(&self) -> Option<u32> {
        if !self.entry.action.names_user() {
            return None;
        }
        let person = self.commit()?.author;
        let user = self.component.users.get(person.0 as usize);
        user.map(|user| user.0)
    }

    /// The user id in `author`.
    pub fn author(&self) -> Option<u32> {
        if self.entry.action == Action::CommittedChanges {
            return None;
        }
        self.user()
    }
}
