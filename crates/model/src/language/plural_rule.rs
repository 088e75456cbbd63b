//! Evaluates gettext plural formulas (`docs/spec/languages.md#plural-rules`).

use std::collections::HashMap;
use std::sync::{Arc, LazyLock, Mutex, PoisonError};

/// The maximum nesting of a formula.
const MAX_DEPTH: usize = 128;

/// The most forms of a rule.
const MAX_FORMS: usize = 16;

/// The numbers that determine the coverage of a form.
const SAMPLE: u64 = 1000;

/// A parsed plural rule.
pub struct PluralRule {
    forms: usize,
    coverage: Vec<Coverage>,
    formula: Formula,
}

impl std::fmt::Debug for PluralRule {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "PluralRule({:?})", self.coverage)
    }
}

/// The numbers that a plural form covers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Coverage {
    /// Exactly one number.
    One,
    /// Exactly 0 and 1.
    ZeroAndOne,
    /// Any other set of numbers.
    Many,
}

impl PluralRule {
    /// Parses a formula such as `n != 1`. `None` if the formula is not a C expression over `n`.
    pub fn parse(forms: usize, formula: &str) -> Option<Self> {
        let mut rule = Self {
            forms: forms.clamp(1, MAX_FORMS),
            coverage: Vec::new(),
            formula: parse_formula(formula)?,
        };
        rule.coverage = (0..rule.forms).map(|form| rule.coverage_of(form)).collect();
        Some(rule)
    }

    /// The number of forms, 1 or more.
    pub fn forms(&self) -> usize {
        self.forms
    }

    /// The number of forms of a rule that is not needed otherwise; `None` if the formula is not valid.
    pub fn count(forms: usize, formula: &str) -> Option<usize> {
        parse_formula(formula).map(|_| forms.clamp(1, MAX_FORMS))
    }

    /// Returns the 0-based form for a number. A result beyond the last form counts as the last form.
    pub fn form(&self, number: u64) -> usize {
        usize::try_from((self.formula)(number).unwrap_or_default())
            .unwrap_or(usize::MAX)
            .min(self.forms - 1)
    }

    /// The first number whose form the rule does not have, with that form counted from 0. Looks at numbers up to 1,000.
    pub fn undeclared_form(&self) -> Option<(u64, u64)> {
        let mut forms = (0..=SAMPLE).map(|number| (number, (self.formula)(number).unwrap_or(0)));
        forms.find(|&(_, form)| form >= self.forms as u64)
    }

    /// The first number for which the formula divides by zero. Looks at numbers up to 1,000.
    pub fn undefined_number(&self) -> Option<u64> {
        (0..=SAMPLE).find(|&number| (self.formula)(number).is_none())
    }

    /// Returns the numbers that a form covers. A form beyond the last one counts as [`Coverage::Many`].
    pub fn coverage(&self, form: usize) -> Coverage {
        self.coverage.get(form).copied().unwrap_or(Coverage::Many)
    }

    /// Returns the numbers that a CLDR category covers. Only categories of single numbers are distinguished: a category
    /// that this rule puts into the same form as another number counts as [`Coverage::Many`].
    pub fn coverage_of_category(&self, category: &str) -> Coverage {
        let number = match category {
            "zero" => 0,
            "one" => 1,
            "two" => 2,
            _ => return Coverage::Many,
        };
        self.coverage(self.form(number))
    }

    fn coverage_of(&self, form: usize) -> Coverage {
        let mut numbers = (0..SAMPLE).filter(|&number| self.form(number) == form);
        match [numbers.next(), numbers.next(), numbers.next()] {
            [Some(_), None, None] => Coverage::One,
            [Some(0), Some(1), None] => Coverage::ZeroAndOne,
            _ => Coverage::Many,
        }
    }
}

/// Parses a formula.
fn parse_formula(text: &str) -> Option<Formula> {
    let mut parser = PluralParser {
        rest: text.trim().trim_end_matches(';'),
        depth: 0,
    };
    let formula = parser.conditional()?;
    parser.rest.trim().is_empty().then_some(formula)
}

/// A C expression over `n`. `None` is a division by zero, which counts as 0.
type Formula = Box<dyn Fn(u64) -> Option<u64> + Send + Sync>;

/// Gets the value on the left, and that on the right on demand.
type Operator = fn(u64, &dyn Fn() -> Option<u64>) -> Option<u64>;

/// The operators by precedence, weakest first. Longer spellings precede their prefixes. Underflow results in 0.
const LEVELS: &[&[(&str, Operator)]] = &[
    &[("||", |a, b| Some((a != 0 || b()? != 0).into()))],
    &[("&&", |a, b| Some((a != 0 && b()? != 0).into()))],
    &[
        ("==", |a, b| Some((a == b()?).into())),
        ("!=", |a, b| Some((a != b()?).into())),
    ],
    &[
        ("<=", |a, b| Some((a <= b()?).into())),
        (">=", |a, b| Some((a >= b()?).into())),
        ("<", |a, b| Some((a < b()?).into())),
        (">", |a, b| Some((a > b()?).into())),
    ],
    &[
        ("+", |a, b| Some(a.saturating_add(b()?))),
        ("-", |a, b| Some(a.saturating_sub(b()?))),
    ],
    &[
        ("*", |a, b| Some(a.saturating_mul(b()?))),
        ("/", |a, b| a.checked_div(b()?)),
        ("%", |a, b| a.checked_rem(b()?)),
    ],
];

