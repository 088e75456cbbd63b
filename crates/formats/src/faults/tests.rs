//! Tests with one file for each format and fault.

use super::*;
use crate::fault::{FaultKind, MAX_FAULTS};
use crate::test_support::entries;

/// The faults of a file that parses, each as its name, line and description.
fn found(format: FileFormat, text: &str) -> Vec<String> {
    found_in(format, text.as_bytes())
}

fn found_in(format: FileFormat, bytes: &[u8]) -> Vec<String> {
    assert!(entries(format, bytes).is_ok());
    let line = |offset: usize| bytes[..offset].iter().filter(|&&it| it == b'\n').count() + 1;
    let describe = |fault: &Fault| {
        let kind = match &fault.kind {
            FaultKind::Duplicate { first, is_equal } => {
                let equal = if *is_equal { ", equal" } else { "" };
                format!("again, first in line {}{equal}", line(*first))
            }
            FaultKind::Escape { text, .. } => text.clone(),
            FaultKind::Invalid { problem, .. } | FaultKind::Unlike { problem, .. } => {
                problem.clone()
            }
        };
        format!("{} {}: {kind}", line(fault.offset), fault.name)
    };
    faults(format, bytes).iter().map(describe).collect()
}

#[test]
fn json_names_occur_twice_only_in_one_object() {
    let text = "{\n\"a\": {\"x\": \"1, {\\\"}\", \"y\": [{\"x\": 1}, {\"x\": 2}]},\n\"b\": {\"x\": \"1\",\n\
                \"\\u0078\": \"2\"},\n\"a\": \"1\",\n\"c\": \"1\",\n\"c\" : \"1\"}";
    let expected = [
        "4 b.x: again, first in line 3",
        "5 a: again, first in line 2",
        "7 c: again, first in line 6, equal",
    ];
    for format in [FileFormat::Json, FileFormat::I18next, FileFormat::Jsonc] {
        assert_eq!(found(format, text), expected);
    }
}

#[test]
fn comments_and_bare_names_are_read() {
    let text = "// {\n{/* \"a\": */ a: 'it\\'s, a: b', // \"a\": 2\n b: .5,\n 'a': \"x\",}";
    assert_eq!(
        found(FileFormat::Json5, text),
        ["4 a: again, first in line 2"]
    );
}

#[test]
fn metadata_may_occur_twice() {
    let text = "{\"a\": \"1\",\n\"@a\": {},\n\"@a\": {\"x\": 1, \"x\": 2},\n\"a\": \"2\"}";
    assert_eq!(
        found(FileFormat::Arb, text),
        ["4 a: again, first in line 1"]
    );
    let text = "{\"a\": {\"message\": \"1\",\n\"description\": \"x\",\n\"description\": \"y\",\n\"message\": \"2\"}}";
    assert_eq!(
        found(FileFormat::WebExtension, text),
        ["4 a.message: again, first in line 1"]
    );
    let text = "{\"_comment\": \"A\",\n\"//\": \"x\",\n\"_comment\": \"B\",\n\"//\": \"y\"}";
    assert_eq!(found(FileFormat::Json, text), [""; 0]);
}

