use super::units::UnitDetails;
use super::{Link, Nullable, Time, schema};

fn revision(rest: &str) -> Link {
    Link(format!(
        "https://l10n.example.org/api/components/ublock/extension/revisions/v1.2/{rest}"
    ))
}

schema! {
    /// A component at a revision.
    RevisionInfo {
        /// Revision as given in the request.
        revision: String = "v1.2".into(),
        /// Commit id.
        commit: String = "9c1d3c1c4f7a4c4a0f4c0b8dfc1f6b0f2a3d4e5f".into(),
        /// First line of the commit message.
        summary: String = "Translate the menu".into(),
        /// Name of the author.
        author: String = "Karel Novák".into(),
        /// Author date.
        authored: Time = "2019-01-20T18:39:20Z".into(),
        /// Committer date.
        committed: Time = "2019-01-20T18:39:20Z".into(),
        /// Ids of the parent commits.
        parents: Vec<String> = vec!["79fec2f232d4a162228f4edda66ba6c2e3f48983".into()],
        /// URL of the commit at the repository host, if the host is known.
        web_url: Nullable<Link> =
            Nullable(Some("https://github.com/gorhill/uBlock/commit/9c1d3c1c4f7a4c4a0f4c0b8dfc1f6b0f2a3d4e5f".into())),
        /// Statistics of each translation, by path.
        statistics: Vec<RevisionTranslation> = vec![RevisionTranslation],
        /// URL of the component at the tip.
        component_url: Link = "https://l10n.example.org/api/components/ublock/extension/".into(),
        /// URL of the translations at the revision.
        translations_url: Link = revision("translations/"),
        /// URL of the units in all languages at the revision.
        units_url: Link = revision("units/"),
        /// URL of this object.
        url: Link = revision(""),
    }
}

schema! {
    /// A translation at a revision.
    RevisionTranslation {
        /// Language code.
        language: String = "cs".into(),
        /// English name of the language.
        name: String = "Czech".into(),
        /// Language code in the path of the file.
        language_code: String = "cs".into(),
        /// Path of the file, relative to the root of the repository.
        filename: String = "_locales/cs/messages.json".into(),
        /// Blob ids of the file and the template, separated by a comma; `""` if the file was never read.
        revision: String =
            "2f6775d5eefd1a1f8ee668f7be5885fff3cb61c9,79fec2f232d4a162228f4edda66ba6c2e3f48983".into(),
        /// Whether the file is the template.
        is_template: bool = false,
        /// Number of strings.
        total: i64 = 300,
        /// Number of source words.
        total_words: i64 = 1650,
        /// Number of translated strings.
        translated: i64 = 297,
        /// Number of source words of translated strings.
        translated_words: i64 = 1629,
        /// Percentage of translated strings; 100 if there are no strings.
        translated_percent: f64 = 99.0,
        /// Number of stale strings: their source changed after they were translated.
        fuzzy: i64 = 2,
        /// Number of source words of stale strings.
        fuzzy_words: i64 = 14,
        /// Percentage of stale strings.
        fuzzy_percent: f64 = 0.7,
        /// Number of strings that fail a check.
        failing_checks: i64 = 3,
        /// Number of source words of strings that fail a check.
        failing_checks_words: i64 = 12,
        /// Percentage of strings that fail a check.
        failing_checks_percent: f64 = 1.0,
        /// URL of the translation at the tip, if it exists there.
        translation: Nullable<Link> =
            Nullable(Some("https://l10n.example.org/api/translations/ublock/extension/cs/".into())),
        /// URL of the units at the revision.
        units_url: Link = revision("units/?q=language%3Acs"),
        /// URL of the file at the revision.
        file_url: Link = revision("file/?language=cs"),
    }
}

schema! {
    /// A unit at a revision. Ids and URLs are those of the same string at the tip; they are `null` if it does not exist there.
    RevisionUnit {
        /// URL of the translation at the tip.
        translation: Nullable<Link> =
            Nullable(Some("https://l10n.example.org/api/translations/ublock/extension/cs/".into())),
        /// Source text.
        source: String = "My App".into(),
        /// Source text that was translated, if the unit was stale; otherwise `""`.
        previous_source: String = String::new(),
        /// Translated text; `""` if there is none.
        target: String = "Moje aplikace".into(),
        /// Hash of the context. It can exceed 2^53, the limit of exact integers in JavaScript and in doubles.
        id_hash: i64 = -4830155381257635726,
        /// Hash of source and context. It can exceed 2^53, the limit of exact integers in JavaScript and in doubles.
        content_hash: i64 = -3928872320179010586,
        /// Always `""`.
        location: String = String::new(),
        /// Key of the string. In nested files, the path of the key with a leading dot.
        context: String = "appName".into(),
        /// Notes from the template and the translation.
        comment: String = "Name of the app ".into(),
        /// Always `""`.
        flags: String = String::new(),
        /// Whether the unit was stale: its source changed after it was translated.
        fuzzy: bool = false,
        /// Whether the unit is translated and not stale.
        translated: bool = true,
        /// Position in the template, from 1, possibly with gaps.
        position: i64 = 1,
        /// Always `false`.
        has_suggestion: bool = false,
        /// Always `false`.
        has_comment: bool = false,
        /// Whether the unit fails a check.
        has_failing_check: bool = false,
        /// Number of words in the source text.
        num_words: i64 = 2,
        /// Always 100.
        priority: i64 = 100,
        /// Id of the unit.
        id: Nullable<i64> = Nullable(Some(1)),
        /// URL of the HTML page.
        web_url: Nullable<Link> = Nullable(Some(
            "https://l10n.example.org/translate/ublock/extension/cs/?checksum=3cf7d745a2327872".into()
        )),
        /// URL of the unit at the tip.
        url: Nullable<Link> = Nullable(Some("https://l10n.example.org/api/units/1/".into())),
        /// URL of the source at the tip.
        source_info: Nullable<Link> = Nullable(Some("https://l10n.example.org/api/sources/1/".into())),
        /// Only in lists with `expand=details`.
        details: Option<UnitDetails> = None,
    }
}

