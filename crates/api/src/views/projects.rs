//! Projects and their statistics (docs/spec/http.md#resources).

use super::{Language, completed, language};
use crate::apis::{Api, Current, Legacy};
use crate::encode::json::{boolean, int, null, raw, tenths, text};
use crate::links::{Links, link, page};
use crate::schema::{
    AlwaysFalse, AlwaysTrue, AlwaysZero, EffectiveEmpty, EmptyText, Link, NotInherited, Nullable,
    schema,
};
use gitglot_catalog::{Snapshot, Statistics};
use gitglot_web::{group_by_language, paths};

fn example(rest: &str) -> String {
    format!("https://l10n.example.org/api/projects/ublock/{rest}")
}

schema! {
    /// A project: a group of components.
    Project => project<P>(links: &Links, snapshot: &Snapshot, project: &gitglot_model::Project) {
        let slug = project.slug.as_str();
        let at = |out: &mut Vec<u8>, rest| link(out, links, &["projects/", slug, rest]);
        /// Display name.
        name: String = "uBlock Origin" => text(&project.name),
        /// Name in URLs.
        slug: String = "ublock" => text(slug),
        /// Id of the project.
        #[current] id: i64 = 1 => int(project.id.0),
        /// URL of the web site; `""` if not configured.
        web: String = "https://example.org/" => text(&project.web),
        /// Language of the source texts.
        #[legacy] source_language: Language
            => source_language<P>(links, snapshot, &project.source_language),
        /// URL of the HTML page.
        web_url: Link = "https://l10n.example.org/projects/ublock/"
            => page(links, paths::PROJECT, &[slug]),
        /// URL of this object.
        url: Link = example("") => at(""),
        /// Flags of checks; always `""`.
        #[current] check_flags: EmptyText,
        /// Flags of checks that apply; always `""`.
        #[current] effective_check_flags: EmptyText,
        /// URL of the components.
        components_list_url: Link = example("components/") => at("/components"),
        /// URL of the repository status.
        repository_url: Link = example("repository/") => at("/repository"),
        /// URL of the statistics.
        statistics_url: Link = example("statistics/") => at("/statistics"),
        /// URL of the counts of each translation.
        #[current] metrics_url: Link = example("metrics/") => at("/metrics"),
        /// URL of the categories.
        #[current] categories_url: Link = example("categories/") => at("/categories"),
        /// URL of the change log.
        changes_list_url: Link = example("changes/") => at("/changes"),
        /// URL of the statistics of each language.
        #[current] languages_url: Link = example("languages/") => at("/languages"),
        /// URL of the labels.
        #[current] labels_url: Link = example("labels/") => at("/labels"),
        /// URL of the reports.
        #[current] reports_url: Link = example("reports/") => at("/reports"),
        /// URL of the lock status.
        #[current] lock_url: Link = example("lock/") => at("/lock"),
        #[current] translation_review: AlwaysFalse,
        #[current] source_review: AlwaysFalse,
        #[current] commit_policy: AlwaysZero,
        /// Always `null`.
        #[current] workspace: Nullable<Link> => null(),
        /// Instructions for translators; `""` if not configured.
        #[current] instructions: String = "" => text(&project.instructions),
        #[current] enable_hooks: AlwaysTrue,
        #[current] language_aliases: EmptyText,
        /// Always 0: public.
        #[current] access_control: AlwaysZero,
        #[current] public_sharing: AlwaysFalse,
        #[current] use_shared_tm: AlwaysTrue,
        #[current] contribute_shared_tm: AlwaysTrue,
        #[current] use_workspace_tm: AlwaysFalse,
        #[current] contribute_workspace_tm: AlwaysFalse,
        #[current] autoclean_tm: AlwaysFalse,
        /// Always `""`: components have licences.
        #[current] license: EmptyText,
        #[current] inherit_license: NotInherited,
        #[current] effective_license: EffectiveEmpty,
        #[current] agreement: EmptyText,
        #[current] inherit_agreement: NotInherited,
        #[current] effective_agreement: EffectiveEmpty,
        /// Always `add`.
        #[current] new_lang: String = "add" => raw(b"\"add\""),
        #[current] inherit_new_lang: NotInherited,
        /// The value that applies.
        #[current] effective_new_lang: String = "add" => raw(b"\"add\""),
        #[current] language_code_style: EmptyText,
        #[current] inherit_language_code_style: NotInherited,
        #[current] effective_language_code_style: EffectiveEmpty,
        /// Always `null`.
        #[current] secondary_language: Nullable<Language> => null(),
        #[current] inherit_secondary_language: NotInherited,
        /// The value that applies.
        #[current] effective_secondary_language: Nullable<Language> => null(),
        /// Message of commits; always `""`.
        #[current] commit_message: EmptyText,
        #[current] inherit_commit_message: NotInherited,
        #[current] effective_commit_message: EffectiveEmpty,
        /// Message of commits that add a language; always `""`.
        #[current] add_message: EmptyText,
        #[current] inherit_add_message: NotInherited,
        #[current] effective_add_message: EffectiveEmpty,
        /// Message of commits that remove a language; always `""`.
        #[current] delete_message: EmptyText,
        #[current] inherit_delete_message: NotInherited,
        #[current] effective_delete_message: EffectiveEmpty,
        /// Message of merges; always `""`.
        #[current] merge_message: EmptyText,
        #[current] inherit_merge_message: NotInherited,
        #[current] effective_merge_message: EffectiveEmpty,
        /// Message of commits of add-ons; always `""`.
        #[current] addon_message: EmptyText,
        #[current] inherit_addon_message: NotInherited,
        #[current] effective_addon_message: EffectiveEmpty,
        /// Message of pull requests; always `""`.
        #[current] pull_message: EmptyText,
        #[current] inherit_pull_message: NotInherited,
        #[current] effective_pull_message: EffectiveEmpty,
        #[current] enforced_2fa: AlwaysFalse,
        /// URL of the settings of machine translation.
        #[current] machinery_settings: Link = example("machinery_settings/") => at("/machinery_settings"),
        /// Whether all components are locked, because gitglot cannot read a file.
        #[current] locked: bool = false => boolean(is_locked(snapshot, slug)),
        /// URL of the announcements.
        #[current] announcements_url: Link = example("announcements/") => at("/announcements"),
        /// Always empty.
        #[current] enforced_checks: Vec<String> => raw(b"[]"),
        #[current] inherit_enforced_checks: NotInherited,
        /// The value that applies.
        #[current] effective_enforced_checks: Vec<String> => raw(b"[]"),
    }

    /// The statistics of a project in one language.
    LanguageStatistics => statistics_of_language(of: (&gitglot_model::language::Language, Statistics)) {
        let (language, counts) = of;
        /// English name of the language.
        language: String = "Czech" => text(&language.name),
        /// Language code.
        code: String = "cs" => text(&language.code),
        /// Number of strings.
        total: i64 = 300 => int(counts.all.units),
        /// Number of translated strings.
        translated: i64 = 297 => int(counts.translated.units),
        /// Percentage of translated strings; 100 if there are no strings.
        translated_percent: f64 = 99.0
            => tenths(completed::<Legacy>(counts.translated.units, counts.all.units)),
        /// Number of source words.
        total_words: i64 = 1650 => int(counts.all.words),
        /// Number of source words of translated strings.
        translated_words: i64 = 1629 => int(counts.translated.words),
        /// Percentage of translated words.
        words_percent: f64 = 98.7 => tenths(completed::<Legacy>(counts.translated.words, counts.all.words)),
    }

    /// The status of a project's repositories.
    ProjectRepository => repository_of_project(links: &Links, path: &[&str]) {
        #[both] needs_commit: AlwaysFalse,
        #[both] needs_merge: AlwaysFalse,
        #[both] needs_push: AlwaysFalse,
        /// URL of this object.
        url: Link = "https://l10n.example.org/api/projects/ublock/repository/" => link(links, path),
    }
}

