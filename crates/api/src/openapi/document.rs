//! The OpenAPI document, made from the operations.

use std::marker::PhantomData;
use std::sync::OnceLock;

use gitglot_web::{PageLayout, framed};
use poem::http::StatusCode;
use poem_openapi::{LicenseObject, OpenApiService};
use serde_json::{Map, Value, json};

use crate::apis::{Api, Current, DocumentFormat, Legacy};
use crate::openapi::operations::Operations;
use crate::openapi::reference::ReferencePage;
use crate::openapi::{event_types, yaml};
use crate::profile::{Profile, Roots};
use crate::response::api_response::ApiResponse;
use crate::response::media_type::JSON;

/// The descriptions of the APIs, in the order of [`Profile::ALL`].
const ABOUT: [&str; 2] = [ABOUT_LEGACY, ABOUT_CURRENT];
const ABOUT_LEGACY: &str = "Read-only access to translation files in git, compatible with the API of Weblate 3.4.\n\n\
Lists are paginated; follow `next` and `previous`. Every path also supports `HEAD` and `OPTIONS`; other methods get \
a 405. Paths without the trailing slash redirect (301). You can replace the trailing slash with `.json`.\n\n\
The `Accept` header or the parameter `format` selects the format of the response: JSON, an HTML page (`api`), or the \
whole list in one response as JSON Lines (`ndjson`), CSV (`csv`) or Parquet (`parquet`).\n\n\
`id_hash` and `content_hash` are 64-bit integers that can exceed 2^53. In JavaScript and other languages that read \
numbers as doubles, parse them as big integers or ignore them.";
const ABOUT_CURRENT: &str = "Read-only access to translation files in git, compatible with the API of current Weblate.\n\n\
Lists are paginated; follow `next` and `previous`. Every path also supports `HEAD` and `OPTIONS`; other methods get \
a 401. Paths without the trailing slash do not exist.\n\n\
`id_hash` and `content_hash` are 64-bit integers that can exceed 2^53. In JavaScript and other languages that read \
numbers as doubles, parse them as big integers or ignore them.";
/// Content types of the document of the current API.
const OPENAPI_YAML: &str = "application/vnd.oai.openapi; charset=utf-8";
const OPENAPI_JSON: &str = "application/vnd.oai.openapi+json";
/// Content type of the document in YAML.
const YAML: &str = "application/yaml";
/// Replaced by the base URL in responses.
const SERVER: &str = "https://base-url.invalid";

/// The documents as poem-openapi writes them, in the order of [`Profile::ALL`].
const TEXTS: [fn() -> String; 2] = [text::<Legacy>, text::<Current>];

fn text<P: Api>() -> String {
    let operations = Operations::<P>(PhantomData);
    OpenApiService::<_, ()>::new(operations, "gitglot", env!("CARGO_PKG_VERSION"))
        .description(ABOUT[P::PROFILE as usize])
        .license(LicenseObject::new(env!("CARGO_PKG_LICENSE")))
        .server("/")
        .spec()
}

/// The OpenAPI document of a profile, as JSON laid out over lines, ending in a newline.
pub fn document(profile: Profile) -> String {
    indented(&value(profile, Roots::default()))
}

fn indented(document: &Value) -> String {
    format!("{document:#}\n")
}

/// The OpenAPI document of a profile, as YAML.
pub fn document_yaml(profile: Profile) -> String {
    yaml::document(&value(profile, Roots::default()))
}

/// The document as poem-openapi writes it, with the types of events, and with minimums as integers, for generators of
/// clients.
fn value(profile: Profile, roots: Roots) -> Value {
    let text = TEXTS[profile as usize]();
    let mut value: Value = serde_json::from_str(&text).unwrap_or_default();
    each_object(&mut value, integer_minimum);
    event_types::add(&mut value);
    let root = roots.root(profile);
    if !root.is_empty()
        && let Some(Value::Object(paths)) = value.get_mut("paths")
    {
        let below_root = |(path, item): (String, Value)| {
            let start = if path.starts_with("/api/") { root } else { "" };
            ([start, &path].concat(), item)
        };
        *paths = std::mem::take(paths).into_iter().map(below_root).collect();
    }
    value
}

