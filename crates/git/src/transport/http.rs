//! The HTTP client: a bound on every wait, trusted certificates, proxies, and what gix sees of it.

use std::any::Any;
use std::io::{self, BufRead, BufReader, Cursor, Read, Write};
use std::net::IpAddr;
use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, LazyLock};
use std::time::Duration;

use gix_transport::client::AuthenticationRequired;
use gix_transport::client::blocking_io::http::{GetResponse, Http, PostBodyDataKind, PostResponse};
use ipnet::IpNet;
use parking_lot::Mutex;
use ureq::http::{StatusCode, Uri, header};
use ureq::tls::{Certificate, PemItem, RootCerts, TlsConfig, parse_pem};
use ureq::{Agent, BodyReader, Proxy, ResponseExt};

use crate::transport::advertisement_limit::{Exchange, LimitedRead, ObservedWrite};
use crate::transport::credentials::Timeouts;
use crate::transport::error::FetchProblem;

/// The maximum number of redirects of the first request. Later ones are not redirected.
const MAX_REDIRECTS: u32 = 10;
/// How long a connection stays open without requests: polls are a minute apart.
const MAX_IDLE_AGE: Duration = Duration::from_secs(118);
/// The buffer for responses, most of which are packs.
const BUFFER: usize = 64 << 10;

/// The transport's error type, a result of gix.
type Result<T = ()> = gix::Result<T>;

/// A client for the server of an address, with its own connections. It never redirects a request from `https` to `http`,
/// nor a login to another server.
///
/// # Errors
/// When there are no certificates to trust, and when the environment names no valid proxy.
pub(crate) fn agent(
    address: &str,
    timeouts: Timeouts,
    ca_file: Option<&Path>,
) -> std::result::Result<Agent, FetchProblem> {
    let Timeouts { connect, stall } = timeouts;
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let tls = TlsConfig::builder()
        .root_certs(trusted(address, ca_file)?)
        .unversioned_rustls_crypto_provider(provider)
        .build();
    let config = Agent::config_builder()
        .tls_config(tls)
        .proxy(proxy(address, &|name| std::env::var(name).ok())?)
        .https_only(address.starts_with("https://"))
        .user_agent(concat!("git/gitglot-", env!("CARGO_PKG_VERSION")))
        .max_redirects(0)
        .max_redirects_will_error(false)
        .http_status_as_error(false)
        .timeout_resolve(Some(connect))
        .timeout_connect(Some(connect))
        .timeout_per_read(Some(stall))
        .timeout_per_write(Some(stall))
        .max_idle_age(MAX_IDLE_AGE);
    Ok(config.build().new_agent())
}

/// The certificates to trust: those of a file, or those of the system (or of `SSL_CERT_FILE`).
fn trusted(address: &str, ca_file: Option<&Path>) -> std::result::Result<RootCerts, FetchProblem> {
    static SYSTEM: LazyLock<Arc<Vec<Certificate<'static>>>> = LazyLock::new(|| {
        let found = rustls_native_certs::load_native_certs().certs;
        let owned = found
            .iter()
            .map(|certificate| Certificate::from_der(certificate).to_owned());
        Arc::new(owned.collect())
    });
    let Some(path) = ca_file else {
        if SYSTEM.is_empty() && address.starts_with("https://") {
            let reason = "the system has no file of trusted certificates".to_owned();
            return Err(FetchProblem::Certificate(reason));
        }
        return Ok(RootCerts::Specific(SYSTEM.clone()));
    };
    let unreadable = |reason: String| {
        FetchProblem::Certificate(format!("'{}' cannot be read: {reason}", path.display()))
    };
    let pem = std::fs::read(path).map_err(|error| unreadable(error.to_string()))?;
    let mut certificates = Vec::new();
    for item in parse_pem(&pem) {
        if let PemItem::Certificate(it) = item.map_err(|error| unreadable(error.to_string()))? {
            certificates.push(it);
        }
    }
    if certificates.is_empty() {
        return Err(unreadable("it contains no certificate".to_owned()));
    }
    Ok(RootCerts::Specific(Arc::new(certificates)))
}

