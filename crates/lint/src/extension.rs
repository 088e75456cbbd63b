//! Placeholders of messages of browser extensions, which each message defines (`docs/spec/checks.md#severity-of-faults`).

use super::file::ParsedFile;
use super::language_run::LanguageRun;
use gitglot_checks::{CheckFinding, CheckId, FaultKind, Severity};
use gitglot_model::{FileFormat, SeededMap, SeededSet};

/// Makes a warning of a lost placeholder with a fixed text, such as the name of the extension, and of one whose value
/// the translation has by a name that it defines itself.
pub(super) fn weigh_definitions(
    run: &LanguageRun<'_, '_>,
    row: usize,
    entry: usize,
    failing: &mut [CheckFinding],
) {
    if run.check.spec.component.file_format != FileFormat::WebExtension {
        return;
    }
    for finding in failing
        .iter_mut()
        .filter(|it| it.check == CheckId::Placeholders)
    {
        let source = definitions(run.check.rows.file, run.check.rows.entry(row));
        let own = definitions(&run.file.content, entry);
        let names = |kind: FaultKind| {
            let faults = finding.faults.iter().filter(move |it| it.kind == kind);
            faults.map(|it| it.part.trim_matches('$').to_lowercase())
        };
        let extra = || names(FaultKind::Extra);
        let shown: SeededSet<&String> = extra().filter_map(|it| own.get(&it)).collect();
        let is_kept = |name: String| {
            let content = source.get(&name);
            content.is_some_and(|it| !it.contains('$') || shown.contains(it))
        };
        if extra().all(|it| own.contains_key(&it)) && names(FaultKind::Missing).all(is_kept) {
            finding.severity = Severity::Warning;
        }
    }
}

/// The contents of the placeholders that a message defines, by their names in lower case: `$1`, or a text.
fn definitions(file: &ParsedFile, entry: usize) -> SeededMap<String, String> {
    let message = file.object(entry);
    let defined = message
        .as_ref()
        .and_then(|it| it.get("placeholders")?.as_object());
    let content = |(name, it): (&String, &serde_json::Value)| {
        Some((name.to_lowercase(), it.get("content")?.as_str()?.to_owned()))
    };
    defined.into_iter().flatten().filter_map(content).collect()
}

#[cfg(test)]
mod tests {
    use crate::{CheckScope, ComponentFiles, ComponentSpec, Severity, compare};
    use gitglot_model::FileFormat;

    fn severities(target: &str) -> Vec<Severity> {
        let placeholders = r#""placeholders": {"App": {"content": "Acme"}, "name": {"content": "$1"}, "other": {"content": "$1"}, "n": {"content": "$2"}}"#;
        let file = |text: &str| format!(r#"{{"a": {{"message": "{text}", {placeholders}}}}}"#);
        let format = FileFormat::WebExtension;
        let spec = ComponentSpec::of_format(format, "en");
        let head = ComponentFiles::of_format(
            format,
            "en",
            &[("en", &file("$APP$ of $NAME$")), ("cs", &file(target))],
        );
        let found = compare(&spec, &head, None, None, CheckScope::ALL);
        found.findings.iter().map(|it| it.severity).collect()
    }

    #[test]
    fn fixed_texts_and_own_values_are_uncertain() {
        assert!(severities("$App$, $Name$ a $APP$").is_empty());
        assert_eq!(severities("Aplikace $NAME$"), [Severity::Warning]);
        assert_eq!(severities("$OTHER$ z $APP$"), [Severity::Warning]);
        assert_eq!(severities("$N$ z $APP$"), [Severity::Error]);
        assert_eq!(severities("$APP$"), [Severity::Error]);
        assert_eq!(severities("$APP$ $NAMES$"), [Severity::Error]);
    }
}
