//! What applies to a text: the checks that it enables, and its placeholders. Must not run checks.

use std::ops::Range;

use crate::checker::LanguageChecker;
use crate::finding::{TextSide, TextSpan};
use crate::input::CheckInput;
use crate::registry::{CheckId, CheckIds};
use crate::rules::format::{self, FormatRules};
use crate::rules::xml;
use crate::{infer, intervals, tokens};

impl LanguageChecker {
    /// Returns the placeholders of both texts that the enabled checks compare, by text and position. They do not
    /// overlap.
    pub fn placeholders(&self, unit: &CheckInput) -> Vec<TextSpan> {
        if unit.is_too_long() {
            return Vec::new();
        }
        let checker = self.with_flags(unit.flags);
        let inferred = checker.inferred(unit);
        let sides = [
            (TextSide::Source, unit.source),
            (TextSide::Target, unit.target),
        ];
        let mut spans = Vec::new();
        for (side, texts) in sides {
            for (form, text) in texts.iter().enumerate() {
                let ranges = checker.placeholder_ranges(text, inferred).into_iter();
                spans.extend(ranges.map(|range| TextSpan { side, form, range }));
            }
        }
        spans
    }

    /// The largest number of characters of a text with these flags, if there is a limit.
    pub fn max_length(&self, flags: &str) -> Option<usize> {
        self.with_flags(flags).setup.limits.max_length
    }

    /// The bytes of the placeholders of a text, in order. They do not overlap.
    pub(super) fn placeholder_ranges(&self, text: &str, inferred: CheckIds) -> Vec<Range<usize>> {
        let tokens = self.format_checks(inferred).flat_map(|check| {
            let rules = FormatRules {
                certain_only: inferred.contains(check),
                rails: self.setup.rules.rails,
                go_template: self.setup.rules.go_template,
                ..FormatRules::default()
            };
            format::tokens(check, text, rules)
        });
        let mut ranges: Vec<_> = tokens.map(|token| token.range).collect();
        let listed = self.setup.placeholders.iter();
        let listed = listed.chain(&self.traits.placeholders);
        ranges.extend(listed.flat_map(|listed| listed.ranges(text)));
        ranges.sort_by_key(|range| (range.start, std::cmp::Reverse(range.end)));
        let mut end = 0;
        ranges.retain(|range| {
            let is_apart = range.start >= end && !range.is_empty();
            if is_apart {
                end = range.end;
            }
            is_apart
        });
        ranges
    }

    /// The checks that the source enables beyond those that are enabled anyway.
    pub(super) fn inferred(&self, unit: &CheckInput) -> CheckIds {
        let setup = &*self.setup;
        if !setup.inferred {
            return CheckIds::default();
        }
        let find =
            |unit: &CheckInput| infer::text_checks(unit.source, &setup.file_format, setup.enabled);
        let mut inferred = self.on_plain_texts(unit, find);
        // Nothing but vue-i18n reads its messages.
        inferred.set(
            CheckId::VueFormat,
            inferred.contains(CheckId::VueFormat) && setup.syntax.is_none(),
        );
        let others = [self.traits.replaced, setup.not_inferred, setup.enabled];
        let inferred = others.into_iter().fold(inferred, CheckIds::difference);
        self.without_known(unit, inferred)
    }

    /// Leaves out the format checks all whose placeholders in the source are some of the known syntax.
    fn without_known(&self, unit: &CheckInput, inferred: CheckIds) -> CheckIds {
        if self.setup.syntax.is_none() || inferred.is_empty() {
            return inferred;
        }
        let sources = unit.source.iter();
        let known = sources.map(|source| self.placeholder_ranges(source, CheckIds::default()));
        let known: Vec<_> = known.collect();
        let is_known = |check: CheckId| {
            let mut texts = unit.source.iter().zip(&known);
            tokens::is_format_check(check)
                && texts.all(|(source, known)| {
                    let mut known = known.iter().peekable();
                    tokens::find(check, source).iter().all(|token| {
                        let range = &token.range;
                        while known.next_if(|other| other.end <= range.start).is_some() {}
                        known.peek().is_some_and(|other| other.start < range.end)
                    })
                })
        };
        inferred.iter().filter(|&check| !is_known(check)).collect()
    }

    /// Runs a check of placeholders without what is none: notes in tags of XLIFF, and intervals of alternatives.
    pub(super) fn on_plain_texts<T>(
        &self,
        unit: &CheckInput,
        check: impl FnOnce(&CheckInput) -> T,
    ) -> T {
        let is_xliff = self.setup.file_format.starts_with("xliff");
        let check = |unit: &CheckInput| match is_xliff {
            true => xml::with_plain_tags(unit, check),
            false => check(unit),
        };
        if self.setup.inferred {
            intervals::without(unit, check)
        } else {
            check(unit)
        }
    }

    /// The enabled and the inferred format checks.
    pub(super) fn format_checks(&self, inferred: CheckIds) -> impl Iterator<Item = CheckId> {
        let enabled = self.setup.format_checks.iter().copied();
        enabled.chain(tokens::format_checks(inferred))
    }
}
