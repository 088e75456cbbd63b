//! Who wrote the texts of a commit.

use super::authors::{commit_of, signature};
use crate::log::authors::AuthorResolver;
use crate::log::origins::{Accounts, table};
use crate::testing::json_component;
use gitglot_git::Mailmap;
use gitglot_model::{Commit, ComponentSettings, Origin};

fn origin_with(commit: &Commit, settings: &ComponentSettings) -> Origin {
    AuthorResolver::new(Mailmap::default(), Accounts::of(settings)).origin(commit)
}

fn origin(name: &str, email: &str, message: &str) -> Origin {
    origin_with(&commit_of(name, email, message), &json_component())
}

#[test]
fn an_author_whom_no_row_fits_is_a_person() {
    for (name, email) in [
        ("Ada", "ada@example.org"),
        ("Claude Dupont", "claude@example.org"),
        ("Abbot", "abbot@example.org"),
    ] {
        assert_eq!(origin(name, email, "Translate"), Origin::Human, "{name}");
    }
    let by_claude = "x\n\nTranslated-by: Claude Dupont <claude@example.org>";
    assert_eq!(origin("Ada", "ada@example.org", by_claude), Origin::Human);
    assert_eq!(origin("", "", "Translate"), Origin::Unknown);
}

#[test]
fn a_platform_that_names_the_translator_is_human() {
    let mut commit = commit_of("Ada", "ada@example.org", "Translated using Weblate (Czech)");
    commit.committer = signature("Weblate", "noreply@weblate.org");
    assert_eq!(origin_with(&commit, &json_component()), Origin::Human);
    let message = "Translated\n\nCo-authored-by: Hosted Weblate <hosted@weblate.org>";
    assert_eq!(
        origin("Hosted Weblate", "hosted@weblate.org", message),
        Origin::Platform
    );
    let squashed = format!("{message}\nCo-authored-by: Ada <ada@example.org>");
    assert_eq!(
        origin("Hosted Weblate", "hosted@weblate.org", &squashed),
        Origin::Human
    );
}

#[test]
fn a_message_that_names_the_platform_says_so_of_any_author() {
    for subject in [
        "New translations en.json (Czech)",
        "New Crowdin translations by GitHub Action (#97)",
        "fix(l10n): Update translations from Transifex",
        "Update translations from Tolgee",
    ] {
        assert_eq!(
            origin("Ada", "ada@example.org", subject),
            Origin::Platform,
            "{subject}"
        );
    }
    assert_eq!(
        origin("Ada", "ada@example.org", "Configure Crowdin"),
        Origin::Human
    );
}

#[test]
fn a_machine_counts_wherever_the_commit_names_it() {
    let cases = [
        (
            "Lingo.dev",
            "support@lingo.dev",
            "feat: update translations",
        ),
        (
            "Ada",
            "ada@example.org",
            "x\n\nCo-Authored-By: Claude <noreply@anthropic.com>",
        ),
        (
            "Ada",
            "ada@example.org",
            "x\n\nCo-authored-by: Codex <noreply@openai.com>",
        ),
        ("Ada", "ada@example.org", "x\n\nGenerated-by: ChatGPT"),
        (
            "Ada",
            "ada@example.org",
            "x\n\nAssisted-by: Claude:some-model",
        ),
        ("Ada", "ada@example.org", "x\n\nTranslated-by: i18n-ai"),
        (
            "Ada",
            "ada@example.org",
            "x\n\n* Generated with [Claude Code](https://example.org)",
        ),
        (
            "copilot-swe-agent[bot]",
            "1+Copilot@users.noreply.github.com",
            "x",
        ),
    ];
    for (name, email, message) in cases {
        assert_eq!(
            origin(name, email, message),
            Origin::Machine,
            "{name} {message}"
        );
    }
    assert_eq!(
        origin("Ada", "ada@example.org", "x\n\nTranslated-by: Ben"),
        Origin::Human
    );
}

#[test]
fn a_bot_that_carries_the_work_of_others_says_nothing() {
    for (name, email) in [
        (
            "github-actions[bot]",
            "1+github-actions[bot]@users.noreply.github.com",
        ),
        ("Release Bot", "release@example.org"),
        ("renovate", "renovate@example.org"),
        ("root", "root@localhost"),
    ] {
        assert_eq!(
            origin(name, email, "Update translations"),
            Origin::Unknown,
            "{name}"
        );
        let message = "x\n\nCo-authored-by: Ada <ada@example.org>";
        assert_eq!(origin(name, email, message), Origin::Human, "{name}");
    }
}

#[test]
fn settings_extend_the_table_and_people_come_first() {
    let mut settings = json_component();
    settings.platforms = vec!["Our Texts".to_owned()];
    settings.machines = vec!["translate@example.org".to_owned()];
    settings.bots = vec!["sync".to_owned()];
    settings.humans = vec!["Bot Smith".to_owned()];
    let of = |name, email| origin_with(&commit_of(name, email, "x"), &settings);
    assert_eq!(of("our texts", "a@example.org"), Origin::Platform);
    assert_eq!(of("Ada", "translate@example.org"), Origin::Machine);
    assert_eq!(of("Sync", "sync@example.org"), Origin::Unknown);
    assert_eq!(of("Bot Smith", "smith@example.org"), Origin::Human);
}

#[test]
fn the_documentation_has_the_table() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/spec/origins.md");
    let document = std::fs::read_to_string(folder).unwrap();
    let rows = document
        .lines()
        .filter(|line| line.starts_with("| ") && line.contains('`'));
    let rows = rows.filter_map(|line| {
        let mut cells = line.split('|').map(str::trim).skip(1);
        let row = [cells.next()?, cells.next()?, cells.next()?].join(" | ");
        let source = cells.next()?;
        assert!(!source.is_empty(), "{line}");
        Some(row)
    });
    let documented: Vec<String> = rows.collect();
    assert_eq!(documented, table());
}
