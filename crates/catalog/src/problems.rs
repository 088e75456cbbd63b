//! The problems of a component: those of its files, that no file of a language is left, and names in acknowledgements that
//! nothing in the repository has (docs/spec/change-log.md#acknowledged-translations).

use std::sync::Arc;

use crate::{ComponentSnapshot, Snapshot};
use gitglot_history::{FileProblem, UnknownNames};
use gitglot_model::{ComponentId, SeededMap};

/// Problems by the component that shows them.
pub(crate) type ProblemsById = Arc<SeededMap<ComponentId, Vec<FileProblem>>>;

impl Snapshot {
    /// The problems of a component. The first component of a repository and branch shows the unknown names.
    pub fn problems_of<'s>(
        &'s self,
        component: &'s ComponentSnapshot,
    ) -> impl Iterator<Item = &'s FileProblem> + use<'s> {
        let unknown = self.unknown_names().get(&component.component.id);
        component
            .problems
            .iter()
            .chain(unknown.into_iter().flatten())
    }

    pub(crate) fn unknown_names(&self) -> &ProblemsById {
        let find = || Arc::new(unknown_names(&self.components));
        self.unknown_names.get_or_init(find)
    }
}

/// Costs nothing for components without acknowledgements, otherwise as much as the strings of their repository.
fn unknown_names(
    components: &[Arc<ComponentSnapshot>],
) -> SeededMap<ComponentId, Vec<FileProblem>> {
    let mut of_branch: SeededMap<_, Vec<&ComponentSnapshot>> = SeededMap::default();
    for of in components {
        let own = &of.component;
        if own.file_format.shape().has_template() {
            let members = of_branch.entry((&own.repo, &own.branch)).or_default();
            members.push(of);
        }
    }
    let find = |members: Vec<&ComponentSnapshot>| {
        let names =
            |of: &&ComponentSnapshot| Some((of.component.id, UnknownNames::of(&of.reviewed)?));
        let (first, mut names) = members.iter().find_map(names)?;
        for of in members {
            of.find(&mut names);
        }
        Some((first, names.problems()))
    };
    let mut problems: SeededMap<_, _> = of_branch.into_values().filter_map(find).collect();
    for of in components {
        if let Some(gone) = of.gone_files() {
            problems.entry(of.component.id).or_default().push(gone);
        }
    }
    problems
}

impl ComponentSnapshot {
    /// The problem that no file of a language is left. The log has each that there ever was.
    fn gone_files(&self) -> Option<FileProblem> {
        let mut files = self.translations.iter();
        let has_none = files.all(|translation| !translation.is_in_place(&self.component));
        let templates = self
            .translations
            .iter()
            .filter(|translation| translation.is_template);
        let had_any = self.log.lineages.len() > templates.count();
        (has_none && had_any).then(|| FileProblem {
            path: self.component.filemask.as_str().to_owned(),
            reason: "the file mask matches no file of a language any more".to_owned(),
            broken: false,
        })
    }

    /// Notes the names that the component has.
    fn find(&self, names: &mut UnknownNames) {
        for translation in &self.translations {
            names.found_language(&translation.language.code);
        }
        for string in &*self.strings {
            names.found_string(self.component.file_format, self.texts.get(string.context));
        }
    }
}
