//! A small snapshot made by hand. The tests of `gitglot-api` include this file, too.

use std::sync::Arc;

use gitglot_catalog::{ComponentSnapshot, PreviousResults, Snapshot, User};
use gitglot_checks::ComponentChecks;
use gitglot_history::{
    FileProblem, Layouts, Projection, SourceString, TranslationState, UnitState,
};
use gitglot_model::language::resolve;
use gitglot_model::{
    Action, BlobId, ChangeId, Commit, CommitId, CommitRow, Component, ComponentId,
    ComponentSettings, FileFormat, FileMask, KeyId, KeyRename, LineageId, LineageRow, Log,
    LogEntry, OffsetTime, PersonId, Project, ProjectId, ProjectionIds, Removal, RenameEvidence,
    Signature, Slug, SourceId, TextId, TextPool, Timestamp, TranslationId, TreeId, UnitId, UserId,
};

/// A translation by hand: code, and the text of each string; `None` where the file has none.
pub(crate) type File<'a> = (&'a str, Vec<Option<&'a str>>);

/// A component by hand.
pub(crate) struct TestComponent<'a> {
    pub(crate) id: u32,
    pub(crate) slug: &'a str,
    pub(crate) format: FileFormat,
    pub(crate) repo: &'a str,
    /// Context, source and note.
    pub(crate) strings: Vec<(&'a str, &'a str, &'a str)>,
    pub(crate) files: Vec<File<'a>>,
    /// The ids of its units follow this one.
    pub(crate) unit_ids_after: u32,
    /// The ids of its sources follow this one.
    pub(crate) source_ids_after: u32,
    /// The ids of its translations follow this one.
    pub(crate) translation_ids_after: u32,
}

pub(crate) fn project(id: u32, slug: &str) -> Arc<Project> {
    Arc::new(Project {
        id: ProjectId(id),
        slug: Slug::new(slug).unwrap(),
        name: slug.to_uppercase(),
        web: "https://example.org/".into(),
        instructions: String::new(),
        source_language: "en".into(),
    })
}

impl TestComponent<'_> {
    /// Builds it; with a log the first string of the second file is stale, and the log has entries of all kinds,
    /// and then `more` changes.
    pub(crate) fn build(self, project: &Arc<Project>, more: Option<u32>) -> ComponentSnapshot {
        let with_log = more.is_some();
        let mut pool = TextPool::default();
        let sources: Vec<_> = (1..)
            .zip(&self.strings)
            .map(|(position, (context, source, note))| SourceString {
                key: KeyId(position - 1),
                context: pool.intern(context),
                source: pool.intern(source),
                note: pool.intern(note),
                position,
                since: Timestamp(1_500_000_000_000_000 + i64::from(position)),
            })
            .collect();
        let old = pool.intern("The old text");
        let mut paths = Vec::new();
        let translations: Vec<_> = self
            .files
            .iter()
            .enumerate()
            .map(|(at, (code, texts))| {
                let path = format!("_locales/{code}/messages.json");
                paths.push(path.clone());
                let units = texts.iter().map(|text| {
                    let target = pool.intern(text.unwrap_or_default());
                    let is_translated = text.is_some_and(|text| !text.is_empty());
                    UnitState::new(target, TextId::EMPTY, is_translated)
                });
                TranslationState {
                    bilingual: None,
                    lineage: LineageId(at as u16),
                    path: path.as_str().into(),
                    own_path: path.as_str().into(),
                    older_paths: Vec::new(),
                    file_code: (*code).into(),
                    language: resolve(code),
                    blob: (*code != "xx").then_some(BlobId([at as u8 + 1; 20])),
                    is_template: *code == "en",
                    units: if *code == "xx" {
                        Vec::new()
                    } else {
                        units.collect()
                    },
                    stale: if with_log && *code == "cs" {
                        vec![(0, old)]
                    } else {
                        Vec::new()
                    },
                    last_change: (with_log && *code == "cs")
                        .then_some((Timestamp(1_600_000_000_123_456), PersonId(0))),
                }
            })
            .collect();
        let ids = ProjectionIds {
            translations: (0..self.files.len() as u32)
                .map(|at| TranslationId(self.translation_ids_after + at + 1))
                .collect(),
            units: {
                let mut next = self.unit_ids_after;
                let mut of = |units: &[UnitState]| {
                    units
                        .iter()
                        .map(|_| {
                            next += 1;
                            UnitId(next)
                        })
                        .collect::<Vec<_>>()
                };
                translations
                    .iter()
                    .map(|translation| of(&translation.units))
                    .collect()
            },
            sources: (0..sources.len() as u32)
                .map(|at| SourceId(self.source_ids_after + at + 1))
                .collect(),
            people: vec![UserId(1), UserId(2)],
        };
        let log = more.map_or_else(Log::default, |more| log(&mut pool, &paths, more));
        let component = Component {
            id: ComponentId(self.id),
            project: project.id,
            repo: self.repo.to_owned(),
            branch: "main".into(),
            ..Component::new(ComponentSettings {
                new_base: if with_log {
                    "_locales/new.json".into()
                } else {
                    String::new()
                },
                license: "MIT".into(),
                ..ComponentSettings::new(
                    Slug::new(self.slug).unwrap(),
                    FileMask::new("_locales/*/messages.json").unwrap(),
                    "_locales/en/messages.json",
                    self.format,
                )
            })
        };
        let projection = Projection {
            expected: Default::default(),
            missing: Vec::new(),
            reviewed: Default::default(),
            guide: with_log.then(|| "CONTRIBUTING.md".into()),
            shape: gitglot_model::Shape::Template,
            id_bytes: 0,
            texts: pool.freeze(),
            tip: Arc::new(tip(with_log)),
            template_blob: BlobId([0xee; 20]),
            sources: sources.into(),
            translations: translations.into_iter().map(Arc::new).collect(),
            problems: if with_log {
                vec![FileProblem {
                    path: "_locales/pl/messages.json".into(),
                    reason: "excluded: it is a symbolic link".into(),
                    broken: false,
                }]
            } else {
                Vec::new()
            },
            log: Arc::new(log),
            people: Arc::from([]),
            layouts: Arc::new(Layouts::configured(&component, "en")),
        };
        ComponentSnapshot::new(
            project.clone(),
            Arc::new(component),
            projection,
            ids,
            &ComponentChecks::default(),
            PreviousResults::Nothing,
        )
    }
}

