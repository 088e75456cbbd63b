//! Properties of any file and any change to it: an incremental parse equals a full parse, and a full parse agrees
//! with serde_json.

use std::fmt::Write as _;

use proptest::prelude::*;
use proptest::sample::Index;
use serde_json::Value;

use crate::Outline;
use crate::test_support::{Owned, entries, read, reparse};
use gitglot_model::FileFormat::{self, Json, WebExtension};

/// A value that can be edited before it is written down.
#[derive(Clone, Debug)]
enum Node {
    /// A string, number, boolean or null as it is written.
    Leaf(String),
    Array(Vec<Node>),
    /// Names are as they are written, with their quotes.
    Object(Vec<(String, Node)>),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Style {
    Dense,
    Lines,
    Odd,
}

impl Node {
    fn write(&self, style: Style, depth: usize, out: &mut String) {
        let (comma, colon) = match style {
            Style::Dense => (",", ":"),
            Style::Lines => (",", ": "),
            Style::Odd => ("\t, ", " :\r\n"),
        };
        let line = |out: &mut String, depth: usize| {
            if style == Style::Lines {
                let _ = write!(out, "\n{:1$}", "", depth * 2);
            }
        };
        match self {
            Self::Leaf(text) => out.push_str(text),
            Self::Array(elements) => {
                out.push('[');
                for (index, element) in elements.iter().enumerate() {
                    out.push_str(if index > 0 { comma } else { "" });
                    line(out, depth + 1);
                    element.write(style, depth + 1, out);
                }
                out.push(']');
            }
            Self::Object(members) => {
                out.push('{');
                for (index, (name, value)) in members.iter().enumerate() {
                    out.push_str(if index > 0 { comma } else { "" });
                    line(out, depth + 1);
                    out.push_str(name);
                    out.push_str(colon);
                    value.write(style, depth + 1, out);
                }
                line(out, depth);
                out.push('}');
            }
        }
    }

    fn text(&self, style: Style) -> String {
        let mut out = String::new();
        self.write(style, 0, &mut out);
        out
    }

    fn count_objects(&self) -> usize {
        match self {
            Self::Leaf(_) => 0,
            Self::Array(elements) => elements.iter().map(Self::count_objects).sum(),
            Self::Object(members) => {
                1 + members
                    .iter()
                    .map(|(_, value)| value.count_objects())
                    .sum::<usize>()
            }
        }
    }

