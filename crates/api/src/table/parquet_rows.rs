//! Rows as Apache Parquet (docs/spec/http.md#parquet). Rows are buffered until they fill a row group, so the memory that
//! a table needs does not depend on its length.

use std::io;
use std::mem::take;
use std::ops::Range;
use std::sync::Arc;

use chrono::DateTime;
use parquet::basic::{Compression, ZstdLevel};
use parquet::column::writer::ColumnWriter;
use parquet::data_type::ByteArray;
use parquet::errors::ParquetError;
use parquet::file::metadata::KeyValue;
use parquet::file::properties::{EnabledStatistics, WriterProperties};
use parquet::file::writer::{SerializedColumnWriter, SerializedFileWriter};
use parquet::schema::parser::parse_message_type;
use parquet::schema::types::ColumnPath;

use super::{Cell, Column, ColumnKind, RowEncoder, Table};

/// The most rows of a row group.
const MAX_ROWS: usize = 1 << 15;
/// A row group ends when its texts have this size, in bytes.
const MAX_TEXT: usize = 4 << 20;
/// Zstd level, up to 22.
const ZSTD_LEVEL: i32 = 1;
/// Definition level of a value, or of an empty list.
const DEFINED: i16 = 1;
/// Definition level of an element of a list.
const ELEMENT: i16 = 2;

pub(super) struct ParquetRows {
    writer: SerializedFileWriter<Vec<u8>>,
    columns: Vec<ColumnBuffer>,
    rows: usize,
    text: usize,
}

/// The values of a column in the current row group.
struct ColumnBuffer {
    name: String,
    values: RowValues,
    definition_levels: Vec<i16>,
    /// Empty unless values are lists.
    repetition_levels: Vec<i16>,
}

/// The values of a column that are not null.
enum RowValues {
    Booleans(Vec<bool>),
    Integers(Vec<i64>),
    Numbers(Vec<f64>),
    Texts(TextBuffer),
    /// In microseconds since 1970.
    Times(Vec<i64>),
    Lists(TextBuffer),
}

impl ParquetRows {
    /// A writer of a table. `properties` are names and values for the metadata of the file.
    pub fn new(table: &Table, properties: &[(&str, String)]) -> io::Result<Self> {
        let schema = parse_message_type(&message_type(table.columns())).map_err(failed)?;
        let properties = writer_properties(table, properties)?;
        let writer = SerializedFileWriter::new(Vec::new(), Arc::new(schema), Arc::new(properties))
            .map_err(failed)?;
        Ok(Self {
            writer,
            columns: table.columns().iter().map(ColumnBuffer::new).collect(),
            rows: 0,
            text: 0,
        })
    }

    fn write_row_group(&mut self) -> Result<(), ParquetError> {
        if self.rows == 0 {
            return Ok(());
        }
        (self.rows, self.text) = (0, 0);
        let mut group = self.writer.next_row_group()?;
        for buffer in &mut self.columns {
            let Some(mut column) = group.next_column()? else {
                return Err(ParquetError::General("a column is missing".to_owned()));
            };
            buffer.write(&mut column)?;
            column.close()?;
        }
        group.close()?;
        Ok(())
    }
}

impl RowEncoder for ParquetRows {
    fn row(&mut self, cells: &[Cell<'_>]) -> io::Result<()> {
        for (column, cell) in self.columns.iter_mut().zip(cells) {
            self.text += column.push(cell)?;
        }
        self.rows += 1;
        if self.rows >= MAX_ROWS || self.text >= MAX_TEXT {
            self.write_row_group().map_err(failed)?;
        }
        Ok(())
    }

    fn drain(&mut self, out: &mut Vec<u8>, is_complete: bool) -> io::Result<()> {
        if is_complete {
            self.write_row_group()
                .and_then(|()| self.writer.finish())
                .map_err(failed)?;
        }
        self.writer.flush()?;
        let bytes = self.writer.inner_mut();
        out.extend_from_slice(bytes);
        bytes.clear();
        Ok(())
    }
}

impl ColumnBuffer {
    fn new(column: &Column) -> Self {
        Self {
            name: column.name.clone(),
            values: match column.kind {
                ColumnKind::Boolean => RowValues::Booleans(Vec::new()),
                ColumnKind::Integer => RowValues::Integers(Vec::new()),
                ColumnKind::Number => RowValues::Numbers(Vec::new()),
                ColumnKind::Text | ColumnKind::Json => RowValues::Texts(TextBuffer::default()),
                ColumnKind::Time => RowValues::Times(Vec::new()),
                ColumnKind::Texts => RowValues::Lists(TextBuffer::default()),
            },
            definition_levels: Vec::new(),
            repetition_levels: Vec::new(),
        }
    }

