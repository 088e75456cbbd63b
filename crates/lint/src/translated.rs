//! What the check reports of one string of a translation.

use super::collector::FileFindingCollector;
use super::component_check::ReferenceStrings;
use super::earlier::{EarlierLanguage, EarlierString};
use super::file::shown;
use super::language_run::{LanguageRun, changed_message};
use super::{documents, left_over, own_rules};
use crate::finding::{FindingKind, report_key};
use crate::report::StaleCount;
use gitglot_checks::{CheckFinding, StringTexts, TextContext, TextRole};
use gitglot_model::FileFormat;

pub(super) fn report_untranslated(
    run: &LanguageRun<'_, '_>,
    row: usize,
    before: Option<EarlierString<'_>>,
    found: &mut FileFindingCollector<'_>,
) {
    let (key, entry) = (run.check.rows.key(row), run.entries.entry(row));
    let lost = before.and_then(|string| string.translation());
    let is_lost = lost.is_some();
    let is_new = before.is_none() || is_lost;
    found.counts.missing += 1;
    found.changes.missing += u64::from(is_new);
    let at = entry.or(found.last);
    let is_renamed = run.check.is_remaining(&run.file.path, key);
    if run.mistyped.has(row) || is_renamed {
        found.changes.removed += u64::from(is_lost && !is_renamed);
        return;
    }
    found.changes.removed += u64::from(is_lost);
    let message = match entry {
        Some(entry) if run.file.content.text(entry).is_empty() => "The translation is empty.",
        Some(_) => "The file marks the string as one without a translation.",
        None => "The string has no translation.",
    };
    run.add_missing(row, at, lost, is_new, || message.to_owned(), found);
}

pub(super) fn check_translated<'f>(
    run: &LanguageRun<'_, 'f>,
    row: usize,
    target: &'f str,
    before: Option<EarlierString<'f>>,
    found: &mut FileFindingCollector<'_>,
) {
    let Some(entry) = run.entries.entry(row) else {
        return;
    };
    let old = before.and_then(|string| string.translation());
    found.counts.translated += 1;
    found.changes.translated += u64::from(old != Some(target));
    found.last = Some(entry);
    left_over::report_categories(run, row, target, entry, found);
    if run.check.bilingual.is_none() {
        report_stale(run, row, entry, target, before, found);
    }
    let (key, source) = (run.check.rows.key(row), run.check.rows.source(row));
    own_rules::apply(run, row, target, before, found);
    if run.check.spec.component.file_format == FileFormat::Document {
        documents::report_document(run, row, target, before, found);
    }
    let string = StringTexts {
        source,
        source_categories: &run.source_categories(row),
        target,
        categories: &run.entries.file.categories(entry),
        flags: run.entries.file.flags(entry),
        role: run.role(row),
        wording: run.wording(row),
    };
    let mut failing = if is_known_to_pass(run, row, &string) {
        Vec::new()
    } else {
        run.checker.check_string(&string, run.proceed)
    };
    let same_source = before.filter(|before| before.source == source);
    if let Some(before) = same_source.and_then(|string| string.translation()) {
        let ends = run.checker.changed_ends(source, before, target);
        let is_new = |end: &CheckFinding| failing.iter().all(|other| other.check != end.check);
        let ends: Vec<_> = ends.into_iter().filter(is_new).collect();
        failing.extend(ends);
    }
    if failing.is_empty() {
        return;
    }
    let known = faults_at_base(run, row, target, before, string.role);
    for failing in failing {
        let kind = FindingKind::Check(failing.check);
        let is_known =
            |known: &Vec<CheckFinding>| known.iter().any(|finding| failing.is_part_of(finding));
        let new = known.as_ref().is_some_and(|known| !is_known(known));
        let severity = if failing.severity == failing.check.severity() {
            kind.severity_in(run.is_compiled)
        } else {
            failing.severity
        };
        found.add_with_severity(kind, severity, key, new, |finding| {
            run.describe(finding, row, Some(entry), failing.message);
            finding.target = Some(shown(target));
        });
    }
}

/// The faults of a string at the base, unless all are the same. They depend on its other source texts, too.
fn faults_at_base<'f>(
    run: &LanguageRun<'_, 'f>,
    row: usize,
    target: &str,
    before: Option<EarlierString<'f>>,
    role: TextRole,
) -> Option<Vec<CheckFinding>> {
    let (source, at_base) = (run.check.rows.source(row), run.checker_at_base.as_ref());
    let wording = run.wording_before(row);
    match before.and_then(|string| Some((string, string.translation()?))) {
        Some((before, translation))
            if (before.source, translation, wording) == (source, target, run.wording(row))
                && at_base.is_none() =>
        {
            None
        }
        Some((before, text)) => {
            let checker = at_base.unwrap_or(&run.checker);
            let base = run.base.as_ref();
            let of_base = base.and_then(|base| base.source_categories(row));
            let string = StringTexts {
                source: before.source,
                source_categories: &of_base.unwrap_or_else(|| run.source_categories(row)),
                target: text,
                categories: &before.categories(),
                flags: before.flags(),
                role,
                wording,
            };
            Some(checker.check_string(&string, run.proceed))
        }
        None => Some(Vec::new()),
    }
}

