//! Permanent ids: small ascending numbers. Source: `docs/spec/ids-and-ledger.md#ids`.

macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub struct $name(pub u32);

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                self.0.fmt(f)
            }
        }
    )*};
}

/// The position of a component in the configuration, counted over all projects from 0. Not an id: it changes with the
/// configuration.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ComponentIndex(usize);

impl ComponentIndex {
    /// The component at a position.
    pub fn new(position: usize) -> Self {
        Self(position)
    }

    /// The position.
    pub fn get(self) -> usize {
        self.0
    }
}

ids! {
    /// A project, numbered from 1 in configuration order.
    ProjectId
    /// A component, numbered from 1 in configuration order.
    ComponentId
    /// A translation: one language file of a component through all its renames.
    TranslationId
    /// A unit: one string of one translation.
    UnitId
    /// A source: one string of a component in all languages.
    SourceId
    /// A person in the history.
    UserId
    /// An entry of the change log.
    ChangeId
}

/// The ids of everything in a projection, in the order of the projection.
#[derive(Clone, Default, Debug)]
pub struct ProjectionIds {
    /// One per translation.
    pub translations: Vec<TranslationId>,
    /// For each translation, one per unit.
    pub units: Vec<Vec<UnitId>>,
    /// One per source.
    pub sources: Vec<SourceId>,
    /// One per person.
    pub people: Vec<UserId>,
}

/// The first ids that a batch of the ledger allocates (docs/spec/ids-and-ledger.md#allocation).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FirstIds {
    /// Of translations.
    pub translation: u32,
    /// Of units.
    pub unit: u32,
}
