//! Naive readers of the JSON dialects, which walk the value that `serde_json` parses.

use serde_json::{Map, Value};

use gitglot_model::PluralForm::{self, Index, One, Other, Zero};
use gitglot_model::{FileFormat, PLURAL_SEPARATOR};

/// Context, text, note, forms, translated.
pub(super) type NaiveEntry = (String, String, String, Vec<PluralForm>, bool);

/// The result of a naive reader; `None` for a file that the format refuses.
pub(super) type NaiveEntries = Option<Vec<NaiveEntry>>;

/// A value in Python's notation, and whether it is true.
fn python(value: &Value) -> (String, bool) {
    match value {
        Value::Null => (String::new(), false),
        Value::Bool(truth) => (if *truth { "True" } else { "False" }.to_owned(), *truth),
        Value::Number(number) => (number.to_string(), number.as_i64() != Some(0)),
        Value::String(text) => (text.clone(), !text.is_empty()),
        Value::Array(_) | Value::Object(_) => panic!("a scalar is expected"),
    }
}

fn plain(context: &str, value: &Value, note: &str) -> NaiveEntry {
    let (text, translated) = python(value);
    (
        context.to_owned(),
        text,
        note.to_owned(),
        vec![],
        translated,
    )
}

fn plural(context: &str, forms: &[(PluralForm, String)], note: &str, first: bool) -> NaiveEntry {
    let texts: Vec<&str> = forms.iter().map(|(_, text)| text.as_str()).collect();
    let decisive = if first { &texts[..1] } else { &texts[..] };
    let translated = decisive.iter().any(|text| !text.is_empty());
    let kinds = forms.iter().map(|(form, _)| *form).collect();
    let joined = texts.join(PLURAL_SEPARATOR);
    (
        context.to_owned(),
        joined,
        note.to_owned(),
        kinds,
        translated,
    )
}

fn is_scalar(value: &Value) -> bool {
    !value.is_object() && !value.is_array()
}

/// The rules of one object of a nested format.
type ObjectRule<'r> = &'r dyn Fn(&Map<String, Value>, &str, &mut Vec<NaiveEntry>);

fn nested(
    value: &Value,
    path: &str,
    object: ObjectRule<'_>,
    leaf: &dyn Fn(&str, &Value) -> NaiveEntry,
    out: &mut Vec<NaiveEntry>,
) {
    match value {
        Value::Object(members) => object(members, path, out),
        Value::Array(elements) => {
            for (index, element) in elements.iter().enumerate() {
                nested(element, &format!("{path}[{index}]"), object, leaf, out);
            }
        }
        scalar => out.push(leaf(path, scalar)),
    }
}

fn dotted(path: &str, name: &str) -> String {
    if path.is_empty() {
        name.to_owned()
    } else {
        format!("{path}.{name}")
    }
}

fn i18next_object(members: &Map<String, Value>, path: &str, out: &mut Vec<NaiveEntry>) {
    let mut done: Vec<&str> = Vec::new();
    for (name, value) in members {
        if done.contains(&name.as_str()) {
            continue;
        }
        let (plural_name, (base, _)) = (
            format!("{name}_plural"),
            name.rsplit_once('_').unwrap_or(("", "")),
        );
        let (base, forms): (&str, Vec<(&String, &Value)>) = match members
            .get_key_value(&plural_name)
        {
            Some(second) => (name, vec![(name, value), second]),
            None => {
                let numbered = (0..10).map_while(|n| members.get_key_value(&format!("{base}_{n}")));
                let numbered: Vec<_> = numbered.collect();
                if name.contains('_') && numbered.iter().any(|(other, _)| *other == name) {
                    (base, numbered)
                } else {
                    (base, vec![])
                }
            }
        };
        if forms.is_empty() || !forms.iter().all(|(_, value)| is_scalar(value)) {
            nested(
                value,
                &format!("{path}.{name}"),
                &i18next_object,
                &|path, value| plain(path, value, ""),
                out,
            );
            continue;
        }
        done.extend(forms.iter().map(|(name, _)| name.as_str()));
        let forms: Vec<_> = (0..)
            .map(Index)
            .zip(forms.iter().map(|(_, value)| python(value).0))
            .collect();
        out.push(plural(&format!("{path}.{base}"), &forms, "", true));
    }
}

