//! Reports the faults of a file that parses: keys that occur twice, and escapes (`docs/spec/formats.md#faults`).

use super::align::TemplateStrings;
use super::collector::FileFindingCollector;
use super::file::ParsedFile;
use super::positions::FilePosition;
use crate::finding::FindingKind;
use gitglot_checks::Severity;
use gitglot_formats::{Fault, FaultKind, InvalidPart};
use gitglot_model::{SeededMap, SeededSet};

/// Adds the faults of a file. Those that its version at the base has too are not new. `template` has the source texts of
/// a translation.
pub(super) fn add(
    file: &ParsedFile,
    base: Option<&ParsedFile>,
    template: Option<&TemplateStrings<'_>>,
    found: &mut FileFindingCollector<'_>,
) {
    if file.faults().is_empty() {
        return;
    }
    let keys = file.keys_at(&file.faults().iter().flat_map(offsets).collect());
    // Resources of Compose and moko are not built by aapt2.
    let mut others = ["composeResources/", "moko-resources/", "resources/MR/"].into_iter();
    let is_built = !others.any(|folder| found.file.path.contains(folder));
    let mut faults = file.faults().iter();
    let has_unlike = faults.any(|fault| matches!(fault.kind, FaultKind::Unlike { .. }));
    let in_template = template.filter(|_| has_unlike).map(unlike_keys);
    let in_template = in_template.unwrap_or_default();
    let counts = |fault: &&Fault| match &fault.kind {
        FaultKind::Escape { .. } => is_built,
        FaultKind::Unlike { part, .. } => {
            let key = key_of(fault, &keys);
            let source = template.and_then(|template| Some(template.source(template.row(key)?)));
            let source = source.filter(|_| !in_template.contains(key));
            source.is_some_and(|source| source.to_lowercase().contains(&part.to_lowercase()))
        }
        _ => true,
    };
    let is_compiled = file.is_compiled(&found.file.path);
    let mut known: SeededMap<(&str, FindingKind, &str), usize> = SeededMap::default();
    for fault in base.into_iter().flat_map(ParsedFile::faults) {
        *known.entry(identity(fault, is_compiled)).or_default() += 1;
    }
    for fault in file.faults().iter().filter(counts) {
        let known = known
            .get_mut(&identity(fault, is_compiled))
            .filter(|left| **left > 0);
        let is_new = known.is_none();
        if let Some(left) = known {
            *left -= 1;
        }
        let key = key_of(fault, &keys);
        let kind = kind(fault, is_compiled);
        let severity = match &fault.kind {
            FaultKind::Invalid {
                part: InvalidPart::MinorPluralForms | InvalidPart::MinorEscape,
                ..
            } => Severity::Warning,
            _ => kind.severity(),
        };
        found.add_with_severity(kind, severity, key, is_new, |finding| {
            finding.set_position(Some(file.position_at(fault.offset)));
            finding.message = message(fault, |offset| file.position_at(offset));
        });
    }
}

/// The keys of the texts of a template that have a part in a form that its program copes with.
fn unlike_keys<'a>(template: &TemplateStrings<'a>) -> SeededSet<&'a str> {
    let faults = template.file.faults().iter();
    let unlike = faults.filter(|fault| matches!(fault.kind, FaultKind::Unlike { .. }));
    let keys = template
        .file
        .keys_at(&unlike.clone().flat_map(offsets).collect());
    unlike.map(|fault| key_of(fault, &keys)).collect()
}

/// The key of the entry that a fault is in; without one, such as for a form of a plural, its name.
fn key_of<'a>(fault: &'a Fault, keys: &SeededMap<usize, &'a str>) -> &'a str {
    let mut offsets = offsets(fault).into_iter();
    let key = offsets.find_map(|at| keys.get(&at));
    key.copied().unwrap_or(&fault.name)
}

/// The offsets where the entry of a fault may begin: readers differ in which of two duplicates they keep.
fn offsets(fault: &Fault) -> [usize; 2] {
    match fault.kind {
        FaultKind::Duplicate { first, .. } => [first, fault.offset],
        FaultKind::Escape { .. } | FaultKind::Invalid { .. } | FaultKind::Unlike { .. } => {
            [fault.offset; 2]
        }
    }
}

