use super::{Xliff, Xliff2};
use crate::entry_list::EntryList;
use crate::error::{ReadErrorKind, SyntaxError};
use crate::xml_reader;

/// Context, source, text, note, flags, and whether it is fuzzy and translated.
type Row = [String; 7];

fn rows(
    parse: fn(&str, &mut EntryList) -> Result<(), SyntaxError>,
    text: &str,
) -> Result<Vec<Row>, SyntaxError> {
    let mut list = EntryList::default();
    parse(text, &mut list)?;
    let mut rows = Vec::new();
    list.emit(&mut |entry| {
        let fields = entry.bilingual.copied().unwrap_or_default();
        let [fuzzy, translated] = [fields.fuzzy, entry.translated].map(|it| it.to_string());
        let [context, source, text] = [entry.context, fields.source, entry.text].map(str::to_owned);
        let [note, flags] = [entry.note, fields.flags].map(str::to_owned);
        rows.push([context, source, text, note, flags, fuzzy, translated]);
    });
    Ok(rows)
}

fn row(fields: [&str; 7]) -> Row {
    fields.map(str::to_owned)
}

/// A file of XLIFF 1.2 with these units.
fn file(units: &str) -> String {
    format!(
        "<?xml version=\"1.0\"?>\n<xliff version=\"1.2\" xmlns=\"urn:oasis:names:tc:xliff:document:1.2\" xmlns:o=\"urn:other\">\
         <file original=\"app\"><body>{units}</body></file></xliff>"
    )
}

/// The source of a unit as it is read.
fn source(attributes: &str, raw: &str) -> String {
    let text = file(&format!(
        "<trans-unit id=\"1\"{attributes}><source>{raw}</source></trans-unit>"
    ));
    rows(xml_reader::parse::<Xliff>, &text).unwrap()[0][1].clone()
}

#[test]
fn a_unit_has_the_state_of_its_target_and_its_notes() {
    let text = file(
        "<trans-unit id=\"1\" resname=\"menu\" maxwidth=\"9\"><source>Open</source><target state=\"needs-l10n\">Otev\u{159}\u{ed}t</target>\
         <note from=\"a\"> One\n line </note><note/><note>Two</note></trans-unit>\
         <group id=\"g\"><trans-unit id=\"2\"><source>Bye</source><target state=\"final\">Nazdar</target></trans-unit></group>\
         <trans-unit id=\"3\"><source>No</source></trans-unit>\
         <trans-unit id=\"4\" translate=\"no\"><source>x</source></trans-unit><trans-unit id=\"5\"><target>x</target></trans-unit>\
         <trans-unit id=\"6\"><source><x id=\"1\"/></source></trans-unit><o:trans-unit id=\"7\"><o:source>x</o:source></o:trans-unit>",
    );
    let expected = [
        row([
            "menu",
            "Open",
            "Otev\u{159}\u{ed}t",
            "One line\nTwo",
            "max-length:9",
            "true",
            "false",
        ]),
        row(["app///2", "Bye", "Nazdar", "", "", "false", "true"]),
        row(["app///3", "No", "", "", "", "false", "false"]),
    ];
    assert_eq!(rows(xml_reader::parse::<Xliff>, &text).unwrap(), expected);
}

#[test]
fn each_file_of_a_document_names_its_units() {
    let text = "<x:xliff version=\"1.2\" xmlns:x=\"urn:x\"><x:file original=\"a\"><x:body><x:trans-unit id=\"1\"><x:source>s</x:source>\
                </x:trans-unit></x:body></x:file><x:file><x:trans-unit><x:source>t</x:source></x:trans-unit></x:file></x:xliff>";
    let contexts: Vec<String> = rows(xml_reader::parse::<Xliff>, text)
        .unwrap()
        .into_iter()
        .map(|[context, ..]| context)
        .collect();
    assert_eq!(contexts, ["a///1", ""]);
}

#[test]
fn inline_elements_stay_markup() {
    const NAMESPACE: &str = "xmlns=\"urn:oasis:names:tc:xliff:document:1.2\"";
    for (raw, expected) in [
        (
            "a &amp; b &lt;i&gt; &quot; &#233;",
            "a &amp; b &lt;i&gt; \" \u{e9}".to_owned(),
        ),
        ("a<![CDATA[ <b> ]]>c", "a &lt;b&gt; c".to_owned()),
        (
            "Hi <x id=\"A\" equiv-text=\"&lt;b&gt; &quot;&#10;\"/>!",
            "Hi <x id=\"A\" equiv-text=\"&lt;b&gt; &quot;&#10;\"/>!".to_owned(),
        ),
        (
            "<g id=\"1\">a <ph id=\"2\">b<sub>c</sub></ph></g>",
            format!("<g id=\"1\">a <ph {NAMESPACE} id=\"2\">b<sub>c</sub></ph></g>"),
        ),
        (
            "<ph id=\"1\"/><ph id=\"2\"/>x",
            format!("<ph {NAMESPACE} id=\"1\"/><ph {NAMESPACE} id=\"2\"/>x"),
        ),
        (
            "a<x id=\"1\" o:k=\"v\"/>",
            "a<x xmlns:ns0=\"urn:other\" id=\"1\" ns0:k=\"v\"/>".to_owned(),
        ),
        (
            "a<o:b o:k=\"v\">c</o:b>",
            "a<o:b xmlns:o=\"urn:other\" o:k=\"v\">c</o:b>".to_owned(),
        ),
    ] {
        assert_eq!(source("", raw), expected, "{raw}");
    }
}

