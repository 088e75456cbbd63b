use super::Po;
use crate::format_reader::FormatReader;
use crate::version_reader::VersionReader;
use gitglot_model::FileFormat;

/// Key, text, note, previous source, locations, flags, and whether it is fuzzy and translated.
type Row = [String; 8];

fn rows(bytes: &[u8]) -> Result<Vec<Row>, String> {
    let mut rows = Vec::new();
    let read = VersionReader(Po {
        has_template: false,
    })
    .read(bytes, &mut |entry| {
        let fields = entry.bilingual.copied().unwrap_or_default();
        let bools = [fields.fuzzy, entry.translated].map(|it| it.to_string());
        let [fuzzy, translated] = bools;
        rows.push([
            entry.key().replace('\u{4}', "|"),
            entry.text.to_owned(),
            entry.note.to_owned(),
            fields.previous_source.to_owned(),
            fields.locations.to_owned(),
            fields.flags.to_owned(),
            fuzzy,
            translated,
        ]);
    });
    read.map(|()| rows).map_err(|error| error.to_string())
}

fn row(fields: [&str; 8]) -> Row {
    fields.map(str::to_owned)
}

#[test]
fn an_entry_has_the_source_the_state_and_the_comments_of_its_file() {
    let file = "# Czech\nmsgid \"\"\nmsgstr \"\"\n\"Language: cs\\n\"\n\n# Translator.\n#. Extracted.\n\
                #: a.c:1 b.c:2\n#: c.c:3\n#, fuzzy, c-format\n#| msgid \"Old\"\nmsgctxt \"menu\"\nmsgid \"Open \"\n\"file\\n\"\n\
                msgstr \"Otev\u{159}\u{ed}t\\tsoubor\"\n\nmsgid \"Bye\"\nmsgstr \"\"\n\n#~ msgid \"Gone\"\n#~ msgstr \"Pry\u{10d}\"\n";
    let expected = [
        row([
            "menu|Open file\n",
            "Otev\u{159}\u{ed}t\tsoubor",
            "Translator.\nExtracted.",
            "Old",
            "a.c:1, b.c:2, c.c:3",
            "c-format",
            "true",
            "false",
        ]),
        row(["|Bye", "", "", "", "", "", "false", "false"]),
    ];
    assert_eq!(rows(file.as_bytes()).unwrap(), expected);
}

#[test]
fn a_text_may_begin_in_the_line_after_its_keyword() {
    let file = "msgid \"a\"\nmsgstr\n\"b\"\n\"c\"\n\nmsgid\n\"d\"\nmsgstr \"e\"\n";
    let rows = rows(file.as_bytes()).unwrap();
    let texts: Vec<&str> = rows.iter().map(|row| row[1].as_str()).collect();
    assert_eq!(texts, ["bc", "e"]);
}

#[test]
fn a_plural_has_as_many_forms_as_the_header_says() {
    let plural = "msgid \"%d file\"\nmsgid_plural \"%d files\"\nmsgstr[0] \"a\"\nmsgstr[1] \"b\"\n";
    let header = |forms| format!("msgid \"\"\nmsgstr \"Plural-Forms: {forms}\\n\"\n\n{plural}");
    let text = |file: &str| rows(file.as_bytes()).unwrap()[0][1].replace("\u{1e}\u{1e}", "/");
    assert_eq!(text(plural), "a/b");
    assert_eq!(
        text(&header("nplurals=3; plural=n==1 ? 0 : n<5 ? 1 : 2;")),
        "a/b/"
    );
    assert_eq!(text(&header("nplurals=1; plural=0;")), "a");
    for odd in [
        "nplurals=INTEGER; plural=EXPRESSION;",
        "nplurals=3; plural=n=;",
        "nplurals=0; plural=0;",
    ] {
        assert_eq!(text(&header(odd)), "a/b", "{odd}");
    }
    let file = header("nplurals=3; plural=n>2 ? 2 : 1;");
    assert_eq!(
        super::plural_forms(FileFormat::Po, file.as_bytes()),
        Some(3)
    );
    assert_eq!(super::plural_forms(FileFormat::Json, file.as_bytes()), None);
}

#[test]
fn the_header_names_the_charset() {
    let file = |charset: &str| {
        let mut bytes = format!("msgid \"\"\nmsgstr \"\"\n\"Content-Type: text/plain; charset={charset}\\n\"\n\nmsgid \"a\"\nmsgstr \"").into_bytes();
        bytes.extend(b"\xe1\"\n");
        bytes
    };
    assert_eq!(rows(&file("ISO-8859-1")).unwrap()[0][1], "\u{e1}");
    assert_eq!(rows(&file("windows-1250")).unwrap()[0][1], "\u{e1}");
    assert_eq!(
        rows(&file("UTF-8")).unwrap_err(),
        "line 6, column 9: expected UTF-8, found an invalid byte; save the file as UTF-8"
    );
    assert!(
        rows(&file("klingon"))
            .unwrap_err()
            .contains("charset klingon")
    );
    let line = crate::line_of(FileFormat::Po, &file("ISO-8859-1"), "\u{4}a").unwrap();
    assert_eq!(line, Some(5));
}

