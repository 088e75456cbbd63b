//! Units as XLIFF 1.1: plain, or with the groups of plural forms and the locations of gettext's representation.

use super::super::current_unit::CurrentUnit;
use super::markup::{attribute, markup};
use super::{Conversion, put};
use crate::encode::xml::escaped;
use gitglot_catalog::CurrentState;

/// Writes a file with one unit per string.
pub(super) fn plain(of: &Conversion<'_>) -> Vec<u8> {
    body(of, |out, unit| {
        trans_unit(out, unit, "", unit.note.trim());
    })
}

/// Writes a file in which a plural is a group with a unit per form.
pub(super) fn grouped(of: &Conversion<'_>) -> Vec<u8> {
    body(of, unit_or_group)
}

fn unit_or_group(out: &mut String, unit: &CurrentUnit<'_>) {
    if unit.is_plural {
        return group(out, unit);
    }
    let indent = "        ";
    let locations = unit.locations().map(|text| location(text, indent));
    let locations: String = locations.collect();
    trans_unit(out, unit, &locations, &unit.note);
}

fn body(of: &Conversion<'_>, write: impl Fn(&mut String, &CurrentUnit<'_>)) -> Vec<u8> {
    let source_code = of.view.component.source_code();
    let mut out = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
<xliff xmlns=\"urn:oasis:names:tc:xliff:document:1.1\" version=\"1.1\">\n\
\x20 <file original=\"NoName\" source-language=\"{source_code}\" datatype=\"plaintext\" target-language=\"{}\">\n\
\x20   <body>\n",
        attribute(of.code())
    );
    of.strings().iter().for_each(|unit| write(&mut out, unit));
    out.push_str("    </body>\n  </file>\n</xliff>\n");
    out.into_bytes()
}

/// The name of a unit: its key, or a hash if it has none.
fn id(unit: &CurrentUnit<'_>) -> String {
    match unit.context {
        "" => unit.checksum(),
        context => attribute(context),
    }
}

/// The attribute with the flags of a unit.
fn flags(unit: &CurrentUnit<'_>) -> String {
    match &*unit.flags {
        "" => String::new(),
        flags => format!(" weblate-flags=\"{}\"", attribute(flags)),
    }
}

/// The element with notes, if there are some.
fn note(note: &str, indent: &str) -> String {
    match note {
        "" => String::new(),
        note => format!(
            "{indent}<note from=\"developer\">{}</note>\n",
            escaped(note)
        ),
    }
}

/// The elements for a file and line, without the indentation of the first one.
fn location(text: &str, indent: &str) -> String {
    let (file, line) = text.rsplit_once(':').unwrap_or((text, ""));
    let mut out = format!("{indent}<context-group name=\"\" purpose=\"location\">\n");
    put!(
        out,
        "{indent}  <context context-type=\"sourcefile\">{}</context>\n",
        escaped(file)
    );
    if !line.is_empty() {
        put!(
            out,
            "{indent}  <context context-type=\"linenumber\">{}</context>\n",
            escaped(line)
        );
    }
    put!(out, "{indent}</context-group>\n");
    out
}

/// Writes a text without plural forms, or the first form of one.
fn trans_unit(out: &mut String, unit: &CurrentUnit<'_>, locations: &str, notes: &str) {
    // Markup stays markup if both texts are well-formed.
    let is_rich = [unit.first_source(), unit.first_target()]
        .iter()
        .all(|text| !text.contains('<') || markup(text, str::to_owned).is_some());
    let content = |text: &str| {
        if is_rich {
            markup(text, str::to_owned).unwrap_or_else(|| escaped(text))
        } else {
            escaped(text)
        }
    };
    let approved = match unit.state {
        CurrentState::Empty => "",
        _ => " approved=\"no\"",
    };
    put!(
        out,
        "      <trans-unit xml:space=\"preserve\"{approved} id=\"{}\"{}>\n        <source>{}</source>\n",
        id(unit),
        flags(unit),
        content(unit.first_source())
    );
    let state = match unit.state {
        CurrentState::Empty => "",
        CurrentState::Translated | CurrentState::ReadOnly => " state=\"translated\"",
        CurrentState::NeedsEditing | CurrentState::NeedsRewriting => " state=\"needs-translation\"",
    };
    put!(
        out,
        "        <target{state}>{}</target>\n{locations}{}      </trans-unit>\n",
        content(unit.first_target()),
        note(notes, "        ")
    );
}

