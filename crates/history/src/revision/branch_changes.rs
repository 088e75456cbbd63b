//! The texts that the commits of a branch write, each with the source in the tree of its commit.

use crate::files::trees::{FileIndex, FileSet, LanguageIndex, Trees};
use crate::log::key_renames::ChangedKeys;
use crate::versions::parsed::{ParsedVersion, Versions, Vocabulary};
use gitglot_model::{KeyId, SeededMap, TextId};

/// Where the source of a text comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BranchWrite {
    /// The branch wrote the text for this source.
    For(TextId),
    /// The text is that of a key at the base, which is 0, or at the merged commit of this number, counted from 1: a merge
    /// took it from there, or the branch moved it from the key.
    Of(usize, KeyId),
}

/// The files of a commit, and those of the mainline commits that it merges.
pub struct CommitFiles {
    pub files: FileSet,
    /// The index of each merged mainline commit, with its files.
    pub merged: Vec<(usize, FileSet)>,
}

/// Reads the versions of files.
pub struct Contents<'a> {
    pub trees: &'a Trees,
    pub versions: &'a Versions,
}

impl Contents<'_> {
    /// The content of a file, if it parses.
    pub fn version(&self, file: FileIndex) -> Option<&ParsedVersion> {
        let blob = self.trees.files[file as usize].blob;
        Some(self.versions.get(&blob)?.parsed()?)
    }

    fn template(&self, set: &FileSet) -> Option<&ParsedVersion> {
        self.version(set.template?.1)
    }

    fn text(&self, set: &FileSet, language: LanguageIndex, key: KeyId) -> Option<TextId> {
        let value = self.version(set.file(language)?)?.value(key);
        value.is_present().then(|| value.text())
    }

    /// Adds the strings that a commit renames to those that earlier ones renamed, old keys by new ones
    /// (docs/spec/renames.md#stale-translations).
    fn add_renames(
        &self,
        before: &FileSet,
        after: &FileSet,
        vocabulary: &Vocabulary,
        old_keys: &mut SeededMap<KeyId, KeyId>,
    ) {
        let (Some(old), Some(new)) = (self.template(before), self.template(after)) else {
            return;
        };
        let template = after.template.map(|(language, _)| language);
        let languages = after.files.iter().filter(|file| Some(file.0) != template);
        let versions = languages.filter_map(|&(language, file)| {
            Some((self.version(before.file(language)?)?, self.version(file)?))
        });
        let versions: Vec<_> = versions.collect();
        old_keys.extend(ChangedKeys::renamed(old, new, &versions, vocabulary));
    }

    /// The units that commits write, compared with the commit before them. The first commit is the base. `old_keys` are
    /// those of the strings that were renamed before, by the new keys; `None` if strings are not followed. Long because
    /// each step narrows the units of the one before.
    pub fn writes(
        &self,
        commits: &[CommitFiles],
        vocabulary: &Vocabulary,
        mut old_keys: Option<SeededMap<KeyId, KeyId>>,
    ) -> SeededMap<(LanguageIndex, KeyId), BranchWrite> {
        let mut writes: SeededMap<(LanguageIndex, KeyId), BranchWrite> = SeededMap::default();
        for pair in commits.windows(2) {
            let [before, after] = pair else { continue };
            let Some(template) = self.template(&after.files) else {
                continue;
            };
            if let Some(old_keys) = &mut old_keys {
                self.add_renames(&before.files, &after.files, vocabulary, old_keys);
            }
            // Texts that move between keys are those before the commit.
            let mut written_here = Vec::new();
            let mut added = Vec::new();
            match self.template(&before.files) {
                Some(old) => old.diff(template, &mut |key| {
                    if template.source(key).is_present() && !old.source(key).is_present() {
                        added.push(key);
                    }
                }),
                None => template.each_key(&mut |key| added.push(key)),
            }
            for &(language, file) in &after.files.files {
                let Some(new) = self.version(file) else {
                    continue;
                };
                let mut keys = added.clone();
                let old = before.files.file(language);
                match old.and_then(|old| self.version(old)) {
                    Some(old) => old.diff(new, &mut |key| {
                        if old.value(key).text() != new.value(key).text() {
                            keys.push(key);
                        }
                    }),
                    // A file that returns or is new writes all its texts; one that was broken keeps them.
                    None if old.is_none() => new.each_key(&mut |key| keys.push(key)),
                    None => {}
                }
                for key in keys {
                    let (value, source) = (new.value(key), template.source(key));
                    if !value.is_present() || !source.is_present() {
                        continue;
                    }
                    let has_text = |files| self.text(files, language, key) == Some(value.text());
                    let taken = after.merged.iter().find(|(_, files)| has_text(files));
                    let moved_from = || {
                        let old_key = *old_keys.as_ref()?.get(&key)?;
                        let text = self.text(&before.files, language, old_key)?;
                        (text == value.text() && value.is_translated()).then_some(old_key)
                    };
                    let written = match (taken, moved_from()) {
                        (Some((merged, _)), _) => BranchWrite::Of(merged + 1, key),
                        (None, Some(old_key)) => (writes.get(&(language, old_key)).copied())
                            .unwrap_or(BranchWrite::Of(0, old_key)),
                        (None, None) => {
                            BranchWrite::For(new.made_from(key).unwrap_or(source.text()))
                        }
                    };
                    written_here.push(((language, key), written));
                }
            }
            writes.extend(written_here);
        }
        writes
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::revision::branch::{Branch, RevisionInput};
    use crate::testing::{json_component, read};
    use crate::versions::read::ReadLimits;
    use gitglot_model::{Component, Unlimited};
    use gitglot_testkit::{History, commit};

    /// The Czech texts that the commits up to `end` write, each as its key and where its source is from.
    fn writes(commits: &History) -> Vec<String> {
        let read = read(commits);
        let component = Component::new(json_component());
        let input = RevisionInput {
            component: &component,
            layouts: &read.state.layouts,
            log: &read.state.log,
            texts: &read.state.texts,
        };
        let limits = ReadLimits::of_work(&Unlimited);
        let end = read.repo.id("end");
        let branch = Branch::read(input, &read.repository, end, limits).unwrap();
        let vocabulary = &branch.vocabulary;
        let contents = Contents {
            trees: &branch.trees,
            versions: &branch.versions,
        };
        let writes = contents.writes(&branch.files, vocabulary, Some(SeededMap::default()));
        let key = |key: KeyId| {
            let context = vocabulary.keys.context(key);
            vocabulary.texts.get(context).trim_start_matches('.')
        };
        let is_czech = |of: LanguageIndex| &*branch.trees.languages[usize::from(of)] == "cs";
        let own = writes
            .iter()
            .filter(|((language, _), _)| is_czech(*language));
        let line = |(&(_, of), write): (&(LanguageIndex, KeyId), &BranchWrite)| match *write {
            BranchWrite::For(source) => format!("{} for {}", key(of), vocabulary.texts.get(source)),
            BranchWrite::Of(commit, from) => format!("{} of {commit} {}", key(of), key(from)),
        };
        let mut lines: Vec<String> = own.map(line).collect();
        lines.sort();
        lines
    }

    /// Two Czech texts on `main`, which then changes, and a branch from the start.
    fn branched() -> History {
        commit("start")
            .texts("en", "a=One;b=Two")
            .texts("cs", "a=Jedna;b=Dva")
            .commit("mainline")
            .texts("cs", "a=Jeden;b=Dva")
            .branch_at("side", "start")
    }

    #[test]
    fn a_text_is_written_for_the_source_in_its_commit() {
        let commits = branched()
            .commit("source")
            .texts("en", "a=One!;b=Two")
            .commit("end")
            .texts("cs", "a=Jedna!;b=Dva");
        assert_eq!(writes(&commits), ["a for One!"]);
    }

    #[test]
    fn a_source_alone_writes_no_text() {
        let commits = branched().commit("end").texts("en", "a=One!;b=Two");
        assert!(writes(&commits).is_empty());
    }

    #[test]
    fn a_text_of_a_merged_mainline_commit_is_taken_from_there() {
        let commits = branched()
            .commit("end")
            .merge("mainline")
            .texts("cs", "a=Jeden;b=Dvě");
        assert_eq!(writes(&commits), ["a of 1 a", "b for Two"]);
    }

    #[test]
    fn a_text_moves_with_the_key_of_its_string() {
        let commits = branched()
            .commit("end")
            .texts("en", "n=One;b=Two")
            .texts("cs", "n=Jedna;b=Dva");
        assert_eq!(writes(&commits), ["n of 0 a"]);
    }

    #[test]
    fn a_file_that_returns_writes_all_its_texts() {
        let commits = branched()
            .commit("removed")
            .delete("locales/cs.json")
            .commit("end")
            .texts("cs", "a=Jedna;b=Dva");
        assert_eq!(writes(&commits), ["a for One", "b for Two"]);
    }

    #[test]
    fn a_broken_file_keeps_its_texts() {
        let commits = branched()
            .commit("broken")
            .write("locales/cs.json", "{")
            .commit("end")
            .texts("cs", "a=Jedna;b=Dva");
        assert!(writes(&commits).is_empty());
    }

    #[test]
    fn a_text_without_a_source_is_none_of_the_component() {
        let commits = branched().commit("end").texts("cs", "a=Jedna;b=Dva;c=Tři");
        assert!(writes(&commits).is_empty());
    }
}
