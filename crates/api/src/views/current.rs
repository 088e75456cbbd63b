//! Objects that only the current API has (docs/spec/current-api.md): its statistics, the counts of a project, the search
//! and the workflow of a language.

use super::translations::path_of;
use super::{completed, share, with_field};
use crate::apis::{Api, Current, ShownLanguage};
use crate::encode::json::{int, null, optional, tenths, text, timestamp};
use crate::links::{Links, page};
use crate::schema::{
    AlwaysFalse, AlwaysTrue, AlwaysZero, AnyObject, Link, Nullable, Time, ZeroPercent, schema,
};
use gitglot_catalog::scan::Budget;
use gitglot_catalog::{
    ComponentSnapshot, CurrentStatistics, MissingStrings, TemplateAge, TranslationView,
    current_counts, current_last_entry, recent_changes,
};
use gitglot_model::Timestamp;
use gitglot_model::address::encoded;
use gitglot_web::paths;

pub(crate) fn current_statistics(out: &mut Vec<u8>, links: &Links, view: TranslationView<'_>) {
    own_statistics(out, links, view);
    if let Some(missing) = view.missing() {
        let age = view.component.expected.template_age;
        with_field(out, b",\"missing\":", |out| {
            missing_totals(out, missing, age)
        });
    }
}

/// The sums of some translations.
#[derive(Clone, Copy, Default)]
pub(crate) struct Totals {
    counts: CurrentStatistics,
    last_change: Option<Timestamp>,
    recent_changes: u64,
}

impl Totals {
    /// The sums of these translations, whose checks have run.
    pub(crate) fn of<'a>(views: impl IntoIterator<Item = TranslationView<'a>>) -> Self {
        let mut sum = Self::default();
        for view in views {
            sum.counts += current_counts(view, &Budget::unlimited());
            let last = current_last_entry(view).map(|entry| entry.time);
            sum.last_change = sum.last_change.max(last);
            sum.recent_changes += recent_changes(view);
        }
        sum
    }
}

