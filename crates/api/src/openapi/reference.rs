//! The reference of the API: a page that shows an OpenAPI document without a script. It knows the documents that this
//! program writes, not every document.

use std::collections::HashSet;

use askama::Template;
use serde_json::Value;

/// The methods of operations, in the order of the page.
const METHODS: [&str; 2] = ["get", "post"];

#[derive(Template)]
#[template(path = "openapi/reference.html")]
pub(super) struct ReferencePage<'a> {
    /// Where the server is reached.
    pub(super) base: &'a str,
    /// The URL of the document.
    pub(super) url: &'a str,
    pub(super) document: &'a Value,
}

/// An operation with its path and its method.
type Operation<'a> = (&'a str, &'a str, &'a Value);

/// A parameter, or a field of a schema.
struct Field<'a> {
    name: &'a str,
    /// Where a parameter is.
    place: Option<&'a str>,
    kind: Kind,
    is_required: bool,
    about: &'a str,
}

/// A type: words around the name of a schema, if it has one.
#[derive(Default)]
struct Kind {
    before: String,
    schema: Option<String>,
    after: String,
}

impl<'a> ReferencePage<'a> {
    fn operations(&self) -> impl Iterator<Item = Operation<'a>> {
        entries(&self.document["paths"]).flat_map(|(path, item)| {
            let methods = METHODS.into_iter();
            methods.filter_map(move |method| Some((path, method, item.get(method)?)))
        })
    }

    /// The tags with their operations, if they have any.
    fn groups(&self) -> impl Iterator<Item = (&'a Value, Vec<Operation<'a>>)> {
        let tags = items(&self.document["tags"]).map(|tag| {
            let operations = self.operations();
            let own = operations.filter(|(.., operation)| operation["tags"][0] == tag["name"]);
            (tag, own.collect::<Vec<_>>())
        });
        tags.filter(|(_, operations)| !operations.is_empty())
    }

    /// The responses of all operations by status.
    fn responses(&self) -> impl Iterator<Item = (&'a str, &'a Value)> {
        self.operations()
            .flat_map(|(.., operation)| entries(&operation["responses"]))
    }

    /// The statuses of requests that fail.
    fn failures(&self) -> Vec<(&'a str, &'a str)> {
        let failures = self.responses();
        let mut failures = described(failures.filter(|(status, _)| !status.starts_with('2')));
        failures.sort_by_key(|(status, _)| *status);
        failures
    }

    fn headers(&self) -> Vec<(&'a str, &'a str)> {
        let responses = self.responses();
        described(responses.flat_map(|(_, response)| entries(&response["headers"])))
    }
}

/// Names with what they mean, each once.
fn described<'a>(all: impl Iterator<Item = (&'a str, &'a Value)>) -> Vec<(&'a str, &'a str)> {
    let mut seen = HashSet::new();
    let all = all.map(|(name, value)| (name, string(&value["description"])));
    all.filter(|pair| seen.insert(*pair)).collect()
}

fn parameters<'a>(operation: &'a Value) -> Vec<Field<'a>> {
    let parameter = |parameter: &'a Value| Field {
        name: string(&parameter["name"]),
        place: parameter["in"].as_str(),
        kind: Kind::of(&parameter["schema"]),
        is_required: parameter["required"] == true,
        about: string(&parameter["description"]),
    };
    items(&operation["parameters"]).map(parameter).collect()
}

fn fields<'a>(schema: &'a Value) -> Vec<Field<'a>> {
    let field = |(name, field): (&'a str, &'a Value)| Field {
        name,
        place: None,
        kind: Kind::of(field),
        is_required: items(&schema["required"]).any(|needed| needed == name),
        about: string(&field["description"]),
    };
    entries(&schema["properties"]).map(field).collect()
}

/// The type of a successful response, of JSON if it has that, and all its media types.
fn content(response: &Value) -> (Kind, String) {
    let content = || entries(&response["content"]);
    let first = content().max_by_key(|(media, _)| *media == crate::response::media_type::JSON);
    let kind = first.map(|(_, content)| Kind::of(&content["schema"]));
    let media: Vec<&str> = content().map(|(media, _)| media).collect();
    (kind.unwrap_or_default(), media.join(", "))
}

