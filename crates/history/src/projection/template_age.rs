//! How much the sources changed since the template of new files was made (docs/spec/units.md#age-of-the-template).

use std::collections::BTreeSet;
use std::sync::Arc;

use super::bilingual::FileEntries;
use super::expected::TemplateAge;
use gitglot_git::{EntryKind, GitError, ObjectReader};
use gitglot_model::{BlobId, Commit, CommitId, TextPool, TreeId};

/// Number of source files that are compared, and of commits that are searched for the last change of a template.
const MAX_FILES: usize = 10_000;
const MAX_COMMITS: u32 = 200_000;

/// The age at the last tip, with all that it depends on.
#[derive(Clone, Default, Debug)]
pub struct AgeCache(Option<Known>);

#[derive(Clone, Debug)]
struct Known {
    template: BlobId,
    tip: CommitId,
    committed: i64,
    commits: u32,
    /// The source files, as they were when the template was committed.
    sources: Arc<[(String, BlobId)]>,
}

impl AgeCache {
    /// The age of a template at a tip, which must have it. `None` if no commit could be found or no source file.
    pub fn find(
        &mut self,
        reader: &mut ObjectReader,
        tip: &Commit,
        path: &str,
        template: BlobId,
        entries: &FileEntries,
        texts: &TextPool,
    ) -> Result<Option<TemplateAge>, GitError> {
        let last = self.0.take().filter(|known| known.template == template);
        let until = last.as_ref().map(|last| last.tip);
        let (found, commits) = last_change(reader, tip, path, template, until)?;
        let known = match (found, last) {
            (LastChange::Unknown, _) | (LastChange::Before, None) => return Ok(None),
            (LastChange::Before, Some(last)) => Known {
                tip: tip.id,
                commits: last.commits + commits,
                ..last
            },
            (LastChange::In { tree, committed }, _) => Known {
                template,
                tip: tip.id,
                committed,
                commits,
                sources: sources(reader, tree, path, &names(entries, texts))?.into(),
            },
        };
        let mut changed = 0;
        for (path, blob) in &*known.sources {
            changed += u32::from(reader.entry_at(tip.tree, path)? != Some(EntryKind::File(*blob)));
        }
        let age = TemplateAge {
            committed: known.committed,
            commits: known.commits,
            files: known.sources.len() as u32,
            changed,
        };
        self.0 = Some(known);
        Ok((age.files > 0).then_some(age))
    }
}

/// Where a template changed last on the mainline.
enum LastChange {
    In {
        tree: TreeId,
        committed: i64,
    },
    /// At or before the commit up to which it was searched.
    Before,
    Unknown,
}

/// Also returns the number of commits after that one.
fn last_change(
    reader: &mut ObjectReader,
    tip: &Commit,
    path: &str,
    template: BlobId,
    until: Option<CommitId>,
) -> Result<(LastChange, u32), GitError> {
    let (mut id, mut tree, mut committed) = (tip.id, tip.tree, tip.committer.time.seconds);
    let mut parent = tip.parents.first().copied();
    for commits in 0..MAX_COMMITS {
        if Some(id) == until {
            return Ok((LastChange::Before, commits));
        }
        let Some(next) = parent else {
            return Ok((LastChange::In { tree, committed }, commits));
        };
        let header = reader.commit_header(next)?;
        if reader.entry_at(header.tree, path)? != Some(EntryKind::File(template)) {
            return Ok((LastChange::In { tree, committed }, commits));
        }
        (id, tree, committed) = (next, header.tree, header.committed);
        parent = header.parents.first().copied();
    }
    Ok((LastChange::Unknown, MAX_COMMITS))
}

/// The source files that the locations of a template name.
fn names<'t>(entries: &FileEntries, texts: &'t TextPool) -> BTreeSet<&'t str> {
    let locations = entries.locations().map(|location| texts.get(location));
    let places = locations.flat_map(|location| location.split(", "));
    let name = |place: &'t str| match place.rsplit_once(':') {
        Some((name, line)) if line.bytes().all(|byte| byte.is_ascii_digit()) => name,
        _ => place,
    };
    let names = places.map(name).filter(|name| !name.is_empty());
    names.take(MAX_FILES).collect()
}

/// The files of a tree with these names, which are paths from the root or from the folder of the template.
fn sources(
    reader: &mut ObjectReader,
    tree: TreeId,
    template: &str,
    names: &BTreeSet<&str>,
) -> Result<Vec<(String, BlobId)>, GitError> {
    let folder = template.rsplit_once('/').map_or("", |(folder, _)| folder);
    let mut found = Vec::new();
    for name in names {
        let paths = [joined("", name), joined(folder, name)];
        for path in paths.into_iter().flatten() {
            if let Some(EntryKind::File(blob)) = reader.entry_at(tree, &path)? {
                found.push((path, blob));
                break;
            }
        }
    }
    Ok(found)
}

/// A path from a folder, without `.` and `..`; `None` if it leaves the repository.
fn joined(folder: &str, name: &str) -> Option<String> {
    let mut parts: Vec<&str> = folder.split('/').filter(|part| !part.is_empty()).collect();
    for part in name.split('/') {
        match part {
            "" | "." => {}
            ".." => drop(parts.pop()?),
            part => parts.push(part),
        }
    }
    Some(parts.join("/"))
}
