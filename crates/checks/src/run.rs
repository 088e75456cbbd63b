//! Runs the checks on a unit.

use gitglot_model::language;

use crate::checker::LanguageChecker;
use crate::collect::FindingCollector;
use crate::finding::{CheckFinding, PartialFinding};
use crate::input::{CheckInput, FormPair};
use crate::language_rules::LanguageGroup;
use crate::limit::Proceed;
use crate::pair::{skip_run, take_run};
use crate::profile::CheckProfile;
use crate::registry::{CheckId, CheckIds};
use crate::rules::format::{FormatRules, vue};
use crate::rules::same::unchanged::{Names, Unchanged};
use crate::rules::{
    bbcode, ends, fluent, format, forms, html, icu, letters, markdown, rst, spacing, url, xml,
};
use crate::{infer, languages, pattern, tokens, weblate34};

impl LanguageChecker {
    /// Runs all enabled checks and returns at most one finding per check, in the order of [`CheckId::ALL`]; in Weblate 3.4,
    /// those that flags enable are the last. Call it only for translated units of a translation that is not the template.
    pub fn check(&self, unit: &CheckInput) -> Vec<CheckFinding> {
        self.check_while(unit, &|_| true)
    }

    /// As [`Self::check`], while the work may go on. Asks before each check.
    pub fn check_while(&self, unit: &CheckInput, proceed: Proceed<'_>) -> Vec<CheckFinding> {
        let checker = self.with_flags(unit.flags);
        if unit.is_too_long() {
            let check = CheckId::NotChecked;
            let finding = || PartialFinding::new(check.description()).of(check);
            let enabled = checker.setup.enabled.contains(check);
            return enabled.then(finding).into_iter().collect();
        }
        let mut findings = checker.check_any(unit, proceed);
        self.add_reasons(&mut findings);
        findings
    }

    /// Adds to findings of the checks of the known syntax how it is known.
    fn add_reasons(&self, findings: &mut [CheckFinding]) {
        let Some(known) = &self.setup.syntax else {
            return;
        };
        let is_of_syntax = |check: CheckId| {
            let is_message = matches!(check, CheckId::Placeholders | CheckId::IcuMessageFormat);
            self.setup.enabled.contains(check) && (is_message || tokens::is_format_check(check))
        };
        let findings = findings.iter_mut();
        for finding in findings.filter(|finding| is_of_syntax(finding.check)) {
            if let Some(reason) = known.reason(finding.faults.len()) {
                finding.message = format!("{} {reason}", finding.message);
            }
        }
    }

    /// Runs all enabled checks and returns those that fail.
    pub fn failing(&self, unit: &CheckInput) -> CheckIds {
        self.failing_while(unit, &|_| true)
    }

    /// As [`Self::failing`], while the work may go on.
    pub fn failing_while(&self, unit: &CheckInput, proceed: Proceed<'_>) -> CheckIds {
        let findings = self.check_while(unit, proceed);
        findings.iter().map(|finding| finding.check).collect()
    }

    /// The checks of ends that fail because a change dropped or added a final mark: the new translation differs from the
    /// one before only after its last letter, and the old one passes. Most sources without such a change have another
    /// reason for a different mark.
    pub fn changed_ends(&self, source: &str, before: &str, after: &str) -> Vec<CheckFinding> {
        let core = |text: &str| text.trim_end_matches(|c: char| !c.is_alphanumeric()).len();
        let is_same_text = before.get(..core(before)) == after.get(..core(after));
        if !self.setup.inferred || before == after || !is_same_text {
            return Vec::new();
        }
        let failing = |target: &str| {
            let mut found = Vec::new();
            for pair in CheckInput::new(&[source], &[target]).pairs() {
                ends::check(&pair, self.rules, |check, problem: PartialFinding| {
                    found.push(problem.of(check));
                });
            }
            found
        };
        let old = failing(before);
        let mut new = failing(after);
        new.retain(|finding| {
            let is_old = old.iter().any(|old| old.check == finding.check);
            self.setup.enabled.contains(finding.check) && !is_old
        });
        new
    }

