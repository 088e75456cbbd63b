//! The settings of i18next, as literals of its configuration (`docs/spec/formats.md#configuration-of-i18next`).

use super::key_separators::KeySeparators;
use super::repo_path::{join_path, parent_folders};

/// The most bytes of a configuration that are read.
pub const MAX_I18NEXT_SETTINGS: usize = 64 << 10;

/// The most bytes of a mark or separator.
pub const MAX_MARK: usize = 20;

/// The names of configuration files of i18next and its tools, from a folder above the translations, without endings.
const TOOLS: [&str; 4] = [
    "i18next.config",
    "next-i18next.config",
    "i18next-parser.config",
    "i18next-scanner.config",
];

/// The endings of these names.
const ENDINGS: [&str; 5] = ["ts", "js", "mjs", "cjs", "json"];

/// The other names of configuration files.
const FILES: [&str; 7] = [
    "i18n.json",
    "i18n.ts",
    "i18n.js",
    "i18n/index.ts",
    "i18n/index.js",
    "src/i18n.ts",
    "src/i18n.js",
];

/// The settings that matter for translations.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct I18nextSettings {
    /// The prefix and the suffix of values, if both are not the usual ones.
    pub interpolation: Option<[String; 2]>,
    /// The separators of keys.
    pub separators: KeySeparators,
}

impl I18nextSettings {
    /// Reads the literals of JSON, JavaScript or TypeScript: strings after `prefix` and `suffix` in the braces after
    /// `interpolation`, and strings or `false` after the names of separators. Nothing is executed, and everything else
    /// is skipped.
    pub fn parse(text: &str) -> Self {
        let tokens = Tokens { rest: text };
        let (mut before, mut last) = (None, None);
        // The depth of the braces after `interpolation`.
        let mut depth = 0_usize;
        let (mut prefix, mut suffix) = (None, None);
        let mut separators = KeySeparators::default();
        for token in tokens {
            if last == Some(Token::Mark(':')) {
                set_separator(&mut separators, &before, &token);
            }
            match (&token, depth) {
                (Token::Mark('{'), 0) => {
                    let is_value = last == Some(Token::Mark(':'));
                    depth = usize::from(is_value && is_name(&before, "interpolation"));
                }
                (_, 0) => {}
                (Token::Mark('{'), _) => depth += 1,
                (Token::Mark('}'), _) => depth -= 1,
                (Token::Text(value), 1) if last == Some(Token::Mark(':')) => {
                    let is_mark = !value.is_empty() && value.len() <= MAX_MARK;
                    let value = is_mark.then(|| (*value).to_owned());
                    if is_name(&before, "prefix") {
                        prefix = value;
                    } else if is_name(&before, "suffix") {
                        suffix = value;
                    }
                }
                _ => {}
            }
            before = last.replace(token);
        }
        let interpolation = prefix.zip(suffix).map(|(prefix, suffix)| [prefix, suffix]);
        Self {
            interpolation: interpolation
                .filter(|[prefix, suffix]| (&**prefix, &**suffix) != ("{{", "}}")),
            separators,
        }
    }

    /// The places of the configuration of a template, the nearest first.
    pub fn places(template: &str) -> impl Iterator<Item = String> {
        parent_folders(template).flat_map(|folder| {
            let of_tools = |tool| ENDINGS.map(|ending| format!("{tool}.{ending}"));
            let others = FILES.map(str::to_owned);
            let names = TOOLS.into_iter().flat_map(of_tools).chain(others);
            names.map(move |file| join_path(folder, &file))
        })
    }
}

/// Sets the separator of this name, if it is one.
fn set_separator(separators: &mut KeySeparators, name: &Option<Token<'_>>, value: &Token<'_>) {
    let value = match value {
        Token::Text(text) if !text.is_empty() && text.len() <= MAX_MARK => Some((*text).to_owned()),
        Token::Name("false") => None,
        _ => return,
    };
    if is_name(name, "keySeparator") {
        separators.key = value;
    } else if is_name(name, "nsSeparator") || is_name(name, "namespaceSeparator") {
        separators.namespace = value;
    } else if is_name(name, "pluralSeparator")
        && let Some(value) = value
    {
        separators.plural = value;
    }
}

