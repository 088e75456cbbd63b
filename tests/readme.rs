//! The README's table of settings says what the program says.

use gitglot::config::{Setting, settings};

const README: &str = include_str!("../README.md");

/// A row of the table: a flag, its default and what it does.
fn row(setting: &Setting) -> String {
    let default = if setting.default.is_empty() { "–" } else { setting.default };
    format!("| `--{}` | {default} | {} |", setting.name, setting.help)
}

#[test]
fn the_readme_names_every_setting_with_its_default_and_no_other() {
    let table: Vec<&str> = README.lines().filter(|line| line.starts_with("| `--")).collect();
    let wanted: Vec<String> = settings().iter().map(row).collect();
    assert!(table == wanted, "the table of settings in README.md is to be:\n{}", wanted.join("\n"));
}
