//! Compares the JSON dialects with naive readers.

use proptest::prelude::*;
use serde_json::{Map, Value};

use super::naive_reader::{NaiveEntries, naive};
use crate::{RawEntry, reader, reader_for};
use gitglot_model::FileFormat;

fn text() -> impl Strategy<Value = Value> {
    prop_oneof![
        4 => "[a-zé😀\"\\\\\n |{}]{0,8}",
        1 => prop::sample::select(vec!["", " ", "one | other", "no | one | many", "{'|'} | b"]).prop_map(str::to_owned),
    ]
    .prop_map(Value::from)
}

fn scalar() -> impl Strategy<Value = Value> {
    prop_oneof![
        12 => text(),
        1 => (-3..3i64).prop_map(Value::from),
        1 => any::<bool>().prop_map(Value::from),
        1 => Just(Value::Null),
    ]
}

fn name() -> impl Strategy<Value = String> {
    prop_oneof![
        6 => "(a|b|_a)(_(zero|one|two|few|many|other|plural|0|1|2|3|01|ordinal_one|ordinal_other))?",
        1 => prop::sample::select(vec!["", "_", "_0", "_plural", "@a", "@@locale", "_a.comment", "_b.x", "@", "é", "a.b"]).prop_map(str::to_owned),
    ]
}

fn object(value: impl Strategy<Value = Value> + 'static) -> impl Strategy<Value = Value> {
    prop::collection::vec((name(), value), 0..9).prop_map(|members| members.into_iter().collect())
}

fn tree() -> impl Strategy<Value = Value> {
    scalar().prop_recursive(3, 30, 6, |inner| {
        prop_oneof![5 => object(inner.clone().boxed()), 1 => prop::collection::vec(inner, 0..3).prop_map(Value::from)]
    })
}

/// An object with members of these names, mostly texts, of which `object` are objects.
fn message(
    names: &'static [&'static str],
    more: impl Strategy<Value = Value> + 'static,
) -> BoxedStrategy<Value> {
    let member = prop_oneof![12 => text(), 2 => more, 1 => scalar()];
    prop::collection::vec(
        (
            prop::sample::select(names.to_vec()).prop_map(str::to_owned),
            member,
        ),
        0..4,
    )
    .prop_map(|members| members.into_iter().collect())
    .boxed()
}

const CATEGORIES: [&str; 9] = [
    "zero",
    "one",
    "two",
    "few",
    "many",
    "other",
    "=0",
    "other",
    "description",
];

/// A file that fits at least one of the formats, more or less.
fn file() -> impl Strategy<Value = Value> {
    let placeholders = Just(Value::from(Map::new()));
    let metadata = message(
        &[
            "description",
            "placeholders",
            "defaultMessage",
            "other",
            "one",
        ],
        placeholders,
    );
    let forms = message(&CATEGORIES, Just(Value::Null));
    let case = message(&["msg", "x"], Just(Value::Null));
    let cases = message(&CATEGORIES, case)
        .prop_map(|cases| serde_json::json!({"select": {"cases": cases}}));
    let translation = prop_oneof![2 => forms.clone(), 1 => cases];
    let go = message(
        &[
            "translation",
            "translation",
            "description",
            "translatorComment",
        ],
        translation,
    );
    let go = (go, text()).prop_map(|(mut message, id)| {
        message["id"] = id;
        message
    });
    let messages = prop::collection::vec(go, 0..5)
        .prop_map(Value::from)
        .boxed();
    prop_oneof![
        6 => object(tree()),
        2 => object(prop_oneof![4 => text(), 1 => metadata.clone()]),
        2 => object(metadata),
        2 => object(prop_oneof![text(), forms]),
        2 => messages.clone(),
        2 => messages.prop_map(|messages| serde_json::json!({"messages": messages})),
        1 => tree(),
    ]
}

const DIALECTS: [FileFormat; 11] = [
    FileFormat::I18next,
    FileFormat::I18nextV4,
    FileFormat::VueI18n,
    FileFormat::Jsonc,
    FileFormat::Json5,
    FileFormat::Arb,
    FileFormat::FormatJs,
    FileFormat::GoI18nV1,
    FileFormat::GoI18nV2,
    FileFormat::Gotext,
    FileFormat::ResJson,
];

fn found(format: FileFormat, single: bool, file: &str) -> NaiveEntries {
    let mut rows = Vec::new();
    let mut sink = |entry: RawEntry<'_>| {
        let RawEntry {
            context,
            text,
            note,
            forms,
            translated,
            ..
        } = entry;
        rows.push((
            context.to_owned(),
            text.to_owned(),
            note.to_owned(),
            forms.to_vec(),
            translated,
        ));
    };
    let reader = if single {
        reader_for(format, true)
    } else {
        reader(format)
    };
    reader.read(file.as_bytes(), &mut sink).ok()?;
    Some(rows)
}

proptest! {
    #![proptest_config(ProptestConfig {
        failure_persistence: None,
        cases: 4 * ProptestConfig::default().cases,
        ..ProptestConfig::default()
    })]

    #[test]
    fn every_dialect_agrees_with_a_naive_reader(root in file(), pretty in any::<bool>(), single in any::<bool>()) {
        let file = if pretty { serde_json::to_string_pretty(&root) } else { serde_json::to_string(&root) };
        let file = file.unwrap();
        for format in DIALECTS {
            prop_assert_eq!(found(format, single, &file), naive(format, single, &root), "{} {}", format.name(), file);
        }
    }
}
