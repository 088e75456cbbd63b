//! Flags in today's names, such as `i18next-interpolation, placeholders:$NAME$` (`docs/spec/checks.md#flags`).

/// A parsed list of flags.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct CheckFlags {
    flags: Vec<Flag>,
}

/// A flag with its values: `max-length:100` has one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Flag {
    /// The name before the first colon.
    pub(super) name: String,
    /// The values after the colons.
    pub(super) values: Vec<FlagValue>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum FlagValue {
    /// A plain or quoted text.
    Text(String),
    /// A regular expression, written as `r"…"`.
    Regex(String),
}

/// A list of flags is invalid.
#[derive(Debug, thiserror::Error)]
pub enum FlagsError {
    /// A quoted value has no closing quote.
    #[error("the flags '{0}' have a quote without an end: close it with '\"'")]
    Quote(String),
    /// A regular expression is invalid or unsupported.
    #[error(
        "the flag '{flag}' has an invalid regular expression ({source}): use the syntax of the Rust crate 'regex'"
    )]
    Pattern {
        /// The name of the flag.
        flag: &'static str,
        /// The cause.
        source: Box<regex::Error>,
    },
    /// A flag does not exist.
    #[error("there is no flag '{name}': {hint}")]
    Unknown {
        /// The name.
        name: String,
        /// The next step.
        hint: String,
    },
    /// A value that must be a number is not one.
    #[error("the flag '{0}' needs a number, as in '{0}:100'")]
    Number(&'static str),
}

impl FlagValue {
    /// Returns the value without quotes.
    pub(super) fn text(&self) -> &str {
        match self {
            Self::Text(text) | Self::Regex(text) => text,
        }
    }

    /// Returns a regular expression that matches the value.
    pub(super) fn pattern(&self) -> String {
        match self {
            Self::Text(text) => regex::escape(text),
            Self::Regex(pattern) if pattern.is_empty() => String::new(),
            Self::Regex(pattern) => format!("(?:{pattern})"),
        }
    }
}

impl CheckFlags {
    /// Removes a value of a flag.
    pub(super) fn remove_value(&mut self, name: &str, value: &str) {
        for flag in self.flags.iter_mut().filter(|flag| flag.name == name) {
            flag.values.retain(|other| other.text() != value);
        }
    }

    /// Parses a comma-separated list. A value in quotes may contain commas and colons; `\"` is a quote in it.
    ///
    /// # Errors
    /// Fails if a quote is not closed.
    pub fn parse(text: &str) -> Result<Self, FlagsError> {
        let mut flags = Vec::new();
        let mut rest = text;
        while !rest.is_empty() {
            let end = rest.find([',', ':', '"']).unwrap_or(rest.len());
            let (name, mut after) = rest.split_at(end);
            let mut flag = Flag {
                name: name.trim().to_owned(),
                values: Vec::new(),
            };
            while let Some(value) = after.strip_prefix(':') {
                let (value, remaining) =
                    parse_value(value).ok_or_else(|| FlagsError::Quote(text.to_owned()))?;
                flag.values.push(value);
                after = remaining;
            }
            rest = &after[after.find(',').map_or(after.len(), |at| at + 1)..];
            if !flag.name.is_empty() {
                flags.push(flag);
            }
        }
        Ok(Self { flags })
    }

    /// Keeps the flags that a predicate selects.
    pub(super) fn retain(&mut self, is_kept: impl FnMut(&Flag) -> bool) {
        self.flags.retain(is_kept);
    }

    /// These flags, and then others.
    pub(super) fn with(&self, others: &Self) -> Self {
        let flags = self.flags.iter().chain(&others.flags);
        Self {
            flags: flags.cloned().collect(),
        }
    }

    /// Whether the list contains a flag.
    pub(super) fn contains(&self, name: &str) -> bool {
        self.flags.iter().any(|flag| flag.name == name)
    }

