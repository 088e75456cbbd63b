//! The loop that keeps up with repositories. Each is looked at when its time has come, when its refs move, or when
//! somebody says that there is news; what is new is taken in as one batch.
//!
//! One thread takes in, so that batches never overlap. Repositories elsewhere are fetched on threads of their own,
//! a few at a time; those on this machine are looked at in place, which takes no longer than handing them over.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, Sender};
use std::time::{Duration, Instant};

use chrono::Utc;

use super::look::{Look, Place, Watched};
use super::reload::{Gathering, Wanted, plan};
use super::schedule::{Outcome, Schedule};
use super::{Events, FollowError, Follower, Found, Looked};
use crate::git::{Branch, Mirror, RefWatch, Watch};
use crate::model::Timestamp;

/// Repositories that are fetched at the same time.
const AT_ONCE: usize = 4;
/// The first batch waits so long for repositories that neither come nor fail (design 2).
pub(super) const FIRST_BATCH: Duration = Duration::from_secs(600);
/// A look that has received nothing for so long keeps no other from beginning.
const WAITING: Duration = Duration::from_secs(5);
/// How long the end waits for looks that go on.
const PARTING: Duration = Duration::from_millis(500);
/// The longest sleep, so that a stopped clock or a lost message delays nothing for ever.
const LONGEST_SLEEP: Duration = Duration::from_secs(60);

/// Makes what watches the fetch of the repository of that name.
pub type Watches = Arc<dyn Fn(&str) -> Box<dyn Watch> + Send + Sync>;

/// Tells the loop from other threads that there may be news.
#[derive(Clone, Debug)]
pub struct Pager(Sender<Message>);

impl Pager {
    /// Ends the loop when it is done with what it is at.
    pub fn stop(&self) {
        let _ = self.0.send(Message::Stop);
    }

    /// Has something else followed from now on.
    pub fn reload(&self, wanted: Wanted) {
        let _ = self.0.send(Message::Reload(Box::new(wanted)));
    }

    /// Asks for a look at the repository of the component `project/component`.
    pub fn news(&self, component: &str) {
        // Nobody listens any more: the program ends.
        let _ = self.0.send(Message::News(component.to_owned()));
    }
}

#[derive(Debug)]
enum Message {
    /// A component's repository may have moved.
    News(String),
    /// A repository's refs have moved.
    Moved(usize),
    /// A look has ended.
    Looked(usize, Box<Look>),
    /// Something else is to be followed.
    Reload(Box<Wanted>),
    /// The program ends.
    Stop,
}

/// A repository, whichever components read it.
pub(super) struct Tracked {
    pub(super) place: Place,
    /// Places in the configuration, with the branch of each.
    pub(super) components: Vec<(usize, Branch)>,
    pub(super) schedule: Schedule,
    /// Away while a look goes on.
    pub(super) mirror: Option<Mirror>,
    looking: bool,
    /// There was news while a look went on.
    again: bool,
    /// Its mirror cannot be read as it should: it is cloned anew.
    damaged: bool,
    /// A look has ended, well or badly.
    seen: bool,
    /// What was said last of why it cannot be fetched.
    said: Option<String>,
    pub(super) watch: Option<RefWatch>,
    /// Its next look is taken in together with others.
    pub(super) awaited: bool,
    /// No component reads it any more; a look that goes on ends.
    pub(super) gone: Arc<AtomicBool>,
    fetching: Option<Fetching>,
}

/// A look that goes on on a thread of its own.
struct Fetching {
    /// Whether anything comes.
    receiving: Arc<AtomicBool>,
    since: Instant,
}

impl Fetching {
    /// When it is only waiting for a server that says nothing; `None` while anything comes.
    fn idle_from(&self) -> Option<Instant> {
        (!self.receiving.load(Ordering::Relaxed)).then(|| self.since + WAITING)
    }

    fn is_busy(&self, now: Instant) -> bool {
        self.idle_from().is_none_or(|idle| now < idle)
    }
}

impl Tracked {
    /// A repository that is looked at as soon as may be; which components read it is still to be said.
    pub(super) fn new(place: Place, interval: Duration, now: Instant) -> Self {
        let schedule = Schedule::new(interval, place.source.path().is_some(), now);
        Self {
            place,
            components: Vec::new(),
            schedule,
            mirror: None,
            looking: false,
            again: false,
            damaged: false,
            seen: false,
            said: None,
            watch: None,
            awaited: false,
            gone: Arc::default(),
            fetching: None,
        }
    }

