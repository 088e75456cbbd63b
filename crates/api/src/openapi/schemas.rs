//! The schemas of bodies in the document.

use poem_openapi::registry::{MetaSchema, MetaSchemaRef, Registry};

use crate::schema::{FieldSchema, ObjectSchema, Presence, ValueKind};

/// Adds an object and the schemas that it refers to; returns a reference to it.
pub(super) fn register(registry: &mut Registry, object: &ObjectSchema) {
    if registry.schemas.contains_key(&object.name) {
        return;
    }
    let required = object.fields.iter();
    let required = required.filter(|field| field.presence != Presence::Optional);
    let properties = object.fields.iter();
    let properties = properties.map(|field| (field.name, described(field)));
    let schema = MetaSchema {
        title: Some(object.name.clone()),
        description: Some(object.about),
        required: required.map(|field| field.name).collect(),
        properties: properties.collect(),
        example: Some(object.example()),
        ..MetaSchema::new("object")
    };
    registry.schemas.insert(object.name.clone(), schema);
    for field in &object.fields {
        register_value(registry, &field.kind);
    }
}

fn register_value(registry: &mut Registry, kind: &ValueKind) {
    match kind {
        ValueKind::Object(object) => register(registry, object),
        ValueKind::List(item) => register_value(registry, item),
        ValueKind::Choice(choice) => {
            let schema = MetaSchema {
                description: Some(choice.about),
                enum_items: choice.values.iter().map(|value| (*value).into()).collect(),
                ..MetaSchema::new("string")
            };
            registry.schemas.insert(choice.name.to_owned(), schema);
        }
        _ => {}
    }
}

/// The schema of a field. A described reference is the only part of `allOf`.
fn described(field: &FieldSchema) -> MetaSchemaRef {
    let schema = match of_value(&field.kind) {
        MetaSchemaRef::Inline(schema) => *schema,
        reference => MetaSchema {
            all_of: vec![reference],
            ..MetaSchema::ANY
        },
    };
    inline(MetaSchema {
        description: Some(field.about),
        nullable: field.presence == Presence::Nullable,
        ..schema
    })
}

fn of_value(kind: &ValueKind) -> MetaSchemaRef {
    inline(match kind {
        ValueKind::Boolean => MetaSchema::new("boolean"),
        ValueKind::Integer => MetaSchema::new_with_format("integer", "int64"),
        ValueKind::Number => MetaSchema::new_with_format("number", "double"),
        ValueKind::AnyObject => MetaSchema::new("object"),
        ValueKind::Text => MetaSchema::new("string"),
        ValueKind::Link => MetaSchema::new_with_format("string", "uri"),
        ValueKind::Time => MetaSchema::new_with_format("string", "date-time"),
        ValueKind::Choice(choice) => return MetaSchemaRef::Reference(choice.name.to_owned()),
        ValueKind::Object(object) => return reference(object),
        ValueKind::List(item) => array(of_value(item)),
    })
}

pub(super) fn reference(object: &ObjectSchema) -> MetaSchemaRef {
    MetaSchemaRef::Reference(object.name.clone())
}

pub(super) fn array(items: MetaSchemaRef) -> MetaSchema {
    MetaSchema {
        items: Some(Box::new(items)),
        ..MetaSchema::new("array")
    }
}

pub(super) fn inline(schema: MetaSchema) -> MetaSchemaRef {
    MetaSchemaRef::Inline(Box::new(schema))
}
