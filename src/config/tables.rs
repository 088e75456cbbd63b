//! The tables of the configuration file as they are written. Keys and their meaning:
//! `docs/spec/settings.md#configuration-file`.

use std::collections::BTreeMap;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};
use toml::Spanned;

use super::Percentage;
use super::values::{NonEmpty, SeparatorText, SeparatorValue};
use gitglot_checks::MessageSyntax;
use gitglot_follow::Secret;
use gitglot_model::{FileFormat, FileMask, MaskPattern, RefPattern, RepoPath, Slug};

/// `[[project]]`.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ProjectTable {
    pub slug: Option<Spanned<Slug>>,
    pub name: Option<String>,
    pub web: Option<String>,
    pub instructions: Option<String>,
    pub source_language: Option<NonEmpty>,
    #[serde(default)]
    pub component: Vec<Spanned<ComponentTable>>,
}

/// `[[project.component]]`.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ComponentTable {
    pub slug: Option<Spanned<Slug>>,
    pub name: Option<String>,
    pub repo: Option<Spanned<String>>,
    pub branch: Option<NonEmpty>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub branches: Vec<RefPattern>,
    pub token_file: Option<PathBuf>,
    pub token_env: Option<String>,
    pub username: Option<String>,
    pub credential_helper: Option<String>,
    pub ssh_key: Option<PathBuf>,
    pub known_hosts: Option<PathBuf>,
    pub ca_file: Option<PathBuf>,
    pub filemask: Option<Spanned<MaskPattern>>,
    pub template: Option<RepoPath>,
    pub file_format: Option<FileFormat>,
    pub license: Option<String>,
    pub license_url: Option<String>,
    pub new_base: Option<String>,
    pub git_export: Option<String>,
    pub repoweb: Option<String>,
    pub priority: Option<u32>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub previous_filemasks: Vec<Spanned<FileMask>>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub platforms: Vec<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub bots: Vec<NonEmpty>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub machines: Vec<NonEmpty>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub humans: Vec<NonEmpty>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub review_marks: Vec<NonEmpty>,
    pub renames: Option<bool>,
    pub changelogs: Option<bool>,
    pub key_column: Option<NonEmpty>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub note_columns: Vec<NonEmpty>,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub language_columns: BTreeMap<String, NonEmpty>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub source_commits: Vec<NonEmpty>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub ignored_commits: Vec<NonEmpty>,
    pub earlier_sources: Option<bool>,
    pub release_languages: Option<Percentage>,
    pub checks: Option<Spanned<ChecksSetting>>,
    pub check_flags: Option<Spanned<String>>,
    pub placeholders: Option<Spanned<String>>,
    pub interpolation: Option<[NonEmpty; 2]>,
    pub use_escaping: Option<bool>,
    pub message_syntax: Option<MessageSyntax>,
    pub key_separator: Option<SeparatorValue>,
    pub ns_separator: Option<SeparatorValue>,
    pub plural_separator: Option<SeparatorText>,
    #[serde(skip_serializing)]
    pub hook_secret: Option<Secret>,
}

/// The value of `checks`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ChecksSetting {
    Legacy,
    #[serde(rename = "modern")]
    Current,
}
