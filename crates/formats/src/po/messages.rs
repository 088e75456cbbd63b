//! Placeholders of message formats of gettext that Weblate does not check: `sh-format` and `gcc-internal-format`.

use std::collections::BTreeMap;

/// The problem of a translation, if its entry has a flag of these formats and `msgfmt` refuses it.
pub(super) fn problem(flags: &str, source: &str, text: &str) -> Option<String> {
    let mut flags = flags.split(", ");
    let (name, read): (_, fn(&str) -> Option<Placeholders>) =
        flags.find_map(|flag| match flag {
            "sh-format" => Some(("sh-format", shell as _)),
            "gcc-internal-format" => Some(("gcc-internal-format", gcc as _)),
            _ => None,
        })?;
    // A source that is no such message is the fault of the program.
    let expected = read(source)?;
    let Some(found) = read(text) else {
        return Some(format!("The text is no valid {name}, unlike its source."));
    };
    let differs = |(place, kind): &(&String, &String)| found.get(*place) != Some(*kind);
    if let Some((place, kind)) = expected.iter().find(differs) {
        return Some(format!(
            "The text lacks {kind}, the placeholder {place} of its source, or has another one there ({name})."
        ));
    }
    let surplus = found
        .iter()
        .find(|(place, _)| !expected.contains_key(*place))?;
    let (place, kind) = surplus;
    Some(format!(
        "The source has no {kind}, the placeholder {place} of the text ({name})."
    ))
}

/// Placeholders by name or number, as they are written.
type Placeholders = BTreeMap<String, String>;

/// The variables of a text; `None` if it has other expansions.
fn shell(text: &str) -> Option<Placeholders> {
    let is_name = |byte: char| byte.is_ascii_alphanumeric() || byte == '_';
    let mut found = Placeholders::new();
    for rest in text.split('$').skip(1) {
        let name = match rest.strip_prefix('{') {
            Some(inner) => inner.split_once('}')?.0,
            None => rest.split(|char| !is_name(char)).next().unwrap_or_default(),
        };
        let starts = name.starts_with(|char: char| is_name(char) && !char.is_ascii_digit());
        (starts && name.chars().all(is_name)).then_some(())?;
        found.insert(name.to_owned(), format!("${name}"));
    }
    Some(found)
}

/// The arguments of a diagnostic of GCC; `None` if a directive is not complete.
fn gcc(text: &str) -> Option<Placeholders> {
    let mut found = Placeholders::new();
    let (mut rest, mut next) = (text, 1_u32);
    while let Some((_, directive)) = rest.split_once('%') {
        let digits = directive.len()
            - directive
                .trim_start_matches(|it: char| it.is_ascii_digit())
                .len();
        let (number, numbered) = directive.split_at(digits);
        let (number, directive) = match numbered.strip_prefix('$') {
            Some(after) => (number.parse().ok(), after),
            None => (None, directive),
        };
        let after = directive.trim_start_matches(|it: char| "q+#lwzt.*0123456789".contains(it));
        let end = after.chars().next()?;
        rest = after.get(end.len_utf8()..)?;
        if "%<>}[]R'".contains(end) {
            continue;
        }
        end.is_ascii_alphabetic().then_some(())?;
        let size = directive.strip_suffix(after).unwrap_or_default();
        let size = size.replace(['q', '+', '#'], "");
        let place: u32 = number.unwrap_or(next);
        next = place.saturating_add(1);
        found.insert(place.to_string(), format!("%{size}{end}"));
    }
    Some(found)
}

#[cfg(test)]
mod tests {
    use super::problem;

    #[test]
    fn variables_of_the_shell_are_the_same() {
        let fails = |source, text| problem("sh-format", source, text).is_some();
        assert!(!fails("a $b ${c}", "${b} $c d $b"));
        assert!(!fails("a ${b:-x}", "a"));
        for text in [
            "a $b",
            "a $b $c $d",
            "a $b ${c",
            "a $b ${c:-x}",
            "a $b $c $1",
        ] {
            assert!(fails("a $b ${c}", text), "{text}");
        }
        assert_eq!(problem("c-format", "$a", "b"), None);
        let problem = problem("no-wrap, sh-format", "$a", "b").unwrap();
        assert_eq!(
            problem,
            "The text lacks $a, the placeholder a of its source, or has another one there (sh-format)."
        );
    }

    #[test]
    fn arguments_of_diagnostics_are_the_same() {
        let fails = |source, text| problem("gcc-internal-format", source, text).is_some();
        let source = "%qD was %<static%> in %s, %wd%%";
        assert!(!fails(source, "%D %<statisch%> %qs %wd"));
        assert!(!fails("%qD %d", "%2$d %1$qD"));
        for text in [
            "%qD %s",
            "%s %qD %wd",
            "%qD %s %d",
            "%qD %s %wd %d",
            "%qD %s %wd %",
        ] {
            assert!(fails(source, text), "{text}");
        }
    }
}
