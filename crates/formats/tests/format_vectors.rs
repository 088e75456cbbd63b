//! Compares the parsers with reference vectors: files and the units that Weblate reads from them.
//!
//! `GITGLOT_CORPORA=DIRECTORY cargo test --test format_vectors -- --ignored --nocapture`. Its directory `reference/modern`
//! has `formats.jsonl.gz` (the files), `weblate34_units.jsonl.gz` (Weblate 3.4) and `weblate_units.jsonl.gz` (current
//! Weblate, for formats that 3.4 lacks).

#![expect(clippy::unwrap_used, reason = "a failed precondition fails the test")]

use std::collections::{BTreeMap, HashMap, HashSet};
use std::hash::Hasher;
use std::io::{BufRead, BufReader};
use std::path::Path;

use gitglot_formats::{Outline, reader_for};
use gitglot_model::{FileFormat, PLURAL_SEPARATOR};
use serde_json::Value;

type Vectors = HashMap<(String, String), Value>;

fn load(directory: &Path, file: &str) -> Vec<Value> {
    let bytes = std::fs::File::open(directory.join(file)).unwrap();
    let lines = BufReader::new(flate2::read::GzDecoder::new(bytes)).lines();
    lines
        .map(|line| serde_json::from_str(&line.unwrap()).unwrap())
        .collect()
}

fn text(value: &Value, key: &str) -> String {
    value[key].as_str().unwrap_or_default().to_owned()
}

fn by_name(rows: Vec<Value>) -> Vectors {
    rows.into_iter()
        .map(|row| ((text(&row, "format"), text(&row, "name")), row))
        .collect()
}

fn bytes(row: &Value) -> Vec<u8> {
    match row["file_base64"].as_str() {
        Some(encoded) => base64(encoded),
        None => text(row, "file").into_bytes(),
    }
}

fn base64(encoded: &str) -> Vec<u8> {
    const DIGITS: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let (mut out, mut bits, mut count) = (Vec::new(), 0u32, 0);
    for digit in encoded
        .bytes()
        .filter_map(|byte| DIGITS.iter().position(|&digit| digit == byte))
    {
        bits = bits << 6 | u32::try_from(digit).unwrap();
        count += 6;
        if count >= 8 {
            count -= 8;
            out.push((bits >> count) as u8);
        }
    }
    out
}

/// Vectors that differ for a reason that docs/COMPATIBILITY.md gives: format and name.
const DOCUMENTED: &[(&str, &str)] = &[
    ("json", "bom"),
    ("json-nested", "nan"),
    ("i18next", "plural-value-object-both"),
    ("i18nextv4", "en-extra-zero"),
    ("i18nextv4", "en-one-only"),
    ("i18nextv4", "ends-in-other-by-chance"),
    ("i18nextv4", "ja-with-one"),
    ("i18nextv4", "no-language-six"),
    ("i18nextv4", "region-code"),
    ("properties-latin1", "separators"),
    ("properties-utf8", "separators"),
    ("resx", "mimetype"),
    ("resx", "type-attribute"),
    ("resx", "winforms-names"),
    ("resjson", "comment"),
    ("resjson", "dotted-key"),
    ("resjson", "escapes"),
    ("resjson", "meta-before"),
    ("resjson", "meta-orphan"),
    ("resjson", "numbers"),
    ("resjson", "placeholders-meta"),
    ("resjson", "slash-key"),
    ("resjson", "underscore-key"),
    ("strings-utf8", "missing-semicolon"),
    ("strings-utf8", "raw-newline"),
    ("webextension", "bom"),
    ("yaml", "booleans"),
    ("yaml", "date"),
    ("yaml", "float"),
    ("yaml", "list-of-maps"),
    ("yaml", "null-key"),
    ("yaml", "numeric-keys"),
    ("yaml", "scalars"),
    ("yaml", "tag"),
    ("yaml", "unicode"),
];

/// A unit of a file that is its own template. Fields that a reference lacks are 0.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
struct Unit {
    position: u64,
    context: String,
    source: String,
    target: String,
    note: String,
    translated: bool,
    flags: String,
    location: String,
    id_hash: i64,
    content_hash: i64,
    words: u64,
}

/// Weblate's hash (docs/spec/units.md#hashes).
fn hash(parts: &[&str]) -> i64 {
    let mut hasher = siphasher::sip::SipHasher24::new_with_key(b"Weblate Sip Hash");
    parts.iter().for_each(|part| hasher.write(part.as_bytes()));
    (hasher.finish() ^ (1 << 63)).cast_signed()
}

/// The units that gitglot makes of a file.
fn units(name: &str, row: &Value, is_old: bool) -> Result<Vec<Unit>, String> {
    let language = text(row, "language");
    let single_form = matches!(language.as_str(), "ja" | "ko" | "zh" | "vi" | "th" | "id");
    let reader = reader_for(name.parse().unwrap(), single_form);
    let mut all: Vec<Unit> = Vec::new();
    let (mut index, mut position) = (HashMap::new(), 0);
    let read = reader.read(&bytes(row), &mut Outline::default(), &mut |entry| {
        if !entry.translatable {
            return;
        }
        position += 1;
        let at = *index.entry(entry.context.to_owned()).or_insert(all.len());
        if at == all.len() {
            let mut unit = Unit {
                context: entry.context.into(),
                source: entry.text.into(),
                note: entry.note.into(),
                id_hash: hash(&[entry.context]),
                ..Unit::default()
            };
            if is_old {
                let first = entry.text.split(PLURAL_SEPARATOR).next();
                unit.position = position;
                unit.content_hash = hash(&[entry.text, entry.context]);
                unit.words = gitglot_model::words(first.unwrap_or_default()).into();
            }
            all.push(unit);
        }
        all[at].target = entry.text.into();
        all[at].translated = entry.translated;
    });
    read.map(|()| all).map_err(|error| error.to_string())
}

