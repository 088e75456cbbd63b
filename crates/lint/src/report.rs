//! The result of a check: the input, numbers per language, and findings.

use std::cmp::Reverse;
use std::ops::AddAssign;
use std::sync::Arc;

use serde::{Serialize, Serializer};

use crate::finding::Finding;
use crate::groups::grouped;
use crate::renames::RenamedKey;

/// The result of a check. Field order is the order in JSON.
#[derive(Clone, Debug, Serialize)]
pub struct Report {
    /// The version of this structure.
    pub version: u32,
    /// The input.
    #[serde(flatten)]
    pub read: ReadState,
    /// The names of the checks: always `modern`.
    pub checks: &'static str,
    /// Facts that affect the numbers, as sentences.
    pub notes: Vec<String>,
    /// The totals of all components.
    pub totals: ReportTotals,
    /// The components.
    pub components: Vec<ComponentReport>,
    /// The findings, by component and file until [`Report::rank`].
    pub findings: Vec<Finding>,
}

/// The input.
#[derive(Clone, Debug, Serialize)]
pub struct ReadState {
    /// The path or URL of the repository.
    pub repository: String,
    /// The commit, or the commit that the index or working tree is based on.
    pub commit: Option<String>,
    /// The branch; `None` if `HEAD` is detached.
    pub branch: Option<String>,
    /// `commit`, `index` or `worktree`.
    pub state: &'static str,
    /// The base of the comparison.
    pub base: Option<BaseRead>,
    /// How much of the history was read.
    pub history: HistoryRead,
}

/// The base of a comparison.
#[derive(Clone, Debug, Serialize)]
pub struct BaseRead {
    /// The revision as given, or the name of the default branch.
    pub revision: String,
    /// The commit that was compared with.
    pub commit: String,
}

/// How much of the history a report knows.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum HistoryRead {
    /// All of it.
    Complete,
    /// None of it: two states are compared, which gives the strings that become stale.
    Compared,
    /// The clone is shallow.
    Shallow,
    /// The clone lacks files.
    Partial,
    /// Not read, and there is nothing to compare with: stale strings are unknown.
    None,
}

impl HistoryRead {
    /// Whether the stale strings are known, at least those that become stale.
    pub fn knows_stale(self) -> bool {
        matches!(self, Self::Complete | Self::Compared)
    }

    /// How much of the history of two repositories is read: the lesser of the two.
    #[must_use]
    pub fn or(self, other: Self) -> Self {
        match other {
            Self::Complete => self,
            Self::Compared if self != Self::Complete => self,
            _ => other,
        }
    }
}

/// The totals of several languages.
#[derive(Clone, Copy, Default, Debug, Serialize)]
pub struct ReportTotals {
    /// The numbers of the state.
    #[serde(flatten)]
    pub counts: Counts,
    /// The numbers of the change, with a base.
    pub changes: Option<ChangeCounts>,
}

/// The result of one component.
#[derive(Clone, Debug, Serialize)]
pub struct ComponentReport {
    /// `project/component`.
    pub name: Arc<str>,
    /// The pattern of its files.
    pub filemask: String,
    /// Its template; for bilingual files that of new files, or `""`.
    pub template: String,
    /// The change of bilingual files in a few words: a tool that updates them changes most of their lines.
    pub summary: Option<String>,
    /// The totals of its translations, without the template.
    pub totals: ReportTotals,
    /// The strings to which the change gives new keys, in the order of the template, then those that come from other
    /// components.
    pub renames: Vec<RenamedKey>,
    /// The strings that the change moves to other components.
    pub moved_away: Vec<RenamedKey>,
    /// The template's language and the translations, by path.
    pub languages: Vec<LanguageReport>,
}

impl ComponentReport {
    /// All renames of its strings.
    pub fn all_renames(&self) -> impl Iterator<Item = &RenamedKey> {
        self.renames.iter().chain(&self.moved_away)
    }
}

