//! What stands at `/metrics`: what the rooms have counted, and what the snapshot and the process are like now.

use std::sync::Arc;

use crate::api::{CacheFigures, Exposed, Streams};
use crate::catalog::{ComponentSnapshot, Published, Snapshot, Statistics};
use crate::health::Readiness;
use crate::observe::{Exposition, FollowMetrics, HttpMetrics, MEDIA_TYPE, Process};
use crate::server::Connections;

/// Everything that is told.
pub(super) struct Metrics {
    pub requests: Arc<HttpMetrics>,
    pub following: Arc<FollowMetrics>,
    pub process: Process,
    pub published: Arc<Published>,
    pub readiness: Arc<Readiness>,
    pub streams: Streams,
    pub connections: Connections,
    pub cache: Arc<CacheFigures>,
    /// Bytes that the cache may hold.
    pub cache_size: usize,
}

/// A gauge of components: its name, what it says, its value.
type OfComponent = (&'static str, &'static str, fn(&Component<'_>) -> u64);

/// A component, and what its units add up to.
struct Component<'a> {
    snapshot: &'a Snapshot,
    of: &'a ComponentSnapshot,
    sum: Statistics,
}

const OF_COMPONENTS: [OfComponent; 8] = [
    ("gitglot_component_translations", "Translations, that of the source language included.", |it| {
        it.of.translations.len() as u64
    }),
    ("gitglot_component_sources", "Source strings.", |it| it.of.sources.len() as u64),
    ("gitglot_component_units", "Strings in all languages.", |it| it.sum.all.units),
    ("gitglot_component_translated_units", "Strings that are translated and up to date.", |it| it.sum.translated.units),
    ("gitglot_component_stale_units", "Strings whose source has changed since.", |it| it.sum.fuzzy.units),
    ("gitglot_component_failing_units", "Strings with a failing check.", |it| it.sum.failing.units),
    ("gitglot_component_changes", "Entries of the change log.", |it| {
        it.snapshot.changes_of_component(it.of).len() as u64
    }),
    ("gitglot_component_problems", "Files that are left out or cannot be read.", |it| it.of.problems.len() as u64),
];

impl Metrics {
    /// As the API shows it.
    pub fn exposed(self: Arc<Self>) -> Exposed {
        Exposed { media: MEDIA_TYPE, text: Box::new(move || self.text()) }
    }

    fn text(&self) -> String {
        let mut page = Exposition::default();
        let version = [("version", env!("CARGO_PKG_VERSION"))];
        page.gauge("gitglot_build_info", "Always 1; the label says which version runs.").add(&version, 1.0);
        self.requests.expose(&mut page);
        self.serving(&mut page);
        self.following.expose(&mut page);
        self.components(&mut page);
        if let Some(snapshot) = self.published.load() {
            present(&mut page, &snapshot);
        }
        self.process.expose(&mut page);
        page.text()
    }

    fn serving(&self, page: &mut Exposition) {
        page.gauge("gitglot_connections", "Connections from clients.").add(&[], self.connections.open() as f64);
        page.gauge("gitglot_connections_max", "Connections that are served at a time.")
            .add(&[], self.connections.limit() as f64);
        let help = "Lookups of answers that were made before and still hold.";
        page.counter("gitglot_cache_hits_total", help).add(&[], self.cache.hits() as f64);
        page.counter("gitglot_cache_misses_total", "Lookups that found none.").add(&[], self.cache.misses() as f64);
        page.gauge("gitglot_cache_bytes", "Bytes of answers that are kept.").add(&[], self.cache.bytes() as f64);
        page.gauge("gitglot_cache_max_bytes", "Bytes that may be kept.").add(&[], self.cache_size as f64);
        page.gauge("gitglot_event_streams", "Clients that listen to events.").add(&[], self.streams.open() as f64);
        page.gauge("gitglot_event_streams_max", "Clients that may listen at a time.")
            .add(&[], self.streams.most() as f64);
    }

    /// Whether each component of the configuration is served, and as its repository is now.
    fn components(&self, page: &mut Exposition) {
        let report = self.readiness.report();
        page.gauge("gitglot_ready", "Whether every component is published or has failed.")
            .add(&[], f64::from(u8::from(report.status == "ready")));
        let labels = |name| {
            let (project, component) = slugs(name);
            [("project", project), ("component", component)]
        };
        let snapshot = self.published.load().unwrap_or_default();
        let served: Vec<String> = snapshot.components().iter().map(|of| name(of)).collect();
        let failed = report.failed.iter().map(|failure| &failure.component);
        let mut family = page.gauge("gitglot_component_published", "Whether a component is served.");
        for (name, value) in
            served.iter().map(|name| (name, 1.0)).chain(report.missing.iter().chain(failed).map(|it| (it, 0.0)))
        {
            family.add(&labels(name), value);
        }
        let help = "Whether a component may be older than its repository, since that cannot be read.";
        let mut family = page.gauge("gitglot_component_behind", help);
        for name in &served {
            let behind = report.behind.iter().any(|failure| failure.component == *name);
            family.add(&labels(name), f64::from(u8::from(behind)));
        }
    }
}

/// What is served.
fn present(page: &mut Exposition, snapshot: &Snapshot) {
    if let Some(time) = snapshot.time() {
        let help = "When the newest change in the snapshot was seen, in seconds since 1970.";
        page.gauge("gitglot_snapshot_timestamp_seconds", help).add(&[], time as f64);
    }
    page.gauge("gitglot_users", "People whom the change log names.").add(&[], snapshot.users().len() as f64);
    let components = snapshot.components().iter().map(|of| {
        let sum = of.translations.iter().map(|translation| translation.statistics).sum();
        Component { snapshot, of, sum }
    });
    let components: Vec<_> = components.collect();
    for (name, help, value) in OF_COMPONENTS {
        let mut family = page.gauge(name, help);
        for it in &components {
            let (project, component) = (it.of.project.slug.as_str(), it.of.component.slug.as_str());
            family.add(&[("project", project), ("component", component)], value(it) as f64);
        }
    }
}

fn name(of: &ComponentSnapshot) -> String {
    [of.project.slug.as_str(), "/", of.component.slug.as_str()].concat()
}

/// The slugs in the name `project/component`.
pub(super) fn slugs(name: &str) -> (&str, &str) {
    name.split_once('/').unwrap_or(("", name))
}
