//! Pages and `gitglot check` report the same failing checks, also where results of an older state are carried over.

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::testing::{FollowSite, project};
use gitglot_catalog::scan::Budget;
use gitglot_checks::CheckProfile;
use gitglot_git::Repository;
use gitglot_lint::{
    CheckScope, ComponentFiles, ComponentSpec, FindingKind, RepositoryState, RepositoryTree,
    compare,
};
use gitglot_model::{FileFormat, KeySeparators};
use gitglot_testkit::{Repo, commit};

/// Component, language, key and check.
type Failing = BTreeSet<[String; 4]>;

/// The failing checks that pages show.
fn on_pages(site: &FollowSite) -> Failing {
    let snapshot = site.snapshot();
    let mut failing = Failing::new();
    for component in snapshot.components() {
        for view in component.views() {
            for &(row, checks) in view.check_results(&Budget::unlimited()).rows() {
                let unit = view.unit(row).unwrap();
                let found = checks.iter().map(|check| {
                    let language = view.translation.language.code.to_string();
                    let component = component.component.slug.to_string();
                    let key = component_key(&component, &unit.name());
                    [component, language, key, check.id().to_owned()]
                });
                failing.extend(found);
                let shown = unit.findings(CheckProfile::Current);
                let shown: BTreeSet<_> = shown.iter().map(|it| it.check).collect();
                assert_eq!(shown, checks.iter().collect(), "{}", unit.name());
            }
        }
    }
    failing
}

/// The failing checks of `gitglot check`.
fn in_check(site: &FollowSite, repo: &Repo) -> Failing {
    let repository = Repository::open(repo.dir()).unwrap();
    let snapshot = site.snapshot();
    let mut failing = Failing::new();
    for of in snapshot.components() {
        let spec = ComponentSpec {
            name: of.path().into(),
            component: (*of.component).clone(),
            source_language: of.project.source_language.clone(),
            checker: of.checks().of(CheckProfile::Current).clone(),
            source_checker: None,
            separators: KeySeparators::default(),
            reviewed: Arc::default(),
        };
        let state = RepositoryState::Commit(of.tip.id);
        let tree = RepositoryTree::open(&repository, state).unwrap();
        let files = ComponentFiles::at(&tree, &spec.component, "en", None).unwrap();
        let found = compare(&spec, &files, None, None, CheckScope::ALL).findings;
        failing.extend(found.into_iter().filter_map(|finding| {
            let FindingKind::Check(check) = finding.check else {
                return None;
            };
            let component = of.component.slug.to_string();
            let key = component_key(&component, &finding.key.shown());
            Some([
                component,
                finding.language.to_string(),
                key,
                check.id().to_owned(),
            ])
        }));
    }
    failing
}

/// Names of bilingual strings are shown differently.
fn component_key(component: &str, shown: &str) -> String {
    match component {
        "po" => shown.rsplit(": ").next().unwrap_or_default().to_owned(),
        _ => shown.to_owned(),
    }
}

fn po(language: &str, texts: &[(&str, &str)]) -> String {
    let head = format!(
        "msgid \"\"\nmsgstr \"Language: {language}\\nPlural-Forms: nplurals=2; plural=n != 1;\\n\"\n"
    );
    let entry = |(id, text): &(&str, &str)| format!("\nmsgid \"{id}\"\nmsgstr \"{text}\"\n");
    head + &texts.iter().map(entry).collect::<String>()
}

#[test]
fn pages_and_check_report_the_same_failing_checks() {
    let texts = |own: &str| {
        format!(
            r#"{{"a": "`x` files", "b": "`x` folders", {own}
                "n.one": "{{n}} day", "n.other": "{{n}} days", "m.singular": "{{n}} hour", "m.plural": "{{n}} hours",
                "w.message": "Hi {{name}}", "w.description": "Said to {{name}}", "empty": "", "quit": "Quit now"}}"#
        )
    };
    let german = r#"{"a": "Dateien", "b": "Ordner", "c": "Leute", "n.one": "ein Tag", "n.other": "Tage",
        "m.singular": "eine Stunde", "m.plural": "Stunden", "w.message": "Hallo", "w.description": "x", "empty": "x %s",
        "quit": "Ende {name}", "p": "Paris", "q": "Paris"}"#;
    let english = [("files_left", "%d files"), ("Go %s", "Go")];
    let french = [("files_left", "fichiers"), ("name", "Nom"), ("Go %s", "Va")];
    let history = commit("a")
        .write("j/en.json", texts(""))
        .write("j/de.json", german)
        .write("j/ja.json", german)
        .write("f/en.ftl", "-brand = Acme tool\nhello = Hello { $name }\nbye = Bye now\n")
        .write("f/de.ftl", "-brand = Acme tool\nhello = Hallo\nbye = Bye now\n")
        .write("i/en.json", r#"{"f": "file", "f_plural": "{{count}} files", "g": "{{count}} x", "g_one": "{{count}} y"}"#)
        .write("i/ja.json", r#"{"f": "a", "f_plural": "b", "g": "c"}"#)
        .write("i/cs.json", r#"{"f": "a", "f_plural": "b", "g": "c", "g_one": "d"}"#)
        .write("p/fr.po", po("fr", &french))
        // Now `x` is a placeholder, and Paris a name.
        .commit("b")
        .write("j/en.json", texts(r#""c": "`x` people", "p": "Paris", "q": "go to Paris", "r": "in Paris", "s": "to Paris","#))
        .commit("c")
        .write("p/en.po", po("en", &english))
        // The key is no longer a form for one.
        .commit("d")
        .write("j/en.json", texts(r#""c": "`x` people","#).replace("n.other", "n.rest").replace("message", "text"))
        .write("i/ja.json", r#"{"f": "a", "g": "c"}"#)
        .commit("e")
        .write("j/en.json", texts(""))
        .commit("f")
        .write("p/en.po", po("en", &english[..1]));
    let folder = tempfile::tempdir().unwrap();
    let repo = Repo::with(&folder.path().join("garden.git"), &history);
    let components = [
        ("json", "j/*.json", "j/en.json", FileFormat::Json),
        ("fluent", "f/*.ftl", "f/en.ftl", FileFormat::Fluent),
        ("i18next", "i/*.json", "i/en.json", FileFormat::I18nextV4),
        ("po", "p/*.po", "", FileFormat::Po),
    ];
    let mut site = FollowSite::new(&project(repo.dir(), &components), None);
    let mut before = Failing::new();
    for (nth, tip) in (0..).zip(["a", "b", "c", "d", "e", "f"]) {
        site.observe(repo.id(tip), 10 * nth);
        let (pages, check) = (on_pages(&site), in_check(&site, &repo));
        assert_eq!(pages, check, "{tip}");
        assert!(pages.len() > 5, "{pages:?}");
        assert_ne!(pages, before, "{tip}");
        before = pages;
    }
}