/// Writes a plural. Its first child is on the line of the element, and the order of the attributes depends on whether
/// there are more translations than sources, as in the files of Weblate.
fn group(out: &mut String, unit: &CurrentUnit<'_>) {
    let id = id(unit);
    let has_more_forms = unit.target.len() > unit.source.len();
    let preserve = "xml:space=\"preserve\"";
    let attributes = if has_more_forms {
        format!("id=\"{id}\" {preserve}")
    } else {
        format!("{preserve} id=\"{id}\"")
    };
    let flags = flags(unit);
    let mut children = String::new();
    let indent = "        ";
    let mut locations: Vec<_> = unit.locations().collect();
    locations.reverse();
    children.extend(locations.into_iter().map(|text| location(text, indent)));
    for form in 0..unit.target.len().max(unit.source.len()) {
        member(&mut children, unit, &id, form);
        if form == 0 {
            let target = escaped(unit.first_target());
            put!(children, "{indent}<target>{target}</target>\n");
        }
    }
    put!(
        children,
        "{indent}<source>{}</source>\n{}",
        escaped(unit.first_source()),
        note(&unit.note, indent)
    );
    put!(
        out,
        "      <group restype=\"x-gettext-plurals\" {attributes}{flags}>{}      </group>\n",
        children.trim_start()
    );
}

/// Writes a form of a plural.
fn member(out: &mut String, unit: &CurrentUnit<'_>, id: &str, form: usize) {
    let last_source = unit.source.len().saturating_sub(1);
    let source = unit.source.get(form.min(last_source)).copied();
    let target = unit.target.get(form).copied().unwrap_or_default();
    // Marks concern all forms but the first.
    let is_marked = unit.state.is_fuzzy() && form > 0;
    let approved = match (target, is_marked) {
        ("", _) => "",
        (_, true) => " approved=\"no\"",
        (_, false) => " approved=\"yes\"",
    };
    let state = match (target, is_marked) {
        (_, true) => " state=\"needs-translation\"",
        ("", false) => "",
        (_, false) => " state=\"translated\"",
    };
    let has_more_forms = unit.target.len() > unit.source.len();
    let id = format!(" id=\"{id}[{form}]\"");
    let (first, second) = if has_more_forms {
        (&*id, approved)
    } else {
        (approved, &*id)
    };
    put!(
        out,
        "        <trans-unit xml:space=\"preserve\"{first}{second}>\n          <source>{}</source>\n",
        escaped(source.unwrap_or_default())
    );
    let is_empty = unit.target.iter().all(|text| text.is_empty());
    if has_more_forms || !is_empty {
        put!(
            out,
            "          <target{state}>{}</target>\n",
            escaped(target)
        );
    }
    if form > 0 {
        out.push_str(&note(&unit.note, "          "));
    }
    out.push_str("        </trans-unit>\n");
}

#[cfg(test)]
mod tests {
    use super::*;

    fn unit<'a>(source: &[&'a str], target: &[&'a str], state: CurrentState) -> CurrentUnit<'a> {
        CurrentUnit {
            context: "beds",
            source: source.into(),
            target: target.into(),
            note: String::new(),
            locations: "",
            flags: "c-format".to_owned(),
            state,
            is_plural: source.len() > 1,
            id_hash: 1,
        }
    }

    #[test]
    fn a_plural_is_a_group_of_its_forms() {
        let own = unit(
            &["%d bed", "%d beds"],
            &["%d záhon", "", "%d záhonů"],
            CurrentState::NeedsRewriting,
        );
        let mut out = String::new();
        group(&mut out, &own);
        let expected = "      <group restype=\"x-gettext-plurals\" id=\"beds\" xml:space=\"preserve\" weblate-flags=\"c-format\">\
<trans-unit xml:space=\"preserve\" id=\"beds[0]\" approved=\"yes\">
          <source>%d bed</source>
          <target state=\"translated\">%d záhon</target>
        </trans-unit>
        <target>%d záhon</target>
        <trans-unit xml:space=\"preserve\" id=\"beds[1]\">
          <source>%d beds</source>
          <target state=\"needs-translation\"></target>
        </trans-unit>
        <trans-unit xml:space=\"preserve\" id=\"beds[2]\" approved=\"no\">
          <source>%d beds</source>
          <target state=\"needs-translation\">%d záhonů</target>
        </trans-unit>
        <source>%d bed</source>
      </group>
";
        assert_eq!(out, expected);
    }

    #[test]
    fn a_plural_without_more_forms_than_its_source_has_no_empty_targets() {
        let own = unit(&["%d bed", "%d beds"], &[""], CurrentState::Empty);
        let mut out = String::new();
        group(&mut out, &own);
        assert!(out.contains("xml:space=\"preserve\" id=\"beds\""), "{out}");
        assert_eq!(out.matches("<target>").count(), 1, "{out}");
        assert_eq!(out.matches("<trans-unit").count(), 2, "{out}");
    }

    #[test]
    fn locations_of_gettext_are_contexts() {
        let own = CurrentUnit {
            context: "",
            locations: "src/a.c:12, src/b.c",
            note: "Note\n".to_owned(),
            ..unit(&["Open"], &["Otevřít"], CurrentState::Translated)
        };
        let mut file = String::new();
        unit_or_group(&mut file, &own);
        assert!(file.contains(" id=\"8000000000000001\" "), "{file}");
        assert!(
            file.contains("<context context-type=\"sourcefile\">src/a.c</context>"),
            "{file}"
        );
        assert_eq!(file.matches("linenumber").count(), 1, "{file}");
        assert!(
            file.contains("<note from=\"developer\">Note\n</note>"),
            "{file}"
        );
    }
}
