//! The meaning of fields in each dialect (docs/spec/query.md#fields).

use super::actions::Actions;
use super::changes::ChangeTest;
use super::dialect::DialectRules;
use super::error::Reason;
use super::pattern::Pattern;
use super::syntax::{
    CheckSelection, LocationTerm, Match, PathPattern, Query, States, TextScope, UnitTerm,
};
use super::times::times;
use super::values::{NameTest, Operator, Ranges, Value, yes_or_no};
use gitglot_checks::{CheckId, CheckIds, CheckProfile, SourceChange, closest};
use gitglot_model::{Action, Origin, Timestamp};

/// The priority of every string.
const PRIORITY: i64 = 100;

/// The fields that errors name. Others find nothing, or have one of these as a synonym.
const KNOWN: &str = "source, target, key, note, location, flag, id, position, state, is, has, language, project, \
component, path, check, stale, origin, added, last_changed, source_changed, changed, changed_by, change_time or change_action";

/// The fields of numbers and times.
const RANGED: [&str; 9] = [
    "id",
    "position",
    "priority",
    "labels_count",
    "added",
    "last_changed",
    "source_changed",
    "changed",
    "change_time",
];

/// Gives terms their meaning.
#[derive(Clone, Copy)]
pub(super) struct Meaning {
    pub(super) rules: &'static DialectRules,
    /// The time of the request.
    pub(super) now: Timestamp,
}

/// A query that every unit matches, or none.
fn constant(is_met: bool) -> Query {
    Query::Location(LocationTerm::Constant(is_met))
}

impl Meaning {
    /// The term `FIELD OPERATOR VALUE`; `None` for an unknown field.
    pub(super) fn term(
        self,
        field: &str,
        operator: Operator,
        value: Value,
    ) -> Result<Option<Query>, Reason> {
        let text = |scope, value| Ok(Query::Text(scope, self.text(operator, value)?));
        let name = |value| NameTest::equal(operator, value);
        let any_change = |test| Query::Changes(vec![test]);
        let by_content = ChangeTest::Actions(Actions::by_content());
        let changed = |test| Query::Changes(vec![by_content.clone(), test]);
        let times = |value: &Value| times(operator, value, self.now);
        let is_own = self.rules.has_own_terms;
        if matches!(value, Value::Range(..)) && !RANGED.contains(&field) {
            return Err(Reason::new(
                format!("'{field}' has no ranges"),
                format!("Unsupported range for {field}"),
            ));
        }
        let query = match field {
            "source" => text(TextScope::Source, value)?,
            "target" => text(TextScope::Target, value)?,
            "key" | "context" => text(TextScope::Key, value)?,
            "note" => text(TextScope::Note, value)?,
            "location" => text(TextScope::Locations, value)?,
            "flag" | "flags" if is_own => text(TextScope::Flags, value)?,
            // The text of every string is empty.
            "explanation" => constant(match self.text(operator, value)? {
                Match::Form(text) | Match::Whole(text) | Match::Contains(text) => text.is_empty(),
                Match::Pattern(pattern) => pattern.finds(""),
            }),
            "id" => Query::Unit(UnitTerm::Id(Ranges::of_number_list(operator, &value)?)),
            "position" => Query::Unit(UnitTerm::Position(Ranges::of_numbers(operator, &value)?)),
            "priority" => constant(Ranges::of_numbers(operator, &value)?.contains(PRIORITY)),
            "labels_count" => constant(Ranges::of_numbers(operator, &value)?.contains(0)),
            "state" => Query::Unit(UnitTerm::State(self.states(operator, value.text())?)),
            "source_state" => {
                let states = states_in_weblate(operator, value.text())?;
                Query::Unit(UnitTerm::SourceState(states))
            }
            "is" => self.is(value.text())?,
            "has" => self.has(value.text())?,
            "language" => Query::Location(LocationTerm::Language(name(value)?)),
            "project" => Query::Location(LocationTerm::Project(name(value)?)),
            "component" if self.rules.finds_component_names => Query::Location(
                LocationTerm::ComponentOrName(NameTest::contained(operator, value)?),
            ),
            "component" => Query::Location(LocationTerm::Component(name(value)?)),
            "path" => path(value.text()).map_or(constant(false), Query::Location),
            "check" => self.check(operator, value)?,
            "stale" if is_own => Query::Unit(source_change(value.text())?),
            "origin" => Query::Unit(origin(value.text())?),
            "dismissed_check"
            | "label"
            | "screenshot"
            | "suggestion"
            | "comment"
            | "resolved_comment"
            | "source_comment"
            | "resolved_source_comment"
            | "suggestion_author"
            | "comment_author"
            | "source_comment_author" => {
                // An invalid pattern is an error in every field.
                self.text(operator, value)?;
                constant(false)
            }
            "pending" => constant(!yes_or_no(value.text())?),
            "added" => Query::Unit(UnitTerm::Added(times(&value)?)),
            "last_changed" => Query::Unit(UnitTerm::LastChanged(times(&value)?)),
            "source_changed" => Query::Unit(UnitTerm::SourceChanged(times(&value)?)),
            "changed" => changed(ChangeTest::Time(times(&value)?)),
            "changed_by" if value == Value::Text(String::new()) => {
                changed(ChangeTest::WithoutAuthor)
            }
            "changed_by" => changed(ChangeTest::Author(name(value)?)),
            "change_time" => any_change(ChangeTest::Time(times(&value)?)),
            "change_action" => any_change(ChangeTest::Actions(self.action(value.text())?)),
            _ => return Ok(None),
        };
        Ok(Some(query))
    }