struct PluralParser<'a> {
    rest: &'a str,
    depth: usize,
}

impl PluralParser<'_> {
    fn conditional(&mut self) -> Option<Formula> {
        self.depth += 1;
        (self.depth <= MAX_DEPTH).then_some(())?;
        let mut result = self.binary(0)?;
        if self.take("?") {
            let (condition, yes) = (result, self.conditional()?);
            self.take(":").then_some(())?;
            let no = self.conditional()?;
            result = Box::new(move |n| if condition(n)? == 0 { no(n) } else { yes(n) });
        }
        self.depth -= 1;
        Some(result)
    }

    fn binary(&mut self, level: usize) -> Option<Formula> {
        let Some(operators) = LEVELS.get(level) else {
            return self.unary();
        };
        let mut left = self.binary(level + 1)?;
        while let Some(&(_, operator)) = operators.iter().find(|(spelling, _)| self.take(spelling))
        {
            let right = self.binary(level + 1)?;
            left = Box::new(move |n| operator(left(n)?, &|| right(n)));
            self.depth += 1;
            (self.depth <= MAX_DEPTH).then_some(())?;
        }
        Some(left)
    }

    fn unary(&mut self) -> Option<Formula> {
        if self.take("(") {
            let inner = self.conditional()?;
            return self.take(")").then_some(inner);
        }
        if self.take("!") {
            self.depth += 1;
            (self.depth <= MAX_DEPTH).then_some(())?;
            let inner = self.unary()?;
            return Some(Box::new(move |n| Some(u64::from(inner(n)? == 0))));
        }
        if self.take("n") {
            return Some(Box::new(Some));
        }
        let after = self
            .rest
            .trim_start_matches(|char: char| char.is_ascii_digit());
        let number = &self.rest[..self.rest.len() - after.len()];
        self.rest = after;
        let number: u64 = number.parse().ok()?;
        Some(Box::new(move |_| Some(number)))
    }

    /// Skips whitespace and a spelling.
    fn take(&mut self, spelling: &str) -> bool {
        self.rest = self.rest.trim_start();
        let Some(rest) = self.rest.strip_prefix(spelling) else {
            return false;
        };
        self.rest = rest;
        true
    }
}

/// A plural rule as in the gettext header `Plural-Forms` (`docs/spec/languages.md#plural-rules`).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Plural {
    /// The number of forms, 1 or more.
    pub forms: u8,
    /// A C expression over `n` that returns the 0-based index of the form.
    pub formula: &'static str,
}

impl Plural {
    /// The rule of an unknown language.
    pub(super) const DEFAULT: Self = Self {
        forms: 2,
        formula: "n != 1",
    };

    /// The parsed rule. `None` if the formula is invalid. Each rule is parsed once.
    pub fn rule(self) -> Option<Arc<PluralRule>> {
        type Rules = Mutex<HashMap<Plural, Option<Arc<PluralRule>>>>;
        // The number of rules is fixed: formulas are part of the program.
        static RULES: LazyLock<Rules> = LazyLock::new(Rules::default);
        let parse = || PluralRule::parse(usize::from(self.forms), self.formula).map(Arc::new);
        let mut rules = RULES.lock().unwrap_or_else(PoisonError::into_inner);
        rules.entry(self).or_insert_with(parse).clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn coverage(forms: usize, formula: &str) -> Vec<Coverage> {
        let rule = PluralRule::parse(forms, formula).unwrap();
        (0..forms).map(|form| rule.coverage(form)).collect()
    }

    #[test]
    fn every_built_in_rule_is_parsed() {
        for language in super::super::shipped() {
            let plural = language.plural;
            let rule = PluralRule::parse(plural.forms.into(), plural.formula).unwrap();
            assert!(
                (0..200).all(|number| rule.form(number) < rule.forms()),
                "{}",
                language.code
            );
        }
    }

    #[test]
    fn forms_follow_the_formula() {
        let czech = PluralRule::parse(3, "(n==1) ? 0 : (n>=2 && n<=4) ? 1 : 2").unwrap();
        assert_eq!(
            [0, 1, 2, 4, 5].map(|number| czech.form(number)),
            [2, 0, 1, 1, 2]
        );
        assert_eq!(PluralRule::parse(1, "0").unwrap().form(7), 0);
    }

    #[test]
    fn coverage_distinguishes_single_numbers_from_many() {
        use Coverage::{Many, One, ZeroAndOne};
        assert_eq!(coverage(2, "n != 1"), [One, Many]);
        assert_eq!(coverage(2, "n > 1"), [ZeroAndOne, Many]);
        assert_eq!(coverage(1, "0"), [Many]);
        assert_eq!(coverage(3, "n==1 ? 0 : n==2 ? 1 : 2"), [One, One, Many]);
        assert_eq!(coverage(2, "n%10==1 ? 0 : 1"), [Many, Many]);
    }

    #[test]
    fn malformed_formulas_are_errors() {
        let deep = format!("{}n{}", "(".repeat(500), ")".repeat(500));
        for formula in [
            "",
            "n ==",
            "x",
            "n ? 1",
            "(n",
            "n)",
            "1 2",
            "!!",
            &deep,
            &"!".repeat(500),
        ] {
            assert!(PluralRule::parse(2, formula).is_none(), "{formula}");
        }
        assert_eq!(PluralRule::parse(2, "n/0 + n%0 - 5").unwrap().form(3), 0);
    }
}
