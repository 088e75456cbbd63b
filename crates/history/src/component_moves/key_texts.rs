//! The texts and sources of some keys, read from the logs of components.

use super::moved::{ComponentLog, ComponentMove, MovedText};
use gitglot_model::{Action, KeyId, KeyRename, LineageId, LogEntry, SeededMap, SeededSet, TextId};

/// A text of a unit from an entry on.
#[derive(Clone, Copy)]
pub struct WrittenText {
    pub entry: u32,
    pub text: TextId,
    /// The source that it was written for.
    pub source: TextId,
    /// Whether the entry wrote it; else it only counts as written for a different source.
    pub is_own: bool,
    /// Whether it moved here from an older key of the component.
    pub moved: bool,
}

/// A new source of a key: the index of the entry, the new and the previous source.
type SourceChange = (u32, TextId, TextId);

/// The texts of some keys in logs.
#[derive(Default)]
pub struct KeyTexts {
    /// By component, translation and key, in the order of the log.
    written: SeededMap<(usize, LineageId, KeyId), Vec<WrittenText>>,
    /// The changes of sources by component and key, in the order of the log.
    changes: SeededMap<(usize, KeyId), Vec<SourceChange>>,
    /// The renames to each key of a component.
    renames: SeededMap<(usize, KeyId), Vec<KeyRename>>,
    /// The entries before which each key was removed, in the order of the log.
    removals: SeededMap<(usize, KeyId), Vec<u32>>,
    /// The sources of texts that came from other components, by unit and entry.
    moved: SeededMap<(usize, LineageId, KeyId, u32), (usize, TextId)>,
    /// The source of keys at the end of a log, or when they were removed.
    last_sources: SeededMap<(usize, KeyId), TextId>,
}

