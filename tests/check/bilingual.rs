//! Components of PO files: each file has the source texts, and says what is to be reviewed.

use super::Run;
use super::common::{TestSite, commit};

const HEADER: &str = "msgid \"\"\nmsgstr \"\"\n\"Project-Id-Version: garden 1\\n\"\n\"POT-Creation-Date: 2021-03-04 10:00+0100\\n\"\n\
    \"PO-Revision-Date: 2021-03-05 10:00+0100\\n\"\n\"Last-Translator: Anna <anna@example.org>\\n\"\n\
    \"Language-Team: none\\n\"\n\"Language: de\\n\"\n\"MIME-Version: 1.0\\n\"\n\
    \"Content-Type: text/plain; charset=UTF-8\\n\"\n\"Content-Transfer-Encoding: 8bit\\n\"\n\
    \"Plural-Forms: nplurals=2; plural=(n != 1);\\n\"\n\n";

fn entry(comments: &str, source: &str, text: &str) -> String {
    format!("{comments}msgid \"{source}\"\nmsgstr \"{text}\"\n\n")
}

fn file(entries: &[String]) -> String {
    [HEADER, &*entries.concat()].concat()
}

fn run(site: &TestSite, flags: &[&str]) -> Run {
    let common = [
        "--filemask",
        "po/*.po",
        "--file-format",
        "po",
        "--format",
        "json",
    ];
    Run::new(site.repository.dir(), &[&common[..], flags].concat())
}

#[test]
fn findings_of_a_po_file_have_file_and_line() {
    let de = file(&[
        entry("", "Open", "Öffnen"),
        entry("#, c-format\n", "%d files", "Dateien"),
        entry("#, no-c-format\n", "100% sure", "sicher"),
        entry("#, fuzzy\n#| msgid \"Closed\"\n", "Close", "Zu"),
        entry("", "Save", ""),
        entry("", "Open", "Auf"),
        "msgid \"One\"\nmsgid_plural \"Many\"\nmsgstr[0] \"Eins\"\n\n".to_owned(),
    ]);
    let line = |source: &str| {
        let wanted = format!("msgid \"{source}\"");
        de.lines().position(|line| line == wanted).unwrap() as u64 + 1
    };
    let mut lines = de.lines().zip(1..).collect::<Vec<_>>().into_iter().rev();
    let last_open = lines.find(|(line, _)| *line == "msgid \"Open\"").unwrap().1;
    let site = TestSite::new(&commit("one").write("po/de.po", &de));
    let report = run(&site, &[]).json();
    let mut found: Vec<(String, String, u64)> = Vec::new();
    for finding in report["findings"].as_array().unwrap() {
        assert_eq!(finding["file"], "po/de.po");
        let text = |name: &str| finding[name].as_str().unwrap().to_owned();
        found.push((
            text("check"),
            text("key"),
            finding["line"].as_u64().unwrap(),
        ));
    }
    let wanted = [
        ("c_format", "%d files", line("%d files")),
        ("stale", "Close", line("Close")),
        ("missing", "Save", line("Save")),
        ("duplicate-key", "Open", last_open),
        ("plural-forms", "One", line("One")),
    ];
    for (check, key, line) in wanted {
        let wanted = (check.to_owned(), key.to_owned(), line);
        assert!(found.contains(&wanted), "{wanted:?}: {found:#?}");
    }
    let of = |check: &str| {
        let findings = report["findings"].as_array().unwrap();
        findings
            .iter()
            .find(|it| it["check"] == check)
            .unwrap()
            .clone()
    };
    assert_eq!(of("stale")["previous_source"], "Closed");
    assert!(
        of("duplicate-key")["message"]
            .as_str()
            .unwrap()
            .contains("line 14")
    );
    assert!(
        !found.iter().any(|(_, key, _)| key == "100% sure"),
        "{found:#?}"
    );
    let counts = &report["totals"];
    assert_eq!(
        (&counts["stale"], &counts["missing"]),
        (&1.into(), &1.into())
    );
}

