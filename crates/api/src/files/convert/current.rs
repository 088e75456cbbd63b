//! The exporters of current Weblate (docs/spec/current-api.md#downloads), by the names of `format`.

use std::fmt::Write;

use serde_json::{Map, Value};

use crate::encode::csv::sanitize;
use crate::encode::xml::valid;
use gitglot_catalog::scan::Budget;
use gitglot_catalog::{CurrentState, TranslationView, UnitView};
use gitglot_model::FileFormat;
use gitglot_model::language::plural_categories;

/// An exporter of current Weblate.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum CurrentConverter {
    Csv,
    Json,
    JsonNested,
    Strings,
    Aresource,
    Tbx,
    Tmx,
    Xliff,
}

/// The exporters by the value of `format`, with content type and file name extension.
const CONVERTERS: [(&str, CurrentConverter, &str, &str); 9] = [
    (
        "csv",
        CurrentConverter::Csv,
        "text/csv; charset=utf-8",
        "csv",
    ),
    (
        "json",
        CurrentConverter::Json,
        "application/json; charset=utf-8",
        "json",
    ),
    (
        "json-nested",
        CurrentConverter::JsonNested,
        "application/json; charset=utf-8",
        "json",
    ),
    (
        "strings",
        CurrentConverter::Strings,
        "text/plain; charset=utf-8",
        "strings",
    ),
    (
        "aresource",
        CurrentConverter::Aresource,
        "application/xml; charset=utf-8",
        "xml",
    ),
    (
        "tbx",
        CurrentConverter::Tbx,
        "application/x-tbx; charset=utf-8",
        "tbx",
    ),
    (
        "tmx",
        CurrentConverter::Tmx,
        "application/x-tmx; charset=utf-8",
        "tmx",
    ),
    (
        "xliff",
        CurrentConverter::Xliff,
        "application/x-xliff+xml; charset=utf-8",
        "xlf",
    ),
    (
        "xliff11",
        CurrentConverter::Xliff,
        "application/x-xliff+xml; charset=utf-8",
        "xlf",
    ),
];

/// A unit as exporters write it.
struct Exported<'a> {
    context: &'a str,
    source: Vec<&'a str>,
    target: Vec<&'a str>,
    note: String,
    flags: String,
    state: CurrentState,
    is_plural: bool,
    id_hash: i64,
}

impl<'a> Exported<'a> {
    fn of(view: UnitView<'a>) -> Self {
        let texts = &view.component.texts;
        let (template, own) = (texts.get(view.source_note()), texts.get(view.unit.note));
        let mut note = template.to_owned();
        if template != own {
            note.push('\n');
            note.push_str(own);
        }
        let flags = [
            format_flags(view.component.component.file_format),
            view.flags(),
        ];
        let flags: Vec<_> = flags
            .into_iter()
            .filter(|flags| !flags.is_empty())
            .collect();
        Self {
            context: view.current_context(),
            source: view.current_source().into_owned(),
            target: view.current_target().into_owned(),
            note: note.trim().to_owned(),
            flags: flags.join(", "),
            state: view.current_state(),
            is_plural: view.unit.plural(),
            id_hash: view.current_hashes().0,
        }
    }

    fn first_source(&self) -> &'a str {
        self.source.first().copied().unwrap_or_default()
    }

    fn first_target(&self) -> &'a str {
        self.target.first().copied().unwrap_or_default()
    }

    fn is_fuzzy(&self) -> bool {
        matches!(
            self.state,
            CurrentState::NeedsEditing | CurrentState::NeedsRewriting
        )
    }
}

/// The flags of checks that a file format enables in current Weblate.
pub(crate) fn format_flags(format: FileFormat) -> &'static str {
    match format {
        FileFormat::I18next | FileFormat::I18nextV4 => "i18next-interpolation",
        _ => "",
    }
}

