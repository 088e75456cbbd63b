//! Lists: a page of a list, or the whole list as a stream (docs/spec/http.md#pagination).
//!
//! A handler provides the length of a list and a function that writes the entries at some positions. A filtered list also has a
//! function that selects positions; it runs as a scan ([`gitglot_catalog::scan`]). Streams are written in chunks while the
//! client reads, so that a list of any length takes the same memory.

use std::io;
use std::ops::Range;
use std::sync::Arc;

use futures_util::stream;
use poem::Body;

use crate::request::context::{Reply, RequestContext};
use crate::request::pagination::envelope;
use crate::response::api_response::ApiResponse;
use crate::response::error::ApiError;
use crate::response::media_type::Representation;
use crate::table::{Table, TableEncoder};
use gitglot_catalog::scan::{Budget, ScanPermit};

/// Initial capacity of the body of a page for each entry, in bytes: most entries need less. A body that grows is copied,
/// and leaves the allocator with buffers of all sizes that it had.
const ENTRY_CAPACITY: usize = 1200;
/// The most entries for which capacity is reserved.
const RESERVED_ENTRIES: usize = 1000;
/// Target size of a chunk, in bytes.
const CHUNK: usize = 64 << 10;
/// Pages with more entries than this are written outside the async threads.
const LARGE_PAGE: usize = 100;
/// Positions that are written between two checks of the size.
const STEP: usize = 64;
/// Maximum number of steps per chunk.
const MAX_STEPS: usize = 64;

