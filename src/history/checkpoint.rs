//! A history written down and read back, so that a start need not read the repository again.
//!
//! What is read is trusted no further than its form: a number that leads nowhere gives `None`.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::files::layout::{File, Layout, Layouts, MovedFile};
use super::history::History;
use super::log::authors::PeopleTable;
use super::log::state::{AlreadyReported, KeyState, Lineage, LogState};
use super::projection::rows::Person;
use super::projection::tip::TipFile;
use super::versions::keys::KeyTable;
use super::versions::parsed::{FileEntry, KeyOrder, ParsedVersion, Vocabulary};
use super::versions::values::{Value, Values};
use crate::model::binary_codec::{Reader, Writer};
use crate::model::{
    BlobId, CommitId, Component, FileMask, KeyId, LineageId, Log, PersonId, TextId, TextPool, Timestamp,
};

/// How many texts and keys there are: names beyond them are refused.
#[derive(Clone, Copy)]
struct Bounds {
    texts: usize,
    keys: usize,
}

impl Bounds {
    fn text(self, name: u32) -> Option<TextId> {
        ((name as usize) < self.texts).then_some(TextId(name))
    }

    fn key(self, key: u32) -> Option<KeyId> {
        ((key as usize) < self.keys).then_some(KeyId(key))
    }

    fn value(self, raw: u32) -> Option<Value> {
        let value = Value::from_raw(raw);
        self.text(value.text().0).map(|_| value)
    }
}

impl History {
    /// Writes down all that is needed to go on from here.
    pub fn save(&mut self, out: &mut Writer<'_>) {
        let state = &mut self.state;
        state.vocabulary.texts.freeze().save(out);
        out.u32s(state.vocabulary.keys.contexts().iter().map(|context| context.0));
        save_layouts(&state.layouts, out);
        out.option(state.tip, |out, tip| out.id(&tip.0));
        out.list(state.ancestors.iter(), |out, id| out.id(&id.0));
        out.list(state.lineages.iter(), |out, lineage| save_lineage(lineage, out));
        out.list(state.keys.iter(), |out, key| {
            out.u8(u8::from(key.present));
            out.u32(key.source.raw());
            out.i64(key.since.0);
        });
        out.u32(state.present_keys);
        out.list(state.shown_sources.iter(), |out, &(key, source)| {
            out.u32(key.0);
            out.u32(source.0);
        });
        state.log.save(out);
        out.list(state.people.list().iter(), |out, person| {
            out.text(&person.identity);
            out.text(&person.full_name);
            out.i64(person.named);
        });
        out.list(state.reported.broken.iter(), |out, (path, blob)| {
            out.u32(path.0);
            out.id(&blob.0);
        });
        out.u32s(state.reported.languages.iter().map(|target| target.0).collect::<Vec<_>>().into_iter());
        out.u32s(state.reported.keys.iter().map(|key| key.0).collect::<Vec<_>>().into_iter());
        out.i64(state.last_time);

        let mut goods: Vec<&Arc<ParsedVersion>> =
            self.files.iter().filter_map(|served| served.version.as_ref()).collect();
        goods.extend(&self.template);
        goods.sort_by_key(|good| good.blob);
        goods.dedup_by_key(|good| good.blob);
        out.list(goods.into_iter(), |out, good| save_version(good, out));
        out.list(self.files.iter(), |out, served| {
            out.text(&served.path);
            out.text(&served.file.code);
            out.id(&served.file.blob.0);
            out.u16(served.lineage.0);
            out.option(served.version.as_ref(), |out, good| out.id(&good.blob.0));
        });
        out.option(self.template.as_ref(), |out, good| out.id(&good.blob.0));
    }