    /// A term without a field.
    pub(super) fn anywhere(self, value: Value) -> Result<Query, Reason> {
        let text = self.text(Operator::Contains, value)?;
        Ok(Query::Text(TextScope::Anywhere, text))
    }

    fn text(self, operator: Operator, value: Value) -> Result<Match, Reason> {
        Ok(match (operator, value) {
            (_, Value::Pattern(pattern)) => Match::Pattern(Pattern::new(&pattern)?),
            (Operator::Equal, Value::Text(text)) if self.rules.compares_whole_texts => {
                Match::Whole(text)
            }
            (Operator::Equal, Value::Text(text)) => Match::Form(text),
            (operator, value) => Match::Contains([operator.comparison(), value.text()].concat()),
        })
    }

    /// The states that a term selects. `Weblate34` calls a stale string `needs-editing` (docs/spec/query.md#states).
    fn states(self, operator: Operator, value: &str) -> Result<States, Reason> {
        let is_name = matches!(operator, Operator::Contains | Operator::Equal);
        let has_own_meaning = is_name && self.rules.has_own_terms;
        match value {
            "stale" if is_name => Ok(States::of(is_fuzzy)),
            "needs-editing" | "fuzzy" if has_own_meaning => Ok(States::of(is_fuzzy)),
            "untranslated" if has_own_meaning => Ok(States::of(|state| state < 20)),
            _ => states_in_weblate(operator, value),
        }
    }

    fn is(self, value: &str) -> Result<Query, Reason> {
        let state = |states| Query::Unit(UnitTerm::State(states));
        Ok(match &*value.replace('_', "-") {
            "translated" => state(States::of(|state| state >= 20)),
            "untranslated" => state(States::of(|state| state < 20)),
            "stale" | "fuzzy" | "needs-editing" => state(States::of(is_fuzzy)),
            "approved" => state(States::of(|state| state == 30)),
            "readonly" | "read-only" => state(States::of(|state| state == 100)),
            "pending" | "automatically-translated" => constant(false),
            _ => {
                let message = format!(
                    "'{value}' is not a state: use translated, untranslated, stale or needs-editing"
                );
                return Err(Reason::of(message, "Unsupported lookup for is", value));
            }
        })
    }

    fn has(self, value: &str) -> Result<Query, Reason> {
        let rules = self.rules;
        Ok(match &*value.replace('_', "-") {
            "check" | "failing-check" if rules.runs_exact_checks => {
                Query::Unit(UnitTerm::HasCurrentCheck)
            }
            "check" | "failing-check" => Query::Unit(UnitTerm::HasCheck),
            "translation" => {
                let states = States::of(|state| state >= rules.translated_from);
                Query::Unit(UnitTerm::State(states))
            }
            // In current Weblate these are the flags that users set.
            "flags" if rules.has_own_terms => Query::Unit(UnitTerm::HasFlags),
            "note" => Query::Unit(UnitTerm::HasNote),
            "plural" => Query::Unit(UnitTerm::HasPlural),
            "context" => Query::Unit(UnitTerm::HasContext),
            "location" => Query::Unit(UnitTerm::HasLocations),
            "flags"
            | "suggestion"
            | "comment"
            | "resolved-comment"
            | "source-comment"
            | "resolved-source-comment"
            | "dismissed-check"
            | "ignored-check"
            | "variant"
            | "shaping"
            | "label"
            | "screenshot"
            | "explanation"
            | "glossary" => constant(false),
            _ => {
                let message = format!(
                    "'{value}' is not a property of strings: use check, translation, note, plural, context, location or \
flags"
                );
                return Err(Reason::of(message, "Unsupported lookup for has", value));
            }
        })
    }

    /// The checks that a value of `check:` names. In `Weblate34`: an id, `modern`, `legacy`, or an id after one of them
    /// and a colon. In current Weblate: those whose id contains the value.
    fn check(self, operator: Operator, value: Value) -> Result<Query, Reason> {
        let checks = if self.rules.has_own_terms {
            exact_checks(value.text())?
        } else {
            let wanted = NameTest::contained(operator, value)?;
            let current = CheckId::ALL.iter().copied();
            CheckSelection {
                current: current.filter(|check| wanted.fits(check.id())).collect(),
                ..CheckSelection::default()
            }
        };
        if checks == CheckSelection::default() {
            Ok(constant(false))
        } else {
            Ok(Query::Unit(UnitTerm::Check(checks)))
        }
    }

