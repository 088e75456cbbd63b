//! The format `csv-columns`: tables with a column for each language (`docs/spec/formats.md#csv-columns`).

use csv::{ByteRecord, ReaderBuilder};

use super::error::{ReadErrorKind, SyntaxError};
use super::format_reader::RawEntry;
use super::parts::PartList;
use gitglot_model::is_language_code;

/// What a column has.
enum Column {
    Key,
    Note,
    /// Texts of the part of a language.
    Texts(usize),
    Other,
}

/// Names of columns with notes, in lower case.
const NOTES: [&str; 8] = [
    "comment",
    "comments",
    "context",
    "description",
    "note",
    "notes",
    "shared comments",
    "_comment",
];

/// Adds the entries of all languages.
pub(super) fn split(text: &str, list: &mut PartList) -> Result<(), SyntaxError> {
    let mut reader = ReaderBuilder::new()
        .has_headers(false)
        .flexible(true)
        .delimiter(separator(text))
        .from_reader(text.as_bytes());
    let mut columns: Option<Vec<Column>> = None;
    let mut row = ByteRecord::new();
    loop {
        let unreadable = || ReadErrorKind::syntax("expected a row of fields", 0);
        if !reader
            .read_byte_record(&mut row)
            .map_err(|_| unreadable())?
        {
            break;
        }
        let at = start_of(&row, text);
        if row.iter().all(<[u8]>::is_empty) {
            continue;
        }
        // The text is UTF-8, and so are its fields.
        let fields: Vec<&str> = row
            .iter()
            .map(|field| std::str::from_utf8(field).unwrap_or_default())
            .collect();
        match &columns {
            None => columns = Some(header(&fields, at, list)?),
            Some(columns) if columns.len() != fields.len() => {
                let message = format!(
                    "expected {} fields, as the first row has, found {}; quote fields with separators or line breaks",
                    columns.len(),
                    fields.len()
                );
                return Err(ReadErrorKind::syntax(message, at));
            }
            Some(columns) => add_row(columns, &fields, at, list)?,
        }
    }
    match columns {
        Some(_) => Ok(()),
        None => Err(no_languages(0)),
    }
}

/// The separator that the first line has most of, outside of quotes.
fn separator(text: &str) -> u8 {
    let mut counts = [(b',', 0), (b';', 0), (b'\t', 0)];
    let mut is_quoted = false;
    for byte in text.bytes().take_while(|&byte| byte != b'\n') {
        is_quoted ^= byte == b'"';
        let count = counts.iter_mut().find(|(separator, _)| *separator == byte);
        if let Some((_, count)) = count.filter(|_| !is_quoted) {
            *count += 1;
        }
    }
    // The first one on a tie.
    let most = counts.iter().rev().max_by_key(|(_, count)| *count);
    most.map_or(b',', |&(separator, _)| separator)
}

/// Where a row begins, without the line break before it.
fn start_of(row: &ByteRecord, text: &str) -> usize {
    let at = row
        .position()
        .map_or(0, |position| position.byte() as usize);
    let rest = text.as_bytes().get(at..).unwrap_or_default();
    at + rest
        .iter()
        .take_while(|&&byte| matches!(byte, b'\r' | b'\n'))
        .count()
}

fn no_languages(at: usize) -> SyntaxError {
    let message = "expected a first row with a name for the column of keys and the codes of languages, such as 'key,en,de'";
    ReadErrorKind::syntax(message, at)
}

/// The language code in the name of a column: `de` and `German(de)` are German. `is_marked`: all names of languages have
/// brackets.
fn code_of(name: &str, is_marked: bool) -> Option<&str> {
    let in_brackets = name
        .trim()
        .strip_suffix(')')
        .and_then(|name| name.rsplit_once('('));
    let code = match in_brackets {
        Some((_, code)) => code.trim(),
        None if is_marked => return None,
        None => name.trim(),
    };
    is_language_code(code).then_some(code)
}

