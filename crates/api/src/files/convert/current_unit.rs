//! The fields of a unit that exporters of current Weblate write (docs/spec/current-api.md#downloads).

use super::exported_unit::split_locations;
use gitglot_catalog::{CurrentState, UnitView};
use gitglot_model::{FileFormat, checksum};

/// A unit as exporters of current Weblate write it.
pub(super) struct CurrentUnit<'a> {
    pub(super) context: &'a str,
    pub(super) source: Vec<&'a str>,
    pub(super) target: Vec<&'a str>,
    pub(super) note: String,
    /// Files and lines, separated by commas.
    pub(super) locations: &'a str,
    pub(super) flags: String,
    pub(super) state: CurrentState,
    pub(super) is_plural: bool,
    pub(super) id_hash: i64,
}

impl<'a> CurrentUnit<'a> {
    pub(super) fn of(view: UnitView<'a>) -> Self {
        let texts = &view.component.texts;
        let (template, own) = (texts.get(view.source_note()), texts.get(view.unit.note));
        let note = if template == own {
            own.to_owned()
        } else {
            [template, "\n", own].concat()
        };
        let flags = [
            format_flags(view.component.component.file_format),
            view.flags(),
            match view.current_state() {
                CurrentState::ReadOnly => "read-only",
                _ => "",
            },
        ];
        let flags = flags.into_iter();
        let flags: Vec<_> = flags.filter(|flags| !flags.is_empty()).collect();
        Self {
            context: view.current_context(),
            source: view.current_source().into_owned(),
            target: view.current_target().into_owned(),
            note,
            locations: view.locations(),
            flags: flags.join(", "),
            state: view.current_state(),
            is_plural: view.unit.plural(),
            id_hash: view.current_hashes().0,
        }
    }

    pub(super) fn first_source(&self) -> &'a str {
        self.source.first().copied().unwrap_or_default()
    }

    pub(super) fn first_target(&self) -> &'a str {
        self.target.first().copied().unwrap_or_default()
    }

    /// Where the program uses the text: files with lines.
    pub(super) fn locations(&self) -> impl Iterator<Item = &'a str> + use<'a> {
        split_locations(self.locations)
    }

    /// The hash that identifies the unit, with 16 digits.
    pub(super) fn checksum(&self) -> String {
        format!("{:0>16}", checksum(self.id_hash))
    }
}

/// The flags of checks that a file format enables in current Weblate.
pub(crate) fn format_flags(format: FileFormat) -> &'static str {
    if format.has_interpolation() {
        "i18next-interpolation"
    } else {
        ""
    }
}
