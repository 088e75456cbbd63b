//! Splits JSON objects into the cells of a row, without intermediate values.

use std::borrow::Cow;
use std::fmt;

use serde::de::{DeserializeSeed, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::Deserializer;

use super::columns::{Field, FieldContent, Table};

#[derive(Clone, PartialEq, Default, Debug)]
pub(crate) enum Cell<'a> {
    #[default]
    Null,
    Boolean(bool),
    Integer(i64),
    Number(f64),
    Text(Cow<'a, str>),
    Texts(Vec<Cow<'a, str>>),
}

impl Table {
    /// The cells of an object, in the order of the columns. Columns without a field are null.
    ///
    /// # Errors
    /// If `object` is not a JSON object.
    pub(crate) fn cells<'a>(&self, object: &'a [u8]) -> serde_json::Result<Vec<Cell<'a>>> {
        let mut cells = vec![Cell::Null; self.columns.len()];
        let fields = Fields {
            fields: &self.fields,
            cells: &mut cells,
        };
        fields.deserialize(&mut Deserializer::from_slice(object))?;
        Ok(cells)
    }
}

/// The fields of an object, to be read into cells.
struct Fields<'t, 'r, 'a> {
    fields: &'t [Field],
    cells: &'r mut [Cell<'a>],
}

impl<'de> DeserializeSeed<'de> for Fields<'_, '_, 'de> {
    type Value = ();

    fn deserialize<D: serde::Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Fields<'_, '_, 'de> {
    type Value = ();

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("an object or null")
    }

    fn visit_unit<E>(self) -> Result<(), E> {
        Ok(())
    }

    fn visit_map<M: MapAccess<'de>>(self, mut map: M) -> Result<(), M::Error> {
        // Objects have all fields in the order of the schema.
        let mut next = 0;
        while let Some(name) = map.next_key::<&'de str>()? {
            let is_named = |field: &Field| field.name == name;
            let found = if self.fields.get(next).is_some_and(is_named) {
                Some(next)
            } else {
                self.fields.iter().position(is_named)
            };
            let Some((at, field)) = found.and_then(|at| Some((at, self.fields.get(at)?))) else {
                map.next_value::<IgnoredAny>()?;
                continue;
            };
            next = at + 1;
            let (column, cell) = match &field.content {
                FieldContent::Column(column) => (*column, map.next_value_seed(CellSeed)?),
                FieldContent::Json(column) => {
                    let json = map.next_value::<serde_json::Value>()?.to_string();
                    (*column, Cell::Text(json.into()))
                }
                FieldContent::Object(fields) => {
                    let cells = &mut *self.cells;
                    map.next_value_seed(Fields { fields, cells })?;
                    continue;
                }
            };
            self.cells[column] = cell;
        }
        Ok(())
    }
}

/// A value that becomes a cell.
struct CellSeed;

impl<'de> DeserializeSeed<'de> for CellSeed {
    type Value = Cell<'de>;

    fn deserialize<D: serde::Deserializer<'de>>(
        self,
        deserializer: D,
    ) -> Result<Cell<'de>, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for CellSeed {
    type Value = Cell<'de>;

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("a value or a list of texts")
    }

    fn visit_unit<E>(self) -> Result<Cell<'de>, E> {
        Ok(Cell::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Cell<'de>, E> {
        Ok(Cell::Boolean(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Cell<'de>, E> {
        Ok(Cell::Integer(value))
    }

    fn visit_u64<E: serde::de::Error>(self, value: u64) -> Result<Cell<'de>, E> {
        i64::try_from(value).map(Cell::Integer).map_err(E::custom)
    }

    fn visit_f64<E>(self, value: f64) -> Result<Cell<'de>, E> {
        Ok(Cell::Number(value))
    }

    fn visit_borrowed_str<E>(self, value: &'de str) -> Result<Cell<'de>, E> {
        Ok(Cell::Text(value.into()))
    }

    fn visit_str<E>(self, value: &str) -> Result<Cell<'de>, E> {
        Ok(Cell::Text(value.to_owned().into()))
    }

    fn visit_seq<S: SeqAccess<'de>>(self, mut list: S) -> Result<Cell<'de>, S::Error> {
        let mut texts = Vec::new();
        while let Some(cell) = list.next_element_seed(Self)? {
            if let Cell::Text(text) = cell {
                texts.push(text);
            }
        }
        Ok(Cell::Texts(texts))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::views;

    fn cell<'a>(table: &Table, cells: &'a [Cell<'a>], name: &str) -> &'a Cell<'a> {
        let at = table
            .columns()
            .iter()
            .position(|column| column.name == name)
            .unwrap();
        &cells[at]
    }

    #[test]
    fn objects_become_cells_by_name() {
        let table = Table::of(&views::Unit::object(), true);
        let object = br#"{"translation":"a","target":"x\ny","id":7,"unknown":{"a":[1]},"fuzzy":true,"source":"b",
            "details":{"project":"p","checks":["one","t\"wo"]}}"#;
        let cells = table.cells(object).unwrap();
        assert_eq!(cells.len(), table.columns().len());
        for (name, expected) in [
            ("translation", Cell::Text("a".into())),
            ("target", Cell::Text("x\ny".into())),
            ("source", Cell::Text("b".into())),
            ("id", Cell::Integer(7)),
            ("fuzzy", Cell::Boolean(true)),
            ("comment", Cell::Null),
            ("details_project", Cell::Text("p".into())),
            (
                "details_checks",
                Cell::Texts(vec!["one".into(), "t\"wo".into()]),
            ),
        ] {
            assert_eq!(*cell(&table, &cells, name), expected, "{name}");
        }
        assert!(table.cells(b"[]").is_err());
        let table = Table::of(&views::FailingCheck::object(), false);
        let object = br#"{"set":"modern","highlights":[{"side":"source","form":0}]}"#;
        let cells = table.cells(object).unwrap();
        assert_eq!(
            *cell(&table, &cells, "highlights"),
            Cell::Text(r#"[{"side":"source","form":0}]"#.into())
        );
        assert!(table.cells(b"{\"id\":").is_err());
    }
}
