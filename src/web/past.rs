//! What the log of a project tells over its whole life: how far each language was, how much was done, and by whom.

use std::collections::HashMap;

use super::sums::of_project;
use super::visit::Visit;
use crate::catalog::ChangeView;
use crate::model::{Action, Moment, UserId};

/// Months that are told apart; what is older counts into the first of them.
const MOST_MONTHS: i64 = 600;

/// The life of a project, month by month.
pub(super) struct Past {
    /// The first month, as years times twelve plus months from 0 on.
    pub(super) first: i64,
    /// The languages but that of the source, by name.
    pub(super) languages: Vec<Track>,
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
    pub(super) from: Moment,
    pub(super) to: Moment,
}

impl Past {
    /// Reads the log of a project, or what it says of one language. `None` where nobody wrote anything.
    pub(super) fn of(visit: &Visit<'_>, slug: &str, code: Option<&str>) -> Option<Self> {
        let log = visit.snapshot.changes_of_project(slug)?;
        let wrote = |view: &ChangeView<'_>| is_text(view) && code.is_none_or(|code| language(view) == Some(code));
        let (oldest, newest) = (log.get(0)?, log.get(log.len().checked_sub(1)?)?);
        let end = month(newest.entry.time);
        let first = month(oldest.entry.time).max(end - MOST_MONTHS + 1);
        let months = usize::try_from(end - first + 1).ok()?;
        let mut languages: Vec<Track> = Vec::new();
        let mut places: HashMap<&str, usize> = HashMap::new();
        let translations = of_project(visit, slug).filter(|view| !view.translation.is_template);
        for view in translations.filter(|view| code.is_none_or(|code| &*view.translation.language.code == code)) {
            let language = &view.translation.language;
            let place = *places.entry(&language.code).or_insert(languages.len());
            if place == languages.len() {
                languages.push(Track {
                    code: language.code.to_string(),
                    name: language.display_name(),
                    total: 0,
                    counts: vec![0; months],
                });
            }
            if let Some(track) = languages.get_mut(place) {
                track.total += view.translation.statistics.all.units;
            }
        }
        let mut has_text: HashMap<(u32, u32), Vec<bool>> = HashMap::new();
        let mut activity = vec![0; months];
        let mut people: HashMap<u32, Person> = HashMap::new();
        for view in (0..log.len()).filter_map(|at| log.get(at)).filter(wrote) {
            let time = view.entry.time;
            let at = usize::try_from(month(time) - first).unwrap_or_default().min(months - 1);
            activity[at] += 1;
            if let Some(user) = view.user() {
                let person = people.entry(user).or_insert(Person {
                    user: UserId(user),
                    new: 0,
                    changed: 0,
                    from: time,
                    to: time,
                });
                person.to = time;
                match view.entry.action {
                    Action::NewTranslation => person.new += 1,
                    _ => person.changed += 1,
                }
            }
            let Some((translation, row)) = view.unit() else { continue };
            let Some(of) = view.component.translations.get(translation as usize) else { continue };
            let Some(track) = places.get(&*of.language.code).and_then(|&place| languages.get_mut(place)) else {
                continue;
            };
            let rows = has_text.entry((view.component.component.id.0, translation)).or_default();
            if rows.len() < of.units.len() {
                rows.resize(of.units.len(), false);
            }
            let has = view.entry.target != crate::model::TextRef::EMPTY;
            if let Some(had) = rows.get_mut(row as usize)
                && *had != has
            {
                *had = has;
                track.counts[at] += if has { 1 } else { -1 };
            }
        }
        for track in &mut languages {
            let mut sum = 0;
            for count in &mut track.counts {
                sum += *count;
                *count = sum;
            }
        }
        languages.sort_by(|a, b| (&a.name, &a.code).cmp(&(&b.name, &b.code)));
        let mut people: Vec<Person> = people.into_values().collect();
        people.sort_by_key(|person| (std::cmp::Reverse(person.new + person.changed), person.user));
        activity.iter().any(|&count| count > 0).then_some(Self { first, languages, activity, people })
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

impl Track {
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

fn language<'a>(view: &ChangeView<'a>) -> Option<&'a str> {
    let translation = view.component.translations.get(view.translation()? as usize)?;
    Some(&translation.language.code)
}

/// The month of a moment: years times twelve plus months from 0 on.
fn month(moment: Moment) -> i64 {
    use chrono::{DateTime, Datelike};
    let time = DateTime::from_timestamp_micros(moment.0).unwrap_or_default();
    i64::from(time.year()) * 12 + i64::from(time.month0())
}
