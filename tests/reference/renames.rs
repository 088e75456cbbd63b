//! Renamed directories, templates and language files (docs/spec/change-log.md#renames).

use std::collections::HashSet;

use gitglot_model::language::resolve;
use gitglot_model::{BlobId, CommitId, FileMask};

use super::git::{Files, Git, Texts};
use super::trees::Layouts;
use super::walk::Walk;

/// Adds the renames on a step's mainline to the layouts.
pub fn follow(git: &mut Git, layouts: &mut Layouts, walk: &Walk) {
    let known = layouts.moved.len();
    for &commit in walk.mainline.iter().rev() {
        let Some(&parent) = walk.first_parent.get(&commit) else {
            continue;
        };
        let new = git.files(commit);
        let old = git.files(parent);
        if layouts.locate(&new).is_none() {
            continue;
        }
        if layouts.locate(&old).is_none() {
            template_born(git, layouts, &new, &old);
        }
        if let Some(old) = effective(git, layouts, walk, parent) {
            languages_born(git, layouts, &new, &old, known);
        }
    }
}

/// The files of a commit, or of the first commit before it that has a layout.
fn effective(git: &mut Git, layouts: &Layouts, walk: &Walk, mut commit: CommitId) -> Option<Files> {
    loop {
        let files = git.files(commit);
        if layouts.locate(&files).is_some() {
            return Some(files);
        }
        // On the mainline of an update, the old tip replaces the first parent.
        commit = walk
            .first_parent
            .get(&commit)
            .copied()
            .or_else(|| git.parents(commit).first().copied())?;
    }
}

/// Files of the older tree that the newer one lacks, with the extension of `like`.
fn gone(new: &Files, old: &Files, like: &str) -> Vec<(String, BlobId)> {
    let extension = |path: &str| {
        path.rsplit('/')
            .next()
            .and_then(|name| name.rsplit_once('.'))
            .map(|(_, end)| end.to_owned())
    };
    let wanted = extension(like);
    let lost = old
        .iter()
        .filter(|(path, _)| !new.contains_key(*path) && extension(path) == wanted);
    lost.map(|(path, blob)| (path.clone(), *blob)).collect()
}

/// The template is new: no known layout matches the older tree.
fn template_born(git: &mut Git, layouts: &mut Layouts, new: &Files, old: &Files) {
    let Some((_, template)) = layouts.locate(new) else {
        return;
    };
    let blob = new[&template];
    let lost = gone(new, old, &template);
    // Files whose path has the template's language come first.
    let (own, others): (Vec<_>, Vec<_>) = lost.iter().cloned().partition(|(path, _)| {
        let named = |mask: &FileMask| {
            mask.matches(path)
                .map(|code| *resolve(code).code == *layouts.source)
        };
        let known = layouts.masks.iter().find_map(|(mask, _)| named(mask));
        let named_by_path = || {
            let mut masks = candidates(path).into_iter();
            masks.any(|mask| named(&mask) == Some(true))
        };
        let (newest, templates) = &layouts.masks[0];
        newest.matches(&templates[0]).is_some() && known.unwrap_or_else(named_by_path)
    });
    let mut found = None;
    for files in [own, others] {
        let same = files.iter().find(|(_, other)| *other == blob).cloned();
        found = found
            .or(same)
            .or_else(|| best(git, blob, &files, &|_| true));
    }
    let Some((older, _)) = found else {
        return;
    };
    if let Some((_, templates)) = layouts
        .masks
        .iter_mut()
        .find(|(mask, _)| mask.matches(&older).is_some())
    {
        templates.push(older);
        return;
    }
    let assigned = layouts.assign(new).expect("it was located");
    let mut found: Option<((usize, bool, usize), FileMask)> = None;
    for mask in candidates(&older) {
        let moved = lost.iter().filter(|(path, blob)| {
            let Some(code) = mask.matches(path) else {
                return false;
            };
            let Some(now) = assigned.paths.get(&*resolve(code).code) else {
                return false;
            };
            new[now] == *blob || share_of(git, new[now], *blob) >= 0.5
        });
        let moved = moved.count();
        let own = mask
            .matches(&older)
            .is_some_and(|code| *resolve(code).code == *layouts.source);
        let rank = (moved, own, mask.as_str().len());
        if found.as_ref().is_none_or(|(best, _)| rank > *best) {
            found = Some((rank, mask));
        }
    }
    if let Some((_, mask)) = found {
        layouts.masks.push((mask, vec![older]));
    }
}

