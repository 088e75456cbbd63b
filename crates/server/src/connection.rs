//! One connection: HTTP/1.1 by hyper, the endpoint, and the timeouts.

use std::convert::Infallible;
use std::future::poll_fn;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll};
use std::time::Duration;

use http_body_util::{BodyExt, LengthLimitError, Limited};
use hyper::body::{Body as HttpBody, Bytes, Frame, Incoming, SizeHint};
use hyper::server::conn::http1;
use hyper_util::rt::TokioIo;
use poem::http::{StatusCode, Version, header, uri::Scheme};
use poem::web::{LocalAddr, RemoteAddr};
use poem::{Body, Endpoint, Request, RequestParts, Response};
#[cfg(any(target_os = "linux", target_os = "android"))]
use socket2::SockRef;
use tokio::net::TcpStream;
use tokio::sync::Notify;
use tokio::time::{Instant, Sleep};
use tokio_util::either::Either;

use super::activity::{ConnectionActivity, ConnectionPhase, TrackedStream};
use crate::limits::ServerLimits;
use crate::tls::Tls;

type PoemBody = http_body_util::combinators::BoxBody<Bytes, io::Error>;

/// Bytes that hyper buffers ahead of the endpoint.
const READ_BUFFER: usize = 64 * 1024;

/// How long a connection stays open after its last response for a client that still sends.
const LINGER_TIME: Duration = Duration::from_secs(2);

/// How long a new connection waits for its first request after a shutdown has begun: the client does not know of it, and
/// may have sent the request already.
const LAST_REQUEST_TIME: Duration = Duration::from_secs(1);

/// The settings that all connections of a server share.
pub(super) struct ConnectionSettings {
    pub(super) protocol: http1::Builder,
    pub(super) limits: ServerLimits,
    pub(super) tls: Option<Arc<Tls>>,
}

#[derive(Debug, Default)]
pub(super) struct Shutdown {
    begun: AtomicBool,
    notify: Notify,
}

impl Shutdown {
    /// Makes all connections end after their current request.
    pub(super) fn begin(&self) {
        self.begun.store(true, Ordering::Release);
        self.notify.notify_waiters();
    }

    async fn begun(&self) {
        let mut notified = pin!(self.notify.notified());
        notified.as_mut().enable();
        if !self.begun.load(Ordering::Acquire) {
            notified.await;
        }
    }
}

/// The settings of hyper for `limits`.
pub(super) fn protocol(limits: &ServerLimits) -> http1::Builder {
    let mut builder = http1::Builder::new();
    builder
        // Sends head and body in one system call without copying.
        .writev(true)
        .max_header_size(limits.header_size)
        .max_buf_size(READ_BUFFER.max(limits.header_size))
        // `drive` checks this timeout; hyper's costs a timer per request.
        .header_read_timeout(None);
    builder
}

/// Serves the requests of a connection until the client, a timeout or `shutdown` ends it.
pub(super) async fn run<E: Endpoint + 'static>(
    endpoint: Arc<E>,
    stream: TcpStream,
    settings: &ConnectionSettings,
    shutdown: &Shutdown,
) {
    let limits = &settings.limits;
    let (Ok(local), Ok(remote)) = (stream.local_addr(), stream.peer_addr()) else {
        return; // the client has disconnected
    };
    let _ = stream.set_nodelay(true); // without it, responses are only slower
    detect_dead_peer(&stream, limits.stall_time);
    let stream = match &settings.tls {
        None => Either::Left(stream),
        Some(tls) => tokio::select! {
            accepted = tokio::time::timeout(limits.header_time, tls.accept(stream)) => match accepted {
                Ok(Ok(stream)) => stream,
                _ => return, // the client's error
            },
            () = async {
                shutdown.begun().await;
                tokio::time::sleep(LAST_REQUEST_TIME).await;
            } => return,
        },
    };
    let activity = Arc::new(ConnectionActivity::new());
    // Requests clone this `Arc` and not the endpoint's, whose counter all cores share.
    let context = Arc::new(ConnectionContext {
        endpoint,
        activity: activity.clone(),
        local: LocalAddr(local.into()),
        remote: RemoteAddr(remote.into()),
        scheme: match stream {
            Either::Left(_) => Scheme::HTTP,
            Either::Right(_) => Scheme::HTTPS,
        },
        body_size: limits.body_size,
    });
    let service = hyper::service::service_fn(|request| {
        context.activity.request_begins();
        let request_in_flight = InFlightRequest(context.clone());
        // A box per request reuses memory that is hot in the cache; a buffer per connection would be cold.
        Box::pin(async move { Ok::<_, Infallible>(request_in_flight.respond(request).await) })
    });
    let stream = TokioIo::new(TrackedStream::new(stream, activity.clone()));
    let connection = settings.protocol.serve_connection(stream, service);
    drive(connection, &activity, limits, shutdown).await;
}

