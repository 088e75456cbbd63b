//! One step of a component from tip to tip: read what is new, fold it into the past, show the present.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use rustc_hash::{FxHashMap, FxHashSet};

use super::files::{File, Place};
use super::fold::Fold;
use super::graph::{self, Course, Graph};
use super::past::Past;
use super::people::Authors;
use super::renames::Renames;
use super::tip::{Served, TipReader};
use super::trees::{Layouts, SetIx, Trees};
use super::versions::{self, Job, Version};
use super::{HistoryError, Problem, Projection};
use crate::formats;
use crate::git::{ObjectReader, Repository};
use crate::model::{BlobId, ChangeId, CommitId, Component, LineageIx, Moment, TextRef};

/// How far a step has come, for a progress bar.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Progress {
    /// Commits read so far.
    Commits(usize),
    /// Versions of files read so far, of how many.
    Versions(usize, usize),
    /// Mainline commits written so far, of how many.
    Mainline(usize, usize),
}

/// The history of one component: its past, and how to go on from it.
#[derive(Debug)]
pub struct History {
    component: Arc<Component>,
    past: Past,
    /// The tip's set of files.
    served: Vec<Served>,
    template: Option<BlobId>,
    place: Place,
}

/// What a step did.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Stepped {
    /// New commits.
    pub commits: usize,
    /// The log's length before and after: places of entries.
    pub entries: (usize, usize),
    /// Whether history was rewritten.
    pub rewritten: bool,
}

impl History {
    /// A history of which nothing is known yet.
    pub fn new(component: Arc<Component>, source_language: &str) -> Self {
        let template_code: Arc<str> = source_language.into();
        let template: Arc<str> = component.template.as_str().into();
        let place = Place {
            mask: component.filemask.clone(),
            template: template.clone(),
            template_code: template_code.clone(),
        };
        let mut places = vec![place.clone()];
        for mask in &component.previous_filemasks {
            // The template's older path is told by its language.
            let template = component.filemask.matches(&template).map_or_else(String::new, |code| mask.with_code(code));
            places.push(Place { mask: mask.clone(), template: template.into(), template_code: template_code.clone() });
        }
        let templates = places.iter().map(|place| place.template.clone()).filter(|path| !path.is_empty()).collect();
        let layouts = Layouts { places, templates, moved: Vec::new() };
        Self { component, past: Past::new(layouts), served: Vec::new(), template: None, place }
    }

    /// Moves on to a tip that was seen at a time.
    ///
    /// # Errors
    /// When the repository cannot be read; then nothing has changed.
    pub fn step(
        &mut self,
        repository: &Repository,
        to: CommitId,
        seen: Moment,
        progress: &(dyn Fn(Progress) + Sync),
    ) -> Result<Stepped, HistoryError> {
        let mut reader = repository.reader();
        let format = formats::reader(self.component.file_format);
        let (graph, course) = graph::read(&mut reader, self.past.tip, to, &self.past.ancestors, &mut |count| {
            progress(Progress::Commits(count));
        })?;

        if !graph.missing.is_empty() {
            let (count, first) = (graph.missing.len(), graph.missing[0]);
            tracing::warn!("{count} commits are not in the repository ({first} first): the log begins after them");
        }
        let mut layouts = self.past.layouts.clone();
        let mut trees = Trees::new();
        let codes: Vec<Arc<str>> = self.past.lineages.iter().map(|lineage| lineage.language.clone()).collect();
        codes.iter().for_each(|code| {
            trees.language(code);
        });
        Renames { reader: &mut reader, format, trees: &mut trees, layouts: &mut layouts }.find(&graph)?;
        let sets = sets(&mut reader, &graph, &mut trees, &layouts)?;
        let jobs = self.jobs(&graph, &sets, &trees);
        let total = jobs.iter().map(|job| job.blobs.len()).sum();
        let read = AtomicUsize::new(0);
        let versions = versions::read(repository, format, jobs, &mut self.past.vocabulary, &|| {
            progress(Progress::Versions(read.fetch_add(1, Ordering::Relaxed) + 1, total));
        });
        let tip = to_node(&graph, to);
        let mailmap = match tip {
            Some(tip) => reader.mailmap(graph.nodes[tip as usize].commit.tree)?,
            None => crate::git::Mailmap::default(),
        };

        self.past.layouts = layouts;
        self.past.ensure_lineages(&trees.languages);
        let before = self.past.log.len();
        let platforms: Vec<String> = self.component.platforms.iter().map(|name| name.to_lowercase()).collect();
        let mut fold = Fold {
            graph: &graph,
            course,
            trees: &trees,
            sets,
            versions: &versions,
            stand_ins: Vec::new(),
            authors: Authors { mailmap: &mailmap, platforms: &platforms },
            seen: seen.0.div_euclid(1_000_000),
            past: &mut self.past,
            had: FxHashMap::default(),
        };
        fold.stand_in();
        let mainline = graph.mainline.len();
        fold.run(&mut |done| progress(Progress::Mainline(done, mainline)));
        if let Some(tip) = tip {
            (self.served, self.template) = fold.served(tip);
        }
        match course {
            Course::First | Course::Forward => {
                self.past.ancestors.extend(graph.nodes[..graph.new].iter().map(|node| node.commit.id));
            }
            Course::Rewritten => self.past.ancestors = ancestors(&mut reader, to)?,
        }
        self.past.tip = Some(to);
        self.past.name_what_is_gone();
        Ok(Stepped {
            commits: graph.new,
            entries: (before, self.past.log.len()),
            rewritten: course == Course::Rewritten,
        })
    }

