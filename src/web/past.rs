//! What the log of a project tells over its whole life: how far each language was, how much was done, and by whom.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::visit::Visit;
use crate::catalog::{ChangeView, Changes, ComponentSnapshot, TranslationSnapshot, TranslationView};
use crate::model::{Action, TextId, Timestamp, UserId};

/// Months that are told apart; what is older counts into the first of them.
const MOST_MONTHS: i64 = 600;

/// The life of a project, month by month.
pub(super) struct Past {
    /// The first month, as years times twelve plus months from 0 on.
    pub(super) first: i64,
    /// The languages but that of the source, by name.
    pub(super) languages: Vec<Track>,
    /// All languages together, where there is more than one.
    pub(super) together: Option<Track>,
    /// Texts that were written in each month.
    pub(super) activity: Vec<u32>,
    /// Who wrote texts, those with the most first.
    pub(super) people: Vec<Person>,
}

/// How a language came along.
pub(super) struct Track {
    pub(super) code: String,
    pub(super) name: String,
    /// Strings that there are today.
    pub(super) total: u64,
    /// How many of them had a text at the end of each month.
    pub(super) counts: Vec<i64>,
}

/// What somebody wrote.
pub(super) struct Person {
    pub(super) user: UserId,
    /// Texts where there was none.
    pub(super) new: u32,
    /// Texts that became others.
    pub(super) changed: u32,
    pub(super) from: Timestamp,
    pub(super) to: Timestamp,
}

impl Past {
    /// Reads the log of a project, or what it says of one language. `None` where nobody wrote anything.
    pub(super) fn of(visit: &Visit<'_>, slug: &str, code: Option<&str>) -> Option<Self> {
        let wanted = |of: &TranslationSnapshot| code.is_none_or(|code| &*of.language.code == code);
        let logs_of = |component: &'_ Arc<ComponentSnapshot>| -> Vec<Changes<'_>> {
            let translations = component.translations.iter().filter(|of| wanted(of));
            let views = translations.map(|translation| TranslationView { component, translation });
            match code {
                None => vec![visit.snapshot.changes_of_component(component)],
                Some(_) => views.map(|view| visit.snapshot.changes_of_translation(view)).collect(),
            }
        };
        let logs: Vec<(&ComponentSnapshot, Vec<Changes<'_>>)> =
            visit.snapshot.components_of(slug).map(|component| (&**component, logs_of(component))).collect();
        let all = || logs.iter().flat_map(|(_, logs)| logs);
        let month_at = |log: &Changes<'_>, at: usize| log.get(at).map(|view| month(view.entry.time));
        let end = all().filter_map(|log| month_at(log, log.len().checked_sub(1)?)).max()?;
        let first = all().filter_map(|log| month_at(log, 0)).min()?.max(end - MOST_MONTHS + 1);
        let months = usize::try_from(end - first + 1).ok()?;
        let mut past =
            Self { first, languages: Vec::new(), together: None, activity: vec![0; months], people: Vec::new() };
        let (mut places, mut people) = (FxHashMap::default(), People::default());
        for (component, logs) in logs {
            let mut strings = past.strings(component, &mut places, wanted);
            for log in logs {
                past.read(&log, &mut strings, &mut people);
            }
        }
        for track in &mut past.languages {
            let mut sum = 0;
            for count in &mut track.counts {
                sum += *count;
                *count = sum;
            }
        }
        past.together = Track::together(&past.languages, months);
        past.languages.sort_by(|a, b| (&a.name, &a.code).cmp(&(&b.name, &b.code)));
        past.people = people.into_values().collect();
        past.people.sort_by_key(|person| (std::cmp::Reverse(person.new + person.changed), person.user));
        past.activity.iter().any(|&count| count > 0).then_some(past)
    }

    /// The translations of a component, by place, each without any text; adds the languages that are new.
    fn strings<'a>(
        &mut self,
        component: &'a ComponentSnapshot,
        places: &mut FxHashMap<&'a str, usize>,
        wanted: impl Fn(&TranslationSnapshot) -> bool,
    ) -> Strings {
        let months = self.months();
        let mut of = |translation: &'a TranslationSnapshot| {
            let language = &translation.language;
            let place = *places.entry(&language.code).or_insert(self.languages.len());
            if place == self.languages.len() {
                let (code, name) = (language.code.to_string(), language.display_name());
                self.languages.push(Track { code, name, total: 0, counts: vec![0; months] });
            }
            self.languages[place].total += translation.statistics.all.units;
            (place, vec![false; translation.units.len()])
        };
        let translations = component.translations.iter();
        translations.map(|it| (!it.is_template && wanted(it)).then(|| of(it))).collect()
    }

    /// Counts the entries of a log; `strings` are those of its component.
    fn read(&mut self, log: &Changes<'_>, strings: &mut Strings, people: &mut People) {
        // Times grow inside a log: most entries are of the month of the one before.
        let mut now = (Timestamp(i64::MIN)..Timestamp(i64::MIN), 0);
        // And most are of the commit of the one before, which one person wrote.
        let mut writer: (Option<u32>, Option<&mut Person>) = (None, None);
        for view in log.iter().filter(is_text) {
            let time = view.entry.time;
            if !now.0.contains(&time) {
                let of = month(time);
                let at = usize::try_from(of - self.first).unwrap_or_default().min(self.months() - 1);
                now = (begin(of)..begin(of + 1), at);
            }
            let at = now.1;
            self.activity[at] += 1;
            if writer.0 != Some(view.entry.commit) {
                let nobody = |user| Person { user: UserId(user), new: 0, changed: 0, from: time, to: time };
                let person = view.user().map(|user| people.entry(user).or_insert_with(|| nobody(user)));
                writer = (Some(view.entry.commit), person);
            }
            if let Some(person) = &mut writer.1 {
                person.count(&view);
            }
            let Some((translation, row)) = view.unit() else { continue };
            let Some(Some((place, has_text))) = strings.get_mut(translation as usize) else { continue };
            let has = view.entry.target != TextId::EMPTY;
            if let (Some(had), Some(track)) = (has_text.get_mut(row as usize), self.languages.get_mut(*place))
                && *had != has
            {
                *had = has;
                track.counts[at] += if has { 1 } else { -1 };
            }
        }
    }

    /// How many months there are.
    pub(super) fn months(&self) -> usize {
        self.activity.len()
    }

    /// The name of a month.
    pub(super) fn month(&self, at: usize) -> String {
        let month = self.first + at as i64;
        format!("{:04}-{:02}", month.div_euclid(12), month.rem_euclid(12) + 1)
    }

    /// The years that begin in it, each with the place of its January.
    pub(super) fn years(&self) -> impl Iterator<Item = (i64, usize)> + '_ {
        let months = (0..self.months()).map(|at| (self.first + at as i64, at));
        months.filter(|(month, _)| month.rem_euclid(12) == 0).map(|(month, at)| (month.div_euclid(12), at))
    }
}

