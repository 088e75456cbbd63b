//! The tracked repositories and the times of their polls. The work of a poll does not grow with their number.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap, VecDeque};
use std::ops::Index;
use std::time::Instant;

use super::tracked::{RepoIndex, TrackedRepo};

/// The times of polls, soonest first. Only an entry with the scheduled time of an idle repository is valid.
type PollTimes = BinaryHeap<Reverse<(Instant, RepoIndex)>>;

/// Maximum number of parallel fetches from one server.
const MAX_HOST_FETCHES: usize = 4;

/// All repositories. Removed ones stay in the list, because messages refer to its indexes.
#[derive(Default)]
pub(crate) struct TrackedRepos {
    all: Vec<TrackedRepo>,
    local: PollTimes,
    remote: PollTimes,
    fetching: Vec<RepoIndex>,
    /// Repositories whose polls are due, by server, while the server has [`MAX_HOST_FETCHES`].
    waiting: HashMap<String, VecDeque<RepoIndex>>,
    unpolled: usize,
}

impl TrackedRepos {
    /// Without repositories, with space for this number of them.
    pub fn with_capacity(count: usize) -> Self {
        Self {
            all: Vec::with_capacity(count),
            ..Self::default()
        }
    }

    /// Adds a repository.
    pub fn push(&mut self, repository: TrackedRepo) -> RepoIndex {
        let at = RepoIndex::new(self.all.len());
        let due = repository.due();
        self.unpolled += usize::from(!repository.polled);
        self.all.push(repository);
        self.add(at, due);
        at
    }

    /// All repositories, in the order of their indexes.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = &TrackedRepo> + ExactSizeIterator {
        self.all.iter()
    }

    /// The index of each repository.
    pub fn indexes(&self) -> impl Iterator<Item = RepoIndex> + use<> {
        (0..self.all.len()).map(RepoIndex::new)
    }

    /// Changes a repository; all changes are made here. Ignores an unknown index.
    pub fn update<T>(
        &mut self,
        at: RepoIndex,
        change: impl FnOnce(&mut TrackedRepo) -> T,
    ) -> Option<T> {
        let repository = self.all.get_mut(at.get())?;
        let before = repository.due();
        self.unpolled -= usize::from(!repository.polled);
        let result = change(repository);
        self.unpolled += usize::from(!repository.polled);
        let (due, fetches) = (repository.due(), repository.fetch.is_some());
        match self.fetching.iter().position(|fetching| *fetching == at) {
            None if fetches => self.fetching.push(at),
            Some(position) if !fetches => drop(self.fetching.swap_remove(position)),
            _ => {}
        }
        if due != before {
            self.add(at, due);
        }
        Some(result)
    }

    /// Changes all repositories.
    pub fn update_all(&mut self, mut change: impl FnMut(&mut TrackedRepo)) {
        for at in self.indexes() {
            self.update(at, &mut change);
        }
    }

    fn add(&mut self, at: RepoIndex, due: Option<Instant>) {
        let repo = self.all.get(at.get());
        let is_local = repo.is_some_and(|repo| repo.target.is_local());
        let times = if is_local {
            &mut self.local
        } else {
            &mut self.remote
        };
        times.extend(due.map(|due| Reverse((due, at))));
    }

    /// The number of fetches that count towards the limits; only those from a server, if one is given.
    pub fn active_fetches(&self, now: Instant, host: Option<&str>) -> usize {
        let of_host = |it: &&TrackedRepo| host.is_none() || it.target.source.host() == host;
        let fetches = self.fetching().filter(of_host);
        let fetches = fetches.filter_map(|repo| repo.fetch.as_ref());
        fetches.filter(|fetch| now < fetch.active_until()).count()
    }

    /// Whether a repository waits for a fetch of its server to end.
    pub fn has_waiting(&self) -> bool {
        !self.waiting.is_empty()
    }

    /// Schedules repositories that waited for their servers, as many as these have places.
    fn release_waiting(&mut self, now: Instant) {
        for (host, mut waiting) in std::mem::take(&mut self.waiting) {
            let mut places = MAX_HOST_FETCHES.saturating_sub(self.active_fetches(now, Some(&host)));
            while places > 0
                && let Some(at) = waiting.pop_front()
            {
                let due = self.all.get(at.get()).and_then(TrackedRepo::due);
                places -= usize::from(due.is_some());
                self.add(at, due);
            }
            if !waiting.is_empty() {
                self.waiting.insert(host, waiting);
            }
        }
    }

    /// When the next poll is due; of remote repositories only if they `may_fetch`.
    pub fn next_poll(&mut self, may_fetch: bool) -> Option<Instant> {
        let local = soonest(&mut self.local, &self.all);
        let remote = soonest(&mut self.remote, &self.all).filter(|_| may_fetch);
        local.into_iter().chain(remote).map(|(due, _)| due).min()
    }

    /// A repository whose poll is due, and whose server has a place.
    pub fn next_due(&mut self, now: Instant, may_fetch: bool) -> Option<RepoIndex> {
        if let Some(at) = pop_due(&mut self.local, &self.all, now) {
            return Some(at);
        }
        if !may_fetch {
            return None;
        }
        self.release_waiting(now);
        while let Some(at) = pop_due(&mut self.remote, &self.all, now) {
            let host = self.all[at.get()].target.source.host();
            if self.active_fetches(now, host) < MAX_HOST_FETCHES {
                return Some(at);
            }
            let host = host.unwrap_or_default().to_owned();
            self.waiting.entry(host).or_default().push_back(at);
        }
        None
    }

    /// The repositories that are being fetched.
    pub fn fetching(&self) -> impl Iterator<Item = &TrackedRepo> {
        self.fetching.iter().filter_map(|at| self.all.get(at.get()))
    }

    /// The indexes of the repositories that are being fetched.
    pub fn fetching_indexes(&self) -> Vec<RepoIndex> {
        self.fetching.clone()
    }

    /// Whether a repository has no finished poll.
    pub fn has_unpolled(&self) -> bool {
        self.unpolled > 0
    }

    /// Forgets all repositories.
    pub fn clear(&mut self) {
        *self = Self::default();
    }
}

