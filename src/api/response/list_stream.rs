//! The entries of a list, in whatever form: an array in a page, lines of JSON, or a table.
//!
//! Lines and tables hold the whole list. They are made piece by piece while the client reads, so a list of any
//! length takes the same memory.

use std::io;
use std::ops::Range;
use std::sync::Arc;

use futures_util::stream;
use serde_json::{Map, Value};

use crate::api::encode::csv;
use crate::api::request::context::RequestContext;
use crate::api::request::negotiate::Representation;

/// Size from which on a piece of a stream is sent, in bytes.
const PIECE: usize = 32 << 10;
/// Places that are looked at between two looks at the size of a piece.
const STEP: usize = 64;
/// Steps after which others get their turn, though nothing was found to be sent.
const PATIENCE: usize = 64;

/// Writes the entries of a list at some places.
pub(in crate::api) type Write = Arc<dyn Fn(&RequestContext, &mut ListWriter<'_>, Range<usize>) + Send + Sync>;
/// Adds to a list those of some places whose entries are wanted.
pub(in crate::api) type Choose = Arc<dyn Fn(&RequestContext, Range<usize>, &mut Vec<u32>) + Send + Sync>;

/// Where entries are written to, one after the other.
pub(in crate::api) struct ListWriter<'a> {
    out: &'a mut Vec<u8>,
    form: Representation,
    /// Whether none has been written yet.
    first: bool,
}

impl<'a> ListWriter<'a> {
    /// Entries go to `out` as the form has them; `first` unless some went there before.
    pub(in crate::api) fn new(out: &'a mut Vec<u8>, form: Representation, first: bool) -> Self {
        Self { out, form, first }
    }

    /// Writes entries, each by `write`.
    pub(in crate::api) fn each<I>(
        &mut self,
        items: impl IntoIterator<Item = I>,
        mut write: impl FnMut(&mut Vec<u8>, I),
    ) {
        for item in items {
            match self.form {
                Representation::Json | Representation::Html => {
                    if !self.first {
                        self.out.push(b',');
                    }
                    write(self.out, item);
                }
                Representation::NdJson => {
                    write(self.out, item);
                    self.out.push(b'\n');
                }
                Representation::Csv => {
                    let start = self.out.len();
                    write(self.out, item);
                    self.make_row(start);
                }
            }
            self.first = false;
        }
    }

    /// Turns the object from `start` on into a row, below the names of its fields when it is the first.
    fn make_row(&mut self, start: usize) {
        let object: Map<String, Value> =
            self.out.get(start..).map(serde_json::from_slice).and_then(Result::ok).unwrap_or_default();
        self.out.truncate(start);
        let mut rows = csv::plain(&mut *self.out);
        // Writing to memory cannot fail.
        if self.first {
            let _ = rows.write_record(object.keys());
        }
        let _ = csv::row(&mut rows, &object, object.keys().map(String::as_str));
    }
}

/// A whole list on its way.
pub(in crate::api) struct Stream {
    ctx: RequestContext,
    places: Range<usize>,
    choose: Option<Choose>,
    write: Write,
    chosen: Vec<u32>,
    /// Whether nothing has been written yet.
    first: bool,
}

/// What comes next of a stream.
enum Next {
    Piece(Vec<u8>),
    /// Nothing yet.
    Later,
    End,
}

impl Stream {
    /// The entries at those places that are wanted.
    pub(in crate::api) fn new(ctx: RequestContext, places: Range<usize>, choose: Option<Choose>, write: Write) -> Self {
        Self { ctx, places, choose, write, chosen: Vec::new(), first: true }
    }

    /// The body, for a client that reads it.
    pub(in crate::api) fn into_body(self) -> poem::Body {
        poem::Body::from_bytes_stream(stream::unfold(self, |mut stream| async move {
            loop {
                match stream.next() {
                    Next::Piece(piece) => return Some((Ok::<_, io::Error>(piece), stream)),
                    Next::Later => tokio::task::yield_now().await,
                    Next::End => return None,
                }
            }
        }))
    }

    fn next(&mut self) -> Next {
        let mut piece = Vec::new();
        for _ in 0..PATIENCE {
            if piece.len() >= PIECE || self.places.is_empty() {
                break;
            }
            self.step(&mut piece);
        }
        match (piece.is_empty(), self.places.is_empty()) {
            (false, _) => Next::Piece(piece),
            (true, false) => Next::Later,
            (true, true) => Next::End,
        }
    }

    /// Adds the entries at the next places to a piece.
    fn step(&mut self, piece: &mut Vec<u8>) {
        let places = self.places.start..self.places.end.min(self.places.start + STEP);
        self.places.start = places.end;
        let mut items = ListWriter::new(piece, self.ctx.form, self.first);
        match &self.choose {
            None => (self.write)(&self.ctx, &mut items, places),
            Some(choose) => {
                self.chosen.clear();
                choose(&self.ctx, places, &mut self.chosen);
                write_at(&self.ctx, &mut items, &self.chosen, &self.write);
            }
        }
        self.first = items.first;
    }
}

/// Writes the entries at single places.
pub(in crate::api) fn write_at(ctx: &RequestContext, items: &mut ListWriter<'_>, places: &[u32], write: &Write) {
    for run in places.chunk_by(|before, after| before + 1 == *after) {
        if let (Some(&first), Some(&last)) = (run.first(), run.last()) {
            write(ctx, items, first as usize..last as usize + 1);
        }
    }
}

/// How long a body is, in bytes; it is read and thrown away.
pub(in crate::api) async fn length(body: poem::Body) -> u64 {
    let mut reader = body.into_async_read();
    tokio::io::copy(&mut reader, &mut tokio::io::sink()).await.unwrap_or_default()
}
