//! Renamed keys in the log and in the rows.

use std::sync::Arc;

use crate::{History, Projection};
use gitglot_git::Repository;
use gitglot_model::{
    Component, ComponentSettings, FileFormat, FileMask, KeyId, KeyRename, LogEntry, RenameIndex,
    Slug, TextId, Timestamp,
};
use gitglot_testkit::{History as Commits, Repo, commit, json_texts};

fn component(renames: bool) -> Arc<Component> {
    let (slug, mask) = (
        Slug::new("app").unwrap(),
        FileMask::new("locales/*.json").unwrap(),
    );
    let settings = ComponentSettings::new(slug, mask, "locales/en.json", FileFormat::Json);
    Arc::new(Component::new(ComponentSettings {
        renames,
        ..settings
    }))
}

/// The projection after some commits, each a step; without renames if they are switched off.
fn projected(commits: &Commits, tips: &[&str], renames: bool) -> Projection {
    let folder = tempfile::tempdir().unwrap();
    let repo = Repo::with(&folder.path().join("repo.git"), commits);
    let repository = Repository::open(repo.dir()).unwrap();
    let mut history = History::new(component(renames), "en");
    for tip in tips {
        let saved = postcard::to_stdvec(&history.saved()).unwrap();
        let saved = postcard::from_bytes(&saved).unwrap();
        history = History::restore(component(renames), "en", saved).unwrap();
        let observed = Timestamp::from_seconds(4_000_000_000);
        history
            .step(&repository, repo.id(tip), observed, &|_| {})
            .unwrap();
    }
    history.project(&repository).unwrap()
}

/// A key without the dot that JSON has before it.
fn name_of(state: &Projection, key: KeyId) -> &str {
    let name = state.texts.get(state.log.keys[key.0 as usize]);
    name.trim_start_matches('.')
}

/// The renames of a log: both keys, evidence and number of languages.
fn renames(state: &Projection) -> Vec<String> {
    let key = |key: KeyId| name_of(state, key);
    let shown = |it: KeyRename| {
        let (old, new) = (key(it.from), key(it.to));
        format!("{old}>{new} {} {}", it.evidence.name(), it.languages)
    };
    state.log.renames().map(shown).collect()
}

/// The stale strings of Czech, each with the source that was translated.
fn stale(state: &Projection) -> Vec<String> {
    let cs = state
        .translations
        .iter()
        .find(|it| *it.path == *"locales/cs.json");
    let text = |id: TextId| state.texts.get(id);
    let row = |&(row, old): &(u32, TextId)| {
        let key = text(state.sources[row as usize].context).trim_start_matches('.');
        format!("{key} {}", text(old))
    };
    cs.unwrap().stale.iter().map(row).collect()
}

/// The entries of the string of a key, through renames: the action, the key and the target, and whether the text moved.
fn history_of(state: &Projection, key: &str) -> Vec<String> {
    let name = |key: KeyId| name_of(state, key);
    let number = (0..).map(KeyId);
    let mut number = number.take(state.log.keys.len());
    let wanted = number.find(|&it| name(it) == key).unwrap();
    let index = RenameIndex::of(&state.log);
    let entries = (0..).zip(state.log.iter());
    let own = entries.filter_map(|(at, entry)| {
        let own = entry
            .key
            .filter(|&key| index.newest_key(at, key) == wanted)?;
        let moved = if entry.moved { " moved" } else { "" };
        let target = state.texts.get(entry.target);
        Some(format!(
            "{} {} {target}{moved}",
            entry.action.code(),
            name(own)
        ))
    });
    let own: Vec<String> = own.collect();
    // Both directions agree.
    let keys = index.keys_of(wanted, u32::MAX);
    let count = |(key, range): &(KeyId, std::ops::Range<u32>)| {
        let entries = (0..).zip(state.log.iter());
        let is_own = |(at, it): &(u32, LogEntry)| range.contains(at) && it.key == Some(*key);
        entries.filter(is_own).count()
    };
    assert_eq!(keys.iter().map(count).sum::<usize>(), own.len(), "{keys:?}");
    own
}

