//! What a configuration says of projects and components.

use super::{ComponentId, FileMask, ProjectId, Slug};

/// A project: a name over components.
#[derive(Clone, Debug)]
pub struct Project {
    /// Its number.
    pub id: ProjectId,
    /// Its name in URLs.
    pub slug: Slug,
    /// Its name for people.
    pub name: String,
    /// The project's web site, or `""`.
    pub web: String,
    /// Code of the language that the template is written in.
    pub source_language: String,
}

/// A component: the files of one mask in one branch of one repository.
#[derive(Clone, Debug)]
pub struct Component {
    /// Its number.
    pub id: ComponentId,
    /// The project it stands in.
    pub project: ProjectId,
    /// Its name in URLs.
    pub slug: Slug,
    /// Its name for people.
    pub name: String,
    /// The upstream address, without user name and password.
    pub repo: String,
    /// The branch that is followed.
    pub branch: String,
    /// Which files are translations.
    pub filemask: FileMask,
    /// Path of the template from the repository's root.
    pub template: String,
    /// How the files are written.
    pub file_format: FileFormat,
    /// Path of the file that new languages start from, or `""`.
    pub new_base: String,
    /// Licence of the translations, or `""`.
    pub license: String,
    /// Where that licence can be read, or `""`.
    pub license_url: String,
    /// Public address of the repository for export, or `""`.
    pub git_export: String,
    /// Place among the components of its project: lower comes first; 100 unless set.
    pub priority: u32,
    /// Masks that the files had before, for renames that cannot be guessed.
    pub previous_filemasks: Vec<FileMask>,
    /// More names of translation platforms, beside the built-in ones.
    pub platforms: Vec<String>,
}

impl Component {
    /// The priority of a component that is given none, as in Weblate 3.4.
    pub const MEDIUM_PRIORITY: u32 = 100;

    /// A component with all that one cannot be without. Its numbers are 0 until they are known; its name is its slug;
    /// whatever else may be said of it is not.
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

/// How a translation file is written.
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

    /// The format of that name.
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
