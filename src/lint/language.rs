//! Checks one language of a component.

use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::align::{Aligned, TemplateStrings, plural_stem};
use super::collector::FindingCollector;
use super::context::{
    CheckOptions, CheckScope, ComponentSpec, Earlier, PassedChecks, finding_at, language_report,
    parse_error,
};
use super::file::{FilePosition, forms, shown};
use super::side::{ComponentSide, LanguageFile};
use super::{
    ChangeCounts, Counts, Finding, FindingKind, LanguageReport, StaleCount, StaleReference,
};
use crate::checks::SourceChange;
use crate::checks::modern::{self, ModernCheck, ModernLanguageChecker, Unit};
use crate::formats::PLURAL_SEPARATOR;
use crate::language::PluralRule;

/// The data that the checks of all languages of a component share.
pub(super) struct LanguageCheck<'a> {
    pub(super) spec: &'a ComponentSpec,
    options: &'a CheckOptions,
    only_new: bool,
    /// The strings of the template.
    pub(super) rows: &'a TemplateStrings<'a>,
    pub(super) has_base: bool,
    /// The strings of the base, if its template is readable.
    pub(super) base: Option<Earlier<'a>>,
    /// The state that stale strings are found with.
    reference: Option<(ReferenceStrings<'a>, StaleReference<'a>)>,
    /// Translations that need no check, and the index of each row in them.
    passed: Option<(&'a dyn PassedChecks, Vec<Option<usize>>)>,
}

/// The strings of the state that stale strings are found with.
enum ReferenceStrings<'a> {
    /// Those of the state that is checked.
    Checked,
    /// Those of the base.
    Base,
    /// Others; `None` without a readable template.
    Other(Option<Earlier<'a>>),
}

impl<'a> LanguageCheck<'a> {
    /// The check of a state by itself.
    pub(super) fn new(
        spec: &'a ComponentSpec,
        rows: &'a TemplateStrings<'a>,
        (options, scope): (&'a CheckOptions, CheckScope<'a>),
    ) -> Self {
        let passed = scope.passed.map(|passed| {
            let string = |row| passed.string(rows.key(row), rows.source(row));
            (passed, (0..rows.len()).map(string).collect())
        });
        Self {
            spec,
            options,
            only_new: scope.only_new,
            rows,
            has_base: false,
            base: None,
            reference: None,
            passed,
        }
    }

    /// Compares with a base, whose strings are known if its template is readable.
    pub(super) fn with_base(
        self,
        base: Option<&ComponentSide>,
        strings: Option<Earlier<'a>>,
    ) -> Self {
        Self {
            has_base: base.is_some(),
            base: strings,
            ..self
        }
    }

    /// Reports stale strings of the state `head`.
    pub(super) fn with_reference(
        self,
        head: &ComponentSide,
        reference: Option<StaleReference<'a>>,
    ) -> Self {
        let strings = |reference: &StaleReference<'a>| {
            let is = |side: &ComponentSide| std::ptr::eq(reference.side, side);
            if is(head) {
                ReferenceStrings::Checked
            } else if self.base.as_ref().is_some_and(|base| is(base.side)) {
                ReferenceStrings::Base
            } else {
                ReferenceStrings::Other(Earlier::new(reference.side, self.rows))
            }
        };
        let reference = reference.map(|reference| (strings(&reference), reference));
        Self { reference, ..self }
    }

    /// Collects the findings of a file.
    pub(super) fn collector(&self, file: &LanguageFile) -> FindingCollector<'a> {
        let (language, path) = (&file.language.code, &file.path);
        FindingCollector::new(self.options, self.only_new, language, path)
    }
}

/// A language in an earlier state.
struct EarlierLanguage<'a> {
    strings: &'a Earlier<'a>,
    entries: Aligned<'a>,
}

impl<'a> EarlierLanguage<'a> {
    fn new(strings: &'a Earlier<'a>, file: &LanguageFile) -> Option<Self> {
        let earlier = strings.side.counterpart(file)?;
        let content = Some(&earlier.content).filter(|content| content.error.is_none())?;
        let entries = Aligned::new(content, &strings.rows);
        Some(Self { strings, entries })
    }

