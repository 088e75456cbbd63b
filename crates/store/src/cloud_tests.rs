//! Cloud stores that lie about lengths, stall, or ignore conditions: an S3 server on a loopback socket.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use object_store::aws::AmazonS3Builder;
use parking_lot::Mutex;

use super::cloud::CloudStore;
use super::{Creation, ObjectStore};

/// How the server responds to reads.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
enum Reads {
    #[default]
    Good,
    /// Claims a length of 2^40, and sends bytes until the client closes the connection.
    Endless,
    /// Claims a length, and sends half of it.
    Cut,
    /// Claims a length, and sends nothing.
    Silent,
    /// Refuses every request with an endless description.
    EndlessError,
}

#[derive(Default)]
struct Bucket {
    objects: Mutex<BTreeMap<String, Vec<u8>>>,
    reads: Mutex<Reads>,
    ignores_conditions: Mutex<bool>,
    sent: AtomicU64,
}

struct Request {
    method: String,
    path: String,
    query: BTreeMap<String, String>,
    is_conditional: bool,
    body: Vec<u8>,
}

/// Reads a request; `None` at the end of the connection.
fn receive(reader: &mut impl BufRead) -> Option<Request> {
    let mut line = String::new();
    reader.read_line(&mut line).ok().filter(|read| *read > 0)?;
    let mut words = line.split(' ');
    let (method, target) = (words.next()?.to_owned(), words.next()?);
    let (path, query) = target.split_once('?').unwrap_or((target, ""));
    let query = form_urlencoded::parse(query.as_bytes())
        .into_owned()
        .collect();
    let mut request = Request {
        method,
        path: path.to_owned(),
        query,
        is_conditional: false,
        body: Vec::new(),
    };
    loop {
        let mut line = String::new();
        reader.read_line(&mut line).ok()?;
        let header = line.trim().to_ascii_lowercase();
        match header.split_once(": ") {
            Some(("content-length", length)) => request.body = vec![0; length.parse().ok()?],
            Some(("if-none-match", "*")) => request.is_conditional = true,
            Some(_) => {}
            None => break,
        }
    }
    reader.read_exact(&mut request.body).ok()?;
    Some(request)
}

const OK: &str = "200 OK";

impl Bucket {
    /// Starts a server. It ends with the process.
    fn serve() -> (Arc<Self>, SocketAddr) {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let (bucket, address) = (Arc::<Self>::default(), listener.local_addr().unwrap());
        let shared = bucket.clone();
        std::thread::spawn(move || {
            for stream in listener.incoming().map_while(Result::ok) {
                let bucket = shared.clone();
                std::thread::spawn(move || bucket.handle(stream));
            }
        });
        (bucket, address)
    }

    fn handle(&self, mut stream: TcpStream) {
        let mut reader = BufReader::new(stream.try_clone().unwrap());
        while let Some(request) = receive(&mut reader) {
            // The client may have closed the connection.
            let sent = match &*request.method {
                "PUT" => self.put(&mut stream, request),
                "POST" => self.delete(&mut stream, &request),
                _ if request.query.contains_key("list-type") => self.list(&mut stream, &request),
                _ => self.get(&mut stream, &request),
            };
            if sent.is_err() {
                return;
            }
        }
    }

    fn send(
        &self,
        stream: &mut TcpStream,
        status: &str,
        length: u64,
        body: &[u8],
    ) -> std::io::Result<()> {
        let date = "Last-Modified: Mon, 01 Jan 2024 00:00:00 GMT\r\nETag: \"tag\"";
        write!(
            stream,
            "HTTP/1.1 {status}\r\n{date}\r\nContent-Length: {length}\r\n\r\n"
        )?;
        stream.write_all(body)?;
        self.sent.fetch_add(body.len() as u64, Ordering::Relaxed);
        stream.flush()
    }

    fn send_endlessly(&self, stream: &mut TcpStream, status: &str) -> std::io::Result<()> {
        self.send(stream, status, 1 << 40, b"")?;
        let chunk = [b'{'; 64 << 10];
        loop {
            stream.write_all(&chunk)?;
            self.sent.fetch_add(chunk.len() as u64, Ordering::Relaxed);
        }
    }

    fn put(&self, stream: &mut TcpStream, request: Request) -> std::io::Result<()> {
        let is_conditional = request.is_conditional && !*self.ignores_conditions.lock();
        let mut objects = self.objects.lock();
        if is_conditional && objects.contains_key(&request.path) {
            drop(objects);
            return self.send(stream, "412 Precondition Failed", 0, b"");
        }
        objects.insert(request.path, request.body);
        drop(objects);
        self.send(stream, OK, 0, b"")
    }

    fn get(&self, stream: &mut TcpStream, request: &Request) -> std::io::Result<()> {
        let found = self.objects.lock().get(&request.path).cloned();
        let Some(body) = found else {
            return self.send(stream, "404 Not Found", 0, b"");
        };
        let (length, reads) = (body.len() as u64, *self.reads.lock());
        match reads {
            Reads::Good => self.send(stream, OK, length, &body),
            Reads::Endless => self.send_endlessly(stream, OK),
            Reads::EndlessError => self.send_endlessly(stream, "403 Forbidden"),
            Reads::Silent => {
                self.send(stream, OK, length, b"")?;
                // Until the client closes the connection.
                stream.read(&mut [0]).map(drop)
            }
            Reads::Cut => {
                self.send(stream, OK, length, &body[..body.len() / 2])?;
                Err(std::io::ErrorKind::ConnectionAborted.into())
            }
        }
    }

