//! Server-sent events: new entries of the change log, told while they are published (`/api/events/`).
//!
//! Whoever listens is a number, that of the last entry told. When a snapshot is published each looks into it for what
//! comes after that number, a piece at a time, and only when the connection takes more: a slow reader holds neither
//! texts nor a snapshot. One that does not keep up is cut off, and may go on where it stopped.

use std::sync::Arc;
use std::time::Duration;
use std::{io, iter};

use futures_util::stream;
use poem::Body;
use poem::http::HeaderMap;
use tokio::sync::{OwnedSemaphorePermit, Semaphore, watch};
use tokio::time::Instant;

use crate::api::State;
use crate::api::encode::json;
use crate::api::request::context::RequestContext;
use crate::api::request::filters::{ChangeFilter, whole};
use crate::api::request::pagination::{RequestUrl, last};
use crate::api::response::error::ApiError;
use crate::api::response::links::Links;
use crate::api::views::{DetailedChanges, change};
use crate::catalog::{ChangeView, Snapshot};
use crate::model::ChangeId;

/// Between two signs of life: below the minute after which proxies give a silent connection up.
const HEARTBEAT: Duration = Duration::from_secs(15);
/// Milliseconds after which a client is to connect again.
const RETRY: u32 = 2_000;
/// A reader that has not taken all there is for so long is cut off.
const LAG: Duration = Duration::from_secs(60);
/// Size from which on a piece is sent, in bytes.
const PIECE: usize = 32 << 10;
/// Entries that are looked at before others get their turn.
const LOOKS: usize = 4096;
/// The header in which a client says what it was told last.
const LAST_EVENT_ID: &str = "Last-Event-ID";

/// How many clients may listen, and the order to let them go. Copies are about the same clients.
#[derive(Clone, Debug)]
pub struct Streams {
    most: usize,
    places: Arc<Semaphore>,
    closing: watch::Sender<bool>,
    heartbeat: Duration,
    lag: Duration,
}

impl Streams {
    /// So many clients may listen at a time.
    pub fn new(most: usize) -> Self {
        let most = most.min(Semaphore::MAX_PERMITS);
        let (places, closing) = (Arc::new(Semaphore::new(most)), watch::Sender::new(false));
        Self { most, places, closing, heartbeat: HEARTBEAT, lag: LAG }
    }

    /// How many clients listen.
    pub fn open(&self) -> usize {
        self.most - self.places.available_permits()
    }

    /// How many may.
    pub fn most(&self) -> usize {
        self.most
    }

    /// Ends all streams, for good: the server is about to stop.
    pub fn close(&self) {
        self.closing.send_replace(true);
    }

    fn enter(&self) -> Result<OwnedSemaphorePermit, ApiError> {
        if *self.closing.borrow() {
            return Err(ApiError::TooManyStreams);
        }
        self.places.clone().try_acquire_owned().map_err(|_| ApiError::TooManyStreams)
    }
}

/// The events that a request asks for, as a body without an end.
///
/// # Errors
/// [`ApiError::BadFilter`], [`ApiError::NotFound`] when a filter names what is not there, [`ApiError::TooManyStreams`].
pub(super) fn listen(ctx: &RequestContext, headers: &HeaderMap) -> Result<Body, ApiError> {
    ChangeFilter::read(&ctx.url, &ctx.snapshot)?;
    let scope = Scope::read(&ctx.url);
    if !scope.is_there(&ctx.snapshot) {
        return Err(ApiError::NotFound);
    }
    let newest = ctx.snapshot.last_change();
    let position = last_position(&ctx.url, headers)?;
    let is_foreign = position.as_ref().is_some_and(|position| position.is_foreign(&ctx.snapshot));
    let last = position.filter(|_| !is_foreign).map_or(newest, |position| position.change);
    let place = ctx.state.streams.enter()?;
    let listener = Subscriber {
        news: ctx.state.published.listen(),
        closing: ctx.state.streams.closing.subscribe(),
        state: ctx.state.clone(),
        url: ctx.url.clone(),
        links: ctx.links.clone(),
        scope,
        details: ctx.details,
        last,
        greeting: Some(greeting(&ctx.snapshot, last, is_foreign)),
        behind_since: None,
        _place: place,
    };
    Ok(Body::from_bytes_stream(stream::unfold(listener, |mut listener| async move {
        let piece = listener.next().await?;
        Some((Ok::<_, io::Error>(piece), listener))
    })))
}

