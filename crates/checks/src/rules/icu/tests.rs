//! Tests of the ICU checks.

use super::*;
use crate::CheckId;

fn error(text: &str) -> Option<&'static str> {
    parse(text, Syntax::default())
        .err()
        .map(|error| error.message)
}

fn fails(source: &str, target: &str) -> Option<String> {
    let (source, target) = ([source], [target]);
    check(
        &CheckInput::new(&source, &target),
        None,
        &CheckFlags::default(),
        false,
    )
    .map(|problem| problem.of(CheckId::IcuMessageFormat).message)
}

#[test]
fn valid_messages_are_parsed() {
    for text in [
        "",
        "a # b | c",
        "{ a }",
        "{a.b} {0} {é}",
        "{n, number, ::currency/USD}",
        "{n, plural, offset:1 =0 {x} one {# {b}} other {'{' '' # '}'}}",
        "{g, select, male {{n, plural, other {#}}} other {x}}",
        "it's '{quoted}' and '{open",
        "<b> is text, {x, unknown}",
    ] {
        assert_eq!(error(text), None, "{text}");
    }
}

#[test]
fn invalid_messages_are_errors() {
    let deep = "{a, select, other {".repeat(200);
    for text in [
        "{",
        "}",
        "{}",
        "{a",
        "{a b}",
        "{a,}",
        "{a, plural}",
        "{a, plural,}",
        "{a, plural, one}",
        "{{a}}",
        &deep,
    ] {
        assert!(error(text).is_some(), "{text}");
    }
}

#[test]
fn the_message_names_the_cause() {
    assert_eq!(
        fails("{a} {b}", "{b} {c}").unwrap(),
        "Missing arguments: a; extra arguments: c."
    );
    assert_eq!(
        fails("{n, plural, one {#} other {#}}", "{n, plural, one {#}}").unwrap(),
        "The plural of n has no branch 'other'."
    );
    assert_eq!(
        fails("{n, number}", "{n}").unwrap(),
        "The type of the argument n differs from the source."
    );
    assert!(
        fails(
            "{g, select, a {x} other {y}}",
            "{g, select, b {x} other {y}}"
        )
        .unwrap()
        .contains("'b'")
    );
    assert!(
        fails("{n}", "{n")
            .unwrap()
            .contains("not a valid ICU message")
    );
}

#[test]
fn complex_messages_are_recognised() {
    assert!(is_complex("{n, plural, one {x} other {y}}") && is_complex("{n, number}"));
    assert!(!is_complex("{n} {0}") && !is_complex("{n, plural, one {x}"));
    assert!(looks_complex("{n, plural, one {x}") && !looks_complex("{a, b, c}"));
}

#[test]
fn a_language_with_fewer_forms_may_lack_what_only_some_branches_have() {
    let source = "{n, plural, one {page {a}} other {page {b} {c}}} {d}";
    let fails = |target: &str, is_precise| {
        let (source, target) = ([source], [target]);
        let unit = CheckInput::new(&source, &target);
        let japanese = gitglot_model::language::resolve("ja").plural.rule();
        check(
            &unit,
            japanese.as_deref(),
            &CheckFlags::default(),
            is_precise,
        )
        .is_some()
    };
    let one_form = "{n, plural, other {{a}}} {d}";
    assert!(!fails(one_form, true) && fails(one_form, false));
    for target in [
        "{n, plural, other {{a}}}",
        "{n, plural, one {{a}} other {{a}}} {d}",
        "{a} {d}",
    ] {
        assert!(fails(target, true), "{target}");
    }
}

#[test]
fn a_message_of_very_many_plurals_is_compared_as_it_is() {
    let plurals = |count| {
        let one = |at| format!("{{a{at},plural,one{{x}}other{{{{b{at}}}}}}}");
        (0..count).map(one).collect::<String>()
    };
    let missing = |source: &str, is_precise| {
        let source = [source];
        let unit = CheckInput::new(&source, &["{a0,plural,other{x}}"]);
        let found = check(&unit, None, &CheckFlags::default(), is_precise);
        found.map_or(0, |found| found.faults.len())
    };
    // The argument of a lost branch may be missing.
    assert!(missing(&plurals(2), true) < missing(&plurals(2), false));
    let many = plurals(2_000);
    assert_eq!(missing(&many, true), missing(&many, false));
}

