//! Converts the access settings to the types of the API.

use std::path::Path;
use std::sync::Arc;

use anyhow::{Context, bail};

use crate::config::{BadgeAccess, HostName, ProxyAddress, Settings, read_text_file};
use gitglot_api::{AccessControl, Cors, Hosts, LinkConfig, RateLimit, Tokens};

/// The base of links, and the allowed hosts.
pub(super) fn links(settings: &Settings) -> LinkConfig {
    let base_url = settings
        .base_url
        .as_ref()
        .map(|url| url.as_str().to_owned());
    let own = [
        Some(host_of(settings.listen.as_str())),
        base_url.as_deref().map(host_of_url),
    ];
    let given = settings
        .allowed_hosts
        .iter()
        .flatten()
        .map(HostName::as_str);
    let names = own
        .into_iter()
        .flatten()
        .chain(given)
        .map(str::to_owned)
        .chain(machine_name());
    let trusted = settings
        .trusted_proxies
        .iter()
        .flatten()
        .map(ProxyAddress::network);
    LinkConfig {
        hosts: Hosts::new(names, trusted.collect()),
        site_url: settings
            .site_url
            .as_ref()
            .map(|url| url.as_str().to_owned()),
        base_url,
    }
}

/// Allowed origins, the rate limit and the read tokens.
///
/// # Errors
/// When the token file cannot be read or is empty.
pub(super) fn access(settings: &Settings) -> anyhow::Result<AccessControl> {
    let cors = Cors::new(
        settings
            .cors_origins
            .iter()
            .flatten()
            .map(|origin| origin.as_str().to_owned()),
    );
    let rate = settings
        .rate_limit
        .map(|rate| Arc::new(RateLimit::new(rate.requests, rate.time)));
    let public_badges = settings.badge_access == BadgeAccess::Public;
    let tokens = settings.tokens.as_deref().map(read_tokens).transpose()?;
    Ok(AccessControl {
        cors,
        public_badges,
        rate,
        tokens,
    })
}

/// The tokens of a file.
///
/// # Errors
/// When it cannot be read or contains none.
pub(super) fn read_tokens(path: &Path) -> anyhow::Result<Tokens> {
    let text = read_text_file(path)
        .with_context(|| format!("cannot read the token file {}", path.display()))?;
    let tokens = Tokens::parse(&text);
    if tokens.is_empty() {
        bail!(
            "the token file {} contains no token: write one token per line",
            path.display()
        );
    }
    Ok(tokens)
}

fn host_of_url(url: &str) -> &str {
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    host_of(rest.split('/').next().unwrap_or(rest))
}

/// A host without its port.
fn host_of(host: &str) -> &str {
    match host.rsplit_once(':') {
        Some((name, port)) if port.bytes().all(|b| b.is_ascii_digit()) => name,
        _ => host,
    }
}

/// The name of the machine, if it is available without a system call.
fn machine_name() -> Option<String> {
    let name = std::fs::read_to_string("/proc/sys/kernel/hostname").ok();
    let name = name.or_else(|| {
        ["HOSTNAME", "COMPUTERNAME"]
            .iter()
            .find_map(|name| std::env::var(name).ok())
    })?;
    let name = name.trim();
    (!name.is_empty()).then(|| name.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_host_of_an_address_has_no_port() {
        for (url, host) in [
            ("https://l10n.example.org/x", "l10n.example.org"),
            ("http://l10n.example.org:8080", "l10n.example.org"),
            ("http://[::1]:8080/", "[::1]"),
        ] {
            assert_eq!(host_of_url(url), host);
        }
        assert_eq!(host_of("0.0.0.0:80"), "0.0.0.0");
    }
}
