//! Server-sent events: new entries of the change log, sent when they are published (`/api/events/`).
//!
//! A subscriber stores only the id of the last entry that it sent. When a snapshot is published, it reads the entries
//! after that id, one chunk at a time, and only when the connection accepts more: a slow client keeps neither texts nor
//! a snapshot in memory. A client that falls behind is disconnected and can resume from its last id.

use std::sync::Arc;
use std::{io, iter};

use futures_util::stream::{self, StreamExt};
use poem::Body;
use tokio::sync::{OwnedSemaphorePermit, watch};
use tokio::time::Instant;

use crate::access::Identity;
use crate::apis::Legacy;
use crate::encode::json::{int, object, optional, text};
use crate::links::Links;
use crate::request::context::RequestContext;
use crate::request::filters::{ChangeFilter, whole};
use crate::request::pagination::{RequestUrl, last};
use crate::response::error::ApiError;
use crate::state::ApiState;
use crate::views::{DetailedChanges, change};
use gitglot_catalog::{ChangeView, ComponentSnapshot, Snapshot};
use gitglot_model::ChangeId;

/// The delay before a client reconnects, in milliseconds.
const RETRY: u32 = 2_000;
/// The minimum size of a full chunk, in bytes.
const CHUNK: usize = 32 << 10;
/// The number of entries that a subscriber reads before it yields.
const MAX_ENTRIES: usize = 4096;
/// The header with the id of the last entry that a client received.
pub(super) const LAST_EVENT_ID: &str = "Last-Event-ID";

/// The requested events, as an endless body.
///
/// # Errors
/// [`ApiError::BadFilter`], [`ApiError::NotFound`] when a filter names an unknown object, [`ApiError::TooManyStreams`].
pub(super) fn listen(ctx: &RequestContext) -> Result<Body, ApiError> {
    ChangeFilter::read(&ctx.url, &ctx.snapshot)?;
    let scope = EventScope::read(&ctx.url);
    if !scope.exists(&ctx.snapshot) {
        return Err(ApiError::NotFound);
    }
    let newest = ctx.snapshot.last_change();
    let position = last_position(ctx)?;
    let is_foreign = |position: &StreamPosition| position.is_foreign(&ctx.snapshot);
    let is_foreign = position.as_ref().is_some_and(is_foreign);
    let last = position.filter(|_| !is_foreign);
    let last = last.map_or(newest, |position| position.change);
    let slot = ctx.state.streams.enter()?;
    let listener = Subscriber {
        news: ctx.state.published.listen(),
        closing: ctx.state.streams.closing.subscribe(),
        state: ctx.state.clone(),
        identity: ctx.identity.clone(),
        url: ctx.url.clone(),
        links: ctx.links.clone(),
        scope,
        details: ctx.details,
        last,
        behind_since: None,
        _slot: slot,
    };
    let first = first_chunk(&ctx.snapshot, last, is_foreign);
    let others = stream::unfold(listener, |mut listener| async move {
        let chunk = listener.next().await?;
        Some((chunk, listener))
    });
    let chunks = stream::iter([first]).chain(others);
    Ok(Body::from_bytes_stream(chunks.map(Ok::<_, io::Error>)))
}

/// The position of a client in a log: the last change that it received, and the ledger if it is known.
struct StreamPosition {
    change: ChangeId,
    ledger: Option<String>,
}

impl StreamPosition {
    /// Reads `ID` or `ID:LEDGER`.
    ///
    /// # Errors
    /// [`ApiError::BadFilter`].
    fn parse(name: &str, text: &str) -> Result<Self, ApiError> {
        let (id, ledger) = text
            .split_once(':')
            .map_or((text, None), |(id, ledger)| (id, Some(ledger.to_owned())));
        Ok(Self {
            change: ChangeId(whole(name, id)?),
            ledger,
        })
    }

    /// Whether a snapshot does not continue from here: it has a different ledger, or never assigned the id.
    fn is_foreign(&self, snapshot: &Snapshot) -> bool {
        let is_same = match (&self.ledger, snapshot.ledger()) {
            (Some(own), Some(ledger)) => own == ledger,
            _ => true,
        };
        !is_same || self.change > snapshot.last_change()
    }
}

/// The first message of a stream: where it starts, and the event `reset` if it cannot continue from the position of the
/// client (docs/spec/http.md#events).
fn first_chunk(snapshot: &Snapshot, last: ChangeId, is_reset: bool) -> Vec<u8> {
    let ledger = snapshot.ledger();
    let mut out = format!("retry: {RETRY}\n").into_bytes();
    for name in ["ledger"].into_iter().chain(is_reset.then_some("reset")) {
        write_event(&mut out, last, ledger, name, |out| {
            object!(out;
                "ledger" => optional(ledger, text),
                "newest" => int(snapshot.last_change().0),
            );
        });
    }
    out
}

/// Writes an event, whose `data` is one line. Its id is `ID:LEDGER`, or `ID` without a ledger.
fn write_event(
    out: &mut Vec<u8>,
    id: ChangeId,
    ledger: Option<&str>,
    name: &str,
    data: impl FnOnce(&mut Vec<u8>),
) {
    out.extend_from_slice(b"id: ");
    int(out, id.0);
    if let Some(ledger) = ledger {
        out.push(b':');
        out.extend_from_slice(ledger.as_bytes());
    }
    for part in ["\nevent: ", name, "\ndata: "] {
        out.extend_from_slice(part.as_bytes());
    }
    data(out);
    out.extend_from_slice(b"\n\n");
}

