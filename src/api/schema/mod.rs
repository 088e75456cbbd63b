//! The response bodies as types, for the OpenAPI document. Nothing is serialized through them: tests compare the bodies that [`crate::api::views`] writes with the document, field by field and in order.

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
mod value_types;

pub(super) use changes::{Change, ChangeDetails};
pub(super) use checks::{ComponentDetails, FailingCheck, TranslationDetails};
pub(super) use components::{Component, ComponentOfProject, Lock, Problem, Repository};
pub(super) use languages::Language;
pub(super) use projects::{LanguageStatistics, Project, ProjectRepository};
pub(super) use revisions::{ComparisonReport, RevisionInfo, RevisionTranslation, RevisionUnit};
pub(super) use root::{Metrics, Root};
pub(super) use screenshots::Screenshot;
pub(super) use sources::Source;
pub(super) use translations::{Translation, TranslationOfComponent, TranslationStatistics};
pub(super) use units::Unit;
pub(super) use users::User;
pub(super) use value_types::{Link, Nullable, Time};

use std::borrow::Cow;
use std::marker::PhantomData;

pub(crate) use object::ObjectSchema;
use object::{FieldSchema, object_type, schema, with_and_without};
use poem_openapi::types::Type;

schema! {
    /// An error.
    Detail {
        /// A human-readable sentence.
        detail: String = "Not found.".into(),
    }
}

/// One page of a list.
pub(super) struct Page<T>(PhantomData<T>);

impl<T: ObjectSchema> ObjectSchema for Page<T> {
    const ABOUT: &'static str = "One page of a list.";
    const EXAMPLE: Self = Self(PhantomData);

    fn title() -> Cow<'static, str> {
        format!("Page_{}", T::title()).into()
    }

    fn fields() -> Vec<FieldSchema> {
        vec![
            FieldSchema::new::<i64>("count", "Number of entries in the whole list.", 1),
            FieldSchema::new::<Nullable<Link>>(
                "next",
                "URL of the next page, if there is one.",
                Nullable(None),
            ),
            FieldSchema::new::<Nullable<Link>>(
                "previous",
                "URL of the previous page, if there is one.",
                Nullable(None),
            ),
            FieldSchema::new::<Vec<T>>("results", "Entries of this page.", vec![T::EXAMPLE]),
        ]
    }
}

object_type!(Page<T: ObjectSchema>);

/// A body that is a list.
pub(super) trait Listed {
    /// The type of its entries.
    type Entry: Type;
}

impl<T: ObjectSchema> Listed for Page<T> {
    type Entry = T;
}

impl<T: Type> Listed for Vec<T> {
    type Entry = T;
}
