//! A change with more faults never has fewer errors, and its cost is linear (`docs/spec/checks.md#severity-of-faults`).

use std::collections::BTreeSet;

use gitglot_model::steps;

use crate::{CheckScope, ComponentFiles, ComponentSpec, Severity, compare};

const LANGUAGES: [&str; 5] = ["cs", "de", "fr", "it", "pl"];

/// The files of a component with this many strings. `is_broken` selects the translations without their value.
fn files(strings: usize, is_broken: &dyn Fn(usize, usize) -> bool) -> ComponentFiles {
    let file = |text: &dyn Fn(usize) -> String| {
        let entries = (0..strings).map(|at| format!("\"k{at}\": \"{}\"", text(at)));
        format!("{{{}}}", entries.collect::<Vec<_>>().join(","))
    };
    let values = [
        "{name}",
        "%s",
        "{{count}}",
        "<b>x</b>",
        "%{host}",
        "{0}",
        "`x`",
    ];
    let value = |at: usize| values[at % values.len()];
    let template = file(&|at| format!("Text {at} of {} is here", value(at)));
    let texts: Vec<String> = (0..LANGUAGES.len())
        .map(|language| {
            file(&|at| {
                if is_broken(language, at) {
                    format!("Der Text {at} in OpenOffice")
                } else {
                    format!("Der Text {at} von {}", value(at))
                }
            })
        })
        .collect();
    let translations = LANGUAGES.iter().zip(&texts);
    let mut all: Vec<(&str, &str)> = translations.map(|(code, text)| (*code, &**text)).collect();
    all.push(("en", &template));
    ComponentFiles::of_texts("en", &all)
}

/// The language and key of each error.
fn errors(head: &ComponentFiles, base: Option<&ComponentFiles>) -> BTreeSet<(String, String)> {
    let spec = ComponentSpec::of_json("en");
    let found = compare(&spec, head, base, None, CheckScope::ALL);
    let errors = found.findings.into_iter();
    errors
        .filter(|it| it.severity == Severity::Error)
        .map(|it| (it.language.to_string(), it.key.id().to_owned()))
        .collect()
}

#[test]
fn one_more_fault_never_hides_another_error() {
    const STRINGS: usize = 21;
    let base = files(STRINGS, &|_, _| false);
    let mut state = 7_usize;
    let mut random = |below: usize| {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % below
    };
    for _ in 0..4 {
        let mut broken = BTreeSet::new();
        let mut before = BTreeSet::new();
        // The changed strings are those of the base, or new ones.
        let base = (random(2) == 0).then_some(&base);
        while broken.len() < STRINGS * LANGUAGES.len() {
            for _ in 0..=random(16) {
                broken.insert((random(LANGUAGES.len()), random(STRINGS)));
            }
            if broken.len() > STRINGS * 4 {
                broken.extend(
                    (0..LANGUAGES.len()).flat_map(|it| (0..STRINGS).map(move |at| (it, at))),
                );
            }
            let head = files(STRINGS, &|language, at| broken.contains(&(language, at)));
            let after = errors(&head, base);
            assert!(before.is_subset(&after), "{:?}", before.difference(&after));
            assert_eq!(after.len(), broken.len());
            before = after;
        }
    }
}

#[test]
fn the_same_fault_in_all_strings_costs_half_more_at_most() {
    let cost = |is_broken: &dyn Fn(usize, usize) -> bool| {
        let head = files(1_000, is_broken);
        steps::of(|| drop(errors(&head, None)))
    };
    let (right, broken) = (cost(&|_, _| false), cost(&|_, _| true));
    assert!(right > 0 && broken * 2 <= right * 3, "{right} {broken}");
}
