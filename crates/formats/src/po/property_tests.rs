//! Properties of PO files: the reader agrees with a naive one, and an incremental parse of any version against any other
//! equals a full parse.

use proptest::prelude::*;
use proptest::sample::select;

use super::naive_reader::{self, NaiveEntry};
use crate::incremental::{self, Edit};
use crate::reader;
use gitglot_model::FileFormat::Po;

/// The number of reused entries.
fn check(versions: &[String]) -> usize {
    incremental::check(Po, versions)
}

/// The lines of one entry, of a few words so that entries resemble each other.
fn paragraph() -> impl Strategy<Value = String> {
    let word = || select(vec!["a", "b", "a b", "", "%d\\n", "\\\"é", "x\\\\"]);
    let note = select(vec![
        "",
        "",
        "#: a.c:1\n",
        "#: a.c:2 b.c:3\n",
        "# note\n",
        "#. extracted\n",
        "#: a\n# n\n",
    ]);
    let flags = select(vec![
        "",
        "",
        "",
        "#, fuzzy\n",
        "#, c-format\n",
        "#, fuzzy, c-format\n",
    ]);
    let previous = select(vec![
        "",
        "",
        "#| msgid \"a\"\n",
        "#| msgid \"\"\n#| \"b\"\n",
    ]);
    let context = select(vec!["", "", "", "msgctxt \"a\"\n", "msgctxt \"b\"\n"]);
    let id = prop_oneof![
        8 => word().prop_map(|it| format!("msgid \"{it}\"\n")),
        1 => (word(), word()).prop_map(|(a, b)| format!("msgid \"\"\n\"{a}\"\n\"{b}\"\n")),
    ];
    let text = prop_oneof![
        6 => word().prop_map(|it| format!("msgstr \"{it}\"\n")),
        1 => (word(), word()).prop_map(|(a, b)| format!("msgstr \"{a}\"\n\"{b}\"\n")),
        1 => (word(), word()).prop_map(|(a, b)| format!("msgid_plural \"{a}\"\nmsgstr[0] \"{b}\"\nmsgstr[1] \"\"\n")),
    ];
    (note, flags, previous, context, id, text)
        .prop_map(|(a, b, c, d, e, f)| [a, b, c, d, &e, &f].concat())
}

fn header() -> impl Strategy<Value = String> {
    select(vec![
        "1; plural=0",
        "2; plural=n!=1",
        "3; plural=n%3",
        "2; plural=?",
    ])
    .prop_map(|it| format!("msgid \"\"\nmsgstr \"Plural-Forms: nplurals={it};\\n\"\n"))
}

/// Paragraphs of a file, some of which are headers, obsolete, or no entries at all.
fn paragraphs() -> impl Strategy<Value = Vec<String>> {
    let obsolete = paragraph().prop_map(|it| {
        let lines = it.lines().filter(|line| !line.starts_with('#'));
        lines.map(|line| format!("#~ {line}\n")).collect()
    });
    let odd = select(vec![
        "#~\n",
        "#~| msgid \"a\"\n",
        "\"x\"\n",
        "# end\n",
        "msgstr[2] \"c\"\n",
        "\r\n",
        "msgid\n",
    ]);
    let any = prop_oneof![
        12 => paragraph(),
        1 => header(),
        1 => obsolete,
        1 => odd.prop_map(str::to_owned),
    ];
    prop::collection::vec(any, 0..12)
}

fn edit() -> impl Strategy<Value = Edit> {
    let lines = [
        "",
        "#: c.c:9\n",
        "#, fuzzy\n",
        "msgstr \"new\"\n",
        "\"more\"\n",
        "# n\r\n",
        "#~ msgid \"a\"\n",
    ];
    incremental::edit(paragraph(), &lines)
}