impl Index<RepoIndex> for TrackedRepos {
    type Output = TrackedRepo;

    fn index(&self, at: RepoIndex) -> &TrackedRepo {
        &self.all[at.get()]
    }
}

/// Removes the soonest valid time if it has come.
fn pop_due(times: &mut PollTimes, all: &[TrackedRepo], now: Instant) -> Option<RepoIndex> {
    let (due, at) = soonest(times, all)?;
    (due <= now).then(|| {
        times.pop();
        at
    })
}

/// The soonest valid time. Drops those before it.
fn soonest(times: &mut PollTimes, all: &[TrackedRepo]) -> Option<(Instant, RepoIndex)> {
    while let Some(&Reverse((due, at))) = times.peek() {
        #[cfg(test)]
        tests::EXAMINED.set(tests::EXAMINED.get() + 1);
        if all.get(at.get()).and_then(TrackedRepo::due) == Some(due) {
            return Some((due, at));
        }
        times.pop();
    }
    None
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;
    use std::path::Path;
    use std::time::Duration;

    use super::*;
    use crate::events::PollOutcome;
    use crate::poll::PollTarget;
    use crate::{RepoAccess, RepoAddress};

    const MINUTE: Duration = Duration::from_secs(60);

    thread_local! {
        /// Number of times of polls that were examined.
        pub(super) static EXAMINED: Cell<usize> = const { Cell::new(0) };
    }

    fn repositories(addresses: &[&str], now: Instant) -> TrackedRepos {
        let mut all = TrackedRepos::default();
        for address in addresses {
            let address = RepoAddress::parse(address, Path::new("/")).unwrap();
            let target =
                PollTarget::new(&address, &RepoAccess::default(), Path::new("/"), Vec::new());
            all.push(TrackedRepo::new(target.unwrap(), Vec::new(), MINUTE, now));
        }
        all
    }

    fn finish(all: &mut TrackedRepos, at: RepoIndex, now: Instant) {
        all.update(at, |it| {
            it.schedule.finished(PollOutcome::Success, now, 0.5);
            it.schedule.next = now + MINUTE;
            it.polled = true;
        });
    }

    #[test]
    fn a_repository_is_due_once_at_its_scheduled_time() {
        let now = Instant::now();
        let mut all = repositories(&["/a", "/b"], now);
        assert!(all.has_unpolled());
        while let Some(at) = all.next_due(now, true) {
            finish(&mut all, at, now);
        }
        assert!(!all.has_unpolled());
        assert_eq!(all.next_poll(true), Some(now + MINUTE));
        let second = RepoIndex::new(1);
        all.update(second, |it| it.schedule.schedule_now(now));
        all.update(second, |it| it.schedule.schedule_now(now));
        assert_eq!(all.next_due(now, true), Some(second));
        finish(&mut all, second, now + MINUTE / 2);
        assert_eq!(all.next_due(now, true), None);
        assert_eq!(
            all.local.len(),
            3,
            "an entry of an earlier schedule is dropped later"
        );
        let due: Vec<_> = std::iter::from_fn(|| all.next_due(now + 2 * MINUTE, true)).collect();
        assert_eq!((due.len(), all.local.len()), (2, 0));
    }

    #[test]
    fn the_cost_of_a_poll_does_not_depend_on_the_number_of_repositories() {
        let examined_per_poll = |count: usize| {
            let addresses: Vec<String> = (0..count).map(|it| format!("/{it}")).collect();
            let addresses: Vec<&str> = addresses.iter().map(String::as_str).collect();
            let now = Instant::now();
            let mut all = repositories(&addresses, now);
            while let Some(at) = all.next_due(now, true) {
                finish(&mut all, at, now);
            }
            EXAMINED.set(0);
            for round in 1..=3 {
                let time = now + round * MINUTE;
                for _ in 0..count {
                    let at = all.next_due(time, true).unwrap();
                    finish(&mut all, at, time);
                    all.next_poll(true);
                }
                assert_eq!(all.next_due(time, true), None);
            }
            assert_eq!(all.local.len(), count, "no entry remains");
            EXAMINED.get() as f64 / (3 * count) as f64
        };
        let (few, many) = (examined_per_poll(10), examined_per_poll(2_000));
        assert!(many <= few && few < 3.0, "{few} and {many} per poll");
    }

    #[test]
    fn remote_repositories_wait_for_a_place() {
        let now = Instant::now();
        let mut all = repositories(&["https://example.org/a.git", "/b"], now);
        let (remote, local) = (RepoIndex::new(0), RepoIndex::new(1));
        assert_eq!(all.next_due(now, false), Some(local));
        finish(&mut all, local, now);
        assert_eq!(all.next_due(now, false), None);
        assert_eq!(all.next_poll(false), Some(now + MINUTE));
        assert_eq!(all.next_poll(true), Some(now));
        assert_eq!(all.next_due(now, true), Some(remote));
    }

    #[test]
    fn a_server_has_few_fetches_at_a_time_and_does_not_delay_others() {
        let now = Instant::now();
        let many = (0..6).map(|it| format!("https://many.example/{it}.git"));
        let addresses: Vec<String> = many.chain(["https://other.example/a.git".into()]).collect();
        let addresses: Vec<&str> = addresses.iter().map(String::as_str).collect();
        let mut all = repositories(&addresses, now);
        let start_all = |all: &mut TrackedRepos| {
            let mut started = Vec::new();
            while let Some(at) = all.next_due(now, true) {
                all.update(at, |it| drop(it.start_poll(at, Vec::new(), now)));
                started.push(at.get());
            }
            started
        };
        assert_eq!(start_all(&mut all), [0, 1, 2, 3, 6]);
        assert!(all.has_waiting() && all.next_poll(true).is_none());
        let first = RepoIndex::new(0);
        all.update(first, |it| {
            (it.fetch, it.polling) = (None, false);
        });
        finish(&mut all, first, now);
        assert_eq!(start_all(&mut all), [4]);
        // A fetch that receives nothing gives its place to others.
        assert_eq!(
            all.next_due(now + super::super::IDLE_FETCH, true),
            Some(RepoIndex::new(5))
        );
        assert!(!all.has_waiting());
    }

    #[test]
    fn a_busy_repository_is_due_when_it_is_idle_again() {
        let now = Instant::now();
        let mut all = repositories(&["/a"], now);
        let at = RepoIndex::new(0);
        all.update(at, |it| it.maintaining = true);
        assert_eq!((all.next_due(now, true), all.next_poll(true)), (None, None));
        all.update(at, |it| it.maintaining = false);
        assert_eq!(all.next_due(now, true), Some(at));
    }
}
