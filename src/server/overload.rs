//! Queues connections that arrive while the server is at capacity: they get a free slot or a 503.

use std::io::ErrorKind;
use std::sync::Arc;
use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::sync::{OwnedSemaphorePermit, Semaphore, mpsc};

/// Maximum number of waiting connections; more stay in the backlog of the listening socket.
pub(super) const QUEUE_LENGTH: usize = 128;
/// Time limit for reading the request and sending the 503.
const REJECT_TIME: Duration = Duration::from_secs(2);
/// Request bytes to read and discard, because closing a socket with unread bytes can destroy the response.
const MAX_DISCARDED: usize = 64 * 1024;
/// The response to every request.
const RESPONSE: &[u8] =
    b"HTTP/1.1 503 Service Unavailable\r\ncontent-type: application/json\r\nretry-after: 1\r\n\
connection: close\r\ncache-control: no-store\r\ncontent-length: 77\r\n\r\n\
{\"detail\":\"All connections of the server are in use. Try again in a second.\"}";

/// How connections wait.
#[derive(Clone, Copy, Debug)]
pub(super) struct Queue {
    /// The longest time.
    pub(super) time: Duration,
    /// Clients expect TLS: they are disconnected instead of receiving a 503 that they cannot read.
    pub(super) encrypted: bool,
}

/// A connection that got a slot.
pub(super) type Admitted = (TcpStream, OwnedSemaphorePermit);

/// Sends the connection to `admit` if a slot gets free in time; rejects it otherwise.
pub(super) async fn wait_for_slot(
    stream: TcpStream,
    slots: Arc<Semaphore>,
    queue: Queue,
    admit: mpsc::Sender<Admitted>,
) {
    match tokio::time::timeout(queue.time, slots.acquire_owned()).await {
        Ok(Ok(slot)) => {
            let _ = admit.send((stream, slot)).await; // fails only during shutdown
        }
        _ if queue.encrypted => {}
        _ => {
            let _ = tokio::time::timeout(REJECT_TIME, reject(stream)).await;
        }
    }
}

/// Reads the request head, sends a 503 and waits until the client has received it.
async fn reject(mut stream: TcpStream) {
    let (mut buffer, mut tail, mut read) = ([0_u8; 4096], Vec::new(), 0);
    while read < MAX_DISCARDED && !tail.ends_with(b"\r\n\r\n") {
        let Ok(count @ 1..) = stream.read(&mut buffer).await else {
            return;
        };
        tail.extend_from_slice(buffer.get(..count).unwrap_or_default());
        let skipped = tail.len().saturating_sub(4);
        tail.drain(..skipped);
        read += count;
    }
    if stream.write_all(RESPONSE).await.is_err() || stream.shutdown().await.is_err() {
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

#[cfg(test)]
mod tests {
    use super::RESPONSE;

    #[test]
    fn the_content_length_matches_the_body() {
        let response = str::from_utf8(RESPONSE).unwrap();
        let (head, body) = response.split_once("\r\n\r\n").unwrap();
        assert!(
            head.contains(&format!("content-length: {}", body.len())),
            "{}",
            body.len()
        );
        serde_json::from_str::<serde_json::Value>(body).unwrap();
    }
}
