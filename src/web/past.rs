//! What the log of a project tells over its whole life: how far each language was, how much was done, and by whom.

use rustc_hash::FxHashMap;

use super::sums::of_project;
use super::visit::Visit;
use crate::catalog::{ChangeView, Changes, TranslationView};
use crate::model::{Action, ComponentId, Moment, TextRef, UserId};

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
        let wanted =
            || of_project(visit, slug).filter(|view| code.is_none_or(|code| &*view.translation.language.code == code));
        let logs: Vec<Changes<'_>> = match code {
            None => visit.snapshot.changes_of_project(slug).into_iter().collect(),
            Some(_) => wanted().map(|view| visit.snapshot.changes_of_translation(view)).collect(),
        };
        let month_at = |log: &Changes<'_>, at: usize| log.get(at).map(|view| month(view.entry.time));
        let end = logs.iter().filter_map(|log| month_at(log, log.len().checked_sub(1)?)).max()?;
        let first = logs.iter().filter_map(|log| month_at(log, 0)).min()?.max(end - MOST_MONTHS + 1);
        let months = usize::try_from(end - first + 1).ok()?;
        let (mut languages, mut strings) = tracks(wanted().filter(|view| !view.translation.is_template), months);
        let mut activity = vec![0; months];
        let mut people: FxHashMap<u32, Person> = FxHashMap::default();
        let entries = logs.iter().flat_map(|log| (0..log.len()).filter_map(|at| log.get(at)));
        for view in entries.filter(is_text) {
            let time = view.entry.time;
            let at = usize::try_from(month(time) - first).unwrap_or_default().min(months - 1);
            activity[at] += 1;
            if let Some(user) = view.user() {
                let nobody = Person { user: UserId(user), new: 0, changed: 0, from: time, to: time };
                people.entry(user).or_insert(nobody).count(&view);
            }
            let Some((translation, row)) = view.unit() else { continue };
            let Some((place, has_text)) = strings.get_mut(&(view.component.component.id, translation)) else {
                continue;
            };
            let has = view.entry.target != TextRef::EMPTY;
            if let (Some(had), Some(track)) = (has_text.get_mut(row as usize), languages.get_mut(*place))
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

/// For each translation, by component and place, that of its language in the list, and which of its strings have a
/// text so far.
type Strings = FxHashMap<(ComponentId, u32), (usize, Vec<bool>)>;

/// The languages of some translations, each without any text.
fn tracks<'a>(translations: impl Iterator<Item = TranslationView<'a>>, months: usize) -> (Vec<Track>, Strings) {
    let mut languages: Vec<Track> = Vec::new();
    let mut places: FxHashMap<&str, usize> = FxHashMap::default();
    let mut strings = Strings::default();
    for TranslationView { component, translation } in translations {
        let language = &translation.language;
        let place = *places.entry(&language.code).or_insert(languages.len());
        if place == languages.len() {
            let (code, name) = (language.code.to_string(), language.display_name());
            languages.push(Track { code, name, total: 0, counts: vec![0; months] });
        }
        languages[place].total += translation.statistics.all.units;
        if let Some(at) = component.translation(&language.code) {
            strings.insert((component.component.id, at), (place, vec![false; translation.units.len()]));
        }
    }
    (languages, strings)
}

/// The month of a moment: years times twelve plus months from 0 on.
fn month(moment: Moment) -> i64 {
    use chrono::{DateTime, Datelike};
    let time = DateTime::from_timestamp_micros(moment.0).unwrap_or_default();
    i64::from(time.year()) * 12 + i64::from(time.month0())
}
