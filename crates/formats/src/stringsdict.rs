//! The format `stringsdict`: property lists of Apple with texts that depend on numbers, widths or devices
//! (`docs/spec/formats.md#stringsdict`).

use std::borrow::Cow;

use super::entry::{RawEntry, add_line};
use super::entry_list::{EntryList, Translated};
use super::error::{ReadErrorKind, SyntaxError};
use super::fault::{FaultList, Names};
use super::xml::{self, Element, XmlChild};
use gitglot_model::PluralForm;

/// What separates the key from the name of a part in an id, as in string catalogs.
pub(super) const SEPARATOR: &str = "|==|";

/// Rules by which a text is chosen, and what their texts have in ids.
const RULES: [(&str, &str); 2] = [
    ("NSStringVariableWidthRuleType", "width"),
    ("NSStringDeviceSpecificRuleType", "device"),
];

pub(super) fn parse(text: &str, list: &mut EntryList) -> Result<(), SyntaxError> {
    each_string(text, &mut |member| {
        add(&[&member.key], member.value, entry_of(member), true, list)
    })
}

/// Adds the texts of a file without plurals, of the format `strings`.
pub(super) fn parse_texts(text: &str, list: &mut EntryList) -> Result<(), SyntaxError> {
    each_string(text, &mut |member| match member.value.name {
        "string" => {
            let text = member.value.leading_text();
            add_text(&member.key, &text, entry_of(member), list)
        }
        _ => Ok(()),
    })
}

fn entry_of<'m>(member: &'m Member<'_>) -> RawEntry<'m> {
    RawEntry {
        note: &member.note,
        ..RawEntry::new("", "", member.offset)
    }
}

/// Adds the keys that occur twice.
pub(super) fn faults(text: &str, list: &mut FaultList) -> Result<(), SyntaxError> {
    let mut names = Names::default();
    each_string(text, &mut |member| {
        // Their values are not compared: a second one is a fault in any case.
        let again = names.add(member.key.to_string(), member.offset, member.offset);
        list.push(&member.key, member.offset, again);
        Ok(())
    })
}

/// A key of a dictionary and its value.
struct Member<'e> {
    key: Cow<'e, str>,
    value: &'e Element<'e>,
    /// The comments directly above the key.
    note: String,
    offset: usize,
}