    /// Reads what [`Self::save`] wrote for the same component; `None` when it makes no sense.
    pub fn load(component: Arc<Component>, source_language: &str, from: &mut Reader<'_>) -> Option<Self> {
        let texts = TextPool::load(from)?;
        let contexts: Vec<TextId> = from.u32s()?.map(TextId).collect();
        let bounds = Bounds { texts: texts.len(), keys: contexts.len() };
        if contexts.iter().any(|context| bounds.text(context.0).is_none()) {
            return None;
        }
        let layouts = load_layouts(from)?;
        let tip = from.option(|from| from.id().map(CommitId))?;
        let ancestors = from.list(20, |from| from.id().map(CommitId))?.into_iter().collect();
        let lineages = from.list(64, |from| load_lineage(from, bounds))?;
        let keys = from.list(13, |from| {
            let present = from.u8()? == 1;
            Some(KeyState { present, source: bounds.value(from.u32()?)?, since: Timestamp(from.i64()?) })
        })?;
        let present_keys = from.u32()?;
        let shown_sources = from.list(8, |from| Some((bounds.key(from.u32()?)?, bounds.text(from.u32()?)?)))?;
        let log = Log::load(from, bounds.texts, contexts.len(), lineages.len())?;
        let people = from.list(24, |from| {
            let (identity, full_name) = (from.text()?.to_owned(), from.text()?.to_owned());
            Some(Person { identity, full_name, named: from.i64()? })
        })?;
        let reported = AlreadyReported {
            broken: from
                .list(24, |from| Some((bounds.text(from.u32()?)?, from.id().map(BlobId)?)))?
                .into_iter()
                .collect(),
            languages: from.u32s()?.map(TextId).collect(),
            keys: from.u32s()?.map(KeyId).collect(),
        };
        let last_time = from.i64()?;
        let named = |person: PersonId| person == PersonId::NOBODY || (person.0 as usize) < people.len();
        if keys.len() > contexts.len() || !log.commits.iter().all(|commit| named(commit.author)) {
            return None;
        }
        let commit_rows = log.commits.iter().map(|commit| commit.id).zip(0..).collect();

        let goods = from.list(60, |from| load_version(from, bounds))?;
        let goods: FxHashMap<BlobId, Arc<ParsedVersion>> =
            goods.into_iter().map(|good| (good.blob, Arc::new(good))).collect();
        let good = |from: &mut Reader<'_>| goods.get(&BlobId(from.id()?)).cloned();
        let lineage_count = lineages.len();
        let files = from.list(39, |from| {
            let (path, code) = (from.text()?.into(), from.text()?.into());
            let file = File { code, blob: BlobId(from.id()?) };
            let lineage = LineageId(from.u16()?);
            let version = from.option(good)?;
            (usize::from(lineage.0) < lineage_count).then_some(TipFile { path, file, lineage, version })
        })?;
        let template = from.option(good)?;
        let state = LogState {
            vocabulary: Vocabulary { texts, keys: KeyTable::from_contexts(contexts) },
            layouts,
            tip,
            ancestors,
            lineages,
            keys,
            present_keys,
            shown_sources: shown_sources.into_iter().collect(),
            log: Arc::new(log),
            people: PeopleTable::from_list(people),
            commit_rows,
            reported,
            last_time,
        };
        let mut history = Self::new(component, source_language);
        (history.state, history.files, history.template) = (state, files, template);
        Some(history)
    }
}

fn save_layouts(layouts: &Layouts, out: &mut Writer<'_>) {
    out.list(layouts.list.iter(), |out, place| {
        out.text(place.mask.as_str());
        out.text(&place.template);
        out.text(&place.template_code);
    });
    out.list(layouts.template_paths.iter(), |out, path| out.text(path));
    out.list(layouts.moved.iter(), |out, moved| {
        out.text(&moved.path);
        out.text(&moved.language);
    });
}

fn load_layouts(from: &mut Reader<'_>) -> Option<Layouts> {
    let list = from.list(24, |from| {
        let mask = FileMask::new(from.text()?).ok()?;
        Some(Layout { mask, template: from.text()?.into(), template_code: from.text()?.into() })
    })?;
    let template_paths = from.list(8, |from| from.text().map(Into::into))?;
    let moved = from.list(16, |from| Some(MovedFile { path: from.text()?.into(), language: from.text()?.into() }))?;
    (!list.is_empty()).then_some(Layouts { list, template_paths, moved })
}

