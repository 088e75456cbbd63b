//! Tests of the units that a query selects.

use gitglot_catalog::query::{self, Dialect, Filter, QueryError, Selection};
use gitglot_catalog::scan::Budget;

use super::testing::{get, serving, snapshot};
use crate::LinkConfig;
use gitglot_model::Timestamp;

fn parse(text: &str, dialect: Dialect) -> Result<Filter, QueryError> {
    // 2020-05-21T12:00:00Z, the day after the changes of the log.
    query::parse(text, dialect, Timestamp::from_seconds(1_590_062_400))
}

/// The units of a component of the test data that a query selects, as `LANGUAGE KEY`.
fn found(query: &str) -> Vec<String> {
    found_in(Dialect::Weblate34, query)
}

/// As [`found`], for current Weblate.
fn found_now(query: &str) -> Vec<String> {
    found_in(Dialect::Current, query)
}

fn found_in(dialect: Dialect, query: &str) -> Vec<String> {
    let filter = parse(query, dialect).unwrap_or_else(|error| panic!("{query}: {error}"));
    let snapshot = snapshot();
    let budget = Budget::unlimited();
    let mut selection = Selection::new(&filter, snapshot.users(), &budget);
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
        ("state:stale", &["cs appName"]),
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
        parse("a", Dialect::Current).unwrap(),
        Budget::new(&limits, Default::default()),
    );
    let snapshot = snapshot();
    let mut selection = Selection::new(&filter, snapshot.users(), &budget);
    assert!(!budget.spend(1 << 20));
    assert!(!snapshot.units_from(0).any(|unit| selection.selects(unit)));
    assert_eq!(
        budget.exhausted(),
        Some(gitglot_catalog::scan::Exhausted::Rows)
    );
}

#[test]
fn terms_of_current_weblate_select_units() {
    let czech = &["cs appName", "cs odd"][..];
    for (query, units) in [
        // Texts.
        ("source:APP language:cs", &["cs appName"][..]),
        ("source:=\"My App\" language:CS", &["cs appName"]),
        ("source:=\"my app\"", &[]),
        ("source:r\"^My\" language:cs", &["cs appName"]),
        ("source:r\"^my\"", &[]),
        ("r\"^app[A-Z]\" language:cs", &["cs appName"]),
        ("target:'my app'", &["en appName"]),
        ("source:\"\" language:cs", czech),
        ("explanation:\"\" language:cs", czech),
        ("explanation:x", &[]),
        ("location:x", &[]),
        // Numbers.
        ("position:1 language:cs", &["cs appName"]),
        ("position:>1 language:cs", &["cs odd"]),
        ("position:[2 to 9] language:cs", &["cs odd"]),
        ("id:1,2", czech),
        ("id:<=2", czech),
        ("priority:>50 language:cs", czech),
        ("labels_count:>0", &[]),
        // States: the Czech appName was translated from an older source.
        ("state:needs-rewriting", &["cs appName"]),
        ("state:11", &["cs appName"]),
        ("state:needs-editing", &[]),
        ("state:stale", &["cs appName"]),
        ("is:stale", &["cs appName"]),
        ("is:needs-editing", &["cs appName"]),
        ("state:<translated language:cs", czech),
        (
            "state:>=translated component:app",
            &["en appName", "en odd", "ěš appName"],
        ),
        ("state:untranslated language:cs", &["cs odd"]),
        ("is:untranslated language:cs", czech),
        ("has:translation language:cs", &[]),
        ("source_state:translated language:cs", czech),
        ("is:approved OR is:read_only OR is:pending", &[]),
        ("pending:no language:cs", czech),
        // Places.
        ("project:HELLO component:AP language:=cs", czech),
        ("component:=APP language:cs", czech),
        ("language:=CS", &[]),
        ("path:hello/app/cs", czech),
        ("path:-/-/cs", czech),
        ("path:hello/-/cs/x OR path:nope", &[]),
        // Checks.
        ("check:space", &["ěš appName"]),
        ("check:=Double_Space", &["ěš appName"]),
        ("check:nonsense", &[]),
        // What gitglot does not have.
        (
            "has:suggestion OR has:label OR has:ignored-check OR label:x OR comment:\"\"",
            &[],
        ),
        // Words that look like operators.
        ("AND", &[]),
        ("\"q language:cs", &["cs odd"]),
        ("has: OR state:> OR it's OR http://x", &[]),
        (
            "is:translated and not (language:en or language:cs) and component:app",
            &["ěš appName"],
        ),
    ] {
        assert_eq!(found_now(query), units, "{query}");
    }
}

#[test]
fn changes_are_those_of_current_weblate() {
    for (query, units) in [
        (
            "change_action:\"String added in the repository\" language:cs",
            &["cs appName", "cs odd"][..],
        ),
        ("change_action:source-string-changed", &["cs appName"]),
        (
            "change_action:string-updated-in-the-repository",
            &["cs appName", "en appName"],
        ),
        ("changed:2020", &["cs appName"]),
        ("changed:\"a day ago\" changed:yesterday", &["cs appName"]),
        ("changed:today", &[]),
        ("changed_by:weblate:update", &["cs appName"]),
        ("changed_by:\"\"", &[]),
        ("change_time:2020 change_action:label-added", &[]),
    ] {
        assert_eq!(found_now(query), units, "{query}");
    }
}

#[test]
fn a_negated_query_selects_all_other_units() {
    let mut all = found("");
    all.sort();
    for query in [
        "app",
        "state:<translated",
        "has:check",
        "check:double_space",
        "changed:2020",
        "last_changed:>2020",
        "added:2017",
        "source:r\"p\" OR key:odd",
        "id:[2 to 4] language:cs",
        "label:x",
    ] {
        for dialect in [Dialect::Weblate34, Dialect::Current] {
            let mut both = found_in(dialect, &format!("NOT ({query})"));
            both.extend(found_in(dialect, query));
            both.sort();
            assert_eq!(both, all, "{query}");
        }
    }
}

#[tokio::test]
async fn a_query_about_yesterday_has_no_date_of_change() {
    let api = serving(Some(snapshot().at(1_700_000_000)), LinkConfig::default());
    let dated = async |path: &str| {
        let got = get(&api, path).await;
        assert_eq!(got.status, 200, "{path}");
        got.headers.contains_key("last-modified")
    };
    assert!(dated("/api/units/?q=changed:2019").await);
    for path in [
        "/api/units/?q=changed:yesterday",
        "/api/units/?q=changed:%79esterday",
        "/api/units/?q=added:%223+days+ago%22&format=ndjson",
        "/search/?q=changed:today",
    ] {
        assert!(!dated(path).await, "{path}");
    }
}