    /// Whether it is on this machine, where looking costs next to nothing.
    fn is_local(&self) -> bool {
        self.place.source.path().is_some()
    }
}

/// Everything that is followed, kept up with.
pub struct Tail {
    pub(super) follower: Follower,
    pub(super) mirrors: PathBuf,
    pub(super) tracked: Vec<Tracked>,
    /// What is known of components without a look at their repositories.
    pub(super) known: Vec<(usize, Result<Found, String>)>,
    watches: Watches,
    pager: Pager,
    inbox: Receiver<Message>,
    /// What is to be followed instead.
    wanted: Option<Wanted>,
    pub(super) gathering: Gathering,
    stopped: bool,
}

impl Tail {
    /// Keeps up with everything that `follower` follows, looking at intervals; mirrors are in the folder `mirrors`.
    pub fn new(follower: Follower, mirrors: &Path, interval: Duration, watches: Watches) -> Self {
        let (sender, inbox) = mpsc::channel();
        let now = Instant::now();
        let (places, known) = plan(follower.projects(), mirrors);
        let tracked = places.into_iter().map(|(place, components)| {
            let mut tracked = Tracked::new(place, interval, now);
            tracked.components = components;
            tracked
        });
        let tracked = tracked.collect();
        Self {
            follower,
            mirrors: mirrors.to_owned(),
            tracked,
            known,
            watches,
            pager: Pager(sender),
            inbox,
            wanted: None,
            gathering: Gathering::default(),
            stopped: false,
        }
    }

    /// Who tells it that there is news.
    pub fn pager(&self) -> Pager {
        self.pager.clone()
    }

    /// What is followed.
    pub fn follower(&self) -> &Follower {
        &self.follower
    }

    /// Looks at everything once and publishes it as one batch: as soon as each repository has been read or has
    /// failed, or after ten minutes. Servers that say nothing are waited for a few seconds only where what was fetched
    /// from them before is still there.
    ///
    /// # Errors
    /// When the ledger cannot be written.
    pub fn first_batch(&mut self, events: &dyn Events) -> Result<(), FollowError> {
        let (deadline, patience) = (Instant::now() + FIRST_BATCH, Instant::now() + WAITING);
        let (mut looks, mut silent) = (Vec::new(), Vec::new());
        while self.tracked.iter().any(|tracked| !tracked.seen) && Instant::now() < deadline && !self.stopped {
            self.begin_looks(&mut looks);
            self.mark(&looks);
            if self.tracked.iter().any(|tracked| !tracked.seen) {
                let patient = Instant::now() < patience;
                if !patient && let Some(held) = self.held_of_silent() {
                    silent = held.iter().map(|(at, _)| *at).collect();
                    self.known.extend(held);
                    break;
                }
                let until = self.next_look().min(if patient { patience } else { deadline });
                self.hear(until, &mut looks);
                self.mark(&looks);
            }
        }
        if self.stopped {
            return Ok(());
        }
        let names = self.follower.names();
        for name in silent.into_iter().filter_map(|at: usize| names.get(at)) {
            events.behind(name, Some("serving what was fetched before: its server has not answered yet"));
        }
        self.take_in(looks, events)?;
        // What is damaged is cloned anew at once: nothing of it is served yet.
        let damaged: Vec<usize> = (0..self.tracked.len()).filter(|&at| self.tracked[at].damaged).collect();
        for &at in &damaged {
            self.hasten(at);
            self.tracked[at].seen = false;
        }
        while damaged.iter().any(|&at| !self.tracked[at].seen) && Instant::now() < deadline && !self.stopped {
            let mut looks = Vec::new();
            self.begin_looks(&mut looks);
            if looks.is_empty() {
                self.hear(self.next_look().min(deadline), &mut looks);
            }
            self.mark(&looks);
            self.take_in(looks, events)?;
        }
        Ok(())
    }

    /// Keeps up until it is told to stop.
    ///
    /// # Errors
    /// When the ledger cannot be written.
    pub fn run(&mut self, events: &dyn Events) -> Result<(), FollowError> {
        while !self.stopped {
            let mut looks = Vec::new();
            self.begin_looks(&mut looks);
            if looks.is_empty() && self.wanted.is_none() {
                let until = self.next_look().min(Instant::now() + LONGEST_SLEEP);
                let others = [self.gathered_until(), self.follower.catch_up_at()];
                self.hear(others.into_iter().flatten().fold(until, Instant::min), &mut looks);
            }
            if self.stopped {
                break;
            }
            if let Some(wanted) = self.wanted.take() {
                self.reconfigure(wanted, events);
            }
            let looks = self.gather(looks);
            self.take_in(looks, events)?;
            if self.follower.catch_up_at().is_some_and(|at| at <= Instant::now()) {
                self.follower.catch_up();
            }
        }
        Ok(())
    }

