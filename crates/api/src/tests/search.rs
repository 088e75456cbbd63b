//! Tests of the units that a query selects.

use gitglot_catalog::query::{Selection, parse};
use gitglot_catalog::scan::Budget;

use super::testing::snapshot;

/// The units of a component of the test data that a query selects, as `LANGUAGE KEY`.
fn found(query: &str) -> Vec<String> {
    let filter = parse(query).unwrap_or_else(|error| panic!("{query}: {error}"));
    let snapshot = snapshot();
    let budget = Budget::unlimited();
    let mut selection = Selection::new(&filter, &budget);
    let mut units: Vec<_> = snapshot.units_from(0).collect();
    units.retain(|unit| selection.selects(*unit));
    units
        .into_iter()
        .filter(|view| view.component.component.slug.as_str() == "app")
        .map(|view| {
            format!(
                "{} {}",
                view.translation.language.code,
                view.component.texts.get(view.source.context)
            )
        })
        .collect()
}

#[test]
fn terms_match_texts_states_and_locations() {
    for (query, units) in [
        (
            "",
            &[
                "cs appName",
                "cs odd",
                "en appName",
                "en odd",
                "ěš appName",
                "ěš odd",
            ][..],
        ),
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
        ("check:end_ellipsis", &["ěš appName"]),
        ("check:legacy", &["ěš appName"]),
        ("check:modern:double_space", &["ěš appName"]),
        ("stale:major", &["cs appName"]),
        ("stale:cosmetic OR stale:minor", &[]),
        (
            "project:hello component:app language:cs",
            &["cs appName", "cs odd"],
        ),
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
        (
            "language:cs key:odd OR language:en key:appName",
            &["cs odd", "en appName"],
        ),
        (
            "(language:cs OR language:en) key:odd",
            &["cs odd", "en odd"],
        ),
        (
            "(language:cs OR state:empty) (key:odd OR \"aplikace\")",
            &["cs appName", "cs odd", "ěš odd"],
        ),
        (
            "language:cs (NOT key:odd OR component:web)",
            &["cs appName"],
        ),
        ("language:cs \"\"", &["cs appName", "cs odd"]),
        ("language:cs AND NOT (key:odd OR key:nope)", &["cs appName"]),
    ] {
        assert_eq!(found(query), units, "{query}");
    }
}

#[test]
fn duplicate_terms_change_nothing() {
    let many = |count: usize, join: &str| (0..count).map(|_| "qx").collect::<Vec<_>>().join(join);
    for (query, same) in [
        (many(300, " OR "), "qx"),
        (many(250, " AND "), "qx"),
        ("(a b) (a (b a))".to_owned(), "a b"),
        ("a OR (b OR (a OR b))".to_owned(), "a OR b"),
    ] {
        assert_eq!(found(&query), found(same), "{query}");
    }
}

#[test]
fn negated_texts_select_as_their_joined_form() {
    for (query, same) in [
        ("NOT a NOT b", "NOT (a OR b)"),
        ("NOT a OR NOT b OR NOT a", "NOT (a AND b)"),
    ] {
        assert_eq!(found(query), found(same), "{query}");
    }
}

#[test]
fn a_scan_over_its_budget_selects_nothing_more() {
    let limits = gitglot_catalog::scan::ScanLimits {
        rows: 1,
        ..Default::default()
    };
    let (filter, budget) = (
        parse("a").unwrap(),
        Budget::new(&limits, Default::default()),
    );
    let snapshot = snapshot();
    let mut selection = Selection::new(&filter, &budget);
    assert!(!budget.spend(1 << 20));
    assert!(!snapshot.units_from(0).any(|unit| selection.selects(unit)));
    assert_eq!(
        budget.exhausted(),
        Some(gitglot_catalog::scan::Exhausted::Rows)
    );
}
