//! Limits the size of everything that a server sends before a pack is requested: capabilities and references. gix keeps
//! both in memory, so an endless list would exhaust it.

use std::any::Any;
use std::io::{self, BufRead, Read, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use gix::protocol::transport::client::blocking_io::http::curl::Curl;
use gix::protocol::transport::client::blocking_io::http::{
    GetResponse, Http, PostBodyDataKind, PostResponse,
};

/// The maximum size of an advertisement in bytes: space for half a million references.
const MAX_BYTES: u64 = 64 << 20;

/// The transport's error type, a result of gix.
type Result<T = ()> = gix::Result<T>;

/// Whether a pack was requested, so that the size of the response has no limit.
#[derive(Clone, Default)]
pub(crate) struct PackRequested(Arc<AtomicBool>);

impl PackRequested {
    /// The data from the server, limited until a pack is requested.
    pub(crate) fn limit<R>(&self, inner: R) -> LimitedRead<R> {
        LimitedRead {
            inner,
            read: 0,
            is_unlimited: self.clone(),
        }
    }

    /// The data to the server, which may request a pack.
    pub(crate) fn observe<W>(&self, inner: W) -> ObservedWrite<W> {
        ObservedWrite {
            inner,
            requested: self.clone(),
        }
    }
}

/// Data from a server.
pub(crate) struct LimitedRead<R> {
    inner: R,
    /// The number of bytes since the last request of a pack.
    read: u64,
    is_unlimited: PackRequested,
}

impl<R> LimitedRead<R> {
    fn count(&mut self, bytes: usize) -> io::Result<()> {
        if self.is_unlimited.0.load(Ordering::Relaxed) {
            return Ok(());
        }
        self.read += bytes as u64;
        if self.read > MAX_BYTES {
            return Err(io::Error::other(
                "the server lists more than 64 MB of references",
            ));
        }
        Ok(())
    }
}

impl<R: Read> Read for LimitedRead<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.inner.read(buffer)?;
        self.count(read).map(|()| read)
    }
}

impl<R: BufRead> BufRead for LimitedRead<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        self.count(0)?;
        self.inner.fill_buf()
    }

    fn consume(&mut self, bytes: usize) {
        // The next read reports the error.
        let _ = self.count(bytes);
        self.inner.consume(bytes);
    }
}

/// Data to a server.
pub(crate) struct ObservedWrite<W> {
    inner: W,
    requested: PackRequested,
}

impl<W: Write> Write for ObservedWrite<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if requests_pack(bytes) {
            self.requested.0.store(true, Ordering::Relaxed);
        }
        self.inner.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.inner.flush()
    }
}

/// Whether a part of a request asks for a pack, in version 2 or 1 of the protocol.
fn requests_pack(bytes: &[u8]) -> bool {
    let contains = |text: &[u8]| bytes.windows(text.len()).any(|part| part == text);
    contains(b"command=fetch") || contains(b"want ")
}

/// gix's HTTP client with limited responses.
#[derive(Default)]
pub(crate) struct LimitedHttp(Curl);

impl Http for LimitedHttp {
    type Headers = <Curl as Http>::Headers;
    type ResponseBody = LimitedRead<<Curl as Http>::ResponseBody>;
    type PostBody = ObservedWrite<<Curl as Http>::PostBody>;

    fn get(
        &mut self,
        url: &str,
        base_url: &str,
        headers: impl IntoIterator<Item = impl AsRef<str>>,
    ) -> Result<GetResponse<Self::Headers, Self::ResponseBody>> {
        let GetResponse { headers, body } = self.0.get(url, base_url, headers)?;
        let body = PackRequested::default().limit(body);
        Ok(GetResponse { headers, body })
    }

    fn post(
        &mut self,
        url: &str,
        base_url: &str,
        headers: impl IntoIterator<Item = impl AsRef<str>>,
        kind: PostBodyDataKind,
    ) -> Result<PostResponse<Self::Headers, Self::ResponseBody, Self::PostBody>> {
        let requested = PackRequested::default();
        let PostResponse {
            post_body,
            headers,
            body,
        } = self.0.post(url, base_url, headers, kind)?;
        Ok(PostResponse {
            post_body: requested.observe(post_body),
            headers,
            body: requested.limit(body),
        })
    }

    fn configure(&mut self, config: &dyn Any) -> Result {
        self.0.configure(config)
    }

    fn redirected_base_url(&self) -> Option<String> {
        self.0.redirected_base_url()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn responses_are_limited_until_a_pack_is_requested() {
        let requested = PackRequested::default();
        let mut endless = requested.limit(io::BufReader::new(io::repeat(b'x')));
        let mut request = requested.observe(io::sink());
        request.write_all(b"0014command=ls-refs\n").unwrap();
        let error = io::copy(&mut endless, &mut io::sink()).unwrap_err();
        assert_eq!(
            error.to_string(),
            "the server lists more than 64 MB of references"
        );
        assert!(endless.fill_buf().is_err());
        for line in [&b"0011command=fetch"[..], b"0032want 11111111"] {
            let requested = PackRequested::default();
            requested.observe(io::sink()).write_all(line).unwrap();
            let mut pack = requested.limit(io::repeat(b'x').take(MAX_BYTES + 1));
            assert_eq!(io::copy(&mut pack, &mut io::sink()).unwrap(), MAX_BYTES + 1);
        }
    }
}
