//! Tests of the placeholder styles.

use super::*;

fn texts(style: PlaceholderStyle, text: &str) -> Vec<String> {
    style
        .tokens(text)
        .into_iter()
        .map(|token| token.text.into_owned())
        .collect()
}

#[test]
fn printf_styles_differ_in_flags_and_conversions() {
    assert_eq!(
        texts(PlaceholderStyle::C, "%s %1$d %'d %% %5.1f 100%"),
        ["%s", "%1$d", "%d", "%5.1f", "%"]
    );
    assert_eq!(texts(PlaceholderStyle::Php, "%'05d %s"), ["%'05d", "%s"]);
    assert_eq!(
        texts(PlaceholderStyle::Python, "%(name)s %r"),
        ["%(name)s", "%r"]
    );
    assert_eq!(
        texts(PlaceholderStyle::Python, "%(first name)s %()s %(a"),
        ["%(first name)s", "%", "%"]
    );
    assert_eq!(
        texts(PlaceholderStyle::JavaPrintf, "%n %tY 100% %,d % s"),
        ["%n", "%tY", "%,d"]
    );
    assert_eq!(
        texts(PlaceholderStyle::ObjectPascal, "%0:s %*.*f"),
        ["%0:s", "%*.*f"]
    );
    assert_eq!(
        texts(PlaceholderStyle::ObjectiveC, "%@ %#@items@ %1$@"),
        ["%@", "%#@items@", "%1$@"]
    );
    assert_eq!(
        texts(PlaceholderStyle::Ruby, "%{name} %<n>d %s"),
        ["%{name}", "%<n>d", "%s"]
    );
    assert_eq!(texts(PlaceholderStyle::Ruby, "%<a b>d"), ["%<a b>d"]);
}

#[test]
fn brace_styles_differ_in_escapes_and_content() {
    assert_eq!(
        texts(PlaceholderStyle::PythonBrace, "{} {{x}} {a.b[0]!r:>{w}}"),
        ["{}", "{a.b[0]!r:>{w}}"]
    );
    assert_eq!(
        texts(PlaceholderStyle::I18next, "{{ a }} $t(b c) {d}"),
        ["{{a}}", "$t(bc)"]
    );
    assert_eq!(
        texts(PlaceholderStyle::Automattic, "{{b}}x{{/b}} {{a-b}}"),
        ["{{b}}", "{{/b}}"]
    );
    assert_eq!(
        texts(PlaceholderStyle::CSharp, "{0:N2} {1,10} {x}"),
        ["0", "1"]
    );
    assert_eq!(
        texts(PlaceholderStyle::JavaMessage, "{0,number,#.##} { 0 }"),
        ["0"]
    );
    assert_eq!(
        texts(PlaceholderStyle::PerlBrace, "{a} {b c} {} {\u{e9}}"),
        ["{a}"]
    );
}

#[test]
fn other_styles_have_their_own_markers() {
    assert_eq!(texts(PlaceholderStyle::EcmaScript, "${ a } $b"), ["${a}"]);
    assert_eq!(
        texts(
            PlaceholderStyle::Vue,
            "{a} %{b} @:c.d @.lower:e @:(f:g) me@x.com"
        ),
        ["{a}", "%{b}", "@:c.d", "@.lower:e", "@:(f:g)"]
    );
    assert_eq!(texts(PlaceholderStyle::Percent, "%a% 5% %b c%"), ["%a%"]);
    assert_eq!(
        texts(PlaceholderStyle::Laravel, ":name 12:30 : x :_y"),
        [":name"]
    );
    assert_eq!(texts(PlaceholderStyle::Qt, "%1 %L2 %n"), ["%1", "%L2"]);
    assert_eq!(
        texts(PlaceholderStyle::QtPlural, "%1 %Ln %n"),
        ["%Ln", "%n"]
    );
    assert_eq!(
        texts(PlaceholderStyle::Scheme, "~a ~~ ~5,2f"),
        ["~a", "~5,2f"]
    );
}

#[test]
fn stripping_removes_placeholders_and_escapes() {
    assert_eq!(PlaceholderStyle::C.strip("%d items (%s)"), " items ()");
    assert_eq!(PlaceholderStyle::PythonBrace.strip("{{name}} {x}"), "name ");
    assert_eq!(PlaceholderStyle::PerlBrace.strip("a {b c} {d}"), "a {b c} ");
}
