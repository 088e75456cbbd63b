//! Query parameters and path parameters as the OpenAPI document describes them. Requests are read in `request`.

use poem_openapi::registry::{MetaOperationParam, MetaParamIn, MetaSchema, MetaSchemaRef};
use serde_json::json;

use super::schemas::{array, inline};
use crate::apis::PageSizes;
use crate::files::convert::FORMATS;
use crate::profile::Profile;
use crate::response::media_type::{ARCHIVE, CONVERTED, Representation};
use gitglot_web::paths;

use crate::route::{
    ApiRoute, QueryParameters, ResponseBody, Route, RouteKind, RouteTarget, SnapshotTarget,
};

pub(super) const ACTION: &str = "Action";

/// A query parameter: name, schema and description.
type Param = (&'static str, MetaSchema, &'static str);

/// A list of parameters: one in each row, after the lists with `..` and before those with `then`.
macro_rules! params {
    ($(..$before:expr;)* $($name:literal $schema:expr => $about:expr;)* $(then $after:expr;)*) => {{
        let before = std::iter::empty()$(.chain($before))*;
        let own: Vec<Param> = vec![$(($name, $schema, $about)),*];
        before.chain(own)$(.chain($after))*.collect::<Vec<Param>>()
    }};
}

/// The query parameters of a route.
fn all(route: &ApiRoute, profile: Profile) -> impl Iterator<Item = Param> {
    let is_page = matches!(route.body_in(profile), ResponseBody::Page(_));
    let paging = is_page.then(|| paging(route.page_sizes(profile)));
    let representations = route.representations(profile);
    let is_table = representations.contains(&Representation::Csv);
    let csv = is_table.then(|| {
        let about = "`raw`: disables the escaping of CSV cells for spreadsheet programs.";
        ("csv", named(&["raw"]), about)
    });
    paging
        .into_iter()
        .flatten()
        .chain(format(route, profile))
        .chain(file_query(route))
        .chain(language(route))
        .chain(csv)
        .chain(FILTERS[profile as usize](route))
}

/// The names of the query parameters of a route.
pub(crate) fn names(route: &ApiRoute, profile: Profile) -> Vec<&'static str> {
    // A file is sent regardless of a format that it does not have.
    let names = all(route, profile).map(|(name, ..)| name);
    names.chain(["format"]).collect()
}

/// A text that is one of these.
fn named(values: &[&str]) -> MetaSchema {
    MetaSchema {
        enum_items: values.iter().map(|value| json!(value)).collect(),
        ..MetaSchema::new("string")
    }
}

/// The parameters of a route as the document describes them: those in the path, then those in the query.
pub(super) fn of(route: &ApiRoute, profile: Profile) -> Vec<MetaOperationParam> {
    described(route.pattern, all(route, profile))
}

/// The parameters of a route outside of the API, as [`of`] does.
pub(super) fn of_public(route: &Route) -> Vec<MetaOperationParam> {
    let format = || ("format", named(&["json", "csv"]), "Format of the response.");
    let query = match route.service {
        RouteTarget::Snapshot(SnapshotTarget::Stats) => vec![format()],
        RouteTarget::Snapshot(SnapshotTarget::CreditsData) => params! {
            ..[format()];
            "from" text("v1.0") => "The release before; by default the first commit.";
            "to" text("v1.1") => "The release; by default the newest commit.";
            "lang" text("cs") => "Only this language.";
        },
        RouteTarget::Snapshot(SnapshotTarget::Download) => vec![conversion(Profile::Legacy)],
        RouteTarget::Page(page) if page.pattern == paths::DOCUMENT_STATES => params! {
            ..[format()];
            "state" named(&gitglot_web::document_states()) => "Only documents in this state.";
            "lang" text("cs") => "Only this language; can be repeated.";
            "name" text("guides/") => "A part of the path.";
            "sort" text("-words") => "The order, as on the page.";
        },
        RouteTarget::Page(page) if page.is_data => params! {
            ..[format()];
            "step" named(&["month", "year"]) => "Length of a step.";
            "from" text("2025-01") => "The first month.";
            "to" text("2025-12") => "The last month.";
            "lang" text("cs") => "Only this language; can be repeated.";
        },
        _ => Vec::new(),
    };
    described(route.pattern, query.into_iter())
}

fn described(pattern: &'static str, query: impl Iterator<Item = Param>) -> Vec<MetaOperationParam> {
    let segments = pattern.split('/');
    let names = segments.filter_map(|segment| segment.strip_prefix(':'));
    let in_path = names.map(|name| (MetaParamIn::Path, path_param(name)));
    let in_query = query.map(|param| (MetaParamIn::Query, param));
    let parameter = |(in_type, (name, schema, description)): (_, Param)| MetaOperationParam {
        name: name.to_owned(),
        schema: inline(schema),
        required: in_type == MetaParamIn::Path,
        in_type,
        description: Some(description.to_owned()),
        deprecated: false,
        explode: true,
        style: None,
    };
    in_path.chain(in_query).map(parameter).collect()
}

