//! Properties of TS and XLIFF files: files that are written from texts in random ways have these texts, the readers agree
//! with naive ones, and an incremental parse of any version against any other equals a full parse.

use proptest::prelude::*;
use proptest::sample::select;

use crate::incremental::{self, Edit};
use crate::test_support::entries;
use crate::xml_naive_reader::{self as naive, NaiveEntry};
use crate::{RawEntry, reader};
use gitglot_model::FileFormat::{self, QtTs, Xliff, Xliff2};

/// A text and the ways in which its characters are written.
type Written = Vec<(char, u8)>;

fn written() -> impl Strategy<Value = Written> {
    let characters = prop::sample::select(vec![
        'a', 'b', '&', '<', '>', '"', ']', 'é', '中', '😀', ';',
    ]);
    prop::collection::vec((characters, 0..4u8), 0..8)
}

fn text(written: &Written) -> String {
    written.iter().map(|(character, _)| character).collect()
}

/// The text in XML: each character as itself or an entity, as a reference, or in a CDATA section.
fn xml(written: &Written) -> String {
    let one = |&(character, way): &(char, u8)| match (way, character) {
        (1, _) => format!("&#{};", u32::from(character)),
        (2, _) => format!("&#x{:x};", u32::from(character)),
        (3, _) => format!("<![CDATA[{character}]]>"),
        (_, '&') => "&amp;".to_owned(),
        (_, '<') => "&lt;".to_owned(),
        (_, '>') => "&gt;".to_owned(),
        _ => character.to_string(),
    };
    written.iter().map(one).collect()
}

/// The text as XLIFF shows it.
fn escaped(written: &Written) -> String {
    let text = text(written).replace('&', "&amp;");
    text.replace('<', "&lt;").replace('>', "&gt;")
}

/// A text in XML, of a few words so that texts resemble each other.
fn word() -> impl Strategy<Value = &'static str> {
    select(vec![
        "a",
        "b",
        "a b",
        "",
        "",
        "%n file(s)",
        "é &amp; x",
        "&lt;i&gt;",
        "<![CDATA[<c>]]>",
        "x&#10;y",
    ])
}

/// A message, or what is around messages.
fn message() -> impl Strategy<Value = String> {
    let tag = select(vec![
        "",
        "",
        "",
        " id=\"x\"",
        " id=\"a>b\"",
        "\n id='y'",
        " numerus=\"yes\"",
        " numerus=\"no\"",
    ]);
    let location = select(vec![
        "",
        "",
        "<location filename=\"a.cpp\" line=\"1\"/>\n",
        "<location filename=\"a.cpp\" line=\"2\"/>\n  <location filename=\"b.cpp\" line=\"7\"/>\n",
        "<location filename=\"a.cpp\" line=\"+2\"/>",
        "<location line=\"5\" filename='c.cpp' />\n",
    ]);
    let kind = select(vec![
        "",
        "",
        " type=\"unfinished\"",
        " type=\"vanished\"",
        " type=\"obsolete\"",
    ]);
    let comments = select(vec![
        "",
        "",
        "<comment>c</comment>\n",
        "<extracomment>e</extracomment>",
        "<translatorcomment>t</translatorcomment><extracomment>e</extracomment>\n",
    ]);
    let parts = (tag, location, word(), comments, kind, word(), word());
    let message = parts.prop_map(|(tag, location, source, comments, kind, one, other)| {
        let text = if tag.contains("yes") {
            format!("<numerusform>{one}</numerusform>\n<numerusform>{other}</numerusform>")
        } else {
            one.to_owned()
        };
        format!(
            "<message{tag}>\n  {location}<source>{source}</source>\n{comments}<translation{kind}>{text}</translation>\n</message>\n"
        )
    });
    let around = select(vec![
        "</context>\n<context><name>A</name>\n",
        "</context><context>\n<name>b</name>",
        "</context><context>",
        "<name>c</name>",
        "<message><source>m</source></message>",
        "<message><source>n</source><translation/></message>\n",
    ]);
    prop_oneof![6 => message, 1 => around.prop_map(str::to_owned)]
}

