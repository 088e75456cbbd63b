//! Compiles the syntax tree of a query (docs/spec/http.md#limits-of-scans).

use super::matcher::{MAX_SLOTS, Matcher, Slots};
use super::{CheckSelection, Match, Query, StateTerm, Term};
use crate::catalog::TranslationView;
use crate::checks::SourceChange;

/// Conditions of a query. Each costs a few nanoseconds per unit.
const MAX_CONDITIONS: usize = 64;

/// A compiled query.
#[derive(Default, Debug)]
pub(super) struct QueryPlan {
    pub(super) root: Condition,
    pub(super) matcher: Matcher,
    /// Conditions on the translation, evaluated once per translation.
    pub(super) locations: Vec<Query>,
}

/// A condition on a unit.
#[derive(PartialEq, Eq, Debug)]
pub(super) enum Condition {
    Constant(bool),
    /// The condition on its translation with this index.
    Location(usize),
    State(StateTerm),
    HasCheck,
    HasTranslation,
    HasNote,
    /// Texts in `scope` fit all of these slots.
    Texts(TextScope, Slots),
    Check(CheckSelection),
    Stale(SourceChange),
    All(Vec<Condition>),
    Either(Vec<Condition>),
    Not(Box<Condition>),
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
}

impl Default for Condition {
    fn default() -> Self {
        Self::Constant(true)
    }
}

/// All scopes.
pub(super) const SCOPES: [TextScope; 5] = [
    TextScope::Key,
    TextScope::Source,
    TextScope::Target,
    TextScope::Note,
    TextScope::Anywhere,
];

impl QueryPlan {
    /// Compiles a query.
    ///
    /// # Errors
    /// A sentence for the client.
    pub(super) fn new(query: &Query) -> Result<Self, String> {
        let mut compiler = Compiler {
            slots: Vec::new(),
            locations: Vec::new(),
        };
        let root = compiler.node(query);
        if compiler.slots.len() > MAX_SLOTS {
            return Err(format!(
                "a filter may require up to {MAX_SLOTS} different texts; joined by OR they count as one"
            ));
        }
        if conditions(&root) > MAX_CONDITIONS {
            return Err(format!(
                "a filter may have up to {MAX_CONDITIONS} conditions; texts joined by OR or by AND count as one"
            ));
        }
        let matcher = Matcher::new(&compiler.slots).ok_or("the texts are too long")?;
        Ok(Self {
            root,
            matcher,
            locations: compiler.locations,
        })
    }
}

struct Compiler {
    slots: Vec<Vec<Match>>,
    locations: Vec<Query>,
}

impl Compiler {
    fn node(&mut self, query: &Query) -> Condition {
        match query {
            Query::Any => Condition::Constant(true),
            _ if is_location(query) => {
                Condition::Location(index_of(&mut self.locations, query.clone()))
            }
            Query::All(_) => self.joined(query, true),
            Query::Either(_) => self.joined(query, false),
            Query::Not(part) => Condition::Not(Box::new(self.node(part))),
            Query::Term(term) => match text_of(query) {
                Some((scope, text)) => self.texts(scope, vec![text.clone()], true),
                None => term_condition(term),
            },
        }
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
            nodes.push(Condition::Location(index_of(&mut self.locations, joined)));
        }
        let (mut wanted, mut unwanted) = (Vec::new(), Vec::new());
        for part in &parts {
            let (positive, texts) = match part {
                Query::Not(inner) => (&**inner, &mut unwanted),
                _ => (part, &mut wanted),
            };
            match text_of(positive) {
                Some(text) => texts.push(text),
                None => nodes.push(self.node(part)),
            }
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
        let slots = match all {
            true => matches
                .into_iter()
                .fold(0, |slots, text| slots | self.slot(vec![text])),
            false => self.slot(matches),
        };
        Condition::Texts(scope, slots)
    }

    fn slot(&mut self, matches: Vec<Match>) -> Slots {
        1_u64
            .checked_shl(index_of(&mut self.slots, matches) as u32)
            .unwrap_or_default()
    }
}

/// The condition of a term that is neither a text nor a location.
fn term_condition(term: &Term) -> Condition {
    match term {
        Term::State(state) => Condition::State(*state),
        Term::HasCheck => Condition::HasCheck,
        Term::HasTranslation => Condition::HasTranslation,
        Term::HasNote => Condition::HasNote,
        Term::Check(checks) => Condition::Check(*checks),
        Term::Stale(change) => Condition::Stale(*change),
        // Texts and locations are compiled by their callers.
        _ => Condition::Constant(false),
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
    list.iter()
        .position(|known| *known == item)
        .unwrap_or_else(|| {
            list.push(item);
            list.len() - 1
        })
}

/// The scope and the text of a query that wants one text.
fn text_of(query: &Query) -> Option<(TextScope, &Match)> {
    let Query::Term(term) = query else {
        return None;
    };
    match term {
        Term::Anywhere(text) => Some((TextScope::Anywhere, text)),
        Term::Source(text) => Some((TextScope::Source, text)),
        Term::Target(text) => Some((TextScope::Target, text)),
        Term::Key(text) => Some((TextScope::Key, text)),
        Term::Note(text) => Some((TextScope::Note, text)),
        _ => None,
    }
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
        Query::Any => false,
        Query::All(parts) | Query::Either(parts) => parts.iter().all(is_location),
        Query::Not(part) => is_location(part),
        Query::Term(term) => matches!(
            term,
            Term::Language(_) | Term::Project(_) | Term::Component(_)
        ),
    }
}

/// Whether a translation meets a condition on its location.
pub(super) fn is_located(query: &Query, view: TranslationView<'_>) -> bool {
    match query {
        Query::Any => true,
        Query::All(parts) => parts.iter().all(|part| is_located(part, view)),
        Query::Either(parts) => parts.iter().any(|part| is_located(part, view)),
        Query::Not(part) => !is_located(part, view),
        Query::Term(Term::Language(code)) => {
            view.translation.language.code.eq_ignore_ascii_case(code)
        }
        Query::Term(Term::Project(slug)) => view.component.project.slug.as_str() == slug,
        Query::Term(Term::Component(slug)) => view.component.component.slug.as_str() == slug,
        Query::Term(_) => false,
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
        Condition::Constant(_) | Condition::Location(_) => 0,
        Condition::State(_)
        | Condition::HasCheck
        | Condition::HasTranslation
        | Condition::HasNote => 1,
        // Few strings are stale.
        Condition::Stale(_) => 10,
        Condition::Texts(..) => 1000,
        Condition::Check(_) => 2000,
        Condition::All(parts) | Condition::Either(parts) => {
            parts.iter().map(cost).sum::<usize>() + 1
        }
        Condition::Not(part) => cost(part),
    }
}
