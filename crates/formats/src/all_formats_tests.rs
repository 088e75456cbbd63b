//! Properties of every format.

use proptest::prelude::*;

use super::error::{MAX_DEPTH, ReadErrorKind};
use super::syntax_pieces::piece;
use super::{FormatReader, ReadError, test_support::Owned};
use gitglot_model::{FileFormat, PLURAL_SEPARATOR, TableColumns};

fn readers() -> impl Iterator<Item = (&'static str, &'static dyn FormatReader)> {
    FileFormat::ALL
        .into_iter()
        .map(|format| (format.name(), super::reader(format)))
}

fn read(reader: &dyn FormatReader, bytes: &[u8]) -> Result<Vec<(Owned, usize)>, ReadError> {
    let mut all = Vec::new();
    let result = reader.read(bytes, &mut |entry| {
        if !entry.forms.is_empty() {
            assert!(
                entry.text.split(PLURAL_SEPARATOR).count() >= entry.forms.len(),
                "{entry:?}"
            );
        }
        all.push((Owned::from(entry), entry.offset));
    });
    assert!(
        result.is_ok() || all.is_empty(),
        "entries were emitted before the error"
    );
    result.map(|()| all)
}

proptest! {
    #![proptest_config(ProptestConfig {
        failure_persistence: None,
        cases: 2 * ProptestConfig::default().cases,
        ..ProptestConfig::default()
    })]

    #[test]
    fn no_format_panics_and_offsets_are_inside_the_file(pieces in prop::collection::vec(piece(), 0..40)) {
        let text = pieces.concat();
        for (name, reader) in readers() {
            let Ok(entries) = read(reader, text.as_bytes()) else { continue };
            for (entry, offset) in entries {
                prop_assert!(offset <= text.len(), "{name}: {entry:?} at {offset} of {text:?}");
            }
        }
    }

    #[test]
    fn no_format_panics_for_bytes(bytes in prop::collection::vec(any::<u8>(), 0..60)) {
        for (_, reader) in readers() {
            let _ = read(reader, &bytes);
        }
    }
}

#[test]
fn a_byte_order_mark_changes_no_entry() {
    let files = [
        ("json", "{\"a\": \"x\"}"),
        ("i18nextv4", "{\"a_one\": \"x\", \"a_other\": \"y\"}"),
        ("jsonc", "{\"a\": \"x\", // c\n}"),
        ("json5", "{a: 'x'}"),
        ("properties", "a=x\n"),
        ("properties-utf8", "a=x\n"),
        ("strings-utf8", "\"a\" = \"x\";\n"),
        ("yaml", "a: x\n"),
        (
            "resx",
            "<root><data name=\"a\"><value>x</value></data></root>",
        ),
        (
            "aresource",
            "<resources><string name=\"a\">x</string></resources>",
        ),
        ("ts", "<TS><message><source>a</source></message></TS>"),
        (
            "xliff",
            "<xliff><file><trans-unit><source>a</source></trans-unit></file></xliff>",
        ),
        ("fluent", "a = x\n"),
    ];
    for (name, text) in files {
        let reader = super::reader(name.parse().unwrap());
        let plain = read(reader, text.as_bytes()).unwrap();
        let marked = read(reader, format!("\u{FEFF}{text}").as_bytes()).unwrap();
        assert_eq!(plain.len(), 1, "{name}");
        let shifted: Vec<_> = plain
            .into_iter()
            .map(|(entry, offset)| (entry, offset + 3))
            .collect();
        assert_eq!(shifted, marked, "{name}");
        assert_eq!(read(reader, b""), Ok(vec![]), "{name}");
    }
}

#[test]
fn utf_16_with_a_mark_gives_the_same_texts_or_an_error() {
    for format in FileFormat::ALL {
        let text = sample(format);
        let marked = format!("\u{FEFF}{text}");
        let bytes: Vec<u8> = marked.encode_utf16().flat_map(u16::to_le_bytes).collect();
        let texts = |bytes: &[u8]| -> Result<Vec<Owned>, ReadError> {
            let all = read(super::reader(format), bytes)?;
            Ok(all.into_iter().map(|(entry, _)| entry).collect())
        };
        match texts(&bytes) {
            Ok(found) => assert_eq!(Ok(found), texts(text.as_bytes()), "{}", format.name()),
            Err(error) => assert_eq!(error.kind, ReadErrorKind::Utf16, "{}", format.name()),
        }
    }
}

