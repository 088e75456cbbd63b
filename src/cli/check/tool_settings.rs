//! The settings that a repository has for the tools that read its translations, such as `l10n.yaml` of Flutter
//! (`docs/spec/lint.md#settings-of-tools`). A pull request can change them, so with a base those of the base apply.

use super::plan::CheckedSpec;
use gitglot_checks::PlaceholderSettings;
use gitglot_lint::{Finding, RepositoryTree};
use gitglot_model::{
    FileFormat, FlutterSettings, I18nextSettings, KeySeparators, MAX_FLUTTER_SETTINGS,
    MAX_I18NEXT_SETTINGS,
};

/// The settings of a component, with the path of their file; none if there is no file.
#[derive(Default, Debug)]
struct ToolSettings {
    path: Option<String>,
    placeholders: PlaceholderSettings,
    separators: KeySeparators,
}

/// Adds the settings to a component, which the change may have moved from a different place. Those that are configured for
/// the component win. Returns a finding if the checked state has different ones.
///
/// # Errors
/// If a state or a file cannot be read.
pub(super) fn add_tool_settings(
    tree: &RepositoryTree,
    base: Option<&RepositoryTree>,
    checked: &mut CheckedSpec,
) -> anyhow::Result<Option<Finding>> {
    let (spec, own) = (&mut checked.spec, &checked.checks);
    let format = spec.component.file_format;
    let template = &*spec.component.template;
    if !ToolSettings::has(format) {
        return Ok(None);
    }
    let of_head = ToolSettings::of(format, tree, template)?;
    let moved_from = checked.moved_from.as_ref();
    let old_template = moved_from.map_or(template, |earlier| &*earlier.template);
    let base = match base {
        // A change adds components with their settings.
        Some(tree) if tree.has_file(old_template)? => {
            Some(ToolSettings::of(format, tree, old_template)?)
        }
        _ => None,
    };
    let finding = base.as_ref().and_then(|base| base.changed_by(&of_head));
    let settings = base.unwrap_or(of_head);
    spec.separators = own.separators.or(settings.separators);
    let mut placeholders = settings.placeholders;
    if own.placeholders.interpolation.is_some() {
        placeholders.interpolation = None;
    }
    spec.checker = placeholders.apply(spec.checker.clone())?;
    if let Some(checker) = spec.source_checker.take() {
        spec.source_checker = Some(placeholders.apply(checker)?);
    }
    Ok(finding)
}

impl ToolSettings {
    /// Whether the tools of a format have settings.
    fn has(format: FileFormat) -> bool {
        use FileFormat::{Arb, I18next, I18nextV4, Json, JsonNested};
        matches!(format, Arb | I18next | I18nextV4 | Json | JsonNested)
    }

    fn of(format: FileFormat, tree: &RepositoryTree, template: &str) -> anyhow::Result<Self> {
        let is_flutter = format == FileFormat::Arb;
        let (places, limit): (Vec<String>, usize) = if is_flutter {
            (
                FlutterSettings::places(template).collect(),
                MAX_FLUTTER_SETTINGS,
            )
        } else {
            (
                I18nextSettings::places(template).collect(),
                MAX_I18NEXT_SETTINGS,
            )
        };
        for path in places {
            let Some(bytes) = tree.small_file(&path, limit)? else {
                continue;
            };
            let text = String::from_utf8_lossy(&bytes);
            let mut settings = Self {
                path: Some(path),
                ..Self::default()
            };
            if is_flutter {
                settings.placeholders.use_escaping = FlutterSettings::parse(&text).use_escaping;
                return Ok(settings);
            }
            let of_i18next = I18nextSettings::parse(&text);
            // A file of this name may configure something else.
            if of_i18next != I18nextSettings::default() {
                settings.placeholders.interpolation = of_i18next.interpolation;
                settings.separators = of_i18next.separators;
                return Ok(settings);
            }
        }
        Ok(Self::default())
    }

    /// The finding for settings of the checked state that do not apply.
    fn changed_by(&self, checked: &Self) -> Option<Finding> {
        let (own, other) = (&self.placeholders, &checked.placeholders);
        let name = match () {
            () if own.use_escaping != other.use_escaping => "use-escaping",
            () if own.interpolation != other.interpolation => "interpolation",
            () if self.separators != checked.separators => "the separators of keys",
            () => return None,
        };
        let path = checked.path.as_ref().or(self.path.as_ref())?;
        let message = format!("The change modifies {name}. The value of the base applies.");
        Some(Finding::of_configuration(path, message))
    }
}