    /// Checks texts of any length.
    pub(super) fn check_any(&self, unit: &CheckInput, proceed: Proceed<'_>) -> Vec<CheckFinding> {
        let setup = &*self.setup;
        let source_categories = unit.source_categories.filter(|_| setup.inferred);
        let unit = &CheckInput {
            source_categories,
            ..*unit
        };
        let texts = unit.source.iter().chain(unit.target);
        let mut report = FindingCollector {
            precise_for: setup.inferred.then(|| languages::primary_code(&self.base)),
            enabled: setup.enabled,
            inferred: CheckIds::default(),
            failed: CheckIds::default(),
            findings: Vec::new(),
            proceed,
            length: texts.map(|text| text.len()).sum(),
            is_stopped: false,
        };
        if report.proceeds() {
            match setup.profile {
                CheckProfile::Weblate34 => self.check_weblate34(unit, &mut report),
                CheckProfile::Current => self.check_current(unit, &mut report),
            }
        }
        let is_by_flag = |check| setup.profile.is_by_flag(check);
        let mut findings = report.findings;
        findings.sort_by_key(|finding| (is_by_flag(finding.check), finding.check));
        findings
    }

    fn check_weblate34(&self, unit: &CheckInput, report: &mut FindingCollector<'_>) {
        let words = self.same.then_some(&self.setup.words);
        for check in weblate34::failing(unit, self.rules, words).iter() {
            let (_, description) = check.texts_in(CheckProfile::Weblate34);
            report.add(check, PartialFinding::new(description));
        }
        self.check_placeholders(unit, report);
        self.check_lengths(unit, report);
    }

    fn check_current(&self, unit: &CheckInput, report: &mut FindingCollector<'_>) {
        let setup = &*self.setup;
        // Each language has its own formats of dates.
        let is_no_text = || unit.source.iter().all(|source| pattern::is_pattern(source));
        if setup.inferred && (is_no_text() || pattern::is_pseudo_translated(unit.target)) {
            return;
        }
        report.inferred = self.inferred(unit);
        report.enabled = report
            .enabled
            .union(report.inferred.intersection(infer::MARKUP));
        if !self.traits.placeholders.is_empty() && !setup.flags.contains("ignore-placeholders") {
            report.enabled.set(CheckId::Placeholders, true);
        }
        let xml = xml::Mode {
            forced: setup.flags.contains("xml-text"),
            lenient: setup.inferred,
            escaped: setup.inferred && setup.file_format.starts_with("xliff"),
        };
        // Variants repeat the tags of a message as often as the language has forms.
        let mut texts = unit.source.iter().chain(unit.target);
        let has_variants = setup.file_format == "fluent" && texts.any(|text| text.contains("->"));
        let xml = xml.of_unit(unit.source).filter(|_| !has_variants);
        for pair in unit.pairs() {
            self.check_pair(&pair, xml, report);
        }
        self.on_plain_texts(unit, |unit| self.check_placeholders(unit, report));
        self.check_forms(unit, report);
    }

    /// Runs the checks that compare a target text with a source text.
    fn check_pair(
        &self,
        pair: &FormPair,
        xml: Option<xml::Mode>,
        report: &mut FindingCollector<'_>,
    ) {
        let (flags, inferred) = (&self.setup.flags, report.inferred);
        report.run_on_text(CheckId::Kashida, pair, || letters::kashida(pair));
        if &*self.base == "kab" {
            report.run(CheckId::KabyleCharacters, || letters::kabyle(pair));
        }
        report.run(CheckId::SafeHtml, || {
            let is_auto = flags.contains("auto-safe-html") && !flags.contains("safe-html");
            html::check(pair, is_auto)
        });
        report.run(CheckId::Url, || self.check_url(pair));
        // Equal texts pass every comparison, except that the Burmese question mark differs from the English one.
        let equal = pair.source == pair.target;
        if !equal || self.rules.group == LanguageGroup::Burmese {
            ends::check(pair, self.rules, |check, problem| {
                report.add_of_text(check, pair, problem)
            });
        }
        if self.french && pair.target.contains([';', ':', '?', '!']) {
            report.run_on_text(CheckId::PunctuationSpacing, pair, || {
                spacing::punctuation_spacing(pair, &self.placeholder_ranges(pair.target, inferred))
            });
        }
        if !equal {
            self.check_different_texts(pair, xml, report);
        }
    }

    fn check_url(&self, pair: &FormPair) -> Option<PartialFinding> {
        let target = pair.target.trim();
        // An example: `e.g. https://…`
        let has_one = self.setup.inferred && target.contains("://") && !url::is_url(target);
        let is_url = url::is_url(pair.target) || (self.setup.inferred && url::is_url(target));
        let wrong = !pair.source.is_empty() && !is_url && !has_one;
        let is_inferred = !self.setup.flags.contains("url");
        wrong.then(|| PartialFinding::new(CheckId::Url.description()).weighed(is_inferred))
    }