/// The position of a client in a log: the last change that it received, and the ledger if it is known.
struct Position {
    change: ChangeId,
    ledger: Option<String>,
}

impl Position {
    /// Reads `ID` or `ID:LEDGER`.
    ///
    /// # Errors
    /// [`ApiError::BadFilter`].
    fn parse(name: &str, text: &str) -> Result<Self, ApiError> {
        let (id, ledger) = text.split_once(':').map_or((text, None), |(id, ledger)| (id, Some(ledger.to_owned())));
        Ok(Self { change: ChangeId(whole(name, id)?), ledger })
    }

    /// Whether a snapshot does not continue from here: it has another ledger, or never assigned the id.
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
fn greeting(snapshot: &Snapshot, last: ChangeId, is_reset: bool) -> Vec<u8> {
    let mut out = format!("retry: {RETRY}\n").into_bytes();
    write_id(&mut out, last, snapshot.ledger());
    let mut data = b"{\"ledger\":".to_vec();
    json::optional_text(&mut data, snapshot.ledger());
    data.extend_from_slice(b",\"newest\":");
    json::int(&mut data, snapshot.last_change().0);
    data.push(b'}');
    out.extend_from_slice(b"event: ledger\ndata: ");
    out.extend_from_slice(&data);
    out.extend_from_slice(b"\n\n");
    if is_reset {
        write_id(&mut out, last, snapshot.ledger());
        out.extend_from_slice(b"event: reset\ndata: ");
        out.extend_from_slice(&data);
        out.extend_from_slice(b"\n\n");
    }
    out
}

/// Writes the line with the id of an event: `ID:LEDGER`, or `ID` without a ledger.
fn write_id(out: &mut Vec<u8>, id: ChangeId, ledger: Option<&str>) {
    out.extend_from_slice(b"id: ");
    json::int(out, id.0);
    if let Some(ledger) = ledger {
        out.push(b':');
        out.extend_from_slice(ledger.as_bytes());
    }
    out.push(b'\n');
}

/// The position that the client sends. The header takes precedence: a browser that connects again sends it to the first
/// URL.
fn last_position(url: &RequestUrl, headers: &HeaderMap) -> Result<Option<Position>, ApiError> {
    let read = |name, value: &str| match value {
        "" => Ok(None),
        value => Position::parse(name, value).map(Some),
    };
    let said = headers.get(LAST_EVENT_ID).map(|value| value.to_str().unwrap_or("?"));
    if let Some(id) = read(LAST_EVENT_ID, said.unwrap_or_default())? {
        return Ok(Some(id));
    }
    let name = "last_event_id";
    read(name, &url.value(name).unwrap_or_default())
}

/// Which part of the log is wanted.
struct Scope {
    project: Option<String>,
    component: Option<String>,
    language: Option<String>,
}

impl Scope {
    fn read(url: &RequestUrl) -> Self {
        let pairs = url.pairs();
        let value = |name| last(&pairs, name).map(str::to_owned);
        Self { project: value("project"), component: value("component"), language: value("language") }
    }

    /// Whether there is what it names.
    fn is_there(&self, snapshot: &Snapshot) -> bool {
        if let Some(code) = &self.language {
            let mut translations = snapshot.translations_from(0);
            return translations.any(|view| {
                self.holds(view.component.project.slug.as_str(), view.component.component.slug.as_str())
                    && *view.translation.language.code == **code
            });
        }
        if self.component.is_some() {
            let mut components = snapshot.components().iter();
            return components.any(|of| self.holds(of.project.slug.as_str(), of.component.slug.as_str()));
        }
        self.project.as_ref().is_none_or(|project| snapshot.project(project).is_some())
    }