#[test]
fn deep_files_are_an_error_and_not_a_crash() {
    let depth = 100_000;
    let files = [
        ("json", "[".repeat(depth)),
        ("arb", "{\"a\":".repeat(depth)),
        ("jsonc", "[".repeat(depth)),
        (
            "resx",
            format!("{}x{}", "<a>".repeat(depth), "</a>".repeat(depth)),
        ),
        ("fluent", format!("a = {}", "{ ".repeat(depth))),
        ("fluent", format!("a = {}", "{ F(\"\\\"}\", ".repeat(depth))),
        ("fluent", format!("a = {{ {}", "F(".repeat(depth))),
        ("fluent", format!("a = {{ {}", "-t(".repeat(depth))),
        ("fluent", format!("a = {{\n{}", "F({\n".repeat(depth))),
        (
            "fluent",
            format!("a = {}", "{ $n ->\n *[a] \" { F(\"}}\" ".repeat(depth)),
        ),
        ("yaml", format!("a: {}", "[".repeat(depth))),
        (
            "yaml",
            (0..2 * MAX_DEPTH)
                .map(|level| format!("{}a:\n", " ".repeat(level)))
                .collect(),
        ),
        // Aliases multiply the depth and the number of values.
        (
            "yaml",
            format!(
                "b0: &a0 x\n{}",
                (0..2000)
                    .map(|n| format!("b: &a{} [*a{n}, *a{n}]\n", n + 1))
                    .collect::<String>()
            ),
        ),
        (
            "yaml",
            format!(
                "b0: &a0 x\n{}",
                (0..40)
                    .map(|n| format!("b: &a{} [*a{n}, *a{n}]\n", n + 1))
                    .collect::<String>()
            ),
        ),
    ];
    for (strict, file) in files {
        for (name, reader) in readers() {
            let entries = read(reader, file.as_bytes());
            assert!(
                entries.is_err() || name != strict,
                "{name}: {}",
                &file[..20]
            );
        }
    }
}

/// A file with a text below the given number of nested levels; `None` for formats without nesting.
fn nested(format: FileFormat, levels: usize) -> Option<String> {
    let pairs = |open: &str, text: &str, close: &str, levels: usize| {
        format!("{}{text}{}", open.repeat(levels), close.repeat(levels))
    };
    let xml = |root: &str, head: &str, tail: &str, inner: usize| {
        let inner = pairs("<a>", "x", "</a>", inner);
        format!("<{root}>{head}{inner}{tail}</{root}>")
    };
    Some(match format {
        FileFormat::Properties
        | FileFormat::PropertiesUtf8
        | FileFormat::AppleStrings
        | FileFormat::StringCatalog
        | FileFormat::JsonLanguages
        | FileFormat::YamlLanguages
        | FileFormat::ModuleLanguages
        | FileFormat::CsvColumns
        | FileFormat::AppStore
        | FileFormat::Document
        | FileFormat::Toml
        | FileFormat::GoI18nToml
        | FileFormat::Po
        | FileFormat::PoMono => {
            return None;
        }
        FileFormat::JavaScript | FileFormat::I18nextModule | FileFormat::VueI18nModule => {
            format!("export default {}", pairs("[", "1", "]", levels))
        }
        FileFormat::Php | FileFormat::Laravel | FileFormat::PhpSources => {
            format!("<?php return {};", pairs("[", "1", "]", levels))
        }
        FileFormat::AndroidResource => {
            xml("resources", "<string name=\"a\">", "</string>", levels - 2)
        }
        FileFormat::Resx => xml("root", "<data><value>", "</value></data>", levels - 3),
        FileFormat::Stringsdict => xml("plist", "<dict><key>a</key>", "</dict>", levels - 2),
        FileFormat::QtTs => xml("TS", "<message><source>", "</source></message>", levels - 3),
        FileFormat::Xliff => xml(
            "xliff",
            "<file><trans-unit><source>",
            "</source></trans-unit></file>",
            levels - 4,
        ),
        FileFormat::Xliff2 => xml(
            "xliff",
            "<file><unit><segment><source>",
            "</source></segment></unit></file>",
            levels - 5,
        ),
        // One line per level.
        FileFormat::Yaml
        | FileFormat::GoI18nYaml
        | FileFormat::WebExtensionYaml
        | FileFormat::YamlSources
        | FileFormat::RubyYaml
        | FileFormat::RubyYamlPlurals => (0..levels)
            .map(|level| format!("{}a:\n", " ".repeat(level)))
            .chain([format!("{}x", " ".repeat(levels))])
            .collect(),
        FileFormat::Fluent => format!("a = {}", pairs("{", " \"x\" ", "}", levels)),
        // The first levels are those of the format, the others are in a member that it ignores.
        FileFormat::WebExtension | FileFormat::FormatJs => {
            format!("{{\"a\": {{\"b\": {}}}}}", pairs("[", "", "]", levels - 2))
        }
        FileFormat::GoI18nV1 => format!("[{{\"b\": {}}}]", pairs("[", "", "]", levels - 2)),
        FileFormat::Gotext => format!("{{\"b\": {}}}", pairs("[", "", "]", levels - 1)),
        FileFormat::Banana => format!("{{\"b\": {}}}", pairs("[", "1", "]", levels - 1)),
        FileFormat::Arb => format!("{{\"@a\": {{\"b\": {}}}}}", pairs("[", "", "]", levels - 2)),
        _ => pairs("[", "1", "]", levels),
    })
}

