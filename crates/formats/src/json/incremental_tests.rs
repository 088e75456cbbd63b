//! Tests of incremental parsing: reused entries, fallbacks to a full parse, errors.

use super::*;
use crate::error::ReadErrorKind;
use crate::reader;
use crate::test_support::{entries, read, reparse};
use gitglot_model::FileFormat::{self, Json, WebExtension};

/// Parses each file against the other and checks the result. Returns the number of reused entries.
fn reused(format: FileFormat, old: &str, new: &str) -> usize {
    let one_way = |old: &str, new: &str| {
        let mut outline = Outline::default();
        let list = read(format, old.as_bytes(), &mut outline).unwrap();
        let (found, reused) =
            reparse(format, old.as_bytes(), &mut outline, &list, new.as_bytes()).unwrap();
        assert_eq!(Ok(found), entries(format, new.as_bytes()), "{old} {new}");
        let mut new_names = Outline::default();
        read(format, new.as_bytes(), &mut new_names).unwrap();
        assert_eq!(outline, new_names, "{old} {new}");
        reused
    };
    one_way(new, old);
    one_way(old, new)
}

#[test]
fn a_longer_number_is_a_different_number() {
    assert_eq!(reused(Json, r#"{"a":12,"b":1}"#, r#"{"a":123,"b":1}"#), 1);
    assert_eq!(reused(Json, r#"{"a":1,"b":12}"#, r#"{"a":1,"b":12.5}"#), 1);
    assert_eq!(reused(Json, r#"{"a":1,"b":12}"#, r#"{"a":1,"b":12 }"#), 1);
}

#[test]
fn members_are_added_and_removed_at_both_ends() {
    let all = r#"{"a":"1","b":"2","c":"3"}"#;
    assert_eq!(reused(Json, all, r#"{"b":"2","c":"3"}"#), 2);
    assert_eq!(reused(Json, all, r#"{"a":"1","b":"2"}"#), 1);
    assert_eq!(reused(Json, all, "{}"), 0);
    assert_eq!(reused(Json, "{\n}", "{\"a\":{}}"), 0);
}

#[test]
fn only_the_object_around_a_change_is_parsed() {
    let old = r#"{"x":{"a":"1","b":{"c":"2","d":"3"}},"y":{"e":"4","f":"5"},"z":"6"}"#;
    let deep = r#"{"x":{"a":"1","b":{"c":"2","d":"new"}},"y":{"e":"4","f":"5"},"z":"6"}"#;
    assert_eq!(reused(Json, old, deep), 5);
    let emptied = r#"{"x":{"a":"1","b":{}},"y":{"e":"4","f":"5"},"z":"6"}"#;
    assert_eq!(reused(Json, old, emptied), 4);
    let both_ends =
        r#"{"x":{"a":"1","b":{"c":"2","d":"3"},"n":"7"},"y":{"e":"4","f":"5"},"n":"8"}"#;
    assert_eq!(reused(Json, old, both_ends), 5);
    let spaced = r#"{ "x" : {"a":"1","b":{"c":"2","d":"3"} } ,"y":{"e":"4","f":"5"},"z":"6" }"#;
    assert_eq!(reused(Json, old, &format!("{spaced}\n")), 2);
    let moved_out = r#"{"x":{"a":"1"},"b":{"c":"2","d":"3"},"y":{"e":"4","f":"5"},"z":"6"}"#;
    assert_eq!(reused(Json, old, moved_out), 3);
}

#[test]
fn an_array_is_always_parsed_in_full() {
    let old = r#"{"l":[{"a":"1","b":"2"},{"a":"3","b":"4"}],"m":{"a":"5"}}"#;
    assert_eq!(reused(Json, old, &old.replace('4', "new")), 1);
    assert_eq!(
        reused(Json, old, &old.replace(r#"{"a":"1","b":"2"},"#, "")),
        1
    );
    assert_eq!(reused(Json, old, &old.replace(r#""a":"3","#, "")), 1);
    assert_eq!(
        reused(
            Json,
            &format!("[{old}]"),
            &format!("[{}]", old.replace('5', "new"))
        ),
        0
    );
}

#[test]
fn a_new_duplicate_name_forces_a_full_parse() {
    let old = r#"{"a":"1","b":"2","c":{"a":"3","d":"4"}}"#;
    assert_eq!(
        reused(
            Json,
            old,
            r#"{"a":"1","b":"2","c":{"a":"3","d":"4"},"a":"5"}"#
        ),
        0
    );
    assert_eq!(
        reused(
            Json,
            old,
            r#"{"a":"1","b":"2","c":{"a":"3","d":"4","\u0061":"5"}}"#
        ),
        0
    );
    assert_eq!(
        reused(
            Json,
            old,
            r#"{"a":"1","b":"2","c":{"a":"3","d":"4","x":{"y":"5","y":"6"}}}"#
        ),
        0
    );
    // The same name in a different object is no duplicate.
    assert_eq!(
        reused(
            Json,
            old,
            r#"{"a":"1","b":"2","c":{"a":"3","d":"4"},"d":"5"}"#
        ),
        4
    );
    // A name may move.
    assert_eq!(
        reused(Json, old, r#"{"b":"2","a":"1","c":{"a":"3","d":"4"}}"#),
        3
    );
}

#[test]
fn whitespace_and_a_byte_order_mark_change_no_entry() {
    let old = "{\n  \"a\": \"1\",\n  \"b\": \"2\"\n}";
    assert_eq!(reused(Json, old, &format!("{old}\n")), 2);
    assert_eq!(reused(Json, old, &old.replace(",\n", ",\r\n")), 1);
    assert_eq!(reused(Json, old, &format!("\u{FEFF}{old}")), 0);
    let marked = format!("\u{FEFF}{old}");
    assert_eq!(reused(Json, &marked, &marked.replace('2', "3")), 1);
}

#[test]
fn a_message_is_one_unit() {
    let old = r#"{"a":{"message":"1"},"b":{"message":"2","description":"d"},"c":{"message":"3"}}"#;
    assert_eq!(reused(WebExtension, old, &old.replace('d', "new")), 2);
    assert_eq!(
        reused(WebExtension, old, &old.replace(r#","description":"d""#, "")),
        2
    );
    assert_eq!(
        reused(WebExtension, old, &old.replace("{\"a\"", "{\"n\":{},\"a\"")),
        3
    );
}

#[test]
fn an_error_leaves_the_outline_unchanged() {
    let old = "{\n  \"a\": \"1\",\n  \"b\": \"é\"\n}\n".as_bytes();
    let mut outline = Outline::default();
    let list = read(Json, old, &mut outline).unwrap();
    let broken: [&[u8]; 8] = [
        b"{\n  \"a\": \"1\",\n  \"b\": \"\xC3\"\n}\n",
        b"{\n  \"a\": \"1\",\n  \"b\": \"\xA9\"\n}\n",
        b"{\n  \"a\": \"1\",\n}\n",
        b"{\n  \"a\": \"1\",\n  \"b\": \"\xC3\xA9\"\n}\n}\n",
        b"{\n  \"a\": \"1\",\n  \"b\": \"\xC3\xA9\"\n",
        b"{\n  \"a\": \"1\"\n  \"b\": \"\xC3\xA9\"\n}\n",
        b"  ",
        b"version https://git-lfs.github.com/spec/v1\n",
    ];
    for new in broken {
        let error = reparse(Json, old, &mut outline, &list, new).unwrap_err();
        assert_eq!(Err(error), entries(Json, new), "{}", new.escape_ascii());
    }
    let (_, reused) = reparse(
        Json,
        old,
        &mut outline,
        &list,
        b"{\n  \"a\": \"1\",\n  \"b\": \"2\"\n}\n",
    )
    .unwrap();
    assert_eq!(reused, 1);
    // From a file without entries everything is new.
    let mut outline = Outline::default();
    assert_eq!(
        reparse(Json, b"", &mut outline, &[], old).unwrap(),
        (list, 0)
    );
}

#[test]
fn an_incremental_parse_has_the_limit_of_a_full_one() {
    let name = "x".repeat(1 << 16);
    let file = |entries: usize| {
        let values: Vec<String> = (0..entries).map(|at| format!("\"{at}\":\"\"")).collect();
        format!("{{\"{name}\":{{{}}}}}", values.join(","))
    };
    let (old, new) = (file(1), file(5_000));
    let mut outline = Outline::default();
    read(Json, old.as_bytes(), &mut outline).unwrap();
    let mut emitted = 0;
    let result = reader(Json).reparse(old.as_bytes(), &mut outline, new.as_bytes(), &mut |_| {
        emitted += 1;
    });
    assert_eq!(result.unwrap_err().kind, ReadErrorKind::TooMuchText);
    assert_eq!(emitted, 0);
}

#[test]
fn an_outline_of_a_different_file_causes_no_panic() {
    let files = [
        "",
        "{}",
        "[]",
        "7",
        r#"{"a":"1"}"#,
        r#"{"a":{"b":"1","c":{"d":["2"]}},"e":{}}"#,
        r#"{"é":{"message":"é"}}"#,
        "{\n  \"a\": {\"x\": \"1\"},\n  \"b\": {\"x\": \"2\"}\n}\n",
        "\u{FEFF}{\"a\":{}}",
    ];
    for format in FileFormat::ALL {
        for described in files {
            for old in files {
                for new in files {
                    let mut outline = Outline::default();
                    let _ = read(Json, described.as_bytes(), &mut outline);
                    let mut parts = 0;
                    let reader = reader(format);
                    let _ =
                        reader.reparse(old.as_bytes(), &mut outline, new.as_bytes(), &mut |_| {
                            parts += 1
                        });
                }
            }
        }
    }
}
