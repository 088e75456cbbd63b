//! Tests of the limits of scans.

use std::pin::Pin;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, mpsc};
use std::task::Poll;
use std::time::Duration;

use super::*;

fn limits(concurrent: usize, queued: usize) -> ScanLimits {
    ScanLimits {
        concurrent,
        queued,
        rows: u64::MAX,
        time: Duration::MAX,
    }
}

async fn poll_once<F: Future + Unpin>(future: &mut F) -> Poll<F::Output> {
    std::future::poll_fn(|context| Poll::Ready(Pin::new(&mut *future).poll(context))).await
}

/// Scans until the budget ends.
fn endless(ended: mpsc::Sender<Option<Exhausted>>) -> impl FnOnce(&Budget) + Send + 'static {
    move |budget| {
        while budget.spend(1) {
            std::thread::yield_now();
        }
        ended.send(budget.exhausted()).unwrap();
    }
}

#[tokio::test]
async fn a_scan_ends_when_its_client_disconnects() {
    let scans = Scans::new(limits(1, 0));
    let (ended, end) = mpsc::channel();
    let mut request = Box::pin(scans.run(Share::default(), endless(ended)));
    assert!(poll_once(&mut request).await.is_pending());
    assert_eq!(scans.counters().started.load(Relaxed), 1);
    drop(request);
    let end = tokio::task::spawn_blocking(move || end.recv().unwrap())
        .await
        .unwrap();
    assert_eq!(end, Some(Exhausted::Cancelled));
    while scans.running() > 0 {
        tokio::task::yield_now().await;
    }
    assert_eq!(scans.counters().cancelled.load(Relaxed), 1);
    assert_eq!(scans.run(Share::default(), |_| 1).await, Ok(1));
}

#[tokio::test]
async fn a_full_queue_refuses_scans() {
    let scans = Scans::new(limits(1, 1));
    let (open, gate) = mpsc::channel::<()>();
    let first = tokio::spawn({
        let scans = scans.clone();
        async move {
            scans
                .run(Share::default(), move |_| gate.recv().unwrap())
                .await
        }
    });
    while scans.running() == 0 {
        tokio::task::yield_now().await;
    }
    let second = tokio::spawn({
        let scans = scans.clone();
        async move { scans.run(Share::default(), |_| 2).await }
    });
    while scans.queued() == 0 {
        tokio::task::yield_now().await;
    }
    assert_eq!(
        scans.run(Share::default(), |_| 3).await,
        Err(ScanRefused::Busy)
    );
    // Short work does not wait for scans.
    assert_eq!(scans.run_short(|| 4).await, Ok(4));
    assert_eq!(
        (
            scans.queued(),
            scans.counters().refused.load(Relaxed),
            scans.counters().started.load(Relaxed)
        ),
        (1, 1, 1)
    );
    open.send(()).unwrap();
    first.await.unwrap().unwrap();
    assert_eq!(second.await.unwrap(), Ok(2));
    assert_eq!(
        (scans.queued(), scans.counters().started.load(Relaxed)),
        (0, 2)
    );
}

#[tokio::test]
async fn searches_do_not_wait_for_long_work() {
    let scans = Scans::new(limits(2, 1));
    let (open, gate) = mpsc::channel::<()>();
    let mut first = Box::pin(scans.run_long(Share::default(), move |_| gate.recv().unwrap()));
    assert!(poll_once(&mut first).await.is_pending());
    let mut second = Box::pin(scans.run_long(Share::default(), |_| 2));
    assert!(poll_once(&mut second).await.is_pending());
    assert_eq!(
        scans.run_long(Share::default(), |_| 3).await,
        Err(ScanRefused::Busy)
    );
    assert_eq!((scans.running(), scans.queued()), (1, 1));
    assert_eq!(scans.run(Share::default(), |_| 4).await, Ok(4));
    open.send(()).unwrap();
    first.await.unwrap();
    assert_eq!(second.await, Ok(2));
}

