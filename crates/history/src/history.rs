//! The pipeline from tip to tip: read the new commits, fold them into the log, project the tip.

use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::error::{HistoryError, MAX_ID_BYTES};
use super::files::ancestor_lookup::AncestorLookup;
use super::files::layout::Layouts;
use super::files::parts::view;
use super::files::trees::Trees;
use super::graph::walk::{self, TipMove};
use super::log::authors::AuthorResolver;
use super::log::context::{StepCommits, StepContext};
use super::log::diff::DiffCaches;
use super::log::fold::{Fold, mainline_times};
use super::log::origins::Accounts;
use super::log::state::LogState;
use super::projection::expected::ExpectedStrings;
use super::projection::guide::guide;
use super::projection::row_cache::RowCache;
use super::projection::rows::{FileProblem, Projection};
use super::projection::tip::left_out;
use super::projection::tip_file::{TipFile, why_unreadable};
use super::projection::unknown_names::{UnknownNames, find_names};
use super::reviews;
use super::step_input::{check_complete, read_files, without_parents};
use super::versions::fallbacks::{self, BrokenVersions};
use super::versions::parsed::{ParsedVersion, Version, Versions};
use super::versions::read::{ReadJob, ReadLimits, read};
use super::versions::read_plan;
use super::versions::union::UnionBuilder;
use super::window::{needed_later, unions};
use gitglot_git::{Mailmap, ObjectReader, Repository, ancestors};
use gitglot_model::{BlobId, ChangeId, CommitId, Component, Log, SeededSet, Timestamp, language};

/// Mainline commits whose versions are read and folded together. The versions of more commits take more memory; those
/// of fewer resemble each other less, so more of their texts are parsed.
const WINDOW: usize = 1 << 15;
/// A step indexes this many texts in about a millisecond.
const FEW_TEXTS: usize = 10_000;

