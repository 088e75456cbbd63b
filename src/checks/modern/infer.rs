//! Infers checks from the file format and the source text (`docs/spec/checks.md#inference`).

use super::flags::CheckFlags;
use super::icu;
use super::id::{ModernCheck, ModernSet};
use super::markup::url;
use super::tokens::PlaceholderStyle;

/// Returns the flags that a file format implies.
pub(super) fn format_flags(file_format: &str) -> CheckFlags {
    let flags = match file_format {
        "i18next" | "i18nextv4" => "i18next-interpolation",
        "arb" | "formatjs" => "icu-message-format",
        "aresource" | "cmp-resource" | "moko-resource" => "java-printf-format",
        "properties" | "properties-utf8" | "properties-utf16" | "gwt" | "xwiki-java-properties" => {
            "auto-java-messageformat"
        }
        "strings" | "strings-utf8" | "stringsdict" | "xcstrings" => "objc-format",
        "laravel" => "laravel-format",
        "resourcedictionary" | "resx" => "c-sharp-format",
        "fluent" => {
            "fluent-references, fluent-parts, ignore-xml-invalid, ignore-xml-tags, ignore-xml-chars-around-tags, \
             ignore-newline-count, ignore-double-space"
        }
        "html" => "safe-html, strict-same",
        "markdown" => "auto-safe-html, strict-same, md-text",
        "webextension" => r#"placeholders:r"\$[A-Za-z0-9_@]+\$":r"\$[1-9]", case-insensitive"#,
        _ => "",
    };
    CheckFlags::parse(flags).unwrap_or_default()
}

/// The checks of markup that a source text can enable.
pub(super) const MARKUP: ModernSet = ModernSet::of(ModernCheck::MdLink)
    .union(ModernSet::of(ModernCheck::Bbcode))
    .union(ModernSet::of(ModernCheck::Url));

/// Returns the format checks that a source text enables. `format_checks` are those that the file format has enabled:
/// their placeholders need no further check.
pub(super) fn text_checks(
    sources: &[&str],
    file_format: &str,
    format_checks: ModernSet,
) -> ModernSet {
    let mut checks = ModernSet::default();
    // `fluent-references` compares all placeholders of a message.
    if file_format == "fluent" {
        return checks;
    }
    let mut bytes = [false; 256];
    for byte in sources.iter().flat_map(|source| source.bytes()) {
        if let Some(seen) = bytes.get_mut(usize::from(byte)) {
            *seen = true;
        }
    }
    let has = |byte: u8| bytes.get(usize::from(byte)).copied().unwrap_or(false);
    let any = |style: PlaceholderStyle| {
        sources
            .iter()
            .any(|source| !style.tokens(source).is_empty())
    };
    if has(b'%') {
        percent(sources, format_checks, &mut checks);
    }
    if has(b'{') && has(b'}') {
        braces(sources, format_checks, has(b'$'), &mut checks);
    } else if has(b'$') && sources.iter().any(|source| source.contains("$t(")) {
        checks.set(ModernCheck::I18nextInterpolation, true);
    }
    if has(b'@')
        && any(PlaceholderStyle::Vue)
        && sources
            .iter()
            .any(|source| source.contains("@:") || source.contains("@."))
    {
        checks.set(ModernCheck::VueFormat, true);
    }
    if has(b'[') && has(b']') {
        let any = |part: &str| sources.iter().any(|source| source.contains(part));
        checks.set(ModernCheck::MdLink, any("]("));
        checks.set(ModernCheck::Bbcode, any("[/"));
    }
    if has(b':') && has(b'/') && sources.iter().all(|source| url::is_url(source)) {
        checks.set(ModernCheck::Url, true);
    }
    if file_format == "laravel" && has(b':') {
        checks.set(ModernCheck::LaravelFormat, true);
    }
    checks
}

/// Infers styles with percent signs.
fn percent(sources: &[&str], format_checks: ModernSet, checks: &mut ModernSet) {
    let known = [
        ModernCheck::JavaPrintfFormat,
        ModernCheck::ObjcFormat,
        ModernCheck::PhpFormat,
        ModernCheck::CFormat,
    ];
    if known.iter().any(|&check| format_checks.contains(check)) {
        return;
    }
    for source in sources {
        if source.contains("%{") || source.contains("%<") {
            checks.set(ModernCheck::RubyFormat, true);
        } else if source.contains("%(") {
            checks.set(ModernCheck::PythonFormat, true);
        } else if source.contains("%@") || source.contains("$@") {
            checks.set(ModernCheck::ObjcFormat, true);
        } else if !PlaceholderStyle::Percent.tokens(source).is_empty() {
            checks.set(ModernCheck::PercentPlaceholders, true);
        } else if PlaceholderStyle::C
            .tokens(source)
            .iter()
            .any(|token| is_certain(&token.text))
        {
            checks.set(ModernCheck::CFormat, true);
        }
    }
}

/// Whether a `%` sequence is a placeholder beyond doubt: a conversion that programs use, without a space in it.
pub(super) fn is_certain(token: &str) -> bool {
    token.len() > 1
        && !token.contains(' ')
        && token.ends_with([
            's', 'd', 'i', 'u', 'f', 'x', 'X', 'c', 'g', 'e', '@', 'o', 'r', 'b', 'j',
        ])
}

/// As [`is_certain`] for styles whose placeholders end with a conversion; always true for others.
pub(super) fn is_certain_in(style: PlaceholderStyle, token: &str) -> bool {
    match style {
        PlaceholderStyle::C
        | PlaceholderStyle::ObjectiveC
        | PlaceholderStyle::Php
        | PlaceholderStyle::JavaPrintf => is_certain(token),
        PlaceholderStyle::Python | PlaceholderStyle::Ruby => {
            is_certain(token) || token.starts_with("%{")
        }
        _ => true,
    }
}

/// Infers styles with braces.
fn braces(sources: &[&str], format_checks: ModernSet, dollar: bool, checks: &mut ModernSet) {
    let icu = format_checks.contains(ModernCheck::IcuMessageFormat);
    if !icu
        && sources
            .iter()
            .any(|source| icu::is_complex(source) || icu::looks_complex(source))
    {
        checks.set(ModernCheck::IcuMessageFormat, true);
        return;
    }
    if icu || format_checks.contains(ModernCheck::CSharpFormat) {
        return;
    }
    for source in sources {
        if source.contains("{{") || (dollar && source.contains("$t(")) {
            checks.set(ModernCheck::I18nextInterpolation, true);
        }
        if dollar && source.contains("${") {
            checks.set(ModernCheck::EsFormat, true);
        }
        let single = PlaceholderStyle::PythonBrace.tokens(source);
        let own = single.iter().any(|token| {
            let before = source
                .get(..token.range.start)
                .and_then(|before| before.chars().next_back());
            !matches!(before, Some('$' | '%'))
        });
        if own {
            checks.set(ModernCheck::PythonBraceFormat, true);
        } else if !checks.contains(ModernCheck::I18nextInterpolation)
            && !checks.contains(ModernCheck::EsFormat)
            && !checks.contains(ModernCheck::RubyFormat)
            && !PlaceholderStyle::Vue.tokens(source).is_empty()
        {
            checks.set(ModernCheck::VueFormat, true);
        }
    }
}
