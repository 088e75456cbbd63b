//! Saves and restores a history, so that a start need not read the repository.
//! Source: `docs/spec/ids-and-ledger.md#checkpoints`.

use std::borrow::Cow;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::files::layout::ListedFile;
use super::history::History;
use super::log::state::{Lineage, LogState};
use super::projection::tip_file::TipFile;
use super::versions::parsed::ParsedVersion;
use super::versions::values::TextValue;
use gitglot_model::{BlobId, Component, KeyId, LineageId, PersonId, SeededMap, TextId};

/// A saved history. All ids in one that was read are untrusted.
#[derive(Debug, Serialize, Deserialize)]
pub struct SavedHistory<'a> {
    state: Cow<'a, LogState>,
    versions: Vec<Arc<ParsedVersion>>,
    files: Vec<SavedFile>,
    template: Option<BlobId>,
    /// The files whose parts the versions are.
    whole_files: Vec<BlobId>,
}

/// The path, the file, its translation, the blob of the version that is served, and whether it is the template.
type SavedFile = (Arc<str>, ListedFile, LineageId, Option<BlobId>, bool);

impl History {
    /// Everything that a later process needs to continue.
    pub fn saved(&self) -> SavedHistory<'_> {
        let versions = self.files.iter().filter_map(|file| file.version.as_ref());
        let mut versions: Vec<_> = versions.chain(&self.template).cloned().collect();
        versions.sort_by_key(|version| version.blob);
        versions.dedup_by_key(|version| version.blob);
        let blob =
            |version: &Option<Arc<ParsedVersion>>| version.as_ref().map(|version| version.blob);
        let file = |it: &TipFile| {
            let blob = blob(&it.version);
            let file = it.file.clone();
            (it.path.clone(), file, it.lineage, blob, it.is_template)
        };
        SavedHistory {
            state: Cow::Borrowed(&self.state),
            versions,
            files: self.files.iter().map(file).collect(),
            template: blob(&self.template),
            whole_files: self.whole_files.iter().copied().collect(),
        }
    }

    /// Restores a history of the same component; `None` if it is not consistent.
    pub fn restore(
        component: Arc<Component>,
        source_language: &str,
        saved: SavedHistory<'_>,
    ) -> Option<Self> {
        let mut state = saved.state.into_owned();
        let bounds = Bounds::of(&state);
        let log = Arc::make_mut(&mut state.log);
        if !log.restore(bounds.texts, bounds.keys, bounds.lineages) {
            return None;
        }
        let commits = log.commits.iter().map(|commit| commit.id);
        state.commit_rows = commits.zip(0..).collect();
        let mut versions = saved.versions.iter();
        if !bounds.contain(&state) || !versions.all(|version| bounds.contain_version(version)) {
            return None;
        }
        let versions = saved.versions.into_iter().map(|saved| (saved.blob, saved));
        let versions: SeededMap<_, _> = versions.collect();
        let version = |blob: Option<BlobId>| match blob {
            Some(blob) => versions.get(&blob).cloned().map(Some),
            None => Some(None),
        };
        let file = |(path, file, lineage, blob, is_template): SavedFile| {
            let version = version(blob)?;
            (usize::from(lineage.0) < bounds.lineages).then_some(TipFile {
                path,
                file,
                lineage,
                version,
                is_template,
            })
        };
        let files = saved.files.into_iter().map(file).collect::<Option<_>>()?;
        let template = version(saved.template)?;
        let mut history = Self::new(component, source_language);
        state.review_marks = history.state.review_marks.clone();
        (history.state, history.files, history.template) = (state, files, template);
        history.whole_files = saved.whole_files.into_iter().collect();
        Some(history)
    }
}

/// The numbers of texts, keys, translations and people, which all ids must be below.
#[derive(Clone, Copy)]
struct Bounds {
    texts: usize,
    keys: usize,
    lineages: usize,
    people: usize,
}

impl Bounds {
    fn of(state: &LogState) -> Self {
        Self {
            texts: state.vocabulary.texts.count(),
            keys: state.vocabulary.keys.contexts().len(),
            lineages: state.lineages.len(),
            people: state.people.list().len(),
        }
    }

