//! `gitglot config check --connect`: whether each component can be read with its address, credentials, branch and paths.

use std::collections::HashMap;
use std::sync::Arc;

use anyhow::{anyhow, bail};

use super::detect::files_at;
use super::follow_setup::{FollowSetup, fetched, temporary_folder};
use crate::config::Config;
use crate::discover;
use gitglot_follow::{ComponentConfig, ProjectConfig};
use gitglot_git::Branch;
use gitglot_model::counted;

/// A branch that was read: its name and the paths of its files.
type BranchFiles = anyhow::Result<(String, Arc<[String]>)>;

/// The branches that were read, by repository and configured branch.
#[derive(Default)]
struct ReadBranches(HashMap<(String, Option<String>), BranchFiles>);

/// Reads the branch of each component, remote ones into a temporary directory. Returns one line per component, and
/// whether all can be served.
///
/// # Errors
/// If the temporary directory cannot be created.
pub(super) fn report(
    config: &Config,
    projects: &[ProjectConfig],
) -> anyhow::Result<(String, bool)> {
    let folder = temporary_folder()?;
    let setup = FollowSetup::new(Config {
        state_dir: folder.path().to_owned(),
        ..config.clone()
    });
    let (mut branches, mut lines, mut is_valid) = (ReadBranches::default(), String::new(), true);
    for project in projects {
        // One project after the other, so that a long list of names of one is not kept.
        let expanded = discover::expand(std::slice::from_ref(project), &mut |component| {
            let files = branches.read(&setup, component);
            files.as_ref().ok().map(|(_, paths)| paths.clone())
        });
        for component in expanded.iter().flat_map(|project| &project.components) {
            let name = project.name_of(component);
            let read = branches.read(&setup, component);
            let served = match read {
                Ok((branch, paths)) => found(component, branch, paths),
                Err(error) => Err(anyhow!("{error:#}")),
            };
            is_valid &= served.is_ok();
            lines += &match served {
                Ok(served) => format!("{name}: ok, {served}\n"),
                Err(error) => format!("{name}: error: {error}\n"),
            };
        }
    }
    Ok((lines, is_valid))
}

impl ReadBranches {
    fn read(&mut self, setup: &FollowSetup, component: &ComponentConfig) -> &BranchFiles {
        let key = (component.repo.public(), component.branch.clone());
        let files = self.0.entry(key);
        files.or_insert_with(|| read_branch(setup, component))
    }
}

fn read_branch(setup: &FollowSetup, component: &ComponentConfig) -> BranchFiles {
    let branch = Branch::parse(component.branch.as_deref())?;
    let mirror = setup.mirror(&component.repo, &component.access, &branch, &[])?;
    let state = fetched(&mirror, &branch)?;
    let files = files_at(&mut state.repository.reader(), state.tip)?;
    let paths = files.into_iter().map(|file| file.path).collect();
    Ok((state.branch, paths))
}

/// What a branch has of a component.
///
/// # Errors
/// If it lacks the template or has no file of the mask, in one sentence.
fn found(component: &ComponentConfig, branch: &str, paths: &[String]) -> anyhow::Result<String> {
    if let Some(names) = &component.names {
        let mask = names.filemask.as_str();
        bail!(names.problem.clone().unwrap_or_else(|| format!(
            "no file of the branch {branch} matches filemask = '{mask}' with a template"
        )));
    }
    let mask = &component.settings.filemask;
    let files = paths
        .iter()
        .filter(|path| component.settings.has_file(path));
    let template = &component.settings.template;
    // The template of a group is a directory.
    if !template.is_empty() && !mask.has_groups() && !paths.contains(template) {
        bail!("the branch {branch} has no file {template}: correct template");
    }
    let (files, mask) = (files.count(), mask.as_str());
    if files == 0 {
        bail!("no file of the branch {branch} matches {mask}: correct filemask");
    }
    Ok(format!("branch {branch}, {}", counted(files, "file")))
}
