//! Who may ask, as a configuration says it: names of hosts, networks of proxies, origins of pages.

use std::net::IpAddr;

/// The name of a host that requests may name: a name, `.NAME` for it and all below it, or `*` for all.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct HostName(String);

/// The address of a proxy, or of a network of them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ProxyAddress {
    /// The address.
    pub address: IpAddr,
    /// How many of its first bits count.
    pub bits: u8,
}

/// The origin of pages that may read answers: `SCHEME://HOST[:PORT]`, or `*` for all.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Origin(String);

impl HostName {
    /// Takes a name without scheme and port.
    ///
    /// # Errors
    /// One sentence that says what is wrong.
    pub fn parse(text: &str) -> Result<Self, String> {
        let fits = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '_');
        if text == "*" || (!text.trim_matches('.').is_empty() && text.chars().all(fits)) {
            return Ok(Self(text.to_owned()));
        }
        Err(format!(
            "'{text}' is no name of a host: write it without scheme and port, as l10n.example.org, or * for all"
        ))
    }

    /// The name.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl ProxyAddress {
    /// Takes an address, or `ADDRESS/BITS`.
    ///
    /// # Errors
    /// One sentence that says what is wrong.
    pub fn parse(text: &str) -> Result<Self, String> {
        let wrong = || format!("'{text}' is no address of a proxy: write it as 10.0.0.1 or 10.0.0.0/8");
        let (address, bits) = match text.split_once('/') {
            Some((address, bits)) => (address, Some(bits.parse::<u8>().map_err(|_| wrong())?)),
            None => (text, None),
        };
        let address: IpAddr = address.parse().map_err(|_| wrong())?;
        let most = if address.is_ipv4() { 32 } else { 128 };
        let bits = bits.unwrap_or(most);
        if bits <= most { Ok(Self { address, bits }) } else { Err(wrong()) }
    }
}

impl Origin {
    /// Takes an origin; a slash at its end is left out.
    ///
    /// # Errors
    /// One sentence that says what is wrong.
    pub fn parse(text: &str) -> Result<Self, String> {
        let origin = text.strip_suffix('/').unwrap_or(text);
        let host = origin.strip_prefix("https://").or_else(|| origin.strip_prefix("http://"));
        let fits = |c: char| c.is_ascii_alphanumeric() || "-._:[]".contains(c);
        if origin == "*" || host.is_some_and(|host| !host.is_empty() && host.chars().all(fits)) {
            return Ok(Self(origin.to_owned()));
        }
        Err(format!("'{text}' is no origin of pages: write it as https://l10n.example.org, or * for all"))
    }

    /// The origin.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hosts_are_names_without_scheme_and_port() {
        for right in ["*", "l10n.example.org", ".example.org", "localhost", "under_score"] {
            assert_eq!(HostName::parse(right).unwrap().as_str(), right);
        }
        for wrong in ["", ".", "http://a.example", "a.example:80", "a b", "*.example.org"] {
            assert!(HostName::parse(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn proxies_are_addresses_or_networks() {
        for (text, bits) in [("10.0.0.1", 32), ("10.0.0.0/8", 8), ("::1", 128), ("2001:db8::/32", 32)] {
            assert_eq!(ProxyAddress::parse(text).unwrap().bits, bits, "{text}");
        }
        for wrong in ["", "proxy", "10.0.0.0/33", "10.0.0.0/", "10.0.0/8", "::/129"] {
            assert!(ProxyAddress::parse(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn origins_have_a_scheme_and_a_host() {
        for (text, kept) in
            [("*", "*"), ("https://a.example/", "https://a.example"), ("http://[::1]:80", "http://[::1]:80")]
        {
            assert_eq!(Origin::parse(text).unwrap().as_str(), kept);
        }
        for wrong in ["", "a.example", "https://", "ftp://a.example", "https://a.example/path"] {
            assert!(Origin::parse(wrong).is_err(), "{wrong}");
        }
    }
}