    fn text(self, text: TextId) -> bool {
        (text.0 as usize) < self.texts
    }

    fn key(self, key: KeyId) -> bool {
        (key.0 as usize) < self.keys
    }

    fn value(self, value: TextValue) -> bool {
        self.text(value.text())
    }

    /// Whether a state is consistent, except for its log's entries.
    fn contain(self, state: &LogState) -> bool {
        let is_person =
            |person: PersonId| person == PersonId::NOBODY || (person.0 as usize) < self.people;
        let lineage = |it: &Lineage| {
            it.values.len() == it.written_for.len()
                && it.values.len() <= self.keys
                && it.values.iter().all(|&value| self.value(value))
                && it.written_for.iter().all(|&text| self.text(text))
        };
        let contexts = state.vocabulary.keys.contexts();
        let mut shown = state.shown_sources.iter();
        let mut predecessors = state.predecessors.iter();
        let mut broken = state.reported.broken.iter();
        let mut commits = state.log.commits.iter();
        !state.layouts.list.is_empty()
            && contexts.iter().all(|&context| self.text(context))
            && state.lineages.iter().all(lineage)
            && state.keys.len() <= self.keys
            && state.keys.iter().all(|key| self.value(key.source))
            && shown.all(|&(key, source)| self.key(key) && self.text(source))
            && predecessors.all(|(&key, &old)| self.key(key) && self.key(old))
            && broken.all(|&(path, _)| self.text(path))
            && commits.all(|commit| is_person(commit.author))
    }