    /// Returns the values of a flag. If the flag occurs several times, the last one counts.
    pub(super) fn values(&self, name: &str) -> Option<&[FlagValue]> {
        let flag = self.flags.iter().rfind(|flag| flag.name == name)?;
        Some(&flag.values)
    }

    /// Returns the first value of a flag as a number.
    pub(super) fn number(&self, name: &'static str) -> Result<Option<usize>, FlagsError> {
        let Some(values) = self.values(name) else {
            return Ok(None);
        };
        let number = values
            .first()
            .and_then(|value| value.text().trim().parse().ok());
        number.map(Some).ok_or(FlagsError::Number(name))
    }

    /// Iterates over the flags, in order.
    pub(super) fn iter(&self) -> impl Iterator<Item = &Flag> {
        self.flags.iter()
    }
}

/// Reads a value and returns the text after it. `None` for a quote without an end.
fn parse_value(text: &str) -> Option<(FlagValue, &str)> {
    let trimmed = text.trim_start();
    let (is_regex, quoted) = match (trimmed.strip_prefix("r\""), trimmed.strip_prefix('"')) {
        (Some(quoted), _) => (true, quoted),
        (None, Some(quoted)) => (false, quoted),
        (None, None) => {
            let end = text.find([',', ':']).unwrap_or(text.len());
            let (value, rest) = text.split_at(end);
            return Some((FlagValue::Text(value.trim().to_owned()), rest));
        }
    };
    let mut value = String::new();
    let mut chars = quoted.char_indices();
    while let Some((at, char)) = chars.next() {
        match char {
            '"' => {
                let rest = quoted.get(at + 1..)?.trim_start();
                let kind = if is_regex {
                    FlagValue::Regex
                } else {
                    FlagValue::Text
                };
                return Some((kind(value), rest));
            }
            '\\' => {
                let (_, escaped) = chars.next()?;
                if is_regex && escaped != '"' || !is_regex && !matches!(escaped, '"' | '\\') {
                    value.push('\\');
                }
                value.push(escaped);
            }
            _ => value.push(char),
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn values(text: &str) -> Vec<(String, Vec<String>)> {
        let flags = CheckFlags::parse(text).unwrap();
        flags
            .iter()
            .map(|flag| {
                (
                    flag.name.clone(),
                    flag.values
                        .iter()
                        .map(|value| value.text().to_owned())
                        .collect(),
                )
            })
            .collect()
    }

    #[test]
    fn flags_have_values_and_whitespace_does_not_matter() {
        assert_eq!(values(""), []);
        assert_eq!(
            values("c-format,  max-length:100 , , placeholders:$A$:$B$"),
            [
                ("c-format".into(), vec![]),
                ("max-length".into(), vec!["100".into()]),
                ("placeholders".into(), vec!["$A$".into(), "$B$".into()]),
            ]
        );
    }

    #[test]
    fn quoted_values_contain_separators() {
        assert_eq!(
            values(r#"placeholders:"a,b":"c:d\"e":r"\d,\"", x"#),
            [
                (
                    "placeholders".into(),
                    vec!["a,b".into(), "c:d\"e".into(), "\\d,\"".into()]
                ),
                ("x".into(), vec![])
            ]
        );
        assert_eq!(
            values(r#"replacements:{a}:"":{b}:"x""#)[0].1,
            ["{a}", "", "{b}", "x"]
        );
        assert!(matches!(
            CheckFlags::parse(r#"placeholders:"x"#),
            Err(FlagsError::Quote(_))
        ));
    }

    #[test]
    fn the_last_of_repeated_flags_counts() {
        let flags = CheckFlags::parse("max-length:1, max-length:2").unwrap();
        assert_eq!(flags.number("max-length").unwrap(), Some(2));
        assert!(
            CheckFlags::parse("max-length:x")
                .unwrap()
                .number("max-length")
                .is_err()
        );
    }
}
