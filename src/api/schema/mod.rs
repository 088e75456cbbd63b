//! The bodies as types, from which the OpenAPI document is made. Nothing is serialized through them: tests hold
//! what [`super::bodies`] writes against the document, field by field and in order.

mod change;
mod kinds;
mod object;
mod statistics;
mod unit;

pub(super) use change::{Change, ChangeDetails, User};
pub(super) use kinds::{Link, Nullable, Time};
pub(super) use object::{Component, ComponentOfProject, Language, Project, Root, Translation, TranslationOfComponent};
pub(super) use statistics::{
    LanguageStatistics, Lock, Metrics, Problem, ProjectRepository, Repository, TranslationStatistics,
};
pub(super) use unit::{Screenshot, Source, Unit};

use poem_openapi::Object;
use poem_openapi::types::{Example, ParseFromJSON, ToJSON, Type};

/// Why there is no resource.
#[derive(Object)]
#[oai(example)]
pub(super) struct Detail {
    /// One sentence for people.
    detail: String,
}

impl Example for Detail {
    fn example() -> Self {
        Self { detail: "Not found.".into() }
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

impl<T: Type + ParseFromJSON + ToJSON + Example> Example for Page<T> {
    fn example() -> Self {
        Self { count: 1, next: Nullable(None), previous: Nullable(None), results: vec![T::example()] }
    }
}
