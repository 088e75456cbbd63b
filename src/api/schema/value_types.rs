//! Types of single values that poem-openapi does not have: required but nullable ones, and texts with a format.

use std::borrow::Cow;

use poem_openapi::registry::{MetaSchema, MetaSchemaRef, Registry};
use poem_openapi::types::Type;
use serde_json::Value;

use super::object::SchemaExample;

/// A value that is always sent and may be `null`; `Option` would declare it optional.
pub(crate) struct Nullable<T>(pub(crate) Option<T>);

impl<T: Type> Type for Nullable<T> {
    const IS_REQUIRED: bool = true;
    type RawValueType = Self;
    type RawElementValueType = Self;

    fn name() -> Cow<'static, str> {
        format!("nullable_{}", T::name()).into()
    }

    fn schema_ref() -> MetaSchemaRef {
        T::schema_ref().merge(MetaSchema {
            nullable: true,
            ..MetaSchema::ANY
        })
    }

    fn register(registry: &mut Registry) {
        T::register(registry);
    }

    fn as_raw_value(&self) -> Option<&Self> {
        Some(self)
    }

    fn raw_element_iter<'a>(&'a self) -> Box<dyn Iterator<Item = &'a Self> + 'a> {
        Box::new(std::iter::once(self))
    }
}

impl<T: SchemaExample> SchemaExample for Nullable<T> {
    fn to_value(&self) -> Value {
        self.0.to_value()
    }
}

/// A text with a format of its own.
macro_rules! formatted_text {
    (#[doc = $about:literal] $name:ident, $format:literal) => {
        #[doc = $about]
        pub(crate) struct $name(pub(crate) String);

        impl Type for $name {
            const IS_REQUIRED: bool = true;
            type RawValueType = Self;
            type RawElementValueType = Self;

            fn name() -> Cow<'static, str> {
                concat!("string_", $format).into()
            }

            fn schema_ref() -> MetaSchemaRef {
                MetaSchemaRef::Inline(Box::new(MetaSchema::new_with_format("string", $format)))
            }

            fn as_raw_value(&self) -> Option<&Self> {
                Some(self)
            }

            fn raw_element_iter<'a>(&'a self) -> Box<dyn Iterator<Item = &'a Self> + 'a> {
                Box::new(std::iter::once(self))
            }
        }

        impl SchemaExample for $name {
            fn to_value(&self) -> Value {
                self.0.clone().into()
            }
        }

        impl From<&str> for $name {
            fn from(text: &str) -> Self {
                Self(text.to_owned())
            }
        }
    };
}

formatted_text! {
    /// An absolute URL.
    Link, "uri"
}

formatted_text! {
    /// A point in time, RFC 3339.
    Time, "date-time"
}