#[test]
fn an_update_is_compared_by_texts() {
    let lines = |commented: bool, range: std::ops::Range<usize>| {
        let reference = move |at: usize| match commented {
            true => format!("#: src/main.c:{}\n", at * 7),
            false => format!("#: src/main.c:{at}\n"),
        };
        range.map(move |at| {
            entry(
                &reference(at),
                &format!("Text {at}"),
                &format!("Texte {at}"),
            )
        })
    };
    let old: Vec<String> = lines(false, 0..100).collect();
    let mut new: Vec<String> = lines(true, 3..100).collect();
    new.extend((0..12).map(|at| match at {
        0..4 => entry("#, fuzzy\n", &format!("New {at}"), "Nouveau"),
        _ => entry("", &format!("New {at}"), ""),
    }));
    new.reverse();
    let site = TestSite::new(
        &commit("one")
            .write("po/fr.po", file(&old))
            .branch_at("change", "one")
            .commit("two")
            .write("po/fr.po", file(&new)),
    );
    let run = |flags: &[&str]| {
        let base = ["--revision", "change", "--base", "main", "--new-only"];
        self::run(&site, &[&base[..], flags].concat())
    };
    let report = run(&[]).json();
    let component = &report["components"][0];
    assert_eq!(component["summary"], "12 new, 4 now fuzzy, 3 removed");
    let findings = report["findings"].as_array().unwrap();
    assert_eq!(findings.len(), 12, "{findings:#?}");
    for format in ["text", "markdown"] {
        let base = [
            "--filemask",
            "po/*.po",
            "--file-format",
            "po",
            "--format",
            format,
        ];
        let more = ["--revision", "change", "--base", "main"];
        let run = Run::new(site.repository.dir(), &[&base[..], &more].concat());
        let summary = "12 new, 4 now fuzzy, 3 removed";
        assert!(run.out.contains(summary), "{}", run.out);
    }
}

#[test]
fn a_string_that_a_file_lacks_is_missing_with_the_reason() {
    let both = file(&[entry("", "Open", "x"), entry("", "Save", "y")]);
    let old = file(&[entry("", "Open", "x")]);
    let site = TestSite::new(
        &commit("one")
            .write("po/de.po", &both)
            .write("po/fr.po", &both)
            .write("po/cs.po", &old),
    );
    let report = run(&site, &[]).json();
    let missing: Vec<_> = (report["findings"].as_array().unwrap().iter())
        .filter(|it| it["check"] == "missing")
        .collect();
    assert_eq!(missing.len(), 1, "{missing:?}");
    assert_eq!(
        (&missing[0]["file"], &missing[0]["key"]),
        (&"po/cs.po".into(), &"Save".into())
    );
    let message = missing[0]["message"].as_str().unwrap();
    assert!(
        message.ends_with("not merged since 2021-03-04."),
        "{message}"
    );
}

#[test]
fn a_fuzzy_text_without_a_previous_source_gets_it_from_the_history() {
    let fuzzy = "#, fuzzy\n";
    let site = TestSite::new(
        &commit("one")
            .write("po/de.po", file(&[entry("", "Colour", "Farbe")]))
            .commit("two")
            .write("po/de.po", file(&[entry(fuzzy, "Color", "Farbe")])),
    );
    let report = run(&site, &["--history", "full"]).json();
    let stale = &report["findings"][0];
    assert_eq!(
        (&stale["check"], &stale["key"]),
        (&"stale".into(), &"Color".into())
    );
    assert_eq!(stale["previous_source"], "Colour");
}

#[test]
fn a_file_of_the_source_language_has_the_placeholders_that_count() {
    let file = |language: &str, text: &str| {
        format!(
            "<xliff version=\"1.2\"><file original=\"a\" source-language=\"en\" target-language=\"{language}\"><body>\n\
             <trans-unit id=\"1\"><source>Up to {{{{ max }}}}.</source><target>{text}</target></trans-unit>\n</body></file></xliff>"
        )
    };
    let history = commit("one")
        .write(
            "l/a.en.xlf",
            file("en", "{{ max }} at most, not {{ now }}."),
        )
        .write("l/a.cs.xlf", file("cs", "Nejvýše {{ max }}, ne {{ now }}."))
        .write(
            "l/a.de.xlf",
            file("de", "Höchstens {{ max }}, nicht {{ nun }}."),
        );
    let site = TestSite::new(&history);
    let findings = Run::new(site.repository.dir(), &["--format", "json"]).findings();
    let errors = findings.iter().filter(|it| !it.contains("end_"));
    let errors: Vec<&String> = errors.collect();
    assert_eq!(
        errors,
        ["l/a.de.xlf a///1: Up to {{ max }}. i18next_interpolation"]
    );
}

