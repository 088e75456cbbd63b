//! Maps from keys to a text for each language, in JSON, YAML and JavaScript (`docs/spec/formats.md#languages-below-keys`).

use std::cmp::Reverse;
use std::collections::BTreeMap;

use super::node::JsonNode;
use super::token::JsonKind;
use crate::entry::RawEntry;
use crate::error::SyntaxError;
use crate::part_list::PartList;
use gitglot_model::{SeededSet, is_english, is_language_code};

const EXPECTED: &str =
    "an object of keys, each with a text for each language, such as {\"key\": {\"en\": \"Text\"}}";

/// An object that has texts in several languages.
enum Texts<'a> {
    /// The texts of a key by language.
    OfKey(JsonNode<'a>),
    /// Objects of keys by language.
    ByLanguage(JsonNode<'a>),
}

/// Calls a function with the path and value of each text of a language.
type Visit<'a, 'v> = dyn FnMut(&str, JsonNode<'a>) -> Result<(), SyntaxError> + 'v;

/// Adds the entries of all languages.
pub(crate) fn split(root: JsonNode<'_>, list: &mut PartList) -> Result<(), SyntaxError> {
    root.require_object(EXPECTED)?;
    let mut counts = BTreeMap::new();
    each(root, &mut String::new(), &mut |path, texts| {
        let mut count = |code: JsonNode<'_>, texts: usize| {
            let of_code = counts.entry(code.name().into_owned());
            of_code.or_insert((0, Reverse(code.offset()))).0 += texts;
        };
        match texts {
            Texts::OfKey(map) => map.children().for_each(|text| count(text, 1)),
            Texts::ByLanguage(languages) => {
                for language in languages.children() {
                    let mut texts = 0;
                    each_text(language, path, &mut |_, _| {
                        texts += 1;
                        Ok(())
                    })?;
                    count(language, texts);
                }
            }
        }
        Ok(())
    })?;
    // Of languages with as many texts, the first one of the file.
    let source = counts
        .into_iter()
        .max_by_key(|(code, count)| (code == "en", is_english(code), *count));
    let (source, _) = source.ok_or_else(|| root.expected(EXPECTED))?;
    each(root, &mut String::new(), &mut |path, texts| match texts {
        Texts::OfKey(map) => add_key(path, map, &source, list),
        Texts::ByLanguage(languages) => {
            list.is_by_language = true;
            add_languages(path, languages, &source, list)
        }
    })?;
    list.source_language = Some(source);
    Ok(())
}

fn add_key(
    key: &str,
    map: JsonNode<'_>,
    source: &str,
    list: &mut PartList,
) -> Result<(), SyntaxError> {
    let text = map.get(source).map(JsonNode::text);
    let entry = RawEntry::new(key, text.as_deref().unwrap_or_default(), map.offset());
    list.push(0, &entry)?;
    for text in map.children().filter(|text| text.name() != source) {
        if let Some(part) = list.part(&text.name(), text.offset())? {
            list.push(part, &RawEntry::new(key, &text.text(), text.offset()))?;
        }
    }
    Ok(())
}

/// Adds the texts of objects by language. A key that the source language lacks has an empty source text.
fn add_languages(
    path: &mut String,
    languages: JsonNode<'_>,
    source: &str,
    list: &mut PartList,
) -> Result<(), SyntaxError> {
    let mut keys: SeededSet<String> = SeededSet::default();
    if let Some(texts) = languages.get(source) {
        each_text(texts, path, &mut |key, text| {
            keys.insert(key.to_owned());
            list.push(0, &RawEntry::new(key, &text.text(), text.offset()))
        })?;
    }
    for language in languages.children().filter(|child| child.name() != source) {
        let Some(part) = list.part(&language.name(), language.offset())? else {
            continue;
        };
        each_text(language, path, &mut |key, text| {
            if !keys.contains(key) {
                keys.insert(key.to_owned());
                list.push(0, &RawEntry::new(key, "", text.offset()))?;
            }
            list.push(part, &RawEntry::new(key, &text.text(), text.offset()))
        })?;
    }
    Ok(())
}

/// Calls `found` with the path and value of each object that has texts in several languages.
fn each<'a>(
    object: JsonNode<'a>,
    path: &mut String,
    found: &mut dyn FnMut(&mut String, Texts<'a>) -> Result<(), SyntaxError>,
) -> Result<(), SyntaxError> {
    if is_by_language(object) {
        return found(path, Texts::ByLanguage(object));
    }
    let length = path.len();
    let children = object.children();
    for member in children.filter(|child| child.kind() == JsonKind::Object) {
        add_name(path, member);
        if is_map(member) {
            found(path, Texts::OfKey(member))?
        } else {
            each(member, path, found)?
        }
        path.truncate(length);
    }
    Ok(())
}

/// Calls `found` with the path and value of each text below the members of a value.
fn each_text<'a>(
    value: JsonNode<'a>,
    path: &mut String,
    found: &mut Visit<'a, '_>,
) -> Result<(), SyntaxError> {
    let length = path.len();
    for (index, member) in value.children().enumerate() {
        match value.kind() {
            JsonKind::Array => path.push_str(&format!("[{index}]")),
            _ => add_name(path, member),
        }
        match member.kind() {
            kind if kind.is_container() => each_text(member, path, found)?,
            kind if kind.is_string() => found(path, member)?,
            _ => {}
        }
        path.truncate(length);
    }
    Ok(())
}

