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
        /// The revision as it was asked for.
        revision: String = "v1.2".into(),
        /// The id of its commit.
        commit: String = "9c1d3c1c4f7a4c4a0f4c0b8dfc1f6b0f2a3d4e5f".into(),
        /// The first line of the message.
        summary: String = "Translate the menu".into(),
        /// The name of the author.
        author: String = "Karel Novák".into(),
        /// When the author wrote it.
        authored: Time = "2019-01-20T18:39:20Z".into(),
        /// When it was committed.
        committed: Time = "2019-01-20T18:39:20Z".into(),
        /// The ids of its parents.
        parents: Vec<String> = vec!["79fec2f232d4a162228f4edda66ba6c2e3f48983".into()],
        /// Its page at the host of the repository, if the host is known.
        web_url: Nullable<Link> =
            Nullable(Some("https://github.com/gorhill/uBlock/commit/9c1d3c1c4f7a4c4a0f4c0b8dfc1f6b0f2a3d4e5f".into())),
        /// How far each translation is, by path.
        statistics: Vec<RevisionTranslation> = vec![RevisionTranslation],
        /// The component today.
        component_url: Link = "https://l10n.example.org/api/components/ublock/extension/".into(),
        /// Its translations.
        translations_url: Link = revision("translations/"),
        /// Its strings in all languages.
        units_url: Link = revision("units/"),
        /// This object.
        url: Link = revision(""),
    }
}

schema! {
    /// A translation at a revision.
    RevisionTranslation {
        /// The code of the language.
        language: String = "cs".into(),
        /// Its English name.
        name: String = "Czech".into(),
        /// The language code as the file's path has it.
        language_code: String = "cs".into(),
        /// The file, from the repository's root.
        filename: String = "_locales/cs/messages.json".into(),
        /// Git's names of the contents of file and template, with a comma between; `""` when the file was never read.
        revision: String =
            "2f6775d5eefd1a1f8ee668f7be5885fff3cb61c9,79fec2f232d4a162228f4edda66ba6c2e3f48983".into(),
        /// Whether the file is the template.
        is_template: bool = false,
        /// How many strings there are.
        total: i64 = 300,
        /// How many words their sources have.
        total_words: i64 = 1650,
        /// How many are translated.
        translated: i64 = 297,
        /// How many words the sources of those have.
        translated_words: i64 = 1629,
        /// How many of 100 are translated; 100 when there is nothing to do.
        translated_percent: f64 = 99.0,
        /// How many were translated from a source that has changed since.
        fuzzy: i64 = 2,
        /// How many words the sources of those have.
        fuzzy_words: i64 = 14,
        /// How many of 100 those are.
        fuzzy_percent: f64 = 0.7,
        /// How many fail a check.
        failing_checks: i64 = 3,
        /// How many words the sources of those have.
        failing_checks_words: i64 = 12,
        /// How many of 100 those are.
        failing_checks_percent: f64 = 1.0,
        /// The translation today, if there is one.
        translation: Nullable<Link> =
            Nullable(Some("https://l10n.example.org/api/translations/ublock/extension/cs/".into())),
        /// Its strings at the revision.
        units_url: Link = revision("units/?q=language%3Acs"),
        /// The file at the revision.
        file_url: Link = revision("file/?language=cs"),
    }
}