impl KeyTexts {
    pub fn of(logs: &[ComponentLog<'_>], keys: &SeededSet<(usize, KeyId)>) -> Self {
        let mut texts = Self::default();
        for (component, &ComponentLog { log, sources, .. }) in logs.iter().enumerate() {
            let is_wanted = |key: KeyId| keys.contains(&(component, key));
            for rename in log.renames().filter(|rename| is_wanted(rename.to)) {
                let list = texts.renames.entry((component, rename.to));
                list.or_default().push(rename);
            }
            for removal in log.removals().filter(|removal| is_wanted(removal.key)) {
                let list = texts.removals.entry((component, removal.key));
                list.or_default().push(removal.entry);
            }
            let removals = log.removals().map(|removal| (removal.key, removal.source));
            let present = sources.iter().map(|string| (string.key, string.source));
            let last = removals.chain(present).filter(|(key, _)| is_wanted(*key));
            let last = last.map(|(key, source)| ((component, key), source));
            texts.last_sources.extend(last);
            let mut rebound = log.rebound.iter().peekable();
            for (at, entry) in (0..).zip(log.iter()) {
                while let Some(it) = rebound.next_if(|change| change.entry <= at) {
                    texts.rebind((component, it.lineage, it.key), it.entry, it.source);
                }
                if let Some(key) = entry.key.filter(|&key| is_wanted(key)) {
                    texts.add(component, key, at, &entry);
                }
            }
            for change in rebound {
                let unit = (component, change.lineage, change.key);
                texts.rebind(unit, change.entry, change.source);
            }
        }
        texts
    }

    fn add(&mut self, component: usize, key: KeyId, at: u32, entry: &LogEntry) {
        match (entry.action, entry.lineage) {
            (action, Some(lineage)) if action.sets_source() => {
                let list = self.written.entry((component, lineage, key)).or_default();
                list.push(WrittenText {
                    entry: at,
                    text: entry.target,
                    source: entry.source,
                    is_own: true,
                    moved: entry.moved,
                });
            }
            (Action::SourceStringChanged, _) => {
                let list = self.changes.entry((component, key)).or_default();
                list.push((at, entry.target, entry.previous));
            }
            _ => {}
        }
    }

    /// The text of a unit counts as written for a different source from then on.
    fn rebind(&mut self, unit: (usize, LineageId, KeyId), at: u32, source: TextId) {
        if let Some(list) = self.written.get_mut(&unit)
            && let Some(&last) = list.last()
        {
            list.push(WrittenText {
                entry: at,
                source,
                is_own: false,
                moved: false,
                ..last
            });
        }
    }

    /// The last text of a unit before an entry.
    pub fn written_before(&self, unit: (usize, LineageId, KeyId), end: u32) -> Option<WrittenText> {
        let list = self.written.get(&unit)?;
        let count = list.partition_point(|text| text.entry < end);
        list.get(count.checked_sub(1)?).copied()
    }

    /// The texts of a unit from an entry on.
    pub fn written_from(
        &self,
        unit: (usize, LineageId, KeyId),
        start: u32,
    ) -> impl Iterator<Item = WrittenText> {
        let list = self.written.get(&unit).map_or(&[][..], Vec::as_slice);
        let first = list.partition_point(|text| text.entry < start);
        list.iter().skip(first).copied()
    }

    /// The entry before which a key is removed that an entry added; `u32::MAX` if it remains.
    pub fn removed_after(&self, key: (usize, KeyId), entry: u32) -> u32 {
        let removals = self.removals.get(&key).map_or(&[][..], Vec::as_slice);
        let first = removals.iter().find(|&&removal| removal > entry);
        first.copied().unwrap_or(u32::MAX)
    }

    pub fn add_move(&mut self, it: &ComponentMove) {
        for text in &it.texts {
            self.add_text((it.to, text.lineage, it.rename.to), text);
        }
    }

    /// Adds a text that moved to a component.
    pub fn add_text(&mut self, unit: (usize, LineageId, KeyId), text: &MovedText) {
        let (component, lineage, key) = unit;
        let known = (component, lineage, key, text.entry);
        self.moved.insert(known, text.source);
        // A text that returns has no entry of its own.
        if let Some(list) = self.written.get_mut(&unit).filter(|_| text.returns) {
            let at = list.partition_point(|earlier| earlier.entry <= text.entry);
            if let Some(&last) = at.checked_sub(1).and_then(|last| list.get(last)) {
                let returned = WrittenText {
                    entry: text.entry,
                    is_own: false,
                    moved: false,
                    ..last
                };
                list.insert(at, returned);
            }
        }
    }

    /// The source that a text was written for under the first of its keys: a component, and one of its texts.
    pub fn origin(&self, unit: (usize, LineageId, KeyId), written: WrittenText) -> (usize, TextId) {
        /// Most renames that are followed.
        const MAX_RENAMES: usize = 1000;
        let ((component, lineage, mut key), mut written) = (unit, written);
        for _ in 0..MAX_RENAMES {
            if let Some(&origin) = self.moved.get(&(component, lineage, key, written.entry)) {
                return origin;
            }
            let renames = self.renames.get(&(component, key));
            let renames = renames.filter(|_| written.moved);
            let mut renames = renames.map_or(&[][..], Vec::as_slice).iter().rev();
            let rename = renames.find(|rename| rename.entry <= written.entry);
            let older = rename.and_then(|rename| {
                let end = written.entry.min(rename.until.max(rename.entry));
                let older = self.written_before((component, lineage, rename.from), end)?;
                Some((rename.from, older))
            });
            let Some(older) = older.filter(|(_, older)| older.text == written.text) else {
                break;
            };
            (key, written) = older;
        }
        (component, written.source)
    }

    /// The source of a key after a commit that ends before an entry.
    pub fn source_before(&self, key: (usize, KeyId), end: u32) -> TextId {
        let changes = self.changes.get(&key).map_or(&[][..], Vec::as_slice);
        let count = changes.partition_point(|&(at, ..)| at < end);
        let before = count.checked_sub(1).and_then(|at| changes.get(at));
        let after = changes.get(count);
        let of_changes = before.map(|text| text.1).or(after.map(|text| text.2));
        let last = self.last_sources.get(&key).copied();
        of_changes.or(last).unwrap_or_default()
    }
}
