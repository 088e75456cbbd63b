//! The schemas of bodies: objects, their fields, and the types of values. The types have no values themselves.
//!
//! The macro [`schema`] declares the fields of an object once, for the OpenAPI document, for tables and for JSON. The
//! declarations are in `views`. Must not depend on `views`.

use std::marker::PhantomData;

use serde_json::Value;

use crate::profile::{Profile, Profiles};

pub(crate) struct ObjectSchema {
    /// The name in the document.
    pub(crate) name: String,
    pub(crate) about: &'static str,
    pub(crate) fields: Vec<FieldSchema>,
}

pub(crate) struct FieldSchema {
    pub(crate) name: &'static str,
    pub(crate) about: &'static str,
    pub(crate) kind: ValueKind,
    pub(crate) presence: Presence,
    pub(crate) example: Value,
    /// The profiles of the API whose objects have the field.
    pub(crate) profiles: Profiles,
}

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
    /// An object whose fields are not described.
    AnyObject,
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
    /// The only value, as JSON, if there is no other.
    const FIXED: Option<&'static str> = None;
    /// The description of fields that declare none.
    const ABOUT: &'static str = "";

    fn kind() -> ValueKind;

    /// The example of fields that declare none.
    fn example() -> Value {
        Value::Null
    }
}

/// Types with a single value: the kind, the value in JSON, and the description of fields.
macro_rules! fixed_types {
    ($($name:ident: $kind:ident $json:literal $about:literal;)*) => {
        $(pub(crate) enum $name {}

        impl ValueType for $name {
            const FIXED: Option<&'static str> = Some($json);
            const ABOUT: &'static str = $about;

            fn kind() -> ValueKind {
                ValueKind::$kind
            }

            fn example() -> Value {
                serde_json::from_str($json).unwrap_or_default()
            }
        })*
    };
}

fixed_types! {
    AlwaysFalse: Boolean "false" "Always `false`.";
    AlwaysTrue: Boolean "true" "Always `true`.";
    AlwaysZero: Integer "0" "Always 0.";
    AlwaysHundred: Integer "100" "Always 100.";
    ZeroPercent: Number "0.0" "Always 0.";
    EmptyText: Text "\"\"" "Always `\"\"`.";
    EffectiveEmpty: Text "\"\"" "The value that applies.";
    Inherited: Boolean "true" "Whether the project sets it: always `true`.";
    NotInherited: Boolean "false" "Whether it is inherited: always `false`.";
}

/// A value that is always sent and may be `null`; a field of type `Option` may be missing.
pub(crate) struct Nullable<T>(PhantomData<T>);

/// An absolute URL.
pub(crate) enum Link {}

/// A point in time.
pub(crate) enum Time {}

/// An object whose fields are not described.
pub(crate) enum AnyObject {}

macro_rules! value_types {
    ($($type:ty: $kind:ident),*) => {
        $(impl ValueType for $type {
            fn kind() -> ValueKind {
                ValueKind::$kind
            }
        })*
    };
}
value_types!(bool: Boolean, i64: Integer, f64: Number, String: Text, Link: Link, Time: Time,
    AnyObject: AnyObject);

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

/// Writes an object; `fields` writes its fields with a comma in front of each, and at least one.
pub(crate) fn write_object(out: &mut Vec<u8>, fields: impl FnOnce(&mut Vec<u8>)) {
    let start = out.len();
    fields(out);
    if let Some(first) = out.get_mut(start) {
        *first = b'{';
    }
    out.push(b'}');
}

/// Writes a field if its type has a single value. `name` has a comma before and a colon after it.
pub(crate) fn write_fixed<T: ValueType>(out: &mut Vec<u8>, name: &str) {
    if let Some(json) = T::FIXED {
        out.extend_from_slice(name.as_bytes());
        out.extend_from_slice(json.as_bytes());
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
            profiles: Profiles::Both,
        }
    }

    /// The same field of these profiles.
    pub(crate) fn only(self, profiles: Profiles) -> Self {
        Self { profiles, ..self }
    }

    pub(crate) fn with_example(self, example: Value) -> Self {
        Self { example, ..self }
    }
}

