//! Builds `/metrics` from the counters of other modules and the current state of snapshot and process.

use std::iter;
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;

use super::COMMIT;
use super::server_parts::ServerParts;
use crate::cli::follow_setup::FollowSetup;
use gitglot_api::{CacheCounters, MetricsText, Tokens};
use gitglot_catalog::{ComponentSnapshot, Snapshot, Statistics, TranslationView, problems_of};
use gitglot_follow::LedgerProblem;
use gitglot_ledger::SharedLedger;
use gitglot_metrics::{Exposition, HttpMetrics, MEDIA_TYPE, Process};
use gitglot_store::StoreRequests;

/// The sources of all metrics.
pub(super) struct Metrics {
    pub requests: Arc<HttpMetrics>,
    pub process: Process,
    pub setup: Arc<FollowSetup>,
    pub parts: Arc<ServerParts>,
    pub cache: Arc<CacheCounters>,
    /// Who may read.
    pub tokens: Option<Tokens>,
}

/// A gauge of a component: name, help, value.
type ComponentGauge = (
    &'static str,
    &'static str,
    fn(&MeasuredComponent<'_>) -> u64,
);

/// A component and the sum of its statistics.
struct MeasuredComponent<'a> {
    snapshot: &'a Snapshot,
    of: &'a ComponentSnapshot,
    sum: Statistics,
}

#[rustfmt::skip]
const COMPONENT_GAUGES: [ComponentGauge; 8] = [
    ("gitglot_component_translations", "Translations, including the source language.",
        |component| component.of.translations.len() as u64),
    ("gitglot_component_sources", "Source strings.", |component| component.of.sources.len() as u64),
    ("gitglot_component_units", "Strings in all languages but that of the source.", |component| component.sum.all.units),
    ("gitglot_component_translated_units", "Strings that are translated and not stale.",
        |component| component.sum.translated.units),
    ("gitglot_component_stale_units", "Strings whose source changed after they were translated.",
        |component| component.sum.fuzzy.units),
    ("gitglot_component_failing_units", "Strings with a failing check.", |component| component.sum.failing.units),
    ("gitglot_component_changes", "Entries of the change log.",
        |component| component.snapshot.changes_of_component(component.of).len() as u64),
    ("gitglot_component_problems",
        "Files that are excluded or do not parse, and unknown names in acknowledgements.",
        |component| problems_of(component.snapshot, component.of).count() as u64),
];

impl Metrics {
    /// The endpoint data for the API.
    pub fn exposed(self: Arc<Self>) -> MetricsText {
        MetricsText {
            media: MEDIA_TYPE,
            text: Box::new(move || self.text()),
        }
    }

    fn text(&self) -> String {
        let (components, projects) = self.setup.published.load().map_or((0, 0), |snapshot| {
            (snapshot.components().len(), snapshot.projects().len())
        });
        let detail = self.setup.config.settings.metrics_detail;
        let omitted = detail.omitted_labels(components, projects);
        let mut page = Exposition::without_labels(omitted);
        let version = [("version", env!("CARGO_PKG_VERSION")), ("commit", COMMIT)];
        let help = "Version and commit of the running program; the value is always 1.";
        page.gauge("gitglot_build_info", help).add(&version, 1.0);
        self.requests.expose(&mut page);
        self.serving(&mut page);
        self.setup.metrics.expose(&mut page);
        self.components(&mut page);
        if let Some(tokens) = &self.tokens {
            add_grants(&mut page, tokens);
        }
        if let Some(shared) = &self.setup.shared {
            self.ledger(&mut page, shared);
        }
        // After the counters: it has all batches that they count.
        if let Some(snapshot) = self.setup.published.load() {
            add_snapshot(&mut page, &snapshot);
        }
        self.process.expose(&mut page);
        page.text()
    }

    /// The metrics of connections, caches and scans. Long because it is one flat list of metrics.
    fn serving(&self, page: &mut Exposition) {
        let settings = &self.setup.config.settings;
        #[rustfmt::skip]
        let gauges = [
            ("gitglot_connections", "Open connections.", self.parts.connections.open()),
            ("gitglot_connections_max", "Maximum number of open connections.", self.parts.connections.limit()),
            ("gitglot_cache_bytes", "Size of the cached responses.", self.cache.bytes()),
            ("gitglot_cache_max_bytes", "Maximum size of the cached responses.", settings.cache_size.bytes()),
            ("gitglot_revision_cache_bytes", "Size of the cached revisions and comparisons.",
                self.parts.revisions.cached_bytes()),
            ("gitglot_event_streams", "Open event streams.", self.parts.streams.open()),
            ("gitglot_event_streams_max", "Maximum number of open event streams.", self.parts.streams.most()),
            ("gitglot_scans_running", "Running searches and other scans.", self.parts.scans.running()),
            ("gitglot_scans_queued", "Scans waiting for a free core.", self.parts.scans.queued()),
        ];
        for (name, help, value) in gauges {
            page.gauge(name, help).add(&[], value as f64);
        }
        let scans = self.parts.scans.counters();
        #[rustfmt::skip]
        let counters = [
            ("gitglot_scans_total", "Scans that started.", scans.started.load(Relaxed)),
            ("gitglot_scans_refused_total", "Scans that got a 503 because too many waited.",
                scans.refused.load(Relaxed)),
            ("gitglot_scans_exhausted_total", "Scans that got a 400 because of a limit.",
                scans.exhausted.load(Relaxed)),
            ("gitglot_scans_cancelled_total", "Scans whose client disconnected.", scans.cancelled.load(Relaxed)),
            ("gitglot_cache_hits_total", "Cache lookups that found a response.", self.cache.hits()),
            ("gitglot_cache_misses_total", "Cache lookups that found no response.", self.cache.misses()),
        ];
        for (name, help, value) in counters {
            page.counter(name, help).add(&[], value as f64);
        }
    }

