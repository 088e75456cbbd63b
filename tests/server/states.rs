//! Texts that Weblate 3.4 counts differently from programs: its API keeps its state, everything else has that of programs.

use crate::common::{ANNA, History, Server, TestSite, commit, gitglot, project};
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

/// A commit with these files.
fn files(files: &[(&str, &str)]) -> History {
    let commits = commit("one").by_at(ANNA, "2020-01-01 10:00");
    let write = |commits: History, (path, text): &(&str, &str)| commits.write(path, *text);
    files.iter().fold(commits, write)
}

const JSON: &str = "filemask = 'l/*.json'\nfile_format = 'json'\ntemplate = 'l/en.json'";

/// The part of a text between two others.
fn between<'t>(text: &'t str, before: &str, after: &str) -> &'t str {
    let parts = text
        .split_once(before)
        .and_then(|(_, rest)| rest.split_once(after));
    parts
        .unwrap_or_else(|| panic!("{before} … {after}: {text}"))
        .0
}

/// Writes a percentage as pages do, with a decimal, cut, and cut with a sign for badges.
fn written(percent: &Value) -> [String; 4] {
    let percent = percent.as_f64().unwrap();
    let whole = if percent > 0.0 { percent.max(1.0) } else { 0.0 }.floor();
    [
        format!("{percent} %"),
        format!("{percent:.1}"),
        whole.to_string(),
        format!("{whole}%"),
    ]
}

/// What a terminal shows once a server has read a configuration, without escape sequences.
#[cfg(target_os = "linux")]
fn terminal(config: &str, state: &std::path::Path) -> String {
    use std::io::{BufRead, BufReader, Write};
    use std::process::{Command, Stdio};
    let program = env!("CARGO_BIN_EXE_gitglot");
    let command = format!(
        "'{program}' serve --config '{config}' --listen 127.0.0.1:0 --state-dir '{}'",
        state.display()
    );
    let mut terminal = Command::new("script");
    terminal.args(["-qec", &command, "/dev/null"]);
    let mut terminal = terminal
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let lines = BufReader::new(terminal.stdout.take().unwrap()).lines();
    let lines = lines.map_while(Result::ok);
    let end = |line: &String| !line.contains("Press Ctrl-C to stop");
    let lines: Vec<_> = lines.take_while(end).collect();
    // Ctrl-C.
    terminal.stdin.take().unwrap().write_all(b"\x03").unwrap();
    terminal.wait().unwrap();
    lines.join("\n")
}

