//! Who wrote the translations of a part of the log (`docs/spec/change-log.md#contributions`).

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

use super::component::ComponentSnapshot;
use super::log::ChangeView;
use super::snapshot::Snapshot;
use crate::scan::Budget;
use gitglot_history::{Account, Accounts, platform_names};
use gitglot_model::language::{self, Language};
use gitglot_model::privacy;
use gitglot_model::{
    Action, KeyId, LineageId, Origin, SeededMap, SeededSet, TextId, Timestamp, UserId, WorkLimit,
    WorkMeter, counted, words,
};

/// The texts of a person in a language.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Contribution {
    /// The code of the language.
    pub language: Arc<str>,
    /// The name of the person.
    pub name: Arc<str>,
    /// The number of texts.
    pub strings: u64,
    /// The words of their source texts.
    pub words: u64,
}

impl Contribution {
    /// The sums in words: `2 strings, 5 words`.
    pub fn amount(&self) -> String {
        let count = |count: u64, noun| counted(usize::try_from(count).unwrap_or(usize::MAX), noun);
        [count(self.strings, "string"), count(self.words, "word")].join(", ")
    }
}

/// The contributions to a language.
#[derive(Clone, Debug)]
pub struct LanguageContributions<'a> {
    /// The code, as contributions have it.
    pub code: &'a str,
    /// The language.
    pub language: Language,
    /// The people, in the order of [`contributions`].
    pub people: &'a [Contribution],
}

/// The languages of contributions, which are in the order of [`contributions`], by their names.
pub fn by_language(contributions: &[Contribution]) -> Vec<LanguageContributions<'_>> {
    let groups = contributions.chunk_by(|a, b| a.language == b.language);
    let groups = groups.filter_map(|people| {
        let code = &*people.first()?.language;
        Some(LanguageContributions {
            code,
            language: language::resolve(code),
            people,
        })
    });
    let mut languages: Vec<_> = groups.collect();
    languages.sort_by(|a, b| (&a.language.name, a.code).cmp(&(&b.language.name, b.code)));
    languages
}

/// The work on an entry, in the bytes that a [`WorkMeter`] counts.
const WORK_PER_ENTRY: usize = 64;

/// The texts of a unit in a part of the log.
struct UnitTexts {
    before: TextId,
    /// The texts that entries wrote, with the indexes of the entries.
    written: Vec<(TextId, u32)>,
}

/// The contributions to some components, each in a part of its log: by language, then by words, the most first. Only the
/// last text of a unit counts, for the person who wrote it first; a text that the unit had before, one whose words are those
/// of the text before, a moved one and one that no person wrote (docs/spec/origins.md) do not. Nothing of a log counts where the limit ends.
pub fn contributions(
    snapshot: &Snapshot,
    parts: &[(&ComponentSnapshot, Range<u32>)],
    limit: &dyn WorkLimit,
) -> Vec<Contribution> {
    let meter = limit.meter();
    let mut sums: BTreeMap<(Arc<str>, Arc<str>), (u64, u64)> = BTreeMap::new();
    for (component, range) in parts {
        let accounts = Accounts::of(&component.component);
        let mut people: SeededMap<u32, bool> = SeededMap::default();
        for (at, source) in credited(component, range, &meter) {
            let Some(change) = ChangeView::of(component, at) else {
                continue;
            };
            let user = change.user().and_then(|id| snapshot.user(UserId(id)));
            let (Some(user), Some(language)) = (user, change.language()) else {
                continue;
            };
            let commit = change.commit();
            let is_human = commit.is_some_and(|commit| commit.origin == Origin::Human);
            let is_person = people
                .entry(user.id.0)
                .or_insert_with(|| accounts.account(&user.full_name, "") == Account::Person);
            if !is_human || !*is_person {
                continue;
            }
            let source = component.texts.get(source);
            if !meter(source.len()) {
                return Vec::new();
            }
            let author = (language.into(), privacy::name(&user.full_name).into());
            let sum = sums.entry(author).or_default();
            sum.0 += 1;
            sum.1 += u64::from(words(source));
        }
    }
    let found = sums.into_iter();
    let found = found.map(|((language, name), (strings, words))| Contribution {
        language,
        name,
        strings,
        words,
    });
    let mut found: Vec<_> = found.collect();
    found.sort_by(|a, b| {
        (&a.language, b.words, b.strings, &a.name).cmp(&(&b.language, a.words, a.strings, &b.name))
    });
    found
}

