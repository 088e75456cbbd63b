//! The ids, names and descriptions of the checks, and sets of checks.

use serde::Serialize;

/// The weight of a finding: what the fault does (`docs/ci.md#severity`).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// Style and repetition.
    Note,
    /// A string that is probably wrong.
    Warning,
    /// A fault that breaks the application or loses text. Fails a run of `gitglot check` by default.
    Error,
}

impl Severity {
    /// The name in lower case.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Note => "note",
            Self::Warning => "warning",
            Self::Error => "error",
        }
    }
}

macro_rules! checks {
    ($($variant:ident $id:literal $name:literal $text:literal;)*) => {
        /// A check of current Weblate or of Weblate 3.4. The order is the order of reports, in both.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        #[repr(u8)]
        #[expect(missing_docs, reason = "CheckId::description describes each check")]
        pub enum CheckId { $($variant,)* }

        impl CheckId {
            /// All checks of current Weblate, in order.
            pub const ALL: &'static [Self] = &[$(Self::$variant,)*];

            const fn facts(self) -> (&'static str, &'static str, &'static str) {
                match self { $(Self::$variant => ($id, $name, $text),)* }
            }
        }
    };
}

checks! {
    Same "same" "Unchanged translation" "The translation equals the source text.";
    BeginNewline "begin_newline" "Starting newline" "Only one of source and translation begins with a line break.";
    EndNewline "end_newline" "Trailing newline" "Only one of source and translation ends with a line break.";
    BeginSpace "begin_space" "Starting spaces" "The translation begins with more or fewer spaces than the source.";
    EndSpace "end_space" "Trailing space" "The translation ends with more or fewer spaces than the source.";
    DoubleSpace "double_space" "Double space" "The translation has two spaces in a row.";
    EndStop "end_stop" "Trailing stop" "Only one of source and translation ends with a full stop.";
    EndColon "end_colon" "Trailing colon" "The colon at the end differs from the source.";
    EndQuestion "end_question" "Trailing question" "The question mark at the end differs from the source.";
    EndExclamation "end_exclamation" "Trailing exclamation" "The exclamation mark at the end differs from the source.";
    EndInterrobang "end_interrobang" "Trailing interrobang" "Only one of source and translation ends with ?! or !?.";
    EndEllipsis "end_ellipsis" "Trailing ellipsis" "Only one of source and translation ends with an ellipsis.";
    EndSemicolon "end_semicolon" "Trailing semicolon" "Only one of source and translation ends with a semicolon.";
    MultipleCapital "multiple_capital" "Multiple capitals" "The translation has a word with several capital letters.";
    KabyleCharacters "kabyle-characters" "Non-standard characters in Kabyle" "The translation has a letter of another alphabet that looks like a Kabyle letter.";
    Kashida "kashida" "Kashida letter used" "The translation has a decorative kashida letter.";
    PunctuationSpacing "punctuation_spacing" "Punctuation spacing" "A double punctuation mark lacks the space before it.";
    MaxLength "max-length" "Maximum length of translation" "The translation is longer than allowed.";
    MaxLines "max-lines" "Maximum number of lines" "The translation has more lines than allowed.";
    Regex "regex" "Regular expression" "The translation does not match the regular expression.";
    PythonFormat "python_format" "Python format" "The Python placeholders differ from the source.";
    PythonBraceFormat "python_brace_format" "Python brace format" "The placeholders in braces differ from the source.";
    BraceFormat "brace_format" "Placeholders in braces" "The placeholders in braces differ from the source.";
    PhpFormat "php_format" "PHP format" "The PHP placeholders differ from the source.";
    CFormat "c_format" "C format" "The C placeholders differ from the source.";
    PerlFormat "perl_format" "Perl format" "The Perl placeholders differ from the source.";
    PerlBraceFormat "perl_brace_format" "Perl brace format" "The placeholders in braces differ from the source.";
    JavascriptFormat "javascript_format" "JavaScript format" "The JavaScript placeholders differ from the source.";
    LuaFormat "lua_format" "Lua format" "The Lua placeholders differ from the source.";
    ObjectPascalFormat "object_pascal_format" "Object Pascal format" "The Pascal placeholders differ from the source.";
    SchemeFormat "scheme_format" "Scheme format" "The Scheme placeholders differ from the source.";
    CSharpFormat "c_sharp_format" "C# format" "The C# placeholders differ from the source.";
    JavaPrintfFormat "java_printf_format" "Java format" "The Java placeholders differ from the source.";
    JavaFormat "java_format" "Java MessageFormat" "The Java MessageFormat placeholders differ from the source.";
    QtFormat "qt_format" "Qt format" "The Qt placeholders differ from the source.";
    QtPluralFormat "qt_plural_format" "Qt plural format" "The Qt plural placeholders differ from the source.";
    RubyFormat "ruby_format" "Ruby format" "The Ruby placeholders differ from the source.";
    ObjcFormat "objc_format" "Objective-C format" "The Objective-C placeholders differ from the source.";
    LaravelFormat "laravel_format" "Laravel format" "The Laravel placeholders differ from the source.";
    PercentPlaceholders "percent_placeholders" "Percent placeholders" "The placeholders in percent signs differ from the source.";
    VueFormat "vue_format" "Vue I18n formatting" "The Vue I18n placeholders differ from the source.";
    I18nextInterpolation "i18next_interpolation" "i18next interpolation" "The i18next placeholders differ from the source.";
    EsFormat "es_format" "ECMAScript template literals" "The template literals differ from the source.";
    AngularjsFormat "angularjs_format" "AngularJS interpolation string" "The AngularJS placeholders differ from the source.";
    AutomatticComponentsFormat "automattic_components_format" "Automattic components" "The component tags differ from the source.";
    IcuMessageFormat "icu_message_format" "ICU MessageFormat" "The ICU message is invalid or differs from the source.";
    IcuMessageFormatSyntax "icu_message_format_syntax" "ICU MessageFormat syntax" "The source is not a valid ICU message.";
    FluentReferences "fluent-references" "Fluent references" "The references differ from the source.";
    FluentParts "fluent-parts" "Fluent parts" "The value or the attributes differ from the source.";
    Placeholders "placeholders" "Placeholders" "The placeholders differ from the source.";
    Plurals "plurals" "Missing plurals" "Some plural forms are not translated.";
    SamePlurals "same-plurals" "Same plurals" "All plural forms are equal.";
    Duplicate "duplicate" "Consecutive duplicated words" "The translation has a word twice in a row.";
    EscapedNewline "escaped_newline" "Mismatched \\n" "The translation has more or fewer \\n than the source.";
    NewlineCount "newline-count" "Mismatching line breaks" "The translation has more or fewer line breaks than the source.";
    Bbcode "bbcode" "BBCode markup" "The BBCode tags differ from the source.";
    ZeroWidthSpace "zero-width-space" "Zero-width space" "The translation has a zero-width space.";
    XmlInvalid "xml-invalid" "XML syntax" "The source is well-formed markup and the translation is not.";
    XmlTags "xml-tags" "XML markup" "The tags or their attributes differ from the source.";
    XmlCharsAroundTags "xml-chars-around-tags" "Characters around XML tags" "A tag touches a word where it does not in the source.";
    MdReflink "md-reflink" "Markdown references" "The ids of Markdown reference links differ from the source.";
    MdLink "md-link" "Markdown links" "The Markdown links differ from the source.";
    MdSyntax "md-syntax" "Markdown syntax" "The Markdown emphasis differs from the source.";
    RstReferences "rst-references" "reStructuredText references" "The references differ from the source.";
    RstSyntax "rst-syntax" "reStructuredText syntax" "The reStructuredText markup is invalid.";
    Url "url" "URL" "The translation is not a URL.";
    SafeHtml "safe-html" "Unsafe HTML" "The translation has HTML that the source does not have, or that is not well-formed.";
    Ellipsis "ellipsis" "Ellipsis" "The source has three dots in place of an ellipsis.";
    OptionalPlural "optional_plural" "Unpluralised" "The source uses (s) in place of plural forms.";
    Reused "reused" "Reused translation" "Strings with different sources have the same translation.";
    MultipleFailures "multiple_failures" "Multiple failing checks" "The translations of the string fail checks in several languages.";
    UnnamedFormat "unnamed_format" "Multiple unnamed variables" "The source has several placeholders without a name.";
    NotChecked "not-checked" "Not checked" "The texts are too long to be checked.";
}

