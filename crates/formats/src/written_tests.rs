//! Compares readers with files that are written from known entries, for the formats that are not JSON.

use proptest::prelude::*;

use super::{RawEntry, reader};
use gitglot_model::PluralForm::{self, Few, One, Other};
use gitglot_model::{FileFormat, PLURAL_SEPARATOR};

/// An entry to write.
#[derive(Clone, Debug)]
struct Written {
    name: String,
    text: String,
    /// Further plural forms, where the format has them.
    more: Vec<String>,
    note: String,
    /// Selects one of the ways to write the entry.
    way: usize,
}

/// Context, text, note, number of forms.
type Row = (String, String, String, usize);

fn found(format: FileFormat, file: &str) -> Vec<(Row, usize)> {
    let mut rows = Vec::new();
    let mut sink = |entry: RawEntry<'_>| {
        let RawEntry {
            context,
            text,
            note,
            forms,
            offset,
            ..
        } = entry;
        let row = (
            context.to_owned(),
            text.to_owned(),
            note.to_owned(),
            forms.len(),
        );
        rows.push((row, offset));
    };
    let read = reader(format).read(file.as_bytes(), &mut sink);
    read.unwrap_or_else(|error| panic!("{}: {error}\n{file}", format.name()));
    rows
}

/// Each character of a text, escaped by a rule.
fn escaped(text: &str, rule: impl Fn(char) -> Option<String>) -> String {
    let escape = |character| rule(character).unwrap_or_else(|| String::from(character));
    text.chars().map(escape).collect()
}

fn xml(text: &str, way: usize) -> String {
    escaped(text, |character| match character {
        '&' => Some("&amp;".to_owned()),
        '<' => Some("&lt;".to_owned()),
        '>' => Some("&gt;".to_owned()),
        // An attribute value would lose them.
        '\n' => Some("&#10;".to_owned()),
        other if way.is_multiple_of(3) => Some(format!("&#x{:X};", u32::from(other))),
        _ => None,
    })
}

fn android(text: &str, way: usize) -> String {
    let unquoted = |character| match character {
        '\n' => Some("\\n".to_owned()),
        '\'' | '"' | '\\' | '@' | '?' => Some(format!("\\{character}")),
        ' ' if way == 1 => Some("\\u0020".to_owned()),
        other if way == 2 && u32::from(other) < 0x10000 => {
            Some(format!("\\u{:04x}", u32::from(other)))
        }
        _ => None,
    };
    let text = escaped(text, unquoted);
    // Quotes keep spaces.
    let text = if way == 1 {
        text
    } else {
        format!("\"{text}\"")
    };
    xml(&text, 1)
}

fn properties(text: &str, way: usize) -> String {
    escaped(text, |character| match character {
        '\n' => Some("\\n".to_owned()),
        ' ' | '#' | '!' | '=' | ':' | '\\' => Some(format!("\\{character}")),
        'a' if way == 1 => Some("\\\n   a".to_owned()),
        other if way == 2 => {
            let mut units = [0; 2];
            let units = other.encode_utf16(&mut units).iter();
            Some(units.map(|unit| format!("\\u{unit:04X}")).collect())
        }
        _ => None,
    })
}

fn apple(text: &str, way: usize) -> String {
    escaped(text, |character| match character {
        '\n' if way == 0 => Some("\\n".to_owned()),
        '"' | '\\' => Some(format!("\\{character}")),
        'é' if way == 1 => Some("\\U00e9".to_owned()),
        _ => None,
    })
}

/// A text as a YAML scalar, below a key with that indentation.
fn yaml(text: &str, way: usize, indentation: &str) -> String {
    let is_block =
        !text.trim().is_empty() && !text.starts_with([' ', '\n']) && !text.ends_with('\n');
    match way {
        0 if !text.contains('\n') => format!("'{}'", text.replace('\'', "''")),
        1 if is_block => {
            let lines = text.split('\n').map(|line| match line {
                "" => "\n".to_owned(),
                line => format!("{indentation}  {line}\n"),
            });
            format!("|-\n{}", lines.collect::<String>().trim_end_matches('\n'))
        }
        _ => serde_json::to_string(text).unwrap(),
    }
}