/// Calls `each` with every string of a file.
fn each_string(
    text: &str,
    each: &mut dyn FnMut(&Member<'_>) -> Result<(), SyntaxError>,
) -> Result<(), SyntaxError> {
    let root = xml::parse(text, &[], &mut |_, child| match child {
        XmlChild::Element(dict) if dict.name == "dict" => {
            members(&dict)?.iter().try_for_each(&mut *each)
        }
        _ => Ok(()),
    })?;
    root.require_name("plist", "the root element <plist>")
}

/// The members of a dictionary.
fn members<'e>(dict: &'e Element<'e>) -> Result<Vec<Member<'e>>, SyntaxError> {
    let expected = |at| {
        let expected = "a <key> before each value";
        ReadErrorKind::Structure { expected }.at(at)
    };
    let (mut found, mut note) = (Vec::new(), String::new());
    let mut key: Option<&Element<'_>> = None;
    for child in &dict.children {
        match child {
            XmlChild::Comment(comment) => {
                add_line(&mut note, comment.trim());
            }
            XmlChild::Element(element) => match key.take() {
                None if element.name == "key" => key = Some(element),
                Some(key) if element.name != "key" => found.push(Member {
                    key: key.leading_text(),
                    value: element,
                    note: std::mem::take(&mut note),
                    offset: key.offset,
                }),
                _ => return Err(expected(element.offset)),
            },
            _ => {}
        }
    }
    match key {
        Some(key) => Err(expected(key.offset)),
        None => Ok(found),
    }
}

/// Adds the texts of a value. `key`: the parts of its id, which are joined only for a text. `has_rules`: whether it can
/// be chosen by a rule.
fn add(
    key: &[&str],
    value: &Element<'_>,
    entry: RawEntry<'_>,
    has_rules: bool,
    list: &mut EntryList,
) -> Result<(), SyntaxError> {
    if value.name == "string" {
        return add_text(&key.concat(), &value.leading_text(), entry, list);
    }
    if value.name != "dict" {
        return Ok(());
    }
    let (mut format, mut variables) = (None, Vec::new());
    for member in members(value)? {
        let rule = RULES.iter().find(|(name, _)| *name == member.key);
        if member.key == "NSStringLocalizedFormatKey" {
            format = Some(member.value.leading_text());
        } else if let Some((_, name)) = rule.filter(|_| has_rules && member.value.name == "dict") {
            for choice in members(member.value)? {
                // `other` is the text of all other devices.
                let rest = [SEPARATOR, name, ".", &*choice.key];
                let is_other = choice.key == "other";
                let id = [key, if is_other { &[] } else { &rest }].concat();
                add(&id, choice.value, entry, false, list)?;
            }
        } else if member.value.name == "dict" {
            variables.push((forms(member.value)?, member.key));
        }
    }
    variables.retain(|(forms, _)| !forms.is_empty());
    if let ([(forms, name)], Some(format)) = (&*variables, &format)
        && let Some((before, after)) = around_variable(format, name)
    {
        let sentences = forms
            .iter()
            .map(|(form, text)| (*form, [before, text, after].concat()));
        let sentences: Vec<_> = sentences.collect();
        return add_plural(&key.concat(), &sentences, entry, list);
    }
    if let Some(format) = format {
        add_text(&key.concat(), &format, entry, list)?;
    }
    variables.iter().try_for_each(|(forms, name)| {
        let id = [&*key.concat(), SEPARATOR, "substitutions.", name].concat();
        add_plural(&id, forms, entry, list)
    })
}

fn add_text(
    id: &str,
    text: &str,
    entry: RawEntry<'_>,
    list: &mut EntryList,
) -> Result<(), SyntaxError> {
    if !id.is_empty() {
        list.push(RawEntry {
            note: entry.note,
            ..RawEntry::new(id, text, entry.offset)
        });
    }
    // Ids are much longer than what the file has for them.
    list.check_size()
}

fn add_plural(
    id: &str,
    forms: &[(PluralForm, impl AsRef<str>)],
    entry: RawEntry<'_>,
    list: &mut EntryList,
) -> Result<(), SyntaxError> {
    if !id.is_empty() {
        let entry = RawEntry {
            context: id,
            ..entry
        };
        let forms = forms.iter().map(|(form, text)| (*form, text.as_ref()));
        list.push_plural(entry, Translated::AnyForm, forms);
    }
    list.check_size()
}

/// The texts of the plural categories of a variable.
fn forms<'e>(variable: &'e Element<'e>) -> Result<Vec<(PluralForm, Cow<'e, str>)>, SyntaxError> {
    let members = members(variable)?.into_iter();
    let form = |member: Member<'e>| {
        let form = PluralForm::from_category(&member.key)?;
        (member.value.name == "string").then(|| (form, member.value.leading_text()))
    };
    // Of two texts of a category, the last one counts.
    let mut found: Vec<(PluralForm, Cow<'e, str>)> = Vec::new();
    for (form, text) in members.filter_map(form) {
        match found.iter_mut().find(|(known, _)| *known == form) {
            Some((_, known)) => *known = text,
            None => found.push((form, text)),
        }
    }
    Ok(found)
}

/// The text before and after the only place of a variable, such as `%#@name@` or `%1$#@name@`.
fn around_variable<'f>(format: &'f str, name: &str) -> Option<(&'f str, &'f str)> {
    let place = ["#@", name, "@"].concat();
    let (before, after) = format.split_once(&place)?;
    if after.contains("#@") || before.contains("#@") {
        return None;
    }
    let numbered = before.strip_suffix('$');
    let number = numbered.map(|text| text.trim_end_matches(|digit: char| digit.is_ascii_digit()));
    Some((number.unwrap_or(before).strip_suffix('%')?, after))
}

#[cfg(test)]
mod tests {
    use crate::test_support::entries;
    use gitglot_model::FileFormat;

