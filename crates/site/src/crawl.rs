//! Reads everything that responses link to, on all cores.

use std::ops::Deref;

use parking_lot::{Condvar, Mutex};
use poem::http::StatusCode;
use poem::{Endpoint, Request, Response};

use super::address::{Anchor, Target};
use super::error::SiteError;
use super::folder::SiteFolder;
use super::listing::hash_of;
use super::rewrite::Rewriter;
use super::rules::{BodyKind, Rules, SEARCH_FILE, kind_of};
use super::strings::{AllStrings, StringJob};
use gitglot_model::SeededSet;

/// The most addresses that a thread takes at once.
const BATCH: usize = 16;

/// The addresses to read, and the strings to write.
#[derive(Default)]
struct Queue {
    waiting: Vec<(Target, String)>,
    strings: Vec<StringJob>,
    /// Hashes of all files.
    seen: SeededSet<u128>,
    /// Threads that may find further addresses.
    busy: usize,
    /// Set when a thread failed.
    is_stopped: bool,
}

/// What a thread takes from the queue.
enum Work {
    Addresses(Vec<(Target, String)>),
    String(StringJob),
}

struct Crawl<'a, E> {
    endpoint: &'a E,
    rules: &'a Rules<'a>,
    anchor: &'a Anchor,
    folder: &'a SiteFolder,
    strings: &'a AllStrings<'a>,
    queue: Mutex<Queue>,
    news: Condvar,
}

/// Writes the files of all addresses that links lead to, and of strings. `search` is the page that searches.
pub(crate) fn crawl<E: Endpoint<Output = Response>>(
    endpoint: &E,
    rules: &Rules<'_>,
    anchor: &Anchor,
    folder: &SiteFolder,
    search: &str,
    strings: &AllStrings<'_>,
    threads: usize,
) -> Result<(), SiteError> {
    let crawl = Crawl {
        endpoint,
        rules,
        anchor,
        folder,
        strings,
        queue: Mutex::new(Queue {
            strings: strings.jobs(rules.strings()),
            ..Queue::default()
        }),
        news: Condvar::new(),
    };
    let mut rewriter = Rewriter::new(rules, anchor);
    let target = Target::parse(&["/", SEARCH_FILE].concat());
    let body = rewriter.rewrite(search.as_bytes(), BodyKind::Html, SEARCH_FILE);
    let body = rewriter.describe(body, &target, SEARCH_FILE);
    folder.write(SEARCH_FILE, &body)?;
    let starts = rules.starts().into_iter().filter_map(|target| {
        let file = rules.published(&target)?;
        Some((target, file))
    });
    crawl.add(rewriter.found.drain(..).chain(starts).collect());
    std::thread::scope(|scope| {
        let spawn = |_| {
            let thread = std::thread::Builder::new().name("site".to_owned());
            thread.spawn_scoped(scope, || crawl.work())
        };
        let threads: Result<Vec<_>, _> = (0..threads.max(1)).map(spawn).collect();
        let threads = threads.map_err(|error| SiteError::Thread(error.to_string()))?;
        threads.into_iter().try_for_each(|thread| {
            let crashed = |_| Err(SiteError::Thread("it has crashed".to_owned()));
            thread.join().unwrap_or_else(crashed)
        })
    })
}

impl<E: Endpoint<Output = Response>> Crawl<'_, E> {
    /// Reads addresses until none is left.
    fn work(&self) -> Result<(), SiteError> {
        let _guard = StopOnPanic(self);
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build();
        let runtime = runtime.map_err(|error| SiteError::Thread(error.to_string()));
        let runtime = runtime.inspect_err(|_| self.stop())?;
        let mut rewriter = Rewriter::new(self.rules, self.anchor);
        while let Some(work) = self.next() {
            let addresses = match work {
                Work::Addresses(addresses) => addresses,
                Work::String(job) => {
                    let units = self.strings.write(job, &mut rewriter);
                    let units = units.inspect_err(|_| self.stop())?.into_iter();
                    let with_file = |unit: Target| {
                        let file = unit.directory() + "index.json";
                        (unit, file)
                    };
                    units.map(with_file).collect()
                }
            };
            for (target, file) in addresses {
                let written = runtime.block_on(self.read(&target, &file, &mut rewriter));
                written.inspect_err(|_| self.stop())?;
            }
            self.done(std::mem::take(&mut rewriter.found));
        }
        Ok(())
    }

    /// The next work; waits while other threads may find addresses.
    fn next(&self) -> Option<Work> {
        let mut queue = self.queue.lock();
        loop {
            if queue.is_stopped {
                return None;
            }
            if !queue.waiting.is_empty() {
                queue.busy += 1;
                let length = queue.waiting.len();
                // A part, so that other threads have work, too.
                let taken = BATCH.min(length.div_ceil(2));
                let taken = queue.waiting.split_off(length - taken);
                return Some(Work::Addresses(taken));
            }
            if let Some(job) = queue.strings.pop() {
                queue.busy += 1;
                return Some(Work::String(job));
            }
            if queue.busy == 0 {
                return None;
            }
            self.news.wait(&mut queue);
        }
    }

    fn done(&self, found: Vec<(Target, String)>) {
        self.add(found);
        self.queue.lock().busy -= 1;
        self.news.notify_all();
    }

    fn add(&self, found: Vec<(Target, String)>) {
        let mut queue = self.queue.lock();
        for (target, file) in found {
            if queue.seen.insert(hash_of(file.as_bytes())) {
                queue.waiting.push((target, file));
            }
        }
    }

    fn stop(&self) {
        self.queue.lock().is_stopped = true;
        self.news.notify_all();
    }

    async fn read(
        &self,
        target: &Target,
        file: &str,
        rewriter: &mut Rewriter<'_>,
    ) -> Result<(), SiteError> {
        let body = get(self.endpoint, target).await?;
        let kind = kind_of(file);
        if kind == BodyKind::Binary {
            return self.folder.write(file, &body);
        }
        let mut body = rewriter.rewrite(&body, kind, file);
        if kind == BodyKind::Html {
            body = rewriter.describe(body, target, file);
        }
        self.folder.write(file, &body)
    }
}

/// Ends the other threads if one crashes: they would wait for it.
struct StopOnPanic<'c, 'a, E: Endpoint<Output = Response>>(&'c Crawl<'a, E>);

impl<E: Endpoint<Output = Response>> Drop for StopOnPanic<'_, '_, E> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.stop();
        }
    }
}

async fn get(
    endpoint: &impl Endpoint<Output = Response>,
    target: &Target,
) -> Result<impl Deref<Target = [u8]>, SiteError> {
    let address = target.request();
    let refused = |status: StatusCode, body: &[u8]| SiteError::Response {
        address: address.clone(),
        status: status.as_u16(),
        body: String::from_utf8_lossy(&body[..body.len().min(200)]).into_owned(),
    };
    let uri = address.parse();
    let uri = uri.map_err(|_| refused(StatusCode::BAD_REQUEST, b"not an address"))?;
    let response = endpoint
        .get_response(Request::builder().uri(uri).finish())
        .await;
    let status = response.status();
    let body = response.into_body().into_bytes().await;
    let body = body.map_err(|error| refused(status, error.to_string().as_bytes()))?;
    match status {
        StatusCode::OK => Ok(body),
        _ => Err(refused(status, &body)),
    }
}
