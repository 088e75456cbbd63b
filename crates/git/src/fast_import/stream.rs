//! Reads the lines, data and arguments of a fast-import stream. Must not depend on the repository.

use gix::bstr::ByteSlice;
use gix::objs::tree::EntryKind;

/// A failed command.
pub(super) enum ImportFailure {
    Stream(String),
    Git(gix::Error),
}

impl From<gix::Error> for ImportFailure {
    fn from(error: gix::Error) -> Self {
        Self::Git(error)
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
        if self.rest.is_empty() {
            None
        } else {
            self.rest.split(|byte| *byte == b'\n').next()
        }
    }

    pub(super) fn skip_line(&mut self) {
        let end = self
            .rest
            .find_byte(b'\n')
            .map_or(self.rest.len(), |at| at + 1);
        self.rest = self.rest.get(end..).unwrap_or_default();
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
        let argument = self
            .peek()?
            .strip_prefix(name.as_bytes())?
            .strip_prefix(b" ")?;
        self.skip_line();
        Some(argument)
    }

    /// The bytes of a `data` command.
    pub(super) fn data(&mut self) -> Result<&'a [u8], ImportFailure> {
        let count = self
            .argument("data")
            .ok_or_else(|| malformed("expected 'data' and a number of bytes"))?;
        let count: usize =
            number(count).ok_or_else(|| malformed("the number of bytes is not a number"))?;
        let (data, rest) = self
            .rest
            .split_at_checked(count)
            .ok_or_else(|| malformed("the data is cut short"))?;
        self.line += data.iter().filter(|byte| **byte == b'\n').count();
        self.rest = rest.strip_prefix(b"\n").unwrap_or(rest);
        self.line += usize::from(self.rest.len() < rest.len());
        Ok(data)
    }

    pub(super) fn mark(&mut self) -> Result<Option<u64>, ImportFailure> {
        let mark = match self.argument("mark") {
            Some(mark) => Some(
                mark.strip_prefix(b":")
                    .and_then(number)
                    .ok_or_else(|| malformed("expected ':NUMBER'"))?,
            ),
            None => None,
        };
        self.argument("original-oid");
        Ok(mark)
    }
}

pub(super) fn number<N: std::str::FromStr>(text: &[u8]) -> Option<N> {
    text.to_str().ok()?.parse().ok()
}

pub(super) fn text(bytes: &[u8]) -> Result<String, ImportFailure> {
    bytes
        .to_str()
        .map(str::to_owned)
        .map_err(|_| malformed("a reference name is not UTF-8"))
}

pub(super) fn kind_of(mode: &[u8]) -> Result<EntryKind, ImportFailure> {
    Ok(match mode {
        b"100644" | b"644" => EntryKind::Blob,
        b"100755" | b"755" => EntryKind::BlobExecutable,
        b"120000" => EntryKind::Link,
        b"160000" => EntryKind::Commit,
        b"040000" => EntryKind::Tree,
        _ => {
            return Err(malformed(format!(
                "'{}' is not a file mode",
                mode.as_bstr()
            )));
        }
    })
}

/// A path without the quotes and escapes that `git fast-export` adds where it needs them.
pub(super) fn unquoted(path: &[u8]) -> Result<Vec<u8>, ImportFailure> {
    let path = gix::quote::ansi_c::undo(path.as_bstr())
        .map_err(|_| malformed("the quoted path is malformed"))?;
    Ok(path.0.into_owned().into())
}

pub(super) fn components(path: &[u8]) -> impl Iterator<Item = &gix::bstr::BStr> {
    path.split_str("/").map(ByteSlice::as_bstr)
}
