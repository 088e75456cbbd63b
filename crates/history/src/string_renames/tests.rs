use super::*;
use gitglot_model::steps;

/// A state: lines of `key=source|text|text…`, with one text for each language; `-` for none. A text can name the previous
/// source: `text<source`.
struct State(Vec<(String, String, Vec<Option<String>>)>);

impl State {
    fn of(lines: &str) -> Self {
        let line = |line: &str| {
            let (key, texts) = line.trim().split_once('=').unwrap();
            let mut texts = texts.split('|').map(str::to_owned);
            let source = texts.next().unwrap();
            let texts = texts.map(|text| Some(text).filter(|text| text != "-"));
            (key.to_owned(), source, texts.collect())
        };
        Self(lines.split(';').map(line).collect())
    }

    fn source(&self, key: &str) -> Option<&str> {
        let found = self.0.iter().find(|it| it.0 == key);
        found.map(|it| &*it.1)
    }

    fn text(&self, key: &str, language: usize) -> Option<&str> {
        self.parts(key, language)?.next()
    }

    fn previous_source(&self, key: &str, language: usize) -> Option<&str> {
        self.parts(key, language)?.nth(1)
    }

    fn parts(&self, key: &str, language: usize) -> Option<impl Iterator<Item = &str>> {
        let found = self.0.iter().find(|it| it.0 == key)?;
        Some(found.2.get(language)?.as_deref()?.split('<'))
    }
}

/// The renames between two states: old key, new key, evidence and number of languages.
fn renames_as(is_bilingual: bool, before: &str, after: &str) -> Vec<String> {
    let (before, after) = (State::of(before), State::of(after));
    let states = [&before, &after];
    let texts = states.iter().flat_map(|state| &state.0);
    let texts = texts.flat_map(|(_, source, texts)| {
        std::iter::once(&**source).chain(texts.iter().flatten().flat_map(|text| text.split('<')))
    });
    let mut texts: Vec<&str> = texts.collect();
    texts.sort_unstable();
    texts.dedup();
    let number = |text: &str| texts.binary_search(&text).unwrap() as u32;
    let changed = |own: &State, other: &State| -> Vec<String> {
        let differs = |key: &String| own.source(key) != other.source(key);
        own.0
            .iter()
            .map(|it| it.0.clone())
            .filter(differs)
            .collect()
    };
    let keys = [changed(&before, &after), changed(&after, &before)];
    let candidates = |side: usize| -> Vec<RenameCandidate<'_>> {
        let candidate = |key: &'_ String| RenameCandidate {
            name: keys[side].iter().find(|it| *it == key).unwrap(),
            source: number(states[side].source(key).unwrap()),
            twin: keys[1 - side].iter().position(|other| other == key),
        };
        keys[side].iter().map(candidate).collect()
    };
    let (removed, added) = (candidates(0), candidates(1));
    let languages = states.iter().flat_map(|state| &state.0);
    let found = find_string_renames(&RenameInput {
        removed: &removed,
        added: &added,
        languages: languages.map(|it| it.2.len()).max().unwrap_or_default(),
        translation: &|side, at, language| {
            let side = usize::from(side == RenameSide::After);
            states[side].text(&keys[side][at], language).map(number)
        },
        previous_source: &|added, language| {
            let source = states[1].previous_source(&keys[1][added], language);
            source.map(number)
        },
        text: &|number| texts[number as usize],
        is_bilingual,
    });
    let shown = |it: StringRename| {
        let (old, new) = (removed[it.removed].name, added[it.added].name);
        format!("{old}>{new} {} {}", it.evidence.name(), it.languages)
    };
    found.into_iter().map(shown).collect()
}

fn renames(before: &str, after: &str) -> Vec<String> {
    renames_as(false, before, after)
}

const NONE: [&str; 0] = [];

#[test]
fn a_source_that_is_its_key_needs_one_language() {
    let before = "Open file=Open file|Datei öffnen|-";
    let found = renames(before, "Open a file=Open a file|Datei öffnen|-");
    assert_eq!(found, ["Open file>Open a file translations 1"]);
    let other = renames(before, "Open a file=Open a file|Öffnen|-");
    assert_eq!(other, NONE, "no equal text");
    assert_eq!(renames(before, "Close=Close|Datei öffnen|-"), NONE);
    let as_many = "Open a file=Open a file|Datei öffnen|b";
    assert_eq!(renames("Open file=Open file|Datei öffnen|a", as_many), NONE);
    let keys = renames("a=Open file|Datei öffnen", "b=Open a file|Datei öffnen");
    assert_eq!(keys, NONE, "the keys are names");
}

