//! Which strings of a component have a translation that is not stale, while its log is read from the start. Texts of files
//! without states are stale if they were written for another source (docs/spec/checks.md#stale-translations); files with
//! states say it.

use std::iter::Peekable;

use gitglot_catalog::{ChangeView, ComponentSnapshot};
use gitglot_model::{Action, KeyId, LineageId, SourceReassignment, StateChange, TextId};

/// The texts of a component.
pub(super) struct ComponentTexts<'a> {
    component: &'a ComponentSnapshot,
    /// Today's sources at the time.
    sources: Vec<TextId>,
    /// By translation; `None` for those that do not count.
    translations: Vec<Option<Texts>>,
    states: Peekable<Box<dyn Iterator<Item = StateChange> + 'a>>,
    rebound: Peekable<Box<dyn Iterator<Item = SourceReassignment> + 'a>>,
}

/// The texts of a translation.
struct Texts {
    /// Index of its language.
    language: usize,
    /// By unit.
    units: Vec<Text>,
}

/// The text of a unit.
#[derive(Clone, Copy, Default)]
struct Text {
    has: bool,
    fuzzy: bool,
    /// The source that it was written for.
    source: TextId,
    /// Whether it counts.
    counts: bool,
}

impl<'a> ComponentTexts<'a> {
    /// The texts before the first entry of the log.
    pub(super) fn new(component: &'a ComponentSnapshot) -> Self {
        let states: Box<dyn Iterator<Item = _>> = Box::new(component.log.state_changes());
        let rebound: Box<dyn Iterator<Item = _>> = Box::new(component.log.rebound.iter().copied());
        Self {
            component,
            sources: vec![TextId::EMPTY; component.sources.len()],
            translations: component.translations.iter().map(|_| None).collect(),
            states: states.peekable(),
            rebound: rebound.peekable(),
        }
    }

    /// Counts a translation for a language.
    pub(super) fn add(&mut self, translation: usize, language: usize) {
        let of = self.component.translations.get(translation);
        let units = of.map_or(0, |of| of.unit_count());
        if let Some(slot) = self.translations.get_mut(translation) {
            *slot = Some(Texts {
                language,
                units: vec![Text::default(); units],
            });
        }
    }

    /// The index of the language of an entry's translation.
    pub(super) fn language_of(&self, view: &ChangeView<'_>) -> Option<usize> {
        let translation = view.translation_index()? as usize;
        Some(self.translations.get(translation)?.as_ref()?.language)
    }

    /// Reads what is no entry and comes before or with an entry.
    pub(super) fn before(&mut self, view: &ChangeView<'_>, count: &mut impl FnMut(usize, i64)) {
        while let Some(reassigned) = self
            .rebound
            .next_if(|reassigned| reassigned.entry <= view.index)
        {
            let change = |text: &mut Text| text.source = reassigned.source;
            let (lineage, key) = (reassigned.lineage, reassigned.key);
            self.record(view.index, lineage, key, change, count);
        }
        while let Some(state) = self.states.next_if(|state| state.entry <= view.index) {
            let entry = self.component.log.get(state.entry as usize);
            if let Some(lineage) = entry.and_then(|entry| entry.lineage) {
                let change = |text: &mut Text| text.fuzzy = state.fuzzy;
                self.record(view.index, lineage, state.key, change, count);
            }
        }
    }

    /// Changes the unit of a record that is no entry.
    fn record(
        &mut self,
        at: u32,
        lineage: LineageId,
        key: KeyId,
        change: impl FnOnce(&mut Text),
        count: &mut impl FnMut(usize, i64),
    ) {
        let of = self.component;
        let key = of.renames().newest_key(at, key);
        let place = of.translation_index(lineage).zip(of.row_of_key(key));
        let Some((translation, string)) = place else {
            return;
        };
        let translated = of.translations.get(translation as usize);
        if let Some(unit) = translated.and_then(|translation| translation.unit_of(string)) {
            self.change(translation, unit, string, change, count);
        }
    }

    /// Reads an entry about a source text. Returns the number of texts that it may have made stale.
    pub(super) fn source(
        &mut self,
        view: &ChangeView<'_>,
        count: &mut impl FnMut(usize, i64),
    ) -> u64 {
        let source = match view.entry.action {
            Action::NewSourceString => view.entry.source,
            Action::SourceStringChanged => view.entry.target,
            _ => return 0,
        };
        let Some(string) = view.string() else {
            return 0;
        };
        match self.sources.get_mut(string as usize) {
            Some(slot) if *slot != source => *slot = source,
            _ => return 0,
        }
        let component = self.component;
        for (at, translation) in (0..).zip(&component.translations) {
            if let Some(unit) = translation.unit_of(string) {
                self.change(at, unit, string, |_| {}, count);
            }
        }
        component.translations.len() as u64
    }

    /// Reads an entry about a translation; returns whether its string is one of today.
    pub(super) fn text(
        &mut self,
        view: &ChangeView<'_>,
        count: &mut impl FnMut(usize, i64),
    ) -> bool {
        let unit = view.unit_of_string().filter(|of| of.revised().is_some());
        let (Some(translation), Some(unit)) = (view.translation_index(), unit) else {
            return false;
        };
        let change = |text: &mut Text| {
            text.has = view.entry.target != TextId::EMPTY;
            text.fuzzy = view.entry.fuzzy;
            text.source = view.entry.source;
        };
        self.change(translation, unit.row, unit.string(), change, count);
        true
    }

    /// Changes a unit of a translation, and counts it again.
    fn change(
        &mut self,
        translation: u32,
        unit: u32,
        string: u32,
        change: impl FnOnce(&mut Text),
        count: &mut impl FnMut(usize, i64),
    ) {
        let has_states = self.component.component.file_format.marks_texts();
        let source = self.sources.get(string as usize).copied();
        let texts = self.translations.get_mut(translation as usize);
        let Some(Some(texts)) = texts else {
            return;
        };
        let Some(text) = texts.units.get_mut(unit as usize) else {
            return;
        };
        change(text);
        let is_stale = if has_states {
            text.fuzzy
        } else {
            source.is_some_and(|source| source != text.source)
        };
        let counts = text.has && !is_stale;
        if counts != text.counts {
            text.counts = counts;
            count(texts.language, if counts { 1 } else { -1 });
        }
    }
}
