//! Language tags of BCP 47 for HTML and XML (`docs/spec/languages.md#language-tags`).

use std::collections::HashSet;
use std::sync::LazyLock;

use super::{base_code, shipped};

/// Codes of built-in languages that are in no register of languages.
const UNREGISTERED: [&str; 2] = ["me", "pr"];

/// The tag for a code: `pt-BR` for `pt_BR`. `None` for a code whose language no built-in one has, because browsers and screen
/// readers know only registered ones, and for a code that cannot be a tag.
pub fn tag(code: &str) -> Option<String> {
    static KNOWN: LazyLock<HashSet<&str>> = LazyLock::new(|| {
        let codes = shipped().iter().map(|language| base_code(&language.code));
        codes.filter(|code| !UNREGISTERED.contains(code)).collect()
    });
    let tag = match code.split_once('@') {
        Some((base, "latin")) => [base, "-Latn"].concat(),
        Some((base, "cyrillic")) => [base, "-Cyrl"].concat(),
        Some((base, _)) => base.to_owned(),
        None => code.to_owned(),
    };
    let tag = tag.replace('_', "-");
    let fits = |part: &str| {
        (1..=8).contains(&part.len()) && part.chars().all(|c| c.is_ascii_alphanumeric())
    };
    let base = base_code(&tag).to_ascii_lowercase();
    (KNOWN.contains(&*base) && tag.split('-').all(fits)).then_some(tag)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_registered_languages_have_a_tag() {
        for (code, expected) in [
            ("pt_BR", Some("pt-BR")),
            ("sr@latin", Some("sr-Latn")),
            ("ca@valencia", Some("ca")),
            ("zh_Hant_HK", Some("zh-Hant-HK")),
            ("de-XX", Some("de-XX")),
            ("pr", None),
            ("me", None),
            ("enp", None),
            ("pseudo", None),
            ("be@tarask", Some("be")),
            ("ěš", None),
            ("", None),
            ("de_", None),
            ("de_\"><b>", None),
        ] {
            assert_eq!(tag(code).as_deref(), expected, "{code}");
        }
    }
}