#[test]
fn a_long_source_that_moves_and_changes_keeps_half_of_its_lines() {
    let text = |own: &[&str]| -> String {
        let lines = ["---", "title: Text", "---"].iter().chain(own);
        lines.copied().collect::<Vec<_>>().join("\n")
    };
    let before = ["a=", &text(&["one", "two", "three", "four"]), "|Wort"].concat();
    let moved = |own: &[&str]| renames(&before, &["b=", &text(own), "|Anderes"].concat());
    assert_eq!(
        moved(&["one", "two", "three", "other"]),
        ["a>b lines 0"],
        "no equal translation"
    );
    assert_eq!(moved(&["1", "2", "3", "4", "5", "6"]), NONE);
    let both = ["b=", "c="].map(|key| [key, &text(&["one", "two", "three", "x"]), "|-"].concat());
    assert_eq!(
        renames(&before, &both.join(";")),
        NONE,
        "two as similar ones"
    );
    assert_eq!(renames("a=one\ntwo\nthree", "b=one\ntwo\n3"), NONE, "short");
}

#[test]
fn a_unique_source_is_enough() {
    assert_eq!(renames("a=Save", "b=Save"), ["a>b source 0"]);
    assert_eq!(
        renames("a=Save|Uložit|-", "b=Save|Uložit|Speichern"),
        ["a>b source-and-translations 1"]
    );
    assert_eq!(renames("a=Save|x", "b=Save|y"), ["a>b source 0"]);
    assert_eq!(renames("a=", "b="), NONE);
    assert_eq!(renames("a=Save", "b=Open"), NONE);
}

#[test]
fn equal_sources_are_told_apart_by_translations() {
    assert_eq!(
        renames(
            "a=Open|Otevřít;b=Open|Otevřeno",
            "c=Open|Otevřeno;d=Open|Otevřít"
        ),
        [
            "b>c source-and-translations 1",
            "a>d source-and-translations 1"
        ]
    );
    // One language is not translated yet.
    assert_eq!(
        renames(
            "a=Open|Otevřít|Öffnen;b=Open|Otevřeno|Offen",
            "c=Open|Otevřeno|-;d=Open|Otevřít|-"
        ),
        [
            "b>c source-and-translations 1",
            "a>d source-and-translations 1"
        ]
    );
}

#[test]
fn equal_strings_are_told_apart_by_key_and_order_or_not_at_all() {
    assert_eq!(
        renames(
            "menu.file=Open;menu.state=Open",
            "toolbar.state=Open;toolbar.file=Open"
        ),
        [
            "menu.state>toolbar.state key 0",
            "menu.file>toolbar.file key 0"
        ]
    );
    assert_eq!(
        renames("a=Open;b=Open", "x=Open;y=Open"),
        ["a>x order 0", "b>y order 0"]
    );
    assert_eq!(renames("a=Open;b=Open", "x=Open"), NONE);
    assert_eq!(renames("a=Open|p;b=Open|q", "x=Open|r;y=Open|s"), NONE);
}

#[test]
fn a_similar_source_needs_equal_translations_in_two_languages() {
    let (before, after) = (
        "a=Send message|Odeslat zprávu",
        "b=Send a message|Odeslat zprávu",
    );
    assert_eq!(renames(before, after), NONE);
    let third = |line: &str| format!("{line}|Nachricht senden");
    assert_eq!(
        renames(&third(before), &third(after)),
        ["a>b translations 2"]
    );
    assert_eq!(renames("a=Yes|ano|ja", "b=Certainly|ano|ja"), NONE);
    // A copy of the source in every language.
    assert_eq!(
        renames("a=OK now|OK now|OK now", "b=OK now!|OK now|OK now"),
        NONE
    );
}

#[test]
fn texts_that_msgmerge_carries_to_a_similar_source_are_evidence() {
    let (before, after) = (
        "a=Send message|Odeslat zprávu",
        "b=Send a message|Odeslat zprávu",
    );
    assert_eq!(renames_as(true, before, after), ["a>b translations 1"]);
    // In the other languages, translators have changed their texts with the source.
    let with = |line: &str, other: &str| format!("{line}|{other}|{other}");
    let (before, after) = (with(before, "Nachricht"), with(after, "Eine Nachricht"));
    assert_eq!(renames_as(true, &before, &after), ["a>b translations 1"]);
    assert_eq!(renames(&before, &after), NONE);
}

