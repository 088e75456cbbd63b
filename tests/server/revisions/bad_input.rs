//! Missing and broken files, references that move, and more requests than the server can serve.

use std::fs;
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};

use super::{BASE, CS, EN, configure, refused, serve, set_ref, site, title, write};
use crate::common::{TestSite, branch_at, commit, delete_branch, until};

#[test]
fn ends_without_the_files_or_with_broken_ones_are_reported() {
    let mut site = site();
    let orphan = commit("orphan").write(EN, r#"{"title": "Other"}"#);
    site.repository.push(
        &delete_branch("release/orphan")
            .branch("release/orphan")
            .then(orphan),
    );
    let repaired = commit("repaired").write(CS, r#"{"title": "Semena", "gone": "Staré"}"#);
    let template = commit("template").write(EN, r#"{"title": "#);
    site.repository.push(
        &branch_at("release/repaired", "broken")
            .then(repaired)
            .then(branch_at("release/template", "two"))
            .then(template),
    );
    let server = serve(&site, &[]);
    let empty = site.repository.id("empty").to_string();
    let found = server.json(&format!("{BASE}/compare/{empty}...main/"));
    let note = found["notes"][0].as_str().unwrap();
    assert!(
        note.contains("all strings and findings count as new"),
        "{note}"
    );
    let message = refused(&server, &format!("compare/{empty}...{empty}/"));
    assert!(message.contains("Neither"), "{message}");
    let found = server.json(&format!("{BASE}/compare/main...fix/"));
    assert_eq!(found["findings"][0]["check"], "parse-error");
    assert_eq!(title(&server, "fix"), "Semena", "the last texts");
    let found = server.json(&format!("{BASE}/compare/fix...release%2Frepaired/"));
    let note = found["notes"][0].as_str().unwrap();
    assert!(note.contains("does not parse at the base"), "{note}");
    // Without a readable template at the head there is nothing but the error.
    let found = server.json(&format!("{BASE}/compare/main...release%2Ftemplate/"));
    let checks = [
        &found["findings"][0]["check"],
        &found["findings"][0]["file"],
    ];
    assert_eq!(
        (checks, &found["count"]),
        ([&"parse-error".into(), &EN.into()], &1.into())
    );
    assert_eq!(title(&server, "release%2Ftemplate"), "Semena");
    let found = server.json(&format!("{BASE}/compare/release%2Ftemplate...main/"));
    assert_eq!(
        found["base"]["commit"],
        site.repository.id("two").to_string()
    );
    let message = refused(&server, "compare/main...release%2Forphan/");
    assert!(message.contains("no common ancestor"), "{message}");
    let orphan = server.json(&format!("{BASE}/revisions/release%2Forphan/"));
    assert_eq!(orphan["statistics"].as_array().unwrap().len(), 1);
}

#[test]
fn references_that_move_or_disappear_are_followed() {
    let mut site = site();
    let server = serve(&site, &["--poll-interval", "50ms"]);
    assert_eq!(title(&server, "release%2F1.x"), "Semínka");
    let forced = commit("forced").write(CS, r#"{"title": "Nové", "gone": ""}"#);
    site.repository
        .push(&branch_at("release/1.x", "one").then(forced));
    until("the branch is force-pushed", || {
        (title(&server, "release%2F1.x") == "Nové").then_some(())
    });
    site.repository.push(&delete_branch("release/1.x"));
    until("the branch is deleted", || {
        (server.get(&format!("{BASE}/revisions/release%2F1.x/")).0 == 404).then_some(())
    });
    // A reference whose name was a directory.
    site.repository.push(&branch_at("release/a/b", "one"));
    until("a branch appears", || {
        (server.get(&format!("{BASE}/revisions/release%2Fa%2Fb/")).0 == 200).then_some(())
    });
    fs::remove_dir_all(site.path("garden.git").join("refs/heads/release/a")).unwrap();
    set_ref(&site.repository, "refs/heads/release/a", "two");
    until("the folder becomes a branch", || {
        (server.get(&format!("{BASE}/revisions/release%2Fa/")).0 == 200).then_some(())
    });
    assert_eq!(server.get("/readyz").0, 200);
}

#[test]
fn references_that_move_while_they_are_read_give_clear_errors() {
    let mut site = site();
    let server = serve(&site, &["--poll-interval", "20ms"]);
    let is_over = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let paths = [
            format!("{BASE}/revisions/release%2F1.x/units/"),
            format!("{BASE}/compare/main...release%2F1.x/"),
            "/compare/garden/app/v1...release%2F1.x/".to_owned(),
        ];
        let (is_over, server) = (&is_over, &server);
        let end = End(is_over);
        let readers = paths.map(|path| {
            scope.spawn(move || {
                let mut found = 0;
                loop {
                    // The last request is after the last push.
                    let is_last = is_over.load(Ordering::Relaxed);
                    let (status, body) = server.get(&path);
                    match status {
                        200 => found += 1,
                        404 => {}
                        _ => panic!("{path}: {status} {body}"),
                    }
                    if is_last {
                        return found;
                    }
                }
            })
        });
        for number in 0..20 {
            let text = format!(r#"{{"title": "Verze {number}"}}"#);
            let forced = commit(&format!("forced {number}")).write(CS, &text);
            site.repository
                .push(&branch_at("release/1.x", "one").then(forced));
            if number % 5 == 4 {
                // Drops the objects that were force-pushed away, and moves all others.
                let pruned = Command::new("git")
                    .arg("-C")
                    .arg(site.repository.dir())
                    .args(["gc", "--quiet", "--prune=now"])
                    .status();
                assert!(pruned.unwrap().success());
            }
            if number % 3 == 2 {
                site.repository.push(&delete_branch("release/1.x"));
            }
        }
        let last = commit("last").write(CS, r#"{"title": "Poslední"}"#);
        site.repository
            .push(&branch_at("release/1.x", "one").then(last));
        until("the last push is read", || {
            let path = format!("{BASE}/revisions/release%2F1.x/units/?q=language:cs");
            let (_, body) = server.get(&path);
            body.contains("Poslední").then_some(())
        });
        drop(end);
        for reader in readers {
            assert!(reader.join().unwrap() > 0);
        }
    });
}

/// Ends the readers, also after a panic.
struct End<'a>(&'a AtomicBool);

impl Drop for End<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

#[test]
fn thousands_of_revisions_stay_within_the_cache() {
    let mut site = site();
    let mut history = branch_at("main", "tip");
    for number in 0..150 {
        let text = format!(r#"{{"title": "Semena {number}"}}"#);
        history = history.then(commit(&format!("c{number}")).write(CS, text));
    }
    site.repository.push(&history);
    let server = serve(&site, &["--revision-cache-size", "100kB"]);
    let bytes = || -> f64 {
        let metrics = server.get("/metrics").1;
        let value = metrics
            .lines()
            .find_map(|line| line.strip_prefix("gitglot_revision_cache_bytes "));
        value.unwrap().parse().unwrap()
    };
    // The same commits under different names.
    for digits in (14..=40).step_by(2) {
        for number in 0..150 {
            let id = site.repository.id(&format!("c{number}")).to_string();
            let name = id.get(..digits).unwrap();
            assert_eq!(title(&server, name), format!("Semena {number}"), "{name}");
        }
        assert!(bytes() > 0.0 && bytes() <= 100_000.0, "{}", bytes());
    }
    for number in 0..1000 {
        let unknown = format!("{number:012x}");
        assert_eq!(
            server.get(&format!("{BASE}/revisions/{unknown}/")).0,
            404,
            "{unknown}"
        );
    }
    assert!(bytes() <= 100_000.0, "{}", bytes());
}

#[test]
fn more_comparisons_than_can_wait_get_a_503() {
    let files = |text: &str| {
        let strings: Vec<String> = (0..3000)
            .map(|key| format!(r#""{key}": "{text} {key}""#))
            .collect();
        format!("{{{}}}", strings.join(","))
    };
    let mut history = commit("empty").write("README", "x");
    for number in 0..8 {
        let (en, cs) = (files(&format!("Text {number}")), files("Text!"));
        history = history.then(write(commit(&format!("c{number}")), &en, &cs));
    }
    let site = TestSite::new(&history);
    configure(&site, "");
    // Nothing is cached.
    let server = serve(&site, &["--revision-cache-size", "0"]);
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let ids: Vec<String> = (0..8)
        .map(|it| site.repository.id(&format!("c{it}")).to_string())
        .collect();
    let retry_after = until("a comparison is refused", || {
        std::thread::scope(|scope| {
            let requests: Vec<_> = (0..8 * cores + 8)
                .map(|at| {
                    let (base, head) = (&ids[at % 3], &ids[3 + at % 5]);
                    let url = format!("{}{BASE}/compare/{base}...{head}/", server.base);
                    scope.spawn(move || refusal(&url))
                })
                .collect();
            let answers = requests.into_iter().map(|it| it.join().unwrap());
            answers.fold(None, |found, answer| found.or(answer))
        })
    });
    assert!(retry_after.parse::<u32>().unwrap() > 0, "{retry_after}");
    let path = format!("{BASE}/compare/{}...{}/", ids[0], ids[7]);
    assert_eq!(server.get(&path).0, 200, "after the load");
}

/// The header `Retry-After` of a 503. All other responses must be 200.
fn refusal(url: &str) -> Option<String> {
    let agent = ureq::Agent::config_builder()
        .http_status_as_error(false)
        .build()
        .new_agent();
    let answer = agent.get(url).call().unwrap();
    let header = answer.headers().get("retry-after");
    match answer.status().as_u16() {
        200 => None,
        503 => Some(header.unwrap().to_str().unwrap().to_owned()),
        other => panic!("{url}: {other}"),
    }
}
