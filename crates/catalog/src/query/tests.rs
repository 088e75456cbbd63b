//! Tests of parsing.

use super::syntax::{Match, UnitTerm};
use super::*;
use gitglot_model::Timestamp;
use regex::RegexBuilder;

fn parse(text: &str) -> Result<Filter, QueryError> {
    super::parse(text, Dialect::Weblate34, Timestamp::default())
}

#[test]
fn a_malformed_query_is_reported_with_its_position() {
    for (query, position, message) in [
        ("state:nope", 7, "'nope' is not a state"),
        ("a check:nope", 9, "'nope' is not a check"),
        (
            "check:legacy:icu_message_format",
            7,
            "'legacy:icu_message_format' is not a check",
        ),
        (
            "check:end_stpo",
            7,
            "'end_stpo' is not a check: did you mean end_stop?",
        ),
        ("stale:huge", 7, "'huge' is not a class of stale strings"),
        ("has:luck", 5, "'luck' is not a property of strings"),
        ("sauce:x", 1, "'sauce' is not a field"),
        (
            "source:(a OR b)",
            8,
            "parentheses can only group whole terms",
        ),
        ("(a", 3, "the closing parenthesis is missing"),
        ("a)", 2, "a closing parenthesis without an opening one"),
        ("()", 2, "a term is missing before the closing parenthesis"),
        ("a AND", 6, "a term is missing after AND"),
        ("OR a", 1, "a term is missing before OR"),
        ("a OR", 5, "a term is missing"),
        ("a NOT", 6, "a term is missing"),
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
fn errors_have_the_words_of_current_weblate() {
    let syntax = |found: &str, at: usize| {
        let column = at + 1;
        format!(
            "Failed to parse the query string: Expected end of text, found '{found}'  (at char {at}), (line:1, col:{column})"
        )
    };
    for (query, detail) in [
        ("state:nonsense", "Unsupported state: nonsense".to_owned()),
        (
            "state:Translated",
            "Unsupported state: Translated".to_owned(),
        ),
        (
            "has:nonsense",
            "Unsupported lookup for has: nonsense".to_owned(),
        ),
        (
            "is:nonsense",
            "Unsupported lookup for is: nonsense".to_owned(),
        ),
        ("nonsense:x", "Unknown search field: nonsense".to_owned()),
        ("stale:major", "Unknown search field: stale".to_owned()),
        ("flag:x", "Unknown search field: flag".to_owned()),
        ("Is:translated", "Unknown search field: Is".to_owned()),
        ("a:b:c", "Unknown search field: a".to_owned()),
        ("position:x", "Could not parse numeric value: x".to_owned()),
        ("priority:>x", "Could not parse numeric value: x".to_owned()),
        (
            "pending:maybe",
            "Could not parse boolean value: maybe".to_owned(),
        ),
        (
            "changed:nonsense",
            "Could not parse timestamp: nonsense".to_owned(),
        ),
        (
            "change_action:nonsense",
            "Unknown change action: nonsense".to_owned(),
        ),
        (
            "source:r\"(\"",
            "Invalid regular expression: invalid regular expression: parentheses () not balanced"
                .to_owned(),
        ),
        ("(", syntax("(", 0)),
        (")", syntax(")", 0)),
        ("AND OR", syntax("AND", 0)),
        ("a AND", syntax("a", 0)),
        (" language:cs OR", syntax("language", 1)),
        ("source:(a OR b)", syntax("source", 0)),
    ] {
        let error = super::parse(query, Dialect::Current, Timestamp::default()).unwrap_err();
        let expected = ["Could not parse query string: ", &*detail].concat();
        assert_eq!(error.in_weblate(), expected, "{query}");
    }
}

#[test]
fn every_field_takes_its_values_with_every_operator_of_current_weblate() {
    const TEXTS: &[&str] = &["a", "\"a b\"", "'a'", "r\"^a$\"", "\"\"", ""];
    const NUMBERS: &[&str] = &["3", "[1 to 5]", ""];
    const TIMES: &[&str] = &[
        "2026",
        "2026-01",
        "2026-01-02",
        "2026-01-02T03:04:05Z",
        "yesterday",
        "\"3 days ago\"",
        "[2026-01-01 to 2026-02-01]",
        "",
    ];
    const STATES: &[&str] = &[
        "empty",
        "untranslated",
        "needs-editing",
        "fuzzy",
        "needs-rewriting",
        "needs-checking",
        "translated",
        "approved",
        "readonly",
        "read-only",
        "20",
        "",
    ];
    let fields: &[(&str, &[&str])] = &[
        ("source target context key note location explanation", TEXTS),
        ("language project component path", TEXTS),
        ("check dismissed_check label screenshot", TEXTS),
        (
            "suggestion comment resolved_comment source_comment resolved_source_comment",
            TEXTS,
        ),
        (
            "suggestion_author comment_author source_comment_author changed_by",
            TEXTS,
        ),
        ("id position priority labels_count", NUMBERS),
        ("state source_state", STATES),
        (
            "added last_changed source_changed changed change_time",
            TIMES,
        ),
        (
            "pending",
            &["yes", "true", "on", "1", "no", "false", "off", "0", ""],
        ),
        (
            "change_action",
            &["\"String added in the repository\"", "label-added", ""],
        ),
        (
            "is",
            &[
                "translated",
                "untranslated",
                "fuzzy",
                "needs-editing",
                "approved",
                "read-only",
                "readonly",
                "pending",
                "automatically-translated",
                "automatically_translated",
            ],
        ),
        (
            "has",
            &[
                "plural",
                "suggestion",
                "comment",
                "resolved-comment",
                "source-comment",
                "resolved-source-comment",
                "check",
                "failing-check",
                "dismissed-check",
                "ignored-check",
                "translation",
                "variant",
                "shaping",
                "label",
                "context",
                "screenshot",
                "flags",
                "explanation",
                "note",
                "location",
                "glossary",
                "resolved_source_comment",
            ],
        ),
    ];
    let read = |query: &str| super::parse(query, Dialect::Current, Timestamp::default());
    for (names, values) in fields {
        for field in names.split(' ') {
            for operator in [":", ":=", ":<", ":<=", ":>", ":>="] {
                for value in *values {
                    // A range is no value of a comparison.
                    if value.starts_with('[') && operator != ":" {
                        continue;
                    }
                    let query = [field, operator, value].concat();
                    assert!(read(&query).is_ok(), "{query}: {:?}", read(&query));
                }
            }
            let query = [field, ":[2026-01-01 to 2026-02-01]"].concat();
            let takes_times = std::ptr::eq(*values, TIMES);
            assert_eq!(read(&query).is_ok(), takes_times, "{query}");
        }
    }
}

#[test]
fn a_query_has_a_limited_number_of_patterns() {
    let patterns = |count: usize| {
        (0..count)
            .map(|at| format!("source:r\"{at}\" "))
            .collect::<String>()
    };
    assert!(parse(&patterns(8)).is_ok());
    let error = parse(&patterns(9)).unwrap_err();
    assert!(
        error.message.contains("up to 8 regular expressions"),
        "{error}"
    );
}

#[test]
fn all_tests_of_changes_are_of_one_change() {
    let changes = |query: &str| parse(query).unwrap().changes.len();
    assert_eq!(
        changes("changed:2020 changed_by:x change_action:label-added"),
        1
    );
    assert_eq!(changes("changed:2020 OR changed_by:x"), 2);
    assert_eq!(changes("changed:2020 NOT changed_by:x"), 2);
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
            plan::Condition::Unit(UnitTerm::State(_)),
            plan::Condition::Texts(..),
            plan::Condition::Unit(UnitTerm::Check(_))
        ]
    ));
}

