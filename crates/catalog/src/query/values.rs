//! The values of terms: operators, names, numbers and truth values (docs/spec/query.md#values).

use super::error::Reason;
use super::pattern::Pattern;

/// The operator between a field and its value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Operator {
    /// `:`
    Contains,
    /// `:=`
    Equal,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
}

impl Operator {
    /// The operators after the colon; longer ones first.
    pub(super) const SIGNS: [(&'static str, Self); 5] = [
        ("<=", Self::LessOrEqual),
        (">=", Self::GreaterOrEqual),
        ("<", Self::Less),
        (">", Self::Greater),
        ("=", Self::Equal),
    ];

    /// The sign of a comparison, which is a part of the value of texts; `""` for `:` and `:=`.
    pub(super) fn comparison(self) -> &'static str {
        let sign = Self::SIGNS.into_iter().find(|(_, listed)| *listed == self);
        sign.map_or("", |(sign, operator)| match operator {
            Self::Equal => "",
            _ => sign,
        })
    }

    /// The numbers that have this relation to a number.
    pub(super) fn range(self, number: i64) -> (i64, i64) {
        match self {
            Self::Contains | Self::Equal => (number, number),
            // No number is less than the least one: an empty range.
            Self::Less => (i64::MIN, number.saturating_sub(1)),
            Self::LessOrEqual => (i64::MIN, number),
            Self::Greater => (number.saturating_add(1), i64::MAX),
            Self::GreaterOrEqual => (number, i64::MAX),
        }
    }
}

/// The value of a term.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Value {
    Text(String),
    /// A regular expression.
    Pattern(String),
    /// `[A to B]`
    Range(String, String),
}

impl Value {
    /// The value as it is shown in errors, and as fields that have no patterns read it.
    pub(super) fn text(&self) -> &str {
        match self {
            Self::Text(text) | Self::Pattern(text) | Self::Range(text, _) => text,
        }
    }
}

/// Inclusive ranges of numbers.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Ranges(Vec<(i64, i64)>);

impl Ranges {
    pub(super) fn of(range: (i64, i64)) -> Self {
        Self(vec![range])
    }

    pub(super) fn contains(&self, number: i64) -> bool {
        let mut ranges = self.0.iter();
        ranges.any(|&(first, last)| (first..=last).contains(&number))
    }

    /// The numbers that a term selects.
    pub(super) fn of_numbers(operator: Operator, value: &Value) -> Result<Self, Reason> {
        match value {
            Value::Range(from, to) => Ok(Self::of((number(from)?, number(to)?))),
            _ => Ok(Self::of(operator.range(number(value.text())?))),
        }
    }

    /// The numbers that a term selects, of which several can be separated by commas.
    pub(super) fn of_number_list(operator: Operator, value: &Value) -> Result<Self, Reason> {
        match (operator, value) {
            (Operator::Contains | Operator::Equal, Value::Text(list)) if list.contains(',') => {
                let numbers = list.split(',').map(|item| {
                    let number = number(item)?;
                    Ok((number, number))
                });
                numbers.collect::<Result<_, Reason>>().map(Self)
            }
            _ => Self::of_numbers(operator, value),
        }
    }
}

/// A whole number; one with too many digits is the largest or the least.
fn number(text: &str) -> Result<i64, Reason> {
    let text = text.trim();
    let digits = text.strip_prefix(['+', '-']).unwrap_or(text);
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        let message = format!("'{text}' is not a number");
        return Err(Reason::of(message, "Could not parse numeric value", text));
    }
    let limit = if text.starts_with('-') {
        i64::MIN
    } else {
        i64::MAX
    };
    Ok(text.parse().unwrap_or(limit))
}

/// A truth value.
pub(super) fn yes_or_no(text: &str) -> Result<bool, Reason> {
    let lower = text.to_ascii_lowercase();
    match &*lower {
        "yes" | "true" | "on" | "1" => Ok(true),
        "no" | "false" | "off" | "0" => Ok(false),
        _ => {
            let message = format!("'{text}' is neither yes nor no");
            Err(Reason::of(message, "Could not parse boolean value", text))
        }
    }
}