#[test]
fn android_texts_that_the_build_rejects() {
    let text = r#"<resources xmlns:x="u">
<string name="a">it's</string>
<string name="b">"it's" it\'s <b>"it's</b> it's"</string>
<string name="c">@home</string>
<string name="d">@string/a</string>
<string name="e"> ?Yes</string>
<string name="f">??</string>
<string name="g">\u00e \q \- \\q \n\Now \'\L</string>
<string name="a" product="tablet">x</string>
<string name="c">x</string>
<plurals name="a"><item quantity="one">l'</item><item quantity="other">"l'"</item></plurals>
<string name="h"><![CDATA[it's]]><x:g id="'">@</x:g></string>
</resources>"#;
    assert_eq!(
        found(FileFormat::AndroidResource, text),
        [
            "2 a: '",
            "4 c: @",
            "6 e: ?",
            "8 g: \\u00e",
            "8 g: \\q",
            "8 g: \\N is no escape, and the backslash is dropped: remove it.",
            "8 g: \\L is no escape, and the backslash is dropped: remove it.",
            "10 c: again, first in line 4",
            "11 a: '",
        ]
    );
}

#[test]
fn names_that_ruby_reads_as_booleans() {
    let text = "en:\n  yes: a\n  'no': b\n  On: c\n  x:\n    off: d\n  y: e\n";
    let both = "2 en.yes: Ruby reads the name yes as true";
    let found_in = found(FileFormat::RubyYaml, text);
    assert_eq!(found_in.len(), 3, "{found_in:?}");
    assert!(found_in[0].starts_with(both), "{found_in:?}");
    assert!(found_in[1].contains("the names yes and On as true"));
    assert!(found_in[2].starts_with("6 en.x.off: Ruby reads the name off as false"));
    assert_eq!(found(FileFormat::Yaml, text), [""; 0]);
}

#[test]
fn messages_that_chrome_refuses() {
    let text = r#"{"a": {"message": "$A$ $b$ $$ $1 or $2"},
"b": {"message": "$A$ $b$", "placeholders": {"A": {"content": "x"}, "B": {"content": "$1"}}},
"c": {"description": "$A$"}}"#;
    let found = found(FileFormat::WebExtension, text);
    assert_eq!(found.len(), 2, "{found:?}");
    assert!(found[0].starts_with("1 a: $A$ is not in the placeholders"));
    assert!(found[1].starts_with("3 c: The entry has no message"));
}

#[test]
fn escapes_of_properties_and_strings() {
    let text =
        "a = \\u00e9 \\u00e\\tx\nb\\ c = \\d \\: \\\\d \\'\nb\\u0020c = x\\\n  y\nd=1\nd=1\n";
    assert_eq!(
        found(FileFormat::PropertiesUtf8, text),
        [
            "1 a: \\u00e",
            "2 b\\ c: \\d",
            "3 b\\u0020c: again, first in line 2",
            "6 d: again, first in line 5, equal",
        ]
    );
    // One byte for each character.
    let latin1 = b"a = \xE9\xE9\xE9\xE9\nb = \\x\n";
    assert_eq!(found_in(FileFormat::Properties, latin1), ["2 b: \\x"]);
    let text = "\"a\" = \"\\U00e9 \\u00e \\q \\' \\101\";\n\"a\" = \"x\";\n";
    assert_eq!(
        found(FileFormat::AppleStrings, text),
        ["1 a: \\u00e", "1 a: \\q", "2 a: again, first in line 1"]
    );
}

#[test]
fn names_of_yaml_and_resx_occur_twice() {
    let text = "de:\n  a: &x\n    b: 1\n    c: 2\n    b: 3\n  <<: *x\n  d: 1\n  d: 1\n";
    assert_eq!(
        found(FileFormat::RubyYaml, text),
        [
            "5 de.a.b: again, first in line 3",
            "8 de.d: again, first in line 7, equal"
        ]
    );
    let text = "<root>\n<data name=\"a\"><value>1</value></data>\n<data name=\"a\"><value>2</value></data>\n</root>";
    assert_eq!(
        found(FileFormat::Resx, text),
        ["3 a: again, first in line 2"]
    );
}

#[test]
fn a_byte_order_mark_and_many_faults_are_harmless() {
    assert_eq!(
        found(FileFormat::Json, "\u{feff}{\n\"a\": 1,\n\"a\": 2}"),
        ["3 a: again, first in line 2"]
    );
    let many = "\"a\":1,".repeat(2 * MAX_FAULTS);
    let many = format!("{{{many}\"a\":2}}");
    assert_eq!(faults(FileFormat::Json, many.as_bytes()).len(), MAX_FAULTS);
    for broken in ["{\"a\" \"b\": }}]", "\"a\\", "[{,:,:", "'/*", "/"] {
        faults(FileFormat::Json5, broken.as_bytes());
    }
}

#[test]
fn units_of_xliff_occur_once_in_a_file() {
    let unit = |id: &str, source: &str| {
        format!(
            "<trans-unit id=\"{id}\"><source>{source}</source><target>x{source}</target></trans-unit>\n"
        )
    };
    let file = |units: &[String]| {
        format!(
            "<file original=\"a\"><body>\n{}</body></file>\n",
            units.concat()
        )
    };
    let first = file(&[unit("1", "a"), unit("2", "b"), unit("1", "c")]);
    let text = format!(
        "<xliff version=\"1.2\">{first}{}</xliff>",
        file(&[unit("1", "a")])
    );
    let found = found(FileFormat::Xliff, &text);
    // The second file has the same name, so its unit has the same context.
    assert_eq!(found.len(), 2, "{found:?}");
    assert!(
        found[0].starts_with("4 ") && found[0].ends_with("first in line 2"),
        "{found:?}"
    );
    assert!(
        found[1].starts_with("7 ") && found[1].ends_with("first in line 2, equal"),
        "{found:?}"
    );
}

#[test]
fn a_translation_in_xliff_2_needs_a_language() {
    let unit = |id: &str| {
        format!(
            "<unit id=\"{id}\"><segment><source>a</source><target>b</target></segment></unit>\n"
        )
    };
    let text = |language: &str, ids: [&str; 2]| {
        let units = ids.map(unit).concat();
        format!("<xliff version=\"2.0\" {language}><file>\n{units}</file></xliff>")
    };
    let found = |language, ids| found(FileFormat::Xliff2, &text(language, ids));
    assert_eq!(found("trgLang=\"cs\"", ["1", "2"]), [""; 0]);
    assert_eq!(
        found("trgLang=\"cs\"", ["1", "1"]),
        ["3 1: again, first in line 2"]
    );
    assert!(found("", ["1", "2"])[0].contains("add trgLang"));
    let named = ["1\" name=\"a", "1\" name=\"b"];
    let repeated = found("trgLang=\"cs\"", named);
    assert!(repeated[0].contains("a different name"), "{repeated:?}");
    assert_eq!(
        found("trgLang=\"cs\"", [named[0], named[0]]),
        ["3 1: again, first in line 2"]
    );
}

#[test]
fn messages_of_qt_occur_once_and_have_the_forms_of_the_language() {
    let message = |source: &str, more: &str| format!("<message{more}<source>{source}</source>");
    let plural = |forms: usize| {
        let forms = "<numerusform>x</numerusform>".repeat(forms);
        message("%n(s)", " numerus=\"yes\">")
            + &format!("<translation>{forms}</translation></message>\n")
    };
    let single = message("a", ">") + "<translation>b</translation></message>\n";
    let vanished = message("a", ">") + "<translation type=\"vanished\">b</translation></message>\n";
    let text = |language: &str, messages: &[&str]| {
        format!(
            "<TS {language}><context><name>A</name>\n{}</context></TS>",
            messages.concat()
        )
    };
    let czech = "language=\"cs_CZ\"";
    let found = |language, messages: &[&str]| found(FileFormat::QtTs, &text(language, messages));
    for forms in [3, 4] {
        assert_eq!(found(czech, &[&single, &vanished, &plural(forms)]), [""; 0]);
    }
    let other = single.replace(">b<", ">c<");
    for (again, ending) in [
        (&other, "first in line 2"),
        (&single, "first in line 2, equal"),
    ] {
        let twice = found(czech, &[&single, again]);
        assert!(
            twice[0].starts_with("3 ") && twice[0].ends_with(ending),
            "{twice:?}"
        );
    }
    let forms = found(czech, &[&plural(2)]);
    assert!(
        forms[0].contains("has 2 plural forms, but the language cs_CZ has 3"),
        "{forms:?}"
    );
    assert!(found("", &[&single])[0].contains("has no language"));
}

#[test]
fn keys_of_gettext_occur_once() {
    let header = "msgid \"\"\nmsgstr \"\"\n\"Content-Type: text/plain; charset=GB2312\\n\"\n";
    let text = format!("{header}\nmsgid \"a\"\nmsgstr \"\u{4e2d}\"\n\nmsgid \"a\"\nmsgstr \"b\"\n");
    let (bytes, ..) = encoding_rs::GBK.encode(&text);
    let found = found_in(FileFormat::PoMono, &bytes);
    assert_eq!(found.last().unwrap(), "8 a: again, first in line 5");
}
