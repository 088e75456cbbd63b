//! Faults of every kind in bilingual files of three languages, and those that only they can have: each is found, at the
//! line of its entry, and only new ones with `--new-only`.

use super::Run;
use super::common::{TestSite, commit};
use super::faults::{BRACES, FAULTS, Fault, Format, Texts, expected, format, texts};

const LANGUAGES: [&str; 3] = ["de", "cs", "ja"];

/// A format, with the placeholders of [`Format`], and how it writes a file: from entries of key, source and text.
struct Bilingual {
    format: Format,
    write: fn(&[[String; 3]]) -> String,
}

const FORMATS: [Bilingual; 4] = [
    Bilingual {
        format: format("po", ["%(name)s", "%(name", "%(other)s"], |_| String::new()),
        write: po,
    },
    Bilingual {
        format: format("xliff", BRACES, |_| String::new()),
        write: |entries| {
            let units = each(entries, |[key, source, text]| {
                let [source, text] = [source, text].map(inline);
                format!(
                    "<trans-unit id=\"{key}\">\n<source>{source}</source><target>{text}</target></trans-unit>"
                )
            });
            format!(
                "<xliff version=\"1.2\"><file original=\"a\"><body>\n{units}</body></file></xliff>"
            )
        },
    },
    Bilingual {
        format: format("xliff2", BRACES, |_| String::new()),
        write: |entries| {
            let units = each(entries, |[key, source, text]| {
                let [source, text] = [source, text].map(inline);
                format!(
                    "<unit id=\"{key}\"><segment>\n<source>{source}</source><target>{text}</target></segment></unit>"
                )
            });
            format!(
                "<xliff xmlns=\"urn:oasis:names:tc:xliff:document:2.0\" version=\"2.0\" srcLang=\"en\" trgLang=\"xx\">\
                 <file id=\"a\">\n{units}</file></xliff>"
            )
        },
    },
    Bilingual {
        format: format("ts", ["%1", "", "%2"], |_| String::new()),
        write: |entries| {
            let messages = each(entries, |[key, source, text]| {
                let state = if text.is_empty() {
                    " type=\"unfinished\""
                } else {
                    ""
                };
                format!(
                    "<message id=\"{key}\">\n<source>{source}</source><translation{state}>{text}</translation></message>"
                )
            });
            format!(
                "<TS version=\"2.1\" language=\"xx\"><context><name>A</name>\n{messages}</context></TS>"
            )
        },
    },
];

const HEADER: &str = "msgid \"\"\nmsgstr \"\"\n\"Project-Id-Version: garden 1\\n\"\n\"PO-Revision-Date: 2021-03-05 10:00+0100\\n\"\n\
    \"Last-Translator: Anna <anna@example.org>\\n\"\n\"Language-Team: none\\n\"\n\"Language: xx\\n\"\n\"MIME-Version: 1.0\\n\"\n\
    \"Content-Type: text/plain; charset=UTF-8\\n\"\n\"Content-Transfer-Encoding: 8bit\\n\"\n\
    \"Plural-Forms: nplurals=2; plural=(n != 1);\\n\"\n\n";

fn po(entries: &[[String; 3]]) -> String {
    let entries = entries.iter().map(|[key, source, text]| {
        let [source, text] = [source, text].map(|text| text.replace("&lt;", "<"));
        let flag = if source.contains('%') {
            "#, python-format\n"
        } else {
            ""
        };
        format!("{flag}msgctxt \"{key}\"\nmsgid \"{source}\"\nmsgstr \"{text}\"\n\n")
    });
    HEADER.to_owned() + &entries.collect::<String>()
}

fn each(entries: &[[String; 3]], line: impl Fn([&str; 3]) -> String) -> String {
    let lines = entries
        .iter()
        .map(|it| line([&it[0], &it[1], &it[2]]) + "\n");
    lines.collect()
}

/// Markup of HTML as inline elements of XLIFF.
fn inline(text: &str) -> String {
    let text = text.replace("&lt;b>", "<g id=\"b\">");
    let text = text.replace("&lt;i>", "<g id=\"i\">");
    text.replace("&lt;/b>", "</g>").replace("&lt;/i>", "</g>")
}

impl Bilingual {
    /// The file with these texts, whose sources are English.
    fn file(&self, of: &Texts) -> String {
        let sources = texts("en", &self.format);
        let source = |wanted: &str| {
            let found = sources.iter().find(|(key, _)| *key == wanted);
            found.map_or_else(String::new, |(_, source)| source.replace('<', "&lt;"))
        };
        let entry = |(key, text): &(&'static str, String)| {
            [(*key).to_owned(), source(key), text.replace('<', "&lt;")]
        };
        (self.write)(&of.iter().map(entry).collect::<Vec<_>>())
    }

    fn check(&self, site: &TestSite, options: &[&str]) -> Vec<serde_json::Value> {
        let common = [
            "--filemask",
            "{name}/{language}.txt",
            "--file-format",
            self.format.name,
        ];
        let more = ["--revision", "change", "--format", "json"];
        let arguments = [&common[..], &more, options].concat();
        let report = Run::new(site.repository.dir(), &arguments).json();
        report["findings"].as_array().unwrap().clone()
    }
}