#[test]
fn a_line_that_is_not_understood_is_an_error_with_line_and_column() {
    let begin = "msgid \"a\"\nmsgstr \"b\"\n\n";
    for (rest, error) in [
        (
            "<<<<<<< HEAD\n",
            "line 4, column 1: expected a comment, msgctxt, msgid, msgid_plural or msgstr",
        ),
        (
            "domain \"x\"\n",
            "line 4, column 1: expected a comment, msgctxt, msgid, msgid_plural or msgstr",
        ),
        (
            "msgid 'c'\n",
            "line 4, column 7: expected a text in double quotes",
        ),
        (
            "msgid \"c\nmsgstr \"\"\n",
            "line 4, column 7: expected the closing quote of the text",
        ),
        (
            "msgid \"c\"\n# note\nmsgstr \"\"\n",
            "line 5, column 1: expected msgstr, found a comment; move the comment above the entry",
        ),
        (
            "msgid \"c\"\nmsgid \"d\"\n",
            "line 5, column 1: expected a complete entry, found msgid in the wrong place",
        ),
        (
            "msgid \"c\"\nmsgstr[0] \"d\"\n",
            "line 5, column 1: expected msgstr: only an entry with msgid_plural has plural forms",
        ),
        (
            "#~ msgid \"c\"\n\"d\"\n",
            "line 5, column 1: expected a keyword such as msgid",
        ),
    ] {
        assert_eq!(
            rows(format!("{begin}{rest}").as_bytes()).unwrap_err(),
            error,
            "{rest}"
        );
    }
    assert!(rows(b"\n\n").is_err());
    assert_eq!(rows(b"").unwrap().len(), 0);
    assert_eq!(
        rows(format!("{begin}msgid \"c\"\n").as_bytes())
            .unwrap()
            .len(),
        1
    );
}

#[test]
fn texts_are_decoded_as_in_weblate() {
    for (raw, text) in [
        (r#"a\n\t\r\"\\"#, "a\n\t\r\"\\"),
        (r"\x41\101\q", r"\x41\101\q"),
        (r#"a "b" c"#, r#"a "b" c"#),
    ] {
        let file = format!("msgid \"k\"\nmsgstr \"{raw}\" ignored\r\n");
        assert_eq!(rows(file.as_bytes()).unwrap()[0][1], text);
    }
}

#[test]
fn a_source_that_is_another_one_with_its_context_is_a_duplicate_of_it() {
    let entry = |context: &str, source: &str| {
        format!("msgctxt \"{context}\"\nmsgid \"{source}\"\nmsgstr \"x\"\n\n")
    };
    let keys = |file: &str| -> Vec<String> {
        let rows = rows(file.as_bytes()).unwrap().into_iter();
        rows.map(|[key, ..]| key).collect()
    };
    let file = [
        entry("b", "a"),
        entry("", "ab"),
        entry("ab", ""),
        entry("a", "b"),
    ]
    .concat();
    assert_eq!(keys(&file), ["b|a", "b|a", "b|a", "a|b"]);
    let reverse = [entry("", "ab"), entry("b", "a"), entry("b", "c")].concat();
    assert_eq!(keys(&reverse), ["|ab", "|ab", "b|c"]);
}

#[test]
fn messages_can_be_keys_of_a_template() {
    let file = "msgid \"\"\nmsgstr \"Language: cs\\n\"\n\n# note\n#: a.c:1\n#, fuzzy, c-format\n#| msgid \"old\"\nmsgctxt \"menu\"\n\
                msgid \"open\"\nmsgstr \"Open\"\n\nmsgid \"files\"\nmsgid_plural \"files\"\nmsgstr[0] \"a\"\nmsgstr[1] \"b\"\n\n\
                msgid \"files\"\nmsgid_plural \"other\"\nmsgstr[0] \"c\"\n\n#, fuzzy\nmsgid \"empty\"\nmsgstr \"\"\n";
    let mut rows = Vec::new();
    let reader = VersionReader(Po { has_template: true });
    let read = reader.read(file.as_bytes(), &mut |entry| {
        assert!(entry.bilingual.is_none());
        let fields = entry.keyed.copied().unwrap_or_default();
        rows.push(format!(
            "{:?} {:?} {:?} {:?} {:?} {:?} {} {}",
            entry.key(),
            entry.text,
            entry.note,
            fields.previous_source,
            fields.locations,
            fields.flags,
            fields.fuzzy,
            entry.translated,
        ));
    });
    read.unwrap();
    assert_eq!(
        rows,
        [
            r#""menu\u{4}open" "Open" "note" "old" "a.c:1" "c-format" true false"#,
            r#""files" "a\u{1e}\u{1e}b" "" "" "" "" false true"#,
            r#""empty" "" "" "" "" "" false false"#,
        ]
    );
    assert_eq!(reader.read(b"\n\n", &mut |_| {}), Ok(()));
}

#[test]
fn a_byte_order_mark_hides_no_header() {
    let file = "\u{feff}msgid \"\"\nmsgstr \"\"\n\"POT-Creation-Date: 2024-01-02\\n\"\n\
                \"Plural-Forms: nplurals=2; plural=(n != 1);\\n\"\n";
    let bytes = file.as_bytes();
    assert_eq!(super::plural_forms(FileFormat::Po, bytes), Some(2));
    assert!(super::plural_rule(FileFormat::Po, bytes).is_some());
    assert_eq!(
        super::template_date(FileFormat::Po, bytes).as_deref(),
        Some("2024-01-02")
    );
}
