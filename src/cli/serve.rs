//! `gitglot serve`, and the server of `gitglot demo`.

mod certificate;
mod following;
mod late;
mod summary;

pub(super) use certificate::certificate;

use std::process::ExitCode;
use std::sync::atomic::Ordering;
use std::sync::{Arc, mpsc};
use std::time::Duration;

use anyhow::Context;
use poem::{Endpoint, EndpointExt, Response};
use tokio::runtime::Runtime;
use tokio::sync::oneshot;

use self::following::Following;
use self::late::{HookDispatcher, LateSources};
use self::summary::Summary;
use super::ServeArgs;
use super::access;
use super::metrics::Metrics;
use super::names::ServedNames;
use super::output;
use super::progress::HistoryBar;
use super::reload::{Reloader, Trigger};
use super::service::FollowService;
use super::service_manager::{self, ServiceManager};
use crate::api::{self, Streams};
use crate::checks::Checker;
use crate::config::{BaseUrl, Config, ConfigFlags, ProxyAddress, Settings};
use crate::health::{HealthEndpoints, Readiness};
use crate::hooks::HookEndpoint;
use crate::ledger::Ledger;
use crate::observe::{self, HttpMetrics, Process};
use crate::revisions::Revisions;
use crate::scan::{ScanLimits, Scans};
use crate::server::{self, Connections, Listener, ServerLimits, Tls};
use crate::web::PageLayout;

/// How long a shutdown waits for the follow thread.
const FOLLOW_STOP_TIME: Duration = Duration::from_secs(2);

/// Runs the command.
pub(super) fn run(args: ServeArgs) -> anyhow::Result<ExitCode> {
    let config = Config::load(args.flags.clone())?;
    observe::start_logging(config.settings.log_format, config.settings.log_level);
    serve(config, args.flags)
}

/// Serves a configuration until shutdown. `flags` are its flags, for reloads.
pub(super) fn serve(config: Config, flags: ConfigFlags) -> anyhow::Result<ExitCode> {
    let mut service = FollowService::new(config);
    service.open_store()?;
    let settings = &service.config.settings;
    let (ledger, checker) = (service.ledger()?, service.checker()?);
    let tls = certificate(settings)?;
    let listener = server::bind(resolve(settings.listen.as_str())?)?;
    let address = listener.local_addr();
    let address = address.context("cannot determine the listen address")?;

    let parts = ServerParts::new(settings);
    let app = parts.endpoint(&service)?;
    let limits = limits(settings);
    let runtime = runtime()?;
    let names = Arc::new(service.names()?);
    let reloader = parts.reloader(flags, service.config.clone(), names.clone());
    let signal = {
        let _guard = runtime.enter();
        signals(reloader, tls.clone())?
    };
    let scheme = if tls.is_some() { "https" } else { "http" };
    output::print(&format!("listening on {scheme}://{address}\n"))?;

    let summary = Summary::on_terminal(settings, address);
    let stop = service.stop.clone();
    let following = parts.following(service, names, summary);
    let (failure, ended) = follow(following, ledger, checker);
    let (served, error) = runtime.block_on(async {
        let mut error = None;
        let shutdown = async {
            tokio::select! {
                () = signal => {}
                Ok(reason) = failure => error = Some(reason),
                () = service_manager::run_watchdog() => {}
            }
            parts.manager.stopping();
            // The follow thread ends while connections drain.
            stop.store(true, Ordering::Relaxed);
            parts.dispatcher.stop();
            parts.streams.close();
        };
        let listener = Listener::new(listener, tls);
        let connections = parts.connections.clone();
        let served = server::serve(listener, app, limits, connections, shutdown).await;
        (served, error)
    });
    // The state directory survives an exit at any point, so the wait is short.
    let _ = ended.recv_timeout(FOLLOW_STOP_TIME);
    error.map_or(Ok(()), Err)?;
    served?;
    Ok(ExitCode::SUCCESS)
}

/// The parts that endpoints, the follow thread and reloads share.
struct ServerParts {
    sources: Arc<LateSources>,
    readiness: Arc<Readiness>,
    connections: Connections,
    streams: Streams,
    scans: Scans,
    revisions: Arc<Revisions>,
    dispatcher: Arc<HookDispatcher>,
    manager: Arc<ServiceManager>,
}

impl ServerParts {
    fn new(settings: &Settings) -> Self {
        let sources = Arc::new(LateSources::default());
        let connections = connections(settings);
        let open = {
            let sources = sources.clone();
            Box::new(move |component| sources.repository(component))
        };
        let revision_cache = settings.revision_cache_size.bytes();
        Self {
            sources,
            readiness: Arc::new(Readiness::new()),
            // Event streams are long-lived: half of the connections stay available for other requests.
            streams: Streams::new(connections.limit() / 2),
            connections,
            scans: scans(settings),
            revisions: Arc::new(Revisions::new(open, revision_cache)),
            dispatcher: Arc::default(),
            manager: Arc::default(),
        }
    }