impl CurrentConverter {
    /// The exporter, the content type and the file name extension of a value of `format`.
    pub(crate) fn named(name: &str) -> Option<(Self, &'static str, &'static str)> {
        let &(_, converter, media, extension) =
            CONVERTERS.iter().find(|(known, ..)| *known == name)?;
        Some((converter, media, extension))
    }

    /// The whole file. Incomplete if it exceeds the budget.
    pub(crate) fn file(self, of: TranslationView<'_>, budget: &Budget) -> String {
        let units = of.units_from(0).take_while(|unit| {
            let text = unit.component.texts.get(unit.unit.target);
            budget.spend(1) && budget.spend_text(text.len())
        });
        let units: Vec<_> = units.map(Exported::of).collect();
        let code = &*of.translation.current_language().code;
        let source_code = of.component.source_code();
        match self {
            Self::Csv => csv(&units),
            Self::Json => {
                let members = units.iter().map(|unit| (unit.context, unit.first_target()));
                let object = members
                    .map(|(key, text)| (key.to_owned(), text.into()))
                    .collect();
                json(&Value::Object(object))
            }
            Self::JsonNested => {
                let mut root = Value::Object(Map::new());
                for unit in &units {
                    insert(&mut root, unit.context, unit.first_target());
                }
                json(&root)
            }
            Self::Strings => strings(&units),
            Self::Aresource => aresource(&units, code),
            Self::Tbx => tbx(&units, &source_code, code),
            Self::Tmx => tmx(&units, &source_code, code),
            Self::Xliff => xliff(&units, &source_code, code),
        }
    }
}

/// Appends formatted text; a string takes everything.
macro_rules! put {
    ($out:expr, $($arguments:tt)*) => {
        { let _ = write!($out, $($arguments)*); }
    };
}

/// A text as the content of an element.
fn escaped(text: &str) -> String {
    quick_xml::escape::partial_escape(valid(text)).replace('\r', "&#13;")
}

/// A text as the value of an attribute in double quotes.
fn attribute(text: &str) -> String {
    escaped(text)
        .replace('"', "&quot;")
        .replace('\n', "&#10;")
        .replace('\t', "&#9;")
}

fn csv(units: &[Exported<'_>]) -> String {
    let has_plurals = units.iter().any(|unit| unit.is_plural);
    let mut out = String::from(
        "location,source,target,id,fuzzy,context,translator_comments,developer_comments",
    );
    if has_plurals {
        out.push_str(",source_plural_form,target_plural_form,id_hash");
    }
    out.push_str("\r\n");
    let cell = |text: &str| {
        let text = sanitize(text);
        match text.contains(['"', ',', '\n', '\r']) {
            true => format!("\"{}\"", text.replace('"', "\"\"")),
            false => text.into_owned(),
        }
    };
    for unit in units {
        let fuzzy = if unit.is_fuzzy() { "True" } else { "False" };
        let last_source = unit.source.len().saturating_sub(1);
        for (form, target) in unit.target.iter().enumerate() {
            // A language with a single form has that of the plural.
            let source_form = match unit.target.len() {
                1 => last_source,
                _ => form.min(last_source),
            };
            let source = unit.source.get(source_form).copied().unwrap_or_default();
            put!(
                out,
                ",{},{},,{fuzzy},{},,{}",
                cell(source),
                cell(target),
                cell(unit.context),
                cell(&unit.note)
            );
            match (has_plurals, unit.is_plural) {
                (false, _) => {}
                (true, false) => out.push_str(",,,"),
                (true, true) => {
                    let hash = (unit.id_hash as u64) ^ (1 << 63);
                    put!(out, ",{source_form},{form},0x{hash:016x}");
                }
            }
            out.push_str("\r\n");
        }
    }
    out
}

/// JSON with four spaces per level, ending in a newline.
fn json(value: &Value) -> String {
    let mut out = Vec::new();
    let formatter = serde_json::ser::PrettyFormatter::with_indent(b"    ");
    let mut serializer = serde_json::Serializer::with_formatter(&mut out, formatter);
    // Values serialize to memory without errors.
    let _ = serde::Serialize::serialize(value, &mut serializer);
    out.push(b'\n');
    String::from_utf8(out).unwrap_or_default()
}

/// The parts of a nested key: names of members and indexes of elements.
fn parts(key: &str) -> impl Iterator<Item = KeyPart<'_>> {
    key.split('.').flat_map(|segment| {
        let (name, indexes) = segment.split_once('[').unwrap_or((segment, ""));
        let numbers: Option<Vec<usize>> = indexes
            .strip_suffix(']')
            .map(|all| all.split("][").map(|index| index.parse().ok()).collect())
            .unwrap_or_default();
        match numbers {
            Some(numbers) => {
                let indexes = numbers.into_iter().map(KeyPart::Index);
                std::iter::once(KeyPart::Name(name))
                    .chain(indexes)
                    .collect::<Vec<_>>()
            }
            None => vec![KeyPart::Name(segment)],
        }
    })
}