    /// Runs the comparisons that equal texts pass.
    fn check_different_texts(
        &self,
        pair: &FormPair,
        xml: Option<xml::Mode>,
        report: &mut FindingCollector<'_>,
    ) {
        let inferred = report.inferred;
        spacing::check(pair, self.rules, |check, problem| {
            report.add_of_text(check, pair, problem)
        });
        report.run_on_text(CheckId::MultipleCapital, pair, || {
            letters::multiple_capital(pair)
        });
        report.run_on_text(CheckId::Duplicate, pair, || {
            letters::duplicate(pair, &self.base, |text| {
                self.placeholder_ranges(text, inferred)
            })
        });
        report.run(CheckId::Bbcode, || bbcode_differs(pair));
        let syntax = self.setup.syntax.as_ref();
        // vue-i18n 8 refuses nothing.
        if syntax.is_some_and(|known| known.syntax.name() == "vue-i18n") {
            report.run(CheckId::VueFormat, || vue::refused(pair));
            report.run(CheckId::VueFormat, || vue::divided(pair));
        }
        let icu = CheckId::IcuMessageFormat;
        let compares_tags = self.setup.enabled.contains(icu) || inferred.contains(icu);
        if let Some(mode) = xml
            && report.wants_any(xml::CHECKS)
            && report.proceeds()
            && !(self.setup.inferred
                && compares_tags
                && icu::quotes_tags(pair.source, &self.setup.flags))
        {
            xml::check(pair, mode, |check, problem| {
                report.add_of_text(check, pair, problem)
            });
        }
        report.run(CheckId::FluentReferences, || {
            fluent::references(pair, self.setup.inferred)
        });
        report.run(CheckId::FluentParts, || {
            let finding = fluent::parts(pair)?;
            let is_minor = self.setup.inferred && !fluent::loses_shown_part(&finding);
            Some(finding.weighed(is_minor))
        });
        report.run(CheckId::MdLink, || markdown::links(pair));
        report.run(CheckId::MdReflink, || markdown::reference_links(pair));
        report.run(CheckId::MdSyntax, || markdown::syntax(pair));
        report.run(CheckId::RstReferences, || rst::references(pair));
        report.run(CheckId::RstSyntax, || rst::syntax(pair));
    }

    /// Runs the checks of placeholders.
    fn check_placeholders(&self, unit: &CheckInput, report: &mut FindingCollector<'_>) {
        let (setup, inferred) = (&*self.setup, report.inferred);
        let plural = self.plural.as_deref();
        let has_simple_one = languages::has_simple_one(&self.base) || &*self.code == "pt_PT";
        let categories = language::plural_categories(&self.code).filter(|_| setup.inferred);
        let rules = FormatRules {
            simple_one: setup.inferred && has_simple_one,
            categories: categories.filter(|_| !unit.categories.is_empty()),
            template_names: setup.inferred.then_some(&self.traits.colon_names),
            ..setup.rules
        };
        for &check in &setup.format_checks {
            report.run(check, || {
                let is_auto = check == CheckId::JavaFormat
                    && setup.flags.contains("auto-java-messageformat")
                    && !setup.flags.contains("java-format");
                if is_auto && !has_numbered(unit) {
                    return None;
                }
                format::check(check, unit, plural, rules)
            });
        }
        let certain = FormatRules {
            certain_only: true,
            ..rules
        };
        for check in inferred.iter() {
            if !report.proceeds() {
                return;
            }
            let problem = match check {
                CheckId::IcuMessageFormat => self.check_icu(unit),
                check if tokens::is_format_check(check) => {
                    format::check(check, unit, plural, certain)
                }
                _ => continue,
            };
            if let Some(problem) = problem {
                report.enabled.set(check, true);
                report.add(check, problem);
            }
        }
        report.run(CheckId::IcuMessageFormat, || self.check_icu(unit));
        let icu = CheckId::IcuMessageFormat;
        if setup.enabled.contains(icu) || inferred.contains(icu) {
            report.run(CheckId::IcuMessageFormatSyntax, || {
                icu::check_source(unit, &setup.flags)
            });
        }
        // Branches repeat placeholders, or number them apart.
        let mut forms = unit.target.iter();
        let has_branches = forms.any(|form| xml::accepted::has_branches(form));
        let of_template = Some(&self.traits.placeholders).filter(|_| !has_branches);
        let of_template = of_template.into_iter().flatten();
        for placeholders in setup.placeholders.iter().chain(of_template) {
            report.run(CheckId::Placeholders, || {
                placeholders.check(unit, plural, categories)
            });
        }
        self.check_added(unit, report);
    }

