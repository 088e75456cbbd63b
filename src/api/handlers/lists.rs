//! Lists: a page of a list, or the whole list as a stream (docs/spec/http.md#pagination).
//!
//! A handler gives the length of a list and writes the entries at given positions. A filtered list also has a
//! function that selects positions. Streams are written piece by piece while the client reads, so that a list of any
//! length takes the same memory.

use std::io;
use std::ops::Range;
use std::sync::Arc;

use futures_util::stream;
use poem::Body;

use crate::api::request::context::RequestContext;
use crate::api::request::pagination::{Page, envelope};
use crate::api::response::api_response::ApiResponse;
use crate::api::response::error::ApiError;
use crate::api::response::list_writer::ListWriter;
use crate::api::response::media_type::Representation;
use crate::api::response::payload::Reply;

/// Initial capacity of the body of a page, in bytes.
const PAGE_CAPACITY: usize = 24 << 10;
/// A piece of a stream is sent when it has this size, in bytes.
const PIECE: usize = 32 << 10;
/// Positions that are processed between two checks of the size.
const STEP: usize = 64;
/// Steps after which a stream yields to other tasks although it has nothing to send yet.
const STEPS_PER_TURN: usize = 64;

/// Writes the entries at some positions.
pub(super) type WriteEntries = Arc<dyn Fn(&RequestContext, &mut ListWriter<'_>, Range<usize>) + Send + Sync>;
/// Appends those of some positions whose entries a filter selects.
pub(super) type SelectEntries = Arc<dyn Fn(&RequestContext, Range<usize>, &mut Vec<u32>) + Send + Sync>;

/// A list of `count` entries.
pub(super) fn list<T>(
    ctx: &RequestContext,
    count: usize,
    write: impl Fn(&RequestContext, &mut ListWriter<'_>, Range<usize>) + Send + Sync + 'static,
) -> Reply<T> {
    match ctx.representation.is_whole_list() {
        true => stream(ctx, 0..count, None, Arc::new(write)),
        false => page(ctx, count, |items, page| write(ctx, items, page.entries.clone())),
    }
}

/// The entries of a list that `select` finds at some positions. `filter` identifies the filter. Pages search the list on
/// threads that may block.
pub(super) async fn filtered_list<T>(
    ctx: &RequestContext,
    positions: Range<usize>,
    filter: &str,
    select: SelectEntries,
    write: WriteEntries,
) -> Reply<T> {
    if ctx.representation.is_whole_list() {
        return stream(ctx, positions, Some(select), write);
    }
    let filter = [&ctx.url.path, "?", filter].concat();
    let found = match ctx.filter_cache.get(ctx.snapshot.generation(), &filter) {
        Some(found) => found,
        None => {
            let searched = ctx.clone();
            let search = tokio::task::spawn_blocking(move || {
                let mut found = Vec::new();
                select(&searched, positions, &mut found);
                Arc::<[u32]>::from(found)
            });
            let Ok(found) = search.await else { return ctx.failed(&ApiError::Unreadable) };
            ctx.filter_cache.put(ctx.snapshot.generation(), filter, found.clone());
            found
        }
    };
    page(ctx, found.len(), |items, page| {
        write_selected(ctx, items, found.get(page.entries.clone()).unwrap_or_default(), &write);
    })
}

/// An array of all entries, which is not paged.
pub(super) fn array<T>(
    ctx: &RequestContext,
    count: usize,
    write: impl Fn(&RequestContext, &mut ListWriter<'_>, Range<usize>) + Send + Sync + 'static,
) -> Reply<T> {
    if ctx.representation.is_whole_list() {
        return stream(ctx, 0..count, None, Arc::new(write));
    }
    let mut out = b"[".to_vec();
    write(ctx, &mut ListWriter::new(&mut out, Representation::Json, true), 0..count);
    out.push(b']');
    ctx.json(out)
}

fn page<T>(ctx: &RequestContext, count: usize, write: impl FnOnce(&mut ListWriter<'_>, &Page)) -> Reply<T> {
    let page = match ctx.pagination.page(count) {
        Ok(page) => page,
        Err(error) => return ctx.failed(&error),
    };
    let mut out = Vec::with_capacity(PAGE_CAPACITY);
    envelope(&mut out, &ctx.url, count, &page, |out| {
        out.push(b'[');
        write(&mut ListWriter::new(out, Representation::Json, true), &page);
        out.push(b']');
    });
    ctx.json(out)
}

fn stream<T>(
    ctx: &RequestContext,
    positions: Range<usize>,
    select: Option<SelectEntries>,
    write: WriteEntries,
) -> Reply<T> {
    let list = ListStream { ctx: ctx.clone(), positions, select, write, selected: Vec::new(), is_first: true };
    Reply::new(ApiResponse::list(ctx.representation, list.into_body()))
}

/// Writes the entries at single positions.
fn write_selected(ctx: &RequestContext, items: &mut ListWriter<'_>, selected: &[u32], write: &WriteEntries) {
    for run in selected.chunk_by(|before, after| before + 1 == *after) {
        if let (Some(&first), Some(&last)) = (run.first(), run.last()) {
            write(ctx, items, first as usize..last as usize + 1);
        }
    }
}

/// A whole list that is written while the client reads it.
struct ListStream {
    ctx: RequestContext,
    /// The positions that are not written yet.
    positions: Range<usize>,
    select: Option<SelectEntries>,
    write: WriteEntries,
    selected: Vec<u32>,
    is_first: bool,
}

/// The next part of a stream.
enum Next {
    Piece(Vec<u8>),
    /// Nothing was found yet.
    Pending,
    End,
}

impl ListStream {
    fn into_body(self) -> Body {
        Body::from_bytes_stream(stream::unfold(self, |mut stream| async move {
            loop {
                match stream.next() {
                    Next::Piece(piece) => return Some((Ok::<_, io::Error>(piece), stream)),
                    Next::Pending => tokio::task::yield_now().await,
                    Next::End => return None,
                }
            }
        }))
    }

    fn next(&mut self) -> Next {
        let mut piece = Vec::new();
        for _ in 0..STEPS_PER_TURN {
            if piece.len() >= PIECE || self.positions.is_empty() {
                break;
            }
            self.step(&mut piece);
        }
        match (piece.is_empty(), self.positions.is_empty()) {
            (false, _) => Next::Piece(piece),
            (true, false) => Next::Pending,
            (true, true) => Next::End,
        }
    }

    /// Appends the entries at the next positions to a piece.
    fn step(&mut self, piece: &mut Vec<u8>) {
        let positions = self.positions.start..self.positions.end.min(self.positions.start + STEP);
        self.positions.start = positions.end;
        let items = ListWriter::new(piece, self.ctx.representation, self.is_first);
        let mut items = items.with_csv_text(self.ctx.csv_text);
        match &self.select {
            None => (self.write)(&self.ctx, &mut items, positions),
            Some(select) => {
                self.selected.clear();
                select(&self.ctx, positions, &mut self.selected);
                write_selected(&self.ctx, &mut items, &self.selected, &self.write);
            }
        }
        self.is_first = items.is_first();
    }
}
