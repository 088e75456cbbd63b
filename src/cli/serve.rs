//! `gitglot serve`, and the server of `gitglot demo`.

mod certificate;
mod following;
mod late;
mod summary;

pub(super) use certificate::certificate;

use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use anyhow::Context;
use poem::EndpointExt;

use self::following::Following;
use self::late::{HookDispatcher, LateSources};
use super::ServeArgs;
use super::access;
use super::metrics::Metrics;
use super::progress::HistoryBar;
use super::reload::{Reloader, Trigger};
use super::service::FollowService;
use super::service_manager::{self, ServiceManager};
use crate::api::{self, Streams};
use crate::config::{BaseUrl, Config, ConfigFlags, ProxyAddress, Settings};
use crate::health::{HealthEndpoints, Readiness};
use crate::hooks::HookEndpoint;
use crate::observe::{self, HttpMetrics, Process};
use crate::revisions::Revisions;
use crate::scan::{ScanLimits, Scans};
use crate::server::{self, Connections, Listener, ServerLimits};
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
    let (published, stop) = (service.published.clone(), service.stop.clone());
    let (ledger, checker) = (service.ledger()?, service.checker()?);
    let tls = certificate(settings)?;
    let listener = server::bind(resolve(settings.listen.as_str())?)?;
    let address = listener
        .local_addr()
        .context("cannot determine the listen address")?;

    let sources = Arc::new(LateSources::default());
    let readiness = Arc::new(Readiness::new());
    let limits = limits(settings);
    let connections = connections(settings);
    // Event streams are long-lived: half of the connections stay available for other requests.
    let streams = Streams::new(connections.limit() / 2);
    let scans = scans(settings);
    let revisions = {
        let sources = sources.clone();
        let open = Box::new(move |component| sources.repository(component));
        Arc::new(Revisions::new(open, settings.revision_cache_size.bytes()))
    };
    let metrics = Arc::new(Metrics {
        requests: Arc::new(HttpMetrics::new(api::route_labels())),
        follow: service.metrics.clone(),
        process: Process::new(),
        published: published.clone(),
        readiness: readiness.clone(),
        streams: streams.clone(),
        scans: scans.clone(),
        connections: connections.clone(),
        cache: Arc::default(),
        detail: settings.metrics_detail,
        cache_size: settings.cache_size.bytes(),
        shared: service.shared.clone(),
        store: service.store_counters.clone(),
        revisions: revisions.clone(),
    });
    let dispatcher = Arc::new(HookDispatcher::default());
    let base = settings.base_url.as_ref().map_or("", BaseUrl::as_str);
    let hooks = HookEndpoint::new(
        published.clone(),
        dispatcher.secrets.clone(),
        dispatcher.clone(),
    );
    let app = api::endpoint(api::ApiState {
        links: access::links(settings),
        access: access::access(settings)?,
        files: sources.clone(),
        revisions: revisions.clone(),
        cache_size: settings.cache_size.bytes(),
        scans,
        streams: streams.clone(),
        cache_counters: metrics.cache.clone(),
        metrics: Some(Arc::new(metrics.clone().exposed())),
        requests: Some(metrics.requests.clone()),
        health: Some(HealthEndpoints::new(readiness.clone()).boxed()),
        hooks: Some(
            hooks
                .with_root(PageLayout::below(base).root())
                .with_hidden_names(settings.tokens.is_some())
                .boxed(),
        ),
        ..api::ApiState::new(published.clone())
    });

    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .context("cannot start the async runtime")?;
    let manager = Arc::new(ServiceManager::default());
    let names = Arc::new(service.names()?);
    let reloader = Reloader {
        flags,
        running: service.config.clone(),
        readiness: readiness.clone(),
        manager: manager.clone(),
        apply: {
            let (dispatcher, names) = (dispatcher.clone(), names.clone());
            Box::new(move |config| dispatcher.reload(names.reload(config)))
        },
    };
    let signal = {
        let _guard = runtime.enter();
        let triggers = [
            Some(reloader.start()),
            tls.clone().map(certificate::reload_on_change),
        ];
        let reload = move || {
            for triggers in triggers.iter().flatten() {
                triggers.send(Trigger::Signal).unwrap_or_default();
            }
        };
        server::on_reload_signal(reload)
            .and_then(|()| server::stop_signal())
            .context("cannot handle signals")?
    };
    let scheme = if tls.is_some() { "https" } else { "http" };
    super::print(&format!("listening on {scheme}://{address}\n"))?;

    let summary = summary::Summary::on_terminal(&service.config.settings, address);
    let following = Following {
        service,
        readiness,
        sources,
        dispatcher: dispatcher.clone(),
        manager: manager.clone(),
        names,
        bar: HistoryBar::new(),
        summary,
    };
    let (fatal_error, failure) = tokio::sync::oneshot::channel();
    let (running, ended) = std::sync::mpsc::channel::<()>();
    std::thread::spawn(move || {
        let _running = running;
        if let Err(error) = following.run(ledger, checker) {
            let _ = fatal_error.send(error);
        }
    });
    let (served, error) = runtime.block_on(async {
        let mut error = None;
        let shutdown = async {
            tokio::select! {
                () = signal => {}
                Ok(reason) = failure => error = Some(reason),
                () = service_manager::run_watchdog() => {}
            }
            manager.stopping();
            // The follow thread ends while connections drain.
            stop.store(true, Ordering::Relaxed);
            dispatcher.stop();
            streams.close();
        };
        let served = server::serve(
            Listener::new(listener, tls),
            app,
            limits,
            connections,
            shutdown,
        )
        .await;
        (served, error)
    });
    // The state directory survives an exit at any point, so the wait is short.
    let _ = ended.recv_timeout(FOLLOW_STOP_TIME);
    error.map_or(Ok(()), Err)?;
    served?;
    Ok(ExitCode::SUCCESS)
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
        format!("cannot resolve the address {address}: choose another with --listen")
    })?;
    found.next().with_context(|| {
        format!("the host of {address} has no address: choose another with --listen")
    })
}
