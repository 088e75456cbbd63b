//! Checks one language of a component.

use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::align::{Aligned, TemplateStrings, plural_stem};
use super::context::{
    CheckOptions, ComponentSpec, Earlier, finding_at, language_report, parse_error,
};
use super::file::{FilePosition, forms, shown};
use super::side::{ComponentSide, LanguageFile};
use super::stale::StaleStrings;
use super::{ChangeCounts, Counts, Finding, FindingKind, LanguageReport, StaleCount};
use crate::checks::SourceChange;
use crate::checks::modern::{self, ModernCheck, ModernLanguageChecker, Unit};
use crate::language::PluralRule;

/// The data that the checks of all languages of a component share.
pub(super) struct LanguageCheck<'a> {
    pub(super) spec: &'a ComponentSpec,
    pub(super) options: &'a CheckOptions,
    /// The strings of the template.
    pub(super) rows: &'a TemplateStrings<'a>,
    pub(super) has_base: bool,
    /// The strings of the base, if its template is readable.
    pub(super) base: Option<Earlier<'a>>,
    /// The state that stale strings are found with. Its strings are `None` if it is the state that is checked.
    pub(super) reference: Option<(Option<Earlier<'a>>, &'a StaleStrings)>,
    /// The strings that are stale at the base, if they are known.
    pub(super) stale_at_base: Option<&'a StaleStrings>,
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
type Checked = (LanguageReport, Vec<Finding>, Option<String>);

impl LanguageCheck<'_> {
    pub(super) fn run(&self, file: &LanguageFile) -> Checked {
        let base_side = self.base.as_ref().map(|base| base.side);
        if let Some(finding) = parse_error(self.spec, file, base_side) {
            let mut counts = Counts {
                parse_errors: 1,
                ..Counts::default()
            };
            counts.finish();
            return (
                language_report(file, false, counts, None),
                vec![finding],
                None,
            );
        }
        let note = base_side.filter(|base| is_broken(base, file)).map(|_| {
            format!(
                "{}: the file does not parse at the base, so all its findings count as new",
                file.path
            )
        });
        let mut run = LanguageRun {
            check: self,
            file,
            entries: Aligned::new(&file.content, self.rows),
            base: self
                .base
                .as_ref()
                .and_then(|base| EarlierLanguage::new(base, file)),
            reference: self
                .reference
                .as_ref()
                .and_then(|(earlier, _)| EarlierLanguage::new(earlier.as_ref()?, file)),
            known_stale: self
                .reference
                .as_ref()
                .and_then(|(_, stale)| stale.get(&file.path)),
            checker: checker(&self.spec.checker, self.spec, &file.language),
            counts: Counts::default(),
            changes: ChangeCounts::default(),
            findings: Vec::new(),
            last: FilePosition::START,
        };
        if self.reference.is_none() {
            (run.counts.stale, run.changes.stale) = (StaleCount::Unknown, StaleCount::Unknown);
        }
        (0..self.rows.len()).for_each(|row| run.row(row));
        run.left_over();
        run.counts.finish();
        let changes = self.has_base.then_some(run.changes);
        (
            language_report(file, false, run.counts, changes),
            run.findings,
            note,
        )
    }
}

fn is_broken(side: &ComponentSide, file: &LanguageFile) -> bool {
    side.counterpart(file)
        .is_some_and(|file| file.content.error.is_some())
}

fn checker(
    checker: &modern::ModernChecker,
    spec: &ComponentSpec,
    language: &crate::language::Language,
) -> ModernLanguageChecker {
    let plural = PluralRule::parse(usize::from(language.plural.forms), language.plural.formula)
        .ok()
        .map(Arc::new);
    checker.for_language(&language.code, &spec.source_language, plural)
}

/// The check of one language in progress.
struct LanguageRun<'a> {
    check: &'a LanguageCheck<'a>,
    file: &'a LanguageFile,
    entries: Aligned<'a>,
    base: Option<EarlierLanguage<'a>>,
    reference: Option<EarlierLanguage<'a>>,
    known_stale: Option<&'a FxHashMap<String, String>>,
    checker: ModernLanguageChecker,
    counts: Counts,
    changes: ChangeCounts,
    findings: Vec<Finding>,
    /// The position of the last string of the file.
    last: FilePosition,
}

