//! `gitglot serve`, and the server of `gitglot demo`.

mod certificate;
mod following;
mod late;
mod parts;
mod summary;

pub(super) use certificate::certificate;
pub(super) use parts::ServerParts;

use std::process::ExitCode;
use std::sync::atomic::Ordering;
use std::sync::{Arc, mpsc};
use std::time::Duration;

use anyhow::Context;
use poem::{Endpoint, EndpointExt, Response};
use tokio::sync::oneshot;

use self::following::Following;
use self::summary::Summary;
use super::ServeArgs;
use super::access;
use super::metrics::Metrics;
use super::names::ServedNames;
use super::output;
use super::progress::HistoryBar;
use super::reload::{Reloader, Trigger};
use super::service::{FollowService, async_runtime};
use super::service_manager;
use crate::api;
use crate::checks::Checker;
use crate::config::{BaseUrl, Config, ConfigFlags, Settings};
use crate::health::HealthEndpoints;
use crate::hooks::HookEndpoint;
use crate::ledger::Ledger;
use crate::observe::{self, HttpMetrics, Process};
use crate::server::{self, Listener, ServerLimits, Tls};
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

    let parts = Arc::new(ServerParts::new(&service));
    let app = endpoint(&parts, &service)?;
    let limits = limits(settings);
    let runtime = async_runtime()?;
    let names = Arc::new(service.names()?);
    let reloader = reloader(&parts, flags, service.config.clone(), names.clone());
    let signal = {
        let _guard = runtime.enter();
        signals(reloader, tls.clone())?
    };
    let scheme = if tls.is_some() { "https" } else { "http" };
    output::print(&format!("listening on {scheme}://{address}\n"))?;

    let summary = Summary::on_terminal(settings, address);
    let stop = service.stop.clone();
    let following = Following {
        service,
        parts: parts.clone(),
        names,
        bar: HistoryBar::new(),
        summary,
    };
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

fn metrics(parts: &Arc<ServerParts>, service: &FollowService) -> Metrics {
    let settings = &service.config.settings;
    Metrics {
        requests: Arc::new(HttpMetrics::new(api::route_labels())),
        follow: service.metrics.clone(),
        process: Process::new(),
        published: service.published.clone(),
        parts: parts.clone(),
        cache: Arc::default(),
        detail: settings.metrics_detail,
        cache_size: settings.cache_size.bytes(),
        shared: service.shared.clone(),
        store: service.store_counters.clone(),
    }
}

/// The API, pages and everything that is served next to them.
fn endpoint(
    parts: &Arc<ServerParts>,
    service: &FollowService,
) -> anyhow::Result<impl Endpoint<Output = Response> + use<>> {
    let settings = &service.config.settings;
    let metrics = Arc::new(metrics(parts, service));
    let base = settings.base_url.as_ref().map_or("", BaseUrl::as_str);
    let dispatcher = &parts.dispatcher;
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
        files: service.sources.clone(),
        revisions: parts.revisions.clone(),
        cache_size: settings.cache_size.bytes(),
        scans: parts.scans.clone(),
        streams: parts.streams.clone(),
        cache_counters: metrics.cache.clone(),
        metrics: Some(Arc::new(metrics.clone().exposed())),
        requests: Some(metrics.requests.clone()),
        health: Some(HealthEndpoints::new(parts.readiness.clone()).boxed()),
        hooks: Some(hooks.boxed()),
        ..api::ApiState::new(service.published.clone())
    }))
}

/// Applies changes of the configuration file.
fn reloader(
    parts: &ServerParts,
    flags: ConfigFlags,
    running: Config,
    names: Arc<ServedNames>,
) -> Reloader {
    let dispatcher = parts.dispatcher.clone();
    Reloader {
        flags,
        running,
        readiness: parts.readiness.clone(),
        manager: parts.manager.clone(),
        apply: Box::new(move |config| dispatcher.reload(names.reload(config))),
    }
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

fn resolve(address: &str) -> anyhow::Result<std::net::SocketAddr> {
    use std::net::ToSocketAddrs;
    let mut found = address.to_socket_addrs().with_context(|| {
        format!("cannot resolve the address {address}: choose a different one with --listen")
    })?;
    found.next().with_context(|| {
        format!("the host of {address} has no address: choose a different one with --listen")
    })
}