fn ts_file(messages: &[String]) -> String {
    let all = messages.concat();
    format!(
        "<?xml version=\"1.0\"?>\n<!DOCTYPE TS>\n<TS version=\"2.1\"><context><name>A</name>\n{all}</context></TS>\n"
    )
}

/// A unit of XLIFF 1, or what is around units.
fn trans_unit() -> impl Strategy<Value = String> {
    let tag = select(vec![
        "",
        "",
        "",
        " resname=\"r\"",
        " resname='a>b'",
        " xml:space=\"preserve\"",
        " translate=\"no\"",
        " maxwidth=\"5\"",
    ]);
    let text = || {
        let texts = vec![
            "",
            "a",
            "b",
            " a  b ",
            "a <x id=\"1\"/>b",
            "<g id='2'>c\n d</g>",
            "<x id=\"1\" />",
            "é &amp; x",
        ];
        select(texts)
    };
    let state = select(vec![
        "",
        "",
        " state=\"new\"",
        " state=\"needs-translation\"",
        " state=\"final\"",
    ]);
    let after = select(vec![
        "",
        "",
        "<note>n</note>\n",
        "<note from=\"a\"> n\n m </note><note/>",
    ]);
    let parts = (0..4u8, tag, text(), state, text(), after);
    let unit = parts.prop_map(|(id, tag, source, state, target, after)| {
        format!(
            "<trans-unit id=\"{id}\"{tag}>\n<source>{source}</source>\n<target{state}>{target}</target>\n{after}</trans-unit>\n"
        )
    });
    let around = select(vec![
        "</body></file><file original=\"b\"><body>",
        "</body></file>\n<file><body>\n",
        "<group><trans-unit id=\"g\"><source>a</source></trans-unit></group>",
        "<trans-unit id=\"s\"/>",
    ]);
    prop_oneof![6 => unit, 1 => around.prop_map(str::to_owned)]
}

fn xliff_file(units: &[String]) -> String {
    let all = units.concat();
    format!("<xliff version=\"1.2\"><file original=\"a\"><body>{all}</body></file></xliff>")
}

/// A unit of XLIFF 2.
fn unit() -> impl Strategy<Value = String> {
    let text = || {
        select(vec![
            "a",
            "b",
            " a  b ",
            "a <ph id=\"1\"/>b",
            "<pc id='2'>c</pc>",
            "é &amp; x",
        ])
    };
    let segment = (
        select(vec!["", "", " id=\"s\""]),
        text(),
        any::<bool>(),
        text(),
    );
    let segment = segment.prop_map(|(id, source, has_target, target)| {
        let target = if has_target {
            format!("<target>{target}</target>")
        } else {
            String::new()
        };
        format!("<segment{id}>\n<source>{source}</source>{target}</segment>\n")
    });
    let segments = prop_oneof![
        9 => segment.clone(),
        1 => prop::collection::vec(segment, 0..3).prop_map(|all| all.concat()),
    ];
    (0..6u8, segments).prop_map(|(id, segments)| format!("<unit id=\"{id}\">{segments}</unit>\n"))
}

fn xliff2_file(units: &[String]) -> String {
    let all = units.concat();
    format!("<xliff version=\"2.0\" trgLang=\"cs\"><file id=\"f\">{all}</file></xliff>")
}

/// The entries of a file as a naive reader has them.
fn read(format: FileFormat, file: &str) -> Vec<NaiveEntry> {
    let mut found = Vec::new();
    let mut sink = |entry: RawEntry<'_>| {
        let fields = entry.bilingual.copied().unwrap_or_default();
        let texts = [
            entry.context,
            fields.source,
            entry.text,
            entry.note,
            fields.locations,
            fields.flags,
        ];
        found.push((texts.map(str::to_owned), fields.fuzzy, entry.translated));
    };
    let read = reader(format).read(file.as_bytes(), &mut sink);
    assert_eq!(read, Ok(()), "{file}");
    found
}

