//! Git histories for tests: a typed builder on top of [`fast_import`].
//!
//! The same history always gives the same commit ids: a commit without a time is one hour later than the commit before.

use std::collections::{BTreeMap, HashMap};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use gitglot_fast_import::fast_import;
use gitglot_model::CommitId;

/// The time of the first commit without a time: 2020-01-01 00:00 UTC.
const FIRST: i64 = 1_577_836_800;
const HOUR: i64 = 3600;

/// An author or committer.
#[derive(Clone, Copy, Debug)]
pub struct Person {
    /// The name.
    pub name: &'static str,
    /// The email address.
    pub email: &'static str,
    /// Hours that the person's clock is ahead of UTC.
    pub offset: i64,
}

/// The author of every commit that names none.
pub const ANNA: Person = Person {
    name: "Example Maintainer",
    email: "maintainer@example.org",
    offset: 2,
};

/// Commits and branch moves, to be pushed to a [`Repo`].
#[derive(Clone, Default, Debug)]
pub struct History {
    commands: Vec<Command>,
}

#[derive(Clone, Debug)]
enum Command {
    Commit(Commit),
    /// The following commits go on this branch, after it was set to a commit if one is given.
    Branch(String, Option<String>),
    DeleteBranch(String),
    Head(String),
}

#[derive(Clone, Default, Debug)]
struct Commit {
    label: String,
    message: Option<String>,
    author: Author,
    committer: Option<String>,
    merges: Vec<String>,
    changes: Vec<Change>,
}

#[derive(Clone, Debug)]
enum Author {
    Person(Person, Option<String>),
    Line(String),
}

impl Default for Author {
    fn default() -> Self {
        Self::Person(ANNA, None)
    }
}

#[derive(Clone)]
enum Change {
    Write(String, Vec<u8>),
    Delete(String),
    Rename(String, String),
}

impl std::fmt::Debug for Change {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Write(path, content) => {
                write!(f, "write {path} {:?}", String::from_utf8_lossy(content))
            }
            Self::Delete(path) => write!(f, "delete {path}"),
            Self::Rename(from, to) => write!(f, "rename {from} {to}"),
        }
    }
}

/// Starts a history with a commit on `main`; see [`History::commit`].
pub fn commit(label: &str) -> History {
    History::default().commit(label)
}

/// Starts a history on a branch; see [`History::branch_at`].
pub fn branch_at(branch: &str, label: &str) -> History {
    History::default().branch_at(branch, label)
}

/// The part of a history that deletes a branch; see [`History::delete_branch`].
pub fn delete_branch(branch: &str) -> History {
    History::default().delete_branch(branch)
}

impl History {
    /// Adds a commit to the current branch, at first `main`. Other calls name it by its label, which is its message
    /// too.
    pub fn commit(mut self, label: &str) -> Self {
        self.commands.push(Command::Commit(Commit {
            label: label.to_owned(),
            ..Commit::default()
        }));
        self
    }

    /// The following commits go on this branch.
    pub fn branch(self, branch: &str) -> Self {
        self.command(Command::Branch(branch.to_owned(), None))
    }

    /// Sets a branch to a commit, forward or back; the following commits go there.
    pub fn branch_at(self, branch: &str, label: &str) -> Self {
        self.command(Command::Branch(branch.to_owned(), Some(label.to_owned())))
    }

    /// Deletes a branch. The next commit on it is a root.
    pub fn delete_branch(self, branch: &str) -> Self {
        self.command(Command::DeleteBranch(branch.to_owned()))
    }

    /// Makes a branch the default branch.
    pub fn head(self, branch: &str) -> Self {
        self.command(Command::Head(branch.to_owned()))
    }

    /// Appends another history.
    pub fn then(mut self, other: Self) -> Self {
        self.commands.extend(other.commands);
        self
    }

    fn command(mut self, command: Command) -> Self {
        self.commands.push(command);
        self
    }

    fn last(mut self, change: impl FnOnce(&mut Commit)) -> Self {
        match self.commands.last_mut() {
            Some(Command::Commit(commit)) => change(commit),
            other => panic!("not a commit: {other:?}"),
        }
        self
    }

    /// Sets the whole message of the last commit.
    pub fn message(self, message: &str) -> Self {
        self.last(|commit| commit.message = Some(message.to_owned()))
    }

    /// Sets the author and committer of the last commit.
    pub fn by(self, person: Person) -> Self {
        self.last(|commit| commit.author = Author::Person(person, None))
    }

    /// Sets the author, the committer and the time on the author's clock, as `2020-01-01` or `2020-01-01 10:00`.
    pub fn by_at(self, person: Person, time: &str) -> Self {
        self.last(|commit| commit.author = Author::Person(person, Some(time.to_owned())))
    }