/// Whether a fault can occur in files without a template.
fn is_bilingual(format: &Format, fault: &Fault) -> bool {
    match fault.0 {
        "absent" | "surplus" | "misspelt" => false,
        "malformed" => !format.broken.is_empty(),
        // An inline element that is not closed is an error of XML.
        "unclosed" => !format.name.starts_with("xliff"),
        _ => true,
    }
}

/// The faults of a format that the report does not have.
fn not_found(bilingual: &Bilingual) -> Vec<String> {
    let format = &bilingual.format;
    let faults: Vec<&Fault> = FAULTS
        .iter()
        .filter(|it| is_bilingual(format, it))
        .collect();
    let faulty = |(_, _, change): &Fault, language: &str| {
        let mut texts = texts(language, format);
        change(&mut texts, format);
        bilingual.file(&texts)
    };
    let mut history = commit("right");
    for (name, ..) in &faults {
        for language in LANGUAGES {
            let path = format!("{name}/{language}.txt");
            history = history.write(&path, bilingual.file(&texts(language, format)));
        }
    }
    let mut history = history.branch_at("change", "right").commit("faults");
    for fault in &faults {
        for language in LANGUAGES {
            history = history.write(
                &format!("{}/{language}.txt", fault.0),
                faulty(fault, language),
            );
        }
    }
    let site = TestSite::new(&history);
    let findings = bilingual.check(&site, &["--base", "main", "--new-only"]);
    let mut missing = Vec::new();
    for fault @ (name, key, _) in &faults {
        for language in LANGUAGES {
            let path = format!("{name}/{language}.txt");
            let file = faulty(fault, language);
            let mut of_file = findings.iter().filter(|it| it["file"] == *path);
            let is_found = of_file.any(|finding| {
                let line = usize::try_from(finding["line"].as_u64().unwrap()).unwrap();
                let line = file.lines().nth(line - 1).unwrap_or_default();
                expected(name, finding["check"].as_str().unwrap()) && line.contains(key)
            });
            if !is_found {
                let of_file = findings.iter().filter(|it| it["file"] == *path);
                let of_file: Vec<String> = of_file
                    .map(|it| format!("{}:{}", it["line"], it["check"]))
                    .collect();
                missing.push(format!("{} {path}: {of_file:?}", format.name));
            }
        }
    }
    let unchanged = bilingual.check(&site, &["--base", "change", "--new-only"]);
    assert!(unchanged.is_empty(), "{unchanged:#?}");
    missing
}

#[test]
fn faults_of_every_kind_are_found_in_every_bilingual_format() {
    let missing: Vec<String> = FORMATS.iter().flat_map(not_found).collect();
    assert!(missing.is_empty(), "{}", missing.join("\n"));
}

/// The checks that fail in detected files, with the lines of their findings.
fn findings(site: &TestSite, options: &[&str]) -> Vec<(String, u64)> {
    let options = [&["--format", "json"][..], options].concat();
    let report = Run::new(site.repository.dir(), &options).json();
    let finding = |it: &serde_json::Value| {
        (
            it["check"].as_str().unwrap().to_owned(),
            it["line"].as_u64().unwrap(),
        )
    };
    report["findings"]
        .as_array()
        .unwrap()
        .iter()
        .map(finding)
        .collect()
}

