//! Text → [`Script`].

use super::error::{ExampleError, Problem};
use super::lex::Rest;
use super::script::{CommitText, Edit, Line, Move, Operation, Person, Script, Signed, Statement, Time, Who};
use chrono::{NaiveDate, NaiveTime};

/// A line with the lines that stand below it.
struct Node<'a> {
    line: usize,
    rest: Rest<'a>,
    below: Vec<Node<'a>>,
}

const PATH: &str = "a path";
const FILE: &str = "a file";
const COMMIT: &str = "a commit";

/// Reads a script.
pub(super) fn script(text: &str) -> Result<Script, ExampleError> {
    let statements = nodes(text)?.into_iter().map(statement).collect::<Result<_, _>>()?;
    Ok(Script { statements })
}

/// Sorts the lines by their indentation, which counts from that of the line furthest left.
fn nodes(text: &str) -> Result<Vec<Node<'_>>, ExampleError> {
    let indent = |line: &str| line.len() - line.trim_start_matches(' ').len();
    let outer = text.lines().filter(|line| !line.trim().is_empty()).map(indent).min().unwrap_or(0);
    let mut top: Vec<Node<'_>> = Vec::new();
    for (line, text) in (1..).zip(text.lines()) {
        if text.trim().is_empty() || text.trim_start().starts_with('#') {
            continue;
        }
        let depth = indent(text) - outer;
        let mut into = &mut top;
        for _ in 0..depth / 2 {
            into = &mut into.last_mut().ok_or_else(|| Problem::Indent.at(line))?.below;
        }
        if depth % 2 == 1 || depth > 4 || text.trim_start().len() != text.len() - depth - outer {
            return Err(Problem::Indent.at(line));
        }
        into.push(Node { line, rest: Rest::new(text), below: Vec::new() });
    }
    Ok(top)
}

fn statement(node: Node<'_>) -> Result<Line<Statement>, ExampleError> {
    let Node { line, mut rest, below } = node;
    let at = |problem: Problem| problem.at(line);
    let word = rest.name("a statement").map_err(at)?;
    let what = match word.as_str() {
        "commit" => Statement::Commit(Box::new(commit(line, rest, below)?)),
        "tag" => {
            let name = rest.name("a tag").map_err(at)?;
            let commit = target(&mut rest).and_then(|to| to.ok_or(Problem::Expected(COMMIT))).map_err(at)?;
            let message = if below.is_empty() { None } else { Some(content(rest, below, line)?) };
            Statement::Tag { name, at: commit, message }
        }
        _ => {
            let what = simple(&word, &mut rest).and_then(|what| rest.end().map(|()| what)).map_err(at)?;
            nothing_below(&below)?;
            what
        }
    };
    Ok(Line { line, what })
}

/// The statements that take no lines below them.
fn simple(word: &str, rest: &mut Rest<'_>) -> Result<Statement, Problem> {
    Ok(match word {
        "person" => {
            let nick = rest.name("a short name")?;
            let mut person = named(rest)?;
            if !rest.is_empty() {
                let offset = rest.name("an offset")?;
                person.offset = offset_of(&offset).ok_or(Problem::Time(offset))?;
            }
            Statement::Person { nick, person }
        }
        "branch" => {
            let name = rest.name("a branch")?;
            let stay = rest.is_empty();
            let at = if stay { Move::Stay } else { target(rest)?.map_or(Move::Gone, Move::To) };
            Statement::Branch { name, at }
        }
        "head" => Statement::Head(rest.name("a branch")?),
        "ref" => Statement::Ref { name: rest.name("a reference")?, at: target(rest)? },
        _ => return Err(Problem::Unknown(word.to_owned())),
    })
}

/// Reads `at COMMIT` or `at nothing`.
fn target(rest: &mut Rest<'_>) -> Result<Option<String>, Problem> {
    if !rest.take("at") {
        return Err(Problem::Expected("'at' and a commit, or 'at nothing'"));
    }
    if rest.take("nothing") { Ok(None) } else { rest.name(COMMIT).map(Some) }
}