/// Writes the entries at some positions.
pub(crate) type WriteEntries =
    Arc<dyn Fn(&RequestContext, &mut ListWriter<'_>, Range<usize>) + Send + Sync>;

/// A list of `count` entries.
pub(crate) async fn list(
    ctx: &RequestContext,
    count: usize,
    write: impl Fn(&RequestContext, &mut ListWriter<'_>, Range<usize>) + Send + Sync + 'static,
) -> Reply {
    respond(ctx, Entries::All(count), Arc::new(write)).await
}

/// The entries of a list at the positions that `select` finds. `filter` identifies the filter.
pub(crate) async fn filtered_list(
    ctx: &RequestContext,
    filter: &str,
    select: impl FnOnce(&RequestContext, &Budget) -> Vec<u32> + Send + 'static,
    write: WriteEntries,
) -> Reply {
    let restriction = ctx.snapshot.restriction().to_string();
    let filter = [&restriction, &ctx.url.path, "?", filter].concat();
    let key = (ctx.snapshot.generation(), filter);
    let found = match ctx.filter_cache.get(&key) {
        Some(found) => found,
        None => {
            let searched = ctx.clone();
            let search = ctx.scan(move |budget| {
                // The same search may have ended while this one was queued.
                if let Some(found) = searched.filter_cache.get(&key) {
                    return found;
                }
                let found = Arc::<[u32]>::from(select(&searched, budget));
                if budget.exhausted().is_none() {
                    searched.filter_cache.put(key, found.clone());
                }
                found
            });
            search.await?
        }
    };
    respond(ctx, Entries::Selected(found), write).await
}

/// An array of all entries, which is not paged.
pub(crate) async fn array(
    ctx: &RequestContext,
    count: usize,
    write: impl Fn(&RequestContext, &mut ListWriter<'_>, Range<usize>) + Send + Sync + 'static,
) -> Reply {
    if ctx.representation.is_whole_list() {
        return stream(ctx, Entries::All(count), Arc::new(write));
    }
    let written = write_json(ctx, count, move |ctx, out| {
        out.push(b'[');
        write(ctx, &mut ListWriter::array(out), 0..count);
        out.push(b']');
    });
    written.await
}

/// A page of a list, or all of it.
async fn respond(ctx: &RequestContext, entries: Entries, write: WriteEntries) -> Reply {
    if ctx.representation.is_whole_list() {
        return stream(ctx, entries, write);
    }
    let page = ctx.pagination.page(entries.len())?;
    let written = write_json(ctx, page.entries.len(), move |ctx, out| {
        envelope(out, &ctx.url, entries.len(), &page, |out| {
            out.extend_from_slice(b"\"results\":[");
            let items = &mut ListWriter::array(out);
            entries.write(ctx, items, page.entries.clone(), &write);
            out.extend_from_slice(b"]}");
        });
    });
    written.await
}

/// Writes a body with this number of entries; a large one outside the async threads.
async fn write_json(
    ctx: &RequestContext,
    entries: usize,
    write: impl FnOnce(&RequestContext, &mut Vec<u8>) + Send + 'static,
) -> Reply {
    // One more for the rest of the body.
    let reserved = entries.min(RESERVED_ENTRIES) + 1;
    let mut out = Vec::with_capacity(reserved * ENTRY_CAPACITY);
    let finished = |out: Vec<u8>| {
        if is_too_long(&out) {
            Err(ApiError::PageTooLarge)
        } else {
            Ok(ApiResponse::json(out, ctx.indent))
        }
    };
    if entries <= LARGE_PAGE {
        write(ctx, &mut out);
        return finished(out);
    }
    let own = ctx.clone();
    let written = ctx.state.scans.run_short(move || {
        write(&own, &mut out);
        out
    });
    finished(written.await.map_err(|refused| ctx.refused(refused))?)
}

fn stream(ctx: &RequestContext, entries: Entries, write: WriteEntries) -> Reply {
    let table = ctx.representation.is_table().then(|| table(ctx));
    let table = table.transpose().map_err(|_| ApiError::Unreadable)?;
    let is_parquet = ctx.representation == Representation::Parquet;
    let permit = is_parquet.then(|| ctx.state.scans.admit_export());
    let permit = permit.transpose().map_err(|refused| ctx.refused(refused))?;
    let list = ListStream {
        _permit: permit,
        ctx: ctx.clone(),
        rest: 0..entries.len(),
        entries,
        write,
        table,
        is_finished: false,
    };
    let response = ApiResponse::list(ctx.representation, list.into_body());
    Ok(if is_parquet {
        response.with_disposition(&file_name(ctx))
    } else {
        response
    })
}

/// The `Content-Disposition` of a list, which names it like the last segment of its path.
fn file_name(ctx: &RequestContext) -> String {
    let path = ctx.url.path.trim_end_matches('/');
    let name = path.rsplit('/').next().unwrap_or_default();
    let name = name.split('.').next().unwrap_or_default();
    format!("attachment; filename={name}.parquet")
}

/// The encoder of a table of the entries.
fn table(ctx: &RequestContext) -> io::Result<TableEncoder> {
    let ledger = ctx.snapshot.ledger().unwrap_or_default().to_owned();
    let entry = ctx.entry.ok_or(io::ErrorKind::Unsupported)?;
    let table = Table::of(&entry(), ctx.details);
    let properties = &[("gitglot.ledger", ledger)];
    TableEncoder::new(table, ctx.representation, ctx.csv_text, properties)
}

/// A whole list that is written while the client reads it.
struct ListStream {
    _permit: Option<ScanPermit>,
    ctx: RequestContext,
    entries: Entries,
    /// Which of the entries are not written yet.
    rest: Range<usize>,
    write: WriteEntries,
    /// Encodes entries as rows.
    table: Option<TableEncoder>,
    is_finished: bool,
}

enum Entries {
    /// This number of entries.
    All(usize),
    /// Those at these positions.
    Selected(Arc<[u32]>),
}

impl Entries {
    fn len(&self) -> usize {
        match self {
            Self::All(count) => *count,
            Self::Selected(positions) => positions.len(),
        }
    }

    /// Writes some of them.
    fn write(
        &self,
        ctx: &RequestContext,
        items: &mut ListWriter<'_>,
        range: Range<usize>,
        write: &WriteEntries,
    ) {
        match self {
            Self::All(_) => write(ctx, items, range),
            Self::Selected(positions) => {
                let selected = positions.get(range).unwrap_or_default();
                for run in selected.chunk_by(|before, after| before + 1 == *after) {
                    if let (Some(&first), Some(&last)) = (run.first(), run.last()) {
                        write(ctx, items, first as usize..last as usize + 1);
                    }
                }
            }
        }
    }
}

impl ListStream {
    /// The body. Its chunks are written outside the async threads.
    fn into_body(self) -> Body {
        // An error cuts the connection, so that the client does not take the list for complete.
        Body::from_bytes_stream(stream::try_unfold(self, |mut list| async move {
            while !list.is_finished {
                let scans = list.ctx.state.scans.clone();
                let written = scans.run_short(move || (list.chunk(), list)).await;
                let (chunk, same) = written.map_err(io::Error::other)?;
                list = same;
                let chunk = chunk?;
                if !chunk.is_empty() {
                    return Ok(Some((chunk, list)));
                }
            }
            Ok::<_, io::Error>(None)
        }))
    }

    /// The next part of the list. It can be empty: rows of tables are buffered.
    fn chunk(&mut self) -> io::Result<Vec<u8>> {
        let mut chunk = Vec::with_capacity(CHUNK + CHUNK / 4);
        for _ in 0..MAX_STEPS {
            if chunk.len() >= CHUNK || self.rest.is_empty() {
                break;
            }
            let next = self.rest.start..self.rest.end.min(self.rest.start + STEP);
            self.rest.start = next.end;
            let mut items = ListWriter::whole_list(&mut chunk, self.table.as_mut());
            self.entries.write(&self.ctx, &mut items, next, &self.write);
            if let Some(table) = &mut self.table {
                table.drain(&mut chunk, false)?;
            }
        }
        if self.rest.is_empty() {
            self.is_finished = true;
            if let Some(table) = &mut self.table {
                table.drain(&mut chunk, true)?;
            }
        }
        Ok(chunk)
    }
}

/// The longest body of a page of a list, in bytes. A page has up to 1,000 entries, whose texts can be long.
const MAX_PAGE: usize = 32 << 20;

/// Whether a body is too long for a page. It is then incomplete.
pub(crate) fn is_too_long(body: &[u8]) -> bool {
    body.len() > MAX_PAGE
}

/// Writes the entries of a list one after the other.
pub(crate) struct ListWriter<'a> {
    out: &'a mut Vec<u8>,
    form: ListForm<'a>,
}

/// The form of the entries.
enum ListForm<'a> {
    /// Elements of an array.
    Array { is_first: bool },
    /// One object per line.
    Lines,
    /// Rows, which the encoder buffers.
    Rows(&'a mut TableEncoder),
}

impl<'a> ListWriter<'a> {
    /// A writer that appends elements of an array to `out`, from the first one on.
    pub(crate) fn array(out: &'a mut Vec<u8>) -> Self {
        let form = ListForm::Array { is_first: true };
        Self { out, form }
    }

    /// A writer that appends lines to `out`, or rows to `table` if there is one.
    pub(crate) fn whole_list(out: &'a mut Vec<u8>, table: Option<&'a mut TableEncoder>) -> Self {
        let form = table.map_or(ListForm::Lines, ListForm::Rows);
        Self { out, form }
    }

    /// Writes entries as JSON objects with `write`, and converts them. An array ends early if the body [is too
    /// long](is_too_long).
    pub(crate) fn each<I>(
        &mut self,
        items: impl IntoIterator<Item = I>,
        mut write: impl FnMut(&mut Vec<u8>, I),
    ) {
        for item in items {
            match &mut self.form {
                ListForm::Array { .. } if is_too_long(self.out) => return,
                ListForm::Array { is_first } => {
                    if !std::mem::replace(is_first, false) {
                        self.out.push(b',');
                    }
                    write(self.out, item);
                }
                ListForm::Lines => {
                    write(self.out, item);
                    self.out.push(b'\n');
                }
                ListForm::Rows(table) => table.add(|object| write(object, item)),
            }
        }
    }
}