/// The entries of a part of a log that wrote a text which counts, each with the source of its text.
fn credited(
    component: &ComponentSnapshot,
    range: &Range<u32>,
    meter: &WorkMeter<'_>,
) -> Vec<(u32, TextId)> {
    let texts = &component.texts;
    let mut units: SeededMap<(LineageId, KeyId), UnitTexts> = SeededMap::default();
    let mut order = Vec::new();
    let mut earlier: SeededMap<(LineageId, KeyId), SeededSet<TextId>> = SeededMap::default();
    for at in range.clone() {
        let Some(entry) = component.log.get(at as usize) else {
            break;
        };
        if !meter(WORK_PER_ENTRY) {
            return Vec::new();
        }
        let unit = entry.lineage.zip(entry.key);
        let Some(unit) = unit.filter(|_| entry.action.writes_text()) else {
            continue;
        };
        let known = units.entry(unit).or_insert_with(|| {
            order.push(unit);
            UnitTexts {
                before: entry.previous,
                written: Vec::new(),
            }
        });
        match entry.moved {
            // Its text is that of an older key.
            true => known.before = entry.target,
            false => known.written.push((entry.target, at)),
        }
    }
    for entry in component.log.iter().take(range.start as usize) {
        if !meter(WORK_PER_ENTRY) {
            return Vec::new();
        }
        let unit = entry.lineage.zip(entry.key);
        if let Some(unit) = unit.filter(|_| entry.action.writes_text())
            && units.contains_key(&unit)
        {
            earlier.entry(unit).or_default().insert(entry.target);
        }
    }
    let found = order.into_iter().filter_map(|unit| {
        let of = units.get(&unit)?;
        let &(last, _) = of.written.last()?;
        let &(_, first) = of.written.iter().find(|(text, _)| *text == last)?;
        let earlier = earlier.get(&unit);
        let is_old = earlier.is_some_and(|earlier| earlier.contains(&last));
        let (before, text) = (texts.get(of.before), texts.get(last));
        if !meter(before.len() + text.len()) {
            return None;
        }
        let is_same = before.split_whitespace().eq(text.split_whitespace());
        let entry = component.log.get(first as usize)?;
        (last != TextId::EMPTY && !is_old && !is_same).then_some((first, entry.source))
    });
    found.collect()
}

/// Newest entries of a log that are read to find a platform.
const MAX_READ: usize = 10_000;

/// The translation platform that made the newest commit of one, or whose texts it has (docs/spec/origins.md), and when; its
/// name is empty if the commit does not show it.
pub fn platform<'a>(
    component: &'a ComponentSnapshot,
    budget: &Budget,
) -> Option<(&'a str, Timestamp)> {
    let log = &component.log;
    if !budget.spend(log.len().min(MAX_READ) as u64) {
        return None;
    }
    let newest = (log.len().saturating_sub(MAX_READ)..log.len()).rev();
    let mut entries = newest.filter_map(|at| ChangeView::of(component, at as u32));
    let (entry, commit) = entries.find_map(|change| {
        let (entry, commit) = (change.entry, change.commit());
        let is_platform = entry.action == Action::CommittedChanges
            || commit.is_some_and(|commit| commit.origin == Origin::Platform);
        is_platform.then_some((entry, commit))
    })?;
    let texts = commit.map(|row| [row.subject, row.author_name]);
    let texts = texts.map(|ids| ids.map(|id| component.texts.get(id).to_lowercase()));
    let configured = component.component.platforms.iter().map(String::as_str);
    let mut known = platform_names().chain(configured);
    let name = texts.and_then(|texts| {
        known.find(|name| texts.iter().any(|text| text.contains(&name.to_lowercase())))
    });
    Some((name.unwrap_or_default(), entry.time))
}
