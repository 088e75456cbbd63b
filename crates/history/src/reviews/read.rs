//! Collects the acknowledgements of the commits of a step, and reads the versions of the file.

use std::collections::BTreeMap;
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
    /// The second one of two versions of the file, and its rows that are new or have a new hash.
    pub fn change(
        &mut self,
        reader: &mut ObjectReader,
        [old, new]: [Option<BlobId>; 2],
    ) -> Result<(Arc<ReviewedFile>, Rows), GitError> {
        let (old, new) = (self.file(reader, old)?, self.file(reader, new)?);
        let mut added = Rows::default();
        for (key, of_key) in &*new.rows {
            let known = old.rows.get(key);
            let is_new = |(language, hash): &(&Arc<str>, &i64)| {
                known.and_then(|known| known.get(*language)) != Some(*hash)
            };
            let rows = of_key.iter().filter(is_new);
            let rows: BTreeMap<_, _> = rows.map(|(code, hash)| (code.clone(), *hash)).collect();
            if !rows.is_empty() {
                added.insert(key.clone(), rows);
            }
        }
        Ok((new, added))
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