/// A text as the value of a Fluent message: each line in a string literal, so that nothing is trimmed.
fn fluent(text: &str) -> String {
    let literal = |line: &str| {
        format!(
            "{{ \"{}\" }}",
            line.replace('\\', "\\\\").replace('"', "\\\"")
        )
    };
    text.split('\n')
        .map(literal)
        .collect::<Vec<_>>()
        .join("\n    ")
}

/// The file and the expected rows with their offsets.
fn write(format: FileFormat, entries: &[Written]) -> (String, Vec<(Row, usize)>) {
    let (before, after) = match format {
        FileFormat::AndroidResource => ("<resources>\n", "</resources>\n"),
        FileFormat::Resx => ("<?xml version=\"1.0\"?>\n<root>\n<!-- x -->\n", "</root>\n"),
        FileFormat::RubyYaml => ("cs:\n", ""),
        _ => ("", ""),
    };
    let (mut file, mut rows) = (before.to_owned(), Vec::new());
    for entry in entries {
        let Written {
            name,
            text,
            more,
            note,
            way,
        } = entry;
        let mut row = (name.clone(), text.clone(), note.clone(), 0);
        let (head, body) = match format {
            FileFormat::AndroidResource if more.is_empty() => (
                comment("<!--", note, "-->\n"),
                format!("<string name=\"{name}\">{}</string>\n", android(text, *way)),
            ),
            FileFormat::AndroidResource => {
                let forms: Vec<&String> = std::iter::once(text).chain(more).collect();
                let quantities = [One, Few, Other].map(|form| form.category().unwrap());
                let item = |(quantity, text): (&str, &&String)| {
                    format!(
                        "  <item quantity=\"{quantity}\">{}</item>\n",
                        android(text, *way)
                    )
                };
                let items: String = quantities.into_iter().zip(&forms).map(item).collect();
                row.3 = forms.len();
                row.1 = forms
                    .into_iter()
                    .cloned()
                    .collect::<Vec<_>>()
                    .join(PLURAL_SEPARATOR);
                (
                    comment("<!--", note, "-->\n"),
                    format!("<plurals name=\"{name}\">\n{items}</plurals>\n"),
                )
            }
            FileFormat::Resx => {
                let note = if note.is_empty() {
                    String::new()
                } else {
                    format!("<comment>{note}</comment>")
                };
                let value = match way {
                    1 => format!("<![CDATA[{text}]]>"),
                    _ => xml(text, *way),
                };
                (
                    String::new(),
                    format!("<data name=\"{name}\">\n<value>{value}</value>{note}\n</data>\n"),
                )
            }
            FileFormat::AppleStrings => {
                row.2 = comment("/* ", note, " */");
                let key = if *way == 2 {
                    name.clone()
                } else {
                    format!("\"{}\"", apple(name, *way))
                };
                let between = ["=", " = ", "\n=\t"][*way];
                (
                    format!("\n\n{}", comment("/* ", note, " */\n")),
                    format!("{key}{between}\"{}\";", apple(text, *way)),
                )
            }
            FileFormat::Properties | FileFormat::PropertiesUtf8 => {
                row.2 = comment("# ", note, "");
                let between = ["=", " : ", "\t"][*way];
                let value = properties(text, *way);
                (
                    format!("\n{}", comment("# ", note, "\n")),
                    format!("{name}{between}{value}\n"),
                )
            }
            FileFormat::Yaml => {
                row.2.clear();
                (
                    comment("# ", note, "\n"),
                    format!("{name}: {}\n", yaml(text, *way, "")),
                )
            }
            FileFormat::RubyYaml => {
                row.2.clear();
                (
                    "  ".to_owned(),
                    format!("{name}: {}\n", yaml(text, *way, "  ")),
                )
            }
            FileFormat::Fluent => {
                row.1 = fluent(text).replace("\n    ", "\n");
                (
                    comment("# ", note, "\n"),
                    format!("{name} = {}\n", fluent(text)),
                )
            }
            other => panic!("{} is not written here", other.name()),
        };
        file.push_str(&head);
        rows.push((row, file.len()));
        file.push_str(&body);
    }
    file.push_str(after);
    (file, rows)
}

