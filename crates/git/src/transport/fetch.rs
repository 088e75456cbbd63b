//! Fetches branches from a remote repository with gix, with a bound on every wait.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, mpsc};
use std::time::{Duration, Instant};

use gix::bstr::{BStr, ByteSlice};
use gix::protocol::handshake::Ref;
use gix::protocol::transport::client::blocking_io::Transport;
use gix::remote::Direction;
use gix::remote::fetch::refmap::Source as RefSource;
use gix::remote::fetch::refs::update::{Mode, Outcome};
use gix::remote::fetch::{RefMap, Status, Tags};
use parking_lot::Mutex;

use crate::named;
use crate::objects::repository::{commit_id, options};
use crate::refs::branch::{Branch, Tip};
use crate::transport::ask::{Asking, Question, Reply};
use crate::transport::connect::Connection;
use crate::transport::credentials::{Login, RepoAccess};
use crate::transport::error::FetchProblem;
use crate::transport::limits::LimitCheck;
use crate::transport::progress::{FetchPhase, FetchProgress, ProgressTree};
use crate::transport::source::{Network, RepositorySource};
use crate::transport::watch::Watch;
use gitglot_model::{CommitId, RefPattern, catch_crash};

/// The result of a fetch.
pub(crate) struct Received {
    /// The tip of each followed branch; `None` for a missing branch.
    pub(crate) tips: Vec<Option<Tip>>,
    /// All existing branches; read only when a followed branch is missing.
    pub(crate) existing: Vec<String>,
    /// How the next poll asks the server.
    pub(crate) asking: Asking,
}

/// Fetches on a new thread and abandons it when the server [stalls](Activity) or exceeds the [limits](LimitCheck).
///
/// An abandoned thread may still [run](is_running). Write to the mirror only after it has ended.
pub(crate) fn fetch(job: FetchJob, watch: &mut dyn Watch) -> Result<Received, FetchProblem> {
    /// The interval of progress reports.
    const INTERVAL: Duration = Duration::from_millis(100);
    /// The time that an interrupted thread has to end.
    const GRACE: Duration = Duration::from_secs(2);

    let stall = job.access.timeouts.stall;
    let Some(lock) = FetchLock::acquire(&job.mirror) else {
        return Err(FetchProblem::Stalled(stall));
    };
    let (send, result) = mpsc::channel();
    let control = FetchControl::default();
    let shared = control.clone();
    let mirror = job.mirror.clone();
    std::thread::spawn(move || {
        let result = catch_crash(|| job.run(&shared)).unwrap_or_else(|crash| Err(crash.into()));
        drop(lock);
        let _ = send.send(result);
    });
    let started = Instant::now();
    let mut activity = Activity::new(stall, started);
    let mut limits = LimitCheck::new(watch.limits(), &mirror);
    let mut abandoned: Option<(FetchProblem, Instant)> = None;
    loop {
        match result.recv_timeout(INTERVAL) {
            Ok(Ok(received)) => {
                watch.progress(&control.tree.poll().0);
                return Ok(received);
            }
            Ok(Err(problem)) => return Err(abandoned.map_or(problem, |(why, _)| why)),
            Err(mpsc::RecvTimeoutError::Disconnected) => {
                let reason = "the fetch ended unexpectedly".to_owned();
                return Err(FetchProblem::Unreachable(reason));
            }
            Err(mpsc::RecvTimeoutError::Timeout) => {}
        }
        let (progress, events) = control.tree.poll();
        if let Some((_, since)) = &abandoned {
            if since.elapsed() > GRACE {
                return Err(abandoned.map_or(FetchProblem::Stopped, |(why, _)| why));
            }
            continue;
        }
        watch.progress(&progress);
        let why = if watch.stop() {
            FetchProblem::Stopped
        } else if activity.has_stalled(&progress, events, Instant::now()) {
            FetchProblem::Stalled(stall)
        } else if let Some(exceeded) = limits.exceeded(&progress, started.elapsed()) {
            exceeded
        } else {
            continue;
        };
        control.interrupt();
        abandoned = Some((why, Instant::now()));
    }
}

/// Decides whether a server has stalled. Messages of the server keep a fetch alive only while it prepares the pack, and not
/// forever: a server that sends nothing else must not occupy the fetch.
struct Activity {
    stall: Duration,
    started: Instant,
    /// The number of events, and when it changed last.
    last: (usize, Instant),
    /// The bytes at the beginning of the current period, and when that was.
    period: Option<(u64, Instant)>,
}

