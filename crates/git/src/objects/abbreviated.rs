//! Commits by the first digits of their ids.

use std::collections::HashSet;

use gix::objs::FindHeader;

use super::raw::raw;
use crate::objects::reader::ObjectReader;
use gitglot_model::CommitId;

/// The commit with that id, or the only one whose id begins so.
pub(super) fn commit_named(reader: &ObjectReader, id: &str) -> Option<CommitId> {
    if let Ok(id) = id.parse() {
        return Some(id);
    }
    let prefix = gix::hash::Prefix::from_hex(id).ok()?;
    let mut found = HashSet::new();
    reader.odb.lookup_prefix(prefix, Some(&mut found)).ok()?;
    let is_commit = |id: &gix::ObjectId| {
        let header = reader.odb.try_header(id).ok().flatten();
        header.is_some_and(|header| header.kind == gix::objs::Kind::Commit)
    };
    let mut commits = found.iter().filter(|id| is_commit(id));
    let commit = commits.next()?;
    commits.next().is_none().then(|| CommitId(raw(commit)))
}
