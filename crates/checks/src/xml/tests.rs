//! Tests of the XML reader.

use super::reader::Production;
use super::*;

fn count(text: &str, production: Production) -> Option<usize> {
    read(text, production).map(|content| content.nodes.len())
}

fn fragment(text: &str) -> Option<usize> {
    count(&without_entities(text), Production::Fragment)
}

#[test]
fn well_formed_texts_are_read() {
    for (text, count) in [
        ("", 0),
        ("a > b, ]]", 0),
        ("<b>x</b><i/>", 2),
        ("<b\n/><c a = '\"'\tb=\"]]>\"></c\r>", 2),
        ("<é/><_/><b-·.2/><\u{10000}/>", 4),
        ("<!----><!-- a- -b --><?a?><?xmlfoo a??>", 4),
        ("<![CDATA[<b>&]]]]>", 0),
        ("<b xmlns='u'><i xmlns=''/></b>", 2),
        ("<a:b xmlns:a='urn:%20#x' a:c='1' c='2'/>", 1),
        ("<xml:b xml:lang='cs' xml:id='a'/>", 1),
        ("&amp;&#x;&é_1;\u{7f}\u{85}", 0),
    ] {
        assert_eq!(fragment(text), Some(count), "{text}");
    }
}

#[test]
fn malformed_texts_are_rejected() {
    for text in [
        "<b>",
        "</b>",
        "<b></i>",
        "<b><i></b></i>",
        "<b></ b>",
        "</weblate><weblate>",
        "<",
        "< b/>",
        "<>",
        "<!>",
        "<!b>",
        "<b/ >",
        "<1/>",
        "<-b/>",
        "<·b/>",
        "<×/>",
        "<b a/>",
        "<b a=1/>",
        "<b a='1/>",
        "<b a='1'c='2'/>",
        "<b a='<'/>",
        "<b a='&'/>",
        "<b a='1' a='2'/>",
        "<b\u{a0}a='1'/>",
        "&",
        "&;",
        "& ;",
        "&amp",
        "&a-b;",
        "]]>",
        "\u{1}",
        "\u{fffe}",
        "\u{ffff}",
        "<!--a--b-->",
        "<!--a--->",
        "<!--->",
        "<!-- a",
        "<![cdata[x]]>",
        "<![CDATA[x]]",
        "<!DOCTYPE b>",
        "<?xml version='1.0'?>",
        "<?Xml?>",
        "<? a?>",
        "<?1a?>",
        "<?a+?>",
        "<?ab??>",
        "<?a:b c?>",
        "<?a",
        "<a:b/>",
        "<b a:c='1'/>",
        "<:b/>",
        "<b:/>",
        "<a:b:c xmlns:a='u'/>",
        "<b xmlns:a=''/>",
        "<b xmlns:a='u' xmlns:a='u'/>",
        "<b xmlns:a='a b'/>",
        "<b xmlns='%z0'/>",
        "<b xmlns='1:b'/>",
        "<b xmlns='a#b#'/>",
        "<b xmlns:a='u' xmlns:c='u' a:x='1' c:x='2'/>",
        "<b xmlns:xml='u'/>",
        "<b xmlns:xmlns='u'/>",
        "<xmlns:b/>",
        "<b xmlns='http://www.w3.org/XML/1998/namespace'/>",
        "<b xmlns:a='http://www.w3.org/2000/xmlns/'/>",
        "<b xml:id='1'/>",
        "<b xml:id='a'/><b xml:id='a'/>",
        "<b xmlns:a='u'/><a:c/>",
    ] {
        assert_eq!(fragment(text), None, "{text}");
    }
}

#[test]
fn a_prefix_is_in_force_only_inside_its_element() {
    assert_eq!(fragment("<b xmlns:a='u'><a:c/><d><a:e/></d></b>"), Some(4));
    assert_eq!(fragment("<b><c xmlns:a='u'/><a:d/></b>"), None);
    let nodes = |text| read(text, Production::Fragment).unwrap().nodes;
    assert_eq!(nodes("<a:b xmlns:a='u'/>"), nodes("<b xmlns='u'/>"));
    assert_ne!(nodes("<a:b xmlns:a='u'/>"), nodes("<a:b xmlns:a='v'/>"));
}

#[test]
fn elements_nest_to_a_limit() {
    let nested = |depth: usize| "<a>".repeat(depth) + &"</a>".repeat(depth);
    assert_eq!(fragment(&nested(255)), Some(255));
    assert_eq!(fragment(&nested(256)), None);
    assert_eq!(count(&nested(256), Production::Document), Some(256));
    assert_eq!(count(&nested(257), Production::Document), None);
    assert_eq!(fragment(&("<a>".repeat(255) + "<a/>")), None);
}

#[test]
fn documents_may_have_a_declaration_and_one_element() {
    for text in [
        "<b/>",
        "<?xml version=\"1.0\"?><b/>",
        "<?xml version='1.1' standalone='yes' ?>\n<b/>\n",
        "<!DOCTYPE html><b></b>",
        "<!DOCTYPE b SYSTEM 'x' ><b/>",
        "<!DOCTYPE b PUBLIC '-//x' 'y'><b/>",
        "<!-- x --><?y?><b/><!-- z -->",
        " <b/>",
    ] {
        assert_eq!(count(text, Production::Document), Some(1), "{text}");
    }
    for text in [
        "",
        "x",
        "x<b/>",
        "<b/>x",
        "<b/><i/>",
        " <?xml version='1.0'?><b/>",
        "<?xml?><b/>",
        "<?xml version=1.0?><b/>",
        "<?xml version='2.0'?><b/>",
        "<?xml version='1.0' encoding='utf-8'?><b/>",
        "<?xml version='1.0' standalone='maybe'?><b/>",
        "<!doctype b><b/>",
        "<!DOCTYPEb><b/>",
        "<!DOCTYPE b PUBLIC 'x'><b/>",
        "<!DOCTYPE b>",
        "<b/><!DOCTYPE b>",
        "<![CDATA[x]]>",
        "<!DOCTYPE b><!DOCTYPE b><b/>",
        "<!-- x -->",
        "</b>",
        "<?a?>",
    ] {
        assert_eq!(count(text, Production::Document), None, "{text}");
    }
}

#[test]
fn only_texts_with_angle_brackets_are_checked() {
    assert!(has_markup("a < b > c") && has_markup("<b>") && has_markup("<<>"));
    assert!(!has_markup("<>") && !has_markup("a < b") && !has_markup("> <b") && !has_markup(""));
}

#[test]
fn entities_go_and_bare_ampersands_stay() {
    assert_eq!(
        without_entities("a&amp;b&#160;c&&é;d& e;&f-g;&"),
        "abc&d& e;&f-g;&"
    );
    assert!(matches!(without_entities("a & b"), Cow::Borrowed("a & b")));
}

#[test]
fn many_attributes_are_read_and_many_declarations_are_not() {
    let attributes = |name: &str, count: usize| -> String {
        (0..count).map(|at| format!(" {name}{at}='u'")).collect()
    };
    let element = |attributes: String| fragment(&format!("<b{attributes}/>"));
    assert_eq!(element(attributes("a", 50_000)), Some(1));
    assert_eq!(element(attributes("a", 50_000) + " a0=''"), None);
    assert_eq!(element(attributes("xmlns:n", 100)), Some(1));
    assert_eq!(element(attributes("xmlns:n", 101)), None);
}
