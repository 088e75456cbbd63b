//! The page of one string in one language: texts, failing checks, history and other languages.

use std::collections::HashMap;
use std::sync::Arc;

use askama::Template;
use askama::filters::HtmlSafe;

use super::unit_document::document_file;
use super::unit_filter::StringFilter;
use crate::aggregates::breadcrumbs_to_component;
use crate::faults::faults;
use crate::layout::{PageLayout, render, render_list};
use crate::parts::{
    Breadcrumbs, EntryScope, EntryView, EntryViews, LONG, LangAttrs, LocalizedText, Mark, Time,
    UnitStatus, difference, plain,
};
use crate::paths;
use crate::request::PageRequest;
use gitglot_catalog::{
    ChangeView, ComponentSnapshot, RecordedSource, RecordedValue, StringPart, TranslationView,
    UnitView,
};
use gitglot_checks::{CheckFinding, CheckId, CheckProfile, SourceChange, TextSide, TextSpan};
use gitglot_lint::DocumentFault;
use gitglot_model::address::{commit_page, edit_page, file_page, query_string};
use gitglot_model::language::resolve;
use gitglot_model::{PLURAL_SEPARATOR, PluralForm, TextId, Texts, checksum, is_blank};

/// Number of changes shown.
pub(super) const RECENT_CHANGES: usize = 100;
/// Bytes of texts, authors and commits in the history. Older entries have none.
const HISTORY_DETAILS: usize = 6_000;
/// Bytes of texts in other languages, and the least bytes of one before it is cut.
const OTHER_TEXTS: usize = 6_000;
const OTHER_TEXT: usize = 50;

#[derive(Template)]
#[template(path = "pages/unit.html")]
struct UnitPage<'a> {
    layout: PageLayout,
    breadcrumbs: Breadcrumbs,
    view: UnitView<'a>,
    key: LocalizedText,
    name: String,
    source: Vec<TextForm>,
    target: Vec<TextForm>,
    /// How the source changed since the string was translated.
    source_change: Option<(SourceChange, LocalizedText)>,
    notes: Vec<LocalizedText>,
    /// Where the program uses the text, and its flags, in bilingual files.
    locations: Option<LocalizedText>,
    flags: Option<LocalizedText>,
    /// Failing checks with the severities and messages of the findings.
    checks: Vec<(CheckId, &'static str, LocalizedText)>,
    previous: Option<String>,
    next: Option<String>,
    list: String,
    /// How to contribute to the language.
    engage: String,
    /// Since when the string is in its state.
    since: Option<Time>,
    /// 1-based position in the list, and its length.
    number: usize,
    count: usize,
    /// The redirect to the string's line on the repository host.
    line: Option<String>,
    history: Vec<EntryView>,
    /// The list that has the texts of shortened entries, if there are any.
    older: Option<String>,
    /// The rendered rows of the table of other languages.
    siblings: &'a str,
    /// The path of the file that has the string.
    path: String,
    /// Where a document can be edited.
    edit: Option<String>,
    /// What a document says that it was made from.
    made_from: Option<RecordedSource<'a>>,
    /// The faults of a document.
    faults: Vec<DocumentFault>,
}

/// One form of a text.
#[derive(Template)]
#[template(
    ext = "html",
    source = r#"<p class="text">{% if !category.is_empty() %}<small class="quiet">{{ category }}</small> {% endif %}{% if text.is_empty() && is_target %}<span class="quiet">Not translated yet.</span>{% else %}{{ text }}{% endif %}</p>"#
)]
struct TextForm {
    /// The plural category, or `""`.
    category: String,
    text: LocalizedText,
    is_target: bool,
}

impl HtmlSafe for TextForm {}

/// The same string in another language, a row of a table.
#[derive(Template)]
#[template(
    ext = "html",
    source = "\n<tr><th scope=\"row\"><a href=\"{{ href }}\">{{ name }}</a></th><td>{% if !target.is_empty() %}{{ target }}{% endif %}</td><td class=\"{{ state.class() }}\">{{ state.name() }}</td></tr>"
)]
struct Sibling {
    name: LocalizedText,
    href: String,
    target: LocalizedText,
    state: UnitStatus,
}

/// What a page shows of other strings, languages and times.
pub(super) struct Surroundings<'a> {
    /// The rows of the list that the string is part of.
    pub(super) rows: &'a [u32],
    /// Why checks fail.
    pub(super) findings: Vec<CheckFinding>,
    /// The changes of the string, newest first.
    pub(super) changes: Vec<ChangeView<'a>>,
    /// The rendered rows of the table of other languages.
    pub(super) siblings: &'a str,
}