/// The result of a naive reader, where an entry whose source and context make the same text as those of an earlier one has
/// these.
fn with_identities(mut entries: Vec<NaiveEntry>) -> Vec<NaiveEntry> {
    for at in 0..entries.len() {
        let joined = |it: &NaiveEntry| [&*it.0[1], &*it.0[0]].concat();
        let (before, rest) = entries.split_at_mut(at);
        let first = before.iter().find(|it| joined(it) == joined(&rest[0]));
        if let Some(first) = first {
            rest[0].0[0].clone_from(&first.0[0]);
            rest[0].0[1].clone_from(&first.0[1]);
        }
    }
    entries
}

/// Versions of a file after changes.
fn versions(
    mut parts: Vec<String>,
    edits: &[Vec<Edit>],
    file: fn(&[String]) -> String,
) -> Vec<String> {
    let mut versions = vec![file(&parts)];
    for edits in edits {
        edits.iter().for_each(|edit| edit.apply(&mut parts));
        versions.push(file(&parts));
    }
    versions
}

fn edits(part: impl Strategy<Value = String>) -> impl Strategy<Value = Vec<Vec<Edit>>> {
    let lines = [
        "",
        "<source>new</source>\n",
        "<location filename=\"d.cpp\" line=\"9\"/>\n",
        "<!-- c -->\n",
        "<note>m</note>\n",
        "</message><message>\n",
    ];
    let edits = prop::collection::vec(incremental::edit(part, &lines), 0..4);
    prop::collection::vec(edits, 1..6)
}

proptest! {
    #![proptest_config(ProptestConfig {
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn units_have_the_texts_that_were_written(
        units in prop::collection::vec((written(), written(), written(), any::<bool>()), 0..6),
    ) {
        let unit = |(number, (source, target, note, grouped)): (usize, &(Written, Written, Written, bool))| {
            let unit = format!(
                "<trans-unit id=\"{number}\">\n<source>a{}</source><target>{}</target><note>{}</note></trans-unit>\n",
                xml(source), xml(target), xml(note),
            );
            if *grouped { format!("<group>{unit}</group>") } else { unit }
        };
        let all: String = units.iter().enumerate().map(unit).collect();
        let file = format!("<xliff version=\"1.2\"><file original=\"f\"><body>{all}</body></file></xliff>");
        let found = entries(Xliff, file.as_bytes()).unwrap();
        prop_assert_eq!(found.len(), units.len());
        for (number, (found, (_, target, note, _))) in found.iter().zip(&units).enumerate() {
            prop_assert_eq!(&found.context, &format!("f///{number}"));
            prop_assert_eq!(&found.text, &escaped(target));
            prop_assert_eq!(&found.note, &text(note));
            prop_assert_eq!(found.translated, !target.is_empty());
        }
    }

    #[test]
    fn messages_have_the_texts_that_were_written(
        messages in prop::collection::vec((written(), written(), written(), 0..3u8), 0..6),
    ) {
        let message = |(source, target, note, state): &(Written, Written, Written, u8)| {
            let kind = [" type=\"unfinished\"", " type=\"vanished\"", ""][usize::from(*state)];
            format!(
                "<message><source>{}</source><extracomment>{}</extracomment>\n<translation{kind}>{}</translation></message>",
                xml(source), xml(note), xml(target),
            )
        };
        let all: String = messages.iter().map(message).collect();
        let file = format!("<TS><context><name>C</name>{all}</context></TS>");
        let found = entries(QtTs, file.as_bytes()).unwrap();
        prop_assert_eq!(found.len(), messages.len());
        for (found, (source, target, note, state)) in found.iter().zip(&messages) {
            let is_unfinished = *state == 0;
            let is_source = target.is_empty() && !is_unfinished;
            prop_assert_eq!(&found.text, &text(if is_source { source } else { target }));
            prop_assert_eq!(&found.note, &text(note));
            prop_assert_eq!(found.translated, !is_unfinished);
        }
    }

    #[test]
    fn the_readers_agree_with_naive_ones(
        messages in prop::collection::vec(message(), 0..8),
        units in prop::collection::vec(trans_unit(), 0..8),
        others in prop::collection::vec(unit(), 0..8),
    ) {
        let (ts, xliff, xliff2) = (ts_file(&messages), xliff_file(&units), xliff2_file(&others));
        prop_assert_eq!(read(QtTs, &ts), with_identities(naive::ts(&ts)), "{}", ts);
        prop_assert_eq!(read(Xliff, &xliff), with_identities(naive::xliff(&xliff)), "{}", xliff);
        prop_assert_eq!(read(Xliff2, &xliff2), with_identities(naive::xliff2(&xliff2)), "{}", xliff2);
    }

    #[test]
    fn an_incremental_parse_of_messages_equals_a_full_parse(
        messages in prop::collection::vec(message(), 0..12),
        edits in edits(message()),
    ) {
        incremental::check(QtTs, &versions(messages, &edits, ts_file));
    }

    #[test]
    fn an_incremental_parse_of_units_equals_a_full_parse(
        units in prop::collection::vec(trans_unit(), 0..12),
        edits in edits(trans_unit()),
    ) {
        incremental::check(Xliff, &versions(units, &edits, xliff_file));
    }

    #[test]
    fn an_incremental_parse_of_segments_equals_a_full_parse(
        units in prop::collection::vec(unit(), 0..12),
        edits in edits(unit()),
    ) {
        incremental::check(Xliff2, &versions(units, &edits, xliff2_file));
    }
}

