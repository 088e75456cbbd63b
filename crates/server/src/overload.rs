//! Connections that cannot be served now: they get a free slot after a while, or a response with the reason.

use std::io::ErrorKind;
use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::sync::mpsc;

use super::slots::{ClientSlot, Connections, Slot};

/// Time limit for reading the request and sending the response.
pub(super) const REJECT_TIME: Duration = Duration::from_secs(2);
/// The same if the queue is full, so that silent clients do not keep others from a response.
pub(super) const FULL_QUEUE_TIME: Duration = Duration::from_millis(100);
/// Request bytes to read and discard, because closing a socket with unread bytes can destroy the response.
const MAX_DISCARDED: usize = 64 * 1024;
/// The response if all connections are in use.
const OVERLOAD: &[u8] =
    b"HTTP/1.1 503 Service Unavailable\r\ncontent-type: application/json\r\nretry-after: 1\r\n\
connection: close\r\ncache-control: no-store\r\ncontent-length: 77\r\n\r\n\
{\"detail\":\"All connections of the server are in use. Try again in a second.\"}";
/// The response if a client has too many connections.
const TOO_MANY: &[u8] =
    b"HTTP/1.1 429 Too Many Requests\r\ncontent-type: application/json\r\nretry-after: 1\r\n\
connection: close\r\ncache-control: no-store\r\ncontent-length: 65\r\n\r\n\
{\"detail\":\"Your address has too many connections. Close others.\"}";
const ALIVE: &[u8] =
    b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncache-control: no-store\r\n\
connection: close\r\ncontent-length: 15\r\n\r\n{\"status\":\"ok\"}";

/// How connections wait.
#[derive(Clone, Copy, Debug)]
pub(super) struct Queue {
    /// The longest time that a connection waits.
    pub(super) time: Duration,
    /// The path of liveness probes, which succeed regardless of the number of connections.
    pub(super) liveness_path: Option<&'static str>,
    /// Clients expect TLS: they are disconnected instead of receiving a response that they cannot read.
    pub(super) encrypted: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Refusal {
    /// All connections or files are in use.
    Overload,
    /// The client has too many connections.
    Client,
}

/// A connection that got a slot.
pub(super) type Admitted = (TcpStream, Slot);

/// Sends the connection to `admit` if a slot gets free in time; refuses it otherwise.
pub(super) async fn wait_for_slot(
    stream: TcpStream,
    connections: Connections,
    client: ClientSlot,
    queue: Queue,
    admit: mpsc::Sender<Admitted>,
) {
    let slot = tokio::select! {
        slot = tokio::time::timeout(queue.time, connections.slot(client)) => slot.ok().flatten(),
        () = is_probe(&stream, queue) => None,
    };
    match slot {
        Some(slot) => {
            let _ = admit.send((stream, slot)).await; // fails only during shutdown
        }
        None => refuse(stream, Refusal::Overload, queue, REJECT_TIME).await,
    }
}

/// Completes when a liveness probe arrives.
async fn is_probe(stream: &TcpStream, queue: Queue) {
    let mut head = [0; 64];
    if let (Some(path), Ok(read)) = (queue.liveness_path, stream.peek(&mut head).await)
        && !queue.encrypted
        && head.get(..read).is_some_and(|head| asks_for(head, path))
    {
        return;
    }
    std::future::pending().await
}

/// Sends a response with the reason for refusing the connection, within a time limit.
pub(super) async fn refuse(stream: TcpStream, refusal: Refusal, queue: Queue, limit: Duration) {
    if !queue.encrypted {
        let _ = tokio::time::timeout(limit, respond(stream, refusal, queue)).await;
    }
}

/// Reads the request head, sends a response and waits until the client has received it.
async fn respond(mut stream: TcpStream, refusal: Refusal, queue: Queue) {
    let (mut buffer, mut head, mut read) = ([0_u8; 4096], Vec::new(), 0);
    let mut is_probe = false;
    while read < MAX_DISCARDED && !head.ends_with(b"\r\n\r\n") {
        let Ok(count @ 1..) = stream.read(&mut buffer).await else {
            return;
        };
        head.extend_from_slice(buffer.get(..count).unwrap_or_default());
        read += count;
        // A probe sends its head at once.
        is_probe |= read == head.len()
            && queue
                .liveness_path
                .is_some_and(|path| asks_for(&head, path));
        let surplus = head.len().saturating_sub(4);
        head.drain(..surplus);
    }
    let response = match refusal {
        Refusal::Overload if is_probe => ALIVE,
        Refusal::Overload => OVERLOAD,
        Refusal::Client => TOO_MANY,
    };
    if stream.write_all(response).await.is_err() || stream.shutdown().await.is_err() {
        return;
    }
    while read < MAX_DISCARDED {
        match stream.read(&mut buffer).await {
            Ok(0) => return,
            Ok(count) => read += count,
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(_) => return,
        }
    }
}

/// Whether a request head begins with a GET of a path.
fn asks_for(head: &[u8], path: &str) -> bool {
    let rest = head.strip_prefix(b"GET ");
    rest.and_then(|rest| rest.strip_prefix(path.as_bytes()))
        .is_some_and(|rest| rest.starts_with(b" HTTP/1."))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_content_length_matches_the_body() {
        for response in [OVERLOAD, TOO_MANY, ALIVE] {
            let response = str::from_utf8(response).unwrap();
            let (head, body) = response.split_once("\r\n\r\n").unwrap();
            assert!(
                head.contains(&format!("content-length: {}", body.len())),
                "{}",
                body.len()
            );
            serde_json::from_str::<serde_json::Value>(body).unwrap();
        }
    }

    #[test]
    fn only_a_get_of_the_path_is_a_probe() {
        assert!(asks_for(b"GET /healthz HTTP/1.1\r\n", "/healthz"));
        for other in [
            "GET /healthz/ HTTP/1.1",
            "GET /healthz",
            "POST /healthz HTTP/1.1",
            "GET / HTTP/1.1",
        ] {
            assert!(!asks_for(other.as_bytes(), "/healthz"), "{other}");
        }
    }
}
