//! Checks a filled work list: the proposals take the place of the translations in memory, and the files are checked as they
//! would be after they were written.

use std::sync::Arc;

use serde::Serialize;

use super::filled::{FilledList, Proposal};
use super::forms::{forms_in_file, forms_of};
use super::{TodoComponent, TodoProblem, VERSION, WorkKind, id_of};
use crate::align::{Aligned, TemplateStrings};
use crate::collector::path_of_string;
use crate::compare;
use crate::context::{CheckOptions, CheckScope};
use crate::file::ReplacedText;
use crate::finding::{Finding, FindingKind, report_key, string_name};
use crate::output::{indented_json, line};
use gitglot_checks::Severity;
use gitglot_model::{PLURAL_SEPARATOR, SeededMap, SeededSet, shown_path};

/// The result for a filled list. Field order is the order in JSON.
#[derive(Clone, Debug, Serialize)]
pub struct Validation {
    /// The version of this structure.
    version: u32,
    /// Proposals without an error.
    pub accepted: usize,
    /// Proposals with an error.
    pub refused: usize,
    /// Strings of the list without a proposal.
    pub unfilled: usize,
    /// One result for each proposal, in the order of the list.
    pub verdicts: Vec<Verdict>,
}

/// The result for a proposal.
#[derive(Clone, Debug, Serialize)]
pub struct Verdict {
    /// The id of the string.
    pub id: String,
    /// The file; `""` if the string is not known.
    pub file: Arc<str>,
    /// The language code; `""` if the string is not known.
    pub language: Arc<str>,
    /// The key as reports show it; `""` if the string is not known.
    pub key: String,
    /// Whether the proposal can be written.
    pub accepted: bool,
    /// Why it is refused, in one sentence.
    pub reason: Option<String>,
    /// What to know about an accepted proposal, in one sentence.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
    /// Everything that a check reports about it, also warnings.
    pub problems: Vec<TodoProblem>,
}