/// Progress of a step.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum StepProgress {
    /// Number of commits read.
    Commits(usize),
    /// Number of file versions read, and of those to read before more commits are written.
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
    /// The files whose parts are the versions above.
    pub(super) whole_files: BTreeSet<BlobId>,
    row_cache: RowCache,
    window: usize,
    /// Most bytes of ids.
    max_id_bytes: usize,
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
        let mut state = LogState::new(Layouts::configured(&component, source_language));
        state.review_marks = component.review_marks.as_slice().into();
        Self {
            component,
            state,
            files: Vec::new(),
            template: None,
            whole_files: BTreeSet::new(),
            row_cache: RowCache::default(),
            window: WINDOW,
            max_id_bytes: MAX_ID_BYTES,
        }
    }

    /// Sets the most bytes of ids that the strings may have, with those that existed in the past.
    pub fn set_max_id_bytes(&mut self, bytes: usize) {
        self.max_id_bytes = bytes;
    }

    /// The bytes of the ids of all strings, with those that existed in the past.
    pub fn id_bytes(&self) -> usize {
        self.state.vocabulary.id_bytes()
    }

    /// Sets how many mainline commits are read and folded together, at least 1. The log does not depend on it.
    pub fn set_window(&mut self, commits: usize) {
        self.window = commits.max(1);
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
        let summary = |commits, new_len, rewritten| StepSummary {
            commits,
            entries: (old_len, new_len),
            rewritten,
        };
        if self.state.tip == Some(to) {
            return Ok(summary(0, old_len, false));
        }
        let repository = &view(repository, &self.component);
        let mut reader = repository.reader();
        let (graph, tip_move) = walk::read(
            &mut reader,
            self.state.tip,
            to,
            &self.state.ancestors,
            &mut |count| progress(StepProgress::Commits(count)),
        )?;
        check_complete(&graph, repository)?;

        let mut layouts = self.state.layouts.clone();
        let lineages = self.state.lineages.iter();
        let mut trees = Trees::new(lineages.map(|lineage| lineage.language.clone()));
        let format = gitglot_formats::reader(self.component.file_format);
        let files = read_files(&mut reader, format, &graph, &mut layouts, &mut trees)?;
        let ignored = &self.component.ignored_commits;
        let reviews = reviews::read(&graph, &files.reviewed, ignored);
        let mailmap = Mailmap::read(&mut reader, graph.node(graph.tip).commit.tree)?;
        let observed_at = observed_at.0.div_euclid(1_000_000);
        let ancestors = match tip_move {
            TipMove::Initial | TipMove::FastForward => None,
            // Walks of earlier steps have recorded the ancestors.
            TipMove::Rewritten => Some(ancestors(&mut repository.unrecorded().reader(), vec![to])),
        };
        let step = HistoryStep {
            repository,
            commits: StepCommits {
                tip_move,
                sets: files.sets,
                without_template: files.without_template,
                has_new_paths: layouts != self.state.layouts,
                authors: AuthorResolver::new(mailmap, Accounts::of(&self.component)),
                without_parents: without_parents(&graph, repository),
                reviews,
                observed_at,
                times: mainline_times(&graph, observed_at),
                graph,
            },
            layouts,
            versions_read: AtomicUsize::new(0),
            progress,
        };
        self.write_or_restore(&step, &mut reader, &mut trees)?;
        let graph = &step.commits.graph;
        self.state.set_tip(to, graph.new_commits(), ancestors);
        let is_rewritten = tip_move == TipMove::Rewritten;
        Ok(summary(graph.new_count, self.state.log.len(), is_rewritten))
    }

    /// Writes the entries of a step. After an error, the state is the one before the step.
    fn write_or_restore(
        &mut self,
        step: &HistoryStep<'_>,
        reader: &mut ObjectReader,
        trees: &mut Trees,
    ) -> Result<(), HistoryError> {
        // Only a step of several windows, or one that reads acknowledgements, can fail after it has written something.
        let has_windows = step.commits.graph.mainline.len() > self.window;
        let mut reviews = step.commits.reviews.values();
        let can_fail = has_windows || reviews.any(|review| review.file.is_some());
        let before = can_fail.then(|| self.state.clone());
        let (texts, keys) = self.state.vocabulary.size();
        let written = self.write(step, reader, trees);
        if written.is_err() {
            match before {
                Some(before) => self.state = before,
                None => self.state.vocabulary.truncate(texts, keys),
            }
        }
        written
    }

    /// Reads the versions of a step and writes its entries, one window of mainline commits after the other.
    fn write(
        &mut self,
        step: &HistoryStep<'_>,
        reader: &mut ObjectReader,
        trees: &mut Trees,
    ) -> Result<(), HistoryError> {
        let tip_versions = self.files.iter().filter_map(|file| file.version.as_ref());
        let tip_versions = tip_versions.chain(&self.template);
        let mut versions: Versions = tip_versions
            .map(|version| (version.blob, Version::Parsed(version.clone())))
            .collect();
        let mut broken = BrokenVersions::default();
        let mut caches = DiffCaches::default();
        let mut union = UnionBuilder::default();
        let mainline = step.commits.graph.mainline.len();
        for start in (0..mainline).step_by(self.window) {
            let window = start..mainline.min(start + self.window);
            let format = gitglot_formats::reader(self.component.file_format);
            let mut lookup = AncestorLookup::new(reader, format, trees, &step.layouts);
            let of_window = window.clone();
            self.read_versions(step, of_window, &mut lookup, &mut versions, &mut broken)?;
            if start == 0 {
                self.state.layouts = step.layouts.clone();
            }
            self.state.update_lineages(&trees.languages);
            let format = self.component.file_format;
            let is_bilingual = !format.shape().has_template();
            let mut context = StepContext {
                commits: &step.commits,
                trees,
                versions: &versions,
                fallbacks: &broken.fallbacks,
                unions: None,
                format,
                has_states: format.marks_texts(),
                has_previous_sources: format.is_gettext() && is_bilingual,
            };
            let vocabulary = &mut self.state.vocabulary;
            let unions =
                is_bilingual.then(|| unions(&context, window.clone(), &mut union, vocabulary));
            context.unions = unions.as_ref();
            let mut fold = Fold {
                context: &context,
                reader: &mut *reader,
                state: &mut self.state,
                caches: &mut caches,
                finds_renames: self.component.renames,
            };
            fold.run(window.clone(), &mut |done| {
                (step.progress)(StepProgress::Mainline(done, mainline));
            })?;
            if window.end < mainline {
                let next: SeededSet<BlobId> = needed_later(&context, window.end);
                versions.retain(|blob, _| next.contains(blob));
            } else {
                self.take_tip(&context, reader);
            }
        }
        Ok(())
    }

    /// Reads all versions that a window of mainline commits compares: the planned ones, then those that replace broken
    /// ones.
    fn read_versions(
        &mut self,
        step: &HistoryStep<'_>,
        window: Range<usize>,
        lookup: &mut AncestorLookup<'_>,
        versions: &mut Versions,
        broken: &mut BrokenVersions,
    ) -> Result<(), HistoryError> {
        let (graph, sets) = (&step.commits.graph, &step.commits.sets);
        let layouts = lookup.layouts;
        let single_form = |path: &str| language::has_single_form(&layouts.code_of(path));
        let jobs = read_plan::plan(
            graph,
            window.clone(),
            sets,
            lookup.trees,
            versions,
            (single_form, |side| step.commits.reviews.contains_key(&side)),
        );
        let total: usize = jobs.iter().map(|job| job.blobs.len()).sum();
        let total = total + step.versions_read.load(Ordering::Relaxed);
        // The threads that read versions have their own caches.
        lookup.reader.forget();
        let format = self.component.file_format;
        let vocabulary = &mut self.state.vocabulary;
        let limits = ReadLimits::of_ids(self.max_id_bytes);
        let report = || {
            let done = step.versions_read.fetch_add(1, Ordering::Relaxed) + 1;
            (step.progress)(StepProgress::Versions(done, total));
        };
        let reported = ReadLimits {
            done: &report,
            ..limits
        };
        versions.extend(read(step.repository, format, jobs, vocabulary, reported)?);

        fallbacks::find(graph, window, sets, versions, lookup, broken)?;
        let missing: BTreeSet<_> = broken.fallbacks.values().flatten().copied().collect();
        let lacks_order = |blob: &BlobId| versions.get(blob).is_none_or(Version::lacks_order);
        let files = &lookup.trees.files;
        let job = |blob| {
            let file = files.iter().find(|file| file.blob == blob);
            ReadJob {
                blobs: vec![blob],
                base: None,
                is_template: true,
                single_form: file.is_some_and(|file| single_form(&file.path)),
            }
        };
        let jobs = missing.into_iter().filter(lacks_order).map(job).collect();
        versions.extend(read(step.repository, format, jobs, vocabulary, limits)?);
        Ok(())
    }

    /// Stores the files of the tip, which the next projection shows. A tip without a readable template keeps those of
    /// the last tip that had one (docs/spec/change-log.md#tips-without-a-template).
    fn take_tip(&mut self, context: &StepContext<'_>, reader: &ObjectReader) {
        let tip = Some(context.commits.graph.tip);
        let template = context.template(tip).cloned();
        if template.is_none() && self.template.is_some() {
            return;
        }
        let set = context.set(tip);
        let template_file = set.and_then(|set| set.template);
        let template_language = template_file.map(|(language, _)| language);
        let files = set.map(|set| &*set.files).unwrap_or_default().iter();
        let file = |&(language, file)| {
            let version = context.version(tip, language).cloned();
            let file = &context.trees.files[file as usize];
            TipFile {
                is_template: template_language == Some(language),
                ..TipFile::new(&self.state.layouts, language, file, version)
            }
        };
        self.files = files.map(file).collect();
        self.files.sort_by(|a, b| a.path.cmp(&b.path));
        self.template = template;
        let versions = self.files.iter().filter_map(|file| file.version.as_ref());
        let versions = versions.chain(&self.template);
        let whole = versions.filter_map(|version| reader.file_of_part(version.blob));
        self.whole_files = whole.collect();
    }

    /// Projects the present state with the log that leads to it.
    ///
    /// # Errors
    /// When the tip cannot be read, or no tip so far had a readable template.
    pub fn project(&mut self, repository: &Repository) -> Result<Projection, HistoryError> {
        let mut reader = view(repository, &self.component).reader();
        let Some(tip) = self.state.tip else {
            return Err(HistoryError::nothing_matches(&self.component));
        };
        let format = gitglot_formats::reader(self.component.file_format);
        let tip = Arc::new(reader.commit(tip)?);
        let layout = self.state.layouts.of_tree(&mut reader, tip.tree)?;
        let listed = layout.list(&mut reader, tip.tree)?;
        for &file in &self.whole_files {
            reader.read_parts(file)?;
        }
        let mut problems = left_out(&layout.mask, listed, &self.files);
        let Some(template) = self.template.clone() else {
            let broken = self.files.iter().find(|file| file.is_template);
            return Err(match broken {
                None => HistoryError::no_template(&self.component),
                Some(file) => {
                    let reason = why_unreadable(&mut reader, format, file.file.blob);
                    HistoryError::broken_template(&self.component, reason)
                }
            });
        };
        let file_format = self.component.file_format;
        let of_files = (self.row_cache).problems(&mut reader, file_format, &self.files);
        problems.extend(of_files);
        problems.dedup();
        let of_reviews = self.state.reviewed.errors.iter();
        let of_reviews = of_reviews.map(|error| (reviews::REVIEWED_FILE, error.clone()));
        let is_large = Mailmap::is_too_large(&mut reader, tip.tree)?;
        let reason = "it has more than 64 MB, so authors keep the names of their commits";
        let of_mailmap = is_large.then(|| (".mailmap", reason.to_owned()));
        problems.extend(
            of_reviews
                .chain(of_mailmap)
                .map(|(path, reason)| FileProblem {
                    path: path.to_owned(),
                    reason,
                    broken: false,
                }),
        );
        let (cache, state) = (&mut self.row_cache, &mut self.state);
        let has_template = file_format.shape().has_template();
        let ((sources, translations), expected, missing) = if has_template {
            let notes = cache.notes(&mut reader, file_format, tip.tree, &layout.mask)?;
            let files = &self.files;
            let rows = cache.rows(&mut reader, file_format, state, files, &template, notes)?;
            (rows, ExpectedStrings::default(), Vec::new())
        } else {
            cache.bilingual_rows(&self.component, &mut reader, &tip, state, &self.files)?
        };
        Ok(Projection {
            expected,
            missing,
            guide: guide(&mut reader, tip.tree),
            shape: file_format.shape(),
            id_bytes: self.id_bytes(),
            texts: self.state.vocabulary.texts.freeze(),
            tip,
            template_blob: template.blob,
            sources,
            translations,
            problems,
            reviewed: self.state.reviewed.clone(),
            log: self.state.log.clone(),
            people: self.state.people.list().into(),
            layouts: Arc::new(self.state.layouts.clone()),
        })
    }

    /// Notes the names in acknowledgements that the component has; takes over its own if there are none yet.
    pub fn find_names(&self, unknown: &mut Option<UnknownNames>) {
        find_names(&self.state, self.component.file_format, unknown);
    }

    /// The tip that the log has reached.
    pub fn tip(&self) -> Option<CommitId> {
        self.state.tip
    }

    /// The log up to the tip.
    pub fn log(&self) -> &Arc<Log> {
        &self.state.log
    }

    /// Sets the ids of the log's entries from an index on.
    pub fn set_change_ids(&mut self, from: usize, ids: impl IntoIterator<Item = ChangeId>) {
        Arc::make_mut(&mut self.state.log).set_ids(from, ids);
    }

    /// Whether [`Self::index_texts`] does nothing.
    pub fn is_prepared(&self) -> bool {
        let texts = &self.state.vocabulary.texts;
        texts.count() <= FEW_TEXTS || texts.is_indexed()
    }

    /// Prepares a history that was loaded from a checkpoint for its next step, which otherwise does so itself. Does
    /// nothing where that takes no noticeable time, because most histories wait long for their next step.
    pub fn index_texts(&mut self) {
        if !self.is_prepared() {
            self.state.vocabulary.texts.index_all();
        }
    }
}

/// A step before it reads versions.
struct HistoryStep<'a> {
    repository: &'a Repository,
    commits: StepCommits,
    layouts: Layouts,
    versions_read: AtomicUsize,
    progress: &'a (dyn Fn(StepProgress) + Sync),
}
