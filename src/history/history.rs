//! The pipeline from tip to tip: read the new commits, fold them into the log, project the tip.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use rustc_hash::{FxHashMap, FxHashSet};

use super::error::HistoryError;
use super::files::ancestor_lookup::AncestorLookup;
use super::files::layout::{Layouts, ListedFile};
use super::files::renames::RenameFinder;
use super::files::trees::{FileSetIndex, Trees};
use super::graph::walk::{self, Graph, NodeIndex, TipMove};
use super::log::authors::AuthorResolver;
use super::log::context::StepContext;
use super::log::fold::Fold;
use super::log::state::LogState;
use super::projection::row_cache::RowCache;
use super::projection::rows::{FileProblem, Projection};
use super::projection::tip::{TipFile, why_unreadable};
use super::versions::fallbacks::{self, Fallbacks};
use super::versions::parsed::{ParsedVersion, Version, Versions};
use super::versions::read::{ReadJob, read};
use super::versions::read_plan;
use crate::formats;
use crate::git::{GitError, Mailmap, ObjectKind, ObjectReader, Repository};
use crate::language;
use crate::model::{BlobId, ChangeId, CommitId, Component, KeyId, LineageId, TextId, Timestamp};

/// Progress of a step.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum StepProgress {
    /// Number of commits read.
    Commits(usize),
    /// Number of file versions read, and their total.
    Versions(usize, usize),
    /// Number of mainline commits written, and their total.
    Mainline(usize, usize),
}

/// The history of one component up to a tip.
#[derive(Clone, Debug)]
pub struct History {
    component: Arc<Component>,
    pub(super) state: LogState,
    /// The tip's files, by path.
    pub(super) files: Vec<TipFile>,
    /// The last readable version of the template.
    pub(super) template: Option<Arc<ParsedVersion>>,
    row_cache: RowCache,
}

/// The result of a step.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct StepSummary {
    /// Number of new commits.
    pub commits: usize,
    /// The log's length before and after.
    pub entries: (usize, usize),
    /// Whether history was rewritten.
    pub rewritten: bool,
}

impl History {
    /// Creates an empty history.
    pub fn new(component: Arc<Component>, source_language: &str) -> Self {
        let state = LogState::new(Layouts::configured(&component, source_language));
        Self {
            component,
            state,
            files: Vec::new(),
            template: None,
            row_cache: RowCache::default(),
        }
    }

    /// Moves to a new tip that was observed at a time, and writes the entries in between.
    ///
    /// # Errors
    /// When the repository cannot be read; the history is then unchanged.
    pub fn step(
        &mut self,
        repository: &Repository,
        to: CommitId,
        observed_at: Timestamp,
        progress: &(dyn Fn(StepProgress) + Sync),
    ) -> Result<StepSummary, HistoryError> {
        let old_len = self.state.log.len();
        if self.state.tip == Some(to) {
            return Ok(StepSummary {
                commits: 0,
                entries: (old_len, old_len),
                rewritten: false,
            });
        }
        let mut reader = repository.reader();
        let format = formats::reader(self.component.file_format);

        let (graph, tip_move) = walk::read(
            &mut reader,
            self.state.tip,
            to,
            &self.state.ancestors,
            &mut |count| {
                progress(StepProgress::Commits(count));
            },
        )?;
        check_complete(&graph, repository)?;

        let mut layouts = self.state.layouts.clone();
        let mut trees = Trees::default();
        for lineage in &self.state.lineages {
            trees.language(&lineage.language);
        }
        RenameFinder::new(&mut reader, format, &mut trees, &mut layouts).find(&graph)?;
        let mut lookup = AncestorLookup::new(&mut reader, format, &mut trees, &layouts);
        let sets = file_sets(&graph, &mut lookup)?;

        let (versions, fallbacks) =
            self.read_versions(repository, &graph, &sets, &mut lookup, progress)?;

        let tip = graph
            .nodes
            .iter()
            .position(|node| node.commit.id == to)
            .map(|tip| tip as NodeIndex);
        let mailmap = tip.map_or_else(
            || Ok(Mailmap::default()),
            |tip| reader.mailmap(graph.node(tip).commit.tree),
        )?;
        let platforms: Vec<String> = self
            .component
            .platforms
            .iter()
            .map(|name| name.to_lowercase())
            .collect();
        let context = StepContext {
            graph: &graph,
            tip_move,
            trees: &trees,
            sets,
            versions,
            fallbacks,
            authors: AuthorResolver {
                mailmap: &mailmap,
                platforms: &platforms,
            },
            observed_at: observed_at.0.div_euclid(1_000_000),
        };
        let ancestors = match tip_move {
            TipMove::Initial | TipMove::FastForward => None,
            // Walks of earlier steps have recorded the ancestors.
            TipMove::Rewritten => Some(ancestors(&mut repository.unrecorded().reader(), to)?),
        };
        self.state.layouts = layouts;
        self.state.update_lineages(&trees.languages);
        let mainline = graph.mainline.len();
        Fold::new(&context, &mut self.state)
            .run(&mut |done| progress(StepProgress::Mainline(done, mainline)));
        if let Some(tip) = tip {
            self.take_tip(&context, tip);
        }
        self.state.set_tip(to, graph.new_commits(), ancestors);
        let entries = (old_len, self.state.log.len());
        Ok(StepSummary {
            commits: graph.new_count,
            entries,
            rewritten: tip_move == TipMove::Rewritten,
        })
    }

