//! Runs the inferred checks on findings in public repositories that were judged by hand (`tests/judged/README.md`).

use std::collections::BTreeMap;
use std::path::Path;

use gitglot_checks::{CheckFinding, CheckInput, Checker, Words};
use serde::Deserialize;

const FINDINGS: &str = include_str!("../../../../tests/judged/findings.jsonl");

/// Further texts of templates, which show their own placeholders.
const TEMPLATES: &str = include_str!("../../../../tests/judged/templates.jsonl");

#[derive(Deserialize)]
struct Template {
    repository: String,
    texts: Vec<String>,
}

#[derive(Deserialize)]
struct Judged {
    repository: String,
    check: String,
    file_format: String,
    language: String,
    /// The plural categories of the target, if the file names them.
    #[serde(default)]
    categories: Vec<String>,
    source: Vec<String>,
    target: Vec<String>,
    /// Whether the finding is a fault.
    verdict: bool,
    reason: String,
}

/// The reason of faults that are none if they are judged strictly.
const ON_PURPOSE: &str = "the text does without a value";

impl Judged {
    /// The finding, if it is reported.
    fn finding(&self, checker: &Checker) -> Option<CheckFinding> {
        fn texts(texts: &[String]) -> Vec<&str> {
            texts.iter().map(String::as_str).collect()
        }
        let (source, target) = (texts(&self.source), texts(&self.target));
        let unit = CheckInput {
            categories: &texts(&self.categories),
            ..CheckInput::new(&source, &target)
        };
        let found = checker.for_translation(&self.language, "en").check(&unit);
        found.into_iter().find(|it| it.check.id() == self.check)
    }
}

#[derive(Clone, Copy, Default)]
struct Numbers {
    right: usize,
    /// Those of `right` that are none if they are judged strictly.
    on_purpose: usize,
    wrong: usize,
}

impl Numbers {
    fn add(&mut self, row: &Judged) {
        self.right += usize::from(row.verdict);
        self.on_purpose += usize::from(row.verdict && row.reason == ON_PURPOSE);
        self.wrong += usize::from(!row.verdict);
    }
}

/// The numbers by the kind and name of what reports or hides a finding. The texts of a repository show its own placeholders.
fn measure() -> BTreeMap<(&'static str, String), Numbers> {
    let judged: Vec<Judged> = FINDINGS
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let templates: Vec<Template> = TEMPLATES
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let mut numbers: BTreeMap<_, Numbers> = BTreeMap::new();
    let mut add = |kind, name: &str, row: &Judged| {
        let name = (kind, name.to_owned());
        numbers.entry(name).or_default().add(row);
    };
    for of_repository in judged.chunk_by(|one, other| one.repository == other.repository) {
        let format = &of_repository[0].file_format;
        let repository = &of_repository[0].repository;
        let of_template = templates.iter().filter(|it| it.repository == *repository);
        let texts = of_repository.iter().flat_map(|row| &row.source);
        let texts = texts.chain(of_template.flat_map(|it| &it.texts));
        let checker =
            Checker::inferred(format, Words::default()).for_template(texts.map(String::as_str));
        for row in of_repository {
            let finding = row.finding(&checker);
            let level = finding.as_ref().map_or("hidden", |it| it.severity.name());
            add(level, &row.check, row);
            add("all", level, row);
        }
    }
    numbers
}

const TABLE: &str = "../../tests/judged/table.txt";

#[test]
fn the_table_of_right_and_wrong_findings_is_committed() {
    let numbers = measure();
    let mut table = format!("{:<40} right wrong on purpose\n", "");
    for ((kind, name), it) in &numbers {
        let name = format!("{kind} {name}");
        let line = format!(
            "{name:<40} {:>5} {:>5} {:>10}\n",
            it.right, it.wrong, it.on_purpose
        );
        table.push_str(&line);
    }
    println!("{table}");
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(TABLE);
    if std::env::var_os("GITGLOT_UPDATE").is_some() {
        std::fs::write(&path, &table).unwrap();
    }
    let committed = std::fs::read_to_string(&path).unwrap();
    assert_eq!(
        committed, table,
        "GITGLOT_UPDATE=1 writes tests/judged/table.txt"
    );
    let errors = numbers[&("all", "error".to_owned())];
    let right = errors.right - errors.on_purpose;
    assert!(right * 100 >= (errors.right + errors.wrong) * 85, "{right}");
}