/// Renders the page of a unit; previous and next strings are those that match `filter`.
pub(super) fn page(request: &PageRequest<'_>, view: UnitView<'_>, filter: &StringFilter) -> String {
    let own = view.translation.id;
    let others = view.component.views();
    let others = others.filter(|other| other.translation.id != own);
    let string = view.string();
    let most = longest_sibling(view.component, string);
    let siblings = others.map(|other| sibling(request, other, string, most));
    let surroundings = Surroundings {
        rows: &rows_around(request, view, filter),
        findings: view.findings(CheckProfile::Current),
        changes: changes(request, view),
        siblings: &siblings.collect::<String>(),
    };
    page_with(request, view, filter, surroundings)
}

/// Renders the page of a unit whose surroundings are known.
pub(super) fn page_with(
    request: &PageRequest<'_>,
    view: UnitView<'_>,
    filter: &StringFilter,
    surroundings: Surroundings<'_>,
) -> String {
    let (component, translation, texts) = (view.component, view.translation, &view.component.texts);
    let (unit, source) = (view.unit, view.source);
    let source_attrs = LangAttrs::of_code(&component.project.source_language);
    let text = texts.get(source.source);
    let old_source = unit.fuzzy().then(|| view.known_previous_source());
    let old_source = old_source.filter(|old| !is_blank(old));
    let fact = |text: &str| {
        let text = text.chars().take(LONG).collect::<String>();
        (!text.is_empty()).then(|| LocalizedText::name(text))
    };
    let (rows, findings) = (surroundings.rows, surroundings.findings);
    let in_list = filter.position(rows, view.row);
    let index = in_list.or_else(|| rows.binary_search(&view.row).ok());
    let index = index.unwrap_or_default();
    let strings = request.strings(view.of());
    let neighbour = |index: Option<usize>| {
        let source = view.of().unit(*rows.get(index?)?)?.source;
        let query = filter.query(&[("checksum", &checksum(source.id_hash))]);
        Some([&*strings, &*query].concat())
    };
    let name = translation.language.display_name();
    let marks = marks(view, findings.iter().flat_map(|finding| &finding.spans));
    let target_attrs = LangAttrs::of(&translation.language);
    let form = |text, attrs, side| forms(texts, text, attrs, side, &marks);
    let mut history = EntryViews::new(request, EntryScope::Unit).of(surroundings.changes);
    let is_short = shorten(&mut history);
    let older = || {
        let filter = [
            ("project", component.project.slug.as_str()),
            ("component", component.component.slug.as_str()),
            ("lang", &translation.language.code),
        ];
        request.link(paths::CHANGES, &[]) + &query_string(filter)
    };
    let of = &component.component;
    let own_file = document_file(view);
    let page_to_edit = |path: &String| edit_page(&of.repo, &of.branch, path);
    let edit = own_file.as_ref().and_then(page_to_edit);
    let message = |finding: CheckFinding| {
        let text = LocalizedText::new(&LangAttrs::UNKNOWN, &finding.message);
        (finding.check, finding.severity.name(), text)
    };
    render_list(&UnitPage {
        layout: request.layout.clone(),
        breadcrumbs: breadcrumbs_to_component(request, component)
            .below(&name, request.translation(view.of())),
        view,
        key: LocalizedText::name(view.name()),
        name,
        source: form(source.source, &source_attrs, TextSide::Source),
        target: form(unit.target, &target_attrs, TextSide::Target),
        source_change: old_source.map(|old| {
            let change = SourceChange::between(old, text);
            (change, difference(&source_attrs, old, text, LONG))
        }),
        notes: notes(texts, [view.source_note(), unit.note]),
        locations: fact(view.locations()),
        flags: fact(view.flags()),
        checks: findings.into_iter().map(message).collect(),
        previous: neighbour(index.checked_sub(1)),
        next: neighbour(Some(index + 1)),
        engage: request.engage(component.project.slug.as_str(), &translation.language),
        since: view.state_since(request.budget).map(Time::new),
        list: [&*strings, &*filter.query(&[])].concat(),
        number: index + 1,
        count: rows.len(),
        line: line(request, view),
        history,
        older: is_short.then(older),
        siblings: surroundings.siblings,
        path: own_file.unwrap_or_else(|| translation.path.to_string()),
        edit,
        made_from: RecordedSource::of(view, request.budget),
        faults: if request.budget.spend_text(view.text_bytes()) {
            faults(view)
        } else {
            Vec::new()
        },
    })
}

