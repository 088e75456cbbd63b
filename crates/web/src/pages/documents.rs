//! `/documents/PROJECT/COMPONENT/`: the documents of a component in each language, and the same as data
//! (docs/spec/pages.md#documents).

mod data;

pub(crate) use data::data;

use std::sync::Arc;

use askama::Template;

use super::unit_document::document_file;
use crate::aggregates::{breadcrumbs_to_component, without_sources};
use crate::layout::{PageLayout, render_list};
use crate::parts::{
    Breadcrumbs, LocalizedText, Pager, SortColumn, SortLink, Sorting, Time, UnitStatus,
    group_thousands, plain,
};
use crate::paths;
use crate::request::PageRequest;
use gitglot_catalog::query::spend_check;
use gitglot_catalog::{ComponentSnapshot, SourceRow, TranslationView, UnitView};
use gitglot_checks::{Severity, SourceChange};
use gitglot_model::address::{edit_page, file_page, query_string};
use gitglot_model::{FileFormat, Timestamp, counted};

/// Most documents of a page, and most of their translations.
const PAGE_SIZE: usize = 50;
const MAX_CELLS: usize = 230;
/// Pages of so few languages link each file at the host of the repository, and have fewer documents.
const DETAILED: usize = 2;
const DETAILED_SIZE: usize = 25;

#[derive(Template)]
#[template(path = "pages/documents.html")]
struct DocumentsPage<'a> {
    layout: PageLayout,
    breadcrumbs: Breadcrumbs,
    component: &'a ComponentSnapshot,
    /// This page without parameters.
    path: String,
    count: usize,
    is_filtered: bool,
    /// The choices of the form: value, label, and whether it is selected.
    states: Vec<(String, &'static str, bool)>,
    codes: Vec<(String, String, bool)>,
    name: String,
    sorting: Sorting,
    columns: Vec<SortLink>,
    languages: Vec<Heading>,
    rows: Vec<Row>,
    pager: Pager,
    /// The newest commit, which ages are counted to.
    time: Time,
    /// The same as JSON and CSV.
    data: [String; 2],
}

/// The columns before those of languages.
const COLUMNS: [SortColumn; 5] = [
    ("Document", "name", false),
    ("Words", "words", true),
    ("Stale", "stale", true),
    ("Missing", "missing", true),
    ("Longest stale", "age", true),
];

/// The heading of a language.
struct Heading {
    code: String,
    name: String,
    href: String,
    is_chosen: bool,
}

struct Row {
    name: LocalizedText,
    /// The page of the document in the source language.
    href: Option<String>,
    /// The worst fault of the source.
    fault: Option<Severity>,
    words: u32,
    stale: usize,
    missing: usize,
    /// How long the document is stale in a language.
    age: Option<String>,
    cells: Vec<Cell>,
}

/// A document in a language.
struct Cell {
    class: &'static str,
    label: String,
    href: Option<String>,
    /// Where the file can be edited and read at the host of the repository.
    edit: Option<String>,
    file: Option<String>,
}

/// Which documents are shown: those that are so in one of the languages, for `Done` in all of them.
#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    All,
    ToDo,
    Stale,
    StaleAs(SourceChange),
    Missing,
    Faulty,
    Done,
}

impl State {
    const CHOICES: [(Self, &'static str, &'static str); 9] = [
        (Self::All, "all", "All documents"),
        (Self::ToDo, "todo", "To do: missing or stale"),
        (Self::Missing, "missing", "Missing"),
        (Self::Stale, "stale", "Stale"),
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
        (Self::Faulty, "faulty", "With an error or a warning"),
        (Self::Done, "done", "Done in all of the languages"),
    ];

    /// The value of the parameter `state`.
    fn id(self) -> &'static str {
        let found = Self::CHOICES.into_iter().find(|(state, ..)| *state == self);
        found.map_or("", |(_, id, _)| id)
    }

    /// Parses a value; unknown ones mean all documents.
    fn parse(value: &str) -> Self {
        let found = Self::CHOICES.into_iter().find(|(_, id, _)| *id == value);
        found.map_or(Self::All, |(state, ..)| state)
    }
}

/// The values of the parameter `state`.
pub fn document_states() -> [&'static str; 9] {
    State::CHOICES.map(|(_, id, _)| id)
}

/// The documents and languages that the parameters select.
struct Matrix<'a> {
    of: &'a ComponentSnapshot,
    source: Option<TranslationView<'a>>,
    languages: Vec<TranslationView<'a>>,
    has_all_languages: bool,
    state: State,
    name: String,
    sorting: Sorting,
    /// The rows of the documents, in their order.
    rows: Arc<[u32]>,
}

struct Document<'a> {
    row: u32,
    source: &'a SourceRow,
    key: &'a str,
    stale: usize,
    missing: usize,
}

