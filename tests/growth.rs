//! Whole commands take at most about twice as many steps for a repository that has twice as much of something. The work is
//! counted, without a clock.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use std::collections::BTreeMap;

use clap::Parser;
use gitglot::cli::{Cli, run};
use gitglot_model::steps;
use gitglot_testkit::{History, Person, Repo, commit};

const LANGUAGES: &str = "cs da de el es et eu fa fi fr ga gl gu he hi hr hu hy id is it ja ka kk km kn ko ku ky lb lo lt lv mg mi mk \
                         ml mn mr ms mt my nb ne nl nn pa pl ps pt ro ru si sk sl sq sr sv sw ta te th";

/// A generated repository.
#[derive(Clone, Copy, Debug)]
struct Size {
    languages: usize,
    keys: usize,
    commits: usize,
    authors: usize,
    components: usize,
    /// Components with a file in the directory of each language.
    namespaces: usize,
    /// Words of a text.
    words: usize,
    /// Folders above the files.
    depth: usize,
    /// Other files.
    files: usize,
}

const SMALL: Size = Size {
    languages: 3,
    keys: 5,
    commits: 3,
    authors: 2,
    components: 2,
    namespaces: 0,
    words: 3,
    depth: 1,
    files: 1,
};

impl Size {
    fn write(&self, history: History, component: usize, language: &str, changes: usize) -> History {
        let text = |key: usize| {
            let version = (changes + self.keys - 1 - key) / self.keys;
            let word = |at: usize| format!("{language}{key}v{version}w{at}");
            (0..self.words).map(word).collect::<Vec<_>>().join(" ")
        };
        let texts: BTreeMap<_, _> = (0..self.keys)
            .map(|key| (format!("k{key:04}"), text(key)))
            .collect();
        let folders = "d/".repeat(self.depth);
        let path = match component.checked_sub(self.components) {
            None => format!("{folders}c{component}/locales/{language}.json"),
            Some(at) => format!("{folders}locales/{language}/n{at}.json"),
        };
        history.write(&path, serde_json::to_string_pretty(&texts).unwrap())
    }

    fn all_components(&self) -> usize {
        self.components + self.namespaces
    }

    fn history(&self) -> History {
        let languages: Vec<&str> = LANGUAGES.split(' ').take(self.languages).collect();
        assert_eq!(languages.len(), self.languages);
        let mut history = commit("first");
        for component in 0..self.all_components() {
            for language in ["en"].iter().chain(&languages) {
                history = self.write(history, component, language, 0);
            }
        }
        for at in 0..self.files {
            history = history.write(&format!("other/{}/{at}", at % 5), at.to_string());
        }
        let last = self.all_components() - 1;
        for change in 1..=self.commits.max(self.authors) {
            let at = change % self.authors;
            let (name, email) = (format!("Ann {at}"), format!("ann{at}@example.org"));
            let person = Person {
                name: Box::leak(name.into()),
                email: Box::leak(email.into()),
                offset: 0,
            };
            history = history.commit(&format!("change {change}")).by(person);
            history = self.write(history, last, languages[0], change);
        }
        history
    }

    /// The steps of each command.
    fn work(&self) -> Vec<(String, usize)> {
        let folder = tempfile::tempdir().unwrap();
        let repo = Repo::with(&folder.path().join("garden.git"), &self.history());
        let out = folder.path().join("out");
        let (path, out) = (repo.dir().to_str().unwrap(), out.to_str().unwrap());
        let commands = [
            &["discover", path][..],
            &["check", path],
            &["check", path, "--base", "main~1"],
            &["export", path, out],
        ];
        let work = commands.map(|words| {
            let line = [&["gitglot"], words].concat();
            let name = words.join(" ").replace(path, "").replace(out, "");
            let cli = Cli::try_parse_from(line).unwrap();
            (name, steps::of(|| _ = run(cli)))
        });
        assert!(std::path::Path::new(out).exists(), "{self:?}");
        work.into()
    }
}

/// What of a size is doubled.
type Dimension = fn(&mut Size) -> &mut usize;

#[test]
fn commands_take_at_most_twice_the_steps_for_twice_as_much() {
    let dimensions: [(&str, Dimension, usize); 9] = [
        ("languages", |it| &mut it.languages, 30),
        ("keys", |it| &mut it.keys, 100),
        ("commits", |it| &mut it.commits, 40),
        ("authors", |it| &mut it.authors, 40),
        ("words", |it| &mut it.words, 200),
        ("components", |it| &mut it.components, 40),
        ("namespaces", |it| &mut it.namespaces, 40),
        ("depth", |it| &mut it.depth, 20),
        ("files", |it| &mut it.files, 200),
    ];
    let mut grown = Vec::new();
    for (name, dimension, count) in dimensions {
        let work = |count: usize| {
            let mut size = SMALL;
            *dimension(&mut size) = count;
            size.work()
        };
        for ((what, one), (_, two)) in work(count).into_iter().zip(work(2 * count)) {
            assert!(one > 0, "{what}, {name}");
            if two * 10 > one * 22 {
                grown.push(format!("{what}, {name}: {one} {two}"));
            }
        }
    }
    assert!(grown.is_empty(), "{grown:#?}");
}