    /// The source and the translation of a row.
    fn unit(&self, row: usize) -> Option<(&'a str, Option<&'a str>)> {
        let row = self.strings.row(row)?;
        Some((self.strings.rows.source(row), self.entries.translation(row)))
    }

    /// The plural categories of the translation of a row.
    fn categories(&self, row: usize) -> Vec<&'static str> {
        let entry = self
            .strings
            .row(row)
            .and_then(|row| self.entries.entry(row));
        entry.map_or_else(Vec::new, |entry| self.entries.file.categories(entry))
    }
}

/// The result of a language: numbers, findings and a note.
type Checked<'a> = (LanguageReport, FindingCollector<'a>, Option<String>);

impl<'a> LanguageCheck<'a> {
    pub(super) fn run(&self, file: &LanguageFile) -> Checked<'a> {
        let mut findings = self.collector(file);
        let base_side = self.base.as_ref().map(|base| base.side);
        if parse_error(self.spec, file, base_side, &mut findings) {
            let mut counts = Counts {
                parse_errors: 1,
                ..Counts::default()
            };
            counts.finish();
            return (language_report(file, false, counts, None), findings, None);
        }
        let note = base_side.filter(|base| is_broken(base, file)).map(|_| {
            format!(
                "{}: the file does not parse at the base, so all its findings count as new",
                file.path
            )
        });
        let reference = self.reference.as_ref();
        let passed = self.passed.as_ref().and_then(|(passed, rows)| {
            let language = passed.language(&file.language.code)?;
            Some((*passed, language, &**rows))
        });
        let run = LanguageRun {
            check: self,
            file,
            entries: Aligned::new(&file.content, self.rows),
            base: self
                .base
                .as_ref()
                .and_then(|base| EarlierLanguage::new(base, file)),
            reference: match reference {
                Some((ReferenceStrings::Other(Some(earlier)), _)) => {
                    EarlierLanguage::new(earlier, file)
                }
                _ => None,
            },
            known_stale: reference.and_then(|(_, it)| it.stale.get(&file.path)),
            checker: checker(&self.spec.checker, self.spec, &file.language),
            passed,
        };
        let mut result = LanguageResult {
            counts: Counts::default(),
            changes: ChangeCounts::default(),
            findings,
            last: None,
        };
        if reference.is_none() {
            (result.counts.stale, result.changes.stale) =
                (StaleCount::Unknown, StaleCount::Unknown);
        }
        (0..self.rows.len()).for_each(|row| run.row(row, &mut result));
        run.left_over(&mut result);
        result.counts.finish();
        let changes = self.has_base.then_some(result.changes);
        let report = language_report(file, false, result.counts, changes);
        (report, result.findings, note)
    }
}

fn is_broken(side: &ComponentSide, file: &LanguageFile) -> bool {
    side.counterpart(file)
        .is_some_and(|file| file.content.error.is_some())
}

pub(super) fn checker(
    checker: &modern::ModernChecker,
    spec: &ComponentSpec,
    language: &crate::language::Language,
) -> ModernLanguageChecker {
    let plural = PluralRule::parse(usize::from(language.plural.forms), language.plural.formula)
        .ok()
        .map(Arc::new);
    checker.for_language(&language.code, &spec.source_language, plural)
}

/// The check of one language.
struct LanguageRun<'a, 'f> {
    check: &'f LanguageCheck<'a>,
    file: &'f LanguageFile,
    entries: Aligned<'f>,
    base: Option<EarlierLanguage<'f>>,
    /// The strings that stale ones are found with, unless they are those of the base or of the file itself.
    reference: Option<EarlierLanguage<'f>>,
    known_stale: Option<&'f FxHashMap<String, String>>,
    checker: ModernLanguageChecker,
    /// Translations that need no check, the index of the language, and that of each row.
    passed: Option<(&'f dyn PassedChecks, usize, &'f [Option<usize>])>,
}

/// The result of a language so far.
struct LanguageResult<'a> {
    counts: Counts,
    changes: ChangeCounts,
    findings: FindingCollector<'a>,
    /// The entry of the last string that the file has.
    last: Option<usize>,
}

