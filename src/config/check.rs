//! The table `[check]`, which only `gitglot check` reads. Rules: `docs/spec/settings.md#check`.

use std::collections::BTreeMap;

use gitglot_lint::{FindingKind, ForbiddenText, GateError, Severity, SeverityRule};
use gitglot_model::{InvalidValue, PathPattern};
use regex::{Regex, RegexBuilder};
use serde::{Deserialize, Serialize};

/// Gates and exceptions of `gitglot check`.
#[derive(Clone, PartialEq, Eq, Default, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CheckConfig {
    /// The findings that fail a run, as in `--fail-on`.
    pub fail_on: Option<Vec<String>>,
    /// The least translated share in total and of each language.
    pub fail_under: Option<Percentage>,
    /// The least translated share of single languages, by code.
    #[serde(default)]
    pub fail_under_language: BTreeMap<String, Percentage>,
    /// Checks without findings.
    #[serde(default)]
    pub ignore_checks: Vec<String>,
    /// Patterns of keys without findings; `*` matches any text.
    #[serde(default)]
    pub ignore_keys: Vec<String>,
    /// Names that need no translation.
    #[serde(default)]
    pub ignore_terms: Vec<String>,
    /// Files and directories without findings, which detection leaves out, too.
    #[serde(default)]
    pub exclude: Vec<PathPattern>,
    /// The sign before the letter of a keyboard accelerator in bilingual files.
    pub accelerator: Option<char>,
    /// Patterns of keys whose translations must be the source texts.
    #[serde(default)]
    pub equal_keys: Vec<String>,
    /// Texts that translations may not have.
    #[serde(default)]
    pub forbid: Vec<ForbidRule>,
    /// Has no effect; older files have it.
    #[serde(default)]
    pub strict: bool,
    /// Whether to check source texts.
    #[serde(default)]
    pub source_checks: bool,
    /// The severity of findings everywhere, by name.
    #[serde(default)]
    pub severity: BTreeMap<String, Level>,
    /// The severity of findings in some files. The last rule that matches counts, and comes before `severity`.
    #[serde(default)]
    pub rules: Vec<CheckRule>,
}

/// Severities of findings in some files.
#[derive(Clone, PartialEq, Eq, Default, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CheckRule {
    /// A pattern of `project/component`; `*` matches any text.
    pub component: Option<String>,
    /// A pattern of language codes.
    pub language: Option<String>,
    /// A pattern of paths of files.
    pub path: Option<String>,
    /// The severity of findings, by name.
    pub severity: BTreeMap<String, Level>,
}

/// A text that translations may not have.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ForbidRule {
    /// A pattern of language codes.
    pub language: Option<String>,
    /// A regular expression.
    pub pattern: TextPattern,
    /// What to write in its place.
    pub message: String,
}

/// A regular expression that is valid and not too large.
#[derive(Clone, Debug, Deserialize)]
#[serde(try_from = "String")]
pub struct TextPattern(Regex);

impl TextPattern {
    /// The most bytes of a compiled expression.
    const MAX: usize = 1 << 20;
}

impl TryFrom<String> for TextPattern {
    type Error = regex::Error;

    fn try_from(pattern: String) -> Result<Self, regex::Error> {
        let compiled = RegexBuilder::new(&pattern).size_limit(Self::MAX).build();
        compiled.map(Self)
    }
}

impl PartialEq for TextPattern {
    fn eq(&self, other: &Self) -> bool {
        self.0.as_str() == other.0.as_str()
    }
}

impl Eq for TextPattern {}

/// A severity, or none.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Level {
    /// The findings are left out.
    Off,
    /// They are shown.
    Note,
    /// They are probably faults.
    Warning,
    /// They fail a run by default.
    Error,
}

impl Level {
    fn severity(self) -> Option<Severity> {
        match self {
            Self::Off => None,
            Self::Note => Some(Severity::Note),
            Self::Warning => Some(Severity::Warning),
            Self::Error => Some(Severity::Error),
        }
    }
}

impl CheckConfig {
    /// The findings that fail a run without `fail_on`.
    const DEFAULT_FAIL_ON: &str = "error";