    /// Lets go of everything before the program ends: what goes on is told to end, and checkpoints that are behind are
    /// written, as far as that can be done in a second.
    pub fn finish(&mut self) {
        self.tracked.iter().for_each(|tracked| tracked.gone.store(true, Ordering::Relaxed));
        self.follower.write_checkpoints(Instant::now() + Duration::from_secs(1));
        let end = Instant::now() + PARTING;
        while self.tracked.iter().any(|tracked| tracked.fetching.is_some()) && Instant::now() < end {
            self.hear(end, &mut Vec::new());
        }
    }

    /// When the next look can begin. While as many repositories as may be are fetched, the end of one of them comes
    /// first for those elsewhere.
    fn next_look(&self) -> Instant {
        let now = Instant::now();
        let full = self.away() >= AT_ONCE;
        let followed = || self.tracked.iter().filter(|tracked| !tracked.is_gone());
        let waiting = followed().filter(|tracked| !tracked.looking && (!full || tracked.is_local()));
        let begin = waiting.map(|tracked| tracked.schedule.next()).min();
        // Those that only wait for a server soon make room.
        let idle = self.tracked.iter().filter_map(|tracked| tracked.fetching.as_ref()?.idle_from());
        let room = idle.filter(|&idle| full && idle > now).min();
        begin.into_iter().chain(room).min().unwrap_or(now + LONGEST_SLEEP)
    }

    /// How many repositories are being fetched.
    fn away(&self) -> usize {
        let now = Instant::now();
        self.tracked.iter().filter_map(|tracked| tracked.fetching.as_ref()).filter(|it| it.is_busy(now)).count()
    }

    /// What mirrors hold of repositories that have not been seen yet; `None` when one of them lacks a branch.
    fn held_of_silent(&self) -> Option<Vec<(usize, Result<Found, String>)>> {
        let silent = self.tracked.iter().filter(|tracked| !tracked.seen);
        let held = silent.flat_map(|tracked| {
            tracked.components.iter().map(|(at, branch)| Some((*at, Ok(tracked.place.held(branch)?))))
        });
        held.collect()
    }

    fn mark(&mut self, looks: &[(usize, Look)]) {
        looks.iter().for_each(|(at, _)| self.tracked[*at].seen = true);
    }

    /// Begins the looks that are due. Those that end at once are put into `looks`.
    fn begin_looks(&mut self, looks: &mut Vec<(usize, Look)>) {
        let now = Instant::now();
        let mut away = self.away();
        for at in 0..self.tracked.len() {
            let tracked = &mut self.tracked[at];
            let local = tracked.is_local();
            let due = tracked.schedule.next() <= now && !tracked.looking && !tracked.is_gone();
            if !due || (!local && away >= AT_ONCE) || looks.iter().any(|(looked, _)| *looked == at) {
                continue;
            }
            let (place, mirror) = (tracked.place.clone(), tracked.mirror.take());
            let components: Vec<usize> = tracked.components.iter().map(|&(component, _)| component).collect();
            let needed = tracked.damaged.then(|| self.follower.needed(&components));
            let doubtful = tracked.schedule.failures() > 0;
            tracked.looking = true;
            let name = place.source.to_string();
            if local {
                let mut watch = (self.watches)(&name);
                looks.push((at, place.look(mirror, needed.as_deref(), doubtful, &mut *watch)));
                continue;
            }
            away += 1;
            let (gone, receiving) = (tracked.gone.clone(), Arc::<AtomicBool>::default());
            tracked.fetching = Some(Fetching { receiving: receiving.clone(), since: now });
            let (sender, watches) = (self.pager.0.clone(), self.watches.clone());
            std::thread::spawn(move || {
                let mut watch = Watched { inner: watches(&name), gone, receiving };
                let look = place.look(mirror, needed.as_deref(), doubtful, &mut watch);
                let _ = sender.send(Message::Looked(at, Box::new(look)));
            });
        }
    }

