//! Configured projects and components.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ops::Deref;

use super::front_matter::{SOURCE_COMMITS, source_commit, source_date};
use super::group::{
    GroupFolder, MAX_GROUP_BYTES, MAX_GROUPED_BYTES, PLURALS_ENDING, file_of_group,
};
use crate::file_format::FileFormat;
use crate::filemask::FileMask;
use crate::ids::{ComponentId, ProjectId};
use crate::ref_pattern::RefPattern;
use crate::slug::Slug;

/// A group of components.
#[derive(Clone, Debug)]
pub struct Project {
    /// Its id.
    pub id: ProjectId,
    /// Name in URLs.
    pub slug: Slug,
    /// Display name.
    pub name: String,
    /// Web site, or `""`.
    pub web: String,
    /// Instructions for translators, or `""`.
    pub instructions: String,
    /// Language code of the templates.
    pub source_language: String,
}

/// The files that match a mask on a branch of a repository. It dereferences to its settings.
#[derive(Clone, Debug)]
pub struct Component {
    /// Its id.
    pub id: ComponentId,
    /// Its project.
    pub project: ProjectId,
    /// The repository URL, without user name and password.
    pub repo: String,
    /// The branch to follow.
    pub branch: String,
    /// Its names and files.
    pub settings: ComponentSettings,
}

/// The settings that a component and its configuration share.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ComponentSettings {
    /// Name in URLs.
    pub slug: Slug,
    /// Display name.
    pub name: String,
    /// The other branches and references that requests may name.
    pub branches: Vec<RefPattern>,
    /// The pattern of the translation files.
    pub filemask: FileMask,
    /// Path of the template from the root of the repository.
    pub template: String,
    /// Whether detection had no better template, so that it may be a translation.
    pub is_template_guessed: bool,
    /// The format of the files.
    pub file_format: FileFormat,
    /// Path of the file that new languages start from, or `""`.
    pub new_base: String,
    /// Licence of the translations, or `""`.
    pub license: String,
    /// URL of the licence, or `""`.
    pub license_url: String,
    /// Public address of the repository for export, or `""`.
    pub git_export: String,
    /// URL of a line of a file at the repository host, with placeholders, or `""`.
    pub repoweb: String,
    /// Position in the project; lower values come first.
    pub priority: u32,
    /// Earlier masks of the files, for renames that cannot be detected.
    pub previous_filemasks: Vec<FileMask>,
    /// Additional author names of translation platforms.
    pub platforms: Vec<String>,
    /// Those of accounts that commit what others wrote.
    pub bots: Vec<String>,
    /// Those of programs that write texts.
    pub machines: Vec<String>,
    /// Those of people, whatever other names fit.
    pub humans: Vec<String>,
    /// What a text begins with that somebody has to read again.
    pub review_marks: Vec<String>,
    /// Whether renamed keys keep their history.
    pub renames: bool,
    /// Whether changelogs of app stores are strings.
    pub changelogs: bool,
    /// Which columns of tables have what.
    pub columns: TableColumns,
    /// More names of fields in which documents have the commit of the source that they were made from.
    pub source_commits: Vec<String>,
    /// Changes of source texts do not count in commits whose messages contain one of these.
    pub ignored_commits: Vec<String>,
    /// Whether the API shows previous sources that only the history has.
    pub earlier_sources: bool,
    /// The translated share from which on a language is ready for a release, in tenths of a percent; all strings without
    /// one.
    pub release_languages: Option<u32>,
}

/// The columns of a table with a column for each language (docs/spec/formats.md#csv-columns), as far as settings name them.
#[derive(Clone, PartialEq, Eq, Hash, Default, Debug)]
pub struct TableColumns {
    /// The one with the keys.
    pub key: Option<String>,
    /// Those with notes.
    pub notes: Vec<String>,
    /// The codes of languages, by the names of their columns.
    pub languages: BTreeMap<String, String>,
}

impl TableColumns {
    /// The names of all columns.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        let others = self.key.iter().chain(&self.notes);
        others.chain(self.languages.keys()).map(String::as_str)
    }
}

impl Component {
    /// Creates a component with these settings. Its ids are 0, its repository and branch are empty.
    pub fn new(settings: ComponentSettings) -> Self {
        Self {
            id: ComponentId(0),
            project: ProjectId(0),
            repo: String::new(),
            branch: String::new(),
            settings,
        }
    }
}

