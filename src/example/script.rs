//! What a script says, line by line, before anything is built.

use super::lex::KeyPath;

/// A history, read from text.
#[derive(Clone, Debug, Default)]
pub struct Script {
    pub(super) statements: Vec<Line<Statement>>,
}

/// Something with the line that it stands on, 1-based.
#[derive(Clone, Debug)]
pub(super) struct Line<T> {
    pub(super) line: usize,
    pub(super) what: T,
}

/// A line at the left edge, with what belongs to it.
#[derive(Clone, Debug)]
pub(super) enum Statement {
    Person { nick: String, person: Person },
    Commit(Box<CommitText>),
    Branch { name: String, at: Move },
    Head(String),
    Tag { name: String, at: String, message: Option<Vec<u8>> },
    Ref { name: String, at: Option<String> },
}

/// Where a branch goes before commits are added.
#[derive(Clone, Debug)]
pub(super) enum Move {
    Stay,
    Gone,
    To(String),
}

/// Somebody, with the offset of their clock in seconds east of UTC.
#[derive(Clone, Debug)]
pub(super) struct Person {
    pub(super) name: String,
    pub(super) mail: String,
    pub(super) offset: i32,
}

/// Who signs.
#[derive(Clone, Debug)]
pub(super) enum Who {
    Anyone,
    Nick(String),
    Named(Person),
    /// The whole line, byte for byte.
    Verbatim(Vec<u8>),
}

/// When.
#[derive(Clone, Debug)]
pub(super) enum Time {
    /// Seconds as if the wall clock were UTC, and the offset if one is written.
    Wall { seconds: i64, offset: Option<i32> },
    /// Taken as written.
    Verbatim { seconds: String, offset: Option<String> },
}

/// A signature as the script gives it.
#[derive(Clone, Debug)]
pub(super) struct Signed {
    pub(super) line: usize,
    pub(super) who: Who,
    pub(super) time: Option<Time>,
}

/// A commit as the script gives it.
#[derive(Clone, Debug, Default)]
pub(super) struct CommitText {
    pub(super) label: String,
    pub(super) subject: String,
    pub(super) body: Vec<String>,
    pub(super) message: Option<Vec<u8>>,
    pub(super) author: Option<Signed>,
    pub(super) committer: Option<Signed>,
    pub(super) headers: Vec<Vec<u8>>,
    pub(super) merges: Vec<Line<String>>,
    pub(super) operations: Vec<Line<Operation>>,
}

/// What a commit does to the tree.
#[derive(Clone, Debug)]
pub(super) enum Operation {
    Write { path: Vec<u8>, content: Vec<u8> },
    Json { path: Vec<u8>, new: bool, edits: Vec<Line<Edit>> },
    Replace { path: Vec<u8>, old: Vec<u8>, new: Vec<u8> },
    Delete(Vec<u8>),
    Move(Vec<u8>, Vec<u8>),
    Copy(Vec<u8>, Vec<u8>),
    Take { path: Vec<u8>, commit: String, from: Vec<u8> },
    Link(Vec<u8>, Vec<u8>),
    Submodule(Vec<u8>, String),
    Executable(Vec<u8>, bool),
}

/// A change inside a JSON file.
#[derive(Clone, Debug)]
pub(super) enum Edit {
    Set { path: KeyPath, after: Option<String>, value: serde_json::Value },
    Drop(KeyPath),
    Rename(KeyPath, String),
}