/// The rows that match the filter; all rows if the string does not match, or no longer.
fn rows_around(request: &PageRequest<'_>, view: UnitView<'_>, filter: &StringFilter) -> Arc<[u32]> {
    let rows = filter.rows(view.of(), request);
    match filter.position(&rows, view.row) {
        Some(_) => rows,
        None => (0..view.translation.unit_count() as u32).collect(),
    }
}

/// The notes in template and translation, equal ones once.
fn notes(texts: &Texts, notes: [TextId; 2]) -> Vec<LocalizedText> {
    let mut notes = notes.map(|note| texts.get(note)).to_vec();
    notes.dedup();
    notes.retain(|note| !note.is_empty());
    let note = |note: &str| LocalizedText::new(&LangAttrs::UNKNOWN, note);
    notes.into_iter().map(note).collect()
}

/// The parts of texts that checks report, by side and form: where each begins, and the greatest end up to it.
struct ReportedParts(HashMap<(bool, usize), Vec<(usize, usize)>>);

impl ReportedParts {
    fn new<'s>(spans: impl Iterator<Item = &'s TextSpan>) -> Self {
        let mut parts: HashMap<_, Vec<(usize, usize)>> = HashMap::new();
        for span in spans {
            let parts = parts.entry(Self::key(span)).or_default();
            parts.push((span.range.start, span.range.end));
        }
        for parts in parts.values_mut() {
            parts.sort_unstable();
            let mut greatest = 0;
            for (_, end) in parts {
                greatest = greatest.max(*end);
                *end = greatest;
            }
        }
        Self(parts)
    }

    fn key(span: &TextSpan) -> (bool, usize) {
        (span.side == TextSide::Source, span.form)
    }

    /// Whether one of the parts overlaps a span.
    fn overlap(&self, span: &TextSpan) -> bool {
        let parts = self.0.get(&Self::key(span)).map_or(&[][..], Vec::as_slice);
        let before = parts.partition_point(|&(start, _)| start < span.range.end);
        let last = before.checked_sub(1).and_then(|last| parts.get(last));
        last.is_some_and(|&(_, end)| end > span.range.start)
    }
}

/// The parts of the texts to mark: those that failing checks report, and all other placeholders.
fn marks<'s>(
    view: UnitView<'_>,
    reported: impl Iterator<Item = &'s TextSpan>,
) -> Vec<(TextSpan, Mark)> {
    let mut marks: Vec<(TextSpan, Mark)> = reported
        .filter(|span| !span.range.is_empty())
        .map(|span| (span.clone(), Mark::Reported))
        .collect();
    let reported = ReportedParts::new(marks.iter().map(|(span, _)| span));
    let placeholders = view.placeholders().into_iter();
    let others = placeholders.filter(|span| !reported.overlap(span));
    marks.extend(others.map(|span| (span, Mark::Placeholder)));
    marks.sort_by_key(|(span, _)| span.range.start);
    marks
}

/// The forms of a text, each with its category; one without a category for a text without plural forms.
fn forms(
    texts: &Texts,
    text: TextId,
    attrs: &LangAttrs,
    side: TextSide,
    marks: &[(TextSpan, Mark)],
) -> Vec<TextForm> {
    let is_target = side == TextSide::Target;
    let marked = |form: usize, text: &str| {
        let is_own = |span: &TextSpan| span.side == side && span.form == form;
        let own = marks.iter().filter(|(span, _)| is_own(span));
        let own = own.map(|(span, mark)| (span.range.clone(), *mark));
        LocalizedText::marked(attrs, text, &own.collect::<Vec<_>>())
    };
    if !texts.is_plural(text) {
        return vec![TextForm {
            category: String::new(),
            text: marked(0, texts.get(text)),
            is_target,
        }];
    }
    let category = |form: PluralForm| match form {
        PluralForm::Index(index) => format!("form {index}"),
        form => match form.ordinal_category() {
            Some(category) => format!("{category} (ordinal)"),
            None => form.category().unwrap_or_default().to_owned(),
        },
    };
    let parts = texts.get(text).split(PLURAL_SEPARATOR);
    let form = |(index, (form, part))| TextForm {
        category: category(form),
        text: marked(index, part),
        is_target,
    };
    texts.forms(text).zip(parts).enumerate().map(form).collect()
}

/// The redirect to a unit's line, if its file has the unit and the repository host is known.
pub(super) fn line(request: &PageRequest<'_>, view: UnitView<'_>) -> Option<String> {
    let (of, translation, unit) = (view.component, view.translation, view.unit);
    file_page(&of.component.repo, of.tip.id, &translation.path)?;
    // The redirect needs a server.
    let is_in_file = request.layout.has_server()
        && (unit.translated() || unit.fuzzy() || translation.is_template);
    let line = request.link(paths::SOURCE_LINE, &[&of.path_of(translation)]);
    is_in_file.then(|| line + "?checksum=" + &checksum(view.source.id_hash))
}