/// The units of a reference, with targets as in the file.
fn reference(row: &Value, is_old: bool) -> Vec<Unit> {
    let mut seen = HashSet::new();
    let mut all: Vec<Unit> = Vec::new();
    for unit in row["units"].as_array().unwrap() {
        let context = text(unit, "context");
        let is_excluded = unit["is_readonly"] == true && row["format"] == "aresource";
        if is_excluded || !seen.insert(context.clone()) {
            continue;
        }
        let in_file = unit["target_in_file"].as_str().map(str::to_owned);
        let note = match &unit[if is_old { "comment" } else { "notes" }] {
            Value::String(note) => note.clone(),
            other => other.to_string(),
        };
        all.push(Unit {
            position: unit["position"].as_u64().unwrap_or_default(),
            context,
            source: text(unit, "source"),
            target: unpadded(
                &text(unit, "source"),
                in_file.unwrap_or(text(unit, "target")),
            ),
            note,
            translated: unit[if is_old {
                "translated"
            } else {
                "is_translated"
            }] == true,
            // Flags that the formats imply are unknown to 3.4 (docs/COMPATIBILITY.md).
            flags: if is_old {
                text(unit, "flags")
            } else {
                String::new()
            },
            location: text(unit, "location"),
            id_hash: unit["id_hash"].as_i64().unwrap(),
            content_hash: unit["content_hash"].as_i64().unwrap_or_default(),
            words: unit["num_words"].as_u64().unwrap_or_default(),
        });
    }
    all
}

/// A plural target that Weblate pads to the forms of the language has empty forms at the end.
fn unpadded(source: &str, mut target: String) -> String {
    let forms = source.matches(PLURAL_SEPARATOR).count();
    while target.matches(PLURAL_SEPARATOR).count() > forms && target.ends_with(PLURAL_SEPARATOR) {
        target.truncate(target.len() - PLURAL_SEPARATOR.len());
    }
    target
}

/// How the units of a file, or the error of reading it, differ from a reference.
fn difference(found: Result<Vec<Unit>, String>, expected: &Value, is_old: bool) -> Option<String> {
    let refused = expected.get("error").filter(|error| !error.is_null());
    match (found, refused) {
        (_, Some(_)) if expected["refused_at"] == "import" => None,
        (Err(_), Some(_)) => None,
        (Ok(_), Some(error)) => Some(format!("read, the reference refuses it: {error}")),
        (Err(error), None) => Some(format!("refused: {error}")),
        (Ok(found), None) => {
            let reference = reference(expected, is_old);
            (found != reference)
                .then(|| format!("\n    found     {found:?}\n    reference {reference:?}"))
        }
    }
}

#[test]
#[ignore = "needs the reference vectors"]
fn parsers_agree_with_the_reference_vectors() {
    let root = std::env::var_os("GITGLOT_CORPORA").expect("set GITGLOT_CORPORA");
    let directory = &Path::new(&root).join("reference/modern");
    let files = load(directory, "formats.jsonl.gz");
    let old = by_name(load(directory, "weblate34_units.jsonl.gz"));
    let new = by_name(load(directory, "weblate_units.jsonl.gz"));
    let only = std::env::var("ONLY").ok();
    let mut wrong = Vec::new();
    let mut documented: HashSet<_> = DOCUMENTED.iter().copied().collect();
    let mut tally: BTreeMap<String, (u32, u32)> = BTreeMap::new();
    for row in &files {
        let (format, name) = (text(row, "format"), text(row, "name"));
        let ours = if format == "properties-latin1" {
            "properties"
        } else {
            &format
        };
        if ours.parse::<FileFormat>().is_err() || only.as_ref().is_some_and(|only| *only != format)
        {
            continue;
        }
        let key = (format.clone(), name.clone());
        let (expected, is_old) = match old.get(&key) {
            Some(row) => (row, true),
            None => match new.get(&key) {
                Some(row) => (row, false),
                None => continue,
            },
        };
        let difference = difference(units(ours, row, is_old), expected, is_old);
        let count = tally.entry(format.clone()).or_default();
        count.0 += 1;
        documented.retain(|it| *it != (format.as_str(), name.as_str()));
        let is_documented = DOCUMENTED.contains(&(&format, &name));
        match difference {
            Some(difference) if !is_documented => {
                wrong.push(format!("{format} {name}: {difference}"));
            }
            Some(_) => count.1 += 1,
            None if is_documented => wrong.push(format!("{format} {name}: no difference")),
            None => {}
        }
    }
    for (format, (vectors, differences)) in &tally {
        println!("{format}: {vectors} vectors, {differences} documented differences");
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(
        only.is_some() || documented.is_empty(),
        "documented, but not compared: {documented:?}"
    );
}
