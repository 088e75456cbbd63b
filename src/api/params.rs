//! Query parameters as the document shows them. Their values are read in one place, before an operation runs;
//! here they only have a name, a type and a description.

use poem::{Request, RequestBody, Result};
use poem_openapi::registry::{MetaParamIn, MetaSchema, MetaSchemaRef};
use poem_openapi::{ApiExtractor, ApiExtractorType, ExtractParamOptions};
use serde_json::json;

use super::paging::{MOST_ON_A_PAGE, PAGE_SIZE};

/// Declares a query parameter that is there for the document.
macro_rules! parameter {
    ($(#[$doc:meta])* $name:ident, $schema:expr) => {
        $(#[$doc])*
        pub(super) struct $name;

        impl<'a> ApiExtractor<'a> for $name {
            const TYPES: &'static [ApiExtractorType] = &[ApiExtractorType::Parameter];
            type ParamType = ();
            type ParamRawType = ();

            fn param_in() -> Option<MetaParamIn> {
                Some(MetaParamIn::Query)
            }

            fn param_schema_ref() -> Option<MetaSchemaRef> {
                Some(MetaSchemaRef::Inline(Box::new($schema)))
            }

            async fn from_request(
                _: &'a Request,
                _: &mut RequestBody,
                _: ExtractParamOptions<Self::ParamType>,
            ) -> Result<Self> {
                Ok(Self)
            }
        }
    };
}

parameter! {
    /// `page`.
    PageNumber,
    MetaSchema {
        pattern: Some(r"^(\s*\+?[0-9]+\s*|last)$".to_owned()),
        default: Some(json!("1")),
        example: Some(json!("1")),
        ..MetaSchema::new("string")
    }
}

parameter! {
    /// `page_size`.
    PageSize,
    MetaSchema {
        minimum: Some(1.0),
        maximum: Some(MOST_ON_A_PAGE as f64),
        default: Some(json!(PAGE_SIZE)),
        example: Some(json!(100)),
        ..MetaSchema::new_with_format("integer", "int32")
    }
}

parameter! {
    /// `format`.
    Format,
    MetaSchema { enum_items: vec![json!("json")], example: Some(json!("json")), ..MetaSchema::new("string") }
}

/// What the document says of a parameter of that name, and an example for those in paths.
pub(super) fn about(name: &str) -> (&'static str, Option<&'static str>) {
    match name {
        "page" => ("Which page of the list: a number from 1 on, or `last`.", None),
        "page_size" => ("How many entries stand on a page. More than the maximum counts as the maximum.", None),
        "format" => ("The form of the answer, instead of an `Accept` header. All API links repeat it.", None),
        "project" => ("The project's slug.", Some("ublock")),
        "component" => ("The component's slug.", Some("extension")),
        "language" => ("The language's code.", Some("cs")),
        "id" => ("The number in `id` or `url`.", Some("1")),
        _ => ("", None),
    }
}