#[tokio::test]
async fn a_queued_scan_whose_client_disconnects_never_starts() {
    let scans = Scans::new(limits(1, 4));
    let (open, gate) = mpsc::channel::<()>();
    let mut first = Box::pin(scans.run(Share::default(), move |_| gate.recv().unwrap()));
    assert!(poll_once(&mut first).await.is_pending());
    let mut second = Box::pin(scans.run(Share::default(), |_| ()));
    assert!(poll_once(&mut second).await.is_pending());
    assert_eq!(scans.queued(), 1);
    drop(second);
    assert_eq!(scans.queued(), 0);
    open.send(()).unwrap();
    first.await.unwrap();
    assert_eq!(scans.counters().started.load(Relaxed), 1);
}

#[tokio::test]
async fn a_scan_over_its_budget_has_no_result() {
    for rows in [10, 5_000] {
        let scans = Scans::new(ScanLimits {
            rows,
            ..limits(1, 0)
        });
        let spend = |count: u64| {
            move |budget: &Budget| (0..count).take_while(|_| budget.spend(1)).count() as u64
        };
        assert_eq!(scans.run(Share::default(), spend(rows)).await, Ok(rows));
        assert_eq!(
            scans.run(Share::default(), spend(rows + 1)).await,
            Err(ScanRefused::Exhausted(Exhausted::Rows))
        );
        assert_eq!(scans.counters().exhausted.load(Relaxed), 1);
    }
    let scans = Scans::new(ScanLimits {
        time: Duration::ZERO,
        ..limits(1, 0)
    });
    let (ended, _end) = mpsc::channel();
    assert_eq!(
        scans.run(Share::default(), endless(ended)).await,
        Err(ScanRefused::Exhausted(Exhausted::Time))
    );
}

#[tokio::test]
async fn a_panic_fails_only_its_scan() {
    let scans = Scans::new(limits(1, 0));
    let failed = scans
        .run(Share::default(), |budget| {
            assert!(!budget.spend(1), "this panic is part of a test")
        })
        .await;
    assert_eq!(failed, Err(ScanRefused::Failed));
    assert_eq!(scans.run(Share::default(), |_| 1).await, Ok(1));
}

fn share(client: u8, project: &str) -> Share {
    Share {
        client: Some([192, 0, 2, client].into()),
        project: project.to_owned(),
    }
}

/// Occupies the only lane until the returned sender is used.
async fn blocked(scans: &Scans, share: Share) -> mpsc::Sender<()> {
    let (open, gate) = mpsc::channel::<()>();
    let scans = scans.clone();
    let other = scans.clone();
    drop(tokio::spawn(async move {
        other.run(share, move |_| gate.recv()).await
    }));
    while scans.running() == 0 {
        tokio::task::yield_now().await;
    }
    open
}

#[tokio::test]
async fn a_long_scan_lets_other_projects_have_a_turn() {
    let scans = Scans::new(limits(1, 4));
    let done = Arc::new(AtomicBool::new(false));
    let (is_done, set_done) = (done.clone(), done);
    let long = tokio::spawn({
        let scans = scans.clone();
        async move {
            let until_done = move |budget: &Budget| {
                while budget.spend(1) && !is_done.load(Relaxed) {}
                is_done.load(Relaxed)
            };
            scans.run(share(1, "long"), until_done).await
        }
    });
    while scans.running() == 0 {
        tokio::task::yield_now().await;
    }
    // The only lane is taken, by a scan that ends only after this one.
    let short = scans.run(share(1, "short"), move |_| set_done.store(true, Relaxed));
    assert_eq!(short.await, Ok(()));
    assert_eq!(long.await.unwrap(), Ok(true));
    assert_eq!((scans.running(), scans.queued()), (0, 0));
}

#[tokio::test]
async fn a_part_of_a_scan_that_others_wait_for_keeps_its_turn() {
    let scans = Scans::new(limits(1, 4));
    let (ran, order) = mpsc::channel();
    let (own, other) = (ran.clone(), ran);
    let long = tokio::spawn({
        let scans = scans.clone();
        async move {
            let part = move |budget: &Budget| {
                budget.without_turns(|| (0..200_000).all(|_| budget.spend(4096)));
                own.send("long").unwrap();
            };
            scans.run(share(1, "long"), part).await
        }
    });
    while scans.running() == 0 {
        tokio::task::yield_now().await;
    }
    let short = scans.run(share(1, "short"), move |_| other.send("short").unwrap());
    short.await.unwrap();
    long.await.unwrap().unwrap();
    assert_eq!(order.iter().collect::<Vec<_>>(), ["long", "short"]);
}

