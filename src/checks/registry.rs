//! The ids, names and descriptions of the checks, and sets of checks.

/// A legacy check. The order is the order of Weblate 3.4's list (`docs/spec/checks.md#units-that-are-checked`).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
#[expect(missing_docs, reason = "CheckId::description describes each check")]
pub enum CheckId {
    Same,
    BeginNewline,
    EndNewline,
    BeginSpace,
    EndSpace,
    EndStop,
    EndColon,
    EndQuestion,
    EndExclamation,
    EndEllipsis,
    EndSemicolon,
    Plurals,
    SamePlurals,
    EscapedNewline,
    Bbcode,
    ZeroWidthSpace,
    XmlInvalid,
    XmlTags,
}

impl CheckId {
    /// All checks, in order.
    pub const ALL: [Self; 18] = [
        Self::Same,
        Self::BeginNewline,
        Self::EndNewline,
        Self::BeginSpace,
        Self::EndSpace,
        Self::EndStop,
        Self::EndColon,
        Self::EndQuestion,
        Self::EndExclamation,
        Self::EndEllipsis,
        Self::EndSemicolon,
        Self::Plurals,
        Self::SamePlurals,
        Self::EscapedNewline,
        Self::Bbcode,
        Self::ZeroWidthSpace,
        Self::XmlInvalid,
        Self::XmlTags,
    ];

    /// Returns the id in Weblate 3.4, for example `end_stop`.
    pub const fn id(self) -> &'static str {
        self.facts().0
    }

    /// Returns the English name in Weblate 3.4, for example `Trailing stop`.
    pub const fn name(self) -> &'static str {
        self.facts().1
    }

    /// Returns a human-readable sentence that describes a unit on which the check fails.
    pub const fn description(self) -> &'static str {
        self.facts().2
    }

    /// Id, name and description. Long because it is one table of all checks.
    const fn facts(self) -> (&'static str, &'static str, &'static str) {
        match self {
            Self::Same => (
                "same",
                "Unchanged translation",
                "The translation equals the source text.",
            ),
            Self::BeginNewline => (
                "begin_newline",
                "Starting newline",
                "Only one of source and translation begins with a line break.",
            ),
            Self::EndNewline => (
                "end_newline",
                "Trailing newline",
                "Only one of source and translation ends with a line break.",
            ),
            Self::BeginSpace => (
                "begin_space",
                "Starting spaces",
                "The translation begins with more or fewer spaces than the source.",
            ),
            Self::EndSpace => (
                "end_space",
                "Trailing space",
                "The translation ends with more or fewer spaces than the source.",
            ),
            Self::EndStop => (
                "end_stop",
                "Trailing stop",
                "Only one of source and translation ends with a full stop.",
            ),
            Self::EndColon => (
                "end_colon",
                "Trailing colon",
                "The colon at the end differs from the source.",
            ),
            Self::EndQuestion => (
                "end_question",
                "Trailing question",
                "The question mark at the end differs from the source.",
            ),
            Self::EndExclamation => (
                "end_exclamation",
                "Trailing exclamation",
                "The exclamation mark at the end differs from the source.",
            ),
            Self::EndEllipsis => (
                "end_ellipsis",
                "Trailing ellipsis",
                "Only one of source and translation ends with an ellipsis.",
            ),
            Self::EndSemicolon => (
                "end_semicolon",
                "Trailing semicolon",
                "Only one of source and translation ends with a semicolon.",
            ),
            Self::Plurals => (
                "plurals",
                "Missing plurals",
                "Some plural forms are not translated.",
            ),
            Self::SamePlurals => (
                "same-plurals",
                "Same plurals",
                "Some plural forms are equal.",
            ),
            Self::EscapedNewline => (
                "escaped_newline",
                "Mismatched \\n",
                "The translation has more or fewer \\n than the source.",
            ),
            Self::Bbcode => (
                "bbcode",
                "Mismatched BBcode",
                "The BBcode tags differ from the source.",
            ),
            Self::ZeroWidthSpace => (
                "zero-width-space",
                "Zero-width space",
                "Only one of source and translation has a zero-width space.",
            ),
            Self::XmlInvalid => (
                "xml-invalid",
                "Invalid XML markup",
                "The source is well-formed markup and the translation is not.",
            ),
            Self::XmlTags => (
                "xml-tags",
                "XML tags mismatch",
                "The tags or their order differ from the source.",
            ),
        }
    }

    /// Returns the check with this id.
    pub fn from_id(id: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|check| check.id() == id)
    }
}

/// The set of checks that fail on a unit. Four bytes.
#[derive(Clone, Copy, PartialEq, Eq, Default, Hash)]
pub struct Failing(u32);

impl Failing {
    /// Whether no check fails.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Returns the number of failing checks.
    pub const fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// Whether this check fails.
    pub const fn contains(self, check: CheckId) -> bool {
        self.0 & Self::bit(check) != 0
    }

    /// Adds the check if it `fails`.
    pub const fn set(&mut self, check: CheckId, fails: bool) {
        if fails {
            self.0 |= Self::bit(check);
        }
    }

    /// Returns the checks of both sets.
    pub const fn union(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Iterates over the failing checks, in order.
    pub fn iter(self) -> impl Iterator<Item = CheckId> {
        CheckId::ALL
            .into_iter()
            .filter(move |&check| self.contains(check))
    }

    /// Returns the set as bits for storage. Bit 0 is the first of [`CheckId::ALL`].
    pub const fn bits(self) -> u32 {
        self.0
    }

    /// Creates a set from stored bits.
    pub const fn from_bits(bits: u32) -> Self {
        Self(bits)
    }

    const fn bit(check: CheckId) -> u32 {
        1 << check as u16
    }
}

impl std::fmt::Debug for Failing {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_set().entries(self.iter().map(CheckId::id)).finish()
    }
}

impl FromIterator<CheckId> for Failing {
    fn from_iter<I: IntoIterator<Item = CheckId>>(checks: I) -> Self {
        let mut failing = Self::default();
        checks
            .into_iter()
            .for_each(|check| failing.set(check, true));
        failing
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_check_has_its_own_id_and_bit() {
        for (index, check) in CheckId::ALL.into_iter().enumerate() {
            assert_eq!(CheckId::from_id(check.id()), Some(check));
            assert_eq!(check as usize, index);
        }
        assert_eq!(CheckId::from_id("unknown"), None);
    }

    #[test]
    fn a_set_returns_the_checks_it_was_built_from() {
        let failing = Failing::from_iter([CheckId::XmlTags, CheckId::Same]);
        assert_eq!(
            failing.iter().collect::<Vec<_>>(),
            [CheckId::Same, CheckId::XmlTags]
        );
        assert_eq!((failing.len(), failing.is_empty()), (2, false));
        assert!(failing.contains(CheckId::Same) && !failing.contains(CheckId::EndStop));
        assert_eq!(Failing::from_bits(failing.bits()), failing);
        assert_eq!(format!("{failing:?}"), r#"{"same", "xml-tags"}"#);
        assert!(Failing::default().is_empty());
    }
}