    /// Deletes the objects that the body names.
    fn delete(&self, stream: &mut TcpStream, request: &Request) -> std::io::Result<()> {
        let body = String::from_utf8_lossy(&request.body);
        let mut xml = "<DeleteResult>".to_owned();
        for key in body.split("<Key>").skip(1) {
            let (key, _) = key.split_once('<').unwrap();
            self.objects.lock().remove(&format!("/bucket/{key}"));
            xml += &format!("<Deleted><Key>{key}</Key></Deleted>");
        }
        xml += "</DeleteResult>";
        self.send(stream, OK, xml.len() as u64, xml.as_bytes())
    }

    /// A list of two objects at a time.
    fn list(&self, stream: &mut TcpStream, request: &Request) -> std::io::Result<()> {
        if *self.reads.lock() == Reads::Endless {
            return self.send_endlessly(stream, OK);
        }
        let value = |name| request.query.get(name).map_or("", |it| &**it);
        let start = value("continuation-token").max(value("start-after"));
        let key = |path: &String| path.strip_prefix("/bucket/").unwrap().to_owned();
        let mut keys: Vec<String> = self.objects.lock().keys().map(key).collect();
        keys.retain(|key| key.starts_with(value("prefix")) && &**key > start);
        let is_truncated = keys.len() > 2;
        keys.truncate(2);
        let mut xml = format!("<ListBucketResult><IsTruncated>{is_truncated}</IsTruncated>");
        for key in &keys {
            xml += &format!(
                "<Contents><Key>{key}</Key><LastModified>2024-01-01T00:00:00.000Z</LastModified>\
                 <ETag>tag</ETag><Size>1</Size></Contents>"
            );
        }
        if is_truncated {
            let last = keys.last().unwrap();
            xml += &format!("<NextContinuationToken>{last}</NextContinuationToken>");
        }
        xml += "</ListBucketResult>";
        self.send(stream, OK, xml.len() as u64, xml.as_bytes())
    }
}

fn store() -> (Arc<Bucket>, CloudStore) {
    let (bucket, address) = Bucket::serve();
    let builder = AmazonS3Builder::new()
        .with_bucket_name("bucket")
        .with_endpoint(format!("http://{address}"))
        .with_allow_http(true)
        .with_access_key_id("testing")
        .with_secret_access_key("testing");
    (bucket, CloudStore::s3(builder, "prefix").unwrap())
}

#[test]
fn a_bucket_creates_reads_lists_and_deletes() {
    let (_, store) = store();
    assert_eq!(store.get("batches/1", 100).unwrap(), None);
    for number in 1..=5 {
        let name = format!("batches/{number}");
        assert_eq!(store.create(&name, b"one").unwrap(), Creation::Created);
        assert_eq!(store.create(&name, b"two").unwrap(), Creation::Exists);
    }
    assert_eq!(store.get("batches/1", 3).unwrap().unwrap(), b"one");
    assert_eq!(store.list("batches").unwrap().len(), 5);
    let names = store.list_after("batches", "batches/2").unwrap();
    assert_eq!(names, ["batches/3", "batches/4", "batches/5"]);
    store.delete("batches/1").unwrap();
    assert_eq!(store.get("batches/1", 100).unwrap(), None);
}

#[test]
fn a_claimed_length_limits_neither_memory_nor_time() {
    let (bucket, store) = store();
    store.create("batches/1", b"one").unwrap();
    *bucket.reads.lock() = Reads::Endless;
    let error = store.get("batches/1", 1000).unwrap_err().to_string();
    assert!(error.contains("larger than 1000 bytes"), "{error}");
    for error in [
        store.list("batches").map(drop).unwrap_err(),
        store
            .list_after("batches", "batches/0")
            .map(drop)
            .unwrap_err(),
    ] {
        assert!(error.to_string().contains("limit"), "{error}");
    }
    *bucket.reads.lock() = Reads::EndlessError;
    assert!(store.get("batches/1", 1000).is_err());
    // Buffers of sockets, and a few retries.
    let sent = bucket.sent.load(Ordering::Relaxed);
    assert!(sent < 500 << 20, "{sent}");
}

#[test]
fn a_response_that_ends_early_or_stalls_is_an_error() {
    let (bucket, store) = store();
    let store = store.with_timeout(Duration::from_millis(500));
    store.create("batches/1", &[7; 100_000]).unwrap();
    for reads in [Reads::Cut, Reads::Silent] {
        *bucket.reads.lock() = reads;
        let error = store.get("batches/1", 1 << 40).unwrap_err().to_string();
        assert!(error.len() < 300, "{error}");
    }
    *bucket.reads.lock() = Reads::Good;
    assert_eq!(
        store.get("batches/1", 1 << 40).unwrap().unwrap().len(),
        100_000
    );
}

#[test]
fn a_bucket_that_ignores_conditions_creates_an_object_twice() {
    let (bucket, store) = store();
    *bucket.ignores_conditions.lock() = true;
    for _ in 0..2 {
        assert_eq!(store.create("probe", b"").unwrap(), Creation::Created);
    }
}