#[test]
fn a_previous_source_is_evidence_whatever_the_texts() {
    let before = "a=Open|Otevřít;b=Close|Zavřít";
    let named = |source: &str| format!("c=Show the file|Ukázat<{source};d=Other|x");
    assert_eq!(
        renames_as(true, before, &named("Open")),
        ["a>c previous-source 0"]
    );
    assert_eq!(renames_as(true, before, &named("Kept")), NONE);
    assert_eq!(renames(before, &named("Open")), NONE);
    // Two strings name it, or one that has several contexts.
    assert_eq!(
        renames_as(true, before, "c=Show|x<Open;d=Reveal|y<Open"),
        NONE
    );
    assert_eq!(
        renames_as(true, "a=Open|x;b=Open|y", "c=Show|x2<Open"),
        NONE
    );
    // The context tells them apart, or the number of languages.
    assert_eq!(
        renames_as(true, before, "c=Show|x<Open|y<Open;d=Reveal|y<Open|-"),
        ["a>c previous-source 0"]
    );
}

#[test]
fn keys_that_exchange_their_strings_are_renamed() {
    assert_eq!(
        renames("a=One|jedna;b=Two|dva", "a=Two|dva;b=One|jedna"),
        [
            "b>a source-and-translations 1",
            "a>b source-and-translations 1"
        ]
    );
    // A chain: each key gets the string of the one before.
    assert_eq!(
        renames("a=One|jedna;b=Two|dva", "b=One|jedna;c=Two|dva"),
        [
            "a>b source-and-translations 1",
            "b>c source-and-translations 1"
        ]
    );
    // Only the sources change places: both have new texts.
    assert_eq!(renames("a=One|x;b=Two|y", "a=Two|x;b=One|y"), NONE);
    // The string of a key moves away, and the key gets a new one.
    assert_eq!(renames("a=One|jedna", "a=New|-;b=One|jedna"), NONE);
}

#[test]
fn a_hundred_thousand_equal_strings_take_linear_time() {
    let string = |name| RenameCandidate {
        name,
        source: 0,
        twin: None,
    };
    let strings = |name| vec![string(name); 100_000];
    let found = find_string_renames(&RenameInput {
        removed: &strings("a"),
        added: &strings("b")[1..],
        languages: 20,
        translation: &|_, at, language| (language > 0).then_some((at % 300) as u32),
        previous_source: &|_, _| None,
        text: &|_| "Source",
        is_bilingual: false,
    });
    // Of 300 groups of equal texts, one has more removed than added strings.
    assert_eq!(found.len(), 99_999 - 333);
}

#[test]
fn long_keys_spend_more_of_the_budget_than_texts() {
    let input = RenameInput {
        removed: &[],
        added: &[],
        languages: 0,
        translation: &|_, _, _| None,
        previous_source: &|_, _| None,
        text: &|_| "",
        is_bilingual: false,
    };
    let mut matching = Matching {
        input: &input,
        to: Vec::new(),
        from: Vec::new(),
        budget: MAX_COMPARED,
    };
    assert!(!matching.can_compare_keys(MAX_COMPARED / 100, 1_000));
    assert!(matching.can_compare_keys(MAX_COMPARED / 100, 30));
    assert!(matching.can_compare(MAX_COMPARED / 2));
}

#[test]
fn keys_of_nearly_alike_strings_are_read_once_or_twice() {
    let names: Vec<String> = (0..4_096).map(|at| format!("settings.{at}")).collect();
    let strings = || {
        let candidate = |(at, name)| RenameCandidate {
            name,
            source: at as u32 / 64,
            twin: None,
        };
        let names = names.iter().map(String::as_str);
        names.enumerate().map(candidate).collect::<Vec<_>>()
    };
    let bytes: usize = names.iter().map(String::len).sum();
    let work = steps::of(|| {
        let found = find_string_renames(&RenameInput {
            removed: &strings(),
            added: &strings(),
            languages: 2,
            translation: &|_, _, _| Some(0),
            previous_source: &|_, _| None,
            text: &|_| "Source",
            is_bilingual: false,
        });
        assert_eq!(found.len(), names.len());
    });
    assert!(work <= bytes * 8, "{work} {bytes}");
}
