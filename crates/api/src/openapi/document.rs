//! The OpenAPI document, made from the operations, and the page that shows it.

use askama::Template;
use poem::http::StatusCode;
use poem_openapi::{LicenseObject, OpenApiService};
use serde_json::{Value, json};

use crate::openapi::operations::Operations;
use crate::openapi::{event_types, yaml};
use crate::response::api_response::ApiResponse;
use crate::response::media_type::{HTML, JSON};
use gitglot_web::render;

/// The description of the API.
const ABOUT: &str = "Read-only access to translation files in git, compatible with the API of Weblate 3.4.\n\n\
Lists are paginated; follow `next` and `previous`. Every path also supports `HEAD` and `OPTIONS`; other methods get \
a 405. Paths without the trailing slash redirect (301). You can replace the trailing slash with `.json`.\n\n\
The `Accept` header or the parameter `format` selects the format of the response: JSON, an HTML page (`api`), or the \
whole list in one response as JSON Lines (`ndjson`), CSV (`csv`) or Parquet (`parquet`).\n\n\
`id_hash` and `content_hash` are 64-bit integers that can exceed 2^53. In JavaScript and other languages that read \
numbers as doubles, parse them as big integers or ignore them.";
/// Content type of the document in YAML.
const YAML: &str = "application/yaml";
/// The `Content-Security-Policy` of the page. It loads nothing from other hosts.
const POLICY: &str = "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; \
img-src 'self' data: blob:; font-src data:; connect-src 'self'; base-uri 'none'; form-action 'none'; \
frame-ancestors 'none'";
/// Replaced by the base URL in responses.
const SERVER: &str = "https://base-url.invalid";
/// The page that shows the document, with the fonts of the reader's own machine.
#[derive(Template)]
#[template(path = "openapi/docs.html")]
struct DocsPage<'a> {
    /// The document. The end of its element must not be in a text.
    document: &'a str,
    /// The script that shows the document.
    viewer: &'a str,
}

fn service() -> OpenApiService<Operations, ()> {
    OpenApiService::new(Operations, "gitglot", env!("CARGO_PKG_VERSION"))
        .description(ABOUT)
        .license(LicenseObject::new(env!("CARGO_PKG_LICENSE")))
        .server("/")
}

/// The OpenAPI document, as JSON laid out over lines, ending in a newline.
pub fn document() -> String {
    indented(&value())
}

fn indented(document: &Value) -> String {
    format!("{document:#}\n")
}

/// The OpenAPI document, as YAML.
pub fn document_yaml() -> String {
    yaml::document(&value())
}

/// The document as poem-openapi writes it, with the types of events, and with minimums as integers, for generators of
/// clients.
fn value() -> Value {
    let mut value = serde_json::from_str(&service().spec()).unwrap_or_default();
    integer_minimums(&mut value);
    event_types::add(&mut value);
    value
}

fn integer_minimums(value: &mut Value) {
    match value {
        Value::Object(fields) => {
            if let Some(minimum) = fields.get_mut("minimum")
                && let Some(number) = minimum.as_f64()
            {
                *minimum = Value::from(number as i64);
            }
            fields.values_mut().for_each(integer_minimums);
        }
        Value::Array(values) => values.iter_mut().for_each(integer_minimums),
        _ => {}
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

fn page(document: &Value) -> String {
    render(&DocsPage {
        document: &document.to_string().replace("</", "<\\/"),
        viewer: &viewer(),
    })
}

/// Scalar, which poem-openapi contains as the last script of a page.
fn viewer() -> String {
    let page = OpenApiService::new((), "", "").scalar_html();
    let script = page.split_once("<script charset=\"UTF-8\">");
    let script = script.and_then(|(_, rest)| rest.rsplit_once("</script>"));
    script.map_or(String::new(), |(script, _)| script.to_owned())
}

/// The document and the page that shows it, with [`SERVER`] for the base URL.
pub(crate) struct Documents {
    json: String,
    yaml: String,
    html: String,
}

impl Documents {
    /// Prepares the document. `with_tokens`: whether requests need a token.
    pub fn new(with_tokens: bool) -> Self {
        let mut document = value();
        document["servers"] = json!([{"url": SERVER}]);
        if with_tokens {
            add_tokens(&mut document);
        }
        Self {
            json: indented(&document),
            yaml: yaml::document(&document),
            html: page(&document),
        }
    }

    /// The response at a path; `base` is where the server is reached.
    pub(crate) fn find(&self, path: &str, base: &str) -> Option<ApiResponse> {
        // Bases have no characters that JSON escapes.
        let send = |content_type, body: &str| {
            ApiResponse::outside(StatusCode::OK, content_type, body.replace(SERVER, base))
        };
        match path.strip_prefix("/api/")? {
            "openapi.json" => Some(send(JSON, &self.json)),
            "openapi.yaml" => Some(send(YAML, &self.yaml)),
            "docs/" => Some(send(HTML, &self.html).with(|head| head.policy = POLICY)),
            "docs" => Some(ApiResponse::with_slash(base, path, "")),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_contains_the_document_and_its_viewer() {
        let viewer = viewer();
        assert!(viewer.len() > 100_000 && !viewer.contains("</script"));
        let document = json!({"info": {"title": "</script><b>"}});
        let page = page(&document);
        let (_, rest) = page.split_once("\">{").unwrap();
        let rest = format!("{{{rest}");
        let (shown, rest) = rest.split_once("</script>").unwrap();
        assert_eq!(serde_json::from_str::<Value>(shown).unwrap(), document);
        assert!(rest.contains(&viewer));
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
        each(&serde_json::from_str(&document()).unwrap(), &mut seen);
        assert!(seen > 3);
    }
}