/// An XLIFF file whose sources are names.
fn names(version: &str, language: &str, strings: &[(&str, &str)]) -> String {
    let unit = |(id, (name, text)): (usize, &(&str, &str))| {
        let texts = format!("<source>{name}</source><target>{text}</target>");
        if version == "2.0" {
            format!("<unit id=\"{id}\" name=\"{name}\"><segment>{texts}</segment></unit>\n")
        } else {
            format!("<trans-unit id=\"{id}\" resname=\"{name}\">{texts}</trans-unit>\n")
        }
    };
    let units: String = strings.iter().enumerate().map(unit).collect();
    if version == "2.0" {
        let root = "xliff xmlns=\"urn:oasis:names:tc:xliff:document:2.0\" version=\"2.0\"";
        format!(
            "<{root} srcLang=\"en\" trgLang=\"{language}\"><file id=\"m\">{units}</file></xliff>"
        )
    } else {
        let file = format!("file source-language=\"en\" target-language=\"{language}\"");
        format!("<xliff version=\"1.2\"><{file} original=\"m\"><body>{units}</body></file></xliff>")
    }
}

#[test]
fn translations_of_names_are_compared_with_what_people_read() {
    let english = [
        ("part.edit", "Edit %name% &lt;b&gt;now&lt;/b&gt;"),
        ("part.new", "New part of %name%."),
        ("Parts", "All parts"),
        ("show-parts", "Show all parts"),
        ("table_texts", "{\"info\": \"{n} parts\"}"),
    ];
    let french = [
        ("part.edit", "Modifier"),
        ("part.new", "Nouvelle pièce de %name%."),
        ("Parts", "Parts"),
        ("show-parts", "show-parts"),
        ("table_texts", "{\"info\": \"{a} de {b}\"}"),
    ];
    for version in ["1.2", "2.0"] {
        let history = commit("one")
            .write(
                "translations/messages.en.xlf",
                names(version, "en", &english),
            )
            .write(
                "translations/messages.fr.xlf",
                names(version, "fr", &french),
            );
        let site = TestSite::new(&history);
        let findings = Run::new(site.repository.dir(), &["--format", "json"]).findings();
        let found: Vec<&str> = findings
            .iter()
            .filter_map(|it| it.rsplit(' ').next())
            .collect();
        assert_eq!(
            found,
            ["percent_placeholders", "xml-tags", "same"],
            "{version} {findings:?}"
        );
    }
}

#[test]
fn a_change_of_what_people_read_makes_findings_new() {
    let english = |text| names("1.2", "en", &[("part.edit", text)]);
    let history = commit("one")
        .write("l/m.en.xlf", english("Edit it"))
        .write(
            "l/m.fr.xlf",
            names("1.2", "fr", &[("part.edit", "Modifier")]),
        )
        .branch_at("change", "one")
        .commit("two")
        .write("l/m.en.xlf", english("Edit %name%"))
        .branch_at("later", "two")
        .commit("three")
        .write("l/other", "x");
    let site = TestSite::new(&history);
    let findings = |base, head| {
        let revisions = ["--base", base, "--revision", head];
        let flags = [&revisions[..], &["--new-only", "--format", "json"]].concat();
        Run::new(site.repository.dir(), &flags).findings()
    };
    let lost = "l/m.fr.xlf part.edit: part.edit percent_placeholders";
    assert_eq!(findings("main", "change"), [lost]);
    assert_eq!(findings("change", "later"), [""; 0]);
}