fn text(example: &str) -> MetaSchema {
    MetaSchema {
        example: Some(example.into()),
        ..MetaSchema::new("string")
    }
}

fn paging(sizes: PageSizes) -> Vec<Param> {
    let number = MetaSchema {
        minimum: Some(1.0),
        ..MetaSchema::new("integer")
    };
    let page = MetaSchema {
        one_of: [number, named(&["last"])].map(inline).into(),
        default: Some(json!(1)),
        example: Some(json!(1)),
        ..MetaSchema::ANY
    };
    let size = MetaSchema {
        default: Some(json!(sizes.default)),
        example: Some(json!(100)),
        ..MetaSchema::new("integer")
    };
    vec![
        ("page", page, "Page number, from 1, or `last`."),
        ("page_size", size, sizes.about),
    ]
}

fn format(route: &ApiRoute, profile: Profile) -> Option<Param> {
    match route.kind {
        RouteKind::Download if route.sends(CONVERTED) => Some(conversion(profile)),
        RouteKind::Download if route.sends(ARCHIVE) => {
            let converted = output_names(Profile::Current).into_iter();
            let converted: Vec<_> = converted.map(|name| ["zip:", name].concat()).collect();
            let names = std::iter::once("zip").chain(converted.iter().map(|name| &**name));
            let about = "Format to convert the files to. By default they are sent unchanged.";
            Some(("format", named(&names.collect::<Vec<_>>()), about))
        }
        RouteKind::Stream | RouteKind::Download => None,
        _ => {
            let names = route.representations(profile).iter();
            let names = names.map(|known| known.name());
            let schema = MetaSchema {
                example: Some(Representation::Json.name().into()),
                ..named(&names.collect::<Vec<_>>())
            };
            let about = "Format of the response; overrides the `Accept` header. URLs in the response repeat `api` and `json`.";
            Some(("format", schema, about))
        }
    }
}

/// The strings of a converted file.
fn file_query(route: &ApiRoute) -> Option<Param> {
    (route.kind == RouteKind::Download && route.sends(CONVERTED)).then(|| {
        let about = "Only strings that match the query, in a converted file.";
        ("q", text("state:stale"), about)
    })
}

/// The language of the files of a project.
fn language(route: &ApiRoute) -> Option<Param> {
    let has_languages = || route.pattern.ends_with("/:project/file/");
    (route.sends(ARCHIVE) && has_languages()).then(|| {
        let about = "Only the files of this language.";
        ("language_code", text("cs"), about)
    })
}

/// The values of `format` for an API's converted files.
fn output_names(profile: Profile) -> Vec<&'static str> {
    let formats = FORMATS[profile as usize].iter();
    formats.map(|format| format.name).collect()
}

/// The format of a translation file.
fn conversion(profile: Profile) -> Param {
    let formats = named(&output_names(profile));
    let about = "Format to convert the file to. By default the file is sent unchanged.";
    ("format", formats, about)
}

fn boolean() -> MetaSchema {
    MetaSchema::new("boolean")
}

fn details() -> MetaSchema {
    named(&["details"])
}

fn id() -> MetaSchema {
    MetaSchema {
        minimum: Some(0.0),
        ..MetaSchema::new("integer")
    }
}

fn time() -> MetaSchema {
    MetaSchema::new_with_format("string", "date-time")
}

/// The filters that lists of changes and event streams share.
fn change_filters() -> Vec<Param> {
    let actions = array(MetaSchemaRef::Reference(ACTION.to_owned()));
    params! {
        "action" actions
            => "Only entries with this action, given by number or name. Repeat the parameter for several actions.";
        "user" text("1") => "Only changes by this user, given by id or `username`.";
        "unit" id() => "Only changes of the unit with this id.";
        "expand" details()
            => "`details`: adds the field `details` to entries, the object at `/api/changes/{id}/details/`.";
        "removed" boolean() => REMOVED;
        "states" boolean() => STATES;
        "follow" named(&["renames"])
            => "`renames`: the changes of a unit include those under older keys of its string.";
    }
}

/// The filters of a route, in the order of [`Profile::ALL`].
const FILTERS: [fn(&ApiRoute) -> Vec<Param>; 2] = [legacy_filters, current_filters];

/// The filters of a list of the current API.
fn current_filters(route: &ApiRoute) -> Vec<Param> {
    match route.query {
        QueryParameters::Units => params! {
            "q" text("state:<translated AND source:\"open file\"") => "Only units that match the query.";
        },
        QueryParameters::Changes => params! {
            "action" array(inline(MetaSchema::new("integer")))
                => "Only entries with this action. Repeat the parameter for several actions.";
            "user" text("weblate:update") => "Only changes by this account.";
            "timestamp_after" time() => "Only entries at or after this time.";
            "timestamp_before" time() => "Only entries at or before this time.";
        },
        _ => Vec::new(),
    }
}

