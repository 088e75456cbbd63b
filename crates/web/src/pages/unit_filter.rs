//! Selects strings of a translation by the parameters `type` and `q`, and orders them by `sort`
//! (docs/spec/pages.md#string-filters).

use std::borrow::Cow;
use std::sync::Arc;

use askama::Template;
use askama::filters::HtmlSafe;
use chrono::Utc;

use crate::parts::{UnitStatus, plain};
use crate::request::PageRequest;
use gitglot_catalog::query::{Dialect, Filter, QueryError, Selection, parse, spend_check};
use gitglot_catalog::scan::Budget;
use gitglot_catalog::{TranslationView, UnitView};
use gitglot_checks::{CheckId, CheckIds, SourceChange};
use gitglot_model::address::query_string;
use gitglot_model::{FileFormat, Timestamp};

/// A value of the parameter `type`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum UnitType {
    All,
    Translated,
    Missing,
    /// Stale strings and drafts: what Weblate calls fuzzy.
    Fuzzy,
    Stale,
    Draft,
    StaleAs(SourceChange),
    ToDo,
    Failing,
    Check(CheckId),
    /// Suggestions and comments, which gitglot does not have.
    Suggestions,
}

impl UnitType {
    /// The choices of the form, before the checks: with the value of the parameter and the label on pages.
    const CHOICES: [(Self, &'static str, &'static str); 11] = [
        (Self::All, "all", "All strings"),
        (Self::ToDo, "todo", "To do: missing or stale"),
        (Self::Missing, "nottranslated", "Missing"),
        (Self::Fuzzy, "fuzzy", "Stale or draft"),
        (Self::Stale, "stale", "Stale"),
        (Self::Draft, "draft", "Draft"),
        (
            Self::StaleAs(SourceChange::Major),
            "stale:major",
            "Stale: major change of the source",
        ),
        (
            Self::StaleAs(SourceChange::Minor),
            "stale:minor",
            "Stale: minor change of the source",
        ),
        (
            Self::StaleAs(SourceChange::Cosmetic),
            "stale:cosmetic",
            "Stale: cosmetic change of the source",
        ),
        (Self::Translated, "translated", "Translated"),
        (Self::Failing, "allchecks", "With a failing check"),
    ];

    /// Parses a value; unknown values mean all strings.
    fn parse(value: &str) -> Self {
        if let Some(id) = value.strip_prefix("check:") {
            return CheckId::from_id(id).map_or(Self::All, Self::Check);
        }
        if matches!(value, "suggestions" | "comments") {
            return Self::Suggestions;
        }
        let found = Self::CHOICES.into_iter().find(|(_, id, _)| *id == value);
        found.map_or(Self::All, |(kind, ..)| kind)
    }

    /// The value of the parameter, and the label on pages.
    fn names(self) -> (Cow<'static, str>, &'static str) {
        match self {
            Self::Check(check) => (["check:", check.id()].concat().into(), check.name()),
            _ => {
                let choice = Self::CHOICES.into_iter().find(|(kind, ..)| *kind == self);
                let others = (self, "suggestions", "Suggestions and comments");
                let (_, id, name) = choice.unwrap_or(others);
                (id.into(), name)
            }
        }
    }

