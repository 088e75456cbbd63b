//! One connection: hyper's HTTP/1.1 in front of the endpoint, and the watch over its time.

use std::convert::Infallible;
use std::future::poll_fn;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll};
use std::time::Duration;

use http_body_util::BodyExt;
use hyper::body::{Body as HttpBody, Frame, Incoming, SizeHint};
use hyper::server::conn::http1;
use hyper_util::rt::TokioIo;
use poem::http::{StatusCode, header, uri::Scheme};
use poem::web::{LocalAddr, RemoteAddr};
use poem::{Body, Endpoint, Request, RequestParts, Response};
#[cfg(any(target_os = "linux", target_os = "android"))]
use socket2::SockRef;
use tokio::net::TcpStream;
use tokio::sync::Notify;
use tokio::time::Instant;

use super::Limits;
use super::pulse::{Phase, Pulse, Wire};

type PoemBody = http_body_util::combinators::BoxBody<hyper::body::Bytes, io::Error>;

/// Bytes hyper may buffer of what comes in, beyond what an endpoint has taken.
const READ_BUFFER: usize = 64 * 1024;

/// How long a connection whose last answer is out stays for a client that still sends.
const LINGER_TIME: Duration = Duration::from_secs(2);

/// The order to stop, for every connection of the server.
#[derive(Debug, Default)]
pub(super) struct Stop {
    given: AtomicBool,
    notify: Notify,
}

impl Stop {
    /// Tells all connections to end after the request they are at.
    pub(super) fn give(&self) {
        self.given.store(true, Ordering::Release);
        self.notify.notify_waiters();
    }
}

/// hyper's settings that follow from `limits`.
pub(super) fn protocol(limits: &Limits) -> http1::Builder {
    let mut builder = http1::Builder::new();
    builder
        // A head and a body leave in one system call without being copied into one buffer.
        .writev(true)
        .max_header_size(limits.header_size)
        .max_buf_size(READ_BUFFER.max(limits.header_size))
        // The watch below keeps this time; hyper's own costs a timer per request.
        .header_read_timeout(None);
    builder
}

/// Serves the requests of one connection, one after the other, until the client or a limit
/// ends it or `stop` is given.
pub(super) async fn run<E: Endpoint + 'static>(
    protocol: &http1::Builder,
    endpoint: Arc<E>,
    stream: TcpStream,
    limits: &Limits,
    stop: &Stop,
) {
    let (Ok(local), Ok(remote)) = (stream.local_addr(), stream.peer_addr()) else {
        return; // the client is gone already
    };
    let _ = stream.set_nodelay(true); // only slower without
    notice_death(&stream, limits.stall_time);
    let pulse = Arc::new(Pulse::new());
    // One shared value for the connection: its counter stays on this core, the endpoint's would
    // travel between all of them with every request.
    let link = Arc::new(Link {
        endpoint,
        pulse: pulse.clone(),
        local: LocalAddr(local.into()),
        remote: RemoteAddr(remote.into()),
        body_size: limits.body_size,
    });
    let service = hyper::service::service_fn(|request| {
        link.pulse.request_begins();
        let turn = Turn(link.clone());
        // Made anew for each request: then all connections use the same memory, which stays in the core's cache. Kept
        // with its connection it would be cold each time, when there are hundreds.
        Box::pin(async move { Ok::<_, Infallible>(turn.answer(request).await) })
    });
    let wire = TokioIo::new(Wire::new(stream, pulse.clone()));
    watch(protocol.serve_connection(wire, service), &pulse, limits, stop).await;
}

/// Lets the system give a connection up when what was sent is not acknowledged for twice that time; else it tries for a
/// quarter of an hour. Small writes, such as events, stall no other way when the client's machine is gone.
fn notice_death(stream: &TcpStream, time: Duration) {
    #[cfg(any(target_os = "linux", target_os = "android"))]
    let _ = SockRef::from(stream).set_tcp_user_timeout(Some(time.saturating_mul(2))); // only later without
    #[cfg(not(any(target_os = "linux", target_os = "android")))]
    let _ = (stream, time);
}

/// Drives a connection and ends it when a phase takes longer than its limit.
async fn watch<S>(connection: http1::Connection<TokioIo<Wire>, S>, pulse: &Pulse, limits: &Limits, stop: &Stop)
where
    S: hyper::service::HttpService<Incoming>,
    S::Error: Into<Box<dyn std::error::Error + Send + Sync>>,
    S::ResBody: 'static,
    <S::ResBody as HttpBody>::Error: Into<Box<dyn std::error::Error + Send + Sync>>,
{
    let mut connection = pin!(connection);
    let mut stopped = pin!(stop.notify.notified());
    let mut listening = false;
    let mut stopping = false;

    let mut since = Instant::now();
    let mut beat = pulse.beat();
    let mut alarm = pin!(tokio::time::sleep_until(since + limits.header_time));

    poll_fn(|context| {
        // The task's waker stays the same, so listening once is enough; later turns ask the flag.
        if !listening {
            listening = true;
            let _ = stopped.as_mut().poll(context);
        }
        if !stopping && stop.given.load(Ordering::Acquire) {
            stopping = true;
            connection.as_mut().graceful_shutdown();
        }
        if connection.as_mut().poll(context).is_ready() {
            // An error is the client's: it went away, or sent no HTTP and was told so.
            return Poll::Ready(());
        }

        let now_at = pulse.beat();
        if stopping && now_at.0 == Phase::Leaving {
            return Poll::Ready(());
        }
        if now_at != beat {
            beat = now_at;
            since = Instant::now();
        }
        let deadline = limit(beat.0, limits).map(|time| since + time);
        if let Some(earlier) = deadline.filter(|deadline| *deadline < alarm.deadline()) {
            alarm.as_mut().reset(earlier);
        }
        // A deadline that moves on is not followed at every request: the alarm looks again when it rings.
        while alarm.as_mut().poll(context).is_ready() {
            let now = Instant::now();
            match deadline {
                Some(deadline) if deadline <= now => {
                    tracing::debug!(phase = ?beat.0, "a connection took too long and was closed");
                    return Poll::Ready(());
                }
                Some(deadline) => alarm.as_mut().reset(deadline),
                None => alarm.as_mut().reset(now + limits.idle_time.max(Duration::from_secs(1))),
            }
        }
        Poll::Pending
    })
    .await;
}

