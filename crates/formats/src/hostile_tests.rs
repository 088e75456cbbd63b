//! Files that are small and would take much time or memory without limits.

use super::error::ReadErrorKind::{self, TooMuchText};
use super::test_support::{Owned, entries};
use gitglot_model::FileFormat;
use gitglot_model::FileFormat::{AndroidResource, Fluent, Json, JsonNested, PropertiesUtf8, Yaml};

fn error(format: FileFormat, text: &str) -> ReadErrorKind {
    entries(format, text.as_bytes()).unwrap_err().kind
}

fn read(format: FileFormat, text: &str) -> Vec<Owned> {
    entries(format, text.as_bytes()).unwrap()
}

/// The repetitions of a text with their numbers in place of `#`.
fn numbered(count: usize, text: &str) -> String {
    (0..count)
        .map(|number| text.replace('#', &number.to_string()))
        .collect()
}

/// Resources with prefixes that all have this namespace, and a string with an empty element of each prefix.
fn prefixes(count: usize, namespace: &str, elements: usize) -> String {
    let declared = numbered(count, &format!(" xmlns:p#=\"{namespace}\""));
    let text = numbered(count, "<p#:i/>") + &"<p0:i/>".repeat(elements);
    format!("<resources{declared}><string name=\"a\">{text}</string></resources>")
}

#[test]
fn many_namespaces_are_declared_once_per_element() {
    let all = read(AndroidResource, &prefixes(1_200, "u", 0));
    assert_eq!(all[0].text.matches("xmlns:").count(), 1_200 * 1_200);
}

#[test]
fn namespaces_make_no_text_of_any_size() {
    let text = prefixes(2, &"u".repeat(2 << 20), 200);
    assert_eq!(error(AndroidResource, &text), TooMuchText);
    let text = text
        .replace("<string", "<plurals")
        .replace("</string", "</plurals");
    let text = text.replace("name=\"a\">", "name=\"a\"><item>");
    let text = text.replace(
        "</plurals",
        &format!("</item>{}</plurals", "<item/>".repeat(9)),
    );
    assert_eq!(error(AndroidResource, &text), TooMuchText);
}

#[test]
fn a_document_type_is_read_once() {
    let declared = numbered(5_000, "<!ENTITY e# \"x\">");
    let text = "&e4999;".repeat(10_000);
    let file = format!(
        "<!DOCTYPE r [{declared}]><resources><string name=\"a\">{text}</string></resources>"
    );
    assert_eq!(read(AndroidResource, &file)[0].text, text);
}

#[test]
fn continued_lines_of_backslashes_are_read_once() {
    let count = 30_000;
    let text = format!("a=x{}", "\\\\\\\n".repeat(count));
    assert_eq!(read(PropertiesUtf8, &text)[0].text.len(), 1 + count);
}

#[test]
fn merge_keys_add_at_most_two_million_members() {
    let names = numbered(5_000, "n#: x, ");
    let merges = |name: &str, count| format!("- {{<<: *{name}}}\n").repeat(count);
    let members = format!("- &a {{{names}}}\n{}", merges("a", 5_000));
    let elements = format!("- &l [{}]\n{}", "x, ".repeat(5_000), merges("l", 5_000));
    for text in [members, elements] {
        let message = "expected at most two million values, found more";
        assert_eq!(error(Yaml, &text).to_string(), message);
    }
    let name = "n".repeat(1 << 20);
    let text = format!("- &a {{? {name} : {{}}}}\n{}", merges("a", 300));
    assert_eq!(error(Yaml, &text), TooMuchText);
}

#[test]
fn aliases_repeat_long_names_at_most_until_the_limit() {
    let name = "n".repeat(1 << 20);
    for value in ["x", "{}"] {
        let aliases = "- *a\n".repeat(300);
        let text = format!("- &a {{? {name} : {value}}}\n{aliases}");
        assert_eq!(error(Yaml, &text), TooMuchText, "{value}");
    }
}

#[test]
fn comments_of_a_resource_are_copied_until_the_limit() {
    let text = format!(
        "### {}\n\n{}",
        "c".repeat(1 << 20),
        numbered(30_000, "a# = x\n")
    );
    assert_eq!(error(Fluent, &text), TooMuchText);
}

#[test]
fn nested_variants_indent_lines_until_the_limit() {
    let open = "{ $n ->\n *[a]\n".repeat(190);
    let text = format!("a = {open}{}{}", " x\n".repeat(200_000), "}".repeat(190));
    assert_eq!(error(Fluent, &text), TooMuchText);
}

#[test]
fn a_message_has_at_most_a_thousand_named_arguments() {
    let call = |count| format!("a = {{ F({}) }}\n", numbered(count, "a#: 1, "));
    assert_eq!(read(Fluent, &call(1_000)).len(), 1);
    let two = call(1_000) + &call(1_000).replace("a =", "b =");
    assert_eq!(read(Fluent, &two).len(), 2);
    assert_eq!(
        error(Fluent, &call(40_000)).to_string(),
        "expected at most 1000 named arguments in a message, found more"
    );
}

#[test]
fn names_of_objects_make_no_ids_of_any_size() {
    let (name, leaves) = ("n".repeat(1 << 20), numbered(300, "\"k#\": 1,"));
    let text = format!("{{\"{name}\": {{{leaves} \"last\": 1}}}}");
    assert_eq!(error(Json, &text), TooMuchText);
    // 92 kB with 140 MB of ids.
    let (name, leaves) = ("n".repeat(40_000), numbered(3_500, "\"k#\": 1,"));
    let text = format!("{{\"{name}\": {{{leaves} \"last\": 1}}}}");
    assert_eq!(error(Json, &text), TooMuchText);
    assert_eq!(error(JsonNested, &text), TooMuchText);
    let (open, close) = ("[".repeat(900), "]".repeat(900));
    let text = format!("{open}{}0{close}", "0,".repeat(100_000));
    assert_eq!(error(Json, &text), TooMuchText);
}

#[test]
fn namespaces_of_inline_elements_make_no_text_of_any_size() {
    let unit = format!(
        "<trans-unit id=\"1\"><source>{}</source></trans-unit>",
        "<b/>".repeat(300)
    );
    let file = |namespace: &str| {
        format!("<xliff xmlns=\"{namespace}\"><file><body>{unit}</body></file></xliff>")
    };
    assert_eq!(
        read(FileFormat::Xliff, &file("urn:x").replace("<b/>", "t"))[0].text,
        ""
    );
    let text = file(&"u".repeat(2 << 20)).replace("<source>", "<source>t");
    assert_eq!(error(FileFormat::Xliff, &text), TooMuchText);
}

#[test]
fn namespaces_of_many_prefixes_are_found_at_once() {
    let count = 20_000;
    let declared = numbered(count, " xmlns:p#=\"urn:#\"");
    let text = numbered(count, "<p#:b p#:k=\"v\"/>");
    let file = format!(
        "<xliff{declared}><file><trans-unit><source>t{text}</source></trans-unit></file></xliff>"
    );
    assert_eq!(read(FileFormat::Xliff, &file).len(), 1);
}
