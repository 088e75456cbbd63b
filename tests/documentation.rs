//! The documents contain the settings of the program.

use gitglot::config::{Setting, SettingGroup, setting_groups};

const CONFIGURATION: &str = include_str!("../docs/configuration.md");

fn row(setting: &Setting) -> String {
    let default = if setting.default.is_empty() { "–" } else { setting.default };
    format!("| `{}` | {default} | {} |\n", setting.flag(), setting.help)
}

fn table(group: &SettingGroup) -> String {
    let rows: String = group.settings.iter().map(row).collect();
    format!("### {}\n\n| Flag | Default | Description |\n|---|---|---|\n{rows}", group.heading)
}

#[test]
fn the_configuration_reference_lists_every_setting() {
    let groups = setting_groups();
    let tables: Vec<String> = groups.iter().map(table).collect();
    let missing = tables.iter().any(|table| !CONFIGURATION.contains(table));
    let rows = CONFIGURATION.lines().filter(|line| line.starts_with("| `--")).count();
    let settings: usize = groups.iter().map(|group| group.settings.len()).sum();
    assert!(
        !missing && rows == settings,
        "docs/configuration.md differs from the settings; its tables should be:\n\n{}",
        tables.join("\n")
    );
}
