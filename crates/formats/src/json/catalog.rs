//! The format `xcstrings`: string catalogs of Apple (`docs/spec/formats.md#xcstrings`).

use std::borrow::Cow;

use super::lexer::Lexer;
use super::node::{JsonNode, with_tree};
use super::token::JsonKind;
use crate::entry::{BilingualFields, RawEntry};
use crate::entry_list::MAX_TEXT;
use crate::error::{ReadErrorKind, SyntaxError};
use crate::part_list::PartList;
use gitglot_model::{PLURAL_SEPARATOR, PluralForm, SeededSet};

/// What separates the key from the name of a variation in an id, as in the XLIFF files of Xcode.
pub(crate) const SEPARATOR: &str = "|==|";

/// Most variations inside another.
const MAX_LEVELS: usize = 8;

/// How finished a text is, the worst state first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum State {
    New,
    NeedsReview,
    Translated,
}

/// A text of a value: its name below the key, its forms and its state.
struct Text<'a> {
    name: String,
    forms: Vec<(Option<PluralForm>, Cow<'a, str>)>,
    state: State,
}

/// The texts of a value.
#[derive(Default)]
struct Texts<'a> {
    list: Vec<Text<'a>>,
    /// The bytes of all names that were made. A name begins with that of the value around it, so they can be many more than
    /// those of the file.
    name_bytes: usize,
}

/// Adds the entries of all languages.
pub(crate) fn split(root: JsonNode<'_>, list: &mut PartList) -> Result<(), SyntaxError> {
    const EXPECTED: &str = "a string catalog with \"sourceLanguage\" and \"strings\"";
    root.require_object(EXPECTED)?;
    let source_language = root.get("sourceLanguage").and_then(JsonNode::string);
    let source_language = source_language.ok_or_else(|| root.expected(EXPECTED))?;
    let strings = root.get("strings").ok_or_else(|| root.expected(EXPECTED))?;
    strings.require_object("an object of strings")?;
    list.source_language = Some(source_language.clone().into_owned());
    let are_separate = add_strings(strings, &source_language, list)?;
    if are_separate && root.has_unique_names() {
        list.strings = Some(strings.children().map(JsonNode::offset).collect());
    }
    Ok(())
}

/// Adds the entries of an object of strings. Returns whether no entry of one can have the id of an entry of another.
fn add_strings(
    strings: JsonNode<'_>,
    source_language: &str,
    list: &mut PartList,
) -> Result<bool, SyntaxError> {
    let mut are_separate = true;
    for string in strings.children() {
        string.require_object("an object such as {\"localizations\": {}}")?;
        let key = string.name();
        // A separator that begins in the key and ends behind it is one of another key, too.
        let first = [&*key, SEPARATOR].concat().find(SEPARATOR);
        are_separate &= first == Some(key.len());
        if !key.is_empty() {
            add_string(string, &key, source_language, list)?;
        }
    }
    Ok(are_separate)
}

/// Adds the entries of strings that were taken from a catalog. Returns their keys; `None` if they depend on the rest of it.
pub(crate) fn split_strings(
    strings: &[&[u8]],
    source_language: &str,
    list: &mut PartList,
) -> Option<Vec<String>> {
    // As many levels as in a catalog, whose number is limited.
    let text = [b"{\"strings\":{", &*strings.join(&b','), b"}}"].concat();
    let text = simdutf8::basic::from_utf8(&text).ok()?;
    let mut keys = None;
    let parsed = with_tree(text, |root| {
        let Some(object) = root.get("strings").filter(|_| root.has_unique_names()) else {
            return Ok(());
        };
        let names = object.children().map(|string| string.name().into_owned());
        let names: Vec<String> = names.collect();
        if add_strings(object, source_language, list)? && names.len() == strings.len() {
            keys = Some(names);
        }
        Ok(())
    });
    list.sort(0);
    parsed.ok().and(keys)
}

/// Where the string ends that begins at an offset of a catalog: behind its object.
pub(crate) fn end_of_string(catalog: &[u8], start: usize) -> Option<usize> {
    let mut lexer = Lexer::new(catalog, start);
    lexer.name().ok()?;
    let mut level = 0_usize;
    loop {
        match lexer.peek()? {
            b'"' => {
                lexer.string().ok()?;
                continue;
            }
            b'{' | b'[' => level += 1,
            b'}' | b']' => level = level.checked_sub(1)?,
            _ => {}
        }
        lexer.at += 1;
        if level == 0 {
            return Some(lexer.at);
        }
    }
}

/// The name, with its quotation marks, at an offset.
pub(crate) fn name_at(catalog: &[u8], start: usize) -> Option<&[u8]> {
    let mut lexer = Lexer::new(catalog, start);
    if lexer.peek() != Some(b'"') {
        return None;
    }
    lexer.string().ok()?;
    catalog.get(start..lexer.at)
}

