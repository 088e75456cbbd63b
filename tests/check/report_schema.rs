//! JSON reports have the structure of `docs/check-report.schema.json`, and work lists that of `docs/todo.schema.json`, from which the types of the npm package are made.
//! `Run::json` checks every report of these tests.

use std::sync::LazyLock;

use jsonschema::Validator;
use serde_json::{Value, json};

use super::{Run, site};

static VALIDATOR: LazyLock<Validator> =
    LazyLock::new(|| validator(schema(include_str!("../../docs/check-report.schema.json"))));

static LIST: LazyLock<Validator> = LazyLock::new(|| validator(list_schema()));

static VALIDATION: LazyLock<Validator> = LazyLock::new(|| {
    let mut list = list_schema();
    let definitions = list["$defs"].take();
    let mut schema = definitions["TodoValidation"].clone();
    schema["$defs"] = definitions;
    validator(schema)
});

fn list_schema() -> Value {
    schema(include_str!("../../docs/todo.schema.json"))
}

fn schema(text: &str) -> Value {
    serde_json::from_str(text).unwrap()
}

/// A schema whose objects have no other properties: users may get more of them in later versions.
fn validator(mut schema: Value) -> Validator {
    let parents: Vec<String> = schema["$defs"]
        .as_object()
        .unwrap()
        .values()
        .filter_map(parent)
        .collect();
    close(&mut schema);
    for (name, definition) in schema["$defs"].as_object_mut().unwrap() {
        // Objects that extend others have more properties than these.
        if definition["type"] == "object" && !parents.contains(&format!("#/$defs/{name}")) {
            close(definition);
        }
    }
    jsonschema::validator_for(&schema).unwrap()
}

/// The definition that an object extends.
fn parent(definition: &Value) -> Option<String> {
    let parent = definition.get("allOf")?[0]["$ref"].as_str().unwrap();
    Some(parent.to_owned())
}

fn close(object: &mut Value) {
    object["unevaluatedProperties"] = json!(false);
}

/// Fails if a report has a different structure, or more properties.
pub fn assert_valid(report: &Value) {
    assert_fits(&VALIDATOR, report);
}

/// As [`assert_valid`], for a work list.
pub fn assert_list_is_valid(list: &Value) {
    assert_fits(&LIST, list);
}

/// As [`assert_valid`], for the result of a filled list.
pub fn assert_validation_is_valid(result: &Value) {
    assert_fits(&VALIDATION, result);
}

fn assert_fits(validator: &Validator, document: &Value) {
    let errors = validator.iter_errors(document);
    let errors: Vec<String> = errors
        .map(|error| format!("{}: {error}", error.instance_path()))
        .collect();
    assert!(errors.is_empty(), "{}", errors.join("\n"));
}

#[test]
fn reports_have_the_documented_structure() {
    let site = site();
    for flags in [&["--base", "main"][..], &[]] {
        let flags = [flags, &["--revision", "change", "--format", "json"]].concat();
        let report = Run::new(site.repository.dir(), &flags).json();
        assert!(!report["findings"].as_array().unwrap().is_empty());
    }
}

#[test]
fn an_unknown_property_of_a_report_is_a_failure() {
    let site = site();
    let run = Run::new(
        site.repository.dir(),
        &["--revision", "change", "--format", "json"],
    );
    for pointer in ["", "/findings/0", "/components/0/languages/0"] {
        let mut report = run.json();
        report.pointer_mut(pointer).unwrap()["extra"] = json!(1);
        assert!(!VALIDATOR.is_valid(&report), "{pointer}");
    }
}