    /// The value of the parameter.
    pub(crate) fn id(self) -> Cow<'static, str> {
        self.names().0
    }

    /// The label on pages of a translation. Only bilingual files have drafts.
    pub(crate) fn name(self, of: TranslationView<'_>) -> &'static str {
        match self {
            Self::Fuzzy if !of.translation.is_bilingual() => Self::Stale.names().1,
            Self::All if of.component.component.file_format == FileFormat::Document => {
                "All documents"
            }
            _ => self.names().1,
        }
    }

    /// The query that selects the same strings; `""` for all.
    fn query(self) -> String {
        match self {
            Self::All => String::new(),
            Self::Translated => "state:translated".to_owned(),
            Self::Missing => "state:empty".to_owned(),
            Self::Fuzzy => "state:stale".to_owned(),
            Self::Stale => STALE.to_owned(),
            Self::Draft => format!("state:stale AND NOT ({STALE})"),
            Self::StaleAs(change) => format!("stale:{}", change.id()),
            Self::ToDo => "state:<translated".to_owned(),
            Self::Failing => "check:modern".to_owned(),
            Self::Check(check) => format!("check:modern:{}", check.id()),
            Self::Suggestions => "has:suggestion".to_owned(),
        }
    }

    fn matches(self, view: UnitView<'_>, request: &PageRequest<'_>) -> bool {
        let (unit, budget) = (view.unit, request.budget);
        match self {
            Self::All => true,
            Self::Translated => unit.translated(),
            Self::Missing => !unit.translated() && !unit.fuzzy(),
            Self::Fuzzy => unit.fuzzy(),
            Self::Stale => unit.fuzzy() && !view.is_draft(),
            Self::Draft => view.is_draft(),
            Self::ToDo => !unit.translated(),
            Self::StaleAs(change) => {
                unit.fuzzy() && spend_check(budget, view) && view.source_change() == Some(change)
            }
            Self::Failing => {
                !failing(view, budget).is_empty() || request.worst_fault(view).is_some()
            }
            Self::Check(check) => failing(view, budget).contains(check),
            Self::Suggestions => false,
        }
    }
}

/// The query for stale strings that are no drafts.
const STALE: &str = "stale:major OR stale:minor OR stale:cosmetic";

/// The order of a list, by the parameter `sort`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum ListOrder {
    /// That of the file.
    File,
    /// What has to be done first: failing, missing, stale by class.
    Kind,
    Oldest,
    Newest,
}

impl ListOrder {
    /// The value of the parameter and the label on pages.
    const CHOICES: [(Self, &'static str, &'static str); 4] = [
        (Self::File, "file", "in the order of the file"),
        (Self::Kind, "kind", "by kind"),
        (Self::Oldest, "oldest", "waiting longest first"),
        (Self::Newest, "newest", "newest first"),
    ];

    /// Parses a value; unknown ones mean the order of the file.
    fn parse(value: &str) -> Self {
        let found = Self::CHOICES.into_iter().find(|(_, id, _)| *id == value);
        found.map_or(Self::File, |(order, ..)| order)
    }

    fn id(self) -> &'static str {
        let found = Self::CHOICES.into_iter().find(|(order, ..)| *order == self);
        found.map_or("", |(_, id, _)| id)
    }

    /// Sorts rows, which are in the order of the file.
    fn sort(self, view: TranslationView<'_>, rows: &mut [u32], budget: &Budget) {
        // Strings without a time come last.
        let since = |row: u32| view.unit(row)?.state_since(budget).map(|time| time.0);
        match self {
            Self::File => {}
            Self::Kind => rows.sort_by_cached_key(|&row| {
                let unit = view.unit(row).filter(|unit| spend_check(budget, *unit));
                unit.map(|unit| rank(UnitStatus::of(unit)))
            }),
            Self::Oldest => rows.sort_by_cached_key(|&row| since(row).unwrap_or(i64::MAX)),
            Self::Newest => rows.sort_by_cached_key(|&row| std::cmp::Reverse(since(row))),
        }
    }
}

/// The place of a state in a list by kind.
fn rank(status: UnitStatus) -> usize {
    match status {
        UnitStatus::Failing => 0,
        UnitStatus::Missing => 1,
        UnitStatus::Stale(SourceChange::Major) => 2,
        UnitStatus::Stale(SourceChange::Minor) => 3,
        UnitStatus::Stale(SourceChange::Cosmetic) => 4,
        UnitStatus::Draft => 5,
        UnitStatus::Translated => 6,
    }
}

/// The failing modern checks of a unit. Runs the checks on the whole translation if they are not known.
fn failing(view: UnitView<'_>, budget: &Budget) -> CheckIds {
    view.of().check_results(budget).of_row(view.row)
}

/// The requested strings.
pub(crate) struct StringFilter {
    pub(crate) kind: UnitType,
    /// The value of `q`.
    pub(crate) search: String,
    query: Filter,
    order: ListOrder,
    /// Why `q` is invalid.
    pub(crate) error: Option<SearchProblem>,
}

impl StringFilter {
    /// Reads the parameters of a request.
    pub(crate) fn of(request: &PageRequest<'_>) -> Self {
        let search = request.value("q").unwrap_or_default().to_owned();
        let (query, error) = parse_search(&search);
        Self {
            kind: UnitType::parse(request.value("type").unwrap_or_default()),
            search,
            query,
            order: ListOrder::parse(request.value("sort").unwrap_or_default()),
            error,
        }
    }

