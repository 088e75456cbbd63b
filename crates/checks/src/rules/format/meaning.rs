//! Placeholders that are written differently and mean the same.

use std::collections::BTreeMap;
use std::ops::Range;

use gitglot_model::KeySeparators;

use super::laravel;
use crate::finding::{Difference, NamedPart, named};
use crate::input::FormPair;
use crate::registry::CheckId;
use crate::tokens::Placeholder;

/// Compares the meaning of placeholders: which value, and how it is converted. A value may occur several times. `None`
/// if both texts have the same.
pub(crate) fn difference<'a>(
    check: CheckId,
    pair: &FormPair<'a>,
    wanted: &[Placeholder<'_>],
    found: &[Placeholder<'_>],
) -> Option<Difference<'a>> {
    let names = match check {
        CheckId::LaravelFormat => laravel::Names::of(pair.source, wanted),
        _ => laravel::Names::default(),
    };
    let (in_source, in_target) = (
        by_meaning(check, pair.source, wanted, &names),
        by_meaning(check, pair.target, found, &names),
    );
    let only = |text: &'a str, these: &Meanings, those: &Meanings| {
        let these = these
            .iter()
            .filter(|(meaning, _)| !those.contains_key(*meaning));
        let mut ranges: Vec<Range<usize>> = these.map(|(_, range)| range.clone()).collect();
        ranges.sort_by_key(|range| range.start);
        named(text, ranges)
    };
    let mut missing = only(pair.source, &in_source, &in_target);
    let mut extra = only(pair.target, &in_target, &in_source);
    // Each language can name its variables with plural forms: `%#@files@`.
    let is_variable = |part: &NamedPart<'_>| part.0.starts_with("%#@");
    let variables =
        [&missing, &extra].map(|parts| parts.iter().filter(|part| is_variable(part)).count());
    for parts in [&mut missing, &mut extra] {
        let mut renamed = variables[0].min(variables[1]);
        parts.retain(|part| {
            let is_renamed = renamed > 0 && is_variable(part);
            renamed -= usize::from(is_renamed);
            !is_renamed
        });
    }
    if check == CheckId::VueFormat {
        // A text that is only a link to another message can be translated itself, without a broken link.
        let is_link =
            wanted.len() == 1 && missing.first().is_some_and(|part| part.0 == pair.source);
        if is_link && pair.source.starts_with('@') && !pair.target.contains('@') {
            missing.clear();
        }
    }
    // A message of ICU shows its value, too. Its branches are no placeholders.
    let has_single_braces = is_field(check) || check == CheckId::VueFormat;
    if has_single_braces && pair.target.contains(", plural,") {
        let is_argument = |(name, _): &NamedPart<'_>| {
            let argument: String = name.trim_end_matches('}').split_whitespace().collect();
            pair.target.contains(&format!("{argument}, plural,"))
        };
        if missing.iter().all(is_argument) {
            return None;
        }
    }
    // After a percent sign, `%{name}` is read as a part of something else: `% %{name}`.
    let is_written = |name: &str| name.ends_with('}') && pair.target.contains(name);
    missing.retain(|(name, _)| !is_written(name));
    // Qt replaces the number in each text with plural forms.
    if check == CheckId::QtPluralFormat {
        extra.retain(|(name, _)| !matches!(*name, "%n" | "%Ln"));
    }
    // A placeholder that is malformed is not found: then the number of the others counts.
    if missing.is_empty() && found.len() < wanted.len() && has_more_marks(pair, wanted, found) {
        let last = wanted.last().map(|token| token.range.clone());
        missing = named(pair.source, last);
    }
    (!missing.is_empty() || !extra.is_empty()).then_some(Difference { missing, extra })
}

/// Whether a token in braces is no placeholder of its style: a magic word of `MediaWiki` such as
/// `{{plural:$1|page|pages}}`, whose words are translated, or a piece of JSON in a text for `vue-i18n`.
pub(crate) fn is_other_syntax(check: CheckId, token: &str) -> bool {
    match check {
        CheckId::I18nextInterpolation => {
            let word = token
                .strip_prefix("{{")
                .and_then(|token| token.split_once(':'));
            word.is_some_and(|(word, _)| {
                ["bidi", "formatnum", "gender", "grammar", "int", "plural"]
                    .iter()
                    .any(|magic| word.trim().eq_ignore_ascii_case(magic))
            })
        }
        CheckId::VueFormat => token.strip_prefix('{').is_some_and(|inside| {
            let name = inside.trim_end_matches('}').trim();
            let is_name =
                |char: char| char.is_alphanumeric() || matches!(char, '_' | '-' | '.' | '$' | ' ');
            // Of the literals, only characters with a meaning must be written as such.
            match name.strip_prefix('\'') {
                Some(literal) => !literal.contains(['{', '}', '@', '$', '|']),
                None => name.is_empty() || !name.chars().all(is_name),
            }
        }),
        // A tag behind a percent sign: `%</b>`.
        CheckId::RubyFormat => token.starts_with("%</"),
        // `{...}` means any text, `{https://…}` is an example.
        CheckId::PythonBraceFormat | CheckId::BraceFormat => {
            !matches!(token, "{}" | "") && !token.contains(char::is_alphanumeric)
                || token.contains("://")
        }
        _ => false,
    }
}

/// Whether the placeholders of a check are fields in single braces.
fn is_field(check: CheckId) -> bool {
    matches!(check, CheckId::PythonBraceFormat | CheckId::BraceFormat)
}

fn is_of_qt(check: CheckId) -> bool {
    matches!(check, CheckId::QtFormat | CheckId::QtPluralFormat)
}

