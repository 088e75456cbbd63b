//! Tests of the checks of current Weblate with texts, flags and languages.

use proptest::prelude::*;

use std::sync::{Arc, LazyLock};

use crate::{
    CheckFinding, CheckFlags, CheckId, CheckInput, Checker, LanguageChecker, Severity, TextSide,
    TextSpan, Words,
};

fn inferred(file_format: &str, source: &str, target: &str) -> Vec<&'static str> {
    let checker = Checker::inferred(file_format, Words::default()).for_language("cs", "en", None);
    let findings = checker.check(&CheckInput::new(&[source], &[target]));
    findings.iter().map(|finding| finding.check.id()).collect()
}

/// Asserts for each format, source and translation that one check fails.
fn assert_each(cases: &[(&str, &str, &str, &str)]) {
    for (file_format, source, target, check) in cases {
        let failing = inferred(file_format, source, target);
        assert_eq!(failing, [*check], "{file_format}: {source}");
    }
}

fn with_flags(flags: &str, source: &str, target: &str) -> Vec<CheckFinding> {
    let flags = CheckFlags::parse(flags).unwrap();
    let checker = Checker::from_flags(&flags, "json", Words::default()).unwrap();
    checker
        .for_language("cs", "en", None)
        .check(&CheckInput::new(&[source], &[target]))
}

#[test]
fn files_of_qt_have_the_placeholders_of_qt() {
    assert_each(&[
        ("ts", "Open %1 of %L2", "Otevřít %1", "qt_format"),
        ("ts", "%n pages", "stránek", "qt_plural_format"),
    ]);
    assert!(inferred("ts", "Load 50% of %1", "Načíst 50 % z %1").is_empty());
}

#[test]
fn lost_placeholders_are_found_without_flags() {
    for (source, check) in [
        ("Hi {name} there", "brace_format"),
        ("Hi {0} there", "brace_format"),
        ("Hi {{count}} there", "i18next_interpolation"),
        ("Hi $t(key) there", "i18next_interpolation"),
        ("Hi %d there", "c_format"),
        ("Hi %1$s there", "c_format"),
        ("Hi %@ there", "objc_format"),
        ("Hi %(name)s there", "python_format"),
        ("Hi %{name} there", "ruby_format"),
        ("Hi %name% there", "percent_placeholders"),
        ("Hi %name%<3 there", "percent_placeholders"),
        ("Hi ${name} there", "es_format"),
        ("Hi {first name} there", "vue_format"),
        ("Hi @:key there", "vue_format"),
        ("{n, plural, one {a} other {b}}", "icu_message_format"),
        ("Hi {n, number} there", "icu_message_format"),
        ("Hi <b>x</b> there", "xml-tags"),
    ] {
        assert_eq!(inferred("json", source, "Ahoj tam"), [check], "{source}");
        assert!(
            inferred("json", source, source)
                .iter()
                .all(|check| *check == "same"),
            "{source}"
        );
    }
}

#[test]
fn lost_markup_is_found_without_flags() {
    for (source, target, check) in [
        ("Read [this](#a) now", "Lies [das] (#a) jetzt", "md-link"),
        ("Some [b]bold[/b] text", "Ein fetter Text", "bbcode"),
        ("https://example.org/en", "example", "url"),
        ("No tags here", "Keine <b>Tags</b> hier", "xml-tags"),
        (
            "Such as <folder>",
            "Wie <code>&lt;Ordner&gt;</code>",
            "xml-tags",
        ),
        ("Such as x/<folder>", "Wie ein Ordner", "xml-tags"),
    ] {
        assert_eq!(inferred("json", source, target), [check], "{source}");
    }
    for (source, target) in [
        ("a < b and c > d", "a < b und c > d"),
        ("List[0] (first)", "Liste[0] (erste)"),
        (
            "Visit https://example.org/",
            "Besuche https://example.org/de",
        ),
    ] {
        assert!(inferred("json", source, target).is_empty(), "{source}");
    }
}

#[test]
fn fluent_messages_are_compared_by_references_and_parts() {
    let plural = "{ $n ->\n    [one] { $n } file\n   *[other] { $n } files\n}";
    let czech =
        "{ $n ->\n    [one] { $n } soubor\n    [few] { $n } soubory\n   *[other] { $n } souborů\n}";
    assert!(inferred("fluent", plural, czech).is_empty());
    let (one, many) = (
        "{ $n -> *[x] <b>a</b> }",
        "{ $n -> [y] <b>a</b> *[x] <b>b</b> }",
    );
    assert!(inferred("fluent", one, many).is_empty());
    assert_each(&[
        ("fluent", "Hi { $name }", "Ahoj", "fluent-references"),
        ("fluent", "{ $name } <b>x</b>", "{$name} x", "xml-tags"),
        (
            "fluent",
            "Hi { -brand }",
            "Ahoj { -brnad }",
            "fluent-references",
        ),
        ("fluent", "Hi\n.title = A", "Ahoj", "fluent-parts"),
    ]);
}

