use super::{Match, Query, State, Term};
use crate::catalog::UnitView;
use crate::model::{PLURAL_SEPARATOR, TextId, Texts};

/// Whether a text of the unit's component fits a match.
type Fits<'a> = &'a dyn Fn(&Match, TextId) -> bool;

impl Query {
    /// Whether a unit matches.
    pub(crate) fn wants(&self, view: UnitView<'_>) -> bool {
        self.holds(view, &|wanted, name| wanted.fits(view.component.texts.get(name)))
    }

    /// Tests all texts of a component at once. Faster than testing many units one by one.
    pub(crate) fn sweep(&self, texts: &Texts) -> Swept<'_> {
        let mut matches = Vec::new();
        self.matches(&mut matches);
        Swept { query: self, fitting: matches.into_iter().map(|wanted| (wanted, wanted.sweep(texts))).collect() }
    }

    fn matches<'q>(&'q self, found: &mut Vec<&'q Match>) {
        match self {
            Self::All(parts) | Self::Either(parts) => parts.iter().for_each(|part| part.matches(found)),
            Self::Not(part) => part.matches(found),
            Self::Term(
                Term::Anywhere(own) | Term::Source(own) | Term::Target(own) | Term::Key(own) | Term::Note(own),
            ) => found.push(own),
            Self::Any | Self::Term(_) => {}
        }
    }

    fn holds(&self, view: UnitView<'_>, fits: Fits<'_>) -> bool {
        match self {
            Self::Any => true,
            Self::All(parts) => parts.iter().all(|part| part.holds(view, fits)),
            Self::Either(parts) => parts.iter().any(|part| part.holds(view, fits)),
            Self::Not(part) => !part.holds(view, fits),
            Self::Term(term) => term.holds(view, fits),
        }
    }
}

/// A query with the results of testing all texts of a component.
pub(crate) struct Swept<'q> {
    query: &'q Query,
    /// For each match, whether each text fits.
    fitting: Vec<(&'q Match, Vec<bool>)>,
}

impl Swept<'_> {
    /// Whether a unit of the component matches.
    pub(crate) fn wants(&self, view: UnitView<'_>) -> bool {
        self.query.holds(view, &|wanted, name| {
            let own = self.fitting.iter().find(|(own, _)| std::ptr::eq(*own, wanted));
            own.is_some_and(|(_, fitting)| fitting.get(name.0 as usize).is_some_and(|&fits| fits))
        })
    }
}

impl Term {
    fn holds(&self, view: UnitView<'_>, fits: Fits<'_>) -> bool {
        let text = |name| view.component.texts.get(name);
        match self {
            Self::Anywhere(wanted) => {
                [view.source.source, view.unit.target, view.source.context].into_iter().any(|name| fits(wanted, name))
            }
            Self::Source(wanted) => fits(wanted, view.source.source),
            Self::Target(wanted) => fits(wanted, view.unit.target),
            Self::Key(wanted) => fits(wanted, view.source.context),
            Self::Note(wanted) => fits(wanted, view.source.note) || fits(wanted, view.unit.note),
            Self::Language(code) => view.translation.language.code.eq_ignore_ascii_case(code),
            Self::Project(slug) => view.component.project.slug.as_str() == slug,
            Self::Component(slug) => view.component.component.slug.as_str() == slug,
            Self::State(State::Empty) => !view.unit.translated() && !view.unit.fuzzy(),
            Self::State(State::NeedsEditing) => view.unit.fuzzy(),
            Self::State(State::Translated) => view.unit.translated(),
            Self::State(State::Untranslated) => !view.unit.translated(),
            Self::HasCheck => view.unit.failing(),
            Self::HasTranslation => view.unit.translated() || view.unit.fuzzy(),
            Self::HasNote => !text(view.source.note).is_empty() || !text(view.unit.note).is_empty(),
            Self::Check(check) => view.failing_checks().contains(*check),
        }
    }
}

impl Match {
    fn fits(&self, text: &str) -> bool {
        match self {
            Self::Exact(wanted) => text.split(PLURAL_SEPARATOR).any(|form| form == wanted),
            Self::Contains(pattern) => pattern.is_match(text),
        }
    }

    /// Tests every text.
    fn sweep(&self, texts: &Texts) -> Vec<bool> {
        match self {
            // A pattern that matches the empty text matches every text.
            Self::Contains(pattern) if !pattern.is_match("") => {
                texts.containing(|many| pattern.find(many).map(|found| found.range()))
            }
            _ => texts.iter().map(|text| self.fits(text)).collect(),
        }
    }
}
