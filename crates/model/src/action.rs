//! Kinds of change log entries.

macro_rules! actions {
    ($($(#[$doc:meta])* $name:ident = $code:literal $label:literal;)*) => {
        /// The actions that gitglot writes, numbered and labelled as in Weblate 3.4
        /// (docs/spec/change-log.md#entries).
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        #[repr(u8)]
        pub enum Action {
            $($(#[$doc])* $name = $code,)*
            /// A string left the template. No entry of a log: [`Log::removals`](super::Log::removals) has these.
            RemovedSourceString = 200,
            /// A file marked a text as unfinished, or no longer does. No entry of a log:
            /// [`Log::state_changes`](super::Log::state_changes) has these.
            ChangedState = 201,
        }

        impl Action {
            /// Every action of an entry, by ascending code.
            pub const ALL: [Self; [$($code),*].len()] = [$(Self::$name),*];

            /// The actions of records that lists show on request, which are no entries.
            pub const ON_REQUEST: [Self; 2] = [Self::RemovedSourceString, Self::ChangedState];

            /// The English label in `action_name`.
            pub fn label(self) -> &'static str {
                match self {
                    $(Self::$name => $label,)*
                    Self::RemovedSourceString => "Removed source string",
                    Self::ChangedState => "Changed state",
                }
            }
        }
    };
}

actions! {
    /// A commit changed the translation's file.
    ResourceUpdate = 0 "Resource update";
    /// The translation reached 100 %.
    TranslationCompleted = 1 "Translation completed";
    /// A translation was changed or removed.
    TranslationChanged = 2 "Translation changed";
    /// A string was translated.
    NewTranslation = 5 "New translation";
    /// The template got a new key.
    NewSourceString = 13 "New source string";
    /// Two paths of the template have the same key.
    DuplicatedString = 16 "Found duplicated string";
    /// A translation platform committed the file.
    CommittedChanges = 17 "Committed changes";
    /// A merge brought translations into the mainline.
    MergedRepository = 20 "Merged repository";
    /// History was rewritten.
    RebasedRepository = 21 "Rebased repository";
    /// A file can no longer be parsed.
    ParseError = 24 "Parse error";
    /// A language file was removed.
    RemovedTranslation = 25 "Removed translation";
    /// The template's text changed.
    SourceStringChanged = 30 "Source string changed";
    /// A commit said that a translation is right although its source changed.
    TranslationApproved = 36 "Translation approved";
    /// Two files have the same language.
    DuplicatedLanguage = 40 "Found duplicated language";
}

impl Action {
    /// The value of `action`.
    pub fn code(self) -> u8 {
        self as u8
    }

    /// Finds an action of an entry by code.
    pub fn from_code(code: u8) -> Option<Self> {
        Self::ALL.into_iter().find(|action| action.code() == code)
    }

    /// Whether entries of this action are about a text of a translation.
    pub fn is_about_text(self) -> bool {
        matches!(
            self,
            Self::NewTranslation
                | Self::TranslationChanged
                | Self::TranslationApproved
                | Self::ChangedState
        )
    }

    /// Whether entries of this action say for which source a text of a translation is
    /// (docs/spec/change-log.md#stale-translations).
    pub fn sets_source(self) -> bool {
        matches!(
            self,
            Self::NewTranslation | Self::TranslationChanged | Self::TranslationApproved
        )
    }

    /// Whether entries of this action are about a source.
    pub fn is_about_source(self) -> bool {
        matches!(self, Self::NewSourceString | Self::SourceStringChanged)
    }

    /// Whether entries of this action wrote a text of a translation.
    pub fn writes_text(self) -> bool {
        matches!(self, Self::NewTranslation | Self::TranslationChanged)
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
}
