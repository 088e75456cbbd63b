//! [`Script`] → commits, trees and blobs in a bare repository.

use super::error::{ExampleError, Problem};
use super::files::{Files, Item, shown};
use super::json::Document;
use super::script::{CommitText, Line, Move, Operation, Person, Script, Signed, Statement, Time, Who};
use crate::model::CommitId;
use gix::ObjectId;
use gix::objs::{Kind, tree::EntryKind};
use gix::refs::{FullName, Target, transaction::PreviousValue, transaction::RefEdit};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// A bare repository that is made from scripts; each script applied is one push.
#[derive(Debug)]
pub struct Repo {
    dir: PathBuf,
    git: gix::Repository,
    state: State,
}

/// What one script leaves for the next.
#[derive(Clone, Debug)]
struct State {
    people: BTreeMap<String, Person>,
    first_person: Option<Person>,
    labels: BTreeMap<String, ObjectId>,
    tips: BTreeMap<String, ObjectId>,
    branch: String,
    /// Author's time of the newest commit whose time was a number, in seconds.
    clock: i64,
    /// The files of the commit written last, so that a line of commits need not be read back.
    newest: Option<(ObjectId, Files)>,
}

impl Default for State {
    fn default() -> Self {
        Self {
            people: BTreeMap::new(),
            first_person: None,
            labels: BTreeMap::new(),
            tips: BTreeMap::new(),
            branch: "main".into(),
            // The first commit without a time is of 2020-01-01 00:00 UTC.
            clock: 1_577_836_800 - HOUR,
            newest: None,
        }
    }
}

const HOUR: i64 = 3600;

impl Repo {
    /// An empty bare repository in the empty or missing folder `dir`; HEAD stands for `main`.
    ///
    /// # Errors
    /// When the folder cannot be written or holds something.
    pub fn init(dir: &Path) -> Result<Self, ExampleError> {
        let no_folder =
            |error: std::io::Error| ExampleError::Repository { dir: dir.to_owned(), reason: error.to_string() };
        std::fs::create_dir_all(dir).map_err(no_folder)?;
        let git = gix::ThreadSafeRepository::init_opts(
            dir,
            gix::create::Kind::Bare,
            gix::create::Options { destination_must_be_empty: Some(true), ..Default::default() },
            gix::open::Options::isolated(),
        )
        .map_err(|error| unusable(dir, &error))?;
        Ok(Self { dir: dir.to_owned(), git: git.to_thread_local(), state: State::default() })
    }

    /// A bare repository that is there, with its branches but without labels and people.
    ///
    /// # Errors
    /// When there is none, or its references cannot be read.
    pub fn open(dir: &Path) -> Result<Self, ExampleError> {
        let read = || -> gix::Result<Self> {
            let git = gix::open_opts(dir, gix::open::Options::isolated().open_path_as_is(true))?;
            let mut state = State::default();
            for branch in git.references()?.local_branches()? {
                let branch =
                    branch.map_err(|error| gix::Error::from_error(std::io::Error::other(error.to_string())))?;
                if let Some(id) = branch.try_id() {
                    state.tips.insert(branch.name().shorten().to_string(), id.detach());
                }
            }
            if let Some(head) = git.head_name()? {
                state.branch = head.shorten().to_string();
            }
            Ok(Self { dir: dir.to_owned(), git, state })
        };
        read().map_err(|error| unusable(dir, &error))
    }

    /// Writes what a script says: first all objects, then all references in one go, as a push does. Labels, people and
    /// the present branch go on from the scripts before.
    ///
    /// # Errors
    /// When a line asks for what cannot be; then no reference has moved.
    pub fn apply(&mut self, script: &Script) -> Result<(), ExampleError> {
        let mut writer = Writer { git: &self.git, state: self.state.clone(), moved: BTreeMap::new(), head: None };
        for Line { line, what } in &script.statements {
            writer.statement(*line, what).map_err(|fault| fault.at(*line, &self.dir))?;
        }
        let Writer { state, moved, head, .. } = writer;
        let mut edits = Vec::new();
        for (name, (line, target)) in moved {
            let full = full_name(&name).map_err(|problem| problem.at(line))?;
            match target {
                Some(id) => edits.push(RefEdit::update(full, Target::Object(id), PreviousValue::Any, "")),
                None if matches!(self.git.try_find_reference(name.as_str()), Ok(Some(_))) => {
                    edits.push(RefEdit::delete(full, PreviousValue::Any));
                }
                None => {}
            }
        }
        if let Some((line, name)) = head {
            let full = full_name(&name).map_err(|problem| problem.at(line))?;
            let head = full_name("HEAD").map_err(|problem| problem.at(line))?;
            edits.push(RefEdit::update(head, Target::Symbolic(full), PreviousValue::Any, ""));
        }
        self.git.edit_references_as(edits, None).map_err(|error| unusable(&self.dir, &error))?;
        self.state = state;
        Ok(())
    }

