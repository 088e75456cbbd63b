//! The log and the rows of components without a template.

use std::sync::Arc;

use crate::{History, Projection};
use gitglot_model::{Action, Component, ComponentSettings, FileFormat, FileMask, Slug, Timestamp};
use gitglot_testkit::{History as Commits, Repo, commit};

/// An entry of a PO file.
fn entry(comments: &str, source: &str, text: &str) -> String {
    format!("{comments}msgid \"{source}\"\nmsgstr \"{text}\"\n\n")
}

fn component() -> Arc<Component> {
    let (slug, mask) = (Slug::new("app").unwrap(), FileMask::new("po/*.po").unwrap());
    Arc::new(Component::new(ComponentSettings::new(
        slug,
        mask,
        "",
        FileFormat::Po,
    )))
}

/// The projection of a history, which is read at once.
fn projected(commits: &Commits) -> Projection {
    projected_as(component(), commits)
}

fn projected_as(component: Arc<Component>, commits: &Commits) -> Projection {
    let folder = tempfile::tempdir().unwrap();
    let repo = Repo::with(&folder.path().join("repo.git"), commits);
    let repository = gitglot_git::Repository::open(repo.dir()).unwrap();
    let mut history = History::new(component, "en");
    let tip = repo.tip("main");
    history
        .step(
            &repository,
            tip,
            Timestamp::from_seconds(4_000_000_000),
            &|_| {},
        )
        .unwrap();
    history.project(&repository).unwrap()
}

/// The actions of the log with the languages and targets of their entries.
fn log(state: &Projection) -> Vec<String> {
    let of_entry = |entry: gitglot_model::LogEntry| {
        let lineage = entry
            .lineage
            .and_then(|it| state.log.lineages.get(usize::from(it.0)));
        let language = lineage.map_or("-", |it| state.texts.get(it.language));
        format!(
            "{} {language} {}",
            entry.action.code(),
            state.texts.get(entry.target)
        )
    };
    state.log.iter().map(of_entry).collect()
}

#[test]
fn a_translation_has_the_strings_of_its_file_in_its_order() {
    let cs = entry("#: a.c:1\n#, c-format\n", "One", "Jedna") + &entry("", "Two", "");
    let de = entry("#, fuzzy\n#| msgid \"Too\"\n", "Two", "Zwei") + &entry("", "Three", "Drei");
    let state = projected(&commit("one").write("po/cs.po", cs).write("po/de.po", de));
    let text = |id| state.texts.get(id);
    let sources: Vec<&str> = state.sources.iter().map(|it| text(it.source)).collect();
    assert_eq!(sources, ["One", "Two", "Three"]);
    let [cs, de] = &state.translations[..] else {
        panic!("two files")
    };
    let strings =
        |it: &crate::TranslationState| (0..2).map(|row| it.string_of(row)).collect::<Vec<_>>();
    assert_eq!((strings(cs), strings(de)), (vec![0, 1], vec![1, 2]));
    assert_eq!(
        (de.unit_of(1), de.unit_of(0), cs.unit_of(2)),
        (Some(0), None, None)
    );
    let own = cs.bilingual_unit(0).unwrap();
    assert_eq!(
        (text(own.locations), text(own.flags), own.position),
        ("a.c:1", "c-format", 1)
    );
    assert_eq!(
        de.stale
            .iter()
            .map(|&(row, old)| (row, text(old)))
            .collect::<Vec<_>>(),
        [(0, "Too")]
    );
    assert!(!cs.is_template && !de.is_template);
}

#[test]
fn the_log_has_changes_of_texts_and_no_changes_of_comments_or_states() {
    let file = |location: &str, text: &str| entry(location, "One", text);
    let commits = commit("one")
        .write("po/cs.po", file("", "Jedna"))
        .commit("locations")
        .write("po/cs.po", file("#: a.c:7\n", "Jedna"))
        .commit("fuzzy")
        .write("po/cs.po", file("#, fuzzy\n", "Jedna"))
        .commit("text")
        .write("po/cs.po", file("", "Jeden"))
        .commit("added")
        .write("po/cs.po", file("", "Jeden") + &entry("", "Two", ""))
        .write("po/de.po", entry("", "Two", "Zwei"))
        .commit("removed")
        .write("po/cs.po", file("", "Jeden"));
    let state = projected(&commits);
    let (update, new, string) = (
        Action::ResourceUpdate,
        Action::NewTranslation,
        Action::NewSourceString,
    );
    let line = |action: Action, rest: &str| format!("{} {rest}", action.code());
    let expected = [
        line(string, "cs "),
        line(new, "cs Jedna"),
        line(Action::TranslationCompleted, "cs "),
        line(update, "cs "),
        line(update, "cs "),
        line(update, "cs "),
        line(new, "cs Jeden"),
        line(Action::TranslationCompleted, "cs "),
        line(update, "cs "),
    ];
    let found = log(&state);
    assert_eq!(found[..expected.len()], expected);
    let added = state.log.get(0).unwrap();
    let texts = [added.source, added.target].map(|text| state.texts.get(text));
    assert_eq!(texts, ["One", ""], "the text of the new string");
    assert!(
        found.contains(&line(string, "cs ")) && found.contains(&line(new, "de Zwei")),
        "{found:?}"
    );
    assert_eq!(state.translations[0].units.len(), 1);
}