pub(super) fn source_language<P: Api>(
    out: &mut Vec<u8>,
    links: &Links,
    snapshot: &Snapshot,
    code: &str,
) {
    P::with_source_language(snapshot, code, |shown| language::<P>(out, links, shown));
}

/// Whether all components of a project are locked; one without components is not.
pub(crate) fn is_locked(snapshot: &Snapshot, project: &str) -> bool {
    let mut components = snapshot.components_of(project);
    components.len() > 0 && components.all(|component| Current::is_locked(component))
}

/// The totals of the translations of each language of a project, by language name.
pub(crate) fn languages_of_project<'a>(
    snapshot: &'a Snapshot,
    project: &str,
) -> Vec<(&'a gitglot_model::language::Language, Statistics)> {
    let components = snapshot.components_of(project);
    let views = components.flat_map(|component| component.named());
    let rows = group_by_language(views)
        .into_iter()
        .map(|(language, views)| {
            let counts = views.iter().map(|view| view.translation.statistics);
            (language, counts.sum())
        });
    let mut rows: Vec<(&gitglot_model::language::Language, Statistics)> = rows.collect();
    // Equal names: in the order of `/api/languages/`.
    let rank = |code: &str| {
        let mut languages = snapshot.languages().iter();
        languages.position(|language| &*language.code == code)
    };
    rows.sort_by_cached_key(|(language, _)| (language.name.clone(), rank(&language.code)));
    rows
}
