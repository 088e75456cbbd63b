//! The response bodies as types, for the OpenAPI document. Nothing is serialized through them: tests compare the bodies
//! that [`crate::api::views`] writes with the document, field by field and in order. One definition for both would have to name the
//! arguments of each writer in the schema, which is longer than the two lists and harder to read.

mod changes;
mod checks;
mod components;
mod languages;
mod object;
mod projects;
mod revisions;
mod root;
mod screenshots;
mod sources;
mod translations;
mod units;
mod users;

pub(super) use changes::{Change, ChangeDetails};
pub(super) use checks::{ComponentDetails, FailingCheck, TranslationDetails};
pub(super) use components::{Component, Lock, Problem, Repository};
pub(super) use languages::Language;
pub(super) use object::{FieldSchema, Link, Nullable, ObjectSchema, Presence, Time, ValueKind};
pub(super) use projects::{LanguageStatistics, Project, ProjectRepository};
pub(super) use revisions::{ComparisonReport, RevisionInfo, RevisionTranslation, RevisionUnit};
pub(super) use root::{Metrics, Root};
pub(super) use screenshots::Screenshot;
pub(super) use sources::Source;
pub(super) use translations::{Translation, TranslationStatistics};
pub(super) use units::Unit;
pub(super) use users::User;

use object::schema;

schema! {
    /// An error.
    Detail {
        /// A human-readable sentence.
        detail: String = "Not found.",
    }
}