/// Compares the percentages of pages, badges, data, `check` and the summary of a terminal for a component with these
/// settings: that of all translations, which it returns, and that of each language.
fn percentage_of(commits: &History, settings: &str) -> String {
    let site = TestSite::new(commits);
    let component = |slug: &str| {
        let repo = site.path("garden.git");
        format!(
            "[[project.component]]\nslug = '{slug}'\nrepo = '{}'\nbranch = 'main'\n{settings}\n",
            repo.display()
        )
    };
    let write = |name: &str, text: &str| {
        let path = site.path(name).to_str().unwrap().to_owned();
        std::fs::write(&path, text).unwrap();
        path
    };
    let garden = project("garden", &[component("app")]);
    // The map of two components has a column for each.
    let twins = project("twins", &[component("a"), component("b")]);
    let both = write("both.toml", &[&*garden, &twins].concat());
    let garden = write("gitglot.toml", &garden);
    let server = Server::start(&["serve", "--config", &both], &site.path("state"));

    let mut check = gitglot();
    check.args(["check", "--config", &garden, "--trust-config"]);
    let file = |name: &str| site.path(name).to_str().unwrap().to_owned();
    check.args(["--badge-json", &file("badge.json")]);
    check.args(["--badge", &file("badge.svg")]);
    check.args(["--write", &format!("markdown:{}", file("check.md"))]);
    check.args(["--write", &format!("text:{}", file("check.txt"))]);
    check.args(["--format", "json", "--history", "full"]);
    check.args(["--state-dir", &file("check")]);
    let report = check.output().unwrap().stdout;
    let report: Value = serde_json::from_slice(&report).unwrap();
    let read = |name: &str| std::fs::read_to_string(site.path(name)).unwrap();

    let has = |place: &str, text: &str, expected: &str| {
        assert!(text.contains(expected), "{place} lacks {expected}: {text}");
    };
    let [shown, decimal, whole, sign] = written(&report["totals"]["translated_percent"]);
    // The row of a table, or the item of a list.
    let row = |page: &str, name: &str| {
        let parts = page.split("<tr>").skip(1);
        let parts = parts.chain(page.split("<li>").skip(1));
        let name = format!(">{name}<");
        let mut rows = parts.filter(|it| it.contains(&name) && !it.contains("type=\"checkbox\""));
        rows.next()
            .unwrap_or_else(|| panic!("{name}: {page}"))
            .to_owned()
    };
    let tile = format!("translated</span></dt><dd>{shown}</dd>");
    for (path, expected) in [
        ("/projects/garden/", &*tile),
        ("/projects/garden/app/", &tile),
        ("/projects/twins/", &tile),
        (
            "/widgets/garden/-/shields.json",
            &format!("\"message\":\"{shown}\""),
        ),
        (
            "/widgets/garden/-/svg-badge.svg",
            &format!("translated: {sign}"),
        ),
        (
            "/widgets/garden/-/app/svg-badge.svg",
            &format!("translated: {sign}"),
        ),
        (
            "/widgets/twins/-/svg-badge.svg",
            &format!("translated: {sign}"),
        ),
        ("/stats/garden/", &format!(">{shown}</text>")),
        ("/stats/twins/", &format!(">{shown}</text>")),
    ] {
        has(path, &server.get(path).1, expected);
    }
    for (path, name) in [
        ("/widgets/garden/", "Project"),
        ("/widgets/garden/", "app"),
        ("/projects/garden/", "app"),
        ("/projects/twins/", "b"),
        ("/", "garden"),
    ] {
        has(path, &row(&server.get(path).1, name), &shown);
    }
    has(
        "badge",
        &read("badge.json"),
        &format!("\"message\":\"{sign}\""),
    );
    has("badge", &read("badge.svg"), &format!(">{sign}<"));
    let all = |text: String, line: &str| {
        text.lines()
            .find(|it| it.contains(line))
            .unwrap()
            .to_owned()
    };
    for report in ["check.md", "check.txt"] {
        has(
            report,
            &all(read(report), "All translations"),
            &format!(" {decimal} %"),
        );
    }
    let numbers = |path: &str, name: &str| {
        let page = server.get(path).1;
        let row = row(&page, name);
        let row = between(&row, "scope=\"row\"", "</tr>");
        let cell = row.rsplit_once("</td>").unwrap().0;
        cell.rsplit_once('>').unwrap().1.to_owned()
    };
    let languages = report["components"][0]["languages"].as_array().unwrap();
    let languages: Vec<_> = languages
        .iter()
        .filter(|it| it["is_source"] == false)
        .collect();
    if languages.len() > 1 {
        assert_eq!(
            numbers("/stats/garden/?show=numbers", "All languages"),
            whole
        );
    }
    #[cfg(target_os = "linux")]
    has(
        "the terminal",
        &all(terminal(&garden, &site.path("terminal")), " % translated"),
        &format!("  {decimal} % translated"),
    );

    let export = server.json("/exports/progress/garden/");
    let exported: Vec<_> = export["languages"].as_array().unwrap().iter().collect();
    assert_eq!(exported.len(), languages.len(), "{export}");
    for language in languages {
        let [code, name] = ["language", "name"].map(|field| language[field].as_str().unwrap());
        let [shown, decimal, whole, sign] = written(&language["translated_percent"]);
        for (path, expected) in [
            (
                format!("/projects/garden/app/{code}/"),
                format!("translated</span></dt><dd>{shown}</dd>"),
            ),
            (format!("/languages/{code}/garden/"), format!("{shown} of ")),
            (
                format!("/widgets/garden/{code}/shields.json"),
                format!("\"message\":\"{shown}\""),
            ),
            (
                format!("/widgets/garden/{code}/app/svg-badge.svg?native"),
                format!("translated: {sign}"),
            ),
            (
                "/stats/garden/".into(),
                format!("<title>{name}: {shown}</title>"),
            ),
            (format!("/stats/garden/{code}/"), format!(">{shown}</text>")),
        ] {
            has(&path, &server.get(&path).1, &expected);
        }
        for path in [
            "/projects/garden/",
            "/projects/garden/app/",
            "/projects/twins/",
            "/engage/garden/",
            "/revisions/garden/HEAD/",
            "/widgets/garden/",
        ] {
            has(path, &row(&server.get(path).1, name), &shown);
        }
        let badge = server.get("/widgets/garden/-/multi-auto.svg").1;
        let bar = between(&badge, &format!(">{name}</text>"), "</a>");
        has("multi badge", bar, &format!(">{decimal}%</text>"));
        assert_eq!(numbers("/stats/garden/?show=numbers", name), whole);
        let map = row(&server.get("/stats/twins/?show=map").1, name);
        assert_eq!(map.matches(&format!(">{whole}</td>")).count(), 2, "{map}");
        let data = exported.iter().find(|it| it["code"] == code).unwrap();
        let steps = data["translated_percent"].as_array().unwrap();
        assert_eq!(
            steps.last(),
            Some(&language["translated_percent"]),
            "{code}"
        );
        for report in ["check.md", "check.txt"] {
            has(
                report,
                &all(read(report), &format!("{name} ")),
                &format!(" {decimal} %"),
            );
        }
    }
    shown
}

