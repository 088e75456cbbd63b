//! A site in memory: one project with one component, for benchmarks of requests.

use std::sync::Arc;

use gitglot_catalog::{ComponentSnapshot, PreviousResults, Snapshot};
use gitglot_checks::ComponentChecks;
use gitglot_history::{Layouts, Projection, SourceString, TranslationState, UnitState};
use gitglot_model::language::resolve;
use gitglot_model::{
    BlobId, Commit, CommitId, Component, ComponentId, ComponentSettings, FileFormat, FileMask,
    KeyId, LineageId, Log, OffsetTime, Project, ProjectId, ProjectionIds, Signature, Slug,
    SourceId, TextId, TextPool, Timestamp, TranslationId, TreeId, UnitId,
};

/// `strings` strings in the languages `codes`, one of which is `en`. `text` returns the translation of a string (0-based)
/// to the language with an index in `codes`.
pub fn site(
    strings: u32,
    codes: &[String],
    text: impl Fn(u32, u32) -> String,
) -> Result<Snapshot, Box<dyn std::error::Error>> {
    let mut pool = TextPool::default();
    let sources: Arc<[_]> = (0..strings)
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
        .zip(0_u16..)
        .map(|(code, lineage)| TranslationState {
            bilingual: None,
            lineage: LineageId(lineage),
            path: format!("_locales/{code}/messages.json").into(),
            own_path: format!("_locales/{code}/messages.json").into(),
            older_paths: Vec::new(),
            file_code: code.as_str().into(),
            language: resolve(code),
            blob: Some(BlobId([1; 20])),
            is_template: code == "en",
            units: (0..strings)
                .map(|at| {
                    let target = pool.intern(&text(at, u32::from(lineage)));
                    UnitState::new(target, TextId::EMPTY, true)
                })
                .collect(),
            stale: Vec::new(),
            last_change: None,
        });
    let translations: Vec<_> = translations.collect();
    let ids = ProjectionIds {
        translations: (1..=codes.len() as u32).map(TranslationId).collect(),
        units: (0..codes.len() as u32)
            .map(|at| {
                (1..=strings)
                    .map(|row| UnitId(at * strings + row))
                    .collect()
            })
            .collect(),
        sources: (1..=strings).map(SourceId).collect(),
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
        branch: "main".into(),
        ..Component::new(ComponentSettings {
            name: "Extension".into(),
            ..ComponentSettings::new(
                Slug::new("extension")?,
                FileMask::new("_locales/*/messages.json")?,
                "_locales/en/messages.json",
                FileFormat::WebExtension,
            )
        })
    });
    let projection = Projection {
        expected: Default::default(),
        guide: None,
        reviewed: <_>::default(),
        missing: Vec::new(),
        shape: gitglot_model::Shape::Template,
        id_bytes: 0,
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
        instructions: String::new(),
        source_language: "en".into(),
    });
    let component = ComponentSnapshot::new(
        project.clone(),
        component,
        projection,
        ids,
        &ComponentChecks::default(),
        PreviousResults::Nothing,
    );
    Ok(Snapshot::after(
        None,
        vec![project],
        vec![Arc::new(component)],
        [].into(),
    ))
}