    /// Reads all versions that a step compares: the planned ones, then those that replace broken ones.
    fn read_versions(
        &mut self,
        repository: &Repository,
        graph: &Graph,
        sets: &[Option<FileSetIndex>],
        lookup: &mut AncestorLookup<'_>,
        progress: &(dyn Fn(StepProgress) + Sync),
    ) -> Result<(Versions, Fallbacks), GitError> {
        let tip = self
            .files
            .iter()
            .filter_map(|file| file.version.as_ref())
            .chain(&self.template);
        let mut versions: Versions = tip
            .map(|it| (it.blob, Version::Parsed(it.clone())))
            .collect();
        let vocabulary = &mut self.state.vocabulary;

        let layouts = lookup.layouts;
        let single_form = |path: &str| language::has_single_form(&layouts.code_of(path));
        let jobs = read_plan::plan(graph, sets, lookup.trees, &versions, single_form);
        let total = jobs.iter().map(|job| job.blobs.len()).sum();
        let done = AtomicUsize::new(0);
        // The threads that read versions have their own caches.
        lookup.reader.forget();
        versions.extend(read(
            repository,
            self.component.file_format,
            jobs,
            vocabulary,
            &|| {
                progress(StepProgress::Versions(
                    done.fetch_add(1, Ordering::Relaxed) + 1,
                    total,
                ));
            },
        )?);

        let fallbacks = fallbacks::find(graph, sets, &versions, lookup)?;
        let missing: FxHashSet<_> = fallbacks.values().flatten().copied().collect();
        let missing = missing
            .into_iter()
            .filter(|blob| versions.get(blob).is_none_or(Version::lacks_order));
        let files = &lookup.trees.files;
        let path = |blob: BlobId| {
            files
                .iter()
                .find(|file| file.blob == blob)
                .map(|file| &*file.path)
        };
        let job = |blob| {
            let single_form = path(blob).is_some_and(single_form);
            ReadJob {
                blobs: vec![blob],
                is_template: true,
                single_form,
            }
        };
        let jobs = missing.map(job).collect();
        versions.extend(read(
            repository,
            self.component.file_format,
            jobs,
            vocabulary,
            &|| (),
        )?);
        Ok((versions, fallbacks))
    }

    /// Stores the files of the tip, which the next projection shows.
    fn take_tip(&mut self, context: &StepContext<'_>, tip: NodeIndex) {
        let set = context.set(Some(tip));
        let files = set.map(|set| &*set.files).unwrap_or_default().iter();
        let file = |&(language, file)| {
            let (path, blob) = (context.path(file).clone(), context.blob(file));
            let code = self.state.layouts.code_of(&path);
            let version = context.version(Some(tip), language).cloned();
            TipFile {
                path,
                file: ListedFile { code, blob },
                lineage: LineageId(language),
                version,
            }
        };
        self.files = files.map(file).collect();
        self.files.sort_by(|a, b| a.path.cmp(&b.path));
        self.template = context.template(Some(tip)).cloned();
    }

    /// Projects the present state with the log that leads to it.
    ///
    /// # Errors
    /// When the tip cannot be read or has no template.
    pub fn project(&mut self, repository: &Repository) -> Result<Projection, HistoryError> {
        let mut reader = repository.reader();
        let Some(tip) = self.state.tip else {
            return Err(HistoryError::NothingMatches {
                mask: self.component.filemask.as_str().to_owned(),
                branch: self.component.branch.clone(),
            });
        };
        let format = formats::reader(self.component.file_format);
        let tip = Arc::new(reader.commit(tip)?);
        let layout = self.state.layouts.newest();
        let listed = layout.list(&mut reader, tip.tree)?;
        layout.check_clash(&listed)?;
        let unsupported = listed.unsupported.iter().cloned();
        let mut problems: Vec<_> = unsupported
            .map(|(path, kind)| FileProblem::unsupported(path, kind))
            .collect();
        problems.extend(second_files(&listed.files, &self.files));
        let Some(template) = self.template.clone() else {
            let broken = self.files.iter().find(|file| file.path == layout.template);
            return Err(broken.map_or_else(
                || HistoryError::no_template(&self.component),
                |file| {
                    let reason = why_unreadable(&mut reader, format, file.file.blob);
                    HistoryError::broken_template(&self.component, reason)
                },
            ));
        };
        problems.extend(
            self.files
                .iter()
                .filter_map(|file| file.problem(&mut reader, format)),
        );
        let (sources, translations) =
            self.row_cache
                .rows(&self.state, &self.files, &template, &layout.template);
        Ok(Projection {
            texts: self.state.vocabulary.texts.freeze(),
            tip,
            template_blob: template.blob,
            sources,
            translations,
            problems,
            log: self.state.log.clone(),
            people: self.state.people.list().into(),
            layouts: Arc::new(self.state.layouts.clone()),
        })
    }

