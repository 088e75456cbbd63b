//! Texts that a commit sets back to older ones, which another author had replaced (`docs/spec/lint.md#restored-texts`).

use std::collections::BTreeMap;
use std::sync::Arc;

use super::align::TemplateStrings;
use super::component_files::ComponentFiles;
use super::file::shown;
use super::listed::listed;
use super::text_walk::{TextWalk, TracedFile, TracedText};
use crate::error::LintError;
use gitglot_git::{Mailmap, Repository};
use gitglot_history::{Accounts, AuthorResolver, Person};
use gitglot_model::{Commit, CommitId, Component, SeededMap, TreeId, counted, privacy};

/// Most authors and keys that a message names.
const MAX_NAMED: usize = 3;
/// Most characters of a text that a message quotes.
const MAX_QUOTED: usize = 60;

/// The restored texts of a component, by path.
#[derive(Default)]
pub struct RestoredTexts(SeededMap<Arc<str>, Vec<RestoringCommit>>);

/// The texts of a file that one commit sets back.
pub(super) struct RestoringCommit {
    commit: CommitId,
    author: String,
    /// Not empty, in the order of the file.
    texts: Vec<LostText>,
}

/// A text that a commit replaces by an older one.
struct LostText {
    key: String,
    text: String,
    author: String,
    /// The author's day, as `2026-05-03`.
    day: String,
}

/// A text that has its older value again.
struct Restored {
    file: usize,
    text: usize,
    /// The commit that wrote the text which is lost.
    replaced_by: CommitId,
    /// The tree of the last commit with the older value.
    tree: TreeId,
}

impl RestoredTexts {
    /// Finds the texts that the commits between two states set back.
    ///
    /// # Errors
    /// If the commits between the states cannot be read.
    pub fn find(
        repository: &Repository,
        component: &Component,
        base: &ComponentFiles,
        base_commit: CommitId,
        head: &ComponentFiles,
        head_commit: CommitId,
    ) -> Result<Self, LintError> {
        let files = changed_texts(base, head);
        let repository = &gitglot_history::view(repository, component);
        let mut walk = TextWalk::new(repository.reader(), component, &files);
        let mut restored = older_values(&mut walk, &files, base_commit);
        restored = with_same_source(&mut walk, &files, head, restored);
        if restored.is_empty() {
            return Ok(Self::default());
        }
        let change = repository.commits_between(base_commit, head_commit)?;
        let mut starts = BTreeMap::<usize, BTreeMap<usize, String>>::new();
        for string in &restored {
            let text = files[string.file].texts[string.text].after.to_owned();
            let of_file = starts.entry(string.file).or_default();
            of_file.insert(string.text, text);
        }
        let mut written_by = BTreeMap::new();
        walk.run(head_commit, starts, Some(&change), &mut |writing| {
            written_by.insert((writing.file, writing.text), writing.commit);
            false
        });
        let mut reader = repository.reader();
        let tree = reader.commit_header(head_commit)?.tree;
        let authors =
            AuthorResolver::new(Mailmap::read(&mut reader, tree)?, Accounts::of(component));
        let mut found = Self::default();
        for string in restored {
            let file = &files[string.file];
            let text = &file.texts[string.text];
            let Some(&by) = written_by.get(&(string.file, string.text)) else {
                continue;
            };
            let (by, lost) = (reader.commit(by)?, reader.commit(string.replaced_by)?);
            let (author, other) = (authors.author(&by), authors.author(&lost));
            if is_revert(&by) || is_same(&author, &other) {
                continue;
            }
            let commits = found.0.entry(file.path.clone()).or_default();
            let known = commits.iter().position(|known| known.commit == by.id);
            let at = known.unwrap_or_else(|| {
                commits.push(RestoringCommit {
                    commit: by.id,
                    author: name(&author),
                    texts: Vec::new(),
                });
                commits.len() - 1
            });
            commits[at].texts.push(LostText {
                key: text.key.to_owned(),
                text: text.before.to_owned(),
                author: name(&other),
                day: day(&lost),
            });
        }
        Ok(found)
    }

    /// What sets texts of a file back.
    pub(super) fn of_file(&self, path: &str) -> &[RestoringCommit] {
        self.0.get(path).map_or(&[], Vec::as_slice)
    }
}

/// The translations that a change replaces without a change of their source.
fn changed_texts<'a>(base: &'a ComponentFiles, head: &'a ComponentFiles) -> Vec<TracedFile<'a>> {
    let [Some(old_rows), Some(rows)] = [base, head].map(|side| {
        let template = side.readable_template();
        template.map(|file| TemplateStrings::new(&file.content))
    }) else {
        return Vec::new();
    };
    let has_same_source = |key: &str| {
        let [old, new] = [&old_rows, &rows].map(|rows| Some(rows.source(rows.row(key)?)));
        new.is_some() && old == new
    };
    let mut files = Vec::new();
    for file in &head.languages {
        let before = base.languages.iter().find(|other| other.path == file.path);
        let Some(before) = before.filter(|before| before.blob != file.blob) else {
            continue;
        };
        let (old, new) = (&before.content, &file.content);
        let translated = (0..old.len()).filter(|&entry| old.is_translated(entry));
        let old = translated.map(|entry| (old.key(entry), old.text(entry)));
        let old: SeededMap<&str, &str> = old.collect();
        let mut traced = TracedFile {
            path: file.path.clone(),
            single_form: file.single_form,
            texts: Vec::new(),
            by_key: SeededMap::default(),
        };
        for entry in (0..new.len()).filter(|&entry| new.is_translated(entry)) {
            let (key, after) = (new.key(entry), new.text(entry));
            let changed = old.get(key).filter(|&&before| before != after);
            if let Some(&before) = changed.filter(|_| has_same_source(key)) {
                traced.by_key.insert(key, traced.texts.len());
                traced.texts.push(TracedText { key, before, after });
            }
        }
        if !traced.texts.is_empty() {
            files.push(traced);
        }
    }
    files
}

