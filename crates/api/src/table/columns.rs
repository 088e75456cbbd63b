//! The columns of a table, from a schema type.

use crate::profile::Profile;
use crate::schema::{ObjectSchema, Presence, ValueKind};

/// The columns of a list, and the fields of its objects that they contain.
#[derive(Default, Debug)]
pub(crate) struct Table {
    pub(super) fields: Vec<Field>,
    pub(super) columns: Vec<Column>,
}

#[derive(PartialEq, Eq, Debug)]
pub(crate) struct Column {
    /// The name of the field; in nested objects with the names of the outer fields as prefix. A name that an outer object
    /// has, too, gets a second underscore.
    pub(crate) name: String,
    pub(crate) kind: ColumnKind,
    pub(crate) nullable: bool,
    /// The description of the field in the OpenAPI document.
    pub(crate) about: &'static str,
}

/// The type of the values of a column.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum ColumnKind {
    Boolean,
    /// A 64-bit integer.
    Integer,
    Number,
    Text,
    /// A point in time.
    Time,
    /// A list of texts.
    Texts,
    /// A list of objects, as JSON.
    Json,
}

#[derive(Debug)]
pub(super) struct Field {
    pub(super) name: &'static str,
    pub(super) content: FieldContent,
}

#[derive(Debug)]
pub(super) enum FieldContent {
    /// The value of the column with this index.
    Column(usize),
    /// The JSON of the column with this index.
    Json(usize),
    Object(Vec<Field>),
}

impl Table {
    /// The columns of a list of `entry`. Optional fields are included only if `with_details`.
    pub(crate) fn of(entry: &ObjectSchema, with_details: bool) -> Self {
        let mut table = Self::default();
        table.fields = table.add(entry, "", false, &[], with_details);
        table
    }

    pub(crate) fn columns(&self) -> &[Column] {
        &self.columns
    }

    /// Adds the columns of an object; returns its fields. `taken` are the names of the fields of outer objects.
    fn add(
        &mut self,
        object: &ObjectSchema,
        prefix: &str,
        is_nullable: bool,
        taken: &[String],
        with_details: bool,
    ) -> Vec<Field> {
        // Tables are representations of the API of 3.4.
        let fields_of_legacy = || {
            let all = object.fields.iter();
            all.filter(|field| field.profiles.contain(Profile::Legacy))
        };
        let own = fields_of_legacy().map(|field| [prefix, field.name].concat());
        let inner: Vec<String> = taken.iter().cloned().chain(own).collect();
        let mut fields = Vec::new();
        for field in fields_of_legacy() {
            if field.presence == Presence::Optional && !with_details {
                continue;
            }
            let nullable = is_nullable || field.presence == Presence::Nullable;
            let mut full = [prefix, field.name].concat();
            if taken.contains(&full) {
                full = [prefix, "_", field.name].concat();
            }
            let content = match &field.kind {
                ValueKind::Object(object) => {
                    let prefix = [&full, "_"].concat();
                    let fields = self.add(object, &prefix, nullable, &inner, with_details);
                    FieldContent::Object(fields)
                }
                kind => {
                    let kind = ColumnKind::of(kind);
                    let index = self.columns.len();
                    self.columns.push(Column {
                        name: full,
                        kind,
                        nullable,
                        about: field.about,
                    });
                    match kind {
                        ColumnKind::Json => FieldContent::Json(index),
                        _ => FieldContent::Column(index),
                    }
                }
            };
            fields.push(Field {
                name: field.name,
                content,
            });
        }
        fields
    }
}

impl ColumnKind {
    fn of(kind: &ValueKind) -> Self {
        match kind {
            ValueKind::Boolean => Self::Boolean,
            ValueKind::Integer => Self::Integer,
            ValueKind::Number => Self::Number,
            ValueKind::Time => Self::Time,
            ValueKind::List(item) if matches!(**item, ValueKind::Object(_)) => Self::Json,
            ValueKind::List(_) => Self::Texts,
            _ => Self::Text,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::views;

    #[test]
    fn nested_objects_become_columns_with_a_prefix() {
        let table = Table::of(&views::Change::object(), true);
        let shown: Vec<String> = table
            .columns()
            .iter()
            .map(|column| {
                let null = if column.nullable { "?" } else { "" };
                format!("{} {:?}{null}", column.name, column.kind)
            })
            .collect();
        for column in [
            "unit Text?",
            "user Integer?",
            "timestamp Time",
            "action Integer",
            "details_id Integer",
            "details_key Text?",
            "details_commit_id Text",
            "details_commit_author_time Time",
        ] {
            assert!(shown.iter().any(|known| known == column), "{shown:#?}");
        }
        assert_eq!(
            Table::of(&views::Change::object(), false).columns().len(),
            12
        );
        let about = table.columns().iter().map(|column| column.about);
        assert!(about.clone().all(|about| !about.is_empty()), "{shown:?}");
    }

    #[test]
    fn lists_and_named_values_have_types() {
        let kind = |table: &Table, name: &str| {
            table
                .columns()
                .iter()
                .find(|column| column.name == name)
                .map(|column| column.kind)
        };
        let units = Table::of(&views::Unit::object(), true);
        assert_eq!(kind(&units, "details_checks"), Some(ColumnKind::Texts));
        assert_eq!(kind(&units, "fuzzy"), Some(ColumnKind::Boolean));
        let checks = Table::of(&views::FailingCheck::object(), false);
        assert_eq!(kind(&checks, "highlights"), Some(ColumnKind::Json));
        let translations = Table::of(&views::Translation::object(), false);
        assert_eq!(
            kind(&translations, "component_project_source_language_direction"),
            Some(ColumnKind::Text)
        );
        let mut names: Vec<_> = translations
            .columns()
            .iter()
            .map(|column| &column.name)
            .collect();
        assert!(names.contains(&&"language__code".to_owned()), "{names:?}");
        names.sort();
        names.dedup();
        assert_eq!(names.len(), translations.columns().len());
        assert_eq!(
            kind(&translations, "translated_percent"),
            Some(ColumnKind::Number)
        );
    }
}