#[test]
fn a_thousand_levels_are_read_and_one_more_is_an_error() {
    for format in FileFormat::ALL {
        let file = |levels| nested(format, levels).map(|file| format!("\n{file}"));
        let most = match format {
            FileFormat::Fluent => super::fluent::MAX_PLACEABLES,
            _ => MAX_DEPTH,
        };
        let (Some(deepest), Some(deeper)) = (file(most), file(most + 1)) else {
            continue;
        };
        // These formats have no lists of lists.
        let is_read = !matches!(
            format,
            FileFormat::GoI18nV2
                | FileFormat::Inlang
                | FileFormat::LaravelJson
                | FileFormat::YamlSources
                | FileFormat::PhpSources
                | FileFormat::Jed
                | FileFormat::ResJson
        );
        let read = |file: &str| read(super::reader(format), file.as_bytes());
        match read(&deepest) {
            Ok(_) => assert!(is_read, "{}", format.name()),
            Err(error) => {
                let is_deep = error.kind == ReadErrorKind::TooDeep(MAX_DEPTH);
                assert!(!is_read && !is_deep, "{}: {error}", format.name());
            }
        }
        let error = read(&deeper).unwrap_err();
        let message = format!("expected at most {most} levels of nesting, found more");
        assert!(
            error.to_string().ends_with(&message),
            "{}: {error}",
            format.name()
        );
        let is_at_the_last_level = error.line.max(error.column) as usize >= most;
        assert!(is_at_the_last_level, "{}: {error}", format.name());
    }
}

#[test]
fn errors_have_a_line_and_a_column() {
    let files = [
        (
            "arb",
            "{\n  \"a\": []}",
            "line 2, column 8: expected a text as message, found a different value",
        ),
        ("jsonc", "{\n  \"a\" 1}", "line 2, column 7"),
        (
            "aresource",
            "<resources>\n<string name=\"a\">&nope;</string></resources>",
            "line 2, column 18",
        ),
        ("resx", "<root>\n</rot>", "line 2, column 1"),
        ("yaml", "a: x\n b: y\n", "line 2, column 3"),
        (
            "strings-utf8",
            "\"a\" = \"x\"\n",
            "line 2, column 1: expected ';' after the value, found the end of the file",
        ),
        (
            "fluent",
            "a = x\na = y\n",
            "line 2, column 1: expected a unique id, found the id of line 1; remove one of them",
        ),
    ];
    for (name, text, message) in files {
        let error = read(super::reader(name.parse().unwrap()), text.as_bytes())
            .unwrap_err()
            .to_string();
        assert!(error.starts_with(message), "{name}: {error}");
    }
}