/// Calls `change` for all objects in a value.
fn each_object(value: &mut Value, change: fn(&mut Map<String, Value>)) {
    match value {
        Value::Object(fields) => {
            change(fields);
            fields
                .values_mut()
                .for_each(|value| each_object(value, change));
        }
        Value::Array(values) => values
            .iter_mut()
            .for_each(|value| each_object(value, change)),
        _ => {}
    }
}

fn integer_minimum(fields: &mut Map<String, Value>) {
    if let Some(minimum) = fields.get_mut("minimum")
        && let Some(number) = minimum.as_f64()
    {
        *minimum = Value::from(number as i64);
    }
}

/// Adds the ways to send a token.
fn add_tokens(document: &mut Value) {
    document["components"]["securitySchemes"] = json!({
        "bearer": {"type": "http", "scheme": "bearer", "description": "A read token."},
        "token": {
            "type": "apiKey",
            "in": "header",
            "name": "Authorization",
            "description": "A read token after the word `Token`, as in Weblate: `Token KEY`.",
        },
    });
    document["security"] = json!([{"bearer": []}, {"token": []}]);
}

pub(crate) struct Documents {
    roots: Roots,
    with_tokens: bool,
    by_profile: [OnceLock<ProfileDocument>; 2],
}

/// A document, with [`SERVER`] for the base URL.
struct ProfileDocument {
    json: String,
    /// With JSON as the only content type of responses that have it.
    only_json: String,
    yaml: String,
}

/// What a request selects of a document.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct DocumentChoice {
    /// JSON where a document has a single path.
    pub(crate) json: bool,
    /// JSON as the only content type of responses, so that generated clients have exact types.
    pub(crate) only_json: bool,
}

/// Removes the other content types of responses that can be JSON.
fn keep_json_content(fields: &mut Map<String, Value>) {
    if let Some(Value::Object(content)) = fields.get_mut("content")
        && content.contains_key(JSON)
    {
        content.retain(|media_type, _| media_type == JSON);
    }
}

impl ProfileDocument {
    fn new(profile: Profile, roots: Roots, with_tokens: bool) -> Self {
        let mut document = value(profile, roots);
        document["servers"] = json!([{"url": SERVER}]);
        if with_tokens {
            add_tokens(&mut document);
        }
        let (json, yaml) = (indented(&document), yaml::document(&document));
        each_object(&mut document["paths"], keep_json_content);
        Self {
            json,
            only_json: indented(&document),
            yaml,
        }
    }
}

impl Documents {
    /// The documents, which are written when they are asked for first. `with_tokens`: whether requests need a token.
    pub fn new(with_tokens: bool, roots: Roots) -> Self {
        Self {
            roots,
            with_tokens,
            by_profile: Default::default(),
        }
    }

    fn of(&self, profile: Profile) -> &ProfileDocument {
        let document = &self.by_profile[profile as usize];
        document.get_or_init(|| ProfileDocument::new(profile, self.roots, self.with_tokens))
    }