/// Where the string begins that follows one that ends at an offset.
pub(crate) fn next_string(catalog: &[u8], end: usize) -> Option<usize> {
    let mut lexer = Lexer::new(catalog, end);
    if lexer.token() != Some(b',') {
        return None;
    }
    lexer.comma().ok()?;
    Some(lexer.at)
}

fn add_string(
    string: JsonNode<'_>,
    key: &str,
    source_language: &str,
    list: &mut PartList,
) -> Result<(), SyntaxError> {
    let text_of = |name| string.get(name).and_then(JsonNode::string);
    let translatable = string
        .get("shouldTranslate")
        .is_none_or(|flag| flag.source() != "false");
    let localizations = string.get("localizations");
    let localizations = localizations.filter(|value| value.kind() == JsonKind::Object);
    let of_source = localizations.and_then(|value| value.get(source_language));
    let mut sources = of_source.map_or(Ok(Vec::new()), texts_of)?;
    if sources.is_empty() {
        // The key is the text.
        sources.push(Text {
            name: String::new(),
            forms: vec![(None, key.into())],
            state: State::Translated,
        });
    }
    let is_stale = text_of("extractionState").is_some_and(|state| state == "stale");
    let fields = BilingualFields {
        flags: if is_stale { "stale" } else { "" },
        ..BilingualFields::default()
    };
    let note = text_of("comment").unwrap_or_default();
    let entry = RawEntry {
        note: &note,
        translatable,
        keyed: Some(&fields),
        ..RawEntry::new("", "", string.offset())
    };
    for source in &mut sources {
        source.state = State::Translated;
        push(list, 0, key, &source.name, source, entry)?;
    }
    for localization in localizations.into_iter().flat_map(JsonNode::children) {
        let code = localization.name();
        if code == source_language {
            continue;
        }
        let Some(part) = list.part(&code, localization.offset())? else {
            continue;
        };
        let entry = RawEntry {
            translatable,
            ..RawEntry::new("", "", localization.offset())
        };
        let texts = texts_of(localization)?;
        for (name, text) in with_devices(&texts, &sources) {
            push(list, part, key, name, text, entry)?;
        }
    }
    Ok(())
}

/// The texts of a localization by name, also of devices: one without a text of its own shows the general one. That one is
/// not copied, as it can be long and the devices many.
fn with_devices<'t, 'a>(
    texts: &'t [Text<'a>],
    sources: &'t [Text<'a>],
) -> Vec<(&'t str, &'t Text<'a>)> {
    let mut found: Vec<_> = texts.iter().map(|text| (&*text.name, text)).collect();
    if let Some(general) = texts.iter().find(|text| text.name.is_empty()) {
        let present: SeededSet<&str> = texts.iter().map(|text| &*text.name).collect();
        let names = sources.iter().map(|source| &*source.name);
        let missing = names.filter(|name| name.starts_with("device.") && !present.contains(name));
        found.extend(missing.map(|name| (name, general)));
    }
    found
}

/// Adds a text to a part, with a name below the key.
fn push(
    list: &mut PartList,
    part: usize,
    key: &str,
    name: &str,
    text: &Text<'_>,
    entry: RawEntry<'_>,
) -> Result<(), SyntaxError> {
    let context: Cow<'_, str> = match name {
        "" => key.into(),
        name => [key, SEPARATOR, name].concat().into(),
    };
    let forms: Vec<&str> = text.forms.iter().map(|(_, text)| &**text).collect();
    let kinds: Vec<PluralForm> = text.forms.iter().filter_map(|&(form, _)| form).collect();
    let is_empty = forms.iter().all(|text| text.is_empty());
    let fields = BilingualFields {
        fuzzy: text.state == State::NeedsReview && !is_empty,
        ..entry.keyed.copied().unwrap_or_default()
    };
    let entry = RawEntry {
        context: &context,
        text: &forms.join(PLURAL_SEPARATOR),
        forms: &kinds,
        translated: text.state == State::Translated && !is_empty,
        keyed: Some(&fields),
        ..entry
    };
    list.push(part, &entry)
}

