//! The format `ts`: translations of Qt Linguist (`docs/spec/formats.md#ts`).

use std::borrow::Cow;

use super::entry::{BilingualFields, RawEntry, Revised};
use super::entry_list::{EntryList, numbered_forms};
use super::error::{ReadErrorKind, SyntaxError};
use super::fault::{FaultList, InvalidPart, Names};
use super::xml::{Element, XmlChild};
use super::xml_reader::{self, XmlFormat};
use gitglot_model::{PLURAL_SEPARATOR, Shape, language};

/// The format as units in contexts.
pub(super) struct QtTs;

impl XmlFormat for QtTs {
    const CONTAINERS: &'static [&'static str] = &["context"];
    const UNIT: &'static str = "message";

    fn is_unit(element: &Element<'_>, _: &Element<'_>) -> bool {
        element.name == Self::UNIT
    }

    fn new_surroundings(child: &Element<'_>) -> Option<String> {
        (child.name == "name").then(|| child.leading_text().into_owned())
    }

    fn head(text: &str) -> usize {
        locations_end(text).unwrap_or(0)
    }

    fn add(unit: &Element<'_>, context: &str, list: &mut EntryList) -> Result<(), SyntaxError> {
        if kind(unit) == Some("obsolete") {
            return Ok(());
        }
        add(unit, context, list)
    }

    fn require_root(root: &Element<'_>) -> Result<(), SyntaxError> {
        root.require_name("TS", "the root element <TS>")
    }
}

/// Where the locations at the start of a message end, and the white space after them; `None` if the start is unusual.
fn locations_end(text: &str) -> Option<usize> {
    let tag_end = memchr::memchr(b'>', text.as_bytes())?;
    let tag = text.get(..tag_end)?;
    // With whole values only, the tag ends here.
    if tag.ends_with('/') || tag.contains('\'') || tag.matches('"').count() % 2 == 1 {
        return None;
    }
    let mut rest = text.get(tag_end + 1..)?.trim_ascii_start();
    while let Some(location) = rest.strip_prefix("<location") {
        let Some(after) = after_location(location) else {
            break;
        };
        rest = after.trim_ascii_start();
    }
    Some(text.len() - rest.len())
}

/// The text after an empty element that has a file name, a line or both, in the way in which Qt writes them.
fn after_location(text: &str) -> Option<&str> {
    let value = |text: &'_ str| {
        let end = memchr::memchr3(b'"', b'<', b'&', text.as_bytes())?;
        text.get(end..)?
            .strip_prefix('"')
            .map(|rest| text.len() - rest.len())
    };
    let mut rest = text;
    for name in [" filename=\"", " line=\""] {
        if let Some(start) = rest.strip_prefix(name) {
            rest = start.get(value(start)?..)?;
        }
    }
    rest.strip_prefix("/>")
}

fn text_of<'e>(message: &'e Element<'_>, name: &str) -> Cow<'e, str> {
    message.child(name).map(text).unwrap_or_default()
}

/// Separates the variants of a text, of which Qt shows the longest one that fits.
const VARIANT_SEPARATOR: &str = "\u{9c}";

/// A text with its control characters, which are elements. It ends at any other element.
fn text<'e>(element: &'e Element<'_>) -> Cow<'e, str> {
    let variants = element.children_named("lengthvariant");
    let variants: Vec<_> = variants.map(leading).collect();
    if variants.is_empty() {
        leading(element)
    } else {
        variants.join(VARIANT_SEPARATOR).into()
    }
}

fn leading<'e>(element: &'e Element<'_>) -> Cow<'e, str> {
    let first = element.leading_text();
    if element.child("byte").is_none() {
        return first;
    }
    let mut out = String::new();
    for child in &element.children {
        match child {
            XmlChild::Text(part) | XmlChild::CData(part) => out.push_str(part),
            XmlChild::Entity(name) => out.extend(["&", name, ";"]),
            XmlChild::Element(byte) if byte.name == "byte" => out.extend(character(byte)),
            _ => break,
        }
    }
    out.into()
}

/// The character of an element `byte`, whose value is decimal or, after `x`, hexadecimal.
fn character(byte: &Element<'_>) -> Option<char> {
    let value = byte.attribute("value")?;
    let number = match value.strip_prefix('x') {
        Some(digits) => u32::from_str_radix(digits, 16),
        None => value.parse(),
    };
    char::from_u32(number.ok()?)
}

