//! The components that a run checks, in the states that it reads (`docs/spec/lint.md#configuration`).

use std::collections::hash_map::Entry;
use std::collections::{BTreeSet, HashMap, VecDeque};
use std::sync::Arc;

use anyhow::{anyhow, bail};

use super::CheckArgs;
use super::config::mask;
use super::source::{CheckSource, ComponentSource};
use crate::cli::checkout::{ProjectComponent, all_components};
use crate::cli::detect::{file, files_at};
use crate::config::RepositoryTarget;
use crate::discover::{self, BrokenComponents, TreeFile, UnreadableFiles};
use gitglot_follow::ProjectConfig;
use gitglot_git::{Completeness, GitError};
use gitglot_model::{CommitId, ComponentSettings, FileFormat};

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

/// The components of a repository. With a base, a change can add components, and cannot remove any. Adds to the notes what
/// detection leaves out of the checked state.
pub fn components(
    source: &CheckSource,
    args: &CheckArgs,
    notes: &mut Vec<String>,
) -> anyhow::Result<Vec<ComponentToCheck>> {
    let mut left_out = UnreadableFiles::new();
    let found = with_left_out(source, args, &mut left_out)?;
    let settings = found.iter().map(|checked| &checked.component.1.settings);
    let masks = settings.map(|settings| (&settings.filemask, &*settings.template));
    // A component that the checked state leaves out can be one of the base.
    let left_out = discover::unused(&left_out, masks);
    notes.extend(discover::unread_lines(&left_out));
    Ok(found)
}

/// The components of a repository, and what detection leaves out of the checked state.
fn with_left_out(
    source: &CheckSource,
    args: &CheckArgs,
    left_out: &mut UnreadableFiles,
) -> anyhow::Result<Vec<ComponentToCheck>> {
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
                // A format that the checked state shows is better than a guess.
                let broken = BrokenComponents::LeaveOut;
                let old = detected(source, target, &files.base, broken, &mut <_>::default());
                let broken = BrokenComponents::Include;
                match detected(source, target, &files.head, broken, left_out) {
                    Ok(found) => new.extend(with_origin(found, Origin::Detected)),
                    // A change that breaks a file must not hide the component.
                    Err(error) if new.is_empty() && old.is_err() => return Err(error),
                    Err(_) => {}
                }
                let old = with_origin(old.unwrap_or_default(), Origin::Detected);
                Ok(files.merged(old, new))
            }
            None => detect(source, target, head, args, left_out)
                .map(|found| with_origin(found, Origin::Detected)),
        },
    }
}

/// Detects the components of a commit or of the index.
fn detect(
    source: &CheckSource,
    target: &RepositoryTarget,
    head: Option<CommitId>,
    args: &CheckArgs,
    left_out: &mut UnreadableFiles,
) -> anyhow::Result<Vec<ProjectComponent>> {
    let broken = BrokenComponents::Include;
    let error = match detected(source, target, &listing(source, head)?, broken, left_out) {
        Ok(components) => return Ok(components),
        Err(error) => error,
    };
    if !source.has_work_tree() || args.read.revision.is_some() {
        return Err(error);
    }
    // The first translation files may be staged.
    let staged = detected(source, target, &listing(source, None)?, broken, left_out);
    staged.map_err(|_| {
        anyhow!("{error:#}; only tracked files are searched: git add includes new ones")
    })
}

