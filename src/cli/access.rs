//! Converts the access settings to the types of the API.

use std::path::Path;
use std::sync::Arc;

use anyhow::{Context, bail};
use poem::http::HeaderName;

use super::grants;
use crate::config::{
    BadgeAccess, BaseUrl, HeaderField, HostName, ProxyAddress, Settings, read_text_file,
};
use gitglot_api::{AccessControl, Cors, Hosts, LinkConfig, RateLimit, SignInHeaders, Tokens};

/// The base of links, and the allowed hosts.
pub(super) fn links(settings: &Settings) -> LinkConfig {
    let text = |url: &BaseUrl| url.as_str().to_owned();
    let base_url = settings.base_url.as_ref().map(text);
    let listen = host_of(settings.listen.as_str());
    let own = [Some(listen), base_url.as_deref().map(host_of_url)];
    let given = settings.allowed_hosts.iter().flatten();
    let given = given.map(HostName::as_str);
    let names = own.into_iter().flatten().chain(given).map(str::to_owned);
    let trusted = settings.trusted_proxies.iter().flatten();
    let trusted = trusted.map(ProxyAddress::network).collect();
    LinkConfig {
        hosts: Hosts::new(names.chain(machine_name()), trusted),
        site_url: settings.site_url.as_ref().map(text),
        base_url,
    }
}

/// Allowed origins, the rate limit, and who may read what.
///
/// # Errors
/// When the token file cannot be read or is empty.
pub(super) fn access(settings: &Settings) -> anyhow::Result<AccessControl> {
    let origins = settings.cors_origins.iter().flatten();
    let cors = Cors::new(origins.map(|origin| origin.as_str().to_owned()));
    let rate = settings.rate_limit;
    let rate = rate.map(|rate| Arc::new(RateLimit::new(rate.requests, rate.time)));
    let public_badges = settings.badge_access == BadgeAccess::Public;
    let tokens = settings.tokens.as_deref().map(read_tokens).transpose()?;
    let header = |name: &HeaderField| HeaderName::from_bytes(name.as_str().as_bytes());
    check_sign_in(settings)?;
    let user = settings.user_header.as_ref().map(header).transpose()?;
    let groups = settings.groups_header.as_ref().map(header).transpose()?;
    Ok(AccessControl {
        cors,
        public_badges,
        rate,
        tokens,
        sign_in: user.map(|user| SignInHeaders { user, groups }),
    })
}

/// Checks that only a proxy can name people, and that they can be granted something.
fn check_sign_in(settings: &Settings) -> anyhow::Result<()> {
    let headers = [
        ("user-header", settings.user_header.is_some()),
        ("groups-header", settings.groups_header.is_some()),
    ];
    let needed = [
        ("tokens", settings.tokens.is_some()),
        ("trusted-proxies", settings.trusted_proxies.is_some()),
        ("user-header", settings.user_header.is_some()),
    ];
    let given = headers.iter().find(|(_, is_set)| *is_set);
    let missing = needed.iter().find(|(_, is_set)| !is_set);
    if let (Some((header, _)), Some((missing, _))) = (given, missing) {
        bail!("{header} is set without {missing}: set both, so that only your proxy names people");
    }
    Ok(())
}

/// The tokens or grants of a file.
///
/// # Errors
/// When it cannot be read, is invalid or contains none.
pub(super) fn read_tokens(path: &Path) -> anyhow::Result<Tokens> {
    let text = read_text_file(path)
        .with_context(|| format!("cannot read the token file {}", path.display()))?;
    let tokens = if grants::are_in(&text) {
        Tokens::new(grants::parse(path, &text)?)
    } else {
        check_tokens(path, &text)?;
        Tokens::parse(&text)
    };
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
    let variable = || {
        let mut names = ["HOSTNAME", "COMPUTERNAME"].iter();
        names.find_map(|name| std::env::var(name).ok())
    };
    let name = name.or_else(variable)?;
    let name = name.trim();
    (!name.is_empty()).then(|| name.to_owned())
}

/// Checks that each line can be a token, so that no other text, such as a grant without a table, is one.
fn check_tokens(path: &Path, text: &str) -> anyhow::Result<()> {
    let has_space = |line: &str| line.split_whitespace().nth(1).is_some();
    let is_invalid = |line: &str| !line.starts_with('#') && has_space(line);
    match text.lines().map(str::trim).position(is_invalid) {
        Some(line) => bail!(
            "{}:{}: a token has no spaces: write one token per line, or grants with [[grant]]",
            path.display(),
            line + 1
        ),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_line_of_a_misspelt_grant_is_a_token() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("tokens");
        let grant = "name = 'acme'\nuser = 'ada'\nprojects = ['acme']\n";
        for header in ["[[grants]]\n", "[[ token ]]\n", "[grant]\n", ""] {
            std::fs::write(&path, [header, grant].concat()).unwrap();
            let error = read_tokens(&path).unwrap_err().to_string();
            assert!(error.contains(&*path.to_string_lossy()), "{error}");
        }
        for text in [
            ["[[ grant ]]\n", grant].concat(),
            "# a b\nabc==\n".to_owned(),
        ] {
            std::fs::write(&path, text).unwrap();
            assert!(!read_tokens(&path).unwrap().is_empty());
        }
    }

    #[test]
    fn people_are_signed_in_by_trusted_proxies_only() {
        let error = |arguments: &[&str]| {
            let mut flags = crate::config::ConfigFlags::default();
            flags.target.repo = Some("/repository".into());
            flags.data.state_dir = Some("/state".into());
            for argument in arguments {
                match *argument {
                    "tokens" => flags.http.tokens = Some("/missing".into()),
                    "proxies" => {
                        flags.http.trusted_proxies = Some(vec!["10.0.0.1".parse().unwrap()])
                    }
                    header => flags.http.user_header = Some(header.parse().unwrap()),
                }
            }
            let config = crate::config::Config::load(flags).unwrap();
            check_sign_in(&config.settings)
                .err()
                .map(|error| error.to_string())
        };
        let missing = |of: &str| {
            Some(format!(
                "user-header is set without {of}: set both, so that only your proxy names people"
            ))
        };
        assert_eq!(error(&["x-user"]), missing("tokens"));
        assert_eq!(error(&["x-user", "tokens"]), missing("trusted-proxies"));
        assert_eq!(error(&["x-user", "tokens", "proxies"]), None);
    }

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