    /// Reports placeholders that only the translation has. Where a style is known, its check compares them.
    fn check_added(&self, unit: &CheckInput, report: &mut FindingCollector<'_>) {
        let setup = &*self.setup;
        let is_auto_java = setup.flags.contains("auto-java-messageformat");
        let mut format_checks = self.format_checks(report.inferred);
        let has_style = format_checks.any(|check| check != CheckId::JavaFormat || !is_auto_java);
        let is_by_message = setup.enabled.contains(CheckId::IcuMessageFormat)
            || setup.enabled.contains(CheckId::FluentReferences);
        let given = if setup.rules.rails {
            format::RAILS
        } else {
            &[]
        };
        if !has_style
            && !is_by_message
            && !setup.flags.contains("ignore-placeholders")
            && let Some(problem) = self.traits.known.added(unit, given)
        {
            report.enabled.set(CheckId::Placeholders, true);
            report.add(CheckId::Placeholders, problem.weighed(true));
        }
    }

    fn check_icu(&self, unit: &CheckInput) -> Option<PartialFinding> {
        icu::check(
            unit,
            self.plural.as_deref(),
            &self.setup.flags,
            self.setup.inferred,
        )
    }

    /// Runs the checks of plural forms, lengths and the source.
    fn check_forms(&self, unit: &CheckInput, report: &mut FindingCollector<'_>) {
        let (setup, inferred) = (&*self.setup, report.inferred);
        let may_be_equal = unit.source.first() == unit.target.first() || unit.target.len() > 1;
        if self.same && may_be_equal {
            report.run(CheckId::Same, || {
                let names = setup.inferred.then(|| Names {
                    language: &self.base,
                    placeholders: self.traits.placeholders.first(),
                    of_template: &self.traits.names,
                });
                let unchanged = Unchanged {
                    words: &setup.words,
                    is_strict: setup.flags.contains("strict-same"),
                    format_checks: self.format_checks(inferred).collect(),
                    placeholders: setup.placeholders.as_ref(),
                    names,
                };
                unchanged.check(unit)
            });
        }
        // Texts in i18next have all forms of the language without naming their categories; 0 allows any number.
        let plural = self.plural.as_ref();
        let plural = plural.filter(|_| setup.file_format == "i18next");
        let expected = plural.map_or(0, |rule| rule.forms());
        report.run(CheckId::Plurals, || {
            forms::plurals(unit, &self.code, expected, setup.rules.rails)
        });
        let precise_for = report.precise_for;
        report.run(CheckId::SamePlurals, || {
            forms::same_plurals(unit, precise_for)
        });
        self.check_lengths(unit, report);
        if let Some(pattern) = &setup.regex {
            report.run(CheckId::Regex, || forms::regex(unit, pattern));
        }
        report.run(CheckId::Ellipsis, || forms::ellipsis(unit));
        report.run(CheckId::OptionalPlural, || forms::optional_plural(unit));
        report.run(CheckId::UnnamedFormat, || {
            forms::unnamed(unit, self.format_checks(inferred))
        });
    }

    fn check_lengths(&self, unit: &CheckInput, report: &mut FindingCollector<'_>) {
        let limits = &self.setup.limits;
        report.run(CheckId::MaxLength, || limits.too_long(unit));
        report.run(CheckId::MaxLines, || limits.too_many_lines(unit));
    }
}

/// Compares the BBcode tags of both texts. Tags that only the translation has count, too.
fn bbcode_differs(pair: &FormPair) -> Option<PartialFinding> {
    let differ =
        bbcode::differ(pair.source, pair.target) || bbcode::differ(pair.target, pair.source);
    differ.then(|| PartialFinding::new(CheckId::Bbcode.description()))
}

/// Whether a source text has a placeholder such as `{0}`.
fn has_numbered(unit: &CheckInput) -> bool {
    let is_number = |inside: &str| {
        let number = take_run(skip_run(inside, char::is_whitespace), |char| {
            char.is_ascii_digit()
        });
        number.is_some_and(|(_, after)| skip_run(after, char::is_whitespace).starts_with('}'))
    };
    unit.source.iter().any(|source| {
        let mut braces = source.match_indices('{');
        braces.any(|(at, _)| is_number(&source[at + 1..]))
    })
}