/// What is the same in two versions of a file.
fn identity(fault: &Fault, is_compiled: bool) -> (&str, FindingKind, &str) {
    let detail = match &fault.kind {
        FaultKind::Duplicate { .. } => "",
        FaultKind::Escape { text, .. } => text,
        FaultKind::Invalid { problem, .. } | FaultKind::Unlike { problem, .. } => problem,
    };
    (&fault.name, kind(fault, is_compiled), detail)
}

/// `is_compiled`: whether `msgfmt` reads the file, which refuses a second entry, whatever its texts are.
fn kind(fault: &Fault, is_compiled: bool) -> FindingKind {
    match fault.kind {
        FaultKind::Duplicate { is_equal: true, .. } if !is_compiled => FindingKind::RepeatedKey,
        FaultKind::Duplicate { .. } => FindingKind::DuplicateKey,
        FaultKind::Escape { .. } | FaultKind::Unlike { .. } => FindingKind::Escape,
        FaultKind::Invalid { part, .. } => match part {
            InvalidPart::Header => FindingKind::Header,
            InvalidPart::PluralForms | InvalidPart::MinorPluralForms => FindingKind::PluralForms,
            InvalidPart::NoData => FindingKind::NotRead,
            InvalidPart::Id => FindingKind::RepeatedKey,
            InvalidPart::Text | InvalidPart::MinorEscape => FindingKind::Escape,
        },
    }
}

