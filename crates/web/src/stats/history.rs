//! The history of a project by month: progress of each language, activity and contributors. All from the change log.

use std::sync::Arc;

use super::month::{month_of, start_of};
use super::moved::StringsElsewhere;
use crate::PageRequest;
use gitglot_catalog::scan::Budget;
use gitglot_catalog::{ChangeView, ComponentSnapshot, LogView, TranslationSnapshot, percent};
use gitglot_model::{Action, SeededMap, TextId, Timestamp, UserId};

/// Changes before the newest 600 months count for the first of them.
const MAX_MONTHS: i64 = 600;

/// The history of a project by month.
pub(crate) struct ProjectHistory {
    /// The first month, counted from January of year 0.
    pub(super) first: i64,
    /// All languages except the source language, by name.
    pub(super) languages: Vec<LanguageHistory>,
    /// The sum of several languages.
    pub(super) all_languages: Option<LanguageHistory>,
    /// Number of texts changed in each month.
    pub(super) activity: Vec<u32>,
    /// Most active first.
    pub(super) contributors: Vec<Contributor>,
}

/// The progress of a language.
pub(super) struct LanguageHistory {
    pub(super) code: String,
    pub(super) name: String,
    /// Number of strings today.
    pub(super) total: u64,
    /// Number of today's strings that had a translation at the end of each month.
    pub(super) counts: Vec<i64>,
}

/// A person who changed texts.
#[derive(Clone, Copy)]
pub(super) struct Contributor {
    pub(super) user: UserId,
    /// Number of new translations.
    pub(super) new: u32,
    /// Number of changed translations.
    pub(super) changed: u32,
    pub(super) from: Timestamp,
    pub(super) to: Timestamp,
}

/// For each translation of a component the index of its language, and which of its strings have a text so far; `None`
/// for translations that do not count.
type HasText = Vec<Option<(usize, Vec<bool>)>>;

