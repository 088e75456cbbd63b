//! The bodies as types, from which the OpenAPI document is made. Nothing is serialized through them: tests
//! compare the bodies that [`crate::api::views`] writes with the document, field by field and in order.

mod changes;
mod checks;
mod components;
mod languages;
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

use poem_openapi::Object;
use poem_openapi::types::{Example, ParseFromJSON, ToJSON, Type};

/// The reason of an error.
#[derive(Object)]
#[oai(example)]
pub(super) struct Detail {
    /// One sentence for people.
    detail: String,
}

impl Example for Detail {
    fn example() -> Self {
        Self {
            detail: "Not found.".into(),
        }
    }
}

/// One page of a list.
#[derive(Object)]
#[oai(example)]
pub(super) struct Page<T: Type + ParseFromJSON + ToJSON + Example> {
    /// How many entries the whole list has.
    count: i64,
    /// The next page, if there is one.
    next: Nullable<Link>,
    /// The page before, if there is one.
    previous: Nullable<Link>,
    /// The entries of this page.
    results: Vec<T>,
}

/// A body that is a list.
pub(super) trait Listed {
    /// The type of its entries.
    type Entry: Type;
}

impl<T: Type + ParseFromJSON + ToJSON + Example> Listed for Page<T> {
    type Entry = T;
}

impl<T: Type> Listed for Vec<T> {
    type Entry = T;
}

impl<T: Type + ParseFromJSON + ToJSON + Example> Example for Page<T> {
    fn example() -> Self {
        Self {
            count: 1,
            next: Nullable(None),
            previous: Nullable(None),
            results: vec![T::example()],
        }
    }
}

/// Declares the type of an object: its fields in their order, each with an example.
macro_rules! schema {
    (
        $(#[$doc:meta])*
        $name:ident { $($(#[$field_doc:meta])* $field:ident: $type:ty = $example:expr,)* }
    ) => {
        $(#[$doc])*
        #[derive(poem_openapi::Object)]
        #[oai(example)]
        pub(crate) struct $name {
            $($(#[$field_doc])* pub(super) $field: $type,)*
        }

        impl poem_openapi::types::Example for $name {
            fn example() -> Self {
                Self { $($field: $example,)* }
            }
        }
    };
}
use schema;

/// Declares a type twice: with the object that it belongs to, and without it for lists of that object.
macro_rules! with_and_without {
    (
        $(#[$doc:meta])* $with:ident, $without:ident,
        { $($(#[$before_doc:meta])* $before:ident: $before_type:ty = $before_example:expr,)* }
        $(#[$owner_doc:meta])* $owner:ident: $owner_type:ty,
        { $($(#[$after_doc:meta])* $after:ident: $after_type:ty = $after_example:expr,)* }
    ) => {
        schema! {
            $(#[$doc])* $with {
                $($(#[$before_doc])* $before: $before_type = $before_example,)*
                $(#[$owner_doc])* $owner: $owner_type = poem_openapi::types::Example::example(),
                $($(#[$after_doc])* $after: $after_type = $after_example,)*
            }
        }
        schema! {
            $(#[$doc])* $without {
                $($(#[$before_doc])* $before: $before_type = $before_example,)*
                $($(#[$after_doc])* $after: $after_type = $after_example,)*
            }
        }
    };
}
use with_and_without;