    fn contain_version(self, version: &ParsedVersion) -> bool {
        let mut fits = true;
        for values in [&version.values, &version.notes] {
            values.each(&mut |key, value| fits &= self.key(key) && self.value(value));
        }
        let ordered = version.order.iter().flat_map(|order| order.keys());
        let mut keys = ordered.chain(version.alternatives.all.iter().copied());
        let has_valid_keys = keys.all(|key| self.key(key));
        fits && has_valid_keys
            && version.duplicates.iter().all(|duplicate| {
                self.key(duplicate.key) && self.value(duplicate.value) && self.value(duplicate.note)
            })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Projection;
    use gitglot_git::Repository;
    use gitglot_model::{ComponentSettings, FileFormat, FileMask, Slug, Timestamp};
    use gitglot_testkit::{History as TestHistory, Repo, commit};

    fn commits() -> TestHistory {
        commit("one")
            .write(
                "_locales/en/messages.json",
                r#"{"a": {"message": "A", "description": "Letter"}, "b": {"message": "B"}}"#,
            )
            .write("_locales/cs/messages.json", r#"{"a": {"message": "Á"}}"#)
            .commit("broken")
            .write("_locales/cs/messages.json", r#"{"a":"#)
            .commit("moved")
            .rename("_locales", "src/_locales")
            .branch_at("side", "one")
            .commit("aside")
            .write(
                "_locales/cs/messages.json",
                r#"{"a": {"message": "Á"}, "b": {"message": "Bé"}}"#,
            )
            .branch("main")
            .commit("source")
            .write(
                "src/_locales/en/messages.json",
                r#"{"a": {"message": "An A", "description": "Letter"}, "c": {"message": "C"}}"#,
            )
            .commit("merged")
            .merge("aside")
            .write(
                "src/_locales/cs/messages.json",
                r#"{"a": {"message": "Á"}, "b": {"message": "Bé"}}"#,
            )
            .commit("row")
            .write(
                crate::REVIEWED_FILE,
                format!("[cs]\na = \"{}\"\n", crate::review_hash("An A")),
            )
            .commit("trailer")
            .message("trailer\n\nTranslation-Reviewed: de b c\n")
            .commit("back")
            .write(
                "src/_locales/en/messages.json",
                r#"{"b": {"message": "B"}, "a": {"message": "An A"}, "c": {"message": "C"}}"#,
            )
            .write(
                "src/_locales/de/messages.json",
                r#"{"a": {"message": "Ah"}}"#,
            )
    }

    fn component() -> Arc<Component> {
        let mask = |text| FileMask::new(text).unwrap();
        Arc::new(Component::new(ComponentSettings {
            previous_filemasks: vec![mask("_locales/*/messages.json")],
            ..ComponentSettings::new(
                Slug::new("component").unwrap(),
                mask("src/_locales/*/messages.json"),
                "src/_locales/en/messages.json",
                FileFormat::WebExtension,
            )
        }))
    }

    fn load(bytes: &[u8]) -> Option<History> {
        History::restore(component(), "en", postcard::from_bytes(bytes).ok()?)
    }

    /// A projection, with texts in place of their ids.
    fn described(projection: &Projection) -> Vec<String> {
        let text = |name: TextId| projection.texts.get(name);
        let entry = |at: usize| {
            let entry = projection.log.get(at).unwrap();
            let commit = &projection.log.commits[entry.commit as usize];
            let key = entry
                .key
                .map(|key| text(projection.log.keys[key.0 as usize]));
            let texts = [entry.target, entry.previous, entry.source].map(text);
            format!(
                "{:?} {:?} {:?} {key:?} {texts:?} {:?}",
                entry.time, entry.action, entry.lineage, commit.id
            )
        };
        let mut lines: Vec<String> = (0..projection.log.len()).map(entry).collect();
        for source in projection.sources.iter() {
            let texts = [source.context, source.source, source.note].map(text);
            lines.push(format!("{texts:?} {} {:?}", source.position, source.since));
        }
        for translation in &projection.translations {
            let units = translation
                .units
                .iter()
                .map(|unit| (text(unit.target()), text(unit.note), unit.translated()));
            let stale = translation
                .stale
                .iter()
                .map(|&(row, source)| (row, text(source)));
            let rows = (units.collect::<Vec<_>>(), stale.collect::<Vec<_>>());
            lines.push(format!(
                "{} {:?} {:?} {rows:?}",
                translation.path, translation.blob, translation.older_paths
            ));
        }
        lines.extend(projection.people.iter().map(|person| format!("{person:?}")));
        lines.extend(
            projection
                .problems
                .iter()
                .map(|problem| format!("{problem:?}")),
        );
        lines
    }

    #[test]
    fn a_restored_history_continues_like_the_saved_one() {
        let folder = tempfile::tempdir().unwrap();
        let repo = Repo::with(&folder.path().join("repository.git"), &commits());
        let repository = Repository::open(folder.path().join("repository.git")).unwrap();
        let step = |history: &mut History, label: &str| {
            history
                .step(
                    &repository,
                    repo.id(label),
                    Timestamp::from_seconds(1 << 40),
                    &|_| {},
                )
                .unwrap();
        };
        for middle in [
            "one", "broken", "moved", "source", "merged", "row", "trailer", "back",
        ] {
            let mut straight = History::new(component(), "en");
            step(&mut straight, middle);
            let bytes = postcard::to_stdvec(&straight.saved()).unwrap();
            let mut back = load(&bytes).unwrap();
            for history in [&mut straight, &mut back] {
                step(history, "back");
            }
            let (expected, found) = (
                straight.project(&repository).unwrap(),
                back.project(&repository).unwrap(),
            );
            assert_eq!(described(&found), described(&expected), "{middle}");
            for cut in (0..bytes.len()).step_by(7) {
                assert!(load(&bytes[..cut]).is_none(), "{cut}");
            }
        }
    }

    #[test]
    fn no_changed_byte_of_a_checkpoint_causes_a_panic() {
        let folder = tempfile::tempdir().unwrap();
        let repo = Repo::with(&folder.path().join("repository.git"), &commits());
        let repository = Repository::open(folder.path().join("repository.git")).unwrap();
        let mut history = History::new(component(), "en");
        history
            .step(&repository, repo.id("back"), Timestamp::default(), &|_| {})
            .unwrap();
        let good = postcard::to_stdvec(&history.saved()).unwrap();
        for at in 0..good.len() {
            let mut bad = good.clone();
            bad[at] ^= 0x41;
            if let Some(mut history) = load(&bad) {
                let _ = history.project(&repository);
                history.index_texts();
            }
        }
    }
}
