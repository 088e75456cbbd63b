//! The settings of Flutter's localization, `l10n.yaml` (`docs/spec/formats.md#flutter`).

use super::repo_path::{join_path, parent_folders};

/// The name of the file.
pub const FLUTTER_SETTINGS: &str = "l10n.yaml";

/// The most bytes of the file that are read.
pub const MAX_FLUTTER_SETTINGS: usize = 64 << 10;

/// The settings that matter for translations.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct FlutterSettings {
    /// The folder of the ARB files, relative to that of the settings.
    pub arb_dir: Option<String>,
    /// The name of the template in this folder.
    pub template_arb_file: Option<String>,
    /// Whether apostrophes quote braces.
    pub use_escaping: bool,
}

impl FlutterSettings {
    /// Reads the keys at the top level of the file. Everything else, also what is no YAML, is skipped.
    pub fn parse(text: &str) -> Self {
        let mut settings = Self::default();
        for line in text.lines() {
            let Some((key, value)) = line.split_once(':') else {
                continue;
            };
            let value = value.split(" #").next().unwrap_or_default().trim();
            let value = value.trim_matches(['"', '\'']);
            let text = || Some(value.to_owned()).filter(|value| !value.is_empty());
            match key.trim_end() {
                "arb-dir" => settings.arb_dir = text(),
                "template-arb-file" => settings.template_arb_file = text(),
                "use-escaping" => settings.use_escaping = value == "true",
                _ => {}
            }
        }
        settings
    }

    /// The path of the template, with the defaults of Flutter, for settings in a folder; `""` is the root.
    pub fn template(&self, folder: &str) -> String {
        let file = self.template_arb_file.as_deref().unwrap_or("app_en.arb");
        let arb_dir = self.arb_dir.as_deref().unwrap_or("lib/l10n");
        let arb_dir = arb_dir.trim_start_matches("./").trim_end_matches('/');
        let parts = [folder, arb_dir, file];
        let parts = parts.into_iter().filter(|part| !part.is_empty());
        parts.collect::<Vec<_>>().join("/")
    }

    /// The places of the settings of a template, the nearest first.
    pub fn places(template: &str) -> impl Iterator<Item = String> {
        parent_folders(template).map(|folder| join_path(folder, FLUTTER_SETTINGS))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_settings_are_read_from_their_file() {
        let text = "# comment\narb-dir: lib/src/i18n/\ntemplate-arb-file: \"app_de.arb\" # German\n\
                    use-escaping: true\nnested:\n  use-escaping: false\n";
        let settings = FlutterSettings::parse(text);
        assert!(settings.use_escaping);
        assert_eq!(settings.template(""), "lib/src/i18n/app_de.arb");
        assert_eq!(settings.template("app"), "app/lib/src/i18n/app_de.arb");
        assert_eq!(
            FlutterSettings::parse("\u{0}: ["),
            FlutterSettings::default()
        );
        assert_eq!(
            FlutterSettings::default().template(""),
            "lib/l10n/app_en.arb"
        );
    }

    #[test]
    fn the_nearest_settings_of_a_template_count() {
        let places: Vec<String> = FlutterSettings::places("a/lib/en.arb").collect();
        assert_eq!(places, ["a/lib/l10n.yaml", "a/l10n.yaml", "l10n.yaml"]);
        assert_eq!(FlutterSettings::places("en.arb").count(), 1);
    }
}