/// Whether a translation is known to pass all checks, with the template of the checked state.
fn is_known_to_pass(run: &LanguageRun<'_, '_>, row: usize, string: &StringTexts<'_>) -> bool {
    let Some((known, language)) = run.known else {
        return false;
    };
    let known_string = known.rows.get(row).copied().flatten();
    let context = TextContext {
        flags: string.flags,
        role: string.role,
        wording: string.wording,
    };
    let target = string.target;
    let passes = |string| known.results.passes(language, string, target, context);
    let mut sources = [string.source].into_iter().chain(string.wording);
    let is_concerned = sources.any(|source| known.difference.concerns(source, target));
    known_string.is_some_and(passes) && !is_concerned
}

/// Reports the string if its source changed since the translation was written.
fn report_stale<'f>(
    run: &LanguageRun<'_, 'f>,
    row: usize,
    entry: usize,
    target: &str,
    at_base: Option<EarlierString<'f>>,
    found: &mut FileFindingCollector<'_>,
) {
    let Some((strings, reference)) = &run.check.reference else {
        return;
    };
    let (key, source) = (run.check.rows.key(row), run.check.rows.source(row));
    // The reference and the base may have the string under an older key.
    let earlier_key =
        |of: Option<&EarlierLanguage<'f>>| of.and_then(|before| before.key(row)).unwrap_or(key);
    let base_key = earlier_key(run.base.as_ref());
    let known = || {
        let key = match strings {
            ReferenceStrings::Checked => key,
            ReferenceStrings::Base => base_key,
            ReferenceStrings::Other(_) => earlier_key(run.reference.as_ref()),
        };
        run.known_stale
            .and_then(|stale| stale.get(key))
            .map(String::as_str)
    };
    let before = match strings {
        ReferenceStrings::Base => at_base,
        _ => run.reference.as_ref().and_then(|side| side.string(row)),
    };
    let is_same = |it: &EarlierString<'_>| it.translation() == Some(target);
    let previous = match (strings, before) {
        (ReferenceStrings::Checked | ReferenceStrings::Other(None), _) => known(),
        (_, Some(before)) if is_same(&before) => known().or(Some(before.source)),
        _ => None,
    };
    // The history of a component does not know what the change brings from others.
    let moves = run.check.scope.moves;
    let has_arrived = || moves.is_some_and(|moves| moves.has_arrived(key));
    let moved = at_base.filter(|before| is_same(before) && has_arrived());
    let previous = previous.or(moved.map(|before| before.source));
    let Some(previous) = previous.filter(|&previous| previous != source) else {
        return;
    };
    let spec = run.check.spec;
    let (format, language) = (spec.component.file_format, &run.file.language.code);
    if spec.reviewed.acknowledges(format, language, key, source) {
        return;
    }
    let at_base = reference
        .at_base
        .and_then(|stale| stale.get(&run.file.path));
    let new = at_base.is_none_or(|stale| !stale.contains_key(base_key));
    found.counts.stale += StaleCount::Known(1);
    // Texts that their file marks do not count as translated.
    let is_counted = !spec.component.file_format.marks_texts();
    found.counts.known_stale += u64::from(reference.is_complete && is_counted);
    found.changes.stale += StaleCount::Known(u64::from(new));
    let message = |change| changed_message("The source text", change);
    run.add_stale(row, entry, Some(previous), new, message, found);
}

/// Reports the texts of the file that the change sets back, once per commit.
pub(super) fn report_restored(run: &LanguageRun<'_, '_>, found: &mut FileFindingCollector<'_>) {
    let restored = run.check.scope.restored;
    for commit in restored.map_or(&[][..], |restored| restored.of_file(&run.file.path)) {
        let row = |key| run.check.rows.row(key);
        let Some((key, row)) = commit.key().and_then(|key| Some((key, row(key)?))) else {
            continue;
        };
        found.add(FindingKind::Restored, key, true, |finding| {
            let format = run.check.spec.component.file_format;
            let message = commit.message(|key| report_key(format, key));
            run.describe(finding, row, run.entries.entry(row), message);
            finding.target = run.entries.translation(row).map(shown);
        });
    }
}