/// A condition on a name: a code, a slug, the name of a component or a person.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum NameTest {
    /// Equal, including case.
    Exact(String),
    /// Equal, ignoring case. The text is in lower case.
    Same(String),
    /// Contained, ignoring case. The text is in lower case.
    Contains(String),
    Pattern(Pattern),
}

impl NameTest {
    /// A name that is equal to the value; ignoring case unless the operator is `:=`.
    pub(super) fn equal(operator: Operator, value: Value) -> Result<Self, Reason> {
        Self::new(operator, value, Self::Exact, Self::Same)
    }

    /// A name that contains the value, or, with `:=`, is equal to it, both ignoring case.
    pub(super) fn contained(operator: Operator, value: Value) -> Result<Self, Reason> {
        let equal = |text: String| Self::Same(text.to_lowercase());
        Self::new(operator, value, equal, Self::Contains)
    }

    fn new(
        operator: Operator,
        value: Value,
        equal: impl Fn(String) -> Self,
        loose: impl Fn(String) -> Self,
    ) -> Result<Self, Reason> {
        Ok(match (operator, value) {
            (_, Value::Pattern(pattern)) => Self::Pattern(Pattern::new(&pattern)?),
            (Operator::Equal, value) => equal(value.text().to_owned()),
            (_, value) => {
                let text = [operator.comparison(), value.text()].concat();
                loose(text.to_lowercase())
            }
        })
    }

    pub(super) fn fits(&self, name: &str) -> bool {
        match self {
            Self::Exact(wanted) => name == wanted,
            Self::Same(wanted) => name.to_lowercase() == *wanted,
            Self::Contains(wanted) => name.to_lowercase().contains(&**wanted),
            Self::Pattern(pattern) => pattern.finds(name),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_compared_as_the_operator_says() {
        let found = |operator, value: &str| {
            let ranges = Ranges::of_numbers(operator, &Value::Text(value.into())).unwrap();
            [-1, 0, 1, 2]
                .into_iter()
                .filter(|number| ranges.contains(*number))
                .collect::<Vec<_>>()
        };
        assert_eq!(found(Operator::Contains, "1"), [1]);
        assert_eq!(found(Operator::Equal, "+1"), [1]);
        assert_eq!(found(Operator::Less, "1"), [-1, 0]);
        assert_eq!(found(Operator::LessOrEqual, "1"), [-1, 0, 1]);
        assert_eq!(found(Operator::Greater, "1"), [2]);
        assert_eq!(found(Operator::GreaterOrEqual, "-1"), [-1, 0, 1, 2]);
        assert!(found(Operator::Greater, "99999999999999999999").is_empty());
        assert_eq!(found(Operator::Less, "99999999999999999999"), [-1, 0, 1, 2]);
    }

    #[test]
    fn names_are_compared_ignoring_case_unless_they_are_exact() {
        let text = |text: &str| Value::Text(text.into());
        let equal = |operator, value| NameTest::equal(operator, text(value)).unwrap();
        assert!(equal(Operator::Contains, "ZH_hans").fits("zh_Hans"));
        assert!(!equal(Operator::Contains, "zh").fits("zh_Hans"));
        assert!(!equal(Operator::Equal, "ZH_hans").fits("zh_Hans"));
        let contained = |operator, value| NameTest::contained(operator, text(value)).unwrap();
        assert!(contained(Operator::Contains, "PP").fits("App"));
        assert!(!contained(Operator::Equal, "PP").fits("App"));
        assert!(contained(Operator::Equal, "APP").fits("App"));
        let pattern = NameTest::equal(Operator::Contains, Value::Pattern("^z.*s$".into())).unwrap();
        assert!(pattern.fits("zh_Hans") && !pattern.fits("zh"));
    }
}
