//! `/engage/PROJECT/`: how to contribute to a project or to one of its languages.

use askama::Template;

use crate::aggregates::{
    breadcrumbs_to_project, group_by_language, progress_of, translations_of_project,
    without_sources,
};
use crate::layout::{PageLayout, render};
use crate::parts::{Breadcrumbs, LocalizedText, Time, plain};
use crate::request::PageRequest;
use gitglot_catalog::scan::Budget;
use gitglot_catalog::{ComponentSnapshot, Statistics, TranslationView, platform};
use gitglot_model::address::{edit_page, file_page, is_web, repository_page, shown_repository};
use gitglot_model::{Component, Project, counted};

/// The most repositories of a project that the page names.
const MAX_REPOSITORIES: usize = 20;

#[derive(Template)]
#[template(path = "pages/engage.html")]
struct EngagePage<'a> {
    layout: PageLayout,
    breadcrumbs: Breadcrumbs,
    project: &'a Project,
    /// The name of the language, on the page of one.
    language: Option<String>,
    progress: Statistics,
    /// Number of languages.
    count: usize,
    files: Vec<EngageFile>,
    /// The repositories of its components, each once.
    repositories: Vec<EngageRepository<'a>>,
    has_platform: bool,
    /// Name, URL and progress of each language.
    languages: Vec<(LocalizedText, String, Statistics)>,
}

/// What a repository says about contributions.
struct EngageRepository<'a> {
    component: &'a Component,
    href: Option<String>,
    /// The file that says how to contribute, with its page.
    guide: Option<(LocalizedText, Option<String>)>,
    /// The platform that made commits, if it is known by name, and the newest of them.
    platform: Option<(String, Time)>,
    /// The file that a new language starts from, with its page.
    start: Option<(LocalizedText, Option<String>)>,
}

impl<'a> EngageRepository<'a> {
    fn new(of: &'a ComponentSnapshot, budget: &Budget) -> Self {
        let component = &of.component;
        let page = |path: &str| file_page(&component.repo, of.tip.id, path);
        let file = |path: &str| (LocalizedText::name(path), page(path));
        let start = match component.new_base.as_str() {
            "" => component.source_file(),
            path => path,
        };
        Self {
            component,
            href: repository_page(&component.repo)
                .or_else(|| is_web(&component.repo).then(|| component.repo.clone())),
            guide: of.guide.as_deref().map(file),
            platform: platform(of, budget).map(|(name, time)| (capitalized(name), Time::new(time))),
            start: (!start.is_empty()).then(|| file(start)),
        }
    }
}

/// The name of a platform as a proper name.
fn capitalized(name: &str) -> String {
    let mut chars = name.chars();
    let first = chars.next().map(|first| first.to_uppercase().to_string());
    first.unwrap_or_default() + chars.as_str()
}

/// The lines of the instructions, each with the first address in it.
fn instructions(text: &str) -> Vec<(LocalizedText, Option<&str>)> {
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    lines
        .map(|line| {
            let before = ['(', '<', '"'];
            let after = ['.', ',', ';', ':', '!', '?', ')', '>', '"'];
            let words = line.split_whitespace();
            let words = words.map(|word| {
                let word = word.trim_start_matches(before);
                let cut = word.trim_end_matches(after);
                // `…/Name_(place)` ends with its parenthesis.
                let is_pair = cut.contains('(') && !cut.contains(')');
                let closed = is_pair.then(|| word.get(..=cut.len())).flatten();
                closed.filter(|word| word.ends_with(')')).unwrap_or(cut)
            });
            let address = words.into_iter().find(|word| is_web(word));
            (LocalizedText::name(line), address)
        })
        .collect()
}

struct EngageFile {
    component: LocalizedText,
    path: LocalizedText,
    href: Option<String>,
    /// Whether the page can change the file.
    can_edit: bool,
    /// What is to do.
    to_do: Option<String>,
    strings: String,
}

/// Renders the page of a project, or of one of its languages; `None` for an unknown one.
pub(crate) fn page(request: &PageRequest<'_>, values: &[&str]) -> Option<String> {
    let (&slug, code) = values.split_first()?;
    let project = request.snapshot.project(slug)?;
    let language = match code {
        [code, ..] => Some(request.snapshot.language_or_source(code)?),
        [] => None,
    };
    let is_selected = |view: &TranslationView<'_>| {
        let language = language.as_ref();
        language.is_none_or(|language| language.code == view.translation.language.code)
    };
    let views = || translations_of_project(request, slug).filter(is_selected);
    let files = views().filter(|_| language.is_some()).map(|view| {
        let component = &view.component.component;
        let (path, to_do) = (&*view.translation.path, view.totals().to_do() as usize);
        // The files of a directory are edited one by one.
        let is_file = component.filemask.names_files();
        let edit = edit_page(&component.repo, &component.branch, path).filter(|_| is_file);
        EngageFile {
            component: LocalizedText::name(&component.name),
            path: LocalizedText::name(path),
            can_edit: edit.is_some(),
            href: edit.or_else(|| file_page(&component.repo, view.component.tip.id, path)),
            to_do: (to_do > 0).then(|| counted(to_do, component.file_format.noun())),
            strings: request.strings(view),
        }
    });
    let all = group_by_language(translations_of_project(request, slug));
    let is_translated = |views: &[TranslationView<'_>]| !views.iter().all(|view| view.is_source());
    let count = all.iter().filter(|(_, views)| is_translated(views)).count();
    let languages = all
        .into_iter()
        .filter(|_| language.is_none())
        .map(|(language, views)| {
            let name = LocalizedText::name(language.display_name());
            let href = request.engage(slug, language);
            (name, href, progress_of(request, views))
        });
    let mut repositories: Vec<&ComponentSnapshot> = Vec::new();
    for of in request.snapshot.components_of(slug) {
        if repositories.len() == MAX_REPOSITORIES {
            break;
        }
        let is_same = |known: &&ComponentSnapshot| known.component.repo == of.component.repo;
        if !repositories.iter().any(is_same) && request.budget.spend(1) {
            repositories.push(of);
        }
    }
    let repositories = repositories.into_iter();
    let repositories = repositories.map(|of| EngageRepository::new(of, request.budget));
    let repositories: Vec<_> = repositories.collect();
    Some(render(&EngagePage {
        layout: request.layout.clone(),
        breadcrumbs: breadcrumbs_to_project(request, project),
        project,
        language: language.as_ref().map(|language| language.display_name()),
        progress: if language.is_some() {
            progress_of(request, views())
        } else {
            progress_of(request, without_sources(views()))
        },
        count,
        files: files.collect(),
        has_platform: repositories.iter().any(|of| of.platform.is_some()),
        repositories,
        languages: languages.collect(),
    }))
}
