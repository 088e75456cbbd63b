//! Fetching over a network: one conversation with the server that asks for branches and receives what is new.
//!
//! gix does the talking. This file says what to ask for, answers who asks, and bounds every wait.

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, mpsc};
use std::time::{Duration, Instant};

use gix::bstr::ByteSlice;
use gix::credentials::helper::{Action, NextAction};
use gix::protocol::transport::client::blocking_io::Transport;
use gix::protocol::transport::client::git;
use gix::remote::Direction;
use gix::remote::fetch::refs::update::Mode;
use gix::remote::fetch::{Status, Tags};

use super::Branch;
use super::fetch_error::{NoCredentials, Problem};
use super::progress::{Meter, Watch};
use super::repository::{commit_id, options};
use super::source::{Network, Source};
use crate::model::CommitId;

/// How long to wait for a server.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Patience {
    /// For a connection.
    pub connect: Duration,
    /// For any sign of life.
    pub stall: Duration,
}

impl Default for Patience {
    fn default() -> Self {
        Self { connect: Duration::from_secs(20), stall: Duration::from_secs(90) }
    }
}

/// What a server may want to know from who asks. Files are read anew for each fetch.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Access {
    /// A file with a token, or with `user:password`, for `https`.
    pub token_file: Option<PathBuf>,
    /// A private key for `ssh`.
    pub ssh_key: Option<PathBuf>,
    /// How long to wait.
    pub patience: Patience,
}

/// What the server said about a branch.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct RemoteBranch {
    pub(super) branch: Branch,
    /// Its name and tip; `None` when it is not there.
    pub(super) found: Option<(String, CommitId)>,
}

/// What came of asking.
pub(super) struct Received {
    pub(super) branches: Vec<RemoteBranch>,
    /// The branches that exist, asked for only when one was missing.
    pub(super) existing: Vec<String>,
    /// The index of the pack that came, if one did, and how many objects it has.
    pub(super) pack: Option<(PathBuf, u32)>,
}

/// A fetch whose thread did not end when it was told to.
pub(super) type Hung = std::thread::JoinHandle<()>;

/// Fetches on a thread of its own, and waits for it no longer than there are signs of life.
///
/// A thread that hangs all the same is given back, and must have ended before the mirror is written again.
pub(super) fn fetch(job: Job, watch: &mut dyn Watch, hung: &mut Option<Hung>) -> Result<Received, Problem> {
    /// How often the watch is told.
    const LOOK: Duration = Duration::from_millis(100);
    /// How long a thread may take to end once told so.
    const GRACE: Duration = Duration::from_secs(2);

    let meter = Meter::default();
    let interrupt = Arc::new(AtomicBool::new(false));
    let stall = job.access.patience.stall;
    let (send, receive) = mpsc::channel();
    let thread = {
        let (meter, interrupt) = (meter.clone(), Arc::clone(&interrupt));
        std::thread::spawn(move || {
            let result = job.run(&meter, &interrupt);
            let _ = send.send(result);
        })
    };
    let mut pulse = (meter.look().1, Instant::now());
    let mut given_up: Option<(Problem, Instant)> = None;
    loop {
        match receive.recv_timeout(LOOK) {
            Ok(Ok(received)) => {
                watch.progress(&meter.look().0);
                return Ok(received);
            }
            Ok(Err(problem)) => return Err(given_up.map_or(problem, |(why, _)| why)),
            Err(mpsc::RecvTimeoutError::Disconnected) => {
                return Err(Problem::Unreachable("the fetch ended unexpectedly".to_owned()));
            }
            Err(mpsc::RecvTimeoutError::Timeout) => {}
        }
        let (progress, now) = meter.look();
        if let Some((_, since)) = &given_up {
            if since.elapsed() > GRACE {
                *hung = Some(thread);
                return Err(given_up.map_or(Problem::Stopped, |(why, _)| why));
            }
            continue;
        }
        watch.progress(&progress);
        if now != pulse.0 {
            pulse = (now, Instant::now());
        }
        let why = if watch.stop() {
            Problem::Stopped
        } else if pulse.1.elapsed() > stall {
            Problem::Stalled(stall)
        } else {
            continue;
        };
        interrupt.store(true, Ordering::Relaxed);
        given_up = Some((why, Instant::now()));
    }
}

/// What to fetch, from where, into which mirror.
pub(super) struct Job {
    pub(super) mirror: PathBuf,
    pub(super) source: Source,
    pub(super) access: Access,
    pub(super) branches: Vec<Branch>,
}

