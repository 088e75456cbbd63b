//! Tests of the placeholder styles.

use super::*;

fn texts(check: CheckId, text: &str) -> Vec<String> {
    find(check, text)
        .into_iter()
        .map(|token| token.text.into_owned())
        .collect()
}

#[test]
fn printf_styles_differ_in_flags_and_conversions() {
    assert_eq!(
        texts(CheckId::CFormat, "%s %1$d %'d %% %5.1f 100%"),
        ["%s", "%1$d", "%d", "%5.1f", "%"]
    );
    assert_eq!(texts(CheckId::PhpFormat, "%'05d %s"), ["%'05d", "%s"]);
    assert_eq!(
        texts(CheckId::PythonFormat, "%(name)s %r"),
        ["%(name)s", "%r"]
    );
    assert_eq!(
        texts(CheckId::PythonFormat, "%(first name)s %()s %(a"),
        ["%(first name)s", "%", "%"]
    );
    assert_eq!(
        texts(CheckId::JavaPrintfFormat, "%n %tY 100% %,d % s"),
        ["%n", "%tY", "%,d"]
    );
    assert_eq!(
        texts(CheckId::ObjectPascalFormat, "%0:s %*.*f"),
        ["%0:s", "%*.*f"]
    );
    assert_eq!(
        texts(CheckId::ObjcFormat, "%@ %#@items@ %1$@ %arg, %argh"),
        ["%@", "%#@items@", "%1$@", "%arg", "%a"]
    );
    assert_eq!(
        texts(CheckId::RubyFormat, "%{name} %<n>d %s"),
        ["%{name}", "%<n>d", "%s"]
    );
    assert_eq!(texts(CheckId::RubyFormat, "%<a b>d"), ["%<a b>d"]);
}

#[test]
fn brace_styles_differ_in_escapes_and_content() {
    assert_eq!(
        texts(CheckId::PythonBraceFormat, "{} {{x}} {a.b[0]!r:>{w}}"),
        ["{}", "{a.b[0]!r:>{w}}"]
    );
    assert_eq!(
        texts(CheckId::I18nextInterpolation, "{{ a }} $t(b c) {d}"),
        ["{{a}}", "$t(bc)"]
    );
    assert_eq!(
        texts(CheckId::AutomatticComponentsFormat, "{{b}}x{{/b}} {{a-b}}"),
        ["{{b}}", "{{/b}}"]
    );
    assert_eq!(
        texts(CheckId::CSharpFormat, "{0:N2} {1,10} {x}"),
        ["0", "1"]
    );
    assert_eq!(texts(CheckId::JavaFormat, "{0,number,#.##} { 0 }"), ["0"]);
    assert_eq!(
        texts(CheckId::PerlBraceFormat, "{a} {b c} {} {\u{e9}}"),
        ["{a}"]
    );
}

#[test]
fn other_styles_have_their_own_markers() {
    assert_eq!(texts(CheckId::EsFormat, "${ a } $b"), ["${a}"]);
    assert_eq!(
        texts(
            CheckId::VueFormat,
            "{a} %{b} @:c.d @.lower:e @:(f:g) me@x.com"
        ),
        ["{a}", "%{b}", "@:c.d", "@.lower:e", "@:(f:g)"]
    );
    assert_eq!(texts(CheckId::PercentPlaceholders, "%a% 5% %b c%"), ["%a%"]);
    assert_eq!(
        texts(CheckId::LaravelFormat, ":name 12:30 : x :_y"),
        [":name"]
    );
    assert_eq!(texts(CheckId::QtFormat, "%1 %L2 %n"), ["%1", "%L2"]);
    assert_eq!(texts(CheckId::QtPluralFormat, "%1 %Ln %n"), ["%Ln", "%n"]);
    assert_eq!(texts(CheckId::SchemeFormat, "~a ~~ ~5,2f"), ["~a", "~5,2f"]);
}

#[test]
fn stripping_removes_placeholders_and_escapes() {
    assert_eq!(strip(CheckId::CFormat, "%d items (%s)"), " items ()");
    assert_eq!(strip(CheckId::PythonBraceFormat, "{{name}} {x}"), "name ");
    assert_eq!(strip(CheckId::PerlBraceFormat, "a {b c} {d}"), "a {b c} ");
}

#[test]
fn spaces_in_braces_matter_in_python_only() {
    let text = "{ name } {  a  b} { c} {d } { } {b}";
    assert_eq!(texts(CheckId::BraceFormat, text), ["{name}", "{b}"]);
    assert_eq!(texts(CheckId::PythonBraceFormat, text), ["{b}"]);
}