    /// Adds a value; returns how much memory its text takes, in bytes.
    fn push(&mut self, cell: &Cell<'_>) -> io::Result<usize> {
        let mut text_size = 0;
        let mut level = DEFINED;
        match (&mut self.values, cell) {
            (RowValues::Lists(all), Cell::Texts(texts)) => {
                for (at, text) in texts.iter().enumerate() {
                    text_size += all.push(text);
                    self.definition_levels.push(ELEMENT);
                    self.repetition_levels.push(i16::from(at > 0));
                }
                if texts.is_empty() {
                    self.definition_levels.push(DEFINED);
                    self.repetition_levels.push(0);
                }
                return Ok(text_size);
            }
            (_, Cell::Null) => level = 0,
            (RowValues::Booleans(all), Cell::Boolean(value)) => all.push(*value),
            (RowValues::Integers(all), Cell::Integer(value)) => all.push(*value),
            (RowValues::Numbers(all), Cell::Number(value)) => all.push(*value),
            (RowValues::Numbers(all), Cell::Integer(value)) => all.push(*value as f64),
            (RowValues::Texts(all), Cell::Text(text)) => text_size = all.push(text),
            (RowValues::Times(all), Cell::Text(text)) => all.push(
                DateTime::parse_from_rfc3339(text)
                    .map_err(io::Error::other)?
                    .timestamp_micros(),
            ),
            (_, other) => {
                let message = format!("the column {} has the value {other:?}", self.name);
                return Err(io::Error::other(message));
            }
        }
        self.definition_levels.push(level);
        if let RowValues::Lists(_) = self.values {
            self.repetition_levels.push(0);
        }
        Ok(text_size)
    }