fn save_lineage(lineage: &Lineage, out: &mut Writer<'_>) {
    out.text(&lineage.language);
    out.text(&lineage.path);
    out.list(lineage.older_paths.iter(), |out, path| out.text(path));
    out.u8(u8::from(lineage.alive));
    out.u8(u8::from(lineage.readable));
    out.u32s(lineage.values.iter().map(|value| value.raw()));
    out.u32s(lineage.written_for.iter().map(|source| source.0));
    out.u32(lineage.incomplete_count);
    out.option(lineage.last_change, |out, (time, person)| {
        out.i64(time.0);
        out.u32(person.0);
    });
}

fn load_lineage(from: &mut Reader<'_>, bounds: Bounds) -> Option<Lineage> {
    let (language, path) = (from.text()?.into(), from.text()?.into());
    let mut lineage = Lineage::new(language, path, 0);
    lineage.older_paths = from.list(8, |from| from.text().map(Into::into))?;
    lineage.alive = from.u8()? == 1;
    lineage.readable = from.u8()? == 1;
    lineage.values = from.u32s()?.map(Value::from_raw).collect();
    lineage.written_for = from.u32s()?.map(TextId).collect();
    lineage.incomplete_count = from.u32()?;
    lineage.last_change = from.option(|from| Some((Timestamp(from.i64()?), PersonId(from.u32()?))))?;
    let texts = lineage.values.iter().map(|value| value.text()).chain(lineage.written_for.iter().copied());
    let highest = texts.max().unwrap_or_default();
    let fits = lineage.values.len() == lineage.written_for.len() && lineage.values.len() <= bounds.keys;
    (fits && bounds.text(highest.0).is_some()).then_some(lineage)
}

fn save_version(version: &ParsedVersion, out: &mut Writer<'_>) {
    out.id(&version.blob.0);
    for values in [&version.values, &version.notes] {
        let (mut keys, mut raw) = (Vec::new(), Vec::new());
        values.each(&mut |key, value| {
            keys.push(key.0);
            raw.push(value.raw());
        });
        out.u32s(keys.into_iter());
        out.u32s(raw.into_iter());
    }
    out.list(version.duplicates.iter(), |out, item| {
        out.u32(item.key.0);
        out.u32(item.value.raw());
        out.u32(item.note.raw());
    });
    out.option(version.order.as_ref(), |out, order| {
        let keys: Vec<u32> = order.keys().map(|key| key.0).collect();
        out.u32s(keys.into_iter());
    });
}

