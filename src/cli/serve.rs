//! `gitglot serve`, and the server of `gitglot demo`.

mod credentials;
mod follow_thread;
mod loop_connection;
mod metrics;
mod reload;
mod server_parts;
mod summary;

pub(super) use credentials::certificate;
pub(super) use loop_connection::PublishedFiles;

use std::cell::Cell;
use std::pin::pin;
use std::sync::atomic::Ordering;
use std::sync::mpsc::Sender;
use std::sync::{Arc, mpsc};
use std::time::Duration;

use anyhow::Context;
use poem::{Endpoint, EndpointExt, Response};
use tokio::sync::oneshot;

use self::follow_thread::FollowThread;
use self::metrics::Metrics;
use self::reload::Reloader;
use self::server_parts::ServerParts;
use self::summary::Summary;
use super::file_triggers::Trigger;
use super::follow_setup::{FollowSetup, async_runtime};
use super::progress::HistoryBar;
use super::{access, checkout, output, service_manager};
use crate::config::{BaseUrl, Config, ConfigFlags, RepositoryTarget, Settings, Target};
use crate::log;
use gitglot_api::health::HealthEndpoints;
use gitglot_api::hooks::HookEndpoint;
use gitglot_api::{AccessControl, Tokens};
use gitglot_catalog::Published;
use gitglot_follow::RepoAccess;
use gitglot_git::Repository;
use gitglot_metrics::{HttpMetrics, Process};
use gitglot_model::{RefPattern, counted};
use gitglot_server::{Listener, ServerLimits, Tls};
use gitglot_web::PageLayout;

/// The commit of an optimized build (`build.rs`), empty if it is not known.
pub(super) const COMMIT: &str = match option_env!("GITGLOT_COMMIT") {
    Some(commit) => commit,
    None => "",
};

/// How long a shutdown waits for the follow thread.
const FOLLOW_STOP_TIME: Duration = Duration::from_secs(2);

/// Runs the command.
pub(super) fn run(flags: ConfigFlags) -> anyhow::Result<()> {
    let mut config = Config::load(flags.clone())?;
    log::start_logging(config.settings.log_format, config.settings.log_level);
    checkout::describe(&mut config)?;
    if let Target::Repository(target) = &mut config.target {
        single_repository(target);
    }
    serve(config, flags)
}

/// Completes the settings of a single repository (`docs/spec/settings.md#source`): a local one keeps the branch that is
/// checked out at the start, and without credentials all branches can be compared.
fn single_repository(target: &mut RepositoryTarget) {
    let has_credentials = *target.access != RepoAccess::default();
    let overrides = &mut target.overrides;
    if overrides.branches.is_none() && !has_credentials {
        overrides.branches = Some(vec![RefPattern::branches()]);
    }
    let path = target.repo.local_path();
    let Some(path) = path.filter(|_| overrides.branch.is_none()) else {
        return;
    };
    // A repository that cannot be read is reported when it is followed.
    let head = Repository::open(&path).and_then(|repository| repository.head());
    if let Some(branch) = head.ok().and_then(|head| head.branch) {
        tracing::info!(
            "following the branch {branch}, which is checked out; --branch selects a different one"
        );
        overrides.branch = Some(branch);
    }
}

/// How long connections to a socket of a service manager wait for the first state.
const HANDOVER_TIME: Duration = Duration::from_secs(30);

