//! All checks on hostile texts: the bytes that they read grow with the length of the text.

use std::sync::LazyLock;

use gitglot_model::steps;
use proptest::prelude::*;

use crate::{
    CheckFlags, CheckId, CheckIds, CheckInput, Checker, LanguageChecker, MAX_CHECKED, Words,
};

/// All flags that enable checks, in groups that do not exclude each other.
const FLAGS: [&str; 4] = [
    "python-format, python-brace-format, php-format, c-format, java-printf-format, java-format, object-pascal-format, \
     objc-format, ruby-format, scheme-format, qt-format, qt-plural-format, c-sharp-format, perl-brace-format, \
     vue-format, es-format, i18next-interpolation, angularjs-format, automattic-components-format, \
     percent-placeholders, laravel-format, lua-format, perl-format, javascript-format",
    "icu-message-format, icu-flags:xml, md-text, rst-text, bbcode-text, url, xml-text, max-length:5, max-lines:1, \
     replacements:a:b, placeholders:r\"\\$\\w+\\$\":r\"\\w+\", case-insensitive, regex:^x",
    "icu-message-format, icu-flags:strict-xml, safe-html, auto-java-messageformat, fluent-references, fluent-parts",
    "strict-same, strict-format, auto-safe-html, python-format",
];

/// The formats that imply checks, and one without.
const FORMATS: [&str; 10] = [
    "json",
    "i18next",
    "arb",
    "aresource",
    "properties",
    "strings-utf8",
    "laravel",
    "resx",
    "fluent",
    "webextension",
];

/// The languages with rules of their own, and one without.
const LANGUAGES: [&str; 8] = ["cs", "fr", "my", "ja", "el", "hy", "kab", "km"];

/// Parts of texts that a repetition makes hostile.
#[rustfmt::skip]
const PARTS: [&str; 103] = [
    // Placeholders.
    "%", "%(", "%(a", "%<", "%<a", "%{", "%{a", "%'", "%'%", "%''%", "%1", "%1$", "%-", "%#@a", "%a%", "%*.",
    "%(a)", "%1$s ", "{", "{{", "{a", "{a}", "{0}", "{0", "{0,a,", "{0,a", "{ 0", "{0:", "{:{}", "{a[", "{a.b", "{}",
    "{{a", "{{#a}}", "{{ a\n", "{{/", "}", "}}", "${", "$t(", "$t(a", "$a", "$a$", "@:", "@.a:(", ":a", ":a:", "~1", "~a",
    // Messages.
    "{a,select,", "{a, select, x {", "{n,plural,=0{", "{a,number,{", "{a,plural", "'", "'{", "''", "#", "{\"", "{ $a (", "{A(",
    "{A($b", "{ -a.b(",
    // Markup.
    "<", "<a", "<a>", "<b/>", "</b>", "<a b=\"", "<a =", "<!--", "<!-- -", "<![cdata[", "<?a", "<a@", "<a@b.", "<h:", "<x>.</x>",
    "<a:b xmlns:a=\"c\">", "&", "&#", "&a", "&a;", "[", "](", "[](", "[a](b", "[a][", "][a]", "[a]", "[a@b]",
    "*", "**", "_ ", "~~", "`", "``", "|", ":a:`", "http://",
    // Words.
    "a", "a a ", "a@b.cc ",
];

/// Further parts of several characters, and of characters beyond ASCII.
const WORDS: [&str; 14] = [
    "a.",
    "/a",
    "#a ",
    "{@",
    "a@",
    "(s)",
    "...",
    "\u{200f}",
    "é! ",
    "\u{640}",
    "ا\u{640}",
    " ; ",
    "\n",
    "\\n",
];

/// Checkers of both profiles with various flags, formats and languages. They are expensive to build.
static CHECKERS: LazyLock<Vec<LanguageChecker>> = LazyLock::new(|| {
    let with_flags = FLAGS.map(|flags| {
        let flags = CheckFlags::parse(flags).unwrap();
        Checker::from_flags(&flags, "json", Words::default()).unwrap()
    });
    let inferred =
        FORMATS.map(|format| Checker::inferred_with_source_checks(format, Words::default()));
    let all = with_flags.into_iter().chain(inferred);
    let in_language = |(at, checker): (usize, Checker)| {
        checker.for_translation(LANGUAGES[at % LANGUAGES.len()], "en")
    };
    let legacy = Checker::weblate34(Words::default());
    let legacy = ["cs", "fr"].map(|language| legacy.for_translation(language, "en"));
    all.enumerate().map(in_language).chain(legacy).collect()
});

/// The bytes that each checker reads in a source and a translation.
fn work(source: &str, target: &str) -> Vec<usize> {
    let of_checker = |checker: &LanguageChecker| {
        steps::of(|| {
            for (source, target) in [(source, target), (source, source)] {
                checker.check_any(&CheckInput::new(&[source], &[target]), &|_| true);
            }
        })
    };
    CHECKERS.iter().map(of_checker).collect()
}

/// The most bytes that all checks together read of one byte.
const MOST_PER_BYTE: usize = 6_000;