#[test]
fn broken_messages_are_found_without_flags() {
    let plural = "{n, plural, one {# item} other {# items}}";
    let broken = "{n, plural, one {# kus}}";
    let link = "a<br><a href='x'>y</a>";
    assert_each(&[
        ("json", plural, broken, "icu_message_format"),
        ("json", "<a href='x'>y</a>", "<a href='x'>z", "xml-invalid"),
        ("json", link, "b<br><a href='x'>z", "xml-tags"),
        ("webextension", "Hi $NAME$", "Ahoj", "placeholders"),
        ("webextension", "Hi $1", "Ahoj", "placeholders"),
    ]);
}

#[test]
fn texts_without_placeholders_pass() {
    for (source, target) in [
        ("100% of users", "100 % uživatelů"),
        ("50% off", "sleva 50%"),
        ("Costs $5", "Stojí 5 $"),
        ("a < b", "a < c"),
        ("me@example.org", "ty@example.org"),
        ("12:30 o'clock", "12:30 hodin"),
        (
            "Go to https://example.org/<path>",
            "Na https://example.org/&lt;cesta&gt;",
        ),
        ("Write <name> here", "Napiš <jméno> sem"),
        ("{0} isn't", "{0} není"),
        ("It's {name}", "C'est {name}"),
    ] {
        assert_eq!(
            inferred("json", source, target),
            Vec::<&str>::new(),
            "{source}"
        );
    }
}

#[test]
fn a_finding_names_the_parts_and_their_bytes() {
    let findings = with_flags("i18next-interpolation", "Hi {{ name }}", "Ahoj {{jmeno}}");
    let [finding] = &findings[..] else {
        panic!("{findings:?}")
    };
    assert_eq!(
        finding.message,
        "Missing placeholders: {{ name }}; extra placeholders: {{jmeno}}."
    );
    assert_eq!(
        finding.spans,
        [
            TextSpan {
                side: TextSide::Source,
                form: 0,
                range: 3..13
            },
            TextSpan {
                side: TextSide::Target,
                form: 0,
                range: 5..14
            },
        ]
    );
    assert_eq!(finding.check.severity(), Severity::Error);
}

#[test]
fn only_the_last_unnamed_placeholders_may_be_missing_in_a_singular() {
    let flags = CheckFlags::parse("c-format").unwrap();
    let checker = Checker::from_flags(&flags, "json", Words::default()).unwrap();
    let rule = gitglot_model::language::PluralRule::parse(2, "n != 1").unwrap();
    let checker = checker.for_language("de", "en", Some(Arc::new(rule)));
    let failing = |singular: &str| {
        let source = ["%s: %d file", "%s: %d files"];
        let failing = checker.failing(&CheckInput::new(&source, &[singular, "%s: %d Dateien"]));
        failing.contains(CheckId::CFormat)
    };
    assert!(!failing("%s: %d Datei") && !failing("%s: eine Datei"));
    assert!(failing("%d Datei") && failing("%d: %s Datei"));
}

#[test]
fn styles_of_numbered_placeholders_may_differ() {
    assert!(with_flags("java-format", "{0,date,short} x", "{0,date,long} y").is_empty());
    assert!(with_flags("c-sharp-format", "{0:N2} x", "{0} y").is_empty());
    assert!(!with_flags("java-format", "{0,date} x", "{1,date} y").is_empty());
}

#[test]
fn tags_of_all_plural_forms_are_compared_if_one_has_tags() {
    let checker = Checker::from_flags(&CheckFlags::default(), "json", Words::default());
    let checker = checker.unwrap().for_language("de", "en", None);
    let failing = |source: &[&str; 2], target: &[&str; 2]| {
        let failing = checker.failing(&CheckInput::new(source, target));
        failing.contains(CheckId::XmlTags)
    };
    assert!(failing(&["one", "<b>x</b>"], &["<b>eins</b>", "<b>y</b>"]));
    assert!(!failing(&["one", "<b>x</b>"], &["eins", "<b>y</b>"]));
    assert!(!failing(&["a & b", "<b>x</b>"], &["eins", "y"]));
}

