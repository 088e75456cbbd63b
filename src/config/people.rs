//! The table `[people]`: who translates a language, for `gitglot digest`.

use std::collections::BTreeMap;
use std::str::FromStr;

use serde::Deserialize;

use gitglot_model::{deserialize_text, language};

/// The people of languages, by the code of the API.
#[derive(Clone, PartialEq, Eq, Default, Debug, Deserialize)]
#[serde(from = "BTreeMap<String, Vec<Person>>")]
pub struct People(BTreeMap<String, Vec<String>>);

impl People {
    /// The people of a language; `None` if the table does not name it.
    pub fn of(&self, code: &str) -> Option<&[String]> {
        self.0.get(code).map(Vec::as_slice)
    }
}

impl From<BTreeMap<String, Vec<Person>>> for People {
    fn from(table: BTreeMap<String, Vec<Person>>) -> Self {
        let mut people = Self::default();
        // Two ways to write a code are one language.
        for (code, names) in table {
            let code = language::resolve(&code).code.to_string();
            let of_language = people.0.entry(code).or_default();
            of_language.extend(names.into_iter().map(|Person(name)| name));
        }
        people
    }
}

/// A name or a mention.
struct Person(String);

impl FromStr for Person {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        if text.trim().is_empty() || text.chars().any(char::is_control) {
            return Err("the value is no name: write a name, or a mention such as @anna");
        }
        if text.contains('@') && !is_mention(text) {
            return Err(
                "digests name people in public, so addresses are not allowed: write a name, or a mention such as \
                 @anna",
            );
        }
        Ok(Self(text.to_owned()))
    }
}

deserialize_text!(Person);

/// Whether a text mentions an account or a team of a repository host, such as `@anna` and `@org/german`.
pub fn is_mention(text: &str) -> bool {
    let is_character = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '/' | '.');
    let account = text.strip_prefix('@').unwrap_or_default();
    !account.is_empty() && account.chars().all(is_character)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn people_are_names_or_mentions_by_language() {
        let read = |text: &str| toml::from_str::<People>(text);
        let people =
            read("pt-BR = ['@anna', '@org/pt', 'Portuguese team']\npt_BR = ['@ben']\nfr = []\n")
                .unwrap();
        assert_eq!(
            people.of("pt_BR").unwrap(),
            ["@anna", "@org/pt", "Portuguese team", "@ben"]
        );
        assert_eq!((people.of("fr"), people.of("de")), (Some(&[][..]), None));
        for wrong in ["", " ", "anna@example.org", "a\nb", "@anna @ben"] {
            let text = format!("de = [{}]", toml::Value::from(wrong));
            assert!(read(&text).is_err(), "{wrong:?}");
        }
    }
}