fn start() -> Commits {
    commit("start")
        .texts("en", "a=Save;z=Last")
        .texts("cs", "a=Uložit")
}

#[test]
fn a_renamed_key_keeps_its_history_and_counts_no_new_work() {
    let commits = start()
        .commit("renamed")
        .texts("en", "b=Save;z=Last")
        .texts("cs", "b=Uložit");
    let state = projected(&commits, &["start", "renamed"], true);
    assert_eq!(renames(&state), ["a>b source-and-translations 1"]);
    let expected = ["13 a ", "5 a Uložit", "13 b ", "5 b Uložit moved"];
    assert_eq!(history_of(&state, "b"), expected);
    let state = projected(&commits, &["renamed"], false);
    assert_eq!(renames(&state), [""; 0]);
    assert_eq!(history_of(&state, "b"), ["13 b ", "5 b Uložit"]);
}

#[test]
fn a_stale_translation_stays_stale_and_a_source_changes_with_its_key() {
    let commits = start()
        .commit("source")
        .texts("en", "a=Save all;z=Last")
        .commit("renamed")
        .texts("en", "b=Save all;z=Last")
        .texts("cs", "b=Uložit")
        .commit("translated")
        .texts("cs", "b=Uložit vše");
    let tips = ["start", "source", "renamed", "translated"];
    assert_eq!(stale(&projected(&commits, &tips[..3], true)), ["b Save"]);
    assert_eq!(stale(&projected(&commits, &tips[2..3], true)), ["b Save"]);
    assert_eq!(stale(&projected(&commits, &tips[..3], false)), [""; 0]);
    assert_eq!(stale(&projected(&commits, &tips, true)), [""; 0]);

    let two = |texts: &str| json_texts(&format!("{texts};z=x"));
    let commits = commit("start")
        .write("locales/en.json", two("a=Save file"))
        .write("locales/cs.json", two("a=Uložit soubor"))
        .write("locales/de.json", two("a=Datei speichern"))
        .commit("renamed")
        .write("locales/en.json", two("b=Save the file"))
        .write("locales/cs.json", two("b=Uložit soubor"))
        .write("locales/de.json", two("b=Datei speichern"));
    let state = projected(&commits, &["renamed"], true);
    assert_eq!(renames(&state), ["a>b translations 2"]);
    assert_eq!(stale(&state), ["b Save file"]);
}

#[test]
fn translations_that_move_later_are_moved_texts() {
    let commits = start()
        .commit("source")
        .texts("en", "a=Save all;z=Last")
        .commit("renamed")
        .texts("en", "b=Save all;z=Last")
        .commit("platform")
        .texts("cs", "b=Uložit");
    let state = projected(&commits, &["platform"], true);
    assert_eq!(renames(&state), ["a>b source 0"]);
    assert_eq!(stale(&state), ["b Save"]);
    let expected = [
        "13 a ",
        "5 a Uložit",
        "30 a Save all",
        "13 b ",
        "5 b Uložit moved",
    ];
    assert_eq!(history_of(&state, "b"), expected);
}

#[test]
fn chains_reverts_and_exchanges_are_followed() {
    let version = |history: Commits, label: &str, en: &str, cs: &str| {
        let history = history.commit(label);
        history
            .write("locales/en.json", json_texts(en))
            .write("locales/cs.json", json_texts(cs))
    };
    let commits = version(start(), "one", "b=Save;z=Last", "b=Uložit");
    let commits = version(commits, "two", "c=Save;z=Last", "c=Uložit");
    let commits = version(commits, "back", "a=Save;z=Last", "a=Uložit");
    let state = projected(&commits, &["start", "one", "two", "back"], true);
    assert_eq!(renames(&state).len(), 3);
    let expected = [
        "13 a ",
        "5 a Uložit",
        "13 b ",
        "5 b Uložit moved",
        "13 c ",
        "5 c Uložit moved",
        // The log has the text of the key already.
        "13 a ",
    ];
    assert_eq!(history_of(&state, "a"), expected);

    let commits = commit("start")
        .texts("en", "a=One;b=Two")
        .texts("cs", "a=jedna;b=dva")
        .commit("exchanged")
        .texts("en", "a=Two;b=One")
        .texts("cs", "a=dva;b=jedna");
    let state = projected(&commits, &["exchanged"], true);
    let expected = ["13 a ", "5 a jedna", "30 b One", "2 b jedna moved"];
    assert_eq!(history_of(&state, "b"), expected);
    assert_eq!(stale(&state), [""; 0]);
}

