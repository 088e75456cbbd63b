//! Collects the acknowledgements of the commits of a step, and reads the versions of the file.

use std::sync::Arc;

use super::Rows;
use super::file::{MAX_BYTES, REVIEWED_FILE, ReviewedFile};
use super::trailers::{Trailer, trailers};
use crate::graph::walk::{Graph, NodeIndex};
use gitglot_git::{EntryKind, GitError, ObjectReader};
use gitglot_model::{BlobId, SeededMap, TreeId};

/// What a commit acknowledges.
#[derive(Default)]
pub struct CommitReviews {
    pub trailers: Vec<Trailer>,
    /// Whether the settings say that its changes of source texts do not count.
    pub is_ignored: bool,
    /// Whether they say so of its changes of translations: a mark in the subject, as the body of a squashed commit has the
    /// messages of other commits.
    pub keeps_stale: bool,
    /// The file before and after the commit; `None` if it does not change it. Its rows are read when they are needed: a
    /// small repository can have very many versions of a large file.
    pub file: Option<[Option<BlobId>; 2]>,
}

/// The change of the file from the commit that a commit is compared with.
pub struct FileChange {
    /// The rows that are new or have a new hash.
    pub added: Rows,
    /// Keys and languages whose rows are gone.
    pub removed: Vec<(Arc<str>, Arc<str>)>,
    pub errors: Arc<[String]>,
}

/// The blob of the file in a tree.
pub fn blob_of(reader: &mut ObjectReader, tree: TreeId) -> Result<Option<BlobId>, GitError> {
    let entry = reader.entry_at(tree, REVIEWED_FILE)?;
    Ok(entry.and_then(EntryKind::file))
}

/// The acknowledgements of the new commits, given the blob of the file in each node. Commits without any are left out.
pub fn read(
    graph: &Graph,
    blobs: &[Option<BlobId>],
    ignored: &[String],
) -> SeededMap<NodeIndex, CommitReviews> {
    let mut found = SeededMap::default();
    let mut add = |node: NodeIndex, base: Option<NodeIndex>| {
        let blob = |node: NodeIndex| blobs.get(node as usize).copied().flatten();
        let (old, new) = (base.and_then(blob), blob(node));
        let message = &graph.node(node).commit.message;
        let subject = message.lines().next().unwrap_or_default();
        let is_marked =
            |text: &str| graph.is_new(node) && ignored.iter().any(|mark| text.contains(&**mark));
        let is_ignored = is_marked(message);
        let reviews = CommitReviews {
            is_ignored,
            keeps_stale: is_ignored && is_marked(subject),
            // The tip of a rewritten history can be a known commit, whose trailers counted before.
            trailers: if graph.is_new(node) {
                trailers(message)
            } else {
                Vec::new()
            },
            file: (old != new).then_some([old, new]),
        };
        if !reviews.trailers.is_empty() || reviews.is_ignored || reviews.file.is_some() {
            found.insert(node, reviews);
        }
    };
    for commit in &graph.mainline {
        for &side in &commit.side_commits {
            add(side, graph.node(side).parents.first().copied());
        }
        add(commit.node, commit.base);
    }
    found
}

/// The last two files that were parsed: most commits have the file of the one before.
#[derive(Default)]
pub struct LastFiles(Vec<(BlobId, Arc<ReviewedFile>)>);

impl LastFiles {
    /// The change of the file between two of its versions.
    pub fn change(
        &mut self,
        reader: &mut ObjectReader,
        [old, new]: [Option<BlobId>; 2],
    ) -> Result<FileChange, GitError> {
        let (old, new) = (self.file(reader, old)?, self.file(reader, new)?);
        Ok(FileChange::between(&old, &new))
    }

    fn file(
        &mut self,
        reader: &mut ObjectReader,
        blob: Option<BlobId>,
    ) -> Result<Arc<ReviewedFile>, GitError> {
        let Some(blob) = blob else {
            return Ok(Arc::default());
        };
        if let Some((_, file)) = self.0.iter().find(|(known, _)| *known == blob) {
            return Ok(file.clone());
        }
        let file = match reader.small_blob(blob, MAX_BYTES)? {
            Some(bytes) => ReviewedFile::parse(&bytes),
            None => ReviewedFile::too_large(),
        };
        let file = Arc::new(file);
        self.0.truncate(1);
        self.0.insert(0, (blob, file.clone()));
        Ok(file)
    }
}

impl FileChange {
    fn between(old: &ReviewedFile, new: &ReviewedFile) -> Self {
        let has = |rows: &Rows, key: &str, language: &str, hash: Option<i64>| {
            let of_key = rows.get(key).and_then(|of_key| of_key.get(language));
            of_key.is_some_and(|known| hash == Some(*known) || hash.is_none())
        };
        let (mut added, mut removed) = (Rows::default(), Vec::new());
        for (key, of_key) in &new.rows {
            for (language, &hash) in of_key {
                if !has(&old.rows, key, language, Some(hash)) {
                    let of_key = added.entry(key.clone()).or_default();
                    of_key.insert(language.clone(), hash);
                }
            }
        }
        for (key, of_key) in &old.rows {
            let gone = of_key
                .keys()
                .filter(|language| !has(&new.rows, key, language, None));
            removed.extend(gone.map(|language| (key.clone(), language.clone())));
        }
        Self {
            added,
            removed,
            errors: new.errors.clone().into(),
        }
    }
}
