//! One request as the operations see it: the snapshot it is answered from, its links, its page.

use std::ops::Range;
use std::sync::Arc;

use super::State;
use super::answer::Answer;
use super::errors::Failure;
use super::links::Links;
use super::paging::{Asked, Paging, envelope};
use super::python;
use super::reply::Reply;
use crate::catalog::{ComponentSnapshot, Snapshot, TranslationView};
use crate::model::Project;

/// What a body made of one object needs at first, in bytes.
const ONE: usize = 4 << 10;
/// What a page needs at first, in bytes.
const MANY: usize = 24 << 10;

/// A request, read.
#[derive(Clone)]
pub(super) struct Call {
    /// What the server was started with.
    pub(super) state: Arc<State>,
    /// The one snapshot that the answer is made from.
    pub(super) snapshot: Arc<Snapshot>,
    /// Where links point.
    pub(super) links: Links,
    /// The page asked for.
    pub(super) paging: Paging,
    /// The request, for page links.
    pub(super) asked: Asked,
    /// Blanks for each level of the body.
    pub(super) indent: usize,
    /// Whether a `format` is asked for, by suffix or parameter.
    pub(super) has_format: bool,
}

impl Call {
    /// An answer with what `write` writes, or why there is none.
    pub(super) fn found<T, D>(&self, object: Option<D>, write: impl FnOnce(&mut Vec<u8>, D)) -> Reply<T> {
        let Some(object) = object else { return self.failed(&Failure::NotFound) };
        let mut out = Vec::with_capacity(ONE);
        write(&mut out, object);
        Reply::new(Answer::json(out, self.indent))
    }

    /// A page of a list of `count` entries; `results` writes the array of those at the places given.
    pub(super) fn page<T>(&self, count: usize, results: impl FnOnce(&mut Vec<u8>, Range<usize>)) -> Reply<T> {
        let page = match self.paging.page(count) {
            Ok(page) => page,
            Err(failure) => return self.failed(&failure),
        };
        let mut out = Vec::with_capacity(MANY);
        envelope(&mut out, &self.asked, count, &page, results);
        Reply::new(Answer::json(out, self.indent))
    }

    /// An answer that says why there is none.
    pub(super) fn failed<T>(&self, failure: &Failure) -> Reply<T> {
        Reply::new(Answer::failure(failure, self.indent))
    }

    /// The project of that slug.
    pub(super) fn project(&self, project: &str) -> Option<&Arc<Project>> {
        self.snapshot.project(project)
    }

    /// The component of those slugs.
    pub(super) fn component(&self, project: &str, component: &str) -> Option<&ComponentSnapshot> {
        self.snapshot.component(project, component).map(|component| &**component)
    }

    /// The translation of those slugs and that language code.
    pub(super) fn translation(&self, project: &str, component: &str, language: &str) -> Option<TranslationView<'_>> {
        self.snapshot.translation(project, component, language)
    }
}

/// The number that a part of a path stands for.
pub(super) fn number(part: &str) -> Option<u32> {
    python::int(part).and_then(|id| id.try_into().ok())
}
