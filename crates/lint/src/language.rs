//! Checks one language of a component.

use std::sync::OnceLock;

use super::align::Aligned;
use super::collector::FileFindingCollector;
use super::component_check::{ComponentCheck, ReferenceStrings};
use super::context::{FileVersion, KnownResults};
use super::earlier::{Before, EarlierEntry, EarlierLanguage};
use super::faults;
use super::file::shown;
use super::language_file::LanguageFile;
use super::mistyped::{Mistyped, mistyped};
use super::text_checks::TextForms;
use super::unit_entries::UnitEntries;
use super::{Counts, Finding, FindingKind, SourcePlace, StaleCount};
use gitglot_checks::Proceed;
use gitglot_checks::SourceChange;
use gitglot_checks::{CheckFinding, CheckId};
use gitglot_checks::{Checker, LanguageChecker};
use gitglot_model::language;
use gitglot_model::{FileFormat, SeededMap, name_of_part};

/// The bytes of work that a row counts as, in addition to its texts.
pub(super) const ROW: usize = 64;

impl<'a> ComponentCheck<'a> {
    /// Checks a language. The result is incomplete if the work may not go on.
    pub(super) fn run(
        &self,
        file: &LanguageFile,
        proceed: Proceed<'_>,
    ) -> FileFindingCollector<'a> {
        let mut found = self.collector(file);
        let base_side = self.base.as_ref().map(|base| base.side);
        if found.add_parse_error(file, base_side) {
            return found;
        }
        let known = self
            .known
            .as_ref()
            .filter(|_| self.scope.options.is_empty());
        let version = FileVersion {
            language: file.language.code.clone(),
            file: file.key(),
            template: self.template,
        };
        let before = self
            .base
            .as_ref()
            .and_then(|base| base.side.counterpart(file, self.head));
        let is_unchanged = self.is_unchanged(file, before);
        if is_unchanged
            && self.scope.only_new
            && let Some(counts) = known.and_then(|(known, _)| known.counts(&version))
        {
            found.add_old(counts);
            return found;
        }
        if before.is_some_and(|before| before.content.error.is_some()) {
            found.note = Some(format!(
                "{}: the file does not parse at the base, so all its findings count as new",
                name_of_part(&file.path)
            ));
        }
        self.language_run(file, proceed).run(&mut found);
        found.kept_version = known.filter(|_| proceed(0)).map(|_| version);
        found
    }

    /// Keeps the numbers of a file whose findings have their final severity.
    pub(super) fn keep(&self, found: &mut FileFindingCollector<'_>) {
        let known = self.known.as_ref();
        if let Some((version, (known, _))) = found.kept_version.take().zip(known) {
            let stale = match self.bilingual {
                Some(_) => found.counts.stale,
                None => StaleCount::default(),
            };
            known.keep(
                version,
                Counts {
                    stale,
                    ..found.counts
                },
            );
        }
    }

    /// Whether the file and its template are those of the base, so that no finding is new and nothing becomes stale.
    fn is_unchanged(&self, file: &LanguageFile, before: Option<&LanguageFile>) -> bool {
        let may_become_stale = || match &self.reference {
            Some((ReferenceStrings::Base, reference)) => reference.stale.contains_key(&file.path),
            _ => true,
        };
        let is_same = before.is_some_and(|before| before.key() == file.key());
        let is_known = self.bilingual.is_some() || !may_become_stale();
        self.has_template_of_base && is_same && is_known
    }

    pub(super) fn language_run<'f>(
        &'f self,
        file: &'f LanguageFile,
        proceed: Proceed<'f>,
    ) -> LanguageRun<'a, 'f> {
        let earlier = |strings| EarlierLanguage::new(strings, file, self.head);
        let (code, source_language) = (&*file.language.code, &*self.spec.source_language);
        let checker = |of: &Checker| match file.content.plural_rule() {
            Some(rule) => of.for_language(code, source_language, Some(rule.into())),
            None => of.for_translation(code, source_language),
        };
        let reference = self.reference.as_ref();
        let entries = Aligned::new(&file.content, self.rows);
        LanguageRun {
            check: self,
            file,
            mistyped: mistyped(&entries, self.rows, &self.spec.separators),
            entries,
            base: self.base.as_ref().and_then(earlier),
            reference: match reference {
                Some((ReferenceStrings::Other(Some(strings)), _)) => earlier(strings),
                _ => None,
            },
            known_stale: reference.and_then(|(_, it)| it.stale.get(&file.path)),
            checker: checker(&self.checker),
            checker_at_base: self.checker_at_base.as_ref().map(checker),
            known: self.known.as_ref().and_then(|(known, rows)| {
                let language = known.language(&file.language.code)?;
                Some((*known, language, &**rows))
            }),
            proceed,
            is_compiled: file.content.is_compiled(&file.path),
            units: OnceLock::new(),
            units_before: OnceLock::new(),
        }
    }
}