/// The texts of a localization.
fn texts_of(localization: JsonNode<'_>) -> Result<Vec<Text<'_>>, SyntaxError> {
    let mut found = Texts::default();
    texts(localization, "", 0, &mut found)?;
    Ok(found.list)
}

/// Adds the texts of a value, whose name is `name`: its text, or those of its variations, and its substitutions.
fn texts<'a>(
    value: JsonNode<'a>,
    name: &str,
    level: usize,
    found: &mut Texts<'a>,
) -> Result<(), SyntaxError> {
    if level > MAX_LEVELS {
        let message =
            format!("expected at most {MAX_LEVELS} variations inside another, found more");
        return Err(ReadErrorKind::syntax(message, value.offset()));
    }
    value.require_object("an object with \"stringUnit\" or \"variations\"")?;
    if let Some(unit) = value.get("stringUnit") {
        let (text, state) = unit_of(unit)?;
        found.list.push(Text {
            name: name.to_owned(),
            forms: vec![(None, text)],
            state,
        });
    } else if let Some(variations) = value.get("variations") {
        variations.require_object("an object of variations")?;
        for kind in variations.children() {
            kind.require_object("an object of variations")?;
            match &*kind.name() {
                "plural" => plural(kind, name, level, found)?,
                kind_name => {
                    let general = general(kind);
                    for variation in kind.children() {
                        let variation_name = variation.name();
                        let name = if general == variation_name {
                            name.to_owned()
                        } else {
                            found.below(name, kind_name, variation)?
                        };
                        texts(variation, &name, level + 1, found)?;
                    }
                }
            }
        }
    }
    let substitutions = value.get("substitutions");
    for substitution in substitutions.into_iter().flat_map(JsonNode::children) {
        let name = found.below(name, "substitutions", substitution)?;
        texts(substitution, &name, level + 1, found)?;
    }
    Ok(())
}

/// The name of the variation that has the name of the value: `other`, else the first one.
fn general(kind: JsonNode<'_>) -> Cow<'_, str> {
    let other = kind.get("other").or_else(|| kind.children().next());
    other.map_or(Cow::Borrowed(""), JsonNode::name)
}

/// Adds the forms of a plural as one text; each as a text of its own if one has variations.
fn plural<'a>(
    plural: JsonNode<'a>,
    name: &str,
    level: usize,
    found: &mut Texts<'a>,
) -> Result<(), SyntaxError> {
    let (mut forms, mut state) = (Vec::new(), State::Translated);
    for form in plural.children() {
        let form_name = form.name();
        let Some(category) = PluralForm::from_category(&form_name) else {
            return Err(form.expected("a plural category such as \"other\""));
        };
        match form.get("stringUnit") {
            Some(unit) => {
                let (text, state_of_form) = unit_of(unit)?;
                state = state.min(state_of_form);
                forms.push((Some(category), text));
            }
            None => {
                let name = found.below(name, "plural", form)?;
                texts(form, &name, level + 1, found)?;
            }
        }
    }
    forms.sort_by_key(|&(form, _)| form);
    if !forms.is_empty() {
        let name = name.to_owned();
        found.list.push(Text { name, forms, state });
    }
    Ok(())
}

impl Texts<'_> {
    /// The name of a variation of the value `name`.
    fn below(
        &mut self,
        name: &str,
        kind: &str,
        variation: JsonNode<'_>,
    ) -> Result<String, SyntaxError> {
        let variant = variation.name();
        let name = match name {
            "" => [kind, ".", &variant].concat(),
            name => [name, ".", kind, ".", &variant].concat(),
        };
        self.name_bytes += name.len();
        if self.name_bytes > MAX_TEXT {
            Err(ReadErrorKind::TooMuchText.at(variation.offset()))
        } else {
            Ok(name)
        }
    }
}

/// The text of a unit and its state. A unit without a state is translated.
fn unit_of(unit: JsonNode<'_>) -> Result<(Cow<'_, str>, State), SyntaxError> {
    unit.require_object("an object with \"state\" and \"value\"")?;
    let text = unit.optional_string("value", "a text")?;
    let state = unit.get("state").and_then(JsonNode::string);
    let state = match state.as_deref() {
        Some("translated") | None => State::Translated,
        Some("needs_review") => State::NeedsReview,
        _ => State::New,
    };
    Ok((text, state))
}

#[cfg(test)]
mod tests {
    use crate::{line_in_part, reader, split};
    use gitglot_model::{FileFormat, PLURAL_SEPARATOR, TableColumns};

