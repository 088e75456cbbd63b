//! The table of libraries. Each row is from the documentation of the library.

use std::collections::BTreeSet;

/// The kind of a manifest.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum ManifestKind {
    /// `package.json` of npm, pnpm, Yarn and Bun.
    Npm,
    /// `composer.json` of PHP.
    Composer,
    /// `Gemfile` and `*.gemspec` of Ruby.
    Ruby,
    /// `pubspec.yaml` of Dart.
    Pub,
    /// `go.mod`.
    Go,
    /// `Cargo.toml`.
    Cargo,
    /// `pyproject.toml`, `setup.cfg` and `requirements*.txt`.
    Python,
    /// `build.gradle`, `build.gradle.kts`, `libs.versions.toml` and `pom.xml`.
    Jvm,
    /// `*.csproj`.
    DotNet,
    /// `manifest.json`.
    Extension,
    /// `CMakeLists.txt`.
    CMake,
}

impl ManifestKind {
    /// The kind of a file, by its name.
    pub fn of(path: &str) -> Option<Self> {
        let name = path.rsplit('/').next()?;
        Some(match name {
            "package.json" => Self::Npm,
            "composer.json" => Self::Composer,
            "Gemfile" => Self::Ruby,
            "pubspec.yaml" => Self::Pub,
            "go.mod" => Self::Go,
            "Cargo.toml" => Self::Cargo,
            "pyproject.toml" | "setup.cfg" => Self::Python,
            "build.gradle" | "build.gradle.kts" | "libs.versions.toml" | "pom.xml" => Self::Jvm,
            "manifest.json" => Self::Extension,
            "CMakeLists.txt" => Self::CMake,
            _ if name.ends_with(".gemspec") => Self::Ruby,
            _ if name.ends_with(".csproj") => Self::DotNet,
            _ if name.starts_with("requirements") && name.ends_with(".txt") => Self::Python,
            _ => return None,
        })
    }
}

/// A library that shows texts.
#[derive(Debug)]
pub struct Library {
    /// The kind of the manifests that name it.
    pub manifest: ManifestKind,
    /// Its names in them, and those of packages that need it.
    pub names: &'static [&'static str],
    /// The message syntax.
    pub syntax: &'static str,
    /// The file formats that it reads. Others define their own syntax.
    pub formats: &'static [&'static str],
    /// Syntaxes of libraries that this one replaces, because it is a plugin of them.
    pub replaces: &'static [&'static str],
    /// A part of the path of the files that it reads; `None` for any.
    pub only_below: Option<&'static str>,
}

impl Library {
    /// Whether it reads a file.
    pub(crate) fn reads(&self, file: &str, file_format: &str) -> bool {
        let is_below = |folder| file.split('/').any(|part| part == folder);
        self.formats.contains(&file_format) && self.only_below.is_none_or(is_below)
    }

    /// Its first name among dependencies.
    pub(crate) fn named_in(&self, dependencies: &BTreeSet<String>) -> Option<&'static str> {
        let mut names = self.names.iter().copied();
        names.find(|name| dependencies.contains(*name))
    }
}

/// Formats without a syntax of their own.
const JSON: &[&str] = &["json", "json-nested", "jsonc", "json5"];
const TEXTS: &[&str] = &["json", "json-nested", "jsonc", "json5", "yaml", "toml"];
const YAML: &[&str] = &["yaml", "json", "json-nested", "toml"];
const PROPERTIES: &[&str] = &["properties", "properties-utf8"];
const SYMFONY: &[&str] = &[
    "yaml",
    "json",
    "json-nested",
    "xliff",
    "xliff2",
    "php",
    "po",
    "po-mono",
];
const PO: &[&str] = &["po", "po-mono"];
const LINGUI: &[&str] = &["po", "po-mono", "json", "json-nested"];

/// Declares rows: kind of manifest, names, syntax, formats, and what differs.
macro_rules! libraries {
    ($($manifest:ident [$($name:literal),*] $syntax:literal $formats:ident $({ $($field:ident: $value:expr),* })?;)*) => {
        &[$(Library {
            manifest: ManifestKind::$manifest,
            names: &[$($name),*],
            syntax: $syntax,
            formats: $formats,
            $($($field: $value,)*)?
            ..EMPTY
        },)*]
    };
}

const EMPTY: Library = Library {
    manifest: ManifestKind::Npm,
    names: &[],
    syntax: "",
    formats: &[],
    replaces: &[],
    only_below: None,
};

