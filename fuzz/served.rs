//! A server without sockets over a repository of the demo, for the targets that send requests.

use std::sync::{Arc, LazyLock};

use gitglot::demo;
use gitglot_api::hooks::{HookEndpoint, HookTarget, HookTargets, PushListener};
use gitglot_api::{
    AccessControl, ApiState, Cors, FileError, FileSource, Hosts, LinkConfig, Streams, Tokens,
};
use gitglot_catalog::Published;
use gitglot_checks::Words;
use gitglot_follow::{
    BranchState, ComponentConfig, FollowEvents, FollowedComponents, Freshness, HistoryMode, Observation,
    ProjectConfig, RepoAddress,
};
use gitglot_git::Repository;
use gitglot_ledger::Ledger;
use gitglot_model::{
    BlobId, CommitId, ComponentId, ComponentIndex, ComponentSettings, FileMask, Slug, Timestamp,
};
use poem::{Body, Endpoint, EndpointExt, Request, Response, endpoint::BoxEndpoint};

struct Nobody;

impl PushListener for Nobody {
    fn pushed(&self, _: &str) {}
}

/// The token of the endpoint with access control.
pub const TOKEN: &str = "a token";
/// The secret that signs hooks of the component.
pub const SECRET: &str = "a secret";

/// A file for every blob, and none by its path.
struct Files;

impl FileSource for Files {
    fn blob(&self, _: ComponentId, _: BlobId) -> Result<Vec<u8>, FileError> {
        Ok(br#"{"appName": {"message": "Reading Lamp"}}"#.to_vec())
    }

    fn at_path(&self, _: ComponentId, _: CommitId, _: &str) -> Result<Vec<u8>, FileError> {
        Err(FileError::Missing)
    }
}

struct TestServer {
    runtime: tokio::runtime::Runtime,
    /// Without and with access control.
    open: BoxEndpoint<'static, Response>,
    guarded: BoxEndpoint<'static, Response>,
}

static SERVED: LazyLock<TestServer> = LazyLock::new(|| {
    let published = Arc::new(Published::new());
    publish(published.clone());
    let targets = Arc::new(HookTargets::default());
    targets.set(vec![HookTarget {
        project: "reading-lamp".to_owned(),
        component: "extension".to_owned(),
        repo: "https://example.org/reading-lamp.git".to_owned(),
        branch: Some("main".to_owned()),
        secret: Some(SECRET.to_owned()),
    }]);
    let serving = |access| {
        let hosts = Hosts::new(["l10n.example.org".to_owned()], Vec::new());
        let hooks = HookEndpoint {
            published: published.clone(),
            targets: targets.clone(),
            listener: Arc::new(Nobody),
            root: String::new(),
            hides_names: false,
        };
        let state = ApiState {
            links: LinkConfig {
                hosts,
                base_url: None,
                site_url: None,
            },
            access,
            files: Arc::new(Files),
            cache_size: 1 << 20,
            streams: Streams::new(2),
            hooks: Some(hooks.boxed()),
            ..ApiState::new(published.clone())
        };
        gitglot_api::endpoint(state).boxed()
    };
    let guarded = AccessControl {
        cors: Cors::new(["https://example.org".to_owned()]),
        tokens: Some(Tokens::parse(TOKEN)),
        ..AccessControl::default()
    };
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .expect("a runtime");
    TestServer {
        runtime,
        open: serving(AccessControl::default()),
        guarded: serving(guarded),
    }
});

/// Publishes the first repository of the demo.
fn publish(published: Arc<Published>) {
    let folder = tempfile::tempdir().expect("a folder");
    let demo = &demo::DEMOS[0];
    let path = folder.path().join("demo.git");
    let tip =
        demo.write(&path).expect("the demo").references[&format!("refs/heads/{}", demo.branch)];
    let repo = RepoAddress::parse("https://example.org/lamps/reading-lamp.git", folder.path())
        .expect("an address");
    let slug = Slug::new(demo.component).expect("a slug");
    let mask = FileMask::new(demo.filemask).expect("a mask");
    let settings = ComponentSettings {
        name: demo.component_name.to_owned(),
        license: demo.license.to_owned(),
        ..ComponentSettings::new(slug, mask, demo.template, demo.file_format)
    };
    let component = ComponentConfig {
        branch: Some(demo.branch.to_owned()),
        ..ComponentConfig::new(repo, settings)
    };
    let project = ProjectConfig {
        slug: Slug::new(demo.project).expect("a slug"),
        name: demo.project_name.to_owned(),
        web: demo.web.to_owned(),
        instructions: String::new(),
        source_language: demo.source_language.to_owned(),
        components: vec![component],
    };
    let ledger = Ledger::open(&folder.path().join("state")).expect("a ledger");
    let mut followed = FollowedComponents::new(
        ledger,
        vec![project],
        HistoryMode::Full,
        Words::default(),
        published,
    );
    let repository = Repository::open(&path).expect("the repository");
    let state = BranchState {
        repository,
        branch: demo.branch.to_owned(),
        tip,
    };
    let observation = Observation {
        component: ComponentIndex::new(0),
        state: Ok(state),
        freshness: Freshness::Current,
    };
    followed
        .ingest(vec![observation], Timestamp(1_700_000_000_000_000), &Quiet)
        .expect("a snapshot");
}

struct Quiet;

impl FollowEvents for Quiet {
    fn published(&self, _: &str) {}
    fn failed(&self, component: &str, reason: &str) {
        panic!("{component}: {reason}");
    }
    fn behind(&self, _: &str, _: Option<&str>) {}
}

/// Sends a request to one of the endpoints, reads the whole response and checks that its status is below 500.
pub fn ask(request: Request, guarded: bool) {
    let served = &*SERVED;
    let endpoint = if guarded {
        &served.guarded
    } else {
        &served.open
    };
    served.runtime.block_on(async {
        let response = match endpoint.call(request).await {
            Ok(response) => response,
            Err(error) => error.into_response(),
        };
        let status = response.status().as_u16();
        assert!(status < 500, "status {status}");
        let body: Body = response.into_body();
        body.into_bytes_limit(64 << 20).await.expect("a whole body");
    });
}
