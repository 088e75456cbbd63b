//! The modern checks of the translations of a template: with what its texts and keys show
//! (docs/spec/checks.md#own-placeholders).

use std::sync::Arc;

use super::rows::SourceRow;
use super::translation::TranslationSnapshot;
use gitglot_checks::{CheckProfile, Checker, ComponentChecks, StringRole, TextRole};
use gitglot_history::TranslationState;
use gitglot_model::language::{has_single_form, resolve};
use gitglot_model::{FileFormat, KeySeparators, SeededMap, TextId, Texts};

/// What the modern checks of all translations of a template share.
#[derive(Debug)]
pub(super) struct TemplateChecks {
    pub(super) checker: Checker,
    /// What keys say, of those that say anything, by row.
    roles: Box<[(u32, StringRole)]>,
    /// The bilingual file of the source language: what people read in place of the source texts.
    wording: Option<Arc<TranslationState>>,
}

impl TemplateChecks {
    pub(super) fn new(
        checks: &ComponentChecks,
        format: FileFormat,
        sources: &[SourceRow],
        texts: &Texts,
        wording: Option<&Arc<TranslationState>>,
    ) -> Self {
        let checker = checks.of(CheckProfile::Current);
        let all = sources.iter().map(|source| texts.get(source.source));
        Self {
            checker: checker.for_template(all),
            roles: if format.shape().has_template() {
                roles(checks, format, sources, texts)
            } else {
                Box::default()
            },
            wording: wording.cloned(),
        }
    }

    /// What people read in place of the source of a string.
    pub(super) fn wording(&self, string: u32) -> Option<TextId> {
        let wording = self.wording.as_ref()?;
        let row = wording.unit_of(string)?;
        let unit = wording.units.get(row as usize)?;
        unit.translated().then(|| unit.target())
    }

    /// What the key of a string says about its text in a translation.
    pub(super) fn role(&self, translation: &TranslationSnapshot, string: u32) -> TextRole {
        let at = self.roles.binary_search_by_key(&string, |(row, _)| *row);
        let Some((_, role)) = at.ok().and_then(|at| self.roles.get(at)) else {
            return TextRole::default();
        };
        let is_translated = |string: u32| {
            let row = translation.unit_of(string);
            let unit = row.and_then(|row| translation.unit_row(row));
            unit.is_some_and(|unit| unit.translated() || unit.fuzzy())
        };
        role.in_file(|row| !has_single_form(&translation.file_code) || is_translated(row))
    }
}

/// The first readable file of the source language, if the files have their own source texts.
pub(super) fn wording_file<'a>(
    mut translations: impl Iterator<Item = &'a Arc<TranslationState>>,
    format: FileFormat,
    source_language: &str,
) -> Option<&'a Arc<TranslationState>> {
    let code = resolve(source_language).code;
    let is_source =
        |state: &&Arc<TranslationState>| state.blob.is_some() && state.language.code == code;
    translations.find(|state| !format.shape().has_template() && is_source(state))
}

fn roles(
    checks: &ComponentChecks,
    format: FileFormat,
    sources: &[SourceRow],
    texts: &Texts,
) -> Box<[(u32, StringRole)]> {
    let separators = (checks.settings().separators).or(KeySeparators::default());
    let keys = || sources.iter().map(|source| texts.get(source.context));
    let rows: SeededMap<&str, u32> = keys().zip(0..).collect();
    let row = |key: &str| rows.get(key).copied();
    let role = |key| StringRole::of(key, row, format, &separators);
    let has_role = |(_, role): &(u32, StringRole)| *role != StringRole::default();
    let roles = (0..).zip(keys().map(role));
    roles.filter(has_role).collect()
}
