//! Units as `Localizable.strings` of Apple's systems.

use super::{Conversion, put};

/// Writes a file of key-value pairs.
pub(super) fn strings(of: &Conversion<'_>) -> Vec<u8> {
    let quoted = |text: &str| {
        text.replace('\\', "\\\\")
            .replace('"', "\\\"")
            .replace('\n', "\\n")
            .replace('\t', "\\t")
    };
    let mut out = String::new();
    for unit in of.strings() {
        for line in unit.note.lines() {
            put!(out, "// {line}\n");
        }
        // A string without a translation has its key.
        let text = Some(unit.first_target()).filter(|text| !text.is_empty());
        let text = text.unwrap_or(unit.context);
        put!(
            out,
            "\"{}\" = \"{}\";\n",
            quoted(unit.context),
            quoted(text)
        );
    }
    out.into_bytes()
}
