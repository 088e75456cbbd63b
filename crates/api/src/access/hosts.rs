//! Hosts that requests may name, and trusted proxies (docs/spec/http.md#hosts).

use std::net::IpAddr;

use ipnet::IpNet;
use poem::Request;
use poem::http::HeaderMap;
use poem::http::header::{FORWARDED, HOST};
use poem::http::uri::Authority;

use crate::response::error::ApiError;

/// Where links point.
#[derive(Clone, Debug, Default)]
pub struct LinkConfig {
    /// Scheme, host and optional path before every API link; those of the request by default.
    pub base_url: Option<String>,
    /// The same for links to pages; the base of the API links by default.
    pub site_url: Option<String>,
    /// The hosts that requests may name; all by default.
    pub hosts: Hosts,
}

impl LinkConfig {
    /// The base of the links in the response to a request: scheme, host and optional path, without a final slash.
    ///
    /// # Errors
    /// [`ApiError::BadHost`] for a malformed host, [`ApiError::HostNotAllowed`] for one that is not served, also when
    /// links do not show the host of the request.
    pub(crate) fn base(&self, request: &Request) -> Result<String, ApiError> {
        let base = self.hosts.base(request)?;
        let own = self.base_url.as_deref();
        Ok(own.map_or(base, |own| own.trim_end_matches('/').to_owned()))
    }
}

/// The hosts that requests may name, and the proxies whose headers count. Every host by default.
#[derive(Clone, Default, Debug)]
pub struct Hosts {
    allowed: Option<Vec<String>>,
    trusted: Vec<IpNet>,
}

impl Hosts {
    /// Allows these hosts, loopback names and IP addresses. `.example.org` allows that name and everything below it, `*` any
    /// name. Forwarding headers of proxies in the `trusted` networks count.
    pub fn new(allowed: impl IntoIterator<Item = String>, trusted: Vec<IpNet>) -> Self {
        let allowed = allowed
            .into_iter()
            .map(|name| name.trim_end_matches('.').to_ascii_lowercase())
            .collect();
        Self {
            allowed: Some(allowed),
            trusted,
        }
    }

    /// The target of a request: scheme, host, and the path prefix that a trusted proxy removed.
    fn base(&self, request: &Request) -> Result<String, ApiError> {
        let forwarded = self.forwarded(request);
        let scheme = match forwarded.scheme.as_deref() {
            Some(scheme @ ("http" | "https")) => scheme,
            _ => request.scheme().as_str(),
        };
        let prefix = forwarded.prefix.filter(|prefix| is_prefix(prefix));
        let prefix = prefix.unwrap_or_default();
        let authority = request.uri().authority().map(Authority::as_str);
        let named = forwarded.host.as_deref().or(authority);
        let host = match (named, request.headers().get(HOST)) {
            // The authority of an absolute request target takes precedence over the header (RFC 9112, section 3.2.2).
            (Some(host), _) => host,
            (None, Some(host)) => host.to_str().map_err(|_| ApiError::BadHost)?,
            // HTTP/1.0 requests may have none.
            (None, None) => "localhost",
        };
        let name = name_of(host).ok_or(ApiError::BadHost)?;
        if !self.allows(name) {
            return Err(ApiError::HostNotAllowed);
        }
        // An empty port is the default port.
        let host = host.strip_suffix(':').unwrap_or(host);
        Ok([scheme, "://", host, prefix.trim_end_matches('/')].concat())
    }

    /// The client of a request: its sender, or the client that trusted proxies report.
    pub(crate) fn client(&self, request: &Request) -> Option<IpAddr> {
        let sender = request.remote_addr().as_socket_addr()?.ip();
        if !self.trusts(sender) {
            return Some(sender);
        }
        let senders = senders(request.headers());
        let client = self.outermost(&senders).and_then(|index| senders[index]);
        Some(client.unwrap_or(sender))
    }

    /// Whether a trusted proxy sent a request.
    pub(super) fn is_from_trusted_proxy(&self, request: &Request) -> bool {
        let sender = request.remote_addr().as_socket_addr();
        sender.is_some_and(|sender| self.trusts(sender.ip()))
    }

    fn allows(&self, name: &str) -> bool {
        let Some(allowed) = &self.allowed else {
            return true;
        };
        let name = name.trim_end_matches('.').to_ascii_lowercase();
        // DNS rebinding needs a name.
        let is_address = name.starts_with('[') || name.parse::<IpAddr>().is_ok();
        let below = |parent: &str| {
            let rest = name.strip_suffix(parent);
            rest.is_some_and(|rest| rest.is_empty() || rest.ends_with('.'))
        };
        is_address
            || below("localhost")
            || allowed.iter().any(|known| match known.strip_prefix('.') {
                Some(parent) => below(parent),
                None => known == "*" || *known == name,
            })
    }

    fn trusts(&self, address: IpAddr) -> bool {
        let mut trusted = self.trusted.iter();
        trusted.any(|network| network.contains(&address.to_canonical()))
    }

    /// The values that the outermost trusted proxy reports.
    fn forwarded(&self, request: &Request) -> ForwardedValues {
        if !self.is_from_trusted_proxy(request) {
            return ForwardedValues::default();
        }
        let headers = request.headers();
        let senders = senders(headers);
        let outermost = self.outermost(&senders).unwrap_or(senders.len());
        // `Forwarded` has no parameter for the prefix.
        let prefix = list(headers, "x-forwarded-prefix");
        if let Some(element) = list(headers, FORWARDED.as_str()).get(outermost) {
            return ForwardedValues {
                scheme: parameter(element, "proto"),
                host: parameter(element, "host"),
                prefix: prefix.into_iter().next_back(),
            };
        }
        let from_end = senders.len() - outermost;
        // Proxies append a value, or set a single one, which then counts.
        let at = |values: Vec<String>| {
            let index = values.len().saturating_sub(from_end.max(1));
            values.into_iter().nth(index)
        };
        let scheme = at(list(headers, "x-forwarded-proto"));
        ForwardedValues {
            scheme: scheme.map(|scheme| scheme.to_ascii_lowercase()),
            host: at(list(headers, "x-forwarded-host")),
            prefix: at(prefix),
        }
    }

