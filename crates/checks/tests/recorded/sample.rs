//! Runs the inferred checks on texts that were written for it (`tests/findings/README.md`), so that the difference of a
//! committed table shows what a change of rules does.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;

use gitglot_checks::{CheckInput, Checker, KnownSyntax, MessageSyntax, SyntaxOrigin, Words};
use gitglot_model::language::plural_categories;
use serde::Deserialize;

const TEXTS: &str = include_str!("../../../../tests/findings/texts.jsonl");

const TABLE: &str = "../../tests/findings/table.txt";

#[derive(Deserialize)]
struct Sample {
    format: String,
    #[serde(default)]
    syntax: String,
    language: String,
    /// What the translation is: right, or its fault.
    what: String,
    source: Vec<String>,
    target: Vec<String>,
}

impl Sample {
    fn checker(&self, of_component: &[Self]) -> Checker {
        let checker = Checker::inferred(&self.format, Words::default());
        let origin = SyntaxOrigin::Setting;
        let syntax = MessageSyntax::named(&self.syntax);
        let known = syntax.map(|syntax| KnownSyntax { syntax, origin });
        let checker = known.map_or(checker.clone(), |known| checker.with_syntax(&known));
        let sources = of_component.iter().flat_map(|it| &it.source);
        checker.for_template(sources.map(String::as_str))
    }

    /// The findings, as `CHECK SEVERITY: MESSAGE`.
    fn findings(&self, checker: &Checker) -> Vec<(String, String)> {
        let [source, target] = [&self.source, &self.target]
            .map(|texts| texts.iter().map(String::as_str).collect::<Vec<_>>());
        let categories = plural_categories(&self.language)
            .filter(|it| target.len() > 1 && it.len() == target.len());
        let unit = CheckInput {
            categories: categories.unwrap_or_default(),
            ..CheckInput::new(&source, &target)
        };
        let found = checker.for_translation(&self.language, "en").check(&unit);
        let found = found.into_iter().map(|it| {
            let kind = format!("{} {}", it.check.id(), it.severity.name());
            (kind, it.message)
        });
        found.collect()
    }
}

#[test]
fn the_findings_of_the_sample_are_committed() {
    let texts: Vec<Sample> = TEXTS
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let mut findings: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let same =
        |one: &Sample, other: &Sample| (&one.format, &one.syntax) == (&other.format, &other.syntax);
    for of_component in texts.chunk_by(same) {
        let checker = of_component[0].checker(of_component);
        for it in of_component {
            let place = format!("{} {} {}: {}", it.format, it.syntax, it.language, it.what);
            let shown = format!("{} => {}", it.source.join(" | "), it.target.join(" | "));
            let shown = shown.replace('\n', "\\n");
            let found = it.findings(&checker);
            if found.is_empty() && it.what != "right" {
                let nothing = findings.entry("nothing".to_owned()).or_default();
                nothing.push(format!("  {place}: {shown}\n"));
            }
            for (kind, message) in found {
                let of_kind = findings.entry(kind).or_default();
                of_kind.push(format!("  {place}: {shown}: {message}\n"));
            }
        }
    }
    let mut table = String::new();
    for (kind, list) in &findings {
        writeln!(table, "{kind}: {}\n{}", list.len(), list.concat()).unwrap();
    }
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(TABLE);
    if std::env::var_os("GITGLOT_UPDATE").is_some() {
        std::fs::write(&path, &table).unwrap();
    }
    let committed = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(
        committed == table,
        "findings differ: GITGLOT_UPDATE=1 writes tests/findings/table.txt, git diff shows the difference"
    );
}