fn tip(merge: bool) -> Commit {
    let person = |name: &str, offset| Signature {
        name: name.into(),
        email: "secret@example.org".into(),
        time: OffsetTime {
            seconds: 1_600_000_000,
            offset,
        },
    };
    Commit {
        id: CommitId([0xab; 20]),
        tree: TreeId([1; 20]),
        parents: if merge {
            vec![CommitId([1; 20]), CommitId([2; 20])]
        } else {
            vec![CommitId([1; 20])]
        },
        author: person("Ada Example", 7_200),
        committer: person("Bob Example", 0),
        message: "Bring Czech\n\n  With details  \nSigned-off-by: Ada <secret@example.org>\n"
            .into(),
    }
}

fn log(pool: &mut TextPool, paths: &[String], more: u32) -> Log {
    let mut log = Log::default();
    log.keys
        .extend(["appName", "odd", "gone"].map(|key| pool.intern(key)));
    for path in paths {
        let code = path.split('/').nth(1).unwrap();
        log.lineages.push(LineageRow {
            language: pool.intern(code),
            path: pool.intern(path),
        });
    }
    let gone = LineageId(paths.len() as u16);
    log.lineages.push(LineageRow {
        language: pool.intern("fr"),
        path: pool.intern("_locales/fr/messages.json"),
    });
    for (at, (author, name)) in [(0, "Ada Example"), (1, "Bob Example")]
        .into_iter()
        .enumerate()
    {
        log.commits.push(CommitRow {
            id: CommitId([at as u8 + 0x10; 20]),
            subject: pool.intern("Translate"),
            author: PersonId(author),
            author_name: pool.intern(name),
            authored: OffsetTime {
                seconds: 1_590_000_000,
                offset: -12_600,
            },
            committed: OffsetTime {
                seconds: 1_590_000_100,
                offset: 0,
            },
            origin: gitglot_model::Origin::Human,
            is_ignored: false,
        });
    }
    let (cs, en) = (Some(LineageId(0)), Some(LineageId(1)));
    let key = |at| Some(KeyId(at));
    let entries = [
        (Action::NewSourceString, en, key(0), "", "", 0),
        (Action::NewTranslation, cs, key(0), "Aplikace", "", 0),
        (Action::ResourceUpdate, cs, None, "", "", 0),
        (
            Action::SourceStringChanged,
            en,
            key(0),
            "My App",
            "The old text",
            1,
        ),
        (Action::TranslationChanged, cs, key(2), "", "Byl", 1),
        (Action::CommittedChanges, cs, None, "", "", 1),
        (Action::NewTranslation, Some(gone), key(0), "Mon app", "", 1),
        (
            Action::RemovedTranslation,
            None,
            None,
            "_locales/fr/messages.json",
            "",
            1,
        ),
        (Action::MergedRepository, None, None, "", "", 1),
    ];
    let changed = "Aplikace, znovu a znovu přeložená. ".repeat(10);
    let more = (0..more).map(|_| {
        (
            Action::TranslationChanged,
            cs,
            key(0),
            &*changed,
            "Aplikace",
            1,
        )
    });
    for (at, (action, lineage, key, target, previous, commit)) in
        entries.into_iter().chain(more).enumerate()
    {
        log.push(LogEntry {
            id: ChangeId(at as u32 + 1),
            time: Timestamp(1_590_000_100_000_000 + at as i64),
            action,
            lineage,
            key,
            target: pool.intern(target),
            previous: pool.intern(previous),
            source: TextId::EMPTY,
            commit,
            moved: false,
            fuzzy: false,
            was_fuzzy: false,
        });
    }
    let source = pool.intern("Gone");
    for (entry, key) in [(3, 2), (7, 1), (7, 2)] {
        log.removals.push(Removal {
            entry,
            key: KeyId(key),
            source,
        });
    }
    log.renames.push(KeyRename {
        entry: 8,
        until: 8,
        from: KeyId(1),
        to: KeyId(2),
        evidence: RenameEvidence::Source,
        languages: 1,
    });
    log
}