schema! {
    /// A comparison of two revisions: the JSON report of `gitglot check` with one page of its findings.
    ComparisonReport {
        /// Number of findings.
        count: i64 = 1,
        /// URL of the next page of findings, if there is one.
        next: Nullable<Link> = Nullable(None),
        /// URL of the previous page of findings, if there is one.
        previous: Nullable<Link> = Nullable(None),
        /// `failed` if a finding is an error, otherwise `passed`.
        status: String = "passed".into(),
        /// Failed gates.
        failed: Vec<String> = Vec::new(),
        /// Undecided gates; always empty.
        undecided: Vec<String> = Vec::new(),
        /// Version of the report format.
        version: i64 = 1,
        /// URL of the repository.
        repository: String = "https://github.com/gorhill/uBlock".into(),
        /// Id of the head commit.
        commit: String = "9c1d3c1c4f7a4c4a0f4c0b8dfc1f6b0f2a3d4e5f".into(),
        /// Name of the head; `null` for a commit id.
        branch: Nullable<String> = Nullable(Some("release/1.2".into())),
        /// Always `commit`.
        state: String = "commit".into(),
        /// Base of the comparison.
        base: ComparisonBase = ComparisonBase,
        /// Always `complete`.
        history: String = "complete".into(),
        /// Always `modern`.
        checks: String = "modern".into(),
        /// Facts that affect the numbers, as sentences.
        notes: Vec<String> = Vec::new(),
        /// Totals of all languages.
        totals: ComparisonCounts = ComparisonCounts,
        /// The component, as a list of one.
        components: Vec<ComparedComponent> = vec![ComparedComponent],
        /// Findings of this page, by file and line.
        findings: Vec<ComparisonFinding> = vec![ComparisonFinding],
    }
}

schema! {
    /// The base of a comparison.
    ComparisonBase {
        /// Revision as given in the request.
        revision: String = "v1.2".into(),
        /// Id of the common ancestor with the head.
        commit: String = "79fec2f232d4a162228f4edda66ba6c2e3f48983".into(),
    }
}

schema! {
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
        changes: Nullable<ComparisonChanges> = Nullable(Some(ComparisonChanges)),
    }
}

schema! {
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
}

schema! {
    /// Counts for a component.
    ComparedComponent {
        /// English name of the language.
        name: String = "ublock/extension".into(),
        /// File mask at the head.
        filemask: String = "_locales/*/messages.json".into(),
        /// Path of the template at the head.
        template: String = "_locales/en/messages.json".into(),
        /// Totals of the translations, without the template.
        totals: ComparisonCounts = ComparisonCounts,
        /// Counts for the template's language and each translation, by path.
        languages: Vec<ComparedLanguage> = vec![ComparedLanguage],
    }
}

schema! {
    /// Counts for a language.
    ComparedLanguage {
        /// Language code.
        language: String = "cs".into(),
        /// English name of the language.
        name: String = "Czech".into(),
        /// Path of the file.
        file: String = "_locales/cs/messages.json".into(),
        /// Whether the file is the template.
        is_source: bool = false,
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
        changes: Nullable<ComparisonChanges> = Nullable(Some(ComparisonChanges)),
    }
}

schema! {
    /// A problem of a file or a string.
    ComparisonFinding {
        /// Path relative to the root of the repository.
        file: String = "_locales/cs/messages.json".into(),
        /// Line number, from 1.
        line: i64 = 12,
        /// Column in characters, from 1.
        column: i64 = 5,
        /// Key of the string; `""` for a whole file.
        key: String = "appName".into(),
        /// Id of the check, or `parse-error`, `missing`, `stale`, `removed`, `left-over`.
        check: String = "stale".into(),
        /// Language code.
        language: String = "cs".into(),
        /// `error`, `warning` or `notice`.
        severity: String = "warning".into(),
        /// A human-readable sentence.
        message: String = "The source text changed since the translation was written (minor change).".into(),
        /// URL of the component.
        component: String = "ublock/extension".into(),
        /// Source text; plural forms are joined with ` | `.
        source: Option<String> = Some("My App".into()),
        /// Translated text.
        target: Option<String> = Some("Moje aplikace".into()),
        /// Source text that was translated.
        previous_source: Option<String> = Some("My app".into()),
        /// Class of the source change: `cosmetic`, `minor` or `major`.
        change: Option<String> = Some("minor".into()),
        /// Whether the finding is not in the base.
        new: bool = true,
    }
}
