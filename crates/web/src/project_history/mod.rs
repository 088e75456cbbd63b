//! The history of a project by month: progress and activity of each language, and who wrote the texts. All from the change
//! log, except for today's progress, which is that of all pages (docs/spec/pages.md#statistics).

mod month;
mod moved;
mod texts;

use self::month::{month_of, start_of};
use self::moved::StringsElsewhere;
use self::texts::ComponentTexts;
use gitglot_catalog::scan::Budget;
use gitglot_catalog::{
    ArrivedString, ChangeView, ComponentSnapshot, LogView, Snapshot, TranslationView,
};
use gitglot_model::{Action, LineageId, SeededMap, Timestamp, UserId};

/// Changes before the newest 600 months count for the first of them.
const MAX_MONTHS: i64 = 600;

/// The history of a project by month.
pub(crate) struct ProjectHistory {
    /// The first month, counted from January of year 0.
    pub(crate) first: i64,
    /// All languages except the source language, by name.
    pub(crate) languages: Vec<LanguageHistory>,
    /// Number of texts changed in each month, also in languages that the project no longer has.
    pub(crate) activity: Vec<u32>,
    /// Who wrote how many texts.
    pub(crate) work: Vec<Work>,
}

/// The progress of a language.
pub(crate) struct LanguageHistory {
    pub(crate) code: String,
    pub(crate) name: String,
    /// Number of strings today.
    pub(crate) total: u64,
    /// Number of translated strings today.
    today: u64,
    /// Number of today's strings that had a translation which was not stale, at the end of each month.
    pub(crate) translated: Vec<i64>,
    /// Number of texts changed in each month.
    pub(crate) texts: Vec<u32>,
}

/// The texts that a person wrote in a month in a language. In a sum ([`Self::add`]), month and language are those of
/// the first part.
#[derive(Clone, Copy)]
pub(crate) struct Work {
    pub(crate) user: UserId,
    /// Index of the language, if the project still has it.
    pub(crate) language: Option<usize>,
    /// Index of the month.
    pub(crate) month: usize,
    /// Number of new translations.
    pub(crate) new: u32,
    /// Number of changed translations.
    pub(crate) changed: u32,
    pub(crate) from: Timestamp,
    pub(crate) to: Timestamp,
}

/// The work of each person by language and month.
type WorkIndex = SeededMap<(u32, Option<usize>, usize), Work>;