    /// The parsed query.
    pub(crate) fn parsed(&self) -> &Filter {
        &self.query
    }

    /// The rows of the matching strings, in the order of the list; none for an invalid search.
    pub(crate) fn rows(&self, view: TranslationView<'_>, request: &PageRequest<'_>) -> Arc<[u32]> {
        if self.error.is_some() {
            return Arc::default();
        }
        if self.is_whole_file() {
            return (0..view.translation.unit_count() as u32).collect();
        }
        let budget = request.budget;
        let of_kind = || {
            let units = view.units_from(0);
            units.filter(|unit| self.kind.matches(*unit, request))
        };
        if self.search.is_empty() {
            let list = view.component.path_of(view.translation);
            let (kind, order) = (self.kind.id(), self.order.id());
            let name = ["/translate/", &list, "?", &kind, "&", order].concat();
            return request.selected(&name, || {
                let counted = of_kind().take_while(|_| budget.spend(1));
                let mut rows: Vec<u32> = counted.map(|unit| unit.row).collect();
                self.order.sort(view, &mut rows, budget);
                rows
            });
        }
        let mut selection = Selection::new(&self.query, request.snapshot.users(), budget);
        let matches = of_kind().filter(|unit| selection.selects(*unit));
        let mut rows: Vec<u32> = matches.map(|unit| unit.row).collect();
        self.order.sort(view, &mut rows, budget);
        rows.into()
    }

    /// The index of a row in the rows of the list.
    pub(crate) fn position(&self, rows: &[u32], row: u32) -> Option<usize> {
        match self.order {
            ListOrder::File => rows.binary_search(&row).ok(),
            _ => rows.iter().position(|other| *other == row),
        }
    }

    /// Whether the list has all strings in the order of the file.
    pub(crate) fn is_whole_file(&self) -> bool {
        self.is_all() && self.order == ListOrder::File
    }

    /// The value of `q` that selects the strings of the list in the API; `""` for all.
    pub(crate) fn as_query(&self) -> String {
        match (self.kind.query(), &*self.search) {
            (kind, "") => kind,
            (kind, search) if kind.is_empty() => search.to_owned(),
            (kind, search) => format!("({kind}) AND ({search})"),
        }
    }

    /// The choices of the order: id, label, and whether it is selected.
    pub(crate) fn orders(&self) -> impl Iterator<Item = (&'static str, &'static str, bool)> {
        let order = self.order;
        let choices = ListOrder::CHOICES.into_iter();
        choices.map(move |(own, id, name)| (id, name, own == order))
    }

    /// Whether every string matches.
    pub(crate) fn is_all(&self) -> bool {
        self.kind == UnitType::All && self.search.is_empty()
    }

    /// The choices of the form: id, label, and whether it is selected. Checks are those that fail in the translation,
    /// and the selected one.
    pub(crate) fn choices(
        &self,
        view: &TranslationView<'_>,
        budget: &Budget,
    ) -> Vec<(Cow<'static, str>, &'static str, bool)> {
        let rows = view.check_results(budget).rows().iter();
        let failing = rows.fold(CheckIds::default(), |all, (_, failing)| all.union(*failing));
        let is_offered =
            |check: &CheckId| failing.contains(*check) || self.kind == UnitType::Check(*check);
        let checks = CheckId::ALL.iter().copied().filter(is_offered);
        let only_drafts = [UnitType::Stale, UnitType::Draft];
        let has_drafts = view.translation.is_bilingual();
        let kinds = UnitType::CHOICES
            .into_iter()
            .map(|(kind, ..)| kind)
            .filter(|kind| has_drafts || *kind == self.kind || !only_drafts.contains(kind))
            // Without drafts, both have the same label and strings.
            .filter(|kind| has_drafts || self.kind != UnitType::Stale || *kind != UnitType::Fuzzy)
            .chain(checks.map(UnitType::Check));
        kinds
            .map(|kind| (kind.id(), kind.name(*view), kind == self.kind))
            .collect()
    }