    /// Reads a script and applies it.
    ///
    /// # Errors
    /// As [`super::parse`] and [`Repo::apply`].
    pub fn push(&mut self, text: &str) -> Result<(), ExampleError> {
        self.apply(&super::parse(text)?)
    }

    /// The repository's folder.
    pub fn dir(&self) -> &Path {
        &self.dir
    }

    /// The commit of that label.
    pub fn id(&self, label: &str) -> Option<CommitId> {
        self.state.labels.get(label).and_then(commit_id)
    }

    /// The commit that a branch stands for.
    pub fn tip(&self, branch: &str) -> Option<CommitId> {
        self.state.tips.get(branch).and_then(commit_id)
    }

    /// Every label with its commit, by label.
    pub fn labels(&self) -> impl Iterator<Item = (&str, CommitId)> {
        self.state.labels.iter().filter_map(|(label, id)| Some((label.as_str(), commit_id(id)?)))
    }
}

fn commit_id(id: &ObjectId) -> Option<CommitId> {
    id.as_bytes().try_into().ok().map(CommitId)
}

fn unusable(dir: &Path, error: &gix::Error) -> ExampleError {
    let error: &dyn std::error::Error = error;
    let causes = std::iter::successors(Some(error), |error| error.source()).map(ToString::to_string);
    ExampleError::Repository { dir: dir.to_owned(), reason: causes.collect::<Vec<_>>().join(": ") }
}

fn full_name(name: &str) -> Result<FullName, Problem> {
    FullName::try_from(name.to_owned()).map_err(|_| Problem::RefName(name.to_owned()))
}

/// Why a statement cannot be built.
enum Fault {
    Problem(Problem),
    /// A problem of a line below the statement.
    Below(usize, Problem),
    Git(gix::Error),
}

impl Fault {
    fn at(self, line: usize, dir: &Path) -> ExampleError {
        match self {
            Self::Problem(problem) => problem.at(line),
            Self::Below(line, problem) => problem.at(line),
            Self::Git(error) => unusable(dir, &error),
        }
    }

    /// The fault, if it is a line's, of that line.
    fn below(self, line: usize) -> Self {
        if let Self::Problem(problem) = self { Self::Below(line, problem) } else { self }
    }
}

impl From<Problem> for Fault {
    fn from(problem: Problem) -> Self {
        Self::Problem(problem)
    }
}

impl From<gix::Error> for Fault {
    fn from(error: gix::Error) -> Self {
        Self::Git(error)
    }
}

/// An object as its bytes.
struct Raw(Kind, Vec<u8>);

impl gix::objs::WriteTo for Raw {
    fn write_to(&self, out: &mut dyn std::io::Write) -> std::io::Result<()> {
        out.write_all(&self.1)
    }

    fn kind(&self) -> Kind {
        self.0
    }

    fn size(&self) -> u64 {
        self.1.len() as u64
    }
}

/// One push being written.
struct Writer<'a> {
    git: &'a gix::Repository,
    state: State,
    /// References to set or remove at the end, with the line that said so.
    moved: BTreeMap<String, (usize, Option<ObjectId>)>,
    head: Option<(usize, String)>,
}

