//! Why detection fails, with what to do.

use super::other_files::OtherFiles;
use gitglot_model::{FileMaskError, TooManyNames};

/// Why a repository cannot be served as it is; trying again does not help.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum DiscoverError {
    /// No file looks like a translation.
    #[error("no translation files were found{0}; set --filemask, such as 'PATH/*.json'")]
    NothingFound(OtherFiles),
    /// Two files of a mask have the same language.
    #[error(
        "the file mask '{mask}' is ambiguous: '{first}' and '{second}' both have the language code '{code}'; use \
         {{language}} and {{name}} instead of '*', such as '{example}'"
    )]
    Ambiguous {
        /// The mask.
        mask: String,
        /// One of the files.
        first: String,
        /// The other file.
        second: String,
        /// The code of both.
        code: String,
        /// The mask with placeholders.
        example: String,
    },
    /// The mask that is given names no file.
    #[error("the file mask '{0}' matches no file on the branch")]
    NoFile(String),
    /// A template for files that have their own source texts.
    #[error("the files have their own source texts: remove the template '{0}'")]
    Bilingual(String),
    /// The template that is given is not there.
    #[error("the template '{0}' does not exist on the branch")]
    NoTemplate(String),
    /// No file of the mask is the likely template.
    #[error("cannot detect which file of '{0}' contains the source texts: set --template PATH")]
    TemplateUnknown(String),
    /// The template belongs to no mask that was found.
    #[error("cannot detect the translations of '{0}': set --filemask 'PATH/*.json'")]
    MaskUnknown(String),
    /// The template's content does not reveal its format.
    #[error("cannot detect the format of '{path}': {reason}; set --file-format")]
    FormatUnknown {
        /// The template.
        path: String,
        /// Why it does not parse.
        reason: String,
    },
    /// A mask or a template that is given is not there, and detection finds others.
    #[error("{problem}; detected are {masks}")]
    OtherMasks {
        /// Why the settings do not fit.
        problem: Box<Self>,
        /// The masks that were detected, as words.
        masks: String,
    },
    /// Components were found, but not the requested one.
    #[error(
        "no component '{wanted}' was found, but {found}: choose one of these, or set --filemask"
    )]
    NoSuchComponent {
        /// The requested component.
        wanted: String,
        /// The components found, as words.
        found: String,
    },
    /// The mask has too many names.
    #[error(transparent)]
    TooManyNames(#[from] TooManyNames),
    /// The mask does not fit the format.
    #[error(transparent)]
    Mask(#[from] FileMaskError),
    /// The address has no last part to make a slug of.
    #[error("cannot derive a project name from the repository URL: set one with --project SLUG")]
    NamelessProject,
}
