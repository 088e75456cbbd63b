use super::*;
use crate::api::testing::snapshot;

/// The units of a component of the test data that a query wants, as `LANGUAGE KEY`.
fn found(query: &str) -> Vec<String> {
    let query = parse(query).unwrap_or_else(|error| panic!("{query}: {error}"));
    let snapshot = snapshot();
    let units = || snapshot.units_from(0).filter(|view| view.component.component.slug.as_str() == "app");
    let app = snapshot.component("hello", "app").unwrap();
    let swept = query.sweep(&app.texts);
    assert!(units().all(|view| query.wants(view) == swept.wants(view)));
    units()
        .filter(|view| query.wants(*view))
        .map(|view| format!("{} {}", view.translation.language.code, view.component.texts.get(view.source.context)))
        .collect()
}

#[test]
fn terms_look_at_texts_state_and_place() {
    for (query, units) in [
        ("", &["cs appName", "cs odd", "en appName", "en odd", "ěš appName", "ěš odd"][..]),
        ("aplikace", &["cs appName"]),
        ("PŘÍLIŠ", &["ěš appName"]),
        ("target:\"my app\"", &["en appName"]),
        ("target:=\"my app\"", &[]),
        ("target:=\"My App\"", &["en appName"]),
        ("key:=odd language:CS", &["cs odd"]),
        ("source:app language:cs", &["cs appName"]),
        ("state:needs-editing", &["cs appName"]),
        ("state:empty", &["cs odd", "ěš odd"]),
        ("state:untranslated", &["cs appName", "cs odd", "ěš odd"]),
        ("state:translated language:en", &["en appName", "en odd"]),
        ("has:translation language:cs", &["cs appName"]),
        ("has:note language:cs", &["cs appName"]),
        ("note:name language:cs", &["cs appName"]),
        ("component:web", &[]),
        ("project:hello component:app language:cs", &["cs appName", "cs odd"]),
        ("\"\\\"q\\\" \\\\\" language:en", &["en odd"]),
    ] {
        assert_eq!(found(query), units, "{query}");
    }
}

#[test]
fn terms_are_joined_as_written() {
    for (query, units) in [
        ("language:cs AND state:empty", &["cs odd"][..]),
        ("language:cs NOT state:empty", &["cs appName"]),
        ("NOT NOT key:odd AND language:cs", &["cs odd"]),
        ("language:cs key:odd OR language:en key:appName", &["cs odd", "en appName"]),
        ("(language:cs OR language:en) key:odd", &["cs odd", "en odd"]),
        ("language:cs AND NOT (key:odd OR key:nope)", &["cs appName"]),
    ] {
        assert_eq!(found(query), units, "{query}");
    }
}

#[test]
fn a_query_that_cannot_be_read_says_where() {
    for (query, place, what) in [
        ("state:nope", 7, "'nope' is no state"),
        ("a check:nope", 9, "'nope' is no check"),
        ("has:luck", 5, "'luck' is nothing to have"),
        ("sauce:x", 1, "'sauce' is no field"),
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
        assert_eq!(error.place, place, "{query}: {error}");
        assert!(error.what.starts_with(what), "{query}: {error}");
    }
    assert!(parse(&"(".repeat(51)).unwrap_err().what.starts_with("more than 50"));
    assert_eq!(parse(&"a".repeat(2001)).unwrap_err().place, 2001);
}
