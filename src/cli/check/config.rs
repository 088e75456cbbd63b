//! The configuration file of the repository that is checked. A pull request can change it, so with a base the file of
//! the base applies, and the change can only add to it (`docs/spec/lint.md#configuration`).

use std::io::Read;

use anyhow::{Context, bail};

use super::CheckArgs;
use super::revisions::Revisions;
use crate::cli::checkout::{ProjectComponent, all_components, ownership};
use crate::config::{CheckConfig, CheckFile, People, read_text};
use gitglot_git::{EntryKind, Repository, WorkTree, WorkTreeFile};
use gitglot_lint::Finding;
use gitglot_model::CommitId;

/// The configuration of a repository that applies to a run.
#[derive(Default)]
pub struct RepositoryConfig {
    /// The table `[check]`.
    pub check: CheckConfig,
    /// The table `[people]` of the checked state.
    pub people: People,
    /// The components of the base; none without a base.
    pub base: Vec<ProjectComponent>,
    /// The components of the checked state.
    pub head: Vec<ProjectComponent>,
    /// What the change modifies.
    pub finding: Option<Finding>,
    /// Facts that affect the result, as sentences.
    pub notes: Vec<String>,
}

/// One version of a configuration file.
#[derive(Default)]
struct Version {
    check: CheckConfig,
    people: People,
    /// The components of the repository.
    components: Vec<ProjectComponent>,
    /// Whether there are components of any repository.
    has_components: bool,
}

impl RepositoryConfig {
    /// Reads the file at `path`, from the root of the repository. A missing file is an error if it `is_named` on the
    /// command line.
    pub fn read(
        repository: &Repository,
        revisions: &Revisions,
        path: &str,
        is_named: bool,
        args: &CheckArgs,
    ) -> anyhow::Result<Self> {
        let file = ConfigFile {
            repository,
            tree: repository.work_tree(),
            path,
        };
        let head = file.checked(revisions, args)?;
        let (mut tip, mut before) = (None, None);
        let mut config = Self::default();
        if let Some(base) = &revisions.base {
            tip = config.of_base(&file, base.tip);
            before = config.of_base(&file, base.commit);
            config.apply(path, &tip, &before, &head);
        } else if let Some(version) = &head {
            config.check = version.check.clone();
        }
        let versions: Vec<&Version> = [&head, &tip, &before].into_iter().flatten().collect();
        if is_named && versions.is_empty() {
            bail!(
                "the repository has no file {path}, or it is behind a link: name a configuration file with --config"
            );
        }
        let is_elsewhere =
            |version: &&Version| version.has_components && version.components.is_empty();
        if is_named && versions.iter().all(is_elsewhere) {
            bail!(
                "{path} has no component of the repository that it is in: correct repo, or give --trust-config to \
                 check the repositories that it names"
            );
        }
        let head = head.unwrap_or_default();
        (config.head, config.people) = (head.components, head.people);
        Ok(config)
    }

    /// The version of a commit of the base. One that cannot be read is left out, so that a change can repair it.
    fn of_base(&mut self, file: &ConfigFile<'_>, commit: CommitId) -> Option<Version> {
        file.at_commit(commit).unwrap_or_else(|error| {
            let note = format!("the configuration of the base does not apply: {error:#}");
            if !self.notes.contains(&note) {
                self.notes.push(note);
            }
            None
        })
    }

    /// Applies the version at the tip of the base. The change can add to it if it modifies the version at the merge
    /// base.
    fn apply(
        &mut self,
        path: &str,
        tip: &Option<Version>,
        before: &Option<Version>,
        head: &Option<Version>,
    ) {
        let none = Version::default();
        let [tip, before, head] =
            [tip, before, head].map(|version| version.as_ref().unwrap_or(&none));
        self.check = tip.check.clone();
        self.base = tip.components.clone();
        for component in &before.components {
            if !self.base.iter().any(|base| mask(base) == mask(component)) {
                self.base.push(component.clone());
            }
        }
        let changes = before.changes(head);
        if !changes.is_empty() {
            self.check = tip.check.with(&head.check);
            let message = format!(
                "The change modifies {}. The configuration of the base applies, with the rules and components that \
                 the change adds.",
                changes.join(", ")
            );
            self.finding = Some(Finding::of_configuration(path, message));
        }
    }
}

