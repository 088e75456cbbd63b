//! Tests of the limits of scans.

use std::pin::Pin;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::mpsc;
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
    let mut request = Box::pin(scans.run(endless(ended)));
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
    assert_eq!(scans.run(|_| 1).await, Ok(1));
}

#[tokio::test]
async fn a_full_queue_refuses_scans() {
    let scans = Scans::new(limits(1, 1));
    let (open, gate) = mpsc::channel::<()>();
    let first = tokio::spawn({
        let scans = scans.clone();
        async move { scans.run(move |_| gate.recv().unwrap()).await }
    });
    while scans.running() == 0 {
        tokio::task::yield_now().await;
    }
    let second = tokio::spawn({
        let scans = scans.clone();
        async move { scans.run(|_| 2).await }
    });
    while scans.queued() == 0 {
        tokio::task::yield_now().await;
    }
    assert_eq!(scans.run(|_| 3).await, Err(ScanRefused::Busy));
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
    let mut first = Box::pin(scans.run_long(move || gate.recv().unwrap()));
    assert!(poll_once(&mut first).await.is_pending());
    let mut second = Box::pin(scans.run_long(|| 2));
    assert!(poll_once(&mut second).await.is_pending());
    assert_eq!(scans.run_long(|| 3).await, Err(ScanRefused::Busy));
    assert_eq!((scans.running(), scans.queued()), (1, 1));
    assert_eq!(scans.run(|_| 4).await, Ok(4));
    open.send(()).unwrap();
    first.await.unwrap();
    assert_eq!(second.await, Ok(2));
}

#[tokio::test]
async fn a_queued_scan_whose_client_disconnects_never_starts() {
    let scans = Scans::new(limits(1, 4));
    let (open, gate) = mpsc::channel::<()>();
    let mut first = Box::pin(scans.run(move |_| gate.recv().unwrap()));
    assert!(poll_once(&mut first).await.is_pending());
    let mut second = Box::pin(scans.run(|_| ()));
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
        assert_eq!(scans.run(spend(rows)).await, Ok(rows));
        assert_eq!(
            scans.run(spend(rows + 1)).await,
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
        scans.run(endless(ended)).await,
        Err(ScanRefused::Exhausted(Exhausted::Time))
    );
}

#[tokio::test]
async fn a_panic_fails_only_its_scan() {
    let scans = Scans::new(limits(1, 0));
    let failed = scans
        .run(|budget| assert!(!budget.spend(1), "this panic is part of a test"))
        .await;
    assert_eq!(failed, Err(ScanRefused::Failed));
    assert_eq!(scans.run(|_| 1).await, Ok(1));
}
