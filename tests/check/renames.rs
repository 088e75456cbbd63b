//! Renamed keys: one finding for all languages, and the list of renames.

use super::Run;
use super::common::{TestSite, commit};

fn file(lines: &[(&str, &str)]) -> String {
    let lines: Vec<String> = lines
        .iter()
        .map(|(key, text)| format!("  \"{key}\": \"{text}\""))
        .collect();
    format!("{{\n{}\n}}\n", lines.join(",\n"))
}

/// A change that renames `save` in the template, and in German but not in Czech and French.
fn site() -> TestSite {
    let both = |text: &str| file(&[("save", text), ("title", "T")]);
    TestSite::new(
        &commit("one")
            .write("locales/en.json", both("Save"))
            .write("locales/cs.json", both("Uložit"))
            .write("locales/de.json", both("Speichern"))
            .write("locales/fr.json", both("Enregistrer"))
            .branch_at("change", "one")
            .commit("two")
            .write("locales/en.json", file(&[("keep", "Save"), ("title", "T")]))
            .write(
                "locales/de.json",
                file(&[("keep", "Speichern"), ("title", "T")]),
            ),
    )
}

#[test]
fn a_rename_is_one_finding_with_all_languages_that_use_the_old_key() {
    let site = site();
    let flags = ["--revision", "change", "--base", "main", "--new-only"];
    let run = Run::new(
        site.repository.dir(),
        &[&flags[..], &["--format", "json"]].concat(),
    );
    assert_eq!(
        run.findings(),
        ["locales/en.json keep renamed"],
        "{}",
        run.err
    );
    let report = run.json();
    let message = report["findings"][0]["message"].as_str().unwrap();
    assert_eq!(
        message,
        "'save' was renamed to 'keep'; 2 languages still use the old key (locales/cs.json:2, locales/fr.json:2): \
         rename it there, too."
    );
    let rename = &report["components"][0]["renames"][0];
    assert_eq!(rename["old_key"], "save");
    assert_eq!(rename["new_key"], "keep");
    assert_eq!(rename["evidence"], "source-and-translations");
    assert_eq!(rename["languages"], 1);
    assert_eq!(rename["remaining"][1]["file"], "locales/fr.json");
    assert_eq!(rename["remaining"].as_array().unwrap().len(), 2);
    let changes = &report["components"][0]["languages"][0]["changes"];
    assert_eq!(changes["removed"], 0, "{changes}");
}

#[test]
fn a_renamed_string_with_a_new_text_is_stale_and_no_added_string() {
    let both = |key: &str, text: &str| file(&[(key, text), ("title", "Title")]);
    let site = TestSite::new(
        &commit("one")
            .write("locales/en.json", both("send", "Send message"))
            .write("locales/cs.json", both("send", "Odeslat zprávu"))
            .write("locales/de.json", both("send", "Nachricht senden"))
            .branch_at("change", "one")
            .commit("two")
            .write("locales/en.json", both("submit", "Send a message"))
            .write("locales/cs.json", both("submit", "Odeslat zprávu"))
            .write("locales/de.json", both("submit", "Nachricht senden")),
    );
    let list = site.path("list.json");
    let run = Run::new(
        site.repository.dir(),
        &[
            "--revision",
            "change",
            "--base",
            "main",
            "--new-only",
            "--format",
            "json",
            "--fix-list",
            list.to_str().unwrap(),
        ],
    );
    let stale = ["cs", "de"].map(|code| format!("locales/{code}.json submit stale"));
    assert_eq!(run.findings(), stale, "{}", run.err);
    let report = run.json();
    assert_eq!(report["findings"][0]["previous_source"], "Send message");
    let changes = &report["components"][0]["totals"]["changes"];
    assert_eq!(
        (&changes["added"], &changes["stale"]),
        (&0.into(), &2.into())
    );
    let list: serde_json::Value =
        serde_json::from_str(&std::fs::read_to_string(list).unwrap()).unwrap();
    assert_eq!(list["version"], 1);
    let rename = &list["renames"][0];
    assert_eq!(
        (&rename["old_key"], &rename["new_key"]),
        (&"send".into(), &"submit".into())
    );
    assert_eq!(rename["evidence"], "translations");
    assert_eq!(rename["remaining"].as_array().map(Vec::len), Some(0));
}

#[test]
fn a_changed_source_text_of_gettext_is_one_finding() {
    let entry = |previous: &str, source: &str, text: &str| {
        format!("{previous}msgid \"{source}\"\nmsgstr \"{text}\"\n\n")
    };
    let (old, new) = ("Save the file", "Save this file");
    let other = entry("", "Title", "x");
    let po = |first: String| {
        let header = entry("", "", "Content-Type: text/plain; charset=UTF-8\\n");
        format!("{header}{first}{other}")
    };
    let site = TestSite::new(
        &commit("one")
            .write("po/app.pot", po(entry("", old, "")))
            .write("po/cs.po", po(entry("", old, "Uložit soubor")))
            .write("po/de.po", po(entry("", old, "Datei speichern")))
            .branch_at("change", "one")
            .commit("two")
            .write("po/app.pot", po(entry("", new, "")))
            .write(
                "po/cs.po",
                po(entry(
                    "#, fuzzy\n#| msgid \"Save the file\"\n",
                    new,
                    "Uložit soubor",
                )),
            ),
    );
    let flags = ["--revision", "change", "--base", "main", "--new-only"];
    let component = ["--filemask", "po/*.po", "--file-format", "po"];
    let run = Run::new(
        site.repository.dir(),
        &[&flags[..], &component, &["--format", "json"]].concat(),
    );
    let expected = [
        "po/app.pot Save this file renamed",
        "po/cs.po Save this file stale",
    ];
    assert_eq!(run.findings(), expected, "{}", run.err);
    let report = run.json();
    let message = report["findings"][0]["message"].as_str().unwrap();
    assert!(
        message.starts_with(
            "'Save the file' was changed to 'Save this file'; 1 language still uses the old text (po/de.po:"
        ),
        "{message}"
    );
    let rename = &report["components"][0]["renames"][0];
    assert_eq!(
        (&rename["old_key"], &rename["new_key"]),
        (&old.into(), &new.into())
    );
}