impl Version {
    /// The differences to a later version, as words.
    fn changes(&self, later: &Self) -> Vec<String> {
        let keys = self.check.differences(&later.check).into_iter();
        let mut changes: Vec<String> = keys.map(|key| format!("{key} in [check]")).collect();
        let only_in = |one: &Self, other: &Self| -> Vec<String> {
            let is_only = |component: &&ProjectComponent| {
                let mut others = other.components.iter();
                !others.any(|other| is_equal(component, other))
            };
            let only = one.components.iter().filter(is_only);
            only.map(|component| format!("the component '{}'", mask(component)))
                .collect()
        };
        changes.extend(only_in(self, later));
        changes.extend(only_in(later, self));
        changes.dedup();
        changes
    }
}

/// The file mask of a component, as it is configured.
pub fn mask((_, component): &ProjectComponent) -> &str {
    match &component.names {
        Some(names) => names.filemask.as_str(),
        None => component.filemask.as_str(),
    }
}

/// Whether two versions of a component are checked in the same way.
fn is_equal(one: &ProjectComponent, other: &ProjectComponent) -> bool {
    let settings = |(project, component): &ProjectComponent| {
        (
            project.source_language.clone(),
            component.template.clone(),
            component.file_format,
            component.checks.clone(),
            component.previous_filemasks.clone(),
            component.platforms.clone(),
            component.review_marks.clone(),
            component.renames,
            (component.changelogs, component.columns.clone()),
            component.source_commits.clone(),
            component.ignored_commits.clone(),
            [&component.bots, &component.machines, &component.humans].map(Clone::clone),
        )
    };
    mask(one) == mask(other) && settings(one) == settings(other)
}

/// The configuration file of a repository.
struct ConfigFile<'a> {
    repository: &'a Repository,
    tree: Option<WorkTree>,
    path: &'a str,
}

impl ConfigFile<'_> {
    /// The version of the checked state. Without a base, that of the working tree.
    fn checked(&self, revisions: &Revisions, args: &CheckArgs) -> anyhow::Result<Option<Version>> {
        if revisions.base.is_none() || args.read.worktree {
            return self.on_disk();
        }
        match revisions.head {
            Some(commit) if !args.read.staged => self.at_commit(commit),
            _ => self.in_index(),
        }
    }

    fn on_disk(&self) -> anyhow::Result<Option<Version>> {
        let Some(tree) = &self.tree else {
            return Ok(None);
        };
        let found = tree.open(self.path).context(self.path.to_owned())?;
        match found {
            WorkTreeFile::Missing => Ok(None),
            WorkTreeFile::Unreadable => Err(self.not_a_file()),
            WorkTreeFile::File(file) => self.parse(file).map(Some),
        }
    }

    fn at_commit(&self, commit: CommitId) -> anyhow::Result<Option<Version>> {
        let mut reader = self.repository.reader();
        let tree = reader.commit_header(commit)?.tree;
        let entry = reader.entry_at(tree, self.path)?;
        self.of_entry(entry)
    }

    fn in_index(&self) -> anyhow::Result<Option<Version>> {
        let files = self.repository.index_files()?;
        let mut files = files.iter();
        let entry = files.find(|entry| *entry.path == *self.path.as_bytes());
        self.of_entry(entry.map(|entry| entry.kind))
    }

    fn of_entry(&self, entry: Option<EntryKind>) -> anyhow::Result<Option<Version>> {
        match entry {
            None => Ok(None),
            Some(EntryKind::File(blob)) => {
                let bytes = self.repository.reader().blob(blob)?;
                self.parse(bytes.as_slice()).map(Some)
            }
            Some(_) => Err(self.not_a_file()),
        }
    }

    fn not_a_file(&self) -> anyhow::Error {
        anyhow::anyhow!(
            "{} is not a regular file: replace the link or directory by a file",
            self.path
        )
    }

    fn parse(&self, file: impl Read) -> anyhow::Result<Version> {
        let text = read_text(file)
            .with_context(|| format!("cannot read the configuration file {}", self.path))?;
        let root = match &self.tree {
            Some(tree) => tree.root(),
            None => self.repository.git_dir(),
        };
        let root = std::path::absolute(root).context("cannot determine the current directory")?;
        let file = CheckFile::parse(&root.join(self.path), &text)?;
        let is_own = ownership(self.repository, &root, &file.projects);
        let mut components = all_components(&file.projects);
        let has_components = !components.is_empty();
        components.retain(|(_, component)| is_own(component));
        Ok(Version {
            check: file.check,
            people: file.people,
            has_components,
            components,
        })
    }
}