impl ProjectHistory {
    /// Reads the log of a project, for all languages or one. `None` if no text was ever changed.
    pub(crate) fn of(request: &PageRequest<'_>, slug: &str, code: Option<&str>) -> Option<Self> {
        let is_selected =
            |of: &TranslationSnapshot| code.is_none_or(|code| &*of.language.code == code);
        let logs_of = |component: &'_ Arc<ComponentSnapshot>| -> Vec<LogView<'_>> {
            let views = component
                .views()
                .filter(|view| is_selected(view.translation));
            match code {
                None => vec![request.snapshot.changes_of_component(component)],
                Some(_) => views
                    .map(|view| request.snapshot.changes_of_translation(view))
                    .collect(),
            }
        };
        let logs: Vec<(&ComponentSnapshot, Vec<LogView<'_>>)> = request
            .snapshot
            .components_of(slug)
            .map(|component| (&**component, logs_of(component)))
            .collect();
        let all = || logs.iter().flat_map(|(_, logs)| logs);
        let month_at =
            |log: &LogView<'_>, at: usize| log.get(at).map(|view| month_of(view.entry.time));
        let end = all()
            .filter_map(|log| month_at(log, log.len().checked_sub(1)?))
            .max()?;
        let first = all()
            .filter_map(|log| month_at(log, 0))
            .min()?
            .max(end - MAX_MONTHS + 1);
        let activity = vec![0; usize::try_from(end - first + 1).ok()?];
        let mut history = Self {
            first,
            languages: Vec::new(),
            all_languages: None,
            activity,
            contributors: Vec::new(),
        };
        let (mut index_of, mut contributors) = (SeededMap::default(), SeededMap::default());
        let mut moved = StringsElsewhere::new(request.snapshot.arrived_strings(slug));
        let texts = logs.into_iter().map(|(component, logs)| {
            (
                history.add_languages(component, &mut index_of, is_selected),
                logs,
            )
        });
        let texts: Vec<_> = texts.collect();
        for (mut has_text, logs) in texts {
            for log in logs {
                let texts = (&mut has_text, &mut moved);
                history.read(&log, request.budget, texts, &mut contributors);
            }
        }
        history.end_parts(&moved, &index_of);
        history.finish(contributors);
        history
            .activity
            .iter()
            .any(|&count| count > 0)
            .then_some(history)
    }

    /// Adds the languages of a component; returns its translations without any text.
    fn add_languages<'a>(
        &mut self,
        component: &'a ComponentSnapshot,
        index_of: &mut SeededMap<&'a str, usize>,
        is_selected: impl Fn(&TranslationSnapshot) -> bool,
    ) -> HasText {
        let months = self.months();
        let mut add = |translation: &'a TranslationSnapshot| {
            let language = &translation.language;
            let index = *index_of
                .entry(&language.code)
                .or_insert(self.languages.len());
            if index == self.languages.len() {
                let (code, name) = (language.code.to_string(), language.display_name());
                self.languages.push(LanguageHistory {
                    code,
                    name,
                    total: 0,
                    counts: vec![0; months],
                });
            }
            self.languages[index].total += translation.revised().statistics.all.units;
            (index, vec![false; translation.unit_count()])
        };
        let translations = component.translations.iter();
        translations
            .map(|it| (!it.is_template && is_selected(it)).then(|| add(it)))
            .collect()
    }

    /// Counts the entries of a log. `counts` become the differences from month to month.
    fn read(
        &mut self,
        log: &LogView<'_>,
        budget: &Budget,
        (has_text, moved): (&mut HasText, &mut StringsElsewhere<'_>),
        contributors: &mut SeededMap<u32, Contributor>,
    ) {
        // Consecutive entries are usually of the same month and of the same commit.
        let mut month = (Timestamp(i64::MIN)..Timestamp(i64::MIN), 0);
        let mut author: (Option<u32>, Option<&mut Contributor>) = (None, None);
        for view in log
            .iter()
            .take_while(|_| budget.spend(1))
            .filter(is_translation)
        {
            let time = view.entry.time;
            if !month.0.contains(&time) {
                let of = month_of(time);
                let at = usize::try_from(of - self.first)
                    .unwrap_or_default()
                    .min(self.months() - 1);
                month = (start_of(of)..start_of(of + 1), at);
            }
            let at = month.1;
            // A text that moved with its key is no new work.
            let is_work = !view.entry.moved;
            self.activity[at] += u32::from(is_work);
            if author.0 != Some(view.entry.commit) {
                let nobody = |user| Contributor {
                    user: UserId(user),
                    new: 0,
                    changed: 0,
                    from: time,
                    to: time,
                };
                let person = view
                    .user()
                    .map(|user| contributors.entry(user).or_insert_with(|| nobody(user)));
                author = (Some(view.entry.commit), person);
            }
            if let Some(author) = author.1.as_mut().filter(|_| is_work) {
                author.count(&view);
            }
            let unit = view.unit_of_string().filter(|of| of.revised().is_some());
            let (Some(translation), Some(unit)) = (view.translation_index(), unit) else {
                moved.read(&view, at);
                continue;
            };
            let Some(Some((language, has_text))) = has_text.get_mut(translation as usize) else {
                continue;
            };
            let has = view.entry.target != TextId::EMPTY;
            if let (Some(had), Some(language)) = (
                has_text.get_mut(unit.row as usize),
                self.languages.get_mut(*language),
            ) && *had != has
            {
                *had = has;
                language.counts[at] += if has { 1 } else { -1 };
            }
        }
    }

    /// Adds the texts of strings while other components had them.
    fn end_parts(&mut self, moved: &StringsElsewhere<'_>, index_of: &SeededMap<&str, usize>) {
        for (language, months) in moved.texts() {
            let Some(of) = index_of
                .get(language)
                .and_then(|&at| self.languages.get_mut(at))
            else {
                continue;
            };
            let last = of.counts.len() - 1;
            let index = |month: i64| {
                usize::try_from(month - self.first)
                    .unwrap_or_default()
                    .min(last)
            };
            for &(month, difference) in &months.differences {
                of.counts[month] += difference;
            }
            if months.has_text {
                of.counts[index(months.end)] -= 1;
            }
        }
    }

    /// Sums the differences, adds the sum of all languages and sorts.
    fn finish(&mut self, contributors: SeededMap<u32, Contributor>) {
        for language in &mut self.languages {
            let mut sum = 0;
            for count in &mut language.counts {
                sum += *count;
                *count = sum;
            }
        }
        let languages = &mut self.languages;
        let sum = |at: usize| {
            languages
                .iter()
                .filter_map(|language| language.counts.get(at))
                .sum()
        };
        self.all_languages = (languages.len() > 1).then(|| LanguageHistory {
            code: String::new(),
            name: "All languages".into(),
            total: languages.iter().map(|language| language.total).sum(),
            counts: (0..self.activity.len()).map(sum).collect(),
        });
        languages.sort_by(|a, b| (&a.name, &a.code).cmp(&(&b.name, &b.code)));
        // Who only moved texts did no work.
        let has_work = |person: &Contributor| person.new + person.changed > 0;
        self.contributors = contributors.into_values().filter(has_work).collect();
        self.contributors
            .sort_by_key(|person| (std::cmp::Reverse(person.new + person.changed), person.user));
    }

    /// Approximate size in memory.
    pub(crate) fn bytes(&self) -> usize {
        let month = size_of::<u32>() + (self.languages.len() + 1) * size_of::<i64>();
        let languages = self.languages.len() * size_of::<LanguageHistory>();
        languages + self.months() * month + size_of_val(&*self.contributors)
    }

    /// Number of months.
    pub(super) fn months(&self) -> usize {
        self.activity.len()
    }

    /// Formats a month: `2020-05`.
    pub(super) fn month(&self, at: usize) -> String {
        let month = self.first + at as i64;
        format!(
            "{:04}-{:02}",
            month.div_euclid(12),
            month.rem_euclid(12) + 1
        )
    }

    /// When a month begins, in seconds since 1970.
    pub(super) fn start_of(&self, at: usize) -> i64 {
        start_of(self.first + at as i64).seconds()
    }

    /// The years that begin in the history, each with the index of its January.
    pub(super) fn years(&self) -> impl Iterator<Item = (i64, usize)> + '_ {
        let months = (0..self.months()).map(|at| (self.first + at as i64, at));
        months
            .filter(|(month, _)| month.rem_euclid(12) == 0)
            .map(|(month, at)| (month.div_euclid(12), at))
    }
}

impl Contributor {
    fn count(&mut self, view: &ChangeView<'_>) {
        self.from = self.from.min(view.entry.time);
        self.to = self.to.max(view.entry.time);
        match view.entry.action {
            Action::NewTranslation => self.new += 1,
            _ => self.changed += 1,
        }
    }
}

impl LanguageHistory {
    /// The share of today's strings that had a translation at the end of a month, in tenths of a percent.
    pub(super) fn tenths(&self, at: usize) -> u32 {
        let count = self.counts.get(at).copied().unwrap_or_default();
        percent(u64::try_from(count).unwrap_or_default(), self.total, 1000)
    }
}

fn is_translation(view: &ChangeView<'_>) -> bool {
    matches!(
        view.entry.action,
        Action::NewTranslation | Action::TranslationChanged
    )
}