/// Makes the system close the connection when the peer acknowledges nothing for twice `time`, instead of 15 minutes.
/// Small writes, such as events, do not stall when the peer is gone.
fn detect_dead_peer(stream: &TcpStream, time: Duration) {
    #[cfg(any(target_os = "linux", target_os = "android"))]
    let _ = SockRef::from(stream).set_tcp_user_timeout(Some(time.saturating_mul(2))); // without it, detection is only later
    #[cfg(not(any(target_os = "linux", target_os = "android")))]
    let _ = (stream, time);
}

/// Runs a connection and ends it when a phase exceeds its timeout.
async fn drive<S>(
    connection: http1::Connection<TokioIo<TrackedStream>, S>,
    activity: &ConnectionActivity,
    limits: &ServerLimits,
    shutdown: &Shutdown,
) where
    S: hyper::service::HttpService<Incoming>,
    S::Error: Into<Box<dyn std::error::Error + Send + Sync>>,
    S::ResBody: 'static,
    <S::ResBody as HttpBody>::Error: Into<Box<dyn std::error::Error + Send + Sync>>,
{
    let mut connection = pin!(connection);
    let mut notified = pin!(shutdown.notify.notified());
    let mut registered = false;
    let mut closing = false;
    let mut last_request = None;

    let mut since = Instant::now();
    let mut current = activity.current();
    let mut timer = pin!(tokio::time::sleep_until(since + limits.header_time));

    poll_fn(|context| {
        // The task's waker does not change, so one registration is enough; later polls read the flag.
        if !registered {
            registered = true;
            let _ = notified.as_mut().poll(context);
        }
        let begun = shutdown.begun.load(Ordering::Acquire);
        // hyper closes a connection at once if it has not read the first request.
        if begun && !closing && activity.is_new() {
            last_request.get_or_insert_with(|| Instant::now() + LAST_REQUEST_TIME);
            if connection.as_mut().poll(context).is_ready() {
                return Poll::Ready(());
            }
        }
        if begun && !closing && !activity.is_new() {
            closing = true;
            connection.as_mut().graceful_shutdown();
        }
        if connection.as_mut().poll(context).is_ready() {
            // Errors are the client's: it disconnected, or got a 400.
            return Poll::Ready(());
        }

        let latest = activity.current();
        if closing && latest.0 == ConnectionPhase::Closing {
            return Poll::Ready(());
        }
        if latest != current {
            current = latest;
            since = Instant::now();
        }
        let deadline = timeout(current.0, limits).map(|time| since + time);
        let last = last_request.filter(|_| activity.is_new());
        let deadline = deadline.into_iter().chain(last).min();
        if is_expired(timer.as_mut(), deadline, limits.idle_time, context) {
            tracing::debug!(phase = ?current.0, "connection timed out");
            return Poll::Ready(());
        }
        Poll::Pending
    })
    .await;
}

/// Whether a deadline has passed. Otherwise the timer wakes the task at the deadline or before it.
fn is_expired(
    mut timer: Pin<&mut Sleep>,
    deadline: Option<Instant>,
    idle_time: Duration,
    context: &mut Context<'_>,
) -> bool {
    if let Some(earlier) = deadline.filter(|deadline| *deadline < timer.deadline()) {
        timer.as_mut().reset(earlier);
    }
    // A later deadline does not reset the timer on every request; it is checked when the timer fires.
    while timer.as_mut().poll(context).is_ready() {
        let now = Instant::now();
        match deadline {
            Some(deadline) if deadline <= now => return true,
            Some(deadline) => timer.as_mut().reset(deadline),
            None => timer
                .as_mut()
                .reset(now + idle_time.max(Duration::from_secs(1))),
        }
    }
    false
}

fn timeout(phase: ConnectionPhase, limits: &ServerLimits) -> Option<Duration> {
    match phase {
        ConnectionPhase::Idle => Some(limits.idle_time),
        ConnectionPhase::Head => Some(limits.header_time),
        ConnectionPhase::Busy => None,
        ConnectionPhase::Stalled => Some(limits.stall_time),
        ConnectionPhase::Closing => Some(LINGER_TIME),
    }
}

/// State that all requests of a connection share.
struct ConnectionContext<E> {
    endpoint: Arc<E>,
    activity: Arc<ConnectionActivity>,
    local: LocalAddr,
    remote: RemoteAddr,
    scheme: Scheme,
    body_size: usize,
}

