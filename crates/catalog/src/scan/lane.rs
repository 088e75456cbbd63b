//! Lanes: work that runs at the same time, a queue for more, and fair shares of both. Must not depend on other modules.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::Arc;

use parking_lot::Mutex;
use tokio::sync::oneshot;

/// Whose work it is. Clients have equal shares of a lane; the work of one client has equal shares for each project.
#[derive(Clone, PartialEq, Eq, Hash, Default, Debug)]
pub struct Share {
    /// The client, if it is known.
    pub client: Option<IpAddr>,
    /// The project that the work reads; empty for all of them.
    pub project: String,
}

/// Work that runs at the same time, and a queue for more.
#[derive(Debug)]
pub(super) struct Lane {
    concurrent: usize,
    max_queued: usize,
    state: Mutex<LaneState>,
}

#[derive(Default, Debug)]
struct LaneState {
    running: usize,
    /// In the order of arrival.
    waiting: Vec<Waiter>,
    /// Work that waits for its next turn, which is not part of the queue.
    paused: usize,
    /// The number of turns so far, and of those that waited.
    turns: u64,
    arrivals: u64,
    clients: HashMap<Option<IpAddr>, Activity>,
    shares: HashMap<Share, Activity>,
}

/// The work of a client or a share that runs or waits.
#[derive(Default, Debug)]
struct Activity {
    count: usize,
    /// Its last turn.
    last_turn: u64,
}

#[derive(Debug)]
struct Waiter {
    number: u64,
    share: Share,
    is_paused: bool,
    wake: oneshot::Sender<LanePermit>,
}

/// The right to run, given back on drop.
#[derive(Debug)]
pub(super) struct LanePermit {
    /// `None` if the right was passed on.
    lane: Option<Arc<Lane>>,
    share: Share,
}

/// Leaves the queue on drop.
struct QueueSlot<'a> {
    lane: &'a Lane,
    number: u64,
}

impl Lane {
    pub(super) fn new(concurrent: usize, max_queued: usize) -> Self {
        Self {
            concurrent,
            max_queued,
            state: Mutex::default(),
        }
    }

    /// Amount of work that runs.
    pub(super) fn running(&self) -> usize {
        self.state.lock().running
    }

    /// Amount of work that waits to begin.
    pub(super) fn queued(&self) -> usize {
        self.state.lock().queued()
    }

    /// Waits for a turn; `None` if too much work of this share waits already.
    pub(super) async fn permit(self: &Arc<Self>, share: Share) -> Option<LanePermit> {
        let (number, turn) = {
            let mut state = self.state.lock();
            if state.running < self.concurrent {
                state.enter(&share);
                state.begin_turn(&share);
                return Some(LanePermit {
                    lane: Some(self.clone()),
                    share,
                });
            }
            if state.queued() >= self.max_queued {
                // Its client gets an error when the other end of its channel is dropped.
                let evicted = state.heavier_than(&share)?;
                let waiter = state.waiting.remove(evicted);
                state.leave(&waiter.share);
            }
            state.enter(&share);
            state.wait(share, false)
        };
        let _slot = QueueSlot { lane: self, number };
        turn.await.ok()
    }

    /// Gives free places to the work that waits, those with the oldest last turn first.
    fn wake(self: &Arc<Self>) {
        loop {
            let waiter = {
                let mut state = self.state.lock();
                if state.running >= self.concurrent {
                    return;
                }
                let Some(next) = state.next() else { return };
                let waiter = state.waiting.remove(next);
                state.paused -= usize::from(waiter.is_paused);
                state.begin_turn(&waiter.share);
                waiter
            };
            let permit = LanePermit {
                lane: Some(self.clone()),
                share: waiter.share,
            };
            // A permit that nobody receives is given back.
            let _ = waiter.wake.send(permit);
        }
    }
}

impl LaneState {
    fn queued(&self) -> usize {
        self.waiting.len() - self.paused
    }

    /// Counts work of a share.
    fn enter(&mut self, share: &Share) {
        self.clients.entry(share.client).or_default().count += 1;
        self.shares.entry(share.clone()).or_default().count += 1;
    }

