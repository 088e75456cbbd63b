//! Checks a component, and compares it with a base.

use std::sync::Arc;

use super::align::TemplateStrings;
use super::collector::{FileFindingCollector, FileFindings};
use super::component_check::ComponentCheck;
use super::component_files::ComponentFiles;
use super::context::CheckScope;
use super::language_file::LanguageFile;
use super::report::ReportTotals;
use super::spec::ComponentSpec;
use super::template::check_template;
use crate::finding::{Finding, FindingKind};
use crate::report::{ComponentReport, LanguageReport};
use crate::stale::StaleReference;
use gitglot_model::{file_of_part, in_parallel, language, shown_path};

/// The result of a component.
#[derive(Debug)]
pub struct CheckedComponent {
    /// The numbers.
    pub report: ComponentReport,
    /// The findings, by file and position.
    pub findings: Vec<Finding>,
    /// The number of findings of each file that has some, by path.
    pub files: Vec<FileFindings>,
    /// Facts that affect the numbers, as sentences.
    pub notes: Vec<String>,
    is_bilingual: bool,
    source_language: Arc<str>,
    /// The path of the file with the source texts.
    source_path: String,
}

/// Checks a component in the state `head`. With a base, reports the differences too. Without a reference the stale
/// strings are unknown.
pub fn compare(
    spec: &ComponentSpec,
    head: &ComponentFiles,
    base: Option<&ComponentFiles>,
    reference: Option<StaleReference<'_>>,
    scope: CheckScope<'_>,
) -> CheckedComponent {
    let mut result = CheckedComponent::new(spec, head);
    let Some(template) = head.readable_template() else {
        result.without_template(spec, head, base, scope);
        return result.sorted();
    };
    let rows = TemplateStrings::new(&template.content);
    let check = ComponentCheck::new(spec, head, template, &rows, base, reference, scope);
    if spec.component.is_template_guessed {
        result.notes.push(format!(
            "{}: no file is named like a template, so the source texts are taken from {}: set the template if they are elsewhere",
            spec.name, spec.component.template
        ));
    }
    if base.is_some() && check.base.is_none() {
        result.notes.push(format!(
            "{}: the base has no readable template {}, so all strings and findings count as new",
            spec.name, spec.component.template
        ));
    }
    let is_selected = |file: &&LanguageFile| (scope.selects)(&file_of_part(&file.path));
    let template = match &head.strings {
        Some(_) => head.template.as_ref(),
        None => Some(template),
    };
    if let Some(template) = template.filter(is_selected) {
        let meter = scope.limit.meter();
        let found = check_template(&check, template, &*meter);
        let is_compared = base.is_some() && found.counts.parse_errors == 0;
        result.add(template, found, is_compared);
    }
    let files: Vec<&LanguageFile> = head.languages.iter().filter(is_selected).collect();
    let checked = in_parallel(files.clone(), || {
        let meter = scope.limit.meter();
        let check = &check;
        move |file: &LanguageFile| check.run(file, &*meter)
    });
    for (file, found) in files.iter().copied().zip(checked) {
        let is_compared = base.is_some() && found.counts.parse_errors == 0;
        result.add(file, found, is_compared);
    }
    if let Some(base) = base {
        let removed = base.languages.iter().filter(is_selected);
        for file in removed.filter(|file| !remains(file, base, head)) {
            let is_replaced = head.irregular.iter().any(|path| **path == *file.path);
            result.removed_file(&check, file, is_replaced);
        }
    }
    if head.strings.is_some() {
        result.summarize();
    }
    result.report.renames = check.renames.list;
    if let Some(moves) = scope.moves {
        result.report.renames.extend(moves.arrived().cloned());
        result.report.moved_away = moves.left().to_vec();
    }
    result.sorted()
}

impl CheckedComponent {
    fn new(spec: &ComponentSpec, head: &ComponentFiles) -> Self {
        let component = &spec.component;
        let mut report = ComponentReport {
            name: spec.name.clone(),
            filemask: component.filemask.as_str().to_owned(),
            template: component.source_file().to_owned(),
            summary: None,
            totals: ReportTotals::default(),
            renames: Vec::new(),
            moved_away: Vec::new(),
            languages: Vec::new(),
        };
        report.totals.counts.finish();
        Self {
            report,
            findings: Vec::new(),
            files: Vec::new(),
            notes: head.duplicates.clone(),
            is_bilingual: head.strings.is_some(),
            source_language: language::resolve(&spec.source_language).code,
            source_path: component.filemask.source_path(component.source_file()),
        }
    }

    /// Adds the result of a file. The numbers of a template do not count in the totals.
    fn add(&mut self, file: &LanguageFile, found: FileFindingCollector<'_>, is_compared: bool) {
        let mut counts = found.counts;
        counts.finish();
        let changes = is_compared.then_some(found.changes);
        let is_source = *file.path == *self.source_path
            || (self.is_bilingual && file.language.code == self.source_language);
        if is_source {
            self.report.totals.counts.parse_errors += counts.parse_errors;
        } else {
            let mut of_total = counts;
            let mut languages = self.report.languages.iter();
            if languages.any(|other| other.language == file.language.code) {
                // The server and its percentages use only the first file of a language.
                (of_total.strings, of_total.translated) = (0, 0);
                (of_total.missing, of_total.known_stale) = (0, 0);
            }
            self.report.totals.add(of_total, changes);
        }
        self.report.languages.push(LanguageReport {
            language: file.language.code.clone(),
            name: file.language.name.to_string(),
            file: shown_path(&file.path),
            is_source,
            counts,
            changes,
        });
        self.add_findings(found);
    }

