//! Sites with PO files: current Weblate lists the sources as a translation, and headers decide on the forms of plurals.

use crate::testing::{FollowSite, contents, project};
use gitglot_catalog::scan::Budget;
use gitglot_catalog::{TranslationView, current_counts};
use gitglot_model::FileFormat;
use gitglot_testkit::{History, Repo, commit};

const HEADER: &str = "msgid \"\"\nmsgstr \"Content-Type: text/plain; charset=UTF-8\\n\"\n";

fn po(texts: &[(&str, &str)]) -> String {
    let entries = texts.iter();
    let entries = entries.map(|(id, text)| format!("\nmsgid \"{id}\"\nmsgstr \"{text}\"\n"));
    entries.fold(HEADER.to_owned(), |file, entry| file + &entry)
}

/// Calls a function with the state after each tip, and again after restarts, where it must be the same.
fn follow<T>(history: &History, tips: &[&str], shown: impl Fn(&FollowSite) -> T) -> Vec<T> {
    let folder = tempfile::tempdir().unwrap();
    let repo = Repo::with(&folder.path().join("garden.git"), history);
    let components = [("app", "l/*.po", "", FileFormat::Po)];
    let mut site = FollowSite::new(&project(repo.dir(), &components), None);
    let mut found = Vec::new();
    for (nth, tip) in (0..).zip(tips) {
        site.observe(repo.id(tip), 10 * nth);
        found.push(shown(&site));
    }
    let running = contents(&site.snapshot());
    site.write_checkpoints();
    for _ in 0..2 {
        site.restart();
        assert_eq!(contents(&site.snapshot()), running);
        site.remove_checkpoints();
    }
    found
}

#[test]
fn units_of_current_weblate_keep_their_order() {
    let history = commit("a")
        .write("l/cs.po", po(&[("a", "x")]))
        .commit("b")
        .write("l/cs.po", po(&[("a", "x"), ("b", "y")]))
        .commit("c")
        .write("l/cs.po", po(&[("a", "x"), ("b", "z")]));
    let orders = follow(&history, &["a", "b", "c"], |site| {
        let snapshot = site.snapshot();
        let units = snapshot.current_units_from(0).map(|unit| {
            let code = unit.translation.current_language().code.to_string();
            format!("{code} {}", unit.component.texts.get(unit.source.source))
        });
        units.collect::<Vec<_>>().join(", ")
    });
    let complete = "en a, en b, cs a, cs b";
    assert_eq!(orders, ["en a, cs a", complete, complete]);
}

#[test]
fn a_source_file_counts_failures_of_its_own_strings() {
    let texts = [("a", "x"), ("<b>x</b>", "y")];
    let history = commit("a")
        .write("l/en.po", po(&[("a", "a")]))
        .write("l/cs.po", po(&texts))
        .write("l/fr.po", po(&texts));
    let counts = follow(&history, &["a"], |site| {
        let snapshot = site.snapshot();
        let all = snapshot.current_translations_from(0);
        let count = |view: TranslationView<'_>| {
            let statistics = current_counts(view, &Budget::unlimited());
            (statistics.all.units, statistics.failing.units)
        };
        all.map(count).collect::<Vec<_>>()
    });
    assert_eq!(counts, [[(1, 0), (2, 1), (2, 1)]]);
}

#[test]
fn other_plural_forms_are_checked_again() {
    let file = |forms: usize, mark: &str| {
        format!(
            "{mark}{HEADER}\"Plural-Forms: nplurals={forms}; plural=0;\\n\"\n\nmsgid \"file\"\n\
             msgid_plural \"files\"\nmsgstr[0] \"x\"\nmsgstr[1] \"\"\n"
        )
    };
    let history = commit("one")
        .write("l/de.po", file(1, ""))
        .commit("two")
        .write("l/de.po", file(2, ""))
        .commit("marked")
        .write("l/de.po", file(2, "\u{feff}"));
    let failing = follow(&history, &["one", "two", "marked", "one"], |site| {
        let snapshot = site.snapshot();
        let unit = snapshot.units_from(0).next().unwrap();
        unit.unit.failing()
    });
    assert_eq!(failing, [false, true, true, false]);
}
