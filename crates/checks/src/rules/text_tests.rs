//! Tests of the checks of plain text, by language.

use crate::{CheckFlags, CheckInput, Checker, Words};

/// The ids of the failing checks, without `same`.
fn failing(flags: &str, language: &str, source: &str, target: &str) -> Vec<&'static str> {
    let flags = CheckFlags::parse(flags).unwrap();
    let checker = Checker::from_flags(&flags, "json", Words::default()).unwrap();
    let checker = checker.for_language(language, "en", None);
    let findings = checker.check(&CheckInput::new(&[source], &[target]));
    let ids = findings.iter().map(|finding| finding.check.id());
    ids.filter(|id| *id != "same").collect()
}

#[test]
fn the_last_character_follows_the_language() {
    for (language, source, target, wanted) in [
        ("cs", "A sentence.", "Text", &["end_stop"][..]),
        ("cs", "Yes.", "Ano", &[]),
        ("cs", "Wait...", "Po\u{10d}kat\u{2026}", &[]),
        ("cs", "A name:", "N\u{e1}zev", &["end_colon"]),
        // French needs no space for these checks; punctuation_spacing reports it.
        ("fr", "Really?", "Vraiment\u{202f}?", &[]),
        ("fr", "Really?", "Vraiment", &["end_question"]),
        ("fr", "Really", "Vraiment\u{202f}?", &["end_question"]),
        ("br", "Hello!", "Demat!", &[]),
        ("th", "A sentence?", "\u{e04}\u{e33}", &[]),
        ("jbo", "A sentence!", "coi", &[]),
        ("zh_Hans", "As follows:", "\u{5982}\u{4e0b}\u{3002}", &[]),
        ("ko", "A text", "\u{d55c}:", &[]),
        ("ja", "As follows:", "\u{6b21}", &["end_stop", "end_colon"]),
        ("el", "Really?", "\u{391}\u{3bb};", &[]),
        ("el", "Really?", "\u{391}\u{3bb}", &["end_question"]),
        ("hy", "Hello!", "\u{532}\u{561}", &["end_stop"]),
        ("hy", "Delete?", "\u{54b}\u{576}\u{589}", &[]),
        ("or", "A sentence.", "\u{b13}\u{964}", &[]),
        ("bn", "A sentence.", "\u{995}\u{9f7}", &[]),
        ("bn", "A sentence", "\u{995}\u{9f7}", &["end_stop"]),
        ("sat", "A sentence.", "\u{1c5a}\u{1c7e}", &[]),
        ("my", "A sentence.", "\u{1000}\u{104b}", &[]),
        ("my", "Really?", "\u{1000}\u{1038}\u{104b}", &[]),
        ("my", "Really?", "Really?", &["end_question"]),
        ("eu", "Hello!", "\u{a1}Kaixo! a", &[]),
        ("am", "A sentence.", "\u{1230}\u{1362}", &[]),
    ] {
        assert_eq!(
            failing("ignore-ellipsis", language, source, target),
            wanted,
            "{language} {target}"
        );
    }
}

#[test]
fn interrobangs_and_entities_at_the_end_are_no_other_marks() {
    assert_eq!(failing("", "ar", "Really?!", "\u{62d}\u{61f}!"), [""; 0]);
    assert_eq!(
        failing("", "cs", "Really?!", "Opravdu?"),
        ["end_interrobang"]
    );
    assert_eq!(failing("", "cs", "A &amp;", "A a"), [""; 0]);
    assert_eq!(failing("", "cs", "a = b;", "a = b &gt;"), ["end_semicolon"]);
}

#[test]
fn french_marks_need_a_space_before_them() {
    let fails = |target: &str| failing("", "fr", target, target) == ["punctuation_spacing"];
    for target in ["Oui!", "Quoi?!", "Nom: x", "Fin (vrai?)", ": x", "a; (b)"] {
        assert!(fails(target), "{target}");
    }
    for target in [
        "Oui\u{202f}!",
        "Quoi ?!",
        "Oui&nbsp;!",
        "12:30",
        "a\u{2009};",
        "http://x.y",
        "A&amp;B",
        "Nom:\nx",
    ] {
        assert!(!fails(target), "{target}");
    }
    let target = "{n: }!";
    assert_eq!(
        failing("vue-format", "fr", target, target),
        ["punctuation_spacing"]
    );
    assert_eq!(failing("vue-format", "fr", "{n: } !", "{n: } !"), [""; 0]);
}

#[test]
fn repeated_words_are_compared_with_the_source() {
    let fails = |flags, language, source, target| {
        failing(flags, language, source, target).contains(&"duplicate")
    };
    assert!(fails("", "cs", "a text", "text text"));
    assert!(fails("", "vi", "Chinese (China)", "Trung (Trung Hoa)"));
    assert!(!fails("", "cs", "end end", "konec konec"));
    assert!(fails("", "cs", "end end", "konec konec konec"));
    assert!(!fails("", "cs", "very very", "very very very"));
    assert!(!fails("", "cs", "a text", "a a"));
    assert!(!fails("", "tr", "slow", "s\u{131}k s\u{131}k"));
    assert!(!fails("", "sq", "the", "t\u{eb} t\u{eb}"));
    // Placeholders are no words.
    assert!(fails("", "cs", "{a}", "{a} {a}"));
    assert!(!fails("perl-brace-format", "cs", "{a}", "{a} {a}"));
    assert!(!fails("perl-brace-format", "cs", "day {a}", "den {a} den"));
}

#[test]
fn letters_of_other_alphabets_are_found() {
    assert_eq!(failing("", "kab", "x", "\u{3b3}"), ["kabyle-characters"]);
    assert_eq!(failing("", "kab", "x", "\u{263}\u{25b}"), [""; 0]);
    assert_eq!(failing("", "el", "x", "\u{3b3}"), [""; 0]);
    assert_eq!(
        failing("ignore-kabyle-characters", "kab", "x", "\u{395}"),
        [""; 0]
    );
    assert_eq!(failing("", "ar", "x", "\u{645}\u{640}\u{631}"), ["kashida"]);
    assert_eq!(
        failing("", "ar", "x", "\u{627}\u{644}\u{640} API"),
        ["multiple_capital"]
    );
}
