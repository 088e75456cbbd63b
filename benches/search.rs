//! Cost of the most expensive queries of `q=` over 454,720 units, compared with one search for a short word by a
//! regular expression over the same texts, and the latency of other requests while 300 clients send such queries.
//!
//! `cargo bench --bench search`

#[path = "common/site.rs"]
mod site;

use std::hint::black_box;
use std::sync::Arc;
use std::time::{Duration, Instant};

use gitglot_api::{ApiState, endpoint};
use gitglot_catalog::scan::{ScanLimits, Scans};
use gitglot_catalog::{Published, Snapshot};
use poem::{Endpoint, Request};

/// Strings in the template.
const STRINGS: u32 = 4_060;
/// Languages.
const LANGUAGES: u32 = 112;
/// Clients that send expensive queries.
const CLIENTS: usize = 300;
/// Measured requests while they do.
const SAMPLES: usize = 400;

type Failure = Box<dyn std::error::Error>;

fn snapshot() -> Result<Snapshot, Failure> {
    let codes: Vec<String> = (0..LANGUAGES)
        .map(|at| {
            if at == 0 {
                "en".to_owned()
            } else {
                format!("x{at}")
            }
        })
        .collect();
    let words = [
        "klepněte",
        "okno",
        "zablokovat",
        "stránka",
        "pravidlo",
        "сохранить",
        "Öffnen",
        "設定",
        "filter",
        "list",
    ];
    let word = |seed: u32| words[seed.wrapping_mul(2_654_435_761) as usize % words.len()];
    site::site(STRINGS, &codes, |at, language| {
        let code = &codes[language as usize];
        let words = [at, at + language, at * 7 + language].map(word);
        format!("{} {code} {at}", words.join(" "))
    })
}

/// The texts of the longest query: joined, they have less than 2,000 characters.
fn joined(join: &str, text: impl Fn(usize) -> String) -> String {
    let mut query = text(0);
    for next in (1..).map(text) {
        if query.chars().count() + join.len() + next.chars().count() > 2_000 {
            break;
        }
        query = [query, next].join(join);
    }
    query
}

/// The most expensive kinds of queries.
fn queries() -> Vec<(&'static str, String)> {
    let rare = |at: usize| format!("q{at:x}x");
    let letter =
        |at: usize| char::from_u32(0x4e00 + at as u32).map_or_else(String::new, String::from);
    let common: Vec<String> = "abcdefghijklmnopqrstuvwxyz0123456789"
        .chars()
        .map(String::from)
        .collect();
    vec![
        ("one rare word", "qx".to_owned()),
        (
            "400 times the same word",
            joined(" OR ", |_| "qx".to_owned()),
        ),
        ("different rare words, OR", joined(" OR ", rare)),
        ("different rare letters, OR", joined(" OR ", letter)),
        ("all letters, AND", common.join(" ")),
        (
            "all letters, negated",
            common
                .iter()
                .map(|letter| format!("NOT {letter}"))
                .collect::<Vec<_>>()
                .join(" OR "),
        ),
        (
            "nested",
            (0..32)
                .map(|at| format!("({} OR NOT {})", common[at], common[at + 1]))
                .collect::<Vec<_>>()
                .join(" "),
        ),
        (
            "nested, true for every unit",
            (0..32)
                .map(|at| format!("({} OR NOT {})", common[at], rare(at % 8)))
                .collect::<Vec<_>>()
                .join(" "),
        ),
        (
            "notes and states",
            (0..21)
                .map(|at| format!("(has:note state:empty note:{})", rare(at)))
                .collect::<Vec<_>>()
                .join(" OR "),
        ),
    ]
}

fn encoded(query: &str) -> String {
    form_urlencoded::byte_serialize(query.as_bytes()).collect()
}

/// CPU-bound time of one request, in milliseconds; the best of five.
fn time(runtime: &tokio::runtime::Runtime, published: &Arc<Published>, query: &str) -> (u16, f64) {
    let path = format!("/api/units/?page_size=1&q={}", encoded(query));
    let mut best = (0, f64::MAX);
    for _ in 0..5 {
        // Nothing is cached.
        let scans = Scans::new(ScanLimits {
            time: Duration::from_secs(60),
            ..ScanLimits::default()
        });
        let api = endpoint(ApiState {
            scans,
            ..ApiState::new(published.clone())
        });
        let request = Request::builder()
            .uri_str(&path)
            .header("host", "127.0.0.1:8000")
            .finish();
        let start = Instant::now();
        let response = runtime.block_on(api.get_response(request));
        let elapsed = start.elapsed().as_secs_f64() * 1e3;
        if elapsed < best.1 {
            best = (black_box(response.status().as_u16()), elapsed);
        }
    }
    best
}