/// The type of the translation of a message.
fn kind<'e>(message: &'e Element<'_>) -> Option<&'e str> {
    message.child("translation")?.attribute("type")
}

fn is_plural(message: &Element) -> bool {
    message.attribute("numerus") == Some("yes")
}

/// The context of a message, and its source with both forms of a plural.
fn identity<'e>(message: &'e Element<'_>, context: &'e str) -> (Cow<'e, str>, Cow<'e, str>) {
    let source = with_forms(message, text_of(message, "source"));
    let comment = text_of(message, "comment");
    let id = message.attribute("id").unwrap_or_default();
    let context = match (&*comment, id) {
        ("", "") => context.into(),
        (comment, id) => joined(&[context, comment, id]).into(),
    };
    (context, source)
}

/// A source text of a message; of a plural both forms.
fn with_forms<'e>(message: &Element<'_>, source: Cow<'e, str>) -> Cow<'e, str> {
    if is_plural(message) {
        [&*source, &source.replace("(s)", "s")]
            .join(PLURAL_SEPARATOR)
            .into()
    } else {
        source
    }
}

/// Adds the entry of a message.
fn add(message: &Element, context: &str, list: &mut EntryList) -> Result<(), SyntaxError> {
    let (context, source) = identity(message, context);
    let is_plural = is_plural(message);
    let mut target = Cow::Borrowed("");
    if let Some(translation) = message.child("translation") {
        target = if is_plural {
            forms(translation)?.into()
        } else {
            text(translation)
        };
    }
    let kind = kind(message);
    let is_unfinished = kind == Some("unfinished");
    // As in Weblate 3.4, the first form decides for all of them.
    let is_empty = target.is_empty() || target.starts_with(PLURAL_SEPARATOR);
    let revised = match kind {
        Some("vanished") => Revised::Gone,
        _ if is_empty && !is_unfinished => Revised::Untranslated,
        _ => Revised::Same,
    };
    if is_empty && !is_unfinished {
        target = Cow::Borrowed(&source);
    }
    let old_source = Some(text_of(message, "oldsource")).filter(|text| !text.is_empty());
    let old_source = old_source.map(|text| with_forms(message, text));
    let fields = BilingualFields {
        source: &source,
        previous_source: "",
        old_source: &old_source.unwrap_or_default(),
        locations: &locations(message),
        flags: "",
        fuzzy: is_unfinished && !is_empty,
        revised,
    };
    list.push(RawEntry {
        note: &joined(&[
            &text_of(message, "extracomment"),
            &text_of(message, "translatorcomment"),
        ]),
        forms: &numbered_forms(&target, is_plural),
        translated: !is_unfinished,
        bilingual: Some(&fields),
        ..RawEntry::new(&context, &target, message.offset)
    });
    Ok(())
}

/// The forms of a plural, joined.
fn forms(translation: &Element) -> Result<String, SyntaxError> {
    let forms = translation.children_named("numerusform");
    let forms: Vec<_> = forms.map(text).collect();
    match forms.as_slice() {
        [] => Err(ReadErrorKind::syntax(
            "expected an element <numerusform>: the message has numerus=\"yes\"",
            translation.offset,
        )),
        forms => Ok(forms.join(PLURAL_SEPARATOR)),
    }
}

/// Adds the faults of a file that parses (`docs/spec/formats.md#faults-of-xliff-and-ts-files`).
pub(super) fn faults(file: &str, list: &mut FaultList) -> Result<(), SyntaxError> {
    let mut names = Names::default();
    let mut plurals: Vec<(String, usize, usize)> = Vec::new();
    let mut has_text = false;
    let root = xml_reader::units::<QtTs>(file, &mut |message, context| {
        // Programs have neither obsolete nor vanished messages.
        if matches!(kind(message), Some("obsolete" | "vanished")) {
            return Ok(());
        }
        let (context, source) = identity(message, context);
        let key = Shape::bilingual_key(&context, &source);
        let translation = message.child("translation").map(|element| {
            let forms = element.elements().map(|form| text(form).into_owned());
            (text(element).into_owned(), forms.collect::<Vec<_>>())
        });
        let again = names.add(key.clone(), message.offset, translation);
        list.push(&key, message.offset, again);
        let is_finished = kind(message).is_none();
        if let Some(translation) = message.child("translation").filter(|_| is_finished) {
            let forms = || translation.elements().map(text);
            has_text |=
                forms().any(|form| !form.is_empty()) || !text(translation).trim().is_empty();
            if is_plural(message) && forms().any(|form| !form.is_empty()) {
                plurals.push((key, message.offset, forms().count()));
            }
        }
        Ok(())
    })?;
    let language = root.attribute("language").unwrap_or_default();
    if language.is_empty() && has_text {
        let problem = "The root element has no language, which decides on plural forms: add it.";
        list.invalid("", root.offset, InvalidPart::Header, problem);
    }
    let counts = plural_counts(language);
    for (key, offset, count) in plurals {
        // Qt leaves out forms that the language does not have.
        if let [first, ..] = counts[..]
            && counts.iter().all(|&needed| count < needed)
        {
            let problem = format!(
                "The text has {count} plural forms, but the language {language} has {first}: write one for each."
            );
            list.invalid(&key, offset, InvalidPart::PluralForms, problem);
        }
    }
    Ok(())
}