impl<'a> Matrix<'a> {
    /// `None` for an unknown component, and for one whose strings are no documents.
    fn of(request: &PageRequest<'a>, [project, slug]: [&str; 2]) -> Option<Self> {
        let of = &**request.snapshot.component(project, slug)?;
        if of.component.file_format != FileFormat::Document {
            return None;
        }
        let mut languages: Vec<_> = without_sources(of.views()).collect();
        let count = languages.len();
        let is_chosen = |view: &TranslationView<'_>| {
            let mut chosen = request.query.iter();
            chosen.any(|(name, value)| name == "lang" && *view.translation.language.code == **value)
        };
        if languages.iter().any(is_chosen) {
            languages.retain(is_chosen);
        }
        let mut matrix = Self {
            of,
            source: of.views().find(|view| view.translation.is_template),
            has_all_languages: languages.len() == count,
            languages,
            state: State::parse(request.value("state").unwrap_or_default()),
            name: request.value("name").unwrap_or_default().to_owned(),
            sorting: Sorting::of(request, &COLUMNS),
            rows: Arc::default(),
        };
        let codes = matrix.languages.iter();
        let codes: Vec<&str> = codes.map(|view| &*view.translation.language.code).collect();
        let filter = [
            "documents",
            &of.path(),
            &codes.join(" "),
            matrix.state.id(),
            &matrix.sorting.value,
            &matrix.name,
        ];
        matrix.rows = request.selected(&filter.join("\n"), || matrix.selected(request));
        Some(matrix)
    }

    /// The rows of the documents, in their order.
    fn selected(&self, request: &PageRequest<'_>) -> Vec<u32> {
        let name = self.name.to_lowercase();
        let mut found = Vec::new();
        for row in 0..self.of.sources.len() as u32 {
            if !request.budget.spend(1 + self.languages.len() as u64) {
                break;
            }
            let Some(document) = self.document(row) else {
                continue;
            };
            let is_named = document.key.to_lowercase().contains(&name);
            if is_named && self.shows(request, &document) {
                found.push(document);
            }
        }
        found.sort_by_key(|document| document.key);
        let value = |key: &str, document: &Document<'_>| match key {
            "words" => Some(i64::from(document.source.words)),
            "stale" => Some(document.stale as i64),
            "missing" => Some(document.missing as i64),
            "age" => Some(self.now().0 - self.stale_since(request, document)?.0),
            _ => None,
        };
        self.sorting.apply(&mut found, value);
        found.into_iter().map(|document| document.row).collect()
    }

    fn document(&self, row: u32) -> Option<Document<'a>> {
        let source = self.of.sources.get(row as usize)?;
        let units = self.languages.iter().map(|view| view.unit_of_string(row));
        let (mut stale, mut missing) = (0, 0);
        for unit in units {
            match unit {
                Some(unit) if unit.unit.fuzzy() => stale += 1,
                Some(unit) if unit.unit.translated() => {}
                _ => missing += 1,
            }
        }
        let key = self.of.texts.get(source.context);
        Some(Document {
            row,
            source,
            key,
            stale,
            missing,
        })
    }

    /// Whether a document is in the state that the parameters select.
    fn shows(&self, request: &PageRequest<'_>, document: &Document<'_>) -> bool {
        let unit_of = |view: &TranslationView<'a>| view.unit_of_string(document.row);
        let languages = self.languages.iter();
        match self.state {
            State::All => true,
            State::ToDo => document.stale + document.missing > 0,
            State::Stale => document.stale > 0,
            State::StaleAs(change) => languages.filter_map(unit_of).any(|unit| {
                unit.unit.fuzzy()
                    && spend_check(request.budget, unit)
                    && unit.source_change() == Some(change)
            }),
            State::Missing => document.missing > 0,
            State::Faulty => {
                let mut units = self.source.iter().chain(languages).filter_map(unit_of);
                units.any(|unit| request.worst_fault(unit).is_some())
            }
            State::Done => document.stale + document.missing == 0,
        }
    }

    /// Since when a document is stale in one of the languages.
    fn stale_since(&self, request: &PageRequest<'_>, document: &Document<'_>) -> Option<Timestamp> {
        let units = self.languages.iter();
        let units = units.filter_map(|view| view.unit_of_string(document.row));
        let stale = units.filter(|unit| unit.unit.fuzzy());
        let since = stale.filter_map(|unit| unit.state_since(request.budget));
        since.min()
    }

    /// The newest commit.
    fn now(&self) -> Timestamp {
        Timestamp::from_seconds(self.of.tip.committer.time.seconds)
    }

    fn row(&self, request: &PageRequest<'_>, document: &Document<'_>) -> Row {
        let age = |since: Timestamp| age(self.now().0 - since.0);
        let source = self
            .source
            .and_then(|view| view.unit_of_string(document.row));
        let cells = self.languages.iter();
        Row {
            name: LocalizedText::name(document.key),
            href: source.and_then(|unit| page_of(request, unit)),
            fault: source.and_then(|unit| request.worst_fault(unit)),
            words: document.source.words,
            stale: document.stale,
            missing: document.missing,
            age: self.stale_since(request, document).map(age),
            cells: cells
                .map(|view| self.cell(request, *view, document))
                .collect(),
        }
    }

    fn cell(
        &self,
        request: &PageRequest<'_>,
        view: TranslationView<'_>,
        document: &Document<'_>,
    ) -> Cell {
        let unit = view.unit_of_string(document.row);
        let status = status(request, unit);
        let mut href = unit.and_then(|unit| page_of(request, unit));
        let mut label = match status {
            UnitStatus::Stale(change) => {
                // The change of the source.
                href = href.map(|page| page + "#stale");
                let since = unit.and_then(|unit| unit.state_since(request.budget));
                let age = since.map(|since| [", ", &age(self.now().0 - since.0)].concat());
                change.id().to_owned() + &age.unwrap_or_default()
            }
            UnitStatus::Translated => "done".to_owned(),
            other => other.name().to_owned(),
        };
        let fault = unit.and_then(|unit| request.worst_fault(unit));
        if let Some(fault) = fault {
            label.extend([", ", fault.name()]);
        }
        let (of, is_detailed) = (&self.of.component, self.languages.len() <= DETAILED);
        let path = unit.filter(|_| is_detailed).and_then(document_file);
        let path = path.as_ref();
        Cell {
            class: match fault {
                Some(Severity::Error) => UnitStatus::Failing.class(),
                _ => status.class(),
            },
            label,
            href,
            edit: path.and_then(|path| edit_page(&of.repo, &of.branch, path)),
            file: path.and_then(|path| file_page(&of.repo, self.of.tip.id, path)),
        }
    }
}