    /// Sets the author line as it is, even if it is invalid.
    pub fn author_line(self, line: &str) -> Self {
        self.last(|commit| commit.author = Author::Line(line.to_owned()))
    }

    /// Sets the committer line as it is, even if it is invalid.
    pub fn committer_line(self, line: &str) -> Self {
        self.last(|commit| commit.committer = Some(line.to_owned()))
    }

    /// Adds a parent. The files stay those of the first parent.
    pub fn merge(self, label: &str) -> Self {
        self.last(|commit| commit.merges.push(label.to_owned()))
    }

    /// Writes a file.
    pub fn write(self, path: &str, content: impl AsRef<[u8]>) -> Self {
        self.last(|commit| {
            commit
                .changes
                .push(Change::Write(path.to_owned(), content.as_ref().to_vec()))
        })
    }

    /// Writes the texts of a language to `locales/LANGUAGE.json`; see [`json_texts`].
    pub fn texts(self, language: &str, texts: &str) -> Self {
        self.write(&format!("locales/{language}.json"), json_texts(texts))
    }

    /// Deletes a file or directory.
    pub fn delete(self, path: &str) -> Self {
        self.last(|commit| commit.changes.push(Change::Delete(path.to_owned())))
    }

    /// Renames a file or directory.
    pub fn rename(self, from: &str, to: &str) -> Self {
        self.last(|commit| {
            commit
                .changes
                .push(Change::Rename(from.to_owned(), to.to_owned()))
        })
    }
}

/// A JSON file of texts: `key=text`, separated by `;`.
pub fn json_texts(texts: &str) -> String {
    let texts = texts.split(';').filter(|text| !text.is_empty());
    let member = |text: &str| {
        let (key, text) = text.split_once('=').expect("key=text");
        format!("\"{key}\": \"{text}\"")
    };
    let members: Vec<String> = texts.map(member).collect();
    format!("{{{}}}", members.join(","))
}

type Files = Arc<BTreeMap<String, Arc<Vec<u8>>>>;

/// A bare repository made of pushed histories.
#[derive(Debug)]
pub struct Repo {
    dir: PathBuf,
    commits: HashMap<String, (CommitId, Files)>,
    /// The labels of the tips.
    tips: HashMap<String, String>,
    branch: String,
    clock: i64,
}

impl Repo {
    /// Creates an empty bare repository whose default branch is `main`.
    pub fn init(dir: &Path) -> Self {
        fast_import(dir, b"").expect("a new repository");
        let (commits, tips) = (HashMap::new(), HashMap::new());
        Self {
            dir: dir.to_owned(),
            commits,
            tips,
            branch: "main".to_owned(),
            clock: FIRST - HOUR,
        }
    }

    /// Creates a repository with a history.
    pub fn with(dir: &Path, history: &History) -> Self {
        let mut repo = Self::init(dir);
        repo.push(history);
        repo
    }

    /// The repository's directory.
    pub fn dir(&self) -> &Path {
        &self.dir
    }

    /// The commit with this label.
    pub fn id(&self, label: &str) -> CommitId {
        self.commits
            .get(label)
            .unwrap_or_else(|| panic!("no commit {label}"))
            .0
    }

    /// The tip of a branch.
    pub fn tip(&self, branch: &str) -> CommitId {
        self.id(&self.tips[branch])
    }

    /// Writes the commits, then moves all branches at once.
    pub fn push(&mut self, history: &History) {
        let mut push = Push {
            repo: self,
            stream: Vec::new(),
            new: Vec::new(),
            moved: Vec::new(),
        };
        let mut head = None;
        for command in &history.commands {
            match command {
                Command::Commit(commit) => push.commit(commit),
                Command::Branch(branch, at) => {
                    push.repo.branch.clone_from(branch);
                    if let Some(label) = at {
                        push.repo.tips.insert(branch.clone(), label.clone());
                        push.moved.push(branch.clone());
                    }
                }
                Command::DeleteBranch(branch) => {
                    push.repo.branch.clone_from(branch);
                    push.repo.tips.remove(branch);
                    push.moved.push(branch.clone());
                }
                Command::Head(branch) => head = Some(branch),
            }
        }
        push.finish();
        if let Some(branch) = head {
            std::fs::write(self.dir.join("HEAD"), format!("ref: refs/heads/{branch}\n"))
                .expect("HEAD is writable");
        }
    }
}

/// A push in progress.
struct Push<'a> {
    repo: &'a mut Repo,
    stream: Vec<u8>,
    /// The new commits in the order of their marks, which start at 1.
    new: Vec<(String, Files)>,
    moved: Vec<String>,
}

