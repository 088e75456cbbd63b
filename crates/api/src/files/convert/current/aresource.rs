//! Units as a file of Android resources.

use super::markup::{attribute, markup};
use super::{Conversion, put};
use crate::encode::xml::escaped;
use gitglot_model::language::plural_categories;

/// Writes a file of resources.
pub(super) fn aresource(of: &Conversion<'_>) -> Vec<u8> {
    let code = of.code();
    let mut out = String::from("<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<resources>\n");
    let whole = plural_categories(code).unwrap_or(&["one", "other"]);
    let mut names: Vec<&str> = whole.to_vec();
    // Android also names the form of fractions.
    if ["cs", "sk", "lt"].contains(&code) {
        names.insert(names.len().saturating_sub(1), "many");
    }
    if !names.contains(&"other") {
        names.push("other");
    }
    let text = |text: &str| {
        let own = markup(text, android_escapes);
        own.unwrap_or_else(|| android_escapes(&escaped(text)))
    };
    for unit in of.strings() {
        let name = attribute(unit.context);
        // A language with a single form needs no plural.
        if unit.target.len() == 1 {
            put!(
                out,
                "    <string name=\"{name}\">{}</string>\n",
                text(unit.first_target())
            );
            continue;
        }
        put!(out, "    <plurals name=\"{name}\">\n");
        for (at, category) in names.iter().enumerate() {
            let form = unit.target.get(at).or(unit.target.last()).copied();
            let form = text(form.unwrap_or_default());
            put!(out, "        <item quantity=\"{category}\">{form}</item>\n");
        }
        out.push_str("    </plurals>\n");
    }
    out.push_str("</resources>\n");
    out.into_bytes()
}

/// A text of XML with the escapes of Android.
fn android_escapes(text: &str) -> String {
    text.replace('\\', "\\\\")
        .replace('\n', "\\n")
        .replace('\'', "\\'")
        .replace('"', "\\\"")
}
