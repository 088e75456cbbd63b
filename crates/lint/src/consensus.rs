//! Makes warnings of the errors that many languages have at the same string (`docs/spec/lint.md#consensus`): a program that
//! they broke would not be in use, so the rule does not fit the string, or its source text is newer than all translations.

use super::FindingKind;
use super::align::Aligned;
use super::collector::{FileFindingCollector, SharedError};
use super::component_check::ComponentCheck;
use super::language_file::LanguageFile;
use gitglot_checks::Severity;
use gitglot_model::{SeededMap, SeededSet};

/// The least number of languages that share an error.
const MIN_LANGUAGES: usize = 4;

/// The share of the languages with a translation that must have the error, as a divisor. Few translators lose the same
/// placeholder by mistake.
const SHARE: usize = 10;

/// The strings with a shared error, and shared errors for each other one, that show that a check does not fit.
const MIN_SHARED_STRINGS: usize = 5;
const MIN_RATIO: usize = 4;

/// The texts of a language for tests.
const MIN_TEXTS: usize = 10;

/// The languages with an error and those with a translation.
#[derive(Default)]
struct Votes {
    failing: usize,
    translated: usize,
}

/// The strings of a language that lack the same value because it always writes something else, such as a name.
const MIN_STRINGS: usize = 3;

impl Votes {
    /// Whether enough languages have the error to doubt it. Of a guessed template, half of them are enough.
    fn is_usual(&self, is_template_guessed: bool) -> bool {
        let is_shared = self.failing >= MIN_LANGUAGES && self.failing * SHARE >= self.translated;
        is_shared || (is_template_guessed && self.failing * 2 >= self.translated)
    }
}

/// How the errors of a check spread over the strings of a component.
#[derive(Default)]
struct Spread {
    /// The strings with a shared error.
    strings: usize,
    shared: usize,
    single: usize,
}

impl Spread {
    /// Whether the rule of the check does not fit the component, so that its other errors are in doubt, too.
    fn is_misfit(&self) -> bool {
        self.strings >= MIN_SHARED_STRINGS && self.shared >= self.single * MIN_RATIO
    }
}

type VotesByString = SeededMap<(FindingKind, Box<str>), Votes>;