    const CATALOG: &str = r#"{
  "sourceLanguage" : "en",
  "strings" : {
    "" : {

    },
    "%lld files" : {
      "comment" : "Number of files",
      "localizations" : {
        "de" : { "variations" : { "plural" : {
          "other" : { "stringUnit" : { "state" : "translated", "value" : "%lld Dateien" } },
          "one" : { "stringUnit" : { "state" : "needs_review", "value" : "%lld Datei" } }
        } } }
      }
    },
    "Tap" : {
      "extractionState" : "stale",
      "localizations" : {
        "de" : { "stringUnit" : { "state" : "translated", "value" : "Tippen" } },
        "en" : { "variations" : { "device" : {
          "mac" : { "stringUnit" : { "state" : "translated", "value" : "Click" } },
          "other" : { "stringUnit" : { "state" : "translated", "value" : "Tap" } }
        } } },
        "fr" : { "stringUnit" : { "state" : "new", "value" : "Tap" } }
      }
    },
    "two" : {
      "localizations" : {
        "de" : {
          "stringUnit" : { "state" : "translated", "value" : "%#@a@" },
          "substitutions" : { "a" : { "argNum" : 1, "formatSpecifier" : "lld", "variations" : { "plural" : {
            "other" : { "stringUnit" : { "state" : "translated", "value" : "%arg Hüte" } } } } } }
        }
      },
      "shouldTranslate" : false
    }
  },
  "version" : "1.0"
}"#;

    /// The entries of a part: id, text, note and flags, each with its marks.
    fn entries(code: &str) -> Vec<String> {
        let file = split(
            FileFormat::StringCatalog,
            &TableColumns::default(),
            CATALOG.as_bytes(),
        )
        .unwrap();
        let part = file.parts.iter().find(|part| part.code == code).unwrap();
        let mut found = Vec::new();
        let mut read = |entry: crate::RawEntry<'_>| {
            let fields = entry.keyed.unwrap();
            let marks = [
                ("translated", entry.translated),
                ("fuzzy", fields.fuzzy),
                ("fixed", !entry.translatable),
            ];
            let marks: Vec<_> = marks
                .iter()
                .filter(|mark| mark.1)
                .map(|mark| mark.0)
                .collect();
            let text = entry.text.replace(PLURAL_SEPARATOR, "|");
            let rest = [&[entry.note, fields.flags][..], &marks].concat().join(" ");
            found.push(format!("{}={text} {}", entry.context, rest.trim()));
        };
        reader(FileFormat::StringCatalog)
            .read(&part.pieces.concat(), &mut read)
            .unwrap();
        found
    }

    #[test]
    fn a_catalog_has_a_part_for_each_language() {
        assert_eq!(
            entries(""),
            [
                "%lld files=%lld files Number of files  translated",
                "Tap=Tap stale translated",
                "Tap|==|device.mac=Click stale translated",
                "two=two translated fixed",
            ]
        );
        assert_eq!(
            entries("de"),
            [
                "%lld files=%lld Datei|%lld Dateien fuzzy",
                "Tap=Tippen translated",
                "Tap|==|device.mac=Tippen translated",
                "two=%#@a@ translated fixed",
                "two|==|substitutions.a=%arg Hüte translated fixed",
            ]
        );
        assert_eq!(
            entries("fr"),
            ["Tap=Tap", "Tap|==|device.mac=Tap"].map(|it| it.to_owned() + " ")
        );
    }

    #[test]
    fn a_text_of_a_language_has_a_line() {
        let line = |code, key| {
            line_in_part(
                FileFormat::StringCatalog,
                &TableColumns::default(),
                CATALOG.as_bytes(),
                code,
                key,
            )
            .unwrap()
        };
        let lines = [
            line("", "Tap"),
            line("de", "Tap"),
            line("fr", "two"),
            line("cs", "Tap"),
        ];
        assert_eq!(lines, [Some(16), Some(19), None, None]);
    }

    #[test]
    fn other_files_are_no_catalogs() {
        let error = |text: &str| {
            let error = split(
                FileFormat::StringCatalog,
                &TableColumns::default(),
                text.as_bytes(),
            )
            .unwrap_err();
            error.to_string()
        };
        assert!(error("{}").ends_with("expected a string catalog with \"sourceLanguage\" and \"strings\", found a different value"));
        let deep = r#"{"variations": {"device": {"mac": "#.repeat(9) + "{}" + &"}}}".repeat(9);
        let deep = format!(
            r#"{{"sourceLanguage": "en", "strings": {{"a": {{"localizations": {{"de": {deep}}}}}}}}}"#
        );
        assert!(error(&deep).contains("expected at most 8 variations inside another"));
        let many = (0..1001)
            .map(|code| format!("\"x{code}\": {{}}"))
            .collect::<Vec<_>>()
            .join(",");
        let many = format!(
            r#"{{"sourceLanguage": "en", "strings": {{"a": {{"localizations": {{{many}}}}}}}}}"#
        );
        assert!(error(&many).contains("at most 1000 languages"));
    }

    #[test]
    fn names_of_variations_cannot_multiply_the_size_of_a_file() {
        let outer = "m".repeat(100_000);
        let inner: Vec<_> = (0..3_000).map(|at| format!("\"{at}\": {{}}")).collect();
        let inner = format!(r#"{{"variations": {{"x": {{{}}}}}}}"#, inner.join(","));
        let text = format!(
            r#"{{"sourceLanguage": "en", "strings": {{"a": {{"localizations": {{"de":
            {{"variations": {{"device": {{"other": {{}}, "{outer}": {inner}}}}}}}}}}}}}}}"#
        );
        let error = split(
            FileFormat::StringCatalog,
            &TableColumns::default(),
            text.as_bytes(),
        )
        .unwrap_err();
        assert!(error.to_string().contains("found more"), "{error}");
    }
}
