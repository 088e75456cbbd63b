//! The example repositories that `gitglot demo` serves, embedded as `git fast-import` streams.

use std::path::Path;

use gitglot_fast_import::{ImportError, Imported, fast_import};
use gitglot_model::FileFormat;

/// An example repository, with the settings of its only component.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Demo {
    /// Name of the project in URLs.
    pub project: &'static str,
    /// Display name of the project.
    pub project_name: &'static str,
    /// Web site of the project.
    pub web: &'static str,
    /// Code of the source language.
    pub source_language: &'static str,
    /// Name of the component in URLs.
    pub component: &'static str,
    /// Display name of the component.
    pub component_name: &'static str,
    /// Followed branch.
    pub branch: &'static str,
    /// Filemask of the translation files.
    pub filemask: &'static str,
    /// Path of the template.
    pub template: &'static str,
    /// Format of the translation files.
    pub file_format: FileFormat,
    /// Licence of the translations.
    pub license: &'static str,
    /// The history, as a `git fast-import` stream.
    pub stream: &'static [u8],
}

impl Demo {
    /// Writes the repository to the empty or missing directory `dir`.
    ///
    /// # Errors
    /// When the directory cannot be written.
    pub fn write(&self, dir: &Path) -> Result<Imported, ImportError> {
        fast_import(dir, self.stream)
    }
}

/// Every example repository, in the order in which the demo lists them.
pub static DEMOS: [Demo; 2] = [
    Demo {
        project: "reading-lamp",
        project_name: "Reading Lamp",
        web: "https://example.org/reading-lamp",
        source_language: "en",
        component: "extension",
        component_name: "Extension",
        branch: "main",
        filemask: "src/_locales/*/messages.json",
        template: "src/_locales/en/messages.json",
        file_format: FileFormat::WebExtension,
        license: "MIT",
        stream: include_bytes!("../example-repos/reading-lamp.fi"),
    },
    Demo {
        project: "seedbook",
        project_name: "Seedbook",
        web: "https://example.org/seedbook",
        source_language: "en",
        component: "app",
        component_name: "App",
        branch: "main",
        filemask: "locales/*.json",
        template: "locales/template.json",
        file_format: FileFormat::Json,
        license: "Apache-2.0",
        stream: include_bytes!("../example-repos/seedbook.fi"),
    },
];

#[cfg(test)]
mod tests;
