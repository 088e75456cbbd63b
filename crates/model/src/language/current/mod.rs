//! The languages of current Weblate, which the current API shows (docs/spec/current-api.md#languages).
//!
//! `languages.tsv` and `plurals.tsv` are facts of weblate-language-data 2026.11, under `LICENSE-LANGUAGE-DATA`. A row of
//! the former is: code, English name, rows of `plurals.tsv` (that of gettext and that of CLDR, if it differs), `rtl`,
//! number of speakers, aliases. A row of the latter: number of forms, type, formula.
//!
//! Must not depend on git, HTTP or any other module.

use std::sync::{Arc, LazyLock};

use super::{is_rtl, resolve};
use crate::hash::signed_hash;

const LANGUAGES: &str = include_str!("languages.tsv");
const PLURALS: &str = include_str!("plurals.tsv");

/// A language of current Weblate.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CurrentLanguage {
    /// The code, for example `pt_BR`.
    pub code: Arc<str>,
    /// The English name.
    pub name: Arc<str>,
    /// Whether the language is written from right to left.
    pub rtl: bool,
    /// A number that differs between languages: the rank in the table, from 1, or one above all ranks.
    pub id: u32,
    /// Number of speakers; 0 if unknown.
    pub population: u64,
    /// The plural rule.
    pub plural: CurrentPlural,
    /// The plural rule of formats that name the forms.
    pub named_plural: CurrentPlural,
    /// Other codes, separated by spaces.
    pub aliases: &'static str,
}

/// A plural rule of current Weblate.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CurrentPlural {
    /// The number of forms, 1 or more.
    pub forms: u8,
    /// Weblate's number of the combination of categories.
    pub kind: u8,
    /// A C expression over `n` that returns the 0-based index of the form.
    pub formula: &'static str,
}

impl CurrentPlural {
    /// The rule of a language that is not in the table.
    const DEFAULT: Self = Self {
        forms: 2,
        kind: 1,
        formula: "n != 1",
    };
}

static TABLE: LazyLock<Table> = LazyLock::new(Table::new);

/// The table as text with an index, since most servers show few of its languages.
struct Table {
    plurals: Vec<CurrentPlural>,
    rows: Vec<&'static str>,
    /// Indexes of rows by code and alias, in order without case.
    by_code: Vec<(&'static str, u16)>,
}

impl Table {
    fn new() -> Self {
        let rows: Vec<&'static str> = LANGUAGES.lines().collect();
        let codes = (0..)
            .zip(&rows)
            .filter_map(|(row, text)| Some((text.split('\t').next()?, row)));
        let aliases = (0..).zip(&rows).flat_map(|(row, text)| {
            let aliases = text.rsplit('\t').next().unwrap_or_default();
            aliases.split_whitespace().map(move |alias| (alias, row))
        });
        let mut by_code: Vec<_> = codes.chain(aliases).collect();
        by_code.sort_by(|(one, _), (other, _)| lower_case(one).cmp(lower_case(other)));
        // A code counts more than an alias.
        by_code.dedup_by(|(one, _), (other, _)| one.eq_ignore_ascii_case(other));
        by_code.shrink_to_fit();
        Self {
            plurals: PLURALS.lines().filter_map(plural).collect(),
            rows,
            by_code,
        }
    }

    fn language(&self, row: usize) -> Option<CurrentLanguage> {
        language(self.rows.get(row)?, row as u32 + 1, &self.plurals)
    }