/// The first occurrence of each meaning.
type Meanings = BTreeMap<String, Range<usize>>;

fn by_meaning(
    check: CheckId,
    text: &str,
    tokens: &[Placeholder<'_>],
    names: &laravel::Names,
) -> Meanings {
    let numbers_positions = tokens.iter().all(|token| token.positional);
    let mut meanings = Meanings::new();
    for (at, token) in tokens.iter().enumerate() {
        let written = &text[token.range.clone()];
        let position = numbers_positions.then_some(at + 1);
        let meaning = match written.as_bytes() {
            // `%L1` is `%1` as the language writes numbers.
            [b'%', b'L', ..] if is_of_qt(check) => Some(written.replacen('L', "", 1)),
            // vue-i18n shows the value for both, with the sign or without it.
            [b'%', b'{', ..] if check == CheckId::VueFormat => {
                Some(written[1..].split_whitespace().collect())
            }
            [b'%', ..] if check != CheckId::PercentPlaceholders => printf(written, position),
            [b'{', _, ..] if is_field(check) && written != "{}" => field(written),
            [b'{', b'{', ..] if check == CheckId::I18nextInterpolation => formatted(written),
            [b'$', b't', ..] if check == CheckId::I18nextInterpolation => nested(written),
            [b'{', ..] if check == CheckId::VueFormat && !written.contains('\'') => {
                Some(written.split_whitespace().collect())
            }
            [b':', ..] if check == CheckId::LaravelFormat => Some(names.shown(written)),
            [b'{', b'}'] if check == CheckId::PythonBraceFormat => {
                position.map(|position| format!("{{{}}}", position - 1))
            }
            _ => None,
        };
        let meaning = meaning.unwrap_or_else(|| token.text.clone().into_owned());
        meanings
            .entry(meaning)
            .or_insert_with(|| token.range.clone());
    }
    meanings
}

/// The name of `{name:spec}`: how the value is written does not matter.
fn field(written: &str) -> Option<String> {
    let (name, _) = written.split_once([':', '!'])?;
    let is_name = |char: char| char.is_alphanumeric() || matches!(char, '_' | '.');
    let inside = name.strip_prefix('{')?;
    (!inside.is_empty() && inside.chars().all(is_name)).then(|| format!("{name}}}"))
}

/// The value of `{{value, format}}` in i18next: languages can have other formats.
fn formatted(written: &str) -> Option<String> {
    let (name, _) = written.strip_prefix("{{")?.split_once(',')?;
    Some(format!("{{{{{}}}}}", name.trim()))
}

/// The text of `$t(key_one, options)` in i18next: another plural form of it is another case of the word. Values in options
/// count.
fn nested(written: &str) -> Option<String> {
    let inside = written.strip_prefix("$t(")?.strip_suffix(')')?;
    let (key, options) = inside.split_once(',').unwrap_or((inside, ""));
    let separators = KeySeparators::default();
    let stem = separators.plural_stem(key.trim());
    let options = if options.contains("{{") { options } else { "" };
    Some(format!("$t({}{options})", stem.unwrap_or(key.trim())))
}

/// The position and the conversion of `%1$-5d`: flags, width and precision do not matter.
fn printf(written: &str, position: Option<usize>) -> Option<String> {
    let rest = written.strip_prefix('%')?;
    // `%(count)i` is `%(count)d`.
    if rest.starts_with('(') && rest.ends_with(")i") {
        return Some(format!("{}d", written.strip_suffix('i')?));
    }
    if rest.starts_with(['{', '<', '(', '#']) {
        return None;
    }
    let (number, rest) = match rest.split_once('$') {
        Some((number, rest)) => (number.parse().ok(), rest),
        None => (position, rest),
    };
    let conversion = rest.trim_start_matches(|char: char| {
        char.is_ascii_digit()
            || matches!(char, '-' | '+' | ' ' | '#' | '0' | '\'' | '.' | ',' | 'I')
    });
    let conversion = match conversion.strip_suffix('i') {
        Some(length) => format!("{length}d"),
        None => conversion.to_owned(),
    };
    Some(format!("%{}${conversion}", number?))
}

/// Whether the translation has more marks that begin no placeholder than the source.
fn has_more_marks(pair: &FormPair, wanted: &[Placeholder<'_>], found: &[Placeholder<'_>]) -> bool {
    let lone = |text: &str, tokens: &[Placeholder<'_>]| {
        let marks = text.match_indices(['%', '{', '}', '$', '@']);
        let is_inside = |at: usize| tokens.iter().any(|token| token.range.contains(&at));
        marks.filter(|(at, _)| !is_inside(*at)).count()
    };
    // Texts with many placeholders are compared by their number alone.
    wanted.len() > 100 || lone(pair.target, found) > lone(pair.source, wanted)
}

/// The position of a `%` that begins no placeholder and belongs to no number, and is right before a letter: `%У`.
pub(crate) fn stray_percent(text: &str, tokens: &[Placeholder<'_>]) -> Option<usize> {
    let mut next = tokens.iter().peekable();
    text.match_indices('%').map(|(at, _)| at).find(|&at| {
        while next.next_if(|token| token.range.end <= at).is_some() {}
        if next.peek().is_some_and(|token| token.range.contains(&at)) {
            return false;
        }
        let (before, after) = text.split_at(at);
        let before = before.trim_end();
        let letter = after.chars().nth(1);
        !before.ends_with(|char: char| char.is_numeric() || matches!(char, '}' | '%' | '{'))
            && letter.is_some_and(|char| char.is_alphabetic() && !char.is_ascii())
    })
}
