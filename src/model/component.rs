//! Configured projects and components.

use super::{ComponentId, FileMask, ProjectId, Slug};

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
    /// Language code of the templates.
    pub source_language: String,
}

/// The files that match a mask on a branch of a repository.
#[derive(Clone, Debug)]
pub struct Component {
    /// Its id.
    pub id: ComponentId,
    /// Its project.
    pub project: ProjectId,
    /// Name in URLs.
    pub slug: Slug,
    /// Display name.
    pub name: String,
    /// The repository URL, without user name and password.
    pub repo: String,
    /// The branch to follow.
    pub branch: String,
    /// The pattern of the translation files.
    pub filemask: FileMask,
    /// Path of the template from the root of the repository.
    pub template: String,
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
    /// Position in the project; lower values come first.
    pub priority: u32,
    /// Earlier masks of the files, for renames that cannot be detected.
    pub previous_filemasks: Vec<FileMask>,
    /// Additional author names of translation platforms.
    pub platforms: Vec<String>,
}

impl Component {
    /// The default priority, as in Weblate 3.4.
    pub const MEDIUM_PRIORITY: u32 = 100;

    /// Creates a component with default values. Its ids are 0, its name is its slug.
    pub fn new(slug: Slug, filemask: FileMask, template: &str, file_format: FileFormat) -> Self {
        Self {
            id: ComponentId(0),
            project: ProjectId(0),
            name: slug.to_string(),
            slug,
            repo: String::new(),
            branch: String::new(),
            filemask,
            template: template.to_owned(),
            file_format,
            new_base: String::new(),
            license: String::new(),
            license_url: String::new(),
            git_export: String::new(),
            priority: Self::MEDIUM_PRIORITY,
            previous_filemasks: Vec::new(),
            platforms: Vec::new(),
        }
    }
}

/// The format of a translation file.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum FileFormat {
    /// Nested JSON of texts (docs/spec/formats.md#json).
    Json,
    /// Messages of browser extensions (docs/spec/formats.md#webextension).
    WebExtension,
}

impl FileFormat {
    /// Every format.
    pub const ALL: [Self; 2] = [Self::Json, Self::WebExtension];

    /// The name in `file_format`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Json => "json",
            Self::WebExtension => "webextension",
        }
    }

    /// Finds a format by name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|format| format.name() == name)
    }
}

impl std::str::FromStr for FileFormat {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        let known = Self::ALL.map(Self::name).join(" or ");
        Self::from_name(name).ok_or_else(|| format!("'{name}' is not a supported file format: write {known}"))
    }
}
