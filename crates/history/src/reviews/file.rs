//! The file with acknowledged translations.

use std::collections::BTreeMap;
use std::sync::Arc;

use toml::{Table, Value};

use super::{Rows, names_of};
use gitglot_model::{FileFormat, language, parse_checksum, signed_hash, write_padded_checksum};

/// The path of the file, from the root of the repository.
pub const REVIEWED_FILE: &str = ".gitglot/reviewed.toml";

/// Most bytes of the file.
pub const MAX_BYTES: usize = 1 << 20;

/// Most errors that are reported.
const MAX_ERRORS: usize = 10;

/// The content of the file.
#[derive(Clone, Default, Debug)]
pub struct ReviewedFile {
    pub(super) rows: Arc<Rows>,
    /// Why it cannot be read, or which rows.
    pub errors: Vec<String>,
}

/// The hash of a source text in a row: 16 hexadecimal digits. Plural forms are joined.
pub fn review_hash(source: &str) -> String {
    digits(hash_of(source))
}

fn digits(hash: i64) -> String {
    let mut digits = Vec::new();
    write_padded_checksum(&mut digits, hash);
    digits.into_iter().map(char::from).collect()
}

/// A key of TOML in quotes, unless it is a simple name.
fn quoted(key: &str) -> String {
    let is_simple = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    if !key.is_empty() && key.chars().all(is_simple) {
        return key.to_owned();
    }
    let escaped = key.chars().map(|c| match c {
        '"' | '\\' => format!("\\{c}"),
        c if c.is_control() => format!("\\u{:04X}", u32::from(c)),
        c => c.to_string(),
    });
    format!("\"{}\"", escaped.collect::<String>())
}

pub fn hash_of(source: &str) -> i64 {
    signed_hash(&[source])
}

impl ReviewedFile {
    /// Whether a row has the source of a string, given its id.
    pub fn acknowledges(&self, format: FileFormat, language: &str, id: &str, source: &str) -> bool {
        let mut names = names_of(format, id);
        !self.rows.is_empty()
            && names.any(|name| {
                let row = self.rows.get(&*name).and_then(|row| row.get(language));
                row.is_some_and(|&hash| hash == hash_of(source))
            })
    }

    /// A file of more than [`MAX_BYTES`].
    pub(super) fn too_large() -> Self {
        Self {
            rows: Arc::default(),
            errors: vec!["it is larger than 1 MB: remove rows of older source texts".into()],
        }
    }

    /// Reads a file. What cannot be read becomes an error.
    pub fn parse(bytes: &[u8]) -> Self {
        if bytes.len() > MAX_BYTES {
            return Self::too_large();
        }
        let mut file = Self::default();
        let text = std::str::from_utf8(bytes).map_err(|_| "it is not UTF-8".to_owned());
        let table = text.and_then(|text| {
            let parsed = text.parse::<Table>();
            parsed.map_err(|error| format!("it is not TOML: {}", error.message()))
        });
        match table {
            Err(error) => file.errors.push(error),
            Ok(table) => {
                for (code, rows) in table {
                    let language = language::resolve(&code).code;
                    file.add(&language, rows);
                }
            }
        }
        file.errors.truncate(MAX_ERRORS);
        file
    }

    /// Adds the row of a string, in place of that of an older source.
    pub fn add_row(&mut self, language: &str, key: &str, source: &str) {
        let rows = Arc::make_mut(&mut self.rows);
        let of_key = rows.entry(key.into()).or_default();
        of_key.insert(language.into(), hash_of(source));
    }

    /// The file as text: a table for each language, sorted.
    pub fn text(&self) -> String {
        let mut languages: BTreeMap<&str, Vec<(&str, i64)>> = BTreeMap::new();
        for (key, of_key) in &*self.rows {
            for (language, &hash) in of_key {
                languages.entry(language).or_default().push((key, hash));
            }
        }
        let mut out = String::new();
        for (language, rows) in languages {
            let between = if out.is_empty() { "" } else { "\n" };
            out.push_str(&format!("{between}[{}]\n", quoted(language)));
            for (key, hash) in rows {
                out.push_str(&format!("{} = \"{}\"\n", quoted(key), digits(hash)));
            }
        }
        out
    }

    /// Adds the rows of a language. A key with dots can be written without quotes, so that it is a table of tables.
    fn add(&mut self, language: &Arc<str>, rows: Value) {
        let mut left = vec![(String::new(), rows)];
        while let Some((key, value)) = left.pop() {
            let hash = match value {
                Value::Table(rows) => {
                    left.extend(rows.into_iter().map(|(name, value)| {
                        let name = match &*key {
                            "" => name,
                            parent => [parent, ".", &name].concat(),
                        };
                        (name, value)
                    }));
                    continue;
                }
                Value::String(hash) => parse_checksum(&hash),
                _ => None,
            };
            match hash.filter(|_| !key.is_empty()) {
                Some(hash) => {
                    let rows = Arc::make_mut(&mut self.rows);
                    let of_key = rows.entry(key.into()).or_default();
                    of_key.insert(language.clone(), hash);
                }
                None if self.errors.len() < MAX_ERRORS => self.errors.push(format!(
                    "{language} {key:?} has no hash: write the lines that gitglot review --format toml prints"
                )),
                None => {}
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_name_language_key_and_hash() {
        let hash = review_hash("Open");
        let text = format!(
            "[de]\nmenu.open = \"{hash}\"\n\"a b\" = \"{hash}\"\n[pt-BR]\n\"menu.open\" = \"{hash}\"\nx = 3\n"
        );
        let file = ReviewedFile::parse(text.as_bytes());
        let row = |key: &str, code: &str| file.rows.get(key)?.get(code).copied();
        for (key, code) in [("menu.open", "de"), ("a b", "de"), ("menu.open", "pt_BR")] {
            assert_eq!(row(key, code), Some(hash_of("Open")), "{key} {code}");
        }
        assert_eq!(file.errors.len(), 1);
        assert_eq!(ReviewedFile::parse(file.text().as_bytes()).rows, file.rows);
        assert!(file.errors[0].starts_with("pt_BR \"x\" has no hash"));
    }

    #[test]
    fn keys_are_quoted_where_toml_needs_it() {
        let mut file = ReviewedFile::default();
        for key in ["plain", "a.b", "\"\\\n\u{7f}", "žluť"] {
            file.add_row("de", key, "Open");
        }
        let text = file.text();
        assert!(
            text.starts_with("[de]\n\"\\\"\\\\\\u000A\\u007F\" = \""),
            "{text}"
        );
        let again = ReviewedFile::parse(text.as_bytes());
        assert_eq!((again.rows, again.errors), (file.rows, file.errors));
    }

    #[test]
    fn a_file_that_cannot_be_read_has_an_error() {
        for (bytes, start) in [
            (&b"[de"[..], "it is not TOML"),
            (b"\xff", "it is not UTF-8"),
            (&[b'#'; MAX_BYTES + 1], "it is larger than 1 MB"),
            (b"de = 1", "de \"\" has no hash"),
        ] {
            let file = ReviewedFile::parse(bytes);
            assert!(file.rows.is_empty());
            assert!(file.errors[0].starts_with(start), "{:?}", file.errors);
        }
    }
}