    /// The response at a path; `base` is where the server is reached.
    pub(crate) fn find(
        &self,
        path: &str,
        base: &str,
        choice: DocumentChoice,
    ) -> Option<ApiResponse> {
        // Bases have no characters that JSON escapes.
        let below = |text: &str| text.replace(SERVER, base);
        let send = |content_type, body: &str| {
            ApiResponse::outside(StatusCode::OK, content_type, below(body))
        };
        let (profile, root) = self.roots.split(path);
        let json = || {
            let documents = self.of(profile);
            if choice.only_json {
                &documents.only_json
            } else {
                &documents.json
            }
        };
        let documents = profile.envelope().documents;
        let below = path.get(root..)?.strip_prefix("/api/")?;
        if let Some((_, format)) = documents.iter().find(|(name, _)| *name == below) {
            return Some(match format {
                DocumentFormat::Json => send(JSON, json()),
                DocumentFormat::Yaml => send(YAML, &self.of(profile).yaml),
                DocumentFormat::Negotiated if choice.json => send(OPENAPI_JSON, json()),
                DocumentFormat::Negotiated => send(OPENAPI_YAML, &self.of(profile).yaml),
            });
        }
        match below {
            "docs/" => {
                let layout = PageLayout::below(base);
                let (name, _) = documents.first()?;
                // A page is stored for each base. The text of the document takes less memory than its values.
                let document = serde_json::from_str(&self.of(profile).json).ok()?;
                let main = ReferencePage {
                    base,
                    url: &layout.url(&[self.roots.root(profile), "/api/", name].concat()),
                    document: &document,
                };
                let page = framed(layout, "API reference", &main);
                Some(ApiResponse::page(StatusCode::OK, page))
            }
            "docs" => Some(ApiResponse::with_slash(base, path, "")),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn responses_that_can_be_json_have_one_content_type_on_request() {
        fn contents(value: &Value, found: &mut Vec<usize>) {
            match value {
                Value::Object(fields) => {
                    if let Some(Value::Object(content)) = fields.get("content")
                        && content.contains_key(JSON)
                    {
                        found.push(content.len());
                    }
                    fields.values().for_each(|value| contents(value, found));
                }
                Value::Array(values) => values.iter().for_each(|value| contents(value, found)),
                _ => {}
            }
        }
        let documents = Documents::new(false, Roots::default());
        let types = |text: &str| {
            let mut found = Vec::new();
            contents(&serde_json::from_str(text).unwrap(), &mut found);
            found
        };
        let (all, exact) = (
            types(&documents.of(Profile::Legacy).json),
            types(&documents.of(Profile::Legacy).only_json),
        );
        assert_eq!(all.len(), exact.len());
        assert!(all.iter().any(|types| *types > 1));
        assert!(exact.iter().all(|types| *types == 1));
    }

    #[test]
    fn a_document_is_written_when_it_is_asked_for_first() {
        let documents = Documents::new(true, Roots::default());
        let is_written = || {
            documents
                .by_profile
                .each_ref()
                .map(|document| document.get().is_some())
        };
        let find = |path| documents.find(path, "http://h", DocumentChoice::default());
        for path in [
            "/api/units/",
            "/api/openapi.json/",
            "/current/api/openapi.json",
            "/api/docs",
        ] {
            find(path);
            assert_eq!(is_written(), [false, false], "{path}");
        }
        assert!(find("/current/api/schema/").is_some());
        assert_eq!(is_written(), [false, true]);
        let first = std::ptr::from_ref(documents.of(Profile::Current));
        assert!(find("/current/api/docs/").is_some() && find("/api/openapi.yaml").is_some());
        assert_eq!(is_written(), [true, true]);
        assert_eq!(first, std::ptr::from_ref(documents.of(Profile::Current)));
        for profile in [Profile::Legacy, Profile::Current] {
            assert!(documents.of(profile).json.contains("securitySchemes"));
        }
    }

    #[test]
    fn a_reference_with_a_description_is_one_schema() {
        fn each(value: &Value, seen: &mut usize) {
            match value {
                Value::Object(fields) => {
                    if let Some(parts) = fields.get("allOf") {
                        assert_eq!(parts.as_array().map(Vec::len), Some(1), "{value}");
                        *seen += 1;
                    }
                    fields.values().for_each(|value| each(value, seen));
                }
                Value::Array(values) => values.iter().for_each(|value| each(value, seen)),
                _ => {}
            }
        }
        let mut seen = 0;
        each(
            &serde_json::from_str(&document(Profile::Legacy)).unwrap(),
            &mut seen,
        );
        assert!(seen > 3);
    }
}
