//! Properties of every format.

use proptest::prelude::*;
use proptest::test_runner::RngSeed;

use super::{FormatReader, MAX_DEPTH, Outline, PLURAL_SEPARATOR, ReadError, test_support::Owned};
use crate::model::FileFormat;

fn readers() -> impl Iterator<Item = (&'static str, &'static dyn FormatReader)> {
    FileFormat::ALL
        .into_iter()
        .map(|format| (format.name(), super::reader(format)))
}

fn read(reader: &dyn FormatReader, bytes: &[u8]) -> Result<Vec<(Owned, usize)>, ReadError> {
    let mut all = Vec::new();
    let result = reader.read(bytes, &mut Outline::default(), &mut |entry| {
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

/// Pieces of the syntax of all formats.
fn piece() -> impl Strategy<Value = String> {
    let syntax = [
        "{",
        "}",
        "[",
        "]",
        ",",
        ":",
        "\"",
        "'",
        "\\",
        "\n",
        "\r\n",
        " ",
        "  ",
        "=",
        ";",
        "|",
        "#",
        "!",
        "//",
        "/*",
        "*/",
        "<",
        ">",
        "</",
        "/>",
        "&",
        "&amp;",
        "<!--",
        "-->",
        "<![CDATA[",
        "]]>",
        "<resources>",
        "</resources>",
        "<string name=\"a\">",
        "</string>",
        "<plurals name=\"p\">",
        "</plurals>",
        "<item quantity=\"one\">",
        "</item>",
        "<root>",
        "</root>",
        "<data name=\"a\">",
        "</data>",
        "<value>",
        "</value>",
        "\"key\"",
        "\"k_one\"",
        "\"k_other\"",
        "\"k_plural\"",
        "\"k_0\"",
        "\"@k\"",
        "\"_k.comment\"",
        "\"defaultMessage\"",
        "\"translation\"",
        "\"messages\"",
        "\"select\"",
        "\"cases\"",
        "\"other\"",
        "\"one\"",
        "\\u00e9",
        "\\ud83d",
        "\\u1",
        "- ",
        "a: ",
        "? ",
        "&x ",
        "*x",
        "<<: *x",
        "!!str ",
        ">\n",
        "|\n",
        "---\n",
        "...\n",
        "-term",
        "a = b\n",
        "    .attr = x\n",
        "{ $n ->\n",
        "[one] ",
        "*[other] ",
        "true",
        "null",
        "5",
        "1.5",
        "é",
        "😀",
        "\u{FEFF}",
        "\u{1E}\u{1E}",
        "\0",
    ];
    prop_oneof![
        10 => prop::sample::select(syntax.to_vec()).prop_map(str::to_owned),
        1 => "[a-z é]{0,6}",
    ]
}

proptest! {
    #![proptest_config(ProptestConfig {
        failure_persistence: None,
        rng_seed: RngSeed::Fixed(18),
        cases: 512,
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
        ("fluent", "a = x\n"),
    ];
    for (name, text) in files {
        let reader = super::reader_by_name(name, false).unwrap();
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

#[test]
fn errors_have_a_line_and_a_column() {
    let files = [
        (
            "arb",
            "{\n  \"a\": null}",
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
            "line 2, column 1: expected a new id, found one that the file already has",
        ),
    ];
    for (name, text, message) in files {
        let error = read(super::reader_by_name(name, false).unwrap(), text.as_bytes())
            .unwrap_err()
            .to_string();
        assert!(error.starts_with(message), "{name}: {error}");
    }
}