    /// The object after `skip` others.
    fn object(&mut self, skip: &mut usize) -> Option<&mut Vec<(String, Self)>> {
        match self {
            Self::Leaf(_) => None,
            Self::Array(elements) => elements.iter_mut().find_map(|element| element.object(skip)),
            Self::Object(members) => {
                if *skip == 0 {
                    return Some(members);
                }
                *skip -= 1;
                members.iter_mut().find_map(|(_, value)| value.object(skip))
            }
        }
    }
}

/// A change to a file.
#[derive(Clone, Debug)]
enum Edit {
    /// To some member of some object.
    Members(Index, Index, Change),
    Restyle(Style),
    /// To the bytes of the file, for one version: these many from there become those.
    Bytes(Index, usize, Vec<u8>),
}

/// A change to the members of an object.
#[derive(Clone, Debug)]
enum Change {
    Insert(String, Node),
    Remove(usize),
    Value(Node),
    Name(String),
    Swap(Index),
    Repeat(Index),
}

impl Change {
    /// Changes the member at a position, if there is one.
    fn apply(&self, members: &mut Vec<(String, Node)>, at: Index) {
        if let Self::Insert(name, value) = self {
            return members.insert(at.index(members.len() + 1), (name.clone(), value.clone()));
        }
        if members.is_empty() {
            return;
        }
        let count = members.len();
        let at = at.index(count);
        match self {
            Self::Insert(..) => {}
            Self::Remove(some) => drop(members.drain(at..(at + some).min(count))),
            Self::Value(value) => members[at].1 = value.clone(),
            Self::Name(name) => members[at].0.clone_from(name),
            Self::Swap(other) => members.swap(at, other.index(count)),
            Self::Repeat(to) => {
                let member = members[at].clone();
                members.insert(to.index(count + 1), member);
            }
        }
    }
}

fn name() -> impl Strategy<Value = String> {
    prop_oneof![
        20 => "[a-z]{1,2}".prop_map(|name| format!("\"{name}\"")),
        1 => "[a-c]".prop_map(|name| format!("\"\\u{:04x}\"", u32::from(name.as_bytes()[0]))),
        1 => Just("\"\"".to_owned()),
        1 => Just("\"message\"".to_owned()),
        1 => "[a-zé.\\[\\]]{1,60}".prop_map(|name| format!("\"{name}\"")),
    ]
}

fn leaf() -> impl Strategy<Value = Node> {
    prop_oneof![
        6 => "[a-zéλ中😀 .,:{}]{0,12}".prop_map(|text| format!("\"{text}\"")),
        1 => "[a-z]{0,5}".prop_map(|text| format!("\"{text}\\\"\\n\\u00e9\\ud83d\\ude00{text}\"")),
        1 => "-?(0|[1-9][0-9]{0,25})(\\.[0-9]{1,3})?([eE][+-]?[0-9]{1,3})?",
        1 => prop::sample::select(vec!["true", "false", "null", "-0", "1e16", "12", "123"]).prop_map(String::from),
    ]
    .prop_map(Node::Leaf)
}

fn node() -> impl Strategy<Value = Node> {
    leaf().prop_recursive(4, 40, 8, |inner| {
        prop_oneof![
            1 => prop::collection::vec(inner.clone(), 0..4).prop_map(Node::Array),
            4 => prop::collection::vec((name(), inner), 0..8).prop_map(Node::Object),
        ]
    })
}

/// A file of texts: mostly an object.
fn texts() -> impl Strategy<Value = Node> {
    prop_oneof![1 => node(), 9 => prop::collection::vec((name(), node()), 0..40).prop_map(Node::Object)]
}

/// A message of an extension, mostly in order.
fn message() -> impl Strategy<Value = Node> {
    let part = prop_oneof![
        5 => Just("\"message\""),
        2 => Just("\"description\""),
        1 => Just("\"placeholders\""),
        1 => Just("\"m\\u0065ssage\"")
    ];
    let parts = prop::collection::vec(
        (
            part.prop_map(String::from),
            prop_oneof![5 => leaf(), 1 => node()],
        ),
        0..4,
    );
    prop_oneof![30 => parts.prop_map(Node::Object), 1 => node()]
}

/// A file of messages.
fn messages() -> impl Strategy<Value = Node> {
    prop_oneof![1 => node(), 20 => prop::collection::vec((name(), message()), 0..30).prop_map(Node::Object)]
}

fn edit(value: impl Strategy<Value = Node> + Clone + 'static) -> impl Strategy<Value = Edit> {
    let bytes = prop::collection::vec(
        prop_oneof![
            3 => prop::sample::select(b"{}[],:\" \n\\01-.eu".to_vec()),
            1 => prop::sample::select(vec![0xC3, 0xA9, 0xFF, 0xE4, 0xB8, 0xEF, 0xBB, 0xBF, 0x00]),
            1 => prop::sample::select(b"abc".to_vec())
        ],
        0..4,
    );
    let index = any::<Index>;
    let change = prop_oneof![
        4 => (name(), value.clone()).prop_map(|(name, value)| Change::Insert(name, value)),
        3 => (1..6usize).prop_map(Change::Remove),
        4 => value.prop_map(Change::Value),
        2 => name().prop_map(Change::Name),
        2 => index().prop_map(Change::Swap),
        1 => index().prop_map(Change::Repeat),
    ];
    prop_oneof![
        16 => (index(), index(), change).prop_map(|(object, at, change)| Edit::Members(object, at, change)),
        1 => prop::sample::select(vec![Style::Dense, Style::Lines, Style::Odd]).prop_map(Edit::Restyle),
        6 => (index(), 0..4usize, bytes).prop_map(|(at, count, bytes)| Edit::Bytes(at, count, bytes)),
    ]
}

/// The versions of a file: the first, and one after each group of edits.
fn versions(mut root: Node, mut style: Style, edits: &[Vec<Edit>]) -> Vec<Vec<u8>> {
    let mut versions = vec![root.text(style).into_bytes()];
    for group in edits {
        for edit in group {
            match edit {
                Edit::Members(object, at, change) => {
                    let mut skip = object.index(root.count_objects().max(1));
                    if let Some(members) = root.object(&mut skip) {
                        change.apply(members, *at);
                    }
                }
                Edit::Restyle(other) => style = *other,
                Edit::Bytes(..) => {}
            }
        }
        let mut bytes = root.text(style).into_bytes();
        for edit in group {
            if let Edit::Bytes(at, count, with) = edit {
                let from = at.index(bytes.len() + 1);
                let until = (from + count).min(bytes.len());
                bytes.splice(from..until, with.iter().copied());
            }
        }
        versions.push(bytes);
    }
    versions
}

/// Reads the versions one after another, each against the last that could be read.
fn reparse_equals_read(format: FileFormat, versions: &[Vec<u8>]) -> Result<(), TestCaseError> {
    let mut outline = Outline::default();
    let (mut last, mut list): (&[u8], Vec<Owned>) = (b"", vec![]);
    for bytes in versions {
        let mut new_names = Outline::default();
        let expected = read(format, bytes, &mut new_names);
        let before = outline.clone();
        let found = reparse(format, last, &mut outline, &list, bytes).map(|(list, _)| list);
        prop_assert_eq!(
            &found,
            &expected,
            "{} after {}",
            bytes.escape_ascii(),
            last.escape_ascii()
        );
        if let Ok(entries) = found {
            prop_assert_eq!(
                &outline,
                &new_names,
                "{} after {}",
                bytes.escape_ascii(),
                last.escape_ascii()
            );
            (last, list) = (bytes, entries);
        } else {
            prop_assert_eq!(&outline, &before);
        }
    }
    Ok(())
}

fn style() -> impl Strategy<Value = Style> {
    prop_oneof![1 => Just(Style::Dense), 3 => Just(Style::Lines), 1 => Just(Style::Odd)]
}

fn edits(
    value: impl Strategy<Value = Node> + Clone + 'static,
) -> impl Strategy<Value = Vec<Vec<Edit>>> {
    prop::collection::vec(prop::collection::vec(edit(value), 1..4), 1..8)
}

proptest! {
    #![proptest_config(ProptestConfig {
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn an_incremental_parse_of_texts_equals_a_full_parse(
        root in texts(), style in style(), edits in edits(node().boxed()),
    ) {
        reparse_equals_read(Json, &versions(root, style, &edits))?;
    }

    #[test]
    fn an_incremental_parse_of_messages_equals_a_full_parse(
        root in messages(), style in style(), edits in edits(message().boxed()),
    ) {
        reparse_equals_read(WebExtension, &versions(root, style, &edits))?;
    }

    #[test]
    fn an_incremental_parse_against_any_file_equals_a_full_parse(
        files in prop::collection::vec((texts(), style()), 2..5),
    ) {
        let files: Vec<_> = files.into_iter().map(|(root, style)| root.text(style).into_bytes()).collect();
        reparse_equals_read(Json, &files)?;
    }

    #[test]
    fn a_full_parse_agrees_with_serde_json(
        root in texts(), style in style(), edits in edits(node().boxed()),
    ) {
        for bytes in versions(root, style, &edits) {
            // These are accepted here and not there.
            if bytes.is_empty() || bytes.starts_with(b"\xEF\xBB\xBF") {
                continue;
            }
            match serde_json::from_slice::<Value>(&bytes) {
                Ok(value) => {
                    let mut expected = Vec::new();
                    flatten(&value, String::new(), &mut expected);
                    let found = entries(Json, &bytes);
                    let explained = |error| TestCaseError::fail(format!("{error}: {}", bytes.escape_ascii()));
                    let found = found.map_err(explained)?;
                    prop_assert_eq!(found.len(), expected.len());
                    for (entry, (context, value)) in found.iter().zip(expected) {
                        prop_assert_eq!(&entry.context, &context);
                        same_value(entry, value)?;
                    }
                }
                Err(_) => prop_assert!(entries(Json, &bytes).is_err(), "{}", bytes.escape_ascii()),
            }
        }
    }
}

fn flatten<'a>(value: &'a Value, path: String, out: &mut Vec<(String, &'a Value)>) {
    match value {
        Value::Object(members) => members
            .iter()
            .for_each(|(name, value)| flatten(value, format!("{path}.{name}"), out)),
        Value::Array(elements) => {
            elements
                .iter()
                .enumerate()
                .for_each(|(index, value)| flatten(value, format!("{path}[{index}]"), out));
        }
        leaf => out.push((path, leaf)),
    }
}

fn same_value(entry: &Owned, value: &Value) -> Result<(), TestCaseError> {
    match value {
        Value::String(text) => prop_assert_eq!(&entry.text, text),
        Value::Bool(truth) => {
            prop_assert_eq!(entry.text.as_str(), if *truth { "True" } else { "False" })
        }
        Value::Null => prop_assert_eq!(entry.text.as_str(), ""),
        Value::Number(number) if number.is_f64() => {
            // Whole numbers beyond 64 bits are floats there, and the last digits of floats are not exact.
            let (ours, theirs) = (
                entry.text.parse::<f64>().unwrap_or(f64::NAN),
                number.as_f64().unwrap_or(f64::NAN),
            );
            prop_assert!(
                (ours - theirs).abs() <= theirs.abs() * 1e-14,
                "{ours} {theirs}"
            );
        }
        Value::Number(number) => prop_assert_eq!(&entry.text, &number.to_string()),
        Value::Array(_) | Value::Object(_) => prop_assert!(false, "a leaf is expected"),
    }
    let truthy = match value {
        Value::String(text) => !text.is_empty(),
        Value::Bool(truth) => *truth,
        Value::Number(number) => number.as_f64() != Some(0.0),
        _ => false,
    };
    prop_assert_eq!(entry.translated, truthy);
    Ok(())
}

/// A flat file with that many members, after case `change` does to their names and texts.
fn flat(members: usize, change: impl Fn(&mut Vec<(String, String)>)) -> Vec<u8> {
    let mut list = (0..members)
        .map(|i| (format!("\"name {i}\""), format!("\"text {i}\"")))
        .collect();
    change(&mut list);
    let lines: Vec<_> = list
        .iter()
        .map(|(name, text)| format!("  {name}: {text}"))
        .collect();
    format!("{{\n{}\n}}\n", lines.join(",\n")).into_bytes()
}

#[test]
fn an_incremental_parse_emits_changes_and_their_neighbours() {
    type Change = fn(&mut Vec<(String, String)>);
    let cases: [(&str, Change, usize); 9] = [
        ("nothing", |_| {}, 0),
        (
            "the first and the last",
            |l| {
                [0, 999]
                    .into_iter()
                    .for_each(|at| l[at].1 = "\"new\"".into())
            },
            2,
        ),
        (
            "one in a hundred",
            |l| {
                (0..1000)
                    .step_by(100)
                    .for_each(|at| l[at].1 = "\"new\"".into())
            },
            10,
        ),
        (
            "two new ones",
            |l| {
                [200, 700]
                    .into_iter()
                    .for_each(|at| l.insert(at, (format!("\"{at}\""), "\"\"".into())))
            },
            4,
        ),
        (
            "one new at the end",
            |l| l.push(("\"new\"".into(), "\"\"".into())),
            2,
        ),
        (
            "some gone",
            |l| [900, 500, 0].into_iter().for_each(|at| drop(l.remove(at))),
            3,
        ),
        ("three hundred gone", |l| drop(l.drain(300..600)), 20),
        (
            "one moved up",
            |l| {
                let it = l.remove(800);
                l.insert(100, it);
            },
            4,
        ),
        ("one renamed", |l| l[500].0 = "\"new\"".into(), 1),
    ];
    for (case, change, most) in cases {
        let (old, new) = (flat(1000, |_| {}), flat(1000, change));
        let mut outline = Outline::default();
        let list = read(Json, &old, &mut outline).unwrap();
        let (found, reused) = reparse(Json, &old, &mut outline, &list, &new).unwrap();
        assert_eq!(found, entries(Json, &new).unwrap(), "{case}");
        assert!(
            found.len() - reused <= most,
            "{case}: {} of {} were emitted",
            found.len() - reused,
            found.len()
        );
    }
}
