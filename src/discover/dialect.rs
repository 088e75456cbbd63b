//! Detects the dialect of a JSON file by its content.

use serde_json::{Map, Value};

use gitglot_model::{FileFormat, PluralForm};

/// The format of a JSON value other than `webextension`; `json` if nothing indicates another.
pub(super) fn of(value: &Value) -> FileFormat {
    match value {
        Value::Array(items) if all_messages(items) => FileFormat::GoI18nV1,
        Value::Object(members) => of_object(members),
        _ => FileFormat::Json,
    }
}

fn of_object(members: &Map<String, Value>) -> FileFormat {
    let messages = members.get("messages").and_then(Value::as_array);
    if messages.is_some_and(|list| all_messages(list)) {
        return FileFormat::Gotext;
    }
    let is_formatjs = |member: &Value| member.get("defaultMessage").is_some_and(Value::is_string);
    if !members.is_empty() && members.values().all(is_formatjs) {
        return FileFormat::FormatJs;
    }
    if members.get("@metadata").is_some_and(Value::is_object) {
        return FileFormat::Banana;
    }
    if is_inlang(members) {
        return FileFormat::Inlang;
    }
    if members.get("locale_data").is_some_and(Value::is_object)
        || members.get("").is_some_and(is_gettext_header)
        || members.values().all(has_gettext_header) && !members.is_empty()
    {
        return FileFormat::Jed;
    }
    let is_message = |member: &Value| member.is_string() || is_go_message(member);
    if members.values().all(is_message) && members.values().any(is_go_message) {
        return FileFormat::GoI18nV2;
    }
    if has_v4_plurals(members) {
        FileFormat::I18nextV4
    } else if has_v3_plurals(members) {
        FileFormat::I18next
    } else {
        FileFormat::Json
    }
}

/// Whether a file names the schema of inlang, or has a message of it with variants.
fn is_inlang(members: &Map<String, Value>) -> bool {
    let schema = members.get("$schema").and_then(Value::as_str);
    let has_variants = |message: &Value| {
        let parts = message.as_array();
        let part = parts.and_then(|parts| parts.first()).unwrap_or(message);
        part.get("match").is_some_and(Value::is_object) && part.get("selectors").is_some()
    };
    schema.is_some_and(|schema| schema.contains("inlang")) || members.values().any(has_variants)
}

/// Whether a value has the messages of a domain of gettext.
fn has_gettext_header(domain: &Value) -> bool {
    domain.get("").is_some_and(is_gettext_header)
}

/// Whether a member with an empty name has the fields of a header of gettext.
fn is_gettext_header(header: &Value) -> bool {
    let fields = "lang language Language plural_forms plural-forms Plural-Forms";
    fields.split(' ').any(|field| header.get(field).is_some())
}

/// Whether the members of an object are texts, most of them with spaces in their names: these are the source texts.
pub(super) fn has_sources_as_keys(value: &Value) -> bool {
    let Some(members) = value.as_object() else {
        return false;
    };
    let sentences = members
        .keys()
        .filter(|name| name.trim().contains(' '))
        .count();
    members.values().all(Value::is_string) && sentences * 2 > members.len()
}

/// Whether a list has messages of Go, and nothing else.
fn all_messages(items: &[Value]) -> bool {
    let has = |item: &Value| item.get("id").is_some() && item.get("translation").is_some();
    !items.is_empty() && items.iter().all(has)
}

/// Whether a member has only plural forms and a description.
fn is_go_message(member: &Value) -> bool {
    let Some(forms) = member.as_object() else {
        return false;
    };
    let is_form = |name: &String| PluralForm::from_category(name).is_some();
    let known = forms
        .keys()
        .all(|name| is_form(name) || name == "description" || name == "hash");
    known && forms.contains_key("other")
}

/// Whether an object has plurals of i18next version 3, at any depth: texts `key` and `key_plural`, of which one has a
/// placeholder of i18next. Without it, they can be names of two things.
fn has_v3_plurals(members: &Map<String, Value>) -> bool {
    let text = |name: &str| members.get(name).and_then(Value::as_str);
    let is_plural = |name: &String| {
        let single = name.strip_suffix("_plural").and_then(text);
        let texts = single.zip(text(name));
        texts.is_some_and(|(single, plural)| single.contains("{{") || plural.contains("{{"))
    };
    let mut inner = members.values().filter_map(Value::as_object);
    members.keys().any(is_plural) || inner.any(has_v3_plurals)
}

/// Whether an object has plurals of i18next version 4, at any depth.
fn has_v4_plurals(members: &Map<String, Value>) -> bool {
    let is_text = |name: String| members.get(&name).is_some_and(Value::is_string);
    let is_plural = |name: &String| {
        name.strip_suffix("_one")
            .is_some_and(|base| is_text(format!("{base}_other")))
    };
    let mut inner = members.values().filter_map(Value::as_object);
    members.keys().any(is_plural) || inner.any(has_v4_plurals)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dialects_are_recognized_by_their_members() {
        for (text, format) in [
            (r#"{"a_one":"x","a_other":"y"}"#, "i18nextv4"),
            (r#"{"n":{"a_one":"x","a_other":"y"}}"#, "i18nextv4"),
            (r#"{"n":{"a":"x","a_plural":"y"}}"#, "json"),
            (r#"{"n":{"a":"x","a_plural":"{{count}} y"}}"#, "i18next"),
            (
                r#"{"{{n}} a":"{{n}} a","{{n}} a_plural":"{{n}} as"}"#,
                "i18next",
            ),
            (r#"{"no_other":"x","step_one":"y"}"#, "json"),
            (
                r#"{"a":{"defaultMessage":"x","description":"d"}}"#,
                "formatjs",
            ),
            (r#"[{"id":"a","translation":"x"}]"#, "go-i18n-json"),
            (
                r#"{"a":{"one":"x","other":"y"},"b":"z"}"#,
                "go-i18n-json-v2",
            ),
            (
                r#"{"language":"en","messages":[{"id":"a","translation":"x"}]}"#,
                "gotext",
            ),
            (r#"{"a":"one | other"}"#, "json"),
            (r#"{"@metadata":{"authors":[]},"a":"x"}"#, "banana"),
            (
                r#"{"$schema":"https://inlang.com/schema/inlang-message-format","a":"x"}"#,
                "inlang",
            ),
            (
                r#"{"a":[{"selectors":["p"],"match":{"p=one":"x"}}]}"#,
                "inlang",
            ),
            (r#"{"domain":"a","locale_data":{"a":{"":{}}}}"#, "jed"),
            (
                r#"{"":{"language":"de","plural-forms":"x"},"a":"x"}"#,
                "jed",
            ),
            (r#"{"m":{"":{"lang":"de"},"a":[null,"x"]}}"#, "jed"),
            ("{}", "json"),
        ] {
            assert_eq!(
                of(&serde_json::from_str(text).unwrap()).name(),
                format,
                "{text}"
            );
        }
    }
}
