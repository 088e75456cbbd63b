//! Finds the placeholders that format checks compare (`docs/spec/checks.md#placeholder-styles`).

mod brace;
mod input;
mod placeholder;
mod printf;
mod sigil;

use crate::registry::{CheckId, CheckIds};
use gitglot_model::steps;
use input::{TokenInput, marks};
pub(super) use placeholder::Placeholder;

/// Reads the placeholder at the start of an input. An escaped character is one with an empty text.
type Reader = for<'a> fn(&TokenInput<'a, '_>) -> Option<Placeholder<'a>>;

/// The placeholders of .NET as the program reads them. Weblate knows fewer.
const DOTNET: (&[u8], Reader) = (b"{}", |input| brace::dotnet(input.text));

/// Returns the bytes that the placeholders of a format check can begin with, and their reader. Other checks have none.
fn syntax(check: CheckId) -> (&'static [u8], Reader) {
    match check {
        CheckId::CFormat | CheckId::PerlFormat | CheckId::JavascriptFormat | CheckId::LuaFormat => {
            (b"%", |input| printf::read(CheckId::CFormat, input))
        }
        CheckId::JavaPrintfFormat => (b"%", |input| printf::read(CheckId::JavaPrintfFormat, input)),
        CheckId::ObjcFormat => (b"%", |input| printf::read(CheckId::ObjcFormat, input)),
        CheckId::ObjectPascalFormat => (b"%", |input| {
            printf::read(CheckId::ObjectPascalFormat, input)
        }),
        CheckId::PhpFormat => (b"%", |input| printf::read(CheckId::PhpFormat, input)),
        CheckId::PythonFormat => (b"%", |input| printf::read(CheckId::PythonFormat, input)),
        CheckId::RubyFormat => (b"%", |input| printf::read(CheckId::RubyFormat, input)),
        CheckId::PercentPlaceholders => (b"%", |input| sigil::percent(input.text)),
        CheckId::QtFormat => (b"%", |input| sigil::qt(input.text)),
        CheckId::QtPluralFormat => (b"%", |input| sigil::qt_plural(input.text)),
        CheckId::AngularjsFormat => (b"{", brace::double),
        CheckId::AutomatticComponentsFormat => (b"{", |input| brace::automattic(input.text)),
        CheckId::CSharpFormat => (b"{", |input| brace::c_sharp(input.text)),
        CheckId::JavaFormat => (b"{", brace::java),
        CheckId::PerlBraceFormat => (b"{", |input| brace::perl(input.text)),
        CheckId::PythonBraceFormat => (b"{}", |input| brace::python(input.text)),
        CheckId::BraceFormat => (b"{}", |input| brace::any(input.text)),
        CheckId::I18nextInterpolation => (b"{$", brace::i18next),
        CheckId::VueFormat => (b"{%@", sigil::vue),
        CheckId::EsFormat => (b"$", sigil::ecma_script),
        CheckId::LaravelFormat => (b":", |input| sigil::laravel(input.text)),
        CheckId::SchemeFormat => (b"~", |input| sigil::scheme(input.text)),
        _ => (b"", |_| None),
    }
}

/// Whether a placeholder of a check is one beyond doubt: for styles that end with a conversion, one that programs use, without a
/// space in it.
pub(super) fn is_certain(check: CheckId, token: &str) -> bool {
    const CONVERSIONS: [char; 15] = [
        's', 'd', 'i', 'u', 'f', 'x', 'X', 'c', 'g', 'e', '@', 'o', 'r', 'b', 'j',
    ];
    let is_conversion = || token.len() > 1 && !token.contains(' ') && token.ends_with(CONVERSIONS);
    match check {
        CheckId::CFormat | CheckId::ObjcFormat | CheckId::PhpFormat | CheckId::JavaPrintfFormat => {
            is_conversion()
        }
        CheckId::PythonFormat | CheckId::RubyFormat => is_conversion() || token.starts_with("%{"),
        _ => true,
    }
}

/// Whether a check compares placeholders.
pub(super) fn is_format_check(check: CheckId) -> bool {
    !syntax(check).0.is_empty()
}

/// The format checks among some.
pub(super) fn format_checks(checks: CheckIds) -> impl Iterator<Item = CheckId> {
    checks.iter().filter(|&check| is_format_check(check))
}

/// The checks whose placeholders begin with the same character as those of a check, and the check itself.
pub(super) fn alternatives(check: CheckId) -> impl Iterator<Item = CheckId> {
    let marks = |check| match check {
        CheckId::IcuMessageFormat => b"{",
        other => syntax(other).0,
    };
    let wanted = marks(check);
    let is_alternative = move |other| marks(other).iter().any(|mark| wanted.contains(mark));
    let checks = CheckId::ALL.iter().copied();
    checks.filter(move |&check| is_alternative(check))
}

/// Whether a text can contain a placeholder of a format check.
pub(super) fn may_occur(check: CheckId, text: &str) -> bool {
    next(syntax(check).0, text, 0).is_some()
}

/// Returns the placeholders of a text that a format check compares, in order. They do not overlap.
pub(super) fn find(check: CheckId, text: &str) -> Vec<Placeholder<'_>> {
    find_in(syntax(check), text)
}

/// As [`find`] for .NET.
pub(super) fn find_dotnet(text: &str) -> Vec<Placeholder<'_>> {
    find_in(DOTNET, text)
}

fn find_in<'a>(syntax: (&'static [u8], Reader), text: &'a str) -> Vec<Placeholder<'a>> {
    let found = scan(syntax, text).filter_map(|(_, token)| token);
    found.filter(|token| !token.text.is_empty()).collect()
}

/// Removes the placeholders of a format check from a text, including escaped ones.
pub(super) fn strip(check: CheckId, text: &str) -> String {
    let mut stripped = String::with_capacity(text.len());
    let mut from = 0;
    for token in scan(syntax(check), text).filter_map(|(_, token)| token) {
        stripped.push_str(&text[from..token.range.start]);
        from = token.range.end;
    }
    stripped.push_str(&text[from..]);
    stripped
}

/// Returns the first position where a placeholder or an escape of a format check could begin, but does not.
pub(super) fn lone_mark(check: CheckId, text: &str) -> Option<usize> {
    let syntax = match check {
        CheckId::CSharpFormat => DOTNET,
        check => syntax(check),
    };
    scan(syntax, text).find_map(|(at, token)| token.is_none().then_some(at))
}

/// Returns the positions where a placeholder or an escape could begin, each with the one that does.
fn scan<'a>(
    syntax: (&'static [u8], Reader),
    text: &'a str,
) -> impl Iterator<Item = (usize, Option<Placeholder<'a>>)> {
    let (first, read) = syntax;
    let marks = marks(text);
    let mut from = 0;
    std::iter::from_fn(move || {
        let start = next(first, text, from)?;
        let token = read(&TokenInput::new(text, start, &marks)?).map(|found| Placeholder {
            range: start..start + found.range.end,
            ..found
        });
        let end = token.as_ref().map_or(start, |token| token.range.end);
        from = end.max(start + 1);
        Some((start, token))
    })
}

/// Returns the first position of one of up to three bytes.
fn next(bytes: &[u8], text: &str, from: usize) -> Option<usize> {
    let rest = text.as_bytes().get(from..)?;
    let at = match *bytes {
        [one] => memchr::memchr(one, rest),
        [one, two] => memchr::memchr2(one, two, rest),
        [one, two, three] => memchr::memchr3(one, two, three, rest),
        _ => None,
    };
    steps::count(at.unwrap_or(rest.len()));
    Some(from + at?)
}

#[cfg(test)]
mod tests;