    /// The present state with the log that leads to it.
    ///
    /// # Errors
    /// When the tip cannot be read or has no template.
    pub fn project(&mut self, repository: &Repository) -> Result<Projection, HistoryError> {
        let mut reader = repository.reader();
        let Some(tip) = self.past.tip else {
            return Err(HistoryError::NothingMatches {
                mask: self.component.filemask.as_str().to_owned(),
                branch: self.component.branch.clone(),
            });
        };
        let tip = Arc::new(reader.commit(tip)?);
        let odd = self.place.list(&mut reader, tip.tree)?.odd;
        let problems = odd.into_iter().map(|(path, what)| Problem::left_out(path, what)).collect();
        let vocabulary = &mut self.past.vocabulary;
        let mut served = self.served.clone();
        served.sort_by(|a, b| a.path.cmp(&b.path));
        let mut projection = TipReader {
            component: &self.component,
            reader: &mut reader,
            texts: &mut vocabulary.texts,
            keys: &mut vocabulary.keys,
        }
        .read(&self.place, tip, self.template, served, problems)?;
        self.add_past(&mut projection);
        Ok(projection)
    }

    /// How many entries the log has.
    pub fn log_len(&self) -> usize {
        self.past.log.len()
    }

    /// The times of the log's entries from a place on.
    pub fn times_from(&self, from: usize) -> impl Iterator<Item = Moment> + '_ {
        self.past.log.times_from(from)
    }

    /// Numbers the log's entries from a place on.
    pub fn set_change_ids(&mut self, from: usize, ids: impl IntoIterator<Item = ChangeId>) {
        Arc::make_mut(&mut self.past.log).set_ids(from, ids);
    }

    /// Code of a translation's language.
    pub fn language(&self, lineage: LineageIx) -> &str {
        self.past.lineages.get(usize::from(lineage.0)).map_or("", |lineage| &lineage.language)
    }

    /// The context of a key.
    pub fn context(&self, key: Option<crate::model::KeyIx>) -> Option<TextRef> {
        self.past.vocabulary.keys.context(key?)
    }

    /// Adds what only the past knows: since when, stale or not, by whom.
    fn add_past(&self, projection: &mut Projection) {
        for source in &mut projection.sources {
            source.since = self.past.key(source.key).since;
        }
        for translation in &mut projection.translations {
            let Some(lineage) = self.past.lineages.get(usize::from(translation.lineage.0)) else { continue };
            translation.last_change = lineage.last_change;
            translation.older_paths.clone_from(&lineage.older_paths);
            if translation.is_template {
                continue;
            }
            let stale = |(row, unit): (usize, &super::UnitState)| {
                let source = projection.sources.get(row)?;
                let from = lineage.source(source.key);
                (unit.translated && from != source.source).then_some((row as u32, from))
            };
            translation.stale = translation.units.iter().enumerate().filter_map(stale).collect::<Vec<(u32, TextRef)>>();
        }
        projection.log = self.past.log.clone();
        projection.people = self.past.people.list().into();
    }

    /// Which versions must be read: those of all files that differ between commits of the step.
    fn jobs(&self, graph: &Graph, sets: &[Option<SetIx>], trees: &Trees) -> Vec<Job> {
        let mut files: FxHashMap<Arc<str>, Job> = FxHashMap::default();
        let mut seen: FxHashSet<BlobId> = FxHashSet::default();
        let mut seen_sets: FxHashSet<SetIx> = FxHashSet::default();
        let mut templates: FxHashSet<Arc<str>> = FxHashSet::default();
        // Nodes come newest first, which suits how git packs versions of a file.
        for set in sets.iter().take(graph.nodes.len()).flatten() {
            if !seen_sets.insert(*set) {
                continue;
            }
            let set = &trees.sets[*set as usize];
            if let Some((_, file)) = set.template {
                templates.insert(trees.files[file as usize].path.clone());
            }
            for &(_, file) in &set.files {
                let version = &trees.files[file as usize];
                if seen.insert(version.blob) {
                    let job = files
                        .entry(version.path.clone())
                        .or_insert_with(|| Job { blobs: Vec::new(), is_template: false });
                    job.blobs.push(version.blob);
                }
            }
        }
        // The last good versions stand in for broken ones at the old tip.
        for lineage in &self.past.lineages {
            if let Some(blob) = lineage.good
                && seen.insert(blob)
            {
                let job =
                    files.entry(lineage.path.clone()).or_insert_with(|| Job { blobs: Vec::new(), is_template: false });
                job.blobs.push(blob);
            }
        }
        let mut jobs: Vec<(Arc<str>, Job)> = files.into_iter().collect();
        jobs.sort_by(|a, b| a.0.cmp(&b.0));
        jobs.into_iter()
            .map(|(path, mut job)| {
                job.is_template = templates.contains(&path);
                job
            })
            .collect()
    }
}