impl Activity {
    /// The time that a server may prepare a pack while it reports progress.
    const PREPARATION: Duration = Duration::from_secs(600);
    /// The minimum rate of a pack in bytes per second, on average over the stall timeout.
    const MIN_RATE: u64 = 1024;

    fn new(stall: Duration, now: Instant) -> Self {
        Self {
            stall,
            started: now,
            last: (0, now),
            period: None,
        }
    }

    /// Whether nothing useful has arrived for the stall timeout. `events` changes with each event.
    fn has_stalled(&mut self, progress: &FetchProgress, events: usize, now: Instant) -> bool {
        if self.last.0 != events {
            self.last = (events, now);
        }
        let is_silent = now.duration_since(self.last.1) > self.stall;
        match progress.phase {
            FetchPhase::Asking => {
                let limit = Self::PREPARATION.max(self.stall);
                is_silent || now.duration_since(self.started) > limit
            }
            FetchPhase::Receiving => {
                let (bytes, since) = *self.period.get_or_insert((progress.bytes, now));
                let needed = self.stall.as_secs().max(1).saturating_mul(Self::MIN_RATE);
                if progress.bytes.saturating_sub(bytes) >= needed {
                    self.period = Some((progress.bytes, now));
                }
                now.duration_since(since) > self.stall && self.period == Some((bytes, since))
            }
            FetchPhase::Resolving => is_silent,
        }
    }
}

/// The progress of a fetch, and the means to stop it.
#[derive(Clone, Default)]
struct FetchControl {
    tree: ProgressTree,
    interrupt: Arc<AtomicBool>,
    connection: Connection,
}

impl FetchControl {
    fn interrupt(&self) {
        self.interrupt.store(true, Ordering::Relaxed);
        self.connection.close();
    }
}

/// The mirrors into which a fetch writes.
static HELD: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());

/// Whether an abandoned fetch still writes to a mirror.
pub(crate) fn is_running(mirror: &Path) -> bool {
    HELD.lock().contains(mirror)
}

/// Excludes other fetches into a mirror until it is dropped.
struct FetchLock(PathBuf);

impl FetchLock {
    /// `None` while another fetch runs.
    fn acquire(mirror: &Path) -> Option<Self> {
        let is_free = HELD.lock().insert(mirror.to_owned());
        is_free.then(|| Self(mirror.to_owned()))
    }
}

impl Drop for FetchLock {
    fn drop(&mut self) {
        HELD.lock().remove(&self.0);
    }
}

/// Finds a followed branch among the references that the server advertises.
fn remote_tip(branch: &Branch, advertised: &RefMap) -> Option<Tip> {
    let local = branch.mirror_ref();
    let is_local = |name: &gix::bstr::BString| *name == local;
    let mut mappings = advertised.mappings.iter();
    let mapping = mappings.find(|mapping| mapping.local.as_ref().is_some_and(is_local))?;
    let commit = commit_id(mapping.remote.peeled_id()?)?;
    let name = match (branch, mapping.remote.as_target()) {
        (Branch::Named(name), _) => name.clone(),
        (Branch::Default, target) => target
            .and_then(branch_name)
            .unwrap_or_else(|| "HEAD".to_owned()),
    };
    Some(Tip { name, commit })
}

/// The branch that the `HEAD` of a server names; `None` if it is no valid name of a branch.
fn branch_name(target: &BStr) -> Option<String> {
    let full = <&gix::refs::FullNameRef>::try_from(target).ok()?;
    let name = full.as_bstr().strip_prefix(b"refs/heads/")?;
    Some(std::str::from_utf8(name).ok()?.to_owned())
}

/// Reads the references of a server. gix panics if a server of an old protocol announces a symbolic reference that it does
/// not list.
fn read_references<T>(read: impl FnOnce() -> T) -> Result<T, FetchProblem> {
    catch_crash(read).map_err(|crash| {
        FetchProblem::Unsupported(format!(
            "its list of references cannot be read ({crash}); if a symbolic reference leads nowhere, repair it on the \
             server with `git symbolic-ref`"
        ))
    })
}