impl Kind {
    fn of(schema: &Value) -> Self {
        let is_nullable = schema["nullable"] == true;
        let or_null = if is_nullable { " or null" } else { "" };
        if let Some(name) = schema["$ref"].as_str() {
            return Self {
                schema: name.rsplit('/').next().map(str::to_owned),
                after: or_null.to_owned(),
                ..Self::default()
            };
        }
        // A reference with a description.
        if let Some(only) = items(&schema["allOf"]).next() {
            let kind = Self::of(only);
            let after = kind.after + or_null;
            return Self { after, ..kind };
        }
        if schema["type"] == "array" {
            let kind = Self::of(&schema["items"]);
            return Self {
                before: "list of ".to_owned() + &kind.before,
                after: kind.after + or_null,
                ..kind
            };
        }
        let alternatives = items(&schema["oneOf"]).map(|one| Self::of(one).words());
        let alternatives: Vec<String> = alternatives.collect();
        let values: Vec<String> = items(&schema["enum"])
            .map(|value| value.as_str().map_or(value.to_string(), str::to_owned))
            .collect();
        let kind = match (alternatives.is_empty(), values.is_empty()) {
            (false, _) => alternatives.join(" or "),
            (_, false) => values.join(" | "),
            _ => match &schema["format"] {
                Value::String(format) if schema["type"] == "string" => format.clone(),
                _ => string(&schema["type"]).to_owned(),
            },
        };
        let before = kind + or_null;
        Self {
            before,
            ..Self::default()
        }
    }

    fn words(&self) -> String {
        let name = self.schema.as_deref().unwrap_or_default();
        [&self.before, name, &self.after].concat()
    }
}

fn string(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

fn items(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().into_iter().flatten()
}

fn entries(value: &Value) -> impl Iterator<Item = (&str, &Value)> {
    let entries = value.as_object().into_iter().flatten();
    entries.map(|(name, value)| (&**name, value))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::profile::Profile;

    fn page(document: &Value) -> String {
        let page = ReferencePage {
            base: "http://h",
            url: "/api/openapi.json",
            document,
        };
        page.render().unwrap()
    }

    #[test]
    fn the_page_shows_every_operation_and_schema() {
        for profile in [Profile::Legacy, Profile::Current] {
            let document = serde_json::from_str(&crate::document(profile)).unwrap();
            let page = page(&document);
            for (path, _) in entries(&document["paths"]) {
                assert!(page.contains(&format!(" {path}</code>")), "{path}");
            }
            for (name, _) in entries(&document["components"]["schemas"]) {
                assert!(page.contains(&format!("id=\"schema-{name}\"")), "{name}");
            }
            assert!(page.len() < 300_000, "{profile:?}: {} bytes", page.len());
        }
    }

    #[test]
    fn types_are_words_with_a_link_to_a_schema() {
        for (schema, expected) in [
            (
                json!({"type": "integer", "format": "int64", "nullable": true}),
                "integer or null",
            ),
            (
                json!({"type": "string", "format": "date-time"}),
                "date-time",
            ),
            (json!({"type": "string", "enum": ["a", "b"]}), "a | b"),
            (
                json!({"type": "array", "items": {"$ref": "#/x/Unit"}}),
                "list of Unit",
            ),
            (
                json!({"allOf": [{"$ref": "#/x/Unit"}], "nullable": true}),
                "Unit or null",
            ),
            (
                json!({"oneOf": [{"type": "integer"}, {"enum": ["last"]}]}),
                "integer or last",
            ),
        ] {
            assert_eq!(Kind::of(&schema).words(), expected);
        }
    }

    #[test]
    fn texts_of_a_document_are_no_markup() {
        let page = page(&json!({"info": {"description": "</main><b> `<i>`"}}));
        assert!(
            page.contains("<code>&#60;i&#62;</code>") && !page.contains("<b>"),
            "{page}"
        );
    }
}
