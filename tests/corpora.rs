//! Checks the change log of real histories: it adds up to the files of the tip, follows moved directories, and has the
//! entries that an independent count expects, except for the listed differences.
//!
//! `GITGLOT_CORPORA=DIRECTORY cargo test --release --test corpora -- --ignored`; see `common/corpora.rs` for the directory.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

#[path = "common/corpora.rs"]
mod corpora;

use corpora::Corpus;
use gitglot::discover::{TreeFile, detect_components};
use gitglot_git::{Branch, EntryKind, Mirror, RepoAccess, Repository, RepositorySource};
use gitglot_history::{History, Projection};
use gitglot_model::{Action, Component, ComponentSettings, FileMask, Slug, TextId, Timestamp};

/// Differences from the table of expected counts: corpus, column, our count, reason.
const DIFFERENT: &[(&str, &str, usize, &str)] = &[
    ("excalidraw", "1", 252, COMPLETE),
    ("excalidraw", "entries", 41_134, COMPLETE),
    ("privacybadger", "1", 665, COMPLETE),
    ("privacybadger", "2", 9764, DESCRIPTIONS),
    ("privacybadger", "entries", 24_468, "the two above"),
    (
        "invidious",
        "authors",
        159,
        "one address has two names, which count as one person here",
    ),
    ("jellyfin-web", "2", 154_598, EMPTY),
    ("jellyfin-web", "5", 241_451, EMPTY),
    ("jellyfin-web", "entries", 420_506, "the two above"),
];

/// The table does not count keys that leave the template while a language's file is absent, so that the language never
/// becomes complete again (114 and 250). The rules write "completed" whenever a commit completes a translation.
const COMPLETE: &str = "the rule gives this count";
/// The table also counts a text as different if only its description differs. In the rules the value of a unit is
/// its text: at 39fe007a `popup_blocked` of it and `zh_CN` changes, and the merge has the text of its first parent with
/// a different description.
const DESCRIPTIONS: &str = "a description is no part of a text";
/// Likewise: a735a86b fills `.HeaderJellyfinServer` of ru, 05aa24cc empties it, and their merge 5428eba5 has an empty
/// entry where its first parent has none.
const EMPTY: &str = "an empty text is no text";

/// The row of a corpus in the table of expected counts, by column.
fn expected(name: &str) -> BTreeMap<String, usize> {
    let text = corpora::table();
    let cells = |line: &str| {
        line.trim()
            .trim_matches('|')
            .split('|')
            .map(|it| it.trim().to_owned())
            .collect::<Vec<_>>()
    };
    let head = cells(
        text.lines()
            .find(|line| line.starts_with("| corpus "))
            .unwrap(),
    );
    let row = cells(
        text.lines()
            .find(|line| line.starts_with(&format!("| {name} ")))
            .unwrap(),
    );
    head.into_iter()
        .zip(row)
        .filter_map(|(column, cell)| Some((column, cell.parse().ok()?)))
        .collect()
}

/// Reads the whole history of a corpus.
fn read(name: &str) -> (Corpus, Projection) {
    let mut all = corpora::all().into_iter();
    let corpus = all.find(|corpus| corpus.name == name).unwrap();
    let text = |key: &str| corpus.text(key);
    let folder = tempfile::tempdir().unwrap();
    let bare = folder.path().join("bare.git");
    corpus.clone_to(&bare);
    let component = Component {
        branch: text("branch"),
        ..Component::new(ComponentSettings::new(
            Slug::new("component").unwrap(),
            FileMask::new(&text("filemask")).unwrap(),
            &text("template"),
            text("file_format").parse().unwrap(),
        ))
    };
    let (source, branch) = (
        RepositorySource::folder(&bare).unwrap(),
        Branch::Named(text("branch")),
    );
    let mirror = folder.path().join("mirror.git");
    let mirror =
        Mirror::open_or_clone(source, mirror, vec![branch], RepoAccess::default(), &mut ())
            .unwrap();
    mirror.fetch(&mut ()).unwrap();
    let tip = mirror.tips().unwrap()[0].1.clone().unwrap().commit;
    let repository = mirror.repository().unwrap();
    let mut history = History::new(Arc::new(component), "en");
    history
        .step(
            &repository,
            tip,
            Timestamp::from_seconds(4_000_000_000),
            &|_| {},
        )
        .unwrap();
    (corpus, history.project(&repository).unwrap())
}

fn check(name: &str) {
    let (corpus, projection) = read(name);
    adds_up(&projection);
    finds_older_masks(&corpus, &projection);
    counts(name, &projection);
}

/// The newest entry of each unit has its text; times grow.
fn adds_up(projection: &Projection) {
    let log = &projection.log;
    let mut targets = HashMap::new();
    let mut sources = HashMap::new();
    let mut before = None;
    for entry in (0..log.len()).map(|at| log.get(at).unwrap()) {
        assert!(before < Some(entry.time), "times grow");
        before = Some(entry.time);
        match entry.action {
            Action::NewTranslation | Action::TranslationChanged => {
                targets.insert((entry.lineage.unwrap(), entry.key.unwrap()), entry.target);
            }
            Action::SourceStringChanged => {
                sources.insert(entry.key.unwrap(), entry.target);
            }
            _ => {}
        }
    }
    for translation in &projection.translations {
        for (unit, source) in translation.units.iter().zip(projection.sources.iter()) {
            if translation.is_template {
                let newest = sources.get(&source.key).copied().unwrap_or(source.source);
                assert_eq!(
                    newest,
                    source.source,
                    "{}",
                    projection.texts.get(source.context)
                );
            } else {
                let newest = targets
                    .get(&(translation.lineage, source.key))
                    .copied()
                    .unwrap_or(TextId::EMPTY);
                let subject = (&translation.path, projection.texts.get(source.context));
                assert_eq!(
                    projection.texts.get(newest),
                    projection.texts.get(unit.target()),
                    "{subject:?}"
                );
            }
        }
    }
}