fn add_name(path: &mut String, member: JsonNode<'_>) {
    if !path.is_empty() {
        path.push('.');
    }
    path.push_str(&member.name());
}

fn is_map(object: JsonNode<'_>) -> bool {
    let mut members = object.children().peekable();
    let is_text = |it: JsonNode<'_>| it.kind().is_string() && is_language_code(&it.name());
    members.peek().is_some() && members.all(is_text)
}

/// Whether an object has an object of keys for each of several languages. Keys can be words such as `no` and `it`, too.
fn is_by_language(object: JsonNode<'_>) -> bool {
    let is_language = |it: JsonNode<'_>| {
        it.kind() == JsonKind::Object && is_language_code(&it.name()) && !is_map(it)
    };
    object.children().nth(1).is_some() && object.children().all(is_language)
}

#[cfg(test)]
mod tests {
    use crate::{reader, split};
    use gitglot_model::{FileFormat, TableColumns};

    fn parts(format: FileFormat, text: &str) -> Vec<String> {
        let file = split(format, &TableColumns::default(), text.as_bytes()).unwrap();
        let part = |part: &crate::LanguagePart| {
            let mut texts = vec![part.code.clone()];
            let mut read =
                |entry: crate::RawEntry<'_>| texts.push([entry.context, "=", entry.text].concat());
            reader(format)
                .read(&part.pieces.concat(), &mut read)
                .unwrap();
            texts.join(" ")
        };
        file.parts.iter().map(part).collect()
    }

    #[test]
    fn the_source_language_is_english_else_the_first_of_those_with_most_texts() {
        let source = |json: &str| {
            let json = json.replace('\'', "\"");
            let file = split(
                FileFormat::JsonLanguages,
                &TableColumns::default(),
                json.as_bytes(),
            );
            file.unwrap().source_language.unwrap()
        };
        assert_eq!(
            source("{'a': {'zu': 'x', 'en-GB': 'y', 'en-US': 'z'}}"),
            "en-GB"
        );
        assert_eq!(
            source("{'a': {'en-AU': 'y', 'fr': 'x', 'en': 'z'}, 'b': {'en-AU': 'v', 'fr': 'w'}}"),
            "en"
        );
        assert_eq!(source("{'a': {'fr': 'x', 'de': 'y', 'zu': 'z'}}"), "fr");
    }

    #[test]
    fn each_language_has_an_object_of_keys() {
        let json = r#"{"en": {"a": {"b": "x"}, "c": ["y", 1]}, "de": {"c": ["z", "w"], "d": "v"}, "fr": {}}"#;
        let found = [" a.b=x c[0]=y c[1]= d=", "de c[0]=z c[1]=w d=v", "fr"];
        assert_eq!(parts(FileFormat::JsonLanguages, json), found);
        let yaml = "en:\n  a: {b: x}\n  c: [y]\nde:\n  d: v\n  c: [z, w]\nfr: {}\n";
        assert_eq!(parts(FileFormat::YamlLanguages, yaml), found);
        let module = "export const en = { a: 'x' };\nexport const de = { a: 'y' };\n";
        assert_eq!(
            parts(FileFormat::ModuleLanguages, module),
            [" a=x", "de a=y"]
        );
        let both = r#"{"no": {"en": "x", "de": "y"}, "it": {"en": "z"}, "p": {"en": {"k": "v"}, "de": {"k": "w"}}}"#;
        let found = [" it=z no=x p.k=v", "de no=y p.k=w"];
        assert_eq!(parts(FileFormat::JsonLanguages, both), found);
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