    fn metrics(&self, service: &FollowService) -> Metrics {
        let settings = &service.config.settings;
        Metrics {
            requests: Arc::new(HttpMetrics::new(api::route_labels())),
            follow: service.metrics.clone(),
            process: Process::new(),
            published: service.published.clone(),
            readiness: self.readiness.clone(),
            streams: self.streams.clone(),
            scans: self.scans.clone(),
            connections: self.connections.clone(),
            cache: Arc::default(),
            detail: settings.metrics_detail,
            cache_size: settings.cache_size.bytes(),
            shared: service.shared.clone(),
            store: service.store_counters.clone(),
            revisions: self.revisions.clone(),
        }
    }

    /// The API, pages and everything that is served next to them.
    fn endpoint(
        &self,
        service: &FollowService,
    ) -> anyhow::Result<impl Endpoint<Output = Response> + use<>> {
        let settings = &service.config.settings;
        let metrics = Arc::new(self.metrics(service));
        let base = settings.base_url.as_ref().map_or("", BaseUrl::as_str);
        let dispatcher = &self.dispatcher;
        let hooks = HookEndpoint {
            published: service.published.clone(),
            secrets: dispatcher.secrets.clone(),
            listener: dispatcher.clone(),
            root: PageLayout::below(base).root,
            hides_names: settings.tokens.is_some(),
        };
        Ok(api::endpoint(api::ApiState {
            links: access::links(settings),
            access: access::access(settings)?,
            files: self.sources.clone(),
            revisions: self.revisions.clone(),
            cache_size: settings.cache_size.bytes(),
            scans: self.scans.clone(),
            streams: self.streams.clone(),
            cache_counters: metrics.cache.clone(),
            metrics: Some(Arc::new(metrics.clone().exposed())),
            requests: Some(metrics.requests.clone()),
            health: Some(HealthEndpoints::new(self.readiness.clone()).boxed()),
            hooks: Some(hooks.boxed()),
            ..api::ApiState::new(service.published.clone())
        }))
    }

    /// Applies changes of the configuration file.
    fn reloader(&self, flags: ConfigFlags, running: Config, names: Arc<ServedNames>) -> Reloader {
        let dispatcher = self.dispatcher.clone();
        Reloader {
            flags,
            running,
            readiness: self.readiness.clone(),
            manager: self.manager.clone(),
            apply: Box::new(move |config| dispatcher.reload(names.reload(config))),
        }
    }

    fn following(
        &self,
        service: FollowService,
        names: Arc<ServedNames>,
        summary: Option<Summary>,
    ) -> Following {
        Following {
            service,
            readiness: self.readiness.clone(),
            sources: self.sources.clone(),
            dispatcher: self.dispatcher.clone(),
            manager: self.manager.clone(),
            names,
            bar: HistoryBar::new(),
            summary,
        }
    }
}

fn runtime() -> anyhow::Result<Runtime> {
    tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .context("cannot start the async runtime")
}

/// Starts to watch the configuration and the certificate, which a signal also reloads. The future ends at the signal to
/// stop.
fn signals(
    reloader: Reloader,
    tls: Option<Arc<Tls>>,
) -> anyhow::Result<impl Future<Output = ()> + Send + 'static> {
    let triggers = [
        Some(reloader.start()),
        tls.map(certificate::reload_on_change),
    ];
    let reload = move || {
        for triggers in triggers.iter().flatten() {
            triggers.send(Trigger::Signal).unwrap_or_default();
        }
    };
    server::on_reload_signal(reload)
        .and_then(|()| server::stop_signal())
        .context("cannot handle signals")
}

/// Starts the follow thread. The first channel gets an error if nothing can ever be served; the second one closes when
/// the thread ends.
fn follow(
    following: Following,
    ledger: Ledger,
    checker: Checker,
) -> (oneshot::Receiver<anyhow::Error>, mpsc::Receiver<()>) {
    let (fatal_error, failure) = oneshot::channel();
    let (running, ended) = mpsc::channel::<()>();
    std::thread::spawn(move || {
        let _running = running;
        if let Err(error) = following.run(ledger, checker) {
            let _ = fatal_error.send(error);
        }
    });
    (failure, ended)
}

/// The timeouts of connections.
fn limits(settings: &Settings) -> ServerLimits {
    ServerLimits {
        liveness_path: Some("/healthz"),
        ..ServerLimits::new(
            settings.header_timeout.duration(),
            settings.idle_timeout.duration(),
        )
    }
}

/// The scheduler of scans with its limits.
fn scans(settings: &Settings) -> Scans {
    Scans::new(ScanLimits {
        rows: settings.max_scan_rows.get().into(),
        time: settings.max_scan_time.duration(),
        ..ScanLimits::default()
    })
}

/// The connection slots.
fn connections(settings: &Settings) -> Connections {
    let connections = Connections::new(server::raise_nofile_limit(settings.max_connections));
    let Some(limit) = settings.max_connections_per_client else {
        return connections;
    };
    let proxies = settings.trusted_proxies.iter().flatten();
    connections.with_limit_per_client(limit, proxies.map(ProxyAddress::network).collect())
}

fn resolve(address: &str) -> anyhow::Result<std::net::SocketAddr> {
    use std::net::ToSocketAddrs;
    let mut found = address.to_socket_addrs().with_context(|| {
        format!("cannot resolve the address {address}: choose a different one with --listen")
    })?;
    found.next().with_context(|| {
        format!("the host of {address} has no address: choose a different one with --listen")
    })
}
