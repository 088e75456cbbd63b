//! The fields of a unit that every exporter writes.

use std::borrow::Cow;

use gitglot_catalog::{UnitView, push_comment};

pub(super) struct ExportedUnit<'a> {
    pub(super) context: &'a str,
    pub(super) source: &'a str,
    pub(super) target: Cow<'a, str>,
    pub(super) comment: String,
}

impl<'a> ExportedUnit<'a> {
    pub(super) fn of(view: UnitView<'a>) -> Self {
        let texts = &view.component.texts;
        let mut comment = String::new();
        push_comment(
            &mut comment,
            texts.get(view.source.note),
            texts.get(view.unit.note),
        );
        Self {
            context: texts.get(view.source.context),
            source: texts.get(view.source.source),
            target: view.target(),
            comment,
        }
    }
}
