//! Where in a file an entry stands.

use super::{Outline, ReadError, reader};
use crate::model::FileFormat;

/// The line, from 1 on, on which the entry of that id begins; `None` where there is none, or where a name that stands
/// twice makes places doubtful.
///
/// # Errors
/// When the file does not parse.
pub fn line_of(format: FileFormat, bytes: &[u8], context: &str) -> Result<Option<usize>, ReadError> {
    let (mut outline, mut place, mut found) = (Outline::default(), 0, None);
    reader(format).read(bytes, &mut outline, &mut |entry| {
        if entry.context == context {
            found = Some(place);
        }
        place += 1;
    })?;
    let Some(entry) = found.filter(|_| outline.plain) else { return Ok(None) };
    let Some(start) = outline.shape.start_of(entry) else { return Ok(None) };
    let before = bytes.get(..start as usize).unwrap_or_default();
    Ok(Some(memchr::memchr_iter(b'\n', before).count() + 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_entry_is_found_on_the_line_of_its_name() {
        let json =
            "{\n  \"a\": {\n    \"b\": \"x\",\n    \"c\": {}, \"d\": [\n\"e\", \"f\"]\n  },\n\n  \"g\": \"y\"\n}";
        let line = |context| line_of(FileFormat::Json, json.as_bytes(), context).unwrap();
        let lines = [(".a.b", Some(3)), (".g", Some(8)), (".a", None), ("g", None), (".nope", None)];
        for (context, expected) in lines {
            assert_eq!(line(context), expected, "{context}");
        }
        let messages = "\u{feff}{\r\n \"a\": {\"message\": \"x\"},\r\n\r\n \"b\": {\r\n  \"message\": \"y\"}}";
        let line = |context| line_of(FileFormat::WebExtension, messages.as_bytes(), context).unwrap();
        assert_eq!((line("a"), line("b")), (Some(2), Some(4)));
        let twice = b"{\"a\": 1,\n\"a\": 2}";
        assert_eq!(line_of(FileFormat::Json, twice, ".a").unwrap(), None);
        assert!(line_of(FileFormat::Json, b"{", ".a").is_err());
    }
}
