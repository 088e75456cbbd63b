//! Query parameters as the document shows them. Their values are read in one place, before an operation runs;
//! here they only have a name, a type and a description.

use poem::{Request, RequestBody, Result};
use poem_openapi::registry::{MetaOperationParam, MetaParamIn, MetaSchema, MetaSchemaRef};
use poem_openapi::{ApiExtractor, ApiExtractorType, ExtractParamOptions};
use serde_json::json;

use crate::api::request::pagination::PAGE_SIZE;
use crate::api::router::Route;

/// Declares a query parameter that is there for the document.
macro_rules! parameter {
    ($(#[$doc:meta])* $name:ident, $schema:expr) => {
        $(#[$doc])*
        pub(in crate::api) struct $name;

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
    MetaSchema { default: Some(json!(PAGE_SIZE)), example: Some(json!(100)), ..MetaSchema::new("integer") }
}

parameter! {
    /// `format`.
    Format,
    MetaSchema { enum_items: vec![json!("json"), json!("api")], example: Some(json!("json")), ..MetaSchema::new("string") }
}

parameter! {
    /// `format` of a translation's file.
    FileFormat,
    MetaSchema { enum_items: vec![json!("po"), json!("xliff"), json!("csv")], ..MetaSchema::new("string") }
}

/// The filters of the list at a route, as the document shows them.
pub(in crate::api) fn filters(route: &Route) -> Vec<MetaOperationParam> {
    let text = |example: &str| MetaSchema { example: Some(example.into()), ..MetaSchema::new("string") };
    let whole = || MetaSchema { minimum: Some(0.0), ..MetaSchema::new("integer") };
    let time = || MetaSchema {
        example: Some("2024-03-04T05:06:07Z".into()),
        ..MetaSchema::new_with_format("string", "date-time")
    };
    let of_units = matches!(route.path, [.., "units"] | ["units", _, "translations"]);
    let found = if of_units {
        vec![
            ("q", text("state:needs-editing AND source:\"open file\""), QUERY),
            (
                "translated",
                MetaSchema::new("boolean"),
                "Only units that are translated and up to date, or only others.",
            ),
            ("fuzzy", MetaSchema::new("boolean"), "Only units whose source has changed since, or only others."),
        ]
    } else if matches!(route.path, [.., "changes"]) {
        vec![
            ("id_after", whole(), "Only entries with a greater number: the way to ask for what is new."),
            ("timestamp_after", time(), "Only entries from that time on, in ISO 8601."),
            ("timestamp_before", time(), "Only entries up to that time, in ISO 8601."),
            ("action", whole(), "Only entries of that action; several may be given."),
            ("user", text("1"), USER),
            ("unit", whole(), "Only what happened to the unit of that number."),
        ]
    } else if route.path == ["events"] {
        // The header is no parameter of its own: some generators of clients cannot tell the two names apart.
        let last = "The number after which entries are told; 0 for all. Browsers say it in the header \
                    `Last-Event-ID` when they connect again, which counts before this.";
        vec![
            ("project", text("ublock"), "Only entries of the project of that slug."),
            ("component", text("extension"), "Only entries of components of that slug."),
            ("language", text("cs"), "Only entries of translations to the language of that code."),
            ("action", whole(), "Only entries of that action; several may be given."),
            ("user", text("1"), USER),
            ("unit", whole(), "Only what happened to the unit of that number."),
            ("last_event_id", whole(), last),
        ]
    } else {
        Vec::new()
    };
    let parameter = |(name, schema, description): (&str, MetaSchema, &str)| MetaOperationParam {
        name: name.to_owned(),
        schema: MetaSchemaRef::Inline(Box::new(schema)),
        in_type: MetaParamIn::Query,
        description: Some(description.to_owned()),
        required: false,
        deprecated: false,
        explode: true,
        style: None,
    };
    found.into_iter().map(parameter).collect()
}

/// What the document says of `user`.
const USER: &str = "Only what a user did: the number, or the `username`.";

/// What the document says of `q`.
const QUERY: &str = "Only units that a query wants. Terms stand side by side (all must hold) or are joined by `AND`, \
`OR`, `NOT` and parentheses. A word or a quoted text is looked for in source, translation and key, whatever the case. \
`source:`, `target:`, `key:`, `note:` look in one place; `=` before the text asks for it letter for letter \
(`key:=title`). `language:CODE`, `project:SLUG`, `component:SLUG`; `state:empty`, `state:needs-editing`, \
`state:translated`, `state:untranslated`; `has:translation`, `has:note`, `has:check`; `check:ID` for one check, as \
`check:end_stop`.";

/// What the document says of a parameter of that name, and an example for those in paths.
pub(in crate::api) fn about(name: &str) -> (&'static str, Option<&'static str>) {
    match name {
        "page" => ("Which page of the list: a number from 1 on, or `last`.", None),
        "page_size" => {
            ("How many entries stand on a page: 1 to 1000. More counts as 1000, what is less than 1 as 20.", None)
        }
        "format" => ("The form of the answer, instead of an `Accept` header. All API links repeat it.", None),
        "project" => ("The project's slug.", Some("ublock")),
        "component" => ("The component's slug.", Some("extension")),
        "language" => ("The language's code.", Some("cs")),
        "id" => ("The number in `id` or `url`.", Some("1")),
        _ => ("", None),
    }
}
