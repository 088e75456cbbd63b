//! One step of a component from tip to tip: read what is new, fold it into the past, show the present.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use rustc_hash::{FxHashMap, FxHashSet};

use super::elders::Elders;
use super::files::{File, Place};
use super::fold::Fold;
use super::graph::{self, Course, Graph, NodeIx};
use super::jobs::jobs;
use super::past::Past;
use super::people::Authors;
use super::renames::Renames;
use super::shown::Shown;
use super::tip::{Served, what_is_wrong};
use super::trees::{LanguageIx, Layouts, SetIx, Trees};
use super::versions::{self, Good, Job, Version};
use super::{HistoryError, Problem, Projection, broken_template, no_template};
use crate::formats;
use crate::git::{GitError, ObjectKind, ObjectReader, Repository};
use crate::model::{BlobId, ChangeId, CommitId, Component, LineageId, TextId, Timestamp};

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
    pub(super) past: Past,
    /// The tip's files, by path.
    pub(super) served: Vec<Served>,
    /// The version of the template that is shown.
    pub(super) template: Option<Arc<Good>>,
    place: Place,
    /// What the projection before has shown.
    pub(super) shown: Shown,
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
        Self { component, past: Past::new(layouts), served: Vec::new(), template: None, place, shown: Shown::default() }
    }

    /// Moves on to a tip that was seen at a time.
    ///
    /// # Errors
    /// When the repository cannot be read; then nothing has changed.
    pub fn step(
        &mut self,
        repository: &Repository,
        to: CommitId,
        seen: Timestamp,
        progress: &(dyn Fn(Progress) + Sync),
    ) -> Result<Stepped, HistoryError> {
        if self.past.tip == Some(to) {
            let length = self.past.log.len();
            return Ok(Stepped { commits: 0, entries: (length, length), rewritten: false });
        }
        let mut reader = repository.reader();
        let format = formats::reader(self.component.file_format);
        let (graph, course) = graph::read(&mut reader, self.past.tip, to, &self.past.ancestors, &mut |count| {
            progress(Progress::Commits(count));
        })?;

        if let Some(&first) = graph.missing.first() {
            if !repository.is_cloned_anew() {
                return Err(GitError::Missing { kind: ObjectKind::Commit, id: first.to_string() }.into());
            }
            let count = graph.missing.len();
            tracing::warn!("{count} commits are not in the repository ({first} first): the log begins after them");
        }
        let new = graph.nodes[..graph.new].iter().map(|node| node.commit.id);
        let boundary: Vec<CommitId> = new.filter(|&commit| repository.is_shallow(commit)).collect();
        if let Some(first) = boundary.first() {
            let count = boundary.len();
            tracing::warn!(
                "the repository is shallow: nothing is here from before {count} of its commits ({first} first), and \
                 the log begins there; fetch the whole history for a whole log"
            );
        }
        let mut layouts = self.past.layouts.clone();
        let mut trees = Trees::new();
        let codes: Vec<Arc<str>> = self.past.lineages.iter().map(|lineage| lineage.language.clone()).collect();
        codes.iter().for_each(|code| {
            trees.language(code);
        });
        let known_moves = layouts.moved.len();
        let old_tip = graph.mainline.first().and_then(|merge| merge.base);
        let old_tip = old_tip.map(|tip| graph.nodes[tip as usize].commit.tree);
        Renames { reader: &mut reader, format, trees: &mut trees, layouts: &mut layouts, known_moves }
            .find(&graph, old_tip)?;
        let mut elders =
            Elders { reader: &mut reader, format, trees: &mut trees, layouts: &layouts, parses: FxHashMap::default() };
        let sets = sets(&graph, &mut elders)?;
        let mut versions = self.known();
        let jobs = jobs(&graph, &sets, elders.trees, &versions);
        let total = jobs.iter().map(|job| job.blobs.len()).sum();
        let read = AtomicUsize::new(0);
        // The readers of versions have caches of their own.
        elders.reader.forget();
        versions.extend(versions::read(repository, format, jobs, &mut self.past.vocabulary, &|| {
            progress(Progress::Versions(read.fetch_add(1, Ordering::Relaxed) + 1, total));
        })?);
        let stood_in = stand_ins_of_elders(&graph, &sets, &versions, &mut elders)?;
        let wanted = stood_in.values().flatten().cloned();
        let more = wanted.map(|(_, blob)| Job { blobs: vec![blob], is_template: true }).collect();
        versions.extend(versions::read(repository, format, more, &mut self.past.vocabulary, &|| ())?);
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
            had: None,
        };
        fold.stand_in(&stood_in);
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
        let format = formats::reader(self.component.file_format);
        let tip = Arc::new(reader.commit(tip)?);
        let odd = self.place.list(&mut reader, tip.tree)?.odd;
        let mut problems: Vec<_> = odd.into_iter().map(|(path, what)| Problem::left_out(path, what)).collect();
        let Some(template) = self.template.clone() else {
            let broken = self.served.iter().find(|served| served.path == self.place.template);
            return Err(match broken {
                Some(served) => broken_template(&self.component, what_is_wrong(&mut reader, format, served.file.blob)),
                None => no_template(&self.component),
            });
        };
        problems.extend(self.served.iter().filter_map(|served| served.problem(&mut reader, format)));
        let (sources, translations) = self.shown.show(&self.past, &self.served, &template, &self.place.template);
        Ok(Projection {
            texts: self.past.vocabulary.texts.freeze(),
            tip,
            template_blob: template.blob,
            sources,
            translations,
            problems,
            log: self.past.log.clone(),
            people: self.past.people.list().into(),
        })
    }

    /// How many entries the log has.
    pub fn log_len(&self) -> usize {
        self.past.log.len()
    }

    /// The times of the log's entries from a place on.
    pub fn times_from(&self, from: usize) -> impl Iterator<Item = Timestamp> + '_ {
        self.past.log.times_from(from)
    }

    /// Numbers the log's entries from a place on.
    pub fn set_change_ids(&mut self, from: usize, ids: impl IntoIterator<Item = ChangeId>) {
        Arc::make_mut(&mut self.past.log).set_ids(from, ids);
    }

    /// Code of a translation's language.
    pub fn language(&self, lineage: LineageId) -> &str {
        self.past.lineages.get(usize::from(lineage.0)).map_or("", |lineage| &lineage.language)
    }

    /// The context of a key.
    pub fn context(&self, key: Option<crate::model::KeyId>) -> Option<TextId> {
        self.past.vocabulary.keys.context(key?)
    }

    /// The versions that are shown, which a step need not read again.
    fn known(&self) -> FxHashMap<BlobId, Version> {
        let goods = self.served.iter().filter_map(|served| served.good.as_ref()).chain(&self.template);
        goods.map(|good| (good.blob, Version::Good(good.clone()))).collect()
    }
}