#[test]
fn pages_badges_and_check_have_one_percentage() {
    // 2 of 4 strings; with the source language it would be 4 of 6.
    let half = [
        ("l/en.json", r#"{"a": "A car", "b": "A bus"}"#),
        ("l/cs.json", r#"{"a": "Auto", "b": "Autobus"}"#),
        ("l/de.json", "{}"),
    ];
    assert_eq!(percentage_of(&files(&half), JSON), "50 %");
    // A stale text is not counted.
    let changed = files(&[half[0], half[1], ("l/de.json", half[1].1)]);
    let changed = changed.commit("two").by_at(ANNA, "2020-03-01 10:00");
    let changed = changed.write("l/en.json", r#"{"a": "Two red cars", "b": "A bus"}"#);
    let changed = changed.write("l/de.json", r#"{"a": "Autos", "b": "Bus"}"#);
    assert_eq!(percentage_of(&changed, JSON), "75 %");
    // 1 of 1,001 and the other way around: neither nothing nor all.
    let texts = |count: u32| {
        let texts = (0..count).map(|at| format!("\"k{at}\": \"Text of {at}\""));
        format!("{{{}}}", texts.collect::<Vec<_>>().join(","))
    };
    let (all, little, most) = (texts(1001), texts(1), texts(1000));
    let file = |text| [("l/en.json", &*all), ("l/cs.json", text)].map(|it: (&str, &str)| it);
    assert_eq!(percentage_of(&files(&file(&little)), JSON), "0.1 %");
    assert_eq!(percentage_of(&files(&file(&most)), JSON), "99.9 %");
    // An empty source text has no translation to write.
    let blank = files(&[
        ("l/en.json", r#"{"a": "A car", "b": "", "c": ""}"#),
        ("l/cs.json", r#"{"a": "Auto", "b": "", "c": "."}"#),
        ("l/de.json", "{}"),
    ]);
    assert_eq!(percentage_of(&blank, JSON), "50 %");
}

#[test]
fn strings_that_only_the_template_has_count_everywhere() {
    let entry = |id: &str, text: &str| format!("\nmsgid \"{id}\"\nmsgstr \"{text}\"\n");
    let head = "msgid \"\"\nmsgstr \"Content-Type: text/plain; charset=UTF-8\\n\"\n";
    let pot = [head, &*entry("Car", ""), &*entry("Bus", "")].concat();
    let cs = [head, &*entry("Car", "Auto")].concat();
    // A file in the language of the sources does not count.
    let en = [head, &*entry("Car", "Car"), &*entry("Bus", "Bus")].concat();
    let po = percentage_of(
        &files(&[("l/app.pot", &*pot), ("l/cs.po", &*cs), ("l/en.po", &*en)]),
        "filemask = 'l/*.po'\nfile_format = 'po'\nnew_base = 'l/app.pot'",
    );
    assert_eq!(po, "50 %");
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
    let xliff = percentage_of(
        &files(&[("l/app.xml", &*template), ("l/de.xlf", &*de)]),
        "filemask = 'l/*.xlf'\nfile_format = 'xliff'\nnew_base = 'l/app.xml'",
    );
    assert_eq!(xliff, "50 %");
}

#[test]
fn groups_of_the_map_count_what_a_file_lacks() {
    let entry =
        |id: &str, text: &str| format!("\nmsgctxt \"{id}\"\nmsgid \"{id}\"\nmsgstr \"{text}\"\n");
    let head = "msgid \"\"\nmsgstr \"Content-Type: text/plain; charset=UTF-8\\n\"\n";
    let all = ["menu a", "menu b", "file a", "file b"].map(|id| entry(id, ""));
    let pot = [head, &*all.concat()].concat();
    let cs = [head, &*entry("menu a", "Auto")].concat();
    let site = TestSite::new(
        &commit("one")
            .by_at(ANNA, "2020-01-01 10:00")
            .write("l/app.pot", pot)
            .write("l/cs.po", cs),
    );
    let config = site.path("gitglot.toml");
    let component = format!(
        "[[project.component]]\nslug = 'app'\nrepo = '{}'\nbranch = 'main'\nfilemask = 'l/*.po'\n\
         file_format = 'po'\nnew_base = 'l/app.pot'\n",
        site.path("garden.git").display()
    );
    std::fs::write(&config, project("garden", &[component])).unwrap();
    let config = ["serve", "--config", config.to_str().unwrap()];
    let server = Server::start(&config, &site.path("state"));
    let (_, page) = server.get("/stats/garden/?show=map");
    let columns = between(&page, "Language</th>", "</tr>");
    assert!(columns.find("file…") < columns.find("menu…"), "{columns}");
    let row = between(&page, "<bdi>Czech</bdi></a></th>", "</tr>");
    assert!(row.contains(">0</td>") && row.contains(">50</td>"), "{row}");
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
fn a_component_whose_files_are_gone_has_a_problem() {
    let history = files(&[
        ("l/en.json", r#"{"a": "A"}"#),
        ("l/cs.json", r#"{"a": "B"}"#),
    ]);
    let gone = history.commit("gone").by_at(ANNA, "2020-02-01 10:00");
    let site = TestSite::new(&gone.delete("l/cs.json"));
    let config = site.path("gitglot.toml");
    let repo = site.path("garden.git").display().to_string();
    let component =
        format!("[[project.component]]\nslug = 'app'\nrepo = '{repo}'\nbranch = 'main'\n{JSON}\n");
    std::fs::write(&config, project("garden", &[component])).unwrap();
    let serve = ["serve", "--config", config.to_str().unwrap()];
    let server = Server::start(&serve, &site.path("state"));
    let problems = server.json("/api/components/garden/app/problems/");
    assert_eq!(problems["count"], 1, "{problems}");
    assert_eq!(problems["results"][0]["path"], "l/*.json");
    let ready = server.json("/readyz");
    assert_eq!(ready["behind"][0]["component"], "garden/app", "{ready}");
    for path in ["/projects/garden/app/", "/health/garden/"] {
        let (_, page) = server.get(path);
        assert!(
            page.contains("matches no file of a language"),
            "{path}: {page}"
        );
    }
}

#[test]
fn files_that_go_back_to_an_older_place_keep_their_languages_and_are_a_problem() {
    let names = ["cs", "de"];
    let moved = |commits: History, (name, from, to): (&str, &str, &str)| {
        let commits = commits.commit(name);
        let commits = commits.by_at(ANNA, "2020-02-01 10:00");
        names.iter().fold(commits, |commits, name| {
            let commits = commits.delete(&format!("{from}/{name}.json"));
            commits.write(
                &format!("{to}/{name}.json"),
                format!("{{\"a\": \"{name}\"}}"),
            )
        })
    };
    let english = files(&[("n/README", "N"), ("l/en.json", r#"{"a": "A"}"#)]);
    let first = names.iter().fold(english, |commits, name| {
        commits.write(&format!("l/{name}.json"), format!("{{\"a\": \"{name}\"}}"))
    });
    let site = TestSite::new(
        &[("two", "l", "n"), ("three", "n", "l"), ("four", "l", "n")]
            .into_iter()
            .fold(first, moved),
    );
    let config = site.path("gitglot.toml");
    let repo = site.path("garden.git").display().to_string();
    let component =
        format!("[[project.component]]\nslug = 'app'\nrepo = '{repo}'\nbranch = 'main'\n{JSON}\n");
    std::fs::write(&config, project("garden", &[component])).unwrap();
    let serve = ["serve", "--config", config.to_str().unwrap()];
    let server = Server::start(&serve, &site.path("state"));
    let list = server.json("/api/components/garden/app/translations/");
    let list = list["results"].as_array().unwrap().iter();
    let mut list: Vec<_> = list
        .map(|it| [&it["language_code"], &it["filename"]].map(|it| it.as_str().unwrap()))
        .collect();
    list.sort_unstable();
    assert_eq!(
        list,
        [
            ["cs", "n/cs.json"],
            ["de", "n/de.json"],
            ["en", "l/en.json"]
        ]
    );
    let ready = server.json("/readyz");
    assert_eq!(ready["behind"][0]["component"], "garden/app", "{ready}");
    let problems = server.json("/api/components/garden/app/problems/");
    assert_eq!(problems["results"][0]["path"], "l/*.json", "{problems}");
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
