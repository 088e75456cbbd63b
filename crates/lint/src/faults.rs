//! Reports the faults of a file that parses: keys that occur twice, and escapes (`docs/spec/formats.md#faults`).

use super::FindingKind;
use super::collector::FileFindingCollector;
use super::file::{FilePosition, ParsedFile};
use gitglot_checks::Severity;
use gitglot_formats::{Fault, FaultKind, InvalidPart};
use gitglot_model::SeededMap;

/// Adds the faults of a file. Those that its version at the base has too are not new.
pub(super) fn add(
    file: &ParsedFile,
    base: Option<&ParsedFile>,
    found: &mut FileFindingCollector<'_>,
) {
    // Resources of Compose are not built by aapt2.
    let is_compose = found.file.path.contains("composeResources/");
    let counts = |fault: &&Fault| !(is_compose && matches!(fault.kind, FaultKind::Escape { .. }));
    if file.faults().iter().all(|fault| !counts(&fault)) {
        return;
    }
    let is_compiled = file.is_compiled(&found.file.path);
    let mut known: SeededMap<(&str, FindingKind, &str), usize> = SeededMap::default();
    for fault in base.into_iter().flat_map(ParsedFile::faults) {
        *known.entry(identity(fault, is_compiled)).or_default() += 1;
    }
    let keys = file.keys_at(&file.faults().iter().flat_map(offsets).collect());
    for fault in file.faults().iter().filter(counts) {
        let known = known
            .get_mut(&identity(fault, is_compiled))
            .filter(|left| **left > 0);
        let is_new = known.is_none();
        if let Some(left) = known {
            *left -= 1;
        }
        let key = offsets(fault).into_iter().find_map(|at| keys.get(&at));
        let key = key.copied().unwrap_or(&fault.name);
        let kind = kind(fault, is_compiled);
        let severity = match &fault.kind {
            FaultKind::Invalid {
                part: InvalidPart::MinorPluralForms | InvalidPart::MinorEscape,
                ..
            } => Severity::Warning,
            _ => kind.severity(),
        };
        found.add_with_severity((kind, severity), key, is_new, |finding| {
            finding.set_position(Some(file.position_at(fault.offset)));
            finding.message = message(fault, |offset| file.position_at(offset));
        });
    }
}

/// The offsets where the entry of a fault may begin: readers differ in which of two duplicates they keep.
fn offsets(fault: &Fault) -> [usize; 2] {
    match fault.kind {
        FaultKind::Duplicate { first, .. } => [first, fault.offset],
        FaultKind::Escape { .. } | FaultKind::Invalid { .. } => [fault.offset; 2],
    }
}

/// What is the same in two versions of a file.
fn identity(fault: &Fault, is_compiled: bool) -> (&str, FindingKind, &str) {
    let detail = match &fault.kind {
        FaultKind::Duplicate { .. } => "",
        FaultKind::Escape { text, .. } => text,
        FaultKind::Invalid { problem, .. } => problem,
    };
    (&fault.name, kind(fault, is_compiled), detail)
}

/// `is_compiled`: whether `msgfmt` reads the file, which refuses a second entry, whatever its texts are.
fn kind(fault: &Fault, is_compiled: bool) -> FindingKind {
    match fault.kind {
        FaultKind::Duplicate { is_equal: true, .. } if !is_compiled => FindingKind::RepeatedKey,
        FaultKind::Duplicate { .. } => FindingKind::DuplicateKey,
        FaultKind::Escape { .. } => FindingKind::Escape,
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
            let effect = match is_equal {
                true => "with the same text",
                false => "and only one of the two counts",
            };
            format!("The key occurs before in line {first}, {effect}: remove one of them.")
        }
        FaultKind::Escape { text, problem } => format!("{text} {problem}."),
        FaultKind::Invalid { problem, .. } => problem.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{CheckScope, CheckedComponent, ComponentFiles, ComponentSpec, compare};

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
        assert_eq!((finding.line, finding.key.as_str()), (4, ".a"));
        assert_eq!(finding.check, FindingKind::DuplicateKey);
        assert!(finding.message.contains("line 2"), "{}", finding.message);
        let new = |base, head| check(Some(base), head).findings[0].new;
        assert!(new(r#"{"a": "Jedna", "b": "Dva"}"#, twice));
        assert!(!new(twice, &twice.replace("Jeden", "Jedno")));
    }
}