fn to_node(graph: &Graph, to: CommitId) -> Option<u32> {
    graph.nodes.iter().position(|node| node.commit.id == to).map(|at| at as u32)
}

/// The files of every commit; a tree that no layout fits counts as its first parent's (`log.md` 6).
fn sets(
    reader: &mut ObjectReader,
    graph: &Graph,
    trees: &mut Trees,
    layouts: &Layouts,
) -> Result<Vec<Option<SetIx>>, HistoryError> {
    let mut sets = vec![None; graph.nodes.len()];
    let mut order: Vec<u32> = (graph.new as u32..graph.nodes.len() as u32).collect();
    for merge in &graph.mainline {
        order.extend(merge.sides.iter().copied().chain([merge.node]));
    }
    for node in order {
        let own = trees.set_of(reader, layouts, graph.nodes[node as usize].commit.tree)?;
        let parent = graph.nodes[node as usize].parents.first();
        sets[node as usize] = own.or_else(|| sets[*parent? as usize]);
    }
    Ok(sets)
}

fn ancestors(reader: &mut ObjectReader, of: CommitId) -> Result<FxHashSet<CommitId>, HistoryError> {
    let mut seen = FxHashSet::default();
    let mut next = vec![of];
    while let Some(id) = next.pop() {
        if seen.insert(id) {
            match reader.outline(id) {
                Ok(commit) => next.extend(commit.parents),
                Err(error) if error.is_damage() => {}
                Err(error) => return Err(error.into()),
            }
        }
    }
    Ok(seen)
}

impl Fold<'_> {
    /// Finds the versions that stand in for broken ones (`log.md` 6).
    fn stand_in(&mut self) {
        self.stand_ins = vec![None; self.graph.nodes.len()];
        let broken: FxHashSet<BlobId> = self
            .versions
            .iter()
            .filter(|(_, version)| matches!(version, Version::Broken))
            .map(|(&blob, _)| blob)
            .collect();
        if broken.is_empty() {
            return;
        }
        let mut order: Vec<u32> = (self.graph.new as u32..self.graph.nodes.len() as u32).collect();
        for merge in &self.graph.mainline {
            order.extend(merge.sides.iter().copied().chain([merge.node]));
        }
        for node in order {
            let Some(set) = self.sets[node as usize] else { continue };
            let mut map = FxHashMap::default();
            for &(language, file) in &self.trees.sets[set as usize].files {
                let blob = self.trees.files[file as usize].blob;
                if !broken.contains(&blob) {
                    continue;
                }
                let parents = &self.graph.nodes[node as usize].parents;
                let old_tip = node as usize >= self.graph.new;
                let good = if old_tip {
                    let last = self.past.lineages.get(usize::from(language)).and_then(|lineage| lineage.good);
                    match last.and_then(|blob| self.versions.get(&blob)) {
                        Some(Version::Good(good)) => Some(good.clone()),
                        _ => None,
                    }
                } else {
                    // At a merge: the first parent that holds the same blob.
                    let holds = |parent: &&u32| {
                        let set = self.sets[**parent as usize].map(|set| &self.trees.sets[set as usize]);
                        let file = set.and_then(|set| set.file(language));
                        file.is_some_and(|file| self.trees.files[file as usize].blob == blob)
                    };
                    let from = parents.iter().find(holds).or(parents.first()).copied();
                    self.good(from, language).cloned()
                };
                map.insert(language, good);
            }
            if !map.is_empty() {
                self.stand_ins[node as usize] = Some(Arc::new(map));
            }
        }
    }

    /// The files of the tip with the versions that can be read, and the template's.
    fn served(&self, tip: u32) -> (Vec<Served>, Option<BlobId>) {
        let Some(set) = self.sets[tip as usize].map(|set| &self.trees.sets[set as usize]) else {
            return (Vec::new(), None);
        };
        let served = set
            .files
            .iter()
            .map(|&(language, file)| {
                let version = &self.trees.files[file as usize];
                let good = self.good(Some(tip), language).map(|good| good.blob);
                let code = self.past.layouts.code_of(&version.path);
                Served {
                    path: version.path.clone(),
                    file: File { code, blob: version.blob },
                    lineage: LineageIx(language),
                    last_good: good.filter(|&good| good != version.blob),
                }
            })
            .collect();
        let template = set.template.and_then(|(language, _)| self.good(Some(tip), language)).map(|good| good.blob);
        (served, template)
    }
}