#[test]
fn a_message_of_very_many_branches_is_not_compared_by_branch() {
    let select = |count: usize, other: &str| {
        let branches: String = (0..count).map(|_| "a{}").collect();
        format!("{{g,select,{branches}other{{{other}}}}} {{x}}")
    };
    let fails = |count| {
        let (source, target) = ([&*select(count, "{x}")], [&*select(count, "")]);
        let unit = CheckInput::new(&source, &target);
        check(&unit, None, &CheckFlags::default(), true).is_some()
    };
    assert!(!fails(1) && !fails(300));
}

#[test]
fn a_branch_for_many_numbers_may_not_lose_a_value() {
    let lost = |language: &str, source: &str, target: &str| {
        let (source, target) = ([source], [target]);
        let rule = gitglot_model::language::resolve(language).plural.rule();
        let unit = CheckInput::new(&source, &target);
        let found = check(&unit, rule.as_deref(), &CheckFlags::default(), true);
        found.map(|it| it.of(CheckId::IcuMessageFormat).message)
    };
    let source = "{n, plural, one {# file of {a}} other {# files of {a}}}";
    for (language, target, message) in [
        (
            "de",
            "{n, plural, one {Datei von {a}} other {Dateien von {a}}}",
            "'other' of n lacks the number.",
        ),
        (
            "de",
            "{n, plural, one {# Datei} other {# Dateien}}",
            "Missing arguments: a.",
        ),
        (
            "de",
            "{n, plural, one {# Datei von {a}} other {# Dateien}}",
            "'other' of n lacks the argument a.",
        ),
        (
            "ru",
            "{n, plural, one {a {a}} few {# b {a}} many {# c {a}} other {# d {a}}}",
            "'one' of n lacks the number.",
        ),
        (
            "ru",
            "{n, plural, one {# a {a}} few {b {a}} many {# c {a}} other {# d {a}}}",
            "'few' of n lacks the number.",
        ),
    ] {
        let found = lost(language, source, target).unwrap_or_default();
        assert!(found.contains(message), "{target} {found}");
    }
    for (language, target) in [
        (
            "de",
            "{n, plural, one {eine Datei} other {# Dateien von {a}}}",
        ),
        ("de", "{n, plural, one {Datei} other {{n} Dateien von {a}}}"),
        ("de", "{n} {n, plural, one {Datei} other {Dateien}} von {a}"),
        (
            "fr",
            "{n, plural, one {un fichier} other {# fichiers de {a}}}",
        ),
        ("ja", "{n, plural, other {# {a}}}"),
        (
            "sl",
            "{n, plural, one {# a {a}} two {dva {a}} few {# c {a}} other {# d {a}}}",
        ),
        ("de", "{n, plural, =0 {keine} one {eine} other {# von {a}}}"),
    ] {
        assert_eq!(lost(language, source, target), None, "{target}");
    }
    let (source, target) = (
        "{n, selectordinal, one {#st} other {#th}}",
        "{n, selectordinal, few {quart} other {#è}}",
    );
    assert_eq!(lost("ca", source, target), None);
}

#[test]
fn only_an_apostrophe_that_begins_a_quote_makes_a_tag_a_text() {
    let flags = CheckFlags::parse("icu-flags:xml").unwrap();
    for (message, is_quoted) in [
        ("the '<head>' section", true),
        ("''''<b>'", false),
        ("it''s '<b>'", true),
        ("It''<b>s</b>", false),
        ("'{'<b>x</b>", false),
        ("'<b>' {", false),
    ] {
        assert_eq!(quotes_tags(message, &flags), is_quoted, "{message}");
    }
    assert!(!quotes_tags("'<b>'", &CheckFlags::default()));
}
