//! SARIF 2.1.0, which GitHub code scanning and editors read.

use serde_json::{Value, json};

use super::escape;
use super::shared::{self, OutputStyle, fingerprint};
use crate::finding::{Finding, FindingKind};
use crate::report::Report;

/// Writes one run.
pub(super) fn write(report: &Report, style: OutputStyle<'_>) -> String {
    let kinds = report.findings.iter().map(|finding| finding.check);
    let mut kinds: Vec<FindingKind> = kinds.collect();
    kinds.sort_unstable();
    kinds.dedup();
    let rules: Vec<Value> = kinds
        .iter()
        .map(|kind| {
            let mut rule = json!({
                "id": kind.id(),
                "shortDescription": {"text": kind.description()},
                "defaultConfiguration": {"level": kind.severity().name()},
            });
            if let Some(docs) = style.docs {
                rule["helpUri"] = format!("{docs}{}", kind.documentation()).into();
            }
            if let FindingKind::Check(check) = kind {
                let text = check.documentation();
                rule["help"] = json!({"text": text, "markdown": text});
            }
            rule
        })
        .collect();
    let mut seen = <_>::default();
    let has_base = report.read.base.is_some();
    let results: Vec<Value> = report
        .findings
        .iter()
        .map(|finding| {
            let rule = kinds.binary_search(&finding.check);
            let rule = rule.expect("the rules are those of the findings");
            result(finding, rule, &fingerprint(finding, &mut seen), has_base)
        })
        .collect();
    let document = json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": {"driver": {"name": "gitglot", "version": env!("CARGO_PKG_VERSION"), "rules": rules}},
            "columnKind": "unicodeCodePoints",
            "properties": {"read": &report.read, "notes": &report.notes},
            "results": results,
        }],
    });
    escape::json_text(format!("{document:#}"))
}

fn result(finding: &Finding, rule: usize, fingerprint: &str, has_base: bool) -> Value {
    let uri = shared::uri(&finding.file);
    let mut result = json!({
        "ruleId": finding.check.id(),
        "ruleIndex": rule,
        "level": finding.severity.name(),
        "message": {"text": shared::message(finding)},
        "locations": [{
            "physicalLocation": {
                "artifactLocation": {"uri": uri},
                "region": {"startLine": finding.line, "startColumn": finding.column},
            },
            "logicalLocations": [{"name": finding.key.shown(), "kind": "resource"}],
        }],
        "partialFingerprints": {"gitglot/v1": fingerprint},
        "properties": {"language": &*finding.language, "component": &*finding.component},
    });
    if has_base {
        result["baselineState"] = if finding.new { "new" } else { "unchanged" }.into();
    }
    result
}
