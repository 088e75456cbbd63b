//! The source that a stale text was written for, and how much it changed since.

use crate::UnitView;
use gitglot_checks::SourceChange;
use gitglot_model::{PLURAL_SEPARATOR, TextId};

impl<'a> UnitView<'a> {
    /// The source that a stale text was written for: that of its file or, where it has none, that of the history
    /// (docs/spec/units.md#earlier-sources); else `""`.
    pub fn known_previous_source(self) -> &'a str {
        self.component.texts.get(self.known_previous_id())
    }

    fn known_previous_id(self) -> TextId {
        let translation = self.translation;
        let own = translation.previous_source(self.row);
        let mut forms = self.component.texts.get(own).split(PLURAL_SEPARATOR);
        if forms.all(str::is_empty) {
            match translation.earlier_source(self.row) {
                TextId::EMPTY => own,
                earlier => earlier,
            }
        } else {
            own
        }
    }

    /// The previous source that the API shows: that of the file, unless the component's settings add those of the history.
    pub fn shown_previous_source(self) -> &'a str {
        if self.component.component.earlier_sources {
            self.known_previous_source()
        } else {
            (self.component.texts).get(self.translation.previous_source(self.row))
        }
    }

    /// How much the source changed since the translation was written; `None` if the unit is not stale, or a draft.
    pub fn source_change(self) -> Option<SourceChange> {
        let between = || {
            let ids = [self.known_previous_id(), self.source.source];
            let known = &self.component.source_changes;
            known.between(ids, &self.component.texts)
        };
        (self.unit.fuzzy() && !self.is_draft()).then(between)
    }

    /// Whether the file marks the text although no change of its source is known (docs/spec/units.md#drafts).
    pub fn is_draft(self) -> bool {
        let earlier = || self.known_previous_source().split(PLURAL_SEPARATOR);
        self.unit.fuzzy() && self.translation.bilingual.is_some() && earlier().all(str::is_empty)
    }
}