/// Serves a configuration until shutdown. `flags` are its flags, for reloads.
pub(super) fn serve(config: Config, flags: ConfigFlags) -> anyhow::Result<()> {
    let mut setup = FollowSetup::new(config);
    // Another program, version or configuration may have served before.
    setup.published.begin_configuration();
    setup.open_store()?;
    let setup = Arc::new(setup);
    let settings = &setup.config.settings;
    let (ledger, words) = (setup.ledger()?, setup.words()?);
    let tls = certificate(settings)?;
    let inherited = gitglot_server::inherited()?;
    let is_inherited = inherited.is_some();
    let listener = match inherited {
        Some(listener) => listener,
        None => gitglot_server::bind(resolve(settings.listen.as_str())?)?,
    };
    let address = listener.local_addr();
    let address = address.context("cannot determine the listen address")?;

    let parts = Arc::new(ServerParts::new(&setup));
    let access = access::access(settings)?;
    let tokens = access.tokens.clone();
    let app = endpoint(&parts, &setup, access);
    let limits = limits(settings);
    let runtime = async_runtime()?;
    let names = Arc::new(setup.names()?);
    let reloader = Reloader {
        flags,
        running: setup.config.clone(),
        parts: parts.clone(),
        names: names.clone(),
    };
    let signal = {
        let _guard = runtime.enter();
        let reloads = reloads(&parts, reloader, tls.as_ref(), tokens, settings);
        signals(reloads)?
    };
    let scheme = if tls.is_some() { "https" } else { "http" };
    let url = format!("{scheme}://{address}");
    // A single local repository is read soon: an error that ends the program comes before the line. Others may be cloned first.
    let is_local = setup.config.is_checkout
        || matches!(&setup.config.target, Target::Repository(target) if target.repo.local_path().is_some());
    if !is_local {
        output::print(&listening_on(&url))?;
    }

    let summary = Summary::on_terminal(settings, address);
    let follow_thread = FollowThread {
        setup: setup.clone(),
        parts: parts.clone(),
        names,
        bar: Arc::new(HistoryBar::new()),
        summary,
        url,
        prints_address: is_local,
        started: <_>::default(),
        tips: <_>::default(),
    };
    let (failure, ended) = follow(move || follow_thread.run(ledger, words))?;
    let (served, error) = runtime.block_on(async {
        let error = Cell::new(None);
        let shutdown = async {
            error.set(end_of_service(signal, failure).await);
            let open = parts.connections.open();
            let to_finish = counted(open, "open connection");
            tracing::info!(connections = open, "stopping: {to_finish} to finish");
            parts.manager.stopping();
            // The follow thread ends while connections drain.
            setup.stop.store(true, Ordering::Relaxed);
            parts.loop_connection.stop();
            parts.streams.close();
        };
        let mut shutdown = pin!(shutdown);
        if is_inherited {
            tokio::select! {
                () = &mut shutdown => return (Ok(()), error.take()),
                () = first_state(&setup.published) => {}
            }
        }
        let listener = Listener::new(listener, tls);
        let connections = parts.connections.clone();
        let served = gitglot_server::serve(listener, app, limits, connections, shutdown).await;
        (served, error.take())
    });
    // The state directory survives an exit at any point, so the wait is short.
    let _ = ended.recv_timeout(FOLLOW_STOP_TIME);
    error.map_or(Ok(()), Err)?;
    Ok(served?)
}

/// The line on standard output.
fn listening_on(url: &str) -> String {
    format!("listening on {url}\n")
}

/// Waits until there is something to serve, for a limited time. Connections to a socket of a service manager wait in its
/// queue meanwhile, so that clients do not notice that the program is replaced.
async fn first_state(published: &Published) {
    let mut news = published.listen();
    let has_state = async { while published.load().is_none() && news.changed().await.is_ok() {} };
    // After it, clients get a 503, as without such a socket.
    let _ = tokio::time::timeout(HANDOVER_TIME, has_state).await;
}

/// The API, pages and everything that is served next to them.
fn endpoint(
    parts: &Arc<ServerParts>,
    setup: &Arc<FollowSetup>,
    access: AccessControl,
) -> impl Endpoint<Output = Response> + use<> {
    let settings = &setup.config.settings;
    let roots = gitglot_api::Roots {
        main: settings.api.into(),
    };
    let metrics = Arc::new(Metrics {
        requests: Arc::new(HttpMetrics::new(gitglot_api::route_labels(roots))),
        process: Process::default(),
        setup: setup.clone(),
        parts: parts.clone(),
        cache: Arc::default(),
        tokens: access.tokens.clone(),
    });
    let base = settings.base_url.as_ref().map_or("", BaseUrl::as_str);
    let loop_connection = &parts.loop_connection;
    let hooks = HookEndpoint {
        published: setup.published.clone(),
        targets: loop_connection.targets.clone(),
        listener: loop_connection.clone(),
        root: PageLayout::below(base).root,
        hides_names: settings.tokens.is_some(),
    };
    gitglot_api::endpoint(gitglot_api::ApiState {
        links: access::links(settings),
        roots,
        access,
        files: Arc::new(loop_connection::PublishedFiles(setup.sources.clone())),
        revisions: parts.revisions.clone(),
        build: COMMIT.to_owned(),
        cache_size: settings.cache_size.bytes(),
        scans: parts.scans.clone(),
        streams: parts.streams.clone(),
        cache_counters: metrics.cache.clone(),
        metrics: Some(Arc::new(metrics.clone().exposed())),
        requests: Some(metrics.requests.clone()),
        health: Some(HealthEndpoints(parts.readiness.clone()).boxed()),
        hooks: Some(hooks.boxed()),
        ..gitglot_api::ApiState::new(setup.published.clone())
    })
}