    /// The rules of both: what fails a run with one of them fails it, and only what both ignore is ignored
    /// (`docs/spec/lint.md#configuration`).
    pub fn with(&self, other: &Self) -> Self {
        let fail_on = |config: &Self| {
            let default = || vec![Self::DEFAULT_FAIL_ON.to_owned()];
            config.fail_on.clone().unwrap_or_else(default)
        };
        fn both<T: Clone + PartialEq>(names: &[T], others: &[T]) -> Vec<T> {
            let mut names = names.to_vec();
            names.retain(|name| others.contains(name));
            names
        }
        fn all_of<T: Clone + PartialEq>(rules: &[T], others: &[T]) -> Vec<T> {
            let new = others.iter().filter(|other| !rules.contains(other));
            rules.iter().chain(new).cloned().collect()
        }
        let languages = self.fail_under_language.keys();
        let languages = languages.chain(other.fail_under_language.keys());
        let least = |code: &String| self.least(code).max(other.least(code));
        Self {
            fail_on: Some(all_of(&fail_on(self), &fail_on(other))),
            fail_under: self.fail_under.max(other.fail_under),
            fail_under_language: languages
                .filter_map(|code| Some((code.clone(), least(code)?)))
                .collect(),
            ignore_checks: both(&self.ignore_checks, &other.ignore_checks),
            ignore_keys: both(&self.ignore_keys, &other.ignore_keys),
            ignore_terms: both(&self.ignore_terms, &other.ignore_terms),
            exclude: both(&self.exclude, &other.exclude),
            accelerator: self.accelerator.or(other.accelerator),
            equal_keys: all_of(&self.equal_keys, &other.equal_keys),
            forbid: all_of(&self.forbid, &other.forbid),
            strict: self.strict || other.strict,
            source_checks: self.source_checks || other.source_checks,
            severity: self.severity.clone(),
            rules: self.rules.clone(),
        }
    }

    /// The severities that differ from the usual ones, the most special last.
    ///
    /// # Errors
    /// If a name is unknown.
    pub fn severity_rules(&self) -> Result<Vec<SeverityRule>, GateError> {
        let everywhere = CheckRule {
            severity: self.severity.clone(),
            ..CheckRule::default()
        };
        let ignored = self.ignore_checks.iter().map(|name| (name, Level::Off));
        let ignored = CheckRule {
            severity: ignored.map(|(name, level)| (name.clone(), level)).collect(),
            ..CheckRule::default()
        };
        let rules = [&everywhere].into_iter().chain(&self.rules);
        let all = rules.chain([&ignored]).flat_map(|rule| {
            rule.severity.iter().map(|(name, level)| {
                Ok(SeverityRule {
                    kind: FindingKind::from_id(name).ok_or_else(|| GateError::new(name))?,
                    severity: level.severity(),
                    component: rule.component.clone(),
                    language: rule.language.clone(),
                    path: rule.path.clone(),
                })
            })
        });
        all.collect()
    }

    /// The texts that translations may not have.
    pub fn forbidden(&self) -> Vec<ForbiddenText> {
        let forbidden = self.forbid.iter().map(|rule| ForbiddenText {
            language: rule.language.clone(),
            pattern: rule.pattern.0.clone(),
            message: rule.message.clone(),
        });
        forbidden.collect()
    }

    /// The least share of a language.
    fn least(&self, code: &str) -> Option<Percentage> {
        let of_language = self.fail_under_language.get(code).copied();
        of_language.or(self.fail_under)
    }

    /// The keys whose values differ.
    pub fn differences(&self, other: &Self) -> Vec<&'static str> {
        macro_rules! compared {
            ($($key:ident)*) => { [$((stringify!($key), self.$key != other.$key)),*] };
        }
        let keys = compared! {
            fail_on fail_under fail_under_language ignore_checks ignore_keys ignore_terms exclude accelerator equal_keys
            forbid strict source_checks severity rules
        };
        let changed = keys.into_iter().filter(|(_, differs)| *differs);
        changed.map(|(key, _)| key).collect()
    }
}

/// The table `[release]`, for the components that do not say it themselves.
#[derive(Clone, PartialEq, Eq, Default, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ReleaseConfig {
    /// The translated share from which on a language is ready.
    languages: Option<Percentage>,
}

impl ReleaseConfig {
    /// The translated share that a language needs, in tenths of a percent.
    pub(super) fn needed(&self) -> Option<u32> {
        self.languages.map(Percentage::tenths)
    }
}

/// A percentage in tenths of a percent, 0 to 1000.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(try_from = "f64", into = "f64")]
pub struct Percentage(u32);

impl Percentage {
    /// The percentage of this many tenths of a percent, at most 100 %.
    pub(super) fn from_tenths(tenths: u32) -> Self {
        Self(tenths.min(1000))
    }

    /// The value in tenths of a percent.
    pub fn tenths(self) -> u32 {
        self.0
    }
}

impl From<Percentage> for f64 {
    fn from(percentage: Percentage) -> Self {
        Self::from(percentage.0) / 10.0
    }
}

/// A number that is no percentage.
#[derive(Clone, Copy, PartialEq, Debug, thiserror::Error)]
#[error("{0} is not a percentage: use a number from 0 to 100")]
pub struct NotAPercentage(f64);