/// Every older path of a file fits a mask that the project really had, and each of these masks is found.
fn finds_older_masks(corpus: &Corpus, projection: &Projection) {
    let masks = corpus.json["older_filemasks"]
        .as_array()
        .cloned()
        .unwrap_or_default();
    let masks: Vec<_> = masks
        .iter()
        .map(|mask| FileMask::new(mask.as_str().unwrap()).unwrap())
        .collect();
    let present = FileMask::new(&corpus.text("filemask")).unwrap();
    let older: BTreeSet<_> = projection
        .translations
        .iter()
        .flat_map(|it| it.older_paths.iter().cloned())
        .collect();
    for mask in &masks {
        assert!(
            older.iter().any(|path| mask.matches(path).is_some()),
            "{mask:?} is not found"
        );
    }
    for path in &older {
        let known = masks
            .iter()
            .chain([&present])
            .any(|mask| mask.matches(path).is_some());
        assert!(known, "{path} was never a translation");
    }
}

fn counts(name: &str, projection: &Projection) {
    let log = &projection.log;
    let mut ours: BTreeMap<String, usize> = BTreeMap::new();
    let mut authors = BTreeSet::new();
    for entry in (0..log.len()).map(|at| log.get(at).unwrap()) {
        *ours.entry(entry.action.code().to_string()).or_default() += 1;
        if entry.action.names_user() {
            authors.insert(log.commits[entry.commit as usize].author);
        }
    }
    ours.insert("entries".into(), log.len());
    ours.insert("authors".into(), authors.len());
    ours.insert(
        "stale at tip".into(),
        projection
            .translations
            .iter()
            .map(|it| it.stale.len())
            .sum(),
    );
    let mut wrong = Vec::new();
    let columns = [
        "entries",
        "0",
        "17",
        "1",
        "2",
        "5",
        "13",
        "30",
        "20",
        "24",
        "25",
        "40",
        "authors",
        "stale at tip",
    ];
    let table = expected(name);
    for column in columns {
        let different = DIFFERENT
            .iter()
            .find(|(corpus, of, _, _)| (*corpus, *of) == (name, column));
        let (wanted, why) = different.map_or((table[column], "the table"), |(_, _, count, why)| {
            (*count, *why)
        });
        let found = ours.get(column).copied().unwrap_or_default();
        if found != wanted {
            wrong.push(format!(
                "{column}: {found}, not {wanted} ({why}; table: {})",
                table[column]
            ));
        }
    }
    assert!(wrong.is_empty(), "{name}: {}", wrong.join("; "));
}

macro_rules! corpus {
    ($($test:ident $name:literal;)*) => {$(
        #[test]
        #[ignore = "needs the corpora"]
        fn $test() {
            check($name);
        }
    )*};
}

corpus! {
    the_log_of_libredirect_adds_up "libredirect";
    the_log_of_excalidraw_adds_up "excalidraw";
    the_log_of_invidious_adds_up "invidious";
    the_log_of_mailcow_adds_up "mailcow";
    the_log_of_privacybadger_adds_up "privacybadger";
    the_log_of_ublock_adds_up "ublock";
    the_log_of_jellyfin_web_adds_up "jellyfin-web";
    the_log_of_matrix_react_sdk_adds_up "matrix-react-sdk";
}

#[test]
#[ignore = "needs the corpora"]
fn the_layouts_of_real_projects_are_found() {
    for corpus in corpora::all() {
        let folder = tempfile::tempdir().unwrap();
        let bare = folder.path().join("repo.git");
        let tip = corpus.clone_to(&bare).parse().unwrap();
        let mut reader = Repository::discover(&bare).unwrap().reader();
        let tree = reader.commit_header(tip).unwrap().tree;
        let entries = reader.list_files(tree, "").unwrap().into_iter();
        let files: Vec<TreeFile> = entries
            .filter_map(|entry| match entry.kind {
                EntryKind::File(blob) => Some(TreeFile {
                    path: String::from_utf8(entry.path.into_vec()).ok()?,
                    blob,
                }),
                _ => None,
            })
            .collect();
        let (found, _) = detect_components(&files, &mut |blob| {
            reader.blob(blob).ok().map(Arc::unwrap_or_clone)
        });
        let found: Vec<[String; 3]> = found
            .into_iter()
            .map(|it| {
                let format = it.file_format.name().to_owned();
                [it.filemask.as_str().to_owned(), it.template, format]
            })
            .collect();
        let text = |key| corpus.text(key);
        let mut expected = vec![["filemask", "template", "file_format"].map(text)];
        if corpus.name == "ublock" {
            let folder = "platform/mv3/extension/_locales";
            let files = ["*", "en"].map(|code| format!("{folder}/{code}/messages.json"));
            let [mask, template] = files;
            expected.insert(0, [mask, template, "webextension".to_owned()]);
        }
        assert_eq!(found, expected, "{}", corpus.name);
    }
}
