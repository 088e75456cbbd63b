//! The format `csv-columns`: tables with a column for each language (`docs/spec/formats.md#csv-columns`).

use csv::{ByteRecord, ReaderBuilder};

use super::entry::RawEntry;
use super::error::{ReadErrorKind, SyntaxError};
use super::part_list::PartList;
use gitglot_model::{TableColumns, is_english, is_language_code};

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
pub(super) fn split(
    text: &str,
    settings: &TableColumns,
    list: &mut PartList,
) -> Result<(), SyntaxError> {
    let separator = separator(text);
    check_quotes(text.as_bytes(), separator)?;
    let mut reader = ReaderBuilder::new()
        .has_headers(false)
        .flexible(true)
        .delimiter(separator)
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
            None => columns = Some(header(&fields, settings, at, list)?),
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

/// Refuses a field whose quotation marks are not paired: the reader would take the rows that follow for its text.
fn check_quotes(text: &[u8], separator: u8) -> Result<(), SyntaxError> {
    let is_end = |byte: u8| byte == separator || matches!(byte, b'\r' | b'\n');
    let next = |from: usize, found: &dyn Fn(u8) -> bool| {
        let rest = text.get(from..).unwrap_or_default();
        rest.iter()
            .position(|&byte| found(byte))
            .map(|at| from + at)
    };
    let mut at = 0;
    while at < text.len() {
        if text.get(at) == Some(&b'"') {
            let start = at;
            loop {
                at = next(at + 1, &|byte| byte == b'"')
                    .ok_or_else(|| ReadErrorKind::OpenString.at(start))?;
                match text.get(at + 1) {
                    Some(b'"') => at += 1,
                    _ => break,
                }
            }
            at = next(at + 1, &|byte| byte != b' ').unwrap_or(text.len());
            if text.get(at).is_some_and(|&byte| !is_end(byte)) {
                let message = "expected a separator after the quoted field, found more text; write \"\" for a quotation mark";
                return Err(ReadErrorKind::syntax(message, at));
            }
        }
        at = next(at, &is_end).map_or(text.len(), |end| end + 1);
    }
    Ok(())
}

/// Where a row begins, without the line break before it.
fn start_of(row: &ByteRecord, text: &str) -> usize {
    let at = row
        .position()
        .map_or(0, |position| position.byte() as usize);
    let rest = text.as_bytes().get(at..).unwrap_or_default().iter();
    at + rest
        .take_while(|byte| matches!(byte, b'\r' | b'\n'))
        .count()
}

fn no_languages(at: usize) -> SyntaxError {
    let message = "expected a first row with a name for the column of keys and the codes of languages, such as 'key,en,de'";
    ReadErrorKind::syntax(message, at)
}

/// The language code in the name of a column: `de` and `German(de)` are German. `is_marked`: all names of languages have
/// brackets.
fn code_of(name: &str, is_marked: bool) -> Option<&str> {
    let name = name.trim();
    let in_brackets = name
        .strip_suffix(')')
        .and_then(|name| name.rsplit_once('('));
    let code = match in_brackets {
        Some((_, code)) => code.trim(),
        None if is_marked => return None,
        None => name,
    };
    is_language_code(code).then_some(code)
}

/// The columns of the first row. Without settings, the first column without a language or note has the keys.
fn header(
    names: &[&str],
    settings: &TableColumns,
    at: usize,
    list: &mut PartList,
) -> Result<Vec<Column>, SyntaxError> {
    if let Some(missing) = settings
        .names()
        .find(|wanted| names.iter().all(|column| column.trim() != *wanted))
    {
        let found: Vec<&str> = names.iter().map(|name| name.trim()).collect();
        let message = format!(
            "expected a column '{missing}', which the settings name, found '{}'",
            found.join("', '")
        );
        return Err(ReadErrorKind::syntax(message, at));
    }
    let is_marked = names
        .iter()
        .any(|name| name.contains('(') && code_of(name, true).is_some());
    let code = |(index, name): (usize, &&str)| -> Option<String> {
        let name = name.trim();
        if !settings.languages.is_empty() {
            return settings.languages.get(name).cloned();
        }
        // The first column is `id` in many files, which is also the code of Indonesian.
        let is_id = index == 0 && name.eq_ignore_ascii_case("id");
        let is_other = is_id || settings.names().any(|column| column == name);
        code_of(name, is_marked)
            .filter(|_| !is_other)
            .map(str::to_owned)
    };
    let codes: Vec<Option<String>> = names.iter().enumerate().map(code).collect();
    let mut languages = codes.iter().flatten();
    let english = languages.clone().find(|code| is_english(code));
    let source = english.or_else(|| languages.next()).cloned();
    let is_note = |name: &str| {
        if settings.notes.is_empty() {
            NOTES.contains(&&*name.to_lowercase()) && settings.key.as_deref() != Some(name)
        } else {
            settings.notes.iter().any(|column| column == name)
        }
    };
    let mut columns = Vec::with_capacity(names.len());
    let mut has_key = false;
    for (name, code) in names.iter().zip(&codes) {
        let name = name.trim();
        let may_be_key = match &settings.key {
            Some(key) => key == name,
            None => !name.starts_with(['_', '?']),
        };
        columns.push(match code {
            Some(code) if Some(code) == source.as_ref() => Column::Texts(0),
            Some(code) => list.part(code, at)?.map_or(Column::Other, Column::Texts),
            None if is_note(name) => Column::Note,
            None if may_be_key && !std::mem::replace(&mut has_key, true) => Column::Key,
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
    let key = cells().find(|(column, _)| matches!(column, Column::Key));
    let key = key.map_or("", |(_, key)| key);
    let notes = cells().filter(|(column, note)| matches!(column, Column::Note) && !note.is_empty());
    let notes: Vec<&str> = notes.map(|(_, note)| *note).collect();
    let note = &*notes.join("\n");
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
    use crate::{line_in_part, reader, split};
    use gitglot_model::{FileFormat, TableColumns};

    fn parts(text: &str) -> Result<Vec<String>, String> {
        with_settings(text, &TableColumns::default())
    }

    fn with_settings(text: &str, settings: &TableColumns) -> Result<Vec<String>, String> {
        let file = split(FileFormat::CsvColumns, settings, text.as_bytes());
        let file = file.map_err(|it| it.to_string())?;
        let part = |part: &crate::LanguagePart| {
            let mut texts = vec![part.code.clone()];
            let mut read = |entry: crate::RawEntry<'_>| {
                texts.push([entry.context, "=", entry.text, entry.note].concat());
            };
            let read = reader(FileFormat::CsvColumns).read(&part.pieces.concat(), &mut read);
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
        let line = |key| {
            line_in_part(
                FileFormat::CsvColumns,
                &TableColumns::default(),
                text,
                "",
                key,
            )
            .unwrap()
        };
        assert_eq!((line("a"), line("b")), (Some(2), Some(4)));
    }

    #[test]
    fn settings_name_the_columns() {
        let settings = TableColumns {
            key: Some("note".to_owned()),
            notes: vec!["id".to_owned(), "who".to_owned()],
            languages: [("Englisch", "en"), ("Deutsch", "de")]
                .map(|(name, code)| (name.to_owned(), code.to_owned()))
                .into(),
        };
        let table = "id,no,note,who,Deutsch,Englisch\n1,x,a,W,y,z\n,x,b,,,v\n";
        let found = with_settings(table, &settings).unwrap();
        assert_eq!(found, [" a=z1\nW b=v", "de a=y"]);
        let error = with_settings("id,note,Deutsch,Englisch\n", &settings).unwrap_err();
        let expected = "line 1, column 1: expected a column 'who', which the settings name, found 'id', 'note', 'Deutsch', 'Englisch'";
        assert_eq!(error, expected);
        let key = TableColumns {
            key: Some("it".to_owned()),
            ..TableColumns::default()
        };
        let found = with_settings("n,it,en,de\n1,a,x,y\n", &key).unwrap();
        assert_eq!(found, [" a=x", "de a=y"], "no language");
    }

    #[test]
    fn a_quotation_mark_without_its_pair_is_an_error() {
        for (row, place) in [
            (
                "a,x,\"y\nb,z,w\n",
                "line 2, column 5: expected the closing quote",
            ),
            (
                "a,x,\"y\nb,z,\"w\"\n",
                "line 3, column 6: expected a separator after the quoted field",
            ),
            ("a,\"x\" y,z\n", "line 2, column 7: expected a separator"),
        ] {
            let error = parts(&format!("key,en,de\n{row}")).unwrap_err();
            assert!(error.starts_with(place), "{error}");
        }
        let fine = "key,en,de\na,\"x\"\"\" ,5\" y\r\n\"b\",\"\",z";
        assert_eq!(parts(fine).unwrap(), [" a=x\"  b=", "de a=5\" y b=z"]);
    }
}