/// A file of each format with most of its syntax.
fn sample(format: FileFormat) -> String {
    let text = match format {
        FileFormat::WebExtension => {
            r#"{"a": {"message": "x $N$", "description": "d", "placeholders": {"n": {"content": "$1"}}}, "b": {"message": "é"}}"#
        }
        FileFormat::Arb => {
            r#"{"@@locale": "en", "a": "x", "@a": {"description": "d", "placeholders": {}}, "b": 5}"#
        }
        FileFormat::FormatJs => {
            r#"{"a": {"defaultMessage": "x", "description": {"b": [1, null]}}, "c": {}}"#
        }
        FileFormat::GoI18nV1 => {
            r#"[{"id": "a", "translation": {"one": "x", "other": "y"}, "description": "d"}, {"id": "b", "translation": "z"}]"#
        }
        FileFormat::GoI18nV2 => r#"{"a": {"one": "x", "other": "y", "hash": "h"}, "b": "z"}"#,
        FileFormat::Toml | FileFormat::GoI18nToml => {
            "# n\n[a]\none = \"x\\u00e9\"\nother = '''y'''\n[b.c]\nother = \"\"\"\nz\"\"\"\n"
        }
        FileFormat::I18nextModule => {
            "export default {\n  a_one: 'x', // n\n  a_other: `y`, b: { c: \"z\\u00e9\" },\n}\n"
        }
        FileFormat::VueI18nModule => {
            "export default { a: 'no | {n} one', 'b c': { d: `{'|'} é` } }\n"
        }
        FileFormat::PhpSources => {
            "<?php\nreturn ['A b.' => 'x', // n\n  \"C \\$d\" => \"\\u{e9}\" . 'y', 'E' => ''];\n"
        }
        FileFormat::YamlSources => "A b.: x\n\"C \\u00e9\": >-\n  y\n  z\nE: ~\n",
        FileFormat::JavaScript => {
            "import x from 'x'\n// n\nexport const a: T<A> = {\n  b: 'x\\u00e9' + \"y\", /* ' */ c: [`z`, 1.5], ...x, f: (n) => `${n}`,\n  d: { 'e': null },\n} as const\n"
        }
        FileFormat::Php | FileFormat::Laravel => {
            "<?php\n// n\n$a['b']['c'] = 'x\\'';\n$a['d'] = array('e' => \"y\\u{e9}\" . 'z', 'f' => env('g'), [1, 2.5]);\n$a['h'] = <<<X\n  é\n  X;\n"
        }
        FileFormat::WebExtensionYaml => {
            "a: {message: x $N$, description: d, placeholders: {n: {content: $1}}}\nb:\n  message: |\n    é\n"
        }
        FileFormat::GoI18nYaml => {
            "- id: a\n  translation: {one: x, other: \"y\\u00e9\"}\n- &m {id: b, translation: z}\n- *m\n"
        }
        FileFormat::Gotext => {
            r#"{"language": "en", "messages": [{"id": ["a", "b"], "translation": {"select": {"cases": {"=0": "n", "one": {"msg": "x"}, "other": "y"}}}}]}"#
        }
        FileFormat::Banana => r#"{"@metadata": {"authors": ["A"]}, "a": "x $1", "b": ["é"]}"#,
        FileFormat::Inlang => {
            r#"{"$schema": "s", "a": "x", "b": [{"declarations": ["input n"], "selectors": ["p"], "match": {"p=one": "y", "p=other": "é"}}]}"#
        }
        FileFormat::LaravelJson => r#"{"A b.": "x", "C :d": "\u00e9"}"#,
        FileFormat::Jed => {
            r#"{"locale_data": {"m": {"": {"lang": "de"}, "a": ["x"], "c\u0004b": ["y", "é"], "d": [null, "z"]}}}"#
        }
        FileFormat::ResJson => r#"{"a": "x", "_a.comment": "d", "_b.source": "y", "b": true}"#,
        FileFormat::Jsonc | FileFormat::Json5 => {
            "{\n  // é\n  \"a\": [\"x\", 1.50,], /* \" */ \"b\": {\"c\": \"y\\u00e9\"},\n}"
        }
        FileFormat::VueI18n => r#"{"a": "no | {n} one | {'|'} many", "b": {"c": "x"}}"#,
        FileFormat::AndroidResource => {
            "<?xml version=\"1.0\"?>\n<!DOCTYPE resources [<!ENTITY e \"x\">]>\n<resources xmlns:xliff=\"urn:x\">\n<!-- n -->\n\
             <string name=\"a\">\\'x\\' <b>y</b> &e; <xliff:g id=\"1\">%s</xliff:g></string>\n<plurals name=\"p\"><item quantity=\"one\">\
             \\u00e9</item><item quantity=\"other\"><![CDATA[<i>]]></item></plurals>\n</resources>"
        }
        FileFormat::JsonLanguages => {
            r#"{"a": {"b": {"en": "x\u00e9", "de": "y"}}, "c": {"de": "z"}}"#
        }
        FileFormat::YamlLanguages => "_version: 2\na:\n  en: x\n  de: |\n    é\nc: {de: z}\n",
        FileFormat::ModuleLanguages => {
            "export const texts = {\n  a: { en: 'x', de: `é` }, // n\n  'b c': { d: { en: \"y\" } },\n} as const\n"
        }
        FileFormat::AppStore => "x é\n\ny\r\n",
        FileFormat::Document => "---\ntitle: é\n---\n# x\n\n```js\ny\n```\n",
        FileFormat::CsvColumns => "key,note,en,de\na,n,\"x\n\"\"\",é\nb,,y,\n",
        FileFormat::StringCatalog => {
            r#"{"sourceLanguage": "en", "strings": {"é": {}, "a": {"comment": "n", "localizations": {"en": {"variations": {"plural": {"one": {"stringUnit": {"state": "new", "value": "x\u00e9"}}, "other": {"stringUnit": {"value": "y"}}}}}}}}}"#
        }
        FileFormat::AppleStrings => "/* n */\n\"a\" = \"x\\n\\U00e9\";\n// m\nb.c = \"é\";\n",
        FileFormat::Stringsdict => {
            "<plist><dict><!-- n --><key>a</key><dict><key>NSStringLocalizedFormatKey</key><string>%#@n@ &amp; x</string><key>n</key><dict>\
             <key>one</key><string>é</string><key>other</key><string><![CDATA[y]]></string></dict></dict></dict></plist>"
        }
        FileFormat::Properties | FileFormat::PropertiesUtf8 => {
            "# n\na\\ b = x\\u00e9\\ud83d\\ude00 \\\n   y\n! m\nc:z\n"
        }
        FileFormat::Yaml | FileFormat::RubyYaml | FileFormat::RubyYamlPlurals => {
            "cs:\n  a: &x \"x\\u00e9\"\n  b: [*x, no, 1:30, ~]\n  c: &m {d: x}\n  e:\n    <<: *m\n    f: >-\n      é\n      g\n"
        }
        FileFormat::Resx => {
            "<root><data name=\"a\"><value>x &amp; y</value><comment>é</comment></data><data name=\"b\"/></root>"
        }
        FileFormat::Po | FileFormat::PoMono => {
            "# n\nmsgid \"\"\nmsgstr \"Plural-Forms: nplurals=2; plural=n != 1;\\n\"\n\n#, fuzzy\n#| msgid \"o\"\nmsgctxt \"é\"\nmsgid \"a\"\nmsgid_plural \"b\"\nmsgstr[0] \"x\\n\"\n\"y\"\nmsgstr[1] \"z\"\n\n#~ msgid \"c\"\n#~ msgstr \"w\"\n"
        }
        FileFormat::Xliff => {
            "<?xml version=\"1.0\"?>\n<xliff version=\"1.2\" xmlns=\"urn:x\"><file original=\"f\"><body><group>\n<trans-unit id=\"a\" maxwidth=\"9\">\n\
             <source>x <g id=\"1\">y</g> <ph id=\"2\">z</ph></source><target state=\"new\">é &amp; <x id=\"1\"/></target><note>n</note>\n\
             </trans-unit></group></body></file></xliff>"
        }
        FileFormat::Xliff2 => {
            "<xliff version=\"2.0\" xmlns=\"urn:x\"><file id=\"f\"><unit id=\"a\"><segment id=\"s\"><source>x <pc id=\"1\">y</pc></source>\n\
             <target>é</target></segment><segment><source>z</source></segment></unit></file></xliff>"
        }
        FileFormat::QtTs => {
            "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<!DOCTYPE TS>\n<TS><context><name>C</name>\n<message numerus=\"yes\"><location filename=\"a\" line=\"1\"/>\
             <source>%n(s)</source><comment>c</comment><translation type=\"unfinished\"><numerusform>é</numerusform></translation></message>\n\
             <message id=\"i\"><source>x</source><translation/></message></context></TS>"
        }
        FileFormat::Fluent => {
            "### r\n## g\n# n\na = x { $n ->\n    [one] é\n   *[other] y\n } z\n    .t = { \"\\u00e9\" }\n-t = v\n"
        }
        FileFormat::Json | FileFormat::JsonNested | FileFormat::I18next | FileFormat::I18nextV4 => {
            r#"{"a": "x", "a_plural": "y", "b_0": "é", "b_1": "\ud83d\ude00", "c_one": "z", "c_other": "w", "d": [1.5, {"e": null}]}"#
        }
    };
    text.to_owned()
}

