//! The schemas of bodies: objects, their fields, and the types of values. The types have no values themselves.
//!
//! The macro [`schema`] declares the fields of an object once, for the OpenAPI document, for tables and for JSON. The
//! declarations are in `views`. Must not depend on `views`.

use std::marker::PhantomData;

use serde_json::Value;

/// A JSON object.
pub(crate) struct ObjectSchema {
    /// The name in the document.
    pub(crate) name: String,
    /// A description of the object.
    pub(crate) about: &'static str,
    /// The fields in their order.
    pub(crate) fields: Vec<FieldSchema>,
}

/// A field of an object.
pub(crate) struct FieldSchema {
    pub(crate) name: &'static str,
    pub(crate) about: &'static str,
    pub(crate) kind: ValueKind,
    pub(crate) presence: Presence,
    pub(crate) example: Value,
}

/// The type of a value.
pub(crate) enum ValueKind {
    Boolean,
    Integer,
    Number,
    Text,
    /// An absolute URL.
    Link,
    /// A point in time, RFC 3339.
    Time,
    /// One of a few texts.
    Choice(&'static Choice),
    Object(ObjectSchema),
    List(Box<ValueKind>),
}

/// A type with few values.
pub(crate) struct Choice {
    pub(crate) name: &'static str,
    pub(crate) about: &'static str,
    pub(crate) values: &'static [&'static str],
}

/// Whether a field has a value.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Presence {
    Always,
    /// The value can be `null`.
    Nullable,
    /// Some objects lack the field.
    Optional,
}

/// The type of the values of a field.
pub(crate) trait ValueType {
    const PRESENCE: Presence = Presence::Always;

    fn kind() -> ValueKind;

    /// The example of fields that declare none.
    fn example() -> Value {
        Value::Null
    }
}

/// A value that is always sent and may be `null`; a field of type `Option` may be missing.
pub(crate) struct Nullable<T>(PhantomData<T>);

/// An absolute URL.
pub(crate) enum Link {}

/// A point in time.
pub(crate) enum Time {}

macro_rules! value_types {
    ($($type:ty: $kind:ident),*) => {
        $(impl ValueType for $type {
            fn kind() -> ValueKind {
                ValueKind::$kind
            }
        })*
    };
}
value_types!(bool: Boolean, i64: Integer, f64: Number, String: Text, Link: Link, Time: Time);

impl<T: ValueType> ValueType for Option<T> {
    const PRESENCE: Presence = Presence::Optional;

    fn kind() -> ValueKind {
        T::kind()
    }
}

impl<T: ValueType> ValueType for Nullable<T> {
    const PRESENCE: Presence = Presence::Nullable;

    fn kind() -> ValueKind {
        T::kind()
    }

    fn example() -> Value {
        T::example()
    }
}

impl<T: ValueType> ValueType for Vec<T> {
    fn kind() -> ValueKind {
        ValueKind::List(Box::new(T::kind()))
    }

    fn example() -> Value {
        let entry = T::example();
        let entry = (!entry.is_null()).then_some(entry);
        entry.into_iter().collect()
    }
}

impl FieldSchema {
    /// A field of the type `T`.
    pub fn new<T: ValueType>(name: &'static str, about: &'static str) -> Self {
        Self {
            name,
            about: about.trim(),
            kind: T::kind(),
            presence: T::PRESENCE,
            example: T::example(),
        }
    }

    /// The same field with this example.
    pub(crate) fn with_example(self, example: Value) -> Self {
        Self { example, ..self }
    }
}

impl ObjectSchema {
    /// An example, which lacks optional fields without one.
    pub(crate) fn example(&self) -> Value {
        let fields = self
            .fields
            .iter()
            .filter(|field| field.presence != Presence::Optional || !field.example.is_null());
        let fields = fields.map(|field| (field.name.to_owned(), field.example.clone()));
        Value::Object(fields.collect())
    }

    /// The same object without a field, under another name.
    pub(crate) fn without(mut self, field: &str, name: &str) -> Self {
        self.fields.retain(|own| own.name != field);
        Self {
            name: name.to_owned(),
            ..self
        }
    }

    /// One page of a list of such objects.
    pub(crate) fn into_page(self) -> Self {
        let entry = self.example();
        Self {
            name: format!("Page_{}", self.name),
            about: "One page of a list.",
            fields: vec![
                FieldSchema::new::<i64>("count", "Number of entries in the whole list.")
                    .with_example(1.into()),
                FieldSchema::new::<Nullable<Link>>(
                    "next",
                    "URL of the next page, if there is one.",
                ),
                FieldSchema::new::<Nullable<Link>>(
                    "previous",
                    "URL of the previous page, if there is one.",
                ),
                FieldSchema {
                    name: "results",
                    about: "Entries of this page.",
                    kind: ValueKind::List(Box::new(ValueKind::Object(self))),
                    presence: Presence::Always,
                    example: vec![entry].into(),
                },
            ],
        }
    }
}

/// The fields of an object that includes those of another. Own fields replace included ones with the same name; the
/// others come first.
pub(crate) fn merged(own: Vec<FieldSchema>, mut other: Vec<FieldSchema>) -> Vec<FieldSchema> {
    let mut fields = Vec::new();
    for field in own {
        match other.iter_mut().find(|known| known.name == field.name) {
            Some(known) => *known = field,
            None => fields.push(field),
        }
    }
    fields.append(&mut other);
    fields
}

