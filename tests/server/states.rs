//! Texts that Weblate 3.4 counts differently from programs: its API keeps its state, everything else has that of programs.

use crate::common::{ANNA, Server, TestSite, commit, gitglot, project};
use serde_json::{Value, json};

/// One string that is translated, one in the language's file only since the program dropped it, one without a text.
const CZECH: &str = "<TS><context><name>Main</name>\
    <message><source>Open</source><translation>Otev\u{159}\u{ed}t</translation></message>\
    <message><source>Version %1 is old</source><translation type=\"vanished\">Verze % 1</translation></message>\
    <message><source>Close</source><translation></translation></message></context></TS>";

fn serve(path: &str, mask: &str, format: &str, text: &str) -> (TestSite, Server) {
    let site = TestSite::new(
        &commit("one")
            .by_at(ANNA, "2020-01-01 10:00")
            .write(path, text),
    );
    let repo = site.path("garden.git");
    let arguments = [
        "serve",
        repo.to_str().unwrap(),
        "--branch",
        "main",
        "--component",
        "app",
    ];
    let format = ["--filemask", mask, "--file-format", format];
    let server = Server::start(&[&arguments[..], &format].concat(), &site.path("state"));
    (site, server)
}

fn fields(server: &Server, path: &str, fields: &[&str]) -> Vec<Value> {
    let body = server.json(path);
    fields.iter().map(|field| body[*field].clone()).collect()
}

const COUNTS: [&str; 3] = ["total", "translated", "fuzzy"];

#[test]
fn messages_that_programs_lack_are_in_the_api_of_3_4_only() {
    let (_site, server) = serve("tr/app_cs.ts", "tr/app_*.ts", "ts", CZECH);
    let of = "translations/garden/app/cs/";
    assert_eq!(fields(&server, &format!("/api/{of}"), &COUNTS), [3, 3, 0]);
    assert_eq!(
        fields(&server, &format!("/current/api/{of}"), &COUNTS),
        [2, 1, 0]
    );
    let units = server.json(&format!("/current/api/{of}units/"));
    let list = units["results"].as_array().unwrap();
    let list: Vec<_> = list
        .iter()
        .map(|it| json!([it["source"], it["target"], it["state"]]))
        .collect();
    let expected = [
        json!([["Open"], ["Otev\u{159}\u{ed}t"], 20]),
        json!([["Close"], [""], 0]),
    ];
    assert_eq!(list, expected);
    assert_eq!(server.json("/api/units/?format=json")["count"], 3);
    // Those of the language, and those of the sources.
    assert_eq!(server.json("/current/api/units/?format=json")["count"], 4);
    let (status, page) = server.get("/projects/garden/app/cs/");
    assert_eq!(status, 200);
    assert!(page.contains("<dd>50 %</dd>"), "{page}");
    let (_, page) = server.get("/translate/garden/app/cs/");
    assert!(!page.contains("is old"), "{page}");
    let (_, badge) = server.get("/widgets/garden/-/svg-badge.svg");
    assert!(badge.contains("50"), "{badge}");
}

#[test]
fn a_fuzzy_entry_without_a_text_is_empty() {
    let head = "msgid \"\"\nmsgstr \"Content-Type: text/plain; charset=UTF-8\\n\"\n";
    let entry = |id: &str, text: &str| format!("\n#, fuzzy\nmsgid \"{id}\"\nmsgstr \"{text}\"\n");
    let plural = "\n#, fuzzy\nmsgid \"a\"\nmsgid_plural \"b\"\nmsgstr[0] \"\"\nmsgstr[1] \"x\"\n";
    let text = [head, &entry("Open", ""), &entry("Close", "Zav"), plural].concat();
    let (_site, server) = serve("po/cs.po", "po/*.po", "po", &text);
    // Weblate 3.4 calls all three fuzzy.
    let of = "translations/garden/app/cs/";
    assert_eq!(fields(&server, &format!("/api/{of}"), &COUNTS), [3, 0, 3]);
    let current = fields(&server, &format!("/current/api/{of}"), &COUNTS);
    assert_eq!(current, [3, 0, 1]);
    let (_, page) = server.get("/translate/garden/app/cs/?type=nottranslated");
    assert!(page.contains("Open") && !page.contains("Close"), "{page}");
}

