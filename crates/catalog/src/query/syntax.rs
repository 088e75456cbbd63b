//! The syntax tree of a query.

use super::changes::ChangeTest;
use super::pattern::Pattern;
use super::values::{NameTest, Ranges};
use gitglot_checks::{CheckIds, SourceChange};
use gitglot_model::Origin;

/// A query with at least one condition.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Query {
    /// All parts must match.
    All(Vec<Query>),
    /// One part must match.
    Either(Vec<Query>),
    Not(Box<Query>),
    Text(TextScope, Match),
    Location(LocationTerm),
    Unit(UnitTerm),
    /// One change passes all tests.
    Changes(Vec<ChangeTest>),
}

/// The texts of a unit that a condition examines.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum TextScope {
    /// Source, translation or key.
    Anywhere,
    Source,
    Target,
    Key,
    Note,
    /// Where the program uses the text; only in bilingual files.
    Locations,
    /// The flags of the text; only in bilingual files.
    Flags,
}

/// A condition on the translation of a unit.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum LocationTerm {
    /// The same for all units.
    Constant(bool),
    Language(NameTest),
    Project(NameTest),
    /// The slug of the component.
    Component(NameTest),
    /// The slug or the name of the component.
    ComponentOrName(NameTest),
    Path(PathPattern),
}

/// Project, component and language of a translation; `None` where all match.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(super) struct PathPattern {
    pub(super) project: Option<String>,
    pub(super) component: Option<String>,
    pub(super) language: Option<String>,
}

/// A condition on a unit.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum UnitTerm {
    /// It has one of these states.
    State(States),
    /// Its source has one of these states.
    SourceState(States),
    /// A check of the set fails that the API of Weblate 3.4 reports.
    HasCheck,
    /// A check of current Weblate fails; a source fails if its translations do.
    HasCurrentCheck,
    HasContext,
    HasNote,
    HasLocations,
    HasFlags,
    HasPlural,
    Id(Ranges),
    Position(Ranges),
    /// When the string was added, in microseconds since 1970.
    Added(Ranges),
    /// When its source, text or state last changed.
    LastChanged(Ranges),
    /// When its source last changed.
    SourceChanged(Ranges),
    Check(CheckSelection),
    Stale(SourceChange),
    /// Who wrote its text.
    Origin(Origin),
}

/// A set of the states that a unit can have.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(super) struct States(u8);

impl States {
    /// The numbers of all states of Weblate.
    pub(super) const ALL: [u8; 7] = [0, 10, 11, 12, 20, 30, 100];

    /// Those of all states that pass a test.
    pub(super) fn of(is_in: impl Fn(u8) -> bool) -> Self {
        let bits = Self::ALL.iter().enumerate();
        Self(bits.fold(0, |set, (at, &state)| set | u8::from(is_in(state)) << at))
    }

    pub(super) fn contains(self, state: u8) -> bool {
        let at = Self::ALL.iter().position(|&known| known == state);
        at.is_some_and(|at| self.0 >> at & 1 == 1)
    }
}

/// Checks of both sets: a unit matches if one of them fails.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(super) struct CheckSelection {
    pub(super) legacy: CheckIds,
    pub(super) current: CheckIds,
}

/// How a text is compared.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) enum Match {
    /// A plural form is equal, including case.
    Form(String),
    /// The whole text is equal, including case.
    Whole(String),
    /// Contained, under Unicode simple case folding.
    Contains(String),
    /// A regular expression finds something.
    Pattern(Pattern),
}
