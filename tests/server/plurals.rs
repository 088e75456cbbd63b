//! Plural forms in the API, the change log, exports, filters and pages.

use crate::common::{ANNA, Server, TestSite, commit};
use serde_json::Value;

const SEPARATOR: &str = "\u{1e}\u{1e}";

fn file(plural: &[(&str, &str)]) -> String {
    let item = |(quantity, text): &(&str, &str)| {
        format!("    <item quantity=\"{quantity}\">{text}</item>\n")
    };
    let items: String = plural.iter().map(item).collect();
    format!(
        "<resources>\n  <string name=\"title\">Files</string>\n  <plurals name=\"files\">\n{items}  </plurals>\n</resources>\n"
    )
}

/// Three commits: new files, one changed form of the translation, one changed form of the source.
fn serve(site: &TestSite) -> Server {
    let repo = site.path("garden.git");
    let arguments = [
        "serve",
        repo.to_str().unwrap(),
        "--branch",
        "main",
        "--component",
        "app",
        "--filemask",
        "values-*/strings.xml",
        "--template",
        "values/strings.xml",
        "--file-format",
        "aresource",
    ];
    Server::start(&arguments, &site.path("state"))
}

fn site() -> TestSite {
    let english = [("one", "%d file"), ("other", "%d files")];
    let czech = [
        ("one", "%d soubor"),
        ("few", "%d soubory"),
        ("other", "%d souborů"),
    ];
    let mut changed = czech;
    changed[1].1 = "%d nové soubory";
    TestSite::new(
        &commit("one")
            .by_at(ANNA, "2020-01-01 10:00")
            .write("values/strings.xml", file(&english))
            .write("values-cs/strings.xml", file(&czech))
            .write("values-de/strings.xml", file(&[("one", "%d Datei")]))
            .commit("two")
            .by(ANNA)
            .write("values-cs/strings.xml", file(&changed))
            .commit("three")
            .by(ANNA)
            .write(
                "values/strings.xml",
                file(&[("one", "%d file"), ("other", "%d new files")]),
            ),
    )
}

#[test]
fn plurals_next_to_strings_files_are_units_of_one_component() {
    let plural = |other: &str| {
        format!(
            "<plist>\n<dict>\n<key>files</key><dict><key>NSStringLocalizedFormatKey</key><string>%#@n@</string><key>n</key><dict>\
             <key>one</key><string>%d x</string><key>other</key><string>{other}</string></dict></dict></dict></plist>\n"
        )
    };
    let strings = "\"a\" = \"x\";\n";
    let site = TestSite::new(
        &commit("one")
            .write("en.lproj/L.strings", strings)
            .write("en.lproj/L.stringsdict", plural("%d files"))
            .write("de.lproj/L.strings", strings)
            .write("de.lproj/L.stringsdict", plural("%d Datei"))
            .commit("two")
            .write("de.lproj/L.stringsdict", plural("%d Dateien")),
    );
    let repo = site.path("garden.git");
    let start = || Server::start(&["serve", repo.to_str().unwrap()], &site.path("state"));
    let check = |server: &Server| {
        let components = list(server, "/api/components/");
        assert_eq!(components.len(), 1, "{components:?}");
        let path = components[0]["slug"].as_str().unwrap();
        let path = format!("garden/{path}/de/");
        let units = list(server, &format!("/api/translations/{path}units/"));
        let targets: Vec<_> = units.iter().map(|it| it["target"].clone()).collect();
        assert_eq!(targets, ["x", &*joined(&["%d x", "%d Dateien"])]);
        let changes = list(server, &format!("/api/translations/{path}changes/"));
        let changed = changes.iter().filter(|it| it["action"] == 2).count();
        assert_eq!(changed, 1, "{changes:#?}");
        let (_, file) = server.get(&format!("/api/translations/{path}file/"));
        assert_eq!(file, strings);
        let (_, page) = server.get(&format!("/projects/{path}"));
        assert!(page.contains("de.lproj/L.strings<"), "{page}");
    };
    let server = start();
    check(&server);
    drop(server);
    check(&start());
}