fn detected(
    source: &CheckSource,
    target: &RepositoryTarget,
    files: &[TreeFile],
    broken: BrokenComponents,
    left_out: &mut UnreadableFiles,
) -> anyhow::Result<Vec<ProjectComponent>> {
    let mut reader = source.repository.reader();
    let mut missing = None;
    let mut read = |blob| {
        let bytes = reader.blob(blob).map(Arc::unwrap_or_clone);
        if let Err(GitError::Missing { .. }) = &bytes {
            missing = bytes.as_ref().err().map(ToString::to_string);
        }
        bytes.ok()
    };
    match (
        discover::describe(target, files, broken, &mut read),
        missing,
    ) {
        (Ok(described), _) => {
            left_out.extend(described.left_out);
            Ok(all_components(&[described.project]))
        }
        // What a clone lacks may be the texts.
        (Err(_), Some(error)) if source.repository.completeness() != Completeness::Complete => {
            Err(source.of_incomplete(anyhow!(error)))
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
        let mut paths: Option<Arc<[String]>> = None;
        let mut list = |_: &_| {
            let files = || self.head.iter().chain(&self.base);
            let all = || files().map(|file| file.path.clone()).collect();
            Some(paths.get_or_insert_with(all).clone())
        };
        let expanded = all_components(&discover::expand(&projects, &mut list));
        let mut names = expanded
            .iter()
            .filter_map(|(_, component)| component.names.as_ref());
        match names.find_map(|names| names.problem.as_ref()) {
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
        let (count, mut merged) = (base.len(), base);
        let mut by_mask: HashMap<String, usize> = HashMap::new();
        for (at, component) in merged.iter().enumerate() {
            let mask = mask(&component.component).to_owned();
            by_mask.entry(mask).or_insert(at);
        }
        for new in head {
            match by_mask.entry(mask(&new.component).to_owned()) {
                Entry::Occupied(at) if *at.get() < count => {
                    if new.origin == Origin::Configured {
                        merged[*at.get()].origin = new.origin;
                    }
                }
                Entry::Occupied(_) => {}
                Entry::Vacant(entry) => {
                    entry.insert(merged.len());
                    merged.push(new);
                }
            }
        }
        let added = merged.split_off(count);
        self.move_components(&mut merged, added);
        merged
    }

    /// Moves the components whose files the change moves to the files of another one that is not in the base, and appends
    /// the others that it adds.
    fn move_components(&self, merged: &mut Vec<ComponentToCheck>, added: Vec<ComponentToCheck>) {
        if added.is_empty() {
            return;
        }
        let (head, base) = (PathIndex::new(&self.head), PathIndex::new(&self.base));
        let mut added: Vec<Option<ComponentToCheck>> = added.into_iter().map(Some).collect();
        // By what stays the same in a move.
        let mut targets: HashMap<_, VecDeque<usize>> = HashMap::new();
        for (at, new) in added.iter().flatten().enumerate() {
            if !base.has_files_of(&new.component.1.settings) {
                let target = targets.entry(unmoved(&new.component.1.settings));
                target.or_default().push_back(at);
            }
        }
        for old in merged.iter_mut() {
            let settings = &old.component.1.settings;
            if let Some(target) = targets.get_mut(&unmoved(settings))
                && !target.is_empty()
                && !head.has_files_of(settings)
                && let Some(new) = target.pop_front().and_then(|at| added[at].take())
            {
                old.move_to(&new.component.1.settings);
            }
        }
        merged.extend(added.into_iter().flatten());
    }
}

/// What stays the same if all files of a component move: the format and the name of the template. Bilingual files have none:
/// their masks say what they are.
fn unmoved(component: &ComponentSettings) -> (FileFormat, Option<String>) {
    let path = match component.template.as_str() {
        "" => component.filemask.as_str(),
        template => template,
    };
    let name = path.rsplit('/').next().map(str::to_owned);
    (component.file_format, name)
}

/// The paths of the files of a state.
struct PathIndex<'f>(BTreeSet<&'f str>);

impl<'f> PathIndex<'f> {
    fn new(files: &'f [TreeFile]) -> Self {
        Self(files.iter().map(|file| &*file.path).collect())
    }

    /// Whether a component has any of the files.
    fn has_files_of(&self, component: &ComponentSettings) -> bool {
        let mask = component.filemask.as_str();
        // Groups can have files outside of the folder of the mask.
        let fixed = if component.filemask.has_groups() {
            ""
        } else {
            mask.split(['*', '?', '[']).next().unwrap_or(mask)
        };
        let near = self.0.range(fixed..);
        let mut near = near.take_while(|path| path.starts_with(fixed));
        self.0.contains(&*component.template) || near.any(|path| component.has_file(path))
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