/// The numbers of plural forms that tools assign to a language; none if it is not known.
fn plural_counts(language: &str) -> Vec<usize> {
    // Qt has rules of its own (`numerus.cpp`).
    let of_qt = match language.split(['_', '-']).next().unwrap_or_default() {
        "bi" | "bo" | "dz" | "fa" | "fj" | "gn" | "hu" | "id" | "ja" | "jv" | "ko" | "ms"
        | "my" | "na" | "om" | "su" | "th" | "tr" | "tt" | "vi" | "yo" | "za" | "zh" => Some(1),
        "he" | "iw" => Some(2),
        "cy" => Some(5),
        "fil" | "ga" | "mk" | "tl" => Some(3),
        _ => None,
    };
    let gettext = language::resolve(language);
    let current = language::resolve_current(language);
    match gettext.rank {
        None => Vec::new(),
        Some(_) => {
            let of_weblate = [
                gettext.plural.forms,
                current.plural.forms,
                current.named_plural.forms,
            ];
            of_qt
                .into_iter()
                .chain(of_weblate.map(usize::from))
                .collect()
        }
    }
}

/// The places of a message in the source code. Lines relative to the message before are not known: then there are none.
fn locations(message: &Element) -> String {
    let mut found = Vec::new();
    for location in message.children_named("location") {
        let line = location.attribute("line").filter(|line| !line.is_empty());
        if line.is_some_and(|line| line.starts_with(['+', '-'])) {
            return String::new();
        }
        let file = location.attribute("filename");
        let parts: Vec<&str> = [file, line].into_iter().flatten().collect();
        found.push(parts.join(":"));
    }
    found.join(", ")
}

