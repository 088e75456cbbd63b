//! Gates: which findings and numbers fail a run.

use std::collections::BTreeMap;

use crate::finding::FindingKind;
use crate::report::{Counts, HistoryRead, Report, StaleCount};
use gitglot_checks::{CheckId, Severity, closest};
use gitglot_model::counted;

/// The conditions that a report must fulfil.
#[derive(Clone, Debug)]
pub struct Gates {
    /// The findings that fail a run.
    fail_on: Vec<CheckGate>,
    /// The least translated share of each language and in total, in tenths of a percent.
    pub fail_under: Option<u32>,
    /// The least share of single languages, in place of `fail_under`.
    pub fail_under_language: BTreeMap<String, u32>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum CheckGate {
    /// All findings with this weight or more.
    Severity(Severity),
    Kind(FindingKind),
}

/// The result of the gates.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct GateOutcome {
    /// Each failed gate, as a clause.
    pub failed: Vec<String>,
    /// Each gate that cannot be decided, as a clause with the next step.
    pub undecided: Vec<String>,
    /// What each failed gate needs to pass, as a clause that begins with a verb.
    pub to_pass: Vec<String>,
}

/// A gate has an unknown name.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("'{name}' is not a check: {hint}")]
pub struct GateError {
    name: String,
    hint: String,
}

impl GateError {
    /// An error for this name, with the most similar name.
    pub fn new(name: &str) -> Self {
        let words = FindingKind::STATES.map(FindingKind::id);
        let ids = CheckId::ALL.iter().map(|check| check.id()).chain(words);
        let hint = match closest(name, ids.chain(["error", "warning", "note"])) {
            Some(similar) => format!("did you mean {similar}?"),
            None => format!(
                "use {}, error, warning, note or the id of a check, such as end_stop",
                words.join(", ")
            ),
        };
        Self {
            name: name.to_owned(),
            hint,
        }
    }
}

impl Default for Gates {
    fn default() -> Self {
        let fail_on = vec![CheckGate::Severity(Severity::Error)];
        Self {
            fail_on,
            fail_under: None,
            fail_under_language: BTreeMap::new(),
        }
    }
}

impl Gates {
    /// Replaces the findings that fail a run: ids of checks, words such as `stale`, and `error`, `warning` or `note` for
    /// all findings of that weight or more.
    ///
    /// # Errors
    /// If a name is unknown.
    pub fn set_fail_on<'a>(
        &mut self,
        names: impl IntoIterator<Item = &'a str>,
    ) -> Result<(), GateError> {
        let gate = |name: &str| match name.trim() {
            "error" => Ok(CheckGate::Severity(Severity::Error)),
            "warning" => Ok(CheckGate::Severity(Severity::Warning)),
            "note" => Ok(CheckGate::Severity(Severity::Note)),
            name => FindingKind::from_id(name)
                .map(CheckGate::Kind)
                .ok_or_else(|| GateError::new(name)),
        };
        self.fail_on = names.into_iter().map(gate).collect::<Result<_, _>>()?;
        Ok(())
    }

    /// Whether a gate needs the number of stale strings.
    pub fn needs_stale(&self) -> bool {
        self.fail_on.iter().any(|gate| match gate {
            CheckGate::Kind(kind) => *kind == FindingKind::Stale,
            CheckGate::Severity(least) => *least < Severity::Error,
        })
    }

    /// Whether a gate names a check of source texts.
    pub fn names_source_check(&self) -> bool {
        self.fail_on.iter().any(
            |gate| matches!(gate, CheckGate::Kind(FindingKind::Check(check)) if check.is_source_check()),
        )
    }

    /// Applies the gates to a report.
    pub fn apply(&self, report: &Report) -> GateOutcome {
        let mut outcome = GateOutcome::default();
        for gate in &self.fail_on {
            let findings = report.findings.iter();
            let (name, count) = match *gate {
                CheckGate::Severity(least) => {
                    let matching = findings.filter(|finding| finding.severity >= least);
                    (least.name(), matching.count())
                }
                CheckGate::Kind(kind) => {
                    let matching = findings.filter(|finding| kind.covers(finding.check));
                    (kind.id(), matching.count())
                }
            };
            if count > 0 {
                let findings = counted(count, "finding");
                outcome.failed.push(format!("{name}: {findings}"));
                outcome.to_pass.push(match *gate {
                    CheckGate::Severity(Severity::Error) => {
                        format!("repair {}", counted(count, "error"))
                    }
                    CheckGate::Severity(_) => {
                        format!("resolve {findings} of the severity {name} or above")
                    }
                    CheckGate::Kind(_) => format!("resolve {findings} of the check {name}"),
                });
            }
        }
        if self.needs_stale() && report.totals.counts.stale == StaleCount::Unknown {
            let reason = if report.read.history == HistoryRead::None {
                "the history was not read; give --history full"
            } else {
                "the clone is shallow or partial; fetch the full history (fetch-depth: 0 in GitHub Actions, \
                 GIT_DEPTH: 0 in GitLab CI, git fetch --unshallow)"
            };
            let clause = format!("stale: unknown because {reason}");
            outcome.undecided.push(clause);
        }
        self.apply_thresholds(report, &mut outcome);
        outcome
    }

    fn apply_thresholds(&self, report: &Report, outcome: &mut GateOutcome) {
        let shown = |tenths: u64| format!("{}.{} %", tenths / 10, tenths % 10);
        let mut below = |name: &str, counts: Option<&Counts>, wanted: Option<u32>| {
            let tenths = counts.map_or(0, Counts::reached_tenths);
            let Some(wanted) = wanted.map(u64::from).filter(|&wanted| tenths < wanted) else {
                return;
            };
            let (present, least) = (shown(tenths), shown(wanted));
            let clause = format!("fail-under: {name} has {present}, less than {least}");
            outcome.failed.push(clause);
            outcome.to_pass.push(match counts {
                Some(counts) => {
                    let needed = (counts.strings * wanted).div_ceil(1000);
                    let more = needed.saturating_sub(counts.translated);
                    let more = counted(more as usize, "more string");
                    format!("translate {more} for {name}")
                }
                None => format!("add a file for {name}"),
            });
        };
        for component in &report.components {
            let languages = component.languages.iter();
            for language in languages.filter(|language| {
                !language.is_source
                    && language.counts.parse_errors == 0
                    && language.counts.strings > 0
            }) {
                let own = self.fail_under_language.get(&*language.language).copied();
                let name = format!("{} in {}", language.language, component.name);
                below(&name, Some(&language.counts), own.or(self.fail_under));
            }
        }
        for (code, &wanted) in &self.fail_under_language {
            let mut languages = report.languages();
            if !languages.any(|language| *language.language == **code) {
                below(code, None, Some(wanted));
            }
        }
        if report.totals.counts.strings > 0 {
            below("the total", Some(&report.totals.counts), self.fail_under);
        }
    }
}

impl GateOutcome {
    /// `passed`, `failed` or `unknown`.
    pub fn status(&self) -> &'static str {
        match (self.undecided.is_empty(), self.failed.is_empty()) {
            (false, _) => "unknown",
            (true, false) => "failed",
            (true, true) => "passed",
        }
    }
}
