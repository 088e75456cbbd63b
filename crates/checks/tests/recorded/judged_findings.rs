//! Runs the inferred checks on findings in public repositories that were judged by hand (`tests/judged/README.md`): of
//! those that the checks still report, most are faults.

use std::collections::BTreeMap;

use gitglot_checks::{CheckId, Severity, Words};
use gitglot_checks::{CheckInput, Checker};
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
}

impl Judged {
    /// The severity of the finding; `None` if it is not reported.
    fn reported(&self, checker: &Checker) -> Option<Severity> {
        let source: Vec<&str> = self.source.iter().map(String::as_str).collect();
        let target: Vec<&str> = self.target.iter().map(String::as_str).collect();
        let categories: Vec<&str> = self.categories.iter().map(String::as_str).collect();
        let unit = CheckInput {
            source: &source,
            target: &target,
            categories: &categories,
            ..CheckInput::new(&[], &[])
        };
        let found = checker.for_translation(&self.language, "en").check(&unit);
        let found = found
            .iter()
            .find(|finding| finding.check.id() == self.check);
        found.map(|finding| finding.severity)
    }
}

#[derive(Default)]
struct Numbers {
    right: usize,
    wrong: Vec<String>,
    missed: Vec<String>,
}

/// The numbers of each level. The texts of a repository show its own placeholders.
fn measure() -> (usize, BTreeMap<Severity, Numbers>) {
    let judged: Vec<Judged> = FINDINGS
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let templates: Vec<Template> = TEMPLATES
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let mut numbers: BTreeMap<Severity, Numbers> = BTreeMap::new();
    for of_repository in judged.chunk_by(|one, other| one.repository == other.repository) {
        let format = &of_repository[0].file_format;
        let repository = &of_repository[0].repository;
        let of_template = templates.iter().filter(|it| it.repository == *repository);
        let texts = of_repository.iter().flat_map(|row| &row.source);
        let texts = texts.chain(of_template.flat_map(|it| &it.texts));
        let checker =
            Checker::inferred(format, Words::default()).for_template(texts.map(String::as_str));
        for row in of_repository {
            let check = CheckId::from_id(&row.check).unwrap();
            let reported = row.reported(&checker);
            let entry = numbers
                .entry(reported.unwrap_or(check.severity()))
                .or_default();
            let described = format!(
                "{} {} {}: {:?} {:?}",
                row.repository, row.check, row.language, row.source, row.target
            );
            match (reported.is_some(), row.verdict) {
                (true, true) => entry.right += 1,
                (true, false) => entry.wrong.push(described),
                (false, true) => entry.missed.push(described),
                (false, false) => {}
            }
        }
    }
    (judged.len(), numbers)
}

#[test]
fn most_reported_findings_are_faults() {
    let (count, numbers) = measure();
    assert!(count >= 300, "{count}");
    let minima = [
        (Severity::Error, 97),
        (Severity::Warning, 85),
        (Severity::Note, 70),
    ];
    for (level, minimum) in minima {
        let Numbers {
            right,
            wrong,
            missed,
        } = &numbers[&level];
        let reported = right + wrong.len();
        println!(
            "{level:?}: {right} of {reported} reported are faults, {} faults pass",
            missed.len()
        );
        println!("  wrong: {wrong:#?}\n  pass: {missed:#?}");
        assert!(
            right * 100 >= reported * minimum,
            "{level:?}: {right} of {reported} are faults: {wrong:#?}"
        );
        // Silence would be precise, too.
        assert!(
            missed.len() * 5 <= right + missed.len(),
            "{level:?}: {} of {} faults pass: {missed:#?}",
            missed.len(),
            right + missed.len()
        );
    }
}
