//! Kinds of change log entries.

/// The actions that gitglot writes, numbered and labelled as in Weblate 3.4 (docs/spec/change-log.md#entries).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
pub enum Action {
    /// A commit changed the translation's file.
    ResourceUpdate = 0,
    /// The translation reached 100 %.
    TranslationCompleted = 1,
    /// A translation was changed or removed.
    TranslationChanged = 2,
    /// A string was translated.
    NewTranslation = 5,
    /// The template got a new key.
    NewSourceString = 13,
    /// Two paths of the template have the same key.
    DuplicatedString = 16,
    /// A translation platform committed the file.
    CommittedChanges = 17,
    /// A merge brought translations into the mainline.
    MergedRepository = 20,
    /// History was rewritten.
    RebasedRepository = 21,
    /// A file can no longer be parsed.
    ParseError = 24,
    /// A language file was removed.
    RemovedTranslation = 25,
    /// The template's text changed.
    SourceStringChanged = 30,
    /// Two files have the same language.
    DuplicatedLanguage = 40,
    /// A string left the template. No entry of a log: [`Log::removals`](super::Log::removals) has these.
    RemovedSourceString = 200,
}

impl Action {
    /// Every action, by ascending code.
    pub const ALL: [Self; 13] = [
        Self::ResourceUpdate,
        Self::TranslationCompleted,
        Self::TranslationChanged,
        Self::NewTranslation,
        Self::NewSourceString,
        Self::DuplicatedString,
        Self::CommittedChanges,
        Self::MergedRepository,
        Self::RebasedRepository,
        Self::ParseError,
        Self::RemovedTranslation,
        Self::SourceStringChanged,
        Self::DuplicatedLanguage,
    ];

    /// The value of `action`.
    pub fn code(self) -> u8 {
        self as u8
    }

    /// Finds an action by code.
    pub fn from_code(code: u8) -> Option<Self> {
        Self::ALL.into_iter().find(|action| action.code() == code)
    }

    /// Whether entries of this action name the commit's author as user (docs/spec/change-log.md#entries).
    pub fn names_user(self) -> bool {
        !matches!(
            self,
            Self::NewSourceString
                | Self::MergedRepository
                | Self::RebasedRepository
                | Self::ParseError
                | Self::DuplicatedString
                | Self::DuplicatedLanguage
        )
    }

    /// The English label in `action_name`.
    pub fn label(self) -> &'static str {
        match self {
            Self::ResourceUpdate => "Resource update",
            Self::TranslationCompleted => "Translation completed",
            Self::TranslationChanged => "Translation changed",
            Self::NewTranslation => "New translation",
            Self::NewSourceString => "New source string",
            Self::DuplicatedString => "Found duplicated string",
            Self::CommittedChanges => "Committed changes",
            Self::MergedRepository => "Merged repository",
            Self::RebasedRepository => "Rebased repository",
            Self::ParseError => "Parse error",
            Self::RemovedTranslation => "Removed translation",
            Self::SourceStringChanged => "Source string changed",
            Self::DuplicatedLanguage => "Found duplicated language",
            Self::RemovedSourceString => "Removed source string",
        }
    }
}
