//! Objects as schemas of the OpenAPI document. The derive macro of poem-openapi also generates code that reads and writes
//! the objects in three formats, which takes long to compile and is never called.

use std::borrow::Cow;

use poem_openapi::registry::{MetaSchema, MetaSchemaRef, Registry};
use poem_openapi::types::Type;
use serde_json::{Map, Value};

/// A type that describes a JSON object.
pub(crate) trait ObjectSchema: Type + SchemaExample {
    /// What the object is.
    const ABOUT: &'static str;
    /// A value; all values have the same example.
    const EXAMPLE: Self;

    /// The name of the schema.
    fn title() -> Cow<'static, str>;

    /// The fields in their order.
    fn fields() -> Vec<FieldSchema>;
}

/// A field of an object.
pub(crate) struct FieldSchema {
    name: &'static str,
    about: &'static str,
    schema: MetaSchemaRef,
    register: fn(&mut Registry),
    is_required: bool,
    example: Value,
}

impl FieldSchema {
    /// A field of the type `T`.
    pub(crate) fn new<T: Type + SchemaExample>(
        name: &'static str,
        about: &'static str,
        example: T,
    ) -> Self {
        Self {
            name,
            about,
            schema: T::schema_ref(),
            register: T::register,
            is_required: T::IS_REQUIRED,
            example: example.to_value(),
        }
    }
}

/// The example of an object. It lacks optional fields without a value.
pub(crate) fn example(fields: Vec<FieldSchema>) -> Value {
    let fields = fields
        .into_iter()
        .filter(|field| field.is_required || !field.example.is_null())
        .map(|field| (field.name.to_owned(), field.example));
    Value::Object(fields.collect::<Map<_, _>>())
}

/// Adds the schema of an object, and those of its fields.
pub(crate) fn register<T: ObjectSchema>(registry: &mut Registry) {
    let name = T::title().into_owned();
    registry.create_schema::<T, _>(name.clone(), |registry| {
        meta_schema(registry, name, T::ABOUT, T::fields())
    });
}

fn meta_schema(
    registry: &mut Registry,
    name: String,
    about: &'static str,
    fields: Vec<FieldSchema>,
) -> MetaSchema {
    let mut schema = MetaSchema {
        title: Some(name),
        description: Some(about.trim()),
        ..MetaSchema::new("object")
    };
    for field in &fields {
        (field.register)(registry);
        let about = MetaSchema {
            description: Some(field.about.trim()),
            ..MetaSchema::ANY
        };
        schema
            .properties
            .push((field.name, field.schema.clone().merge(about)));
        if field.is_required {
            schema.required.push(field.name);
        }
    }
    schema.example = Some(example(fields));
    schema
}

/// Implements [`Type`] and [`SchemaExample`] for an [`ObjectSchema`].
macro_rules! object_type {
    ($name:ident $(<$parameter:ident: $bound:ident>)?) => {
        impl $(<$parameter: $bound>)? poem_openapi::types::Type for $name $(<$parameter>)? {
            const IS_REQUIRED: bool = true;
            type RawValueType = Self;
            type RawElementValueType = Self;

            fn name() -> std::borrow::Cow<'static, str> {
                <Self as crate::api::schema::object::ObjectSchema>::title()
            }

            fn schema_ref() -> poem_openapi::registry::MetaSchemaRef {
                let name = <Self as crate::api::schema::object::ObjectSchema>::title();
                poem_openapi::registry::MetaSchemaRef::Reference(name.into_owned())
            }

            fn register(registry: &mut poem_openapi::registry::Registry) {
                crate::api::schema::object::register::<Self>(registry);
            }

            fn as_raw_value(&self) -> Option<&Self> {
                Some(self)
            }

            fn raw_element_iter<'a>(&'a self) -> Box<dyn Iterator<Item = &'a Self> + 'a> {
                Box::new(std::iter::once(self))
            }
        }

        impl $(<$parameter: $bound>)? crate::api::schema::object::SchemaExample
            for $name $(<$parameter>)?
        {
            fn to_value(&self) -> serde_json::Value {
                crate::api::schema::object::example(
                    <Self as crate::api::schema::object::ObjectSchema>::fields(),
                )
            }
        }
    };
}
pub(crate) use object_type;

/// Declares the type of an object: its fields in their order, each with an example.
macro_rules! schema {
    (
        #[doc = $about:literal]
        $name:ident { $(#[doc = $field_about:literal] $field:ident: $type:ty = $example:expr,)* }
    ) => {
        #[doc = $about]
        pub(crate) struct $name;

        impl crate::api::schema::object::ObjectSchema for $name {
            const ABOUT: &'static str = $about;
            const EXAMPLE: Self = Self;

            fn title() -> std::borrow::Cow<'static, str> {
                stringify!($name).into()
            }

            fn fields() -> Vec<crate::api::schema::object::FieldSchema> {
                vec![$(
                    crate::api::schema::object::FieldSchema::new::<$type>(
                        stringify!($field),
                        $field_about,
                        $example,
                    ),
                )*]
            }
        }

        crate::api::schema::object::object_type!($name);
    };
}
pub(crate) use schema;

/// Declares a type twice: with the object that it belongs to, and without it for lists of that object.
macro_rules! with_and_without {
    (
        #[doc = $about:literal] $with:ident, $without:ident,
        { $(#[doc = $before_about:literal] $before:ident: $before_type:ty = $before_example:expr,)* }
        #[doc = $owner_about:literal] $owner:ident: $owner_type:ident,
        { $(#[doc = $after_about:literal] $after:ident: $after_type:ty = $after_example:expr,)* }
    ) => {
        crate::api::schema::object::schema! {
            #[doc = $about] $with {
                $(#[doc = $before_about] $before: $before_type = $before_example,)*
                #[doc = $owner_about] $owner: $owner_type = $owner_type,
                $(#[doc = $after_about] $after: $after_type = $after_example,)*
            }
        }
        crate::api::schema::object::schema! {
            #[doc = $about] $without {
                $(#[doc = $before_about] $before: $before_type = $before_example,)*
                $(#[doc = $after_about] $after: $after_type = $after_example,)*
            }
        }
    };
}
pub(crate) use with_and_without;

/// A value of an example.
pub(crate) trait SchemaExample {
    /// The value as JSON.
    fn to_value(&self) -> Value;
}

macro_rules! json_values {
    ($($type:ty),*) => {
        $(impl SchemaExample for $type {
            fn to_value(&self) -> Value {
                self.clone().into()
            }
        })*
    };
}
json_values!(bool, i64, f64, String);

impl<T: SchemaExample> SchemaExample for Option<T> {
    fn to_value(&self) -> Value {
        self.as_ref().map_or(Value::Null, T::to_value)
    }
}

impl<T: SchemaExample> SchemaExample for Vec<T> {
    fn to_value(&self) -> Value {
        self.iter().map(T::to_value).collect()
    }
}