/// The filters of a route of 3.4.
fn legacy_filters(route: &ApiRoute) -> Vec<Param> {
    match route.query {
        QueryParameters::Units => params! {
            "q" text("state:needs-editing AND source:\"open file\"") => QUERY;
            "translated" boolean()
                => "`true`: only units that are translated and not stale. `false`: only the others.";
            "fuzzy" boolean()
                => "`true`: only stale units, whose source changed after they were translated. `false`: only the others.";
            "stale" named(&["cosmetic", "minor", "major"])
                => "Only stale units of this class of source change.";
            then [("expand", details(), EXPAND_UNIT)];
        },
        QueryParameters::Unit => params! { "expand" details() => EXPAND_UNIT; },
        QueryParameters::UnitChecks => params! {
            "set" named(&["modern", "legacy", "all"])
                => "Set of checks: those of current Weblate (`modern`, the default), those of Weblate 3.4 (`legacy`), or both (`all`).";
        },
        QueryParameters::Details => params! {
            "expand" details()
                => "`details`: adds the set of checks and the number of units that fail a modern check.";
        },
        QueryParameters::Changes => {
            let time = || MetaSchema {
                example: Some("2024-03-04T05:06:07Z".into()),
                ..time()
            };
            params! {
                "id_after" id() => "Only entries with a greater id. Use it to poll for new entries.";
                "timestamp_after" time() => "Only entries at or after this time, in ISO 8601.";
                "timestamp_before" time() => "Only entries at or before this time, in ISO 8601.";
                then change_filters();
            }
        }
        QueryParameters::Comparison => params! {
            ..paging(PageSizes::LEGACY);
            "language" text("cs") => "Only findings of the language with this code.";
            "new_only" boolean() => "`true`: only findings that are not in the base.";
        },
        QueryParameters::File => params! {
            "language" text("cs") => "Language of the file. The default is the template.";
        },
        QueryParameters::Events => {
            // The header is not declared: some client generators confuse the two names.
            let last = "Id of the last received entry; 0 for all entries. Browsers send it in the header `Last-Event-ID` \
                    when they reconnect; the header takes precedence.";
            params! {
                "project" text("ublock") => "Only entries of the project with this slug.";
                "component" text("extension") => "Only entries of components with this slug.";
                "language" text("cs") => "Only entries of translations to the language with this code.";
                then change_filters();
                then [("last_event_id", text("42"), last)];
            }
        }
        QueryParameters::None => Vec::new(),
    }
}

const REMOVED: &str = "`true`: also lists strings that were removed from the template, as entries with action 200. Such an \
entry follows the entry with the same `id` and applies to all languages; `details.key` is the key of the string.";

const STATES: &str = "`true`: also lists texts of bilingual files that became fuzzy or no longer are, as entries with action \
201. Such an entry follows the resource update with the same `id`; `details.previous_state` and `details.state` are 10 \
(fuzzy) and 20 (translated).";

const EXPAND_UNIT: &str = "`details`: adds the project, component, language and path of each unit, its failing checks of both \
sets, and the class of its source change.";

const QUERY: &str = "Only units that match a search query. Adjacent terms must all match; combine terms with `AND`, `OR`, \
`NOT` and parentheses. A word or a quoted text matches in source, translation and key, ignoring case. \
`source:`, `target:`, `key:`, `note:`, `location:`, `flag:` search one field; `=` before the text requires an exact match \
(`key:=title`), and `r\"…\"` is a regular expression. `language:CODE`, `project:SLUG`, `component:SLUG`, \
`path:PROJECT/COMPONENT/LANGUAGE`; `state:empty`, `state:needs-editing`, `state:translated`, `state:untranslated`, \
`state:<translated`; `has:translation`, `has:note`, `has:plural`, `has:check` (`has_failing_check` is true); \
`check:ID` for a check of either set, as `check:end_stop`; `check:modern`, `check:legacy`, `check:modern:ID`, \
`check:legacy:ID` for one set; `stale:cosmetic`, `stale:minor`, `stale:major` for stale units by class of source change; \
`id:`, `position:` for numbers, as `position:>40`; `added:`, `changed:`, `last_changed:`, `source_changed:` for times, as \
`changed:2019-03` or `changed:yesterday`; `changed_by:` and `change_action:` for the user and the action of a change.";

const REVISION: &str =
    "Commit id, tag, fetched branch, or time such as `@2024-01-31`. Encode `/` as `%2F`.";

const RANGE: &str = "Two revisions, as `BASE...HEAD`. Encode `/` as `%2F`.";

fn path_param(name: &'static str) -> Param {
    let (example, description) = match name {
        "project" => ("ublock", "Slug of the project."),
        "component" => ("extension", "Slug of the component."),
        "language" => ("cs", "Language code."),
        "badge" => ("svg-badge.svg", "File name of the badge."),
        // An example without a payload would be a faulty request.
        "service" => {
            let about = "Name of the service that hosts the repository, such as `github`.";
            return (name, MetaSchema::new("string"), about);
        }
        "revision" => ("main", REVISION),
        "range" => ("v1.0...main", RANGE),
        _ => ("1", "Id of the object, as in `id` or `url`."),
    };
    (name, text(example), description)
}
