//! `/compare/PROJECT/COMPONENT/BASE...HEAD/`: findings and differences of a change, for reviewers
//! (docs/spec/pages.md#revisions). A comparison can also be a file, which needs neither a server nor other files.

use std::collections::HashSet;
use std::sync::Arc;

use askama::Template;

use crate::aggregates::breadcrumbs_to_component;
use crate::layout::{Hosting, PageLayout, render};
use crate::parts::{
    Breadcrumbs, LangAttrs, LocalizedText, Pager, percent_of, percent_text, side_by_side,
};
use crate::paths;
use crate::request::PageRequest;
use gitglot_catalog::{ComponentSnapshot, TranslationView};
use gitglot_lint::output::{Group, groups, languages_of};
use gitglot_lint::{
    ChangeCounts, ComponentReport, Finding, FindingKind, LanguageReport, RenamedKey, Report,
    TextDifference,
};
use gitglot_model::SeededMap;
use gitglot_model::address::{commit_page, encoded, encoded_value};
use gitglot_revisions::{Comparison, Revision};

/// Strings with findings on a page.
const FINDINGS: usize = 12;
/// Languages that are listed for a string.
const PLACES: usize = 100;
/// Differences on a page.
pub const DIFFERENCES: usize = 60;
/// Renamed keys on a page.
const RENAMES: usize = 100;
/// Findings and differences in a file.
pub const FILE_ROWS: usize = 1000;
/// Digits of a commit id shown.
pub(super) const SHORT_ID: usize = 10;

/// The data of a comparison.
pub struct ComparePage<'a> {
    /// The component at the tip.
    pub component: &'a ComponentSnapshot,
    /// The two ends.
    pub ends: (&'a Revision, &'a Revision),
    /// The state at the second end, if it is known.
    pub state: Option<&'a ComponentSnapshot>,
    /// The numbers.
    pub comparison: &'a Comparison,
    /// Number of new findings, and those that are known: all, or of many those of the most important strings.
    pub findings: (usize, &'a [Finding]),
    /// The first differences, and how many there are.
    pub differences: (&'a [TextDifference], usize),
    /// The language that findings and differences are restricted to.
    pub language: Option<&'a str>,
}

#[derive(Template)]
#[template(path = "pages/compare.html")]
struct CompareTemplate<'a> {
    layout: PageLayout,
    breadcrumbs: Breadcrumbs,
    base: RevisionLink,
    head: RevisionLink,
    language: Option<LocalizedText>,
    /// The URL of all languages.
    all_languages: String,
    notes: Vec<LocalizedText>,
    languages: Vec<LanguageRow<'a>>,
    count: usize,
    findings: Vec<FindingRow>,
    /// Findings of strings that no page lists.
    cut: usize,
    /// None in a file.
    pager: Option<Pager>,
    /// The first renames, and how many there are.
    renames: Vec<&'a RenamedKey>,
    renamed: usize,
    differences: Vec<DifferenceRow>,
    total: usize,
}

/// A revision with its commit.
struct RevisionLink {
    name: LocalizedText,
    commit: String,
    href: Option<String>,
}

struct LanguageRow<'a> {
    /// The component, in a file with several.
    component: Option<&'a str>,
    report: &'a LanguageReport,
    href: Option<String>,
    percent: String,
}

struct FindingRow {
    checks: Vec<CheckOfRow>,
    location: LocalizedText,
    key: LocalizedText,
    /// The string at the tip, if it exists there; in a file, the line.
    href: Option<String>,
    /// The source text that a stale translation was written for.
    previous_source: Option<LocalizedText>,
    source: Option<LocalizedText>,
    target: Option<LocalizedText>,
    /// The other languages with findings, and how many there are.
    others: Vec<PlaceRow>,
    count: usize,
}

/// The findings of a check in a row.
struct CheckOfRow {
    severity: &'static str,
    id: &'static str,
    /// The page of the check on this server.
    page: Option<String>,
    /// The names of the languages, or how many they are.
    languages: Option<String>,
    message: LocalizedText,
}

/// The findings of a row in another language.
struct PlaceRow {
    language: LocalizedText,
    checks: String,
    location: LocalizedText,
    href: Option<String>,
    target: Option<LocalizedText>,
}

struct DifferenceRow {
    /// The file, on the first row of each file.
    file: Option<LocalizedText>,
    key: LocalizedText,
    /// The source text of a translation.
    source: Option<LocalizedText>,
    before: LocalizedText,
    after: LocalizedText,
}

