//! `gitglot serve`, and the serving half of `gitglot demo`.

use std::collections::BTreeSet;
use std::io::Write;
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use anyhow::Context;

use super::ServeArgs;
use super::access;
use super::manager::{self, Manager};
use super::metrics::{self, Metrics};
use super::progress::HistoryBar;
use super::reload::{Cause, Reloader};
use super::service::{Service, is_transient};
use crate::api::{self, FileError, FileSource, Streams};
use crate::catalog::Published;
use crate::checks::Checker;
use crate::config::{BaseUrl, ComponentConfig, Config, Flags, ProjectConfig, Target};
use crate::follow::{ComponentError, Events, FollowConfig, FollowHandle, FollowLoop, PollOutcome, PollReport, Sources};
use crate::health::{HealthEndpoints, Readiness};
use crate::history::Progress;
use crate::hooks::{HookEndpoint, HookSecrets, PushListener};
use crate::ledger::Ledger;
use crate::model::{BlobId, CommitId, ComponentId};
use crate::observe::{self, CountedEndpoint, FollowMetrics, HttpMetrics, Process};
use crate::server::{self, Connections, Limits};
use crate::web::Layout;

/// Runs the command.
///
/// # Errors
/// The reason why it cannot be done, for people.
pub(super) fn run(args: ServeArgs) -> anyhow::Result<ExitCode> {
    let config = Config::load(args.flags.clone())?;
    observe::start_logging(config.settings.log_format, config.settings.log_level);
    serve(&config, args.flags)
}

/// Serves a configuration until the program is told to stop. `flags` are what it was made from.
pub(super) fn serve(config: &Config, flags: Flags) -> anyhow::Result<ExitCode> {
    let published = Arc::new(Published::new());
    let stopping = Arc::new(AtomicBool::new(false));
    let following = Arc::new(FollowMetrics::default());
    let service =
        Service { config, published: published.clone(), stop: stopping.clone(), following: following.clone() };
    let ledger = service.ledger()?;
    let checker = service.checker()?;
    let address = resolve(config.settings.listen.as_str())?;
    let listener = server::bind(address)?;
    let bound = listener.local_addr().context("the listening address cannot be read")?;

    let sources = Arc::new(LateSources::default());
    let readiness = Arc::new(Readiness::new());
    let limits = Limits::new(config.settings.header_timeout.duration(), config.settings.idle_timeout.duration());
    let connections = Connections::new(server::raise_nofile_limit(config.settings.max_connections));
    // Event streams are long-lived: half of the connections stay available for other requests.
    let streams = Streams::new(connections.limit() / 2);
    let metrics = Arc::new(Metrics {
        requests: Arc::new(HttpMetrics::new(api::patterns())),
        following: following.clone(),
        process: Process::new(),
        published: published.clone(),
        readiness: readiness.clone(),
        streams: streams.clone(),
        connections: connections.clone(),
        cache: Arc::default(),
        cache_size: config.settings.cache_size.bytes(),
    });
    let state = api::State {
        published: published.clone(),
        links: access::links(config),
        access: access::access(config)?,
        files: sources.clone(),
        title: "gitglot".to_owned(),
        cache_size: config.settings.cache_size.bytes(),
        streams: streams.clone(),
        cache_figures: metrics.cache.clone(),
        metrics: Some(Arc::new(metrics.clone().exposed())),
    };
    let dispatcher = Arc::new(HookDispatcher::default());
    let hooks =
        HookEndpoint::new(api::endpoint(state), published.clone(), dispatcher.secrets.clone(), dispatcher.clone());
    let base = config.settings.base_url.as_ref().map_or("", BaseUrl::as_str);
    let hooks = hooks.with_root(Layout::below(base).root());
    let app =
        CountedEndpoint::new(HealthEndpoints::new(hooks, readiness.clone()), metrics.requests.clone(), api::pattern_of);
    let runtime =
        tokio::runtime::Builder::new_current_thread().enable_all().build().context("the runtime cannot be started")?;
    let manager = Arc::new(Manager::default());
    let reloader = Reloader {
        flags,
        running: config.clone(),
        readiness: readiness.clone(),
        manager: manager.clone(),
        follow: {
            let dispatcher = dispatcher.clone();
            Box::new(move |config| dispatcher.reload(config))
        },
    };
    let signal = {
        let _guard = runtime.enter();
        let causes = reloader.start();
        let hung_up = move || causes.send(Cause::Asked).unwrap_or_default();
        server::on_reload_signal(hung_up).context("signals cannot be waited for")?;
        server::stop_signal().context("signals cannot be waited for")?
    };
    println!("listening on http://{bound}");
    std::io::stdout().flush().context("standard output cannot be written")?;

    let (failed, failure) = tokio::sync::oneshot::channel();
    let stopped = stopping.clone();
    let hook_dispatcher = dispatcher.clone();
    let told = manager.clone();
    let config = config.clone();
    let reading = Reading { config, published, readiness, sources, dispatcher, manager, stopping: stopped, following };
    let (running, ended) = std::sync::mpsc::channel::<()>();
    std::thread::spawn(move || {
        let _running = running;
        if let Err(error) = reading.run(ledger, checker) {
            let _ = failed.send(error);
        }
    });
    let (served, error) = runtime.block_on(async {
        let mut error = None;
        let stop = async {
            tokio::select! {
                () = signal => {}
                Ok(reason) = failure => error = Some(reason),
                () = manager::lives() => {}
            }
            told.stopping();
            // Who reads ends while connections do.
            stopping.store(true, Ordering::Relaxed);
            hook_dispatcher.stop();
            streams.close();
        };
        let served = server::serve(listener, app, limits, connections, stop).await;
        (served, error)
    });
    // Not waited for any longer: it may be anywhere then, as after a crash, which the state directory bears.
    let _ = ended.recv_timeout(PARTING);
    match error {
        Some(reason) => Err(reason),
        None => {
            served?;
            Ok(ExitCode::SUCCESS)
        }
    }
}

