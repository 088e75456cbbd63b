//! The counts of translations in the text format of OpenMetrics (docs/spec/current-api.md#representations).

use crate::apis::{Api, Current};
use std::fmt::Write;

use super::completed;
use gitglot_catalog::scan::Budget;
use gitglot_catalog::{
    CurrentCount, CurrentStatistics, TranslationView, current_counts, current_last_entry,
};

/// Strings, words and characters.
type Counts = [u64; 3];

const UNITS: [(&str, &str); 3] = [
    ("", "strings"),
    ("_words", "source words"),
    ("_chars", "source characters"),
];

/// The counts of translations whose checks have run, one family after the other.
pub(crate) fn open_metrics(views: &[TranslationView<'_>]) -> String {
    let budget = Budget::unlimited();
    let counts = views.iter().map(|view| current_counts(*view, &budget));
    let counts: Vec<_> = counts.collect();
    let mut out = String::new();
    let mut family = |name: &str, help: &str, value: &dyn Fn(usize) -> String| {
        // A string takes everything.
        let _ = write!(
            out,
            "# HELP weblate_{name} {help}.\n# TYPE weblate_{name} gauge\n"
        );
        for (at, view) in views.iter().enumerate() {
            let shown = Current::language_of(view.translation);
            let component = label(view.component.component.slug.as_str());
            let _ = write!(
                out,
                "weblate_{name}{{component=\"{component}\",language=\"{}\"",
                label(shown.code)
            );
            if name == "translation_info" {
                let _ = write!(out, ",name=\"{}\"", label(shown.name));
            }
            let _ = writeln!(out, "}} {}", value(at));
        }
    };
    let counts_of = |at: usize| counts.get(at).copied().unwrap_or_default();
    family("translation_info", "Translations", &|_| "1".to_owned());
    type Part = fn(&CurrentStatistics) -> CurrentCount;
    let parts: [(&str, &str, Part); 5] = [
        ("translated", "Translated", |of| of.translated),
        ("total", "All", |of| of.all),
        ("fuzzy", "Marked or stale", |of| of.fuzzy),
        ("failing", "Failing", |of| of.failing),
        ("approved", "Approved", |_| CurrentCount::default()),
    ];
    for (name, label, part) in parts {
        for (unit, (suffix, what)) in UNITS.iter().enumerate() {
            let value = |at: usize| in_units(part(&counts_of(at)))[unit].to_string();
            family(&[name, suffix].concat(), &format!("{label} {what}"), &value);
        }
    }
    let none = |_: usize| "0".to_owned();
    family("strings_with_suggestions", "Always 0", &none);
    family("comments", "Always 0", &none);
    for (unit, (suffix, what)) in UNITS.iter().enumerate() {
        let name = format!("translated{suffix}_percent");
        family(&name, &format!("Percentage of translated {what}"), &|at| {
            let of = counts_of(at);
            let share = completed::<Current>(in_units(of.translated)[unit], in_units(of.all)[unit]);
            format!("{}.{}", share / 10, share % 10)
        });
    }
    for (suffix, _) in UNITS {
        let name = format!("approved{suffix}_percent");
        family(&name, "Always 0", &|_| "0.0".to_owned());
    }
    family("last_update_timestamp", "Time of the last change", &|at| {
        let last = views.get(at).and_then(|view| current_last_entry(*view));
        let micros = last.map_or(0, |entry| entry.time.0);
        format!("{}.{:06}", micros / 1_000_000, micros.rem_euclid(1_000_000))
    });
    out.push_str("# EOF\n");
    out
}

fn in_units(count: CurrentCount) -> Counts {
    [count.units, count.words, count.chars]
}

/// A text as the value of a label.
fn label(text: &str) -> String {
    text.replace('\\', "\\\\")
        .replace('"', "\\\"")
        .replace('\n', "\\n")
}