impl Person {
    /// Counts one more text.
    fn count(&mut self, view: &ChangeView<'_>) {
        self.from = self.from.min(view.entry.time);
        self.to = self.to.max(view.entry.time);
        match view.entry.action {
            Action::NewTranslation => self.new += 1,
            _ => self.changed += 1,
        }
    }
}

impl Track {
    /// What languages add up to, if there is more than one.
    fn together(languages: &[Self], months: usize) -> Option<Self> {
        let sum = |at: usize| languages.iter().filter_map(|track| track.counts.get(at)).sum();
        (languages.len() > 1).then(|| Self {
            code: String::new(),
            name: "All languages".into(),
            total: languages.iter().map(|track| track.total).sum(),
            counts: (0..months).map(sum).collect(),
        })
    }

    /// How much of today's strings had a text at the end of a month, in tenths of a percent.
    pub(super) fn tenths(&self, at: usize) -> u32 {
        let count = self.counts.get(at).copied().unwrap_or_default();
        crate::catalog::percent(u64::try_from(count).unwrap_or_default(), self.total, 1000)
    }
}

/// Whether an entry is of a text that somebody wrote into a translation.
fn is_text(view: &ChangeView<'_>) -> bool {
    matches!(view.entry.action, Action::NewTranslation | Action::TranslationChanged)
}

/// For each translation of a component the place of its language in the list, and which of its strings have a text so
/// far; `None` for one that does not count.
type Strings = Vec<Option<(usize, Vec<bool>)>>;

/// What everybody wrote, by user.
type People = FxHashMap<u32, Person>;

/// The month of a moment: years times twelve plus months from 0 on.
fn month(moment: Timestamp) -> i64 {
    use chrono::{DateTime, Datelike};
    let time = DateTime::from_timestamp_micros(moment.0).unwrap_or_default();
    i64::from(time.year()) * 12 + i64::from(time.month0())
}

/// When a month begins.
fn begin(month: i64) -> Timestamp {
    use chrono::NaiveDate;
    let year = i32::try_from(month.div_euclid(12)).unwrap_or_default();
    let first = NaiveDate::from_ymd_opt(year, month.rem_euclid(12) as u32 + 1, 1).unwrap_or_default();
    Timestamp(first.and_time(chrono::NaiveTime::MIN).and_utc().timestamp_micros())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_moment_is_in_the_month_that_has_begun() {
        for micros in [0, 1_600_000_000_123_456, -1, 951_782_400_000_000, 951_868_799_999_999] {
            let of = month(Timestamp(micros));
            assert!((begin(of)..begin(of + 1)).contains(&Timestamp(micros)), "{micros}");
        }
        assert_eq!(begin(1970 * 12), Timestamp(0));
    }
}
