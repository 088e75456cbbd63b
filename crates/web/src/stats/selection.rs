//! The part of a history that a page shows: some months and some languages, from the parameters `from`, `to` and `lang`.

use std::ops::Range;

use crate::project_history::{LanguageHistory, ProjectHistory, Work};
use crate::request::PageRequest;
use gitglot_model::{SeededMap, UserId, percent};

/// Some months and languages of a history.
pub(super) struct Selection<'a> {
    pub(super) history: &'a ProjectHistory,
    /// Indexes in the history, ascending.
    pub(super) languages: Vec<usize>,
    /// Indexes of months; at least one.
    pub(super) months: Range<usize>,
    /// Whether it has all languages, also those that the project no longer has.
    pub(super) has_all: bool,
}

impl<'a> Selection<'a> {
    /// The selection of a request; `code` is the only language of a page. Unknown months and languages do not count.
    pub(super) fn of(
        request: &PageRequest<'_>,
        history: &'a ProjectHistory,
        code: Option<&str>,
    ) -> Self {
        let last = history.months() - 1;
        let month = |name| request.value(name).and_then(|month| history.named(month));
        let from = month("from").unwrap_or(0);
        let to = month("to").unwrap_or(last).max(from);
        let position = |code: &str| {
            let mut languages = history.languages.iter();
            languages.position(|language| language.code == code)
        };
        let wanted = request.query.iter().filter(|(name, _)| name == "lang");
        let mut chosen: Vec<usize> = wanted.filter_map(|(_, code)| position(code)).collect();
        chosen.sort_unstable();
        chosen.dedup();
        let has_all = code.is_none() && chosen.is_empty();
        let languages = match code {
            Some(code) => position(code).into_iter().collect(),
            None if has_all => (0..history.languages.len()).collect(),
            None => chosen,
        };
        Self {
            history,
            languages,
            months: from..to + 1,
            has_all,
        }
    }

    /// The last month.
    pub(super) fn last(&self) -> usize {
        self.months.end - 1
    }

    pub(super) fn languages(&self) -> impl Iterator<Item = &'a LanguageHistory> {
        let all = &self.history.languages;
        self.languages.iter().filter_map(|&at| all.get(at))
    }

    /// The share of the strings of all languages that were translated at the end of a month, in tenths of a percent.
    pub(super) fn tenths(&self, at: usize) -> u32 {
        let translated = self.languages().map(|of| of.translated_at(at)).sum();
        percent(translated, self.languages().map(|of| of.total).sum(), 1000)
    }

    /// Number of texts changed in a month.
    pub(super) fn texts(&self, at: usize) -> u32 {
        if self.has_all {
            self.history.activity.get(at).copied().unwrap_or_default()
        } else {
            let texts = self.languages().filter_map(|of| of.texts.get(at));
            texts.sum()
        }
    }

    /// The years that begin in the months, each with the index of its January.
    pub(super) fn years(&self) -> impl Iterator<Item = (i64, usize)> + '_ {
        let januaries = self.months.clone();
        januaries.filter_map(|at| match self.history.year_of(at) {
            (year, 0) => Some((year, at)),
            _ => None,
        })
    }

    /// The whole work of each person, most active first.
    pub(super) fn contributors(&self) -> Vec<Work> {
        let has_language = |at: usize| self.languages.binary_search(&at).is_ok();
        let is_selected = |of: &&Work| {
            self.months.contains(&of.month)
                && (self.has_all || of.language.is_some_and(has_language))
        };
        let mut people: SeededMap<UserId, Work> = SeededMap::default();
        for of in self.history.work.iter().filter(is_selected) {
            let person = people.entry(of.user);
            person.and_modify(|person| person.add(of)).or_insert(*of);
        }
        let mut people: Vec<Work> = people.into_values().collect();
        people.sort_by_key(|person| (std::cmp::Reverse(person.new + person.changed), person.user));
        people
    }
}

impl LanguageHistory {
    /// Number of translated strings at the end of a month.
    pub(super) fn translated_at(&self, at: usize) -> u64 {
        let count = self.translated.get(at).copied().unwrap_or_default();
        u64::try_from(count).unwrap_or_default()
    }

    /// The share of today's strings that were translated at the end of a month, in tenths of a percent.
    pub(super) fn tenths(&self, at: usize) -> u32 {
        percent(self.translated_at(at), self.total, 1000)
    }
}