#[tokio::test]
async fn clients_and_then_projects_have_the_next_turn_in_rotation() {
    let scans = Scans::new(limits(1, 8));
    let open = blocked(&scans, share(1, "a")).await;
    let (ran, order) = mpsc::channel();
    let mut waiting = Vec::new();
    for (name, share) in [
        ("1a", share(1, "a")),
        ("1a again", share(1, "a")),
        ("1b", share(1, "b")),
        ("2a", share(2, "a")),
    ] {
        let (scans, ran) = (scans.clone(), ran.clone());
        let before = scans.queued();
        let queue = scans.clone();
        waiting.push(tokio::spawn(async move {
            scans.run(share, move |_| ran.send(name).unwrap()).await
        }));
        while queue.queued() == before {
            tokio::task::yield_now().await;
        }
    }
    drop(ran);
    open.send(()).unwrap();
    for waiting in waiting {
        waiting.await.unwrap().unwrap();
    }
    let order: Vec<_> = order.iter().collect();
    assert_eq!(order, ["2a", "1b", "1a", "1a again"]);
}

#[tokio::test]
async fn a_full_queue_has_places_for_other_clients_and_projects() {
    let scans = Scans::new(limits(1, 2));
    let open = blocked(&scans, share(1, "a")).await;
    let queue = |share: Share| {
        let scans = scans.clone();
        tokio::spawn(async move { scans.run(share, |_| ()).await })
    };
    let (first, second) = (queue(share(1, "a")), queue(share(1, "a")));
    while scans.queued() < 2 {
        tokio::task::yield_now().await;
    }
    let same = scans.run(share(1, "a"), |_| ()).await;
    assert_eq!(same, Err(ScanRefused::Busy));
    let project = queue(share(1, "b"));
    assert_eq!(second.await.unwrap(), Err(ScanRefused::Busy), "it gave way");
    assert_eq!(scans.queued(), 2);
    let client = queue(share(2, "a"));
    assert_eq!(
        project.await.unwrap(),
        Err(ScanRefused::Busy),
        "it gave way"
    );
    let third = scans.run(share(3, "a"), |_| ()).await;
    assert_eq!(third, Err(ScanRefused::Busy), "all shares are equal");
    open.send(()).unwrap();
    assert_eq!(
        (first.await.unwrap(), client.await.unwrap()),
        (Ok(()), Ok(()))
    );
    assert_eq!((scans.running(), scans.queued()), (0, 0));
}

#[tokio::test]
async fn long_work_ends_with_its_client_or_its_time() {
    let spend = |budget: &LongBudget| {
        let meters = [budget.meter(), budget.meter()];
        while meters.iter().all(|meter| meter.spend(1 << 16)) {
            std::thread::yield_now();
        }
        budget.exhausted()
    };
    let scans = Scans::new(ScanLimits {
        time: Duration::ZERO,
        ..limits(1, 0)
    });
    let ended = scans.run_long(Share::default(), spend).await;
    assert_eq!(ended, Err(ScanRefused::Exhausted(Exhausted::LongTime)));
    assert_eq!(scans.counters().exhausted.load(Relaxed), 1);

    let scans = Scans::new(limits(1, 0));
    let (ended, end) = mpsc::channel();
    let mut request =
        Box::pin(scans.run_long(Share::default(), move |budget| ended.send(spend(budget))));
    assert!(poll_once(&mut request).await.is_pending());
    drop(request);
    let end = tokio::task::spawn_blocking(move || end.recv().unwrap()).await;
    assert_eq!(end.unwrap(), Some(Exhausted::Cancelled));
}

#[tokio::test]
async fn inline_work_runs_on_the_thread_of_its_caller_without_limits() {
    let scans = Scans::inline();
    let caller = std::thread::current().id();
    let scan = move |budget: &Budget| {
        assert!(budget.spend(u64::MAX / 2));
        std::thread::current().id()
    };
    assert_eq!(scans.run(Share::default(), scan).await, Ok(caller));
    let short = scans.run_short(|| std::thread::current().id());
    assert_eq!(short.await, Ok(caller));
}