    /// The query string of `pairs`, followed by `type`, `q` and `sort`.
    pub(crate) fn query(&self, pairs: &[(&str, &str)]) -> String {
        let id = self.kind.id();
        let kind = (self.kind != UnitType::All).then_some(("type", &*id));
        let search = (!self.search.is_empty()).then_some(("q", &*self.search));
        let order = (self.order != ListOrder::File).then(|| ("sort", self.order.id()));
        query_string(pairs.iter().copied().chain(kind).chain(search).chain(order))
    }
}

/// Why a search cannot be read, and where.
#[derive(Template)]
#[template(path = "parts/search_problem.html")]
pub(crate) struct SearchProblem {
    /// What is wrong, with the number of the character.
    message: String,
    /// The text before the mistake, its character, and the text after it.
    parts: [String; 3],
}

impl HtmlSafe for SearchProblem {}

impl SearchProblem {
    fn new(search: &str, error: &QueryError) -> Self {
        let at = error.position.saturating_sub(1);
        let (start, shown) = (at.saturating_sub(SHOWN_AROUND), 2 * SHOWN_AROUND);
        let part = |from: usize, most: usize| {
            plain(&search.chars().skip(from).take(most).collect::<String>())
        };
        Self {
            message: error.to_string(),
            parts: [
                part(start, at - start),
                part(at, 1),
                part(at + 1, shown - (at - start)),
            ],
        }
    }
}

/// Characters of a search that are shown before a mistake.
const SHOWN_AROUND: usize = 60;

/// Examples of what a search can have, each with its meaning.
pub(crate) const OPERATORS: [(&str, &str); 14] = [
    ("open file", "both words in source, translation or key"),
    ("\"open file\"", "these words in this order"),
    ("save OR store", "one of the words"),
    (
        "source:open NOT target:file",
        "a word in the source, another one not in the translation",
    ),
    ("key:menu", "a part of the key; key:= for all of it"),
    ("note:button", "a word of a note"),
    ("state:empty", "without a translation"),
    ("state:stale", "the source changed since, or drafts"),
    ("stale:major", "the source now says something else"),
    ("check:end_stop", "fails a check; has:check for any"),
    ("has:plural", "with plural forms"),
    (
        "added:>2026-01",
        "strings that are new since a month or day",
    ),
    ("source_changed:>\"3 days ago\"", "the source changed since"),
    ("source:r\"^(Save|Open)\"", "a regular expression"),
];

/// Parses the value of `q`; returns the problem of an invalid one.
pub(crate) fn parse_search(search: &str) -> (Filter, Option<SearchProblem>) {
    let now = Timestamp(Utc::now().timestamp_micros());
    match parse(search, Dialect::Weblate34, now) {
        Ok(filter) => (filter, None),
        Err(error) => (Filter::all(), Some(SearchProblem::new(search, &error))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_repeat_a_search_for_the_word_all() {
        let filter = |kind, search: &str| StringFilter {
            kind,
            search: search.to_owned(),
            query: Filter::all(),
            order: ListOrder::File,
            error: None,
        };
        let pairs = [("checksum", "1")];
        assert_eq!(filter(UnitType::All, "").query(&pairs), "?checksum=1");
        assert_eq!(
            filter(UnitType::All, "all").query(&pairs),
            "?checksum=1&q=all"
        );
        assert_eq!(filter(UnitType::Fuzzy, "").query(&[]), "?type=fuzzy");
    }

    #[test]
    fn a_kind_of_strings_and_every_example_are_queries() {
        let kinds = UnitType::CHOICES.into_iter().map(|(kind, ..)| kind);
        let kinds = kinds.chain(CheckId::ALL.iter().copied().map(UnitType::Check));
        let queries = kinds.map(UnitType::query);
        let examples = OPERATORS.map(|(example, _)| example.to_owned());
        for query in queries.chain(examples) {
            assert!(parse_search(&query).1.is_none(), "{query}");
        }
    }

    #[test]
    fn a_problem_shows_where_it_is() {
        let problem = |search: &str| {
            let (_, problem) = parse_search(search);
            problem.unwrap().parts.join("|")
        };
        assert_eq!(problem("open titel:x y"), "open |t|itel:x y");
        assert_eq!(problem("(open"), "(open||");
    }
}
