//! `gitglot digest`: what changed for translators.

use std::fs;

use serde_json::Value;

use super::{Run, clone, has_git};
use crate::common::{Person, TestSite, commit};

const BEN: Person = Person {
    name: "Ben & _Co_",
    email: "ben@example.org",
    offset: 0,
};

fn digest(site: &TestSite, arguments: &[&str]) -> Run {
    Run::of(site.repository.dir(), &[&["digest"], arguments].concat())
}

/// A release, after which German gets a translation, a new string and a changed source. French is complete.
fn site() -> TestSite {
    let history = commit("source")
        .write(
            "CODEOWNERS",
            "*.json @lead\nlocales/de.json @anna ben@example.org\n",
        )
        .texts("en", "a=One;b=Two")
        .texts("de", "a=Eins")
        .texts("fr", "a=Un;b=Deux")
        .branch_at("v1", "source")
        .branch_at("main", "source")
        .commit("translated")
        .by(BEN)
        .texts("de", "a=Eins;b=Zwei")
        .commit("later")
        .texts("en", "a=Once;b=Two;c=Three")
        .commit("french")
        .by(BEN)
        .texts("fr", "a=Une fois;b=Deux;c=Trois");
    TestSite::new(&history)
}

#[test]
fn a_digest_has_what_is_new_and_what_is_left() {
    let run = digest(&site(), &["--since", "v1", "--language", "de"]);
    assert_eq!(
        run.out,
        "# Translations since v1\n\n\
         ## German (de)\n\n\
         @anna\n\n\
         - 1 new string, 1 changed source (1 minor): a, c\n\
         - 33.3 % translated, left: 1 missing, 1 stale\n\
         - translated by Ben &amp; \\_Co\\_ (1 string, 1 word)\n",
        "{}",
        run.err
    );
    let french = digest(&site(), &["--since", "v1", "--format", "text"]).out;
    assert!(
        french.contains(
            "French (fr)\n  100.0 % translated, nothing is left\n  translated by Ben & _Co_"
        ),
        "{french}"
    );
    let page = digest(&site(), &["--since", "v1", "--format", "html"]).out;
    assert!(
        page.contains("<h2>German (de)</h2>") && !page.contains("ben@"),
        "{page}"
    );
}

#[test]
fn people_of_the_settings_win_over_owners_of_files() {
    let site = site();
    let folder = site.path("clone");
    clone(&site, "main", &[]);
    let settings = "[check]\nfail_on = []\n[people]\nde = ['@org/german', 'Anna *B*']\n";
    fs::write(folder.join("gitglot.toml"), settings).unwrap();
    let digest = |arguments: &[&str]| {
        Run::of(
            &folder,
            &[&["digest", "--since", "2019-12-31"], arguments].concat(),
        )
    };
    let run = digest(&[]);
    assert!(
        run.out
            .contains("## German (de)\n\n@org/german, Anna \\*B\\*\n"),
        "{} {}",
        run.out,
        run.err
    );
    assert!(run.out.contains("## French (fr)\n\n@lead\n"), "{}", run.out);
    fs::write(
        folder.join("gitglot.toml"),
        "[people]\nde = ['anna@example.org']\n",
    )
    .unwrap();
    let wrong = digest(&[]);
    assert_eq!(wrong.code, 1);
    assert!(
        wrong
            .err
            .contains("gitglot.toml:2: de: digests name people in public"),
        "{}",
        wrong.err
    );
}

#[test]
fn strings_that_a_file_lacks_are_new_and_the_source_has_no_work() {
    let file = |entries: &[(&str, &str)]| {
        let entry =
            |(source, text): &(&str, &str)| format!("msgid \"{source}\"\nmsgstr \"{text}\"\n\n");
        let head = "msgid \"\"\nmsgstr \"Content-Type: text/plain; charset=UTF-8\\n\"\n\n";
        [head, &entries.iter().map(entry).collect::<String>()].concat()
    };
    let history = commit("start")
        .write("po/app.pot", file(&[("One", "")]))
        .write("po/en.po", file(&[("One", "")]))
        .write("po/de.po", file(&[("One", "Eins")]))
        .branch_at("v1", "start")
        .branch_at("main", "start")
        .commit("new")
        .write("po/app.pot", file(&[("One", ""), ("Two", "")]))
        .write("po/en.po", file(&[("One", ""), ("Two", "")]));
    let run = digest(
        &TestSite::new(&history),
        &["--since", "v1", "--format", "text"],
    );
    assert!(
        run.out.contains("1 new string\n"),
        "{} {}",
        run.out,
        run.err
    );
    assert!(!run.out.contains("English"), "{}", run.out);
}