    /// No longer counts work of a share.
    fn leave(&mut self, share: &Share) {
        fn leave<K: std::hash::Hash + Eq>(all: &mut HashMap<K, Activity>, key: &K) {
            if let Some(activity) = all.get_mut(key) {
                activity.count -= 1;
                if activity.count == 0 {
                    all.remove(key);
                }
            }
        }
        leave(&mut self.clients, &share.client);
        leave(&mut self.shares, share);
    }

    fn begin_turn(&mut self, share: &Share) {
        self.running += 1;
        self.turns += 1;
        let turn = self.turns;
        let client = self.clients.get_mut(&share.client);
        let activities = client.into_iter().chain(self.shares.get_mut(share));
        activities.for_each(|activity| activity.last_turn = turn);
    }

    /// Adds work to the queue. Returns its number, and where it gets its permit.
    fn wait(&mut self, share: Share, is_paused: bool) -> (u64, oneshot::Receiver<LanePermit>) {
        let (wake, turn) = oneshot::channel();
        self.arrivals += 1;
        self.paused += usize::from(is_paused);
        let number = self.arrivals;
        self.waiting.push(Waiter {
            number,
            share,
            is_paused,
            wake,
        });
        (number, turn)
    }

    /// The work whose turn is next.
    fn next(&self) -> Option<usize> {
        let last_turn = |waiter: &Waiter| {
            let client = self.clients.get(&waiter.share.client);
            let share = self.shares.get(&waiter.share);
            let turn = |known: Option<&Activity>| known.map_or(0, |activity| activity.last_turn);
            (turn(client), turn(share), waiter.number)
        };
        let waiting = self.waiting.iter().enumerate();
        let next = waiting.min_by_key(|(_, waiter)| last_turn(waiter));
        next.map(|(index, _)| index)
    }

    /// The newest work in a full queue that gives way to work of a share: that of the client with the most work, or, if
    /// that is the same client, of its project with the most work.
    fn heavier_than(&self, share: &Share) -> Option<usize> {
        let queued = || self.waiting.iter().filter(|waiter| !waiter.is_paused);
        let of_client = |client| queued().filter(move |waiter| waiter.share.client == client);
        let of_share = |share: &Share| queued().filter(|waiter| waiter.share == *share).count();
        let newest = |gives_way: &dyn Fn(&Share) -> bool| {
            let mut waiting = self.waiting.iter();
            waiting.rposition(|waiter| !waiter.is_paused && gives_way(&waiter.share))
        };
        let busiest = queued().max_by_key(|waiter| of_client(waiter.share.client).count())?;
        let client = busiest.share.client;
        if of_client(client).count() > of_client(share.client).count() + 1 {
            return newest(&|share| share.client == client);
        }
        let own = of_client(share.client);
        let busiest = &own.max_by_key(|waiter| of_share(&waiter.share))?.share;
        if of_share(busiest) <= of_share(share) + 1 {
            return None;
        }
        newest(&|share| share == busiest)
    }
}

impl LanePermit {
    /// Pauses until the next turn if work of other shares waits. Blocks the thread.
    pub(super) fn let_others_run(&self) {
        let Some(lane) = &self.lane else { return };
        let turn = {
            let mut state = lane.state.lock();
            let mut waiting = state.waiting.iter();
            let others = waiting.any(|waiter| waiter.share != self.share);
            // Paused work has a thread and memory.
            if !others || state.paused >= lane.max_queued {
                return;
            }
            state.running -= 1;
            state.wait(self.share.clone(), true).1
        };
        lane.wake();
        if let Ok(mut permit) = turn.blocking_recv() {
            // This permit is the right to run again.
            permit.lane = None;
        }
    }
}

impl Drop for LanePermit {
    fn drop(&mut self) {
        if let Some(lane) = self.lane.take() {
            {
                let mut state = lane.state.lock();
                state.running -= 1;
                state.leave(&self.share);
            }
            lane.wake();
        }
    }
}

impl Drop for QueueSlot<'_> {
    fn drop(&mut self) {
        let mut state = self.lane.state.lock();
        let mut waiting = state.waiting.iter();
        if let Some(index) = waiting.position(|waiter| waiter.number == self.number) {
            let waiter = state.waiting.remove(index);
            state.leave(&waiter.share);
        }
    }
}
