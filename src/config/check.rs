//! The table `[check]`, which only `gitglot check` reads. Rules: `docs/spec/settings.md#check`.

use std::collections::BTreeMap;

use serde::Deserialize;

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
    /// Whether to check source texts.
    #[serde(default)]
    pub source_checks: bool,
}

/// A percentage in tenths of a percent, 0 to 1000.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Deserialize)]
#[serde(try_from = "f64")]
pub struct Percentage(u32);

impl Percentage {
    /// The value in tenths of a percent.
    pub fn tenths(self) -> u32 {
        self.0
    }
}

impl TryFrom<f64> for Percentage {
    type Error = String;

    fn try_from(number: f64) -> Result<Self, String> {
        if !(0.0..=100.0).contains(&number) {
            return Err(format!(
                "{number} is not a percentage: use a number from 0 to 100"
            ));
        }
        // 80.01 requires more than 80 %.
        Ok(Self((number * 10.0 - 1e-6).ceil() as u32))
    }
}

impl std::str::FromStr for Percentage {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let number: Option<f64> = text.trim_end_matches('%').trim_end().parse().ok();
        let wrong = || format!("'{text}' is not a percentage: use a number from 0 to 100");
        Self::try_from(number.ok_or_else(wrong)?).map_err(|_| wrong())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