/// How long a phase may last.
fn limit(phase: Phase, limits: &Limits) -> Option<Duration> {
    match phase {
        Phase::Idle => Some(limits.idle_time),
        Phase::Head => Some(limits.header_time),
        Phase::Busy => None,
        Phase::Stalled => Some(limits.stall_time),
        Phase::Leaving => Some(LINGER_TIME),
    }
}

/// What all requests of one connection share.
struct Link<E> {
    endpoint: Arc<E>,
    pulse: Arc<Pulse>,
    local: LocalAddr,
    remote: RemoteAddr,
    body_size: usize,
}

/// One request, from its complete head to the last byte of its answer.
struct Turn<E>(Arc<Link<E>>);

impl<E> Drop for Turn<E> {
    fn drop(&mut self) {
        self.0.pulse.request_ends();
    }
}

impl<E: Endpoint + 'static> Turn<E> {
    /// Asks the endpoint. A panic in it becomes an answer, too, so that it costs one request only.
    async fn answer(self, request: hyper::Request<Incoming>) -> hyper::Response<Answer<E>> {
        let response = {
            let link = &self.0;
            let mut work = pin!(link.endpoint.get_response(link.to_poem(request)));
            poll_fn(|context| {
                catch_unwind(AssertUnwindSafe(|| work.as_mut().poll(context)))
                    .unwrap_or_else(|_| Poll::Ready(internal_error()))
            })
            .await
        };
        hyper::Response::<PoemBody>::from(response).map(|body| Answer { body, _turn: self })
    }
}

impl<E> Link<E> {
    fn to_poem(&self, request: hyper::Request<Incoming>) -> Request {
        let (head, body) = request.into_parts();
        // Nearly all requests have no body; an empty one of poem's costs no allocation.
        let body = if body.is_end_stream() {
            Body::empty()
        } else {
            Upload { body, left: self.body_size, pulse: self.pulse.clone() }.boxed().into()
        };
        let parts = RequestParts::from((head, self.local.clone(), self.remote.clone(), Scheme::HTTP));
        Request::from_parts(parts, body)
    }
}

/// The answer to a request whose endpoint panicked. The panic's own message went to standard
/// error and stays there.
fn internal_error() -> Response {
    tracing::error!("a request could not be answered because of a fault in this program");
    Response::builder()
        .status(StatusCode::INTERNAL_SERVER_ERROR)
        .header(header::CONTENT_TYPE, "application/json")
        .body(r#"{"detail":"Internal server error."}"#)
}

/// A request's body, up to the limit, which tells when the endpoint waits for it.
struct Upload {
    body: Incoming,
    left: usize,
    pulse: Arc<Pulse>,
}

impl HttpBody for Upload {
    type Data = hyper::body::Bytes;
    type Error = io::Error;

    fn poll_frame(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Self::Data>, io::Error>>> {
        let upload = self.get_mut();
        let frame = Pin::new(&mut upload.body).poll_frame(context);
        upload.pulse.body_wanted(frame.is_pending());
        frame.map(|frame| {
            let frame = match frame? {
                Ok(frame) => frame,
                Err(error) => return Some(Err(io::Error::other(error))),
            };
            let size = frame.data_ref().map_or(0, hyper::body::Bytes::len);
            match upload.left.checked_sub(size) {
                Some(left) => upload.left = left,
                None => return Some(Err(io::ErrorKind::FileTooLarge.into())),
            }
            Some(Ok(frame))
        })
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

/// An answer's body; while it lives, its request counts as busy.
struct Answer<E> {
    body: PoemBody,
    _turn: Turn<E>,
}

impl<E> HttpBody for Answer<E> {
    type Data = hyper::body::Bytes;
    type Error = io::Error;

    fn poll_frame(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Self::Data>, io::Error>>> {
        Pin::new(&mut self.get_mut().body).poll_frame(context)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_client_whose_machine_is_gone_is_given_up_by_the_system() {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let client = TcpStream::connect(listener.local_addr().unwrap()).await.unwrap();
        notice_death(&client, Duration::from_secs(30));
        assert_eq!(SockRef::from(&client).tcp_user_timeout().unwrap(), Some(Duration::from_secs(60)));
    }
}
