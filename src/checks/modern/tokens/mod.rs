//! Finds the placeholders that format checks compare (`docs/spec/checks.md#placeholder-styles`).

mod brace;
mod placeholder;
mod printf;
mod sigil;

use crate::checks::CheckId;
use crate::checks::pair::bounded;
pub(super) use placeholder::Placeholder;

/// Reads the placeholder at the start of a text. An escaped character is one with an empty text.
type Reader = for<'a> fn(&'a str) -> Option<Placeholder<'a>>;

/// Returns the bytes that the placeholders of a format check can begin with, and their reader. Other checks have none.
fn syntax(check: CheckId) -> (&'static [u8], Reader) {
    match check {
        CheckId::CFormat | CheckId::PerlFormat | CheckId::JavascriptFormat | CheckId::LuaFormat => {
            (b"%", |text| printf::read(CheckId::CFormat, text))
        }
        CheckId::JavaPrintfFormat => (b"%", |text| printf::read(CheckId::JavaPrintfFormat, text)),
        CheckId::ObjcFormat => (b"%", |text| printf::read(CheckId::ObjcFormat, text)),
        CheckId::ObjectPascalFormat => {
            (b"%", |text| printf::read(CheckId::ObjectPascalFormat, text))
        }
        CheckId::PhpFormat => (b"%", |text| printf::read(CheckId::PhpFormat, text)),
        CheckId::PythonFormat => (b"%", |text| printf::read(CheckId::PythonFormat, text)),
        CheckId::RubyFormat => (b"%", |text| printf::read(CheckId::RubyFormat, text)),
        CheckId::PercentPlaceholders => (b"%", sigil::percent),
        CheckId::QtFormat => (b"%", sigil::qt),
        CheckId::QtPluralFormat => (b"%", sigil::qt_plural),
        CheckId::AngularjsFormat => (b"{", brace::double),
        CheckId::AutomatticComponentsFormat => (b"{", brace::automattic),
        CheckId::CSharpFormat => (b"{", brace::c_sharp),
        CheckId::JavaFormat => (b"{", brace::java),
        CheckId::PerlBraceFormat => (b"{", brace::perl),
        CheckId::PythonBraceFormat => (b"{}", brace::python),
        CheckId::I18nextInterpolation => (b"{$", brace::i18next),
        CheckId::VueFormat => (b"{%@", sigil::vue),
        CheckId::EsFormat => (b"$", sigil::ecma_script),
        CheckId::LaravelFormat => (b":", sigil::laravel),
        CheckId::SchemeFormat => (b"~", sigil::scheme),
        _ => (b"", |_| None),
    }
}

/// Whether a check compares placeholders.
pub(super) fn is_format_check(check: CheckId) -> bool {
    !syntax(check).0.is_empty()
}

/// Whether a text can contain a placeholder of a format check.
pub(super) fn may_occur(check: CheckId, text: &str) -> bool {
    next(syntax(check).0, text, 0).is_some()
}

/// Returns the placeholders of a text that a format check compares, in order. They do not overlap.
pub(super) fn find(check: CheckId, text: &str) -> Vec<Placeholder<'_>> {
    let found = scan(check, text).filter_map(|(_, token)| token);
    found.filter(|token| !token.text.is_empty()).collect()
}

/// Removes the placeholders of a format check from a text, including escaped ones.
pub(super) fn strip(check: CheckId, text: &str) -> String {
    let mut stripped = String::with_capacity(text.len());
    let mut from = 0;
    for token in scan(check, text).filter_map(|(_, token)| token) {
        stripped.push_str(text.get(from..token.range.start).unwrap_or_default());
        from = token.range.end;
    }
    stripped.push_str(text.get(from..).unwrap_or_default());
    stripped
}

/// Returns the first position where a placeholder or an escape of a format check could begin, but does not.
pub(super) fn lone_mark(check: CheckId, text: &str) -> Option<usize> {
    scan(check, text).find_map(|(at, token)| token.is_none().then_some(at))
}

/// Returns the positions where a placeholder or an escape could begin, each with the one that does.
fn scan(check: CheckId, text: &str) -> impl Iterator<Item = (usize, Option<Placeholder<'_>>)> {
    let (first, read) = syntax(check);
    let mut from = 0;
    std::iter::from_fn(move || {
        let start = next(first, text, from)?;
        let token = read(bounded(text.get(start..)?, MAX_LENGTH)).map(|found| Placeholder {
            range: start..start + found.range.end,
            ..found
        });
        from = token
            .as_ref()
            .map_or(start, |token| token.range.end)
            .max(start + 1);
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
    Some(from + at?)
}

/// The maximum length of a placeholder in bytes. Without a limit, a text of opening brackets would take quadratic time.
pub(super) const MAX_LENGTH: usize = 1024;

#[cfg(test)]
mod tests;
