//! The components that a run checks, in the states that it reads (`docs/spec/lint.md#configuration`).

use std::sync::Arc;

use anyhow::{anyhow, bail};

use super::CheckArgs;
use super::config::mask;
use super::read::of_incomplete;
use super::source::{CheckSource, ComponentSource};
use crate::cli::checkout::{ProjectComponent, all_components};
use crate::cli::detect::{file, files_at};
use crate::config::RepositoryTarget;
use crate::discover::{self, TreeFile};
use gitglot_follow::ProjectConfig;
use gitglot_git::{Completeness, GitError};
use gitglot_model::{CommitId, ComponentSettings};

/// A component to check.
pub struct ComponentToCheck {
    pub component: ProjectComponent,
    /// Where the component comes from.
    pub origin: Origin,
    /// The settings of the component at the base, if the change moves all of its files.
    pub moved_from: Option<ComponentSettings>,
}

/// Where a component comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Origin {
    /// It was detected.
    Detected,
    /// The configuration of the checked state has it.
    Configured,
    /// Only the configuration of the base has it.
    Base,
}

/// The components of a repository. With a base, a change can add components, and cannot remove any.
pub fn components(source: &CheckSource, args: &CheckArgs) -> anyhow::Result<Vec<ComponentToCheck>> {
    let staged = |commit: Option<CommitId>| commit.filter(|_| !args.read.staged);
    let head = staged(source.revisions.head);
    let base = source.revisions.base.as_ref().map(|base| base.commit);
    match &source.components {
        ComponentSource::Configured {
            base: old,
            head: new,
        } => {
            let files = Listings::read(source, head, base)?;
            let (old, new) = (files.expanded(old)?, files.expanded(new)?);
            Ok(files.merged(
                with_origin(old, Origin::Base),
                with_origin(new, Origin::Configured),
            ))
        }
        ComponentSource::Detect(target, added) => match base {
            Some(base) => {
                let files = Listings::read(source, head, Some(base))?;
                let mut new = with_origin(files.expanded(added)?, Origin::Configured);
                let old = detected(source, target, &files.base);
                match detected(source, target, &files.head) {
                    Ok(found) => new.extend(with_origin(found, Origin::Detected)),
                    // A change that breaks a file must not hide the component.
                    Err(error) if new.is_empty() && old.is_err() => return Err(error),
                    Err(_) => {}
                }
                let old = with_origin(old.unwrap_or_default(), Origin::Detected);
                Ok(files.merged(old, new))
            }
            None => {
                let found = detect(source, target, head, args)?;
                Ok(with_origin(found, Origin::Detected))
            }
        },
    }
}

/// Detects the components of a commit or of the index.
fn detect(
    source: &CheckSource,
    target: &RepositoryTarget,
    head: Option<CommitId>,
    args: &CheckArgs,
) -> anyhow::Result<Vec<ProjectComponent>> {
    let error = match detected(source, target, &listing(source, head)?) {
        Ok(components) => return Ok(components),
        Err(error) => error,
    };
    if !source.has_work_tree() || args.read.revision.is_some() {
        return Err(error);
    }
    // The first translation files may be staged.
    let staged = detected(source, target, &listing(source, None)?);
    staged.map_err(|_| {
        anyhow!("{error:#}; only tracked files are searched: git add includes new ones")
    })
}

fn detected(
    source: &CheckSource,
    target: &RepositoryTarget,
    files: &[TreeFile],
) -> anyhow::Result<Vec<ProjectComponent>> {
    let mut reader = source.repository.reader();
    let mut missing = None;
    let mut read = |blob| {
        let bytes = reader.blob(blob).map(Arc::unwrap_or_clone);
        bytes.map_err(|error| missing = Some(error)).ok()
    };
    match (discover::describe(target, files, &mut read), missing) {
        (Ok(described), _) => Ok(all_components(&[described.project])),
        // What a clone lacks may be the texts.
        (Err(_), Some(error @ GitError::Missing { .. }))
            if source.repository.completeness() != Completeness::Complete =>
        {
            Err(of_incomplete(source, error.into()))
        }
        (Err(error), _) => Err(error.into()),
    }
}

