//! The language table, indexed at first use.

use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

use super::{Language, Plural, data, is_rtl};

pub(super) static TABLE: LazyLock<LanguageTable> = LazyLock::new(LanguageTable::new);

static LANGUAGES: LazyLock<Vec<Language>> = LazyLock::new(|| {
    let lines = data::LANGUAGES.lines().zip(0..);
    lines
        .filter_map(|(line, rank)| language(line, rank))
        .collect()
});

/// Returns the built-in languages in the order of their ids, which is also the order of language lists.
pub fn shipped() -> &'static [Language] {
    &LANGUAGES
}

/// The indexes of the built-in languages.
pub(super) struct LanguageTable {
    by_code: HashMap<String, &'static Language>,
    /// The value is `None` for a name that two languages share.
    by_name: HashMap<String, Option<&'static Language>>,
    aliases: HashMap<&'static str, &'static str>,
    default_countries: HashSet<&'static str>,
}

impl LanguageTable {
    fn new() -> Self {
        let mut by_name = HashMap::new();
        for language in shipped() {
            by_name
                .entry(language.name.to_lowercase())
                .and_modify(|found| *found = None)
                .or_insert(Some(language));
        }
        let languages = shipped().iter();
        let by_code = languages.map(|language| (language.code.to_lowercase(), language));
        let aliases = data::ALIASES.split(' ');
        Self {
            by_code: by_code.collect(),
            by_name,
            aliases: aliases.filter_map(|pair| pair.split_once('=')).collect(),
            default_countries: data::DEFAULT_COUNTRIES.split(' ').collect(),
        }
    }

    /// Finds a language by code, ignoring case.
    pub(super) fn by_code(&self, code: &str) -> Option<&'static Language> {
        self.by_code.get(&code.to_lowercase()).copied()
    }

    /// Finds a language by English name, ignoring case. A name that two languages share is no match.
    pub(super) fn by_name(&self, name: &str) -> Option<&'static Language> {
        self.by_name.get(&name.to_lowercase()).copied().flatten()
    }

    /// Finds a language by lower-case alias.
    pub(super) fn by_alias(&self, alias: &str) -> Option<&'static Language> {
        let code = self.aliases.get(alias)?;
        self.by_code(code)
            .filter(|language| &*language.code == *code)
    }

    /// Whether a lower-case code combines a language with its default country.
    pub(super) fn is_default_country(&self, code: &str) -> bool {
        self.default_countries.contains(code)
    }
}

fn language(line: &str, rank: u16) -> Option<Language> {
    let mut columns = line.split('\t');
    let (code, name, rule) = (columns.next()?, columns.next()?, columns.next()?);
    let rule = data::PLURALS.get(rule.parse::<usize>().ok()?)?;
    let (forms, formula) = rule.strip_prefix("nplurals=")?.split_once("; plural=")?;
    let forms = forms.parse().ok()?;
    let plural = Plural { forms, formula };
    Some(Language {
        code: code.into(),
        name: name.into(),
        rtl: is_rtl(code),
        rank: Some(rank),
        plural,
    })
}