/// The changes of a unit and of its source, newest first.
fn changes<'a>(request: &PageRequest<'a>, view: UnitView<'a>) -> Vec<ChangeView<'a>> {
    let of_translation = |translation| {
        let log = request.snapshot.changes_of_translation(translation);
        let string = view.string();
        let of_string = |change: &ChangeView<'_>| shows(change, string);
        (0..log.len())
            .rev()
            .take_while(|_| request.budget.spend(1))
            .filter_map(move |at| log.get(at))
            .flat_map(|change| std::iter::once(change).chain(change.state_changes()))
            .filter(of_string)
            .take(RECENT_CHANGES)
            .collect::<Vec<_>>()
    };
    let logs = [Some(view.of()), template_of(view)].into_iter().flatten();
    let mut changes: Vec<_> = logs.flat_map(of_translation).collect();
    changes.extend(changes_elsewhere(request, view));
    newest(changes)
}

/// The changes of a unit and of its source while other components had the string.
pub(super) fn changes_elsewhere<'a>(
    request: &PageRequest<'a>,
    view: UnitView<'a>,
) -> Vec<ChangeView<'a>> {
    let template = template_of(view).map_or(view.translation, |of| of.translation);
    let languages = [view.translation, template].map(|translation| &*translation.language.code);
    let parts = StringPart::all_of(request.snapshot, view);
    let changes = parts.iter().flat_map(|part| {
        let proceed = || request.budget.spend(1);
        part.changes(request.snapshot, &languages, RECENT_CHANGES, &proceed)
    });
    changes.collect()
}

/// Whether an entry belongs to the history of a string, also under an older key. Its entry of the rename replaces the
/// texts that moved.
pub(super) fn shows(change: &ChangeView<'_>, string: u32) -> bool {
    !change.entry.moved && change.string() == Some(string)
}

/// The template, unless the unit is part of it.
pub(super) fn template_of(view: UnitView<'_>) -> Option<TranslationView<'_>> {
    let mut views = view.component.views();
    let template = views.find(|other| other.translation.is_template);
    template.filter(|other| other.translation.id != view.translation.id)
}

/// The changes that a page shows of those of a unit and of its source.
pub(super) fn newest(mut changes: Vec<ChangeView<'_>>) -> Vec<ChangeView<'_>> {
    changes.sort_by_key(|change| std::cmp::Reverse(change.entry.id));
    changes.truncate(RECENT_CHANGES);
    changes
}

/// Shortens the older entries of a long history. Returns whether there are any.
fn shorten(history: &mut [EntryView]) -> bool {
    let mut size = 0;
    let is_beyond = |entry: &EntryView| {
        size += entry.details_len();
        size > HISTORY_DETAILS
    };
    // The newest one is shown in any case.
    let beyond = history.iter().map(is_beyond).skip(1);
    let kept = 1 + beyond.take_while(|is_beyond| !is_beyond).count();
    let older = history.get_mut(kept..).unwrap_or_default();
    older.iter_mut().for_each(EntryView::shorten);
    !older.is_empty()
}

/// The most bytes of a text in the table of other languages, so that the texts of all fit in it: short texts leave more to
/// long ones.
pub(super) fn longest_sibling(component: &ComponentSnapshot, string: u32) -> usize {
    let text = |view: TranslationView<'_>| Some(view.unit_of_string(string)?.unit.target);
    let texts = component.views().filter_map(text);
    let mut lengths: Vec<usize> = texts.map(|id| component.texts.get(id).len()).collect();
    lengths.sort_unstable();
    let mut left = OTHER_TEXTS;
    for (at, length) in lengths.iter().enumerate() {
        let share = left / (lengths.len() - at);
        if *length > share {
            return share.max(OTHER_TEXT);
        }
        left -= length;
    }
    usize::MAX
}

/// The rendered row of a language in the table of other languages; empty if it lacks the string. Texts have `most` bytes.
pub(super) fn sibling(
    request: &PageRequest<'_>,
    other: TranslationView<'_>,
    string: u32,
    most: usize,
) -> String {
    let Some(unit) = other.unit_of_string(string) else {
        return String::new();
    };
    let language = &other.translation.language;
    let text = other.component.texts.get(unit.unit.target);
    render(&Sibling {
        name: LocalizedText::name(language.display_name()),
        href: request.unit(unit),
        target: LocalizedText::within(&LangAttrs::of(language), text, most),
        state: UnitStatus::of(unit),
    })
}
