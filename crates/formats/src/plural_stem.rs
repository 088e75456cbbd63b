//! The ids of plural forms that are texts of their own (`docs/spec/formats.md#groups-of-plural-forms`).

use gitglot_model::{FileFormat, PluralForm};

/// The id of the plural that a text with this id is a form of, in a file that groups them.
pub fn plural_stem(format: FileFormat, id: &str) -> Option<&str> {
    let is_category = |name: &str| PluralForm::from_category(name).is_some();
    let (separator, is_form): (_, fn(&str) -> bool) = match format {
        FileFormat::I18next => ("_", |name| {
            name == "plural" || matches!(name.as_bytes(), [b'0'..=b'9'])
        }),
        FileFormat::I18nextV4 | FileFormat::I18nextModule => ("_", is_category),
        FileFormat::RubyYamlPlurals => ("->", is_category),
        _ => return None,
    };
    let (stem, name) = id.rsplit_once(separator)?;
    is_form(name).then_some(stem)
}