/// The thread that reads while others serve.
struct Reading {
    config: Config,
    published: Arc<Published>,
    readiness: Arc<Readiness>,
    sources: Arc<LateSources>,
    dispatcher: Arc<HookDispatcher>,
    manager: Arc<Manager>,
    stopping: Arc<AtomicBool>,
    following: Arc<FollowMetrics>,
}

impl Reading {
    /// Reads everything; an error means that nothing can ever be served.
    fn run(&self, ledger: Ledger, checker: Checker) -> anyhow::Result<()> {
        let service = Service {
            config: &self.config,
            published: self.published.clone(),
            stop: self.stopping.clone(),
            following: self.following.clone(),
        };
        let watch = Watcher {
            readiness: self.readiness.clone(),
            following: self.following.clone(),
            pages: self.published.clone(),
            dispatcher: self.dispatcher.clone(),
            manager: self.manager.clone(),
            bar: HistoryBar::new(),
        };
        let started = Instant::now();
        let projects = match wait_for(&service) {
            Err(_) if service.is_stopped() => return Ok(()),
            projects => projects?,
        };
        let follower = service.follower(ledger, checker, projects);
        self.readiness.expect(follower.names());
        self.sources.set(follower.sources());
        let mut follow = service.follow_loop(follower)?;
        self.dispatcher.connect(&follow);
        follow.first_batch(&watch)?;
        if service.is_stopped() {
            follow.shut_down();
            return Ok(());
        }
        if let (Target::Repository(_), Some(reason)) = (&self.config.target, follow.follower().all_failed()) {
            anyhow::bail!(reason);
        }
        let seconds = started.elapsed().as_secs_f64();
        tracing::info!(ready_seconds = seconds, "ready after {seconds:.2} s");
        self.manager.ready();
        loop {
            let Err(error) = follow.run(&watch) else {
                follow.shut_down();
                return Ok(());
            };
            tracing::error!("{error}; what was read before stays served, and it is tried again");
            let projects = follow.follower().projects().to_vec();
            // It holds what the ledger has not: it is made anew from what the disk has. That frees the lock, too.
            drop(follow);
            follow = self.begin_again(&service, &projects, &watch);
        }
    }

    /// Opens the ledger once more and reads on from there; tries again and again.
    fn begin_again(&self, service: &Service<'_>, projects: &[ProjectConfig], watch: &Watcher) -> FollowLoop {
        let mut wait = FIRST_WAIT;
        loop {
            std::thread::sleep(wait);
            wait = LONGEST_WAIT.min(wait * 2);
            let begun = service.ledger().and_then(|ledger| {
                let follower = service.follower(ledger, service.checker()?, projects.to_vec());
                self.sources.set(follower.sources());
                let mut follow = service.follow_loop(follower)?;
                self.dispatcher.connect(&follow);
                follow.first_batch(watch)?;
                Ok(follow)
            });
            match begun {
                Ok(follow) => return follow,
                Err(error) => tracing::error!("{error:#}; it is tried again"),
            }
        }
    }
}

/// What is to be served; tries again and again while the reason for failing may go away by itself.
fn wait_for(service: &Service<'_>) -> anyhow::Result<Vec<ProjectConfig>> {
    let mut wait = FIRST_WAIT;
    loop {
        match service.projects() {
            Err(error) if is_transient(&error) && !service.is_stopped() => tracing::warn!("{error:#}"),
            done => return done,
        }
        std::thread::sleep(wait);
        wait = LONGEST_WAIT.min(wait * 2);
    }
}

/// How long the end of the program waits for the thread that reads.
const PARTING: Duration = Duration::from_secs(2);
/// Between the first failure and the next try.
const FIRST_WAIT: Duration = Duration::from_secs(2);
/// Between later tries, each wait being twice the one before.
const LONGEST_WAIT: Duration = Duration::from_secs(300);

