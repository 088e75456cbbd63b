//! Addresses, host names and URLs.

use std::net::IpAddr;
use std::str::FromStr;

use gitglot_model::{InvalidValue, deserialize_text, serialize_text};
use ipnet::IpNet;

/// Defines texts of a setting, which are written as they are: type, validation, error text, and normalization.
macro_rules! text_values {
    ($($(#[$doc:meta])* $type:ident: $is_valid:ident, $expected:literal, $normalize:expr;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, PartialEq, Eq, Debug)]
        pub struct $type(String);

        impl $type {
            /// The text.
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl FromStr for $type {
            type Err = InvalidValue;

            fn from_str(text: &str) -> Result<Self, InvalidValue> {
                if $is_valid(text) {
                    Ok(Self($normalize(text)))
                } else {
                    Err(InvalidValue::new(text, $expected))
                }
            }
        }

        serialize_text! { $type: value => value.0; }
        deserialize_text!($type);
    )*};
}

text_values! {
    /// An address to listen on: host name or IP address, and port. Port 0 picks a free port. An IPv6 address needs brackets.
    ListenAddress: is_listen_address,
        "an address: use HOST:PORT, such as 127.0.0.1:8000", str::to_owned;
    /// An HTTP(S) URL without user, query, fragment and final slash; links are built by appending a path.
    BaseUrl: is_base_url,
        "a base URL: use a URL such as https://translations.example.org", without_slashes;
    /// A host name that requests may use: a name, `.NAME` for a domain and its subdomains, or `*` for all.
    HostName: is_host_name,
        "a host name: omit scheme and port, such as l10n.example.org, or * for all", str::to_owned;
    /// The name of a header field, in lower case.
    HeaderField: is_header_field,
        "the name of a header: use letters, digits and -, such as X-Forwarded-User", str::to_ascii_lowercase;
    /// An origin whose pages may read responses: `SCHEME://HOST[:PORT]`, or `*` for all. A final slash is ignored.
    Origin: is_origin,
        "an origin: use a scheme and host such as https://l10n.example.org, or * for all", without_slash;
    /// The address of a shared ledger: `s3://BUCKET/PREFIX`, `gs://BUCKET/PREFIX`, `az://CONTAINER/PREFIX` or
    /// `file:///DIRECTORY`.
    LedgerAddress: is_ledger_address,
        "a ledger URL: use s3://BUCKET/PREFIX, gs://BUCKET/PREFIX, az://CONTAINER/PREFIX or file:///DIRECTORY; \
         pass credentials in environment variables", without_slashes;
}

fn without_slash(text: &str) -> String {
    text.strip_suffix('/').unwrap_or(text).to_owned()
}

fn without_slashes(text: &str) -> String {
    text.trim_end_matches('/').to_owned()
}

fn is_listen_address(text: &str) -> bool {
    text.rsplit_once(':').is_some_and(|(host, port)| {
        let bare_v6 = host.contains(':') && !(host.starts_with('[') && host.ends_with(']'));
        !host.is_empty()
            && !bare_v6
            && !host.contains(char::is_whitespace)
            && port.parse::<u16>().is_ok()
    })
}

fn is_base_url(text: &str) -> bool {
    let Some((scheme, rest)) = text.split_once("://") else {
        return false;
    };
    let (authority, path) = rest.split_once('/').unwrap_or((rest, ""));
    let (host, port) = match authority.rsplit_once(':') {
        Some((host, port)) if !port.contains(']') => (host, port),
        _ => (authority, "80"),
    };
    let in_host = |c: char| c.is_ascii_alphanumeric() || "-._~%!$&'()*+,;=:[]".contains(c);
    let in_path = |c: char| c.is_ascii_graphic() && !"?#\"<>\\^`{|}".contains(c);
    matches!(&*scheme.to_ascii_lowercase(), "http" | "https")
        && !host.is_empty()
        && port.parse::<u16>().is_ok()
        && host.chars().all(in_host)
        && path.chars().all(in_path)
}

fn is_ledger_address(text: &str) -> bool {
    match text.split_once("://") {
        Some(("file", path)) => path.starts_with('/'),
        Some(("s3" | "gs" | "az", bucket)) => {
            !bucket.starts_with('/') && !bucket.is_empty() && !bucket.contains(['@', '?', '#'])
        }
        _ => false,
    }
}

/// Whether a text is a name without scheme and port.
fn is_host_name(text: &str) -> bool {
    let allowed = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '_');
    text == "*" || (!text.trim_matches('.').is_empty() && text.chars().all(allowed))
}

fn is_header_field(text: &str) -> bool {
    let allowed = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_');
    !text.is_empty() && text.chars().all(allowed)
}

fn is_origin(text: &str) -> bool {
    let origin = text.strip_suffix('/').unwrap_or(text);
    let host = origin
        .strip_prefix("https://")
        .or_else(|| origin.strip_prefix("http://"));
    let allowed = |c: char| c.is_ascii_alphanumeric() || "-._:[]".contains(c);
    origin == "*" || host.is_some_and(|host| !host.is_empty() && host.chars().all(allowed))
}

/// The address of a proxy or of a network of proxies.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ProxyAddress(IpNet);

impl ProxyAddress {
    /// The network; a single address is a network of one.
    pub fn network(&self) -> IpNet {
        self.0
    }
}

impl FromStr for ProxyAddress {
    type Err = InvalidValue;

    /// Parses an address, or `ADDRESS/BITS`.
    fn from_str(text: &str) -> Result<Self, InvalidValue> {
        let address = || text.parse::<IpAddr>().map(IpNet::from);
        let network = text.parse().or_else(|_| address());
        let expected = "a proxy address: use an address or network such as 10.0.0.1 or 10.0.0.0/8";
        network
            .map(Self)
            .map_err(|_| InvalidValue::new(text, expected))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn host_names_have_no_scheme_and_no_port() {
        for right in [
            "*",
            "l10n.example.org",
            ".example.org",
            "localhost",
            "under_score",
        ] {
            assert_eq!(right.parse::<HostName>().unwrap().as_str(), right);
        }
        for wrong in [
            "",
            ".",
            "http://a.example",
            "a.example:80",
            "a b",
            "*.example.org",
        ] {
            assert!(wrong.parse::<HostName>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn header_names_have_no_spaces_and_no_colon() {
        let name = "X-Forwarded-User".parse::<HeaderField>().unwrap();
        assert_eq!(name.as_str(), "x-forwarded-user");
        for wrong in ["", "Remote User", "Remote-User:", "é"] {
            assert!(wrong.parse::<HeaderField>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn proxies_are_addresses_or_networks() {
        for (text, bits) in [
            ("10.0.0.1", 32),
            ("10.0.0.0/8", 8),
            ("::1", 128),
            ("2001:db8::/32", 32),
        ] {
            assert_eq!(
                text.parse::<ProxyAddress>().unwrap().network().prefix_len(),
                bits,
                "{text}"
            );
        }
        for wrong in [
            "",
            "proxy",
            "10.0.0.0/33",
            "10.0.0.0/",
            "10.0.0/8",
            "::/129",
        ] {
            assert!(wrong.parse::<ProxyAddress>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn origins_have_a_scheme_and_a_host() {
        for (text, normalized) in [
            ("*", "*"),
            ("https://a.example/", "https://a.example"),
            ("http://[::1]:80", "http://[::1]:80"),
        ] {
            assert_eq!(text.parse::<Origin>().unwrap().as_str(), normalized);
        }
        for wrong in [
            "",
            "a.example",
            "https://",
            "ftp://a.example",
            "https://a.example/path",
        ] {
            assert!(wrong.parse::<Origin>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_listen_address_has_a_host_and_a_port() {
        for right in ["127.0.0.1:8000", "localhost:0", "[::1]:80", "0.0.0.0:65535"] {
            assert_eq!(right.parse::<ListenAddress>().unwrap().as_str(), right);
        }
        for wrong in [
            "",
            "8000",
            ":8000",
            "localhost",
            "localhost:",
            "localhost:65536",
            "::1:80",
            "a b:1",
        ] {
            assert!(wrong.parse::<ListenAddress>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_ledger_has_the_address_of_a_store() {
        for (given, normalized) in [
            ("s3://bucket/prefix/", "s3://bucket/prefix"),
            ("gs://bucket", "gs://bucket"),
            ("file:///var/lib/ledger", "file:///var/lib/ledger"),
        ] {
            assert_eq!(given.parse::<LedgerAddress>().unwrap().as_str(), normalized);
        }
        for wrong in [
            "",
            "/var/lib/ledger",
            "file://ledger",
            "s3://",
            "s3://key:secret@bucket",
        ] {
            assert!(wrong.parse::<LedgerAddress>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_base_url_is_an_http_url_without_a_final_slash() {
        for (given, normalized) in [
            (
                "https://translations.example.org/",
                "https://translations.example.org",
            ),
            ("http://[::1]:8080/l10n//", "http://[::1]:8080/l10n"),
        ] {
            assert_eq!(given.parse::<BaseUrl>().unwrap().as_str(), normalized);
        }
        for wrong in [
            "",
            "translations.example.org",
            "ftp://a.example",
            "https://",
            "https://u:p@a.example",
            "/a",
            "https://a.example/?x",
        ] {
            assert!(wrong.parse::<BaseUrl>().is_err(), "{wrong}");
        }
    }
}