fn load_version(from: &mut Reader<'_>, bounds: Bounds) -> Option<ParsedVersion> {
    let blob = BlobId(from.id()?);
    let mut values = || {
        let (keys, raw) = (from.u32s()?, from.u32s()?);
        let mut values = Values::default();
        for (key, raw) in keys.zip(raw) {
            values.set(bounds.key(key)?, bounds.value(raw)?);
        }
        Some(values)
    };
    let (values, notes) = (values()?, values()?);
    let duplicates = from.list(12, |from| {
        let key = bounds.key(from.u32()?)?;
        Some(FileEntry { key, value: bounds.value(from.u32()?)?, note: bounds.value(from.u32()?)? })
    })?;
    let order = from.option(|from| {
        let keys: Option<Vec<KeyId>> = from.u32s()?.map(|key| bounds.key(key)).collect();
        Some(KeyOrder::new(&keys?, None))
    })?;
    Some(ParsedVersion { blob, values, notes, duplicates: duplicates.into(), order })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::git::Repository;
    use crate::history::Projection;
    use crate::model::{FileFormat, Slug};
    use crate::test_support::{self, Repo, commit};

    fn commits() -> test_support::History {
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
            .write("_locales/cs/messages.json", r#"{"a": {"message": "Á"}, "b": {"message": "Bé"}}"#)
            .branch("main")
            .commit("source")
            .write(
                "src/_locales/en/messages.json",
                r#"{"a": {"message": "An A", "description": "Letter"}, "c": {"message": "C"}}"#,
            )
            .commit("merged")
            .merge("aside")
            .write("src/_locales/cs/messages.json", r#"{"a": {"message": "Á"}, "b": {"message": "Bé"}}"#)
            .commit("back")
            .write(
                "src/_locales/en/messages.json",
                r#"{"b": {"message": "B"}, "a": {"message": "An A"}, "c": {"message": "C"}}"#,
            )
            .write("src/_locales/de/messages.json", r#"{"a": {"message": "Ah"}}"#)
    }

    fn component() -> Arc<Component> {
        let mask = |text| FileMask::new(text).unwrap();
        Arc::new(Component {
            previous_filemasks: vec![mask("_locales/*/messages.json")],
            ..Component::new(
                Slug::new("component").unwrap(),
                mask("src/_locales/*/messages.json"),
                "src/_locales/en/messages.json",
                FileFormat::WebExtension,
            )
        })
    }

    fn saved(history: &mut History) -> Vec<u8> {
        let mut bytes = Vec::new();
        let mut sink = |piece: &[u8]| bytes.extend_from_slice(piece);
        let mut out = Writer::new(&mut sink);
        history.save(&mut out);
        out.flush();
        bytes
    }

    /// All that a projection says, with texts for their names.
    fn told(projection: &Projection) -> Vec<String> {
        let text = |name: TextId| projection.texts.get(name);
        let entry = |at: usize| {
            let entry = projection.log.get(at).unwrap();
            let commit = &projection.log.commits[entry.commit as usize];
            let key = entry.key.map(|key| text(projection.log.keys[key.0 as usize]));
            let texts = [entry.target, entry.previous, entry.source].map(text);
            format!("{:?} {:?} {:?} {key:?} {texts:?} {:?}", entry.time, entry.action, entry.lineage, commit.id)
        };
        let mut told: Vec<String> = (0..projection.log.len()).map(entry).collect();
        for source in projection.sources.iter() {
            let texts = [source.context, source.source, source.note].map(text);
            told.push(format!("{texts:?} {} {:?}", source.position, source.since));
        }
        for translation in &projection.translations {
            let units = translation.units.iter().map(|unit| (text(unit.target), text(unit.note), unit.translated));
            let stale = translation.stale.iter().map(|&(row, source)| (row, text(source)));
            let rows = (units.collect::<Vec<_>>(), stale.collect::<Vec<_>>());
            told.push(format!("{} {:?} {:?} {rows:?}", translation.path, translation.blob, translation.older_paths));
        }
        told.extend(projection.people.iter().map(|person| format!("{person:?}")));
        told.extend(projection.problems.iter().map(|problem| format!("{problem:?}")));
        told
    }

    #[test]
    fn a_history_goes_on_from_a_checkpoint_as_if_it_had_never_stopped() {
        let folder = tempfile::tempdir().unwrap();
        let repo = Repo::with(&folder.path().join("repository.git"), &commits());
        let repository = Repository::open(folder.path().join("repository.git")).unwrap();
        let step = |history: &mut History, label: &str| {
            history.step(&repository, repo.id(label), Timestamp::from_seconds(1 << 40), &|_| {}).unwrap();
        };
        for middle in ["one", "broken", "moved", "source", "merged", "back"] {
            let mut straight = History::new(component(), "en");
            step(&mut straight, middle);
            let bytes = saved(&mut straight);
            let mut back = History::load(component(), "en", &mut Reader::new(&bytes)).unwrap();
            for history in [&mut straight, &mut back] {
                step(history, "back");
            }
            let (expected, found) = (straight.project(&repository).unwrap(), back.project(&repository).unwrap());
            assert_eq!(told(&found), told(&expected), "{middle}");
            for cut in (0..bytes.len()).step_by(7) {
                assert!(History::load(component(), "en", &mut Reader::new(&bytes[..cut])).is_none(), "{cut}");
            }
        }
    }

    #[test]
    fn no_byte_of_a_checkpoint_can_make_the_reader_fail_unexpectedly() {
        let folder = tempfile::tempdir().unwrap();
        let repo = Repo::with(&folder.path().join("repository.git"), &commits());
        let repository = Repository::open(folder.path().join("repository.git")).unwrap();
        let mut history = History::new(component(), "en");
        history.step(&repository, repo.id("back"), Timestamp::default(), &|_| {}).unwrap();
        let good = saved(&mut history);
        for at in 0..good.len() {
            let mut bad = good.clone();
            bad[at] ^= 0x41;
            if let Some(mut history) = History::load(component(), "en", &mut Reader::new(&bad)) {
                let _ = history.project(&repository);
                history.index_texts();
            }
        }
    }
}