/// The texts whose new value is an older one in the history of the base.
fn older_values(
    walk: &mut TextWalk<'_>,
    files: &[TracedFile<'_>],
    base: CommitId,
) -> Vec<Restored> {
    let texts = |file: &TracedFile<'_>| {
        let texts = file.texts.iter().map(|text| text.before.to_owned());
        texts.enumerate().collect()
    };
    let starts = files.iter().map(texts).enumerate().collect();
    let mut lost_to = BTreeMap::new();
    let mut restored = Vec::new();
    walk.run(base, starts, None, &mut |writing| {
        let (file, text, replaced) = (writing.file, writing.text, writing.replaced);
        let replaced_by = *lost_to.entry((file, text)).or_insert(writing.commit);
        let is_older = |(_, older): &(TreeId, &str)| *older == files[file].texts[text].after;
        if let Some((tree, _)) = replaced.filter(is_older) {
            restored.push(Restored {
                file,
                text,
                replaced_by,
                tree,
            });
        }
        !replaced.is_some_and(|commit| is_older(&commit))
    });
    restored
}

/// Those whose older value had the source that the text has now.
fn with_same_source(
    walk: &mut TextWalk<'_>,
    files: &[TracedFile<'_>],
    head: &ComponentFiles,
    mut restored: Vec<Restored>,
) -> Vec<Restored> {
    // The key of a bilingual text has its source.
    if let (None, Some(template)) = (&head.strings, &head.template) {
        restored.sort_by_key(|restored| restored.tree);
        let present = TemplateStrings::new(&template.content);
        let same = restored.chunk_by(|a, b| a.tree == b.tree).map(|of_tree| {
            let older = of_tree.first().map(|restored| restored.tree);
            let older = older.and_then(|tree| {
                let parsed = walk.parsed(tree, &template.path, template.single_form);
                parsed.ok().flatten()
            });
            let Some(older) = older else {
                return vec![false; of_tree.len()];
            };
            let older = TemplateStrings::new(&older);
            let is_same = |it: &Restored| {
                let key = files[it.file].texts[it.text].key;
                let [old, new] = [&older, &present].map(|rows| Some(rows.source(rows.row(key)?)));
                old == new
            };
            of_tree.iter().map(is_same).collect()
        });
        let mut same = same.collect::<Vec<_>>().concat().into_iter();
        restored.retain(|_| same.next().unwrap_or_default());
    }
    restored.sort_by_key(|restored| (restored.file, restored.text));
    restored
}

/// Whether the message of a commit says that it reverts another one.
fn is_revert(commit: &Commit) -> bool {
    let start = commit.message.trim_start().get(.."revert".len());
    start.is_some_and(|start| start.eq_ignore_ascii_case("revert"))
        || commit.message.contains("This reverts commit")
}

fn is_same(one: &Person, other: &Person) -> bool {
    let names = [one, other].map(|person| person.full_name.to_lowercase());
    one.identity == other.identity || (!names[0].is_empty() && names[0] == names[1])
}

fn name(person: &Person) -> String {
    match person.full_name.as_str() {
        "" => "an unnamed author".to_owned(),
        name => privacy::name(name).into_owned(),
    }
}

fn day(commit: &Commit) -> String {
    let time = commit.author.time;
    let local = time.seconds.saturating_add(time.offset.into());
    let time = chrono::DateTime::from_timestamp(local, 0).unwrap_or_default();
    time.format("%Y-%m-%d").to_string()
}

impl RestoringCommit {
    /// The key of the first text.
    pub(super) fn key(&self) -> Option<&str> {
        self.texts.first().map(|text| &*text.key)
    }

    pub(super) fn message(&self, report_key: impl Fn(&str) -> String) -> String {
        let (author, texts) = (&self.author, &self.texts);
        let commit = self.commit.to_string();
        let commit = commit.get(..10).unwrap_or_default();
        if let [lost] = texts.as_slice() {
            let mut quoted: String = shown(&lost.text).chars().take(MAX_QUOTED + 1).collect();
            if let Some((cut, _)) = quoted.char_indices().nth(MAX_QUOTED) {
                quoted.truncate(cut);
                quoted.push('…');
            }
            return format!(
                "Commit {commit} by {author} sets the text back to an older one. The text of {} from {} is lost: \
                 {quoted}",
                lost.author, lost.day
            );
        }
        let mut newest = BTreeMap::<&str, &str>::new();
        for text in texts {
            let day = newest.entry(&text.author).or_insert(&text.day);
            *day = (*day).max(&text.day);
        }
        let authors = newest.iter().map(|(name, day)| format!("{name} ({day})"));
        let keys = texts.iter().map(|text| report_key(&text.key));
        format!(
            "Commit {commit} by {author} sets {} back to older ones. The texts of {} are lost: {}",
            counted(texts.len(), "text"),
            listed(authors, MAX_NAMED),
            listed(keys, MAX_NAMED)
        )
    }
}
