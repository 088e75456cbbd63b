//! A row of the log of current Weblate.

use std::borrow::Cow;

use crate::log::ChangeView;
use gitglot_model::{CommitId, PLURAL_SEPARATOR, TextId};

/// The actions of rows, as numbers of current Weblate.
pub mod actions {
    /// A file changed.
    pub const RESOURCE_UPDATED: u8 = 0;
    /// The component no longer takes changes.
    pub const COMPONENT_LOCKED: u8 = 14;
    /// The branch was read.
    pub const REPOSITORY_REBASED: u8 = 21;
    /// A file does not parse.
    pub const PARSING_FAILED: u8 = 24;
    /// A file was removed.
    pub const TRANSLATION_REMOVED: u8 = 25;
    /// The source text of a translated string changed.
    pub const SOURCE_CHANGED: u8 = 30;
    /// Something is wrong with the files.
    pub const ALERT_TRIGGERED: u8 = 47;
    /// A text changed.
    pub const STRING_UPDATED: u8 = 59;
    /// A string was added.
    pub const STRING_ADDED: u8 = 71;
    /// A source was added to a bilingual file.
    pub const SOURCE_ADDED: u8 = 90;
    /// The branch has new commits.
    pub const REMOTE_UPDATED: u8 = 101;
}

/// A row of the log of current Weblate.
#[derive(Clone, Copy, Debug)]
pub struct CurrentChange<'a> {
    /// Where and when: the entry of the log that the row comes from, with the translation and string of the row.
    pub view: ChangeView<'a>,
    /// The id. That of the entry, if it has one row.
    pub id: u64,
    /// The number of the action in current Weblate.
    pub action: u8,
    /// Whether the account for updates of the repository did it.
    pub has_account: bool,
    /// More about it.
    pub details: RowDetails<'a>,
}

/// What a row says beyond its texts.
#[derive(Clone, Copy, Debug)]
pub enum RowDetails<'a> {
    /// Nothing.
    None,
    /// The states of a string after and before, as numbers of current Weblate; -1 if it did not exist.
    States(i8, i8),
    /// The path of a file, and whether it is new.
    File(&'a str, bool),
    /// The path of a file that does not parse.
    Broken(&'a str),
    /// The name of an alert.
    Alert(&'static str),
    /// The component was locked.
    Locked,
    /// The commits before and after.
    Heads(CommitId, CommitId),
    /// The same, of the branch.
    Branch(CommitId, CommitId),
}

impl<'a> CurrentChange<'a> {
    /// The text after the change.
    pub fn target(&self) -> Cow<'a, str> {
        self.shown(self.view.entry.target)
    }

    /// The text before the change; `""` if the string did not exist.
    pub fn old(&self) -> Cow<'a, str> {
        match self.details {
            RowDetails::States(_, -1) if self.action != actions::SOURCE_CHANGED => Cow::default(),
            _ => self.shown(self.view.entry.previous),
        }
    }

    /// The source text after the change.
    pub fn source(&self) -> &'a str {
        self.view.component.texts.get(self.view.entry.source)
    }

    /// A text; a translation of plural forms has as many as the language.
    fn shown(&self, text: TextId) -> Cow<'a, str> {
        let texts = &self.view.component.texts;
        let is_plural = texts.is_plural(text) || texts.is_plural(self.view.entry.source);
        let is_translation = self.action != actions::SOURCE_CHANGED && is_plural;
        match self.view.translation().filter(|_| is_translation) {
            Some(view) if !view.is_source() => {
                view.fitted_forms(text).join(PLURAL_SEPARATOR).into()
            }
            _ => texts.get(text).into(),
        }
    }
}
