//! Quality checks on the text of a unit, one small file per family.
//!
//! [`Checker`] has the checks of a component in one of two profiles: those of Weblate 3.4 and those of current Weblate.
//! [`LanguageChecker`] runs them on the units of a translation. [`ComponentChecks`] has both profiles of a component.
//! All are pure: they read texts and return findings.
//!
//! Must not depend on git, HTTP or any crate other than `model`.
//!
//! ```
//! use gitglot_checks::{CheckInput, Checker, Words};
//!
//! let checker = Checker::inferred("json", Words::default()).for_translation("cs", "en");
//! let findings = checker.check(&CheckInput::new(&["Hello %s"], &["Ahoj"]));
//! assert_eq!(findings[0].message, "Missing placeholders: %s.");
//! assert!(checker.check(&CheckInput::new(&["Hello %s"], &["Ahoj %s"])).is_empty());
//! ```

mod applied;
mod checker;
mod closest;
mod collect;
mod component;
mod finding;
mod flag_names;
mod flags;
mod html;
mod infer;
mod input;
mod intervals;
mod language_rules;
mod languages;
mod lazy_regex;
mod limit;
mod marks;
mod pair;
mod pattern;
mod profile;
mod registry;
mod rules;
mod run;
mod settings;
mod setup;
mod source_change;
mod string_role;
mod string_texts;
mod syntax;
mod template_difference;
mod tokens;
mod traits;
mod unit_flags;
mod weblate34;
mod word_diff;
mod words;
mod xml;

pub use checker::{Checker, LanguageChecker};
pub use closest::closest;
pub use component::{ComponentChecks, SharedChecks};
pub use finding::{CheckFinding, Fault, FaultKind, TextSide, TextSpan};
pub use flags::{CheckFlags, FlagsError};
pub use input::CheckInput;
pub use limit::{MAX_CHECKED, Proceed};
pub use profile::CheckProfile;
pub use registry::{CheckId, CheckIds, Severity};
pub use settings::{CheckSettings, PlaceholderSettings};
pub use source_change::SourceChange;
pub use string_role::{StringRole, TextContext, TextRole};
pub use string_texts::StringTexts;
pub use syntax::{KnownSyntax, MessageSyntax, SyntaxOrigin};
pub use template_difference::TemplateDifference;
pub use word_diff::{DiffMark, word_diff};
pub use words::Words;

#[cfg(test)]
mod hostile_tests;
#[cfg(test)]
mod tests;