impl Deref for Component {
    type Target = ComponentSettings;

    fn deref(&self) -> &ComponentSettings {
        &self.settings
    }
}

impl ComponentSettings {
    /// The default priority, as in Weblate 3.4.
    pub const MEDIUM_PRIORITY: u32 = 100;

    /// The required settings; everything else has its default. The name is the slug.
    pub fn new(slug: Slug, filemask: FileMask, template: &str, file_format: FileFormat) -> Self {
        Self {
            name: slug.to_string(),
            slug,
            branches: Vec::new(),
            filemask,
            template: template.to_owned(),
            is_template_guessed: false,
            file_format,
            new_base: String::new(),
            license: String::new(),
            license_url: String::new(),
            git_export: String::new(),
            repoweb: String::new(),
            priority: Self::MEDIUM_PRIORITY,
            previous_filemasks: Vec::new(),
            platforms: Vec::new(),
            bots: Vec::new(),
            machines: Vec::new(),
            humans: Vec::new(),
            review_marks: Vec::new(),
            renames: true,
            changelogs: true,
            columns: TableColumns::default(),
            source_commits: Vec::new(),
            ignored_commits: Vec::new(),
            earlier_sources: false,
            release_languages: None,
        }
    }

    /// The translated share that a language needs for a release, in tenths of a percent.
    pub fn needed_tenths(&self) -> u32 {
        self.release_languages.unwrap_or(1000)
    }

    /// Whether a file of a repository is one of the component.
    pub fn has_file(&self, path: &str) -> bool {
        let has_name = || !self.filemask.has_groups() || self.file_format.has_name(path);
        self.filemask.has_file(path) && has_name()
    }

    /// The language of a file of a group, `""` of the source texts, and its path without the language; `None` if the component
    /// does not have it. The path is relative to the base of the groups.
    pub fn place_in_group<'p>(
        &self,
        folder: &GroupFolder,
        path: &'p str,
    ) -> Option<(&'p str, Cow<'p, str>)> {
        let is_changelog = |key: &str| {
            self.file_format == FileFormat::AppStore
                && (key.starts_with("changelogs/") || key == "release_notes.txt")
        };
        self.file_format.has_name(path).then_some(())?;
        let is_one = |key: &str| !self.filemask.has_tables() || matches!(key, "" | PLURALS_ENDING);
        let place = folder.place(path)?;
        (is_one(&place.1) && (self.changelogs || !is_changelog(&place.1))).then_some(place)
    }

    /// The field of a document with the commit of the source that it was made from, and the id of that commit or its first digits
    /// (docs/spec/change-log.md#recorded-sources).
    pub fn source_commit<'t>(&'t self, text: &'t str) -> Option<(&'t str, &'t str)> {
        if self.file_format != FileFormat::Document {
            return None;
        }
        let configured = self.source_commits.iter().map(String::as_str);
        source_commit(text, configured.chain(SOURCE_COMMITS))
    }

    /// The field of a document with the date of the source that it was made from, and that date
    /// (docs/spec/change-log.md#recorded-dates).
    pub fn source_date<'t>(&self, text: &'t str) -> Option<(&'static str, &'t str)> {
        match self.file_format {
            FileFormat::Document => source_date(text),
            _ => None,
        }
    }

    /// Most bytes of a file of a group that counts.
    pub fn max_grouped_bytes(&self) -> usize {
        if self.filemask.has_tables() {
            MAX_GROUP_BYTES
        } else {
            MAX_GROUPED_BYTES
        }
    }

    /// Path of the file of a string, if a translation is a group of files with one string each. `code` is that of the translation, `None` for the
    /// template.
    pub fn file_of_string(&self, code: Option<&str>, key: &str) -> Option<String> {
        if self.filemask.names_files() {
            return None;
        }
        let group = match code {
            Some(code) => self.filemask.with_code(code),
            None => self.filemask.source_path(&self.template),
        };
        file_of_group(&group, key)
    }

    /// Path of the file with the strings of the program: the template, for bilingual files `new_base`; `""` without one.
    pub fn source_file(&self) -> &str {
        if self.file_format.shape().has_template() {
            &self.template
        } else {
            &self.new_base
        }
    }
}