/// The proxy for an address, from the variables that git and curl read.
fn proxy(
    address: &str,
    variable: &dyn Fn(&str) -> Option<String>,
) -> std::result::Result<Option<Proxy>, FetchProblem> {
    let set = |name: &&'static str| Some((*name, variable(name).filter(|text| !text.is_empty())?));
    // A server sets HTTP_PROXY for its programs if a request has a header `Proxy`, so nobody reads it.
    let names: &[&str] = if address.starts_with("https://") {
        &["https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"]
    } else {
        &["http_proxy", "all_proxy", "ALL_PROXY"]
    };
    let Some((name, text)) = names.iter().find_map(set) else {
        return Ok(None);
    };
    let uri = address.parse::<Uri>().ok();
    let host = uri.as_ref().and_then(Uri::host).unwrap_or_default();
    let without = ["no_proxy", "NO_PROXY"].iter().find_map(set);
    if without.is_some_and(|(_, list)| is_listed(host, &list)) {
        return Ok(None);
    }
    Proxy::new(&text).map(Some).map_err(|_| {
        FetchProblem::Unreachable(format!("the variable {name} is no address of a proxy"))
    })
}

/// Whether a list of hosts, domains and networks contains a host.
fn is_listed(host: &str, list: &str) -> bool {
    let host = host.trim_matches(['[', ']']).to_ascii_lowercase();
    let ip = host.parse::<IpAddr>().ok();
    list.split([',', ' ']).any(|entry| {
        if let (Some(ip), Ok(network)) = (ip, entry.parse::<IpNet>()) {
            return network.contains(&ip);
        }
        let domain = entry.trim_start_matches('*').trim_start_matches('.');
        let domain = domain.to_ascii_lowercase();
        let is_domain = || {
            let before = host.strip_suffix(&domain);
            before.is_some_and(|before| before.is_empty() || before.ends_with('.'))
        };
        entry == "*" || (!domain.is_empty() && is_domain())
    })
}

/// The client for gix. It sends a request when its response is read, because gix has written the whole body before.
pub(crate) struct HttpClient {
    agent: Agent,
    interrupt: Arc<AtomicBool>,
    /// The address to which the server has redirected the first request.
    redirected: Arc<Mutex<Option<String>>>,
}

impl HttpClient {
    /// A client whose responses end when the flag is set.
    pub(crate) fn new(agent: Agent, interrupt: Arc<AtomicBool>) -> Self {
        Self {
            agent,
            interrupt,
            redirected: Arc::default(),
        }
    }

    fn call(
        &self,
        url: &str,
        base_url: &str,
        headers: impl IntoIterator<Item = impl AsRef<str>>,
        body: Option<RequestBody>,
    ) -> Call {
        let headers = headers.into_iter().filter_map(|line| {
            let (name, value) = line.as_ref().split_once(':')?;
            Some((name.to_owned(), value.trim().to_owned()))
        });
        Call(Arc::new(Mutex::new(Progress::Request(Box::new(Request {
            agent: self.agent.clone(),
            tail: url.strip_prefix(base_url).unwrap_or_default().to_owned(),
            url: url.to_owned(),
            headers: headers.collect(),
            body,
            redirected: self.redirected.clone(),
        })))))
    }
}

impl Http for HttpClient {
    type Headers = ResponseHead;
    type ResponseBody = LimitedRead<ResponseBody>;
    type PostBody = ObservedWrite<RequestBody>;

    fn get(
        &mut self,
        url: &str,
        base_url: &str,
        headers: impl IntoIterator<Item = impl AsRef<str>>,
    ) -> Result<GetResponse<Self::Headers, Self::ResponseBody>> {
        let (headers, body) = self.call(url, base_url, headers, None).response();
        let body = Exchange::new(&self.interrupt).limit(body);
        Ok(GetResponse { headers, body })
    }

    fn post(
        &mut self,
        url: &str,
        base_url: &str,
        headers: impl IntoIterator<Item = impl AsRef<str>>,
        _: PostBodyDataKind,
    ) -> Result<PostResponse<Self::Headers, Self::ResponseBody, Self::PostBody>> {
        let exchange = Exchange::new(&self.interrupt);
        let post_body = RequestBody::default();
        let call = self.call(url, base_url, headers, Some(post_body.clone()));
        let (headers, body) = call.response();
        Ok(PostResponse {
            post_body: exchange.observe(post_body),
            headers,
            body: exchange.limit(body),
        })
    }

    fn configure(&mut self, _: &dyn Any) -> Result {
        Ok(())
    }

    fn redirected_base_url(&self) -> Option<String> {
        self.redirected.lock().clone()
    }
}

/// A request and its response, which the readers of the head and of the body share.
#[derive(Clone)]
pub(crate) struct Call(Arc<Mutex<Progress>>);

