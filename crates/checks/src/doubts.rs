//! Doubts: reasons why an error may be none, each with a name that findings show (`docs/spec/checks.md#doubts`).
//!
//! A doubt makes a warning of an error. It is a function of the texts of one string, and of its template. Must not count
//! translations: a change that breaks many of them must not pass for this reason. `tests/judged/table.txt` counts the right
//! and the wrong errors that each doubt hides.

use serde::{Serialize, Serializer};

use crate::finding::{FaultKind, PartialFinding};
use crate::{CheckId, LanguageChecker};

/// Why an error may be none.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Doubt {
    /// The translation has a form of each value that it lacks, `%{name_without_article}` for `%{name}`: programs have such
    /// values for languages that need them.
    OwnValue,
    /// An apostrophe is not doubled, as in most texts of the template with arguments: the program may read no apostrophes.
    PlainApostrophes,
}

impl Doubt {
    /// All doubts.
    pub const ALL: [Self; 2] = [Self::OwnValue, Self::PlainApostrophes];

    /// The name in reports.
    pub const fn name(self) -> &'static str {
        match self {
            Self::OwnValue => "own-value",
            Self::PlainApostrophes => "plain-apostrophes",
        }
    }
}

impl Serialize for Doubt {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

impl LanguageChecker {
    /// The doubt about a fault of placeholders that an inferred check has found.
    pub(super) fn doubt(&self, check: CheckId, problem: &PartialFinding) -> Option<Doubt> {
        if !self.setup.is_precise {
            return None;
        }
        if is_own_value(problem) {
            return Some(Doubt::OwnValue);
        }
        let is_apostrophe = check == CheckId::JavaFormat
            && problem.is_only(FaultKind::Malformed)
            && self.traits.has_plain_apostrophes();
        is_apostrophe.then_some(Doubt::PlainApostrophes)
    }
}

fn is_own_value(problem: &PartialFinding) -> bool {
    let mut missing = problem.parts(FaultKind::Missing).peekable();
    missing.peek().is_some()
        && missing.all(|name| {
            let name = name.trim_end_matches('}');
            let is_form = |other: &str| {
                let rest = other.strip_prefix(name);
                rest.is_some_and(|rest| {
                    rest.starts_with('_') && rest.len() > 2 && rest.ends_with('}')
                })
            };
            name.contains('{') && problem.parts(FaultKind::Extra).take(MAX_FORMS).any(is_form)
        })
}

/// The most values of a translation that are compared with each one that it lacks.
const MAX_FORMS: usize = 100;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{CheckInput, Checker, Severity, Words};

    fn doubt(format: &str, texts: &[&str], source: &str, target: &str) -> Option<Doubt> {
        let checker = Checker::inferred(format, Words::default());
        let checker = checker.for_template(texts.iter().copied());
        let found = checker
            .for_translation("fr", "en")
            .check(&CheckInput::new(&[source], &[target]));
        let [finding] = found.as_slice() else {
            panic!("{target}: {found:?}");
        };
        assert_eq!(finding.severity, Severity::Error, "{target}");
        assert_eq!(
            finding.doubted_severity() == Severity::Warning,
            finding.doubt.is_some()
        );
        finding.doubt
    }

    #[test]
    fn a_form_of_the_value_for_the_language_is_doubted() {
        for (target, wanted) in [
            ("Mae %{name_without_article}", Some(Doubt::OwnValue)),
            ("Mae %{other}", None),
            ("Mae %{names}", None),
            ("Mae", None),
        ] {
            assert_eq!(doubt("ruby-yaml", &[], "%{name} is new", target), wanted);
        }
    }

    #[test]
    fn single_apostrophes_are_doubted_if_the_template_has_them() {
        let texts = ["Can't open {0}", "Couldn't find {0}", "You've pressed {0}"];
        let of = |texts: &[&str], target| {
            doubt("properties", texts, "Unable to find {0} in {1}", target)
        };
        let target = "Impossible d'ouvrir {0} dans {1}";
        assert_eq!(of(&texts, target), Some(Doubt::PlainApostrophes));
        assert_eq!(of(&texts[..2], target), None);
        assert_eq!(of(&texts, "Impossible d'ouvrir {0}"), None);
    }
}