#[test]
fn the_first_entry_of_a_duplicate_counts_and_the_log_reports_it() {
    let cs = entry("", "One", "Jedna") + &entry("", "One", "Jeden") + &entry("", "Two", "Dva");
    let state = projected(&commit("one").write("po/cs.po", cs));
    let translation = &state.translations[0];
    let targets: Vec<&str> = translation
        .units
        .iter()
        .map(|it| state.texts.get(it.target()))
        .collect();
    assert_eq!(targets, ["Jedna", "Dva"]);
    assert_eq!(translation.bilingual_unit(1).unwrap().position, 3);
    let duplicated = format!("{} cs ", Action::DuplicatedString.code());
    assert_eq!(
        log(&state)
            .iter()
            .filter(|line| **line == duplicated)
            .count(),
        1
    );
}

#[test]
fn a_broken_file_keeps_its_strings() {
    let commits = commit("one")
        .write("po/cs.po", entry("", "One", "Jedna"))
        .write("po/de.po", entry("", "One", "Eins"))
        .commit("broken")
        .write("po/cs.po", "<<<<<<< HEAD\n");
    let state = projected(&commits);
    assert_eq!(state.translations[0].units.len(), 1);
    assert_eq!(state.problems.len(), 1);
    assert!(
        log(&state)
            .last()
            .unwrap()
            .starts_with(&Action::ParseError.code().to_string())
    );
}

#[test]
fn texts_of_the_same_source_and_context_joined_are_one_string() {
    let cs = entry("msgctxt \"b\"\n", "a", "Jedna") + &entry("", "ab", "Dva");
    let de = entry("", "ab", "Zwei");
    let state = projected(&commit("one").write("po/cs.po", cs).write("po/de.po", de));
    assert_eq!(state.sources.len(), 1);
    let targets: Vec<Vec<&str>> = state
        .translations
        .iter()
        .map(|it| {
            let texts = it.units.iter().map(|unit| state.texts.get(unit.target()));
            texts.collect()
        })
        .collect();
    assert_eq!(targets, [["Jedna"], ["Zwei"]]);
    assert_eq!(state.translations[1].string_of(0), 0);
    let duplicated = format!("{} cs ", Action::DuplicatedString.code());
    assert!(log(&state).contains(&duplicated));
}

#[test]
fn a_file_with_a_template_can_have_states() {
    let (slug, mask) = (Slug::new("app").unwrap(), FileMask::new("po/*.po").unwrap());
    let settings = ComponentSettings::new(slug, mask, "po/en.po", FileFormat::PoMono);
    let component = Arc::new(Component::new(settings));
    let en = entry("#: a.c:1\n#, c-format\n", "open", "Open") + &entry("", "close", "Close");
    let cs = entry("#: b.c:9\n#, fuzzy\n#| msgid \"opn\"\n", "open", "Otevrit");
    let commits = commit("one").write("po/cs.po", cs).write("po/en.po", en);
    let state = projected_as(component, &commits);
    let text = |id| state.texts.get(id);
    assert_eq!(state.shape, gitglot_model::Shape::Template);
    let cs = &state.translations[0];
    let own = cs.bilingual_unit(0).unwrap();
    assert_eq!(
        (text(own.locations), text(own.flags)),
        ("a.c:1", "c-format")
    );
    let stale: Vec<_> = cs
        .stale
        .iter()
        .map(|&(row, old)| (row, text(old)))
        .collect();
    assert_eq!(stale, [(0, "opn")]);
    let targets: Vec<&str> = cs.units.iter().map(|it| text(it.target())).collect();
    assert_eq!(targets, ["Otevrit", ""]);
    assert!(!cs.is_bilingual() && state.translations[1].is_template);
}

