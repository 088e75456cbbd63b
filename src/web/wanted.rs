//! Which strings of a translation a page shows: `type=` and `q=` (human_pages.md 1).

use super::visit::{Visit, query};
use crate::catalog::{TranslationView, UnitView};
use crate::checks::CheckId;
use crate::query::{Query, parse};

/// What `type` asks for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    All,
    Translated,
    Missing,
    Stale,
    ToDo,
    Failing,
    Check(CheckId),
    /// What needs somebody who edits here: suggestions and comments.
    Never,
}

impl Kind {
    /// Those that a form offers, checks apart.
    const OFFERED: [Self; 6] = [Self::All, Self::ToDo, Self::Missing, Self::Stale, Self::Translated, Self::Failing];

    /// The kind of that id; all for one that is not known.
    fn of(id: &str) -> Self {
        match id {
            "translated" => Self::Translated,
            "nottranslated" => Self::Missing,
            "fuzzy" => Self::Stale,
            "todo" => Self::ToDo,
            "allchecks" => Self::Failing,
            "suggestions" | "comments" => Self::Never,
            _ => id.strip_prefix("check:").and_then(CheckId::from_id).map_or(Self::All, Self::Check),
        }
    }

    /// What stands in `type`.
    pub(super) fn id(self) -> String {
        match self {
            Self::All => "all".into(),
            Self::Translated => "translated".into(),
            Self::Missing => "nottranslated".into(),
            Self::Stale => "fuzzy".into(),
            Self::ToDo => "todo".into(),
            Self::Failing => "allchecks".into(),
            Self::Check(check) => ["check:", check.id()].concat(),
            Self::Never => "suggestions".into(),
        }
    }

    /// What people read.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::All => "All strings",
            Self::Translated => "Translated",
            Self::Missing => "Missing",
            Self::Stale => "Stale",
            Self::ToDo => "To do: missing or stale",
            Self::Failing => "With a failing check",
            Self::Check(check) => check.name(),
            Self::Never => "Suggestions and comments",
        }
    }

    fn fits(self, view: UnitView<'_>) -> bool {
        let unit = view.unit;
        match self {
            Self::All => true,
            Self::Translated => unit.translated(),
            Self::Missing => !unit.translated() && !unit.fuzzy(),
            Self::Stale => unit.fuzzy(),
            Self::ToDo => !unit.translated(),
            Self::Failing => unit.failing(),
            Self::Check(check) => view.failing_checks().contains(check),
            Self::Never => false,
        }
    }
}

/// Which strings are wanted.
pub(super) struct Wanted {
    pub(super) kind: Kind,
    /// The search as it came.
    pub(super) search: String,
    query: Query,
    /// Why the search cannot be read.
    pub(super) problem: Option<String>,
}

impl Wanted {
    /// What a request asks for.
    pub(super) fn of(visit: &Visit<'_>) -> Self {
        let search = visit.value("q").unwrap_or_default().to_owned();
        let (query, problem) = match parse(&search) {
            Ok(query) => (query, None),
            Err(error) => (Query::Any, Some(error.to_string())),
        };
        Self { kind: Kind::of(visit.value("type").unwrap_or_default()), search, query, problem }
    }

    /// The rows of the wanted strings, in template order; none when the search cannot be read.
    pub(super) fn rows(&self, view: TranslationView<'_>) -> Vec<u32> {
        if self.problem.is_some() {
            return Vec::new();
        }
        let wanted = view.units_from(0).filter(|unit| self.kind.fits(*unit) && self.query.wants(*unit));
        wanted.map(|unit| unit.row).collect()
    }

    /// Whether all strings are wanted.
    pub(super) fn is_all(&self) -> bool {
        self.kind == Kind::All && self.search.is_empty()
    }

    /// The kinds that a form offers: id, name, and whether it is the present one.
    pub(super) fn offered(&self) -> Vec<(String, &'static str, bool)> {
        let checks = CheckId::ALL.into_iter().map(Kind::Check);
        let kinds = Kind::OFFERED.into_iter().chain(checks);
        kinds.map(|kind| (kind.id(), kind.name(), kind == self.kind)).collect()
    }

    /// `type` and `q` as a query after others; `pairs` come first.
    pub(super) fn query(&self, pairs: &[(&str, &str)]) -> String {
        let kind = self.kind.id();
        let own = [("type", &*kind), ("q", &*self.search)];
        let own = own.into_iter().filter(|(_, value)| !value.is_empty() && *value != "all");
        query(pairs.iter().copied().chain(own))
    }
}
