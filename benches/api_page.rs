//! How long a page of 20 units takes, in process: from the request to the whole body.
//!
//! `cargo bench --bench api_page`

use std::hint::black_box;
use std::sync::Arc;
use std::time::Instant;

use gitglot::api::{ApiState, endpoint, route_labels};
use gitglot::catalog::{ComponentSnapshot, Ids, PreviousResults, Published, Snapshot};
use gitglot::checks::Checker;
use gitglot::git::{Commit, Signature};
use gitglot::history::{Layouts, Projection, SourceString, TranslationState, UnitState};
use gitglot::language::resolve;
use gitglot::model::{
    BlobId, CommitId, Component, ComponentId, FileFormat, FileMask, KeyId, LineageId, Log,
    OffsetTime, Project, ProjectId, Slug, SourceId, TextId, TextPool, Timestamp, TranslationId,
    TreeId, UnitId,
};
use gitglot::observe::HttpMetrics;
use poem::{Endpoint, Request, Response};

/// Strings in the template.
const STRINGS: u32 = 400;
/// Requests in one round.
const ROUND: u32 = 20_000;

fn snapshot() -> Result<Snapshot, Box<dyn std::error::Error>> {
    let mut pool = TextPool::new();
    let codes = ["cs", "de", "en", "fr", "ru"];
    let sources: Arc<[_]> = (0..STRINGS)
        .map(|at| SourceString {
            key: KeyId(at),
            context: pool.intern(&format!("popupMessageNumber{at}")),
            source: pool.intern(&format!(
                "Click to block \"all\" pop-ups on this site, rule {at}"
            )),
            note: pool.intern("English: Click to block all pop-ups on this site"),
            position: at + 1,
            since: Timestamp(0),
        })
        .collect();
    let translations = codes
        .iter()
        .zip(0..)
        .map(|(code, lineage)| TranslationState {
            lineage: LineageId(lineage),
            path: format!("_locales/{code}/messages.json").into(),
            older_paths: Vec::new(),
            file_code: (*code).into(),
            language: resolve(code),
            blob: Some(BlobId([1; 20])),
            is_template: *code == "en",
            units: (0..STRINGS)
                .map(|at| UnitState {
                    target: pool.intern(&format!(
                        "Klepněte pro zablokování všech oken na této stránce, {code} {at}"
                    )),
                    note: TextId::EMPTY,
                    translated: true,
                })
                .collect(),
            stale: Vec::new(),
            last_change: None,
        });
    let translations: Vec<_> = translations.collect();
    let ids = Ids {
        translations: (1..=5).map(TranslationId).collect(),
        units: (0..5)
            .map(|at| {
                (1..=STRINGS)
                    .map(|row| UnitId(at * STRINGS + row))
                    .collect()
            })
            .collect(),
        sources: (1..=STRINGS).map(SourceId).collect(),
        people: Vec::new(),
    };
    let person = Signature {
        name: "".into(),
        email: "".into(),
        time: OffsetTime::default(),
    };
    let tip = Commit {
        id: CommitId([1; 20]),
        tree: TreeId([1; 20]),
        parents: Vec::new(),
        author: person.clone(),
        committer: person,
        message: String::new(),
    };
    let component = Arc::new(Component {
        id: ComponentId(1),
        project: ProjectId(1),
        name: "Extension".into(),
        branch: "main".into(),
        ..Component::new(
            Slug::new("extension")?,
            FileMask::new("_locales/*/messages.json")?,
            "_locales/en/messages.json",
            FileFormat::WebExtension,
        )
    });
    let projection = Projection {
        texts: pool.freeze(),
        tip: Arc::new(tip),
        template_blob: BlobId([1; 20]),
        sources,
        translations: translations.into_iter().map(Arc::new).collect(),
        problems: Vec::new(),
        log: Arc::new(Log::default()),
        people: Arc::from([]),
        layouts: Arc::new(Layouts::configured(&component, "en")),
    };
    let project = Arc::new(Project {
        id: ProjectId(1),
        slug: Slug::new("ublock")?,
        name: "uBlock".into(),
        web: String::new(),
        source_language: "en".into(),
    });
    let component = ComponentSnapshot::new(
        project.clone(),
        component,
        projection,
        ids,
        &Checker::default(),
        PreviousResults::Nothing,
    );
    Ok(Snapshot::new(
        vec![project],
        vec![Arc::new(component)],
        Vec::new(),
    ))
}

/// How long a request takes, and the size of its answer.
fn measure(runtime: &tokio::runtime::Runtime, api: &impl Endpoint<Output = Response>) {
    for path in [
        "/api/units/?page=5",
        "/api/units/",
        "/api/units/1/",
        "/api/translations/",
        "/api/components/",
    ] {
        let mut bytes = 0;
        let mut best = f64::MAX;
        for _ in 0..7 {
            let start = Instant::now();
            runtime.block_on(async {
                for _ in 0..ROUND {
                    let request = Request::builder()
                        .uri_str(path)
                        .header("host", "127.0.0.1:8000")
                        .finish();
                    let response = api.get_response(request).await;
                    bytes = black_box(response.into_body().into_vec().await)
                        .map_or(0, |body| body.len());
                }
            });
            best = best.min(start.elapsed().as_secs_f64() * 1e6 / f64::from(ROUND));
        }
        println!("  {path:24} {bytes:6} bytes {best:8.2} µs");
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let published = Arc::new(Published::new());
    published.publish(snapshot()?);
    let runtime = tokio::runtime::Builder::new_current_thread().build()?;
    let requests = Arc::new(HttpMetrics::new(route_labels()));
    let api = |cache_size, requests| {
        endpoint(ApiState {
            cache_size,
            requests,
            ..ApiState::new(published.clone())
        })
    };
    println!("not cached:");
    measure(&runtime, &api(0, None));
    println!("cached:");
    measure(&runtime, &api(64 << 20, None));
    println!("cached and counted:");
    measure(&runtime, &api(64 << 20, Some(requests)));
    Ok(())
}