    fn find(&self, code: &str) -> Option<CurrentLanguage> {
        let lower = code.to_lowercase();
        let index = [("-", "-"), ("-", "_"), ("-r", "_"), ("_r", "_"), ("+", "_")]
            .iter()
            .find_map(|(from, to)| {
                let code = lower.replace(from, to);
                let by_code = |(other, _): &(&str, u16)| lower_case(other).cmp(code.bytes());
                self.by_code.binary_search_by(by_code).ok()
            })?;
        self.language(self.by_code[index].1.into())
    }
}

fn lower_case(code: &str) -> impl Iterator<Item = u8> {
    code.bytes().map(|byte| byte.to_ascii_lowercase())
}

fn plural(row: &'static str) -> Option<CurrentPlural> {
    let mut fields = row.split('\t');
    Some(CurrentPlural {
        forms: fields.next()?.parse().ok()?,
        kind: fields.next()?.parse().ok()?,
        formula: fields.next()?,
    })
}

fn language(row: &'static str, id: u32, plurals: &[CurrentPlural]) -> Option<CurrentLanguage> {
    let mut fields = row.split('\t');
    let (code, name) = (fields.next()?, fields.next()?);
    let mut rule = || plurals.get(fields.next()?.parse::<usize>().ok()?).copied();
    let (plural, named) = (rule()?, rule());
    Some(CurrentLanguage {
        code: code.into(),
        name: name.into(),
        id,
        plural,
        named_plural: named.unwrap_or(plural),
        rtl: !fields.next()?.is_empty(),
        population: fields.next()?.parse().ok()?,
        aliases: fields.next()?,
    })
}

/// The languages of the table, by code.
pub fn current_languages() -> impl Iterator<Item = CurrentLanguage> {
    (0..TABLE.rows.len()).filter_map(|row| TABLE.language(row))
}

/// Resolves a code in a file name to a language of current Weblate. A code that is not in the table becomes a generated
/// language, with the code and the name that it has in Weblate 3.4.
pub fn resolve_current(file_code: &str) -> CurrentLanguage {
    let code = file_code.strip_prefix("b+").unwrap_or(file_code);
    if let Some(found) = TABLE.find(code) {
        return found;
    }
    let older = resolve(file_code);
    if let Some(found) = TABLE.find(&older.code) {
        return found;
    }
    let base = older.code.split(['-', '_', '@']).next();
    let base = base.and_then(|base| TABLE.find(base));
    let hash = signed_hash(&[&older.code]) as u32;
    CurrentLanguage {
        rtl: base
            .as_ref()
            .map_or_else(|| is_rtl(&older.code), |base| base.rtl),
        id: hash >> 1 | 1 << 20,
        population: 0,
        plural: base
            .as_ref()
            .map_or(CurrentPlural::DEFAULT, |base| base.plural),
        named_plural: base.map_or(CurrentPlural::DEFAULT, |base| base.named_plural),
        aliases: "",
        code: older.code,
        name: older.name,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_of_the_tables_is_read() {
        assert_eq!(current_languages().count(), LANGUAGES.lines().count());
        assert_eq!(
            PLURALS.lines().filter_map(plural).count(),
            PLURALS.lines().count()
        );
        assert!(current_languages().is_sorted_by_key(|language| language.id));
    }

    #[test]
    fn codes_of_files_become_codes_of_current_weblate() {
        for (file, code, name) in [
            ("nb_NO", "nb", "Norwegian Bokmål"),
            ("nb-NO", "nb", "Norwegian Bokmål"),
            ("pt-rBR", "pt_BR", "Portuguese (Brazil)"),
            ("b+zh+Hans", "zh_Hans", "Chinese (Simplified Han script)"),
            ("zh_CN", "zh_Hans", "Chinese (Simplified Han script)"),
            ("cs_CZ", "cs", "Czech"),
            ("fa_AF", "prs", "Dari"),
            ("xx_YY", "xx_YY", "xx_YY (generated)"),
        ] {
            let found = resolve_current(file);
            assert_eq!((&*found.code, &*found.name), (code, name), "{file}");
        }
        assert!(
            resolve_current("ar_Latn").rtl && !resolve_current("az_Arab").aliases.contains('\t')
        );
    }

    #[test]
    fn formats_that_name_forms_have_the_forms_of_cldr() {
        let portuguese = resolve_current("pt_BR");
        assert_eq!(
            (portuguese.plural.forms, portuguese.named_plural.forms),
            (2, 3)
        );
        let czech = resolve_current("cs");
        assert_eq!((czech.plural.forms, czech.named_plural.forms), (3, 3));
    }
}
