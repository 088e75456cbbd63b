//! Rules that the configuration adds: forbidden texts, and keys whose translations are the source text
//! (`docs/spec/lint.md#own-rules`).

use super::collector::FileFindingCollector;
use super::context::ForbiddenText;
use super::earlier::EarlierString;
use super::file::{forms, shown};
use super::finding::FindingKey;
use super::language_run::LanguageRun;
use crate::finding::FindingKind;
use gitglot_model::matches_key;

/// Reports what the rules of the configuration forbid.
pub(super) fn apply<'f>(
    run: &LanguageRun<'_, 'f>,
    row: usize,
    target: &'f str,
    before: Option<EarlierString<'f>>,
    found: &mut FileFindingCollector<'_>,
) {
    let options = run.check.scope.options;
    let (key, source) = (run.check.rows.key(row), run.check.rows.source(row));
    let mut add = |kind, is_new, message: &str| {
        found.add(kind, key, is_new, |finding| {
            run.describe(finding, row, run.entries.entry(row), message.to_owned());
            finding.target = Some(shown(target));
        });
    };
    let is_own = |rule: &&ForbiddenText| {
        let language = rule.language.as_deref();
        language.is_none_or(|language| matches_key(language, &run.file.language.code))
    };
    for rule in options.forbidden.iter().filter(is_own) {
        let has = |text: &str| forms(text).iter().any(|form| rule.pattern.is_match(form));
        if has(target) {
            let old = before.and_then(|string| string.translation());
            let is_old = old.is_some_and(has);
            add(FindingKind::ForbiddenText, !is_old, &rule.message);
        }
    }
    let format = run.check.spec.component.file_format;
    if target != source
        && !options.equal_keys.is_empty()
        && FindingKey::new(format, key).matches(&options.equal_keys)
    {
        let is_old = before.is_some_and(|string| {
            let text = string.translation();
            text.is_some_and(|text| text != string.source)
        });
        let message = "The translation must be the source text, as equal_keys says.";
        add(FindingKind::UnequalText, !is_old, message);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{CheckOptions, CheckScope, ComponentFiles, ComponentSpec, compare};
    use regex::Regex;

    #[test]
    fn the_configuration_forbids_texts_and_differences() {
        let side = |de: &str, cs: &str| {
            let en = r#"{"name": "Lamp", "a": "Please wait"}"#;
            ComponentFiles::of_texts("en", &[("en", en), ("de", de), ("cs", cs)])
        };
        let old = r#"{"name": "Lampe", "a": "Warten"}"#;
        let options = CheckOptions {
            equal_keys: ["name".to_owned()].into_iter().collect(),
            forbidden: vec![ForbiddenText {
                language: Some("de*".to_owned()),
                pattern: Regex::new("(?i)bitte").unwrap(),
                message: "Write without it.".to_owned(),
            }],
            ..CheckOptions::default()
        };
        let scope = CheckScope {
            options: &options,
            ..CheckScope::ALL
        };
        let spec = ComponentSpec::of_json("en");
        let head = side(
            r#"{"name": "Lampe", "a": "Bitte warten"}"#,
            r#"{"name": "Lamp", "a": "bitte"}"#,
        );
        let base = side(old, old);
        let found = compare(&spec, &head, Some(&base), None, scope).findings;
        let found = found
            .iter()
            .map(|it| (it.check.id(), it.key.id(), &*it.language, it.new));
        assert_eq!(
            found.collect::<Vec<_>>(),
            [
                ("unequal-text", ".name", "de", false),
                ("forbidden-text", ".a", "de", true)
            ]
        );
    }
}