/// The position that the client sends. The header takes precedence: a browser that connects again sends it to the first
/// URL.
fn last_position(ctx: &RequestContext) -> Result<Option<StreamPosition>, ApiError> {
    let in_query = ctx.url.value("last_event_id");
    let mut sent = [
        (LAST_EVENT_ID, ctx.last_event_id.as_deref()),
        ("last_event_id", in_query.as_deref()),
    ]
    .into_iter();
    let first = sent.find_map(|(name, value)| Some((name, value.filter(|id| !id.is_empty())?)));
    let position = first.map(|(name, value)| StreamPosition::parse(name, value));
    position.transpose()
}

/// The requested part of the log.
struct EventScope {
    project: Option<String>,
    component: Option<String>,
    language: Option<String>,
}

impl EventScope {
    fn read(url: &RequestUrl) -> Self {
        let pairs = url.pairs();
        let value = |name| last(&pairs, name).map(str::to_owned);
        Self {
            project: value("project"),
            component: value("component"),
            language: value("language"),
        }
    }

    fn exists(&self, snapshot: &Snapshot) -> bool {
        let has_language = |of: &ComponentSnapshot, code: &str| {
            let mut translations = of.translations.iter();
            translations.any(|translation| *translation.language.code == *code)
        };
        let mut components = snapshot.components().iter();
        match (&self.project, &self.component, &self.language) {
            (None, None, None) => true,
            // It may have no components.
            (Some(project), None, None) => snapshot.project(project).is_some(),
            (.., language) => components.any(|of| {
                self.contains(of) && language.as_ref().is_none_or(|code| has_language(of, code))
            }),
        }
    }

    fn contains(&self, of: &ComponentSnapshot) -> bool {
        let (project, component) = (of.project.slug.as_str(), of.component.slug.as_str());
        self.project.as_ref().is_none_or(|own| own == project)
            && self.component.as_ref().is_none_or(|own| own == component)
    }

    fn wants(&self, view: ChangeView<'_>) -> bool {
        let language = self.language.as_deref();
        self.contains(view.component) && language.is_none_or(|code| view.language() == Some(code))
    }
}

struct Subscriber {
    state: Arc<ApiState>,
    identity: Identity,
    url: RequestUrl,
    links: Arc<Links>,
    scope: EventScope,
    /// Whether entries include their details.
    details: bool,
    /// The last entry that was sent or skipped.
    last: ChangeId,
    /// Since when there are unsent entries.
    behind_since: Option<Instant>,
    news: watch::Receiver<()>,
    closing: watch::Receiver<bool>,
    _slot: OwnedSemaphorePermit,
}

enum ReadOutcome {
    Chunk(Vec<u8>),
    /// No entry matches so far, but some are unread.
    Later,
    /// There are no more entries.
    Nothing,
}

impl Subscriber {
    /// Waits for the next chunk; `None` when the stream ends.
    async fn next(&mut self) -> Option<Vec<u8>> {
        let lag = self.state.streams.lag;
        if self.behind_since.is_some_and(|since| since.elapsed() > lag) {
            tracing::debug!("a client of the event stream fell behind and was disconnected");
            return None;
        }
        // News that the filter leaves out do not delay it.
        let heartbeat = tokio::time::sleep(self.state.streams.heartbeat);
        tokio::pin!(heartbeat);
        loop {
            if *self.closing.borrow() {
                return None;
            }
            let outcome = match self.state.published.load() {
                Some(all) => {
                    // The stream ends with the access of its reader.
                    let visible = self.state.access.visible(&self.identity, all).await;
                    let snapshot = visible.ok()?;
                    self.read(&snapshot)
                }
                None => ReadOutcome::Nothing,
            };
            match outcome {
                ReadOutcome::Chunk(chunk) => return Some(chunk),
                _ if heartbeat.is_elapsed() => return Some(b":\n\n".to_vec()),
                ReadOutcome::Later => tokio::task::yield_now().await,
                ReadOutcome::Nothing => tokio::select! {
                    // The state owns both senders, so they outlive this stream.
                    _ = self.closing.changed() => {}
                    _ = self.news.changed() => {}
                    () = &mut heartbeat => return Some(b":\n\n".to_vec()),
                },
            }
        }
    }

    /// Reads unsent entries from the current snapshot.
    fn read(&mut self, snapshot: &Snapshot) -> ReadOutcome {
        // The filter was valid before; the users and units that it names may exist only in this snapshot.
        let Ok(mut filter) = ChangeFilter::read(&self.url, snapshot) else {
            return ReadOutcome::Nothing;
        };
        filter.after(self.last);
        let log = snapshot.changes();
        let mut positions = filter.range(log);
        let mut chunk = Vec::new();
        let read = positions.by_ref().take(MAX_ENTRIES);
        for entry in read.filter_map(|at| log.get(at)) {
            self.last = entry.entry.id;
            let records = (0..).map_while(|index| entry.on_request(filter.on_request, index));
            for entry in iter::once(entry).chain(records) {
                if self.scope.wants(entry) && filter.matches(entry) {
                    self.write(&mut chunk, entry, snapshot.ledger());
                }
            }
            if chunk.len() >= CHUNK {
                break;
            }
        }
        let done = positions.is_empty();
        if done {
            self.last = self.last.max(snapshot.last_change());
            self.behind_since = None;
        } else {
            self.behind_since.get_or_insert_with(Instant::now);
        }
        match (chunk.is_empty(), done) {
            (false, _) => ReadOutcome::Chunk(chunk),
            (true, false) => ReadOutcome::Later,
            (true, true) => ReadOutcome::Nothing,
        }
    }

    fn write(&self, out: &mut Vec<u8>, entry: ChangeView<'_>, ledger: Option<&str>) {
        write_event(out, entry.entry.id, ledger, "change", |out| {
            if self.details {
                DetailedChanges::new(&self.links).write(out, entry)
            } else {
                change::<Legacy>(out, &self.links, entry, None)
            }
        });
    }
}

#[cfg(test)]
mod tests;