impl Writer<'_> {
    fn statement(&mut self, line: usize, statement: &Statement) -> Result<(), Fault> {
        match statement {
            Statement::Person { nick, person } => {
                self.state.first_person.get_or_insert_with(|| person.clone());
                self.state.people.insert(nick.clone(), person.clone());
            }
            Statement::Commit(commit) => self.commit(line, commit)?,
            Statement::Branch { name, at } => {
                self.state.branch.clone_from(name);
                match at {
                    Move::Stay => {}
                    Move::Gone => {
                        self.state.tips.remove(name);
                        self.moved.insert(format!("refs/heads/{name}"), (line, None));
                    }
                    Move::To(commit) => {
                        let id = self.resolve(commit)?;
                        self.set_branch(line, id);
                    }
                }
            }
            Statement::Head(name) => self.head = Some((line, format!("refs/heads/{name}"))),
            Statement::Tag { name, at, message } => {
                let mut id = self.resolve(at)?;
                if let Some(message) = message {
                    let anyone = Signed { line, who: Who::Anyone, time: None };
                    let tagger = self.signature(&anyone)?;
                    let head = format!("object {id}\ntype commit\ntag {name}\ntagger ");
                    let tag = [head.as_bytes(), &tagger, b"\n\n", message].concat();
                    id = self.git.write_object(Raw(Kind::Tag, tag))?.detach();
                }
                self.moved.insert(format!("refs/tags/{name}"), (line, Some(id)));
            }
            Statement::Ref { name, at } => {
                let id = at.as_deref().map(|at| self.resolve(at)).transpose()?;
                self.moved.insert(name.clone(), (line, id));
            }
        }
        Ok(())
    }

    fn set_branch(&mut self, line: usize, id: ObjectId) {
        self.state.tips.insert(self.state.branch.clone(), id);
        self.moved.insert(format!("refs/heads/{}", self.state.branch), (line, Some(id)));
    }

    /// Label, else branch, else full id.
    fn resolve(&self, name: &str) -> Result<ObjectId, Problem> {
        let State { labels, tips, .. } = &self.state;
        let known = labels.get(name).or_else(|| tips.get(name)).copied();
        let full = || ObjectId::from_hex(name.as_bytes()).ok().filter(|id| self.git.find_commit(*id).is_ok());
        known.or_else(full).ok_or_else(|| Problem::NoCommit(name.to_owned()))
    }

    fn commit(&mut self, line: usize, commit: &CommitText) -> Result<(), Fault> {
        if self.state.labels.contains_key(&commit.label) {
            return Err(Problem::LabelTaken(commit.label.clone()).into());
        }
        let mut parents: Vec<ObjectId> = self.state.tips.get(&self.state.branch).copied().into_iter().collect();
        for Line { line, what } in &commit.merges {
            parents.push(self.resolve(what).map_err(|problem| Fault::Below(*line, problem))?);
        }
        let mut files = parents.first().map_or_else(|| Ok(Files::default()), |first| self.files(*first))?;
        for Line { line, what } in &commit.operations {
            self.operation(&mut files, what).map_err(|fault| fault.below(*line))?;
        }

        let anyone = Signed { line, who: Who::Anyone, time: None };
        let author = commit.author.as_ref().unwrap_or(&anyone);
        let authored = self.signature(author).map_err(|problem| Fault::Below(author.line, problem))?;
        let committed = match &commit.committer {
            None => authored.clone(),
            Some(signed) => {
                // Whoever is not said is as the author: the person, or the time.
                let mut signed = signed.clone();
                if matches!(signed.who, Who::Anyone) {
                    signed.who = author.who.clone();
                }
                signed.time = signed.time.or_else(|| Some(self.instant(author)));
                self.signature(&signed).map_err(|problem| Fault::Below(signed.line, problem))?
            }
        };

        let mut bytes = format!("tree {}\n", files.write(self.git)?).into_bytes();
        parents.iter().for_each(|parent| bytes.extend(format!("parent {parent}\n").bytes()));
        for header in [[b"author ", &authored[..]].concat(), [b"committer ", &committed[..]].concat()] {
            bytes.extend([&header[..], b"\n"].concat());
        }
        commit.headers.iter().for_each(|header| bytes.extend([&header[..], b"\n"].concat()));
        bytes.push(b'\n');
        bytes.extend(commit.message.clone().unwrap_or_else(|| message(commit).into_bytes()));
        let id = self.git.write_object(Raw(Kind::Commit, bytes))?.detach();
        self.state.labels.insert(commit.label.clone(), id);
        self.state.newest = Some((id, files));
        self.set_branch(line, id);
        Ok(())
    }

    fn files(&self, commit: ObjectId) -> Result<Files, Fault> {
        if let Some((_, files)) = self.state.newest.as_ref().filter(|(id, _)| *id == commit) {
            return Ok(files.clone());
        }
        Ok(Files::read(self.git, self.git.find_commit(commit)?.tree_id()?.detach())?)
    }

    /// The author's time for a committer, who has an own offset.
    fn instant(&self, author: &Signed) -> Time {
        match &author.time {
            Some(Time::Verbatim { seconds, .. }) => Time::Verbatim { seconds: seconds.clone(), offset: None },
            _ => Time::Verbatim { seconds: self.state.clock.to_string(), offset: None },
        }
    }

    /// `NAME <MAIL> SECONDS OFFSET`; moves the clock.
    fn signature(&mut self, signed: &Signed) -> Result<Vec<u8>, Problem> {
        let example = || Person { name: "Example Author".into(), mail: "author@example.org".into(), offset: 0 };
        let person = match &signed.who {
            Who::Verbatim(bytes) => return Ok(bytes.clone()),
            Who::Named(person) => person.clone(),
            Who::Nick(nick) => self.state.people.get(nick).ok_or_else(|| Problem::NoPerson(nick.clone()))?.clone(),
            Who::Anyone => self.state.first_person.clone().unwrap_or_else(example),
        };
        let shown_offset = |seconds: i32| {
            let minutes = seconds.unsigned_abs() / 60;
            format!("{}{:02}{:02}", if seconds < 0 { '-' } else { '+' }, minutes / 60, minutes % 60)
        };
        let (seconds, offset) = match &signed.time {
            None => {
                self.state.clock += HOUR;
                (self.state.clock.to_string(), shown_offset(person.offset))
            }
            Some(Time::Wall { seconds, offset }) => {
                let offset = offset.unwrap_or(person.offset);
                self.state.clock = seconds - i64::from(offset);
                (self.state.clock.to_string(), shown_offset(offset))
            }
            Some(Time::Verbatim { seconds, offset }) => {
                (seconds.clone(), offset.clone().unwrap_or_else(|| shown_offset(person.offset)))
            }
        };
        Ok(format!("{} <{}> {seconds} {offset}", person.name, person.mail).into_bytes())
    }

    fn operation(&self, files: &mut Files, operation: &Operation) -> Result<(), Fault> {
        match operation {
            Operation::Write { path, content } => self.write(files, path, content)?,
            Operation::Json { path, new, edits } => {
                if *new && files.under(path).is_ok() {
                    return Err(Problem::InTheWay(shown(path)).into());
                }
                let not_json = |reason| Problem::NotJson { file: shown(path), reason };
                let mut document = match new {
                    true => Document::new(),
                    false => Document::read(&self.read(files, path)?).map_err(not_json)?,
                };
                for Line { line, what } in edits {
                    document.apply(what).map_err(|problem| Fault::Below(*line, problem))?;
                }
                self.write(files, path, &document.bytes())?;
            }
            Operation::Replace { path, old, new } => {
                let bytes = self.read(files, path)?;
                let found: Vec<usize> = memchr::memmem::find_iter(&bytes, old).collect();
                let &[at] = found.as_slice() else {
                    return Err(Problem::NotOnce(found.len(), shown(path)).into());
                };
                let (before, behind) = bytes.split_at(at);
                self.write(files, path, &[before, new, behind.get(old.len()..).unwrap_or_default()].concat())?;
            }
            Operation::Delete(path) => {
                files.take(path)?;
            }
            Operation::Move(from, to) => {
                let items = files.take(from)?;
                files.put_all(to, items)?;
            }
            Operation::Copy(from, to) => {
                let items = files.under(from)?;
                files.put_all(to, items)?;
            }
            Operation::Take { path, commit, from } => {
                let items = self.files(self.resolve(commit)?)?.under(from)?;
                if files.under(path).is_ok() {
                    files.take(path)?;
                }
                files.put_all(path, items)?;
            }
            Operation::Link(path, target) => {
                let id = self.git.write_blob(target)?.detach();
                files.put(path, Item { kind: EntryKind::Link, id })?;
            }
            Operation::Submodule(path, id) => {
                let id = ObjectId::from_hex(id.as_bytes()).map_err(|_| Problem::Expected("a full commit id"))?;
                files.put(path, Item { kind: EntryKind::Commit, id })?;
            }
            Operation::Executable(path, set) => {
                let kind = if *set { EntryKind::BlobExecutable } else { EntryKind::Blob };
                let id = files.file(path)?.id;
                files.put(path, Item { kind, id })?;
            }
        }
        Ok(())
    }

    fn read(&self, files: &Files, path: &[u8]) -> Result<Vec<u8>, Fault> {
        Ok(self.git.find_blob(files.file(path)?.id)?.take_data())
    }

    /// Writes a file, executable if it was.
    fn write(&self, files: &mut Files, path: &[u8], content: &[u8]) -> Result<(), Fault> {
        let kind = files.get(path).map(|item| item.kind).filter(|kind| *kind == EntryKind::BlobExecutable);
        let id = self.git.write_blob(content)?.detach();
        Ok(files.put(path, Item { kind: kind.unwrap_or(EntryKind::Blob), id })?)
    }
}

fn message(commit: &CommitText) -> String {
    let mut message = format!("{}\n", commit.subject);
    if !commit.body.is_empty() {
        message.push('\n');
        commit.body.iter().for_each(|line| message.extend([line.as_str(), "\n"]));
    }
    message
}
