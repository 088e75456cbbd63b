//! Stale translations: those that a change makes, and those that the history has made before.

use std::sync::Arc;

use crate::component_files::ComponentFiles;
use crate::error::LintError;
use gitglot_git::Repository;
use gitglot_history::{History, UnknownNames};
use gitglot_model::{CommitId, Component, SeededMap, TextId, Timestamp};

/// The stale strings of a state, by path and key, each with the source that was translated.
pub type StaleStrings = SeededMap<Arc<str>, SeededMap<String, String>>;

/// The state that translations are compared with to find stale ones.
#[derive(Clone, Copy, Debug)]
pub struct StaleReference<'a> {
    /// The state.
    pub side: &'a ComponentFiles,
    /// The strings that are stale in it.
    pub stale: &'a StaleStrings,
    /// The strings that are stale at the base; with it, all others are new. Without it, all are new.
    pub at_base: Option<&'a StaleStrings>,
    /// Whether `stale` is that of the complete history, so that all stale strings are known.
    pub is_complete: bool,
}

/// The history of a component, read up to one commit after the other, which knows the stale strings
/// (`docs/spec/change-log.md#stale-translations`).
pub struct StaleHistory(History);

impl StaleHistory {
    /// A history of which nothing was read.
    pub fn new(component: &Component, source_language: &str) -> Self {
        Self(History::new(Arc::new(component.clone()), source_language))
    }

    /// Notes the names in acknowledgements that the component has; takes over its own if there are none yet.
    pub fn find_names(&self, unknown: &mut Option<UnknownNames>) {
        self.0.find_names(unknown);
    }

    /// Reads on to a commit and returns the strings that are stale there. Ask for ancestors first: then every commit
    /// is read once.
    ///
    /// # Errors
    /// If the history cannot be read.
    pub fn at(
        &mut self,
        repository: &Repository,
        commit: CommitId,
    ) -> Result<StaleStrings, LintError> {
        let now = Timestamp::from_seconds(i64::MAX);
        self.0.step(repository, commit, now, &|_| ())?;
        let projection = self.0.project(repository)?;
        let text = |id| projection.texts.get(id).to_owned();
        let mut found = StaleStrings::default();
        for translation in &projection.translations {
            let strings = translation.stale.iter().filter_map(|&(row, source)| {
                let earlier = translation.earlier_source(row);
                let source = match earlier {
                    TextId::EMPTY => source,
                    earlier => earlier,
                };
                let string = translation.string_of(row);
                let string = projection.sources.get(string as usize)?;
                let context = text(string.context);
                let key = projection.shape.key(&context, &text(string.source));
                Some((key.into_owned(), text(source)))
            });
            let strings: SeededMap<String, String> = strings.collect();
            if !strings.is_empty() {
                found.insert(translation.own_path.clone(), strings);
            }
        }
        Ok(found)
    }
}