    /// Waits for a message until some moment, then takes all that are there.
    fn hear(&mut self, until: Instant, looks: &mut Vec<(usize, Look)>) {
        let wait = until.saturating_duration_since(Instant::now());
        // It cannot be disconnected: the loop holds a sender itself.
        let mut next = self.inbox.recv_timeout(wait).ok();
        while let Some(message) = next {
            match message {
                Message::Looked(at, look) => {
                    self.tracked[at].fetching = None;
                    looks.push((at, *look));
                }
                Message::Stop => self.stopped = true,
                Message::Reload(wanted) => self.wanted = Some(*wanted),
                Message::Moved(at) => self.hasten(at),
                Message::News(component) => {
                    let of = self.follower.names().iter().position(|name| *name == component);
                    let reads = |tracked: &Tracked| tracked.components.iter().any(|&(at, _)| Some(at) == of);
                    if let Some(at) = self.tracked.iter().position(reads) {
                        self.hasten(at);
                    }
                }
            }
            next = self.inbox.try_recv().ok();
        }
    }

    fn hasten(&mut self, at: usize) {
        let Some(tracked) = self.tracked.get_mut(at) else { return };
        tracked.again |= tracked.looking;
        tracked.schedule.hasten(Instant::now());
    }

    /// Takes in what looks have found, as one batch.
    fn take_in(&mut self, looks: Vec<(usize, Look)>, events: &dyn Events) -> Result<(), FollowError> {
        if looks.is_empty() && (self.known.is_empty() || self.gathered_until().is_some()) {
            return Ok(());
        }
        let seen = Timestamp(Utc::now().timestamp_micros());
        let mut found = std::mem::take(&mut self.known);
        for (at, look) in &looks {
            for (component, branch) in &self.tracked[*at].components {
                found.push((*component, look.found(branch)));
                // Told before what is old is published.
                if let (Some(name), Some(trouble)) = (self.follower.names().get(*component), look.trouble(branch)) {
                    events.behind(name, Some(&trouble));
                }
            }
        }
        found.sort_by_key(|(at, _)| *at);
        let observed = self.follower.observe(found, seen, events);
        let damaged = observed.as_deref().unwrap_or_default();
        for (at, look) in looks {
            self.settle(at, look, damaged, events);
        }
        if let Err(error) = &observed {
            let reason = error.to_string();
            self.follower.names().iter().for_each(|name| events.behind(name, Some(&reason)));
        }
        observed.map(|_| ())
    }

    /// Notes how a look went, and when the next one is due.
    fn settle(&mut self, at: usize, look: Look, damaged: &[usize], events: &dyn Events) {
        let tracked = &mut self.tracked[at];
        let healed = tracked.damaged && look.error.is_none();
        tracked.looking = false;
        if tracked.is_gone() {
            return;
        }
        tracked.damaged = look.damaged || tracked.components.iter().any(|(component, _)| damaged.contains(component));
        let outcome = if tracked.damaged { Outcome::Passing } else { look.outcome() };
        let now = Instant::now();
        tracked.schedule.looked(outcome, now, chance(at, now));
        let name = tracked.place.source.to_string();
        let word = if tracked.damaged { "damaged" } else { outcome.name() };
        events.looked(&Looked { repository: &name, outcome: word, healed });
        if std::mem::take(&mut tracked.again) {
            tracked.schedule.hasten(now);
        }
        let names = self.follower.names();
        let mut said = None;
        for (component, branch) in &tracked.components {
            let trouble = look.trouble(branch);
            if let Some(name) = names.get(*component) {
                events.behind(name, self.follower.trouble(*component).or(trouble.as_deref()));
            }
            said = said.or(trouble);
        }
        if said != tracked.said {
            match &said {
                Some(trouble) => tracing::warn!("serving what was fetched before: {trouble}"),
                None => tracing::info!("{} can be fetched again", tracked.place.source),
            }
            tracked.said = said;
        }
        tracked.mirror = look.into_mirror();
        if tracked.watch.as_ref().is_some_and(RefWatch::is_stale) {
            // Another folder is at its path now, or none.
            tracked.watch = None;
        }
        if tracked.watch.is_none()
            && let Some(Ok(place)) = tracked.place.source.local_git_dir()
        {
            let sender = self.pager.0.clone();
            let watch = RefWatch::new(&place, move || {
                let _ = sender.send(Message::Moved(at));
            });
            match watch {
                Ok(watch) => {
                    tracked.watch = Some(watch);
                    // It may have moved before it was watched.
                    tracked.schedule.hasten(now);
                }
                Err(error) => tracing::debug!("{error}"),
            }
        }
    }
}

/// A number from 0 to 1 that differs from look to look; nothing depends on how well.
fn chance(at: usize, now: Instant) -> f64 {
    use std::hash::{BuildHasher, RandomState};
    (RandomState::new().hash_one((at, now)) >> 11) as f64 / (1_u64 << 53) as f64
}
