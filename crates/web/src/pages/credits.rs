//! `/credits/PROJECT/`: who wrote the translations of a release, and the same as data (docs/spec/pages.md#credits).

use askama::Template;
use serde_json::{Value, json};

use crate::aggregates::breadcrumbs_to_project;
use crate::csv_table::CsvTable;
use crate::layout::{PageLayout, render};
use crate::parts::{Breadcrumbs, LocalizedText, plain};
use crate::paths;
use crate::request::{PageRequest, PageResponse};
use gitglot_catalog::{Contribution, LanguageContributions, by_language};
use gitglot_model::Project;
use gitglot_model::address::query_string;

/// Most people that the page lists of a language, unless it lists only this language.
const MAX_PEOPLE: usize = 10;

/// The credits of a project.
#[derive(Debug)]
pub struct Credits<'a> {
    /// The project.
    pub project: &'a Project,
    /// The revisions of the release before and of the release; `None` is the start or the tip.
    pub ends: [Option<&'a str>; 2],
    /// By language, the most words first.
    pub contributions: &'a [Contribution],
    /// The slugs of the components that lack one of the revisions.
    pub left_out: &'a [String],
}

impl<'a> Credits<'a> {
    /// The languages by name; only one if the request says so.
    fn languages(&self, request: &PageRequest<'_>) -> Vec<LanguageContributions<'a>> {
        let wanted = request.value("lang");
        let mut languages = by_language(self.contributions);
        languages.retain(|of| wanted.is_none_or(|wanted| wanted == of.code));
        languages
    }
}

#[derive(Template)]
#[template(path = "pages/credits.html")]
struct CreditsTemplate<'a> {
    layout: PageLayout,
    breadcrumbs: Breadcrumbs,
    project: &'a Project,
    ends: [&'a str; 2],
    left_out: &'a [String],
    languages: Vec<Section<'a>>,
    /// The addresses of the data as JSON and CSV.
    data: [String; 2],
}

struct Section<'a> {
    name: String,
    people: &'a [Contribution],
    /// How many others there are, and the address of all.
    more: Option<(usize, String)>,
}

impl<'a> Section<'a> {
    fn new(request: &PageRequest<'_>, of: LanguageContributions<'a>, limit: usize) -> Self {
        let (people, rest) = of.people.split_at(of.people.len().min(limit));
        Self {
            name: of.language.display_name(),
            people,
            more: (!rest.is_empty()).then(|| (rest.len(), request.with("lang", of.code))),
        }
    }
}

/// Renders the credits.
pub fn credits(request: &PageRequest<'_>, credits: &Credits<'_>) -> String {
    let slug = credits.project.slug.as_str();
    let languages = credits.languages(request);
    let limit = match languages.len() {
        1 => usize::MAX,
        _ => MAX_PEOPLE,
    };
    let data = |format: &str| {
        let kept = request.parameters(&["from", "to", "lang"]);
        let pairs = [("format", format)].into_iter().chain(kept);
        request.link(paths::CREDITS_DATA, &[slug]) + &query_string(pairs)
    };
    render(&CreditsTemplate {
        layout: request.layout.clone(),
        breadcrumbs: breadcrumbs_to_project(request, credits.project),
        project: credits.project,
        ends: credits.ends.map(Option::unwrap_or_default),
        left_out: credits.left_out,
        data: ["json", "csv"].map(data),
        languages: (languages.into_iter())
            .map(|of| Section::new(request, of, limit))
            .collect(),
    })
}

/// The credits as JSON, with the fields of `gitglot credits --format json`, or as CSV.
pub fn credits_data(request: &PageRequest<'_>, credits: &Credits<'_>) -> PageResponse {
    let languages = credits.languages(request);
    if request.value("format") == Some("csv") {
        let mut table = CsvTable::new(&["language", "name", "strings", "words"]);
        for person in languages.iter().flat_map(|language| language.people) {
            let [strings, words] = [person.strings, person.words].map(|count| count.to_string());
            table.push(&[&person.language, &person.name, &strings, &words]);
        }
        return table.response();
    }
    let mut body = credits_json(credits.ends, &languages);
    body["left_out"] = json!(credits.left_out);
    PageResponse::File((body.to_string() + "\n").into_bytes(), "application/json")
}

/// The document of `gitglot credits --format json`, given the revisions of the release before and of the release.
pub fn credits_json(
    [from, to]: [Option<&str>; 2],
    languages: &[LanguageContributions<'_>],
) -> Value {
    let languages = languages.iter().map(|of| {
        let people = of.people.iter().map(|person| {
            json!({
                "name": &*person.name,
                "strings": person.strings,
                "words": person.words,
            })
        });
        json!({
            "language": of.code,
            "name": &*of.language.name,
            "contributors": people.collect::<Vec<_>>(),
        })
    });
    json!({
        "version": 1,
        "from": from,
        "to": to,
        "languages": languages.collect::<Vec<_>>(),
    })
}
