//! The API of current Weblate (docs/spec/current-api.md).

use gitglot_catalog::query::{Dialect, QueryError};
use gitglot_catalog::scan::Budget;
use gitglot_catalog::{
    ChangeView, ComponentSnapshot, Count, CurrentCount, CurrentState, Snapshot, Statistics,
    TranslationSnapshot, TranslationView, UnitView, current_counts, current_last_entry,
    cut_percent, exact_failures,
};
use gitglot_model::language::resolve_current;
use gitglot_model::{PersonId, Timestamp, UnitId, write_padded_checksum};

use super::{Api, Envelope, ShownLanguage, UnitValues};
use crate::apis::{DocumentFormat, PageSizes, Representations};
use crate::profile::Profile;
use crate::response::error::ApiError;
use crate::response::media_type::CURRENT_CONVERSIONS;
use crate::response::media_type::Representation::{CurrentCsv, Html, Json, JsonFlat, OpenMetrics};
use crate::schema::CurrentErrors;

/// [`Profile::Current`].
#[derive(Clone, Copy, Debug)]
pub(crate) enum Current {}

pub(super) const ENVELOPE: Envelope = Envelope {
    adds_slashes: false,
    has_suffixes: false,
    describes_unknown_paths: false,
    repeats_csv: true,
    has_accounts: true,
    has_own_headers: false,
    has_state_filters: false,
    documents: &[("schema/", DocumentFormat::Negotiated)],
    pages: [PageSizes::CURRENT, PageSizes::LARGE],
    representations: Representations {
        objects: &[Json, Html, CurrentCsv],
        lists: &[Json, Html, CurrentCsv],
        flat_lists: &[Json, Html, CurrentCsv, JsonFlat],
        metrics: &[Json, Html, CurrentCsv, OpenMetrics],
    },
    renders: br#"["application/json","text/html","text/csv"]"#,
    error_body: Some(ApiError::current_body),
    error_schema: CurrentErrors::object,
    more_conversions: CURRENT_CONVERSIONS,
};

impl Api for Current {
    const PROFILE: Profile = Profile::Current;
    const DIALECT: Dialect = Dialect::Current;
    const COUNTS_CURRENT_CHECKS: bool = true;

    fn query_error(error: &QueryError) -> ApiError {
        ApiError::invalid("q", error.in_weblate())
    }

    fn unit(snapshot: &Snapshot, id: UnitId) -> Option<UnitView<'_>> {
        snapshot.current_unit(id)
    }

    fn unit_count(snapshot: &Snapshot) -> usize {
        snapshot.current_unit_count()
    }

    fn units_from(snapshot: &Snapshot, rank: usize) -> impl Iterator<Item = UnitView<'_>> {
        snapshot.current_units_from(rank)
    }

    fn units_of(view: TranslationView<'_>, rank: usize) -> impl Iterator<Item = UnitView<'_>> {
        view.units_by_id(rank)
    }

    fn translation<'a>(of: &'a ComponentSnapshot, language: &str) -> Option<TranslationView<'a>> {
        of.translation_in_current(language)
    }

    fn translation_count(snapshot: &Snapshot) -> usize {
        snapshot.current_translation_count()
    }

    fn translations_from(
        snapshot: &Snapshot,
        rank: usize,
    ) -> impl Iterator<Item = TranslationView<'_>> {
        snapshot.current_translations_from(rank)
    }

    fn translations_of<'a>(
        snapshot: &'a Snapshot,
        component: &'a ComponentSnapshot,
    ) -> impl Iterator<Item = TranslationView<'a>> {
        snapshot.current_translations_of(component).into_iter()
    }

    fn components_of<'a>(snapshot: &'a Snapshot, project: &str) -> Vec<&'a ComponentSnapshot> {
        let mut components: Vec<_> = snapshot.components_of(project).map(|of| &**of).collect();
        components.sort_by_key(|of| of.component.id);
        components
    }

    fn is_locked(component: &ComponentSnapshot) -> bool {
        component.problems.iter().any(|problem| problem.broken)
    }

    fn languages(snapshot: &Snapshot) -> impl Iterator<Item = ShownLanguage<'_>> {
        snapshot.current_languages().map(ShownLanguage::from)
    }

    fn with_language<T>(
        snapshot: &Snapshot,
        code: &str,
        with: impl FnOnce(ShownLanguage<'_>) -> T,
    ) -> Option<T> {
        Some(with(snapshot.current_language(code)?.into()))
    }

    fn percent(part: u64, whole: u64, of_nothing: u32) -> u32 {
        cut_percent(part, whole, of_nothing)
    }

    fn language_of(translation: &TranslationSnapshot) -> ShownLanguage<'_> {
        translation.current_language().into()
    }

    fn with_source_language(_: &Snapshot, code: &str, with: impl FnOnce(ShownLanguage<'_>)) {
        with((&resolve_current(code)).into());
    }

    /// The results of the checks are known, see `RequestContext::with_checks`.
    fn counts(view: TranslationView<'_>) -> Statistics {
        let counts = current_counts(view, &Budget::unlimited());
        let count = |of: CurrentCount| Count {
            units: of.units,
            words: of.words,
        };
        Statistics {
            all: count(counts.all),
            translated: count(counts.translated),
            fuzzy: count(counts.fuzzy),
            failing: count(counts.failing),
        }
    }

    /// Also when the file or template was last read.
    fn last_change(view: TranslationView<'_>) -> Option<(Timestamp, PersonId)> {
        let entry = current_last_entry(view)?;
        let commit = view.component.log.commits.get(entry.commit as usize)?;
        Some((entry.time, commit.author))
    }

    fn unit_values<'a>(view: UnitView<'a>, budget: &Budget) -> UnitValues<'a> {
        let (id_hash, content_hash) = view.current_hashes();
        let state = view.current_state();
        UnitValues {
            id_hash,
            content_hash,
            context: view.current_context(),
            fuzzy: state.is_fuzzy(),
            translated: state >= CurrentState::Translated,
            fails: !exact_failures(view, budget).is_empty(),
            words: view.current_words(),
            source_forms: view.current_source(),
        }
    }

    fn write_checksum(out: &mut Vec<u8>, id_hash: i64) {
        write_padded_checksum(out, id_hash);
    }

    fn unit_of<'a>(view: ChangeView<'a>) -> Option<UnitView<'a>> {
        view.unit().and_then(UnitView::revised)
    }
}
