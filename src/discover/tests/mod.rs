//! Tests of the detection with invented trees.

mod bilingual;
mod configuration;
mod groups;
mod growth;
mod layouts;
mod other_syntaxes;
mod parts;
mod templates;

use std::collections::HashMap;
use std::path::Path;

use super::*;
use crate::config::{Overrides, RepositoryTarget, to_toml};
use gitglot_follow::{ProjectConfig, RepoAddress};
use gitglot_model::{BlobId, FileFormat, RepoPath, Slug};

/// An invented tree.
#[derive(Default)]
struct Tree {
    files: Vec<TreeFile>,
    bytes: HashMap<BlobId, String>,
}

impl Tree {
    /// Paths with their content.
    fn new(files: &[(&str, &str)]) -> Self {
        files
            .iter()
            .fold(Self::default(), |tree, (path, text)| tree.with(path, text))
    }

    fn with(mut self, path: &str, text: &str) -> Self {
        let mut same = self.bytes.iter().filter(|(_, known)| *known == text);
        let blob = same.next().map(|(blob, _)| *blob).unwrap_or_else(|| {
            let mut id = [0; 20];
            id[..8].copy_from_slice(&(self.bytes.len() as u64).to_be_bytes());
            BlobId(id)
        });
        self.files.push(TreeFile {
            path: path.to_owned(),
            blob,
        });
        self.bytes.insert(blob, text.to_owned());
        self
    }

    /// A file for each code in place of `*`.
    fn with_all(self, mask: &str, codes: &[&str], text: &str) -> Self {
        codes
            .iter()
            .fold(self, |tree, code| tree.with(&mask.replace('*', code), text))
    }

    fn detected(&self) -> (Vec<DetectedComponent>, OtherFiles) {
        detect_components(&self.files, &mut |id| {
            self.bytes.get(&id).map(|text| text.clone().into_bytes())
        })
    }

    /// The lines about other files.
    fn problems(&self) -> Vec<String> {
        let (_, other_files) = self.detected();
        other_files.problems()
    }

    fn found(&self) -> Vec<String> {
        let (found, _) = self.detected();
        found
            .iter()
            .map(|component| {
                format!(
                    "{} {} {}",
                    component.filemask.as_str(),
                    component.template,
                    component.file_format.name()
                )
            })
            .collect()
    }

    fn described(&self, overrides: Overrides) -> Result<ProjectConfig, DiscoverError> {
        self.description(overrides)
            .map(|description| description.project)
    }

    fn description(&self, overrides: Overrides) -> Result<Description, DiscoverError> {
        let repo =
            RepoAddress::parse("https://host.example/My.Project.git", Path::new("/")).unwrap();
        let target = RepositoryTarget {
            repo,
            overrides,
            access: Default::default(),
        };
        describe(
            &target,
            &self.files,
            BrokenComponents::LeaveOut,
            &mut |id| self.bytes.get(&id).map(|text| text.clone().into_bytes()),
        )
    }
}

fn repo_path(path: &str) -> RepoPath {
    RepoPath::new(path).unwrap()
}

const TEXTS: &str = r#"{"hello":"Hello","bye":"Bye"}"#;
const MESSAGES: &str =
    r#"{"hello":{"message":"Hello"},"bye":{"message":"Bye","description":"At the end"}}"#;