impl ValueKind {
    fn in_profile(self, profile: Profile) -> Self {
        match self {
            Self::Object(object) => Self::Object(object.in_profile(profile)),
            Self::List(item) => Self::List(Box::new(item.in_profile(profile))),
            other => other,
        }
    }

    /// The example of objects and lists of them.
    fn example(&self) -> Option<Value> {
        match self {
            Self::Object(object) => Some(object.example()),
            Self::List(item) => item.example().map(|item| vec![item].into()),
            _ => None,
        }
    }
}

impl ObjectSchema {
    /// The same object with the fields of one profile.
    pub(crate) fn in_profile(mut self, profile: Profile) -> Self {
        self.fields.retain(|field| field.profiles.contain(profile));
        for field in &mut self.fields {
            let kind = std::mem::replace(&mut field.kind, ValueKind::Boolean);
            field.kind = kind.in_profile(profile);
            // Optional fields have no example.
            if !field.example.is_null()
                && let Some(example) = field.kind.example()
            {
                field.example = example;
            }
        }
        self
    }

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
                    profiles: Profiles::Both,
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
/// The value of a field `=> text(value)` is written by `text(out, value)`, and only under the condition after an `if`;
/// a field without a call is left to other code, unless its type has a single value; then it needs no example, and the
/// attribute `#[both]`, `#[legacy]` or `#[current]` suffices without a description. At least one field must be
/// written. The body can begin with `let` statements. A field with the attribute `#[legacy]` or `#[current]` exists
/// only in that profile of the API; the writer of such an object is generic over the profile:
/// `Name => writer<P>(links: &Links)`. A generic function writes a field as `=> text<P>(value)`. `..Other` includes the
/// fields of another object, see [`merged`], and `..Other(ARGUMENTS)`, or `..Other<P>(ARGUMENTS)` for a generic writer,
/// also writes them; fields after it have no conditions.
macro_rules! schema {
    () => {};
    (
        #[doc = $about:literal]
        $name:ident => $writer:ident $(<$api:ident>)? ($($arguments:tt)*) { $($body:tt)* }
        $($rest:tt)*
    ) => {
        $crate::schema::object_schema!($about $name { $($body)* });
        $crate::schema::writer!($name $writer $(<$api>)? ($($arguments)*) { $($body)* });
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

/// The name of a field; names that are no identifiers are written differently.
macro_rules! field_name {
    (r#type) => {
        "type"
    };
    (component_lists) => {
        "component-lists"
    };
    ($field:ident) => {
        stringify!($field)
    };
}
pub(crate) use field_name;

/// The description in the attributes of a field, or that of its type.
macro_rules! field_about {
    ($type:ty; [doc = $about:literal] $($profile:tt)?) => {
        $about
    };
    ($type:ty; $profile:tt) => {
        <$type as $crate::schema::ValueType>::ABOUT
    };
}
pub(crate) use field_about;

/// The profiles in the attributes of a field.
macro_rules! profiles {
    ($([doc = $about:literal])? $([both])?) => {
        $crate::profile::Profiles::Both
    };
    ($([doc = $about:literal])? [legacy]) => {
        $crate::profile::Profiles::Only($crate::profile::Profile::Legacy)
    };
    ($([doc = $about:literal])? [current]) => {
        $crate::profile::Profiles::Only($crate::profile::Profile::Current)
    };
}
pub(crate) use profiles;

/// Code for the profiles in the attributes of a field. `P` is the profile of the function around it.
macro_rules! in_profiles {
    ([$([doc = $about:literal])? $([both])?] $($code:tt)*) => {
        $($code)*
    };
    ([$([$($attribute:tt)*])+] $($code:tt)*) => {
        if $crate::schema::profiles!($([$($attribute)*])+).contain(P::PROFILE) {
            $($code)*
        }
    };
}
pub(crate) use in_profiles;

macro_rules! object_schema {
    ($about:literal $name:ident {
        $(let $local:pat = $local_value:expr;)*
        $($(#[$($attribute:tt)*])+ $field:ident: $type:ty $(= $example:expr)?
            $(=> $write:ident $(<$write_api:ident>)? ($($value:expr),*) $(if $condition:expr)?)?,)*
        $(..$other:ident $(<$other_api:ident>)? $(($($other_value:expr),*))?,
        $($(#[$($last_attribute:tt)*])+ $last:ident: $last_type:ty $(= $last_example:expr)?
            $(=> $write_last:ident $(<$last_api:ident>)? ($($last_value:expr),*))?,)*)?
    }) => {
        #[doc = $about]
        pub(crate) enum $name {}

        impl $name {
            pub(crate) fn object() -> $crate::schema::ObjectSchema {
                use $crate::schema::FieldSchema;
                let fields = vec![$(
                    FieldSchema::new::<$type>($crate::schema::field_name!($field), $crate::schema::field_about!($type; $([$($attribute)*])+))
                        .only($crate::schema::profiles!($([$($attribute)*])+))
                        $(.with_example(serde_json::json!($example)))?,
                )*];
                $(
                    let mut fields = $crate::schema::merged(fields, $other::object().fields);
                    fields.extend([$(
                        FieldSchema::new::<$last_type>(stringify!($last), $crate::schema::field_about!($last_type; $([$($last_attribute)*])+))
                            .only($crate::schema::profiles!($([$($last_attribute)*])+))
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
    ($name:ident $(<$api:ident>)? ($($argument:ident: $argument_type:ty),* $(,)?) {
        $(let $local:pat = $local_value:expr;)*
        $($(#[$($attribute:tt)*])+ $field:ident: $type:ty $(= $example:expr)?
            $(=> $write:ident $(<$write_api:ident>)? ($($value:expr),*) $(if $condition:expr)?)?,)*
        $(..$other:ident $(<$other_api:ident>)? ($($other_value:expr),*),
        $($(#[$($last_attribute:tt)*])+ $last:ident: $last_type:ty $(= $last_example:expr)?
            $(=> $write_last:ident $(<$last_api:ident>)? ($($last_value:expr),*))?,)*)?
    }) => {
        impl $name {
            /// Writes the fields, each with a comma in front.
            pub(crate) fn fields $(<$api: Api>)? (out: &mut Vec<u8>, $($argument: $argument_type),*) {
                $(let $local = $local_value;)*
                $($crate::schema::in_profiles!([$([$($attribute)*])+] {
                    let name = concat!(",\"", $crate::schema::field_name!($field), "\":");
                    $($(if $condition)? {
                        out.extend_from_slice(name.as_bytes());
                        $write $(::<$write_api>)? (out $(, $value)*);
                    })?
                    $crate::schema::write_fixed::<$type>(out, name);
                });)*
                $(
                    $other::fields $(::<$other_api>)? (out $(, $other_value)*);
                    $($crate::schema::in_profiles!([$([$($last_attribute)*])+] {
                        let name = concat!(",\"", $crate::schema::field_name!($last), "\":");
                        $(
                            out.extend_from_slice(name.as_bytes());
                            $write_last $(::<$last_api>)? (out $(, $last_value)*);
                        )?
                        $crate::schema::write_fixed::<$last_type>(out, name);
                    });)*
                )?
            }
        }
    };
}
pub(crate) use fields_writer;

macro_rules! writer {
    ($name:ident fields $(<$api:ident>)? ($($arguments:tt)*) $body:tt) => {
        $crate::schema::fields_writer!($name $(<$api>)? ($($arguments)*) $body);
    };
    ($name:ident $writer:ident $(<$api:ident>)? ($($argument:ident: $argument_type:ty),* $(,)?) $body:tt) => {
        $crate::schema::fields_writer!($name $(<$api>)? ($($argument: $argument_type),*) $body);

        #[doc = concat!("Writes a [`", stringify!($name), "`].")]
        pub(crate) fn $writer $(<$api: Api>)? (out: &mut Vec<u8>, $($argument: $argument_type),*) {
            $crate::schema::write_object(out, |out| $name::fields $(::<$api>)? (out $(, $argument)*));
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

    /// The errors of a request.
    CurrentErrors {
        /// `client_error`, `validation_error` or `server_error`.
        r#type: String = "client_error",
        /// The errors.
        errors: Vec<CurrentError>,
    }

    /// An error of a request.
    CurrentError {
        /// Kind of the error.
        code: String = "not_found",
        /// A human-readable sentence.
        detail: String = "Not found.",
        /// Parameter that the error is about.
        attr: Nullable<String>,
    }
}