/// The files of a commit, or of the index.
fn listing(source: &CheckSource, commit: Option<CommitId>) -> anyhow::Result<Vec<TreeFile>> {
    match commit {
        Some(commit) => files_at(&mut source.repository.reader(), commit),
        None => {
            let entries = source.repository.index_files()?;
            Ok(entries.into_iter().filter_map(file).collect())
        }
    }
}

fn with_origin(components: Vec<ProjectComponent>, origin: Origin) -> Vec<ComponentToCheck> {
    let components = components.into_iter();
    components
        .map(|component| ComponentToCheck {
            component,
            origin,
            moved_from: None,
        })
        .collect()
}

/// The files of both states.
struct Listings {
    head: Vec<TreeFile>,
    /// Empty without a base.
    base: Vec<TreeFile>,
}

impl Listings {
    fn read(
        source: &CheckSource,
        head: Option<CommitId>,
        base: Option<CommitId>,
    ) -> anyhow::Result<Self> {
        let base = base.map(|base| listing(source, Some(base)));
        Ok(Self {
            head: listing(source, head)?,
            base: base.transpose()?.unwrap_or_default(),
        })
    }

    /// The components with one for each name of the files in either state.
    fn expanded(&self, components: &[ProjectComponent]) -> anyhow::Result<Vec<ProjectComponent>> {
        let projects: Vec<ProjectConfig> = components
            .iter()
            .map(|(project, component)| project.with_components(vec![component.clone()]))
            .collect();
        let files = || self.head.iter().chain(&self.base);
        let paths = || files().map(|file| file.path.clone()).collect();
        let expanded = all_components(&discover::expand(&projects, &mut |_| Some(paths())));
        let names = expanded
            .iter()
            .filter_map(|(_, component)| component.names.as_ref());
        match names.filter_map(|names| names.problem.as_ref()).next() {
            Some(problem) => bail!("{problem}"),
            None => Ok(expanded),
        }
    }

    /// The components of the base, and those that the checked state adds.
    fn merged(
        &self,
        base: Vec<ComponentToCheck>,
        head: Vec<ComponentToCheck>,
    ) -> Vec<ComponentToCheck> {
        let mut merged = base;
        let mut added: Vec<ComponentToCheck> = Vec::new();
        for new in head {
            let is_same = |it: &&mut ComponentToCheck| mask(&it.component) == mask(&new.component);
            match merged.iter_mut().find(is_same) {
                Some(known) if new.origin == Origin::Configured => known.origin = new.origin,
                Some(_) => {}
                None if added
                    .iter()
                    .any(|it| mask(&it.component) == mask(&new.component)) => {}
                None => added.push(new),
            }
        }
        for old in &mut merged {
            let is_target = |new: &ComponentToCheck| self.is_moved(old, new);
            if let Some(at) = added.iter().position(is_target) {
                let new = added.remove(at);
                old.move_to(&new.component.1.settings);
            }
        }
        merged.append(&mut added);
        merged
    }

    /// Whether the change moves all files of a component to the files of another one that is not in the base.
    fn is_moved(&self, old: &ComponentToCheck, new: &ComponentToCheck) -> bool {
        // Bilingual files have no template: their masks say what they are.
        let name = |it: &ComponentSettings| match it.template.as_str() {
            "" => it.filemask.as_str().rsplit('/').next().map(str::to_owned),
            template => template.rsplit('/').next().map(str::to_owned),
        };
        let has_files = |files: &[TreeFile], it: &ComponentSettings| {
            let mut paths = files.iter().map(|file| &*file.path);
            paths.any(|path| path == it.template || it.has_file(path))
        };
        let (old, new) = (&old.component.1.settings, &new.component.1.settings);
        (old.file_format, name(old)) == (new.file_format, name(new))
            && !has_files(&self.head, old)
            && !has_files(&self.base, new)
    }
}

impl ComponentToCheck {
    /// Takes the new place of its files; everything else stays as it is in the base.
    fn move_to(&mut self, new: &ComponentSettings) {
        let settings = &mut self.component.1.settings;
        self.moved_from = Some(settings.clone());
        settings.filemask = new.filemask.clone();
        settings.template.clone_from(&new.template);
    }
}