/// One request, from its complete head to the end of its response.
struct InFlightRequest<E>(Arc<ConnectionContext<E>>);

impl<E> Drop for InFlightRequest<E> {
    fn drop(&mut self) {
        self.0.activity.request_ends();
    }
}

impl<E: Endpoint + 'static> InFlightRequest<E> {
    /// Calls the endpoint. A panic becomes a 500 and affects no other request.
    async fn respond(
        self,
        request: hyper::Request<Incoming>,
    ) -> hyper::Response<impl HttpBody<Data = Bytes, Error = io::Error>> {
        if let Some(reason) = malformed(&request) {
            return self.sent(bad_request(reason));
        }
        let response = {
            let context = &self.0;
            let mut work = pin!(context.endpoint.get_response(context.to_poem(request)));
            poll_fn(|context| {
                catch_unwind(AssertUnwindSafe(|| work.as_mut().poll(context)))
                    .unwrap_or_else(|_| Poll::Ready(internal_error()))
            })
            .await
        };
        self.sent(response)
    }

    /// A response that keeps this request in flight until it is sent.
    fn sent(
        self,
        response: Response,
    ) -> hyper::Response<impl HttpBody<Data = Bytes, Error = io::Error>> {
        hyper::Response::<PoemBody>::from(response).map(|body| {
            body.map_err(move |error| {
                // The body owns the closure, and so the request.
                let _request = &self;
                error
            })
        })
    }
}

impl<E> ConnectionContext<E> {
    fn to_poem(&self, request: hyper::Request<Incoming>) -> Request {
        let (head, body) = request.into_parts();
        // Almost no request has a body, and poem's empty body costs no allocation.
        let body = if body.is_end_stream() {
            Body::empty()
        } else {
            let body = RequestBody {
                body: Limited::new(body, self.body_size),
                activity: self.activity.clone(),
            };
            body.boxed().into()
        };
        let parts = RequestParts::from((
            head,
            self.local.clone(),
            self.remote.clone(),
            self.scheme.clone(),
        ));
        Request::from_parts(parts, body)
    }
}

/// Why a request that hyper accepts is malformed (RFC 9112, section 3.2).
fn malformed<B>(request: &hyper::Request<B>) -> Option<&'static str> {
    let count = |name| request.headers().get_all(name).iter().count();
    let scheme = request.uri().scheme_str();
    match (count(header::HOST), count(header::AUTHORIZATION)) {
        (0, _) if request.version() == Version::HTTP_11 => Some("The request has no Host header."),
        (2.., _) => Some("The request has several Host headers."),
        (_, 2..) => Some("The request has several Authorization headers."),
        _ if scheme.is_some_and(|scheme| scheme != "http" && scheme != "https") => {
            Some("The scheme of the request target is neither http nor https.")
        }
        _ => None,
    }
}

fn bad_request(reason: &str) -> Response {
    Response::builder()
        .status(StatusCode::BAD_REQUEST)
        .header(header::CONTENT_TYPE, "application/json")
        .header(header::CONNECTION, "close")
        .body(["{\"detail\":\"", reason, "\"}"].concat())
}

/// The response to a request whose handler panicked. The panic hook logs the message.
fn internal_error() -> Response {
    tracing::error!("a request handler panicked; please report this bug");
    Response::builder()
        .status(StatusCode::INTERNAL_SERVER_ERROR)
        .header(header::CONTENT_TYPE, "application/json")
        .body(r#"{"detail":"Internal server error."}"#)
}

/// A request body with a size limit, which records when the endpoint waits for it.
struct RequestBody {
    body: Limited<Incoming>,
    activity: Arc<ConnectionActivity>,
}

impl HttpBody for RequestBody {
    type Data = Bytes;
    type Error = io::Error;

    fn poll_frame(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Self::Data>, io::Error>>> {
        let this = self.get_mut();
        let frame = Pin::new(&mut this.body).poll_frame(context);
        this.activity.body_wanted(frame.is_pending());
        frame.map_err(|error| {
            if error.is::<LengthLimitError>() {
                io::ErrorKind::FileTooLarge.into()
            } else {
                io::Error::other(error)
            }
        })
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
    async fn the_system_closes_connections_to_dead_peers() {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let client = TcpStream::connect(listener.local_addr().unwrap())
            .await
            .unwrap();
        detect_dead_peer(&client, Duration::from_secs(30));
        assert_eq!(
            SockRef::from(&client).tcp_user_timeout().unwrap(),
            Some(Duration::from_secs(60))
        );
    }
}
