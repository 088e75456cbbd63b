//! The problems of a component: those of its files, that no file of a language is left, and names in acknowledgements that
//! nothing in the repository has (docs/spec/change-log.md#acknowledged-translations).

use std::sync::Arc;

use crate::component::ComponentSnapshot;
use crate::snapshot::{ProblemsById, Snapshot};
use gitglot_history::{FileProblem, UnknownNames};
use gitglot_model::{ComponentId, SeededMap};

/// The problems of a component. The first component of a repository and branch shows the unknown names.
pub fn problems_of<'s>(
    snapshot: &'s Snapshot,
    component: &'s ComponentSnapshot,
) -> impl Iterator<Item = &'s FileProblem> + use<'s> {
    let derived = derived_problems(snapshot).get(&component.component.id);
    let own = component.problems.iter();
    own.chain(derived.into_iter().flatten())
}

/// The problems that are derived from all components.
pub(super) fn derived_problems(snapshot: &Snapshot) -> &ProblemsById {
    let find = || Arc::new(find_problems(&snapshot.components));
    snapshot.derived_problems.get_or_init(find)
}

/// The unknown names and the lack of files. Looks at the translations of each component, and at the strings of
/// repositories with acknowledgements.
fn find_problems(
    components: &[Arc<ComponentSnapshot>],
) -> SeededMap<ComponentId, Vec<FileProblem>> {
    let mut of_branch: SeededMap<_, Vec<&ComponentSnapshot>> = SeededMap::default();
    for component in components {
        let settings = &component.component;
        if component.shape.has_template() {
            let members = of_branch.entry((&settings.repo, &settings.branch));
            members.or_default().push(component);
        }
    }
    let find = |members: Vec<&ComponentSnapshot>| {
        let names = |member: &&ComponentSnapshot| {
            let names = UnknownNames::of(&member.reviewed)?;
            Some((member.component.id, names))
        };
        let (first, mut names) = members.iter().find_map(names)?;
        for member in members {
            note_names(member, &mut names);
        }
        Some((first, names.problems()))
    };
    let mut problems: SeededMap<_, _> = of_branch.into_values().filter_map(find).collect();
    for component in components {
        if let Some(gone) = gone_files(component) {
            let id = component.component.id;
            problems.entry(id).or_default().push(gone);
        }
    }
    problems
}

/// The problem that no file of a language is left. The log has each that there ever was.
fn gone_files(component: &ComponentSnapshot) -> Option<FileProblem> {
    let files = &component.translations;
    let settings = &component.component;
    let is_left = files.iter().any(|file| file.is_in_place(settings));
    let templates = files.iter().filter(|file| file.is_template);
    let had_any = component.log.lineages.len() > templates.count();
    (had_any && !is_left).then(|| FileProblem {
        path: settings.filemask.as_str().to_owned(),
        reason: "the file mask matches no file of a language any more".to_owned(),
        broken: false,
    })
}

/// Notes the names that the component has.
fn note_names(component: &ComponentSnapshot, names: &mut UnknownNames) {
    for translation in &component.translations {
        names.found_language(&translation.language.code);
    }
    let format = component.component.file_format;
    for string in component.strings() {
        names.found_string(format, component.texts.get(string.context));
    }
}
