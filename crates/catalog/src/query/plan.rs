//! Compiles the syntax tree of a query (docs/spec/http.md#limits-of-scans).

use super::changes::ChangeTest;
use super::dialect::{Dialect, DialectRules};
use super::matcher::{MAX_SLOTS, Matcher, Slots};
use super::syntax::{LocationTerm, Match, Query, TextScope, UnitTerm};
use crate::views::TranslationView;

/// Conditions of a query. Each costs a few nanoseconds per unit.
const MAX_CONDITIONS: usize = 64;
/// Regular expressions of a query. Each has an automaton of its own.
const MAX_PATTERNS: usize = 8;

/// A compiled query.
#[derive(Debug)]
pub struct Filter {
    pub(super) root: Condition,
    pub(super) matcher: Matcher,
    /// Conditions on the translation, evaluated once per translation.
    pub(super) locations: Vec<Query>,
    /// Conditions on the changes of a unit, evaluated once per translation.
    pub(super) changes: Vec<Vec<ChangeTest>>,
    pub(super) rules: &'static DialectRules,
    /// The texts that a unit should have, for those who show it.
    pub(super) wanted: Vec<(TextScope, Match)>,
}

/// A condition on a unit.
#[derive(PartialEq, Eq, Debug)]
pub(super) enum Condition {
    /// The condition on its translation with this index.
    Location(usize),
    Unit(UnitTerm),
    /// The condition on its changes with this index.
    Changes(usize),
    /// Texts in `scope` fit all of these slots.
    Texts(TextScope, Slots),
    All(Vec<Condition>),
    Either(Vec<Condition>),
    Not(Box<Condition>),
}

pub(super) const SCOPES: [TextScope; 7] = [
    TextScope::Key,
    TextScope::Source,
    TextScope::Target,
    TextScope::Note,
    TextScope::Locations,
    TextScope::Flags,
    TextScope::Anywhere,
];

impl Filter {
    /// The filter of a blank query, which selects every unit.
    pub fn all() -> Self {
        Self {
            root: Condition::All(Vec::new()),
            matcher: Matcher::default(),
            locations: Vec::new(),
            changes: Vec::new(),
            rules: Dialect::Weblate34.rules(),
            wanted: Vec::new(),
        }
    }

    /// Whether the filter is that of a blank query.
    pub fn is_all(&self) -> bool {
        self.root == Condition::All(Vec::new())
    }

    /// Compiles a query.
    ///
    /// # Errors
    /// If it needs more than a filter can have.
    pub(super) fn new(query: &Query, rules: &'static DialectRules) -> Result<Self, FilterTooLarge> {
        let mut compiler = Compiler::default();
        let root = compiler.node(query);
        if compiler.slots.len() > MAX_SLOTS {
            return Err(FilterTooLarge::Texts);
        }
        if conditions(&root) > MAX_CONDITIONS {
            return Err(FilterTooLarge::Conditions);
        }
        let patterns = compiler.slots.iter().flatten();
        let is_pattern = |text: &&Match| matches!(text, Match::Pattern(_));
        if patterns.filter(is_pattern).count() > MAX_PATTERNS {
            return Err(FilterTooLarge::Patterns);
        }
        let mut texts = Vec::new();
        wanted(query, &mut texts);
        let matcher = Matcher::new(&compiler.slots).ok_or(FilterTooLarge::LongTexts)?;
        Ok(Self {
            root,
            matcher,
            locations: compiler.locations,
            changes: compiler.changes,
            rules,
            wanted: texts,
        })
    }
}

/// The texts that a query wants a unit to have; those that it must not have are left out.
fn wanted(query: &Query, found: &mut Vec<(TextScope, Match)>) {
    match query {
        Query::All(parts) | Query::Either(parts) => {
            parts.iter().for_each(|part| wanted(part, found));
        }
        Query::Text(scope, text) => found.push((*scope, text.clone())),
        Query::Not(_) | Query::Location(_) | Query::Unit(_) | Query::Changes(_) => {}
    }
}

