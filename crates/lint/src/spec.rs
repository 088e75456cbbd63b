//! A component to check.

use std::sync::Arc;

use gitglot_checks::Checker;
use gitglot_history::ReviewedFile;
use gitglot_model::{Component, KeySeparators};

/// A component to check.
#[derive(Clone, Debug)]
pub struct ComponentSpec {
    /// `project/component`.
    pub name: Arc<str>,
    /// Mask, template and format.
    pub component: Component,
    /// The language code of the template.
    pub source_language: String,
    /// The checks of translations.
    pub checker: Checker,
    /// The checks of source texts, if they are enabled.
    pub source_checker: Option<Checker>,
    /// The separators of keys.
    pub separators: KeySeparators,
    /// The acknowledged translations in the file of the state that is checked.
    pub reviewed: Arc<ReviewedFile>,
}