    fn add_findings(&mut self, found: FileFindingCollector<'_>) {
        self.findings.extend(found.findings);
        self.notes.extend(found.note);
        if found.file.all > 0 {
            self.files.push(found.file);
        }
    }

    fn sorted(mut self) -> Self {
        let languages = &mut self.report.languages;
        languages.sort_by(|a, b| (!a.is_source, &a.file).cmp(&(!b.is_source, &b.file)));
        self.findings.sort_by(|a, b| {
            let place = |finding: &Finding| (finding.line, finding.column, finding.check);
            (&a.file, place(a), a.key.id()).cmp(&(&b.file, place(b), b.key.id()))
        });
        self.files.sort_by(|a, b| a.path.cmp(&b.path));
        self.files.dedup_by(|next, file| {
            let is_same = next.path == file.path;
            if is_same {
                file.add(next);
            }
            is_same
        });
        self
    }

    /// Describes the change of bilingual files.
    fn summarize(&mut self) {
        let report = &mut self.report;
        let Some(changes) = report.totals.changes else {
            return;
        };
        let has_changes = |it: &&LanguageReport| {
            !it.is_source && it.changes.is_some_and(|changes| changes != <_>::default())
        };
        let files = match report.languages.iter().filter(has_changes).count() {
            0 | 1 => String::new(),
            count => format!(" in {count} languages"),
        };
        report.summary = Some(changes.summary() + &files);
    }

    /// Adds the results of a component whose template is missing or does not parse.
    fn without_template(
        &mut self,
        spec: &ComponentSpec,
        head: &ComponentFiles,
        base: Option<&ComponentFiles>,
        scope: CheckScope<'_>,
    ) {
        for file in head.files() {
            let (language, path) = (&file.language.code, &file.path);
            let mut found = FileFindingCollector::new(spec, scope, language, path);
            found.add_parse_error(file, base);
            self.add(file, found, false);
        }
        if head.template.is_none() {
            let language = language::resolve(&spec.source_language).code;
            let path = spec.component.template.as_str().into();
            let mut found = FileFindingCollector::new(spec, scope, &language, &path);
            let is_new = base.is_none_or(|base| base.template.is_some());
            found.add(FindingKind::ParseError, "", is_new, |finding| {
                finding.message = "The template does not exist.".to_owned();
            });
            self.report.totals.counts.parse_errors += 1;
            self.add_findings(found);
        }
    }

    /// Adds a language whose file the change removes, or replaces with something that is no file.
    fn removed_file(&mut self, check: &ComponentCheck<'_>, file: &LanguageFile, is_replaced: bool) {
        let entries = 0..file.content.len();
        let translated = entries.filter(|&index| file.content.is_translated(index));
        let translations = translated.count() as u64;
        let mut found = check.collector(file);
        found.relevance.is_changed = true;
        found.changes.removed = translations;
        let (kind, message) = if is_replaced {
            self.report.totals.counts.parse_errors += 1;
            let message = format!(
                "The change replaces the file with {translations} translations by a link or a submodule, \
                 which gitglot does not follow."
            );
            (FindingKind::ParseError, message)
        } else {
            let message = format!("The change removes the file with {translations} translations.");
            (FindingKind::Removed, message)
        };
        found.add(kind, "", true, |finding| finding.message = message);
        self.add(file, found, true);
    }
}