schema! {
    /// A unit at a revision. Ids and links are those of the same string today; they are `null` where there is none.
    RevisionUnit {
        /// The translation it belongs to.
        translation: Nullable<Link> =
            Nullable(Some("https://l10n.example.org/api/translations/ublock/extension/cs/".into())),
        /// The template's text.
        source: String = "My App".into(),
        /// The source that was translated, when it had changed since; else `""`.
        previous_source: String = String::new(),
        /// The text, `""` when there is none.
        target: String = "Moje aplikace".into(),
        /// A hash of the context. It exceeds 2^53, the range of exact integers in JavaScript and of doubles.
        id_hash: i64 = -4830155381257635726,
        /// A hash of source and context. It exceeds 2^53, the range of exact integers in JavaScript and of doubles.
        content_hash: i64 = -3928872320179010586,
        /// Always `""`.
        location: String = String::new(),
        /// The key in the file; in nested files the path to it, with a dot in front.
        context: String = "appName".into(),
        /// The notes of template and translation.
        comment: String = "Name of the app ".into(),
        /// Always `""`.
        flags: String = String::new(),
        /// Whether the source had changed since it was translated.
        fuzzy: bool = false,
        /// Whether it is translated and not fuzzy.
        translated: bool = true,
        /// Its position in the template, from 1, possibly with gaps.
        position: i64 = 1,
        /// Always `false`.
        has_suggestion: bool = false,
        /// Always `false`.
        has_comment: bool = false,
        /// Whether a check fails.
        has_failing_check: bool = false,
        /// How many words the source has.
        num_words: i64 = 2,
        /// Always 100.
        priority: i64 = 100,
        /// Its id.
        id: Nullable<i64> = Nullable(Some(1)),
        /// Its page for people.
        web_url: Nullable<Link> = Nullable(Some(
            "https://l10n.example.org/translate/ublock/extension/cs/?checksum=3cf7d745a2327872".into()
        )),
        /// The unit today.
        url: Nullable<Link> = Nullable(Some("https://l10n.example.org/api/units/1/".into())),
        /// Its source today.
        source_info: Nullable<Link> = Nullable(Some("https://l10n.example.org/api/sources/1/".into())),
        /// In lists with `expand=details`.
        details: Option<UnitDetails> = None,
    }
}

schema! {
    /// The comparison of two revisions: the JSON of `gitglot check`, with one page of its findings.
    ComparisonReport {
        /// How many findings there are.
        count: i64 = 1,
        /// The next page of findings, if there is one.
        next: Nullable<Link> = Nullable(None),
        /// The page before, if there is one.
        previous: Nullable<Link> = Nullable(None),
        /// `failed` if there are errors among the findings, else `passed`.
        status: String = "passed".into(),
        /// Failed gates.
        failed: Vec<String> = Vec::new(),
        /// Undecided gates: always empty.
        undecided: Vec<String> = Vec::new(),
        /// The version of this structure.
        version: i64 = 1,
        /// The address of the repository.
        repository: String = "https://github.com/gorhill/uBlock".into(),
        /// The id of the head's commit.
        commit: String = "9c1d3c1c4f7a4c4a0f4c0b8dfc1f6b0f2a3d4e5f".into(),
        /// The name of the head; `null` for a commit id.
        branch: Nullable<String> = Nullable(Some("release/1.2".into())),
        /// Always `commit`.
        state: String = "commit".into(),
        /// The base of the comparison.
        base: ComparisonBase = ComparisonBase,
        /// Always `complete`.
        history: String = "complete".into(),
        /// Always `modern`.
        checks: String = "modern".into(),
        /// Facts that affect the numbers, as sentences.
        notes: Vec<String> = Vec::new(),
        /// The totals of all languages.
        totals: ComparisonCounts = ComparisonCounts,
        /// The component.
        components: Vec<ComparedComponent> = vec![ComparedComponent],
        /// The findings of this page, by file and line.
        findings: Vec<ComparisonFinding> = vec![ComparisonFinding],
    }
}

schema! {
    /// The base of a comparison.
    ComparisonBase {
        /// The revision as it was asked for.
        revision: String = "v1.2".into(),
        /// The common ancestor with the head.
        commit: String = "79fec2f232d4a162228f4edda66ba6c2e3f48983".into(),
    }
}