#[test]
fn a_document_with_a_fault_is_left() {
    let history = commit("start")
        .write("docs/en/start.md", "# Start\n\nText\n")
        .write("docs/en/end.md", "# End\n\nText\n")
        .write(
            "docs/de/start.md",
            "# Anfang\n\n<<<<<<< HEAD\nA\n=======\nB\n>>>>>>> b\n",
        )
        .write("docs/de/end.md", "# Ende\n\nText\n")
        .branch_at("v1", "start")
        .branch_at("main", "start")
        .commit("new")
        .write("docs/en/end.md", "# The end\n\nNew text\n");
    let run = digest(
        &TestSite::new(&history),
        &["--since", "v1", "--language", "de", "--format", "text"],
    );
    assert!(
        run.out.contains("left: 1 stale, 1 failing\n"),
        "{} {}",
        run.out,
        run.err
    );
}

#[test]
fn a_digest_begins_at_a_time_or_a_revision() {
    let json = |arguments: &[&str]| -> Value {
        let run = digest(&site(), &[arguments, &["--format", "json"]].concat());
        serde_json::from_str(&run.out).expect(&run.err)
    };
    let new = |json: &Value| json["languages"][1]["new"].as_u64();
    assert_eq!(json(&[])["languages"][1]["language"], "de");
    assert_eq!(new(&json(&["--since", "main"])), Some(0));
    assert_eq!(new(&json(&["--since", "2030-01-01"])), Some(0));
    assert_eq!(new(&json(&["--since", "2019-12-31T00:00:00Z"])), Some(1));
    assert_eq!(digest(&site(), &["--since", "nothing"]).code, 1);
    assert_eq!(digest(&site(), &["--language", "xx"]).code, 1);
}

#[test]
fn the_status_table_is_written_between_marks() {
    let site = site();
    let readme = site.repository.dir().join("README.md");
    let text = "# App\n<!-- gitglot:status -->\n<!-- /gitglot:status -->\n";
    fs::write(&readme, text).unwrap();
    let arguments = ["--format", "table", "--into", readme.to_str().unwrap()];
    assert_eq!(digest(&site, &arguments).code, 0);
    let written = fs::read_to_string(&readme).unwrap();
    assert!(
        written.contains("-->\n| Language |")
            && written.contains("\n| German (de) | 33.3 % | 1 | 1 | 0 |\n"),
        "{written}"
    );
    fs::write(&readme, "# App\n").unwrap();
    assert_eq!(digest(&site, &arguments).code, 1);
}

/// Runs the script of the action with a `gh` that writes down its arguments, and has these open issues.
#[cfg(unix)]
fn issues(site: &TestSite, mode: &str, open: &str) -> Vec<String> {
    use std::os::unix::fs::PermissionsExt;
    let folder = site.path("clone");
    if !folder.exists() {
        clone(site, "main", &[]);
    }
    let (tools, log) = (site.path("tools"), site.path("gh.log"));
    fs::create_dir_all(&tools).unwrap();
    fs::write(site.path("open"), open).unwrap();
    let (opened, logged) = (site.path("open"), log.clone());
    let script = format!(
        "#!/bin/sh\ncase \"$1 $2\" in 'issue list') cat '{}';; *) echo \"$@\" >> '{}';; esac\n",
        opened.display(),
        logged.display()
    );
    fs::write(tools.join("gh"), script).unwrap();
    fs::set_permissions(tools.join("gh"), fs::Permissions::from_mode(0o755)).unwrap();
    let mut command = super::integrations::shell(&folder);
    let path = std::env::join_paths(std::iter::once(tools).chain(command_path(&command)));
    let done = command
        .arg(super::integrations::project("ci/github-digest.sh"))
        .env("PATH", path.unwrap())
        .env("INPUT_DIGEST_ISSUES", mode)
        .env("RUNNER_TEMP", site.path("temp"))
        .output()
        .unwrap();
    assert!(
        done.status.success(),
        "{}",
        String::from_utf8_lossy(&done.stderr)
    );
    let text = fs::read_to_string(&log).unwrap();
    fs::remove_file(log).unwrap();
    let lines = text.lines().skip(1);
    lines
        .map(|line| line.split(" --body-file").next().unwrap().to_owned())
        .collect()
}

/// The directories of programs that a command has.
#[cfg(unix)]
fn command_path(command: &std::process::Command) -> Vec<std::path::PathBuf> {
    let own = command.get_envs().find(|(name, _)| *name == "PATH");
    let path = own.and_then(|(_, value)| value.map(ToOwned::to_owned));
    let path = path
        .or_else(|| std::env::var_os("PATH"))
        .unwrap_or_default();
    std::env::split_paths(&path).collect()
}

#[test]
#[cfg(unix)]
fn the_action_opens_updates_and_closes_issues() {
    if !has_git() {
        return;
    }
    let site = site();
    fs::create_dir_all(site.path("temp")).unwrap();
    assert_eq!(
        issues(&site, "language", ""),
        ["issue create --title Translation work: de --label gitglot"]
    );
    assert_eq!(
        issues(
            &site,
            "language",
            "3 Translation work: de\n4 Translation work: fr\n5 Other\n"
        ),
        ["issue close 4 --comment Nothing is left.", "issue edit 3"]
    );
    assert_eq!(
        issues(&site, "all", "3 Translation work: de\n"),
        [
            "issue close 3 --comment Nothing is left.",
            "issue create --title Translation work: all languages --label gitglot"
        ]
    );
}
