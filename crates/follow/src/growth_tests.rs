//! The first start, a push and a restart take at most about twice as many steps for a repository that has twice as much of
//! something.

use super::testing::{FollowSite, project};
use gitglot_model::{FileFormat, steps};
use gitglot_testkit::{History, Person, Repo, commit};

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
    fn all_components(&self) -> usize {
        self.components + self.namespaces
    }

    fn path(&self, component: usize, language: &str) -> String {
        let folders = "d/".repeat(self.depth);
        match component.checked_sub(self.components) {
            None => format!("{folders}c{component}/{language}.json"),
            Some(at) => format!("{folders}locales/{language}/n{at}.json"),
        }
    }

    fn language(at: usize) -> String {
        let letter = |at: usize| char::from(b'a' + (at % 26) as u8);
        let (first, second) = (letter(at / 26), letter(at));
        format!("{first}{second}-{first}{second}")
    }

    fn text(&self, key: usize, language: &str, version: usize) -> String {
        let word = |at: usize| format!("{language}{key}v{version}w{at}");
        (0..self.words).map(word).collect::<Vec<_>>().join(" ")
    }

    /// The texts of a file, of which those before a number of changes are newer.
    fn file(&self, language: &str, changes: usize) -> String {
        let texts = (0..self.keys).map(|key| {
            let version = (changes + self.keys - 1 - key) / self.keys;
            (format!("k{key:04}"), self.text(key, language, version))
        });
        let texts: std::collections::BTreeMap<_, _> = texts.collect();
        serde_json::to_string_pretty(&texts).unwrap()
    }

    fn history(&self) -> History {
        let mut history = commit("first");
        for component in 0..self.all_components() {
            history = history.write(&self.path(component, "en"), self.file("en", 0));
            for language in (0..self.languages).map(Self::language) {
                let file = self.file(&language, 0);
                history = history.write(&self.path(component, &language), file);
            }
        }
        for at in 0..self.files {
            history = history.write(&format!("other/{}/{at}", at % 5), at.to_string());
        }
        let language = Self::language(0);
        for change in 1..=self.commits.max(self.authors) {
            let at = change % self.authors;
            let (name, email) = (format!("Ann {at}"), format!("ann{at}@example.org"));
            let person = Person {
                name: Box::leak(name.into()),
                email: Box::leak(email.into()),
                offset: 0,
            };
            history = history.commit(&format!("change {change}")).by(person);
            let file = self.file(&language, change);
            history = history.write(&self.path(0, &language), file);
        }
        history = history.commit("push");
        for component in 0..self.all_components() {
            let file = self.file(&language, self.commits.max(self.authors) + 1);
            history = history.write(&self.path(component, &language), file);
        }
        history
    }

    /// The steps of the first start, a push to all components, and a restart.
    fn work(&self) -> [usize; 3] {
        let folder = tempfile::tempdir().unwrap();
        let repo = Repo::with(&folder.path().join("garden.git"), &self.history());
        let names: Vec<[String; 3]> = (0..self.all_components())
            .map(|at| [format!("c{at}"), self.path(at, "*"), self.path(at, "en")])
            .collect();
        let components: Vec<_> = names
            .iter()
            .map(|[slug, mask, template]| (&**slug, &**mask, &**template, FileFormat::Json))
            .collect();
        let mut site = FollowSite::new(&project(repo.dir(), &components), None);
        let last = self.commits.max(self.authors);
        let before = repo.id(&format!("change {last}"));
        let start = steps::of(|| site.observe(before, 0));
        let push = steps::of(|| site.observe(repo.id("push"), 10));
        site.write_checkpoints();
        let restart = steps::of(|| site.restart());
        let units = self.all_components() * (self.languages + 1) * self.keys;
        assert_eq!(site.snapshot().unit_count(), units, "{self:?}");
        [start, push, restart]
    }
}

/// What of a size is doubled.
type Dimension = fn(&mut Size) -> &mut usize;

#[test]
fn twice_as_much_takes_at_most_twice_the_steps() {
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
        let (one, two) = (work(count), work(2 * count));
        for (what, at) in [("start", 0), ("push", 1), ("restart", 2)] {
            let (one, two) = (one[at], two[at]);
            assert!(one > 0, "{what}, {name}");
            if two * 10 > one * 23 {
                grown.push(format!("{what}, {name}: {one} {two}"));
            }
        }
    }
    assert!(grown.is_empty(), "{grown:#?}");
}