/// A comment, if there is a note.
fn comment(open: &str, note: &str, close: &str) -> String {
    if note.is_empty() {
        String::new()
    } else {
        format!("{open}{note}{close}")
    }
}

fn text() -> impl Strategy<Value = String> {
    prop_oneof![
        6 => "[a-cé😀 ]{0,10}",
        3 => "[a\\\\\"'<>&@?#!=:%{}|\\-*,\\[\\]]{0,8}",
        1 => "[a\n]{0,5}",
        1 => prop::sample::select(vec!["no", "010", "1.5", "null", "~", "- a", "a: b", "a #b", "]]", "&amp;", "%1$s"]).prop_map(str::to_owned),
    ]
}

fn entries() -> impl Strategy<Value = Vec<Written>> {
    let entry = (
        text(),
        prop::collection::vec(text(), 0..3),
        "[a-z é]{0,6}[a-z]",
        any::<bool>(),
        0..3usize,
    );
    let entry = entry.prop_map(|(text, more, note, has_note, way)| Written {
        name: String::new(),
        text,
        more,
        note: if has_note {
            note.trim().to_owned()
        } else {
            String::new()
        },
        way,
    });
    prop::collection::vec(entry, 0..8).prop_map(|mut entries| {
        for (number, entry) in entries.iter_mut().enumerate() {
            entry.name = format!("key{number}");
        }
        entries
    })
}

/// Whether the format can represent the text.
fn fits(format: FileFormat, text: &str) -> bool {
    match format {
        FileFormat::Properties => text.chars().all(|character| u32::from(character) < 0x80),
        FileFormat::Resx => !text.contains("]]"),
        FileFormat::Fluent => !text.is_empty(),
        _ => true,
    }
}

const WRITTEN: [FileFormat; 8] = [
    FileFormat::AndroidResource,
    FileFormat::AppleStrings,
    FileFormat::Properties,
    FileFormat::PropertiesUtf8,
    FileFormat::Yaml,
    FileFormat::RubyYaml,
    FileFormat::Resx,
    FileFormat::Fluent,
];

proptest! {
    #![proptest_config(ProptestConfig {
        failure_persistence: None,
        cases: 2 * ProptestConfig::default().cases,
        ..ProptestConfig::default()
    })]

    #[test]
    fn a_file_has_the_entries_that_it_was_written_from(entries in entries(), mark in any::<bool>()) {
        for format in WRITTEN {
            let fitting: Vec<Written> = entries.iter().filter(|it| fits(format, &it.text) && fits(format, &format!("{}x", it.note))).cloned().collect();
            let (file, mut expected) = write(format, &fitting);
            if mark && !file.is_empty() {
                expected.iter_mut().for_each(|(_, offset)| *offset += 3);
                prop_assert_eq!(found(format, &format!("\u{FEFF}{file}")), expected, "{} {}", format.name(), file);
            } else {
                prop_assert_eq!(found(format, &file), expected, "{} {}", format.name(), file);
            }
        }
    }
}

#[test]
fn the_forms_of_a_plural_have_the_categories_of_the_file() {
    let file = "<resources><plurals name=\"a\"><item quantity=\"few\">x</item><item quantity=\"one\">y</item>\
                <item>z</item></plurals></resources>";
    let mut forms: Vec<PluralForm> = Vec::new();
    let mut sink = |entry: RawEntry<'_>| forms = entry.forms.to_vec();
    let android = reader(FileFormat::AndroidResource);
    android.read(file.as_bytes(), &mut sink).unwrap();
    assert_eq!(forms, [Few, One, PluralForm::Index(2)]);
}