fn i18next_v4_object(
    single: bool,
    members: &Map<String, Value>,
    path: &str,
    out: &mut Vec<NaiveEntry>,
) {
    let category = |name: &str| {
        Some((
            name.rsplit_once('_')?.0.to_owned(),
            PluralForm::from_category(name.rsplit_once('_')?.1)?,
        ))
    };
    let mut done: Vec<String> = Vec::new();
    for (name, value) in members {
        if let Some((base, form)) = category(name) {
            let mut group: Vec<(PluralForm, &Value)> = members
                .iter()
                .filter_map(|(name, value)| {
                    category(name)
                        .filter(|it| it.0 == base)
                        .map(|it| (it.1, value))
                })
                .collect();
            group.sort_by_key(|it| it.0);
            let is_plural = group.iter().all(|(_, value)| value.is_string())
                && (group.len() > 1
                    || base.ends_with("_ordinal")
                    || single && form == Other && !members.contains_key(&base));
            if is_plural {
                if !done.contains(&base) {
                    let forms: Vec<_> = group
                        .iter()
                        .map(|(form, value)| {
                            if base.ends_with("_ordinal") {
                                (form.to_ordinal(), python(value).0)
                            } else {
                                (*form, python(value).0)
                            }
                        })
                        .collect();
                    out.push(plural(&dotted(path, &base), &forms, "", false));
                    done.push(base);
                }
                continue;
            }
        }
        let object = |members: &Map<String, Value>, path: &str, out: &mut Vec<NaiveEntry>| {
            i18next_v4_object(single, members, path, out)
        };
        nested(
            value,
            &dotted(path, name),
            &object,
            &|path, value| plain(path, value, ""),
            out,
        );
    }
}

fn simple_object(
    members: &Map<String, Value>,
    path: &str,
    out: &mut Vec<NaiveEntry>,
    leaf: &dyn Fn(&str, &Value) -> NaiveEntry,
) {
    for (name, value) in members {
        let object = |members: &Map<String, Value>, path: &str, out: &mut Vec<NaiveEntry>| {
            simple_object(members, path, out, leaf)
        };
        nested(value, &dotted(path, name), &object, leaf, out);
    }
}

/// Splits at pipes outside of braces, by counting braces before each pipe.
fn vue_leaf(path: &str, value: &Value) -> NaiveEntry {
    let Value::String(text) = value else {
        return plain(path, value, "");
    };
    let mut parts = vec![String::new()];
    let mut depth = 0;
    for character in text.chars() {
        match character {
            '{' => depth += 1,
            '}' => depth = std::cmp::max(0, depth - 1),
            _ => {}
        }
        if character == '|' && depth == 0 {
            parts.push(String::new())
        } else {
            parts.last_mut().unwrap().push(character)
        }
    }
    let kinds = match parts.len() {
        1 => return plain(path, value, ""),
        2 => vec![One, Other],
        3 => vec![Zero, One, Other],
        count => (0..u8::try_from(count).unwrap()).map(Index).collect(),
    };
    let forms: Vec<_> = kinds
        .into_iter()
        .zip(parts.iter().map(|part| part.trim().to_owned()))
        .collect();
    plural(path, &forms, "", false)
}

/// The text of an optional member; `None` if it is no text.
fn optional(members: &Map<String, Value>, name: &str) -> Option<String> {
    match members.get(name) {
        None | Some(Value::Null) => Some(String::new()),
        Some(value) => Some(value.as_str()?.to_owned()),
    }
}

fn arb(root: &Value) -> NaiveEntries {
    let members = root.as_object()?;
    let is_message = |(name, value): &(&String, &Value)| !name.starts_with('@') && !value.is_null();
    let messages = members.iter().filter(is_message);
    let row = |(name, value): (&String, &Value)| {
        is_scalar(value).then_some(())?;
        let Some(metadata) = members.get(&format!("@{name}")) else {
            return Some(plain(name, value, ""));
        };
        let metadata = metadata.as_object()?;
        match metadata.get("placeholders") {
            None | Some(Value::Null | Value::Object(_)) => {}
            Some(_) => return None,
        }
        let note = metadata
            .get("description")
            .map_or(Some(""), Value::as_str)?;
        Some(plain(name, value, note))
    };
    messages.map(row).collect()
}

fn formatjs(root: &Value) -> NaiveEntries {
    let row = |(name, value): (&String, &Value)| {
        let members = value.as_object()?;
        let text = members
            .get("defaultMessage")
            .map_or(Some(""), Value::as_str)?;
        let note = match members.get("description") {
            // In Python's notation. The generator has no other objects here.
            Some(Value::Object(_)) => "{}",
            Some(note) => note.as_str()?,
            None => "",
        };
        Some(plain(name, &Value::from(text), note))
    };
    root.as_object()?.iter().map(row).collect()
}

/// The forms of an object; `None` if there is none, or one is no text.
fn categories(
    members: &Map<String, Value>,
    text: impl Fn(&Value) -> Option<&str>,
) -> Option<Vec<(PluralForm, String)>> {
    let forms = ["zero", "one", "two", "few", "many", "other"].into_iter();
    let forms =
        forms.filter_map(|name| Some((PluralForm::from_category(name)?, members.get(name)?)));
    let forms: Option<Vec<_>> = forms
        .map(|(form, value)| Some((form, text(value)?.to_owned())))
        .collect();
    forms.filter(|forms| !forms.is_empty())
}