    /// Writes all values to a row group and removes them.
    fn write(&mut self, column: &mut SerializedColumnWriter<'_>) -> Result<(), ParquetError> {
        let defined = Some(&*self.definition_levels);
        match (&mut self.values, column.untyped()) {
            (RowValues::Booleans(all), ColumnWriter::BoolColumnWriter(writer)) => {
                writer.write_batch(&take(all), defined, None)
            }
            (
                RowValues::Integers(all) | RowValues::Times(all),
                ColumnWriter::Int64ColumnWriter(writer),
            ) => writer.write_batch(&take(all), defined, None),
            (RowValues::Numbers(all), ColumnWriter::DoubleColumnWriter(writer)) => {
                writer.write_batch(&take(all), defined, None)
            }
            (RowValues::Texts(all), ColumnWriter::ByteArrayColumnWriter(writer)) => {
                writer.write_batch(&byte_arrays(all), defined, None)
            }
            (RowValues::Lists(all), ColumnWriter::ByteArrayColumnWriter(writer)) => {
                let repeated = Some(&*self.repetition_levels);
                writer.write_batch(&byte_arrays(all), defined, repeated)
            }
            _ => {
                let message = format!("the column {} has a different type", self.name);
                Err(ParquetError::General(message))
            }
        }?;
        self.definition_levels.clear();
        self.repetition_levels.clear();
        Ok(())
    }
}

/// How a file is written. `metadata` are names and values for its metadata.
fn writer_properties(table: &Table, metadata: &[(&str, String)]) -> io::Result<WriterProperties> {
    let level = ZstdLevel::try_new(ZSTD_LEVEL).map_err(failed)?;
    let metadata = metadata.iter();
    let metadata = metadata.map(|(name, value)| KeyValue::new((*name).to_owned(), value.clone()));
    let mut properties = WriterProperties::builder()
        .set_created_by(concat!("gitglot ", env!("CARGO_PKG_VERSION")).to_owned())
        .set_compression(Compression::ZSTD(level))
        // The metadata of all row groups stays in memory until the end of the file: no indexes of pages, and no
        // smallest and largest texts.
        .set_statistics_enabled(EnabledStatistics::None)
        .set_offset_index_disabled(true)
        .set_key_value_metadata(Some(metadata.collect()));
    for Column { name, kind, .. } in table.columns() {
        if matches!(kind, ColumnKind::Integer | ColumnKind::Time) {
            let path = ColumnPath::from(name.clone());
            properties = properties.set_column_statistics_enabled(path, EnabledStatistics::Chunk);
        }
    }
    Ok(properties.build())
}

/// The texts of a buffer, which share its memory.
fn byte_arrays(texts: &mut TextBuffer) -> Vec<ByteArray> {
    let (bytes, ranges) = texts.take();
    let bytes = hyper::body::Bytes::from(bytes);
    ranges
        .map(|range| ByteArray::from(bytes.slice(range)))
        .collect()
}

/// The schema of a file in the language of Parquet.
fn message_type(columns: &[Column]) -> String {
    let fields = columns.iter().map(|Column { name, kind, .. }| match kind {
        ColumnKind::Boolean => format!("OPTIONAL BOOLEAN {name};"),
        ColumnKind::Integer => format!("OPTIONAL INT64 {name};"),
        ColumnKind::Number => format!("OPTIONAL DOUBLE {name};"),
        ColumnKind::Text | ColumnKind::Json => format!("OPTIONAL BYTE_ARRAY {name} (UTF8);"),
        ColumnKind::Time => format!("OPTIONAL INT64 {name} (TIMESTAMP(MICROS,true));"),
        ColumnKind::Texts => format!(
            "OPTIONAL GROUP {name} (LIST) {{ REPEATED GROUP list {{ REQUIRED BYTE_ARRAY element (UTF8); }} }}"
        ),
    });
    format!("message row {{ {} }}", fields.collect::<String>())
}

fn failed(error: ParquetError) -> io::Error {
    io::Error::other(error)
}

/// Texts, one after the other. A text that equals the one before it takes no memory.
#[derive(Default, Debug)]
pub(super) struct TextBuffer {
    bytes: Vec<u8>,
    /// The range of each text. Buffers are much smaller than 4 GiB.
    ranges: Vec<Range<u32>>,
}

impl TextBuffer {
    /// Adds a text; returns how much memory it takes, in bytes.
    pub(super) fn push(&mut self, text: &str) -> usize {
        let last = self.ranges.last().cloned();
        if let Some(last) =
            last.filter(|last| self.bytes.get(indexes(last)) == Some(text.as_bytes()))
        {
            self.ranges.push(last);
            return 0;
        }
        let start = self.bytes.len() as u32;
        self.bytes.extend_from_slice(text.as_bytes());
        self.ranges.push(start..self.bytes.len() as u32);
        text.len()
    }

    /// The bytes of all texts, and the range of each.
    pub(super) fn take(&mut self) -> (Vec<u8>, impl Iterator<Item = Range<usize>> + use<>) {
        let ranges = std::mem::take(&mut self.ranges);
        (
            std::mem::take(&mut self.bytes),
            ranges.into_iter().map(|range| indexes(&range)),
        )
    }
}

fn indexes(range: &Range<u32>) -> Range<usize> {
    range.start as usize..range.end as usize
}

#[cfg(test)]
mod tests {
    use parquet::file::reader::{FileReader, SerializedFileReader};
    use parquet::record::Field;

    use super::*;
    use crate::views;

    /// The rows of a file as JSON.
    fn rows(file: Vec<u8>) -> Vec<Vec<(String, Field)>> {
        let reader = SerializedFileReader::new(hyper::body::Bytes::from(file)).unwrap();
        let rows = reader.get_row_iter(None).unwrap();
        rows.map(|row| {
            let row = row.unwrap();
            let columns = row.get_column_iter();
            columns
                .map(|(name, value)| (name.clone(), value.clone()))
                .collect()
        })
        .collect()
    }

    fn file(table: &Table, objects: &[&str]) -> Vec<u8> {
        let mut parquet = ParquetRows::new(table, &[("ledger", "abc".to_owned())]).unwrap();
        let mut out = Vec::new();
        for object in objects {
            parquet
                .row(&table.cells(object.as_bytes()).unwrap())
                .unwrap();
            parquet.drain(&mut out, false).unwrap();
        }
        parquet.drain(&mut out, true).unwrap();
        out
    }

