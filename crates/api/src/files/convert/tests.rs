//! Tests of the converted files.

use super::*;
use crate::testing::snapshot;
use gitglot_catalog::query::{Dialect, parse};
use gitglot_catalog::scan::Budget;
use gitglot_model::Timestamp;

fn exported(exporter: &str, language: &str) -> String {
    let snapshot = snapshot();
    let view = snapshot.translation("hello", "app", language).unwrap();
    let page = "http://h/projects/hello/app/cs/";
    let exporter = OutputFormat::named(Profile::Legacy, exporter).unwrap();
    String::from_utf8(exporter.file(view, page, None, &Budget::unlimited())).unwrap()
}

#[test]
fn a_gettext_catalogue_has_a_header_comments_contexts_and_fuzzy_marks() {
    let file = exported("po", "cs");
    assert!(
        file.starts_with("msgid \"\"\nmsgstr \"\"\n\"Project-Id-Version: Czech (HELLO)\\n\"\n"),
        "{file}"
    );
    assert!(
        file.contains("\"POT-Creation-Date: 2020-09-13 12:26+0000\\n\"\n"),
        "{file}"
    );
    assert!(file.contains("\"Language-Team: Czech <http://h/projects/hello/app/cs/>\\n\"\n"));
    assert!(file.contains(
        "\"Plural-Forms: nplurals=3; plural=(n==1) ? 0 : (n>=2 && n<=4) ? 1 : 2;\\n\"\n"
    ));
    let units = "\n#. Name \n#, fuzzy\nmsgctxt \"appName\"\nmsgid \"My App\"\nmsgstr \"Aplikace\"\n\n\
msgctxt \"odd\"\nmsgid \"a\u{2028}b \\\"q\\\" \\\\ \\001\\n\"\nmsgstr \"\"\n";
    assert!(file.ends_with(units), "{file}");
    assert!(!exported("po", "en").contains("fuzzy"));
}

#[test]
fn a_name_cannot_begin_a_header_of_a_catalogue() {
    assert_eq!(po::value("de\nX-Evil: 1\u{7f}"), "de X-Evil: 1 ");
}

#[test]
fn an_xliff_file_has_the_states_of_units() {
    let file = exported("xliff", "cs");
    let start = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<xliff xmlns=\"urn:oasis:names:tc:xliff:document:1.1\" \
version=\"1.1\">\n  <file original=\"NoName\" source-language=\"en\" datatype=\"plaintext\" target-language=\"cs\">\n    \
<body>\n      <trans-unit xml:space=\"preserve\" id=\"appName\">\n        <source>My App</source>\n        \
<target state=\"needs-translation\">Aplikace</target>\n        <note from=\"developer\">Name </note>\n      </trans-unit>\n";
    assert!(file.starts_with(start), "{file}");
    assert!(
        file.contains("<source>a\u{2028}b \"q\" \\ \u{fffd}\n</source>\n        <target></target>"),
        "{file}"
    );
    assert!(file.ends_with("    </body>\n  </file>\n</xliff>\n"));
    let source = exported("xliff", "en");
    assert!(
        source.contains("<trans-unit xml:space=\"preserve\" approved=\"yes\" id=\"appName\">"),
        "{source}"
    );
    assert!(source.contains("<target state=\"translated\">My App</target>"));
}

#[test]
fn a_table_has_every_field_quoted() {
    let file = exported("csv", "cs");
    assert_eq!(
        file,
        "\"location\",\"source\",\"target\",\"id\",\"fuzzy\",\"context\",\"translator_comments\",\"developer_comments\"\r\n\
\"\",\"My App\",\"Aplikace\",\"\",\"True\",\"appName\",\"\",\"Name \"\r\n\
\"\",\"a\u{2028}b \"\"q\"\" \\ \u{1}\n\",\"\",\"\",\"False\",\"odd\",\"\",\"\"\r\n"
    );
}

/// The file with the strings of a query.
fn selected(exporter: &str, query: &str) -> String {
    let snapshot = snapshot();
    let view = snapshot.translation("hello", "app", "cs").unwrap();
    let filter = parse(query, Dialect::Weblate34, Timestamp(0)).unwrap();
    let selected = Selected {
        filter: &filter,
        users: snapshot.users(),
    };
    let exporter = OutputFormat::named(Profile::Legacy, exporter).unwrap();
    let file = exporter.file(view, "http://h/", Some(selected), &Budget::unlimited());
    String::from_utf8(file).unwrap()
}

#[test]
fn a_file_for_work_has_only_the_strings_of_the_query() {
    let file = selected("po", "state:stale");
    let unit = "\n#. Name \n#: _locales/cs/messages.json\n#, fuzzy\n#| msgid \"The old text\"\nmsgctxt \"appName\"\n\
msgid \"My App\"\nmsgstr \"Aplikace\"\n";
    assert!(file.ends_with(unit), "{file}");
    assert_eq!(file.matches("\nmsgctxt ").count(), 1, "{file}");
    let file = selected("po", "state:translated");
    assert!(!file.contains("\nmsgctxt "), "{file}");
}

#[test]
fn a_table_for_work_has_earlier_sources_and_locations() {
    let file = selected("csv", "state:stale");
    let end = "\"developer_comments\",\"previous_source\"\r\n\"_locales/cs/messages.json\",\"My App\",\"Aplikace\",\"\",\
\"True\",\"appName\",\"\",\"Name \",\"The old text\"\r\n";
    assert!(file.ends_with(end), "{file}");
}

#[test]
fn xliff_for_work_has_the_earlier_source_as_an_alternative() {
    let file = selected("xliff", "state:stale");
    for part in [
        "<context context-type=\"sourcefile\">_locales/cs/messages.json</context>",
        "<alt-trans origin=\"previous-source\">\n          <source>The old text</source>\n          <target>Aplikace</target>",
    ] {
        assert!(file.contains(part), "{part}: {file}");
    }
    assert_eq!(file.matches("<trans-unit").count(), 1, "{file}");
}

#[test]
fn locations_with_spaces_are_between_isolates() {
    assert_eq!(po::location("src/a.c:1"), "src/a.c:1");
    assert_eq!(po::location("my app/a\n.c"), "\u{2068}my app/a .c\u{2069}");
}