/// Checks the proposals of a list for the strings of these components.
pub fn validate(
    list: &FilledList,
    components: &[TodoComponent<'_>],
    options: &CheckOptions,
) -> Validation {
    let mut verdicts: SeededMap<&str, Verdict> = SeededMap::default();
    let mut proposals: SeededMap<&str, &Proposal> = SeededMap::default();
    let mut twice: SeededSet<&str> = SeededSet::default();
    for proposal in list.filled() {
        if proposals.insert(&proposal.id, proposal).is_some() {
            twice.insert(&proposal.id);
        }
    }
    for component in components {
        for verdict in of_component(component, &proposals, options) {
            if let Some((&id, _)) = proposals.get_key_value(&*verdict.id) {
                verdicts.insert(id, verdict);
            }
        }
    }
    let verdict = |proposal: &Proposal| {
        let mut verdict = verdicts.get(&*proposal.id).cloned().unwrap_or_else(|| {
            let reason = "The repository has no such string: make the list again.";
            Verdict::new(proposal, None, Some(reason.to_owned()))
        });
        if twice.contains(&*proposal.id) {
            verdict.refuse("The list has several proposals for the string: keep one.".to_owned());
        }
        verdict
    };
    let verdicts: Vec<Verdict> = list.filled().map(verdict).collect();
    let accepted = verdicts.iter().filter(|verdict| verdict.accepted).count();
    Validation {
        version: VERSION,
        accepted,
        refused: verdicts.len() - accepted,
        unfilled: list.proposals.len() - verdicts.len(),
        verdicts,
    }
}

/// The results for the strings of a component.
fn of_component(
    component: &TodoComponent<'_>,
    proposals: &SeededMap<&str, &Proposal>,
    options: &CheckOptions,
) -> Vec<Verdict> {
    let (spec, head) = (component.spec, component.head);
    let Some(template) = head.readable_template() else {
        return Vec::new();
    };
    let rows = TemplateStrings::new(&template.content);
    let has_template = rows.file.shape().has_template();
    let mut verdicts = Vec::new();
    let mut changed = head.clone();
    let mut paths: SeededSet<Arc<str>> = SeededSet::default();
    let mut positions: SeededMap<(Arc<str>, Arc<str>, String), usize> = SeededMap::default();
    for (index, file) in head.languages.iter().enumerate() {
        let mut texts = Vec::new();
        let aligned = Aligned::new(&file.content, &rows);
        for row in 0..rows.len() {
            let id = id_of(&spec.name, &file.path, rows.key(row));
            let Some(&proposal) = proposals.get(&*id) else {
                continue;
            };
            let source = rows.source(row);
            let format = rows.file.format();
            let name = string_name(format, rows.key(row)).into_owned();
            let path = path_of_string(&file.path, &name);
            let language = file.language.code.clone();
            let key = report_key(format, rows.key(row));
            let string = Some((path.clone(), language.clone(), key));
            let categories = rows.file.categories(rows.entry(row));
            let forms = forms_of(file, source, &categories);
            let reason = fault_of(proposal, source, forms.len());
            let mut verdict = Verdict::new(proposal, string, reason);
            if verdict.accepted {
                positions.insert((path, language, name), verdicts.len());
                let text = proposal.forms.join(PLURAL_SEPARATOR);
                // Only texts with a template become stale, and can be acknowledged.
                if has_template && aligned.translation(row) == Some(&text) {
                    verdict.note = Some(unchanged(&file.language.code));
                }
                let has_categories = !categories.is_empty();
                let is_plural = source.contains(PLURAL_SEPARATOR) || has_categories;
                let flags = rows.file.flags(rows.entry(row));
                texts.push(ReplacedText {
                    entry: aligned.entry(row),
                    key: rows.key(row),
                    text,
                    forms: forms_in_file(&forms, is_plural, has_categories),
                    flags: if has_template { flags } else { "" },
                });
            }
            verdicts.push(verdict);
        }
        for (key, proposal) in left_over(component, index, &rows, proposals) {
            let reason = "The template does not have this key: remove it from the file.";
            let path = path_of_string(&file.path, &key);
            let string = Some((path, file.language.code.clone(), key));
            verdicts.push(Verdict::new(proposal, string, Some(reason.to_owned())));
        }
        if !texts.is_empty() {
            paths.insert(shown_path(&file.path));
            changed.languages[index].content = Arc::new(file.content.with_texts(&texts));
        }
    }
    if paths.is_empty() {
        return verdicts;
    }
    let of_text = CheckScope {
        selects: &|path: &str| paths.contains(path),
        options,
        ..CheckScope::ALL
    };
    for finding in compare(spec, &changed, None, None, of_text).findings {
        let key = finding.key.id().to_owned();
        let place = (finding.file.clone(), finding.language.clone(), key);
        let at = positions.get(&place);
        if let Some(verdict) = at.and_then(|&at| verdicts.get_mut(at)) {
            verdict.add(&finding);
        }
    }
    verdicts
}

/// What to do with a proposal that is the text of the file.
fn unchanged(language: &str) -> String {
    format!(
        "The file has this text already, so that writing it changes nothing: if its source changed and it is still \
         right, acknowledge it (gitglot review --language {language})."
    )
}

/// Why a proposal is no text for a string, whatever the checks say.
fn fault_of(proposal: &Proposal, source: &str, forms: usize) -> Option<String> {
    let is_same = |of_list: &Vec<String>| *of_list == super::list(source);
    if source.is_empty() {
        return Some("The source text is empty: there is nothing to translate.".to_owned());
    }
    if proposal.source.as_ref().is_some_and(|text| !is_same(text)) {
        return Some("The source text is not that of the list: make the list again.".to_owned());
    }
    if proposal.forms.len() != forms {
        let given = proposal.forms.len();
        return Some(format!(
            "The proposal has {given} texts, but the language needs {forms}: fill one for each of the forms."
        ));
    }
    let empty = proposal.forms.iter().position(String::is_empty);
    empty.map(|form| format!("Form {form} of the proposal is empty: fill all forms."))
}

/// The proposals for keys of a file that the template lacks.
fn left_over<'p>(
    component: &TodoComponent<'_>,
    index: usize,
    rows: &TemplateStrings<'_>,
    proposals: &SeededMap<&str, &'p Proposal>,
) -> Vec<(String, &'p Proposal)> {
    let file = &component.head.languages[index];
    let is_own = |it: &&Finding| {
        it.file == path_of_string(&file.path, it.key.id()) && it.language == file.language.code
    };
    let findings = component.findings.iter().filter(is_own);
    let left = findings.filter(|finding| WorkKind::of(finding.check) == Some(WorkKind::LeftOver));
    let left = left.filter(|finding| rows.row(finding.key.id()).is_none());
    let found = left.filter_map(|finding| {
        let id = id_of(&component.spec.name, &file.path, finding.key.id());
        Some((finding.key.shown().into_owned(), *proposals.get(&*id)?))
    });
    found.collect()
}