schema! {
    /// The numbers of a state and of a change.
    ComparisonCounts {
        /// Strings with a source text.
        strings: i64 = 300,
        /// Strings with a translation, stale or not.
        translated: i64 = 297,
        /// `translated` as a share of `strings`, in percent.
        translated_percent: f64 = 99.0,
        /// Strings without a translation.
        missing: i64 = 3,
        /// Strings that the change makes stale.
        stale: i64 = 1,
        /// Keys that the template lacks.
        left_over: i64 = 0,
        /// Failing checks.
        failing: i64 = 2,
        /// Files that do not parse.
        parse_errors: i64 = 0,
        /// The numbers of the change; `null` for a file that does not parse.
        changes: Nullable<ComparisonChanges> = Nullable(Some(ComparisonChanges)),
    }
}

schema! {
    /// The numbers of a change.
    ComparisonChanges {
        /// Strings that the base lacks.
        added: i64 = 2,
        /// Source strings, or translations of remaining strings, that only the base has.
        removed: i64 = 0,
        /// Strings with a new or changed translation.
        translated: i64 = 5,
        /// Strings that become stale.
        stale: i64 = 1,
        /// Strings that become untranslated or are added without a translation.
        missing: i64 = 2,
        /// Keys that become left over.
        left_over: i64 = 0,
        /// Checks that newly fail.
        failing: i64 = 1,
    }
}

schema! {
    /// The numbers of a component.
    ComparedComponent {
        /// `project/component`.
        name: String = "ublock/extension".into(),
        /// The pattern of its files at the head.
        filemask: String = "_locales/*/messages.json".into(),
        /// Its template at the head.
        template: String = "_locales/en/messages.json".into(),
        /// The totals of its translations, without the template.
        totals: ComparisonCounts = ComparisonCounts,
        /// The template's language and the translations, by path.
        languages: Vec<ComparedLanguage> = vec![ComparedLanguage],
    }
}

schema! {
    /// The numbers of a language.
    ComparedLanguage {
        /// The language code.
        language: String = "cs".into(),
        /// The English name.
        name: String = "Czech".into(),
        /// The file.
        file: String = "_locales/cs/messages.json".into(),
        /// Whether the file is the template.
        is_source: bool = false,
        /// Strings with a source text.
        strings: i64 = 300,
        /// Strings with a translation, stale or not.
        translated: i64 = 297,
        /// `translated` as a share of `strings`, in percent.
        translated_percent: f64 = 99.0,
        /// Strings without a translation.
        missing: i64 = 3,
        /// Strings that the change makes stale.
        stale: i64 = 1,
        /// Keys that the template lacks.
        left_over: i64 = 0,
        /// Failing checks.
        failing: i64 = 2,
        /// Files that do not parse.
        parse_errors: i64 = 0,
        /// The numbers of the change; `null` for a file that does not parse.
        changes: Nullable<ComparisonChanges> = Nullable(Some(ComparisonChanges)),
    }
}

schema! {
    /// One problem of a file or a string.
    ComparisonFinding {
        /// The file, from the root of the repository.
        file: String = "_locales/cs/messages.json".into(),
        /// The 1-based line.
        line: i64 = 12,
        /// The 1-based character of the line.
        column: i64 = 5,
        /// The key of the string; `""` for a whole file.
        key: String = "appName".into(),
        /// The check, or `parse-error`, `missing`, `stale`, `removed`, `left-over`.
        check: String = "stale".into(),
        /// The language code.
        language: String = "cs".into(),
        /// `error`, `warning` or `notice`.
        severity: String = "warning".into(),
        /// One sentence for people.
        message: String = "The source text changed since the translation was written (minor change).".into(),
        /// `project/component`.
        component: String = "ublock/extension".into(),
        /// The source text; plural forms are joined with ` | `.
        source: Option<String> = Some("My App".into()),
        /// The translation.
        target: Option<String> = Some("Moje aplikace".into()),
        /// The source text that the translation was written for.
        previous_source: Option<String> = Some("My app".into()),
        /// How much the source text changed.
        change: Option<String> = Some("minor".into()),
        /// Whether the base lacks it.
        new: bool = true,
    }
}
