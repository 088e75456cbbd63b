//! The reference of the API: a page that shows an OpenAPI document without a script. It knows the documents that this
//! program writes, not every document.

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
    pub(super) document: &'a str,
    pub(super) reference: &'a Reference,
}

/// What the page says of a document.
pub(super) struct Reference {
    about: Vec<Text>,
    tokens: Vec<Text>,
    groups: Vec<Group>,
    headers: Vec<Named>,
    failures: Vec<Named>,
    schemas: Vec<Schema>,
}

/// A text in parts; every second part is code.
struct Text(Vec<String>);

struct Group {
    name: String,
    about: Text,
    operations: Vec<Operation>,
}

struct Operation {
    id: String,
    method: String,
    path: String,
    summary: String,
    about: Text,
    parameters: Vec<Field>,
    answers: Vec<Answer>,
}

/// A parameter, or a field of a schema.
struct Field {
    name: String,
    /// Where a parameter is.
    place: Option<String>,
    kind: Kind,
    is_required: bool,
    about: Text,
}

/// What a successful request gets.
struct Answer {
    status: String,
    kind: Kind,
    media: String,
    about: Text,
}

/// A type: words around the name of a schema, if it has one.
#[derive(Default)]
struct Kind {
    before: String,
    schema: Option<String>,
    after: String,
}

/// A header or a status, and what it means.
struct Named {
    name: String,
    about: Text,
}

struct Schema {
    name: String,
    about: Text,
    kind: Kind,
    fields: Vec<Field>,
}

impl Reference {
    pub(super) fn new(document: &Value) -> Self {
        let operations: Vec<(&str, &str, &Value)> = entries(&document["paths"])
            .flat_map(|(path, item)| {
                let methods = METHODS.into_iter();
                methods.filter_map(move |method| Some((path, method, item.get(method)?)))
            })
            .collect();
        let group = |tag: &Value| {
            let own = operations.iter();
            let own = own.filter(|(.., operation)| operation["tags"][0] == tag["name"]);
            Group {
                name: string(&tag["name"]),
                about: Text::of(&tag["description"]),
                operations: own
                    .map(|(path, method, operation)| Operation::new(path, method, operation))
                    .collect(),
            }
        };
        let (mut headers, mut failures) = (Vec::new(), Vec::new());
        let responses = operations
            .iter()
            .map(|(.., operation)| &operation["responses"]);
        for (status, response) in responses.flat_map(entries) {
            if !status.starts_with('2') {
                Named::add(&mut failures, status, response);
            }
            for (name, header) in entries(&response["headers"]) {
                Named::add(&mut headers, name, header);
            }
        }
        failures.sort_by(|one, other| one.name.cmp(&other.name));
        let about = document["info"]["description"].as_str().unwrap_or_default();
        Self {
            about: about.split("\n\n").map(Text::new).collect(),
            tokens: entries(&document["components"]["securitySchemes"])
                .map(|(_, scheme)| Text::of(&scheme["description"]))
                .collect(),
            groups: items(&document["tags"])
                .map(group)
                .filter(|group| !group.operations.is_empty())
                .collect(),
            headers,
            failures,
            schemas: entries(&document["components"]["schemas"])
                .map(|(name, schema)| Schema::new(name, schema))
                .collect(),
        }
    }
}

impl Text {
    fn new(text: &str) -> Self {
        Self(text.split('`').map(str::to_owned).collect())
    }

    fn of(value: &Value) -> Self {
        Self::new(value.as_str().unwrap_or_default())
    }

    fn is_empty(&self) -> bool {
        self.0.iter().all(String::is_empty)
    }
}

impl Named {
    /// Adds a name, unless the same is there.
    fn add(all: &mut Vec<Self>, name: &str, value: &Value) {
        let about = Text::of(&value["description"]);
        let is_known = |known: &Self| known.name == name && known.about.0 == about.0;
        if !all.iter().any(is_known) {
            let name = name.to_owned();
            all.push(Self { name, about });
        }
    }
}

impl Operation {
    fn new(path: &str, method: &str, operation: &Value) -> Self {
        let parameter = |parameter: &Value| Field {
            name: string(&parameter["name"]),
            place: Some(string(&parameter["in"])),
            kind: Kind::of(&parameter["schema"]),
            is_required: parameter["required"] == true,
            about: Text::of(&parameter["description"]),
        };
        let answers =
            entries(&operation["responses"]).filter(|(status, _)| status.starts_with('2'));
        Self {
            id: string(&operation["operationId"]),
            method: method.to_uppercase(),
            path: path.to_owned(),
            summary: string(&operation["summary"]),
            about: Text::of(&operation["description"]),
            parameters: items(&operation["parameters"]).map(parameter).collect(),
            answers: answers
                .map(|(status, response)| Answer::new(status, response))
                .collect(),
        }
    }
}

impl Answer {
    fn new(status: &str, response: &Value) -> Self {
        let media = entries(&response["content"]).map(|(media, _)| media);
        let media: Vec<&str> = media.collect();
        let first = entries(&response["content"])
            .max_by_key(|(media, _)| *media == crate::response::media_type::JSON)
            .map(|(_, content)| Kind::of(&content["schema"]));
        Self {
            status: status.to_owned(),
            kind: first.unwrap_or_default(),
            media: media.join(", "),
            about: Text::of(&response["description"]),
        }
    }
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
                _ => string(&schema["type"]),
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

impl Schema {
    fn new(name: &str, schema: &Value) -> Self {
        let needed: Vec<&Value> = items(&schema["required"]).collect();
        let field = |(name, field): (&str, &Value)| Field {
            name: name.to_owned(),
            place: None,
            kind: Kind::of(field),
            is_required: needed.iter().any(|needed| *needed == name),
            about: Text::of(&field["description"]),
        };
        let fields: Vec<Field> = entries(&schema["properties"]).map(field).collect();
        Self {
            name: name.to_owned(),
            about: Text::of(&schema["description"]),
            kind: if fields.is_empty() {
                Kind::of(schema)
            } else {
                Kind::default()
            },
            fields,
        }
    }
}

fn string(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
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
            document: "/api/openapi.json",
            reference: &Reference::new(document),
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
