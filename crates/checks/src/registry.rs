//! The checks, and sets of them. Must not depend on their rules, which describe them (`rules/described.rs`).

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

/// Calls a macro with all checks, in order, each with the path of its rule.
macro_rules! all_checks {
    ($with:ident) => {
        $with! {
            Same = same::SAME;
            BeginNewline = spacing::BEGIN_NEWLINE;
            EndNewline = spacing::END_NEWLINE;
            BeginSpace = spacing::BEGIN_SPACE;
            EndSpace = spacing::END_SPACE;
            DoubleSpace = spacing::DOUBLE_SPACE;
            EndStop = ends::END_STOP;
            EndColon = ends::END_COLON;
            EndQuestion = ends::END_QUESTION;
            EndExclamation = ends::END_EXCLAMATION;
            EndInterrobang = ends::END_INTERROBANG;
            EndEllipsis = ends::END_ELLIPSIS;
            EndSemicolon = ends::END_SEMICOLON;
            MultipleCapital = letters::MULTIPLE_CAPITAL;
            KabyleCharacters = letters::KABYLE_CHARACTERS;
            Kashida = letters::KASHIDA;
            PunctuationSpacing = spacing::PUNCTUATION_SPACING;
            MaxLength = forms::MAX_LENGTH;
            MaxLines = forms::MAX_LINES;
            Regex = forms::REGEX;
            PythonFormat = format::styles::PYTHON_FORMAT;
            PythonBraceFormat = format::styles::PYTHON_BRACE_FORMAT;
            BraceFormat = format::styles::BRACE_FORMAT;
            PhpFormat = format::styles::PHP_FORMAT;
            CFormat = format::styles::C_FORMAT;
            PerlFormat = format::styles::PERL_FORMAT;
            PerlBraceFormat = format::styles::PERL_BRACE_FORMAT;
            JavascriptFormat = format::styles::JAVASCRIPT_FORMAT;
            LuaFormat = format::styles::LUA_FORMAT;
            ObjectPascalFormat = format::styles::OBJECT_PASCAL_FORMAT;
            SchemeFormat = format::styles::SCHEME_FORMAT;
            CSharpFormat = format::styles::C_SHARP_FORMAT;
            JavaPrintfFormat = format::styles::JAVA_PRINTF_FORMAT;
            JavaFormat = format::styles::JAVA_FORMAT;
            QtFormat = format::styles::QT_FORMAT;
            QtPluralFormat = format::styles::QT_PLURAL_FORMAT;
            RubyFormat = format::styles::RUBY_FORMAT;
            ObjcFormat = format::styles::OBJC_FORMAT;
            LaravelFormat = format::styles::LARAVEL_FORMAT;
            PercentPlaceholders = format::styles::PERCENT_PLACEHOLDERS;
            VueFormat = format::styles::VUE_FORMAT;
            I18nextInterpolation = format::styles::I18NEXT_INTERPOLATION;
            EsFormat = format::styles::ES_FORMAT;
            AngularjsFormat = format::styles::ANGULARJS_FORMAT;
            AutomatticComponentsFormat = format::styles::AUTOMATTIC_COMPONENTS_FORMAT;
            IcuMessageFormat = icu::ICU_MESSAGE_FORMAT;
            IcuMessageFormatSyntax = icu::ICU_MESSAGE_FORMAT_SYNTAX;
            FluentReferences = fluent::FLUENT_REFERENCES;
            FluentParts = fluent::FLUENT_PARTS;
            Placeholders = placeholders::PLACEHOLDERS;
            Plurals = forms::PLURALS;
            SamePlurals = forms::SAME_PLURALS;
            Duplicate = letters::DUPLICATE;
            EscapedNewline = spacing::ESCAPED_NEWLINE;
            NewlineCount = spacing::NEWLINE_COUNT;
            Bbcode = bbcode::BBCODE;
            ZeroWidthSpace = spacing::ZERO_WIDTH_SPACE;
            XmlInvalid = xml::XML_INVALID;
            XmlTags = xml::XML_TAGS;
            XmlCharsAroundTags = xml::XML_CHARS_AROUND_TAGS;
            MdReflink = markdown::MD_REFLINK;
            MdLink = markdown::MD_LINK;
            MdSyntax = markdown::MD_SYNTAX;
            RstReferences = rst::RST_REFERENCES;
            RstSyntax = rst::RST_SYNTAX;
            Url = url::URL;
            SafeHtml = html::SAFE_HTML;
            Ellipsis = forms::ELLIPSIS;
            OptionalPlural = forms::OPTIONAL_PLURAL;
            Reused = forms::REUSED;
            MultipleFailures = forms::MULTIPLE_FAILURES;
            UnnamedFormat = forms::UNNAMED_FORMAT;
            NotChecked = forms::NOT_CHECKED;
        }
    };
}
pub(crate) use all_checks;

macro_rules! ids {
    ($($variant:ident = $($path:ident)::+;)*) => {
        /// A check of current Weblate or of Weblate 3.4. The order is the order of reports, in both.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        #[repr(u8)]
        #[expect(missing_docs, reason = "the rule of each check describes it")]
        pub enum CheckId { $($variant,)* }

        impl CheckId {
            /// All checks of current Weblate, in order.
            pub const ALL: &'static [Self] = &[$(Self::$variant,)*];
        }
    };
}

all_checks!(ids);

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
}

/// A set of checks.
#[derive(Clone, Copy, PartialEq, Eq, Default, Hash)]
pub struct CheckIds(u128);

impl CheckIds {
    /// No check.
    pub(super) const EMPTY: Self = Self(0);

    /// The checks of [`CheckId::LEGACY`].
    pub const LEGACY: Self = Self::all(&CheckId::LEGACY);

    /// Creates a set of these checks.
    pub(super) const fn all(list: &[CheckId]) -> Self {
        let (mut checks, mut at) = (Self::EMPTY, 0);
        while at < list.len() {
            checks.set(list[at], true);
            at += 1;
        }
        checks
    }

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