/// Declares objects: their fields in their order, with examples.
///
/// `Name => writer(ARGUMENTS)` also defines the function `writer(out, ARGUMENTS)`, which writes an object as JSON, and
/// `Name::fields`, which writes the fields with a comma in front of each. The writer `fields` defines only the latter.
/// The value of a field `=> text(value)` is written by `text(out, value)`, and only under the condition after an `if`; a
/// field without a call is left to other code. At least one field must be written. The body can begin with `let`
/// statements. `..Other` includes the fields of another object, see [`merged`], and `..Other(ARGUMENTS)` also writes
/// them; fields after it have no conditions.
macro_rules! schema {
    () => {};
    (
        #[doc = $about:literal]
        $name:ident => $writer:ident ($($arguments:tt)*) { $($body:tt)* }
        $($rest:tt)*
    ) => {
        $crate::schema::object_schema!($about $name { $($body)* });
        $crate::schema::writer!($name $writer ($($arguments)*) { $($body)* });
        $crate::schema::schema!($($rest)*);
    };
    (
        #[doc = $about:literal]
        $name:ident { $($body:tt)* }
        $($rest:tt)*
    ) => {
        $crate::schema::object_schema!($about $name { $($body)* });
        $crate::schema::schema!($($rest)*);
    };
}
pub(crate) use schema;

macro_rules! object_schema {
    ($about:literal $name:ident {
        $(let $local:pat = $local_value:expr;)*
        $(#[doc = $field_about:literal] $field:ident: $type:ty $(= $example:expr)?
            $(=> $write:ident($($value:expr),*) $(if $condition:expr)?)?,)*
        $(..$other:ident $(($($other_value:expr),*))?,
        $(#[doc = $last_about:literal] $last:ident: $last_type:ty $(= $last_example:expr)?
            $(=> $write_last:ident($($last_value:expr),*))?,)*)?
    }) => {
        #[doc = $about]
        pub(crate) enum $name {}

        impl $name {
            /// The schema.
            pub(crate) fn object() -> $crate::schema::ObjectSchema {
                use $crate::schema::FieldSchema;
                let fields = vec![$(
                    FieldSchema::new::<$type>(stringify!($field), $field_about)
                        $(.with_example(serde_json::json!($example)))?,
                )*];
                $(
                    let mut fields = $crate::schema::merged(fields, $other::object().fields);
                    fields.extend([$(
                        FieldSchema::new::<$last_type>(stringify!($last), $last_about)
                            $(.with_example(serde_json::json!($last_example)))?,
                    )*]);
                )?
                $crate::schema::ObjectSchema {
                    name: stringify!($name).to_owned(),
                    about: $about.trim_ascii(),
                    fields,
                }
            }
        }

        impl $crate::schema::ValueType for $name {
            fn kind() -> $crate::schema::ValueKind {
                $crate::schema::ValueKind::Object(Self::object())
            }

            fn example() -> serde_json::Value {
                Self::object().example()
            }
        }
    };
}
pub(crate) use object_schema;

macro_rules! fields_writer {
    ($name:ident ($($argument:ident: $argument_type:ty),* $(,)?) {
        $(let $local:pat = $local_value:expr;)*
        $(#[doc = $field_about:literal] $field:ident: $type:ty $(= $example:expr)?
            $(=> $write:ident($($value:expr),*) $(if $condition:expr)?)?,)*
        $(..$other:ident($($other_value:expr),*),
        $(#[doc = $last_about:literal] $last:ident: $last_type:ty $(= $last_example:expr)?
            $(=> $write_last:ident($($last_value:expr),*))?,)*)?
    }) => {
        impl $name {
            /// Writes the fields, each with a comma in front.
            pub(crate) fn fields(out: &mut Vec<u8>, $($argument: $argument_type),*) {
                $(let $local = $local_value;)*
                $($($(if $condition)? {
                    out.extend_from_slice(concat!(",\"", stringify!($field), "\":").as_bytes());
                    $write(out $(, $value)*);
                })?)*
                $(
                    $other::fields(out $(, $other_value)*);
                    $($(
                        out.extend_from_slice(concat!(",\"", stringify!($last), "\":").as_bytes());
                        $write_last(out $(, $last_value)*);
                    )?)*
                )?
            }
        }
    };
}
pub(crate) use fields_writer;

macro_rules! writer {
    ($name:ident fields $arguments:tt $body:tt) => {
        $crate::schema::fields_writer!($name $arguments $body);
    };
    ($name:ident $writer:ident ($($argument:ident: $argument_type:ty),* $(,)?) $body:tt) => {
        $crate::schema::fields_writer!($name ($($argument: $argument_type),*) $body);

        #[doc = concat!("Writes a [`", stringify!($name), "`].")]
        pub(crate) fn $writer(out: &mut Vec<u8>, $($argument: $argument_type),*) {
            let start = out.len();
            $name::fields(out $(, $argument)*);
            if let Some(first) = out.get_mut(start) {
                *first = b'{';
            }
            out.push(b'}');
        }
    };
}
pub(crate) use writer;

schema! {
    /// An error.
    Detail {
        /// A human-readable sentence.
        detail: String = "Not found.",
    }
}