/// What a filter has too much of. A clause for the client.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub(super) enum FilterTooLarge {
    #[error(
        "a filter can require up to {MAX_SLOTS} different texts; texts joined by OR count as one"
    )]
    Texts,
    #[error(
        "a filter can have up to {MAX_CONDITIONS} conditions; texts joined by OR or by AND count as one"
    )]
    Conditions,
    #[error("a filter can have up to {MAX_PATTERNS} regular expressions")]
    Patterns,
    #[error("the texts are too long")]
    LongTexts,
}

#[derive(Default)]
struct Compiler {
    slots: Vec<Vec<Match>>,
    locations: Vec<Query>,
    changes: Vec<Vec<ChangeTest>>,
}

impl Compiler {
    fn node(&mut self, query: &Query) -> Condition {
        match query {
            Query::Location(_) => self.location(query.clone()),
            _ if is_location(query) => self.location(query.clone()),
            Query::All(_) => self.joined(query, true),
            Query::Either(_) => self.joined(query, false),
            Query::Not(part) => Condition::Not(Box::new(self.node(part))),
            Query::Text(scope, text) => self.texts(*scope, vec![text.clone()], true),
            Query::Unit(term) => Condition::Unit(term.clone()),
            Query::Changes(changes) => self.changes(changes.clone()),
        }
    }

    fn location(&mut self, query: Query) -> Condition {
        Condition::Location(index_of(&mut self.locations, query))
    }

    fn changes(&mut self, changes: Vec<ChangeTest>) -> Condition {
        Condition::Changes(index_of(&mut self.changes, changes))
    }

    /// Joins the parts of a query: all of them or one of them must match.
    fn joined(&mut self, query: &Query, all: bool) -> Condition {
        let mut parts = Vec::new();
        flatten(query, all, &mut parts);
        let (locations, parts): (Vec<Query>, Vec<Query>) = parts.into_iter().partition(is_location);
        let mut nodes = Vec::new();
        if !locations.is_empty() {
            let joined = if all {
                Query::All(locations)
            } else {
                Query::Either(locations)
            };
            nodes.push(self.location(joined));
        }
        let (mut wanted, mut unwanted) = (Vec::new(), Vec::new());
        // All tests of changes must hold for the same change.
        let mut tests: Vec<ChangeTest> = Vec::new();
        for part in &parts {
            let (positive, texts) = match part {
                Query::Not(inner) => (&**inner, &mut unwanted),
                _ => (part, &mut wanted),
            };
            match positive {
                Query::Text(scope, text) => texts.push((*scope, text)),
                Query::Changes(of_part) if all && !matches!(part, Query::Not(_)) => {
                    tests.extend(of_part.iter().cloned());
                }
                _ => nodes.push(self.node(part)),
            }
        }
        if !tests.is_empty() {
            nodes.push(self.changes(tests));
        }
        for scope in SCOPES {
            if let Some(matches) = in_scope(&wanted, scope) {
                nodes.push(self.texts(scope, matches, all));
            }
            // `NOT a AND NOT b` is `NOT (a OR b)`, one condition.
            if let Some(matches) = in_scope(&unwanted, scope) {
                nodes.push(Condition::Not(Box::new(self.texts(scope, matches, !all))));
            }
        }
        nodes.sort_by_key(cost);
        nodes.dedup();
        if all {
            Condition::All(nodes)
        } else {
            Condition::Either(nodes)
        }
    }

    /// The condition that texts in `scope` fit all matches or one of them.
    fn texts(&mut self, scope: TextScope, matches: Vec<Match>, all: bool) -> Condition {
        let slots = if all {
            matches
                .into_iter()
                .fold(0, |slots, text| slots | self.slot(vec![text]))
        } else {
            self.slot(matches)
        };
        Condition::Texts(scope, slots)
    }

    fn slot(&mut self, matches: Vec<Match>) -> Slots {
        1_u64
            .checked_shl(index_of(&mut self.slots, matches) as u32)
            .unwrap_or_default()
    }
}

