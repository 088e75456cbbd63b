//! Query parameters and path parameters as the OpenAPI document describes them. Requests are read in `request`.

use poem_openapi::registry::{MetaOperationParam, MetaParamIn, MetaSchema, MetaSchemaRef};
use serde_json::json;

use crate::api::request::pagination::PAGE_SIZE;
use crate::api::response::media_type::Representation;
use crate::api::route::{Route, RouteKind};

/// A query parameter: name, schema and description.
type Param = (&'static str, MetaSchema, &'static str);

/// The query parameters of a route.
fn all(route: &Route) -> impl Iterator<Item = Param> {
    let paging = if route.is_list() {
        paging()
    } else {
        Vec::new()
    };
    let is_table = route.representations().contains(&Representation::Csv);
    let csv = is_table.then(|| {
        (
            "csv",
            named(&["raw"]),
            "`raw`: disables the escaping of CSV cells for spreadsheet programs.",
        )
    });
    paging
        .into_iter()
        .chain(format(route))
        .chain(csv)
        .chain(filters(route))
}

/// The names of the query parameters of a route.
pub(crate) fn names(route: &Route) -> Vec<&'static str> {
    match route.api() {
        // A file is sent regardless of a format that it does not have.
        Some(_) => all(route)
            .map(|(name, ..)| name)
            .chain(["format"])
            .collect(),
        None => Vec::new(),
    }
}

/// A text that is one of these.
fn named(values: &[&str]) -> MetaSchema {
    MetaSchema {
        enum_items: values.iter().map(|value| json!(value)).collect(),
        ..MetaSchema::new("string")
    }
}

/// The query parameters of a route as the document describes them.
pub(crate) fn of(route: &Route) -> Vec<MetaOperationParam> {
    all(route)
        .map(|(name, schema, description)| MetaOperationParam {
            name: name.to_owned(),
            schema: MetaSchemaRef::Inline(Box::new(schema)),
            in_type: MetaParamIn::Query,
            description: Some(description.to_owned()),
            required: false,
            deprecated: false,
            explode: true,
            style: None,
        })
        .collect()
}

fn paging() -> Vec<Param> {
    let number = MetaSchema {
        minimum: Some(1.0),
        ..MetaSchema::new("integer")
    };
    let page = MetaSchema {
        one_of: [number, named(&["last"])]
            .map(|schema| MetaSchemaRef::Inline(Box::new(schema)))
            .into(),
        default: Some(json!(1)),
        example: Some(json!(1)),
        ..MetaSchema::ANY
    };
    let size = MetaSchema {
        default: Some(json!(PAGE_SIZE)),
        example: Some(json!(100)),
        ..MetaSchema::new("integer")
    };
    vec![
        ("page", page, "Page number, from 1, or `last`."),
        (
            "page_size",
            size,
            "Number of entries per page, from 1 to 1000. Larger values are treated as 1000, values below 1 as 20.",
        ),
    ]
}

fn format(route: &Route) -> Option<Param> {
    let names = |all: &[&str]| all.iter().map(|name| json!(name)).collect();
    let (enum_items, example, description) = match route.api()?.kind {
        RouteKind::Stream => return None,
        RouteKind::Download if route.pattern.starts_with("/api/translations/") => {
            let about = "Format to convert the file to. By default the file is sent unchanged.";
            (names(&["po", "xliff", "csv"]), None, about)
        }
        RouteKind::Download => return None,
        _ => {
            let all: Vec<&str> = route
                .representations()
                .iter()
                .map(|known| known.name())
                .collect();
            let about = "Format of the response; overrides the `Accept` header. URLs in the response repeat `api` and `json`.";
            (names(&all), Some(json!(Representation::Json.name())), about)
        }
    };
    Some((
        "format",
        MetaSchema {
            enum_items,
            example,
            ..MetaSchema::new("string")
        },
        description,
    ))
}

/// A list of actions. The document names the type of its items.
fn actions() -> MetaSchema {
    let action = MetaSchemaRef::Inline(Box::new(MetaSchema::new("string")));
    MetaSchema {
        items: Some(Box::new(action)),
        ..MetaSchema::new("array")
    }
}