#[test]
fn white_space_collapses_unless_it_is_preserved() {
    let preserve = " xml:space=\"preserve\"";
    for (attributes, raw, expected) in [
        ("", "\n  Hello\n  world&#10;\u{a0} ", "Hello world"),
        ("", " Hello <x id=\"1\"/>\n  b  ", "Hello <x id=\"1\"/> b "),
        ("", "\n <g id=\"1\">  a  </g>\n", "<g id=\"1\">a</g> "),
        ("", "a<g id=\"1\"> </g>", "a<g id=\"1\"/>"),
        (
            "",
            "  a  <g id=\"1\" xml:space=\"preserve\"> b  </g>  c  ",
            "a <g id=\"1\" xml:space=\"preserve\"> b  </g>  c  ",
        ),
        (
            preserve,
            " a  <g id=\"1\"> b </g>&#13; ",
            " a  <g id=\"1\"> b </g>&#13; ",
        ),
    ] {
        assert_eq!(source(attributes, raw), expected, "{raw}");
    }
}

#[test]
fn a_document_that_is_not_understood_is_an_error_with_line_and_column() {
    let unit = |text: &str| {
        file(&format!(
            "\n<trans-unit id=\"1\"><source>{text}</source></trans-unit>"
        ))
    };
    let message = |text: &str| {
        let error = rows(xml_reader::parse::<Xliff>, text).unwrap_err();
        crate::input::located(text, error).to_string()
    };
    for (text, expected) in [
        (
            unit("a<!-- c -->"),
            "line 3, column 20: expected text or an inline element, found a comment, processing instruction or entity; \
                               remove it from the text",
        ),
        (
            unit("a\u{1}"),
            "line 3, column 29: expected well-formed XML, found: a control character",
        ),
        (
            unit("a&#1;"),
            "line 3, column 29: expected well-formed XML, found: an invalid character reference",
        ),
        (
            "<root/>".to_owned(),
            "line 1, column 1: expected the root element <xliff>, found a different value",
        ),
        (
            "<xliff version=\"2.0\"/>".to_owned(),
            "line 1, column 1: expected XLIFF 1, found version 2.0; set file_format to xliff2 for such files",
        ),
    ] {
        assert_eq!(message(&text), expected);
    }
    let entity = unit("a &e;").replace("<xliff", "<!DOCTYPE x [<!ENTITY e \"f\">]><xliff");
    assert!(rows(xml_reader::parse::<Xliff>, &entity).is_err());
    let error = rows(xml_reader::parse::<Xliff2>, "<xliff version=\"1.2\"/>").unwrap_err();
    assert!(matches!(error.kind, ReadErrorKind::ReadByOthers(_)));
}

#[test]
fn a_segment_of_xliff_2_is_an_entry() {
    let text = "<xliff version=\"2.0\" xmlns=\"urn:2\" xmlns:m=\"urn:m\"><file id=\"f\"><group id=\"g\"><unit id=\"u\"><notes><note>n</note></notes>\
                <segment id=\"s\" state=\"initial\"><source> A <pc id=\"0\">b</pc></source><target>C</target></segment>\
                <ignorable><source> </source></ignorable><segment><source>D</source></segment></unit></group>\
                <unit id=\"v\"><m:matches><m:match><source>x</source></m:match></m:matches><segment><source>E</source><target/></segment></unit>\
                </file></xliff>";
    let expected = [
        row([
            "u::s",
            " A <pc id=\"0\">b</pc>",
            "C",
            "",
            "",
            "false",
            "true",
        ]),
        row(["u::segment-2", "D", "", "", "", "false", "false"]),
        row(["v", "E", "", "", "", "false", "false"]),
    ];
    assert_eq!(rows(xml_reader::parse::<Xliff2>, text).unwrap(), expected);
}

#[test]
fn programs_see_copies_of_the_source_as_untranslated() {
    use crate::entry::Revised;
    use crate::entry_list::EntryList;
    let units = ["new", "needs-translation", "needs-adaptation", "final"].map(|state| {
        format!(
            "<trans-unit id=\"{state}\"><source>a</source><target state=\"{state}\">a</target></trans-unit>"
        )
    });
    let file = format!(
        "<xliff version=\"1.2\"><file><body>{}<trans-unit id=\"b\"><source>b</source><target state=\"new\"/></trans-unit>\
         </body></file></xliff>",
        units.concat()
    );
    let (mut list, mut found) = (EntryList::default(), Vec::new());
    crate::xml_reader::parse::<super::Xliff>(&file, &mut list).unwrap();
    list.emit(&mut |entry| found.extend(entry.bilingual.map(|it| it.revised)));
    use Revised::{Same, Untranslated};
    assert_eq!(found, [Untranslated, Untranslated, Same, Same, Same]);
}