impl<'f> LanguageRun<'_, 'f> {
    fn row(&self, row: usize, out: &mut LanguageResult<'_>) {
        let (key, source) = (self.check.rows.key(row), self.check.rows.source(row));
        let translation = self.entries.translation(row);
        if source.is_empty() || (translation.is_none() && self.is_other_category(key)) {
            return;
        }
        let before = self.base.as_ref().and_then(|base| base.unit(row));
        let is_added = self
            .check
            .base
            .as_ref()
            .is_none_or(|base| base.row(row).is_none());
        out.counts.strings += 1;
        out.changes.added += u64::from(is_added);
        match translation {
            Some(target) => {
                out.counts.translated += 1;
                out.changes.translated +=
                    u64::from(before.and_then(|(_, before)| before) != Some(target));
                self.translated(row, target, before, out);
            }
            None => self.untranslated(row, before, out),
        }
    }

    /// Whether a key is a plural category that the language does not have, next to one that it has.
    fn is_other_category(&self, key: &str) -> bool {
        let has = |key: &str| {
            self.check
                .rows
                .row(key)
                .and_then(|row| self.entries.translation(row))
                .is_some()
        };
        self.file.language.plural.forms == 1
            && plural_stem(key).is_some_and(|stem| has(&[stem, "_other"].concat()))
    }

    fn untranslated(
        &self,
        row: usize,
        before: Option<(&str, Option<&str>)>,
        out: &mut LanguageResult<'_>,
    ) {
        let (key, entry) = (self.check.rows.key(row), self.entries.entry(row));
        let is_lost = before.is_some_and(|(_, translation)| translation.is_some());
        let is_new = before.is_none() || is_lost;
        out.counts.missing += 1;
        out.changes.missing += u64::from(is_new);
        let at = entry.or(out.last);
        if is_lost {
            out.changes.removed += 1;
            out.findings
                .add(FindingKind::Removed, key, true, || Finding {
                    target: before.and_then(|(_, translation)| translation).map(shown),
                    ..self.finding(
                        row,
                        FindingKind::Removed,
                        at,
                        "The change removes the translation.".to_owned(),
                    )
                });
        }
        out.findings.add(FindingKind::Missing, key, is_new, || {
            let message = match entry {
                Some(_) => "The translation is empty.",
                None => "The string has no translation.",
            };
            self.finding(row, FindingKind::Missing, at, message.to_owned())
        });
    }

    fn translated(
        &self,
        row: usize,
        target: &'f str,
        before: Option<(&'f str, Option<&'f str>)>,
        out: &mut LanguageResult<'_>,
    ) {
        let Some(entry) = self.entries.entry(row) else {
            return;
        };
        out.last = Some(entry);
        self.stale(row, target, before, out);
        let (key, source) = (self.check.rows.key(row), self.check.rows.source(row));
        let categories = || self.entries.file.categories(entry);
        let failing = self.failing(row, source, target, categories);
        if failing.is_empty() {
            return;
        }
        let known: Vec<ModernCheck> = match before {
            Some((before, Some(translation))) if before == source && translation == target => {
                failing.iter().map(|finding| finding.check).collect()
            }
            Some((before, Some(translation))) => self
                .run_checks(before, translation, || {
                    let base = self.base.as_ref();
                    base.map_or_else(Vec::new, |base| base.categories(row))
                })
                .into_iter()
                .map(|finding| finding.check)
                .collect(),
            _ => Vec::new(),
        };
        for failing in failing {
            let kind = FindingKind::Check(failing.check);
            if self.check.options.ignores(kind, key) {
                continue;
            }
            let new = !known.contains(&failing.check);
            out.counts.failing += 1;
            out.changes.failing += u64::from(new);
            out.findings.add(kind, key, new, || Finding {
                target: Some(shown(target)),
                ..self.finding(row, kind, Some(entry), failing.message)
            });
        }
    }

    /// The failing checks of a translation.
    fn failing(
        &self,
        row: usize,
        source: &str,
        target: &str,
        categories: impl FnOnce() -> Vec<&'static str>,
    ) -> Vec<modern::CheckFinding> {
        if let Some((passed, language, rows)) = self.passed
            && let Some(&Some(string)) = rows.get(row)
            && passed.passes(language, string, target)
        {
            return Vec::new();
        }
        self.run_checks(source, target, categories)
    }

    fn run_checks(
        &self,
        source: &str,
        target: &str,
        categories: impl FnOnce() -> Vec<&'static str>,
    ) -> Vec<modern::CheckFinding> {
        if source.contains(PLURAL_SEPARATOR) || target.contains(PLURAL_SEPARATOR) {
            return self.checker.check(&Unit {
                source: &forms(source),
                target: &forms(target),
                categories: &categories(),
            });
        }
        self.checker.check(&Unit::new(&[source], &[target]))
    }

    /// Reports the string if its source changed since the translation was written.
    fn stale(
        &self,
        row: usize,
        target: &str,
        at_base: Option<(&'f str, Option<&'f str>)>,
        out: &mut LanguageResult<'_>,
    ) {
        let Some((strings, reference)) = &self.check.reference else {
            return;
        };
        let (key, source) = (self.check.rows.key(row), self.check.rows.source(row));
        let known = || {
            self.known_stale
                .and_then(|stale| stale.get(key))
                .map(String::as_str)
        };
        let before = match strings {
            ReferenceStrings::Base => at_base,
            _ => self.reference.as_ref().and_then(|it| it.unit(row)),
        };
        let previous = match (strings, before) {
            (ReferenceStrings::Checked | ReferenceStrings::Other(None), _) => known(),
            (_, Some((before, Some(translation)))) if translation == target => {
                known().or(Some(before))
            }
            _ => None,
        };
        let Some(previous) = previous.filter(|&previous| previous != source) else {
            return;
        };
        let change = SourceChange::between(previous, source);
        let at_base = reference
            .at_base
            .and_then(|stale| stale.get(&self.file.path));
        let new = at_base.is_none_or(|stale| !stale.contains_key(key));
        out.counts.stale += StaleCount::Known(1);
        out.changes.stale += StaleCount::Known(u64::from(new));
        let kind = FindingKind::Stale;
        out.findings.add(kind, key, new, || {
            let message = format!(
                "The source text changed since the translation was written ({} change).",
                change.id()
            );
            Finding {
                target: Some(shown(target)),
                previous_source: Some(shown(previous)),
                change: Some(change),
                ..self.finding(row, kind, self.entries.entry(row), message)
            }
        });
    }

    /// Reports the entries whose key the template lacks.
    fn left_over(&self, out: &mut LanguageResult<'_>) {
        let known: FxHashSet<&str> = match &self.base {
            Some(base) => base
                .entries
                .left_over
                .iter()
                .map(|&entry| base.entries.file.key(entry))
                .collect(),
            None => FxHashSet::default(),
        };
        for &entry in &self.entries.left_over {
            let content = &self.file.content;
            let key = content.key(entry);
            if self.check.rows.has_plural_sibling(key) {
                continue;
            }
            let is_new = !known.contains(key);
            out.counts.left_over += 1;
            out.changes.left_over += u64::from(is_new);
            let kind = FindingKind::LeftOver;
            out.findings.add(kind, key, is_new, || {
                let message = "The template does not have this key.".to_owned();
                Finding {
                    target: Some(shown(content.text(entry))),
                    ..self.plain(kind, Some(entry), message)
                }
            });
        }
    }

    /// A finding at an entry, without texts.
    fn plain(&self, kind: FindingKind, entry: Option<usize>, message: String) -> Finding {
        let position = entry.map_or(FilePosition::START, |it| self.file.content.position(it));
        finding_at(
            self.check.spec,
            &self.file.language.code,
            &self.file.path,
            kind,
            position,
            message,
        )
    }

    /// A finding of a string at an entry, without the translation.
    fn finding(
        &self,
        row: usize,
        kind: FindingKind,
        entry: Option<usize>,
        message: String,
    ) -> Finding {
        Finding {
            source: Some(shown(self.check.rows.source(row))),
            ..self.plain(kind, entry, message)
        }
    }
}
