//! Revisions and comparisons (docs/spec/revisions.md#resources).

use super::translations::TranslationCounts;
use super::units::{Unit, UnitDetails};
use crate::apis::Legacy;
use crate::encode::json::{boolean, list, optional, text, timestamp};
use crate::links::{Links, link};
use crate::request::pagination::{RequestUrl, envelope};
use crate::request::revisions::Compared;
use crate::schema::{Link, Nullable, Time, schema};
use gitglot_catalog::{ComponentSnapshot, TranslationSnapshot};
use gitglot_lint::{GateOutcome, Report, output};
use gitglot_model::address::{commit_page, encoded, encoded_value};
use gitglot_model::privacy::{name, without_addresses};
use gitglot_model::{Timestamp, TranslationId};
use gitglot_revisions::Revision;

/// The name of a revision in a path: a slash is `%2F`.
fn revision_segment(name: &str) -> String {
    encoded(name).replace('/', "%2F")
}

fn example(rest: &str) -> String {
    format!("https://l10n.example.org/api/components/ublock/extension/revisions/v1.2/{rest}")
}

schema! {
    /// A component at a revision.
    RevisionInfo => revision(links: &Links, revision: &Revision, state: &ComponentSnapshot) {
        let (tip, segment) = (&state.tip, revision_segment(&revision.name));
        let summary = tip.message.lines().next().unwrap_or_default();
        let web = commit_page(&state.component.repo, tip.id);
        let component = state.path();
        /// Revision as given in the request.
        revision: String = "v1.2" => text(&revision.name),
        /// Commit id.
        commit: String = "9c1d3c1c4f7a4c4a0f4c0b8dfc1f6b0f2a3d4e5f" => text(&tip.id.to_string()),
        /// First line of the commit message.
        summary: String = "Translate the menu" => text(&without_addresses(summary)),
        /// Name of the author.
        author: String = "Karel Novák" => text(&name(&tip.author.name)),
        /// Author date.
        authored: Time = "2019-01-20T18:39:20Z"
            => timestamp(Timestamp::from_seconds(tip.author.time.seconds)),
        /// Committer date.
        committed: Time = "2019-01-20T18:39:20Z"
            => timestamp(Timestamp::from_seconds(tip.committer.time.seconds)),
        /// Ids of the parent commits.
        parents: Vec<String> = ["79fec2f232d4a162228f4edda66ba6c2e3f48983"]
            => list(&tip.parents, |out, parent| text(out, &parent.to_string())),
        /// URL of the commit at the repository host, if the host is known.
        web_url: Nullable<Link> = "https://github.com/gorhill/uBlock/commit/9c1d3c1c4f7a4c4a0f4c0b8dfc1f6b0f2a3d4e5f"
            => optional(web.as_deref(), text),
        /// Statistics of each translation, by path.
        statistics: Vec<RevisionTranslation>
            => list(&state.translations, |out, of| {
                revision_translation(out, links, &revision.name, state, of);
            }),
        /// URL of the component at the tip.
        component_url: Link = "https://l10n.example.org/api/components/ublock/extension/"
            => link(links, &["components/", &component]),
        /// URL of the translations at the revision.
        translations_url: Link = example("translations/")
            => below(links, state, &segment, "/translations", ""),
        /// URL of the units in all languages at the revision.
        units_url: Link = example("units/") => below(links, state, &segment, "/units", ""),
        /// URL of this object.
        url: Link = example("") => below(links, state, &segment, "", ""),
    }

    /// A translation at a revision.
    RevisionTranslation => revision_translation(
        links: &Links,
        revision: &str,
        state: &ComponentSnapshot,
        translation: &TranslationSnapshot,
    ) {
        let segment = revision_segment(revision);
        let code = encoded_value(&translation.language.code);
        /// Language code.
        language: String = "cs" => text(&translation.language.code),
        /// English name of the language.
        name: String = "Czech" => text(&translation.language.name),
        /// Language code in the path of the file.
        language_code: String = "cs" => text(&translation.file_code),
        /// Path of the file, relative to the root of the repository.
        filename: String = "_locales/cs/messages.json" => text(&translation.path),
        /// Blob ids of the file and the template, separated by a comma; `""` if the file was never read.
        revision: String = "2f6775d5eefd1a1f8ee668f7be5885fff3cb61c9,79fec2f232d4a162228f4edda66ba6c2e3f48983"
            => text(&translation.revision(state.template_blob)),
        /// Whether the file is the template.
        is_template: bool = false => boolean(translation.is_template),
        ..TranslationCounts<Legacy>(&translation.statistics),
        /// URL of the translation at the tip, if it exists there.
        translation: Nullable<Link> = "https://l10n.example.org/api/translations/ublock/extension/cs/"
            => current(links, state, translation),
        /// URL of the units at the revision.
        units_url: Link = example("units/?q=language%3Acs")
            => below(links, state, &segment, "/units", &format!("q=language%3A{code}")),
        /// URL of the file at the revision.
        file_url: Link = example("file/?language=cs")
            => below(links, state, &segment, "/file", &format!("language={code}")),
    }

    /// A unit at a revision. Ids and URLs are those of the same string at the tip; they are `null` if it does not exist there.
    RevisionUnit {
        /// URL of the translation at the tip.
        translation: Nullable<Link> = "https://l10n.example.org/api/translations/ublock/extension/cs/",
        /// Source text that was translated, if the unit was stale; otherwise `""`.
        previous_source: String = "",
        /// Whether the unit was stale: its source changed after it was translated.
        fuzzy: bool = false,
        /// Id of the unit.
        id: Nullable<i64> = 1,
        /// URL of the HTML page.
        web_url: Nullable<Link> = "https://l10n.example.org/translate/ublock/extension/cs/?checksum=3cf7d745a2327872",
        /// URL of the unit at the tip.
        url: Nullable<Link> = "https://l10n.example.org/api/units/1/",
        /// URL of the source at the tip.
        source_info: Nullable<Link> = "https://l10n.example.org/api/sources/1/",
        /// Only in lists with `expand=details`.
        details: Option<UnitDetails>,
        ..Unit,
    }

    /// A comparison of two revisions: the JSON report of `gitglot check` with one page of its findings.
    ComparisonReport {
        /// Number of findings.
        count: i64 = 1,
        /// URL of the next page of findings, if there is one.
        next: Nullable<Link>,
        /// URL of the previous page of findings, if there is one.
        previous: Nullable<Link>,
        /// `failed` if a finding is an error, otherwise `passed`.
        status: String = "passed",
        /// Failed gates.
        failed: Vec<String>,
        /// Undecided gates; always empty.
        undecided: Vec<String>,
        /// Version of the report format.
        version: i64 = 1,
        /// URL of the repository.
        repository: String = "https://github.com/gorhill/uBlock",
        /// Id of the head commit.
        commit: String = "9c1d3c1c4f7a4c4a0f4c0b8dfc1f6b0f2a3d4e5f",
        /// Name of the head; `null` for a commit id.
        branch: Nullable<String> = "release/1.2",
        /// Always `commit`.
        state: String = "commit",
        /// Base of the comparison.
        base: ComparisonBase,
        /// Always `complete`.
        history: String = "complete",
        /// Always `modern`.
        checks: String = "modern",
        /// Facts that affect the numbers, as sentences.
        notes: Vec<String>,
        /// Totals of all languages.
        totals: ComparisonCounts,
        /// The component, as a list of one.
        components: Vec<ComparedComponent>,
        /// Findings of this page, by file and line.
        findings: Vec<ComparisonFinding>,
    }

    /// The base of a comparison.
    ComparisonBase {
        /// Revision as given in the request.
        revision: String = "v1.2",
        /// Id of the common ancestor with the head.
        commit: String = "79fec2f232d4a162228f4edda66ba6c2e3f48983",
    }

    /// Counts for a state and for its change.
    ComparisonCounts {
        /// Number of strings with a source text.
        strings: i64 = 300,
        /// Number of strings with a translation, stale or not.
        translated: i64 = 297,
        /// `translated` as a percentage of `strings`.
        translated_percent: f64 = 99.0,
        /// Number of strings without a translation.
        missing: i64 = 3,
        /// Number of strings that the change makes stale.
        stale: i64 = 1,
        /// Number of keys that are not in the template.
        left_over: i64 = 0,
        /// Number of failing checks.
        failing: i64 = 2,
        /// Number of files that do not parse.
        parse_errors: i64 = 0,
        /// Counts for the change; `null` for a file that does not parse.
        changes: Nullable<ComparisonChanges>,
    }

    /// Counts for a change.
    ComparisonChanges {
        /// Number of strings that are not in the base.
        added: i64 = 2,
        /// Number of source strings, and of translations of remaining strings, that are only in the base.
        removed: i64 = 0,
        /// Number of strings with a new or changed translation.
        translated: i64 = 5,
        /// Number of strings that become stale.
        stale: i64 = 1,
        /// Number of strings that become untranslated or are added without a translation.
        missing: i64 = 2,
        /// Number of keys that become left over: they are in the file but not in the template.
        left_over: i64 = 0,
        /// Number of checks that newly fail.
        failing: i64 = 1,
    }

    /// Counts for a component.
    ComparedComponent {
        /// `project/component`.
        name: String = "ublock/extension",
        /// File mask at the head.
        filemask: String = "_locales/*/messages.json",
        /// Path of the template at the head.
        template: String = "_locales/en/messages.json",
        /// Change of bilingual files in a few words; otherwise `null`.
        summary: Nullable<String> = "12 new, 4 now fuzzy, 3 removed",
        /// Totals of the translations, without the template.
        totals: ComparisonCounts,
        /// Strings to which the change gives new keys, in the order of the template, then those from other components.
        renames: Vec<ComparedRename>,
        /// Strings that the change moves to other components.
        moved_away: Vec<ComparedRename>,
        /// Counts for the template's language and each translation, by path.
        languages: Vec<ComparedLanguage>,
    }

    /// A string to which the change gives a new key.
    ComparedRename {
        /// Old key.
        old_key: String = "appTitle",
        /// New key.
        new_key: String = "appName",
        /// Why both are one string: `source-and-translations`, `source`, `key`, `order`, `previous-source`, `lines` or `translations`.
        evidence: String = "source-and-translations",
        /// Number of languages that have the text of the old key under the new one.
        languages: i64 = 12,
        /// Translations that still have the old key and no text under the new one.
        remaining: Vec<ComparedOldKey>,
        /// Component that had the string before, if it is a different one.
        old_component: Option<String> = "ublock/popup",
        /// Component that has the string now, if it is a different one.
        new_component: Option<String> = "ublock/popup",
    }

    /// A translation under an old key.
    ComparedOldKey {
        /// Path relative to the root of the repository.
        file: String = "_locales/cs/messages.json",
        /// Line of the old key, from 1.
        line: i64 = 12,
        /// Language code.
        language: String = "cs",
    }

    /// Counts for a language.
    ComparedLanguage {
        /// Language code.
        language: String = "cs",
        /// English name of the language.
        name: String = "Czech",
        /// Path of the file.
        file: String = "_locales/cs/messages.json",
        /// Whether the file is the template.
        is_source: bool = false,
        ..ComparisonCounts,
    }

    /// A problem of a file or a string.
    ComparisonFinding {
        /// Path relative to the root of the repository.
        file: String = "_locales/cs/messages.json",
        /// Line number, from 1.
        line: i64 = 12,
        /// Column in characters, from 1.
        column: i64 = 5,
        /// Key of the string; `""` for a whole file.
        key: String = "appName",
        /// Id of the check, or `parse-error`, `missing`, `stale`, `removed`, `left-over`.
        check: String = "stale",
        /// Language code.
        language: String = "cs",
        /// `error`, `warning` or `note`.
        severity: String = "warning",
        /// A human-readable sentence.
        message: String = "The source text changed since the translation was written (minor change).",
        /// `project/component`.
        component: String = "ublock/extension",
        /// Source text; plural forms are joined with ` | `.
        source: Option<String> = "My App",
        /// Translated text.
        target: Option<String> = "Moje aplikace",
        /// Source text that was translated.
        previous_source: Option<String> = "My app",
        /// Class of the source change: `cosmetic`, `minor` or `major`.
        change: Option<String> = "minor",
        /// Whether the finding is not in the base.
        new: bool = true,
    }
}

