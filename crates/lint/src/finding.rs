//! One finding, and the identifiers of checks.

use std::borrow::Cow;
use std::sync::Arc;

use serde::{Serialize, Serializer};

use super::positions::FilePosition;
use gitglot_checks::{CheckId, Severity, SourceChange};
use gitglot_model::{FileFormat, KeyPatterns};

/// Declares the kinds that are no checks, those before the checks first: name, id, weight and the sentence that describes
/// the kind. The order is that of reports.
macro_rules! states {
    (
        $($first:ident $id:literal $severity:ident $text:literal;)*;
        $($last:ident $last_id:literal $last_severity:ident $last_text:literal;)*
    ) => {
        /// The kind of a finding: a check, or a state of a string or file.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub enum FindingKind {
            $(#[doc = $text] $first,)*
            /// A check fails.
            Check(CheckId),
            $(#[doc = $last_text] $last,)*
        }

        impl FindingKind {
            /// The kinds that are no checks.
            pub const STATES: [Self; [$($id,)* $($last_id),*].len()] = [$(Self::$first,)* $(Self::$last),*];

            /// The id of the check, or the word.
            pub const fn id(self) -> &'static str {
                match self {
                    Self::Check(check) => check.id(),
                    $(Self::$first => $id,)*
                    $(Self::$last => $last_id,)*
                }
            }

            /// The weight.
            pub const fn severity(self) -> Severity {
                match self {
                    Self::Check(check) => check.severity(),
                    $(Self::$first => Severity::$severity,)*
                    $(Self::$last => Severity::$last_severity,)*
                }
            }

            /// A sentence that describes the kind.
            pub const fn description(self) -> &'static str {
                match self {
                    Self::Check(check) => check.description(),
                    $(Self::$first => $text,)*
                    $(Self::$last => $last_text,)*
                }
            }
        }
    };
}

states! {
    ParseError "parse-error" Error "The file does not parse.";
    DuplicateKey "duplicate-key" Error "The key occurs twice, with different texts.";
    RepeatedKey "repeated-key" Warning "The key occurs twice, with the same text.";
    Escape "escape" Error "The format rejects or changes a part of the text.";
    NotRead "not-read" Warning "A value in source code is no data, so that it is not read.";
    Header "header" Warning "The header of the file lacks a field.";
    PluralForms "plural-forms" Error "The plural forms do not fit the rule of the file.";
    Accelerator "accelerator" Error "The keyboard accelerators differ from the source.";
    ForbiddenText "forbidden-text" Error "The configuration forbids a part of the translation.";
    UnequalText "unequal-text" Error "The configuration requires the source text in all languages.";
    FrontMatter "front-matter" Error "The front matter of the document does not parse.";
    MergeMark "merge-mark" Error "The document has the marks of a merge.";
    CodeBlock "code-block" Warning "The document has other code blocks than its source.";
    CodeContent "code-content" Note "The code in a block differs from that of the source.";
    DocumentLink "document-link" Warning "The document lacks a link or an image of the source.";
    ;
    Missing "missing" Warning "The string has no translation.";
    Stale "stale" Warning "The source text changed since the translation was written.";
    Removed "removed" Warning "The change removes the string or its translation.";
    RemovedUsed "removed-used" Error "The change removes a source string that the program uses.";
    Renamed "renamed" Warning "The change gives the string a new key, which not all translations have.";
    Restored "restored" Warning "The change sets texts back to older ones, which another author had replaced.";
    LeftOver "left-over" Warning "The template does not have the key.";
    MistypedKey "mistyped-key" Warning "The template has a similar key, which has no translation.";
    Configuration "configuration" Warning "The change modifies the configuration of the check.";
}

impl FindingKind {
    /// Whether it is a fault of a file that parses.
    pub(super) const fn is_fault(self) -> bool {
        matches!(
            self,
            Self::DuplicateKey
                | Self::RepeatedKey
                | Self::Escape
                | Self::NotRead
                | Self::Header
                | Self::PluralForms
                | Self::Accelerator
        )
    }

    /// The kind with this id.
    pub fn from_id(id: &str) -> Option<Self> {
        let state = Self::STATES.into_iter().find(|state| state.id() == id);
        state.or_else(|| CheckId::from_id(id).map(Self::Check))
    }

    /// The weight in a file that `msgfmt` compiles or not: it refuses texts that differ in line breaks at the ends.
    pub(super) fn severity_in(self, is_compiled: bool) -> Severity {
        match self {
            Self::Check(CheckId::BeginNewline | CheckId::EndNewline) if is_compiled => {
                Severity::Error
            }
            _ => self.severity(),
        }
    }

    /// Where the documentation describes the kind, from its root.
    pub fn documentation(self) -> String {
        match self {
            Self::Check(check) => format!("checks/{}.md", check.id()),
            _ => "spec/lint.md#findings".to_owned(),
        }
    }