/// The number of entries that are reused in the second of two versions.
fn reused(format: FileFormat, old: &str, new: &str) -> usize {
    incremental::check(format, &[old.to_owned(), new.to_owned()])
}

#[test]
fn only_changed_messages_are_parsed() {
    let message = |n: usize| {
        format!(
            "<message>\n<location filename=\"a.cpp\" line=\"{n}\"/>\n<source>Source {n}</source>\n<translation>Text {n}</translation>\n</message>\n"
        )
    };
    let mut messages: Vec<String> = (0..100).map(message).collect();
    messages.insert(50, "</context>\n<context><name>Other</name>\n".to_owned());
    let old = ts_file(&messages);
    let after = |change: &dyn Fn(&str) -> String| reused(QtTs, &old, &change(&old));
    assert_eq!(after(&str::to_owned), 100);
    assert_eq!(after(&|it| it.replace("line=\"", "line=\"1")), 100);
    assert_eq!(
        after(&|it| it.replace("<location filename=\"a.cpp\" line=\"7\"/>\n", "")),
        100
    );
    assert_eq!(after(&|it| it.replace(">Text 77<", ">New<")), 99);
    assert_eq!(after(&|it| it.replace("Other", "New")), 50);
    assert_eq!(after(&|it| it.replace("<TS ", "<TS language=\"cs\" ")), 100);
    assert_eq!(
        after(&|it| it.replace("<message>", "<message id=\"x\">")),
        0
    );
    let mut moved = messages.clone();
    moved[..50].rotate_right(7);
    assert_eq!(reused(QtTs, &old, &ts_file(&moved)), 100);
}

#[test]
fn only_changed_units_are_parsed() {
    let unit = |n| {
        format!(
            "<trans-unit id=\"{n}\">\n<source>Source {n}</source>\n<target>Text {n}</target></trans-unit>\n"
        )
    };
    let units: Vec<String> = (0..100).map(unit).collect();
    let old = xliff_file(&units);
    let after = |change: &dyn Fn(&str) -> String| reused(Xliff, &old, &change(&old));
    assert_eq!(after(&str::to_owned), 100);
    assert_eq!(
        after(&|it| it.replace("<file ", "<file date=\"now\" ")),
        100
    );
    assert_eq!(after(&|it| it.replace("Text 77<", "New<")), 99);
    assert_eq!(
        after(&|it| it.replace("original=\"a\"", "original=\"b\"")),
        0
    );
    assert_eq!(after(&|it| it.replace("<body>", "<body xmlns:a=\"b\">")), 0);
    assert_eq!(
        after(&|it| format!("<!DOCTYPE x [<!ENTITY a \"b\">]>{it}")),
        0
    );
}