/// Two projects, one of them empty, and two components, one of them with a log of nine entries.
pub fn snapshot() -> Snapshot {
    snapshot_with(0)
}

/// The same, with `more` additional entries in the log.
pub(crate) fn snapshot_with(more: u32) -> Snapshot {
    let hello = project(1, "hello");
    let app = TestComponent {
        id: 1,
        slug: "app",
        format: FileFormat::WebExtension,
        repo: "https://github.com/example/app.git",
        strings: vec![
            ("appName", "My App", "Name"),
            ("odd", "a\u{2028}b \"q\" \\ \u{1}\n", ""),
        ],
        files: vec![
            ("cs", vec![Some("Aplikace"), None]),
            (
                "en",
                vec![Some("My App"), Some("a\u{2028}b \"q\" \\ \u{1}\n")],
            ),
            ("ěš", vec![Some("Příliš  …"), None]),
        ],
        unit_ids_after: 0,
        source_ids_after: 0,
        translation_ids_after: 0,
    }
    .build(&hello, Some(more));
    let contexts: Vec<String> = (0..45).map(|at| format!(".key{at}")).collect();
    let web = TestComponent {
        id: 2,
        slug: "web",
        format: FileFormat::Json,
        repo: "https://git.example.org/web.git",
        strings: contexts
            .iter()
            .map(|context| (&**context, "Some text", ""))
            .collect(),
        files: vec![
            ("de", vec![Some("Etwas Text"); 45]),
            ("en", vec![Some("Some text"); 45]),
            ("xx", Vec::new()),
        ],
        unit_ids_after: 6,
        source_ids_after: 2,
        translation_ids_after: 3,
    }
    .build(&hello, None);
    let user = |id, username: &str, full_name: &str| User {
        id: UserId(id),
        username: username.into(),
        full_name: full_name.into(),
    };
    let users = vec![
        user(1, "ada-example", "Ada Example"),
        user(2, "bob-example", "Bob Example"),
    ];
    Snapshot::after(
        None,
        vec![hello, project(2, "empty")],
        vec![Arc::new(app), Arc::new(web)],
        users.into(),
    )
}

/// The snapshot and a second project, which shares nothing with the others: its language, users, texts and changes are
/// its own.
pub(crate) fn two_tenants() -> Snapshot {
    let first = snapshot();
    let secret = project(3, "secret");
    let vault = |id, slug| {
        let made = TestComponent {
            id,
            slug,
            format: FileFormat::Json,
            repo: "https://git.example.org/vault.git",
            strings: vec![("hidden.key", "Hidden source", "Hidden note")],
            files: vec![
                ("ja", vec![Some("Hidden target")]),
                ("en", vec![Some("Hidden source")]),
            ],
            unit_ids_after: 100 * id,
            source_ids_after: 100 * id,
            translation_ids_after: 100 * id,
        };
        made.build(&secret, None)
    };
    let mut vault = [vault(3, "vault"), vault(4, "attic")];
    for component in &mut vault {
        component.projection.log = Arc::new(hidden_log(component.component.id));
        component.users = vec![UserId(3)];
    }
    let mallory = User {
        id: UserId(3),
        username: "mallory".into(),
        full_name: "Mallory Hidden".into(),
    };
    let projects = first.projects().cloned().chain([secret.clone()]).collect();
    let components = first.components().iter().cloned();
    let components = components.chain(vault.map(Arc::new)).collect();
    let users = first.users().iter().cloned().chain([mallory]).collect();
    Snapshot::after(None, projects, components, users).numbered_to(ChangeId(1_000))
}

/// A change of a component of the second project.
fn hidden_log(component: ComponentId) -> Log {
    let mut log = Log::default();
    log.commits.push(CommitRow {
        id: CommitId([0x33; 20]),
        subject: TextId::EMPTY,
        author: PersonId(0),
        author_name: TextId::EMPTY,
        authored: OffsetTime {
            seconds: 1_590_000_000,
            offset: 0,
        },
        committed: OffsetTime {
            seconds: 1_590_000_100,
            offset: 0,
        },
        origin: gitglot_model::Origin::Human,
        is_ignored: false,
    });
    log.push(LogEntry {
        id: ChangeId(100 + component.0),
        time: Timestamp(1_591_000_000_000_000),
        action: Action::MergedRepository,
        lineage: None,
        key: None,
        target: TextId::EMPTY,
        previous: TextId::EMPTY,
        source: TextId::EMPTY,
        commit: 0,
        moved: false,
        fuzzy: false,
        was_fuzzy: false,
    });
    log
}