#[test]
fn copies_of_the_source_in_xliff_are_no_translations() {
    let text = "<xliff version=\"1.2\"><file original=\"ng\"><body>\
        <trans-unit id=\"1\"><source>Hi</source><target state=\"new\">Hi</target></trans-unit>\
        <trans-unit id=\"2\"><source>Yes</source><target state=\"needs-adaptation\">Ano</target></trans-unit>\
        <trans-unit id=\"3\"><source>No</source><target>Ne</target></trans-unit></body></file></xliff>";
    let (_site, server) = serve("l/messages.cs.xlf", "l/messages.*.xlf", "xliff", text);
    let of = "translations/garden/app/cs/";
    assert_eq!(fields(&server, &format!("/api/{of}"), &COUNTS), [3, 1, 2]);
    assert_eq!(
        fields(&server, &format!("/current/api/{of}"), &COUNTS),
        [3, 1, 1]
    );
    let (_, page) = server.get("/translate/garden/app/cs/?type=nottranslated");
    assert!(page.contains("Hi") && !page.contains("Ano"), "{page}");
}

/// The percentages and texts instead of them of pages, badges and `check` for a repository with these files in JSON.
fn figures(files: &[(&str, &str)]) -> Vec<String> {
    figures_of(
        files,
        "filemask = 'l/*.json'\nfile_format = 'json'\ntemplate = 'l/en.json'",
    )
}

/// The same for a component with these settings.
fn figures_of(files: &[(&str, &str)], settings: &str) -> Vec<String> {
    let commits = commit("one").by_at(ANNA, "2020-01-01 10:00");
    let commits = files
        .iter()
        .fold(commits, |commits, (path, text)| commits.write(path, *text));
    let site = TestSite::new(&commits);
    let component = format!(
        "[[project.component]]\nslug = 'app'\nrepo = '{}'\nbranch = 'main'\n{settings}\n",
        site.path("garden.git").display()
    );
    let config = site.path("gitglot.toml");
    std::fs::write(&config, project("garden", &[component])).unwrap();
    let config = ["--config", config.to_str().unwrap()];
    let server = Server::start(&[&["serve"], &config[..]].concat(), &site.path("state"));
    let between = |path: &str, before: &str, after: &str| {
        let (_, body) = server.get(path);
        let (_, rest) = body
            .split_once(before)
            .unwrap_or_else(|| panic!("{path}: {body}"));
        rest.split_once(after).unwrap().0.to_owned()
    };
    let tile = "translated</span></dt><dd>";
    let badge = site.path("badge.json");
    let mut check = gitglot();
    check.args([
        "check",
        config[0],
        config[1],
        "--trust-config",
        "--badge-json",
        badge.to_str().unwrap(),
        "--format",
        "json",
    ]);
    check.arg("--state-dir").arg(site.path("check"));
    let report = check.output().unwrap();
    let report: Value = serde_json::from_slice(&report.stdout).unwrap();
    let badge: Value = serde_json::from_slice(&std::fs::read(badge).unwrap()).unwrap();
    vec![
        between("/projects/garden/", tile, "</dd>"),
        between("/projects/garden/app/", tile, "</dd>"),
        between("/widgets/garden/-/shields.json", "\"message\":\"", "\""),
        between(
            "/widgets/garden/-/app/svg-badge.svg",
            "<title>translated: ",
            "</title>",
        ),
        badge["message"].as_str().unwrap().to_owned(),
        report["totals"]["translated_percent"].to_string(),
        between("/stats/garden/", "class=\"today\"", "</text>")
            .rsplit_once('>')
            .unwrap()
            .1
            .to_owned(),
    ]
}

