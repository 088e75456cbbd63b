//! The settings of the columns of tables (`docs/spec/formats.md#csv-columns`).

use std::collections::HashSet;

use super::tables::ComponentTable;
use super::values::NonEmpty;
use gitglot_model::{FileFormat, TableColumns, is_language_code, language};

/// Reads the columns of a component.
///
/// # Errors
/// The key of the first one that is wrong, with the problem and the next step.
pub(super) fn read(
    component: &ComponentTable,
    format: FileFormat,
) -> Result<TableColumns, (&'static str, String)> {
    let languages = component.language_columns.iter();
    let notes = component.note_columns.iter();
    let columns = TableColumns {
        key: component.key_column.as_ref().map(|column| column.0.clone()),
        notes: notes.map(|column| column.0.clone()).collect(),
        languages: languages
            .map(|(name, NonEmpty(code))| (name.clone(), code.clone()))
            .collect(),
    };
    let key_of = |name: &str| {
        if columns.key.as_deref() == Some(name) {
            "key_column"
        } else if columns.notes.iter().any(|note| note == name) {
            "note_columns"
        } else {
            "language_columns"
        }
    };
    let mut names: Vec<&str> = columns.names().collect();
    if let Some(first) = names.first().filter(|_| format != FileFormat::CsvColumns) {
        let problem = "only files of the format csv-columns have columns: remove it";
        return Err((key_of(first), problem.to_owned()));
    }
    names.sort_unstable();
    if let Some([name, ..]) = names.windows(2).find(|pair| pair.first() == pair.last()) {
        let problem = format!("the column '{name}' is named twice: remove one");
        return Err((key_of(name), problem));
    }
    let mut codes = HashSet::new();
    let is_second = |code: &&String| !codes.insert(language::resolve(code).code.to_string());
    if let Some(code) = columns.languages.values().find(is_second) {
        let problem = format!("two columns have the language '{code}': remove one");
        return Err(("language_columns", problem));
    }
    let is_wrong = |code: &&String| !is_language_code(code);
    if let Some(code) = columns.languages.values().find(is_wrong) {
        let problem = format!("'{code}' is no code of a language: write one such as 'pt_BR'");
        return Err(("language_columns", problem));
    }
    Ok(columns)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn columns(text: &str, format: FileFormat) -> Result<TableColumns, String> {
        let read = read(&toml::from_str(text).unwrap(), format);
        read.map_err(|(key, problem)| format!("{key}: {problem}"))
    }

    #[test]
    fn columns_of_tables_are_read_and_others_refused() {
        let all = "key_column = 'id'\nnote_columns = ['Note']\nlanguage_columns = { English = 'en', German = 'de' }";
        let found = columns(all, FileFormat::CsvColumns).unwrap();
        let names: Vec<&str> = found.names().collect();
        assert_eq!(names, ["id", "Note", "English", "German"]);
        let error = |text: &str, format| columns(text, format).unwrap_err();
        assert_eq!(
            error(
                "language_columns = { A = 'pt_BR', B = 'pt-BR' }",
                FileFormat::CsvColumns
            ),
            "language_columns: two columns have the language 'pt-BR': remove one"
        );
        assert_eq!(
            error("note_columns = ['a']", FileFormat::Json),
            "note_columns: only files of the format csv-columns have columns: remove it"
        );
        assert_eq!(
            error(
                "key_column = 'a'\nnote_columns = ['a']",
                FileFormat::CsvColumns
            ),
            "key_column: the column 'a' is named twice: remove one"
        );
        assert_eq!(
            error(
                "language_columns = { a = 'german' }",
                FileFormat::CsvColumns
            ),
            "language_columns: 'german' is no code of a language: write one such as 'pt_BR'"
        );
        assert_eq!(columns("", FileFormat::Json), Ok(TableColumns::default()));
    }
}