impl Verdict {
    fn new(
        proposal: &Proposal,
        place: Option<(Arc<str>, Arc<str>, String)>,
        reason: Option<String>,
    ) -> Self {
        let (file, language, key) = place.unwrap_or_else(|| ("".into(), "".into(), String::new()));
        Self {
            id: proposal.id.clone(),
            file,
            language,
            key,
            accepted: reason.is_none(),
            reason,
            note: None,
            problems: Vec::new(),
        }
    }

    /// Adds a finding of the file with the proposal. Faults are those of the bytes that the file has now.
    fn add(&mut self, finding: &Finding) {
        if matches!(
            finding.check,
            FindingKind::Check(_)
                | FindingKind::Accelerator
                | FindingKind::ForbiddenText
                | FindingKind::UnequalText
        ) {
            if finding.severity == Severity::Error {
                self.refuse(finding.message.clone());
            }
            self.problems.push(TodoProblem::of(finding));
        }
    }

    /// Refuses the proposal; the first reason counts.
    fn refuse(&mut self, reason: String) {
        self.accepted = false;
        self.note = None;
        self.reason.get_or_insert(reason);
    }
}

impl Validation {
    /// The result of two repositories for one list: that of the repository which has the string.
    #[must_use]
    pub fn or(mut self, other: Self) -> Self {
        for (this, other) in self.verdicts.iter_mut().zip(other.verdicts) {
            if this.file.is_empty() {
                *this = other;
            }
        }
        let accepted = self.verdicts.iter().filter(|verdict| verdict.accepted);
        self.accepted = accepted.count();
        self.refused = self.verdicts.len() - self.accepted;
        self
    }

    /// The result as lines of text.
    pub fn text(&self) -> String {
        let mut out = String::new();
        for verdict in &self.verdicts {
            let name = match &*verdict.file {
                "" => verdict.id.clone(),
                file => format!("{} {}: {}", verdict.id, line(file), line(&verdict.key)),
            };
            let problems = verdict.problems.iter();
            let warnings = problems.map(|problem| line(&problem.message));
            let warnings: Vec<String> = warnings.collect();
            let note = verdict.note.as_ref();
            let note = note.map_or_else(String::new, |note| format!(": {}", line(note)));
            let text = match &verdict.reason {
                Some(reason) => format!("refused  {name}: {}\n", line(reason)),
                None if warnings.is_empty() => format!("accepted {name}{note}\n"),
                None => format!("accepted {name}{note}: warning: {}\n", warnings.join(" ")),
            };
            out.push_str(&text);
        }
        let (accepted, refused, unfilled) = (self.accepted, self.refused, self.unfilled);
        out + &format!("{accepted} accepted, {refused} refused, {unfilled} not filled\n")
    }

    /// The result as one JSON document.
    pub fn json(&self) -> String {
        indented_json(self)
    }
}