impl TryFrom<f64> for Percentage {
    type Error = NotAPercentage;

    fn try_from(number: f64) -> Result<Self, NotAPercentage> {
        if !(0.0..=100.0).contains(&number) {
            return Err(NotAPercentage(number));
        }
        // 80.01 requires more than 80 %.
        Ok(Self((number * 10.0 - 1e-6).ceil() as u32))
    }
}

impl std::str::FromStr for Percentage {
    type Err = InvalidValue;

    fn from_str(text: &str) -> Result<Self, InvalidValue> {
        let number: Option<f64> = text.trim_end_matches('%').trim_end().parse().ok();
        let wrong = || InvalidValue::new(text, "a percentage: use a number from 0 to 100");
        Self::try_from(number.ok_or_else(wrong)?).map_err(|_| wrong())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn config(text: &str) -> CheckConfig {
        toml::from_str(text).unwrap()
    }

    #[test]
    fn a_second_table_can_only_add_rules() {
        let base = config(
            "fail_under = 80\nignore_keys = ['a', 'b']\nexclude = ['x', 'y']\n[fail_under_language]\nde = 50\n",
        );
        let weak = "fail_on = []\nfail_under = 1\nignore_keys = ['*', 'b']\nignore_checks = ['end_stop']\n\
                    exclude = ['y', 'z']\nfail_under_language = { cs = 0, de = 0 }\n";
        let weak = base.with(&config(weak));
        let expected = "fail_on = ['error']\nfail_under = 80\nignore_keys = ['b']\n\
                        exclude = ['y']\nfail_under_language = { cs = 80, de = 50 }\n";
        assert_eq!(weak, config(expected));
        let own = "equal_keys = ['a']\n[[forbid]]\npattern = 'x+'\nmessage = 'No x.'\n";
        let both = config(own).with(&config("equal_keys = ['a', 'b']"));
        assert_eq!((both.equal_keys.len(), both.forbid.len()), (2, 1));
        assert_eq!(config("").with(&config(own)).forbid, config(own).forbid);
        assert!(toml::from_str::<CheckConfig>("[[forbid]]\npattern = '('\nmessage = ''").is_err());
        let strict =
            "fail_on = ['stale']\nsource_checks = true\nfail_under_language = { de = 90 }\n";
        let strict = base.with(&config(strict));
        let expected = "fail_on = ['error', 'stale']\nfail_under = 80\nsource_checks = true\n\
                        fail_under_language = { de = 90 }\n";
        assert_eq!(strict, config(expected));
        let none = CheckConfig::default();
        assert_eq!(none.with(&none), config("fail_on = ['error']"));
        let severity = "fail_on = ['error']\n[severity]\nsame = 'off'\n[[rules]]\nseverity = { end_stop = 'off' }\n";
        assert_eq!(config(severity).with(&none), config(severity));
        assert_eq!(none.with(&config(severity)), none.with(&none));
    }

    #[test]
    fn the_most_special_severity_is_last() {
        let rules = "ignore_checks = ['url']\n[severity]\nsame = 'off'\n[[rules]]\nlanguage = 'ja'\n\
                     severity = { same = 'error' }\n";
        let rules = config(rules).severity_rules().unwrap();
        let shown: Vec<_> = rules
            .iter()
            .map(|rule| (rule.kind.id(), rule.severity, rule.language.as_deref()))
            .collect();
        assert_eq!(
            shown,
            [
                ("same", None, None),
                ("same", Some(Severity::Error), Some("ja")),
                ("url", None, None)
            ]
        );
        let error = config("[severity]\nsmae = 'off'\n").severity_rules();
        assert!(
            error
                .unwrap_err()
                .to_string()
                .contains("did you mean same?")
        );
    }

    #[test]
    fn changed_keys_are_named() {
        let (one, other) = (config("fail_under = 1"), config("ignore_keys = ['*']"));
        assert_eq!(one.differences(&other), ["fail_under", "ignore_keys"]);
        assert!(one.differences(&one).is_empty());
    }

    #[test]
    fn a_percentage_is_a_number_from_0_to_100() {
        for (text, tenths) in [
            ("80", 800),
            ("99.5%", 995),
            ("0", 0),
            ("100", 1000),
            ("80.01", 801),
            ("80.1", 801),
        ] {
            assert_eq!(text.parse(), Ok(Percentage(tenths)), "{text}");
        }
        for wrong in ["", "-1", "101", "NaN", "many"] {
            assert!(wrong.parse::<Percentage>().is_err(), "{wrong}");
        }
    }
}
