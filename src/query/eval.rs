use super::{Match, Query, State, Term};
use crate::catalog::UnitView;

impl Query {
    /// Whether a unit is wanted.
    pub(crate) fn wants(&self, view: UnitView<'_>) -> bool {
        match self {
            Self::Any => true,
            Self::All(parts) => parts.iter().all(|part| part.wants(view)),
            Self::Either(parts) => parts.iter().any(|part| part.wants(view)),
            Self::Not(part) => !part.wants(view),
            Self::Term(term) => term.holds(view),
        }
    }
}

impl Term {
    fn holds(&self, view: UnitView<'_>) -> bool {
        let text = |name| view.component.texts.get(name);
        match self {
            Self::Anywhere(text_wanted) => [view.source.source, view.unit.target, view.source.context]
                .into_iter()
                .any(|name| text_wanted.fits(text(name))),
            Self::Source(wanted) => wanted.fits(text(view.source.source)),
            Self::Target(wanted) => wanted.fits(text(view.unit.target)),
            Self::Key(wanted) => wanted.fits(text(view.source.context)),
            Self::Note(wanted) => wanted.fits(text(view.source.note)) || wanted.fits(text(view.unit.note)),
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
            Self::Exact(wanted) => text == wanted,
            Self::Contains(pattern) => pattern.is_match(text),
        }
    }
}
