//! `gitglot credits`: who translated a release.

use serde_json::Value;

use super::Run;
use crate::common::{Person, TestSite, commit};

const BEN: Person = person("Ben & _Co_", "ben@example.org");
const CLEO: Person = person("Cleo", "cleo@example.org");
const CLEO_BEFORE: Person = person("cleo99", "old@example.org");
const BOT: Person = person("example[bot]", "bot@example.org");

const fn person(name: &'static str, email: &'static str) -> Person {
    Person {
        name,
        email,
        offset: 0,
    }
}

fn credits(site: &TestSite, arguments: &[&str]) -> Run {
    Run::of(site.repository.dir(), &[&["credits"], arguments].concat())
}

/// A release with everything that counts and that does not, after one with the texts of Ben.
fn site() -> TestSite {
    let history = commit("source")
        .write(".mailmap", "Cleo <cleo@example.org> <old@example.org>\n")
        .texts("en", "a=A b c;b=B b;c=C;d=D;e=E;f=F")
        .commit("first")
        .by(BEN)
        .texts("de", "a=a1;b=b1;c=c1;d=d1")
        .texts("fr", "a=a1")
        .branch_at("v1", "first")
        .branch_at("main", "first")
        .commit("white space")
        .by(CLEO)
        .texts("de", "a=a1;b=b1 ;c=c1;d=d1")
        .commit("overwritten")
        .by(BEN)
        .texts("de", "a=a2;b=b1 ;c=c2;d=d1")
        .commit("last")
        .by(CLEO_BEFORE)
        .texts("de", "a=a3;b=b1 ;c=c2;d=d2;e=e1")
        .commit("restored")
        .by(CLEO)
        .texts("de", "a=a3;b=b1 ;c=c1;d=d2;e=e1")
        .commit("robot")
        .by(BOT)
        .texts("de", "a=a3;b=b1 ;c=c1;d=d2;e=e1;f=f1")
        .texts("fr", "a=a2")
        .commit("french")
        .by(BEN)
        .texts("fr", "a=a3");
    TestSite::new(&history)
}

#[test]
fn the_last_writer_of_each_text_is_credited() {
    let site = site();
    let run = credits(&site, &["--from", "v1"]);
    assert_eq!(
        run.out,
        "## Translators since v1\n\n\
         ### French\n\n- Ben &amp; \\_Co\\_ (1 string, 3 words)\n\n\
         ### German\n\n- Cleo (3 strings, 5 words)\n",
        "{}",
        run.err
    );
}

#[test]
fn a_release_ends_where_its_tag_is() {
    let site = site();
    let run = credits(&site, &["--to", "v1", "--format", "json"]);
    let found: Value = serde_json::from_str(&run.out).unwrap();
    let german = &found["languages"][1];
    assert_eq!(german["language"], "de");
    assert_eq!(german["contributors"][0]["strings"], 4);
    let run = credits(&site, &["--format", "names"]);
    assert_eq!(run.out, "Cleo\nBen & _Co_\n", "{}", run.err);
    let html = credits(&site, &["--format", "html"]).out;
    assert!(
        html.contains("<bdi>Ben &amp; _Co_</bdi>") && !html.contains('@'),
        "{html}"
    );
    let run = credits(&site, &["--from", "v9"]);
    assert_eq!(run.code, 1);
    assert!(run.err.contains("v9"), "{}", run.err);
}