/// The parts of nested conditions of the same kind, each once.
fn flatten(query: &Query, all: bool, parts: &mut Vec<Query>) {
    match (query, all) {
        (Query::All(inner), true) | (Query::Either(inner), false) => {
            inner.iter().for_each(|part| flatten(part, all, parts));
        }
        _ if parts.contains(query) => {}
        _ => parts.push(query.clone()),
    }
}

fn index_of<T: PartialEq>(list: &mut Vec<T>, item: T) -> usize {
    let known = list.iter().position(|known| *known == item);
    known.unwrap_or_else(|| {
        list.push(item);
        list.len() - 1
    })
}

/// The texts wanted in a scope, if any.
fn in_scope(texts: &[(TextScope, &Match)], scope: TextScope) -> Option<Vec<Match>> {
    let own = texts.iter().filter(|(own, _)| *own == scope);
    let matches: Vec<Match> = own.map(|(_, text)| (*text).clone()).collect();
    (!matches.is_empty()).then_some(matches)
}

/// Whether a query depends on the translation alone.
fn is_location(query: &Query) -> bool {
    match query {
        Query::All(parts) | Query::Either(parts) => parts.iter().all(is_location),
        Query::Not(part) => is_location(part),
        Query::Location(_) => true,
        Query::Text(..) | Query::Unit(_) | Query::Changes(_) => false,
    }
}

/// Whether a translation meets a condition on its location.
pub(super) fn is_located(query: &Query, view: TranslationView<'_>, rules: &DialectRules) -> bool {
    match query {
        Query::All(parts) => parts.iter().all(|part| is_located(part, view, rules)),
        Query::Either(parts) => parts.iter().any(|part| is_located(part, view, rules)),
        Query::Not(part) => !is_located(part, view, rules),
        Query::Location(term) => is_at(term, view, rules),
        Query::Text(..) | Query::Unit(_) | Query::Changes(_) => false,
    }
}

fn is_at(term: &LocationTerm, view: TranslationView<'_>, rules: &DialectRules) -> bool {
    let language = if rules.reads_as_current {
        &*view.translation.current_language().code
    } else {
        &*view.translation.language.code
    };
    let project = view.component.project.slug.as_str();
    let component = &view.component.component;
    match term {
        LocationTerm::Constant(is_met) => *is_met,
        LocationTerm::Language(code) => code.fits(language),
        LocationTerm::Project(slug) => slug.fits(project),
        LocationTerm::Component(slug) => slug.fits(component.slug.as_str()),
        LocationTerm::ComponentOrName(name) => {
            name.fits(component.slug.as_str()) || name.fits(&component.name)
        }
        LocationTerm::Path(path) => {
            let fits = |part: &Option<String>, name| part.as_ref().is_none_or(|part| part == name);
            fits(&path.project, project)
                && fits(&path.component, component.slug.as_str())
                && fits(&path.language, language)
        }
    }
}

/// How many single conditions a condition consists of.
fn conditions(node: &Condition) -> usize {
    match node {
        Condition::All(parts) | Condition::Either(parts) => parts.iter().map(conditions).sum(),
        Condition::Not(part) => conditions(part),
        _ => 1,
    }
}

/// Cheap conditions are tested first.
fn cost(node: &Condition) -> usize {
    match node {
        Condition::Location(_) => 0,
        // Few strings are stale.
        Condition::Unit(UnitTerm::Stale(_)) => 10,
        // The first unit of a translation costs a pass over its log.
        Condition::Changes(_)
        | Condition::Unit(
            UnitTerm::LastChanged(_) | UnitTerm::SourceChanged(_) | UnitTerm::Origin(_),
        ) => 100,
        Condition::Unit(UnitTerm::Check(_) | UnitTerm::HasCurrentCheck) => 2000,
        Condition::Unit(_) => 1,
        Condition::Texts(..) => 1000,
        Condition::All(parts) | Condition::Either(parts) => {
            parts.iter().map(cost).sum::<usize>() + 1
        }
        Condition::Not(part) => cost(part),
    }
}