/// Those texts that are not empty, on lines of their own.
fn joined(texts: &[&str]) -> String {
    let texts = texts.iter().copied().filter(|text| !text.is_empty());
    texts.collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Context, source, text, note, locations, and whether it is fuzzy and translated.
    type Row = [String; 7];

    fn rows(text: &str) -> Result<Vec<Row>, SyntaxError> {
        let mut list = EntryList::default();
        xml_reader::parse::<QtTs>(text, &mut list)?;
        let mut rows = Vec::new();
        list.emit(&mut |entry| {
            let fields = entry.bilingual.copied().unwrap_or_default();
            let joined = |text: &str| text.replace(PLURAL_SEPARATOR, "/");
            let [fuzzy, translated] = [fields.fuzzy, entry.translated].map(|it| it.to_string());
            let [source, target] = [fields.source, entry.text].map(joined);
            let [context, note, locations] =
                [entry.context, entry.note, fields.locations].map(str::to_owned);
            rows.push([context, source, target, note, locations, fuzzy, translated]);
        });
        Ok(rows)
    }

    /// The rows of messages in a context.
    fn messages(messages: &str) -> Vec<Row> {
        rows(&format!(
            "<!DOCTYPE TS>\n<TS version=\"2.1\"><context><name>Main</name>{messages}</context></TS>"
        ))
        .unwrap()
    }

    fn row(fields: [&str; 7]) -> Row {
        fields.map(str::to_owned)
    }

    #[test]
    fn a_message_has_its_state_and_comments() {
        let found = messages(
            "<message><location filename=\"a.cpp\" line=\"5\"/><location filename=\"b.cpp\"/><source>&amp;Open</source><oldsource>O</oldsource>\
             <comment>menu</comment><extracomment>e</extracomment><translatorcomment>t</translatorcomment>\
             <translation type=\"unfinished\">Otev\u{159}\u{ed}t</translation></message>\
             <message><location line=\"+2\"/><source>OK</source><translation></translation></message>\
             <message><source>New</source><translation type=\"unfinished\"/></message>\
             <message><source>Old</source><translation type=\"vanished\">Star\u{fd}</translation></message>\
             <message><source>Gone</source><translation type=\"obsolete\">x</translation></message>\
             <message><source>a<byte value=\"x7f\"/>b</source><translation> </translation></message>",
        );
        let expected = [
            row([
                "Main\nmenu",
                "&Open",
                "Otev\u{159}\u{ed}t",
                "e\nt",
                "a.cpp:5, b.cpp",
                "true",
                "false",
            ]),
            row(["Main", "OK", "OK", "", "", "false", "true"]),
            row(["Main", "New", "", "", "", "false", "false"]),
            row(["Main", "Old", "Star\u{fd}", "", "", "false", "true"]),
            row(["Main", "a\u{7f}b", " ", "", "", "false", "true"]),
        ];
        assert_eq!(found, expected);
    }

    #[test]
    fn control_characters_and_variants_are_part_of_a_text() {
        let found = messages(
            "<message><source>a<byte value=\"xd\"/>\nb<byte value=\"9\"/></source><translation variants=\"yes\">\
             <lengthvariant>long<byte value=\"x7\"/></lengthvariant><lengthvariant>l</lengthvariant></translation></message>\
             <message><source>c<byte value=\"xzz\"/><b/>d</source></message>",
        );
        let texts: Vec<_> = found.iter().map(|row| (&*row[1], &*row[2])).collect();
        assert_eq!(texts, [("a\r\nb\t", "long\u{7}\u{9c}l"), ("c", "c")]);
    }

    #[test]
    fn programs_see_neither_vanished_nor_empty_translations() {
        let text = "<TS><message><source>a</source><translation type=\"vanished\">x</translation></message>\
                    <message><source>b</source><translation></translation></message>\
                    <message><source>c</source><translation>y</translation></message></TS>";
        let (mut list, mut found) = (EntryList::default(), Vec::new());
        xml_reader::parse::<QtTs>(text, &mut list).unwrap();
        list.emit(&mut |entry| found.extend(entry.bilingual.map(|it| it.revised)));
        assert_eq!(found, [Revised::Gone, Revised::Untranslated, Revised::Same]);
    }

    #[test]
    fn a_numerus_has_forms() {
        let numerus = |kind: &str, forms: &[&str]| {
            let forms: String = forms
                .iter()
                .map(|form| format!("\n<numerusform>{form}</numerusform>"))
                .collect();
            let text = format!(
                "<message numerus=\"yes\"><source>%n file(s)</source><translation{kind}>{forms}</translation></message>"
            );
            messages(&text).remove(0)
        };
        let unfinished = " type=\"unfinished\"";
        let expected = |text: &str, fuzzy: &str, translated: &str| {
            row([
                "Main",
                "%n file(s)/%n files",
                text,
                "",
                "",
                fuzzy,
                translated,
            ])
        };
        assert_eq!(
            numerus("", &["a", "b", "c"]),
            expected("a/b/c", "false", "true")
        );
        assert_eq!(
            numerus(unfinished, &["a", ""]),
            expected("a/", "true", "false")
        );
        assert_eq!(
            numerus(unfinished, &["", ""]),
            expected("/", "false", "false")
        );
        let source = expected("%n file(s)/%n files", "false", "true");
        assert_eq!(numerus("", &["", "b"]), source);
    }

    #[test]
    fn contexts_need_no_names_and_messages_no_contexts() {
        let found = rows(
            "<TS><context><name>A</name><message><source>a</source></message></context><context><message><source>b</source></message></context>\
             <message id=\"i\"><source>c</source></message></TS>",
        );
        let contexts: Vec<String> = found
            .unwrap()
            .into_iter()
            .map(|[context, ..]| context)
            .collect();
        assert_eq!(contexts, ["A", "", "i"]);
    }

    #[test]
    fn other_documents_and_plurals_without_forms_are_errors() {
        let message = |text: &str| {
            let error = rows(text).unwrap_err();
            crate::input::located(text, error).to_string()
        };
        assert_eq!(
            message("<TS>\n<message numerus=\"yes\"><translation>x</translation></message></TS>"),
            "line 2, column 24: expected an element <numerusform>: the message has numerus=\"yes\""
        );
        assert_eq!(
            message("<root/>"),
            "line 1, column 1: expected the root element <TS>, found a different value"
        );
        assert!(message("export const a: string = \"x\";").contains("expected well-formed XML"));
    }
}
