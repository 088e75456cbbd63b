//! Resolves the code in a file name to a language (`docs/spec/languages.md#from-a-file-code-to-a-language`).

use super::table::TABLE;
use super::{Language, Plural, base_code, is_rtl};

/// Resolves a code in a file name. A code that is not in the table becomes a generated language. File masks skip the
/// code `source` before they call this function.
pub fn resolve(file_code: &str) -> Language {
    find(&clean(file_code)).map_or_else(generated, Language::clone)
}

/// Removes additions by file managers and Android: a leading `b+`, the number of a copy, spaces and parentheses.
fn clean(code: &str) -> String {
    let mut rest = code.strip_prefix("b+").unwrap_or(code);
    let mut clean = String::with_capacity(rest.len());
    while let Some(char) = rest.chars().next() {
        if let Some(after) = after_copy_number(rest) {
            rest = after;
            continue;
        }
        if !matches!(char, ' ' | '(' | ')') {
            clean.push(char);
        }
        rest = &rest[char.len_utf8()..];
    }
    clean
}

/// Returns the text after a leading `(12)`.
fn after_copy_number(text: &str) -> Option<&str> {
    let (number, after) = text.strip_prefix('(')?.split_once(')')?;
    (!number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit())).then_some(after)
}

/// Steps 2 to 7: the language of the table, or the code that was rebuilt from its parts, which no language has.
fn find(code: &str) -> Result<&'static Language, String> {
    let direct = TABLE
        .by_code(code)
        .or_else(|| TABLE.by_code(&code.replace('-', "_")))
        .or_else(|| TABLE.by_name(code))
        .or_else(|| by_alias(code));
    if let Some(language) = direct {
        return Ok(language);
    }
    let (language, country, private) = parts(code);
    let code = rebuild(language, country, private);
    if let Some(language) = TABLE.by_code(&code) {
        return Ok(language);
    }
    if TABLE.is_default_country(&code.to_lowercase()) {
        let plain = language.to_lowercase();
        if let Some(language) = TABLE.by_code(&plain).filter(|found| *found.code == *plain) {
            return Ok(language);
        }
    }
    Err(code)
}

fn by_alias(code: &str) -> Option<&'static Language> {
    let lower = code.to_lowercase();
    let spellings = [("-", "-"), ("-", "_"), ("-r", "_"), ("_r", "_")];
    spellings
        .iter()
        .find_map(|(from, to)| TABLE.by_alias(&lower.replace(from, to)))
}

/// Step 4: splits a code into language, country and private part.
fn parts(code: &str) -> (&str, Option<&str>, &str) {
    let (public, private) = code.find("-x-").map_or((code, ""), |at| code.split_at(at));
    if let Some((language, country)) = public.split_once('-') {
        // Android writes `pt-rBR`.
        let bare = country
            .strip_prefix('r')
            .filter(|_| country.chars().count() > 2);
        return (language, Some(bare.unwrap_or(country)), private);
    }
    match public.split_once('_').or_else(|| public.split_once('+')) {
        Some((language, country)) => (language, Some(country), private),
        None => (public, None, private),
    }
}

/// Step 5: rebuilds the code from its parts: `pt`, `br` → `pt_BR`.
fn rebuild(language: &str, country: Option<&str>, private: &str) -> String {
    let mut code = language.to_lowercase();
    if let Some(country) = country {
        code.push('_');
        match country.split_once('@').or_else(|| country.split_once('_')) {
            Some((region, variant)) => {
                code.push_str(&region.to_uppercase());
                code.push('@');
                code.push_str(&variant.to_lowercase());
            }
            None => code.push_str(&country.to_uppercase()),
        }
    }
    code.push_str(private);
    code
}

/// Generates a language (`docs/spec/languages.md#generated-languages`).
fn generated(code: String) -> Language {
    let modified = code.split_once('@');
    let mut base = modified.and_then(|(before, _)| find(before).ok());
    // A hyphen replaces the base found by `@`; an underscore does not.
    if code.contains('-') || (base.is_none() && code.contains('_')) {
        base = find(base_code(&code)).ok();
    }
    let (name, plural) = match base {
        Some(base) => (base.name.clone(), base.plural),
        None => (format!("{code} (generated)").into(), Plural::DEFAULT),
    };
    Language {
        rtl: is_rtl(&code),
        code: code.into(),
        name,
        rank: None,
        plural,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Tab-separated: input, then code, name, direction and whether it is built in, as returned by Weblate 3.4.
    const VECTORS: &str = include_str!("../../tests/data/language_vectors.tsv");

    #[test]
    fn every_vector_resolves_to_the_language_of_weblate() {
        let mut seen = 0;
        for line in VECTORS.lines() {
            let [input, code, name, direction, shipped] = line.split('\t').collect::<Vec<_>>()[..]
            else {
                panic!("five columns in {line:?}");
            };
            let found = resolve(input);
            let answer = (&*found.code, &*found.name, found.rtl, found.rank.is_some());
            assert_eq!(
                answer,
                (code, name, direction == "rtl", shipped == "shipped"),
                "{input}"
            );
            seen += 1;
        }
        assert_eq!(seen, 165);
    }

    #[test]
    fn the_number_of_a_copied_file_is_ignored() {
        assert_eq!(&*resolve("cs (12)").code, "cs");
        assert_eq!(
            &*resolve("(x)cs()").code,
            "xcs",
            "only digits in parentheses are a number"
        );
    }

    #[test]
    fn a_name_that_two_languages_share_is_no_match() {
        assert_eq!(&*resolve("Gun").name, resolve("gun").name.as_ref());
        let shared = super::super::shipped()
            .iter()
            .filter(|language| &*language.name == "Gun")
            .count();
        assert_eq!(shared, 2);
    }

    #[test]
    fn any_text_resolves_to_a_language() {
        for code in [
            "",
            "-",
            "_",
            "@",
            "-x-",
            "ěš",
            "a'b=c;d",
            "b+",
            "(",
            "(1",
            "((1))",
            "\u{130}_\u{df}",
        ] {
            let language = resolve(code);
            assert!(language.rank.is_none(), "{code:?} is {language:?}");
        }
    }
}