    fn file(strings: &str) -> String {
        format!(
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<!DOCTYPE plist PUBLIC \"-//Apple//DTD PLIST 1.0//EN\" \
             \"http://www.apple.com/DTDs/PropertyList-1.0.dtd\">\n<plist version=\"1.0\">\n<dict>{strings}</dict></plist>\n"
        )
    }

    fn variable(name: &str, forms: &str) -> String {
        format!(
            "<key>{name}</key><dict><key>NSStringFormatSpecTypeKey</key><string>NSStringPluralRuleType</string>\
             <key>NSStringFormatValueTypeKey</key><string>d</string>{forms}</dict>"
        )
    }

    fn texts(strings: &str) -> Vec<String> {
        let found = entries(FileFormat::Stringsdict, file(strings).as_bytes()).unwrap();
        let text = |it: &crate::test_support::Owned| {
            let forms = it.text.replace(gitglot_model::PLURAL_SEPARATOR, "|");
            [&it.context, "=", &forms, &it.note].concat()
        };
        found.iter().map(text).collect()
    }

    const FORMAT: &str = "<key>NSStringLocalizedFormatKey</key>";

    #[test]
    fn a_text_with_one_variable_is_a_plural() {
        let forms =
            "<key>other</key><string>%d files</string><key>one</key><string>a file</string>";
        let files = variable("files", forms);
        let both = format!(
            "<!-- n --><key>a</key><dict>{FORMAT}<string>%#@files@</string>{files}</dict>\
             <key>b</key><dict>{FORMAT}<string>%2$#@files@ in %1$@</string>{files}</dict>"
        );
        let expected = ["a=a file|%d filesn", "b=a file in %1$@|%d files in %1$@"];
        assert_eq!(texts(&both), expected);
    }

    #[test]
    fn several_variables_are_texts_of_their_own() {
        let form = |text| format!("<key>other</key><string>{text}</string>");
        let (a, b) = (variable("a", &form("%d a")), variable("b", &form("%d b")));
        let string =
            format!("<key>k</key><dict>{FORMAT}<string>%#@a@, %#@b@</string>{a}{b}</dict>");
        let expected = [
            "k=%#@a@, %#@b@",
            "k|==|substitutions.a=%d a",
            "k|==|substitutions.b=%d b",
        ];
        assert_eq!(texts(&string), expected);
    }

    #[test]
    fn widths_and_devices_are_texts_of_their_own() {
        let string = "<key>w</key><dict><key>NSStringVariableWidthRuleType</key><dict><key>20</key><string>x</string>\
            <key>50</key><string>xyz</string></dict></dict><key>d</key><dict><key>NSStringDeviceSpecificRuleType</key><dict>\
            <key>mac</key><string>click</string><key>other</key><string>tap</string></dict></dict><key>s</key><string>t</string>";
        let expected = [
            "w|==|width.20=x",
            "w|==|width.50=xyz",
            "d|==|device.mac=click",
            "d=tap",
            "s=t",
        ];
        assert_eq!(texts(string), expected);
    }

    #[test]
    fn of_two_texts_of_a_category_the_last_one_counts() {
        let forms = "<key>other</key><string>x</string>".repeat(100)
            + "<key>other</key><string>%d</string>";
        let string = format!(
            "<key>k</key><dict>{FORMAT}<string>%#@v@</string>{}</dict>",
            variable("v", &forms)
        );
        assert_eq!(texts(&string), ["k=%d"]);
    }

    #[test]
    fn keys_and_values_alternate() {
        for broken in [
            "<key>a</key>",
            "<string>a</string>",
            "<key>a</key><key>b</key>",
        ] {
            let error = entries(FileFormat::Stringsdict, file(broken).as_bytes()).unwrap_err();
            assert_eq!(error.line, 4, "{broken}");
            assert!(
                error.to_string().contains("a <key> before each value"),
                "{error}"
            );
        }
        assert!(entries(FileFormat::Stringsdict, b"<dict/>").is_err());
        assert!(entries(FileFormat::Stringsdict, b"bplist00\xd1").is_err());
        assert_eq!(texts(""), [""; 0]);
    }
}