    /// The tip that the log has reached.
    pub fn tip(&self) -> Option<CommitId> {
        self.state.tip
    }

    /// Number of entries in the log.
    pub fn log_len(&self) -> usize {
        self.state.log.len()
    }

    /// The times of the log's entries from an index on.
    pub fn times_from(&self, from: usize) -> impl Iterator<Item = Timestamp> + '_ {
        self.state.log.times_from(from)
    }

    /// Sets the ids of the log's entries from an index on.
    pub fn set_change_ids(&mut self, from: usize, ids: impl IntoIterator<Item = ChangeId>) {
        Arc::make_mut(&mut self.state.log).set_ids(from, ids);
    }

    /// Code of a translation's language.
    pub fn language(&self, lineage: LineageId) -> &str {
        self.state
            .lineages
            .get(usize::from(lineage.0))
            .map_or("", |lineage| &lineage.language)
    }

    /// The context of a key.
    pub fn context(&self, key: Option<KeyId>) -> Option<TextId> {
        self.state.vocabulary.keys.context(key?)
    }

    /// Prepares a history that was loaded from a checkpoint for its next step, which otherwise does so itself.
    pub fn index_texts(&mut self) {
        self.state.vocabulary.texts.index_all();
    }
}

/// The listed files that are ignored, because their language already has a file.
fn second_files(listed: &BTreeMap<Arc<str>, ListedFile>, tip: &[TipFile]) -> Vec<FileProblem> {
    let paths: FxHashSet<&str> = tip.iter().map(|file| &*file.path).collect();
    let ignored: Vec<_> = listed
        .iter()
        .filter(|(path, _)| !paths.contains(&***path))
        .collect();
    if ignored.is_empty() {
        return Vec::new();
    }
    let owners: FxHashMap<Arc<str>, &str> = tip
        .iter()
        .map(|file| (language::resolve(&file.file.code).code, &*file.path))
        .collect();
    let problem = |(path, file): (&Arc<str>, &ListedFile)| {
        let code = language::resolve(&file.code).code;
        Some(FileProblem::second_of_language(
            path,
            owners.get(&code)?,
            &code,
        ))
    };
    ignored.into_iter().filter_map(problem).collect()
}

/// Checks that the repository has all commits of a step. In a shallow or re-cloned repository, logs where the log
/// begins (docs/spec/change-log.md#incomplete-repositories).
fn check_complete(graph: &Graph, repository: &Repository) -> Result<(), HistoryError> {
    if let Some(&first) = graph.missing.first() {
        if !repository.is_recloned() {
            return Err(GitError::Missing {
                kind: ObjectKind::Commit,
                id: first.to_string(),
            }
            .into());
        }
        let count = graph.missing.len();
        tracing::warn!(
            "the repository lacks {count} commits (first {first}); the change log begins after them"
        );
    }
    let boundary: Vec<CommitId> = graph
        .new_commits()
        .filter(|&commit| repository.is_shallow(commit))
        .collect();
    if let Some(first) = boundary.first() {
        let count = boundary.len();
        tracing::warn!(
            "the repository is shallow: the change log begins at {count} commits whose parents are missing (first \
             {first}); fetch the full history to get a complete log"
        );
    }
    Ok(())
}

/// The files of every commit; a tree that no layout fits counts as its first parent's tree.
fn file_sets(
    graph: &Graph,
    lookup: &mut AncestorLookup<'_>,
) -> Result<Vec<Option<FileSetIndex>>, GitError> {
    let mut sets = vec![None; graph.nodes.len()];
    for (node, set) in sets.iter_mut().enumerate().skip(graph.new_count) {
        *set = lookup.set_of(graph.nodes[node].commit.id)?;
    }
    for node in graph.writing_order() {
        let tree = graph.node(node).commit.tree;
        let own = lookup.trees.set_of(lookup.reader, lookup.layouts, tree)?;
        let parent = graph.node(node).parents.first();
        sets[node as usize] = own.or_else(|| sets[*parent? as usize]);
    }
    Ok(sets)
}

/// The ancestors of a commit and the commit itself, as far as the repository has them.
fn ancestors(reader: &mut ObjectReader, of: CommitId) -> Result<FxHashSet<CommitId>, GitError> {
    let mut seen = FxHashSet::default();
    let mut next = vec![of];
    while let Some(id) = next.pop() {
        if seen.insert(id) {
            match reader.commit_header(id) {
                Ok(commit) => next.extend(commit.parents),
                Err(error) if error.is_damage() => {}
                Err(error) => return Err(error),
            }
        }
    }
    Ok(seen)
}
