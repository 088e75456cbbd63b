//! The format `gotext`: catalogs of Go's `golang.org/x/text/message` (`docs/spec/formats.md#gotext`).

use std::borrow::Cow;

use super::go_i18n::text_of;
use super::node::JsonNode;
use super::token::JsonKind;
use super::tree_dialect::TreeDialect;
use crate::formats::entry_list::{EntryList, Translated};
use crate::formats::error::SyntaxError;
use crate::formats::{PluralForm, RawEntry};

/// The format `gotext`.
pub(super) struct Gotext;

impl TreeDialect for Gotext {
    fn entries(&self, root: JsonNode<'_>, list: &mut EntryList) -> Result<(), SyntaxError> {
        root.require(
            JsonKind::Object,
            "an object with \"language\" and \"messages\"",
        )?;
        let Some(messages) = root
            .get("messages")
            .filter(|messages| messages.kind() != JsonKind::Null)
        else {
            return Ok(());
        };
        messages.require(JsonKind::Array, "a list of messages")?;
        for message in messages.children() {
            message.require(
                JsonKind::Object,
                "an object such as {\"id\": \"key\", \"translation\": \"text\"}",
            )?;
            let context = match message.get("id") {
                Some(id) => Cow::Owned(id.python()),
                None => Cow::Borrowed(""),
            };
            let note = text_of(message, "translatorComment")?;
            let entry = RawEntry {
                context: &context,
                note: &note,
                offset: message.offset(),
                ..RawEntry::default()
            };
            match message.get("translation") {
                None => list.push(entry),
                Some(translation) if translation.kind() == JsonKind::Null => list.push(entry),
                Some(translation) if translation.kind() == JsonKind::Object => {
                    select(translation, entry, list)?
                }
                Some(translation) => {
                    let text =
                        translation.require_string("a text or a selection of plural forms")?;
                    list.push(RawEntry {
                        text: &text,
                        translated: !text.is_empty(),
                        ..entry
                    });
                }
            }
        }
        Ok(())
    }
}

/// Adds the plural forms of a selection. Cases for exact numbers and ranges are no plural forms.
fn select(
    translation: JsonNode<'_>,
    entry: RawEntry<'_>,
    list: &mut EntryList,
) -> Result<(), SyntaxError> {
    const EXPECTED: &str = "a selection of plural forms";
    let select = translation
        .get("select")
        .ok_or_else(|| translation.expected(EXPECTED))?;
    let cases = select
        .get("cases")
        .ok_or_else(|| select.expected(EXPECTED))?;
    cases.require(JsonKind::Object, EXPECTED)?;
    let mut forms: Vec<(PluralForm, Cow<'_, str>)> = Vec::new();
    for case in cases.children() {
        let Some(form) = PluralForm::from_category(&case.name()) else {
            continue;
        };
        let message = if case.kind() == JsonKind::Object {
            case.get("msg")
        } else {
            Some(case)
        };
        let message = message.ok_or_else(|| case.expected("a text as plural form"))?;
        forms.push((form, message.require_string("a text as plural form")?));
    }
    if forms.is_empty() {
        return Err(cases.expected("a plural form such as \"other\""));
    }
    forms.sort_by_key(|&(form, _)| form);
    list.push_plural(
        entry,
        Translated::AnyForm,
        forms.iter().map(|(form, text)| (*form, &**text)),
    );
    Ok(())
}