proptest! {
    #![proptest_config(ProptestConfig {
        failure_persistence: None,
        cases: 4 * ProptestConfig::default().cases,
        ..ProptestConfig::default()
    })]

    #[test]
    fn an_incremental_parse_equals_a_full_parse(
        mut paragraphs in paragraphs(),
        edits in prop::collection::vec(prop::collection::vec(edit(), 0..4), 1..6),
        between in select(vec!["\n", "", "\r\n", "\n \n"]),
    ) {
        let mut versions = vec![paragraphs.join(between)];
        for edits in edits {
            edits.iter().for_each(|edit| edit.apply(&mut paragraphs));
            versions.push(paragraphs.join(between));
        }
        check(&versions);
    }

    #[test]
    fn the_reader_agrees_with_a_naive_one(header in header(), entries in prop::collection::vec(paragraph(), 0..10)) {
        let text = [header].into_iter().chain(entries).collect::<Vec<_>>().join("\n");
        let mut found = Vec::new();
        let read = reader(Po).read(text.as_bytes(), &mut |entry| {
            let fields = entry.bilingual.copied().unwrap_or_default();
            found.push(NaiveEntry {
                context: entry.context.to_owned(),
                source: fields.source.to_owned(),
                text: entry.text.to_owned(),
                note: entry.note.to_owned(),
                previous: fields.previous_source.to_owned(),
                locations: fields.locations.to_owned(),
                flags: fields.flags.to_owned(),
                fuzzy: fields.fuzzy,
            });
        });
        prop_assert!(read.is_ok(), "{read:?}: {text}");
        let naive = naive_reader::read(&text);
        prop_assert_eq!(Some(found), naive, "{}", text);
    }
}

/// A file of some entries.
fn file(count: usize) -> Vec<String> {
    let entry = |n| format!("#: a.c:{n}\nmsgid \"Source {n}\"\nmsgstr \"Text {n}\"\n");
    let header = "msgid \"\"\nmsgstr \"Plural-Forms: nplurals=2; plural=n!=1;\\n\"\n".to_owned();
    [header].into_iter().chain((0..count).map(entry)).collect()
}

/// The number of entries that are reused when a change is read.
fn reused(count: usize, change: impl FnOnce(&mut Vec<String>)) -> usize {
    let mut paragraphs = file(count);
    let old = paragraphs.join("\n");
    change(&mut paragraphs);
    check(&[old, paragraphs.join("\n")])
}

#[test]
fn only_changed_entries_are_parsed() {
    let replaced = |from: &'static str, to: &'static str| {
        move |all: &mut Vec<String>| all.iter_mut().for_each(|it| *it = it.replace(from, to))
    };
    assert_eq!(reused(500, |_| ()), 500);
    assert_eq!(reused(500, replaced("a.c:", "src/b.c:1")), 500);
    assert_eq!(reused(500, replaced("Text 77\"", "New\"")), 499);
    assert_eq!(reused(500, |all| all.rotate_right(100)), 500);
    assert_eq!(reused(500, |all| drop(all.drain(100..200))), 400);
    assert_eq!(
        reused(500, |all| all
            .insert(9, "msgid \"x\"\nmsgstr \"\"\n".into())),
        500
    );
    assert_eq!(reused(500, replaced("nplurals=2", "nplurals=3")), 500);
}

#[test]
fn entries_that_depend_on_others_are_parsed() {
    let plural = "msgid \"f\"\nmsgid_plural \"fs\"\nmsgstr[0] \"\"\nmsgstr[1] \"\"\n";
    let versions = ["2", "3"].map(|forms| {
        let mut paragraphs = file(3);
        paragraphs.push(plural.to_owned());
        paragraphs
            .join("\n")
            .replace("nplurals=2", &format!("nplurals={forms}"))
    });
    assert_eq!(check(&versions), 3);
    // Joined, both are the same: the second one is a duplicate of the first.
    let other = "msgctxt \"e 2\"\nmsgid \"Sourc\"\nmsgstr \"\"\n".to_owned();
    assert_eq!(reused(3, |all| all.push(other)), 0);
}
