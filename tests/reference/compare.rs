//! Compares the crate's log with the reference's, entry by entry, and checks the properties of every log.

use std::collections::HashMap;
use std::sync::Arc;

use gitglot_git::Repository;
use gitglot_history::{History, Projection};
use gitglot_model::{
    Action, CommitId, Component, ComponentSettings, FileFormat, FileMask, KeyId, Slug, TextId,
    Timestamp,
};

use super::Reference;
use super::fold::Log;
use super::keys::Recorded;

/// A test component.
pub fn component(mask: &str, template: &str, file_format: FileFormat) -> Component {
    Component::new(ComponentSettings::new(
        Slug::new("component").expect("a slug"),
        FileMask::new(mask).expect("a mask"),
        template,
        file_format,
    ))
}

/// An entry in comparable and readable form.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Line {
    pub time: i64,
    pub action: u8,
    pub language: Option<String>,
    pub key: Option<String>,
    pub target: String,
    pub previous: String,
    pub source: String,
    pub commit: CommitId,
    pub author: String,
    pub moved: bool,
}

/// Both logs of one component.
pub struct Pair {
    pub reference: Reference,
    pub history: History,
    pub projection: Option<Projection>,
}

impl Pair {
    pub fn new(component: Component, source_language: &str) -> Self {
        let reference = Reference::new(&component, source_language);
        Self {
            reference,
            history: History::new(Arc::new(component), source_language),
            projection: None,
        }
    }

    /// Moves both logs to a tip; fails with the first error. Without a readable template there is no projection.
    pub fn step(
        &mut self,
        repository: &Repository,
        tip: CommitId,
        seen: i64,
    ) -> Result<(), String> {
        self.reference.step(repository, tip, seen);
        self.history
            .step(repository, tip, Timestamp(seen), &|_| {})
            .map_err(|error| error.to_string())?;
        self.projection = match self.history.project(repository) {
            Ok(projection) => Some(projection),
            Err(error) if error.is_about_files() && !self.reference.has_template() => None,
            Err(error) => return Err(error.to_string()),
        };
        self.difference()
            .or_else(|| broken_promise(self))
            .map_or(Ok(()), Err)
    }

    /// The first difference between the two logs.
    pub fn difference(&self) -> Option<String> {
        let projection = self.projection.as_ref()?;
        let actual = lines(projection);
        let right = reference_lines(&self.reference.log);
        for at in 0..actual.len().max(right.len()) {
            if actual.get(at) != right.get(at) {
                return Some(format!(
                    "entry {at}:\n     is {:?}\n should {:?}",
                    actual.get(at),
                    right.get(at)
                ));
            }
        }
        let (renames, right) = (renames(projection), &self.reference.log.renames);
        if renames != *right {
            return Some(format!("renames:\n     are {renames:?}\n should {right:?}"));
        }
        // A tip without a template has the rows of an older one.
        if !self.reference.has_template() {
            return None;
        }
        let stale = stale(projection);
        let right = self.stale();
        (stale != right).then(|| format!("stale texts:\n     are {stale:?}\n should {right:?}"))
    }

    /// The reference's stale texts: language, key, translated source.
    pub fn stale(&self) -> Vec<(String, String, String)> {
        let mut right = self.reference.log.stale(self.reference.tip_view());
        right.sort();
        right
    }
}

/// The log of a projection.
pub fn lines(projection: &Projection) -> Vec<Line> {
    let log = &projection.log;
    let text = |text: TextId| projection.texts.get(text).to_owned();
    let entries = (0..log.len()).filter_map(|at| log.get(at));
    entries
        .map(|entry| {
            let commit = &log.commits[entry.commit as usize];
            Line {
                time: entry.time.0,
                action: entry.action.code(),
                language: entry
                    .lineage
                    .map(|index| text(log.lineages[usize::from(index.0)].language)),
                key: entry.key.map(|key| text(log.keys[key.0 as usize])),
                target: text(entry.target),
                previous: text(entry.previous),
                source: text(entry.source),
                commit: commit.id,
                author: if entry.action.names_user() {
                    projection.people[commit.author.0 as usize].identity.clone()
                } else {
                    String::new()
                },
                moved: entry.moved,
            }
        })
        .collect()
}

/// The renamed keys of a projection.
fn renames(projection: &Projection) -> Vec<Recorded> {
    let log = &projection.log;
    let key = |key: KeyId| projection.texts.get(log.keys[key.0 as usize]).to_owned();
    let renames = log.renames().map(|it| Recorded {
        entry: it.entry as usize,
        until: it.until as usize,
        from: key(it.from),
        to: key(it.to),
        evidence: it.evidence.name(),
        languages: it.languages,
    });
    renames.collect()
}