/// A change to the bytes of a file: at this offset, this many bytes become these.
fn mutation() -> impl Strategy<Value = (prop::sample::Index, usize, Vec<u8>)> {
    let bytes = prop_oneof![
        4 => piece().prop_map(String::into_bytes),
        2 => Just(Vec::new()),
        2 => prop::collection::vec(any::<u8>(), 0..3),
    ];
    (any::<prop::sample::Index>(), 0..6usize, bytes)
}

fn mutated(mut bytes: Vec<u8>, mutations: &[(prop::sample::Index, usize, Vec<u8>)]) -> Vec<u8> {
    for (at, count, with) in mutations {
        let from = at.index(bytes.len() + 1);
        let until = (from + count).min(bytes.len());
        bytes.splice(from..until, with.iter().copied());
    }
    bytes
}

proptest! {
    #![proptest_config(ProptestConfig {
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn changed_files_of_every_format_are_read_or_refused(mutations in prop::collection::vec(mutation(), 1..6)) {
        for format in FileFormat::ALL {
            let bytes = mutated(sample(format).into_bytes(), &mutations);
            let lines = bytes.iter().filter(|byte| **byte == b'\n').count() + 1;
            match read(super::reader(format), &bytes) {
                Ok(entries) => {
                    for (entry, offset) in entries {
                        prop_assert!(offset <= bytes.len(), "{}: {entry:?} at {offset}", format.name());
                    }
                }
                Err(error) => {
                    let is_inside = (1..=lines).contains(&(error.line as usize)) && error.column >= 1;
                    prop_assert!(is_inside, "{}: {error} of {lines} lines: {}", format.name(), bytes.escape_ascii());
                }
            }
        }
    }
}

#[test]
fn every_sample_is_read() {
    for format in FileFormat::ALL {
        let mut bytes = sample(format).into_bytes();
        if format == FileFormat::CsvColumns {
            // Settings decide what a whole table has, so only its parts are read.
            read(super::reader(format), &bytes).unwrap_err();
            let file = super::split(format, &TableColumns::default(), &bytes).unwrap();
            bytes = file.parts[0].pieces.concat();
        }
        let entries = read(super::reader(format), &bytes);
        assert!(
            entries.is_ok_and(|entries| !entries.is_empty()),
            "{}",
            format.name()
        );
    }
}

#[test]
fn a_file_of_the_largest_size_is_read_and_a_larger_one_is_refused() {
    for format in FileFormat::ALL {
        let too_large = vec![b' '; super::MAX_BYTES + 1];
        let error = read(super::reader(format), &too_large).unwrap_err();
        assert_eq!(error.kind, ReadErrorKind::TooLarge, "{}", format.name());
    }
}
