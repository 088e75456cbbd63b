//! The format `gotext`: catalogs of Go's `golang.org/x/text/message` (`docs/spec/formats.md#gotext`).

use std::borrow::Cow;

use super::go_messages::{Forms, MessageList, form_text, forms};
use super::node::JsonNode;
use super::token::JsonKind;
use super::tree_dialect::TreeDialect;
use crate::formats::entry_list::EntryList;
use crate::formats::error::SyntaxError;

/// The format `gotext`.
pub(super) struct Gotext;

impl TreeDialect for Gotext {
    fn entries(&self, root: JsonNode<'_>, list: &mut EntryList) -> Result<(), SyntaxError> {
        root.require(
            JsonKind::Object,
            "an object with \"language\" and \"messages\"",
        )?;
        let Some(messages) = root.get("messages") else {
            return Ok(());
        };
        messages.require(JsonKind::Array, "a list of messages")?;
        let format = MessageList {
            note: "translatorComment",
            id: |message| Ok(message.get("id").map_or(Cow::Borrowed(""), JsonNode::text)),
            has_numbers: false,
            forms: selected,
        };
        format.entries(messages, list)
    }
}

/// The plural forms of a selection. Cases for exact numbers and ranges are no plural forms.
fn selected(translation: JsonNode<'_>) -> Result<Forms<'_>, SyntaxError> {
    const EXPECTED: &str = "a selection of plural forms";
    let select = translation
        .get("select")
        .ok_or_else(|| translation.expected(EXPECTED))?;
    let cases = select
        .get("cases")
        .ok_or_else(|| select.expected(EXPECTED))?;
    cases.require(JsonKind::Object, EXPECTED)?;
    forms(cases, |case| match case.kind() {
        JsonKind::Object => {
            let message = case.get("msg");
            form_text(message.ok_or_else(|| case.expected("a text as plural form"))?)
        }
        _ => form_text(case),
    })
}