#[test]
fn what_msgfmt_refuses_is_an_error_at_its_line() {
    let entry = |source: &str, text: &str| format!("msgid \"{source}\"\nmsgstr \"{text}\"\n\n");
    let first = u64::try_from(HEADER.lines().count()).unwrap() + 1;
    let rule = "nplurals=2; plural=(n != 1);";
    let plural = "msgid \"One\"\nmsgid_plural \"Many\"\nmsgstr[0] \"Eins\"\nmsgstr[1] \"Viele\"\n";
    let with = |from: &str, to: &str, entries: &str| HEADER.replace(from, to) + entries;
    let cases = [
        (with("", "", &entry("Open\\n", "Auf")), "end_newline", first),
        (
            with("", "", &entry("\\nOpen", "Auf")),
            "begin_newline",
            first,
        ),
        (
            with("", "", &(entry("Open", "Auf") + &entry("Open", "Zu"))),
            "duplicate-key",
            first + 3,
        ),
        (
            with(
                "",
                "",
                &(entry("Open", "Auf") + "#~ msgid \"Open\"\n#~ msgstr \"Zu\"\n"),
            ),
            "duplicate-key",
            first + 3,
        ),
        (with("", "", &entry("Open", "A\\qf")), "escape", first + 1),
        (
            with("", "", &(entry("Open", "Auf") + "msgid \"Save\"\n")),
            "escape",
            first + 3,
        ),
        (
            with("", "", &plural.replace("[1]", "[2]")),
            "plural-forms",
            first,
        ),
        (
            with("", "", &plural.replace("msgstr[1] \"Viele\"\n", "")),
            "plural-forms",
            first,
        ),
        (
            with(rule, "nplurals=2; plural=(n != ;", plural),
            "plural-forms",
            1,
        ),
        (
            with(rule, "nplurals=2; plural=n;", plural),
            "plural-forms",
            1,
        ),
        (
            with(rule, "nplurals=2; plural=5%n>1;", plural),
            "plural-forms",
            1,
        ),
        (with(rule, "", plural), "plural-forms", first),
        (
            with(
                "",
                "",
                &("#, sh-format\n".to_owned() + &entry("in $dir", "im")),
            ),
            "escape",
            first + 1,
        ),
        (
            with(
                "",
                "",
                &("#, gcc-internal-format\n".to_owned() + &entry("%qs: %<a%>", "%d: %<a%>")),
            ),
            "escape",
            first + 1,
        ),
        (String::new(), "header", 1),
        (
            with("MIME-Version", "X-Version", &entry("Open", "Auf")),
            "header",
            1,
        ),
        (
            with("none", "LANGUAGE <LL@li.org>", &entry("Open", "Auf")),
            "header",
            1,
        ),
        (entry("Open", "Auf"), "header", 1),
        (
            with("", "", &(entry("Open", "Auf") + "junk\n")),
            "parse-error",
            first + 3,
        ),
    ];
    for (file, check, line) in cases {
        let site = TestSite::new(&commit("one").write("po/de.po", &file));
        let po = ["--filemask", "po/*.po", "--file-format", "po"];
        let found = findings(&site, &po);
        assert!(
            found.contains(&(check.to_owned(), line)),
            "{check}:{line} {found:?}\n{file}"
        );
        let of_check = found.iter().filter(|(it, _)| *it == check);
        assert_eq!(of_check.count(), 1, "{found:?}");
    }
}

#[test]
fn what_only_msgfmt_refuses_is_an_error_where_it_compiles_the_file() {
    let entry = |source: &str, text: &str| format!("msgid \"{source}\"\nmsgstr \"{text}\"\n\n");
    let newline = HEADER.to_owned() + &entry("Open", "Auf\\n");
    let equal = HEADER.to_owned() + &entry("Open", "Auf") + &entry("Open", "Auf");
    let other = HEADER.to_owned() + &entry("Open", "Auf") + &entry("Open", "Zu");
    let obsolete =
        HEADER.to_owned() + &entry("Open", "Auf") + "#~ msgid \"Open\"\n#~ msgstr \"Zu\"\n";
    let babel = equal.replacen(
        "\"Project",
        "\"Generated-By: Babel 2.18.0\\n\"\n\"Project",
        1,
    );
    let rule = "nplurals=2; plural=(n != 1);";
    let surplus = HEADER.replace(rule, "nplurals=1; plural=0;")
        + "msgid \"One\"\nmsgid_plural \"Many\"\nmsgstr[0] \"Eins\"\nmsgstr[1] \"\"\n";
    let (gettext, script) = ("locale/*/LC_MESSAGES/app.po", "src/locales/*.po");
    for (mask, file, check, severity) in [
        (gettext, &newline, "end_newline", "error"),
        (script, &newline, "end_newline", "note"),
        (gettext, &equal, "duplicate-key", "error"),
        (script, &equal, "repeated-key", "warning"),
        (script, &other, "duplicate-key", "error"),
        (script, &obsolete, "repeated-key", "warning"),
        (gettext, &obsolete, "duplicate-key", "error"),
        (gettext, &babel, "repeated-key", "warning"),
        (gettext, &surplus, "plural-forms", "warning"),
    ] {
        let site = TestSite::new(&commit("one").write(&mask.replace('*', "de"), file));
        let options = [
            "--filemask",
            mask,
            "--file-format",
            "po",
            "--format",
            "json",
        ];
        let report = Run::new(site.repository.dir(), &options).json();
        let findings = report["findings"].as_array().unwrap();
        let of_check: Vec<_> = findings.iter().filter(|it| it["check"] == check).collect();
        let [finding] = of_check.as_slice() else {
            panic!("{mask} {check}: {findings:#?}");
        };
        assert_eq!(finding["severity"], severity, "{mask} {check}");
    }
}

#[test]
fn accelerators_are_compared_if_the_configuration_names_their_sign() {
    let file = |text: &str| format!("{HEADER}msgid \"_Open\"\nmsgstr \"{text}\"\n");
    let config = "[check]\naccelerator = \"_\"\n";
    let commits = commit("one")
        .write("gitglot.toml", config)
        .write("po/de.po", file("_Auf"))
        .branch_at("change", "one")
        .commit("two")
        .write("po/de.po", file("Auf"));
    let site = TestSite::new(&commits);
    let line = u64::try_from(HEADER.lines().count()).unwrap() + 1;
    let change = ["--revision", "change", "--base", "main", "--new-only"];
    assert_eq!(findings(&site, &change), [("accelerator".to_owned(), line)]);
    let without = TestSite::new(&commit("one").write("po/de.po", file("Auf")));
    assert!(findings(&without, &[]).is_empty());
}
