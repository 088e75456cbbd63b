//! The summary that a terminal shows once everything was read.

use std::fmt::Write;
use std::io::IsTerminal;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::time::Duration;

use crate::config::{BaseUrl, LogFormat, Settings};
use gitglot_catalog::{ComponentSnapshot, Snapshot, Statistics, percent};
use gitglot_model::{NO_FILES, counted};

/// Components that are listed; the others are counted.
const LISTED: usize = 20;

pub(super) struct Summary {
    url: String,
}

impl Summary {
    /// The summary of a server that listens on `address`; `None` if standard error is no terminal or has JSON lines.
    pub fn on_terminal(settings: &Settings, address: SocketAddr) -> Option<Self> {
        let wanted = std::io::stderr().is_terminal() && settings.log_format == LogFormat::Text;
        let has_tls = settings.tls_cert.is_some();
        let scheme = if has_tls { "https" } else { "http" };
        let url = match &settings.base_url {
            Some(url) => BaseUrl::as_str(url).to_owned(),
            None => format!("{scheme}://{}", reachable(address)),
        };
        wanted.then_some(Self { url })
    }

    /// The components of `snapshot`, failures, addresses, and the time that reading took.
    pub fn text(
        &self,
        snapshot: &Snapshot,
        failures: impl Iterator<Item = String>,
        elapsed: Duration,
    ) -> String {
        let components = snapshot.components();
        let (projects, seconds) = (snapshot.projects().len(), elapsed.as_secs_f64());
        let mut text = format!(
            "\nRead {} in {} after {seconds:.1} s\n\n",
            counted(components.len(), "component"),
            counted(projects, "project")
        );
        let listed = components.iter().take(LISTED);
        let rows: Vec<[String; 4]> = listed.map(|component| row(component)).collect();
        let mut widths = [0; 4];
        for row in &rows {
            for (width, cell) in widths.iter_mut().zip(row) {
                *width = cell.chars().count().max(*width);
            }
        }
        let [a, b, c, d] = widths;
        // Writing to a string cannot fail.
        for [name, languages, strings, translated] in &rows {
            let numbers = format!("{languages:>b$}  {strings:>c$}  {translated:>d$}");
            let _ = writeln!(text, "  {name:<a$}  {numbers}");
        }
        if components.len() > LISTED {
            let _ = writeln!(text, "  and {} more", components.len() - LISTED);
        }
        for failure in failures {
            let _ = writeln!(text, "  error: {failure}");
        }
        let url = &self.url;
        text + &format!("\n  Pages  {url}/\n  API    {url}/api/\n\nPress Ctrl-C to stop\n")
    }
}

/// The cells of a component.
fn row(component: &ComponentSnapshot) -> [String; 4] {
    let translations: Vec<_> = component.views().filter(|view| !view.is_source()).collect();
    let sums = translations.iter().map(|view| view.totals());
    let sum: Statistics = sums.sum();
    let tenths = percent(sum.translated.units, sum.all.units, 1000);
    [
        component.path(),
        counted(translations.len(), "translation"),
        counted(component.sources.len(), "string"),
        match sum.all.units {
            0 => NO_FILES.to_owned(),
            _ => format!("{}.{} % translated", tenths / 10, tenths % 10),
        },
    ]
}

/// The address that a browser on the same machine can open.
fn reachable(address: SocketAddr) -> SocketAddr {
    let ip = match address.ip() {
        IpAddr::V4(ip) if ip.is_unspecified() => Ipv4Addr::LOCALHOST.into(),
        IpAddr::V6(ip) if ip.is_unspecified() => Ipv6Addr::LOCALHOST.into(),
        ip => ip,
    };
    SocketAddr::new(ip, address.port())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_summary_names_an_address_that_a_browser_can_open() {
        let open = |address: &str| reachable(address.parse().unwrap()).to_string();
        assert_eq!(open("0.0.0.0:80"), "127.0.0.1:80");
        assert_eq!(open("[::]:80"), "[::1]:80");
        assert_eq!(open("192.0.2.1:80"), "192.0.2.1:80");
    }

    #[test]
    fn failures_and_addresses_are_part_of_the_summary() {
        let summary = Summary {
            url: "http://127.0.0.1:8000".to_owned(),
        };
        let failures = ["garden/app: no such branch".to_owned()];
        let empty = Snapshot::after(None, Vec::new(), Vec::new(), [].into());
        let text = summary.text(&empty, failures.into_iter(), Duration::from_millis(1250));
        insta::assert_snapshot!(text, @r"

        Read 0 components in 0 projects after 1.2 s

          error: garden/app: no such branch

          Pages  http://127.0.0.1:8000/
          API    http://127.0.0.1:8000/api/

        Press Ctrl-C to stop
        ");
    }
}
