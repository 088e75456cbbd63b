//! What changed for the translators of each language, and what is left, as numbers and examples.

use std::collections::{BTreeMap, HashSet};

use anyhow::bail;
use chrono::{DateTime, NaiveDate};
use serde::Serialize;

use super::credits::entries_at;
use super::source::CheckSource;
use crate::config::{People, is_mention};
use gitglot_catalog::scan::Budget;
use gitglot_catalog::{ComponentSnapshot, Snapshot, TranslationView, UnitView, contributions};
use gitglot_lint::{RepositoryState, RepositoryTree};
use gitglot_model::address::file_page;
use gitglot_model::{Action, KeyId, PathPattern, Unlimited, counted, language};

/// Seconds of a week.
const WEEK: i64 = 7 * 24 * 60 * 60;
/// Strings that a language names.
const EXAMPLES: usize = 5;
/// The most bytes of a file with owners, as on GitHub.
const OWNERS_BYTES: usize = 3 << 20;
const OWNER_FILES: [&str; 3] = [".github/CODEOWNERS", "CODEOWNERS", "docs/CODEOWNERS"];

/// The digest. Field order is the order in JSON.
#[derive(Serialize)]
pub(super) struct Digest {
    version: u32,
    /// As it was given.
    pub since: Option<String>,
    pub languages: Vec<LanguageDigest>,
}

#[derive(Default, Serialize)]
pub(super) struct LanguageDigest {
    pub language: String,
    pub name: String,
    /// Those of the settings, otherwise the owners of the files.
    pub people: Vec<String>,
    pub strings: u64,
    pub translated: u64,
    pub missing: u64,
    pub stale: u64,
    pub failing: u64,
    /// New strings without a translation.
    pub new: u64,
    /// Stale strings whose source changed, by the kind of the change.
    pub changed: BTreeMap<&'static str, u64>,
    /// The first of both.
    pub examples: Vec<Example>,
    pub translators: Vec<Translator>,
}

#[derive(Serialize)]
pub(super) struct Example {
    pub key: String,
    pub file: String,
    /// The kind of change; `None` for a new string.
    pub change: Option<&'static str>,
    pub source: String,
    /// The page of the file at the host of the repository.
    pub url: Option<String>,
}

#[derive(Serialize)]
pub(super) struct Translator {
    pub name: String,
    pub strings: u64,
    pub words: u64,
}

/// The strings that a part of a log adds and changes, by their keys.
#[derive(Default)]
struct News {
    added: HashSet<KeyId>,
    changed: HashSet<KeyId>,
}

impl Digest {
    /// The news since a revision or a time, of all languages or of those with these codes.
    pub fn read(
        since: Option<&str>,
        codes: &[String],
        snapshot: &Snapshot,
        source: &CheckSource,
        people: &People,
    ) -> anyhow::Result<Self> {
        let owners = Owners::read(source)?;
        let address = source.address();
        let wanted: Vec<_> = codes
            .iter()
            .map(|code| language::resolve(code).code)
            .collect();
        let mut languages: BTreeMap<String, LanguageDigest> = BTreeMap::new();
        let mut parts = Vec::new();
        for component in snapshot.components() {
            let last = u32::try_from(component.log.len()).unwrap_or(u32::MAX);
            let first = first_entry(component, source, since)?;
            let range = first.min(last)..last;
            let news = News::of(component, range.start);
            parts.push((&**component, range));
            let page = |path: &str| file_page(address.as_deref()?, component.tip.id, path);
            for view in component.views().filter(|view| !view.is_source()) {
                let own = &view.translation.language;
                if !wanted.is_empty() && !wanted.contains(&own.code) {
                    continue;
                }
                let digest = languages.entry(own.code.to_string()).or_default();
                digest.language = own.code.to_string();
                digest.name = own.name.to_string();
                digest.add(view.revised(), &news, &page);
                match people.of(&own.code) {
                    Some(people) => digest.people = people.to_vec(),
                    None => owners.add_to(&view.translation.path, &mut digest.people),
                }
            }
        }
        if let Some(code) = wanted.iter().find(|code| !languages.contains_key(&***code)) {
            bail!("no file has the language {code}: gitglot check lists the languages");
        }
        for person in contributions(snapshot, &parts, &Unlimited) {
            if let Some(digest) = languages.get_mut(&*person.language) {
                digest.translators.push(Translator {
                    name: person.name.to_string(),
                    strings: person.strings,
                    words: person.words,
                });
            }
        }
        let mut languages: Vec<_> = languages.into_values().collect();
        languages.sort_by(|a, b| (&a.name, &a.language).cmp(&(&b.name, &b.language)));
        Ok(Self {
            version: 1,
            since: since.map(str::to_owned),
            languages,
        })
    }
}

/// The first entry after a revision or a time.
fn first_entry(
    component: &ComponentSnapshot,
    source: &CheckSource,
    since: Option<&str>,
) -> anyhow::Result<u32> {
    let time = match since {
        None => component.tip.committer.time.seconds - WEEK,
        Some(since) => match time_of(since) {
            Some(time) => time,
            None => return entries_at(component, &source.repository, since),
        },
    };
    let row = component.log.mainline_at(&[time]).pop().flatten();
    Ok(row.map_or(0, |row| row.entries))
}