#[test]
fn rows_of_files_that_did_not_change_stay_and_strings_that_they_lack_are_found() {
    let header = |date: &str| {
        format!("msgid \"\"\nmsgstr \"\"\n\"POT-Creation-Date: {date} 10:00+0000\\n\"\n\n")
    };
    let one = entry("#: a.c:1\n#, c-format\n", "One", "x");
    let fuzzy = entry("#, fuzzy\n#| msgid \"Too\"\n", "Two", "y");
    let old = header("2020-01-01") + &fuzzy + &one + &one;
    let new = header("2020-02-01") + &entry("", "Zero", "z") + &fuzzy + &one;
    let commits = commit("one")
        .write("po/cs.po", &old)
        .write("po/de.po", &old)
        .write("po/fr.po", &old)
        .branch_at("old", "one")
        .branch_at("main", "one")
        .commit("two")
        .write("po/cs.po", &new)
        .write("po/de.po", &new);
    let folder = tempfile::tempdir().unwrap();
    let repo = Repo::with(&folder.path().join("repo.git"), &commits);
    let repository = gitglot_git::Repository::open(repo.dir()).unwrap();
    let now = Timestamp::from_seconds(4_000_000_000);
    let tips = [repo.tip("old"), repo.tip("main")];
    let project = |tips: &[gitglot_model::CommitId]| {
        let mut history = History::new(component(), "en");
        let mut last = None;
        for &tip in tips {
            history.step(&repository, tip, now, &|_| {}).unwrap();
            last = Some(history.project(&repository).unwrap());
        }
        last.unwrap()
    };
    let rows = |state: &Projection| {
        let text = |id| state.texts.get(id).to_owned();
        let of_file = |translation: &Arc<crate::TranslationState>| {
            let row = |row: u32| {
                let own = translation.bilingual_unit(row).unwrap();
                let string = &state.sources[own.string as usize];
                let texts = [string.source, own.locations, own.flags].map(text);
                (texts, own.position)
            };
            let stale = translation.stale.iter();
            let stale: Vec<_> = stale.map(|&(row, old)| (row, text(old))).collect();
            let count = translation.units.len() as u32;
            ((0..count).map(row).collect::<Vec<_>>(), stale)
        };
        state.translations.iter().map(of_file).collect::<Vec<_>>()
    };
    let (at_once, in_steps) = (project(&tips[1..]), project(&tips));
    assert_eq!(rows(&in_steps), rows(&at_once));
    for state in [at_once, in_steps] {
        let expected = &state.expected.strings;
        let missing = |at: usize| {
            let strings = state.missing[at].strings.iter();
            let sources = strings.map(|&it| state.texts.get(expected[it as usize].source));
            sources.collect::<Vec<_>>()
        };
        assert_eq!((missing(0), missing(2)), (vec![], vec!["Zero"]));
        assert_eq!(state.missing[2].merged.as_deref(), Some("2020-01-01"));
    }
}

/// The changes of states of a log: who made them, the language, the source and whether the text is fuzzy now.
fn states(state: &Projection) -> Vec<(String, &str, &str, bool)> {
    let text = |id| state.texts.get(id);
    let of_change = |change: gitglot_model::StateChange| {
        let entry = state.log.get(change.entry as usize)?;
        let lineage = state.log.lineages.get(usize::from(entry.lineage?.0))?;
        let subject = text(state.log.commits.get(entry.commit as usize)?.subject);
        assert_eq!(entry.action, Action::ResourceUpdate);
        let key = text(*state.log.keys.get(change.key.0 as usize)?);
        let source = key.split('\u{4}').next_back()?;
        Some((
            subject.to_owned(),
            text(lineage.language),
            source,
            change.fuzzy,
        ))
    };
    let found: Option<_> = state.log.state_changes().map(of_change).collect();
    found.unwrap()
}

#[test]
fn marks_that_are_set_and_removed_belong_to_the_update_of_the_file() {
    let fuzzy = |source: &str, text: &str| entry("#, fuzzy\n", source, text);
    let done = |source: &str, text: &str| entry("", source, text);
    let commits = commit("one")
        .write(
            "po/cs.po",
            done("One", "Jedna") + &done("Two", "Dva") + &fuzzy("Three", ""),
        )
        .commit("set")
        .write(
            "po/cs.po",
            fuzzy("One", "Jedna") + &fuzzy("Two", "Dva") + &done("Three", ""),
        )
        .commit("removed")
        .write(
            "po/cs.po",
            done("One", "Jedna") + &fuzzy("Two", "Druh\u{fd}") + &done("Three", ""),
        );
    let state = projected(&commits);
    let expected = [
        ("set", "One", true),
        ("set", "Two", true),
        ("removed", "One", false),
    ];
    let expected = expected.map(|(commit, source, fuzzy)| (commit.to_owned(), "cs", source, fuzzy));
    assert_eq!(states(&state), expected);
    let texts = state
        .log
        .iter()
        .filter(|it| it.action == Action::TranslationChanged);
    let marks: Vec<_> = texts.map(|it| (it.fuzzy, it.was_fuzzy)).collect();
    assert_eq!(marks, [(true, true)]);
}

#[test]
fn a_branch_changes_the_states_that_its_merge_keeps() {
    let file = |one: &str, two: &str| entry(one, "One", "Jedna") + &entry(two, "Two", "Dva");
    let fuzzy = "#, fuzzy\n";
    let commits = commit("start")
        .write("po/cs.po", file("", fuzzy))
        .branch_at("topic", "start")
        .commit("both")
        .write("po/cs.po", file(fuzzy, ""))
        .branch("main")
        .commit("merged")
        .merge("both")
        .write("po/cs.po", file("", ""));
    let state = projected(&commits);
    assert_eq!(states(&state), [("both".to_owned(), "cs", "Two", false)]);
    assert!(log(&state).contains(&format!("{} cs ", Action::TranslationCompleted.code())));
}