#[test]
fn a_string_that_moves_keeps_what_people_read() {
    let moving = [
        ("checkout.total", "Total: %name%"),
        ("checkout.sum", "Sum of all"),
    ];
    let french = [
        ("checkout.total", "Somme"),
        ("checkout.sum", "Somme de tout"),
    ];
    let with = |own: (&'static str, &'static str), more: &[(&'static str, &'static str)]| {
        [&[own][..], more].concat()
    };
    let files = |name: &str, has: bool| {
        let more = |strings| if has { strings } else { &[][..] };
        let english = with(("own.name", "Own name"), more(&moving));
        let other = with(("own.name", "Nom propre"), more(&french));
        [
            (format!("{name}/m.en.xlf"), names("1.2", "en", &english)),
            (format!("{name}/m.fr.xlf"), names("1.2", "fr", &other)),
        ]
    };
    let mut history = commit("one");
    for (path, text) in [files("a", true), files("b", false)].concat() {
        history = history.write(&path, text);
    }
    history = history.branch_at("change", "one").commit("two");
    for (path, text) in [files("a", false), files("b", true)].concat() {
        history = history.write(&path, text);
    }
    let site = TestSite::new(&history);
    let flags = ["--base", "main", "--revision", "change", "--format", "json"];
    let findings =
        |more: &[&str]| Run::new(site.repository.dir(), &[&flags, more].concat()).findings();
    let lost = "b/m.fr.xlf checkout.total: checkout.total percent_placeholders";
    assert_eq!(findings(&[]), [lost]);
    assert_eq!(findings(&["--new-only"]), [""; 0]);
}

#[test]
fn a_fault_is_new_if_the_text_that_people_read_is_gone() {
    let source = "Open %name% now";
    let history = commit("one")
        .write("l/m.en.xlf", names("1.2", "en", &[(source, "Open it now")]))
        .write("l/m.fr.xlf", names("1.2", "fr", &[(source, "Ouvrir")]))
        .write(
            "l/m.de.xlf",
            names("1.2", "de", &[(source, "%name% öffnen")]),
        )
        .branch_at("change", "one")
        .commit("two")
        .delete("l/m.en.xlf");
    let site = TestSite::new(&history);
    let flags = [
        "--new-only",
        "--format",
        "json",
        "--base",
        "main",
        "--revision",
    ];
    let findings =
        |head| Run::new(site.repository.dir(), &[&flags[..], &[head]].concat()).findings();
    assert_eq!(findings("main"), [""; 0]);
    let lost = format!("l/m.fr.xlf {source}: {source} percent_placeholders");
    assert!(
        findings("change").contains(&lost),
        "{:?}",
        findings("change")
    );
}

#[test]
fn a_fault_is_new_if_the_text_that_people_read_stays_in_another_component() {
    let source = "Open %name% now";
    let files = |component: &str, moved: bool, has_english: bool| {
        let texts = [
            ("en", "Open it now"),
            ("fr", "Ouvrir"),
            ("de", "%name% öffnen"),
        ];
        let texts = texts
            .into_iter()
            .filter(|(language, _)| has_english || *language != "en");
        texts
            .map(|(language, text)| {
                let mut strings = vec![("own.name", "Own name")];
                strings.extend(moved.then_some((source, text)));
                (
                    format!("{component}/m.{language}.xlf"),
                    names("1.2", language, &strings),
                )
            })
            .collect::<Vec<_>>()
    };
    let mut history = commit("one");
    for (path, text) in [files("a", true, true), files("b", false, true)].concat() {
        history = history.write(&path, text);
    }
    history = history.branch_at("change", "one").commit("two");
    for (path, text) in [files("a", false, true), files("b", true, false)].concat() {
        history = history.write(&path, text);
    }
    history = history.delete("b/m.en.xlf");
    let site = TestSite::new(&history);
    let flags = ["--base", "main", "--revision", "change", "--new-only"];
    let run = Run::new(
        site.repository.dir(),
        &[&flags[..], &["--format", "json"]].concat(),
    );
    let lost = format!("b/m.fr.xlf {source}: {source} percent_placeholders");
    let findings = run.findings();
    assert!(findings.contains(&lost), "{findings:?}");
}
