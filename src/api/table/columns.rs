//! The columns of a table, from a schema type.

use poem_openapi::registry::{MetaSchema, MetaSchemaRef, Registry};
use poem_openapi::types::Type;

/// The columns of a list, and the fields of its objects that they contain.
#[derive(Default, Debug)]
pub(crate) struct Table {
    pub(super) fields: Vec<Field>,
    pub(super) columns: Vec<Column>,
}

/// A column.
#[derive(PartialEq, Eq, Debug)]
pub(crate) struct Column {
    /// The name of the field; in nested objects with the names of the outer fields as prefix. A name that an outer object
    /// has, too, gets a second underscore.
    pub(crate) name: String,
    /// The type of its values.
    pub(crate) kind: ColumnKind,
    /// Whether values can be null.
    pub(crate) nullable: bool,
    /// The description of the field in the OpenAPI document.
    pub(crate) about: &'static str,
}

/// The type of the values of a column.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum ColumnKind {
    /// `true` or `false`.
    Boolean,
    /// A 64-bit integer.
    Integer,
    /// A floating-point number.
    Number,
    /// A text.
    Text,
    /// A point in time.
    Time,
    /// A list of texts.
    Texts,
    /// A list of objects, as JSON.
    Json,
}

/// A field of an object.
#[derive(Debug)]
pub(super) struct Field {
    pub(super) name: &'static str,
    pub(super) content: FieldContent,
}

/// The content of a field.
#[derive(Debug)]
pub(super) enum FieldContent {
    /// The value of the column with this index.
    Column(usize),
    /// The JSON of the column with this index.
    Json(usize),
    /// A nested object.
    Object(Vec<Field>),
}

/// Where an object is.
struct Scope<'a> {
    registry: &'a Registry,
    /// Whether optional fields are included.
    with_details: bool,
    /// The names of the fields of outer objects.
    taken: Vec<String>,
}

/// The schema of a field without its references.
struct Resolved<'a> {
    schema: &'a MetaSchema,
    nullable: bool,
    about: Option<&'static str>,
}

impl Table {
    /// The columns of a list of `T`. Optional fields are included only if `with_details`.
    pub(crate) fn of<T: Type>(with_details: bool) -> Self {
        let mut registry = Registry::new();
        T::register(&mut registry);
        let mut table = Self::default();
        if let Some(object) = resolve(&registry, &T::schema_ref()) {
            let scope = Scope {
                registry: &registry,
                with_details,
                taken: Vec::new(),
            };
            table.fields = table.add(&scope, &object, "");
        }
        table
    }

    /// The columns in their order.
    pub(crate) fn columns(&self) -> &[Column] {
        &self.columns
    }

    /// Adds the columns of an object; returns its fields.
    fn add(&mut self, scope: &Scope<'_>, object: &Resolved<'_>, prefix: &str) -> Vec<Field> {
        let mut fields = Vec::new();
        let own = object.schema.properties.iter();
        let own = own.map(|(name, _)| [prefix, name].concat());
        let inner = Scope {
            taken: scope.taken.iter().cloned().chain(own).collect(),
            ..*scope
        };
        for (name, reference) in &object.schema.properties {
            let is_optional = !object.schema.required.contains(name);
            let Some(mut field) = resolve(scope.registry, reference) else {
                continue;
            };
            if is_optional && !scope.with_details {
                continue;
            }
            field.nullable |= object.nullable;
            let mut full = [prefix, name].concat();
            if scope.taken.contains(&full) {
                full = [prefix, "_", name].concat();
            }
            let content = if field.schema.ty == "object" {
                let prefix = [&full, "_"].concat();
                FieldContent::Object(self.add(&inner, &field, &prefix))
            } else {
                let kind = kind(scope.registry, field.schema);
                let index = self.columns.len();
                self.columns.push(Column {
                    name: full,
                    kind,
                    nullable: field.nullable,
                    about: field.about.unwrap_or_default(),
                });
                match kind {
                    ColumnKind::Json => FieldContent::Json(index),
                    _ => FieldContent::Column(index),
                }
            };
            fields.push(Field { name, content });
        }
        fields
    }
}

/// The schema that a reference leads to. A reference with a description or null is the first part of `allOf`.
fn resolve<'a>(registry: &'a Registry, reference: &'a MetaSchemaRef) -> Option<Resolved<'a>> {
    match reference {
        MetaSchemaRef::Reference(name) => Some(Resolved {
            schema: registry.schemas.get(name)?,
            nullable: false,
            about: None,
        }),
        MetaSchemaRef::Inline(schema) => Some(Resolved {
            schema: match schema.all_of.first() {
                Some(part) => resolve(registry, part)?.schema,
                None => schema,
            },
            nullable: schema.nullable,
            about: schema.description,
        }),
    }
}

fn kind(registry: &Registry, schema: &MetaSchema) -> ColumnKind {
    let item = schema.items.as_deref();
    let item = item.and_then(|item| resolve(registry, item));
    match (schema.ty, schema.format) {
        ("array", _) if item.is_some_and(|item| item.schema.ty == "object") => ColumnKind::Json,
        ("boolean", _) => ColumnKind::Boolean,
        ("integer", _) => ColumnKind::Integer,
        ("number", _) => ColumnKind::Number,
        ("array", _) => ColumnKind::Texts,
        (_, Some("date-time")) => ColumnKind::Time,
        _ => ColumnKind::Text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::api::schema;

    #[test]
    fn nested_objects_become_columns_with_a_prefix() {
        let table = Table::of::<schema::Change>(true);
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
        assert_eq!(Table::of::<schema::Change>(false).columns().len(), 12);
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
        let units = Table::of::<schema::Unit>(true);
        assert_eq!(kind(&units, "details_checks"), Some(ColumnKind::Texts));
        assert_eq!(kind(&units, "fuzzy"), Some(ColumnKind::Boolean));
        let checks = Table::of::<schema::FailingCheck>(false);
        assert_eq!(kind(&checks, "highlights"), Some(ColumnKind::Json));
        let translations = Table::of::<schema::Translation>(false);
        assert_eq!(
            kind(&translations, "component_project_source_language_direction"),
            Some(ColumnKind::Text)
        );
        let mut names: Vec<_> = translations.columns().iter().map(|it| &it.name).collect();
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