/// Renders the page of a comparison.
pub fn compare(request: &PageRequest<'_>, data: &ComparePage<'_>) -> String {
    let (base, head) = data.ends;
    let comparison = data.comparison;
    let link = |revision: &Revision, commit: gitglot_model::CommitId| RevisionLink {
        name: LocalizedText::name(&revision.name),
        commit: commit.to_string().chars().take(SHORT_ID).collect(),
        href: commit_page(&data.component.component.repo, commit),
    };
    let mut languages: Vec<&LanguageReport> = comparison.report.languages.iter().collect();
    // Languages without changes are not interesting.
    let has_findings = |language: &LanguageReport| {
        let mut files = comparison.files.iter();
        files.any(|file| file.language == language.language && file.new > 0)
    };
    languages.retain(|language| {
        let changes = language.changes.unwrap_or_default();
        language.is_source || has_findings(language) || changes.translated > 0
    });
    let (list, total) = data.differences;
    let (count, findings) = data.findings;
    let strings = groups(findings);
    let pager = Pager::new(request, strings.len(), FINDINGS);
    let strings = strings.get(pager.entries.clone()).unwrap_or_default();
    let present = keys_at_tip(data.component, strings);
    let renames = || comparison.report.all_renames();
    let views = data.state.into_iter().flat_map(|state| state.views());
    let views = views.map(|view| (&*view.translation.language.code, view));
    let states: SeededMap<&str, TranslationView<'_>> = views.collect();
    render(&CompareTemplate {
        layout: request.layout.clone(),
        breadcrumbs: breadcrumbs_to_component(request, data.component),
        base: link(base, comparison.base),
        head: link(head, comparison.head),
        language: data.language.map(LocalizedText::name),
        all_languages: request.with("language", ""),
        renames: renames().take(RENAMES).collect(),
        renamed: renames().count(),
        notes: comparison.notes.iter().map(LocalizedText::name).collect(),
        languages: languages
            .into_iter()
            .map(|language| {
                let of = states.get(&*language.language);
                LanguageRow {
                    component: None,
                    report: language,
                    href: Some(request.with("language", &language.language)),
                    // The report does not know which texts were stale before.
                    percent: match of {
                        Some(of) => percent_of(&of.totals()),
                        None => percent_text(language.counts.tenths()),
                    },
                }
            })
            .collect(),
        count,
        findings: strings
            .iter()
            .map(|group| {
                let href = |finding: &Finding| {
                    present.get(finding.key.id())?;
                    string_at_tip(request, data.component, finding)
                };
                let page = |kind: FindingKind| {
                    let is_check = matches!(kind, FindingKind::Check(_));
                    is_check.then(|| request.link(paths::CHECK, &[kind.id()]))
                };
                let language = &data.component.project.source_language;
                FindingRow::new(group, language, &href, &page)
            })
            .collect(),
        cut: count.saturating_sub(findings.len()),
        pager: Some(pager),
        differences: difference_rows(list, &data.component.project.source_language),
        total,
    })
}

/// Renders a comparison as a file of its own: the new findings of a report, and the first differences of how many there
/// are. `href` is the address of the line of a finding.
pub fn comparison_file(
    report: &Report,
    differences: &[TextDifference],
    total: usize,
    href: &dyn Fn(&Finding) -> Option<String>,
) -> String {
    let revision = |name: &str, commit: &str| RevisionLink {
        name: LocalizedText::name(name),
        commit: commit.chars().take(SHORT_ID).collect(),
        href: None,
    };
    let read = &report.read;
    let commit = read.commit.as_deref().unwrap_or_default();
    let base = (read.base.as_ref()).map(|base| revision(&base.revision, &base.commit));
    let (mut languages, mut renames) = (Vec::new(), Vec::new());
    for component in &report.components {
        renames.extend(&component.renames);
        let name = (report.components.len() > 1).then_some(&*component.name);
        let has_changes = |language: &&LanguageReport| {
            language.is_source || language.changes.unwrap_or_default() != ChangeCounts::default()
        };
        let rows = component.languages.iter().filter(has_changes);
        languages.extend(rows.map(|language| LanguageRow {
            component: name,
            report: language,
            href: None,
            percent: percent_text(language.counts.tenths()),
        }));
    }
    let source_language = |finding: &Finding| {
        let components = report.components.iter();
        source_language_of(components.filter(|component| component.name == finding.component))
    };
    let new = report.findings.iter().filter(|finding| finding.new);
    let count = new.clone().count();
    // The most important ones are not cut off.
    let new = groups(new);
    let cut = new.iter().skip(FILE_ROWS).map(|group| group.findings.len());
    render(&CompareTemplate {
        layout: PageLayout::below("").hosted(Hosting::Alone),
        breadcrumbs: Breadcrumbs::default(),
        base: base.unwrap_or_else(|| revision("", "")),
        head: revision(read.branch.as_deref().unwrap_or(read.state), commit),
        language: None,
        all_languages: String::new(),
        renamed: renames.len(),
        renames: renames.into_iter().take(RENAMES).collect(),
        notes: report.notes.iter().map(LocalizedText::name).collect(),
        languages,
        count,
        findings: new
            .iter()
            .take(FILE_ROWS)
            .map(|group| FindingRow::new(group, source_language(group.first), href, &|_| None))
            .collect(),
        cut: cut.sum(),
        pager: None,
        differences: difference_rows(differences, source_language_of(&report.components)),
        total,
    })
}