/// Writes the link to the translation at the tip, or `null`.
fn current(
    out: &mut Vec<u8>,
    links: &Links,
    state: &ComponentSnapshot,
    translation: &TranslationSnapshot,
) {
    let is_current = translation.id != TranslationId(0);
    optional(out, is_current.then_some(translation), |out, current| {
        link(out, links, &["translations/", &state.path_of(current)]);
    });
}

/// Writes a link to a resource of a revision, with a query.
fn below(
    out: &mut Vec<u8>,
    links: &Links,
    state: &ComponentSnapshot,
    segment: &str,
    rest: &str,
    query: &str,
) {
    let start = out.len();
    let component = state.path();
    let path = ["components/", &component, "/revisions/", segment, rest];
    link(out, links, &path);
    if !query.is_empty() {
        let has_query = out.get(start..).unwrap_or_default().contains(&b'?');
        out.pop();
        out.push(if has_query { b'&' } else { b'?' });
        out.extend_from_slice(query.as_bytes());
        out.push(b'"');
    }
}

/// Writes a comparison with one page of its findings: the document of `gitglot check`, with the fields of a page in front.
pub(crate) fn comparison(out: &mut Vec<u8>, url: &RequestUrl, compared: Compared) {
    let comparison = &compared.comparison;
    let errors = comparison.errors(&compared.filter);
    let mut outcome = GateOutcome::default();
    if errors > 0 {
        let plural = if errors == 1 { "finding" } else { "findings" };
        outcome.failed.push(format!("error: {errors} {plural}"));
    }
    let results = vec![(comparison.report.clone(), compared.findings)];
    let read = comparison.read_state(&compared.component, &compared.base, &compared.head);
    let report = Report::new(read, results, comparison.notes.clone());
    let document = output::document(&report, &outcome);
    let count = comparison.count(&compared.filter);
    envelope(out, url, count, &compared.page, |out| {
        out.extend_from_slice(document.as_bytes().get(1..).unwrap_or_default());
    });
}