enum KeyPart<'a> {
    Name(&'a str),
    Index(usize),
}

/// The most levels of nested JSON. A key with more parts is one name: serializers recurse.
const MAX_LEVELS: usize = 64;

/// Inserts a text at a nested key. A key below a text, or an index that is not the next one, replaces what is there.
fn insert(root: &mut Value, key: &str, text: &str) {
    let mut at = root;
    let mut parts: Vec<_> = parts(key).take(MAX_LEVELS + 1).collect();
    if parts.len() > MAX_LEVELS {
        parts = vec![KeyPart::Name(key)];
    }
    for part in parts {
        at = match part {
            KeyPart::Name(name) => {
                if !at.is_object() {
                    *at = Value::Object(Map::new());
                }
                let Value::Object(members) = at else { return };
                members.entry(name).or_insert(Value::Null)
            }
            KeyPart::Index(index) => {
                if !at.is_array() {
                    *at = Value::Array(Vec::new());
                }
                let Value::Array(elements) = at else { return };
                let index = index.min(elements.len());
                if index == elements.len() {
                    elements.push(Value::Null);
                }
                &mut elements[index]
            }
        };
    }
    *at = text.into();
}

fn strings(units: &[Exported<'_>]) -> String {
    let quoted = |text: &str| {
        text.replace('\\', "\\\\")
            .replace('"', "\\\"")
            .replace('\n', "\\n")
            .replace('\t', "\\t")
    };
    let mut out = String::new();
    for unit in units {
        for line in unit.note.lines() {
            put!(out, "// {line}\n");
        }
        // A string without a translation has its key.
        let text = Some(unit.first_target()).filter(|text| !text.is_empty());
        let text = text.unwrap_or(unit.context);
        put!(
            out,
            "\"{}\" = \"{}\";\n",
            quoted(unit.context),
            quoted(text)
        );
    }
    out
}

fn aresource(units: &[Exported<'_>], code: &str) -> String {
    let mut out = String::from("<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<resources>\n");
    let whole = plural_categories(code).unwrap_or(&["one", "other"]);
    let mut names: Vec<&str> = whole.to_vec();
    // Android also names the form of fractions.
    if ["cs", "sk", "lt"].contains(&code) {
        names.insert(names.len().saturating_sub(1), "many");
    }
    if !names.contains(&"other") {
        names.push("other");
    }
    let text = |text: &str| {
        let own = markup(text, android_escapes);
        own.unwrap_or_else(|| android_escapes(&escaped(text)))
    };
    for unit in units {
        let name = attribute(unit.context);
        // A language with a single form needs no plural.
        if unit.target.len() == 1 {
            put!(
                out,
                "    <string name=\"{name}\">{}</string>\n",
                text(unit.first_target())
            );
            continue;
        }
        put!(out, "    <plurals name=\"{name}\">\n");
        for (at, category) in names.iter().enumerate() {
            let form = unit.target.get(at).or(unit.target.last()).copied();
            let form = text(form.unwrap_or_default());
            put!(out, "        <item quantity=\"{category}\">{form}</item>\n");
        }
        out.push_str("    </plurals>\n");
    }
    out.push_str("</resources>\n");
    out
}

/// A text of XML with the escapes of Android.
fn android_escapes(text: &str) -> String {
    text.replace('\\', "\\\\")
        .replace('\n', "\\n")
        .replace('\'', "\\'")
        .replace('"', "\\\"")
}

fn tbx(units: &[Exported<'_>], source_code: &str, code: &str) -> String {
    let mut out = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
<!DOCTYPE martif PUBLIC \"ISO 12200:1999A//DTD MARTIF core (DXFcdV04)//EN\" \"TBXcdv04.dtd\">\n\
<martif type=\"TBX\" xml:lang=\"{source_code}\">\n    <martifHeader>\n        <fileDesc>\n            <sourceDesc>\n\
\x20               <p>Translate Toolkit</p>\n            </sourceDesc>\n        </fileDesc>\n    </martifHeader>\n\
\x20   <text>\n        <body>\n"
    );
    for unit in units {
        let (id, flags) = (attribute(unit.context), attribute(&unit.flags));
        put!(
            out,
            "            <termEntry id=\"{id}\" weblate-flags=\"{flags}\">\n"
        );
        if !unit.note.is_empty() {
            let note = escaped(&unit.note);
            put!(
                out,
                "                <note from=\"developer\">{note}</note>\n"
            );
        }
        let mut term = |code: &str, text: &str| {
            let (code, text) = (attribute(code), escaped(text));
            put!(
                out,
                "                <langSet xml:lang=\"{code}\"><tig><term>{text}</term></tig></langSet>\n"
            );
        };
        term(source_code, unit.first_source());
        if code != source_code {
            term(code, unit.first_target());
        }
        out.push_str("            </termEntry>\n");
    }
    out.push_str("        </body>\n    </text>\n</martif>\n");
    out
}

fn tmx(units: &[Exported<'_>], source_code: &str, code: &str) -> String {
    let mut out = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<!DOCTYPE tmx SYSTEM \"tmx14.dtd\">\n<tmx version=\"1.4\">\n\
\x20 <header creationtool=\"Translate Toolkit\" creationtoolversion=\"3.20.0\" segtype=\"sentence\" o-tmf=\"UTF-8\" \
adminlang=\"en\" srclang=\"{source_code}\" datatype=\"PlainText\"/>\n  <body>\n"
    );
    for unit in units {
        out.push_str("    <tu>\n");
        if !unit.note.is_empty() {
            put!(out, "      <note>{}</note>\n", escaped(&unit.note));
        }
        put!(
            out,
            "      <prop type=\"x-context\">{}</prop>\n",
            escaped(unit.context)
        );
        let mut segment = |code: &str, text: &str| {
            let (code, text) = (attribute(code), escaped(text));
            put!(
                out,
                "      <tuv xml:lang=\"{code}\">\n        <seg>{text}</seg>\n      </tuv>\n"
            );
        };
        segment(source_code, unit.first_source());
        if code != source_code {
            segment(code, unit.first_target());
        }
        out.push_str("    </tu>\n");
    }
    out.push_str("  </body>\n</tmx>\n");
    out
}

/// A text that is well-formed XML, with attributes in double quotes and its contents as `content` writes them; `None` for
/// others and for texts without elements.
fn markup(text: &str, content: impl Fn(&str) -> String) -> Option<String> {
    use quick_xml::events::Event;
    let mut reader = quick_xml::Reader::from_str(text);
    let (mut out, mut depth, mut elements) = (String::new(), 0_usize, 0_usize);
    loop {
        let event = reader.read_event().ok()?;
        match &event {
            Event::Start(tag) | Event::Empty(tag) => {
                let is_empty = matches!(event, Event::Empty(_));
                put!(out, "<{}", tag.name().as_ref());
                for attribute in tag.attributes() {
                    let attribute = attribute.ok()?;
                    let name = attribute.key.as_ref().to_owned();
                    let value = attribute.value.to_string();
                    put!(out, " {name}=\"{}\"", value.replace('"', "&quot;"));
                }
                out.push_str(if is_empty { "/>" } else { ">" });
                depth += usize::from(!is_empty);
                elements += 1;
            }
            Event::End(tag) => {
                depth = depth.checked_sub(1)?;
                put!(out, "</{}>", tag.name().as_ref());
            }
            Event::Text(text) => out.push_str(&content(text)),
            Event::GeneralRef(name) => put!(out, "&{};", &**name),
            Event::Eof => break,
            _ => return None,
        }
    }
    (depth == 0 && elements > 0).then_some(out)
}

fn xliff(units: &[Exported<'_>], source_code: &str, code: &str) -> String {
    let mut out = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
<xliff xmlns=\"urn:oasis:names:tc:xliff:document:1.1\" version=\"1.1\">\n\
\x20 <file original=\"NoName\" source-language=\"{source_code}\" datatype=\"plaintext\" target-language=\"{}\">\n\
\x20   <body>\n",
        attribute(code)
    );
    for unit in units {
        // Markup stays markup if both texts are well-formed.
        let is_rich = [unit.first_source(), unit.first_target()]
            .iter()
            .all(|text| !text.contains('<') || markup(text, str::to_owned).is_some());
        let content = |text: &str| match is_rich {
            true => markup(text, str::to_owned).unwrap_or_else(|| escaped(text)),
            false => escaped(text),
        };
        out.push_str("      <trans-unit xml:space=\"preserve\"");
        if unit.state != CurrentState::Empty {
            out.push_str(" approved=\"no\"");
        }
        put!(out, " id=\"{}\"", attribute(unit.context));
        if !unit.flags.is_empty() {
            put!(out, " weblate-flags=\"{}\"", attribute(&unit.flags));
        }
        put!(
            out,
            ">\n        <source>{}</source>\n",
            content(unit.first_source())
        );
        let state = match unit.state {
            CurrentState::Empty => "",
            CurrentState::Translated => " state=\"translated\"",
            CurrentState::NeedsEditing | CurrentState::NeedsRewriting => {
                " state=\"needs-translation\""
            }
        };
        put!(
            out,
            "        <target{state}>{}</target>\n",
            content(unit.first_target())
        );
        if !unit.note.is_empty() {
            put!(
                out,
                "        <note from=\"developer\">{}</note>\n",
                escaped(&unit.note)
            );
        }
        out.push_str("      </trans-unit>\n");
    }
    out.push_str("    </body>\n  </file>\n</xliff>\n");
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nested_keys_become_objects_and_arrays() {
        let mut root = Value::Object(Map::new());
        for (key, text) in [
            ("menu.home", "a"),
            ("list[0]", "b"),
            ("list[1]", "c"),
            ("x[y]", "d"),
        ] {
            insert(&mut root, key, text);
        }
        let expected = serde_json::json!({
            "menu": {"home": "a"}, "list": ["b", "c"], "x[y]": "d"
        });
        assert_eq!(root, expected);
    }

    #[test]
    fn a_key_of_very_many_parts_is_one_name() {
        for deep in ["a.".repeat(100_000), format!("a{}", "[0]".repeat(100_000))] {
            let mut root = Value::Object(Map::new());
            insert(&mut root, &deep, "b");
            assert_eq!(json(&root).lines().count(), 3);
        }
    }

    #[test]
    fn an_index_far_away_is_the_next_element() {
        let mut root = Value::Object(Map::new());
        insert(&mut root, "list[4000000000]", "a");
        assert_eq!(root, serde_json::json!({"list": ["a"]}));
    }
}