/// The columns of the first row. The first column without a language or note has the keys.
fn header(names: &[&str], at: usize, list: &mut PartList) -> Result<Vec<Column>, SyntaxError> {
    let is_marked = names
        .iter()
        .any(|name| name.contains('(') && code_of(name, true).is_some());
    // The first column is `id` in many files, which is also the code of Indonesian.
    let code = |index: usize, name: &&'_ str| {
        let is_id = index == 0 && name.trim().eq_ignore_ascii_case("id");
        code_of(name, is_marked)
            .filter(|_| !is_id)
            .map(str::to_owned)
    };
    let codes: Vec<Option<String>> = names
        .iter()
        .enumerate()
        .map(|(at, it)| code(at, it))
        .collect();
    let mut known = codes.iter().flatten();
    let english = known.clone().find(|code| {
        let base = code.split(['-', '_']).next().unwrap_or_default();
        base.eq_ignore_ascii_case("en")
    });
    let source = english.or_else(|| known.next()).cloned();
    let mut columns = Vec::with_capacity(names.len());
    let mut has_key = false;
    for (name, code) in names.iter().zip(&codes) {
        let lower = name.trim().to_lowercase();
        columns.push(match code {
            Some(code) if Some(code) == source.as_ref() => Column::Texts(0),
            Some(code) => list.part(code, at)?.map_or(Column::Other, Column::Texts),
            None if NOTES.contains(&&*lower) => Column::Note,
            None if lower.starts_with(['_', '?']) => Column::Other,
            None if !std::mem::replace(&mut has_key, true) => Column::Key,
            None => Column::Other,
        });
    }
    if !has_key || source.is_none() {
        return Err(no_languages(at));
    }
    list.source_language = source;
    Ok(columns)
}

/// Adds the texts of a row. A row without a key goes on with the row before it in some programs, and is left out.
fn add_row(
    columns: &[Column],
    fields: &[&str],
    at: usize,
    list: &mut PartList,
) -> Result<(), SyntaxError> {
    let cells = || columns.iter().zip(fields);
    let of = |wanted: fn(&Column) -> bool| cells().find(|(column, _)| wanted(column));
    let key = of(|column| matches!(column, Column::Key)).map_or("", |(_, key)| key);
    let note = of(|column| matches!(column, Column::Note)).map_or("", |(_, note)| note);
    if key.is_empty() || key.starts_with(['?', '_']) {
        return Ok(());
    }
    for (column, text) in cells() {
        let Column::Texts(part) = *column else {
            continue;
        };
        if part == 0 || !text.is_empty() {
            let entry = RawEntry {
                note: if part == 0 { note } else { "" },
                ..RawEntry::new(key, text, at)
            };
            list.push(part, &entry)?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use crate::{Outline, line_in_part, reader, split};
    use gitglot_model::FileFormat;

    fn parts(text: &str) -> Result<Vec<String>, String> {
        let file = split(FileFormat::CsvColumns, text.as_bytes()).map_err(|it| it.to_string())?;
        let part = |part: &crate::LanguagePart| {
            let mut texts = vec![part.code.clone()];
            let mut read = |entry: crate::RawEntry<'_>| {
                texts.push([entry.context, "=", entry.text, entry.note].concat());
            };
            let read = reader(FileFormat::CsvColumns).read(
                &part.pieces.concat(),
                &mut Outline::default(),
                &mut read,
            );
            read.unwrap();
            texts.join(" ")
        };
        Ok(file.parts.iter().map(part).collect())
    }

    #[test]
    fn the_first_row_names_the_languages() {
        let plain = "id,description,de,en\nb,(n),\"x, y\",z\na,,,w\n\n";
        assert_eq!(parts(plain).unwrap(), [" a=w b=z(n)", "de b=x, y"]);
        let unity = "Key;Id;English(en);German(de)\r\na;1;x;y\r\n";
        assert_eq!(parts(unity).unwrap(), [" a=x", "de a=y"]);
        let godot = "keys\t_n\tde\tpt_BR\na\tn\tx\ty\n?pluralrule\t\tp\tq\n\t\tx2\ty2\n";
        assert_eq!(parts(godot).unwrap(), [" a=x", "pt_BR a=y"]);
    }

    #[test]
    fn a_row_of_another_length_is_an_error_and_never_moves_texts() {
        for (row, found) in [("a,x", 2), ("a,x,y,z", 4)] {
            let error = parts(&format!("key,en,de\nb,\"1\n2\",3\n{row}\n")).unwrap_err();
            let start =
                format!("line 4, column 1: expected 3 fields, as the first row has, found {found}");
            assert!(error.starts_with(&start), "{error}");
        }
        for text in ["key,name\na,b\n", "en,de\nx,y\n", ""] {
            assert!(
                parts(text).unwrap_err().contains("the codes of languages"),
                "{text}"
            );
        }
        let text = b"key,en\n\"a\",\"x\ny\"\r\nb,z\n";
        let line = |key| line_in_part(FileFormat::CsvColumns, text, "", key).unwrap();
        assert_eq!((line("a"), line("b")), (Some(2), Some(4)));
    }
}
