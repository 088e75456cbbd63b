//! URLs (`docs/spec/checks.md#urls`).

rule! {
    /// A translation of a URL must be a URL with `http`, `https` or `ftp`. It is an error only if a flag requires it.
    ///
    /// Inferred checks accept spaces around it, and one with other words.
    URL: "url" "URL" "The translation is not a URL." Error;
    fails "json" "de" "https://example.org/" "example";
    passes "json" "de" "https://example.org/" "https://example.org/de";
}

/// Whether a text is an absolute `http`, `https` or `ftp` URL whose host has a dot, is an address or is `localhost`.
pub(crate) fn is_url(text: &str) -> bool {
    let Some((scheme, rest)) = text.split_once("://") else {
        return false;
    };
    let mut schemes = ["http", "https", "ftp", "ftps"].into_iter();
    let is_outside = |char: char| char.is_whitespace() || char.is_control();
    if !schemes.any(|known| scheme.eq_ignore_ascii_case(known)) || text.contains(is_outside) {
        return false;
    }
    let authority = rest.split(['/', '?', '#']).next().unwrap_or_default();
    let host = authority
        .rsplit_once('@')
        .map_or(authority, |(_, host)| host);
    if let Some(address) = host.strip_prefix('[') {
        let Some((address, port)) = address.split_once(']') else {
            return false;
        };
        return address.parse::<std::net::Ipv6Addr>().is_ok() && is_port(port);
    }
    let (name, port) = host.split_at(host.find(':').unwrap_or(host.len()));
    is_port(port) && is_host(name)
}

/// Whether a text is empty or a port with its colon.
fn is_port(text: &str) -> bool {
    let digits = text.strip_prefix(':');
    text.is_empty() || digits.is_some_and(|digits| digits.parse::<u16>().is_ok())
}

fn is_host(name: &str) -> bool {
    if name.eq_ignore_ascii_case("localhost") || name.parse::<std::net::Ipv4Addr>().is_ok() {
        return true;
    }
    let name = name.strip_suffix('.').unwrap_or(name);
    let is_part = |char: char| char.is_alphanumeric() || char == '-';
    let is_label = |label: &str| {
        label.chars().all(is_part)
            && !label.is_empty()
            && !label.starts_with('-')
            && !label.ends_with('-')
    };
    let top = name.rsplit('.').next().unwrap_or_default();
    name.contains('.')
        && name.split('.').all(is_label)
        && top.chars().count() > 1
        && (top.starts_with("xn--") || !top.contains(|char: char| char.is_ascii_digit()))
}

#[cfg(test)]
mod tests {
    use super::is_url;

    #[test]
    fn a_url_has_a_scheme_and_a_host() {
        for url in [
            "http://a.example.org",
            "HTTPS://x.cz/?a=b#c",
            "ftp://localhost:21/",
            "http://u:p@1.2.3.4",
            "http://x.xn--p1ai:8080/",
            "http://příklad.cz",
            "https://[::1]/",
        ] {
            assert!(is_url(url), "{url}");
        }
        for text in [
            "",
            "x.cz",
            "//x.cz",
            "http://x",
            "http://x.cz/ a",
            "javascript:alert(1)",
            "http://-a.cz",
            "http://x.c:9x",
            "http://x.c0m",
        ] {
            assert!(!is_url(text), "{text}");
        }
    }
}
