//! Faults of every kind in files of every format and three languages: each is found, at its line.

use std::fmt::Write as _;

use serde_json::Value;

use super::Run;
use super::common::{TestSite, commit};

/// The texts of one file, by key.
pub(super) type Texts = Vec<(&'static str, String)>;

/// A format: its name, its placeholder in full and cut off, and a writer that puts every text on a line of its own.
pub(super) struct Format {
    pub(super) name: &'static str,
    placeholder: &'static str,
    /// The same placeholder, not complete; empty if the format has no such.
    pub(super) broken: &'static str,
    /// A placeholder that the source does not have.
    other: &'static str,
    write: fn(&Texts) -> String,
}

pub(super) const fn format(
    name: &'static str,
    [placeholder, broken, other]: [&'static str; 3],
    write: fn(&Texts) -> String,
) -> Format {
    Format {
        name,
        placeholder,
        broken,
        other,
        write,
    }
}

pub(super) const BRACES: [&str; 3] = ["{name}", "{name", "{other}"];
const DOUBLE: [&str; 3] = ["{{name}}", "{{name}", "{{other}}"];
const GO: [&str; 3] = ["{{.Name}}", "{{.Name}", "{{.Other}}"];

const FORMATS: [Format; 19] = [
    format("json", BRACES, |texts| object(texts, quoted)),
    format("json-nested", BRACES, |texts| {
        object(texts, quoted).replacen('{', "{\"menu\": {", 1) + "}"
    }),
    format("webextension", ["$NAME$", "$NAME", "$OTHER$"], |texts| {
        object(texts, |text| format!("{{\"message\": {}}}", quoted(text)))
    }),
    format("i18next", DOUBLE, |texts| object(texts, quoted)),
    format("i18nextv4", DOUBLE, |texts| object(texts, quoted)),
    format("vue-i18n", BRACES, |texts| object(texts, quoted)),
    format("arb", BRACES, |texts| object(texts, quoted)),
    format("formatjs", BRACES, |texts| {
        object(texts, |text| {
            format!("{{\"defaultMessage\": {}}}", quoted(text))
        })
    }),
    format("go-i18n-json", GO, |texts| list(texts, "id", "translation")),
    format("go-i18n-json-v2", GO, |texts| object(texts, quoted)),
    format("gotext", ["{Name}", "{Name", "{Other}"], |texts| {
        let messages = list(texts, "id", "translation");
        format!("{{\"language\": \"x\", \"messages\": {messages}}}")
    }),
    format("resjson", ["{0}", "{0", "{1}"], |texts| {
        object(texts, quoted)
    }),
    format("jsonc", BRACES, |texts| {
        format!("// A comment\n{}", object(texts, quoted))
    }),
    format("aresource", ["%1$s", "%1$", "%2$s"], |texts| {
        xml(texts, "resources", |key, text| {
            format!("<string name=\"{key}\">{text}</string>")
        })
    }),
    format("strings-utf8", ["%@", "%", "%d"], |texts| {
        lines(texts, |key, text| format!("\"{key}\" = {};", quoted(text)))
    }),
    format("properties-utf8", ["{0}", "{0", "{1}"], |texts| {
        lines(texts, |key, text| format!("{key} = {text}"))
    }),
    format("yaml", ["%{name}", "%{name", "%{other}"], |texts| {
        lines(texts, |key, text| format!("{key}: {}", quoted(text)))
    }),
    format("resx", ["{0}", "{0", "{1}"], |texts| {
        xml(texts, "root", |key, text| {
            format!("<data name=\"{key}\"><value>{text}</value></data>")
        })
    }),
    format("fluent", ["{ $name }", "", "{ $other }"], |texts| {
        lines(texts, |key, text| format!("{key} = {text}"))
    }),
];

fn quoted(text: &str) -> String {
    Value::from(text).to_string()
}

fn lines(texts: &Texts, line: impl Fn(&str, &str) -> String) -> String {
    texts.iter().fold(String::new(), |mut all, (key, text)| {
        writeln!(all, "{}", line(key, text)).unwrap();
        all
    })
}

fn object(texts: &Texts, value: impl Fn(&str) -> String) -> String {
    let members = lines(texts, |key, text| format!("\"{key}\": {},", value(text)));
    format!("{{\n{}\n}}", members.trim_end_matches(",\n"))
}

fn list(texts: &Texts, id: &str, value: &str) -> String {
    let elements = lines(texts, |key, text| {
        format!("{{\"{id}\": \"{key}\", \"{value}\": {}}},", quoted(text))
    });
    format!("[\n{}\n]", elements.trim_end_matches(",\n"))
}

fn xml(texts: &Texts, root: &str, element: impl Fn(&str, &str) -> String) -> String {
    let escaped = |text: &str| text.replace('<', "&lt;");
    let elements = lines(texts, |key, text| element(key, &escaped(text)));
    format!("<{root}>\n{elements}</{root}>\n")
}

/// The source texts, and translations into three languages.
pub(super) fn texts(language: &str, format: &Format) -> Texts {
    let texts = match language {
        "en" => [
            "Hello PERSON, welcome back",
            "Read <b>this</b> now",
            "Delete all files?",
            "Select every message",
            "Account settings",
            "The file was saved.",
        ],
        "de" => [
            "Hallo PERSON, willkommen",
            "Lies <b>das</b> jetzt",
            "Alle Dateien löschen?",
            "Jede Nachricht wählen",
            "Einstellungen des Kontos",
            "Die Datei wurde gespeichert.",
        ],
        "cs" => [
            "Ahoj PERSON, vítej",
            "Přečti <b>toto</b> hned",
            "Smazat všechny soubory?",
            "Vybrat každou zprávu",
            "Nastavení účtu",
            "Soubor byl uložen.",
        ],
        "ja" => [
            "こんにちは PERSON さん",
            "今すぐ<b>これ</b>を",
            "すべて削除しますか？",
            "すべてのメッセージ",
            "アカウントの設定",
            "ファイルを保存しました。",
        ],
        _ => unreachable!("no texts"),
    };
    let keys = [
        "greeting",
        "warning",
        "question",
        "selectAll",
        "settings",
        "notice",
    ];
    let all = keys.into_iter().zip(texts);
    all.map(|(key, text)| (key, text.replace("PERSON", format.placeholder)))
        .collect()
}

/// A fault: its name, the key, and how it changes a translation.
pub(super) type Fault = (&'static str, &'static str, fn(&mut Texts, &Format));

fn set(texts: &mut Texts, key: &str, change: impl Fn(&str) -> String) {
    let (_, text) = texts.iter_mut().find(|(name, _)| *name == key).unwrap();
    *text = change(text);
}

pub(super) const FAULTS: [Fault; 15] = [
    ("lost", "greeting", |texts, format| {
        set(texts, "greeting", |text| {
            text.replace(format.placeholder, "")
        });
    }),
    ("added", "greeting", |texts, format| {
        set(texts, "greeting", |text| format!("{text} {}", format.other));
    }),
    ("malformed", "greeting", |texts, format| {
        set(texts, "greeting", |text| {
            text.replace(format.placeholder, format.broken)
        });
    }),
    ("unclosed", "warning", |texts, _| {
        set(texts, "warning", |text| text.replace("</b>", ""));
    }),
    ("untagged", "warning", |texts, _| {
        set(texts, "warning", |text| {
            text.replace("<b>", "").replace("</b>", "")
        });
    }),
    ("question", "question", |texts, _| {
        set(texts, "question", |text| text.replace(['?', '？'], ""));
    }),
    ("retagged", "warning", |texts, _| {
        set(texts, "warning", |text| {
            text.replace("<b>", "<i>").replace("</b>", "</i>")
        });
    }),
    ("extra", "settings", |texts, format| {
        set(texts, "settings", |text| {
            format!("{text} {}", format.placeholder)
        });
    }),
    ("stop", "notice", |texts, _| {
        set(texts, "notice", |text| text.replace(['.', '。'], ""));
    }),
    ("copied", "greeting", |texts, format| {
        set(texts, "greeting", |_| {
            format!("Hello {}, welcome back", format.placeholder)
        });
    }),
    ("duplicate", "settings", |texts, _| {
        texts.push(("settings", "Xyz".to_owned()))
    }),
    ("absent", "selectAll", |texts, _| {
        texts.retain(|(key, _)| *key != "selectAll")
    }),
    ("empty", "settings", |texts, _| {
        set(texts, "settings", |_| String::new())
    }),
    ("surplus", "obsolete", |texts, _| {
        texts.push(("obsolete", "Xyz".to_owned()))
    }),
    ("misspelt", "selctAll", |texts, _| {
        texts
            .iter_mut()
            .filter(|(key, _)| *key == "selectAll")
            .for_each(|it| it.0 = "selctAll");
    }),
];

/// The findings that count as a fault, by its name.
pub(super) fn expected(fault: &str, check: &str) -> bool {
    let is_placeholder = check.ends_with("_format")
        || [
            "placeholders",
            "i18next_interpolation",
            "fluent-references",
            "parse-error",
        ]
        .contains(&check);
    match fault {
        "lost" | "added" | "malformed" | "extra" => is_placeholder,
        "stop" => check == "end_stop",
        "copied" => check == "same",
        "unclosed" | "untagged" | "retagged" => ["xml-tags", "xml-invalid"].contains(&check),
        "question" => check == "end_question",
        "duplicate" => ["duplicate-key", "parse-error"].contains(&check),
        "absent" => check == "missing",
        // Fluent has no empty texts.
        "empty" => ["missing", "parse-error"].contains(&check),
        "surplus" => check == "left-over",
        "misspelt" => check == "mistyped-key",
        _ => unreachable!("no such fault"),
    }
}

/// The faults of a format that the report does not have.
fn not_found(format: &Format) -> Vec<String> {
    const LANGUAGES: [&str; 3] = ["de", "cs", "ja"];
    let faults: Vec<&Fault> = FAULTS
        .iter()
        .filter(|(name, ..)| *name != "malformed" || !format.broken.is_empty())
        .collect();
    let mut history = commit("right");
    for (name, ..) in &faults {
        for language in ["en", "de", "cs", "ja"] {
            let path = format!("{name}/{language}.txt");
            history = history.write(&path, (format.write)(&texts(language, format)));
        }
    }
    let mut history = history.branch_at("change", "right").commit("faults");
    for (name, _, change) in &faults {
        for language in LANGUAGES {
            let mut texts = texts(language, format);
            change(&mut texts, format);
            history = history.write(&format!("{name}/{language}.txt"), (format.write)(&texts));
        }
    }
    let site = TestSite::new(&history);
    let arguments = [
        "--filemask",
        "{name}/{language}.txt",
        "--template",
        "{name}/en.txt",
        "--file-format",
        format.name,
        "--revision",
        "change",
        "--base",
        "main",
        "--new-only",
        "--format",
        "json",
    ];
    let report = Run::new(site.repository.dir(), &arguments).json();
    let findings = report["findings"].as_array().unwrap();
    let mut missing = Vec::new();
    for (name, key, change) in &faults {
        for language in LANGUAGES {
            let path = format!("{name}/{language}.txt");
            let mut texts = texts(language, format);
            change(&mut texts, format);
            let file = (format.write)(&texts);
            let line = |finding: &Value| {
                let number = finding["line"].as_u64().unwrap();
                file.lines()
                    .nth(usize::try_from(number).unwrap() - 1)
                    .unwrap_or_default()
            };
            let is_at_line = |finding: &Value| *name == "absent" || line(finding).contains(key);
            let is_found = findings.iter().any(|finding| {
                finding["file"] == *path
                    && expected(name, finding["check"].as_str().unwrap())
                    && is_at_line(finding)
            });
            if !is_found {
                let of_file: Vec<String> = findings
                    .iter()
                    .filter(|it| it["file"] == *path)
                    .map(|it| format!("{}:{}", it["line"], it["check"]))
                    .collect();
                missing.push(format!("{} {path}: {of_file:?}", format.name));
            }
        }
    }
    missing
}

#[test]
fn faults_of_every_kind_are_found_in_every_format() {
    let missing: Vec<String> = FORMATS.iter().flat_map(not_found).collect();
    assert!(missing.is_empty(), "{}", missing.join("\n"));
}