fn nothing_below(below: &[Node<'_>]) -> Result<(), ExampleError> {
    below.first().map_or(Ok(()), |node| Err(Problem::NothingBelow.at(node.line)))
}

fn commit(line: usize, mut rest: Rest<'_>, below: Vec<Node<'_>>) -> Result<CommitText, ExampleError> {
    let label = rest.name("a label").map_err(|problem| problem.at(line))?;
    let subject = if rest.is_empty() { label.clone() } else { rest.text().trim_end().to_owned() };
    let mut commit = CommitText { label, subject, ..CommitText::default() };
    for Node { line, mut rest, below } in below {
        if let Some(text) = rest.verbatim() {
            commit.body.push(text.to_owned());
            nothing_below(&below)?;
            continue;
        }
        let at = |problem: Problem| problem.at(line);
        let word = rest.name("what the commit does").map_err(at)?;
        let what = match word.as_str() {
            "message" => {
                commit.message = Some(content(rest, below, line)?);
                continue;
            }
            "write" => {
                let path = rest.word(FILE).map_err(at)?;
                Operation::Write { path, content: content(rest, below, line)? }
            }
            "create" | "edit" => {
                let path = rest.word(FILE).and_then(|path| rest.end().map(|()| path)).map_err(at)?;
                let edits = below.into_iter().map(edit).collect::<Result<_, _>>()?;
                Operation::Json { path, new: word == "create", edits }
            }
            _ => {
                nothing_below(&below)?;
                let what = in_commit(&word, line, &mut rest, &mut commit);
                match what.and_then(|what| rest.end().map(|()| what)).map_err(at)? {
                    Some(what) => what,
                    None => continue,
                }
            }
        };
        commit.operations.push(Line { line, what });
    }
    Ok(commit)
}

/// The lines of a commit that take no lines below them: an operation, or something that goes into `commit`.
fn in_commit(
    word: &str,
    line: usize,
    rest: &mut Rest<'_>,
    commit: &mut CommitText,
) -> Result<Option<Operation>, Problem> {
    Ok(Some(match word {
        "by" | "at" => {
            commit.author = Some(signed(line, word, rest)?);
            return Ok(None);
        }
        "committed" => {
            let word = rest.name("'by' or 'at'")?;
            commit.committer = Some(signed(line, &word, rest)?);
            return Ok(None);
        }
        "header" => {
            let mut header = rest.word("a header")?;
            header.push(b' ');
            header.extend(if rest.is_quoted() { rest.quoted()? } else { rest.all().as_bytes().to_vec() });
            commit.headers.push(header);
            return Ok(None);
        }
        "merge" => {
            while commit.merges.last().is_none_or(|last| last.line < line) || !rest.is_empty() {
                commit.merges.push(Line { line, what: rest.name(COMMIT)? });
            }
            return Ok(None);
        }
        "replace" => Operation::Replace { path: rest.word(FILE)?, old: rest.quoted()?, new: rest.quoted()? },
        "delete" => Operation::Delete(rest.word(PATH)?),
        "move" => Operation::Move(rest.word(PATH)?, rest.word("a new path")?),
        "copy" => Operation::Copy(rest.word(PATH)?, rest.word("a new path")?),
        "take" => {
            let path = rest.word(PATH)?;
            if !rest.take("from") {
                return Err(Problem::Expected("'from' and a commit"));
            }
            let from = rest.word(COMMIT)?;
            let (commit, from) = match from.iter().position(|&byte| byte == b':') {
                Some(colon) => (from[..colon].to_vec(), from[colon + 1..].to_vec()),
                None => (from, path.clone()),
            };
            Operation::Take { path, commit: String::from_utf8(commit).map_err(|_| Problem::NotUtf8)?, from }
        }
        "link" => Operation::Link(rest.word(FILE)?, rest.word("a target")?),
        "submodule" => Operation::Submodule(rest.word(PATH)?, rest.name("a commit id")?),
        "executable" | "plain" => Operation::Executable(rest.word(FILE)?, word == "executable"),
        _ => return Err(Problem::Unknown(word.to_owned())),
    }))
}

/// The bytes that stand behind a word and below its line.
fn content(rest: Rest<'_>, below: Vec<Node<'_>>, line: usize) -> Result<Vec<u8>, ExampleError> {
    let mut bytes = Vec::new();
    let inline = (!rest.is_empty()).then_some((line, rest));
    if let (Some(_), Some(node)) = (&inline, below.first()) {
        return Err(Problem::NothingBelow.at(node.line));
    }
    for Node { below, .. } in &below {
        nothing_below(below)?;
    }
    for (line, mut rest) in inline.into_iter().chain(below.into_iter().map(|node| (node.line, node.rest))) {
        if let Some(text) = rest.verbatim() {
            bytes.extend_from_slice(text.as_bytes());
            bytes.push(b'\n');
        } else {
            let piece = rest.quoted().and_then(|piece| rest.end().map(|()| piece));
            bytes.extend(piece.map_err(|problem| problem.or_expected("'| TEXT' or a text in quotes").at(line))?);
        }
    }
    Ok(bytes)
}

fn edit(node: Node<'_>) -> Result<Line<Edit>, ExampleError> {
    nothing_below(&node.below)?;
    let line = node.line;
    edit_of(node.rest).map(|what| Line { line, what }).map_err(|problem| problem.at(line))
}

fn edit_of(mut rest: Rest<'_>) -> Result<Edit, Problem> {
    let mut words = rest.clone();
    // A key may be called `drop`: then an equals sign or `after` follows.
    let sets = |rest: &Rest<'_>| matches!(rest.peek(), "=" | "after");
    for word in ["drop", "rename"] {
        if words.take(word) && !sets(&words) {
            let path = words.key_path()?;
            let edit = if word == "drop" { Edit::Drop(path) } else { Edit::Rename(path, words.name("a new key")?) };
            return words.end().map(|()| edit);
        }
        words = rest.clone();
    }
    let path = rest.key_path()?;
    let after = if rest.take("after") { Some(rest.name("a neighbour's key")?) } else { None };
    if !rest.take("=") {
        return Err(Problem::Expected("'= VALUE' behind the path"));
    }
    let value = serde_json::from_str(rest.all()).map_err(|error| Problem::Value(error.to_string()))?;
    Ok(Edit::Set { path, after, value })
}

/// Reads what follows `by` or `at`.
fn signed(line: usize, word: &str, rest: &mut Rest<'_>) -> Result<Signed, Problem> {
    let who = match word {
        "at" => Who::Anyone,
        "by" if rest.is_quoted() => return Ok(Signed { line, who: Who::Verbatim(rest.quoted()?), time: None }),
        "by" if rest.text().contains('<') => Who::Named(named(rest)?),
        "by" => Who::Nick(rest.name("a person")?),
        _ => return Err(Problem::Expected("'by' or 'at'")),
    };
    let time = if rest.is_empty() { None } else { Some(time(rest)?) };
    Ok(Signed { line, who, time })
}

/// Reads `NAME <MAIL>`.
fn named(rest: &mut Rest<'_>) -> Result<Person, Problem> {
    const WHAT: &str = "a name and <mail>";
    let (name, behind) = rest.text().split_once('<').ok_or(Problem::Expected(WHAT))?;
    let (mail, behind) = behind.split_once('>').ok_or(Problem::Expected(WHAT))?;
    let person = Person { name: name.trim().to_owned(), mail: mail.to_owned(), offset: 0 };
    *rest = Rest::new(behind);
    Ok(person)
}

fn time(rest: &mut Rest<'_>) -> Result<Time, Problem> {
    let whole = rest.text().trim_end();
    let bad = || Problem::Time(whole.to_owned());
    let date = rest.name("a time")?;
    if let Some(seconds) = date.strip_prefix('@') {
        let offset = if rest.is_empty() { None } else { Some(rest.name("an offset")?) };
        return Ok(Time::Verbatim { seconds: seconds.to_owned(), offset });
    }
    let date: NaiveDate = date.parse().map_err(|_| bad())?;
    let mut clock = NaiveTime::default();
    if rest.peek().contains(':') {
        let text = rest.name("a time")?;
        let read = |format| NaiveTime::parse_from_str(&text, format);
        clock = read("%H:%M").or_else(|_| read("%H:%M:%S")).map_err(|_| bad())?;
    }
    let offset = if rest.is_empty() { None } else { Some(offset_of(&rest.name("an offset")?).ok_or_else(bad)?) };
    Ok(Time::Wall { seconds: date.and_time(clock).and_utc().timestamp(), offset })
}

/// `+0130` in seconds.
fn offset_of(text: &str) -> Option<i32> {
    let (sign, digits) = match text.as_bytes() {
        [b'+', digits @ ..] => (1, digits),
        [b'-', digits @ ..] => (-1, digits),
        _ => return None,
    };
    if digits.len() != 4 || !digits.iter().all(u8::is_ascii_digit) {
        return None;
    }
    let number: i32 = text.get(1..)?.parse().ok()?;
    Some(sign * (number / 100 * 3600 + number % 100 * 60))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn fails(text: &str, line: usize, problem: Problem) {
        match script(text) {
            Err(ExampleError::Line { line: l, problem: p }) => assert_eq!((l, p), (line, problem)),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn errors_name_the_line_and_what_to_write() {
        fails("commit a\n\nfrobnicate", 3, Problem::Unknown("frobnicate".into()));
        fails("# x\ncommit a\n  frobnicate", 3, Problem::Unknown("frobnicate".into()));
        fails("commit a\n write x", 2, Problem::Indent);
        fails("commit a\n\twrite x", 2, Problem::Indent);
        fails("commit a\n      write x", 2, Problem::Indent);
        fails("commit a\n  delete x\n    | y", 3, Problem::NothingBelow);
        fails("head main\n  write x", 2, Problem::NothingBelow);
        fails("commit", 1, Problem::Expected("a label"));
        fails("commit a\n  move x", 2, Problem::Expected("a new path"));
        fails("commit a\n  merge", 2, Problem::Expected("a commit"));
        fails("commit a\n  write x \"y", 2, Problem::Quote);
        fails("commit a\n  write x y", 2, Problem::Expected("'| TEXT' or a text in quotes"));
        fails("commit a\n  delete x y", 2, Problem::TooMuch("y".into()));
        fails("commit a\n  at 2019-02-30 10:00", 2, Problem::Time("2019-02-30 10:00".into()));
        fails("commit a\n  at 2019-02-20 10:00 CET", 2, Problem::Time("2019-02-20 10:00 CET".into()));
        fails("commit a\n  edit x\n    a b", 3, Problem::Expected("'= VALUE' behind the path"));
        fails("commit a\n  edit x\n    a..b = 1", 3, Problem::KeyPath("a..b = 1".into()));
        assert_eq!(script("commit a\n  edit x\n    a = {").unwrap_err().line(), Some(3));
        assert!(script("tag x at nothing").unwrap_err().to_string().starts_with("line 1: expected a commit"));
    }

    #[test]
    fn a_script_indented_as_a_whole_reads_as_if_it_were_not() {
        let script = script("\n    commit a\n\n      write x\n        | y\n    # end\n").unwrap();
        assert_eq!(script.statements.len(), 1);
        assert_eq!(script.statements[0].line, 2);
    }
}
