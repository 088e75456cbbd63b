//! Maps from keys to a text for each language, in JSON, YAML and JavaScript (`docs/spec/formats.md#languages-below-keys`).

use std::collections::BTreeMap;

use super::node::JsonNode;
use super::token::JsonKind;
use crate::error::SyntaxError;
use crate::format_reader::RawEntry;
use crate::parts::PartList;
use gitglot_model::is_language_code;

const EXPECTED: &str =
    "an object of keys, each with a text for each language, such as {\"key\": {\"en\": \"Text\"}}";

/// Adds the entries of all languages.
pub(crate) fn split(root: JsonNode<'_>, list: &mut PartList) -> Result<(), SyntaxError> {
    root.require(JsonKind::Object, EXPECTED)?;
    let mut counts = BTreeMap::new();
    each_map(root, &mut String::new(), &mut |_, map| {
        for text in map.children() {
            *counts.entry(text.name().into_owned()).or_insert(0) += 1;
        }
        Ok(())
    })?;
    let english = counts.keys().find(|code| *code == "en");
    let most = counts.iter().max_by_key(|&(_, &count)| count);
    let source = english.or(most.map(|(code, _)| code));
    let source = source.ok_or_else(|| root.expected(EXPECTED))?.clone();
    each_map(root, &mut String::new(), &mut |key, map| {
        let own = map.get(&source).map(JsonNode::text);
        let entry = RawEntry::new(key, own.as_deref().unwrap_or_default(), map.offset());
        list.push(0, &entry)?;
        for text in map.children().filter(|text| text.name() != source) {
            if let Some(part) = list.part(&text.name(), text.offset())? {
                list.push(part, &RawEntry::new(key, &text.text(), text.offset()))?;
            }
        }
        Ok(())
    })?;
    list.source_language = Some(source);
    Ok(())
}

/// Calls `found` with the path and value of each object whose members are texts of languages.
fn each_map<'a>(
    object: JsonNode<'a>,
    path: &mut String,
    found: &mut dyn FnMut(&str, JsonNode<'a>) -> Result<(), SyntaxError>,
) -> Result<(), SyntaxError> {
    let length = path.len();
    for member in object.children().filter(|it| it.kind() == JsonKind::Object) {
        if length > 0 {
            path.push('.');
        }
        path.push_str(&member.name());
        match is_map(member) {
            true => found(path, member)?,
            false => each_map(member, path, found)?,
        }
        path.truncate(length);
    }
    Ok(())
}

fn is_map(object: JsonNode<'_>) -> bool {
    let mut members = object.children().peekable();
    let is_text = |it: JsonNode<'_>| it.kind().is_string() && is_language_code(&it.name());
    members.peek().is_some() && members.all(is_text)
}

#[cfg(test)]
mod tests {
    use crate::{Outline, reader, split};
    use gitglot_model::{FileFormat, TableColumns};

    fn parts(format: FileFormat, text: &str) -> Vec<String> {
        let file = split(format, &TableColumns::default(), text.as_bytes()).unwrap();
        let part = |part: &crate::LanguagePart| {
            let mut texts = vec![part.code.clone()];
            let mut read =
                |entry: crate::RawEntry<'_>| texts.push([entry.context, "=", entry.text].concat());
            reader(format)
                .read(&part.pieces.concat(), &mut Outline::default(), &mut read)
                .unwrap();
            texts.join(" ")
        };
        file.parts.iter().map(part).collect()
    }

    #[test]
    fn each_language_below_a_key_is_a_text() {
        let json = r#"{"v": 2, "b": {"de": "y", "en": "x"}, "c": {"d": {"pt-BR": "z"}}}"#;
        let found = [" b=x c.d=", "de b=y", "pt-BR c.d=z"];
        assert_eq!(parts(FileFormat::JsonLanguages, json), found);
        let yaml = "_version: 2\nb:\n  de: y\n  en: x\nc:\n  d: {pt-BR: z}\n";
        assert_eq!(parts(FileFormat::YamlLanguages, yaml), found);
        let module = "export const t = { b: { de: 'y', en: 'x' }, c: { d: { 'pt-BR': 'z' } } }";
        assert_eq!(parts(FileFormat::ModuleLanguages, module), found);
        for empty in [FileFormat::JsonLanguages, FileFormat::ModuleLanguages] {
            split(empty, &TableColumns::default(), b"").unwrap_err();
        }
        let error = split(
            FileFormat::YamlLanguages,
            &TableColumns::default(),
            b"a: b\nc:\n  d: x\n",
        )
        .unwrap_err();
        assert!(
            error
                .to_string()
                .contains("each with a text for each language"),
            "{error}"
        );
    }
}
