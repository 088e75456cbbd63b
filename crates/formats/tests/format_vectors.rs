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

use gitglot_formats::{BilingualFields, RawEntry, plural_forms, reader_for};
use gitglot_model::language::resolve;
use gitglot_model::{FileFormat, PLURAL_SEPARATOR, Shape};
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
    ("po", "h-bom-no-header"),
    ("po", "h-charset-cp1250"),
    ("po", "prev-no-space"),
    ("po-mono", "h-bom-no-header"),
    ("po-mono", "h-charset-cp1250"),
    ("po-mono", "h-plural-zero-forms"),
    ("po-mono", "prev-no-space"),
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
    previous_source: String,
    fuzzy: bool,
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
    let language = match is_old {
        // Weblate 3.4 read all files as Czech.
        true => "cs".to_owned(),
        false => text(row, "language"),
    };
    let single_form = matches!(language.as_str(), "ja" | "ko" | "zh" | "vi" | "th" | "id");
    let reader = reader_for(name.parse().unwrap(), single_form);
    let mut all: Vec<Unit> = Vec::new();
    let (mut index, mut position) = (HashMap::new(), 0);
    let read = reader.read(&bytes(row), &mut |entry| {
        if !entry.translatable {
            return;
        }
        position += 1;
        let fields = entry.bilingual.copied().unwrap_or_default();
        let keyed = entry.keyed.copied().unwrap_or_default();
        let is_bilingual = entry.bilingual.is_some();
        let key = if is_bilingual {
            // Without a separator, as in the hashes of Weblate.
            [fields.source, entry.context].concat()
        } else {
            entry.context.to_owned()
        };
        let own = entry.bilingual.or(entry.keyed);
        let at = *index.entry(key).or_insert(all.len());
        let is_duplicate = at < all.len();
        if is_bilingual && is_duplicate {
            return;
        }
        if !is_duplicate {
            let mut unit = Unit {
                context: entry.context.into(),
                source: entry.text.into(),
                note: entry.note.into(),
                flags: keyed.flags.into(),
                location: keyed.locations.into(),
                id_hash: hash(&[entry.context]),
                ..Unit::default()
            };
            if is_old {
                let first = entry.text.split(PLURAL_SEPARATOR).next();
                unit.position = position;
                unit.content_hash = hash(&[entry.text, entry.context]);
                unit.words = gitglot_model::words(first.unwrap_or_default()).into();
            }
            let unit = match entry.bilingual {
                None => unit,
                Some(_) => bilingual(unit, &fields, is_old),
            };
            all.push(unit);
        }
        all[at].target = target(&entry, name.parse().unwrap(), &bytes(row), &language);
        all[at].translated = entry.translated;
        if own.is_none_or(|_| !is_bilingual) {
            all[at].fuzzy = is_old && keyed.fuzzy;
            all[at].previous_source = keyed.previous_source.into();
        }
    });
    read.map(|()| all).map_err(|error| error.to_string())
}

/// The text of an entry with as many plural forms as the file declares, else the language has.
fn target(entry: &RawEntry<'_>, format: FileFormat, bytes: &[u8], language: &str) -> String {
    let is_bilingual_plural = entry.bilingual.or(entry.keyed).is_some_and(|it| {
        it.source.contains(PLURAL_SEPARATOR) || entry.text.contains(PLURAL_SEPARATOR)
    });
    let forms = plural_forms(format, bytes);
    let forms = forms.unwrap_or_else(|| resolve(language).plural.forms.into());
    match is_bilingual_plural {
        true => gitglot_model::fit_forms(entry.text, forms),
        false => entry.text.to_owned(),
    }
}

/// The unit of an entry of a bilingual file.
fn bilingual(unit: Unit, fields: &BilingualFields<'_>, is_old: bool) -> Unit {
    let id_hash = hash(&[fields.source, &unit.context]);
    let first = fields.source.split(PLURAL_SEPARATOR).next();
    Unit {
        source: fields.source.into(),
        flags: fields.flags.into(),
        location: fields.locations.into(),
        previous_source: fields.previous_source.into(),
        fuzzy: fields.fuzzy,
        id_hash,
        content_hash: if is_old { id_hash } else { 0 },
        words: if is_old {
            gitglot_model::words(first.unwrap_or_default()).into()
        } else {
            0
        },
        ..unit
    }
}

fn is_bilingual(format: &str) -> bool {
    let format: Result<FileFormat, _> = format.parse();
    format.is_ok_and(|format| format.shape() == Shape::Bilingual)
}

/// The units of a reference, with targets as in the file.
fn reference(row: &Value, is_old: bool) -> Vec<Unit> {
    let mut seen = HashSet::new();
    let mut all: Vec<Unit> = Vec::new();
    for unit in row["units"].as_array().unwrap() {
        let context = text(unit, "context");
        let is_excluded = unit["is_readonly"] == true && row["format"] == "aresource";
        let is_bilingual = is_bilingual(&text(row, "format"));
        let has_header = is_bilingual || row["format"] == "po-mono";
        let id = match is_bilingual {
            true => text(unit, "source") + "\0" + &context,
            false => context.clone(),
        };
        if is_excluded || !seen.insert(id) {
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
                in_file
                    .filter(|_| !has_header)
                    .unwrap_or(text(unit, "target")),
                has_header,
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
            previous_source: text(unit, "previous_source"),
            fuzzy: is_old && unit["fuzzy"] == true,
            id_hash: unit["id_hash"].as_i64().unwrap(),
            content_hash: unit["content_hash"].as_i64().unwrap_or_default(),
            words: unit["num_words"].as_u64().unwrap_or_default(),
        });
    }
    all
}

/// A plural target that Weblate pads to the forms of the language has empty forms at the end.
fn unpadded(source: &str, mut target: String, is_bilingual: bool) -> String {
    if is_bilingual {
        return target;
    }
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
    // Those of 3.4 have each file of gettext in both formats.
    let of_po = by_name(
        files
            .iter()
            .filter(|row| row["format"] == "po")
            .cloned()
            .collect(),
    );
    let names: HashSet<_> = by_name(files.clone()).into_keys().collect();
    let is_missing = |row: &&Value| !names.contains(&("po-mono".to_owned(), text(row, "name")));
    let keyed = old
        .values()
        .filter(|row| row["format"] == "po-mono")
        .filter(is_missing);
    let keyed: Vec<Value> = keyed
        .filter_map(|row| {
            let mut file = of_po.get(&("po".to_owned(), text(row, "name")))?.clone();
            file["format"] = "po-mono".into();
            Some(file)
        })
        .collect();
    let files: Vec<Value> = files.into_iter().chain(keyed).collect();
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
        let found = units(ours, row, is_old);
        // Weblate 3.4 loses the entries after a line that it does not understand; the current one refuses the file.
        let is_lenient = format.starts_with("po") && found.is_err();
        let of_po = ("po".to_owned(), name.clone());
        let refused = new
            .get(&of_po)
            .is_some_and(|row| row.get("error").is_some_and(|it| !it.is_null()));
        if is_lenient && refused {
            tally.entry(format.clone()).or_default().0 += 1;
            continue;
        }
        let difference = difference(found, expected, is_old);
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