/// Checks that no symbolic reference but the `HEAD` of an empty branch leads nowhere: those of a cycle would be copied to the
/// mirror, which then could not be read.
fn check_unborn(advertised: &RefMap) -> Result<(), FetchProblem> {
    for mapping in &advertised.mappings {
        let RefSource::Ref(Ref::Unborn {
            full_ref_name,
            target,
        }) = &mapping.remote
        else {
            continue;
        };
        if full_ref_name != "HEAD" || !target.starts_with(b"refs/heads/") {
            return Err(FetchProblem::Unsupported(format!(
                "its symbolic reference {full_ref_name} leads to {target} and to no commit; \
                 repair it on the server with `git symbolic-ref`"
            )));
        }
    }
    Ok(())
}

/// Checks that every branch moved. `locals` contains the mirror's reference of each update.
fn check_updates(updates: Outcome, locals: &[Option<String>]) -> Result<(), FetchProblem> {
    let is_named = |at: usize| {
        let local = locals.get(at).and_then(Option::as_deref);
        local.is_some_and(|local| local.starts_with(named::NAMED))
    };
    for (at, update) in updates.updates.into_iter().enumerate() {
        match update.mode {
            // A broken tag must not delay the branches.
            _ if is_named(at) => {}
            Mode::NoChangeNeeded | Mode::FastForward | Mode::Forced | Mode::New => {}
            // Cannot happen with a leading '+', but if ignored the mirror would never move again.
            other => {
                let reason = format!("cannot update a branch: {other}");
                return Err(FetchProblem::Unreachable(reason));
            }
        }
    }
    Ok(())
}

/// The parameters of a fetch.
pub(crate) struct FetchJob {
    pub(crate) mirror: PathBuf,
    pub(crate) source: RepositorySource,
    pub(crate) access: RepoAccess,
    pub(crate) branches: Vec<Branch>,
    /// The references that requests may name.
    pub(crate) named: Vec<RefPattern>,
    /// The tip of each branch in the mirror.
    pub(crate) before: Vec<Option<CommitId>>,
    /// Whether to ask first if there is anything new.
    pub(crate) asking: Asking,
}

impl FetchJob {
    fn run(&self, control: &FetchControl) -> Result<Received, FetchProblem> {
        let reply = self.ask()?;
        if let (Some(Reply::Answer(answer)), Asking::Known(known)) = (&reply, self.asking)
            && answer.digest == known
            && self.before.iter().all(Option::is_some)
            && answer.commits().eq(self.before.iter().copied())
        {
            return Ok(Received {
                tips: answer.tips.clone(),
                existing: Vec::new(),
                asking: self.asking,
            });
        }
        let received = self.receive(control);
        let messages = control.connection.finish();
        let received = received.map_err(|problem| problem.explained_by(&messages))?;
        let asking = match reply {
            Some(Reply::Answer(answer)) => Asking::Known(answer.digest),
            Some(Reply::Unreachable) => Asking::Next,
            None if matches!(self.asking, Asking::Later) => Asking::Next,
            Some(Reply::Refused) | None => Asking::Never,
        };
        Ok(Received { asking, ..received })
    }

    /// Asks the server for its references, if the next poll may ask it.
    fn ask(&self) -> Result<Option<Reply>, FetchProblem> {
        let (Asking::Next | Asking::Known(_), Some((address, Network::Http)), Some(host)) =
            (self.asking, self.source.network(), self.source.host())
        else {
            return Ok(None);
        };
        let question = Question {
            address,
            host,
            login: self.access.login(&self.source, address)?,
            branches: &self.branches,
            named: &self.named,
            timeouts: self.access.timeouts,
            ca_file: self.access.ca_file.as_deref(),
        };
        question.ask().map(Some)
    }

