//! Checks one language of a component.

use super::align::Aligned;
use super::collector::{FileFindingCollector, parse_error};
use super::component_check::{ComponentCheck, ReferenceStrings, checker};
use super::context::{Earlier, FileVersion, language_report};
use super::language_run::{BaseLanguage, EarlierLanguage, LanguageRun};
use super::side::{ComponentSide, LanguageFile};
use super::{ChangeCounts, Counts, LanguageReport, StaleCount};

/// The result of a language: numbers, findings and a note.
type Checked<'a> = (LanguageReport, FileFindingCollector<'a>, Option<String>);

impl<'a> ComponentCheck<'a> {
    /// Checks a language.
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
        let known = self.known.as_ref().filter(|_| self.options.is_empty());
        let version = FileVersion {
            language: file.language.code.clone(),
            file: file.key(),
            template: self.template,
        };
        let is_unchanged = self.is_unchanged(file);
        if is_unchanged
            && self.only_new
            && let Some(counts) = known.and_then(|(known, _)| known.counts(&version))
        {
            findings.add_old(&counts);
            let changes = Some(ChangeCounts::default());
            return (
                language_report(file, false, counts, changes),
                findings,
                None,
            );
        }
        let note = base_side
            .filter(|base| self.is_broken(base, file))
            .map(|_| {
                format!(
                    "{}: the file does not parse at the base, so all its findings count as new",
                    file.path
                )
            });
        let (counts, changes, findings) = self.language_run(file, is_unchanged).run(findings);
        if let Some((known, _)) = known {
            let stale = StaleCount::default();
            known.keep(version, Counts { stale, ..counts });
        }
        let changes = self.has_base.then_some(changes);
        let report = language_report(file, false, counts, changes);
        (report, findings, note)
    }

    /// Whether the file and its template are those of the base, so that no finding is new and nothing becomes stale.
    fn is_unchanged(&self, file: &LanguageFile) -> bool {
        let is_same = |base: &Earlier<'_>| {
            let before = base.side.counterpart(file, self.head);
            before.is_some_and(|before| before.key() == file.key())
        };
        let may_become_stale = || match &self.reference {
            Some((ReferenceStrings::Base, reference)) => reference.stale.contains_key(&file.path),
            _ => true,
        };
        self.has_template_of_base && !may_become_stale() && self.base.as_ref().is_some_and(is_same)
    }

    fn language_run<'f>(
        &'f self,
        file: &'f LanguageFile,
        is_unchanged: bool,
    ) -> LanguageRun<'a, 'f> {
        let base = match &self.base {
            Some(_) if is_unchanged => BaseLanguage::Same,
            Some(base) => EarlierLanguage::new(base, file, self.head)
                .map_or(BaseLanguage::None, BaseLanguage::Other),
            None => BaseLanguage::None,
        };
        let reference = self.reference.as_ref();
        LanguageRun {
            check: self,
            file,
            entries: Aligned::new(&file.content, self.rows),
            base,
            reference: match reference {
                Some((ReferenceStrings::Other(Some(earlier)), _)) => {
                    EarlierLanguage::new(earlier, file, self.head)
                }
                _ => None,
            },
            known_stale: reference.and_then(|(_, it)| it.stale.get(&file.path)),
            checker: checker(&self.spec.checker, self.spec, &file.language),
            known: self.known.as_ref().and_then(|(known, rows)| {
                let language = known.language(&file.language.code)?;
                Some((*known, language, &**rows))
            }),
        }
    }

    fn is_broken(&self, base: &ComponentSide, file: &LanguageFile) -> bool {
        base.counterpart(file, self.head)
            .is_some_and(|file| file.content.error.is_some())
    }
}