/// All libraries.
pub const LIBRARIES: &[Library] = libraries! {
    Npm ["i18next", "react-i18next", "next-i18next", "i18next-vue", "angular-i18next"] "i18next" TEXTS;
    Npm ["i18next-icu"] "icu" TEXTS { replaces: &["i18next"] };
    Npm ["vue-i18n", "@nuxtjs/i18n", "nuxt-i18n", "@intlify/core", "petite-vue-i18n"] "vue-i18n" TEXTS;
    Npm ["vue-i18n@7", "vue-i18n@8", "nuxt-i18n@5", "nuxt-i18n@6", "@nuxtjs/i18n@7"] "vue-i18n-8" TEXTS { replaces: &["vue-i18n"] };
    Npm ["react-intl", "@formatjs/intl", "react-intl-universal"] "formatjs" TEXTS;
    Npm ["next-intl", "use-intl"] "formatjs" TEXTS;
    Npm ["@lingui/core", "@lingui/react", "@lingui/macro"] "lingui" LINGUI;
    Npm ["svelte-i18n"] "icu" TEXTS;
    Npm ["ember-intl"] "icu" TEXTS;
    Npm ["@messageformat/core", "messageformat", "intl-messageformat", "globalize"] "icu" TEXTS;
    Npm ["@ngx-translate/core"] "mustache" TEXTS;
    Npm ["ngx-translate-messageformat-compiler", "@jsverse/transloco-messageformat", "@ngneat/transloco-messageformat"]
        "icu" TEXTS { replaces: &["mustache"] };
    Npm ["@jsverse/transloco", "@ngneat/transloco"] "mustache" TEXTS;
    Npm ["angular-translate"] "mustache" TEXTS;
    Npm ["next-translate"] "mustache" TEXTS;
    Npm ["sveltekit-i18n", "@sveltekit-i18n/parser-default"] "mustache" TEXTS;
    Npm ["@sveltekit-i18n/parser-icu"] "icu" TEXTS { replaces: &["mustache"] };
    Npm ["rosetta"] "mustache" TEXTS;
    Npm ["preact-i18n"] "mustache" TEXTS;
    Npm ["i18n"] "mustache" TEXTS;
    Npm ["@inlang/paraglide-js", "@inlang/paraglide-next", "@inlang/paraglide-sveltekit"] "brace" JSON;
    Npm ["@shopify/react-i18n"] "brace" JSON;
    Npm ["i18n-js", "react-native-i18n"] "i18n-js" TEXTS;
    Npm ["node-polyglot"] "percent-brace" TEXTS;
    Npm ["vue3-gettext", "vue-gettext"] "percent-brace" PO;
    Npm ["y18n"] "printf-c" JSON;
    Npm ["counterpart"] "python-percent" TEXTS;
    Npm ["banana-i18n", "jquery.i18n"] "banana" JSON;
    Composer ["laravel/framework", "illuminate/translation"] "laravel" JSON { only_below: Some("lang") };
    Composer ["symfony/translation", "symfony/framework-bundle"] "symfony" SYMFONY { only_below: Some("translations") };
    Ruby ["rails", "i18n", "rails-i18n", "railties"] "rails" YAML { only_below: Some("locales") };
    Ruby ["fast_gettext", "gettext_i18n_rails"] "percent-brace" PO;
    Pub ["easy_localization"] "python-brace" TEXTS;
    Pub ["flutter_i18n", "flutter_translate"] "brace" TEXTS;
    Go ["github.com/nicksnyder/go-i18n"] "go-template" TEXTS;
    Go ["github.com/eduardolat/goeasyi18n"] "go-template" TEXTS;
    Go ["github.com/invopop/ctxi18n"] "percent-brace" TEXTS;
    Cargo ["rust-i18n"] "percent-brace" TEXTS;
    Cargo ["leptos_i18n"] "mustache" TEXTS;
    Python ["python-i18n"] "percent-brace" TEXTS;
    Jvm ["org.springframework.boot", "spring-context", "spring-boot-starter"] "java-messageformat" PROPERTIES;
    Jvm ["io.quarkus", "io.micronaut", "com.vaadin", "org.jenkins-ci.plugins", "org.eclipse.osgi"] "java-messageformat" PROPERTIES;
    Jvm ["fabric-loom", "net.fabricmc.fabric-loom", "net.minecraftforge.gradle", "net.neoforged.moddev", "net.neoforged.gradle.userdev", "dev.architectury.loom"]
        "printf-java" JSON { only_below: Some("lang") };
    DotNet ["I18Next.Net"] "i18next" JSON;
    DotNet ["My.Extensions.Localization.Json", "Askmethat.Aspnet.JsonLocalizer"] "dotnet" JSON;
    DotNet ["NGettext", "OrchardCore.Localization.Core"] "dotnet" PO;
    Extension ["Home Assistant"] "brace" JSON { only_below: Some("translations") };
    CMake ["KF5I18n", "KF6I18n", "ki18n_install"] "qt" PO;
};