fn list(server: &Server, path: &str) -> Vec<Value> {
    let separator = if path.contains('?') { '&' } else { '?' };
    let all = server.json(&format!("{path}{separator}page_size=1000"));
    all["results"].as_array().unwrap().clone()
}

fn joined(forms: &[&str]) -> String {
    forms.join(SEPARATOR)
}

#[test]
fn a_plural_is_one_unit_with_one_log_entry_per_change() {
    let site = site();
    let server = serve(&site);
    let units = list(&server, "/api/translations/garden/app/cs/units/");
    assert_eq!(units.len(), 2);
    let files = &units[1];
    let czech = joined(&["%d soubor", "%d nové soubory", "%d souborů"]);
    assert_eq!(files["source"], joined(&["%d file", "%d new files"]));
    assert_eq!(files["target"], czech.as_str());
    assert_eq!(files["num_words"], 2);
    // The source changed after the translation.
    assert_eq!(
        (&files["fuzzy"], &files["translated"]),
        (&true.into(), &false.into())
    );
    assert_eq!(files["previous_source"], joined(&["%d file", "%d files"]));

    // German has two forms, its file only one.
    let german = list(&server, "/api/translations/garden/app/de/units/");
    assert_eq!(german[1]["target"], joined(&["%d Datei", ""]));

    let entries = |language: &str, action: u64| -> Vec<Value> {
        let path = format!("/api/translations/garden/app/{language}/changes/");
        let changes = list(&server, &path);
        let targets = changes.iter().filter(|change| change["action"] == action);
        targets.map(|change| change["target"].clone()).collect()
    };
    let before = joined(&["%d soubor", "%d soubory", "%d souborů"]);
    assert!(entries("cs", 5).contains(&before.into()));
    assert_eq!(entries("cs", 2), [czech]);
    assert!(entries("de", 5).contains(&joined(&["%d Datei", ""]).into()));
    assert_eq!(entries("en", 30), [joined(&["%d file", "%d new files"])]);
}

#[test]
fn exports_filters_and_pages_have_every_form() {
    let site = site();
    let server = serve(&site);
    let export = |format: &str| {
        let (status, body) = server.get(&format!("/download/garden/app/cs/?format={format}"));
        assert_eq!(status, 200, "{body}");
        body
    };
    let po = export("po");
    let plural = "msgid \"%d file\"\nmsgid_plural \"%d new files\"\nmsgstr[0] \"%d soubor\"\n\
                  msgstr[1] \"%d nové soubory\"\nmsgstr[2] \"%d souborů\"\n";
    assert!(po.contains(plural), "{po}");
    let xliff = export("xliff");
    assert!(
        xliff.contains("<group restype=\"x-gettext-plurals\" id=\"files\">"),
        "{xliff}"
    );
    for (form, source, target) in [
        (0, "%d file", "%d soubor"),
        (1, "%d new files", "%d nové soubory"),
        (2, "%d new files", "%d souborů"),
    ] {
        let unit = xliff
            .split(&format!("id=\"files[{form}]\""))
            .nth(1)
            .unwrap();
        let unit = unit.split("</trans-unit>").next().unwrap();
        assert!(
            unit.contains(&format!("<source>{source}</source>")),
            "{unit}"
        );
        assert!(unit.contains(&format!(">{target}</target>")), "{unit}");
    }
    let forms = joined(&["%d soubor", "%d nové soubory", "%d souborů"]);
    assert!(export("csv").contains(&forms));

    for (query, count) in [
        ("target:=%22%25d%20nov%C3%A9%20soubory%22", 1),
        ("target:soubor%C5%AF", 1),
        ("source:%22new%20files%22", 1),
        ("target:=soubory", 0),
    ] {
        let path = format!("/api/units/?q=language:cs%20AND%20{query}");
        assert_eq!(server.json(&path)["count"], count, "{query}");
    }

    let checksum = list(&server, "/api/units/?q=language:cs%20AND%20source:new")[0]["web_url"]
        .as_str()
        .unwrap()
        .to_owned();
    let path = &checksum[checksum.find("/translate/").unwrap()..];
    let (status, page) = server.get(path);
    assert_eq!(status, 200, "{page}");
    for text in ["one", "few", "other", "nové soubory"] {
        assert!(page.contains(text), "{text}");
    }
}