impl Job {
    fn run(&self, meter: &Meter, interrupt: &AtomicBool) -> Result<Received, Problem> {
        let wrap = |error: gix::Error| Problem::from_gix(&error, &self.mirror);
        let specs: Vec<String> =
            self.branches.iter().map(|branch| format!("+{}:{}", branch.remote_ref(), branch.mirror_ref())).collect();
        let repository = self.open()?;
        let remote = self.remote(&repository, &specs)?;
        let identity = self.identity()?;
        let connection = self.connect(&remote)?.with_credentials(self.credentials(identity.clone()));
        let prepared = connection.prepare_fetch(meter.root(), Default::default()).map_err(wrap)?;

        let mut branches = Vec::new();
        for branch in &self.branches {
            let local = branch.mirror_ref();
            let mapping = prepared
                .ref_map()
                .mappings
                .iter()
                .find(|mapping| mapping.local.as_ref().is_some_and(|name| *name == local));
            let tip = mapping.and_then(|mapping| commit_id(mapping.remote.peeled_id()?));
            let name = match (branch, mapping.and_then(|mapping| mapping.remote.as_target())) {
                (Branch::Named(name), _) => name.clone(),
                (Branch::Default, Some(target)) => short_name(&target.to_string()),
                (Branch::Default, None) => "HEAD".to_owned(),
            };
            branches.push(RemoteBranch { branch: branch.clone(), found: tip.map(|tip| (name, tip)) });
        }
        let missing = branches.iter().any(|branch| branch.found.is_none());
        let mut received = Received { branches, existing: Vec::new(), pack: None };
        if received.branches.iter().any(|branch| branch.found.is_some()) {
            let outcome = prepared.receive(meter.root(), interrupt).map_err(wrap)?;
            let updates = match outcome.status {
                Status::NoPackReceived { update_refs, .. } => update_refs,
                Status::Change { write_pack_bundle, update_refs, .. } => {
                    let objects = write_pack_bundle.index.num_objects;
                    received.pack = write_pack_bundle.index_path.map(|path| (path, objects));
                    update_refs
                }
            };
            for update in updates.updates {
                match update.mode {
                    Mode::NoChangeNeeded | Mode::FastForward | Mode::Forced | Mode::New => {}
                    // Never with a leading '+'; but silence here would mean to stand still for ever.
                    other => return Err(Problem::Unreachable(format!("a branch could not be updated: {other}"))),
                }
            }
        } else {
            // Else the server would wait for an answer while it is asked again.
            drop(prepared);
        }
        if missing {
            received.existing = self.existing(&repository, identity, meter)?;
        }
        Ok(received)
    }

    /// The names of all branches that the server has.
    fn existing(
        &self,
        repository: &gix::Repository,
        identity: Option<(String, String)>,
        meter: &Meter,
    ) -> Result<Vec<String>, Problem> {
        let remote = self.remote(repository, &["refs/heads/*:refs/heads/*".to_owned()])?;
        let connection = self.connect(&remote)?.with_credentials(self.credentials(identity));
        let (map, _) = connection
            .ref_map(meter.root(), Default::default())
            .map_err(|error| Problem::from_gix(&error, &self.mirror))?;
        let names = map.remote_refs.iter().map(|found| found.unpack().0.to_string());
        Ok(names.filter_map(|name| name.strip_prefix("refs/heads/").map(str::to_owned)).collect())
    }

    fn open(&self) -> Result<gix::Repository, Problem> {
        let Patience { connect, stall } = self.access.patience;
        let mut ssh = "ssh -o BatchMode=yes -o ServerAliveInterval=15 -o ServerAliveCountMax=4".to_owned();
        ssh.push_str(&format!(" -o ConnectTimeout={}", connect.as_secs().max(1)));
        if let Some(key) = &self.access.ssh_key {
            let key =
                gix::path::into_bstr(key.as_path()).map_err(|_| Problem::Refused("bad path of a key".to_owned()))?;
            ssh.push_str(&format!(" -o IdentitiesOnly=yes -i {}", gix::quote::single(key.as_ref())));
        }
        let settings = [
            "http.lowSpeedLimit=1".to_owned(),
            format!("http.lowSpeedTime={}", stall.as_secs().max(1)),
            format!("gitoxide.http.connectTimeout={}", connect.as_millis().max(1)),
            "http.followRedirects=initial".to_owned(),
            "core.logAllRefUpdates=false".to_owned(),
            format!("core.sshCommand={ssh}"),
        ];
        let opened = options(&settings).open(&self.mirror);
        opened.map(|repository| repository.to_thread_local()).map_err(|error| Problem::from_gix(&error, &self.mirror))
    }