/// Two components: `save` moves from the one to the other in the template and in German, but not in Czech; `send` moves
/// with a new source text.
fn site_with_moves() -> (TestSite, Vec<String>) {
    let texts = |texts: &[(&str, &str)]| {
        let mut all = vec![("title", "T"), ("footer", "F")];
        all.extend(texts);
        file(&all)
    };
    let send = [("cs", "Odeslat zprávu"), ("de", "Nachricht senden")];
    let mut one = commit("one");
    for (code, send, save) in [
        ("en", "Send message", "Save"),
        ("cs", send[0].1, "Uložit"),
        ("de", send[1].1, "Speichern"),
    ] {
        let old = texts(&[("save", save), ("send", send)]);
        one = one
            .write(&format!("locales/app/{code}.json"), old)
            .write(&format!("locales/menu/{code}.json"), texts(&[]));
    }
    let site = TestSite::new(
        &one.branch_at("change", "one")
            .commit("two")
            .write("locales/app/en.json", texts(&[]))
            .write("locales/app/de.json", texts(&[]))
            .write("locales/app/cs.json", texts(&[("save", "Uložit")]))
            .write(
                "locales/menu/en.json",
                texts(&[("keep", "Save"), ("send", "Send a message")]),
            )
            .write(
                "locales/menu/de.json",
                texts(&[("keep", "Speichern"), ("send", send[1].1)]),
            )
            .write("locales/menu/cs.json", texts(&[("send", send[0].1)])),
    );
    let component = |name: &str| {
        format!(
            "[[project.component]]\nslug = \"{name}\"\nrepo = {:?}\nbranch = \"main\"\n\
             filemask = \"locales/{name}/*.json\"\ntemplate = \"locales/{name}/en.json\"\nfile_format = \"json\"\n",
            site.repository.dir()
        )
    };
    let config = site.path("gitglot.toml");
    let project = "[[project]]\nslug = \"p\"\n";
    std::fs::write(
        &config,
        [project, &component("app"), &component("menu")].concat(),
    )
    .unwrap();
    let flags = [
        "--revision",
        "change",
        "--base",
        "main",
        "--new-only",
        "--trust-config",
        "--config",
    ];
    let mut flags: Vec<String> = flags.map(str::to_owned).into();
    flags.push(config.to_str().unwrap().to_owned());
    (site, flags)
}

#[test]
fn a_string_that_moves_to_another_component_is_one_finding_there() {
    let (site, mut flags) = site_with_moves();
    let (list, page) = (site.path("list.json"), site.path("page.html"));
    let paths = [&list, &page].map(|path| path.to_str().unwrap());
    flags.extend(
        [
            "--format",
            "json",
            "--fix-list",
            paths[0],
            "--page",
            paths[1],
        ]
        .map(str::to_owned),
    );
    let flags: Vec<&str> = flags.iter().map(|it| &**it).collect();
    let run = Run::new(site.repository.dir(), &flags);
    let expected = [
        "locales/menu/cs.json send stale",
        "locales/menu/de.json send stale",
        "locales/menu/en.json keep renamed",
    ];
    assert_eq!(run.findings(), expected, "{}", run.err);
    let report = run.json();
    assert_eq!(report["findings"][0]["previous_source"], "Send message");
    assert_eq!(
        report["findings"][2]["message"],
        "'save' moved from p/app here as 'keep'; 1 language still uses the old place (locales/app/cs.json:4): \
         move it there, too."
    );
    let components = &report["components"];
    let (old, new) = (&components[0]["moved_away"], &components[1]["renames"]);
    assert_eq!(
        (&old[0]["old_key"], &old[0]["new_component"]),
        (&"save".into(), &"p/menu".into())
    );
    assert_eq!(
        (&new[0]["new_key"], &new[0]["old_component"]),
        (&"keep".into(), &"p/app".into())
    );
    assert_eq!(new[1]["evidence"], "translations");
    let change = |at: usize, of: &str| components[at]["totals"]["changes"][of].clone();
    assert_eq!(
        (change(0, "removed"), change(1, "added"), change(1, "stale")),
        (0.into(), 0.into(), 2.into())
    );
    let list: serde_json::Value =
        serde_json::from_str(&std::fs::read_to_string(list).unwrap()).unwrap();
    let renames = list["renames"].as_array().unwrap();
    assert_eq!(renames.len(), 2, "{list}");
    assert_eq!(renames[0]["component"], "p/menu");
    assert_eq!(renames[0]["remaining"][0]["file"], "locales/app/cs.json");
    let page = std::fs::read_to_string(page).unwrap();
    assert!(
        page.contains("2 renamed or moved strings") && page.contains(r#"<small class="quiet">in "#)
    );
    // The texts that moved are no differences; the changed source and the text that is missing are.
    assert!(!page.contains("Speichern"), "{page}");
}
