//! One request as the operations see it: the snapshot it is answered from, its links, its page.

use std::ops::Range;
use std::sync::Arc;

use crate::api::State;
use crate::api::request::negotiate::Representation;
use crate::api::request::pagination::{Page, Pagination, RequestUrl, envelope};
use crate::api::request::python_int;
use crate::api::response::api_response::ApiResponse;
use crate::api::response::error::ApiError;
use crate::api::response::filter_cache::FilterCache;
use crate::api::response::links::Links;
use crate::api::response::list_stream::{Choose, ListWriter, Stream, Write, write_at};
use crate::api::response::payload::Reply;
use crate::catalog::{ComponentSnapshot, Snapshot, TranslationView};
use crate::model::Project;

/// What a body made of one object needs at first, in bytes.
const ONE: usize = 4 << 10;
/// What a page needs at first, in bytes.
const MANY: usize = 24 << 10;

/// A request, read.
#[derive(Clone)]
pub(in crate::api) struct RequestContext {
    /// What the server was started with.
    pub(in crate::api) state: Arc<State>,
    /// The one snapshot that the answer is made from.
    pub(in crate::api) snapshot: Arc<Snapshot>,
    /// Where links point.
    pub(in crate::api) links: Links,
    /// The page asked for.
    pub(in crate::api) pagination: Pagination,
    /// The request, for page links.
    pub(in crate::api) url: RequestUrl,
    /// What filters were found to want.
    pub(in crate::api) matches: Arc<FilterCache>,
    /// The form of the answer.
    pub(in crate::api) form: Representation,
    /// Blanks for each level of the body.
    pub(in crate::api) indent: usize,
    /// The `format` that is asked for, by suffix or parameter.
    pub(in crate::api) format: Option<String>,
}

impl RequestContext {
    /// An answer with what `write` writes, or why there is none.
    pub(in crate::api) fn found<T, D>(&self, object: Option<D>, write: impl FnOnce(&mut Vec<u8>, D)) -> Reply<T> {
        let Some(object) = object else { return self.failed(&ApiError::NotFound) };
        let mut out = Vec::with_capacity(ONE);
        write(&mut out, object);
        Reply::new(ApiResponse::json(out, self.indent))
    }

    /// A list of `count` entries: a page of it, or the whole, as the form has it. `write` writes those at some places.
    pub(in crate::api) fn list<T>(
        &self,
        count: usize,
        write: impl Fn(&Self, &mut ListWriter<'_>, Range<usize>) + Send + Sync + 'static,
    ) -> Reply<T> {
        match self.form {
            Representation::Json | Representation::Html => {
                self.page(count, |items, page| write(self, items, page.entries.clone()))
            }
            Representation::NdJson | Representation::Csv => self.stream(0..count, None, Arc::new(write)),
        }
    }

    /// As [`RequestContext::list`], but only of the entries that `choose` finds at the places given; `filter` tells filters of
    /// one list apart. Pages look through the list off the async threads.
    pub(in crate::api) async fn chosen<T>(
        &self,
        places: Range<usize>,
        filter: &str,
        choose: Choose,
        write: Write,
    ) -> Reply<T> {
        if matches!(self.form, Representation::NdJson | Representation::Csv) {
            return self.stream(places, Some(choose), write);
        }
        let filter = [&self.url.path, "?", filter].concat();
        let found = match self.matches.get(self.snapshot.generation(), &filter) {
            Some(found) => found,
            None => {
                let ctx = self.clone();
                let looked = tokio::task::spawn_blocking(move || {
                    let mut found = Vec::new();
                    choose(&ctx, places, &mut found);
                    Arc::<[u32]>::from(found)
                });
                let Ok(found) = looked.await else { return self.failed(&ApiError::Unreadable) };
                self.matches.put(self.snapshot.generation(), filter, found.clone());
                found
            }
        };
        self.page(found.len(), |items, page| {
            write_at(self, items, found.get(page.entries.clone()).unwrap_or_default(), &write);
        })
    }

    fn page<T>(&self, count: usize, results: impl FnOnce(&mut ListWriter<'_>, &Page)) -> Reply<T> {
        let page = match self.pagination.page(count) {
            Ok(page) => page,
            Err(failure) => return self.failed(&failure),
        };
        let mut out = Vec::with_capacity(MANY);
        envelope(&mut out, &self.url, count, &page, |out| {
            out.push(b'[');
            results(&mut ListWriter::new(out, Representation::Json, true), &page);
            out.push(b']');
        });
        Reply::new(ApiResponse::json(out, self.indent))
    }

    fn stream<T>(&self, places: Range<usize>, choose: Option<Choose>, write: Write) -> Reply<T> {
        let body = Stream::new(self.clone(), places, choose, write).into_body();
        Reply::new(ApiResponse::stream(self.form, body))
    }

    /// An array of all entries, as the form has it.
    pub(in crate::api) fn array<T>(
        &self,
        count: usize,
        write: impl Fn(&Self, &mut ListWriter<'_>, Range<usize>) + Send + Sync + 'static,
    ) -> Reply<T> {
        if matches!(self.form, Representation::NdJson | Representation::Csv) {
            return self.stream(0..count, None, Arc::new(write));
        }
        let mut out = b"[".to_vec();
        write(self, &mut ListWriter::new(&mut out, Representation::Json, true), 0..count);
        out.push(b']');
        Reply::new(ApiResponse::json(out, self.indent))
    }

    /// An answer that says why there is none.
    pub(in crate::api) fn failed<T>(&self, failure: &ApiError) -> Reply<T> {
        Reply::new(ApiResponse::error(failure, self.indent))
    }

    /// The project of that slug.
    pub(in crate::api) fn project(&self, project: &str) -> Option<&Arc<Project>> {
        self.snapshot.project(project)
    }

    /// The component of those slugs.
    pub(in crate::api) fn component(&self, project: &str, component: &str) -> Option<&ComponentSnapshot> {
        self.snapshot.component(project, component).map(|component| &**component)
    }

    /// The translation of those slugs and that language code.
    pub(in crate::api) fn translation(
        &self,
        project: &str,
        component: &str,
        language: &str,
    ) -> Option<TranslationView<'_>> {
        self.snapshot.translation(project, component, language)
    }
}

/// The number that a part of a path stands for.
pub(in crate::api) fn number(part: &str) -> Option<u32> {
    python_int::int(part).and_then(|id| id.try_into().ok())
}
