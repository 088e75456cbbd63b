//! Acknowledged translations (docs/spec/change-log.md#acknowledged-translations).

use std::collections::BTreeMap;

use gitglot_history::review_hash;
use gitglot_model::CommitId;

use super::git::Git;
use super::trees::View;
use super::writer::Writer;

/// The hash of the reviewed source, by language and key.
pub type Rows = BTreeMap<(String, String), String>;

/// What a commit acknowledges.
#[derive(Default)]
pub struct Reviews {
    /// The language and the key of each trailer.
    trailers: Vec<(String, Option<String>)>,
    /// The rows before and after, if they differ.
    rows: Option<(Rows, Rows)>,
    /// Whether the commit has the tree of the one before.
    is_empty: bool,
}

fn rows(file: Option<String>) -> Rows {
    let file = file.unwrap_or_default();
    let language = file.lines().next().unwrap_or_default();
    let row = |line: &str| {
        let (key, hash) = line.split_once(" = ")?;
        let text = |quoted: &str| quoted.trim_matches('"').to_owned();
        Some((
            (language.trim_matches(['[', ']']).to_owned(), text(key)),
            text(hash),
        ))
    };
    file.lines().filter_map(row).collect()
}

impl Reviews {
    pub fn of(git: &mut Git, id: CommitId, base: Option<CommitId>, is_new: bool) -> Self {
        let commit = git.commit(id);
        let lines = commit.message.lines().filter(|_| is_new);
        let trailers = lines.filter_map(|line| {
            let mut words = line.strip_prefix("Translation-Reviewed: ")?.split(' ');
            let language = words.next()?.to_owned();
            let key = words.next().filter(|key| !key.is_empty());
            Some((language, key.map(str::to_owned)))
        });
        let before = base.map(|base| git.reviewed(base));
        let rows = [before.flatten(), git.reviewed(id)].map(rows);
        let [before, after] = rows;
        Self {
            trailers: trailers.collect(),
            is_empty: base.is_some_and(|base| git.commit(base).tree == commit.tree),
            rows: (before != after).then_some((before, after)),
        }
    }

    pub fn is_empty(&self) -> bool {
        self.trailers.is_empty() && self.rows.is_none()
    }

    /// Makes the rows of a mainline commit those of the log.
    pub fn replace_rows(&self, known: &mut Rows) {
        if let Some((_, after)) = &self.rows {
            known.clone_from(after);
        }
    }
}

impl Writer<'_> {
    /// 36, for each stale text that the commit acknowledges. The entries of the commit begin at `start`.
    pub fn review(&mut self, name: &str, before: &View, reviews: &Reviews, start: usize) {
        if !self.view.has_good(name) || !self.view.has_good(self.source) {
            return;
        }
        let index = self.log.index(name);
        let own = self.log.entries.iter().skip(start);
        let written = own.filter(|entry| [13, 30].contains(&entry.action));
        let written: Vec<String> = written.filter_map(|entry| entry.key.clone()).collect();
        let touches_file = self
            .view
            .files
            .get(name)
            .map(|file| (&file.path, file.blob))
            != before.files.get(name).map(|file| (&file.path, file.blob));
        for (key, source) in self.view.sources() {
            let unit = (index, key.to_owned());
            let Some(value) = self.log.values.get(&unit).cloned() else {
                continue;
            };
            let is_stale = self.log.present.contains(key)
                && value.translated
                && self.log.sources.get(key) != Some(&value.written_for);
            let shown = (key.to_owned(), source.to_owned());
            if !is_stale
                || value.written_for == source
                || value.text != self.view.text(name, key).0
                || !self.log.shown.contains(&shown)
            {
                continue;
            }
            let changes_source = written.iter().any(|written| written == key)
                || before.source_of(key) != Some(source);
            let plain = key.trim_start_matches('.');
            let by_trailer = reviews.trailers.iter().any(|(language, selected)| {
                [name, "*"].contains(&&**language)
                    && match selected {
                        Some(selected) => selected == plain,
                        None => reviews.is_empty || touches_file || changes_source,
                    }
            });
            let row = (name.to_owned(), plain.to_owned());
            let has = |rows: &Rows| rows.get(&row) == Some(&review_hash(source));
            let is_added = reviews
                .rows
                .as_ref()
                .is_some_and(|(old, new)| has(new) && !has(old));
            let is_kept = has(&self.log.reviewed)
                && (!reviews.is_empty() || written.iter().any(|written| written == key));
            if by_trailer || is_added || is_kept {
                let text = value.text.clone();
                self.push(36, Some(index), Some(key), &text, &text, source);
                if let Some(value) = self.log.values.get_mut(&unit) {
                    value.written_for = source.to_owned();
                    value.earlier.insert(text, source.to_owned());
                }
                self.log.touched.insert(index);
            }
        }
    }
}