impl<'a> LanguageRun<'a> {
    fn row(&mut self, row: usize) {
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
        self.counts.strings += 1;
        self.changes.added += u64::from(is_added);
        match translation {
            Some(target) => {
                self.counts.translated += 1;
                self.changes.translated +=
                    u64::from(before.and_then(|(_, before)| before) != Some(target));
                self.translated(row, target, before);
            }
            None => self.untranslated(row, before),
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

    fn untranslated(&mut self, row: usize, before: Option<(&str, Option<&str>)>) {
        let entry = self.entries.entry(row);
        let position = entry.map_or(self.last, |entry| self.file.content.position(entry));
        let is_lost = before.is_some_and(|(_, translation)| translation.is_some());
        let is_new = before.is_none() || is_lost;
        self.counts.missing += 1;
        self.changes.missing += u64::from(is_new);
        let message = if entry.is_some() {
            "The translation is empty."
        } else {
            "The string has no translation."
        };
        let missing = Finding {
            new: is_new,
            ..self.finding(row, FindingKind::Missing, position, message.to_owned())
        };
        if is_lost {
            self.changes.removed += 1;
            let message = "The change removes the translation.".to_owned();
            let target = before.and_then(|(_, translation)| translation).map(shown);
            self.findings.push(Finding {
                target,
                ..self.finding(row, FindingKind::Removed, position, message)
            });
        }
        self.findings.push(missing);
    }

    fn translated(
        &mut self,
        row: usize,
        target: &'a str,
        before: Option<(&'a str, Option<&'a str>)>,
    ) {
        let Some(entry) = self.entries.entry(row) else {
            return;
        };
        let position = self.file.content.position(entry);
        self.last = position;
        self.stale(row, target, position);
        let source = self.check.rows.source(row);
        let categories = || self.entries.file.categories(entry);
        let failing = self.failing(source, target, categories);
        if failing.is_empty() {
            return;
        }
        let known: Vec<ModernCheck> = match before {
            Some((before, Some(translation))) if before == source && translation == target => {
                failing.iter().map(|finding| finding.check).collect()
            }
            Some((before, Some(translation))) => self
                .failing(before, translation, || {
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
            if self.check.options.ignores(kind, self.check.rows.key(row)) {
                continue;
            }
            let new = !known.contains(&failing.check);
            self.counts.failing += 1;
            self.changes.failing += u64::from(new);
            let finding = self.finding(row, kind, position, failing.message);
            self.findings.push(Finding {
                new,
                target: Some(shown(target)),
                ..finding
            });
        }
    }

    fn failing(
        &self,
        source: &str,
        target: &str,
        categories: impl FnOnce() -> Vec<&'static str>,
    ) -> Vec<modern::CheckFinding> {
        if source.contains(crate::formats::PLURAL_SEPARATOR)
            || target.contains(crate::formats::PLURAL_SEPARATOR)
        {
            return self.checker.check(&Unit {
                source: &forms(source),
                target: &forms(target),
                categories: &categories(),
            });
        }
        self.checker.check(&Unit::new(&[source], &[target]))
    }

    /// Reports the string if its source changed since the translation was written.
    fn stale(&mut self, row: usize, target: &str, position: FilePosition) {
        let (key, source) = (self.check.rows.key(row), self.check.rows.source(row));
        let before = self.reference.as_ref().map(|reference| reference.unit(row));
        let known = || {
            self.known_stale
                .and_then(|stale| stale.get(key))
                .map(String::as_str)
        };
        let previous = match before {
            // The reference is the state that is checked.
            None if self
                .check
                .reference
                .as_ref()
                .is_some_and(|(earlier, _)| earlier.is_none()) =>
            {
                known()
            }
            Some(Some((before, Some(translation)))) if translation == target => {
                known().or(Some(before))
            }
            _ => None,
        };
        let Some(previous) = previous.filter(|&previous| previous != source) else {
            return;
        };
        let change = SourceChange::between(previous, source);
        let at_base = self
            .check
            .stale_at_base
            .and_then(|stale| stale.get(&self.file.path));
        let new = at_base.is_none_or(|stale| !stale.contains_key(key));
        self.counts.stale += StaleCount::Known(1);
        self.changes.stale += StaleCount::Known(u64::from(new));
        let message = format!(
            "The source text changed since the translation was written ({} change).",
            change.id()
        );
        self.findings.push(Finding {
            target: Some(shown(target)),
            previous_source: Some(shown(previous)),
            change: Some(change),
            new,
            ..self.finding(row, FindingKind::Stale, position, message)
        });
    }

    /// Reports the entries whose key the template lacks.
    fn left_over(&mut self) {
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
            let is_known = known.contains(key);
            self.counts.left_over += 1;
            self.changes.left_over += u64::from(!is_known);
            let position = content.position(entry);
            let message = "The template does not have this key.".to_owned();
            let finding = self.plain(FindingKind::LeftOver, position, message);
            let target = Some(shown(content.text(entry)));
            self.findings.push(Finding {
                key: key.to_owned(),
                target,
                new: !is_known,
                ..finding
            });
        }
    }

    fn plain(&self, kind: FindingKind, position: FilePosition, message: String) -> Finding {
        finding_at(
            self.check.spec,
            &self.file.language.code,
            &self.file.path,
            kind,
            position,
            message,
        )
    }

    /// A finding of a string, without the translation.
    fn finding(
        &self,
        row: usize,
        kind: FindingKind,
        position: FilePosition,
        message: String,
    ) -> Finding {
        Finding {
            key: self.check.rows.key(row).to_owned(),
            source: Some(shown(self.check.rows.source(row))),
            ..self.plain(kind, position, message)
        }
    }
}

/// Checks the template: removed strings, and the checks of source texts.
pub(super) fn check_template(
    check: &LanguageCheck<'_>,
    file: &LanguageFile,
) -> (LanguageReport, Vec<Finding>) {
    let rows = check.rows;
    let mut findings = Vec::new();
    let with_text = (0..rows.len())
        .filter(|&row| !rows.source(row).is_empty())
        .count() as u64;
    let mut counts = Counts {
        strings: with_text,
        translated: with_text,
        ..Counts::default()
    };
    let mut changes = ChangeCounts::default();
    let plain = |kind, position, message| {
        finding_at(
            check.spec,
            &file.language.code,
            &file.path,
            kind,
            position,
            message,
        )
    };
    let is_added = |row| {
        check
            .base
            .as_ref()
            .is_none_or(|base| base.row(row).is_none())
    };
    changes.added = (0..rows.len()).filter(|&row| is_added(row)).count() as u64;
    if let Some(base) = &check.base {
        let mut last = FilePosition::START;
        for row in 0..base.rows.len() {
            let key = base.rows.key(row);
            if let Some(present) = rows.row(key) {
                last = file.content.position(rows.entry(present));
                continue;
            }
            changes.removed += 1;
            let finding = plain(
                FindingKind::Removed,
                last,
                "The change removes the source string.".to_owned(),
            );
            findings.push(Finding {
                key: key.to_owned(),
                source: Some(shown(base.rows.source(row))),
                ..finding
            });
        }
    }
    if let Some(source_checker) = &check.spec.source_checker {
        let checker = checker(source_checker, check.spec, &file.language);
        let failing = |text: &str| {
            let forms = forms(text);
            let found = checker.check(&Unit::new(&forms, &forms));
            found
                .into_iter()
                .filter(|finding| finding.check.is_source_check())
                .collect::<Vec<_>>()
        };
        for row in 0..rows.len() {
            for finding in failing(rows.source(row)) {
                let kind = FindingKind::Check(finding.check);
                let position = file.content.position(rows.entry(row));
                let same = |base: &Earlier<'_>| {
                    base.row(row)
                        .is_some_and(|it| base.rows.source(it) == rows.source(row))
                };
                let new = !check.base.as_ref().is_some_and(same);
                counts.failing += 1;
                changes.failing += u64::from(new);
                let source = Some(shown(rows.source(row)));
                let plain = plain(kind, position, finding.message);
                findings.push(Finding {
                    key: rows.key(row).to_owned(),
                    source,
                    new,
                    ..plain
                });
            }
        }
    }
    counts.finish();
    (
        language_report(file, true, counts, check.has_base.then_some(changes)),
        findings,
    )
}