#[test]
fn the_work_of_all_checks_grows_with_the_length_of_a_text() {
    let mut too_much = Vec::new();
    for part in PARTS.iter().chain(&WORDS) {
        let work = |length: usize| {
            let text = part.repeat(length / part.len());
            work(&text, &format!("{text}x"))
        };
        let (short, long) = (work(250), work(1_000));
        let all: usize = long.iter().sum();
        let grows = |(short, long): (&usize, &usize)| *long > 5 * short + 1_000;
        if short.iter().zip(&long).any(grows) || all > MOST_PER_BYTE * 1_000 {
            too_much.push(format!("{part:?}: {short:?} and {long:?}"));
        }
    }
    assert!(too_much.is_empty(), "{too_much:#?}");
}

#[test]
fn the_work_of_all_checks_grows_with_the_number_of_different_names() {
    for (before, after) in [
        ("{ $a", " }"),
        ("{ $a", " ->\n *[other] x\n}"),
        ("%(a", ")s "),
        ("{a", "} "),
        ("{{a", "}} "),
        (":a", " "),
        ("%", "$s "),
        ("$a", "$ "),
        ("<a", "> "),
    ] {
        let work = |count: usize| {
            let text = |first: usize| -> String {
                let numbers = 1_000 + first..1_000 + first + count;
                numbers
                    .map(|number| format!("{before}{number}{after}"))
                    .collect()
            };
            work(&text(0), &text(count))
        };
        let (few, many) = (work(30), work(120));
        let grows = |(few, many): (&usize, &usize)| *many > 5 * few + 1_000;
        let growing: Vec<_> = few
            .iter()
            .zip(&many)
            .filter(|numbers| grows(*numbers))
            .collect();
        assert!(growing.is_empty(), "{before} {after}: {growing:?}");
    }
}

#[test]
fn a_form_is_compared_with_few_forms_of_the_source() {
    let checker = Checker::inferred("json", Words::default()).for_translation("cs", "en");
    let (source, target) = (vec!["<b>a</b>"; 10_000], vec!["<i>a</i>"; 2_000]);
    let failing = checker.failing(&CheckInput::new(&source, &target));
    assert!(failing.contains(CheckId::XmlTags), "{failing:?}");
}

#[test]
fn a_text_over_the_limit_is_reported_as_not_checked() {
    let text = |length: usize| "%(a".repeat(length / 3);
    let not_checked = CheckIds::of(CheckId::NotChecked);
    let (half, more) = (text(MAX_CHECKED / 2), text(MAX_CHECKED / 2 + 6));
    let short = text(100);
    for checker in &*CHECKERS {
        let failing =
            |source: &str, target: &str| checker.failing(&CheckInput::new(&[source], &[target]));
        assert_eq!(failing(&more, &half), not_checked);
        assert!(!failing("a", &short).contains(CheckId::NotChecked));
    }
    assert!(CheckInput::new(&[&more], &[&half]).is_too_long());
    assert!(!CheckInput::new(&[&half], &["a"]).is_too_long());
    let forms = vec![""; 10_000];
    let unit = CheckInput::new(&["a", "b"], &forms);
    assert!(unit.is_too_long(), "many plural forms");
    let legacy = Checker::weblate34(Words::default()).for_translation("cs", "en");
    assert_eq!(legacy.failing(&unit), not_checked);
    let ignored = CheckFlags::parse("ignore-not-checked").unwrap();
    let ignored = Checker::from_flags(&ignored, "json", Words::default()).unwrap();
    let long = text(MAX_CHECKED);
    let found = ignored
        .for_language("cs", "en", None)
        .check(&CheckInput::new(&[&long], &["a"]));
    assert!(found.is_empty(), "the flag turns the report off");
}

#[test]
fn checks_end_when_the_work_may_not_go_on() {
    let checker = Checker::inferred("json", Words::default());
    let checker = checker.for_language("cs", "en", None);
    let unit = CheckInput::new(&["Hi {name}."], &["Hi %s  "]);
    let all = checker.check(&unit).len();
    assert!(all > 2);
    for most in 0..40 {
        let asked = std::cell::Cell::new(0);
        let found = checker.check_while(&unit, &|bytes| {
            assert_eq!(bytes, 17);
            asked.set(asked.get() + 1);
            asked.get() <= most
        });
        assert!(
            found.len() <= all && asked.get() <= most + 1,
            "asks no more after a refusal"
        );
    }
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: ProptestConfig::default().cases / 16,
        ..ProptestConfig::default()
    })]

    /// Repetitions of several parts. The search for the end of an HTML tag has a limit, so that the end of a text can be
    /// near enough for the short text only: there, the work for each byte is bounded.
    #[test]
    fn the_work_on_mixed_texts_grows_with_their_length(
        parts in proptest::collection::vec(proptest::sample::select(&PARTS[..]), 1..5),
        end in proptest::sample::select(&PARTS[..]),
    ) {
        let part = parts.concat();
        let work = |length: usize| {
            let text = part.repeat(length / part.len());
            work(&text, &format!("{text}{end}")).iter().sum::<usize>()
        };
        let (short, long) = (work(500), work(2_000));
        let is_bounded = long <= 5 * short + 2_000 || long <= MOST_PER_BYTE * 2_000;
        prop_assert!(is_bounded, "{:?}: {} and {}", part, short, long);
    }
}