/// The filters of a list. Long because it is one table of all filters.
fn filters(route: &Route) -> Vec<Param> {
    let text = |example: &str| MetaSchema {
        example: Some(example.into()),
        ..MetaSchema::new("string")
    };
    let whole = || MetaSchema {
        minimum: Some(0.0),
        ..MetaSchema::new("integer")
    };
    let time = || MetaSchema {
        example: Some("2024-03-04T05:06:07Z".into()),
        ..MetaSchema::new_with_format("string", "date-time")
    };
    let segments: Vec<&str> = route.below_api().collect();
    match &segments[..] {
        [.., "units"] | ["units", _, "translations"] => vec![
            (
                "q",
                text("state:needs-editing AND source:\"open file\""),
                QUERY,
            ),
            (
                "translated",
                MetaSchema::new("boolean"),
                "`true`: only units that are translated and not stale. `false`: only the others.",
            ),
            (
                "fuzzy",
                MetaSchema::new("boolean"),
                "`true`: only stale units, whose source changed after they were translated. `false`: only the others.",
            ),
            (
                "stale",
                named(&["cosmetic", "minor", "major"]),
                "Only stale units of this class of source change.",
            ),
            ("expand", named(&["details"]), EXPAND_UNIT),
        ],
        ["units", _] => vec![("expand", named(&["details"]), EXPAND_UNIT)],
        ["units", _, "checks"] => vec![(
            "set",
            named(&["modern", "legacy", "all"]),
            "Set of checks: those of current Weblate (`modern`, the default), those of Weblate 3.4 (`legacy`), or both (`all`).",
        )],
        ["components", _, _] | ["translations", _, _, _] => {
            vec![("expand", named(&["details"]), EXPAND_CHECKS)]
        }
        [.., "changes"] => vec![
            (
                "id_after",
                whole(),
                "Only entries with a greater id. Use it to poll for new entries.",
            ),
            (
                "timestamp_after",
                time(),
                "Only entries at or after this time, in ISO 8601.",
            ),
            (
                "timestamp_before",
                time(),
                "Only entries at or before this time, in ISO 8601.",
            ),
            ("action", actions(), ACTION),
            ("user", text("1"), USER),
            ("unit", whole(), "Only changes of the unit with this id."),
            ("expand", named(&["details"]), EXPAND),
            ("removed", MetaSchema::new("boolean"), REMOVED),
        ],
        ["components", .., "compare", _] => paging()
            .into_iter()
            .chain([
                (
                    "language",
                    text("cs"),
                    "Only findings of the language with this code.",
                ),
                (
                    "new_only",
                    MetaSchema::new("boolean"),
                    "`true`: only findings that are not in the base.",
                ),
            ])
            .collect(),
        ["components", .., "file"] => vec![(
            "language",
            text("cs"),
            "Language of the file. The default is the template.",
        )],
        ["events"] => {
            // The header is not declared: some client generators confuse the two names.
            let last = "Id of the last received entry; 0 for all entries. Browsers send it in the header `Last-Event-ID` \
                    when they reconnect; the header takes precedence.";
            vec![
                (
                    "project",
                    text("ublock"),
                    "Only entries of the project with this slug.",
                ),
                (
                    "component",
                    text("extension"),
                    "Only entries of components with this slug.",
                ),
                (
                    "language",
                    text("cs"),
                    "Only entries of translations to the language with this code.",
                ),
                ("action", actions(), ACTION),
                ("user", text("1"), USER),
                ("unit", whole(), "Only changes of the unit with this id."),
                ("expand", named(&["details"]), EXPAND),
                ("removed", MetaSchema::new("boolean"), REMOVED),
                ("last_event_id", text("42"), last),
            ]
        }
        _ => Vec::new(),
    }
}

/// The description of `action`.
const ACTION: &str = "Only entries with this action, given by number or name. Repeat the parameter for several actions.";

/// The description of `removed`.
const REMOVED: &str = "`true`: also lists strings that were removed from the template, as entries with action 200. Such an \
entry follows the entry with the same `id` and applies to all languages; `details.key` is the key of the string.";

/// The description of `expand` for changes.
const EXPAND: &str =
    "`details`: adds the field `details` to entries, the object at `/api/changes/{id}/details/`.";

/// The description of `expand` for units.
const EXPAND_UNIT: &str = "`details`: adds the project, component, language and path of each unit, its failing checks of both \
sets, and the class of its source change.";

/// The description of `expand` for a component or translation.
const EXPAND_CHECKS: &str =
    "`details`: adds the set of checks and the number of units that fail a modern check.";

/// The description of `user`.
const USER: &str = "Only changes by this user, given by id or `username`.";

/// The description of `q`.
const QUERY: &str = "Only units that match a search query. Adjacent terms must all match; combine terms with `AND`, `OR`, \
`NOT` and parentheses. A word or a quoted text matches in source, translation and key, ignoring case. \
`source:`, `target:`, `key:`, `note:` search one field; `=` before the text requires an exact match \
(`key:=title`). `language:CODE`, `project:SLUG`, `component:SLUG`; `state:empty`, `state:needs-editing`, \
`state:translated`, `state:untranslated`; `has:translation`, `has:note`, `has:check` (`has_failing_check` is true); \
`check:ID` for a check of either set, as `check:end_stop`; `check:modern`, `check:legacy`, `check:modern:ID`, \
`check:legacy:ID` for one set; `stale:cosmetic`, `stale:minor`, `stale:major` for stale units by class of source change.";

/// The description of a path parameter, and an example.
pub(crate) fn path_param(name: &str) -> (&'static str, Option<&'static str>) {
    match name {
        "project" => ("Slug of the project.", Some("ublock")),
        "component" => ("Slug of the component.", Some("extension")),
        "language" => ("Language code.", Some("cs")),
        "revision" => (
            "Commit id, tag, fetched branch, or time such as `@2024-01-31`. Encode `/` as `%2F`.",
            Some("main"),
        ),
        "range" => (
            "Two revisions, as `BASE...HEAD`. Encode `/` as `%2F`.",
            Some("v1.0...main"),
        ),
        "id" => ("Id of the object, as in `id` or `url`.", Some("1")),
        _ => ("", None),
    }
}
