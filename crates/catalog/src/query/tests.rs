//! Tests of parsing.

use super::syntax::{Match, UnitTerm};
use super::*;
use regex::RegexBuilder;

#[test]
fn a_malformed_query_is_reported_with_its_position() {
    for (query, position, message) in [
        ("state:nope", 7, "'nope' is not a state"),
        ("a check:nope", 9, "'nope' is not a check"),
        (
            "check:legacy:c_format",
            7,
            "'legacy:c_format' is not a check",
        ),
        (
            "check:end_stpo",
            7,
            "'end_stpo' is not a check: did you mean end_stop?",
        ),
        ("stale:huge", 7, "'huge' is not a class of stale strings"),
        ("has:luck", 5, "'luck' is not a property of strings"),
        ("sauce:x", 1, "'sauce' is not a field"),
        ("source:", 8, "a value is missing"),
        ("a \"b", 3, "the quote is not closed"),
        ("(a", 3, "the closing parenthesis is missing"),
        ("a)", 2, "a closing parenthesis without an opening one"),
        ("()", 2, "a term is missing before the closing parenthesis"),
        ("a AND", 6, "a term is missing after AND"),
        ("OR a", 1, "a term is missing before OR"),
        ("a OR", 5, "a term is missing"),
        ("NOT", 4, "a term is missing"),
    ] {
        let error = parse(query).unwrap_err();
        assert_eq!(error.position, position, "{query}: {error}");
        assert!(error.message.starts_with(message), "{query}: {error}");
    }
    assert!(
        parse(&"(".repeat(51))
            .unwrap_err()
            .message
            .starts_with("more than 50")
    );
    assert_eq!(parse(&"a".repeat(2001)).unwrap_err().position, 2001);
}

#[test]
fn texts_joined_by_or_have_no_limit_and_others_do() {
    let words = |count: u32, join: &str| {
        (0..count)
            .map(|n| format!("{n:x}"))
            .collect::<Vec<_>>()
            .join(join)
    };
    assert!(parse(&words(300, " OR ")).is_ok());
    assert!(parse(&words(63, " ")).is_ok());
    let error = parse(&words(64, " ")).unwrap_err();
    assert!(
        error
            .message
            .starts_with("a filter can require up to 63 different texts"),
        "{error}"
    );
}

#[test]
fn a_query_has_a_limited_number_of_conditions() {
    let nested = |count: u32| {
        (0..count)
            .map(|n| format!("(a{} OR NOT b{})", n % 8, n / 8))
            .collect::<String>()
    };
    assert!(parse(&nested(32)).is_ok());
    let error = parse(&nested(33)).unwrap_err();
    assert!(
        error
            .message
            .starts_with("a filter can have up to 64 conditions"),
        "{error}"
    );
}

#[test]
fn cheap_conditions_are_tested_first() {
    let filter = parse("word check:end_space state:empty (language:cs OR language:de)").unwrap();
    let plan::Condition::All(nodes) = &filter.root else {
        panic!("{filter:?}")
    };
    assert!(matches!(
        nodes[..],
        [
            plan::Condition::Location(0),
            plan::Condition::Unit(UnitTerm::Empty),
            plan::Condition::Texts(..),
            plan::Condition::Unit(UnitTerm::Check(_))
        ]
    ));
}

#[test]
fn duplicate_terms_are_folded() {
    let many = |count: usize, join: &str| (0..count).map(|_| "qx").collect::<Vec<_>>().join(join);
    for (query, same) in [
        (many(300, " OR "), "qx"),
        (many(250, " AND "), "qx"),
        ("(a b) (a (b a))".to_owned(), "a b"),
        ("a OR (b OR (a OR b))".to_owned(), "a OR b"),
    ] {
        let (folded, single) = (parse(&query).unwrap(), parse(same).unwrap());
        let texts = |filter: &Filter| format!("{:?}", filter.matcher).matches("pattern").count();
        assert_eq!(texts(&folded), texts(&single), "{query}");
    }
}

#[test]
fn negated_texts_are_joined_to_one_condition() {
    for query in ["NOT a NOT b", "NOT a OR NOT b OR NOT a"] {
        let filter = parse(query).unwrap();
        let (plan::Condition::All(nodes) | plan::Condition::Either(nodes)) = &filter.root else {
            panic!("{filter:?}")
        };
        assert!(matches!(nodes[..], [plan::Condition::Not(_)]), "{nodes:?}");
    }
}

proptest::proptest! {
    /// All texts are found in one pass as a case-insensitive regular expression finds each of them.
    #[test]
    fn one_pass_finds_the_same_as_single_searches(
        text in "[aAbBkK\u{212a}sSſéÉσςΣ ]{0,12}",
        words in proptest::collection::vec("[aAbBkK\u{212a}sSſéÉσςΣ]{1,3}", 1..8),
    ) {
        let slots: Vec<_> = words.iter().map(|word| vec![Match::Contains(word.clone())]).collect();
        let found = matcher::Matcher::new(&slots).unwrap().slots(&text, &mut String::new());
        for (slot, word) in words.iter().enumerate() {
            let pattern = RegexBuilder::new(&regex::escape(word)).case_insensitive(true).build().unwrap();
            proptest::prop_assert_eq!(found >> slot & 1 == 1, pattern.is_match(&text), "{} in {}", word, text);
        }
    }
}
