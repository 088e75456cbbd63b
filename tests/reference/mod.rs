//! A second, slow and plain implementation of docs/spec/change-log.md, to compare the real one with.
//!
//! `walk`: mainline and side commits; `fold`, `writer`: entries and the source of each text; `clock`: timestamps;
//! `people`: authors; `trees`: layouts and broken files; `renames`: renamed files; `keys`: renamed
//! keys. With the crate's `history` it shares only
//! git objects, format readers, file masks and languages. Every step reads everything again.

pub mod clock;
pub mod compare;
pub mod fold;
pub mod git;
pub mod keys;
pub mod people;
pub mod random;
pub mod random_tree;
pub mod renames;
mod reviews;
pub mod trees;
pub mod walk;
pub mod writer;

use std::collections::HashMap;
use std::rc::Rc;

use gitglot_git::Repository;
use gitglot_model::{CommitId, Component};

use fold::{Fold, Log};
use git::Git;
use trees::{Layouts, View};
use walk::Walk;

/// A component's log, computed step by step.
pub struct Reference {
    component: Component,
    layouts: Layouts,
    /// The log so far.
    pub log: Log,
    /// The last tip.
    pub tip: Option<CommitId>,
    /// The trees of the last step's commits.
    pub views: HashMap<CommitId, Rc<View>>,
    /// The log's length after each mainline commit of the last step.
    pub marks: Vec<(CommitId, usize)>,
}

impl Reference {
    /// Creates an empty log.
    pub fn new(component: &Component, source_language: &str) -> Self {
        Self {
            component: component.clone(),
            layouts: Layouts::new(component, source_language),
            log: Log::default(),
            tip: None,
            views: HashMap::new(),
            marks: Vec::new(),
        }
    }

    /// The tree of the last tip.
    pub fn tip_view(&self) -> &View {
        &self.views[&self.tip.expect("a step was made")]
    }

    /// Whether the last tip has a readable version of the template.
    pub fn has_template(&self) -> bool {
        self.tip_view().has_good(&self.layouts.source)
    }

    /// Moves to a tip that was observed at a time (microseconds since 1970).
    pub fn step(&mut self, repository: &Repository, tip: CommitId, seen: i64) {
        if self.tip == Some(tip) {
            return;
        }
        let mut git = Git::new(
            repository,
            self.component.file_format,
            &self.component.template,
        );
        let walk = Walk::new(&mut git, self.tip, tip);
        let before = self
            .tip
            .map(|old| Rc::clone(&trees::views(&mut git, &self.layouts, old)[&old]));
        renames::follow(&mut git, &mut self.layouts, &walk);
        self.views = trees::views(&mut git, &self.layouts, tip);
        if let (Some(old), Some(before)) = (self.tip, before) {
            // The new tip need not descend from the old one.
            self.views
                .extend(trees::views(&mut git, &self.layouts, old));
            self.log.rename_languages(&before, &self.views[&old]);
        }
        let mailmap = git.mailmap(tip);
        let times = clock::times(&mut git, &walk, seen);
        let fold = Fold {
            git: &mut git,
            walk: &walk,
            views: &self.views,
            times: &times,
            mailmap: &mailmap,
            platforms: &self.component.platforms,
            source: &self.layouts.source,
        };
        self.marks = fold.write(&mut self.log);
        self.tip = Some(tip);
    }
}