#[test]
fn inline_elements_are_named_with_their_ids() {
    let checker = Checker::inferred("xliff", Words::default()).for_language("cs", "en", None);
    let message = |target: &str| {
        let source = r#"Up to <x id="VALUE" equiv-text="v"/>"#;
        let found = checker.check(&CheckInput::new(&[source], &[target]));
        found.first().map(|it| it.message.to_string())
    };
    assert_eq!(message(r#"Do <x id="VALUE" equiv-text="v"/>"#), None);
    let lost = message(r#"Do <x id="OTHER" equiv-text="v"/> <x id="MORE"/>"#).unwrap();
    assert!(
        lost.contains("missing inline elements: x VALUE; extra inline elements: x MORE, x OTHER"),
        "{lost}"
    );
}

#[test]
fn placeholders_and_abbreviations_may_stay_unchanged() {
    let is_same = |flags: &str, text: &str| !with_flags(flags, text, text).is_empty();
    assert!(is_same("perl-brace-format", "Buy {name} now"));
    assert!(!is_same("perl-brace-format", "VPNX {name}"));
    assert!(!is_same("perl-brace-format", "<b>VPNX</b> {name}"));
    assert!(is_same("strict-same", "VPNX") && is_same("strict-same", "{name}"));
    assert!(!is_same("strict-same, perl-brace-format", "{name}"));
}

#[test]
fn an_image_in_a_link_is_a_part_of_the_link() {
    let ids = |source, target| -> Vec<_> {
        let findings = with_flags("md-text", source, target);
        findings.iter().map(|finding| finding.check.id()).collect()
    };
    assert_eq!(ids("[![i](a.png)](#l) x", "[i](#l) y"), [""; 0]);
    assert_eq!(ids("![i](a.png) [b](#l) x", "[i](#l) y"), ["md-link"]);
    assert_eq!(
        ids("See <https://x.y> now", "Viz to"),
        ["md-link", "md-syntax"]
    );
    assert_eq!(
        ids("See <https://x.y> now", "Viz <https://z.y> to"),
        [""; 0]
    );
}

#[test]
fn letters_next_to_tags_are_compared_without_the_other_checks_of_tags() {
    let ids = |flags| -> Vec<_> {
        let findings = with_flags(flags, "<b>New</b> file", "<b>Nový</b>soubor");
        findings.iter().map(|finding| finding.check.id()).collect()
    };
    assert_eq!(
        ids("ignore-xml-tags, ignore-xml-invalid"),
        ["xml-chars-around-tags"]
    );
    assert_eq!(ids("ignore-xml-chars-around-tags"), [""; 0]);
}

#[test]
fn bbcode_that_only_the_translation_has_is_found() {
    let ids = |source, target| -> Vec<_> {
        let findings = with_flags("bbcode-text", source, target);
        findings.iter().map(|finding| finding.check.id()).collect()
    };
    assert_eq!(ids("A file", "Jeden [b]soubor[/b]"), ["bbcode"]);
    assert_eq!(ids("A [b]file[/b]", "Jeden [b]soubor[/b]"), [""; 0]);
}

#[test]
fn limits_count_replaced_texts_without_tags() {
    let exceeded = |flags, target| -> Vec<_> {
        let findings = with_flags(flags, "x", target);
        let ids = findings.iter().map(|finding| finding.check.id());
        ids.filter(|id| id.starts_with("max-")).collect()
    };
    assert_eq!(
        exceeded("max-length:2, max-lines:1", "a\nb"),
        ["max-length", "max-lines"]
    );
    let replaced = "max-length:2, max-lines:1, replacements:\"\n\":\"\":{name}:\"\"";
    assert_eq!(exceeded(replaced, "a\nb{name}"), [""; 0]);
    assert_eq!(
        exceeded("max-lines:1, replacements:-:\"\n\"", "a-b"),
        ["max-lines"]
    );
    let tag = "<a\nid='1'>ab</a>";
    assert_eq!(
        exceeded("max-length:2, max-lines:1, xml-text", tag),
        [""; 0]
    );
}

#[test]
fn explicit_flags_infer_nothing() {
    assert!(with_flags("", "Hi {name} there", "Ahoj tam").is_empty());
    assert!(with_flags("ignore-xml-tags", "<b>x</b>", "y").is_empty());
    assert!(
        CheckFlags::parse("placeholders:r\"(\"")
            .map(|flags| { Checker::from_flags(&flags, "json", Words::default()).is_err() })
            .unwrap()
    );
}

/// Every flag at once.
const ALL_FLAGS: &str = "python-format, python-brace-format, php-format, c-format, java-printf-format, java-format, \
    object-pascal-format, objc-format, ruby-format, scheme-format, qt-format, qt-plural-format, c-sharp-format, \
    perl-brace-format, vue-format, es-format, i18next-interpolation, angularjs-format, automattic-components-format, \
    percent-placeholders, laravel-format, icu-message-format, icu-flags:strict-xml, md-text, rst-text, bbcode-text, url, \
    safe-html, auto-safe-html, xml-text, max-length:5, max-lines:1, placeholders:r\"\\w+\", regex:^x";

/// The findings on texts of any length.
fn of_any_length(flags: &str, source: &str, target: &str) -> Vec<CheckFinding> {
    let flags = CheckFlags::parse(flags).unwrap();
    let checker = Checker::from_flags(&flags, "json", Words::default()).unwrap();
    let checker = checker.for_language("cs", "en", None);
    checker.check_any(&CheckInput::new(&[source], &[target]), &|_| true)
}

/// Searches that compare every part with every other, or read the rest of a text for every part, would take minutes.
#[test]
fn long_texts_take_linear_time() {
    let inferred = |source: &str, target: &str| {
        let checker = Checker::inferred("json", Words::default());
        let checker = checker.for_language("cs", "en", None);
        checker.check_any(&CheckInput::new(&[source], &[target]), &|_| true)
    };
    let repeat = |part: &str| part.repeat((1 << 18) / part.len());
    let numbered = |part: fn(usize) -> String| (0..100_000).map(part).collect::<String>();
    assert!(inferred(&repeat("{a"), &repeat("{b")).is_empty());
    assert!(of_any_length("auto-java-messageformat", &repeat("{}{"), "x").is_empty());
    let words = numbered(|n| format!("w{n} w{n} "));
    assert!(inferred(&words, &format!("w0 {words}")).is_empty());
    let titles = |prefix: &str| numbered(|n| format!("[a](b \"t{n}\")")).replace("\"t", prefix);
    assert!(of_any_length("md-text", &titles("\"t"), &titles("\"u")).is_empty());
    let references = numbered(|n| format!("[a][i{n}]"));
    let [source, target] = ["x", "y"].map(|prefix| format!("{prefix}{references}"));
    assert!(of_any_length("md-text", &source, &target).is_empty());
    let roles = numbered(|n| format!(":r{n}:`x` "));
    let [source, target] = ["x", "y"].map(|prefix| format!("{prefix} {roles}"));
    assert!(of_any_length("rst-text", &source, &target).is_empty());
    let branches = numbered(|n| format!("s{n} {{}} "));
    let select = format!("{{a, select, {branches} other {{}}}}");
    let [source, target] = ["x", "y"].map(|prefix| format!("{prefix}{select}"));
    assert!(of_any_length("icu-message-format", &source, &target).is_empty());
}

/// Checkers with every flag and with those of a format. They are expensive to build.
static CHECKERS: LazyLock<[LanguageChecker; 2]> = LazyLock::new(|| {
    let flags = CheckFlags::parse(ALL_FLAGS).unwrap();
    let checkers = [
        Checker::from_flags(&flags, "json", Words::default()).unwrap(),
        Checker::inferred("json", Words::default()),
    ];
    checkers.map(|checker| checker.for_language("fr", "en", None))
});

proptest! {
    #[test]
    fn no_text_makes_a_check_panic(
        source in "([{}%$<>'&\\[\\]()*`:@|~_/ a-c0-1,.é\u{640}\u{200b}]|plural|select|other|http://){0,30}",
        target in "([{}%$<>'&\\[\\]()*`:@|~_/ a-c0-1,.é\u{640}\u{200b}]|plural|select|other|http://){0,30}",
    ) {
        for checker in &*CHECKERS {
            for finding in checker.check(&CheckInput::new(&[&source], &[&target])) {
                for span in finding.spans {
                    let text = if span.side == TextSide::Source { &source } else { &target };
                    prop_assert!(text.get(span.range.clone()).is_some(), "{:?} in {text:?}", span.range);
                }
            }
        }
    }

    #[test]
    fn any_flags_are_parsed_or_rejected(text in ".{0,40}") {
        if let Ok(flags) = CheckFlags::parse(&text) {
            let _ = Checker::from_flags(&flags, "json", Words::default());
        }
    }
}