#[test]
fn legacy_checks_include_those_that_flags_enable() {
    use gitglot_checks::CheckId;
    let found = |query: &str, check: CheckId| match parse(query).unwrap().root {
        plan::Condition::Unit(UnitTerm::Check(checks)) => [
            checks.legacy.contains(check),
            checks.current.contains(check),
        ],
        other => panic!("{query}: {other:?}"),
    };
    for (query, check, sets) in [
        ("check:legacy", CheckId::CFormat, [true, false]),
        ("check:legacy:c_format", CheckId::CFormat, [true, false]),
        ("check:c_format", CheckId::CFormat, [true, true]),
        ("check:legacy", CheckId::DoubleSpace, [false, false]),
        // In each set, the name that the check has there.
        (
            "check:legacy:java_format",
            CheckId::JavaPrintfFormat,
            [true, false],
        ),
        (
            "check:modern:java_format",
            CheckId::JavaFormat,
            [false, true],
        ),
    ] {
        assert_eq!(found(query, check), sets, "{query}");
    }
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
    /// No query makes the parser panic, whatever its meaning.
    #[test]
    fn every_query_is_read_or_reported(
        query in "([a-z_]{0,4}|source|state|position|has|changed|id|path|not|AND|or)(:|:>=|:=|:<| )?([(\\[\"' r]|[a-z0-9/.-]{0,5}|2020-01|\\]|\\)| to |\\\\|\\{|é|\u{0}){0,8}",
    ) {
        for dialect in [Dialect::Weblate34, Dialect::Current] {
            if let Err(error) = super::parse(&query, dialect, Timestamp::default()) {
                proptest::prop_assert!(error.position <= query.chars().count() + 1, "{error}");
            }
        }
    }

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