impl CheckId {
    /// The checks of Weblate 3.4 that fire without flags (`docs/spec/checks.md#units-that-are-checked`), in order. They
    /// have the same ids as in current Weblate. The last one reports that none of them ran.
    pub const LEGACY: [Self; 19] = [
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
        Self::NotChecked,
    ];

    /// Returns the id in Weblate, for example `i18next_interpolation`.
    pub const fn id(self) -> &'static str {
        self.facts().0
    }

    /// Returns the English name, for example `i18next interpolation`.
    pub const fn name(self) -> &'static str {
        self.facts().1
    }

    /// Returns a human-readable sentence that describes a unit on which the check fails.
    pub const fn description(self) -> &'static str {
        self.facts().2
    }

    /// Returns the check with this id.
    pub fn from_id(id: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|check| check.id() == id)
    }

    /// Whether the check reads only the source. Such checks are off unless requested.
    pub const fn is_source_check(self) -> bool {
        matches!(
            self,
            Self::IcuMessageFormatSyntax
                | Self::Ellipsis
                | Self::OptionalPlural
                | Self::MultipleFailures
                | Self::UnnamedFormat
        )
    }

    /// The checks that read only the source.
    pub fn of_source() -> CheckIds {
        let checks = Self::ALL.iter().copied();
        checks.filter(|check| check.is_source_check()).collect()
    }

    /// Returns the weight of a failure.
    pub const fn severity(self) -> Severity {
        match self {
            Self::Same
            | Self::BeginNewline
            | Self::EndNewline
            | Self::BeginSpace
            | Self::EndSpace
            | Self::DoubleSpace
            | Self::EndStop
            | Self::EndColon
            | Self::EndExclamation
            | Self::EndInterrobang
            | Self::EndEllipsis
            | Self::EndSemicolon
            | Self::MultipleCapital
            | Self::KabyleCharacters
            | Self::Kashida
            | Self::PunctuationSpacing
            | Self::SamePlurals
            | Self::Duplicate
            | Self::NewlineCount
            | Self::XmlCharsAroundTags
            | Self::Ellipsis
            | Self::OptionalPlural
            | Self::Reused
            | Self::MultipleFailures
            | Self::UnnamedFormat => Severity::Note,
            Self::EndQuestion
            | Self::EscapedNewline
            | Self::ZeroWidthSpace
            | Self::Bbcode
            | Self::MdReflink
            | Self::MdLink
            | Self::MdSyntax
            | Self::RstReferences
            | Self::RstSyntax
            | Self::IcuMessageFormatSyntax
            | Self::NotChecked => Severity::Warning,
            _ => Severity::Error,
        }
    }

    /// Returns the flag that enables the check, or that disables it after `ignore-`.
    pub fn flag(self) -> String {
        match self {
            Self::IcuMessageFormatSyntax => "icu-message-format".to_owned(),
            _ => self.id().replace('_', "-"),
        }
    }
}