    /// Whether what is set for this kind applies to another one, too: inferred placeholders in braces were reported as
    /// those of Python.
    pub(super) fn covers(self, other: Self) -> bool {
        let is_brace = other == Self::Check(CheckId::BraceFormat);
        self == other || (is_brace && self == Self::Check(CheckId::PythonBraceFormat))
    }
}

impl Serialize for FindingKind {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.id())
    }
}

/// One problem of a file or a string. Field order is the order in JSON.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Finding {
    /// The file, from the root of the repository.
    pub file: Arc<str>,
    /// The 1-based line.
    pub line: u32,
    /// The 1-based character of the line.
    pub column: u32,
    /// The key of the string; empty for a whole file.
    pub key: FindingKey,
    /// The check or the word.
    pub check: FindingKind,
    /// The language code.
    pub language: Arc<str>,
    /// The weight.
    pub severity: Severity,
    /// A human-readable sentence.
    pub message: String,
    /// `project/component`.
    pub component: Arc<str>,
    /// The source text; plural forms are joined with ` | `.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
    /// The translation.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub target: Option<String>,
    /// The source text that the translation was written for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub previous_source: Option<String>,
    /// How much the source text changed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub change: Option<SourceChange>,
    /// Whether the base lacks it; without a base always `true`.
    pub new: bool,
    /// Where the file is in the change.
    #[serde(skip)]
    pub relevance: Relevance,
}

/// The key of a string; of a bilingual file its context, if it has one, and the first form of its source. Reports show it as
/// files have it.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct FindingKey {
    id: String,
    format: Option<FileFormat>,
}

impl FindingKey {
    /// The key of a string of a file format.
    pub(super) fn new(format: FileFormat, key: &str) -> Self {
        Self {
            id: string_name(format, key).into_owned(),
            format: Some(format),
        }
    }

    /// The id of the string, which fingerprints have.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// The key as files have it.
    pub fn shown(&self) -> Cow<'_, str> {
        match self.format {
            Some(format) => format.shown_key(&self.id),
            None => self.id.as_str().into(),
        }
    }

    /// Whether the finding belongs to a whole file.
    pub fn is_empty(&self) -> bool {
        self.id.is_empty()
    }

    /// Whether a pattern matches it, as files have it or as an id.
    pub(super) fn matches(&self, patterns: &KeyPatterns) -> bool {
        !patterns.is_empty() && (patterns.contains(&self.id) || patterns.contains(&self.shown()))
    }
}

impl Serialize for FindingKey {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.shown())
    }
}

/// The key of a string as reports show it.
pub(super) fn report_key(format: FileFormat, key: &str) -> String {
    format.shown_key(&string_name(format, key)).into_owned()
}

/// The id of a string; in bilingual files its context, if it has one, and the first form of its source.
pub(super) fn string_name(format: FileFormat, key: &str) -> Cow<'_, str> {
    let shape = format.shape();
    shape.name(shape.context(key), shape.source(key).unwrap_or_default())
}

/// What reviewers of a change see of a finding: decides about its rank and place in reports
/// (`docs/spec/lint.md#order`).
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Relevance {
    /// Whether the file has the source texts.
    pub is_source: bool,
    /// Whether the change modifies the file.
    pub is_changed: bool,
    /// The source text of a finding in a translation.
    pub source: Option<SourcePlace>,
}

/// The place of a source text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SourcePlace {
    /// The template.
    pub file: Arc<str>,
    /// The 1-based line.
    pub line: u32,
    /// Whether the change modifies the template.
    pub is_changed: bool,
}

impl Finding {
    /// A change of a configuration file. It belongs to no component.
    pub fn of_configuration(file: &str, message: String) -> Self {
        let check = FindingKind::Configuration;
        Self {
            file: file.into(),
            line: 1,
            column: 1,
            key: FindingKey::default(),
            check,
            language: "".into(),
            severity: check.severity(),
            message,
            component: "".into(),
            source: None,
            target: None,
            previous_source: None,
            change: None,
            new: true,
            relevance: Relevance {
                is_changed: true,
                ..Relevance::default()
            },
        }
    }

    /// Moves the finding to a position; to the start of the file without one.
    pub(super) fn set_position(&mut self, position: Option<FilePosition>) {
        let position = position.unwrap_or(FilePosition::START);
        (self.line, self.column) = (position.line, position.column);
        self.file = position.path(&self.file);
    }

    /// Approximate size in memory, in bytes.
    pub fn memory(&self) -> usize {
        let texts = [&self.source, &self.target, &self.previous_source];
        let texts = texts.into_iter().flatten().map(String::capacity);
        size_of::<Self>() + self.key.id.capacity() + self.message.capacity() + texts.sum::<usize>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_check_has_an_id_that_parses_to_it() {
        let checks = CheckId::ALL.iter().map(|check| check.id());
        for id in checks.chain(FindingKind::STATES.map(FindingKind::id)) {
            assert_eq!(FindingKind::from_id(id).unwrap().id(), id);
        }
        assert_eq!(FindingKind::from_id("nope"), None);
    }
}
