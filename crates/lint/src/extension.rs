//! Placeholders of messages of browser extensions, which each message defines (`docs/spec/checks.md#evidence`).

use super::file::ParsedFile;
use super::language::LanguageRun;
use gitglot_checks::{CheckFinding, CheckId, Severity};
use gitglot_model::{FileFormat, SeededMap};

impl LanguageRun<'_, '_> {
    /// Makes a warning of a lost placeholder with a fixed text, such as the name of the extension, and of
    /// placeholders that the translation defines itself.
    pub(super) fn weigh_definitions(&self, row: usize, entry: usize, failing: &mut [CheckFinding]) {
        if self.check.spec.component.file_format != FileFormat::WebExtension {
            return;
        }
        let is_error = |it: &&mut CheckFinding| {
            it.check == CheckId::Placeholders && it.severity == Severity::Error
        };
        for finding in failing.iter_mut().filter(is_error) {
            let source = definitions(self.check.rows.file, self.check.rows.entry(row));
            let own = definitions(&self.file.content, entry);
            let name = |detail: &str, word| {
                Some(detail.strip_prefix(word)?.trim_matches('$').to_lowercase())
            };
            let names = |word| finding.details.iter().filter_map(move |it| name(it, word));
            let is_fixed = |name: &String| source.get(name).is_some_and(|it| !it.contains('$'));
            let is_own = |name: &String| own.contains_key(name);
            let has_others = names("extra ").next().is_some();
            if names("extra ").all(|it| is_own(&it))
                && (has_others || names("missing ").all(|it| is_fixed(&it)))
            {
                finding.severity = Severity::Warning;
            }
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
        let placeholders = r#""placeholders": {"App": {"content": "Acme"}, "name": {"content": "$1"}, "n": {"content": "$2"}}"#;
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
        assert_eq!(severities("$N$ z $APP$"), [Severity::Warning]);
        assert_eq!(severities("$APP$"), [Severity::Error]);
        assert_eq!(severities("$APP$ $NAMES$"), [Severity::Error]);
    }
}