/// The page of a document, if it has one that others can link to.
fn page_of(request: &PageRequest<'_>, unit: UnitView<'_>) -> Option<String> {
    let has_page = request.layout.has_string_pages();
    has_page.then(|| request.unit(unit))
}

/// The state of a document in a language.
fn status(request: &PageRequest<'_>, unit: Option<UnitView<'_>>) -> UnitStatus {
    let unit = unit.filter(|unit| spend_check(request.budget, *unit));
    unit.map_or(UnitStatus::Missing, UnitStatus::of)
}

/// A time as one number: its largest unit of which there are two.
fn age(microseconds: i64) -> String {
    let days = usize::try_from(microseconds / Timestamp::DAY).unwrap_or_default();
    match days {
        ..60 => counted(days, "day"),
        60..730 => counted(days / 30, "month"),
        730.. => counted(days / 365, "year"),
    }
}

/// Renders the page; `None` for an unknown component, and for one whose strings are no documents.
pub(crate) fn page(request: &PageRequest<'_>, names: [&str; 2]) -> Option<String> {
    let matrix = Matrix::of(request, names)?;
    let languages = matrix.languages.len();
    let size = match languages {
        ..=DETAILED => DETAILED_SIZE,
        _ => (MAX_CELLS / languages).clamp(1, PAGE_SIZE),
    };
    let pager = Pager::new(request, matrix.rows.len(), size);
    let shown = matrix.rows.get(pager.entries.clone()).unwrap_or_default();
    let shown = shown.iter().filter_map(|row| matrix.document(*row));
    let rows = shown.map(|document| matrix.row(request, &document));
    let heading = |view: &TranslationView<'_>| {
        let language = &view.translation.language;
        Heading {
            code: plain(&language.code),
            name: plain(&language.display_name()),
            href: if matrix.has_all_languages && matrix.languages.len() > 1 {
                request.with("lang", &language.code)
            } else {
                request.translation(*view)
            },
            is_chosen: !matrix.has_all_languages,
        }
    };
    let code = |view: TranslationView<'_>| {
        let language = &view.translation.language;
        let is_chosen = !matrix.has_all_languages && request.value("lang") == Some(&*language.code);
        let name = plain(&language.display_name());
        (language.code.to_string(), name, is_chosen)
    };
    let path = request.link(paths::DOCUMENTS, &names);
    let data = ["json", "csv"].map(|format| {
        let kept = request.parameters(&["lang", "state", "name", "sort"]);
        let pairs = [("format", format)].into_iter().chain(kept);
        request.link(paths::DOCUMENT_STATES, &names) + &query_string(pairs)
    });
    let states = State::CHOICES.into_iter();
    Some(render_list(&DocumentsPage {
        layout: request.layout.clone(),
        breadcrumbs: breadcrumbs_to_component(request, matrix.of),
        component: matrix.of,
        path,
        count: matrix.rows.len(),
        is_filtered: matrix.state != State::All
            || !matrix.name.is_empty()
            || !matrix.has_all_languages,
        states: states
            .map(|(state, id, label)| (id.to_owned(), label, state == matrix.state))
            .collect(),
        codes: without_sources(matrix.of.views()).map(code).collect(),
        name: matrix.name.clone(),
        columns: matrix.sorting.links(request),
        languages: matrix.languages.iter().map(heading).collect(),
        rows: rows.collect(),
        pager,
        time: Time::new(matrix.now()),
        data,
        sorting: matrix.sorting,
    }))
}