enum Progress {
    Request(Box<Request>),
    Response(BodyReader<'static>),
    /// The request failed, or the body is being read.
    Taken,
}

impl Call {
    fn response(self) -> (ResponseHead, ResponseBody) {
        let head = ResponsePart {
            call: self.clone(),
            open: Self::head,
            reader: None,
        };
        let body = ResponsePart {
            call: self,
            open: Self::body,
            reader: None,
        };
        (head, body)
    }

    /// Sends the request if it is not sent yet. Returns the lines of the head.
    fn head(&self) -> io::Result<Cursor<Vec<u8>>> {
        let mut progress = self.0.lock();
        match std::mem::replace(&mut *progress, Progress::Taken) {
            Progress::Request(request) => {
                let (lines, body) = request.send()?;
                *progress = Progress::Response(body);
                Ok(Cursor::new(lines))
            }
            other => {
                *progress = other;
                Ok(Cursor::default())
            }
        }
    }

    fn body(&self) -> io::Result<BufReader<BodyReader<'static>>> {
        self.head()?;
        match std::mem::replace(&mut *self.0.lock(), Progress::Taken) {
            Progress::Response(body) => Ok(BufReader::with_capacity(BUFFER, body)),
            _ => Err(io::Error::other("there is no response")),
        }
    }
}

struct Request {
    agent: Agent,
    url: String,
    /// The part of the address after that of the repository.
    tail: String,
    headers: Vec<(String, String)>,
    body: Option<RequestBody>,
    redirected: Arc<Mutex<Option<String>>>,
}

impl Request {
    fn send(self) -> io::Result<(Vec<u8>, BodyReader<'static>)> {
        let mut request = ureq::http::Request::builder().uri(&self.url);
        for (name, value) in &self.headers {
            request = request.header(name, value);
        }
        let response = match self.body {
            None => {
                let request = request.body(()).map_err(io::Error::other)?;
                let request = self.agent.configure_request(request);
                let request = request.max_redirects(MAX_REDIRECTS);
                self.agent
                    .run(request.max_redirects_will_error(true).build())
            }
            Some(body) => {
                let body = std::mem::take(&mut *body.0.lock());
                let request = request.method("POST").body(body);
                self.agent.run(request.map_err(io::Error::other)?)
            }
        };
        let response = response.map_err(ureq::Error::into_io)?;
        let url = response.get_uri().to_string();
        if url != self.url {
            let base = url.strip_suffix(&self.tail).ok_or_else(|| {
                io::Error::other("the server redirects to an address that is no repository")
            })?;
            *self.redirected.lock() = Some(base.to_owned());
        }
        let headers = response.headers();
        match response.status() {
            status if status.is_success() => {}
            StatusCode::UNAUTHORIZED => {
                let asked = headers.get_all(header::WWW_AUTHENTICATE).iter();
                let www_authenticate = asked.map(|challenge| challenge.as_bytes().into()).collect();
                let required = AuthenticationRequired { www_authenticate };
                return Err(io::Error::new(io::ErrorKind::PermissionDenied, required));
            }
            status => {
                let status = status.as_u16();
                return Err(io::Error::other(format!("Received HTTP status {status}")));
            }
        }
        let mut lines = Vec::new();
        for (name, value) in headers {
            lines.extend([name.as_str().as_bytes(), b": ", value.as_bytes(), b"\n"].concat());
        }
        Ok((lines, response.into_body().into_reader()))
    }
}

/// The body of a request, which is complete before the response is read.
#[derive(Clone, Default)]
pub(crate) struct RequestBody(Arc<Mutex<Vec<u8>>>);

impl Write for RequestBody {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// A part of a response, which is opened at the first read.
pub(crate) struct ResponsePart<R> {
    call: Call,
    open: fn(&Call) -> io::Result<R>,
    reader: Option<R>,
}

/// The lines of the head of a response.
type ResponseHead = ResponsePart<Cursor<Vec<u8>>>;

type ResponseBody = ResponsePart<BufReader<BodyReader<'static>>>;

impl<R> ResponsePart<R> {
    fn reader(&mut self) -> io::Result<&mut R> {
        match self.reader {
            Some(ref mut reader) => Ok(reader),
            None => Ok(self.reader.insert((self.open)(&self.call)?)),
        }
    }
}

impl<R: BufRead> BufRead for ResponsePart<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        self.reader()?.fill_buf()
    }

    fn consume(&mut self, length: usize) {
        if let Some(reader) = &mut self.reader {
            reader.consume(length);
        }
    }
}

impl<R: Read> Read for ResponsePart<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.reader()?.read(buffer)
    }
}

#[cfg(test)]
#[path = "http_tests.rs"]
mod tests;
