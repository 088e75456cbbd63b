//! The format `inlang`: messages of inlang and Paraglide (`docs/spec/formats.md#inlang`).

use std::borrow::Cow;
use std::collections::BTreeSet;

use super::node::JsonNode;
use super::token::JsonKind;
use super::walk::each_message;
use crate::entry::RawEntry;
use crate::entry_list::{EntryList, Translated};
use crate::error::SyntaxError;
use gitglot_model::PluralForm;

const MESSAGE: &str = "a text or a message with \"match\"";

/// What a variant matches, and its text.
type Variant<'a> = (Cow<'a, str>, Cow<'a, str>);

pub(crate) fn entries(root: JsonNode<'_>, list: &mut EntryList) -> Result<(), SyntaxError> {
    root.require_object("an object of messages at the top level")?;
    let is_group = |object: JsonNode<'_>| object.get("match").is_none();
    each_message(root, &mut String::new(), &is_group, &mut |message, id| {
        match message.kind() {
            _ if id == "$schema" => {}
            JsonKind::Object => push(message, id, &variants(message)?, list),
            JsonKind::Array => {
                let mut forms = Vec::new();
                for part in message.children() {
                    forms.append(&mut variants(part)?);
                }
                push(message, id, &forms, list);
            }
            _ => {
                let text = message.require_string(MESSAGE)?;
                list.push(RawEntry::new(id, &text, message.offset()));
            }
        }
        Ok(())
    })
}

/// The variants of a message: what they match, and their texts.
fn variants(message: JsonNode<'_>) -> Result<Vec<Variant<'_>>, SyntaxError> {
    let variants = message
        .get("match")
        .ok_or_else(|| message.expected(MESSAGE))?;
    variants.require_object("an object of variants")?;
    let texts = variants.children().map(|variant| {
        let text = variant.require_string("a text as variant")?;
        Ok((variant.name(), text))
    });
    texts.collect()
}

/// Adds a message with its variants as forms. They are plural categories if one selector has these and nothing else
/// differs; otherwise they have numbers.
fn push(message: JsonNode<'_>, id: &str, variants: &[Variant<'_>], list: &mut EntryList) {
    let categories = variants.iter().map(|(pattern, _)| category(pattern));
    let categories: Option<Vec<_>> = categories.collect();
    let differ = |forms: &Vec<_>| forms.iter().collect::<BTreeSet<_>>().len() == forms.len();
    let categories = categories.filter(differ);
    let texts = variants.iter().map(|(_, text)| &**text);
    let numbers = (0..=u8::MAX).map(PluralForm::Index);
    let kinds = categories.unwrap_or_else(|| numbers.take(variants.len()).collect());
    let mut forms: Vec<_> = kinds.into_iter().zip(texts).collect();
    forms.sort_by_key(|&(form, _)| form);
    let entry = RawEntry::new(id, "", message.offset());
    list.push_plural(entry, Translated::AnyForm, forms.into_iter());
}

/// The plural category that a variant of one selector matches. Any other value is that of the rest.
fn category(pattern: &str) -> Option<PluralForm> {
    let (_, value) = pattern.split_once('=').filter(|_| !pattern.contains(','))?;
    match value.trim() {
        "*" => Some(PluralForm::Other),
        value => PluralForm::from_category(value),
    }
}

#[cfg(test)]
mod tests {
    use crate::test_support::entries;
    use gitglot_model::FileFormat;

    #[test]
    fn a_message_with_variants_is_one_text_with_forms() {
        let text = br#"{"$schema": "https://inlang.com/schema/inlang-message-format", "a": "x {name}", "nav": {"b": "y"},
            "c": [{"declarations": ["input n", "local p = n: plural"], "selectors": ["p"],
                "match": {"p=other": "{n} files", "p=one": "{n} file"}}],
            "d": {"declarations": [], "selectors": ["g", "p"], "match": {"g=f, p=one": "v", "g=*, p=*": "w"}}}"#;
        let all = entries(FileFormat::Inlang, text).unwrap();
        let shown: Vec<_> = all
            .iter()
            .map(|it| format!("{} = {}", it.context, it.text))
            .collect();
        assert_eq!(
            shown,
            [
                "a = x {name}",
                "nav.b = y",
                "c = {n} file\u{1e}\u{1e}{n} files",
                "d = v\u{1e}\u{1e}w"
            ]
        );
        let error = entries(FileFormat::Inlang, br#"{"a": [{"selectors": []}]}"#).unwrap_err();
        assert!(
            error.to_string().ends_with("found a different value"),
            "{error}"
        );
    }
}