/// The candidate masks of a path: one directory name, or one piece of the file's name before its extension, is `*`.
fn candidates(path: &str) -> Vec<FileMask> {
    let levels: Vec<&str> = path.split('/').collect();
    let mut masks = Vec::new();
    for at in 0..levels.len() {
        let pieces: Vec<&str> = if at + 1 == levels.len() {
            levels[at].split('.').collect()
        } else {
            vec![levels[at]]
        };
        for piece in 0..pieces.len().saturating_sub(1).max(1) {
            let mut name = pieces.clone();
            name[piece] = "*";
            let mut all: Vec<String> = levels.iter().map(|level| (*level).to_owned()).collect();
            all[at] = name.join(".");
            masks.extend(FileMask::new(&all.join("/")));
        }
    }
    masks
}

/// Languages that the newer tree has and the older one lacks. `known` single paths are older than this step.
fn languages_born(git: &mut Git, layouts: &mut Layouts, new: &Files, old: &Files, known: usize) {
    let (Some(now), Some(before)) = (layouts.assign(new), layouts.assign(old)) else {
        return;
    };
    let lives_on: HashSet<&String> = before
        .paths
        .iter()
        .filter(|(name, _)| now.paths.contains_key(*name))
        .map(|(_, path)| path)
        .collect();
    let template = git
        .texts(new[&now.paths[&layouts.source]])
        .unwrap_or_default();
    let lost: Vec<_> = gone(new, old, &now.paths[&layouts.source]);
    let mut free: Vec<_> = lost
        .into_iter()
        .filter(|(path, _)| !lives_on.contains(path))
        .collect();
    let mut born: Vec<_> = now
        .paths
        .iter()
        .filter(|(name, _)| !before.paths.contains_key(*name))
        .collect();
    born.sort_by_key(|(_, path)| *path);
    for (name, path) in born {
        // Copies of the template's texts prove nothing.
        let counts =
            |(key, text): (&str, &str)| template.first(key).is_none_or(|source| source != text);
        let Some((older, _)) = best(git, new[path], &free, &counts) else {
            continue;
        };
        free.retain(|(path, _)| *path != older);
        let index = layouts.moved.len() - known;
        layouts.moved.insert(index, (older, name.clone()));
    }
}

type Counts<'f> = &'f dyn Fn((&str, &str)) -> bool;

/// The file that is most similar to `blob`, if the similarity is at least 0.5; the first on a tie.
fn best(
    git: &mut Git,
    blob: BlobId,
    files: &[(String, BlobId)],
    counts: Counts,
) -> Option<(String, BlobId)> {
    let texts = git.texts(blob)?;
    let mut found: Option<(f64, &(String, BlobId))> = None;
    for file in files {
        let Some(older) = git.texts(file.1) else {
            continue;
        };
        let share = share(&texts, &older, counts);
        if share >= 0.5 && found.is_none_or(|(best, _)| share > best) {
            found = Some((share, file));
        }
    }
    found.map(|(_, file)| file.clone())
}

fn share_of(git: &mut Git, a: BlobId, b: BlobId) -> f64 {
    match (git.texts(a), git.texts(b)) {
        (Some(a), Some(b)) => share(&a, &b, &|_| true),
        _ => 0.0,
    }
}

/// The number of equal (key, text) pairs that count, divided by those of the larger file.
fn share<'t>(a: &'t Texts, b: &'t Texts, counts: Counts) -> f64 {
    let pairs = |texts: &'t Texts| -> HashSet<(&'t str, &'t str)> {
        texts.pairs().filter(|&pair| counts(pair)).collect()
    };
    let (a, b) = (pairs(a), pairs(b));
    let larger = a.len().max(b.len());
    if larger == 0 {
        0.0
    } else {
        a.intersection(&b).count() as f64 / larger as f64
    }
}
