//! Reads the lines, data and arguments of a fast-import stream. Must not depend on the repository.

use std::io;

use gix::bstr::ByteSlice;

/// A failed command.
pub(super) enum ImportFailure {
    Stream(String),
    Repository(io::Error),
}

impl From<io::Error> for ImportFailure {
    fn from(error: io::Error) -> Self {
        Self::Repository(error)
    }
}

pub(super) fn malformed(reason: impl Into<String>) -> ImportFailure {
    ImportFailure::Stream(reason.into())
}

/// The unread part of a stream, and the number of the last line read.
pub(super) struct Stream<'a> {
    rest: &'a [u8],
    pub(super) line: usize,
}

impl<'a> Stream<'a> {
    pub(super) fn new(stream: &'a [u8]) -> Self {
        Self {
            rest: stream,
            line: 0,
        }
    }

    /// The next line without its line feed, which stays unread.
    pub(super) fn peek(&self) -> Option<&'a [u8]> {
        let mut lines = self.rest.split(|byte| *byte == b'\n');
        lines.next().filter(|_| !self.rest.is_empty())
    }

    pub(super) fn skip_line(&mut self) {
        let mut lines = self.rest.splitn(2, |byte| *byte == b'\n').skip(1);
        self.rest = lines.next().unwrap_or_default();
        self.line += 1;
    }

    /// The next command, after blank lines and comments.
    pub(super) fn command(&mut self) -> Option<&'a [u8]> {
        loop {
            let line = self.peek()?;
            self.skip_line();
            if !line.is_empty() && !line.starts_with(b"#") {
                return Some(line);
            }
        }
    }

    /// The argument of the next line if that is the command `name`.
    pub(super) fn argument(&mut self, name: &str) -> Option<&'a [u8]> {
        let rest = self.peek()?.strip_prefix(name.as_bytes())?;
        let argument = rest.strip_prefix(b" ")?;
        self.skip_line();
        Some(argument)
    }

    /// The bytes of a `data` command.
    pub(super) fn data(&mut self) -> Result<&'a [u8], ImportFailure> {
        let count = self.argument("data");
        let count = count.ok_or_else(|| malformed("expected 'data' and a number of bytes"))?;
        let count = number(count);
        let count = count.ok_or_else(|| malformed("the number of bytes is not a number"))?;
        let parts = self.rest.split_at_checked(count);
        let (data, rest) = parts.ok_or_else(|| malformed("the data is cut short"))?;
        self.line += data.iter().filter(|byte| **byte == b'\n').count();
        self.rest = rest.strip_prefix(b"\n").unwrap_or(rest);
        self.line += usize::from(self.rest.len() < rest.len());
        Ok(data)
    }

    pub(super) fn mark(&mut self) -> Result<Option<u64>, ImportFailure> {
        let mark = self.argument("mark").map(|mark| {
            let mark = mark.strip_prefix(b":").and_then(number);
            mark.ok_or_else(|| malformed("expected ':NUMBER'"))
        });
        let mark = mark.transpose()?;
        self.argument("original-oid");
        Ok(mark)
    }
}

pub(super) fn number<N: std::str::FromStr>(text: &[u8]) -> Option<N> {
    std::str::from_utf8(text).ok()?.parse().ok()
}

pub(super) fn text(bytes: &[u8]) -> Result<String, ImportFailure> {
    let text = std::str::from_utf8(bytes).map(str::to_owned);
    text.map_err(|_| malformed("a reference name is not UTF-8"))
}

/// A path without the quotes and escapes that `git fast-export` adds where it needs them.
pub(super) fn unquoted(path: &[u8]) -> Result<Vec<u8>, ImportFailure> {
    match gix::quote::ansi_c::undo(path.as_bstr()) {
        Ok((plain, length)) if length == path.len() => Ok(plain.into_owned().into()),
        _ => Err(malformed("the quoted path is malformed")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quoted_paths_lose_their_quotes_and_escapes() {
        for (path, plain) in [
            ("a b", Some("a b")),
            (r#""a\tb""#, Some("a\tb")),
            (r#""\303\251\"\\""#, Some("é\"\\")),
            (r#""a"#, None),
            (r#""a\""#, None),
            (r#""\x""#, None),
            (r#""\3""#, None),
        ] {
            let plain = plain.map(|plain| plain.as_bytes().to_owned());
            assert_eq!(unquoted(path.as_bytes()).ok(), plain, "{path}");
        }
    }
}
