//! Selects strings of a translation by the parameters `type` and `q` (docs/spec/pages.md#string-filters).

use std::borrow::Cow;
use std::sync::Arc;

use chrono::Utc;

use crate::PageRequest;
use gitglot_catalog::TranslationView;
use gitglot_catalog::UnitView;
use gitglot_catalog::query::Dialect;
use gitglot_catalog::query::Filter;
use gitglot_catalog::query::Selection;
use gitglot_catalog::query::parse;
use gitglot_catalog::query::spend_check;
use gitglot_catalog::scan::Budget;
use gitglot_checks::CheckId;
use gitglot_checks::CheckIds;
use gitglot_checks::SourceChange;
use gitglot_model::Timestamp;
use gitglot_model::address::query_string;

/// A value of the parameter `type`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum UnitType {
    All,
    Translated,
    Missing,
    Stale,
    StaleAs(SourceChange),
    ToDo,
    Failing,
    Check(CheckId),
    /// Suggestions and comments, which gitglot does not have.
    Suggestions,
}

impl UnitType {
    /// The choices of the form, before the checks: with the value of the parameter and the label on pages.
    const CHOICES: [(Self, &'static str, &'static str); 9] = [
        (Self::All, "all", "All strings"),
        (Self::ToDo, "todo", "To do: missing or stale"),
        (Self::Missing, "nottranslated", "Missing"),
        (Self::Stale, "fuzzy", "Stale"),
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
        Self::CHOICES
            .into_iter()
            .find(|(_, id, _)| *id == value)
            .map_or(Self::All, |(kind, ..)| kind)
    }

    /// The value of the parameter, and the label on pages.
    fn names(self) -> (Cow<'static, str>, &'static str) {
        match self {
            Self::Check(check) => (["check:", check.id()].concat().into(), check.name()),
            _ => {
                let choice = Self::CHOICES.into_iter().find(|(kind, ..)| *kind == self);
                let (_, id, name) =
                    choice.unwrap_or((self, "suggestions", "Suggestions and comments"));
                (id.into(), name)
            }
        }
    }

    /// The value of the parameter.
    pub(crate) fn id(self) -> Cow<'static, str> {
        self.names().0
    }

    /// The label on pages.
    pub(crate) fn name(self) -> &'static str {
        self.names().1
    }

    fn matches(self, view: UnitView<'_>, budget: &Budget) -> bool {
        let unit = view.unit;
        match self {
            Self::All => true,
            Self::Translated => unit.translated(),
            Self::Missing => !unit.translated() && !unit.fuzzy(),
            Self::Stale => unit.fuzzy(),
            Self::ToDo => !unit.translated(),
            Self::StaleAs(change) => {
                unit.fuzzy() && spend_check(budget, view) && view.source_change() == Some(change)
            }
            Self::Failing => !failing(view, budget).is_empty(),
            Self::Check(check) => failing(view, budget).contains(check),
            Self::Suggestions => false,
        }
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
    /// Why `q` is invalid.
    pub(crate) error: Option<String>,
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
            error,
        }
    }

    /// The rows of the matching strings, in template order; none for an invalid search.
    pub(crate) fn rows(&self, view: TranslationView<'_>, request: &PageRequest<'_>) -> Arc<[u32]> {
        if self.error.is_some() {
            return Arc::default();
        }
        if self.is_all() {
            return (0..view.translation.unit_count() as u32).collect();
        }
        let budget = request.budget;
        let of_kind = || {
            let units = view.units_from(0);
            units.filter(|unit| self.kind.matches(*unit, budget))
        };
        if self.search.is_empty() {
            let list = view.component.path_of(view.translation);
            return request.selected(
                &["/translate/", &list, "?", &self.kind.id()].concat(),
                || {
                    let counted = of_kind().take_while(|_| budget.spend(1));
                    counted.map(|unit| unit.row).collect()
                },
            );
        }
        let mut selection = Selection::new(&self.query, request.snapshot.users(), budget);
        let matches = of_kind().filter(|unit| selection.selects(*unit));
        matches.map(|unit| unit.row).collect()
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
        let kinds = UnitType::CHOICES
            .into_iter()
            .map(|(kind, ..)| kind)
            .chain(checks.map(UnitType::Check));
        kinds
            .map(|kind| (kind.id(), kind.name(), kind == self.kind))
            .collect()
    }

    /// The query string of `pairs`, followed by `type` and `q`.
    pub(crate) fn query(&self, pairs: &[(&str, &str)]) -> String {
        let id = self.kind.id();
        let kind = (self.kind != UnitType::All).then_some(("type", &*id));
        let search = (!self.search.is_empty()).then_some(("q", &*self.search));
        query_string(pairs.iter().copied().chain(kind).chain(search))
    }
}

/// Parses the value of `q`; returns the error text for an invalid one.
pub(crate) fn parse_search(search: &str) -> (Filter, Option<String>) {
    let now = Timestamp(Utc::now().timestamp_micros());
    match parse(search, Dialect::Weblate34, now) {
        Ok(filter) => (filter, None),
        Err(error) => (Filter::all(), Some(error.to_string())),
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
            error: None,
        };
        let pairs = [("checksum", "1")];
        assert_eq!(filter(UnitType::All, "").query(&pairs), "?checksum=1");
        assert_eq!(
            filter(UnitType::All, "all").query(&pairs),
            "?checksum=1&q=all"
        );
        assert_eq!(filter(UnitType::Stale, "").query(&[]), "?type=fuzzy");
    }
}