/// The result of one language of a component.
#[derive(Clone, Debug, Serialize)]
pub struct LanguageReport {
    /// The language code.
    pub language: Arc<str>,
    /// The English name.
    pub name: String,
    /// The file.
    pub file: Arc<str>,
    /// Whether the file is the template.
    pub is_source: bool,
    /// The numbers of the state.
    #[serde(flatten)]
    pub counts: Counts,
    /// The numbers of the change, with a base.
    pub changes: Option<ChangeCounts>,
}

/// The numbers of a state.
#[derive(Clone, Copy, PartialEq, Default, Debug, Serialize)]
pub struct Counts {
    /// Strings with a source text.
    pub strings: u64,
    /// Strings with a translation, stale or not.
    pub translated: u64,
    /// Those of them that the complete history shows to be stale.
    #[serde(skip)]
    pub known_stale: u64,
    /// The share of `strings` that is translated and not known to be stale, in percent with one decimal.
    pub translated_percent: f64,
    /// Strings without a translation.
    pub missing: u64,
    /// Stale strings.
    pub stale: StaleCount,
    /// Keys that the template lacks.
    pub left_over: u64,
    /// Failing checks.
    pub failing: u64,
    /// Keys that occur twice, and escapes that the format rejects or changes.
    pub faults: u64,
    /// Files that do not parse.
    pub parse_errors: u64,
    /// Findings that are errors.
    pub errors: u64,
}

/// The numbers of a change.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize)]
pub struct ChangeCounts {
    /// Strings that the base lacks.
    pub added: u64,
    /// Source strings, or translations of remaining strings, that only the base has.
    pub removed: u64,
    /// Strings with a new or changed translation.
    pub translated: u64,
    /// Strings that become stale.
    pub stale: StaleCount,
    /// Strings that become untranslated or are added without a translation.
    pub missing: u64,
    /// Keys that become left over.
    pub left_over: u64,
    /// Checks that newly fail.
    pub failing: u64,
    /// Keys that newly occur twice, and new escapes that the format rejects or changes.
    pub faults: u64,
}

/// A number of stale strings.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum StaleCount {
    /// The number.
    Known(u64),
    /// The history is incomplete or was not read.
    Unknown,
}

impl Default for StaleCount {
    fn default() -> Self {
        Self::Known(0)
    }
}

impl AddAssign for StaleCount {
    fn add_assign(&mut self, other: Self) {
        *self = match (*self, other) {
            (Self::Known(one), Self::Known(other)) => Self::Known(one + other),
            _ => Self::Unknown,
        };
    }
}

impl std::fmt::Display for StaleCount {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Known(count) => f.pad(&count.to_string()),
            Self::Unknown => f.pad("unknown"),
        }
    }
}

impl Serialize for StaleCount {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Known(count) => serializer.serialize_u64(*count),
            Self::Unknown => serializer.serialize_str("unknown"),
        }
    }
}

impl Counts {
    /// The translated share in tenths of a percent (docs/spec/pages.md#percentages). Without strings 1000.
    pub fn tenths(&self) -> u32 {
        let current = self.translated.saturating_sub(self.known_stale);
        gitglot_model::percent(current, self.strings, 1000)
    }

    /// The same, cut: a gate passes only if the share is reached.
    pub(super) fn reached_tenths(&self) -> u64 {
        let tenths = (self.translated * 1000).checked_div(self.strings);
        tenths.unwrap_or(1000)
    }

