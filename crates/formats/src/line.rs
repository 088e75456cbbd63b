//! The line of an entry in its file.

use super::error::ReadError;
use super::offsets::line_at;
use super::parts::split;
use super::registry::read_file;
use gitglot_model::{FileFormat, TableColumns};

/// Returns the 1-based line where the entry with that key ([`super::RawEntry::key`]) begins. With duplicates, the last entry counts.
///
/// # Errors
/// If the file does not parse.
pub fn line_of(
    format: FileFormat,
    bytes: &[u8],
    context: &str,
) -> Result<Option<usize>, ReadError> {
    let mut found = None;
    read_file(format, bytes, &mut |entry| {
        if entry.key() == context {
            found = Some(entry.offset);
        }
    })?;
    Ok(found.map(|start| line_at(bytes, start)))
}

/// Returns the line of an entry of a language in a file with several: where its text in that language begins. The code is `""`
/// for the source texts.
///
/// # Errors
/// If the file does not parse.
pub fn line_in_part(
    format: FileFormat,
    columns: &TableColumns,
    bytes: &[u8],
    code: &str,
    context: &str,
) -> Result<Option<usize>, ReadError> {
    let file = split(format, columns, bytes)?;
    let Some(part) = file.parts.into_iter().find(|part| part.code == code) else {
        return Ok(None);
    };
    let mut found = None;
    read_file(format, &part.pieces.concat(), &mut |entry| {
        if entry.context == context {
            found = part.offsets.get(entry.offset).copied();
        }
    })?;
    Ok(found.map(|start| line_at(bytes, start)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_entry_is_found_on_the_line_of_its_name() {
        let json = "{\n  \"a\": {\n    \"b\": \"x\",\n    \"c\": {}, \"d\": [\n\"e\", \"f\"]\n  },\n\n  \"g\": \"y\"\n}";
        let line = |context| line_of(FileFormat::Json, json.as_bytes(), context).unwrap();
        let lines = [
            (".a.b", Some(3)),
            (".a.d[1]", Some(5)),
            (".g", Some(8)),
            (".a", None),
            ("g", None),
            (".nope", None),
        ];
        for (context, expected) in lines {
            assert_eq!(line(context), expected, "{context}");
        }
        let messages =
            "\u{feff}{\r\n \"a\": {\"message\": \"x\"},\r\n\r\n \"b\": {\r\n  \"message\": \"y\"}}";
        let line =
            |context| line_of(FileFormat::WebExtension, messages.as_bytes(), context).unwrap();
        assert_eq!((line("a"), line("b")), (Some(2), Some(4)));
        let twice = b"{\"a\": 1,\n\"a\": 2}";
        assert_eq!(line_of(FileFormat::Json, twice, ".a").unwrap(), Some(2));
        assert!(line_of(FileFormat::Json, b"{", ".a").is_err());
    }
}
