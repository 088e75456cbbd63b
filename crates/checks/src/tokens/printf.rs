//! Placeholders that begin with `%`, as in C (`docs/spec/checks.md#printf-styles`).

use std::borrow::Cow;

use super::input::TokenInput;
use super::placeholder::{Placeholder, is_word};
use crate::pair::{skip_run, split_run, take_run};
use crate::registry::CheckId;
use gitglot_model::steps;

/// The parts of a `%` placeholder in one style.
struct Syntax {
    /// Characters between the position and the width.
    flags: &'static str,
    /// The character after a position number: `%1$s`, `%0:s`.
    position: Option<char>,
    /// The brackets around a name: `%(name)s`.
    name: Option<(char, &'static str)>,
    /// Whether width and precision may be `*`.
    stars: bool,
    /// Length modifiers, longest first.
    lengths: &'static [&'static str],
    /// The conversion characters.
    types: fn(char) -> bool,
    /// Whether a `%` without a conversion is a placeholder of its own.
    incomplete: bool,
}

fn syntax(check: CheckId) -> Syntax {
    const LENGTHS: &[&str] = &["hh", "ll", "h", "l", "L", "q", "j", "z"];
    let c = Syntax {
        flags: " +#'-0",
        position: Some('$'),
        name: None,
        stars: false,
        lengths: LENGTHS,
        types: |char| char.is_ascii_alphabetic() || char == '%',
        incomplete: true,
    };
    match check {
        CheckId::PhpFormat => Syntax {
            flags: " +-0'",
            lengths: &[],
            types: |char| "bcdeEfFgGhHosuxX%".contains(char),
            ..c
        },
        CheckId::PythonFormat => Syntax {
            name: Some(('(', ")")),
            position: None,
            stars: true,
            lengths: &["h", "l", "L"],
            ..c
        },
        CheckId::RubyFormat => Syntax {
            name: Some(('<', ">")),
            stars: true,
            lengths: &[],
            ..c
        },
        CheckId::JavaPrintfFormat => Syntax {
            flags: "-+#0,(",
            lengths: &["t", "T"],
            incomplete: false,
            ..c
        },
        CheckId::ObjcFormat => Syntax {
            lengths: &["hh", "ll", "h", "l", "q", "L", "z", "t", "j"],
            types: |char| char.is_ascii_alphabetic() || matches!(char, '%' | '@'),
            ..c
        },
        CheckId::ObjectPascalFormat => Syntax {
            flags: "-",
            position: Some(':'),
            stars: true,
            lengths: &[],
            types: |char| "dDuUeEfFgGnNmMpPsSxX%".contains(char),
            ..c
        },
        _ => c,
    }
}

/// Reads the placeholder at the start of an input that begins with `%`.
pub(super) fn read<'a>(check: CheckId, input: &TokenInput<'a, '_>) -> Option<Placeholder<'a>> {
    let text = input.text;
    if check == CheckId::RubyFormat && text.starts_with("%{") {
        return Placeholder::named(text, input.find("}", 2)? + 1);
    }
    if check == CheckId::ObjcFormat
        && let Some(found) = objective_c_variable(text)
    {
        return Some(found);
    }
    let syntax = syntax(check);
    match complete(check, &syntax, input) {
        Some(2) if text.starts_with("%%") => Some(Placeholder::new(2, "")),
        Some(length) => {
            let written = text.get(..length)?;
            let named = match check {
                // A parenthesis is a flag in Java.
                CheckId::JavaPrintfFormat => written.contains('$'),
                CheckId::ObjectPascalFormat => written.contains(':'),
                _ => written.contains(['(', '$', '<']),
            };
            // The flag for grouping digits is optional in translations.
            let droppable = written.contains('\'')
                && !matches!(
                    check,
                    CheckId::PhpFormat | CheckId::JavaPrintfFormat | CheckId::PythonFormat
                );
            let compared = if droppable {
                Cow::Owned(written.replace('\'', ""))
            } else {
                Cow::Borrowed(written)
            };
            Some(Placeholder {
                range: 0..length,
                text: compared,
                positional: !named,
            })
        }
        None if syntax.incomplete => Placeholder::positional(text, 1),
        None => None,
    }
}

/// Returns the length of a placeholder with a conversion.
fn complete(check: CheckId, syntax: &Syntax, input: &TokenInput<'_, '_>) -> Option<usize> {
    let text = input.text;
    let mut rest = text.strip_prefix('%')?;
    if let Some((open, close)) = syntax.name
        && rest.starts_with(open)
    {
        if let Some(end) = input.find(close, 2).filter(|&end| end > 2) {
            rest = text.get(end + 1..)?;
        }
    } else if let Some(mark) = syntax.position {
        let number = take_run(rest, |char| char.is_ascii_digit());
        let after = number.and_then(|(_, after)| after.strip_prefix(mark));
        rest = after.unwrap_or(rest);
    }
    rest = flags(check, syntax, rest)?;
    rest = width(syntax, rest);
    if let Some(precision) = rest.strip_prefix('.') {
        rest = width(syntax, precision);
    }
    for length in syntax.lengths {
        if let Some(after) = rest.strip_prefix(length)
            && after.starts_with(syntax.types)
        {
            rest = after;
            break;
        }
    }
    let conversion = rest.chars().next().filter(|&char| (syntax.types)(char))?;
    let previous = text.len() - rest.len();
    Some(previous + conversion.len_utf8())
}

/// The most apostrophes with a fill character. A fill character can be `%`, so that without a limit a text of them would
/// be read to its end for each `%`.
const MAX_FILLS: usize = 8;

/// Skips flags.
fn flags<'a>(check: CheckId, syntax: &Syntax, text: &'a str) -> Option<&'a str> {
    let (mut rest, mut fills) = (text, 0);
    let is_flag = |char: &char| syntax.flags.contains(*char);
    while let Some(flag) = rest.chars().next().filter(is_flag) {
        rest = rest.get(flag.len_utf8()..)?;
        // In PHP, the character after an apostrophe fills the width.
        steps::count(1);
        if check == CheckId::PhpFormat && flag == '\'' {
            fills += 1;
            (fills <= MAX_FILLS).then_some(())?;
            rest = rest.get(rest.chars().next()?.len_utf8()..)?;
        }
    }
    Some(rest)
}

/// Skips an optional number, or a `*`.
fn width<'a>(syntax: &Syntax, text: &'a str) -> &'a str {
    let after_star = text.strip_prefix('*').filter(|_| syntax.stars);
    after_star.unwrap_or_else(|| skip_run(text, |char| char.is_ascii_digit()))
}

/// Reads `%#@name@`, and the `%arg` in the forms of such a variable.
fn objective_c_variable(text: &str) -> Option<Placeholder<'_>> {
    if let Some(rest) = text.strip_prefix("%arg") {
        // Other letters are those of a language: `%arg명`.
        let is_longer = rest.starts_with(|char: char| char.is_ascii_alphanumeric() || char == '_');
        return Placeholder::named(text, 4).filter(|_| !is_longer);
    }
    let (name, after) = split_run(text.strip_prefix("%#@")?, is_word);
    after.starts_with('@').then_some(())?;
    Placeholder::named(text, 3 + name.len() + 1)
}
