//! Infers checks from the file format and the source text (`docs/spec/checks.md#inference`).

use super::flags::CheckFlags;
use super::pair::char_before;
use super::rules::{icu, url};
use super::tokens::{self, Placeholder};
use crate::registry::{CheckId, CheckIds};

/// Returns the flags that a file format implies.
pub(super) fn format_flags(file_format: &str) -> CheckFlags {
    let flags = match file_format {
        "i18next" | "i18nextv4" => "i18next-interpolation",
        "arb" => "icu-message-format, icu-flags:-quotes",
        "formatjs" => "icu-message-format",
        "aresource" | "cmp-resource" | "moko-resource" => "java-printf-format",
        "properties" | "properties-utf8" | "properties-utf16" | "gwt" | "xwiki-java-properties" => {
            "auto-java-messageformat"
        }
        "strings" | "strings-utf8" | "stringsdict" | "xcstrings" => "objc-format",
        "laravel" => "laravel-format",
        "resourcedictionary" | "resx" => "c-sharp-format",
        "ts" => "qt-format, qt-plural-format",
        "fluent" => {
            "fluent-references, fluent-parts, ignore-xml-chars-around-tags, ignore-newline-count, \
             ignore-double-space"
        }
        "html" => "safe-html, strict-same",
        "markdown" => "auto-safe-html, strict-same, md-text",
        "webextension" => r#"placeholders:r"\$[A-Za-z0-9_@]+\$":r"\$[1-9]", case-insensitive"#,
        _ => "",
    };
    CheckFlags::parse(flags).expect("the flags above are valid")
}

/// The checks of markup that a source text can enable.
pub(super) const MARKUP: CheckIds =
    CheckIds::all(&[CheckId::MdLink, CheckId::Bbcode, CheckId::Url]);

/// Returns the format checks that a source text enables. `format_checks` are those that the file format has enabled:
/// their placeholders need no further check.
pub(super) fn text_checks(
    sources: &[&str],
    file_format: &str,
    format_checks: CheckIds,
) -> CheckIds {
    let mut checks = CheckIds::default();
    // `fluent-references` compares all placeholders of a message.
    if file_format == "fluent" || format_checks.contains(CheckId::FluentReferences) {
        return checks;
    }
    let mut bytes = [false; 256];
    for byte in sources.iter().flat_map(|source| source.bytes()) {
        bytes[usize::from(byte)] = true;
    }
    let has = |byte: u8| bytes[usize::from(byte)];
    let any = |test: fn(&str) -> bool| sources.iter().any(|source| test(source));
    if has(b'%') {
        percent(sources, format_checks, &mut checks);
    }
    if has(b'{') && has(b'}') {
        braces(sources, format_checks, has(b'$'), &mut checks);
    } else if has(b'$') && any(|source| source.contains("$t(")) {
        checks.set(CheckId::I18nextInterpolation, true);
    }
    if has(b'@')
        && any(|source| !tokens::find(CheckId::VueFormat, source).is_empty())
        && any(|source| source.contains("@:") || source.contains("@."))
    {
        checks.set(CheckId::VueFormat, true);
    }
    if has(b'[') && has(b']') {
        checks.set(CheckId::MdLink, any(|source| source.contains("](")));
        checks.set(CheckId::Bbcode, any(|source| source.contains("[/")));
    }
    if has(b':') && has(b'/') && sources.iter().all(|source| url::is_url(source)) {
        checks.set(CheckId::Url, true);
    }
    if file_format == "laravel" && has(b':') {
        checks.set(CheckId::LaravelFormat, true);
    }
    checks
}

/// Infers styles with percent signs.
fn percent(sources: &[&str], format_checks: CheckIds, checks: &mut CheckIds) {
    const KNOWN: CheckIds = CheckIds::all(&[
        CheckId::JavaPrintfFormat,
        CheckId::ObjcFormat,
        CheckId::PhpFormat,
        CheckId::CFormat,
        CheckId::QtFormat,
    ]);
    if !format_checks.intersection(KNOWN).is_empty() {
        return;
    }
    for source in sources {
        let words = tokens::find(CheckId::PercentPlaceholders, source);
        let has_percent = words.iter().any(|word| !is_pair(source, word));
        // `%name%` can precede a tag.
        if source.contains("%{") || (source.contains("%<") && !has_percent) {
            checks.set(CheckId::RubyFormat, true);
        } else if source.contains("%(") {
            checks.set(CheckId::PythonFormat, true);
        } else if source.contains("%@") || source.contains("$@") {
            checks.set(CheckId::ObjcFormat, true);
        } else if has_percent {
            checks.set(CheckId::PercentPlaceholders, true);
        } else if tokens::find(CheckId::CFormat, source)
            .iter()
            .any(|token| tokens::is_certain(CheckId::CFormat, &token.text))
        {
            checks.set(CheckId::CFormat, true);
        }
    }
}

/// Whether a `%word%` is one conversion before another one or a percent sign: `%s%s`, `%s%%`.
fn is_pair(text: &str, word: &Placeholder<'_>) -> bool {
    let after = &text[word.range.end..];
    let is_mark = |char: char| char.is_alphabetic() || char == '%';
    matches!(&*word.text, "%s%" | "%d%" | "%i%") && after.starts_with(is_mark)
}

/// Infers styles with braces.
fn braces(sources: &[&str], format_checks: CheckIds, dollar: bool, checks: &mut CheckIds) {
    let icu = format_checks.contains(CheckId::IcuMessageFormat);
    if !icu
        && sources
            .iter()
            .any(|source| icu::is_complex(source) || icu::looks_complex(source))
    {
        checks.set(CheckId::IcuMessageFormat, true);
        return;
    }
    if icu || format_checks.contains(CheckId::CSharpFormat) {
        return;
    }
    // The numbered arguments of Java are compared already.
    let is_java = |source: &&str| !tokens::find(CheckId::JavaFormat, source).is_empty();
    if format_checks.contains(CheckId::JavaFormat) && sources.iter().any(is_java) {
        return;
    }
    for source in sources {
        if source.contains("{{") || (dollar && source.contains("$t(")) {
            checks.set(CheckId::I18nextInterpolation, true);
        }
        if dollar && source.contains("${") {
            checks.set(CheckId::EsFormat, true);
        }
        let single = tokens::find(CheckId::PythonBraceFormat, source);
        let has_fields = single.iter().any(|token| {
            let before = char_before(source, token.range.start);
            // A list of brackets: `()[]{}`.
            let is_list = source[..token.range.start].ends_with("[]") && token.range.len() == 2;
            !is_list && !matches!(before, Some('$' | '%'))
        });
        if has_fields {
            checks.set(CheckId::BraceFormat, true);
        } else if !checks.contains(CheckId::I18nextInterpolation)
            && !checks.contains(CheckId::EsFormat)
            && !checks.contains(CheckId::RubyFormat)
            && !tokens::find(CheckId::VueFormat, source).is_empty()
        {
            checks.set(CheckId::VueFormat, true);
        }
    }
}
