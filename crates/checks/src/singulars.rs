//! Texts for one whose plural is a text of its own: `%s hour ago` next to `%s hours ago`
//! (`docs/spec/checks.md#differences-of-inferred-checks`).

use std::ops::Range;

use gitglot_model::SeededSet;

/// The longest texts that are compared, in bytes. Longer ones are sentences with other differences.
const MAX_TEXT: usize = 256;

/// Usual names of numbers. Other values are no number of the word behind them: `{app} setting`.
const COUNTS: &[&str] = &[
    "amount", "count", "n", "nb", "nr", "num", "number", "qty", "quantity", "total",
];

/// The texts for one of a template. The program shows them for no other number, so that their translation may name it.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub(super) struct Singulars(SeededSet<Box<str>>);

impl Singulars {
    pub(super) fn of<'a>(texts: impl Iterator<Item = &'a str>) -> Self {
        let counted: SeededSet<&str> = texts.filter(|text| has_one_value(text)).collect();
        let singulars = counted.iter().filter_map(|text| singular(text)).flatten();
        let known = singulars.filter(|singular| counted.contains(&**singular));
        Self(known.map(String::into_boxed_str).collect())
    }

    pub(super) fn has(&self, source: &str) -> bool {
        !self.0.is_empty() && self.0.contains(source)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The texts that are for one in only one of the two templates.
    pub(super) fn difference(&self, other: &Self) -> Self {
        Self(self.0.symmetric_difference(&other.0).cloned().collect())
    }
}

/// Whether a text shows a single value, which can be a number.
fn has_one_value(text: &str) -> bool {
    let is_short = text.len() <= MAX_TEXT;
    let has_one = text.matches('%').count() == 1 || text.contains('{');
    is_short && has_one && value(text).is_some_and(|range| may_be_number(&text[range]))
}

/// Whether a value can be a number: one without a name, `%(files)d`, or one with a usual name of a number.
fn may_be_number(value: &str) -> bool {
    if let Some(named) = value.strip_prefix("%(") {
        let (name, conversion) = named.split_once(')').unwrap_or((named, ""));
        return is_count(name) || conversion.starts_with(['d', 'i', 'u']);
    }
    if value.contains('{') {
        let name = value.trim_matches(['%', '{', '}', '$', '.', ' ']);
        return is_count(name.split([',', ':']).next().unwrap_or(name));
    }
    // `%1$s`, `%lld`, `%@`. The value of `%user` has a name.
    !value.contains(|char: char| char.is_alphabetic() && !"dfhilnqsuzL".contains(char))
}

/// Whether the name of a value is that of a number: `0`, `count`, `file_count`, `fileCount`.
fn is_count(name: &str) -> bool {
    let name = name.trim();
    let is_name = |word: &str| COUNTS.contains(&&*word.to_lowercase());
    let is_numeric = name.bytes().all(|byte| byte.is_ascii_digit());
    is_numeric || name.ends_with("Count") || name.split(['_', '-', '.']).any(is_name)
}

/// The only value of a text: `%s`, `%(count)d`, `{count}` or `{{ count }}`.
fn value(text: &str) -> Option<Range<usize>> {
    let start = text.find(['%', '{'])?;
    let rest = &text[start..];
    let is_braced = rest.starts_with('{') || rest.starts_with("%{");
    let length = if is_braced {
        let close = rest.find('}')?;
        close + rest[close..].bytes().take_while(|it| *it == b'}').count()
    } else {
        rest.find(char::is_whitespace)?
    };
    let end = start + length;
    (!text[end..].contains(['%', '{'])).then_some(start..end)
}

/// The texts for one that a text would be the plural of: the word behind the value without its ending.
fn singular(text: &str) -> Option<Vec<String>> {
    let end = value(text)?.end;
    let space = text[end..].len() - text[end..].trim_start().len();
    let (before, rest) = text.split_at(end + space);
    let is_end = |char: char| !char.is_alphabetic();
    let (word, after) = rest.split_at(rest.find(is_end).unwrap_or(rest.len()));
    let endings = [("ies", "y"), ("es", ""), ("s", "")];
    let stems = endings.iter().filter_map(|(plural, singular)| {
        let stem = word.strip_suffix(plural).filter(|it| !it.is_empty())?;
        Some([before, stem, singular, after].concat())
    });
    (space > 0).then(|| stems.collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_singular(one: &str, many: &str) -> bool {
        Singulars::of([one, many].into_iter()).has(one)
    }

    #[test]
    fn a_text_whose_plural_is_a_text_of_its_own_is_for_one() {
        assert!(is_singular("%s hour ago", "%s hours ago"));
        assert!(is_singular("{count} day", "{count} days"));
        assert!(is_singular("{{ n }} entry left", "{{ n }} entries left"));
        assert!(is_singular("In %(n)d box", "In %(n)d boxes"));
        for value in [
            "%1$s",
            "%lld",
            "%(files)d",
            "%{count}",
            "{0}",
            "{fileCount}",
            "{num_files}",
            "{n, number}",
        ] {
            let [one, many] = ["file", "files"].map(|word| format!("{value} {word}"));
            assert!(is_singular(&one, &many), "{value}");
        }
    }

    #[test]
    fn a_value_that_is_no_number_counts() {
        for value in [
            "{app}",
            "{{ user }}",
            "%{name}",
            "%(user)s",
            "%user",
            "{account}",
        ] {
            let [one, many] = ["post", "posts"].map(|word| format!("Open {value} {word}"));
            assert!(!is_singular(&one, &many), "{value}");
        }
    }

    #[test]
    fn a_value_that_is_no_number_of_the_word_counts() {
        assert!(!is_singular(
            "Delete %s from group",
            "Delete %s from groups"
        ));
        assert!(!is_singular("%s hour of %s", "%s hours of %s"));
        assert!(!is_singular("%s hour", "%d hours"));
        assert!(!is_singular("%shour", "%shours"));
        assert!(!is_singular("{n} hour {b}", "{n} hours {b}"));
        assert!(!is_singular("hour", "hours"));
        assert!(
            !is_singular("é %é", "é %és") && !is_singular("{", "{s") && !is_singular("} {", "%")
        );
    }
}
