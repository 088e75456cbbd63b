//! `projects/PROJECT/status.json`: all figures of a project (docs/spec/site.md#status).

use std::collections::HashMap;

use serde::Serialize;

use super::address::file_name;
use super::error::SiteError;
use super::folder::SiteFolder;
use gitglot_catalog::scan::Budget;
use gitglot_catalog::{ComponentSnapshot, Count, Snapshot, Statistics, TranslationView, percent};
use gitglot_model::language::Language;
use gitglot_model::{TranslationId, privacy};

#[derive(Serialize)]
struct ProjectStatus<'a> {
    project: &'a str,
    name: &'a str,
    source_language: &'a str,
    total: Figures,
    languages: Vec<LanguageStatus>,
    components: Vec<ComponentStatus<'a>>,
}

#[derive(Serialize)]
struct ComponentStatus<'a> {
    component: &'a str,
    name: &'a str,
    repository: &'a str,
    branch: &'a str,
    commit: String,
    author: String,
    strings: usize,
    total: Figures,
    translations: Vec<LanguageStatus>,
}

#[derive(Serialize)]
struct LanguageStatus {
    code: String,
    name: String,
    #[serde(flatten)]
    figures: Figures,
}

impl LanguageStatus {
    fn of(language: &Language, figures: Figures) -> Self {
        Self {
            code: language.code.to_string(),
            name: language.display_name().to_string(),
            figures,
        }
    }
}

/// Numbers of strings and words, and the percentages of pages and badges.
#[derive(Serialize)]
struct Figures {
    total: u64,
    total_words: u64,
    translated: u64,
    translated_words: u64,
    translated_percent: f64,
    stale: u64,
    stale_words: u64,
    failing: u64,
    failing_words: u64,
    missing: u64,
    missing_words: u64,
}

impl Figures {
    fn of(sum: Statistics) -> Self {
        let missing = sum.missing();
        let Count { units, words } = sum.all;
        Self {
            total: units,
            total_words: words,
            translated: sum.translated.units,
            translated_words: sum.translated.words,
            translated_percent: f64::from(percent(sum.translated.units, units, 1000)) / 10.0,
            stale: sum.fuzzy.units,
            stale_words: sum.fuzzy.words,
            failing: sum.failing.units,
            failing_words: sum.failing.words,
            missing: missing.units,
            missing_words: missing.words,
        }
    }
}

/// The statistics of the translations of a project by id, with the checks and faults that pages show.
struct ProjectFigures(HashMap<TranslationId, Statistics>);

impl ProjectFigures {
    fn of(views: &[TranslationView<'_>]) -> Self {
        let budget = Budget::unlimited();
        let statistics = |view: &TranslationView<'_>| Statistics {
            failing: gitglot_web::failing(*view, &budget),
            ..view.totals()
        };
        let figures = views.iter();
        let figures = figures.map(|view| (view.translation.id, statistics(view)));
        Self(figures.collect())
    }

    fn sum<'a>(&self, views: impl IntoIterator<Item = TranslationView<'a>>) -> Figures {
        let views = views.into_iter();
        let statistics = views.filter_map(|view| self.0.get(&view.translation.id));
        Figures::of(statistics.copied().sum())
    }
}

pub(crate) fn write(snapshot: &Snapshot, folder: &SiteFolder) -> Result<(), SiteError> {
    for project in snapshot.projects() {
        let slug = project.slug.as_str();
        let components = snapshot.components_of(slug);
        let views: Vec<_> = components.flat_map(|of| of.views()).collect();
        let figures = ProjectFigures::of(&views);
        let languages = gitglot_web::group_by_language(views.iter().copied()).into_iter();
        let languages = languages.map(|(of, views)| LanguageStatus::of(of, figures.sum(views)));
        let components = snapshot.components_of(slug);
        let components = components.map(|of| component(of, &figures));
        let status = ProjectStatus {
            project: slug,
            name: &project.name,
            source_language: &project.source_language,
            total: figures.sum(views.iter().copied()),
            languages: languages.collect(),
            components: components.collect(),
        };
        let path = ["projects/", &file_name(slug), "/status.json"].concat();
        let text = serde_json::to_vec(&status)?;
        folder.write(&path, &text)?;
    }
    Ok(())
}

fn component<'a>(of: &'a ComponentSnapshot, figures: &ProjectFigures) -> ComponentStatus<'a> {
    let translations = of.views().map(|view| {
        let language = &view.translation.language;
        LanguageStatus::of(language, figures.sum([view]))
    });
    ComponentStatus {
        component: of.component.slug.as_str(),
        name: &of.component.name,
        repository: &of.component.repo,
        branch: &of.component.branch,
        commit: of.tip.id.to_string(),
        author: privacy::name(&of.tip.author.name).into_owned(),
        strings: of.sources.len(),
        total: figures.sum(of.views()),
        translations: translations.collect(),
    }
}