fn go_v1(root: &Value) -> NaiveEntries {
    let row = |message: &Value| {
        let members = message.as_object()?;
        let id = members.get("id").unwrap_or(&Value::Null);
        (!id.is_array() && !id.is_object()).then_some(())?;
        let (id, note) = (python(id).0, optional(members, "description")?);
        Some(match members.get("translation") {
            Some(number @ (Value::Number(_) | Value::Bool(_))) => plain(&id, number, &note),
            Some(Value::Object(forms)) => {
                plural(&id, &categories(forms, Value::as_str)?, &note, false)
            }
            _ => plain(&id, &Value::from(optional(members, "translation")?), &note),
        })
    };
    root.as_array()?.iter().map(row).collect()
}

fn go_v2(root: &Value, path: &str) -> NaiveEntries {
    const RESERVED: &str = " id description hash leftdelim rightdelim zero one two few many other ";
    let rows = |(name, value): (&String, &Value)| {
        let name = format!("{path}{name}");
        let is_message = |members: &Map<String, Value>| {
            let mut texts = members.iter().filter(|(_, member)| member.is_string());
            texts.any(|(name, _)| RESERVED.contains(&format!(" {name} ")))
        };
        match value {
            Value::String(_) => Some(vec![plain(&name, value, "")]),
            Value::Object(members) if is_message(members) => {
                let note = optional(members, "description")?;
                let forms = categories(members, Value::as_str)?;
                Some(vec![plural(&name, &forms, &note, false)])
            }
            Value::Object(_) => go_v2(value, &format!("{name}.")),
            _ => None,
        }
    };
    let all: Option<Vec<_>> = root.as_object()?.iter().map(rows).collect();
    all.map(|rows| rows.concat())
}

fn case_text(case: &Value) -> Option<&str> {
    match case {
        Value::Object(case) => case.get("msg")?.as_str(),
        case => case.as_str(),
    }
}

fn gotext(root: &Value) -> NaiveEntries {
    let row = |message: &Value| {
        let members = message.as_object()?;
        let id = members
            .get("id")
            .map_or_else(String::new, |id| python(id).0);
        let note = optional(members, "translatorComment")?;
        Some(match members.get("translation") {
            Some(Value::Object(translation)) => {
                let cases = translation.get("select")?.get("cases")?.as_object()?;
                plural(&id, &categories(cases, case_text)?, &note, false)
            }
            _ => plain(&id, &Value::from(optional(members, "translation")?), &note),
        })
    };
    match root.as_object()?.get("messages") {
        None => Some(vec![]),
        Some(messages) => messages.as_array()?.iter().map(row).collect(),
    }
}

fn resjson(root: &Value) -> NaiveEntries {
    let members = root.as_object()?;
    members
        .values()
        .all(|value| is_scalar(value) && !value.is_null())
        .then_some(())?;
    // The key that a member is for: `_key.comment` is for `key`.
    fn key(name: &str) -> &str {
        let inside = name.strip_prefix('_').and_then(|it| it.rsplit_once('.'));
        inside.map_or(name, |(key, _)| key)
    }
    let mut keys: Vec<&str> = Vec::new();
    for name in members.keys() {
        if !keys.contains(&key(name)) {
            keys.push(key(name));
        }
    }
    let is_text = |name: &&str| key(name) == *name;
    let row = |name: &str| {
        let note = members
            .get(&format!("_{name}.comment"))
            .map(|note| python(note).0);
        Some(plain(name, members.get(name)?, &note.unwrap_or_default()))
    };
    Some(keys.into_iter().filter(is_text).filter_map(row).collect())
}

/// Reads a file by the rules of the format; `single` as for the format's reader.
pub(super) fn naive(format: FileFormat, single: bool, root: &Value) -> NaiveEntries {
    let mut out = Vec::new();
    let scalar: &dyn Fn(&str, &Value) -> NaiveEntry = &|path, value| plain(path, value, "");
    let simple = |leaf| {
        move |members: &Map<String, Value>, path: &str, out: &mut Vec<NaiveEntry>| {
            simple_object(members, path, out, leaf)
        }
    };
    match format {
        FileFormat::I18next => nested(root, "", &i18next_object, scalar, &mut out),
        FileFormat::I18nextV4 => {
            let object = |members: &Map<String, Value>, path: &str, out: &mut Vec<NaiveEntry>| {
                i18next_v4_object(single, members, path, out)
            };
            nested(root, "", &object, scalar, &mut out);
        }
        FileFormat::VueI18n => nested(root, "", &simple(&vue_leaf), &vue_leaf, &mut out),
        FileFormat::Jsonc | FileFormat::Json5 => {
            nested(root, "", &simple(scalar), scalar, &mut out)
        }
        FileFormat::Arb => return arb(root),
        FileFormat::FormatJs => return formatjs(root),
        FileFormat::GoI18nV1 => return go_v1(root),
        FileFormat::GoI18nV2 => return go_v2(root, ""),
        FileFormat::Gotext => return gotext(root),
        FileFormat::ResJson => return resjson(root),
        other => panic!("no naive reader for {}", other.name()),
    }
    Some(out)
}
