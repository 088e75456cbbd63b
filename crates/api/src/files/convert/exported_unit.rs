//! The fields of a unit that every exporter writes, and those for work on a selection.

use std::borrow::Cow;

use gitglot_catalog::{UnitView, push_comment};
use gitglot_model::PLURAL_SEPARATOR;

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
        let (template, own) = (texts.get(view.source.note), texts.get(view.unit.note));
        push_comment(&mut comment, template, own);
        Self {
            context: texts.get(view.source.context),
            source: texts.get(view.source.source),
            target: view.target(),
            comment,
        }
    }
}

/// Where a unit is used and what its translation was written for, in files for work on a selection.
#[derive(Default)]
pub(super) struct WorkFields<'a> {
    /// Files and lines of the program, else the file of the translation.
    pub(super) locations: Vec<&'a str>,
    /// The forms of the source that a stale translation was written for; empty if it is unknown.
    pub(super) previous: Vec<&'a str>,
}

/// Files with lines, which a comma separates.
pub(super) fn split_locations(locations: &str) -> impl Iterator<Item = &str> {
    let locations = locations.split(',').map(str::trim);
    locations.filter(|location| !location.is_empty())
}

impl<'a> WorkFields<'a> {
    pub(super) fn of(view: UnitView<'a>) -> Self {
        let mut locations: Vec<_> = split_locations(view.locations()).collect();
        if locations.is_empty() {
            locations.push(&view.translation.path);
        }
        let previous = if view.unit.fuzzy() {
            view.known_previous_source()
        } else {
            ""
        };
        let mut previous: Vec<_> = previous.split(PLURAL_SEPARATOR).collect();
        if previous.iter().all(|form| form.is_empty()) {
            previous.clear();
        }
        Self {
            locations,
            previous,
        }
    }
}