    fn action(self, value: &str) -> Result<Actions, Reason> {
        let plain = |text: &str| text.replace(['-', '_'], " ").to_ascii_lowercase();
        let mut own = Action::ALL.into_iter().filter(|_| self.rules.has_own_terms);
        let own = own.find(|action| plain(action.label()) == plain(value));
        let found = own.map(|action| Actions::of(action.code()));
        found.or_else(|| Actions::named(value)).ok_or_else(|| {
            let message = format!("'{value}' is not the name of an action");
            Reason::of(message, "Unknown change action", value)
        })
    }
}

/// An unknown field.
pub(super) fn unknown_field(field: &str) -> Reason {
    let message = format!("'{field}' is not a field: use {KNOWN}, or put the text in quotes");
    Reason::of(message, "Unknown search field", field)
}

/// The states in which a text exists that has to be checked.
fn is_fuzzy(state: u8) -> bool {
    (10..20).contains(&state)
}

/// The states that a term selects in current Weblate: a name or a number.
fn states_in_weblate(operator: Operator, value: &str) -> Result<States, Reason> {
    let number = match value {
        "empty" | "untranslated" => 0,
        "needs-editing" | "fuzzy" => 10,
        "needs-rewriting" => 11,
        "needs-checking" => 12,
        "translated" => 20,
        "approved" => 30,
        "readonly" | "read-only" => 100,
        other => other.parse().map_err(|_| {
            let message = format!(
                "'{value}' is not a state: use empty, stale, needs-editing, translated or untranslated"
            );
            Reason::of(message, "Unsupported state", value)
        })?,
    };
    let (first, last) = operator.range(number);
    Ok(States::of(|state| {
        (first..=last).contains(&i64::from(state))
    }))
}

/// The translations at a path: `P`, `P/C`, `P/C/L`, where `-` means all. `None` if there can be none.
fn path(value: &str) -> Option<LocationTerm> {
    let mut parts = value.trim_matches('/').split('/');
    let mut next = || parts.next().filter(|part| *part != "-").map(str::to_owned);
    let path = PathPattern {
        project: next(),
        component: next(),
        language: next(),
    };
    parts.next().is_none().then_some(LocationTerm::Path(path))
}

/// The term for the class after `stale:`.
fn source_change(value: &str) -> Result<UnitTerm, Reason> {
    let change = SourceChange::from_id(value).map(UnitTerm::Stale);
    change.ok_or_else(|| {
        let message =
            format!("'{value}' is not a class of stale strings: use cosmetic, minor or major");
        Reason::of(message, "Unsupported class", value)
    })
}

/// The term for the name after `origin:`.
fn origin(value: &str) -> Result<UnitTerm, Reason> {
    let origin = Origin::from_name(value).map(UnitTerm::Origin);
    origin.ok_or_else(|| {
        let message =
            format!("'{value}' is not an origin of texts: use human, platform, machine or unknown");
        Reason::of(message, "Unsupported origin", value)
    })
}

/// The checks with exactly this id, or those of a set.
fn exact_checks(value: &str) -> Result<CheckSelection, Reason> {
    let (set, id) = match value.split_once(':') {
        Some((set @ ("modern" | "legacy"), id)) => (Some(set), Some(id)),
        _ if matches!(value, "modern" | "legacy") => (Some(value), None),
        _ => (None, Some(value)),
    };
    let is_named = |known: &str| id.is_none_or(|id| id == known);
    let mut selection = CheckSelection::default();
    if set != Some("modern") {
        let id = |check: &CheckId| check.id_in(CheckProfile::Weblate34);
        let legacy = CheckIds::WEBLATE34.iter();
        selection.legacy = legacy.filter(|check| is_named(id(check))).collect();
    }
    if set != Some("legacy") {
        let current = CheckId::ALL.iter().copied();
        selection.current = current.filter(|check| is_named(check.id())).collect();
    }
    if selection == CheckSelection::default() {
        Err(unknown_check(value))
    } else {
        Ok(selection)
    }
}

fn unknown_check(value: &str) -> Reason {
    let (known, id): (Vec<&str>, &str) = match value.split_once(':') {
        Some(("legacy", id)) => {
            let profile = CheckProfile::Weblate34;
            (profile.ids(CheckIds::WEBLATE34), id)
        }
        other => {
            let all = CheckId::ALL.iter().map(|check| check.id()).collect();
            (all, other.map_or(value, |(_, id)| id))
        }
    };
    let message = match closest(id, known.iter().copied()) {
        Some(similar) => format!("'{value}' is not a check: did you mean {similar}?"),
        None => format!("'{value}' is not a check: use one of {}", known.join(", ")),
    };
    Reason::of(message, "Unknown check", value)
}
