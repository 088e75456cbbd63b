//! The pages of the checks in `docs/checks`, which are made from the rules, and the cases on them.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;

use gitglot_model::language;

use super::Case;
use crate::{CheckFlags, CheckId, CheckInput, Checker, Severity, Words};

impl Case {
    fn is_as_declared(&self, check: CheckId) -> bool {
        let texts = |text: &'static str| -> Vec<&str> { text.split(" ¦ ").collect() };
        let (source, target) = (texts(self.source), texts(self.target));
        let checker = match self.by.strip_prefix("flags:") {
            Some(flags) => {
                let flags = CheckFlags::parse(flags).unwrap();
                Checker::from_flags(&flags, "json", Words::default()).unwrap()
            }
            None => Checker::inferred(self.by, Words::default()),
        };
        let categories = language::plural_categories(self.language)
            .filter(|it| target.len() > 1 && it.len() == target.len());
        let unit = CheckInput {
            categories: categories.unwrap_or_default(),
            ..CheckInput::new(&source, &target)
        };
        let checker = checker.for_translation(self.language, "en");
        checker.failing(&unit).contains(check) == self.fails
    }

    fn row(&self) -> String {
        let code = |text: &str| {
            let text = text.replace('\n', "⏎").replace('|', "\\|");
            if text.contains('`') {
                format!("`` {text} ``")
            } else {
                format!("`{text}`")
            }
        };
        let (by, language) = (
            code(self.by.trim_start_matches("flags:")),
            code(self.language),
        );
        let result = if self.fails { "fails" } else { "passes" };
        let (source, target) = (code(self.source), code(self.target));
        format!("| {result} | {by} | {language} | {source} | {target} |\n")
    }
}

/// The page of a check.
fn page(check: CheckId) -> String {
    let rule = check.rule();
    let (id, severity) = (rule.id, rule.severity.name());
    let mut page = format!(
        "# {}\n\n`{id}` · {severity}\n\n{}\n\n{}\n",
        rule.name,
        rule.description.replace("\\n", "`\\n`"),
        check.documentation()
    );
    if !rule.cases.is_empty() {
        page += "\n## Examples\n\n| Result | File format or flags | Language | Source | Translation |\n|---|---|---|---|---|\n";
        rule.cases.iter().for_each(|case| page += &case.row());
    }
    let flag = check.flag();
    let _ = write!(
        page,
        "\n## Switch it off\n\n`ignore_checks = [\"{id}\"]` in `[check]` of the configuration, or `{id} = \"off\"` in \
         [`[check.severity]`](../ci.md#other-severities). The flag `ignore-{flag}` in `check_flags` of a component, or in an entry of a \
         file with flags, turns it off there.\n"
    );
    page
}

/// All files by name, and the lines of the summary.
fn pages() -> (BTreeMap<String, String>, String) {
    let mut files = BTreeMap::new();
    let mut summary = String::new();
    let mut index = "# The checks\n\nOne page for each check of texts. [Checks in CI](../ci.md#severity) lists the other findings; the rules are specified in \
                     [Quality checks](../spec/checks.md#modern-checks). Tests make these pages from `crates/checks/src/rules` and run the examples.\n"
        .to_owned();
    for severity in [Severity::Error, Severity::Warning, Severity::Note] {
        let _ = write!(
            index,
            "\n## {}\n\n| Check | Fails if |\n|---|---|\n",
            match severity {
                Severity::Error => "Errors",
                Severity::Warning => "Warnings",
                Severity::Note => "Notes",
            }
        );
        let checks = CheckId::ALL.iter().copied();
        for check in checks.filter(|it| it.severity() == severity) {
            let (id, description) = (check.id(), check.description().replace("\\n", "`\\n`"));
            let _ = writeln!(index, "| [`{id}`]({id}.md) | {description} |");
            let _ = writeln!(summary, "    - [`{id}`](checks/{id}.md)");
            files.insert(format!("{id}.md"), page(check));
        }
    }
    files.insert("README.md".to_owned(), index);
    (files, summary)
}

#[test]
fn the_cases_of_each_rule_fail_and_pass() {
    let unchecked = [
        CheckId::Reused,
        CheckId::MultipleFailures,
        CheckId::NotChecked,
    ];
    let mut wrong = Vec::new();
    for &check in CheckId::ALL {
        let cases = check.rule().cases;
        let has = |fails| cases.iter().any(|case| case.fails == fails);
        let is_shown = has(true) && has(false);
        if !is_shown && !unchecked.contains(&check) {
            wrong.push(format!("{} lacks cases", check.id()));
        }
        let differing = cases.iter().filter(|case| !case.is_as_declared(check));
        wrong.extend(differing.map(|case| format!("{}: {}", check.id(), case.target)));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn the_pages_of_the_checks_are_those_of_the_rules() {
    let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs");
    let folder = docs.join("checks");
    let (files, list) = pages();
    let summary = std::fs::read_to_string(docs.join("SUMMARY.md")).unwrap();
    let (before, rest) = summary
        .split_once("  - [The checks](checks/README.md)\n")
        .unwrap();
    let after: String = rest
        .split_inclusive('\n')
        .skip_while(|line| line.starts_with("    - "))
        .collect();
    let wanted = format!("{before}  - [The checks](checks/README.md)\n{list}{after}");
    if std::env::var_os("UPDATE_DOCS").is_some() {
        let _ = std::fs::remove_dir_all(&folder);
        std::fs::create_dir_all(&folder).unwrap();
        for (name, text) in &files {
            std::fs::write(folder.join(name), text).unwrap();
        }
        std::fs::write(docs.join("SUMMARY.md"), &wanted).unwrap();
        return;
    }
    let found = std::fs::read_dir(&folder).unwrap().map(|entry| {
        let path = entry.unwrap().path();
        let text = std::fs::read_to_string(&path).unwrap();
        (
            path.file_name().unwrap().to_string_lossy().into_owned(),
            text,
        )
    });
    assert!(
        found.collect::<BTreeMap<_, _>>() == files && summary == wanted,
        "docs/checks differs from the rules: run `just docs`, or this test with UPDATE_DOCS=1"
    );
}
