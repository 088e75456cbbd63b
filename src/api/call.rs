//! One request as the operations see it: the snapshot it is answered from, its links, its page.

use std::ops::Range;
use std::sync::Arc;

use super::State;
use super::answer::Answer;
use super::errors::Failure;
use super::links::Links;
use super::matches::Matches;
use super::negotiate::Form;
use super::paging::{Asked, Page, Paging, envelope};
use super::python;
use super::reply::Reply;
use super::rows::{Choose, Items, Stream, Write, write_at};
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
    /// What filters were found to want.
    pub(super) matches: Arc<Matches>,
    /// The form of the answer.
    pub(super) form: Form,
    /// Blanks for each level of the body.
    pub(super) indent: usize,
    /// The `format` that is asked for, by suffix or parameter.
    pub(super) format: Option<String>,
}

impl Call {
    /// An answer with what `write` writes, or why there is none.
    pub(super) fn found<T, D>(&self, object: Option<D>, write: impl FnOnce(&mut Vec<u8>, D)) -> Reply<T> {
        let Some(object) = object else { return self.failed(&Failure::NotFound) };
        let mut out = Vec::with_capacity(ONE);
        write(&mut out, object);
        Reply::new(Answer::json(out, self.indent))
    }

    /// A list of `count` entries: a page of it, or the whole, as the form has it. `write` writes those at some places.
    pub(super) fn list<T>(
        &self,
        count: usize,
        write: impl Fn(&Self, &mut Items<'_>, Range<usize>) + Send + Sync + 'static,
    ) -> Reply<T> {
        match self.form {
            Form::Json | Form::Browsable => self.page(count, |items, page| write(self, items, page.entries.clone())),
            Form::Lines | Form::Table => self.stream(0..count, None, Arc::new(write)),
        }
    }

    /// As [`Call::list`], but only of the entries that `choose` finds at the places given; `filter` tells filters of
    /// one list apart. Pages look through the list off the async threads.
    pub(super) async fn chosen<T>(&self, places: Range<usize>, filter: &str, choose: Choose, write: Write) -> Reply<T> {
        if matches!(self.form, Form::Lines | Form::Table) {
            return self.stream(places, Some(choose), write);
        }
        let filter = [&self.asked.path, "?", filter].concat();
        let found = match self.matches.get(&self.snapshot, &filter) {
            Some(found) => found,
            None => {
                let call = self.clone();
                let looked = tokio::task::spawn_blocking(move || {
                    let mut found = Vec::new();
                    choose(&call, places, &mut found);
                    Arc::<[u32]>::from(found)
                });
                let Ok(found) = looked.await else { return self.failed(&Failure::Unreadable) };
                self.matches.put(&self.snapshot, filter, found.clone());
                found
            }
        };
        self.page(found.len(), |items, page| {
            write_at(self, items, found.get(page.entries.clone()).unwrap_or_default(), &write);
        })
    }

    fn page<T>(&self, count: usize, results: impl FnOnce(&mut Items<'_>, &Page)) -> Reply<T> {
        let page = match self.paging.page(count) {
            Ok(page) => page,
            Err(failure) => return self.failed(&failure),
        };
        let mut out = Vec::with_capacity(MANY);
        envelope(&mut out, &self.asked, count, &page, |out| {
            out.push(b'[');
            results(&mut Items::new(out, Form::Json, true), &page);
            out.push(b']');
        });
        Reply::new(Answer::json(out, self.indent))
    }

    fn stream<T>(&self, places: Range<usize>, choose: Option<Choose>, write: Write) -> Reply<T> {
        let body = Stream::new(self.clone(), places, choose, write).into_body();
        Reply::new(Answer::stream(self.form, body))
    }

    /// An array of all entries, as the form has it.
    pub(super) fn array<T>(
        &self,
        count: usize,
        write: impl Fn(&Self, &mut Items<'_>, Range<usize>) + Send + Sync + 'static,
    ) -> Reply<T> {
        if matches!(self.form, Form::Lines | Form::Table) {
            return self.stream(0..count, None, Arc::new(write));
        }
        let mut out = b"[".to_vec();
        write(self, &mut Items::new(&mut out, Form::Json, true), 0..count);
        out.push(b']');
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