fn to_node(graph: &Graph, to: CommitId) -> Option<u32> {
    graph.nodes.iter().position(|node| node.commit.id == to).map(|at| at as u32)
}

/// For each older commit and language whose file is broken there: the last good version, by path and blob.
type StoodIn = FxHashMap<(NodeIx, LanguageIx), Option<(Arc<str>, BlobId)>>;

fn stand_ins_of_elders(
    graph: &Graph,
    sets: &[Option<SetIx>],
    versions: &FxHashMap<BlobId, Version>,
    elders: &mut Elders<'_>,
) -> Result<StoodIn, HistoryError> {
    let mut found = StoodIn::default();
    for (node, set) in sets.iter().enumerate().skip(graph.new) {
        let Some(set) = set else { continue };
        for (language, file) in elders.trees.sets[*set as usize].files.clone() {
            let blob = elders.trees.files[file as usize].blob;
            if matches!(versions.get(&blob), Some(Version::Broken)) {
                let good = elders.last_good(graph.nodes[node].commit.id, language)?;
                found.insert((node as NodeIx, language), good);
            }
        }
    }
    Ok(found)
}

/// The files of every commit; a tree that no layout fits counts as its first parent's (`log.md` 6).
fn sets(graph: &Graph, elders: &mut Elders<'_>) -> Result<Vec<Option<SetIx>>, HistoryError> {
    let mut sets = vec![None; graph.nodes.len()];
    for (node, set) in sets.iter_mut().enumerate().skip(graph.new) {
        *set = elders.set_of(graph.nodes[node].commit.id)?;
    }
    let order = graph.mainline.iter().flat_map(|merge| merge.sides.iter().copied().chain([merge.node]));
    for node in order.filter(|&node| (node as usize) < graph.new) {
        let own = elders.trees.set_of(elders.reader, elders.layouts, graph.nodes[node as usize].commit.tree)?;
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
            match reader.commit_header(id) {
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
    fn stand_in(&mut self, of_elders: &StoodIn) {
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
                    let last = of_elders.get(&(node, language)).and_then(Option::as_ref);
                    match last.and_then(|(_, blob)| self.versions.get(blob)) {
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
    fn served(&self, tip: u32) -> (Vec<Served>, Option<Arc<Good>>) {
        let Some(set) = self.sets[tip as usize].map(|set| &self.trees.sets[set as usize]) else {
            return (Vec::new(), None);
        };
        let mut served: Vec<Served> = set
            .files
            .iter()
            .map(|&(language, file)| {
                let version = &self.trees.files[file as usize];
                let code = self.past.layouts.code_of(&version.path);
                Served {
                    path: version.path.clone(),
                    file: File { code, blob: version.blob },
                    lineage: LineageId(language),
                    good: self.good(Some(tip), language).cloned(),
                }
            })
            .collect();
        served.sort_by(|a, b| a.path.cmp(&b.path));
        let template = set.template.and_then(|(language, _)| self.good(Some(tip), language)).cloned();
        (served, template)
    }
}
