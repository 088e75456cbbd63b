//! Collects the findings of a unit: at most one per check.

use crate::finding::{CheckFinding, PartialFinding};
use crate::input::FormPair;
use crate::limit::Proceed;
use crate::registry::{CheckId, CheckIds};
use crate::rules;

/// Collects at most one finding per check.
pub(super) struct FindingCollector<'a> {
    /// The base code of the language if findings that are no faults in it do not count.
    pub(super) precise_for: Option<&'a str>,
    pub(super) enabled: CheckIds,
    /// The checks that the source enables beyond those that are enabled anyway.
    pub(super) inferred: CheckIds,
    pub(super) failed: CheckIds,
    /// One per failed check.
    pub(super) findings: Vec<CheckFinding>,
    pub(super) proceed: Proceed<'a>,
    /// The bytes that a check reads.
    pub(super) length: usize,
    /// Whether the work must end.
    pub(super) is_stopped: bool,
}

impl FindingCollector<'_> {
    pub(super) fn add(&mut self, check: CheckId, problem: PartialFinding) {
        if self.wants(check) {
            self.failed.set(check, true);
            self.findings.push(problem.of(check));
        }
    }

    /// Adds a finding of a check of texts, unless it is no fault in the language.
    pub(super) fn add_of_text(
        &mut self,
        check: CheckId,
        pair: &FormPair,
        mut problem: PartialFinding,
    ) {
        if let Some(language) = self.precise_for {
            let marks = rules::ends::FINAL_MARKS;
            let has_one = !self.failed.intersection(marks).is_empty();
            if marks.contains(check) && has_one {
                return;
            }
            if self.wants(check) && rules::accepts(check, pair, &problem, language) {
                return;
            }
            problem.is_minor = rules::xml::accepted::is_minor(check, pair, &problem);
        }
        self.add(check, problem);
    }

    pub(super) fn wants(&self, check: CheckId) -> bool {
        self.enabled.contains(check) && !self.failed.contains(check)
    }

    pub(super) fn wants_any(&self, checks: CheckIds) -> bool {
        let open = self.enabled.difference(self.failed);
        !open.intersection(checks).is_empty()
    }

    /// Whether the next check may run.
    pub(super) fn proceeds(&mut self) -> bool {
        self.is_stopped = self.is_stopped || !(self.proceed)(self.length);
        !self.is_stopped
    }

    /// As [`Self::run`] for a check of texts.
    pub(super) fn run_on_text(
        &mut self,
        check: CheckId,
        pair: &FormPair,
        find: impl FnOnce() -> Option<PartialFinding>,
    ) {
        if let Some(problem) = self.find(check, find) {
            self.add_of_text(check, pair, problem);
        }
    }

    /// Runs a check if it is enabled.
    pub(super) fn run(&mut self, check: CheckId, find: impl FnOnce() -> Option<PartialFinding>) {
        if let Some(problem) = self.find(check, find) {
            self.add(check, problem);
        }
    }

    fn find(
        &mut self,
        check: CheckId,
        find: impl FnOnce() -> Option<PartialFinding>,
    ) -> Option<PartialFinding> {
        (self.wants(check) && self.proceeds()).then(find).flatten()
    }
}