schema! {
    /// Sums over strings.
    StatisticsTotals => fields(of: &Totals) {
        let counts = &of.counts;
        /// Number of strings.
        total: i64 = 300 => int(counts.all.units),
        /// Number of source words.
        total_words: i64 = 1650 => int(counts.all.words),
        /// Number of source characters.
        total_chars: i64 = 9120 => int(counts.all.chars),
        /// Time of the last change of a text, if known.
        last_change: Nullable<Time> = "2019-01-20T18:39:20.082366Z"
            => optional(of.last_change, timestamp),
        /// Number of changes in the six hours before the last one.
        recent_changes: i64 = 0 => int(of.recent_changes),
        /// Number of translated strings.
        translated: i64 = 12 => int(counts.translated.units),
        /// Number of source words of translated strings.
        translated_words: i64 = 40 => int(counts.translated.words),
        /// Percentage of translated strings.
        translated_percent: f64 = 4.0
            => tenths(completed::<Current>(counts.translated.units, counts.all.units)),
        /// Percentage of source words of translated strings.
        translated_words_percent: f64 = 2.4
            => tenths(completed::<Current>(counts.translated.words, counts.all.words)),
        /// Number of source characters of translated strings.
        translated_chars: i64 = 310 => int(counts.translated.chars),
        /// Percentage of source characters of translated strings.
        translated_chars_percent: f64 = 3.3
            => tenths(completed::<Current>(counts.translated.chars, counts.all.chars)),
        /// Number of marked or stale strings.
        fuzzy: i64 = 12 => int(counts.fuzzy.units),
        /// Percentage of marked or stale strings.
        fuzzy_percent: f64 = 4.0 => tenths(share::<Current>(counts.fuzzy.units, counts.all.units)),
        /// Number of source words of marked or stale strings.
        fuzzy_words: i64 = 40 => int(counts.fuzzy.words),
        /// Percentage of source words of marked or stale strings.
        fuzzy_words_percent: f64 = 2.4
            => tenths(share::<Current>(counts.fuzzy.words, counts.all.words)),
        /// Number of source characters of marked or stale strings.
        fuzzy_chars: i64 = 310 => int(counts.fuzzy.chars),
        /// Percentage of source characters of marked or stale strings.
        fuzzy_chars_percent: f64 = 3.3
            => tenths(share::<Current>(counts.fuzzy.chars, counts.all.chars)),
        /// Number of failing strings.
        failing: i64 = 12 => int(counts.failing.units),
        /// Percentage of failing strings.
        failing_percent: f64 = 4.0
            => tenths(share::<Current>(counts.failing.units, counts.all.units)),
        #[both] approved: AlwaysZero,
        #[both] approved_percent: ZeroPercent,
        #[both] approved_words: AlwaysZero,
        #[both] approved_words_percent: ZeroPercent,
        #[both] approved_chars: AlwaysZero,
        #[both] approved_chars_percent: ZeroPercent,
        /// Number of sources of bilingual files, in the source language.
        readonly: i64 = 0 => int(counts.read_only.units),
        /// Percentage of sources of bilingual files.
        readonly_percent: f64 = 0.0
            => tenths(share::<Current>(counts.read_only.units, counts.all.units)),
        /// Number of source words of sources of bilingual files.
        readonly_words: i64 = 0 => int(counts.read_only.words),
        /// Percentage of source words of sources of bilingual files.
        readonly_words_percent: f64 = 0.0
            => tenths(share::<Current>(counts.read_only.words, counts.all.words)),
        /// Number of source characters of sources of bilingual files.
        readonly_chars: i64 = 0 => int(counts.read_only.chars),
        /// Percentage of source characters of sources of bilingual files.
        readonly_chars_percent: f64 = 0.0
            => tenths(share::<Current>(counts.read_only.chars, counts.all.chars)),
        #[both] suggestions: AlwaysZero,
        #[both] comments: AlwaysZero,
    }

    /// The statistics of a translation.
    CurrentStatisticsOf => own_statistics(links: &Links, view: TranslationView<'_>) {
        let of = Totals::of([view]);
        let path = path_of::<Current>(view);
        let shown = Current::language_of(view.translation);
        ..StatisticsTotals(&of),
        /// Language code.
        code: String = "cs" => text(shown.code),
        /// English name of the language.
        name: String = "Czech" => text(shown.name),
        /// URL of the HTML page.
        url: Link = "https://l10n.example.org/projects/ublock/extension/cs/"
            => page(links, paths::TRANSLATION, &[&path]),
        /// URL of the HTML page with the strings.
        translate_url: Link = "https://l10n.example.org/translate/ublock/extension/cs/"
            => page(links, paths::STRINGS, &[&path]),
        /// Only if the file has its own source texts and lacks strings.
        missing: Option<MissingTotals>,
    }

    /// The strings that a file with its own source texts lacks.
    MissingTotals => missing_totals(of: &MissingStrings, age: Option<TemplateAge>) {
        /// Number of strings that the template of new files or most other languages have, but not the file.
        strings: i64 = 12 => int(of.strings.len()),
        /// Day on which the file was last merged with a template, if known.
        not_merged_since: Nullable<String> = "2021-03-04" => optional(of.merged.as_deref(), text),
        /// Age of the template of new files, if known.
        template: Nullable<TemplateTotals> => optional(age, template_totals),
    }

    /// The age of the template of new files.
    TemplateTotals => template_totals(age: TemplateAge) {
        /// Time of the last commit that changed the template.
        committed: Time = "2025-11-02T09:12:00Z" => timestamp(Timestamp::from_seconds(age.committed)),
        /// Number of commits of the branch after that one.
        commits: i64 = 140 => int(age.commits),
        /// Number of source files that it names.
        sources: i64 = 87 => int(age.files),
        /// Number of those that changed since that commit.
        changed_sources: i64 = 12 => int(age.changed),
    }

    /// The statistics of a project in one language.
    LanguageTotals => language_totals(links: &Links, project: &str, language: ShownLanguage<'_>, of: &Totals) {
        let code = encoded(language.code);
        ..StatisticsTotals(of),
        /// Language code.
        code: String = "cs" => text(language.code),
        /// English name of the language.
        name: String = "Czech" => text(language.name),
        /// URL of the HTML page.
        url: Link = "https://l10n.example.org/projects/ublock/-/cs/"
            => page(links, paths::TRANSLATION, &[project, "-", &code]),
        /// URL of the HTML page with the strings.
        translate_url: Link = "https://l10n.example.org/translate/ublock/-/cs/"
            => page(links, paths::STRINGS, &[project, "-", &code]),
    }

    /// The statistics of a project or a language.
    NamedTotals => totals(links: &Links, pattern: &'static str, values: &[&str], name: &str, of: &Totals) {
        ..StatisticsTotals(of),
        /// Name of the project or language.
        name: String = "uBlock Origin" => text(name),
        /// URL of the HTML page.
        url: Link = "https://l10n.example.org/projects/ublock/" => page(links, pattern, values),
    }

    /// The counts of a translation.
    TranslationMetrics => translation_metrics(view: TranslationView<'_>) {
        let counts = &current_counts(view, &Budget::unlimited());
        /// English name of the language.
        name: String = "Czech" => text(Current::language_of(view.translation).name),
        /// Number of strings: translated.
        translated: i64 = 12 => int(counts.translated.units),
        /// Number of source words: translated.
        translated_words: i64 = 12 => int(counts.translated.words),
        /// Number of source characters: translated.
        translated_chars: i64 = 12 => int(counts.translated.chars),
        /// Number of strings: total.
        total: i64 = 12 => int(counts.all.units),
        /// Number of source words: total.
        total_words: i64 = 12 => int(counts.all.words),
        /// Number of source characters: total.
        total_chars: i64 = 12 => int(counts.all.chars),
        /// Number of strings: fuzzy.
        fuzzy: i64 = 12 => int(counts.fuzzy.units),
        /// Number of source words: fuzzy.
        fuzzy_words: i64 = 12 => int(counts.fuzzy.words),
        /// Number of source characters: fuzzy.
        fuzzy_chars: i64 = 12 => int(counts.fuzzy.chars),
        /// Number of strings: failing.
        failing: i64 = 12 => int(counts.failing.units),
        /// Number of source words: failing.
        failing_words: i64 = 12 => int(counts.failing.words),
        /// Number of source characters: failing.
        failing_chars: i64 = 12 => int(counts.failing.chars),
        #[both] approved: AlwaysZero,
        #[both] approved_words: AlwaysZero,
        #[both] approved_chars: AlwaysZero,
        #[both] suggestions: AlwaysZero,
        #[both] comments: AlwaysZero,
        /// Percentage of translated strings.
        translated_percent: f64 = 4.0
            => tenths(completed::<Current>(counts.translated.units, counts.all.units)),
        /// Percentage of translated words.
        translated_words_percent: f64 = 4.0
            => tenths(completed::<Current>(counts.translated.words, counts.all.words)),
        /// Percentage of translated characters.
        translated_chars_percent: f64 = 4.0
            => tenths(completed::<Current>(counts.translated.chars, counts.all.chars)),
        #[both] approved_percent: ZeroPercent,
        #[both] approved_words_percent: ZeroPercent,
        #[both] approved_chars_percent: ZeroPercent,
    }

    /// A result of a search in names.
    SearchResult => search_result(url: &str, name: &str, category: &str) {
        /// Path of the HTML page.
        url: String = "/projects/ublock/" => text(url),
        /// Name.
        name: String = "uBlock Origin" => text(name),
        /// `Project`, `Component` or `Language`.
        category: String = "Project" => text(category),
    }

    /// How a language of a project is translated.
    Workflow => workflow(code: &str) {
        /// Language code.
        language: String = "cs" => text(code),
        /// Always `null`.
        source_language: Nullable<String> => null(),
        #[both] translation_review: AlwaysFalse,
        #[both] enable_suggestions: AlwaysTrue,
        #[both] restrict_direct_editing: AlwaysFalse,
        #[both] suggestion_voting: AlwaysFalse,
        #[both] suggestion_autoaccept: AlwaysZero,
    }

    /// An entry of a list that is always empty.
    NoEntry {
        /// URL of the object.
        url: Option<Link>,
    }

    /// The counts of each translation of a project, by component and language code. Its fields have these names.
    ProjectMetrics {
        /// The counts of the component of that name.
        slug: Option<AnyObject>,
    }
}

/// Writes a [`ProjectMetrics`].
pub(crate) fn project_metrics<'a>(
    out: &mut Vec<u8>,
    components: impl Iterator<Item = (&'a ComponentSnapshot, Vec<TranslationView<'a>>)>,
) {
    out.push(b'{');
    for (at, (component, views)) in components.enumerate() {
        if at > 0 {
            out.push(b',');
        }
        text(out, component.component.slug.as_str());
        out.extend_from_slice(b":{");
        for (at, view) in views.into_iter().enumerate() {
            if at > 0 {
                out.push(b',');
            }
            text(out, Current::language_of(view.translation).code);
            out.push(b':');
            translation_metrics(out, view);
        }
        out.push(b'}');
    }
    out.push(b'}');
}