impl Push<'_> {
    fn commit(&mut self, commit: &Commit) {
        let Commit { label, merges, .. } = commit;
        let parent = self.repo.tips.get(&self.repo.branch).cloned();
        let old = parent
            .as_ref()
            .map(|parent| self.files(parent))
            .unwrap_or_default();
        let mut files = BTreeMap::clone(&old);
        commit
            .changes
            .iter()
            .for_each(|change| apply(&mut files, change));
        let author = self.author(&commit.author);
        let committer = commit.committer.clone().unwrap_or_else(|| author.clone());
        let message = commit
            .message
            .clone()
            .unwrap_or_else(|| format!("{label}\n"));
        // Every commit names its parents, so it needs no branch of its own.
        let mark = self.new.len() + 1;
        self.line("reset refs/import");
        self.line(&format!(
            "commit refs/import\nmark :{mark}\nauthor {author}\ncommitter {committer}"
        ));
        self.data(message.as_bytes());
        for (name, parent) in parent
            .iter()
            .map(|parent| ("from", parent))
            .chain(merges.iter().map(|parent| ("merge", parent)))
        {
            let parent = self.object(parent);
            self.line(&format!("{name} {parent}"));
        }
        for path in old.keys().filter(|path| !files.contains_key(*path)) {
            self.line(&format!("D {path}"));
        }
        for (path, content) in files
            .iter()
            .filter(|(path, content)| old.get(*path) != Some(content))
        {
            self.line(&format!("M 100644 inline {path}"));
            self.data(content);
        }
        self.new.push((label.clone(), Arc::new(files)));
        self.repo
            .tips
            .insert(self.repo.branch.clone(), label.clone());
        self.moved.push(self.repo.branch.clone());
    }

    fn line(&mut self, line: &str) {
        writeln!(self.stream, "{line}").expect("memory is writable");
    }

    fn data(&mut self, bytes: &[u8]) {
        self.line(&format!("data {}", bytes.len()));
        self.stream.extend([bytes, b"\n"].concat());
    }

    fn position(&self, label: &str) -> Option<usize> {
        self.new.iter().position(|(new, _)| new == label)
    }

    fn files(&self, label: &str) -> Files {
        let new = self.position(label).map(|at| &self.new[at].1);
        new.unwrap_or_else(|| {
            &self
                .repo
                .commits
                .get(label)
                .unwrap_or_else(|| panic!("no commit {label}"))
                .1
        })
        .clone()
    }

    fn object(&self, label: &str) -> String {
        self.position(label).map_or_else(
            || self.repo.id(label).to_string(),
            |at| format!(":{}", at + 1),
        )
    }

    fn author(&mut self, author: &Author) -> String {
        let (person, time) = match author {
            Author::Line(line) => return line.clone(),
            Author::Person(person, time) => (person, time),
        };
        let clock = &mut self.repo.clock;
        *clock = match time {
            None => *clock + HOUR,
            Some(time) => {
                let time = if time.contains(':') {
                    time.clone()
                } else {
                    format!("{time} 00:00")
                };
                let time =
                    chrono::NaiveDateTime::parse_from_str(&time, "%Y-%m-%d %H:%M").expect("a time");
                time.and_utc().timestamp() - person.offset * HOUR
            }
        };
        format!(
            "{} <{}> {clock} {:+03}00",
            person.name, person.email, person.offset
        )
    }

    fn finish(mut self) {
        self.line("reset refs/import\nfrom 0000000000000000000000000000000000000000");
        for branch in std::mem::take(&mut self.moved) {
            let target = self
                .repo
                .tips
                .get(&branch)
                .map_or_else(|| "0".repeat(40), |label| self.object(label));
            self.line(&format!("reset refs/heads/{branch}\nfrom {target}"));
        }
        let imported = fast_import(&self.repo.dir, &self.stream).expect("a valid stream");
        for (id, (label, files)) in imported.commits.into_values().zip(self.new) {
            let taken = self.repo.commits.insert(label.clone(), (id, files));
            assert!(taken.is_none(), "there are two commits {label}");
        }
    }
}

fn apply(files: &mut BTreeMap<String, Arc<Vec<u8>>>, change: &Change) {
    match change {
        Change::Write(path, content) => drop(files.insert(path.clone(), Arc::new(content.clone()))),
        Change::Delete(path) => {
            let before = files.len();
            files.retain(|file, _| !is_in(file, path));
            assert!(files.len() < before, "there is no {path}");
        }
        Change::Rename(from, to) => {
            let moved: Vec<String> = files
                .keys()
                .filter(|file| is_in(file, from))
                .cloned()
                .collect();
            assert!(!moved.is_empty(), "there is no {from}");
            for file in moved {
                let content = files.remove(&file).expect("it is there");
                files.insert(format!("{to}{}", &file[from.len()..]), content);
            }
        }
    }
}

/// Whether a file is at a path or in that directory.
fn is_in(file: &str, path: &str) -> bool {
    file.strip_prefix(path)
        .is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}