fn message(fault: &Fault, position: impl Fn(usize) -> FilePosition) -> String {
    match &fault.kind {
        FaultKind::Duplicate { first, is_equal } => {
            let first = position(*first).line;
            let effect = if *is_equal {
                "with the same text"
            } else {
                "and only one of the two counts"
            };
            format!("The key occurs before in line {first}, {effect}: remove one of them.")
        }
        FaultKind::Escape { text, problem } => format!("{text} {problem}."),
        FaultKind::Invalid { problem, .. } | FaultKind::Unlike { problem, .. } => problem.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{CheckScope, CheckedComponent, ComponentFiles, ComponentSpec, compare};
    use gitglot_model::FileFormat;

    fn check(base: Option<&str>, head: &str) -> CheckedComponent {
        let side = |cs: &str| {
            ComponentFiles::of_texts("en", &[("en", r#"{"a": "One", "b": "Two"}"#), ("cs", cs)])
        };
        let base = base.map(side);
        let spec = ComponentSpec::of_json("en");
        compare(&spec, &side(head), base.as_ref(), None, CheckScope::ALL)
    }

    #[test]
    fn a_key_that_occurs_twice_is_an_error_with_both_lines() {
        let twice = "{\n\"a\": \"Jedna\",\n\"b\": \"Dva\",\n\"a\": \"Jeden\"}";
        let found = check(None, twice);
        let [finding] = found.findings.as_slice() else {
            panic!("{:?}", found.findings);
        };
        assert_eq!((finding.line, &*finding.key.shown()), (4, "a"));
        assert_eq!(finding.check, FindingKind::DuplicateKey);
        assert!(finding.message.contains("line 2"), "{}", finding.message);
        let new = |base, head| check(Some(base), head).findings[0].new;
        assert!(new(r#"{"a": "Jedna", "b": "Dva"}"#, twice));
        assert!(!new(twice, &twice.replace("Jeden", "Jedno")));
    }

    #[test]
    fn only_resources_that_aapt_builds_need_escapes() {
        let file = |name: &str, text: &str| {
            let text = format!("<resources><string name=\"a\">{text}</string></resources>");
            (name.to_owned(), text)
        };
        let found = |folder: &str| {
            let names = [("en", "Its"), ("fr", "L'a")];
            let names = names.map(|(code, text)| file(&format!("{folder}{code}"), text));
            let files: Vec<_> = names
                .iter()
                .map(|(name, text)| (&**name, &**text))
                .collect();
            let head = ComponentFiles::of_format(
                FileFormat::AndroidResource,
                &format!("{folder}en"),
                &files,
            );
            let spec =
                ComponentSpec::of_format(FileFormat::AndroidResource, &format!("{folder}en"));
            let found = compare(&spec, &head, None, None, CheckScope::ALL).findings;
            found
                .iter()
                .filter(|it| it.check == FindingKind::Escape)
                .count()
        };
        assert_eq!(found(""), 1);
        assert_eq!(found("moko-resources/"), 0);
    }

    /// The messages of a translation, and the numbers of findings with an invalid part.
    fn parts(format: FileFormat, template: &str, translation: &str) -> Vec<String> {
        let files = [("en", template), ("de", translation)];
        let head = ComponentFiles::of_format(format, "en", &files);
        let spec = ComponentSpec::of_format(format, "en");
        let found = compare(&spec, &head, None, None, CheckScope::ALL).findings;
        let found = found.iter().filter(|it| it.check == FindingKind::Escape);
        found
            .map(|it| format!("{}: {}", it.key.shown(), it.message))
            .collect()
    }

    #[test]
    fn a_part_is_a_fault_only_if_the_template_has_another_form() {
        let android = |text: &str| {
            let plural =
                format!("<plurals name=\"p\"><item quantity=\"other\">{text}</item></plurals>");
            format!(
                "<resources xmlns:xliff=\"x\"><string name=\"s\">{text}</string>{plural}</resources>"
            )
        };
        let (tag, group) = ("Press <b>OK</b>", "<xliff:g id=\"n\">%s</xliff:g> files");
        for (template, translation, count) in [
            (tag, "&lt;b&gt;OK&lt;/b&gt;", 2),
            (tag, "<![CDATA[<b>OK</b>]]>", 2),
            (tag, "<b>OK</b>", 0),
            ("&lt;b>OK&lt;/b>", "<![CDATA[<b>OK</b>]]>", 0),
            ("A &lt; B", "a &lt; b", 0),
            (group, "&lt;xliff:g id=\"n\">%s&lt;/xliff:g>", 2),
        ] {
            let found = parts(
                FileFormat::AndroidResource,
                &android(template),
                &android(translation),
            );
            assert_eq!(found.len(), count, "{template} {translation} {found:?}");
        }
        let url = r#"{"a": {"message": "See $URL$", "placeholders": {"url": {"content": "$1"}}}}"#;
        for (template, translation, part) in [
            (
                url,
                r#"{"a": {"message": "Siehe $url$"}}"#,
                "a: $url$ is not",
            ),
            (
                url,
                r#"{"a": {"description": "x"}}"#,
                "a: The entry has no message",
            ),
            (
                r#"{"a": {"message": "Pay $5$"}}"#,
                r#"{"a": {"message": "Zahle $5$"}}"#,
                "",
            ),
            (url, url, ""),
        ] {
            let found = parts(FileFormat::WebExtension, template, translation);
            assert_eq!(found.is_empty(), part.is_empty(), "{found:?}");
            assert!(found.concat().starts_with(part), "{found:?}");
        }
        for (template, translation, part) in [
            (
                "en: {'yes': Y, a: A}",
                "de: {yes: J, a: A}",
                "yes: Ruby reads the name yes as true",
            ),
            ("en: {yes: Y, a: A}", "de: {yes: J, a: A}", ""),
            ("en: {'yes': Y, a: A}", "de: {'yes': J, a: A}", ""),
            (
                "en: {a: A, 'on': B, 'yes': C}",
                "de: {a: A, On: B, yes: C}",
                "yes: Ruby reads the names On and yes",
            ),
            (
                "en: {a: A}",
                "no: {a: A}",
                "no: Ruby reads the language no as false",
            ),
            (
                "en: {'no': A, 'off': B}",
                "'no': {no: A, off: B}",
                "no: Ruby reads the name no",
            ),
        ] {
            let found = parts(FileFormat::RubyYaml, template, translation);
            assert_eq!(found.is_empty(), part.is_empty(), "{translation} {found:?}");
            assert!(found.concat().starts_with(part), "{found:?}");
        }
    }
}