/// A date or a time, in seconds since 1970.
fn time_of(text: &str) -> Option<i64> {
    if let Ok(time) = DateTime::parse_from_rfc3339(text) {
        return Some(time.timestamp());
    }
    let day = NaiveDate::parse_from_str(text, "%Y-%m-%d").ok()?;
    Some(day.and_hms_opt(0, 0, 0)?.and_utc().timestamp())
}

impl News {
    fn of(component: &ComponentSnapshot, first: u32) -> Self {
        let mut news = Self::default();
        for entry in component.log.iter().skip(first as usize) {
            let keys = match entry.action {
                Action::NewSourceString => &mut news.added,
                Action::SourceStringChanged => &mut news.changed,
                _ => continue,
            };
            keys.extend(entry.key);
        }
        news
    }
}

impl LanguageDigest {
    /// The strings with work.
    pub fn left(&self) -> u64 {
        self.missing + self.stale + self.failing
    }

    /// Adds a file. `page` returns the address of a path at the host of the repository.
    fn add(
        &mut self,
        view: TranslationView<'_>,
        news: &News,
        page: &dyn Fn(&str) -> Option<String>,
    ) {
        let statistics = view.totals();
        self.strings += statistics.all.units;
        self.translated += statistics.translated.units;
        self.missing += statistics.missing().units;
        self.stale += statistics.fuzzy.units;
        self.failing += gitglot_web::failing(view, &Budget::unlimited()).units;
        let absent = view.missing().into_iter();
        let absent = absent.flat_map(|missing| missing.strings.iter());
        for &at in absent {
            let string = view.component.expected.strings.get(at as usize);
            let is_new = string.is_some_and(|string| news.added.contains(&string.key()));
            self.new += u64::from(is_new);
        }
        for unit in view.units_from(0) {
            let Some(key) = unit.component.key_of(unit.string()) else {
                continue;
            };
            let change = unit.source_change().map(|change| change.id());
            let is_new = news.added.contains(&key) && !unit.unit.translated() && !unit.unit.fuzzy();
            match change.filter(|_| news.changed.contains(&key)) {
                Some(change) => *self.changed.entry(change).or_default() += 1,
                None if is_new => self.new += 1,
                None => continue,
            }
            if self.examples.len() < EXAMPLES {
                self.examples.push(Example::of(unit, change, page));
            }
        }
    }
}

impl Example {
    fn of(
        unit: UnitView<'_>,
        change: Option<&'static str>,
        page: &dyn Fn(&str) -> Option<String>,
    ) -> Self {
        let path = &unit.translation.path;
        let source = unit.component.texts.get(unit.source.source);
        Self {
            key: unit.name().into_owned(),
            file: path.to_string(),
            change,
            source: source.chars().take(80).collect(),
            url: page(path),
        }
    }
}

/// The people that a file names for paths; the last pattern that matches counts.
struct Owners(Vec<(PathPattern, Vec<String>)>);

impl Owners {
    fn read(source: &CheckSource) -> anyhow::Result<Self> {
        let Some(head) = source.revisions.head else {
            return Ok(Self(Vec::new()));
        };
        let tree = RepositoryTree::open(&source.repository, RepositoryState::Commit(head))?;
        for path in OWNER_FILES {
            if let Some(bytes) = tree.small_file(path, OWNERS_BYTES)? {
                return Ok(Self::parse(&String::from_utf8_lossy(&bytes)));
            }
        }
        Ok(Self(Vec::new()))
    }

    fn parse(text: &str) -> Self {
        let rule = |line: &str| {
            let line = line.split(" #").next()?.trim();
            let mut words = line.split_whitespace();
            let pattern = words.next().filter(|word| !word.starts_with('#'))?;
            let pattern = pattern.parse::<PathPattern>().ok()?;
            // Addresses are never printed.
            let is_name = |owner: &&str| is_mention(owner);
            Some((pattern, words.filter(is_name).map(str::to_owned).collect()))
        };
        Self(text.lines().filter_map(rule).collect())
    }

    fn add_to(&self, path: &str, people: &mut Vec<String>) {
        let rule = self.0.iter().rfind(|(pattern, _)| pattern.matches(path));
        for owner in rule.iter().flat_map(|(_, owners)| owners) {
            if !people.contains(owner) {
                people.push(owner.clone());
            }
        }
    }
}

/// `1 string`, `2 strings`.
pub(super) fn count(number: u64, noun: &str) -> String {
    counted(usize::try_from(number).unwrap_or(usize::MAX), noun)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_rule_of_an_owners_file_counts() {
        let owners = Owners::parse(
            "# all\n* @lead me@example.org\n/locales/de.json @anna @org/german # German\n/locales/fr.json\n",
        );
        let of = |path: &str| {
            let mut people = Vec::new();
            owners.add_to(path, &mut people);
            people.join(" ")
        };
        assert_eq!(of("locales/de.json"), "@anna @org/german");
        assert_eq!(of("locales/cs.json"), "@lead");
        assert_eq!(of("locales/fr.json"), "");
    }

    #[test]
    fn dates_and_times_are_no_revisions() {
        assert_eq!(time_of("1970-01-02"), Some(86_400));
        assert_eq!(time_of("1970-01-01T01:00:00+01:00"), Some(0));
        assert_eq!(time_of("v1.0"), None);
    }
}
