//! A component as detection finds it.

use gitglot_model::{FileFormat, FileMask};

/// A detected component.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DetectedComponent {
    /// The pattern of its files.
    pub filemask: FileMask,
    /// The path of the template; `""` for bilingual files.
    pub template: String,
    /// Whether neither its name nor a file of settings says that this is the template.
    pub is_template_guessed: bool,
    /// The format of its files.
    pub file_format: FileFormat,
    /// The path of the file that new languages start from, such as the POT file of PO files; `""` if there is none.
    pub new_base: String,
    /// The source language that its files name.
    pub source_language: Option<String>,
}

impl DetectedComponent {
    pub(super) fn new(filemask: FileMask, template: String, file_format: FileFormat) -> Self {
        Self {
            filemask,
            template,
            is_template_guessed: false,
            file_format,
            new_base: String::new(),
            source_language: None,
        }
    }
}