#[test]
fn pages_badges_and_check_have_one_percentage() {
    // 2 of 4 strings; with the source language it would be 4 of 6.
    let half = [
        ("l/en.json", r#"{"a": "A car", "b": "A bus"}"#),
        ("l/cs.json", r#"{"a": "Auto", "b": "Autobus"}"#),
        ("l/de.json", "{}"),
    ];
    assert_eq!(
        figures(&half),
        ["50 %", "50 %", "50 %", "50%", "50%", "50.0", "50 %"]
    );
    // 1 of 1,001 and the other way around: neither nothing nor all.
    let texts = |count: u32| {
        let texts = (0..count).map(|at| format!("\"k{at}\": \"Text of {at}\""));
        format!("{{{}}}", texts.collect::<Vec<_>>().join(","))
    };
    let (all, little, most) = (texts(1001), texts(1), texts(1000));
    let file = |text| [("l/en.json", &*all), ("l/cs.json", text)].map(|it: (&str, &str)| it);
    assert_eq!(
        figures(&file(&little)),
        ["0.1 %", "0.1 %", "0.1 %", "1%", "1%", "0.1", "0.1 %"]
    );
    assert_eq!(
        figures(&file(&most)),
        ["99.9 %", "99.9 %", "99.9 %", "99%", "99%", "99.9", "99.9 %"]
    );
}

#[test]
fn strings_that_only_the_template_has_count_everywhere() {
    let entry = |id: &str, text: &str| format!("\nmsgid \"{id}\"\nmsgstr \"{text}\"\n");
    let head = "msgid \"\"\nmsgstr \"Content-Type: text/plain; charset=UTF-8\\n\"\n";
    let pot = [head, &*entry("Car", ""), &*entry("Bus", "")].concat();
    let cs = [head, &*entry("Car", "Auto")].concat();
    let po = figures_of(
        &[("l/app.pot", &*pot), ("l/cs.po", &*cs)],
        "filemask = 'l/*.po'\nfile_format = 'po'\nnew_base = 'l/app.pot'",
    );
    let half = ["50 %", "50 %", "50 %", "50%", "50%", "50.0", "50 %"];
    assert_eq!(po, half);
    // Programs find units by their ids: one has an older source, and one only other attributes of a placeholder.
    let unit = |id: &str, source: &str, target: &str| {
        format!("<trans-unit id=\"{id}\"><source>{source}</source>{target}</trans-unit>")
    };
    let file = |units: [String; 2]| {
        let units = units.concat();
        format!("<xliff version=\"1.2\"><file original=\"x\"><body>{units}</body></file></xliff>")
    };
    let template = file([
        unit("a", "Red car", ""),
        unit("b", "<x id=\"N\"/> cars", ""),
    ]);
    let de = file([
        unit("a", "Car", "<target>Auto</target>"),
        unit(
            "b",
            "<x id=\"N\" equiv-text=\"n\"/> cars",
            "<target><x id=\"N\"/> Autos</target>",
        ),
    ]);
    let xliff = figures_of(
        &[("l/app.xml", &*template), ("l/de.xlf", &*de)],
        "filemask = 'l/*.xlf'\nfile_format = 'xliff'\nnew_base = 'l/app.xml'",
    );
    assert_eq!(xliff, half);
}

#[test]
fn a_stale_text_counts_nowhere_as_translated() {
    let (one, two) = (
        commit("one")
            .by_at(ANNA, "2020-01-01 10:00")
            .write("l/en.json", r#"{"a": "A car", "b": "A bus"}"#)
            .write("l/cs.json", r#"{"a": "Auto", "b": "Autobus"}"#),
        "2020-03-01 10:00",
    );
    let changed = r#"{"a": "Two red cars", "b": "A bus"}"#;
    let history = one.commit("two").by_at(ANNA, two);
    let history = history.write("l/en.json", changed);
    let history = history.commit("three").by_at(ANNA, two);
    let site = TestSite::new(&history.write("l/de.json", r#"{"b": "Bus"}"#));
    let repo = site.path("garden.git");
    let arguments = ["serve", repo.to_str().unwrap(), "--branch", "main"];
    let component = ["--component", "app", "--filemask", "l/*.json"];
    let template = ["--template", "l/en.json", "--file-format", "json"];
    let all = [&arguments[..], &component, &template].concat();
    let server = Server::start(&all, &site.path("state"));
    // 1 of 2 in Czech, 1 of 2 in German.
    let page = |path: &str| server.get(path).1;
    for (path, figure) in [
        ("/projects/garden/", "<dd>50 %</dd>"),
        ("/projects/garden/app/cs/", "<dd>50 %</dd>"),
        ("/stats/garden/", "<title>Czech: 50 %</title>"),
        ("/stats/garden/cs/", "<title>2020-01: 100 %</title>"),
        ("/stats/garden/cs/", "<title>2020-03: 50 %</title>"),
        (
            "/stats/garden/?show=numbers",
            "<th scope=\"row\"><bdi>Czech</bdi></th><td class=\"n\">50</td>",
        ),
        (
            "/compare/garden/app/@2020-02-01...HEAD/",
            "data-label=\"Translated\">50 %</td>",
        ),
        ("/revisions/garden/HEAD/", "<td class=\"n\">50 %</td>"),
        (
            "/changes/",
            "<p class=\"text quiet\"><bdi lang=\"en\" dir=\"ltr\">A bus</bdi></p>",
        ),
        ("/widgets/garden/cs/shields.json", "\"message\":\"50 %\""),
        (
            "/exports/progress/garden/?format=csv&lang=cs&from=2020-03",
            "2020-03,cs,2,1,50.0,0\n",
        ),
    ] {
        let body = page(path);
        assert!(body.contains(figure), "{path}: {body}");
    }
}

#[test]
fn a_component_without_files_of_languages_has_no_percentage() {
    let site = TestSite::new(
        &commit("one")
            .by_at(ANNA, "2020-01-01 10:00")
            .write("l/en.json", r#"{"a": "A"}"#),
    );
    let repo = site.path("garden.git");
    let serve = [
        "serve",
        repo.to_str().unwrap(),
        "--branch",
        "main",
        "--component",
        "app",
    ];
    let component = [
        "--filemask",
        "l/*.json",
        "--file-format",
        "json",
        "--template",
        "l/en.json",
    ];
    let server = Server::start(&[&serve[..], &component].concat(), &site.path("state"));
    for path in [
        "/projects/garden/",
        "/projects/garden/app/",
        "/widgets/garden/-/svg-badge.svg",
        "/widgets/garden/-/shields.json",
    ] {
        let (status, body) = server.get(path);
        assert!(status == 200 && body.contains("no files"), "{path}: {body}");
    }
    assert_eq!(server.get("/widgets/garden/-/287x66-grey.png").0, 200);
}

#[test]
fn keys_are_shown_and_found_as_code_writes_them() {
    let text = "en:\n  menu:\n    open: Open\n    list: [One]\n";
    let commits = commit("one")
        .by_at(ANNA, "2020-01-01 10:00")
        .write("l/en.yml", text);
    let site = TestSite::new(&commits.write("l/cs.yml", text.replace("en:", "cs:")));
    let repo = site.path("garden.git");
    let serve = [
        "serve",
        repo.to_str().unwrap(),
        "--branch",
        "main",
        "--component",
        "app",
    ];
    let component = [
        "--filemask",
        "l/*.yml",
        "--file-format",
        "ruby-yaml",
        "--template",
        "l/en.yml",
    ];
    let server = Server::start(&[&serve[..], &component].concat(), &site.path("state"));
    let (_, page) = server.get("/translate/garden/app/cs/");
    assert!(
        page.contains("menu.open") && page.contains("menu.list[0]"),
        "{page}"
    );
    for key in ["menu.open", "menu-%3Eopen"] {
        for root in ["", "/current"] {
            let path = format!("{root}/api/units/?q=language:cs+key:=%22{key}%22");
            assert_eq!(server.json(&path)["count"], 1, "{path}");
        }
    }
}

#[test]
fn a_marked_text_without_an_earlier_source_is_a_draft() {
    let text = "msgid \"\"\nmsgstr \"Language: cs\\n\"\n\n#, fuzzy\nmsgid \"Open\"\nmsgstr \"Otev\u{159}\"\n\n\
        #, fuzzy\n#| msgid \"Shut\"\nmsgid \"Close\"\nmsgstr \"Zav\u{159}\"\n";
    let (_site, server) = serve("po/cs.po", "po/*.po", "po", text);
    let (_, page) = server.get("/translate/garden/app/cs/");
    let words = [">draft<", ">stale (major)<"].map(|word| page.matches(word).count());
    assert_eq!(words, [1, 1], "{page}");
    for root in ["", "/current"] {
        assert_eq!(
            server.json(&format!("{root}/api/units/?q=state:stale"))["count"],
            2
        );
    }
}