    fn remote<'repo>(
        &self,
        repository: &'repo gix::Repository,
        specs: &[String],
    ) -> Result<gix::Remote<'repo>, Problem> {
        let wrap = |error: gix::Error| Problem::from_gix(&error, &self.mirror);
        let (address, _) =
            self.source.network().ok_or_else(|| Problem::Unsupported("it is not on a network".to_owned()))?;
        let url = gix::url::parse(address).map_err(wrap)?;
        repository
            .remote_at_without_url_rewrite(url)
            .and_then(|remote| {
                remote
                    .with_fetch_tags(Tags::None)
                    .with_refspecs(specs.iter().map(|spec| spec.as_bytes().as_bstr()), Direction::Fetch)
            })
            .map_err(wrap)
    }

    fn connect<'a, 'repo>(
        &self,
        remote: &'a gix::Remote<'repo>,
    ) -> Result<gix::remote::Connection<'a, 'static, 'repo, Box<dyn Transport + Send>>, Problem> {
        if self.source.network().is_some_and(|(_, scheme)| scheme == Network::Git) {
            return self.connect_to_daemon(remote);
        }
        remote.connect(Direction::Fetch).map_err(|error| Problem::from_gix(&error, &self.mirror))
    }

    /// As gix connects to `git://`, but with a limit on how long to wait for an answer.
    fn connect_to_daemon<'a, 'repo>(
        &self,
        remote: &'a gix::Remote<'repo>,
    ) -> Result<gix::remote::Connection<'a, 'static, 'repo, Box<dyn Transport + Send>>, Problem> {
        use std::net::{TcpStream, ToSocketAddrs};
        const PORT: u16 = 9418;
        let wrap = |error: gix::Error| Problem::from_gix(&error, &self.mirror);
        let unreachable = |error: std::io::Error| Problem::Unreachable(error.to_string());
        let (url, version) = remote.sanitized_url_and_version(Direction::Fetch).map_err(wrap)?;
        let host = url.host().unwrap_or_default().to_owned();
        let Patience { connect, stall } = self.access.patience;
        let mut last = Problem::Unreachable(format!("'{host}' has no network address"));
        for address in (host.as_str(), url.port.unwrap_or(PORT)).to_socket_addrs().map_err(unreachable)? {
            let stream = match TcpStream::connect_timeout(&address, connect) {
                Ok(stream) => stream,
                Err(error) => {
                    last = unreachable(error);
                    continue;
                }
            };
            stream.set_read_timeout(Some(stall)).map_err(unreachable)?;
            stream.set_write_timeout(Some(stall)).map_err(unreachable)?;
            let write = stream.try_clone().map_err(unreachable)?;
            let (path, port) = (url.path.clone(), url.port);
            let daemon = git::ConnectMode::Daemon;
            let transport =
                git::blocking_io::Connection::new(stream, write, version, path, Some((host, port)), daemon, false);
            return Ok(remote.to_connection_with_transport(Box::new(transport)));
        }
        Err(last)
    }

    /// Who asks, if there is anything to tell: user name and password or token.
    fn identity(&self) -> Result<Option<(String, String)>, Problem> {
        let account = self.source.account();
        let Some(path) = &self.access.token_file else {
            return Ok(account.map(|account| (account.user.clone(), account.password.clone().unwrap_or_default())));
        };
        let read = std::fs::read_to_string(path)
            .map_err(|error| Problem::TokenFile { path: path.clone(), reason: error.to_string() })?;
        let read = read.trim();
        Ok(Some(match read.split_once(':') {
            Some((user, password)) => (user.to_owned(), password.to_owned()),
            // Hosts that know tokens take any user name, but not none.
            None => (account.map_or("token", |account| account.user.as_str()).to_owned(), read.to_owned()),
        }))
    }

    /// Answers the server's question who asks; never asks a person.
    fn credentials(
        &self,
        identity: Option<(String, String)>,
    ) -> impl FnMut(Action) -> gix::Result<Option<gix::credentials::protocol::Outcome>> + 'static {
        let place = self.source.network().and_then(|(address, _)| origin(address));
        move |action| {
            let Action::Get(context) = action else {
                return Ok(None);
            };
            // After a redirect to another host, that host has no right to know.
            let asking = context.url.as_ref().and_then(|url| origin(&url.to_string()));
            let known = identity.clone().filter(|_| asking.is_some() && asking == place);
            let (username, password) = known.ok_or_else(|| gix::Error::from_error(NoCredentials))?;
            let identity = gix::sec::identity::Account { username, password, oauth_refresh_token: None };
            Ok(Some(gix::credentials::protocol::Outcome { identity, next: NextAction::from(context) }))
        }
    }
}

/// Scheme, host and port of an address: what may know the credentials.
fn origin(address: &str) -> Option<(String, String, Option<u16>)> {
    let url = gix::url::parse(address).ok()?;
    Some((url.scheme.as_str().to_owned(), url.host()?.to_ascii_lowercase(), url.port_or_default()))
}

/// The name of a branch without `refs/heads/`.
pub(super) fn short_name(full: &str) -> String {
    full.strip_prefix("refs/heads/").unwrap_or(full).to_owned()
}

#[cfg(test)]
#[path = "fetch_tests.rs"]
mod tests;