impl ProjectHistory {
    /// Reads the log of a project. `None` if no text was ever changed.
    pub(crate) fn of(snapshot: &Snapshot, slug: &str, budget: &Budget) -> Option<Self> {
        let components = snapshot.components_of(slug);
        let logs: Vec<(&ComponentSnapshot, LogView<'_>)> = components
            .map(|of| (&**of, snapshot.changes_of_component(of)))
            .collect();
        let month_at = |log: &LogView<'_>, at: usize| Some(month_of(log.get(at)?.entry.time));
        let ends = logs
            .iter()
            .filter_map(|(_, log)| month_at(log, log.len().checked_sub(1)?));
        let end = ends.max()?;
        let starts = logs.iter().filter_map(|(_, log)| month_at(log, 0));
        let first = starts.min()?.max(end - MAX_MONTHS + 1);
        let activity = vec![0; usize::try_from(end - first + 1).ok()?];
        let mut history = Self {
            first,
            languages: Vec::new(),
            activity,
            work: Vec::new(),
        };
        let (mut index_of, mut work) = (SeededMap::default(), WorkIndex::default());
        let mut moved = StringsElsewhere::new(ArrivedString::all_of(snapshot, slug));
        let texts: Vec<_> = logs
            .iter()
            .map(|(component, _)| history.add_languages(component, &mut index_of))
            .collect();
        for ((_, log), mut texts) in logs.iter().zip(texts) {
            history.read(log, budget, &mut texts, &mut moved, &mut work);
        }
        history.end_parts(&moved, &index_of);
        history.finish(work);
        let has_any = history.activity.iter().any(|&count| count > 0);
        has_any.then_some(history)
    }

    /// Adds the languages of a component; returns its translations without any text.
    fn add_languages<'a>(
        &mut self,
        component: &'a ComponentSnapshot,
        index_of: &mut SeededMap<&'a str, usize>,
    ) -> ComponentTexts<'a> {
        let months = self.months();
        let mut texts = ComponentTexts::new(component);
        for (at, translation) in component.translations.iter().enumerate() {
            let today = TranslationView {
                component,
                translation,
            };
            if today.is_source() {
                continue;
            }
            let language = &translation.language;
            let next = self.languages.len();
            let index = *index_of.entry(&language.code).or_insert(next);
            if index == next {
                self.languages.push(LanguageHistory {
                    code: language.code.to_string(),
                    name: language.display_name(),
                    total: 0,
                    today: 0,
                    translated: vec![0; months],
                    texts: vec![0; months],
                });
            }
            let today = today.revised().totals();
            self.languages[index].total += today.all.units;
            self.languages[index].today += today.translated.units;
            texts.add(at, index);
        }
        texts
    }

    /// Counts the entries of a log. `translated` become the differences from month to month.
    fn read<'a>(
        &mut self,
        log: &LogView<'a>,
        budget: &Budget,
        texts: &mut ComponentTexts<'a>,
        moved: &mut StringsElsewhere<'_>,
        work: &mut WorkIndex,
    ) {
        // Consecutive entries are usually of the same month, and of the same commit and language.
        let mut month = (Timestamp(i64::MIN)..Timestamp(i64::MIN), 0);
        let mut author: Option<(u32, Option<LineageId>, usize, Option<&mut Work>)> = None;
        for view in log.iter().take_while(|_| budget.spend(1)) {
            let time = view.entry.time;
            if !month.0.contains(&time) {
                let of = month_of(time);
                month = (start_of(of)..start_of(of + 1), self.index_of(of));
            }
            let at = month.1;
            let mut count = |language: usize, by: i64| {
                if let Some(language) = self.languages.get_mut(language) {
                    language.translated[at] += by;
                }
            };
            texts.before(&view, &mut count);
            if !is_translation(&view) {
                budget.spend(texts.source(&view, &mut count));
                continue;
            }
            if !texts.text(&view, &mut count) {
                moved.read(&view, at);
            }
            let language = texts.language_of(&view);
            // A text that moved with its key is no new work.
            if !view.entry.moved {
                self.activity[at] += 1;
                if let Some(language) = language.and_then(|of| self.languages.get_mut(of)) {
                    language.texts[at] += 1;
                }
                let (commit, lineage) = (view.entry.commit, view.entry.lineage);
                let known = author.as_ref().map(|known| (known.0, known.1, known.2));
                if known != Some((commit, lineage, at)) {
                    let own = view.user().map(|user| {
                        work.entry((user, language, at))
                            .or_insert(Work::new(user, language, at, time))
                    });
                    author = Some((commit, lineage, at, own));
                }
                if let Some((.., Some(own))) = &mut author {
                    own.count(&view);
                }
            }
        }
    }

    /// Adds the texts of strings while other components had them.
    fn end_parts(&mut self, moved: &StringsElsewhere<'_>, index_of: &SeededMap<&str, usize>) {
        for (language, months) in moved.texts() {
            let end = self.index_of(months.end);
            let of = index_of.get(language);
            let Some(of) = of.and_then(|&at| self.languages.get_mut(at)) else {
                continue;
            };
            for &(month, difference) in &months.differences {
                of.translated[month] += difference;
            }
            if months.has_text {
                of.translated[end] -= 1;
            }
        }
    }

    /// Sums the differences and sorts. The last month has today's numbers.
    fn finish(&mut self, work: WorkIndex) {
        for language in &mut self.languages {
            let mut sum = 0;
            for count in &mut language.translated {
                sum += *count;
                *count = sum;
            }
            if let Some(last) = language.translated.last_mut() {
                *last = i64::try_from(language.today).unwrap_or_default();
            }
        }
        let languages = std::mem::take(&mut self.languages).into_iter();
        let mut languages: Vec<_> = languages.enumerate().collect();
        languages.sort_by(|(_, a), (_, b)| (&a.name, &a.code).cmp(&(&b.name, &b.code)));
        let mut place_of = vec![0; languages.len()];
        for (place, (at, language)) in languages.into_iter().enumerate() {
            place_of[at] = place;
            self.languages.push(language);
        }
        let placed = |of: Work| Work {
            language: of.language.and_then(|at| place_of.get(at).copied()),
            ..of
        };
        self.work = work.into_values().map(placed).collect();
        self.work.sort_by_key(|of| (of.user, of.language, of.month));
    }

    /// The index of a month.
    fn index_of(&self, month: i64) -> usize {
        let at = usize::try_from(month - self.first).unwrap_or_default();
        at.min(self.months() - 1)
    }

    /// The index of a month written as `2020-05`, the nearest one of the history.
    pub(crate) fn named(&self, name: &str) -> Option<usize> {
        let (year, month) = name.split_once('-')?;
        let (year, month) = (year.parse::<u16>().ok()?, month.parse::<u8>().ok()?);
        let month = (1..=12).contains(&month).then_some(month)?;
        Some(self.index_of(i64::from(year) * 12 + i64::from(month) - 1))
    }

    /// Approximate size in memory.
    pub(crate) fn bytes(&self) -> usize {
        let month = size_of::<u32>() + self.languages.len() * (size_of::<i64>() + size_of::<u32>());
        let languages = self.languages.len() * size_of::<LanguageHistory>();
        languages + self.months() * month + size_of_val(&*self.work)
    }

    /// Number of months.
    pub(crate) fn months(&self) -> usize {
        self.activity.len()
    }

    /// Formats a month: `2020-05`.
    pub(crate) fn month(&self, at: usize) -> String {
        let (year, month) = self.year_of(at);
        format!("{year:04}-{:02}", month + 1)
    }

    /// When a month begins, in seconds since 1970.
    pub(crate) fn start_of(&self, at: usize) -> i64 {
        start_of(self.first + at as i64).seconds()
    }

    /// The year and the number of a month from 0.
    pub(crate) fn year_of(&self, at: usize) -> (i64, usize) {
        let month = self.first + at as i64;
        (month.div_euclid(12), month.rem_euclid(12) as usize)
    }
}

impl Work {
    fn new(user: u32, language: Option<usize>, month: usize, time: Timestamp) -> Self {
        Self {
            user: UserId(user),
            language,
            month,
            new: 0,
            changed: 0,
            from: time,
            to: time,
        }
    }

    /// Adds the work of the same person in a different month or language.
    pub(crate) fn add(&mut self, other: &Self) {
        self.new += other.new;
        self.changed += other.changed;
        self.from = self.from.min(other.from);
        self.to = self.to.max(other.to);
    }

    fn count(&mut self, view: &ChangeView<'_>) {
        self.from = self.from.min(view.entry.time);
        self.to = self.to.max(view.entry.time);
        match view.entry.action {
            Action::NewTranslation => self.new += 1,
            _ => self.changed += 1,
        }
    }
}

fn is_translation(view: &ChangeView<'_>) -> bool {
    view.entry.action.writes_text()
}
