//! Formats whose names are the source texts: `laravel-json` and the same in YAML and PHP (`docs/spec/formats.md#laravel-json`), and `jed`, JSON of gettext
//! (`docs/spec/formats.md#jed`).

use std::borrow::Cow;

use super::node::JsonNode;
use super::token::JsonKind;
use crate::entry::{BilingualFields, RawEntry};
use crate::entry_list::{EntryList, Translated};
use crate::error::SyntaxError;
use gitglot_model::PluralForm;

/// Separates the context and the source text, as in the files that `msgfmt` writes.
const SEPARATOR: char = '\u{4}';

/// The formats `laravel-json`, `yaml-sources` and `php-sources`: an object of texts by source text.
pub(crate) fn of_texts(root: JsonNode<'_>, list: &mut EntryList) -> Result<(), SyntaxError> {
    // PHP writes an object without members as a list.
    if root.kind() == JsonKind::Array && root.children().next().is_none() {
        return Ok(());
    }
    root.require_object("an object of texts by source text")?;
    for member in root.children() {
        let text = match member.kind() {
            // YAML without a value.
            JsonKind::Null => Cow::Borrowed(""),
            _ => member.require_string("a text as translation")?,
        };
        let source = member.name();
        let fields = BilingualFields {
            source: &source,
            ..BilingualFields::default()
        };
        let entry = RawEntry::new("", &text, member.offset());
        list.push(RawEntry {
            bilingual: Some(&fields),
            ..entry
        });
    }
    Ok(())
}

/// The format `jed`: messages of gettext by source text, in `locale_data`, below the names of domains or at the top level.
pub(crate) fn jed(root: JsonNode<'_>, list: &mut EntryList) -> Result<(), SyntaxError> {
    root.require_object("an object with \"locale_data\" or messages")?;
    let has_header = |domain: JsonNode<'_>| domain.get("").is_some();
    let mut members = root.children().peekable();
    let is_domain = |it: JsonNode<'_>| it.kind() == JsonKind::Object && has_header(it);
    let has_domains = !has_header(root) && members.peek().is_some() && members.all(is_domain);
    let domains = match root.get("locale_data") {
        Some(domains) => domains,
        None if has_domains => root,
        None => return messages(root, list),
    };
    domains.require_object("an object of domains")?;
    domains
        .children()
        .try_for_each(|domain| messages(domain, list))
}

fn messages(domain: JsonNode<'_>, list: &mut EntryList) -> Result<(), SyntaxError> {
    domain.require_object("an object of messages")?;
    for message in domain.children() {
        let name = message.name();
        // The header.
        if name.is_empty() {
            continue;
        }
        let (context, source) = name.split_once(SEPARATOR).unwrap_or(("", &name));
        let fields = BilingualFields {
            source,
            ..BilingualFields::default()
        };
        let entry = RawEntry {
            bilingual: Some(&fields),
            ..RawEntry::new(context, "", message.offset())
        };
        let mut texts = Vec::new();
        if message.kind() != JsonKind::Array {
            texts.push(message.require_string("a text or a list of forms")?);
        }
        for (index, text) in message.children().enumerate() {
            // The first versions begin with the plural of the source, `null` without one.
            if index == 0 && text.kind() == JsonKind::Null {
                continue;
            }
            texts.push(text.require_string("a text as form")?);
        }
        match texts.as_slice() {
            [text] => list.push(RawEntry {
                text,
                translated: !text.is_empty(),
                ..entry
            }),
            texts => {
                let forms = (0..=u8::MAX).map(PluralForm::Index);
                let texts = texts.iter().map(|text| &**text);
                list.push_plural(entry, Translated::FirstForm, forms.zip(texts));
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use crate::reader;
    use gitglot_model::FileFormat;

    fn shown(format: FileFormat, text: &str) -> Vec<String> {
        let mut all = Vec::new();
        let read = reader(format).read(text.as_bytes(), &mut |entry| {
            let source = entry.bilingual.map_or("", |fields| fields.source);
            let forms = entry.forms.len();
            all.push(format!("{} {source} {} {forms}", entry.context, entry.text));
        });
        read.unwrap();
        all
    }

    #[test]
    fn names_of_laravel_are_the_sources() {
        let text = r#"{"Log in": "Anmelden", "The :name field.": ""}"#;
        assert_eq!(
            shown(FileFormat::LaravelJson, text),
            [" Log in Anmelden 0", " The :name field.  0"]
        );
        assert_eq!(shown(FileFormat::LaravelJson, "[]"), [] as [&str; 0]);
    }

    #[test]
    fn headers_of_jed_are_no_messages_and_forms_are_plurals() {
        let messages = r#"{"": {"domain": "messages", "lang": "de", "plural_forms": "nplurals=2; plural=n != 1;"},
            "Open": ["Öffnen"], "menu\u0004Open": [null, "Auf"], "%d file": ["%d Datei", "%d Dateien"]}"#;
        let expected = [
            " Open Öffnen 0",
            "menu Open Auf 0",
            " %d file %d Datei\u{1e}\u{1e}%d Dateien 2",
        ];
        assert_eq!(shown(FileFormat::Jed, messages), expected);
        let outer =
            format!(r#"{{"domain": "messages", "locale_data": {{"messages": {messages}}}}}"#);
        assert_eq!(shown(FileFormat::Jed, &outer), expected);
        let domains = format!(r#"{{"messages": {messages}}}"#);
        assert_eq!(shown(FileFormat::Jed, &domains), expected);
    }
}