    fn holds(&self, project: &str, component: &str) -> bool {
        self.project.as_ref().is_none_or(|wanted| wanted == project)
            && self.component.as_ref().is_none_or(|wanted| wanted == component)
    }

    fn wants(&self, view: ChangeView<'_>) -> bool {
        self.holds(view.component.project.slug.as_str(), view.component.component.slug.as_str())
            && self.language.as_ref().is_none_or(|code| view.language() == Some(code))
    }
}

/// A client that listens.
struct Subscriber {
    state: Arc<State>,
    url: RequestUrl,
    links: Links,
    scope: Scope,
    /// Whether entries include their details.
    details: bool,
    /// The last entry that was told or passed over.
    last: ChangeId,
    /// The first piece, until it is sent.
    greeting: Option<Vec<u8>>,
    /// Since when there is more than was taken.
    behind_since: Option<Instant>,
    news: watch::Receiver<()>,
    closing: watch::Receiver<bool>,
    _place: OwnedSemaphorePermit,
}

/// What comes next.
enum Next {
    Piece(Vec<u8>),
    /// Nothing was found, but not everything was looked at.
    Later,
    /// Everything was told.
    Nothing,
}

impl Subscriber {
    /// The next piece, as soon as there is one; `None` when the client is let go.
    async fn next(&mut self) -> Option<Vec<u8>> {
        if let Some(greeting) = self.greeting.take() {
            return Some(greeting);
        }
        if self.behind_since.is_some_and(|since| since.elapsed() > self.state.streams.lag) {
            tracing::debug!("a client that listens to events did not keep up and was cut off");
            return None;
        }
        loop {
            if *self.closing.borrow() {
                return None;
            }
            match self.look() {
                Next::Piece(piece) => return Some(piece),
                Next::Later => tokio::task::yield_now().await,
                Next::Nothing => tokio::select! {
                    // Neither sender ends before this does: both are kept by the state.
                    _ = self.closing.changed() => {}
                    _ = self.news.changed() => {}
                    () = tokio::time::sleep(self.state.streams.heartbeat) => return Some(b":\n\n".to_vec()),
                },
            }
        }
    }

    /// Looks into the present snapshot for what was not told yet.
    fn look(&mut self) -> Next {
        let Some(snapshot) = self.state.published.load() else { return Next::Nothing };
        // It was read before; users and units that it names may have come meanwhile.
        let Ok(mut filter) = ChangeFilter::read(&self.url, &snapshot) else { return Next::Nothing };
        filter.after(self.last);
        let log = snapshot.changes();
        let mut places = filter.range(log);
        let mut piece = Vec::new();
        for entry in places.by_ref().take(LOOKS).filter_map(|at| log.get(at)) {
            self.last = entry.entry.id;
            let removals = (0..).map_while(|index| entry.removal(index)).take_while(|_| filter.includes_removed());
            for entry in iter::once(entry).chain(removals) {
                if self.scope.wants(entry) && filter.matches(entry) {
                    self.write(&mut piece, entry, snapshot.ledger());
                }
            }
            if piece.len() >= PIECE {
                break;
            }
        }
        let done = places.is_empty();
        if done {
            self.last = self.last.max(snapshot.last_change());
            self.behind_since = None;
        } else {
            self.behind_since.get_or_insert_with(Instant::now);
        }
        match (piece.is_empty(), done) {
            (false, _) => Next::Piece(piece),
            (true, false) => Next::Later,
            (true, true) => Next::Nothing,
        }
    }

    fn write(&self, out: &mut Vec<u8>, entry: ChangeView<'_>, ledger: Option<&str>) {
        write_id(out, entry.entry.id, ledger);
        // The body is one line: texts have their line ends escaped.
        out.extend_from_slice(b"event: change\ndata: ");
        match self.details {
            true => DetailedChanges::new(&self.links).write(out, entry),
            false => change(out, &self.links, entry),
        }
        out.extend_from_slice(b"\n\n");
    }
}

#[cfg(test)]
mod tests;
