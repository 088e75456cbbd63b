//! The settings that a repository has for the tools that read its translations, such as `l10n.yaml` of Flutter
//! (`docs/spec/lint.md#settings-of-tools`). A pull request can change them, so with a base those of the base apply.

use super::revisions::Revisions;
use gitglot_checks::current::CurrentChecker;
use gitglot_git::Repository;
use gitglot_lint::{ComponentSpec, Finding, LintError, RepositoryState, RepositoryTree};
use gitglot_model::{Component, FileFormat, FlutterSettings, MAX_FLUTTER_SETTINGS};

/// The settings of a component, with the path of their file; none if there is no file.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
struct ToolSettings {
    path: Option<String>,
    /// Whether apostrophes quote braces.
    use_escaping: bool,
}

/// Adds the settings to a component, which the change may have moved from a different place. Returns a finding if the checked
/// state has different ones.
///
/// # Errors
/// If a state or a file cannot be read.
pub fn add_tool_settings(
    (repository, state, revisions): (&Repository, RepositoryState, &Revisions),
    spec: &mut ComponentSpec,
    moved_from: Option<&Component>,
) -> Result<Option<Finding>, LintError> {
    let template = &*spec.component.template;
    if spec.component.file_format != FileFormat::Arb {
        return Ok(None);
    }
    let checked = ToolSettings::of(&RepositoryTree::open(repository, state)?, template)?;
    let base = match &revisions.base {
        Some(base) => {
            let tree = RepositoryTree::open(repository, RepositoryState::Commit(base.tip))?;
            let old_template = moved_from.map_or(template, |it| &*it.template);
            // A change adds components with their settings.
            match tree.has_file(old_template)? {
                true => Some(ToolSettings::of(&tree, old_template)?),
                false => None,
            }
        }
        None => None,
    };
    let finding = base.as_ref().and_then(|base| base.changed_by(&checked));
    base.unwrap_or(checked).apply_to(spec);
    Ok(finding)
}

impl ToolSettings {
    fn of(tree: &RepositoryTree, template: &str) -> Result<Self, LintError> {
        for path in FlutterSettings::places(template) {
            if let Some(bytes) = tree.small_file(&path, MAX_FLUTTER_SETTINGS)? {
                let settings = FlutterSettings::parse(&String::from_utf8_lossy(&bytes));
                return Ok(Self {
                    path: Some(path),
                    use_escaping: settings.use_escaping,
                });
            }
        }
        Ok(Self::default())
    }

    fn apply_to(&self, spec: &mut ComponentSpec) {
        if self.use_escaping {
            spec.checker = spec.checker.with_quotes();
            let source_checker = spec.source_checker.as_ref();
            spec.source_checker = source_checker.map(CurrentChecker::with_quotes);
        }
    }

    /// The finding for settings of the checked state that do not apply.
    fn changed_by(&self, checked: &Self) -> Option<Finding> {
        if self.use_escaping == checked.use_escaping {
            return None;
        }
        let path = checked.path.as_ref().or(self.path.as_ref())?;
        let message = "The change modifies use-escaping. The value of the base applies.".to_owned();
        Some(Finding::of_configuration(path, message))
    }
}