/// The reference: a case-insensitive regular expression over source, translation and key of every unit.
fn reference(snapshot: &Snapshot) -> f64 {
    let pattern = regex::RegexBuilder::new("qx")
        .case_insensitive(true)
        .build();
    let Ok(pattern) = pattern else {
        return f64::NAN;
    };
    let best = (0..3).map(|_| {
        let start = Instant::now();
        let found = snapshot.units_from(0).filter(|unit| {
            let texts = [unit.source.source, unit.unit.target, unit.source.context];
            texts
                .into_iter()
                .any(|text| pattern.is_match(unit.component.texts.get(text)))
        });
        black_box(found.count());
        start.elapsed().as_secs_f64() * 1e3
    });
    best.fold(f64::MAX, f64::min)
}

/// Latency of health-like and cached requests over TCP while clients send expensive queries. Prints median and p99 in
/// milliseconds.
fn under_attack(published: &Arc<Published>) -> Result<(), Failure> {
    use gitglot_server::{Connections, ServerLimits, bind, serve};
    let listener = bind("127.0.0.1:0".parse()?)?;
    let address = listener.local_addr()?;
    let api = endpoint(ApiState {
        cache_size: 64 << 20,
        ..ApiState::new(published.clone())
    });
    let (stop, stopped) = tokio::sync::oneshot::channel::<()>();
    let server = std::thread::spawn(move || {
        let Ok(runtime) = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
        else {
            return;
        };
        let limits = ServerLimits::new(Duration::from_secs(10), Duration::from_secs(60));
        let connections = Connections::new(
            std::num::NonZeroUsize::new(1_000).unwrap_or(std::num::NonZeroUsize::MIN),
        );
        let _ = runtime.block_on(serve(listener, api, limits, connections, async {
            let _ = stopped.await;
        }));
    });
    let agent = |seconds| -> ureq::Agent {
        let config = ureq::Agent::config_builder().http_status_as_error(false);
        config
            .timeout_global(Some(Duration::from_secs(seconds)))
            .build()
            .into()
    };
    let attack = format!("http://{address}/api/units/?q=");
    let is_over = Arc::new(std::sync::atomic::AtomicBool::new(false));
    let clients: Vec<_> = (0..CLIENTS)
        .map(|client| {
            let (attack, agent, is_over) = (attack.clone(), agent(60), is_over.clone());
            std::thread::spawn(move || {
                let (mut served, mut refused) = (0, 0);
                for round in 0.. {
                    if is_over.load(std::sync::atomic::Ordering::Relaxed) {
                        break;
                    }
                    let query = joined(" OR ", |at| format!("q{client:x}x{round}x{at:x}"));
                    match agent.get([&*attack, &encoded(&query)].concat()).call() {
                        Ok(response) if response.status() == 200 => served += 1,
                        Ok(_) => {
                            refused += 1;
                            std::thread::sleep(Duration::from_secs(2)); // the value of Retry-After
                        }
                        Err(_) => {}
                    }
                }
                (served, refused)
            })
        })
        .collect();
    std::thread::sleep(Duration::from_secs(1));
    for path in ["/static/nothing", "/api/units/?page=7"] {
        let (url, agent) = (format!("http://{address}{path}"), agent(60));
        let _ = agent.get(&url).call()?.body_mut().read_to_vec()?;
        let mut times = Vec::new();
        for _ in 0..SAMPLES {
            let start = Instant::now();
            black_box(agent.get(&url).call()?.body_mut().read_to_vec()?);
            times.push(start.elapsed().as_secs_f64() * 1e3);
        }
        times.sort_by(f64::total_cmp);
        println!(
            "  {path:24} median {:7.2} ms   p99 {:7.2} ms",
            times[SAMPLES / 2],
            times[SAMPLES * 99 / 100]
        );
    }
    is_over.store(true, std::sync::atomic::Ordering::Relaxed);
    let results = clients.into_iter().filter_map(|client| client.join().ok());
    let (served, refused) = results.fold((0, 0), |sum: (u32, u32), own: (u32, u32)| {
        (sum.0 + own.0, sum.1 + own.1)
    });
    println!("  expensive queries: {served} got 200, {refused} got 503");
    let _ = stop.send(());
    let _ = server.join();
    Ok(())
}

fn main() -> Result<(), Failure> {
    let published = Arc::new(Published::new());
    published.publish(snapshot()?);
    let snapshot = published.load().ok_or("nothing is published")?;
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?;
    let reference = reference(&snapshot);
    println!(
        "{} units; one regular expression over all texts: {reference:.0} ms",
        snapshot.unit_count()
    );
    for (name, query) in queries() {
        let (status, best) = time(&runtime, &published, &query);
        println!(
            "  {name:28} {:5} characters {status} {best:8.1} ms   ratio {:.2}",
            query.chars().count(),
            best / reference
        );
    }
    println!("while {CLIENTS} clients send such queries:");
    under_attack(&published)
}
