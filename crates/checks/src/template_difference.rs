//! What the texts of two templates show differently, as far as the checks of other strings depend on it
//! (`docs/spec/checks.md#own-placeholders`).

use std::sync::Arc;

use crate::checker::Checker;
use crate::rules::format::laravel::TemplateNames;
use crate::rules::placeholders::Placeholders;
use crate::rules::placeholders::added::KnownPlaceholders;
use gitglot_model::PLURAL_SEPARATOR;

/// The difference between two templates.
#[derive(Clone, Default, Debug)]
pub struct TemplateDifference {
    /// Whether other checks are inferred.
    has_other_checks: bool,
    /// Whether other words are names.
    has_other_names: bool,
    /// Own placeholders of one template only.
    own: Vec<Placeholders>,
    /// Placeholders of the texts of one template only.
    known: KnownPlaceholders,
    /// Names behind colons that only one template has, or that only in one of them several texts have.
    colon_names: TemplateNames,
}

impl Checker {
    /// How checks with the same settings differ, because they are those of other templates.
    pub fn difference(&self, other: &Self) -> TemplateDifference {
        let (own, others) = (&self.traits, &other.traits);
        if Arc::ptr_eq(own, others) {
            return TemplateDifference::default();
        }
        let only = |these: &[Placeholders], those: &[Placeholders]| -> Vec<Placeholders> {
            let these = these.iter().filter(|regex| !those.contains(regex));
            these.cloned().collect()
        };
        TemplateDifference {
            has_other_checks: own.replaced != others.replaced,
            has_other_names: own.names != others.names,
            own: [
                only(&own.placeholders, &others.placeholders),
                only(&others.placeholders, &own.placeholders),
            ]
            .concat(),
            known: own.known.difference(&others.known),
            colon_names: own.colon_names.difference(&others.colon_names),
        }
    }
}

impl TemplateDifference {
    /// Whether a translation can have other results.
    pub fn concerns(&self, source: &str, target: &str) -> bool {
        let texts = [source, target];
        let has_own = |text: &&str| self.own.iter().any(|regex| !regex.ranges(text).is_empty());
        let is_plural = |text: &&str| text.contains(PLURAL_SEPARATOR);
        let may_be_untranslated = || source == target || texts.iter().any(is_plural);
        self.has_other_checks
            || ((self.has_other_names || !self.own.is_empty()) && may_be_untranslated())
            || texts.iter().any(has_own)
            || self.known.may_be_added(source, target)
            || texts.iter().any(|text| self.colon_names.occur_in(text))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::words::Words;

    fn concerns(templates: [&[&str]; 2], source: &str, target: &str) -> bool {
        concerns_in("json", templates, source, target)
    }

    fn concerns_in(format: &str, templates: [&[&str]; 2], source: &str, target: &str) -> bool {
        let checker = Checker::inferred(format, Words::default());
        let [here, there] = templates.map(|texts| checker.for_template(texts.iter().copied()));
        let difference = here.difference(&there);
        assert!(!here.difference(&here).concerns(source, target));
        assert!(
            !there
                .difference(&checker.for_template(templates[1].iter().copied()))
                .concerns(source, target)
        );
        difference.concerns(source, target)
    }

    #[test]
    fn a_further_text_concerns_only_texts_that_it_shows() {
        let own = ["`x` files", "`x` folders", "`x` people"];
        let [few, many] = [&own[..2], &own[..]];
        assert!(concerns([few, many], "`x` files", "Dateien"));
        assert!(concerns([many, few], "files", "`x` Dateien"));
        assert!(concerns([few, many], "Files", "Files"));
        assert!(!concerns([few, many], "files", "Dateien"));
        let added: [&[&str]; 2] = [&["Hi"], &["Hi", "Hello {name}"]];
        assert!(concerns(added, "Hi", "Ahoj {name}"));
        assert!(!concerns(added, "Hi {name}", "Ahoj {name}"));
        assert!(!concerns(added, "Hi", "Ahoj {other}"));
        assert!(!concerns(added, "Hi", "Hi"));
        let names = ["go to Paris", "see Paris", "from Paris"];
        assert!(concerns([&names[..2], &names], "Paris", "Paris"));
        let numbers = ["%0 and %1", "%0 of %1", "%0 or %1"];
        assert!(concerns([&numbers[..2], &numbers], "a %s", "b"));
    }

    #[test]
    fn a_further_name_concerns_texts_that_begin_with_it() {
        let concerns = |source, target| {
            concerns_in("laravel", [&["Hi"], &["Hi", "at :value"]], source, target)
        };
        assert!(concerns("for :valued", "seit :Value T") && concerns("Hi", "macOS:values"));
        assert!(!concerns("Hi :name", "Ahoj :name"));
    }
}
