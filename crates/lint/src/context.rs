//! The input of a check: the scope, the filters and known results.

use std::sync::Arc;

use regex::Regex;

use super::finding::FindingKey;
use super::moves::ComponentMoves;
use crate::finding::{Finding, FindingKind};
use crate::language_file::ParsedFileKey;
use crate::report::Counts;
use crate::restored::RestoredTexts;
use crate::uses::KeyUses;
use gitglot_checks::{Checker, Severity, TextContext};
use gitglot_model::{KeyPatterns, PathPattern, Unlimited, WorkLimit, matches_key};

/// Results of a component that need not be computed again.
pub trait KnownResults: Sync {
    /// The index of a language.
    fn language(&self, code: &str) -> Option<usize>;

    /// The index of a string with this key and this source text.
    fn string(&self, key: &str, source: &str) -> Option<usize>;

    /// The checks that they are results of, with what their template shows.
    fn checker(&self) -> &Checker;

    /// Whether a text is the known translation of a string, in this context, and passes all checks.
    fn passes(
        &self,
        language: usize,
        string: usize,
        translation: &str,
        context: TextContext<'_>,
    ) -> bool;

    /// The numbers of a file by itself.
    fn counts(&self, file: &FileVersion) -> Option<Counts>;

    /// Keeps the numbers of a file.
    fn keep(&self, file: FileVersion, counts: Counts);
}

/// A translation, its template and what people read in place of its sources, by their contents.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct FileVersion {
    /// The language code.
    pub language: Arc<str>,
    /// The translation.
    pub file: ParsedFileKey,
    /// The template.
    pub template: ParsedFileKey,
    /// The file with what people read in place of the sources, if bilingual files have one.
    pub wording: Option<ParsedFileKey>,
}

/// The part of a comparison that is computed.
#[derive(Clone, Copy)]
pub struct CheckScope<'a> {
    /// Selects files by path.
    pub selects: &'a (dyn Fn(&str) -> bool + Sync),
    /// Filters of findings.
    pub options: &'a CheckOptions,
    /// Whether only findings that are not in the base are returned. All are counted.
    pub only_new: bool,
    /// Results that need not be computed again.
    pub known: Option<&'a dyn KnownResults>,
    /// Finds uses of removed keys in source code.
    pub uses: Option<&'a dyn KeyUses>,
    /// The strings that move between this component and others.
    pub moves: Option<&'a ComponentMoves<'a>>,
    /// The texts that the commits of the change set back to older ones.
    pub restored: Option<&'a RestoredTexts>,
    /// Ends the work early. The result is then incomplete.
    pub limit: &'a dyn WorkLimit,
}

impl CheckScope<'_> {
    /// Everything.
    pub const ALL: Self = Self {
        selects: &|_: &str| true,
        options: &CheckOptions {
            rules: Vec::new(),
            ignored_keys: KeyPatterns::NONE,
            excluded: Vec::new(),
            accelerator: None,
            equal_keys: KeyPatterns::NONE,
            forbidden: Vec::new(),
        },
        only_new: false,
        known: None,
        uses: None,
        moves: None,
        restored: None,
        limit: &Unlimited,
    };
}

/// Filters of findings.
#[derive(Clone, Default, Debug)]
pub struct CheckOptions {
    /// Other severities than the usual ones. The last rule that matches counts.
    pub rules: Vec<SeverityRule>,
    /// Patterns of keys without findings.
    pub ignored_keys: KeyPatterns,
    /// Files that are not checked.
    pub excluded: Vec<PathPattern>,
    /// The sign before the letter of a keyboard accelerator in bilingual files.
    pub accelerator: Option<char>,
    /// Patterns of keys whose translations must be the source texts.
    pub equal_keys: KeyPatterns,
    /// Texts that translations may not have.
    pub forbidden: Vec<ForbiddenText>,
}

impl CheckOptions {
    /// Whether no finding is left out or added.
    pub(super) fn is_empty(&self) -> bool {
        self.rules.is_empty()
            && self.ignored_keys.is_empty()
            && self.accelerator.is_none()
            && self.equal_keys.is_empty()
            && self.forbidden.is_empty()
    }

    /// Whether a file is not checked.
    pub fn excludes(&self, path: &str) -> bool {
        self.excluded.iter().any(|pattern| pattern.matches(path))
    }

    /// The finding with the severity that the rules give it; `None` if it is left out.
    pub fn applied_to(&self, mut finding: Finding) -> Option<Finding> {
        let place = FindingPlace {
            kind: finding.check,
            component: &finding.component,
            language: &finding.language,
            path: &finding.file,
        };
        finding.severity = self.severity(place, &finding.key, finding.severity)?;
        Some(finding)
    }

    /// The severity of a finding, `usual` without a rule; `None` if it is left out.
    pub(super) fn severity(
        &self,
        finding: FindingPlace<'_>,
        key: &FindingKey,
        usual: Severity,
    ) -> Option<Severity> {
        if key.matches(&self.ignored_keys) {
            return None;
        }
        let mut rules = self.rules.iter().rev();
        let rule = rules.find(|rule| rule.applies_to(finding));
        rule.map_or(Some(usual), |rule| rule.severity)
    }
}

/// The severity of the findings of a kind, everywhere or in some files.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SeverityRule {
    /// The kind.
    pub kind: FindingKind,
    /// `None` leaves the findings out.
    pub severity: Option<Severity>,
    /// A pattern of `project/component`; `*` matches any text. `None` matches all, here and below.
    pub component: Option<String>,
    /// A pattern of language codes.
    pub language: Option<String>,
    /// A pattern of paths of files.
    pub path: Option<String>,
}

impl SeverityRule {
    fn applies_to(&self, finding: FindingPlace<'_>) -> bool {
        let matches = |pattern: &Option<String>, text: &str| {
            let pattern = pattern.as_deref();
            pattern.is_none_or(|pattern| matches_key(pattern, text))
        };
        self.kind.covers(finding.kind)
            && matches(&self.component, finding.component)
            && matches(&self.language, finding.language)
            && matches(&self.path, finding.path)
    }
}

/// A text that translations may not have.
#[derive(Clone, Debug)]
pub struct ForbiddenText {
    /// A pattern of language codes; `None` matches all.
    pub language: Option<String>,
    /// What is forbidden.
    pub pattern: Regex,
    /// What to write in its place, as a sentence.
    pub message: String,
}

/// What the rules of severity depend on.
#[derive(Clone, Copy)]
pub(super) struct FindingPlace<'a> {
    pub(super) kind: FindingKind,
    pub(super) component: &'a str,
    pub(super) language: &'a str,
    pub(super) path: &'a str,
}
