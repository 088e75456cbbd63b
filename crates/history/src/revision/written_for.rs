//! The source that each text was written for, replayed from the log (docs/spec/revisions.md#stale-translations).

use gitglot_model::{KeyId, LineageId, Log, MainlineRow, TextId};

/// The source of each unit's text after a mainline commit.
#[derive(Debug, Default)]
pub struct WrittenFor {
    /// By lineage and key.
    sources: Vec<Vec<TextId>>,
}

impl WrittenFor {
    /// Replays a log up to a mainline commit.
    pub fn at(log: &Log, row: MainlineRow) -> Self {
        let mut replayed = Self::default();
        replayed.sources.resize_with(log.lineages.len(), Vec::new);
        let mut rebound = log.rebound.iter().take(row.rebound as usize).peekable();
        for (at, entry) in (0..row.entries).zip(log.iter()) {
            while let Some(it) = rebound.next_if(|change| change.entry <= at) {
                replayed.set(it.lineage, it.key, it.source);
            }
            let sets_source = entry.action.sets_source();
            if let (true, Some(lineage), Some(key)) = (sets_source, entry.lineage, entry.key) {
                replayed.set(lineage, key, entry.source);
            }
        }
        rebound.for_each(|change| replayed.set(change.lineage, change.key, change.source));
        replayed
    }

    /// The source of a unit's text; `""` if the log never had one.
    pub fn source(&self, lineage: LineageId, key: KeyId) -> TextId {
        let sources = self.sources.get(usize::from(lineage.0));
        let source = sources.and_then(|sources| sources.get(key.0 as usize));
        source.copied().unwrap_or_default()
    }

    fn set(&mut self, lineage: LineageId, key: KeyId, source: TextId) {
        let Some(keys) = self.sources.get_mut(usize::from(lineage.0)) else {
            return;
        };
        let at = key.0 as usize;
        if keys.len() <= at {
            keys.resize(at + 1, TextId::EMPTY);
        }
        if let Some(slot) = keys.get_mut(at) {
            *slot = source;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{ReadHistory, read};
    use gitglot_testkit::commit;

    /// The source that the Czech text of the first key was written for, after a mainline commit.
    fn written_for(read: &ReadHistory, commit: usize) -> &str {
        let log = &read.state.log;
        let replayed = WrittenFor::at(log, log.mainline[commit]);
        let language = |at: usize| read.state.texts.get(log.lineages[at].language);
        let cs = (0..log.lineages.len())
            .find(|&at| language(at) == "cs")
            .unwrap();
        let source = replayed.source(LineageId(cs as u16), KeyId(0));
        read.state.texts.get(source)
    }

    #[test]
    fn a_text_keeps_its_source_until_it_is_written_again() {
        let commits = commit("start")
            .texts("en", "a=One")
            .texts("cs", "a=Jedna")
            .commit("source")
            .texts("en", "a=Won")
            .commit("text")
            .texts("cs", "a=Vyhrál");
        let read = read(&commits);
        let sources = [0, 1, 2].map(|commit| written_for(&read, commit));
        assert_eq!(sources, ["One", "One", "Won"]);
    }

    #[test]
    fn a_text_that_returns_with_its_file_is_written_for_the_source_of_then() {
        let commits = commit("start")
            .texts("en", "a=One")
            .texts("cs", "a=Jedna")
            .commit("source")
            .texts("en", "a=Won")
            .delete("locales/cs.json")
            .commit("back")
            .texts("cs", "a=Jedna");
        let read = read(&commits);
        assert_eq!(
            [1, 2].map(|commit| written_for(&read, commit)),
            ["One", "Won"]
        );
    }

    #[test]
    fn a_unit_without_an_entry_has_no_source() {
        let read = read(&commit("start").texts("en", "a=One").texts("cs", ""));
        assert_eq!(written_for(&read, 0), "");
    }
}