    fn receive(&self, control: &FetchControl) -> Result<Received, FetchProblem> {
        let followed = self.branches.iter();
        let followed =
            followed.map(|branch| format!("+{}:{}", branch.remote_ref(), branch.mirror_ref()));
        let named = self.named.iter().filter_map(named::refspec);
        let specs: Vec<String> = followed.chain(named).collect();
        let repository = self.open()?;
        let remote = self.remote(&repository, &specs)?;
        let identity = self.access.identity(&self.source)?;
        let credentials = self.access.credentials(&self.source, identity.clone());
        let connected = self.connect(&remote, control)?;
        let connected = connected.with_credentials(credentials);
        let prepare = || connected.prepare_fetch(control.tree.root(), Default::default());
        let prepared = read_references(prepare)?.map_err(|error| self.problem(error))?;
        check_unborn(prepared.ref_map())?;

        let advertised = |branch| remote_tip(branch, prepared.ref_map());
        let tips: Vec<Option<Tip>> = self.branches.iter().map(advertised).collect();
        let mappings = prepared.ref_map().mappings.iter();
        let locals = mappings.map(|mapping| Some(mapping.local.as_ref()?.to_string()));
        let locals: Vec<Option<String>> = locals.collect();
        if !self.named.is_empty() {
            // A reference that is gone could block one whose name it is the directory of.
            let mut present: Vec<String> = locals.iter().flatten().cloned().collect();
            present.sort_unstable();
            named::prune(&repository, &present).map_err(|error| self.problem(error))?;
        }
        if tips.iter().any(Option::is_some) {
            let received = prepared.receive(control.tree.root(), &control.interrupt);
            let outcome = received.map_err(|error| self.problem(error))?;
            let updates = match outcome.status {
                Status::NoPackReceived { update_refs, .. } => update_refs,
                Status::Change { update_refs, .. } => update_refs,
            };
            check_updates(updates, &locals)?;
        } else {
            // Ends the conversation before the next one starts.
            drop(prepared);
        }
        let existing = if tips.iter().any(Option::is_none) {
            self.existing(&repository, identity, control)?
        } else {
            Vec::new()
        };
        Ok(Received {
            tips,
            existing,
            asking: Asking::default(),
        })
    }

    /// The names of all branches on the server.
    fn existing(
        &self,
        repository: &gix::Repository,
        identity: Option<Login>,
        control: &FetchControl,
    ) -> Result<Vec<String>, FetchProblem> {
        let remote = self.remote(repository, &["refs/heads/*:refs/heads/*".to_owned()])?;
        let credentials = self.access.credentials(&self.source, identity);
        let connected = self.connect(&remote, control)?;
        let connected = connected.with_credentials(credentials);
        let list = || connected.ref_map(control.tree.root(), Default::default());
        let (map, _) = read_references(list)?.map_err(|error| self.problem(error))?;
        let names = map.remote_refs.iter();
        let names = names.map(|found| found.unpack().0.to_string());
        let branches = names.filter_map(|name| name.strip_prefix("refs/heads/").map(str::to_owned));
        Ok(branches.collect())
    }

    fn problem(&self, error: gix::Error) -> FetchProblem {
        FetchProblem::from_gix(&error, &self.mirror)
    }

    fn open(&self) -> Result<gix::Repository, FetchProblem> {
        let settings = ["core.logAllRefUpdates=false".to_owned()];
        let opened = options(&settings).open(&self.mirror);
        let opened = opened.map_err(|error| self.problem(error))?;
        Ok(opened.to_thread_local())
    }

    fn remote<'repo>(
        &self,
        repository: &'repo gix::Repository,
        specs: &[String],
    ) -> Result<gix::Remote<'repo>, FetchProblem> {
        let (address, _) = self.source.network().ok_or_else(|| {
            FetchProblem::Unsupported("the address is not a network address".to_owned())
        })?;
        let url = gix::url::parse(address).map_err(|error| self.problem(error))?;
        let specs = specs.iter().map(|spec| spec.as_bytes().as_bstr());
        let remote = repository.remote_at_without_url_rewrite(url);
        let remote = remote.and_then(|remote| {
            let remote = remote.with_fetch_tags(Tags::None);
            remote.with_refspecs(specs, Direction::Fetch)
        });
        remote.map_err(|error| self.problem(error))
    }

    fn connect<'a, 'repo>(
        &self,
        remote: &'a gix::Remote<'repo>,
        control: &FetchControl,
    ) -> Result<gix::remote::Connection<'a, 'static, 'repo, Box<dyn Transport + Send>>, FetchProblem>
    {
        let address = remote.sanitized_url_and_version(Direction::Fetch);
        let (url, version) = address.map_err(|error| self.problem(error))?;
        let connection = &control.connection;
        let transport: Box<dyn Transport + Send> = match self.source.network() {
            Some((_, Network::Git)) => connection.to_daemon(&url, version, self.access.timeouts)?,
            Some((_, Network::Ssh)) => connection.to_ssh(&url, version, &self.access)?,
            _ => connection.to_http(url, version, &self.access, &control.interrupt)?,
        };
        Ok(remote.to_connection_with_transport(transport))
    }
}

#[cfg(test)]
#[path = "fetch_tests.rs"]
mod tests;