    /// The index of the sender that the outermost trusted proxy reports: from the end, trusted senders are skipped.
    fn outermost(&self, senders: &[Option<IpAddr>]) -> Option<usize> {
        let is_trusted = |sender: &&Option<IpAddr>| sender.is_some_and(|ip| self.trusts(ip));
        let trusted = senders.iter().rev().take_while(is_trusted).count();
        Some(senders.len().checked_sub(1)?.saturating_sub(trusted))
    }
}

/// The values that a proxy reports.
#[derive(Default)]
struct ForwardedValues {
    scheme: Option<String>,
    host: Option<String>,
    /// The path that it removed.
    prefix: Option<String>,
}

/// Whether a path is one that links can begin with: absolute, and without characters that could end a link.
fn is_prefix(path: &str) -> bool {
    let fits = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~%!$&'()*+=:@/".contains(&byte);
    path.starts_with('/') && !path.contains("//") && path.bytes().all(fits)
}

/// The senders that the proxies report, the nearest proxy last; `None` for one that is no address.
fn senders(headers: &HeaderMap) -> Vec<Option<IpAddr>> {
    if headers.contains_key(FORWARDED) {
        let elements = list(headers, FORWARDED.as_str()).into_iter();
        let senders = elements.map(|element| address(&parameter(&element, "for")?));
        return senders.collect();
    }
    let senders = list(headers, "x-forwarded-for");
    senders.iter().map(|sender| address(sender)).collect()
}

/// The elements of a list in all headers with a name.
fn list(headers: &HeaderMap, name: &str) -> Vec<String> {
    let mut elements = Vec::new();
    for value in headers.get_all(name) {
        // An element that is not text is no sender; it must not hide the others.
        let value = String::from_utf8_lossy(value.as_bytes());
        elements.extend(value.split(',').map(|element| element.trim().to_owned()));
    }
    elements
}

/// A parameter of a `Forwarded` element, without quotes.
fn parameter(element: &str, name: &str) -> Option<String> {
    element.split(';').find_map(|pair| {
        let (key, value) = pair.split_once('=')?;
        let is_wanted = key.trim().eq_ignore_ascii_case(name);
        is_wanted.then(|| value.trim().trim_matches('"').to_owned())
    })
}

/// The address in a sender, which may have a port.
fn address(sender: &str) -> Option<IpAddr> {
    let bare = sender.strip_prefix('[');
    let bare = bare.and_then(|rest| rest.split(']').next());
    let address = bare.unwrap_or(sender).parse().ok();
    address.or_else(|| sender.rsplit_once(':')?.0.parse().ok())
}

/// The host without its port; `None` if it is malformed.
fn name_of(host: &str) -> Option<&str> {
    let name_end = if host.starts_with('[') {
        host.find(']').map(|at| at + 1)
    } else {
        host.find(':')
    };
    let (name, port) = host.split_at(name_end.unwrap_or(host.len()));
    let is_port = |port: &str| {
        let has_digits = port.bytes().all(|b| b.is_ascii_digit());
        port.is_empty() || (has_digits && port.parse::<u16>().is_ok())
    };
    let port_fits = port.is_empty() || port.strip_prefix(':').is_some_and(is_port);
    let address = name.strip_prefix('[');
    let fits = |byte: u8| byte.is_ascii_alphanumeric() || b".-_".contains(&byte);
    let name_fits = match address.and_then(|rest| rest.strip_suffix(']')) {
        Some(address) => address.parse::<std::net::Ipv6Addr>().is_ok(),
        None => name.bytes().all(fits),
    };
    (!name.is_empty() && name_fits && port_fits).then_some(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hosts_that_could_forge_a_link_are_refused() {
        for host in [
            "example.com",
            "localhost:8000",
            "localhost:",
            "a:65535",
            "127.0.0.1",
            "[::1]:80",
            "under_score",
        ] {
            assert!(name_of(host).is_some(), "{host}");
        }
        for host in [
            "",
            "a b",
            "a/b",
            "a\"b",
            "a:b",
            "a:99999",
            "a:+80",
            "[::1",
            "[x]",
            "user@host",
            ":80",
            ":",
        ] {
            assert!(name_of(host).is_none(), "{host}");
        }
    }

    #[test]
    fn only_named_hosts_loopback_and_addresses_are_served() {
        let hosts = Hosts::new(
            ["L10n.example.org".to_owned(), ".example.net".to_owned()],
            Vec::new(),
        );
        for name in [
            "l10n.example.org",
            "L10N.EXAMPLE.ORG.",
            "example.net",
            "a.b.example.net",
            "localhost",
            "x.localhost",
            "192.0.2.1",
            "[::1]",
        ] {
            assert!(hosts.allows(name), "{name}");
        }
        for name in [
            "example.org",
            "x.l10n.example.org",
            "notexample.net",
            "evil.example",
            "localhost.evil.example",
        ] {
            assert!(!hosts.allows(name), "{name}");
        }
        assert!(Hosts::new(["*".to_owned()], Vec::new()).allows("evil.example"));
        assert!(Hosts::default().allows("evil.example"));
    }
}