/// Whether a token is a name of a member.
fn is_name(token: &Option<Token<'_>>, name: &str) -> bool {
    matches!(token, Some(Token::Name(text) | Token::Text(text)) if *text == name)
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Token<'t> {
    Name(&'t str),
    /// A string without escapes.
    Text(&'t str),
    /// Any other string.
    Other,
    Mark(char),
}

/// The tokens of JavaScript, without comments. Regular expressions and templates are not told apart from marks and
/// strings: what follows them may be skipped, too.
struct Tokens<'t> {
    rest: &'t str,
}

impl<'t> Iterator for Tokens<'t> {
    type Item = Token<'t>;

    fn next(&mut self) -> Option<Token<'t>> {
        loop {
            self.rest = self.rest.trim_start();
            let end = if self.rest.starts_with("//") {
                "\n"
            } else if self.rest.starts_with("/*") {
                "*/"
            } else {
                break;
            };
            self.rest = self.rest.get(2..)?.split_once(end)?.1;
        }
        let first = self.rest.chars().next()?;
        if matches!(first, '"' | '\'' | '`') {
            let mut is_escaped = false;
            let closes = |char: char| {
                let ends = char == first && !is_escaped;
                is_escaped = char == '\\' && !is_escaped;
                ends
            };
            let inner = self.rest.get(1..)?;
            let (text, rest) = inner.split_at(inner.find(closes)?);
            self.rest = rest.get(1..)?;
            let has_value = first == '`' && text.contains("${");
            let is_plain = !has_value && !text.contains('\\');
            return Some(if is_plain {
                Token::Text(text)
            } else {
                Token::Other
            });
        }
        let is_part = |char: char| char.is_alphanumeric() || matches!(char, '_' | '$');
        let length = match self.rest.find(|char| !is_part(char)) {
            Some(0) => first.len_utf8(),
            Some(length) => length,
            None => self.rest.len(),
        };
        let (text, rest) = self.rest.split_at(length);
        self.rest = rest;
        Some(if is_part(first) {
            Token::Name(text)
        } else {
            Token::Mark(first)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_marks_are_literals_of_the_configuration() {
        let marks = Some(["[[".to_owned(), "]]".to_owned()]);
        for text in [
            "i18n.init({ fallbackLng: 'en', interpolation: { escapeValue: false, prefix: '[[', suffix: \"]]\" } })",
            r#"{"interpolation": {"prefix": "[[", "suffix": "]]"}}"#,
            "export default {\n  // interpolation: { prefix: '<', suffix: '>' },\n  interpolation: {\n    \
             format: (v) => { return v },\n    /* prefix: '(' */ prefix: `[[`,\n    suffix: ']]',\n  },\n}",
        ] {
            assert_eq!(I18nextSettings::parse(text).interpolation, marks, "{text}");
        }
        for text in [
            "i18n.init({ interpolation: { escapeValue: false } })",
            "i18n.init({ interpolation: { prefix: '{{', suffix: '}}' } })",
            "i18n.init({ interpolation: { prefix: MARK, suffix: ']]' } })",
            "i18n.init({ interpolation: { prefix: `${a}`, suffix: ']]' } })",
            "i18n.init({ interpolation: { other: { prefix: '[[', suffix: ']]' } } })",
            "i18n.init({ prefix: '[[', suffix: ']]' })",
            "interpolation: { prefix: '[[', suffix: ']",
            "",
        ] {
            assert_eq!(I18nextSettings::parse(text).interpolation, None, "{text}");
        }
    }

    #[test]
    fn separators_are_literals_of_the_configuration() {
        let of = |text| I18nextSettings::parse(text).separators;
        let own = of("init({ keySeparator: false, nsSeparator: '::', pluralSeparator: '-' })");
        assert_eq!((own.key, &*own.plural), (None, "-"));
        assert_eq!(own.namespace.as_deref(), Some("::"));
        let nested = of(r#"{"extract": {"keySeparator": "/", "nsSeparator": false}}"#);
        assert_eq!((nested.key.as_deref(), nested.namespace), (Some("/"), None));
        let parser = of("module.exports = { namespaceSeparator: '::', keySeparator: '.' }");
        assert_eq!(parser.namespace.as_deref(), Some("::"));
        for text in [
            "init({ keySeparator: SEPARATOR, pluralSeparator: '' })",
            "keySeparator",
        ] {
            assert_eq!(of(text), KeySeparators::default(), "{text}");
        }
    }

    #[test]
    fn the_nearest_configuration_of_a_template_is_first() {
        let places: Vec<String> = I18nextSettings::places("web/locales/en.json").collect();
        let at = |path: &str| places.iter().position(|it| it == path).unwrap();
        assert!(at("web/i18next.config.ts") < at("i18next.config.ts"));
        assert!(at("web/src/i18n.js") < at("src/i18n.js"));
        assert!(at("i18next-parser.config.js") < at("i18n.json"));
    }
}
