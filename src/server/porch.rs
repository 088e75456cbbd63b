//! Where a connection waits that came while all places were taken: for a place, or for the answer that there is none.

use std::io::ErrorKind;
use std::sync::Arc;
use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::sync::{OwnedSemaphorePermit, Semaphore, mpsc};

/// How many may wait at the same time; who comes later stays in the listening socket's queue.
pub(super) const PLACES: usize = 128;
/// How long a client may take over its request and over taking the answer.
const PATIENCE: Duration = Duration::from_secs(2);
/// Bytes of a request that are read, and thrown away: a socket closed with bytes unread may lose its answer.
const MOST_BYTES: usize = 64 * 1024;
/// What is answered, whatever was asked.
const ANSWER: &[u8] = b"HTTP/1.1 503 Service Unavailable\r\ncontent-type: application/json\r\nretry-after: 1\r\n\
connection: close\r\ncache-control: no-store\r\ncontent-length: 77\r\n\r\n\
{\"detail\":\"All connections of the server are in use. Try again in a second.\"}";

/// A connection that was given a place after all.
pub(super) type Placed = (TcpStream, OwnedSemaphorePermit);

/// Waits so long for one of the places and hands the connection on to `placed`, or turns it away.
pub(super) async fn wait(stream: TcpStream, places: Arc<Semaphore>, time: Duration, placed: mpsc::Sender<Placed>) {
    match tokio::time::timeout(time, places.acquire_owned()).await {
        Ok(Ok(place)) => {
            let _ = placed.send((stream, place)).await; // the server stops
        }
        _ => {
            let _ = tokio::time::timeout(PATIENCE, turn_away(stream)).await;
        }
    }
}

/// Reads the request's head, says that there is no place, and waits until the client has taken that.
async fn turn_away(mut stream: TcpStream) {
    let (mut buffer, mut tail, mut read) = ([0_u8; 4096], Vec::new(), 0);
    while read < MOST_BYTES && !tail.ends_with(b"\r\n\r\n") {
        let Ok(count @ 1..) = stream.read(&mut buffer).await else { return };
        tail.extend_from_slice(buffer.get(..count).unwrap_or_default());
        let kept = tail.len().saturating_sub(4);
        tail.drain(..kept);
        read += count;
    }
    if stream.write_all(ANSWER).await.is_err() || stream.shutdown().await.is_err() {
        return;
    }
    while read < MOST_BYTES {
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
    use super::ANSWER;

    #[test]
    fn the_answer_is_as_long_as_it_says() {
        let answer = str::from_utf8(ANSWER).unwrap();
        let (head, body) = answer.split_once("\r\n\r\n").unwrap();
        assert!(head.contains(&format!("content-length: {}", body.len())), "{}", body.len());
        serde_json::from_str::<serde_json::Value>(body).unwrap();
    }
}
