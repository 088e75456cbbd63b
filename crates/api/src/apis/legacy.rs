//! The API of Weblate 3.4.

use std::borrow::Cow;

use gitglot_catalog::query::{Dialect, QueryError};
use gitglot_catalog::scan::Budget;
use gitglot_catalog::{
    ChangeView, ComponentSnapshot, Snapshot, Statistics, TranslationSnapshot, TranslationView,
    UnitView, percent,
};
use gitglot_model::language::resolve;
use gitglot_model::{PersonId, Timestamp, UnitId, write_checksum};

use super::{Api, Envelope, ShownLanguage, UnitValues};
use crate::apis::{DocumentFormat, PageSizes, Representations};
use crate::profile::Profile;
use crate::response::error::ApiError;
use crate::response::media_type::Representation::{self, Csv, Html, Json, NdJson, Parquet};
use crate::schema::Detail;

/// [`Profile::Legacy`].
#[derive(Clone, Copy, Debug)]
pub(crate) enum Legacy {}

const OBJECTS: &[Representation] = &[Json, Html];
const LISTS: &[Representation] = &[Json, Html, NdJson, Csv, Parquet];

pub(super) const ENVELOPE: Envelope = Envelope {
    adds_slashes: true,
    has_suffixes: true,
    describes_unknown_paths: true,
    repeats_csv: false,
    has_accounts: false,
    has_own_headers: true,
    has_state_filters: true,
    documents: &[
        ("openapi.json", DocumentFormat::Json),
        ("openapi.yaml", DocumentFormat::Yaml),
    ],
    pages: [PageSizes::LEGACY; 2],
    representations: Representations {
        objects: OBJECTS,
        lists: LISTS,
        flat_lists: LISTS,
        metrics: OBJECTS,
    },
    renders: br#"["application/json","text/html"]"#,
    error_body: None,
    error_schema: Detail::object,
    more_conversions: &[],
};

impl Api for Legacy {
    const PROFILE: Profile = Profile::Legacy;
    const DIALECT: Dialect = Dialect::Weblate34;
    const COUNTS_CURRENT_CHECKS: bool = false;

    fn query_error(error: &QueryError) -> ApiError {
        ApiError::BadFilter(format!("q: {error}"))
    }

    fn unit(snapshot: &Snapshot, id: UnitId) -> Option<UnitView<'_>> {
        snapshot.unit(id)
    }

    fn unit_count(snapshot: &Snapshot) -> usize {
        snapshot.unit_count()
    }

    fn units_from(snapshot: &Snapshot, rank: usize) -> impl Iterator<Item = UnitView<'_>> {
        snapshot.units_from(rank)
    }

    fn units_of(view: TranslationView<'_>, rank: usize) -> impl Iterator<Item = UnitView<'_>> {
        view.units_from(rank)
    }

    fn translation<'a>(of: &'a ComponentSnapshot, language: &str) -> Option<TranslationView<'a>> {
        of.translation_in(language)
    }

    fn translation_count(snapshot: &Snapshot) -> usize {
        snapshot.translation_count()
    }

    fn translations_from(
        snapshot: &Snapshot,
        rank: usize,
    ) -> impl Iterator<Item = TranslationView<'_>> {
        snapshot.translations_from(rank)
    }

    fn translations_of<'a>(
        _: &'a Snapshot,
        component: &'a ComponentSnapshot,
    ) -> impl Iterator<Item = TranslationView<'a>> {
        component.named()
    }

    fn components_of<'a>(snapshot: &'a Snapshot, project: &str) -> Vec<&'a ComponentSnapshot> {
        snapshot.components_of(project).map(|of| &**of).collect()
    }

    /// Locks of current Weblate show broken files; 3.4 does not know them.
    fn is_locked(_: &ComponentSnapshot) -> bool {
        false
    }

    fn languages(snapshot: &Snapshot) -> impl Iterator<Item = ShownLanguage<'_>> {
        snapshot.languages().iter().map(ShownLanguage::from)
    }

    fn with_language<T>(
        snapshot: &Snapshot,
        code: &str,
        with: impl FnOnce(ShownLanguage<'_>) -> T,
    ) -> Option<T> {
        let found = snapshot.language_or_source(code)?;
        Some(with((&found).into()))
    }

    fn percent(part: u64, whole: u64, of_nothing: u32) -> u32 {
        percent(part, whole, of_nothing)
    }

    fn language_of(translation: &TranslationSnapshot) -> ShownLanguage<'_> {
        (&translation.language).into()
    }

    fn with_source_language(snapshot: &Snapshot, code: &str, with: impl FnOnce(ShownLanguage<'_>)) {
        match snapshot.language(code) {
            Some(used) => with(used.into()),
            None => with((&resolve(code)).into()),
        }
    }

    fn counts(view: TranslationView<'_>) -> Statistics {
        view.translation.statistics
    }

    fn last_change(view: TranslationView<'_>) -> Option<(Timestamp, PersonId)> {
        view.translation.last_change
    }

    fn unit_values<'a>(view: UnitView<'a>, _: &Budget) -> UnitValues<'a> {
        let (unit, source) = (view.unit, view.source);
        UnitValues {
            id_hash: source.id_hash,
            content_hash: source.content_hash,
            context: view.component.texts.get(source.context),
            fuzzy: unit.fuzzy(),
            translated: unit.translated(),
            fails: unit.failing(),
            words: source.words,
            source_forms: Cow::Borrowed(&[]),
        }
    }

    fn write_checksum(out: &mut Vec<u8>, id_hash: i64) {
        write_checksum(out, id_hash);
    }

    fn unit_of<'a>(view: ChangeView<'a>) -> Option<UnitView<'a>> {
        view.unit()
    }
}
