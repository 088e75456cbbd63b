//! The repositories that `gitglot demo` serves, as scripts inside the program.

use crate::model::FileFormat;

/// A bundled history, and what a configuration says of its one component.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Demo {
    /// Name of the project in URLs.
    pub project: &'static str,
    /// Name of the project for people.
    pub project_name: &'static str,
    /// The project's web site.
    pub web: &'static str,
    /// Code of the language that the template is written in.
    pub source_language: &'static str,
    /// Name of the component in URLs.
    pub component: &'static str,
    /// Name of the component for people.
    pub component_name: &'static str,
    /// The branch to follow.
    pub branch: &'static str,
    /// Which files are translations.
    pub filemask: &'static str,
    /// Path of the template.
    pub template: &'static str,
    /// How the files are written.
    pub file_format: FileFormat,
    /// Licence of the translations.
    pub license: &'static str,
    /// The history, for [`parse`](super::parse).
    pub script: &'static str,
}

/// Every bundled history, in the order in which the demo lists them.
pub fn demo() -> &'static [Demo] {
    &DEMO
}

static DEMO: [Demo; 2] = [
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
        script: include_str!("../../example-repos/reading-lamp.history"),
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
        script: include_str!("../../example-repos/seedbook.history"),
    },
];

#[cfg(test)]
mod tests;