#[test]
fn the_commits_of_a_branch_count_as_one_change() {
    let commits = start()
        .branch_at("side", "start")
        .commit("added")
        .texts("en", "a=Save;b=Save;z=Last")
        .texts("cs", "a=Uložit;b=Uložit")
        .commit("removed")
        .texts("en", "b=Save;z=Last")
        .texts("cs", "b=Uložit")
        .commit("there")
        .texts("en", "b=Save;y=Last")
        .commit("and back")
        .texts("en", "b=Save;z=Last")
        .branch("main")
        .commit("merged")
        .merge("and back")
        .texts("en", "b=Save;z=Last")
        .texts("cs", "b=Uložit");
    let state = projected(&commits, &["start", "merged"], true);
    assert_eq!(renames(&state), ["a>b source-and-translations 1"]);
    let expected = ["13 a ", "5 a Uložit", "13 b ", "5 b Uložit moved"];
    assert_eq!(history_of(&state, "b"), expected);
}

/// The renames of a bilingual component.
fn bilingual_renames(mask: &str, format: FileFormat, commits: &Commits) -> Vec<String> {
    let folder = tempfile::tempdir().unwrap();
    let repo = Repo::with(&folder.path().join("repo.git"), commits);
    let repository = Repository::open(repo.dir()).unwrap();
    let (slug, mask) = (Slug::new("app").unwrap(), FileMask::new(mask).unwrap());
    let settings = ComponentSettings::new(slug, mask, "", format);
    let mut history = History::new(Arc::new(Component::new(settings)), "en");
    let observed = Timestamp::from_seconds(4_000_000_000);
    history
        .step(&repository, repo.tip("main"), observed, &|_| {})
        .unwrap();
    renames(&history.project(&repository).unwrap())
}

/// A commit that changes a message of a PO file and its text, with lines before the message.
fn changed_message(lines: &str, source: &str, text: &str) -> Commits {
    let entry = |lines: &str, source: &str, text: &str| {
        format!("{lines}msgid \"{source}\"\nmsgstr \"{text}\"\n")
    };
    commit("start")
        .write("po/cs.po", entry("", "Save the file", "Uložit soubor"))
        .commit("merged")
        .write("po/cs.po", entry(lines, source, text))
}

#[test]
fn a_changed_message_of_a_bilingual_file_keeps_its_history() {
    let commits = changed_message("#, fuzzy\n", "Save a file", "Uložit soubor");
    assert_eq!(
        bilingual_renames("po/*.po", FileFormat::Po, &commits),
        ["\u{4}Save the file>\u{4}Save a file translations 1"]
    );
}

#[test]
fn a_previous_source_in_the_file_is_evidence() {
    let previous = "#, fuzzy\n#| msgid \"Save the file\"\n";
    let commits = changed_message(previous, "Write it to the disk", "Uložit");
    assert_eq!(
        bilingual_renames("po/*.po", FileFormat::Po, &commits),
        ["\u{4}Save the file>\u{4}Write it to the disk previous-source 0"]
    );
    let file = |message: &str| {
        format!(
            "<TS language=\"cs\"><context><name>Main</name><message>{message}</message></context></TS>"
        )
    };
    let old = file("<source>Save</source><translation>Uložit</translation>");
    let new = "<source>Write</source><oldsource>Save</oldsource><translation type=\"unfinished\">Zapsat</translation>";
    let commits = commit("start").write("app_cs.ts", old);
    let commits = commits.commit("updated").write("app_cs.ts", file(new));
    assert_eq!(
        bilingual_renames("app_*.ts", FileFormat::QtTs, &commits),
        ["Main\u{4}Save>Main\u{4}Write previous-source 0"]
    );
}
