//! Git histories written down as text: reads the text, writes a bare repository. Serves `gitglot demo` and the tests.
//!
//! Knows gix for *writing* only, and is the one place that writes to a repository: demo and fixtures are made here,
//! everything else in gitglot only reads. Knows neither formats, history nor HTTP. No git program, no network, no
//! clock: the same text gives the same commit ids.
//!
//! # A script
//!
//! ```text
//! # Lines that begin with '#' are remarks.
//! person anna Example Maintainer <maintainer@example.org> +0200
//! person bot  Example Bot <bot@example.org>
//!
//! commit start Add the lamp
//!   by anna 2019-03-04 09:12
//!   create _locales/en/messages.json
//!     appName.message = "Reading Lamp"
//!     appName.description = "Name of the extension"
//!   write README.md
//!     | # Reading Lamp
//!     |
//!     | A lamp for the page you read.
//!
//! branch german at start
//! commit german-file Add German
//!   | Co-authored-by: German Translator <german@example.org>
//!   by bot 2019-03-05 04:00
//!   create _locales/de/messages.json
//!     appName.message = "Leselampe"
//!
//! branch main
//! commit move-folder Move the sources
//!   by anna 2019-03-06 21:00
//!   move _locales src/_locales
//! commit merged Merge branch 'german'
//!   by anna 2019-03-06 21:30
//!   merge german-file
//!   take src/_locales/de from german-file:_locales/de
//! ```
//!
//! Indentation tells what belongs where: statements at the left edge, what a commit does by two blanks, the lines of a
//! file by four. A script that is indented as a whole is read as if it were not. The first word of a line says what
//! it is. A word that holds blanks, begins with `"` or is no UTF-8 is written as `"…"` with the escapes `\"`, `\\`, `\n`,
//! `\r`, `\t`, `\xFF` (one byte) and `\u{20AC}`.
//!
//! ## Statements
//!
//! | Line | Does |
//! |---|---|
//! | `person NICK NAME <MAIL> [OFFSET]` | gives a person a short name; `OFFSET` is that of the person's clock |
//! | `commit LABEL [SUBJECT]` | a commit on the present branch; `LABEL` names it in this text, and is the subject if there is none |
//! | `branch NAME` | the commits that follow go on that branch; without a commit yet, the first is a root. At first it is `main` |
//! | `branch NAME at COMMIT` | the same, after setting the branch there, forward or back (a force push) |
//! | `branch NAME at nothing` | the branch goes away; a commit that follows starts it anew as a root |
//! | `head NAME` | HEAD stands for that branch (else `main`) |
//! | `tag NAME at COMMIT` | a tag; with text lines below it, an annotated one |
//! | `ref NAME at COMMIT`, `ref NAME at nothing` | any other reference, by its full name |
//!
//! `COMMIT` is a label, else a branch, else a full commit id.
//!
//! ## What a commit does
//!
//! | Line | Does |
//! |---|---|
//! | `\| TEXT` | a line of the message below the subject |
//! | `message CONTENT` | the whole message instead, byte for byte |
//! | `by WHO [TIME]`, `at TIME` | author; else the first person, one hour after the commit written before |
//! | `committed by WHO [TIME]`, `committed at TIME` | committer; else as the author |
//! | `header NAME VALUE` | one more header line |
//! | `merge COMMIT…` | further parents. The tree stays the first parent's, but for what the lines say |
//! | `write PATH CONTENT` | the whole file |
//! | `create FILE`, `edit FILE` | with JSON edits below: a new file, or one that is there |
//! | `replace FILE "OLD" "NEW"` | a piece of text that stands in the file exactly once |
//! | `delete PATH`, `move PATH PATH`, `copy PATH PATH` | files and folders |
//! | `take PATH from COMMIT[:PATH]` | a file or folder as it is there; `.` is everything |
//! | `link PATH TARGET`, `submodule PATH ID` | a symbolic link, another repository |
//! | `executable FILE`, `plain FILE` | sets and clears the file's mark |
//!
//! `WHO` is a nick, or `NAME <MAIL>` (the name may be missing), or a whole signature line in quotes, byte for byte.
//! `TIME` is `2019-03-04 [09:12[:30]] [+0200]`, or `@SECONDS [+0200]` taken as it is, so that it may be impossible.
//!
//! `CONTENT` is one piece on the same line, or any number of pieces below: `| TEXT` is a line with its end, `"…"` the
//! bytes themselves. No piece at all: no bytes.
//!
//! ## JSON edits
//!
//! `PATH = VALUE` sets, `drop PATH` removes, `rename PATH NAME` renames a key in its place. A new key comes last, or
//! behind a neighbour: `PATH after NAME = VALUE`. `PATH` is keys with dots between, a key with other characters in
//! quotes, and `[0]` for an element (`[+]` for a new last one). What is missing on the way is made. The order of the
//! keys, the file's indentation and its last line end stay.

mod build;
mod demo;
mod error;
mod files;
mod json;
mod lex;
mod parse;
mod script;

pub use build::Repo;
pub use demo::{Demo, demo};
pub use error::{ExampleError, Problem};
pub use script::Script;

use std::path::Path;

/// Reads a script.
///
/// # Errors
/// When a line cannot be understood; the error names it (1-based).
pub fn parse(text: &str) -> Result<Script, ExampleError> {
    parse::script(text)
}

/// Writes what a script says to a new bare repository in the empty or missing folder `dir`.
///
/// # Errors
/// When a line asks for what cannot be, or the folder cannot be written.
pub fn build(script: &Script, dir: &Path) -> Result<Repo, ExampleError> {
    let mut repo = Repo::init(dir)?;
    repo.apply(script)?;
    Ok(repo)
}

/// Reads a script and writes it to a new bare repository in `dir`: [`parse`] and [`build`] in one.
///
/// # Errors
/// As these two.
pub fn build_at(text: &str, dir: impl AsRef<Path>) -> Result<Repo, ExampleError> {
    build(&parse(text)?, dir.as_ref())
}

#[cfg(test)]
mod tests;
