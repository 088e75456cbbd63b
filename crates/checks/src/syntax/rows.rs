//! The table of message syntaxes. Each row is what the documentation of the libraries says that they replace and parse.

/// A syntax as data.
#[derive(PartialEq, Eq, Hash)]
pub(super) struct SyntaxRow {
    /// The name in settings.
    pub(super) name: &'static str,
    /// Examples of placeholders, in Markdown.
    pub(super) values: &'static str,
    /// The flags that enable the checks of its placeholders.
    pub(super) flags: &'static str,
    /// The file formats that define it.
    pub(super) formats: &'static [&'static str],
}

/// Declares rows: name, examples, flags, file formats.
macro_rules! rows {
    ($($name:literal $values:literal $flags:literal [$($format:literal),*];)*) => {
        &[$(SyntaxRow { name: $name, values: $values, flags: $flags, formats: &[$($format),*] },)*]
    };
}

/// All syntaxes, by name.
pub(super) const ROWS: &[SyntaxRow] = rows! {
    "arb" "`{name}`, `{n, plural, …}`" "icu-message-format, icu-flags:-quotes" ["arb"];
    "banana" "`$1`, `{{PLURAL:$1|…}}`" r#"placeholders:r"\$[1-9][0-9]?""# [];
    "brace" "`{name}`, `{0}`" r#"placeholders:r"\{[A-Za-z0-9_.-]+\}""# [];
    "dotnet" "`{0}`, `{0:N2}`" "c-sharp-format" ["resx"];
    "fluent" "`{ $name }`, `{ -term }`" "fluent-references, fluent-parts, ignore-xml-chars-around-tags, ignore-newline-count, ignore-double-space" ["fluent"];
    "formatjs" "`{name}`, `{n, plural, …}`, `<b>…</b>`" "icu-message-format, icu-flags:xml" ["formatjs"];
    "go-template" "`{{.Name}}`" "i18next-interpolation" ["go-i18n-json", "go-i18n-json-v2", "go-i18n-toml", "go-i18n-yaml"];
    "gotext" "`{Name}`" r#"placeholders:r"\{[A-Za-z_][A-Za-z0-9_]*\}""# ["gotext"];
    "i18n-js" "`%{name}`, `{{name}}`" r#"placeholders:r"%\{[^{}\s]+\}":r"\{\{[^{}]+\}\}""# [];
    "i18next" "`{{name}}`, `$t(key)`, `<0>…</0>`" r#"i18next-interpolation, placeholders:r"</?[0-9]+\s*/?>""# ["i18next", "i18nextv4", "i18nextv4-javascript"];
    "icu" "`{name}`, `{n, plural, …}`" "icu-message-format" [];
    "java-messageformat" "`{0}`, `{1,number}`, `''`" "auto-java-messageformat" [];
    "laravel" "`:name`" "laravel-format" [];
    "lingui" "`{name}`, `{n, plural, …}`, `<0>…</0>`" r#"icu-message-format, placeholders:r"</?[0-9]+\s*/?>""# [];
    "mustache" "`{{name}}`" "angularjs-format" [];
    "percent-brace" "`%{name}`" r#"placeholders:r"%\{[^{}\s]+\}""# [];
    "printf-c" "`%s`, `%2$d`" "c-format" [];
    "printf-java" "`%s`, `%1$s`" "java-printf-format" ["aresource"];
    "printf-objc" "`%@`, `%1$@`" "objc-format" ["strings-utf8", "xcstrings"];
    "python-brace" "`{name}`, `{}`, `{0:>4}`" "python-brace-format" [];
    "python-percent" "`%(name)s`, `%s`" "python-format" [];
    "qt" "`%1`, `%L1`, `%n`" "qt-format, qt-plural-format" ["ts"];
    "rails" "`%{name}`" "ruby-format" ["ruby-yaml", "ruby-yaml-plurals"];
    "symfony" "`%name%`" "percent-placeholders" [];
    "vue-i18n" "`{name}`, `{0}`, `@:key`, `|`" "vue-format" ["vue-i18n", "vue-i18n-javascript"];
    "vue-i18n-8" "`{name}`, `{0}`, `@:key`, `|`; nothing is refused" "vue-format" [];
    "webextension" "`$NAME$`, `$1`" r#"placeholders:r"\$[A-Za-z0-9_@]+\$":r"\$[1-9]", case-insensitive"# ["webextension"];
};
