//! The formats `toml` and `go-i18n-toml` (`docs/spec/formats.md#toml`).

use std::ops::Range;

use toml::Spanned;
use toml::de::{DeString, DeTable, DeValue};

use super::as_json::JsonWriter;
use super::error::{ReadErrorKind, SyntaxError};

/// The values of a file as JSON.
pub(super) fn as_json(text: &str) -> Result<JsonWriter, SyntaxError> {
    let document = DeTable::parse(text).map_err(|error| {
        let at = error.span().map_or(0, |Range { start, .. }| start);
        ReadErrorKind::syntax(
            format!("expected TOML, found an error: {}", error.message()),
            at,
        )
    })?;
    let mut json = JsonWriter::default();
    table(document.get_ref(), 0, &mut json)?;
    Ok(json)
}

/// Writes a table, with its members in the order in which the file names them first.
fn table(table: &DeTable<'_>, at: usize, json: &mut JsonWriter) -> Result<(), SyntaxError> {
    json.open('{', at)?;
    let first = |(name, member): &Member<'_, '_>| place(name, member);
    let mut members: Vec<_> = table.iter().collect();
    members.sort_by_cached_key(first);
    for (name, member) in members {
        let at = place(name, member);
        json.name(name.get_ref(), at)?;
        value(member, at, json)?;
    }
    json.close('}');
    Ok(())
}

type Member<'t, 'i> = (&'t Spanned<DeString<'i>>, &'t Spanned<DeValue<'i>>);

/// Where a member begins. The name of a table is that of its last header.
fn place(name: &Spanned<DeString<'_>>, member: &Spanned<DeValue<'_>>) -> usize {
    let inner = match member.get_ref() {
        DeValue::Table(members) => members
            .iter()
            .map(|(name, member)| place(name, member))
            .min(),
        _ => None,
    };
    name.span().start.min(inner.unwrap_or(usize::MAX))
}

/// Writes a value, whose entry begins at an offset.
fn value(
    value: &Spanned<DeValue<'_>>,
    at: usize,
    json: &mut JsonWriter,
) -> Result<(), SyntaxError> {
    match value.get_ref() {
        DeValue::String(text) => json.text(text, at),
        DeValue::Integer(number) => match i64::from_str_radix(number.as_str(), number.radix()) {
            Ok(number) => json.plain(&number.to_string(), at),
            Err(_) => json.text(number.as_str(), at),
        },
        DeValue::Float(number) => match number.as_str().parse() {
            Ok(number) => json.number(number, at),
            Err(_) => json.text(number.as_str(), at),
        },
        DeValue::Boolean(value) => json.plain(if *value { "true" } else { "false" }, at),
        DeValue::Datetime(time) => json.text(&time.to_string(), at),
        DeValue::Array(elements) => {
            json.open('[', at)?;
            for element in elements.iter() {
                self::value(element, element.span().start, json)?;
            }
            json.close(']');
            Ok(())
        }
        DeValue::Table(members) => table(members, at, json),
    }
}

#[cfg(test)]
mod tests {
    use crate::test_support::entries;
    use gitglot_model::FileFormat;

    fn shown(format: FileFormat, text: &str) -> Vec<String> {
        let all = entries(format, text.as_bytes()).unwrap();
        all.iter()
            .map(|it| format!("{} = {}", it.context, it.text))
            .collect()
    }

    #[test]
    fn ids_of_toml_are_the_names_of_its_tables() {
        let text = "# note\na = \"x\\u00e9\"\n\"b.c\" = '''\ny\\n'''\n[t.u]\nn = [1.50, 0x10, true, 1979-05-27]\n[[l]]\nk = 'z'\n[t]\nv = 'w'\n";
        assert_eq!(
            shown(FileFormat::Toml, text),
            [
                "a = xé",
                "b.c = y\\n",
                "t.u.n[0] = 1.5",
                "t.u.n[1] = 16",
                "t.u.n[2] = True",
                "t.u.n[3] = 1979-05-27",
                "t.v = w",
                "l[0].k = z"
            ]
        );
        let error = entries(FileFormat::Toml, b"a = 'x'\na = 'y'\n").unwrap_err();
        assert_eq!(
            error.to_string(),
            "line 2, column 1: expected TOML, found an error: duplicate key"
        );
    }

    #[test]
    fn messages_of_go_i18n_have_forms_and_nested_names() {
        let text = "a = 'x'\n[b]\none = 'y'\nother = 'z'\ndescription = 'd'\n[c.d]\nother = 'v'\n[other]\nother = 'w'\n";
        assert_eq!(
            shown(FileFormat::GoI18nToml, text),
            ["a = x", "b = y\u{1e}\u{1e}z", "c.d = v", "other = w"]
        );
    }
}
