//! The result of a comparison of two revisions (docs/spec/revisions.md#comparisons).

use std::ops::Range;
use std::sync::Arc;

use super::revision::Revision;
use gitglot_catalog::ComponentSnapshot;
use gitglot_lint::{BaseRead, ComponentReport, FileFindings, Finding, HistoryRead, ReadState};
use gitglot_model::{CommitId, Component};

/// The result of a comparison. Findings that it does not keep are computed for each page.
#[derive(Debug)]
pub struct Comparison {
    /// The common ancestor that the head is compared with.
    pub base: CommitId,
    /// The commit that is checked.
    pub head: CommitId,
    /// The numbers of each language.
    pub report: ComponentReport,
    /// Facts that affect the numbers.
    pub notes: Vec<String>,
    /// The files with findings, by path.
    pub files: Vec<FileFindings>,
    /// The findings that are not in the base: all by file, or of many those of the most important strings.
    pub(super) new_findings: Vec<Finding>,
    /// Whether these are all.
    pub(super) keeps_all: bool,
    /// The component of the snapshot that the comparison was computed with.
    pub(super) tip_component: Arc<Component>,
    /// The mask and the template at both ends.
    pub(super) components: [Component; 2],
}

/// Which findings of a comparison to return.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct FindingFilter {
    /// Only findings of this language.
    pub language: Option<String>,
    /// Only findings that are not in the base.
    pub only_new: bool,
}

impl FindingFilter {
    pub(super) fn count(&self, file: &FileFindings) -> usize {
        self.select(file, file.new, file.all)
    }

    fn select(&self, file: &FileFindings, new: usize, all: usize) -> usize {
        match &self.language {
            Some(language) if **language != *file.language => 0,
            _ if self.only_new => new,
            _ => all,
        }
    }

    pub(super) fn selects(&self, finding: &Finding) -> bool {
        let is_language = |language: &String| **language == *finding.language;
        self.language.as_ref().is_none_or(is_language) && (finding.new || !self.only_new)
    }
}

impl Comparison {
    /// The number of findings that a filter selects.
    pub fn count(&self, filter: &FindingFilter) -> usize {
        self.files.iter().map(|file| filter.count(file)).sum()
    }

    /// The findings at some positions among those that a filter selects, if they are known without a look at the
    /// repository.
    pub fn known_findings(
        &self,
        filter: &FindingFilter,
        positions: Range<usize>,
    ) -> Option<Vec<Finding>> {
        if positions.is_empty() {
            return Some(Vec::new());
        }
        if !filter.only_new || !self.keeps_all {
            return None;
        }
        let known = self.new_findings.iter();
        let selected = known.filter(|finding| filter.selects(finding));
        let page = selected.skip(positions.start).take(positions.len());
        Some(page.cloned().collect())
    }

    /// The number of errors that a filter selects.
    pub fn errors(&self, filter: &FindingFilter) -> usize {
        let errors = |file| filter.select(file, file.new_errors, file.errors);
        self.files.iter().map(errors).sum()
    }

    /// The input, as the report shows it.
    pub fn read_state(
        &self,
        component: &ComponentSnapshot,
        base: &Revision,
        head: &Revision,
    ) -> ReadState {
        ReadState {
            repository: component.component.repo.clone(),
            commit: Some(self.head.to_string()),
            branch: (!head.is_fixed).then(|| head.name.clone()),
            state: "commit",
            base: Some(BaseRead {
                revision: base.name.clone(),
                commit: self.base.to_string(),
            }),
            history: HistoryRead::Complete,
        }
    }

    /// The base and the head, each with the mask and the template that it has.
    pub(super) fn ends(&self) -> [(CommitId, &Component); 2] {
        let [at_base, at_head] = &self.components;
        [(self.base, at_base), (self.head, at_head)]
    }

    pub(super) fn memory(&self) -> usize {
        let notes: usize = self.notes.iter().map(String::len).sum();
        let findings = self.new_findings.iter().map(Finding::memory);
        8192 + notes
            + findings.sum::<usize>()
            + self.report.languages.len() * 400
            + self.files.len() * (size_of::<FileFindings>() + 128)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn filter(language: Option<&str>, only_new: bool) -> FindingFilter {
        FindingFilter {
            language: language.map(str::to_owned),
            only_new,
        }
    }

    #[test]
    fn a_filter_counts_the_findings_of_its_language() {
        let file = FileFindings {
            language: "cs".into(),
            all: 5,
            new: 2,
            ..FileFindings::default()
        };
        for (language, only_new, count) in [
            (None, false, 5),
            (None, true, 2),
            (Some("cs"), false, 5),
            (Some("cs"), true, 2),
            (Some("de"), false, 0),
            (Some("de"), true, 0),
        ] {
            let filter = filter(language, only_new);
            assert_eq!(filter.count(&file), count, "{filter:?}");
        }
    }
}