/// A set of checks.
#[derive(Clone, Copy, PartialEq, Eq, Default, Hash)]
pub struct CheckIds(u128);

impl CheckIds {
    /// No check.
    pub(super) const EMPTY: Self = Self(0);

    /// The checks of [`CheckId::LEGACY`].
    pub const LEGACY: Self = {
        let (mut checks, mut at) = (Self::EMPTY, 0);
        while at < CheckId::LEGACY.len() {
            checks.set(CheckId::LEGACY[at], true);
            at += 1;
        }
        checks
    };

    /// Creates a set of one check.
    pub const fn of(check: CheckId) -> Self {
        Self(1 << check as u8)
    }

    /// Whether the set contains a check.
    pub const fn contains(self, check: CheckId) -> bool {
        self.0 & Self::of(check).0 != 0
    }

    /// Adds or removes a check.
    pub const fn set(&mut self, check: CheckId, contained: bool) {
        if contained {
            self.0 |= Self::of(check).0;
        } else {
            self.0 &= !Self::of(check).0;
        }
    }

    /// Whether the set is empty.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Iterates over the checks, in order.
    pub fn iter(self) -> impl Iterator<Item = CheckId> {
        let mut rest = self.0;
        std::iter::from_fn(move || {
            let check = CheckId::ALL.get(rest.trailing_zeros() as usize)?;
            rest &= rest - 1;
            Some(*check)
        })
    }

    /// Returns the checks in both sets.
    #[must_use]
    pub const fn intersection(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    /// Returns the checks that only this set contains.
    #[must_use]
    pub const fn difference(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    /// Returns the checks of both sets.
    #[must_use]
    pub const fn union(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

impl FromIterator<CheckId> for CheckIds {
    fn from_iter<I: IntoIterator<Item = CheckId>>(checks: I) -> Self {
        checks
            .into_iter()
            .fold(Self::default(), |set, check| set.union(Self::of(check)))
    }
}

impl std::fmt::Debug for CheckIds {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_set().entries(self.iter().map(CheckId::id)).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_check_has_its_own_id_and_bit() {
        assert!(CheckId::ALL.len() <= 128);
        for (index, &check) in CheckId::ALL.iter().enumerate() {
            assert_eq!(check as usize, index);
            assert_eq!(CheckId::from_id(check.id()), Some(check));
        }
        assert_eq!(CheckId::from_id("unknown"), None);
        assert!(CheckId::LEGACY.is_sorted());
    }

    #[test]
    fn a_set_returns_the_checks_it_was_built_from() {
        let mut set = CheckIds::from_iter([CheckId::UnnamedFormat, CheckId::Same]);
        assert_eq!(
            set.iter().collect::<Vec<_>>(),
            [CheckId::Same, CheckId::UnnamedFormat]
        );
        assert!(set.contains(CheckId::Same) && !set.contains(CheckId::EndStop));
        set.set(CheckId::Same, false);
        assert!(!set.contains(CheckId::Same) && !set.is_empty());
        assert_eq!(format!("{set:?}"), r#"{"unnamed_format"}"#);
        assert!(CheckIds::default().is_empty());
    }
}
