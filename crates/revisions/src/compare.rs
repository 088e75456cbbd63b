//! Compares two revisions, with the findings of `gitglot check` (docs/spec/revisions.md#comparisons).

use std::borrow::Cow;
use std::ops::Range;
use std::sync::Arc;

use super::comparison::{Comparison, FindingFilter};
use super::component_at::{components_at, name_of};
use super::known::TipResults;
use super::reader::{CacheEntry, CacheKey, Revisions};
use super::revision::{Revision, RevisionProblem, RevisionReadError};
use super::siblings::{changed_siblings, moves};
use gitglot_catalog::ComponentSnapshot;
use gitglot_checks::CheckProfile;
use gitglot_git::Repository;
use gitglot_lint::output::groups;
use gitglot_lint::{
    CheckScope, CheckedComponent, ComponentFiles, ComponentSpec, Finding, ParsedFile,
    ParsedFileKey, ParsedFileStore, StaleReference, StaleStrings, TextDifference, compare,
    differences,
};
use gitglot_model::{CommitId, Component, FileFormat, KeySeparators, WorkLimit};

/// The most new findings that a comparison keeps. If there are more, lists by file are computed for each page.
const MAX_KEPT: usize = 2000;

/// The parsed files of one format.
struct FormatFiles<'a>(&'a Revisions, FileFormat);

impl ParsedFileStore for FormatFiles<'_> {
    fn get(&self, key: ParsedFileKey) -> Option<Arc<ParsedFile>> {
        let CacheEntry::File(file) = self.0.cache().get(&CacheKey::File(self.1, key))? else {
            return None;
        };
        Some(file)
    }

    fn put(&self, key: ParsedFileKey, file: &Arc<ParsedFile>) {
        let key = CacheKey::File(self.1, key);
        if self.0.cache().get(&key).is_none() {
            let entry = CacheEntry::File(file.clone());
            self.0.cache_value(key, entry, file.memory());
        }
    }
}

impl Revisions {
    /// The comparison of two revisions, if it is known without a look at the repository.
    pub fn cached_comparison(
        &self,
        tip: &ComponentSnapshot,
        base: &Revision,
        head: &Revision,
    ) -> Option<Arc<Comparison>> {
        let key = CacheKey::Comparison(tip.component.id, base.commit, head.commit);
        let CacheEntry::Comparison(known) = self.cache().get(&key)? else {
            return None;
        };
        Arc::ptr_eq(&known.tip_component, &tip.component).then_some(known)
    }

    /// Compares a head with its common ancestor with a base. Strings can move between the component and its siblings, the
    /// components of its project.
    ///
    /// # Errors
    /// If a commit cannot be read, the two have no common ancestor, neither has a template, or the limit is exceeded.
    pub fn compare(
        &self,
        tip: &Arc<ComponentSnapshot>,
        siblings: &[Arc<ComponentSnapshot>],
        base: &Revision,
        head: &Revision,
        limit: &dyn WorkLimit,
    ) -> Result<Arc<Comparison>, RevisionProblem> {
        if let Some(known) = self.cached_comparison(tip, base, head) {
            return Ok(known);
        }
        let comparison = self.with_repository(tip, |repository| {
            self.read(tip, siblings, repository, base, head, limit)
        })?;
        let comparison = Arc::new(comparison);
        let bytes = comparison.memory();
        let key = CacheKey::Comparison(tip.component.id, base.commit, head.commit);
        self.cache_value(key, CacheEntry::Comparison(comparison.clone()), bytes);
        Ok(comparison)
    }

    /// The findings of a comparison at some positions among those that a filter selects.
    ///
    /// # Errors
    /// If a commit cannot be read.
    pub fn findings(
        &self,
        tip: &Arc<ComponentSnapshot>,
        siblings: &[Arc<ComponentSnapshot>],
        comparison: &Comparison,
        filter: &FindingFilter,
        positions: Range<usize>,
        limit: &dyn WorkLimit,
    ) -> Result<Vec<Finding>, RevisionProblem> {
        if let Some(known) = comparison.known_findings(filter, positions.clone()) {
            return Ok(known);
        }
        let (mut paths, mut before, mut skipped) = (Vec::new(), 0, 0);
        for file in &comparison.files {
            let count = filter.count(file);
            let end = before + count;
            if end <= positions.start {
                skipped = end;
            } else if before < positions.end && count > 0 {
                paths.push(&*file.path);
            }
            before = end;
        }
        if paths.is_empty() {
            return Ok(Vec::new());
        }
        let findings = self.with_repository(tip, |repository| {
            let sides = self.sides(tip, repository, comparison.ends(), limit)?;
            let commits = [comparison.base, comparison.head];
            let siblings =
                changed_siblings(self, tip, siblings, repository, commits, &sides, limit)?;
            let (name, component) = (name_of(tip), &comparison.components[1]);
            let moves = moves(&name, component, &sides, &siblings, limit);
            let known = TipResults::new(tip, self);
            let selects = |path: &str| paths.contains(&path);
            let scope = CheckScope {
                selects: &selects,
                only_new: filter.only_new,
                known: Some(&known),
                moves: Some(&moves),
                limit,
                ..CheckScope::ALL
            };
            Ok(check(tip, component, &sides, scope)?.findings)
        })?;
        let is_selected = |it: &Finding| paths.contains(&&*it.file) && filter.selects(it);
        let selected = findings.into_iter().filter(is_selected);
        let page = selected.skip(positions.start.saturating_sub(skipped));
        Ok(page.take(positions.len()).collect())
    }

