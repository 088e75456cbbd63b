//! Units in the formats that translation tools exchange: TBX and TMX.

use super::markup::attribute;
use super::{Conversion, put};
use crate::encode::xml::escaped;

/// Writes a terminology database.
pub(super) fn tbx(of: &Conversion<'_>) -> Vec<u8> {
    let (source_code, code) = (&*of.view.component.source_code(), of.code());
    let mut out = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
<!DOCTYPE martif PUBLIC \"ISO 12200:1999A//DTD MARTIF core (DXFcdV04)//EN\" \"TBXcdv04.dtd\">\n\
<martif type=\"TBX\" xml:lang=\"{source_code}\">\n    <martifHeader>\n        <fileDesc>\n            <sourceDesc>\n\
\x20               <p>Translate Toolkit</p>\n            </sourceDesc>\n        </fileDesc>\n    </martifHeader>\n\
\x20   <text>\n        <body>\n"
    );
    for unit in of.strings() {
        let (id, flags) = (attribute(unit.context), attribute(&unit.flags));
        put!(
            out,
            "            <termEntry id=\"{id}\" weblate-flags=\"{flags}\">\n"
        );
        if !unit.note.trim().is_empty() {
            let note = escaped(unit.note.trim());
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
    out.into_bytes()
}

/// Writes a translation memory.
pub(super) fn tmx(of: &Conversion<'_>) -> Vec<u8> {
    let (source_code, code) = (&*of.view.component.source_code(), of.code());
    let mut out = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<!DOCTYPE tmx SYSTEM \"tmx14.dtd\">\n<tmx version=\"1.4\">\n\
\x20 <header creationtool=\"Translate Toolkit\" creationtoolversion=\"3.20.0\" segtype=\"sentence\" o-tmf=\"UTF-8\" \
adminlang=\"en\" srclang=\"{source_code}\" datatype=\"PlainText\"/>\n  <body>\n"
    );
    for unit in of.strings() {
        out.push_str("    <tu>\n");
        if !unit.note.trim().is_empty() {
            put!(out, "      <note>{}</note>\n", escaped(unit.note.trim()));
        }
        if !unit.context.is_empty() {
            let context = escaped(unit.context);
            put!(out, "      <prop type=\"x-context\">{context}</prop>\n");
        }
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
    out.into_bytes()
}