/// Starts to watch the files of settings: the configuration, the certificate and the tokens. Returns the senders of
/// triggers.
fn reloads(
    parts: &ServerParts,
    reloader: Reloader,
    tls: Option<&Arc<Tls>>,
    tokens: Option<Tokens>,
    settings: &Settings,
) -> Vec<Sender<Trigger>> {
    let tokens = tokens.zip(settings.tokens.as_deref());
    let reloads = [
        Some(reloader.start()),
        tls.map(|tls| credentials::reload_certificate(tls, parts)),
        tokens.map(|(tokens, file)| credentials::reload_tokens(tokens, file, parts)),
    ];
    reloads.into_iter().flatten().collect()
}

/// Lets a signal trigger all reloads. The future ends at the signal to stop.
fn signals(
    reloads: Vec<Sender<Trigger>>,
) -> anyhow::Result<impl Future<Output = ()> + Send + 'static> {
    let reload = move || {
        for triggers in &reloads {
            triggers.send(Trigger::Signal).unwrap_or_default();
        }
    };
    gitglot_server::on_reload_signal(reload)
        .and_then(|()| gitglot_server::stop_signal())
        .context("cannot handle signals")
}

/// Starts the follow thread. The first channel gets an error if nothing can ever be served, and closes when the thread
/// ends; so does the second one, which can be waited for outside of the async runtime.
fn follow(
    run: impl FnOnce() -> anyhow::Result<()> + Send + 'static,
) -> anyhow::Result<(oneshot::Receiver<anyhow::Error>, mpsc::Receiver<()>)> {
    let (fatal_error, failure) = oneshot::channel();
    let (running, ended) = mpsc::channel::<()>();
    let thread = std::thread::Builder::new().name("follow".to_owned());
    let thread = thread.spawn(move || {
        let _running = running;
        if let Err(error) = run() {
            let _ = fatal_error.send(error);
        }
    });
    thread.context("cannot start the thread that follows the repositories")?;
    Ok((failure, ended))
}

/// Waits for the signal to stop or for the end of the follow thread, which is an error: it never ends by itself.
async fn end_of_service(
    signal: impl Future<Output = ()>,
    failure: oneshot::Receiver<anyhow::Error>,
) -> Option<anyhow::Error> {
    let panicked = |_| {
        anyhow::anyhow!(
            "the thread that follows the repositories has crashed: restart gitglot, and report the internal error \
             that was logged before"
        )
    };
    tokio::select! {
        () = signal => None,
        reason = failure => Some(reason.unwrap_or_else(panicked)),
        () = service_manager::run_watchdog() => None,
    }
}

/// The timeouts of connections.
fn limits(settings: &Settings) -> ServerLimits {
    let (header, idle) = (&settings.header_timeout, &settings.idle_timeout);
    ServerLimits {
        liveness_path: Some("/healthz"),
        ..ServerLimits::new(header.duration(), idle.duration())
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

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_crash_of_the_follow_thread_ends_the_program_with_an_error() {
        let (failure, ended) = follow(|| panic!("injected")).unwrap();
        let error = end_of_service(std::future::pending(), failure).await;
        let error = error.unwrap().to_string();
        assert!(error.contains("has crashed: restart gitglot"), "{error}");
        assert!(ended.recv().is_err());
    }

    #[tokio::test]
    async fn an_error_of_the_follow_thread_ends_the_program_with_it() {
        let (failure, _ended) = follow(|| anyhow::bail!("no repository")).unwrap();
        let error = end_of_service(std::future::pending(), failure).await;
        assert_eq!(error.unwrap().to_string(), "no repository");
    }

    #[tokio::test]
    async fn a_signal_ends_the_program_without_an_error() {
        let (stop, stopped) = mpsc::channel::<()>();
        let run = move || {
            let _ = stopped.recv();
            Ok(())
        };
        let (failure, _ended) = follow(run).unwrap();
        assert!(end_of_service(async {}, failure).await.is_none());
        drop(stop);
    }
}