    #[test]
    fn values_lists_and_nulls_can_be_read_back() {
        let table = Table::of(&views::Unit::object(), true);
        let objects = [
            r#"{"id":-7,"target":"\u00e9","fuzzy":true,"details":{"checks":["a","b"]}}"#,
            r#"{"id":8,"target":null,"fuzzy":false,"details":{"checks":[]}}"#,
            r#"{"id":9,"target":"","details":{"checks":["a"]}}"#,
        ];
        let found = rows(file(&table, &objects));
        let shown: Vec<String> = found
            .iter()
            .map(|row| {
                let value = |wanted: &str| {
                    row.iter()
                        .find(|(name, _)| name == wanted)
                        .map_or(String::new(), |(_, field)| field.to_string())
                };
                ["id", "target", "fuzzy", "details_checks"]
                    .map(value)
                    .join(" ")
            })
            .collect();
        assert_eq!(
            shown,
            [
                "-7 \"é\" true [\"a\", \"b\"]",
                "8 null false []",
                "9 \"\" null [\"a\"]"
            ]
        );
        let names: Vec<_> = found[0].iter().map(|(name, _)| name).collect();
        let columns: Vec<_> = table.columns().iter().map(|column| &column.name).collect();
        assert_eq!(names, columns);
    }

    #[test]
    fn times_are_instants_and_files_can_be_empty() {
        let table = Table::of(&views::Change::object(), true);
        let object = r#"{"timestamp":"2019-01-20T18:39:20.082366Z",
            "details":{"commit":{"author_time":"2019-01-20T19:35:00+01:00"}}}"#;
        let found = rows(file(&table, &[object]));
        let time = |wanted: &str| {
            found[0]
                .iter()
                .find(|(name, _)| name == wanted)
                .map(|(_, field)| field.clone())
        };
        assert_eq!(
            time("timestamp"),
            Some(Field::TimestampMicros(1_548_009_560_082_366))
        );
        assert_eq!(
            time("details_commit_author_time"),
            Some(Field::TimestampMicros(1_548_009_300_000_000))
        );
        assert_eq!(rows(file(&table, &[])), Vec::<Vec<_>>::new());
    }

    #[test]
    fn row_groups_are_bounded_by_rows_and_by_text() {
        let table = Table::of(&views::User::object(), false);
        let mut parquet = ParquetRows::new(&table, &[]).unwrap();
        let mut out = Vec::new();
        let long = "x".repeat(1 << 20);
        for id in 0..MAX_ROWS as i64 + 9 {
            let name = Cell::Text(if id < 8 {
                format!("{id}{long}").into()
            } else {
                "y".into()
            });
            let cells = [Cell::Integer(id), name, Cell::Null, Cell::Null];
            parquet.row(&cells).unwrap();
            parquet.drain(&mut out, false).unwrap();
            assert!(parquet.rows < MAX_ROWS && parquet.text < MAX_TEXT);
        }
        parquet.drain(&mut out, true).unwrap();
        let reader = SerializedFileReader::new(hyper::body::Bytes::from(out)).unwrap();
        let groups = reader.metadata().row_groups();
        let sizes: Vec<_> = groups.iter().map(|group| group.num_rows()).collect();
        assert_eq!(sizes, [4, 4, MAX_ROWS as i64, 1]);
    }

    #[test]
    fn a_value_of_a_different_type_is_an_error() {
        let table = Table::of(&views::User::object(), false);
        let mut parquet = ParquetRows::new(&table, &[]).unwrap();
        let text = Cell::Text("7".into());
        assert!(parquet.row(&[text]).is_err());
    }

    #[test]
    fn a_repeated_text_is_stored_once() {
        let mut buffer = TextBuffer::default();
        let sizes = ["ab", "ab", "", "c", "ab"].map(|text| buffer.push(text));
        assert_eq!(sizes, [2, 0, 0, 1, 2]);
        let (bytes, ranges) = buffer.take();
        let texts: Vec<_> = ranges.map(|range| &bytes[range]).collect();
        assert_eq!(texts, [&b"ab"[..], b"ab", b"", b"c", b"ab"]);
        assert_eq!(bytes, b"abcab");
    }
}
