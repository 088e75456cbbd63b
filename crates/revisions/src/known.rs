//! Results that comparisons use again: the modern checks at the tip, and the numbers of files.

use std::sync::Arc;

use super::reader::{CacheEntry, CacheKey, Revisions, rows_by_key};
use gitglot_catalog::{ComponentSnapshot, TranslationView};
use gitglot_checks::{Checker, TextContext};
use gitglot_lint::{Counts, FileVersion, KnownResults};
use gitglot_model::SeededMap;

/// The known results of a component.
pub(super) struct TipResults<'a> {
    tip: &'a ComponentSnapshot,
    rows: SeededMap<String, usize>,
    /// The settings that the numbers of a file depend on. The word list does not change while gitglot runs.
    settings: Arc<str>,
    revisions: &'a Revisions,
}

impl<'a> TipResults<'a> {
    pub(super) fn new(tip: &'a ComponentSnapshot, revisions: &'a Revisions) -> Self {
        let settings = [
            tip.project.source_language.as_str(),
            tip.component.file_format.name(),
            &tip.checks().settings().fingerprint(),
        ];
        Self {
            tip,
            rows: rows_by_key(tip),
            settings: settings.join(" ").into(),
            revisions,
        }
    }
}

impl KnownResults for TipResults<'_> {
    fn language(&self, code: &str) -> Option<usize> {
        self.tip.translation(code).map(|index| index as usize)
    }

    fn string(&self, key: &str, source: &str) -> Option<usize> {
        let &row = self.rows.get(key)?;
        let known = self.tip.sources.get(row)?;
        (self.tip.texts.get(known.source) == source).then_some(row)
    }

    fn checker(&self) -> &Checker {
        self.tip.current_checker()
    }

    fn passes(
        &self,
        language: usize,
        string: usize,
        translation: &str,
        context: TextContext<'_>,
    ) -> bool {
        let Some(known) = self.tip.translations.get(language) else {
            return false;
        };
        let view = TranslationView {
            component: self.tip,
            translation: known.revised(),
        };
        let unit = u32::try_from(string).ok();
        let unit = unit.and_then(|string| view.translation.unit_of(string));
        unit.is_some_and(|unit| view.passes_current_checks(unit as usize, translation, context))
    }

    fn counts(&self, file: &FileVersion) -> Option<Counts> {
        let key = CacheKey::Counts(self.settings.clone(), file.clone());
        let CacheEntry::Counts(counts) = self.revisions.cache().get(&key)? else {
            return None;
        };
        Some(counts)
    }

    fn keep(&self, file: FileVersion, counts: Counts) {
        let key = CacheKey::Counts(self.settings.clone(), file);
        let bytes = size_of::<(CacheKey, CacheEntry)>() * 2 + 128;
        let counts = CacheEntry::Counts(counts);
        self.revisions.cache_value(key, counts, bytes);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_snapshot::snapshot;
    use gitglot_catalog::scan::Budget;
    use gitglot_model::BlobId;

    fn revisions() -> Revisions {
        Revisions::new(Box::new(|_| None), 1 << 20)
    }

    #[test]
    fn a_string_is_known_by_its_key_and_its_source() {
        let (snapshot, revisions) = (snapshot(), revisions());
        let results = TipResults::new(&snapshot.components()[0], &revisions);
        assert_eq!(results.string("appName", "My App"), Some(0));
        assert_eq!(results.string("appName", "The old text"), None);
        assert_eq!(results.string("gone", "My App"), None);
    }

    #[test]
    fn a_text_passes_once_its_checks_have_run() {
        let (snapshot, revisions) = (snapshot(), revisions());
        let tip = &*snapshot.components()[1];
        let results = TipResults::new(tip, &revisions);
        let german = results.language("de").unwrap();
        let own = |flags| TextContext {
            flags,
            ..TextContext::default()
        };
        assert_eq!(results.language("ja"), None);
        assert!(!results.passes(german, 0, "Etwas Text", own("")));
        let view = TranslationView {
            component: tip,
            translation: &tip.translations[german],
        };
        view.check_results(&Budget::unlimited());
        assert!(results.passes(german, 0, "Etwas Text", own("")));
        assert!(!results.passes(german, 0, "Ein anderer Text", own("")));
        assert!(!results.passes(german, 0, "Etwas Text", own("c-format")));
        assert!(!results.passes(german, 99, "Etwas Text", own("")));
    }

    #[test]
    fn numbers_are_those_of_a_file_with_its_template() {
        let (snapshot, revisions) = (snapshot(), revisions());
        let results = TipResults::new(&snapshot.components()[0], &revisions);
        let file = |template| FileVersion {
            language: "cs".into(),
            file: (BlobId([1; 20]), false),
            template: (BlobId([template; 20]), false),
            wording: None,
        };
        let counts = Counts {
            strings: 7,
            ..Counts::default()
        };
        results.keep(file(2), counts);
        assert_eq!(results.counts(&file(2)), Some(counts));
        assert_eq!(results.counts(&file(3)), None);
        // Other settings of checks, here those of a different format, give other numbers.
        let other = TipResults::new(&snapshot.components()[1], &revisions);
        assert_eq!(other.counts(&file(2)), None);
    }
}