/// Whether a file of the base still exists, possibly under a new name.
fn remains(file: &LanguageFile, base: &ComponentFiles, head: &ComponentFiles) -> bool {
    let is_new = |other: &LanguageFile| !base.languages.iter().any(|file| file.path == other.path);
    let mut others = head.languages.iter();
    head.has(&file.path)
        || others.any(|other| other.language.code == file.language.code && is_new(other))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Counts;
    use crate::context::{FileVersion, KnownResults};
    use crate::differences;
    use gitglot_checks::{Checker, TextContext, Words};
    use gitglot_model::{
        Component, ComponentSettings, FileFormat, FileMask, KeySeparators, Slug, WorkLimit,
    };

    impl ComponentSpec {
        /// JSON files, each with its language as its name.
        pub(crate) fn of_json(template: &str) -> Self {
            Self::of_format(FileFormat::Json, template)
        }

        /// As [`Self::of_json`], in a format.
        pub(crate) fn of_format(format: FileFormat, template: &str) -> Self {
            Self {
                name: "p/c".into(),
                component: Component::new(ComponentSettings::new(
                    Slug::new("c").unwrap(),
                    FileMask::new("*.json").unwrap(),
                    &format!("{template}.json"),
                    format,
                )),
                source_language: template.to_owned(),
                checker: Checker::inferred(format.name(), Words::default()),
                source_checker: None,
                separators: KeySeparators::default(),
                reviewed: Arc::default(),
            }
        }
    }

    #[test]
    fn a_translation_that_becomes_the_template_is_not_removed() {
        let files = [
            ("de", r#"{"a": "Guten Tag"}"#),
            ("en", r#"{"a": "Good day"}"#),
        ];
        let base = ComponentFiles::of_texts("en", &files);
        let head = ComponentFiles::of_texts("de", &files);
        let spec = ComponentSpec::of_json("de");
        let found = compare(&spec, &head, Some(&base), None, CheckScope::ALL);
        assert!(found.findings.is_empty(), "{:?}", found.findings);
        assert_eq!(found.report.languages.len(), 2);
    }

    /// All translations pass the checks of a template without texts.
    struct AllPass(Checker);

    impl AllPass {
        fn new() -> Self {
            Self(Checker::inferred("json", Words::default()))
        }
    }

    impl KnownResults for AllPass {
        fn language(&self, _: &str) -> Option<usize> {
            Some(0)
        }

        fn string(&self, _: &str, _: &str) -> Option<usize> {
            Some(0)
        }

        fn checker(&self) -> &Checker {
            &self.0
        }

        fn passes(&self, _: usize, _: usize, _: &str, _: TextContext<'_>) -> bool {
            true
        }

        fn counts(&self, _: &FileVersion) -> Option<Counts> {
            None
        }

        fn keep(&self, _: FileVersion, _: Counts) {}
    }

    #[test]
    fn what_new_source_texts_show_gives_new_findings() {
        let cs = (
            "cs",
            r#"{"a": "Konec {name}", "b": "Pomoc.", "c": "Ahoj {name}"}"#,
        );
        let base = ("en", r#"{"a": "Quit now", "b": "Help."}"#);
        let base = ComponentFiles::of_texts("en", &[base, cs]);
        let en = r#"{"a": "Quit now", "b": "Help.", "c": "Hi {name}"}"#;
        let head = ComponentFiles::of_texts("en", &[("en", en), cs]);
        let spec = ComponentSpec::of_json("en");
        for known in [None, Some(&AllPass::new() as &dyn KnownResults)] {
            let scope = CheckScope {
                known,
                ..CheckScope::ALL
            };
            let found = compare(&spec, &head, Some(&base), None, scope).findings;
            let found = found.iter().filter(|it| it.key.shown() == "a");
            let found: Vec<_> = found.map(|it| (it.check.id(), it.new)).collect();
            assert_eq!(found, [("placeholders", true)], "{}", known.is_some());
        }
    }

    #[test]
    fn a_known_result_does_not_hide_a_dropped_final_mark() {
        let en = ("en", r#"{"a": "Quit the game."}"#);
        let base = ComponentFiles::of_texts("en", &[en, ("cs", r#"{"a": "Ukončit hru."}"#)]);
        let head = ComponentFiles::of_texts("en", &[en, ("cs", r#"{"a": "Ukončit hru"}"#)]);
        let known = AllPass::new();
        let scope = CheckScope {
            known: Some(&known),
            ..CheckScope::ALL
        };
        let spec = ComponentSpec::of_json("en");
        let found = compare(&spec, &head, Some(&base), None, scope).findings;
        let found: Vec<_> = found.iter().map(|it| (it.check.id(), it.new)).collect();
        assert_eq!(found, [("end_stop", true)]);
    }

    #[test]
    fn work_that_may_not_go_on_ends_before_the_next_file() {
        /// Counts how often it is asked, and always says no.
        #[derive(Default)]
        struct Ended(std::sync::atomic::AtomicUsize);

        impl WorkLimit for Ended {
            fn meter(&self) -> gitglot_model::WorkMeter<'_> {
                Box::new(|_| {
                    self.0.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
                    false
                })
            }
        }

        let texts = |key: &str| {
            let codes = (b'a'..=b'z').map(|letter| format!("{}a", char::from(letter)));
            let file = |code| (code, format!(r#"{{"{key}": "Good day"}}"#));
            codes.chain(["en".to_owned()]).map(file).collect::<Vec<_>>()
        };
        let side = |key: &str| {
            let texts = texts(key);
            let files: Vec<(&str, &str)> = texts.iter().map(|(a, b)| (&**a, &**b)).collect();
            ComponentFiles::of_texts("en", &files)
        };
        let (base, head) = (side("old"), side("new"));
        let ended = Ended::default();
        let scope = CheckScope {
            limit: &ended,
            ..CheckScope::ALL
        };
        let spec = ComponentSpec::of_json("en");
        let found = compare(&spec, &head, Some(&base), None, scope);
        assert!(found.report.renames.is_empty(), "no file was aligned");
        let asked = ended.0.into_inner();
        assert!(asked < 3 * head.languages.len(), "{asked}");
        let (list, count) = differences(&base, &head, None, None, 100, &|_| false);
        assert_eq!((list.len(), count), (2, 2), "those of the template only");
    }
}