    /// The new findings of a language; of all languages those that the comparison keeps.
    ///
    /// # Errors
    /// If a commit cannot be read.
    pub fn new_findings<'c>(
        &self,
        tip: &Arc<ComponentSnapshot>,
        siblings: &[Arc<ComponentSnapshot>],
        comparison: &'c Comparison,
        language: Option<&str>,
        limit: &dyn WorkLimit,
    ) -> Result<Cow<'c, [Finding]>, RevisionProblem> {
        let Some(language) = language else {
            return Ok(Cow::Borrowed(&comparison.new_findings));
        };
        let filter = FindingFilter {
            language: Some(language.to_owned()),
            only_new: true,
        };
        let positions = 0..comparison.count(&filter);
        let findings = self.findings(tip, siblings, comparison, &filter, positions, limit)?;
        Ok(Cow::Owned(findings))
    }

    /// The texts that a comparison changes, at most `count`, and how many there are.
    ///
    /// # Errors
    /// If a commit cannot be read.
    pub fn differences(
        &self,
        tip: &Arc<ComponentSnapshot>,
        comparison: &Comparison,
        language: Option<&str>,
        count: usize,
        limit: &dyn WorkLimit,
    ) -> Result<(Vec<TextDifference>, usize), RevisionProblem> {
        self.with_repository(tip, |repository| {
            let [base, head] = self.sides(tip, repository, comparison.ends(), limit)?;
            let report = Some(&comparison.report);
            let meter = limit.meter();
            let found = differences(&base, &head, report, language, count, &*meter);
            meter(0).then_some(found).ok_or(RevisionReadError::Stopped)
        })
    }

    fn read(
        &self,
        tip: &ComponentSnapshot,
        siblings: &[Arc<ComponentSnapshot>],
        repository: &Repository,
        base: &Revision,
        head: &Revision,
        limit: &dyn WorkLimit,
    ) -> Result<Comparison, RevisionReadError> {
        let common = if base.commit == head.commit {
            Some(base.commit)
        } else {
            repository.merge_base(head.commit, base.commit)?
        };
        let common = common.ok_or_else(|| {
            RevisionReadError::NotFound(format!(
                "{} and {} have no common ancestor: choose a base with a common history.",
                base.name, head.name
            ))
        })?;
        let commits = [common, head.commit];
        let components = components_at(tip, repository, commits)?.ok_or_else(|| {
            RevisionReadError::NotFound(format!(
                "Neither {} nor {} has the files of the component: choose revisions that contain the files.",
                base.name, head.name
            ))
        })?;
        self.compare_commits(tip, siblings, repository, commits, components, limit)
    }

    fn compare_commits(
        &self,
        tip: &ComponentSnapshot,
        siblings: &[Arc<ComponentSnapshot>],
        repository: &Repository,
        [base, head]: [CommitId; 2],
        components: [Component; 2],
        limit: &dyn WorkLimit,
    ) -> Result<Comparison, RevisionReadError> {
        let [at_base, at_head] = &components;
        let sides = self.sides(tip, repository, [(base, at_base), (head, at_head)], limit)?;
        let siblings =
            changed_siblings(self, tip, siblings, repository, [base, head], &sides, limit)?;
        let name = name_of(tip);
        let moves = moves(&name, at_head, &sides, &siblings, limit);
        let known = TipResults::new(tip, self);
        let scope = CheckScope {
            only_new: true,
            known: Some(&known),
            moves: Some(&moves),
            limit,
            ..CheckScope::ALL
        };
        let CheckedComponent {
            report,
            findings,
            files,
            notes,
            ..
        } = check(tip, at_head, &sides, scope)?;
        Ok(Comparison {
            base,
            head,
            report,
            notes,
            files,
            keeps_all: findings.len() <= MAX_KEPT,
            new_findings: most_important(findings),
            tip_component: tip.component.clone(),
            components,
        })
    }

    pub(super) fn sides(
        &self,
        tip: &ComponentSnapshot,
        repository: &Repository,
        [base, head]: [(CommitId, &Component); 2],
        limit: &dyn WorkLimit,
    ) -> Result<[ComponentFiles; 2], RevisionReadError> {
        let files = FormatFiles(self, tip.component.file_format);
        let side = |(commit, component)| {
            let language = &tip.project.source_language;
            ComponentFiles::at_commit(repository, commit, component, language, &files, limit)
        };
        Ok([side(base)?, side(head)?])
    }
}

/// The findings, or of many those of the most important strings.
fn most_important(findings: Vec<Finding>) -> Vec<Finding> {
    if findings.len() <= MAX_KEPT {
        return findings;
    }
    let groups = groups(&findings);
    let of_strings = groups.iter().flat_map(|group| &group.findings);
    of_strings.take(MAX_KEPT).copied().cloned().collect()
}

/// What to check of a component with its mask and template at a commit.
pub(super) fn spec_of(tip: &ComponentSnapshot, component: &Component) -> ComponentSpec {
    ComponentSpec {
        name: name_of(tip),
        component: component.clone(),
        source_language: tip.project.source_language.clone(),
        checker: tip.checks().of(CheckProfile::Current).clone(),
        source_checker: None,
        separators: separators(tip),
        reviewed: Arc::default(),
    }
}

pub(super) fn separators(tip: &ComponentSnapshot) -> KeySeparators {
    (tip.checks().settings().separators).or(KeySeparators::default())
}

fn check(
    tip: &ComponentSnapshot,
    component: &Component,
    [base, head]: &[ComponentFiles; 2],
    scope: CheckScope<'_>,
) -> Result<CheckedComponent, RevisionReadError> {
    let spec = spec_of(tip, component);
    let reference = StaleReference {
        side: base,
        stale: &StaleStrings::default(),
        at_base: None,
        is_complete: false,
    };
    let checked = compare(&spec, head, Some(base), Some(reference), scope);
    let checked = scope.limit.meter()(0).then_some(checked);
    checked.ok_or(RevisionReadError::Stopped)
}