fn resolve(address: &str) -> anyhow::Result<std::net::SocketAddr> {
    use std::net::ToSocketAddrs;
    let mut found = address.to_socket_addrs().with_context(|| format!("the address {address} cannot be resolved"))?;
    found.next().with_context(|| format!("the address {address} names no host"))
}

/// Tells the health resources, the pages and the progress bar how reading goes.
struct Watcher {
    readiness: Arc<Readiness>,
    following: Arc<FollowMetrics>,
    pages: Arc<Published>,
    dispatcher: Arc<HookDispatcher>,
    manager: Arc<Manager>,
    bar: HistoryBar,
}

impl Events for Watcher {
    fn progress(&self, component: &str, progress: Progress) {
        self.bar.show(component, progress);
    }

    fn published(&self, component: &str) {
        self.readiness.published(component);
    }

    fn failed(&self, component: &str, reason: &str) {
        self.readiness.failed(component, reason);
        self.pages.report_failure(component, Some(reason));
    }

    fn behind(&self, component: &str, reason: Option<&str>) {
        self.readiness.behind(component, reason);
        self.pages.report_failure(component, reason);
    }

    fn polled(&self, report: &PollReport<'_>) {
        let &PollReport { repository, outcome, recloned } = report;
        self.following.polled(repository, outcome.as_str(), outcome == PollOutcome::Success, recloned);
    }

    fn advanced(&self, component: &str, elapsed: Duration, rebuilt: bool) {
        self.following.updated(metrics::slugs(component), elapsed, rebuilt);
    }

    fn batch(&self, elapsed: Duration) {
        self.following.batch(elapsed);
    }

    fn reconfigured(&self, projects: &[ProjectConfig], repositories: &BTreeSet<String>) {
        let names: BTreeSet<String> = names(projects).map(|(name, _)| name).collect();
        self.pages.retain_failures(&names);
        self.following.retain(repositories, names.iter().map(|name| metrics::slugs(name)));
        self.readiness.replace(names);
        self.dispatcher.set_secrets(projects);
        self.manager.reloaded();
    }
}

/// Forwards push notifications and configurations to the follow loop, once it runs.
#[derive(Default)]
struct HookDispatcher {
    handle: arc_swap::ArcSwapOption<FollowHandle>,
    /// The newest configuration, if one was loaded after the start.
    config: Mutex<Option<FollowConfig>>,
    secrets: Arc<HookSecrets>,
}

impl HookDispatcher {
    fn connect(&self, follow: &FollowLoop) {
        self.set_secrets(follow.follower().projects());
        self.handle.store(Some(Arc::new(follow.handle())));
        // The configuration may have changed before the loop existed.
        let config = self.config.lock().unwrap_or_else(PoisonError::into_inner).clone();
        if let Some(config) = config {
            follow.handle().reload(config);
        }
    }

    fn set_secrets(&self, projects: &[ProjectConfig]) {
        let secrets =
            names(projects).filter_map(|(name, it)| Some((name, it.hook_secret.as_ref()?.reveal().to_owned())));
        self.secrets.set(secrets.collect());
    }

    /// Applies a configuration now, or as soon as the loop runs.
    fn reload(&self, config: FollowConfig) {
        *self.config.lock().unwrap_or_else(PoisonError::into_inner) = Some(config.clone());
        if let Some(handle) = &*self.handle.load() {
            handle.reload(config);
        }
    }

    fn stop(&self) {
        if let Some(handle) = &*self.handle.load() {
            handle.stop();
        }
    }
}

impl PushListener for HookDispatcher {
    fn pushed(&self, component: &str) {
        if let Some(handle) = &*self.handle.load() {
            handle.poll_now(component);
        }
    }
}

/// All components with their names, `project/component`.
fn names(projects: &[ProjectConfig]) -> impl Iterator<Item = (String, &ComponentConfig)> {
    projects.iter().flat_map(|project| {
        project.components.iter().map(move |component| (format!("{}/{}", project.slug, component.slug), component))
    })
}

/// Files for downloads, once components are known.
#[derive(Default)]
struct LateSources(arc_swap::ArcSwapOption<Sources>);

impl LateSources {
    fn set(&self, sources: Arc<Sources>) {
        self.0.store(Some(sources));
    }

    fn read(&self, read: impl FnOnce(&Sources) -> Result<Vec<u8>, ComponentError>) -> Result<Vec<u8>, FileError> {
        match self.0.load_full() {
            Some(sources) => read(&sources).map_err(|error| FileError::Unreadable(error.to_string())),
            None => Err(FileError::Unreadable("nothing is served yet".to_owned())),
        }
    }
}

impl FileSource for LateSources {
    fn blob(&self, component: ComponentId, blob: BlobId) -> Result<Vec<u8>, FileError> {
        self.read(|sources| sources.blob(component, blob))
    }

    fn at_path(&self, component: ComponentId, commit: CommitId, path: &str) -> Result<Vec<u8>, FileError> {
        self.read(|sources| sources.at_path(component, commit, path))
    }
}