/// The language of the first template of components.
fn source_language_of<'r>(components: impl IntoIterator<Item = &'r ComponentReport>) -> &'r str {
    let mut languages = components
        .into_iter()
        .flat_map(|component| &component.languages);
    let source = languages.find(|language| language.is_source);
    source.map_or("", |language| &*language.language)
}

/// The keys of the findings that the tip has.
fn keys_at_tip<'f>(component: &ComponentSnapshot, strings: &[Group<'f>]) -> HashSet<&'f str> {
    let wanted: HashSet<&str> = strings.iter().map(|string| string.first.key.id()).collect();
    if wanted.is_empty() {
        return wanted;
    }
    let units = component
        .named()
        .take(1)
        .flat_map(|view| view.units_from(0));
    let keys = units.map(|unit| component.texts.get(unit.source.context));
    keys.filter_map(|key| wanted.get(key).copied()).collect()
}

/// The list with the string of a finding at the tip.
fn string_at_tip(
    request: &PageRequest<'_>,
    component: &ComponentSnapshot,
    finding: &Finding,
) -> Option<String> {
    component.translation(&finding.language)?;
    let project = component.project.slug.as_str();
    let slug = component.component.slug.as_str();
    let names = [project, slug, &encoded(&finding.language)];
    let list = request.link(paths::STRINGS, &names);
    let key = finding.key.id().replace('\\', "\\\\").replace('"', "\\\"");
    let query = encoded_value(&format!("key:=\"{key}\""));
    Some(format!("{list}?q={query}"))
}

impl FindingRow {
    /// A row for a string, with the address of each of its texts, and of the page of each check.
    fn new(
        group: &Group<'_>,
        source_language: &str,
        href: &dyn Fn(&Finding) -> Option<String>,
        page: &dyn Fn(FindingKind) -> Option<String>,
    ) -> Self {
        let location =
            |finding: &Finding| LocalizedText::name(format!("{}:{}", finding.file, finding.line));
        let short = |code: &str, text: Option<&str>| {
            let attrs = LangAttrs::of_code(code);
            text.map(|text| LocalizedText::short(&attrs, text))
        };
        let target = |place: &[&Finding], code: &str| {
            let text = place.iter().find_map(|finding| finding.target.as_deref());
            short(code, text)
        };
        let (first, places) = (group.first, group.places());
        let [previous_source, source] = group.sources().map(|text| short(source_language, text));
        let checks = group.checks().filter_map(|findings| {
            let first = findings.first()?;
            Some(CheckOfRow {
                severity: first.severity.name(),
                id: first.check.id(),
                page: page(first.check),
                languages: languages_of(findings),
                message: LocalizedText::name(&first.message),
            })
        });
        let others = places.iter().skip(1).take(PLACES).filter_map(|place| {
            let other = place.first()?;
            let checks: Vec<&str> = place.iter().map(|finding| finding.check.id()).collect();
            Some(PlaceRow {
                language: LocalizedText::name(&*other.language),
                checks: checks.join(", "),
                location: location(other),
                href: href(other),
                target: target(place, &other.language),
            })
        });
        Self {
            checks: checks.collect(),
            location: location(first),
            key: LocalizedText::name(&*first.key.shown()),
            href: href(first),
            previous_source,
            source,
            target: places
                .first()
                .and_then(|place| target(place, &first.language)),
            others: others.collect(),
            count: places.len(),
        }
    }
}

fn difference_rows(list: &[TextDifference], source_language: &str) -> Vec<DifferenceRow> {
    let source_attrs = LangAttrs::of_code(source_language);
    let mut last: Option<&Arc<str>> = None;
    let rows = list.iter().map(|difference| {
        let file = &difference.file;
        let is_first = last.replace(file) != Some(file);
        let attrs = LangAttrs::of_code(&difference.language);
        let text = |text: &Option<String>| text.clone().unwrap_or_default();
        let (before, after) =
            side_by_side(&attrs, &text(&difference.before), &text(&difference.after));
        DifferenceRow {
            file: is_first.then(|| LocalizedText::name(file)),
            key: LocalizedText::name(&difference.key),
            source: (difference.source.as_deref())
                .map(|text| LocalizedText::short(&source_attrs, text)),
            before,
            after,
        }
    });
    rows.collect()
}