    /// The numbers of strings to work on, with their names.
    pub(super) fn shown(&self) -> [(StaleCount, &'static str); 4] {
        let known = StaleCount::Known;
        [
            (known(self.missing), "missing"),
            (self.stale, "stale"),
            (known(self.left_over), "left over"),
            (known(self.failing), "failing"),
        ]
    }

    /// Computes `translated_percent`.
    pub(super) fn finish(&mut self) {
        self.translated_percent = f64::from(self.tenths()) / 10.0;
    }
}

impl AddAssign for Counts {
    fn add_assign(&mut self, other: Self) {
        self.strings += other.strings;
        self.translated += other.translated;
        self.known_stale += other.known_stale;
        self.missing += other.missing;
        self.stale += other.stale;
        self.left_over += other.left_over;
        self.failing += other.failing;
        self.faults += other.faults;
        self.parse_errors += other.parse_errors;
        self.errors += other.errors;
        self.finish();
    }
}

impl AddAssign for ChangeCounts {
    fn add_assign(&mut self, other: Self) {
        self.added += other.added;
        self.removed += other.removed;
        self.translated += other.translated;
        self.stale += other.stale;
        self.missing += other.missing;
        self.left_over += other.left_over;
        self.failing += other.failing;
        self.faults += other.faults;
    }
}

impl ChangeCounts {
    /// The numbers that reports show, with their names.
    pub(super) fn shown(&self) -> [(StaleCount, &'static str); 7] {
        let known = StaleCount::Known;
        [
            (known(self.added), "added"),
            (known(self.removed), "removed"),
            (known(self.translated), "translated"),
            (known(self.missing), "missing"),
            (self.stale, "stale"),
            (known(self.left_over), "left over"),
            (known(self.failing), "failing"),
        ]
    }

    /// The changes of bilingual files in a few words, such as `12 new, 4 now fuzzy, 3 removed`.
    pub(super) fn summary(&self) -> String {
        let known = StaleCount::Known;
        let fuzzy = match self.stale {
            StaleCount::Unknown => known(0),
            stale => stale,
        };
        let changes = named([
            (known(self.added), "new"),
            (fuzzy, "now fuzzy"),
            (known(self.translated), "translated"),
            (known(self.removed), "removed"),
        ]);
        if changes.is_empty() {
            return "no text changed".to_owned();
        }
        changes
    }
}

/// Numbers with their names, without those that are 0.
pub(super) fn named<const N: usize>(numbers: [(StaleCount, &str); N]) -> String {
    let numbers = numbers.into_iter();
    let numbers = numbers.filter(|(number, _)| *number != StaleCount::Known(0));
    let numbers = numbers.map(|(number, name)| format!("{number} {name}"));
    numbers.collect::<Vec<_>>().join(", ")
}

impl ReportTotals {
    /// Adds the numbers of a language.
    pub(super) fn add(&mut self, counts: Counts, changes: Option<ChangeCounts>) {
        self.counts += counts;
        if let Some(changes) = changes {
            *self.changes.get_or_insert_default() += changes;
        }
    }
}

impl Report {
    /// Collects the results of components.
    pub fn new(
        read: ReadState,
        results: Vec<(ComponentReport, Vec<Finding>)>,
        notes: Vec<String>,
    ) -> Self {
        let mut totals = ReportTotals::default();
        totals.counts.finish();
        let mut components = Vec::with_capacity(results.len());
        let count = results.iter().map(|(_, found)| found.len()).sum();
        let mut findings = Vec::with_capacity(count);
        for (component, found) in results {
            totals.add(component.totals.counts, component.totals.changes);
            components.push(component);
            findings.extend(found);
        }
        Self {
            version: 1,
            read,
            checks: "modern",
            notes,
            totals,
            components,
            findings,
        }
    }

    /// The languages of all components.
    pub fn languages(&self) -> impl Iterator<Item = &LanguageReport> {
        let components = self.components.iter();
        components.flat_map(|component| &component.languages)
    }

    /// Puts the findings into the order of all formats (docs/spec/lint.md#order).
    pub fn rank(&mut self) {
        let findings: Vec<&Finding> = self.findings.iter().collect();
        let mut order: Vec<usize> = grouped(&findings).into_iter().flatten().collect();
        order.sort_by_key(|&at| findings.get(at).map(|finding| Reverse(finding.severity)));
        let findings = std::mem::take(&mut self.findings).into_iter();
        let mut findings: Vec<Option<Finding>> = findings.map(Some).collect();
        self.findings.reserve_exact(order.len());
        let ranked = order.into_iter();
        let ranked = ranked.filter_map(|at| findings.get_mut(at)?.take());
        self.findings.extend(ranked);
    }

    /// Removes the findings that the base has too. Returns their number.
    pub fn keep_new(&mut self) -> usize {
        let before = self.findings.len();
        self.findings.retain(|finding| finding.new);
        self.rank();
        before - self.findings.len()
    }
}