/// The check of one language.
pub(super) struct LanguageRun<'a, 'f> {
    pub(super) check: &'f ComponentCheck<'a>,
    pub(super) file: &'f LanguageFile,
    pub(super) entries: Aligned<'f>,
    pub(super) mistyped: Mistyped,
    pub(super) base: Option<EarlierLanguage<'f>>,
    /// The strings that stale ones are found with, unless they are those of the base or of the file itself.
    reference: Option<EarlierLanguage<'f>>,
    pub(super) known_stale: Option<&'f SeededMap<String, String>>,
    pub(super) checker: LanguageChecker,
    /// The checks of the base, if its source texts are others.
    checker_at_base: Option<LanguageChecker>,
    /// Results that need not be computed again, the index of the language, and that of each row.
    known: Option<(&'f dyn KnownResults, usize, &'f [Option<usize>])>,
    /// Whether the work may go on.
    pub(super) proceed: Proceed<'f>,
    /// Whether `msgfmt` compiles the file.
    pub(super) is_compiled: bool,
    /// The entries of the file and of that of the base by the ids of their units, once they are needed.
    pub(super) units: OnceLock<UnitEntries<'f>>,
    pub(super) units_before: OnceLock<UnitEntries<'f>>,
}

impl<'f> LanguageRun<'_, 'f> {
    /// Checks all strings.
    fn run(self, found: &mut FileFindingCollector<'_>) {
        self.restored(found);
        if let Some(strings) = self.check.bilingual {
            self.run_bilingual(strings, found);
            return;
        }
        if self.check.reference.is_none() {
            found.counts.stale = StaleCount::Unknown;
            found.changes.stale = StaleCount::Unknown;
        }
        let rows = (0..self.check.rows.len()).take_while(|_| (self.proceed)(ROW));
        rows.for_each(|row| self.row(row, found));
        self.left_over(found);
        let before = self.base.as_ref().map(|base| base.entries.file);
        faults::add(&self.file.content, before, Some(self.check.rows), found);
    }

    fn row(&self, row: usize, found: &mut FileFindingCollector<'_>) {
        let (key, source) = (self.check.rows.key(row), self.check.rows.source(row));
        let translation = self.entries.translation(row);
        let is_needed = || !self.is_variant() && !self.is_other_category(key);
        if source.is_empty() || (translation.is_none() && !is_needed()) {
            return;
        }
        let before = self.before(row);
        found.counts.strings += 1;
        found.changes.added += u64::from(self.check.is_added(row));
        match translation {
            Some(target) => {
                found.counts.translated += 1;
                found.changes.translated +=
                    u64::from(before.and_then(|(_, before)| before) != Some(target));
                self.translated(row, target, before, found);
            }
            None => self.untranslated(row, before, found),
        }
    }

    /// Whether the file has the language of the template, so that programs use the template where it lacks a text.
    fn is_variant(&self) -> bool {
        let spec = self.check.spec;
        let source_language = language::resolve(&spec.source_language).code;
        let template = spec
            .component
            .filemask
            .source_path(&spec.component.template);
        *self.file.path != *template && self.file.language.code == source_language
    }

    /// The source and the translation of a row at the base, in the component that had the string.
    pub(super) fn before(&self, row: usize) -> Option<Before<'f>> {
        let of_base = self.base.as_ref().and_then(|base| base.unit(row));
        of_base.or_else(|| {
            let moves = self.check.scope.moves?;
            moves.unit(self.check.rows.key(row), &self.file.language.code)
        })
    }

    /// The entry of a row at the base.
    pub(super) fn entry_before(&self, row: usize) -> Option<EarlierEntry<'f>> {
        let of_base = self.base.as_ref().and_then(|base| base.entry(row));
        of_base.or_else(|| {
            let moves = self.check.scope.moves?;
            moves.entry(self.check.rows.key(row), &self.file.language.code)
        })
    }

    /// The plural categories of a translation at the base.
    pub(super) fn categories_before(&self, row: usize) -> Vec<&'static str> {
        let of_base = self.base.as_ref().and_then(|base| base.categories(row));
        let entry = || self.entry_before(row);
        let of_entry = || entry().map(|(file, entry)| file.categories(entry));
        of_base.or_else(of_entry).unwrap_or_default()
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
        let separators = &self.check.spec.separators;
        self.file.language.plural.forms == 1
            && separators
                .plural_stem(key)
                .is_some_and(|stem| has(&separators.plural_key(stem, "other")))
    }

    pub(super) fn untranslated(
        &self,
        row: usize,
        before: Option<Before<'_>>,
        found: &mut FileFindingCollector<'_>,
    ) {
        let (key, entry) = (self.check.rows.key(row), self.entries.entry(row));
        let is_lost = before.is_some_and(|(_, translation)| translation.is_some());
        let is_new = before.is_none() || is_lost;
        found.counts.missing += 1;
        found.changes.missing += u64::from(is_new);
        let at = entry.or(found.last);
        let is_renamed = self.check.is_remaining(&self.file.path, key);
        if self.mistyped.has(row) || is_renamed {
            found.changes.removed += u64::from(is_lost && !is_renamed);
            return;
        }
        if is_lost {
            found.changes.removed += 1;
            found.add(FindingKind::Removed, key, true, |finding| {
                self.describe(
                    finding,
                    row,
                    at,
                    "The change removes the translation.".to_owned(),
                );
                finding.target = before.and_then(|(_, translation)| translation).map(shown);
            });
        }
        found.add(FindingKind::Missing, key, is_new, |finding| {
            let message = match entry {
                Some(entry) if self.file.content.text(entry).is_empty() => {
                    "The translation is empty."
                }
                Some(_) => "The file marks the string as one without a translation.",
                None => "The string has no translation.",
            };
            self.describe(finding, row, at, message.to_owned());
        });
    }

    pub(super) fn translated(
        &self,
        row: usize,
        target: &'f str,
        before: Option<Before<'f>>,
        found: &mut FileFindingCollector<'_>,
    ) {
        let Some(entry) = self.entries.entry(row) else {
            return;
        };
        found.last = Some(entry);
        self.unused_categories(row, target, entry, found);
        if self.check.bilingual.is_none() {
            self.stale(row, target, before, found);
        }
        let (key, source) = (self.check.rows.key(row), self.check.rows.source(row));
        let categories = || self.category(key, || self.entries.file.categories(entry));
        let flags = self.entries.file.flags(entry);
        let passes = |(known, language, rows): (&dyn KnownResults, usize, &[Option<usize>])| {
            let string = rows.get(row).copied().flatten();
            string.is_some_and(|string| known.passes(language, string, target, flags))
        };
        if self.is_description(key) {
            return;
        }
        self.own_rules(row, target, before, found);
        if self.check.spec.component.file_format == FileFormat::Document {
            self.document(row, target, before, found);
        }
        // What the other strings show was not a part of the known result.
        let is_known =
            self.known.is_some_and(passes) && !self.checker.may_fail_by_template(source, target);
        let text = TextForms {
            text: target,
            categories: categories(),
        };
        let mut failing = match is_known {
            true => Vec::new(),
            false => self.run_checks(&self.source(row), &text, flags),
        };
        self.keep_those_of_wording(row, target, flags, &mut failing);
        self.weigh_definitions(row, entry, &mut failing);
        if let Some((_, Some(before))) = before.filter(|(before, _)| *before == source) {
            let ends = self.checker.changed_ends(source, before, target);
            let is_new = |end: &CheckFinding| failing.iter().all(|it| it.check != end.check);
            let ends: Vec<_> = ends.into_iter().filter(is_new).collect();
            failing.extend(ends);
        }
        // A term of Fluent, such as `-brand-name`, is a name.
        if key.starts_with('-') && self.check.spec.component.file_format == FileFormat::Fluent {
            failing.retain(|finding| finding.check != CheckId::Same);
        }
        if failing.is_empty() {
            return;
        }
        // The faults of the base, unless all are the same. They depend on its other source texts, too.
        let at_base = self.checker_at_base.as_ref();
        let known = match before {
            Some((before, Some(translation)))
                if (before, translation) == (source, target) && at_base.is_none() =>
            {
                None
            }
            Some((before, Some(translation))) => {
                let entry = self.entry_before(row);
                let flags = entry.map_or("", |(file, entry)| file.flags(entry));
                let checker = at_base.unwrap_or(&self.checker);
                let of_base = self.base.as_ref().and_then(|it| it.source_categories(row));
                let source = TextForms {
                    text: before,
                    categories: of_base.unwrap_or_else(|| self.source(row).categories),
                };
                let text = TextForms {
                    text: translation,
                    categories: self.category(key, || self.categories_before(row)),
                };
                Some(self.run_checks_of(checker, &source, &text, flags))
            }
            _ => Some(Vec::new()),
        };
        for failing in failing {
            let kind = FindingKind::Check(failing.check);
            let is_known =
                |known: &Vec<CheckFinding>| known.iter().any(|it| failing.is_part_of(it));
            let new = known.as_ref().is_some_and(|known| !is_known(known));
            let severity = match failing.severity == failing.check.severity() {
                true => kind.severity_in(self.is_compiled),
                false => failing.severity,
            };
            found.add_with_severity((kind, severity), key, new, |finding| {
                self.describe(finding, row, Some(entry), failing.message);
                finding.target = Some(shown(target));
            });
        }
    }

    /// Reports the string if its source changed since the translation was written.
    fn stale(
        &self,
        row: usize,
        target: &str,
        at_base: Option<Before<'f>>,
        found: &mut FileFindingCollector<'_>,
    ) {
        let Some((strings, reference)) = &self.check.reference else {
            return;
        };
        let (key, source) = (self.check.rows.key(row), self.check.rows.source(row));
        // The reference and the base may have the string under an older key.
        let earlier_key =
            |of: Option<&EarlierLanguage<'f>>| of.and_then(|it| it.key(row)).unwrap_or(key);
        let base_key = earlier_key(self.base.as_ref());
        let known = || {
            let key = match strings {
                ReferenceStrings::Checked => key,
                ReferenceStrings::Base => base_key,
                ReferenceStrings::Other(_) => earlier_key(self.reference.as_ref()),
            };
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
        // The history of a component does not know what the change brings from others.
        let moved =
            at_base.filter(|_| self.check.scope.moves.is_some_and(|it| it.has_arrived(key)));
        let previous = previous.or_else(|| match moved? {
            (before, Some(translation)) if translation == target => Some(before),
            _ => None,
        });
        let Some(previous) = previous.filter(|&previous| previous != source) else {
            return;
        };
        let spec = self.check.spec;
        let string = (&*self.file.language.code, key);
        if (spec.reviewed).acknowledges(spec.component.file_format, string, source) {
            return;
        }
        let change = SourceChange::between(previous, source);
        let at_base = reference
            .at_base
            .and_then(|stale| stale.get(&self.file.path));
        let new = at_base.is_none_or(|stale| !stale.contains_key(base_key));
        found.counts.stale += StaleCount::Known(1);
        found.changes.stale += StaleCount::Known(u64::from(new));
        found.add(FindingKind::Stale, key, new, |finding| {
            let message = format!(
                "The source text changed since the translation was written ({} change).",
                change.id()
            );
            self.describe(finding, row, self.entries.entry(row), message);
            finding.target = Some(shown(target));
            finding.previous_source = Some(shown(previous));
            finding.change = Some(change);
        });
    }

    /// Describes a finding of a string at an entry.
    pub(super) fn describe(
        &self,
        finding: &mut Finding,
        row: usize,
        entry: Option<usize>,
        message: String,
    ) {
        finding.set_position(entry.map(|entry| self.file.content.position(entry)));
        finding.message = message;
        finding.source = Some(shown(self.check.rows.source(row)));
        let rows = self.check.rows;
        let place = self.check.source_file.as_ref();
        finding.relevance.source = place.map(|(file, is_changed)| SourcePlace {
            file: file.clone(),
            line: rows.file.position(rows.entry(row)).line,
            is_changed: *is_changed,
        });
    }
}