/// Makes warnings of shared errors in the checked files. Languages that were not checked count, too.
pub(super) fn apply(
    check: &ComponentCheck<'_>,
    checked: &mut [(&LanguageFile, FileFindingCollector<'_>)],
) {
    for (file, found) in checked.iter_mut() {
        if !found.shared_errors.is_empty() && is_filled(check, file) {
            found.demote(|_| true);
        }
        let mut strings: SeededMap<Box<str>, usize> = SeededMap::default();
        for lost in found.shared_errors.iter().filter_map(|it| it.lost.clone()) {
            *strings.entry(lost).or_default() += 1;
        }
        // A language that lacks it everywhere lost it by mistake.
        let translated = usize::try_from(found.counts.translated).unwrap_or(usize::MAX);
        let is_some = |count: &usize| *count >= MIN_STRINGS && *count < translated.div_ceil(2);
        let is_usual = |lost: &str| strings.get(lost).is_some_and(is_some);
        found.demote(|error| error.lost.as_deref().is_some_and(is_usual));
    }
    let mut votes = failing(checked);
    let is_checked = |file: &LanguageFile| {
        let mut checked = checked.iter();
        checked.any(|(it, found)| it.path == file.path && !found.is_known)
    };
    let languages = &check.head.languages;
    let others: Vec<_> = languages.iter().filter(|it| !is_checked(it)).collect();
    let is_guessed = check.spec.component.is_template_guessed;
    let least = if is_guessed { 1 } else { MIN_LANGUAGES };
    votes.retain(|_, it| it.failing + others.len() >= least);
    if votes.is_empty() {
        return;
    }
    for file in others {
        count_unchecked(check, file, &mut votes);
    }
    votes.retain(|_, it| it.failing >= least);
    if votes.is_empty() {
        return;
    }
    for file in languages {
        let entries = Aligned::new(&file.content, check.rows);
        for ((_, key), votes) in &mut votes {
            let row = check.rows.row(key);
            votes.translated += usize::from(row.and_then(|it| entries.translation(it)).is_some());
        }
    }
    votes.retain(|_, it| it.is_usual(is_guessed));
    let is_shared = |error: &SharedError| votes.contains_key(&(error.kind, error.key.clone()));
    let mut misfits: SeededMap<FindingKind, Spread> = SeededMap::default();
    for (kind, _) in votes.keys() {
        misfits.entry(*kind).or_default().strings += 1;
    }
    for error in checked.iter().flat_map(|(_, found)| &found.shared_errors) {
        let spread = misfits.entry(error.kind).or_default();
        match is_shared(error) {
            true => spread.shared += 1,
            false => spread.single += 1,
        }
    }
    misfits.retain(|_, spread| spread.is_misfit());
    for (_, found) in checked {
        found.demote(|error| misfits.contains_key(&error.kind) || is_shared(error));
    }
}

/// Whether most texts of a language are the same: it is one for tests, with a mark such as `XX` in place of each text.
fn is_filled(check: &ComponentCheck<'_>, file: &LanguageFile) -> bool {
    let entries = Aligned::new(&file.content, check.rows);
    let mut counts: SeededMap<&str, usize> = SeededMap::default();
    let texts = (0..check.rows.len()).filter_map(|row| entries.translation(row));
    texts.for_each(|text| *counts.entry(text).or_default() += 1);
    let (all, most) = (counts.values().sum(), counts.values().max().copied());
    all >= MIN_TEXTS && most.unwrap_or_default() * 2 > all
}

/// The errors of the checked files, each with the number of its languages.
fn failing(checked: &[(&LanguageFile, FileFindingCollector<'_>)]) -> VotesByString {
    let mut votes = VotesByString::default();
    for (_, found) in checked {
        let errors = found.shared_errors.iter();
        let errors: SeededSet<_> = errors.map(|it| (it.kind, it.key.clone())).collect();
        for error in errors {
            votes.entry(error).or_default().failing += 1;
        }
    }
    votes
}

/// Adds the errors of a file that was not checked.
fn count_unchecked(check: &ComponentCheck<'_>, file: &LanguageFile, votes: &mut VotesByString) {
    if file.content.error.is_some() {
        return;
    }
    let meter = check.scope.limit.meter();
    let run = check.language_run(file, &*meter);
    for ((kind, key), votes) in votes {
        let row = check.rows.row(key);
        let translation = row.and_then(|row| Some((row, run.entries.translation(row)?)));
        let Some(((row, target), entry)) =
            translation.and_then(|it| Some((it, run.entries.entry(it.0)?)))
        else {
            continue;
        };
        let categories = || run.category(key, || run.entries.categories(entry));
        let flags = file.content.flags(entry);
        let found = run.run_checks(check.rows.source(row), target, flags, categories);
        let is_same =
            |check, severity| FindingKind::Check(check) == *kind && severity == Severity::Error;
        let fails = found.iter().any(|it| is_same(it.check, it.severity));
        votes.failing += usize::from(fails);
    }
}

#[cfg(test)]
mod tests {
    use crate::{CheckScope, ComponentFiles, ComponentSpec, Severity, compare};

    const LANGUAGES: [&str; 6] = ["cs", "de", "fr", "it", "pl", "sk"];

    /// The severities of the findings if the first languages lack a placeholder.
    fn severities(failing: usize) -> Vec<Severity> {
        let mut files = vec![("en", r#"{"a": "Hello {name}"}"#)];
        files.extend(LANGUAGES.iter().enumerate().map(|(at, language)| {
            let text = match at < failing {
                true => r#"{"a": "Dobrý den"}"#,
                false => r#"{"a": "Dobrý den {name}"}"#,
            };
            (*language, text)
        }));
        let head = ComponentFiles::of_texts("en", &files);
        let spec = ComponentSpec::of_json("en");
        let found = compare(&spec, &head, None, None, CheckScope::ALL);
        let errors = found
            .findings
            .iter()
            .filter(|it| it.severity == Severity::Error);
        assert_eq!(found.report.totals.counts.errors, errors.count() as u64);
        let found = found.findings.iter().map(|finding| finding.severity);
        found.collect()
    }

    #[test]
    fn a_language_with_one_text_for_all_strings_has_no_errors() {
        let text = |of: &dyn Fn(usize) -> String| {
            let strings = (0..12).map(|at| format!("\"k{at}\": \"{}\"", of(at)));
            format!("{{{}}}", strings.collect::<Vec<_>>().join(", "))
        };
        let errors = |target: &dyn Fn(usize) -> String| {
            let template = text(&|at| format!("Hello {at} {{name}}"));
            let target = text(target);
            let head = ComponentFiles::of_texts("en", &[("en", &template), ("cs", &target)]);
            let spec = ComponentSpec::of_json("en");
            let found = compare(&spec, &head, None, None, CheckScope::ALL);
            found.report.totals.counts.errors
        };
        assert_eq!(errors(&|_| "XX".to_owned()), 0);
        assert_eq!(errors(&|at| format!("Ahoj {at}")), 12);
    }

    #[test]
    fn an_error_that_most_languages_have_is_a_warning() {
        assert_eq!(severities(1), [Severity::Error]);
        assert_eq!(severities(3), [Severity::Error; 3]);
        assert_eq!(severities(4), [Severity::Warning; 4]);
    }

    #[test]
    fn a_check_whose_errors_most_languages_share_does_not_fit() {
        let errors = |shared: usize| {
            let text = |has: &dyn Fn(usize) -> bool| {
                let strings = (0..6).map(|at| match has(at) {
                    true => format!("\"k{at}\": \"Dobrý den {{name}}\""),
                    false => format!("\"k{at}\": \"Dobrý den\""),
                });
                format!("{{{}}}", strings.collect::<Vec<_>>().join(", "))
            };
            let texts = LANGUAGES.map(|language| match language {
                "sk" => text(&|at| at != 5),
                _ => text(&|at| at >= shared),
            });
            let template = text(&|_| true);
            let mut files = vec![("en", template.as_str())];
            files.extend(
                LANGUAGES
                    .iter()
                    .zip(&texts)
                    .map(|(it, text)| (*it, &**text)),
            );
            let head = ComponentFiles::of_texts("en", &files);
            let found = compare(
                &ComponentSpec::of_json("en"),
                &head,
                None,
                None,
                CheckScope::ALL,
            );
            let errors = found
                .findings
                .iter()
                .filter(|it| it.severity == Severity::Error);
            errors.count()
        };
        assert_eq!(errors(4), 1);
        assert_eq!(errors(5), 0);
    }

    #[test]
    fn most_languages_must_agree_with_a_guessed_template() {
        let files = [
            ("fr", r#"{"a": "Bonjour {name}"}"#),
            ("cs", r#"{"a": "Dobrý den"}"#),
            ("de", r#"{"a": "Guten Tag {name}"}"#),
            ("it", r#"{"a": "Buongiorno {name}"}"#),
        ];
        for (count, severity) in [(3, Severity::Warning), (4, Severity::Error)] {
            let head = ComponentFiles::of_texts("fr", &files[..count]);
            let mut spec = ComponentSpec::of_json("fr");
            spec.component.settings.is_template_guessed = true;
            let found = compare(&spec, &head, None, None, CheckScope::ALL);
            let found: Vec<Severity> = found.findings.iter().map(|it| it.severity).collect();
            assert_eq!(found, [severity], "{count}");
        }
    }

    #[test]
    fn languages_that_are_not_checked_count_too() {
        let files = [
            ("en", r#"{"a": "Hello {name}"}"#),
            ("cs", r#"{"a": "Dobrý den"}"#),
            ("de", r#"{"a": "Guten Tag"}"#),
            ("fr", r#"{"a": "Bonjour"}"#),
            ("it", r#"{"a": "Buongiorno"}"#),
        ];
        let head = ComponentFiles::of_texts("en", &files);
        let spec = ComponentSpec::of_json("en");
        let scope = CheckScope {
            selects: &|path: &str| path == "de.json",
            ..CheckScope::ALL
        };
        let found = compare(&spec, &head, None, None, scope);
        let found: Vec<Severity> = found.findings.iter().map(|it| it.severity).collect();
        assert_eq!(found, [Severity::Warning]);
    }
}
