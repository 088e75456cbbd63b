//! JUnit XML: a suite per file, a test case per finding. Errors are failures, warnings are skipped cases.

use std::fmt::Write;

use super::escape::xml;
use super::shared;
use crate::finding::Finding;
use crate::groups::by_file;
use crate::report::Report;
use gitglot_checks::Severity;
use gitglot_model::SeededSet;

/// Writes all suites. A file without findings has one case that passes.
pub(super) fn write(report: &Report) -> String {
    let mut suites = String::new();
    let (mut tests, mut failures, mut skipped) = (0, 0, 0);
    let mut files = by_file(&report.findings);
    let mut known: SeededSet<&str> = files.iter().map(|(file, _)| *file).collect();
    let languages = report.languages();
    let others = languages.filter(|language| known.insert(&language.file));
    files.extend(others.map(|language| (&*language.file, Vec::new())));
    for (file, findings) in files {
        let is_error = |finding: &&&Finding| finding.severity == Severity::Error;
        let failed = findings.iter().filter(is_error).count();
        let cases = findings.len().max(1);
        tests += cases;
        failures += failed;
        skipped += findings.len() - failed;
        // Writing to a string cannot fail.
        let _ = writeln!(
            suites,
            "  <testsuite name=\"{}\" tests=\"{cases}\" failures=\"{failed}\" errors=\"0\" skipped=\"{}\">",
            xml(file),
            findings.len() - failed,
        );
        if findings.is_empty() {
            let class = xml(file);
            let _ = writeln!(
                suites,
                "    <testcase classname=\"{class}\" name=\"no findings\"/>"
            );
        }
        for finding in &findings {
            case(&mut suites, finding);
        }
        suites.push_str("  </testsuite>\n");
    }
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"gitglot\" tests=\"{tests}\" \
         failures=\"{failures}\" errors=\"0\" skipped=\"{skipped}\">\n{suites}</testsuites>\n"
    )
}

fn case(out: &mut String, finding: &Finding) {
    let (file, check) = (xml(&finding.file), finding.check.id());
    let name = if finding.key.is_empty() {
        check.to_owned()
    } else {
        format!("{}: {check}", xml(&finding.key.shown()))
    };
    let message = xml(&shared::message(finding));
    let text = if finding.severity == Severity::Error {
        let location = format!("{file}:{}:{}", finding.line, finding.column);
        format!("<failure message=\"{message}\" type=\"{check}\">{location}: {message}</failure>")
    } else {
        format!("<skipped message=\"{message}\"/>")
    };
    let _ = writeln!(
        out,
        "    <testcase classname=\"{file}\" name=\"{name}\" file=\"{file}\" line=\"{}\">{text}</testcase>",
        finding.line,
    );
}
