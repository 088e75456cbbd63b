//! What can be wrong with a script.

use std::path::PathBuf;

/// A script that cannot be read or built.
#[derive(Debug, thiserror::Error)]
pub enum ExampleError {
    /// A line cannot be understood, or asks for what cannot be.
    #[error("line {line}: {problem}")]
    Line {
        /// The line, 1-based.
        line: usize,
        /// What is wrong with it.
        problem: Problem,
    },
    /// The repository cannot be read or written.
    #[error("the example repository in {} cannot be written: {reason}; check that the folder is empty and writable", dir.display())]
    Repository {
        /// Its folder.
        dir: PathBuf,
        /// What gix says.
        reason: String,
    },
}

impl ExampleError {
    /// The line that the error is about, 1-based, if it is about one.
    pub fn line(&self) -> Option<usize> {
        match self {
            Self::Line { line, .. } => Some(*line),
            Self::Repository { .. } => None,
        }
    }
}

/// What is wrong with a line of a script.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Problem {
    /// Not 0, 2 or 4 blanks deeper than the script.
    #[error("indent with blanks only: none for a statement, two for what a commit does, four for its lines")]
    Indent,
    /// The line stands below one that takes none.
    #[error("nothing can stand below the line before it")]
    NothingBelow,
    /// The first word is no known one.
    #[error("'{0}' is not known here")]
    Unknown(String),
    /// Something is missing.
    #[error("expected {0}")]
    Expected(&'static str),
    /// Something follows that has no meaning.
    #[error("'{0}' at the end has no meaning")]
    TooMuch(String),
    /// A quoted word has no end or an unknown escape.
    #[error("the quoted text is not closed, or has an escape other than \\\" \\\\ \\n \\r \\t \\xFF \\u{{20AC}}")]
    Quote,
    /// A name that has to be UTF-8 is not.
    #[error("this word must be UTF-8")]
    NotUtf8,
    /// No time.
    #[error("'{0}' is no time: write 2019-03-04 09:12 +0200, or @SECONDS +0200")]
    Time(String),
    /// No JSON value.
    #[error("not a JSON value: {0}")]
    Value(String),
    /// The path of a JSON edit cannot be read.
    #[error("'{0}' is no path of keys such as menu.items[0].\"odd key\"")]
    KeyPath(String),
    /// A label that no commit has.
    #[error("no commit is called '{0}' up to here")]
    NoCommit(String),
    /// Two commits with one label.
    #[error("another commit is called '{0}' already")]
    LabelTaken(String),
    /// A nick that nobody has.
    #[error("nobody is called '{0}': add a person line, or write NAME <MAIL>")]
    NoPerson(String),
    /// A path that is not in the tree.
    #[error("there is no '{0}'")]
    NoPath(String),
    /// A path that cannot be: empty, or with an empty name in it.
    #[error("'{0}' is no path of a file")]
    BadPath(String),
    /// Something else is there.
    #[error("'{0}' is there already")]
    InTheWay(String),
    /// Not a file.
    #[error("'{0}' is not a file")]
    NoFile(String),
    /// The file to edit is no JSON.
    #[error("'{file}' cannot be edited, it is no JSON ({reason}): write it whole")]
    NotJson {
        /// The file.
        file: String,
        /// What the parser says.
        reason: String,
    },
    /// The JSON edit finds something else than it needs.
    #[error("the edit does not fit: {0}")]
    Misfit(String),
    /// The text to replace stands there not once.
    #[error("the text to replace stands {0} times in '{1}', not once")]
    NotOnce(usize, String),
    /// A name that git does not take.
    #[error("'{0}' is no name of a reference")]
    RefName(String),
}

impl Problem {
    /// The problem; a missing thing is called `what` instead.
    pub(super) fn or_expected(self, what: &'static str) -> Self {
        if let Self::Expected(_) = self { Self::Expected(what) } else { self }
    }

    /// The problem, with its line.
    pub(super) fn at(self, line: usize) -> ExampleError {
        ExampleError::Line { line, problem: self }
    }
}