fn reference_lines(log: &Log) -> Vec<Line> {
    let entries = log.entries.iter();
    entries
        .map(|entry| Line {
            time: entry.time,
            action: entry.action,
            language: entry.language.map(|index| log.languages[index].clone()),
            key: entry.key.clone(),
            target: entry.target.clone(),
            previous: entry.previous.clone(),
            source: entry.source.clone(),
            commit: entry.commit,
            author: Action::from_code(entry.action)
                .filter(|action| action.names_user())
                .map_or_else(String::new, |_| entry.author.identity.clone()),
            moved: entry.moved,
        })
        .collect()
}

/// The stale texts of a projection: language, key, translated source.
pub fn stale(projection: &Projection) -> Vec<(String, String, String)> {
    let text = |text: TextId| projection.texts.get(text).to_owned();
    let mut stale = Vec::new();
    for translation in &projection.translations {
        let language = projection.log.lineages[usize::from(translation.lineage.0)].language;
        for (index, source) in &translation.stale {
            let key = projection.sources[*index as usize].context;
            stale.push((text(language), text(key), text(*source)));
        }
    }
    stale.sort();
    stale
}

/// Checks the properties of a finished log; returns the first violation.
pub fn broken_promise(pair: &Pair) -> Option<String> {
    let projection = pair.projection.as_ref();
    let projection = projection.filter(|_| pair.reference.has_template())?;
    let log = &projection.log;
    let text = |text: TextId| projection.texts.get(text);
    // The newest entry 2 or 5 of each unit, and the newest entry 30 of each key.
    let mut newest = HashMap::new();
    let mut newest_source = HashMap::new();
    let mut last = i64::MIN;
    for entry in (0..log.len()).filter_map(|at| log.get(at)) {
        match (entry.action.code(), entry.lineage, entry.key) {
            (2 | 5, Some(lineage), Some(key)) => {
                newest.insert((lineage, key), text(entry.target));
            }
            (30, _, Some(key)) => {
                newest_source.insert(key, text(entry.target));
            }
            _ => {}
        }
        if entry.time.0 <= last {
            return Some(format!("two entries at {last} or back in time"));
        }
        last = entry.time.0;
    }
    for translation in projection
        .translations
        .iter()
        .filter(|translation| !translation.is_template)
    {
        for (source, unit) in projection.sources.iter().zip(&translation.units) {
            let actual = newest
                .get(&(translation.lineage, source.key))
                .copied()
                .unwrap_or_default();
            if actual != text(unit.target()) {
                let key = text(source.context);
                return Some(format!(
                    "{} {key}: actual {actual:?}, has {:?}",
                    translation.path,
                    text(unit.target())
                ));
            }
        }
    }
    for source in projection.sources.iter() {
        if let Some(actual) = newest_source
            .get(&source.key)
            .filter(|actual| **actual != text(source.source))
        {
            return Some(format!(
                "{}: actual {actual:?}, has {:?}",
                text(source.context),
                text(source.source)
            ));
        }
    }
    replay(pair, &lines(projection))
}

/// Folds the crate's log up to each mainline commit of the last step and compares with that commit's files.
fn replay(pair: &Pair, lines: &[Line]) -> Option<String> {
    let reference = &pair.reference;
    let mut texts: HashMap<(&str, &str), &str> = HashMap::new();
    let mut sources: HashMap<&str, &str> = HashMap::new();
    let mut at = 0;
    for (commit, length) in &reference.marks {
        for line in lines.get(at..*length)? {
            match (line.action, &line.language, &line.key) {
                (2 | 5, Some(language), Some(key)) => {
                    texts.insert((language, key), &line.target);
                }
                (30, _, Some(key)) => {
                    sources.insert(key, &line.target);
                }
                _ => {}
            }
        }
        at = *length;
        let view = &reference.views[commit];
        for (key, text) in view.sources() {
            if sources.get(key).is_some_and(|actual| *actual != text) {
                return Some(format!(
                    "at {commit} the source {key} is actual as {:?}, not {text:?}",
                    sources[key]
                ));
            }
            for (language, _) in view
                .translations()
                .into_iter()
                .filter(|(language, _)| view.has_good(language))
            {
                let actual = texts.get(&(language, key)).copied().unwrap_or_default();
                let text = view.text(language, key).0;
                if actual != text {
                    return Some(format!(
                        "at {commit} {language} {key} is actual as {actual:?}, not {text:?}"
                    ));
                }
            }
        }
    }
    None
}