    /// The shared ledger and its store.
    fn ledger(&self, page: &mut Exposition, shared: &SharedLedger) {
        let batch = self
            .setup
            .published
            .load()
            .map_or(0, |snapshot| snapshot.batch());
        page.gauge("gitglot_ledger_batch", "The newest published batch.")
            .add(&[], f64::from(batch));
        let help = "Batches of the shared ledger that this replica has not applied yet.";
        page.gauge("gitglot_ledger_batches_behind", help)
            .add(&[], f64::from(shared.batches_behind()));
        let problems = self.parts.readiness.report().ledger_problems;
        let help = "Whether the shared ledger has this kind of problem.";
        let family = page.gauge("gitglot_ledger_problem", help);
        for kind in LedgerProblem::ALL.map(LedgerProblem::as_str) {
            let value = f64::from(u8::from(problems.contains(&kind)));
            family.add(&[("kind", kind)], value);
        }
        let help = "Batches that another replica recorded first.";
        page.counter("gitglot_ledger_lost_races_total", help)
            .add(&[], f64::from(shared.lost_races()));
        let operations: Vec<_> = self.setup.store_counters.operations().collect();
        let mut add = |name, help, value: fn(&StoreRequests) -> f64| {
            let family = page.counter(name, help);
            for requests in &operations {
                family.add(&[("operation", requests.operation)], value(requests));
            }
        };
        let help = "Requests to the store of the shared ledger.";
        add("gitglot_store_requests_total", help, |requests| {
            requests.all as f64
        });
        let help = "Requests to the store of the shared ledger that failed.";
        add("gitglot_store_failures_total", help, |requests| {
            requests.failed as f64
        });
        let help = "Time spent in requests to the store of the shared ledger.";
        add("gitglot_store_request_seconds_total", help, |requests| {
            requests.seconds
        });
    }

    /// The state of each configured component.
    fn components(&self, page: &mut Exposition) {
        let report = self.parts.readiness.report();
        page.gauge("gitglot_ready", "Whether /readyz returns 200.")
            .add(&[], f64::from(u8::from(report.status == "ready")));
        let help =
            "Whether the newest version of the configuration, certificate or tokens was rejected.";
        let family = page.gauge("gitglot_reload_rejected", help);
        let configuration = ("configuration", report.configuration.is_some());
        for (file, is_rejected) in iter::once(configuration).chain(self.parts.rejected.all()) {
            family.add(&[("file", file)], f64::from(u8::from(is_rejected)));
        }
        let snapshot = self.setup.published.load().unwrap_or_default();
        let served: Vec<String> = snapshot.components().iter().map(|of| of.path()).collect();
        let failed = report.failed.iter().map(|failure| &failure.component);
        let help = "Whether the component is served.";
        let family = page.gauge("gitglot_component_published", help);
        for name in &served {
            family.add(&labels_of(name), 1.0);
        }
        for name in report.missing.iter().chain(failed) {
            family.add(&labels_of(name), 0.0);
        }
        let help = "Whether the published state of the component may lack newer commits.";
        let family = page.gauge("gitglot_component_behind", help);
        for name in &served {
            let mut all = report.behind.iter();
            let behind = all.any(|failure| failure.component == *name);
            family.add(&labels_of(name), f64::from(u8::from(behind)));
        }
    }
}

/// The content of the snapshot.
fn add_snapshot(page: &mut Exposition, snapshot: &Snapshot) {
    if let Some(time) = snapshot.time() {
        let help = "Unix time at which the newest batch was observed.";
        page.gauge("gitglot_snapshot_timestamp_seconds", help)
            .add(&[], time as f64);
    }
    page.gauge("gitglot_users", "Authors in the change log.")
        .add(&[], snapshot.users().len() as f64);
    let components = snapshot.components().iter().map(|of| {
        let views = of.views().filter(|view| !view.is_source());
        let sum = views.map(TranslationView::totals).sum();
        MeasuredComponent { snapshot, of, sum }
    });
    let components: Vec<_> = components.collect();
    for (name, help, value) in COMPONENT_GAUGES {
        let family = page.gauge(name, help);
        for measured in &components {
            let (project, component) = (&measured.of.project.slug, &measured.of.component.slug);
            let labels = labels(project.as_str(), component.as_str());
            family.add(&labels, value(measured) as f64);
        }
    }
}

/// The grants with a name, for alerts on those that end soon or are not used.
fn add_grants(page: &mut Exposition, tokens: &Tokens) {
    let uses = tokens.uses();
    let help = "Unix time at which the grant was used last; 0 if it was not used since the start.";
    let family = page.gauge("gitglot_grant_last_used_timestamp_seconds", help);
    for (name, _, used) in &uses {
        family.add(&[("grant", name)], *used as f64);
    }
    let help = "Unix time at which the grant ends, if it does.";
    let family = page.gauge("gitglot_grant_expiry_timestamp_seconds", help);
    for (name, expires, _) in &uses {
        if let Some(expires) = expires {
            family.add(&[("grant", name)], *expires as f64);
        }
    }
}

/// The labels of a component.
fn labels<'n>(project: &'n str, component: &'n str) -> [(&'static str, &'n str); 2] {
    [("project", project), ("component", component)]
}

/// The labels of the component `project/component`.
fn labels_of(name: &str) -> [(&'static str, &str); 2] {
    let (project, component) = slugs(name);
    labels(project, component)
}

/// The slugs of a component name, `project/component`.
pub(super) fn slugs(name: &str) -> (&str, &str) {
    name.split_once('/').unwrap_or(("", name))
}
