//! The formats of translation files, and how they differ. Must not depend on components.

use std::borrow::Cow;

use crate::invalid_value::InvalidValue;
use crate::shape::Shape;

macro_rules! file_formats {
    ($($(#[$doc:meta])* $variant:ident $name:literal $extension:literal $({ $($field:ident: $value:expr),* })?;)*) => {
        /// The format of a translation file (docs/spec/formats.md#formats). The names are those of Weblate.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        pub enum FileFormat { $($(#[$doc])* $variant,)* }

        impl FileFormat {
            /// Every format.
            pub const ALL: [Self; [$($name),*].len()] = [$(Self::$variant),*];

            /// The name in `file_format`.
            pub fn name(self) -> &'static str {
                match self { $(Self::$variant => $name,)* }
            }

            /// The ending of the names of its files, with the dot.
            pub fn extension(self) -> &'static str {
                match self { $(Self::$variant => $extension,)* }
            }

            /// How it differs from most formats.
            fn traits(self) -> FormatTraits {
                match self {
                    $(Self::$variant => FormatTraits { $($($field: $value,)*)? ..FormatTraits::default() },)*
                }
            }
        }
    };
}

/// Where the file is that new translations of a bilingual format start from; of other formats, where the texts are that
/// programs use if a translation lacks them.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum BaseFile {
    /// There is none.
    #[default]
    None,
    /// A POT file of gettext.
    Pot,
    /// A file with the name of the others, but without a language.
    WithoutLanguage,
}

/// Declares how a format can differ from most formats: a field of the rows of the formats, and its accessor.
macro_rules! format_traits {
    ($($(#[$doc:meta])* $name:ident: $type:ty;)*) => {
        /// How a format differs from most formats.
        #[derive(Clone, Copy, Default)]
        struct FormatTraits { $($name: $type,)* }

        impl FileFormat {
            $($(#[$doc])* pub fn $name(self) -> $type {
                self.traits().$name
            })*
        }
    };
}

format_traits! {
    /// Other endings of the names of its files.
    other_extensions: &'static [&'static str];
    /// The media type of files that are no JSON (`docs/spec/http.md#files`).
    media_type: Option<&'static str>;
    /// Names of directories, in lower case, in which files with this ending are translations. One may also be the code
    /// of a language.
    locale_folders: &'static [&'static str];
    /// Starts of the names of directories that each file is in, if there are any; other files with this ending have
    /// other uses.
    only_below: &'static [&'static str];
    /// Whether most files with this ending are code or settings. Those of this format are in directories of
    /// translations, or their names end in `_` and a language.
    is_among_code: bool;
    /// Whether files are source code, which can have values that are no data.
    is_code: bool;
    /// Whether keys are paths that start with a dot, which current Weblate leaves out.
    has_key_paths: bool;
    /// Whether texts have placeholders of i18next.
    has_interpolation: bool;
    /// Whether a file has the texts of all languages. Readers get the part of a language
    /// (docs/spec/change-log.md#parts).
    has_parts: bool;
    /// Whether each file of a translation is a string. A mask with `**` then makes a group of them a translation
    /// (docs/spec/change-log.md#groups).
    has_groups: bool;
    /// Whether a file of such a format can also be a translation of its own.
    has_single_files: bool;
    /// Where the source texts of a component with such files come from.
    shape: Shape;
    /// Where the file without a language is.
    base_file: BaseFile;
    /// Whether a file of this format can have texts with plural forms (docs/spec/formats.md#plural-forms).
    has_plurals: bool;
    /// Whether the API gives a text as many plural forms as its language has (docs/spec/units.md#plural-forms). True
    /// for the formats with plural forms that Weblate 3.4 reads.
    fits_forms: bool;
    /// Whether current Weblate shows the plural forms of gettext, which have numbers, not those of CLDR.
    has_numbered_forms: bool;
    /// Whether files with a template have states, locations and flags of their own (docs/spec/formats.md#po-mono).
    has_states: bool;
    /// Whether files are those of gettext, which `msgfmt` compiles.
    is_gettext: bool;
}

/// The media type of files of gettext.
const GETTEXT: &str = "text/x-gettext-catalog";

/// Endings of modules of JavaScript and TypeScript but the first.
const MODULES: &[&str] = &[".ts", ".mjs", ".cjs", ".mts", ".cts"];

/// Directories of gettext, in lower case.
const GETTEXT_FOLDERS: &[&str] = &["po", "lc_messages"];

file_formats! {
    /// Nested JSON of texts.
    Json "json" ".json" { has_key_paths: true };
    /// Another name of `json`.
    JsonNested "json-nested" ".json" { has_key_paths: true };
    /// Messages of browser extensions.
    WebExtension "webextension" ".json";
    /// The same in YAML.
    WebExtensionYaml "webextension-yaml" ".yml" { other_extensions: &[".yaml"], media_type: Some("text/yaml") };
    /// JSON of i18next, version 3.
    I18next "i18next" ".json" { has_plurals: true, fits_forms: true, has_interpolation: true };
    /// JSON of i18next, version 4.
    I18nextV4 "i18nextv4" ".json" { has_plurals: true, has_interpolation: true };
    /// JSON of vue-i18n.
    VueI18n "vue-i18n" ".json" { has_plurals: true };
    /// Application Resource Bundles of Flutter.
    Arb "arb" ".arb";
    /// JSON of FormatJS.
    FormatJs "formatjs" ".json";
    /// JSON of go-i18n, version 1.
    GoI18nV1 "go-i18n-json" ".json" { has_plurals: true };
    /// JSON of go-i18n, version 2.
    GoI18nV2 "go-i18n-json-v2" ".json" { has_plurals: true };
    /// TOML of go-i18n, version 1 and 2.
    GoI18nToml "go-i18n-toml" ".toml" {
        media_type: Some("application/toml"), is_among_code: true, has_plurals: true
    };
    /// JSON of gotext.
    Gotext "gotext" ".json" { has_plurals: true };
    /// JSON of MediaWiki.
    Banana "banana" ".json";
    /// JSON of inlang and Paraglide.
    Inlang "inlang" ".json" { has_plurals: true };
    /// JSON of Laravel, with the source texts as keys.
    LaravelJson "laravel-json" ".json" { shape: Shape::Bilingual };
    /// JSON of gettext, with the source texts as keys.
    Jed "jed" ".json" { shape: Shape::Bilingual, has_plurals: true };
    /// JSON of Windows apps.
    ResJson "resjson" ".resjson";
    /// JSON with comments.
    Jsonc "jsonc" ".jsonc" { has_key_paths: true };
    /// JSON5.
    Json5 "json5" ".json5" { has_key_paths: true };
    /// String resources of Android.
    AndroidResource "aresource" ".xml" {
        media_type: Some("application/xml"), only_below: &["values", "moko-resources"], has_plurals: true, fits_forms: true,
        base_file: BaseFile::WithoutLanguage
    };
    /// Strings files of Apple.
    AppleStrings "strings-utf8" ".strings" { media_type: Some("text/plain"), has_plurals: true };
    /// Texts of Apple with plural forms, next to strings files.
    Stringsdict "stringsdict" ".stringsdict" { media_type: Some("application/xml"), has_plurals: true };
    /// String catalogs of Apple, with all languages in one file.
    StringCatalog "xcstrings" ".xcstrings" {
        has_parts: true, has_plurals: true, fits_forms: true, has_states: true
    };
    /// JSON with a text for each language below each key.
    JsonLanguages "json-languages" ".json" { has_parts: true };
    /// YAML with a text for each language below each key.
    YamlLanguages "yaml-languages" ".yml" {
        other_extensions: &[".yaml"], media_type: Some("text/yaml"), has_parts: true
    };
    /// Tables with a column for each language.
    CsvColumns "csv-columns" ".csv" { media_type: Some("text/csv"), is_among_code: true, has_parts: true };
    /// Texts of app stores, a directory for each language.
    AppStore "appstore" ".txt" {
        media_type: Some("text/plain"), is_among_code: true, has_groups: true, has_states: true
    };
    /// Documents, one for each string.
    Document "document" ".md" {
        other_extensions: &[".mdx", ".markdown"], media_type: Some("text/plain"), is_among_code: true, has_groups: true,
        has_single_files: true
    };
    /// Java properties.
    Properties "properties" ".properties" { media_type: Some("text/plain"), base_file: BaseFile::WithoutLanguage };
    /// Another name of `properties`.
    PropertiesUtf8 "properties-utf8" ".properties" {
        media_type: Some("text/plain"), base_file: BaseFile::WithoutLanguage
    };
    /// YAML.
    Yaml "yaml" ".yml" { other_extensions: &[".yaml"], media_type: Some("text/yaml") };
    /// TOML.
    Toml "toml" ".toml" { media_type: Some("application/toml"), is_among_code: true };
    /// YAML of Ruby, below the name of the language.
    RubyYaml "ruby-yaml" ".yml" { other_extensions: &[".yaml"], media_type: Some("text/yaml") };
    /// YAML of Ruby with plural forms.
    RubyYamlPlurals "ruby-yaml-plurals" ".yml" {
        other_extensions: &[".yaml"], media_type: Some("text/yaml"), has_plurals: true
    };
    /// YAML with the source texts as keys.
    YamlSources "yaml-sources" ".yml" {
        other_extensions: &[".yaml"], media_type: Some("text/yaml"), shape: Shape::Bilingual
    };
    /// YAML of go-i18n, version 1 and 2.
    GoI18nYaml "go-i18n-yaml" ".yml" {
        other_extensions: &[".yaml"], media_type: Some("text/yaml"), has_plurals: true
    };
    /// .NET resources.
    Resx "resx" ".resx" {
        other_extensions: &[".resw"], media_type: Some("text/microsoft-resx"), base_file: BaseFile::WithoutLanguage
    };
    /// Arrays of PHP.
    Php "php" ".php" { media_type: Some("application/x-httpd-php"), is_among_code: true, is_code: true };
    /// Arrays of Laravel.
    Laravel "laravel" ".php" { media_type: Some("application/x-httpd-php"), is_among_code: true, is_code: true };
    /// Arrays of PHP with the source texts as keys.
    PhpSources "php-sources" ".php" {
        media_type: Some("application/x-httpd-php"), is_among_code: true, is_code: true, shape: Shape::Bilingual
    };
    /// Project Fluent.
    Fluent "fluent" ".ftl" { media_type: Some("text/plain") };
    /// PO files of gettext, with the source text in each file.
    Po "po" ".po" {
        media_type: Some(GETTEXT), locale_folders: GETTEXT_FOLDERS, shape: Shape::Bilingual, base_file: BaseFile::Pot,
        has_plurals: true, fits_forms: true, has_numbered_forms: true, is_gettext: true
    };
    /// PO files whose message ids are keys of a template.
    PoMono "po-mono" ".po" {
        media_type: Some(GETTEXT), locale_folders: GETTEXT_FOLDERS, has_plurals: true, fits_forms: true, has_states: true,
        is_gettext: true
    };
    /// XLIFF 1.2.
    Xliff "xliff" ".xlf" {
        media_type: Some("application/x-xliff"), shape: Shape::Bilingual, base_file: BaseFile::WithoutLanguage,
        other_extensions: &[".xliff"]
    };
    /// XLIFF 2.
    Xliff2 "xliff2" ".xlf" {
        media_type: Some("application/x-xliff"), shape: Shape::Bilingual, base_file: BaseFile::WithoutLanguage,
        other_extensions: &[".xliff"]
    };
    /// Translations of Qt Linguist.
    QtTs "ts" ".ts" {
        media_type: Some("application/x-linguist"), locale_folders: &["tr"], is_among_code: true, shape: Shape::Bilingual,
        base_file: BaseFile::WithoutLanguage, has_plurals: true, fits_forms: true
    };
    /// Modules of JavaScript and TypeScript.
    JavaScript "javascript" ".js" {
        other_extensions: MODULES, media_type: Some("text/javascript"), is_among_code: true, is_code: true
    };
    /// Such modules for i18next, version 4.
    I18nextModule "i18nextv4-javascript" ".js" {
        other_extensions: MODULES, media_type: Some("text/javascript"), is_among_code: true, is_code: true, has_plurals: true,
        has_interpolation: true
    };
    /// Such modules for vue-i18n.
    VueI18nModule "vue-i18n-javascript" ".js" {
        other_extensions: MODULES, media_type: Some("text/javascript"), is_among_code: true, is_code: true, has_plurals: true
    };
    /// Modules of JavaScript and TypeScript with a text for each language below each key.
    ModuleLanguages "javascript-languages" ".js" {
        other_extensions: MODULES, media_type: Some("text/javascript"), is_among_code: true, is_code: true, has_parts: true
    };
}

impl FileFormat {
    /// The names of all formats as a list for messages.
    pub fn names() -> String {
        Self::ALL.map(Self::name).join(", ")
    }

    /// Whether the names of its files can have an ending.
    pub fn has_extension(self, extension: &str) -> bool {
        self.extension() == extension || self.other_extensions().contains(&extension)
    }

    /// A format whose files can have an ending, unless most files with it are no translations.
    pub fn with_extension(extension: &str) -> Option<Self> {
        let mut formats = Self::ALL.into_iter().filter(|format| !format.has_groups());
        formats.find(|format| format.has_extension(extension))
    }

    /// Whether ids are paths that start with a dot.
    fn has_dotted_ids(self) -> bool {
        self.has_key_paths() || self == Self::I18next
    }

    /// Whether people write keys differently from ids ([`Self::shown_key`]).
    pub fn has_shown_keys(self) -> bool {
        self.has_dotted_ids() || matches!(self, Self::Yaml | Self::RubyYaml | Self::RubyYamlPlurals)
    }

    /// A key as people write it: the ids of nested files are paths in the notation of Weblate
    /// (docs/spec/pages.md#keys).
    pub fn shown_key<'t>(self, id: &'t str) -> Cow<'t, str> {
        if self.has_dotted_ids() {
            return id.strip_prefix('.').unwrap_or(id).into();
        }
        if self.has_shown_keys() && id.contains("->") {
            id.replace("->[", "[").replace("->", ".").into()
        } else {
            id.into()
        }
    }

    /// What people call its strings, in the singular.
    pub fn noun(self) -> &'static str {
        match self {
            Self::Document => "document",
            _ => "string",
        }
    }

    /// The format of files next to those of this one, which can have strings of the same translation
    /// (docs/spec/change-log.md#groups).
    pub fn next_to(self) -> Option<Self> {
        (self == Self::AppleStrings).then_some(Self::Stringsdict)
    }

    /// Whether a name has one of the endings of files that are in its groups.
    pub fn has_name(self, name: &str) -> bool {
        let others = self.other_extensions().iter().copied();
        let extensions = std::iter::once(self.extension()).chain(others);
        let mut all = extensions.chain(self.next_to().map(Self::extension));
        all.any(|extension| name.ends_with(extension))
    }

    /// The format of files of this one whose keys are the source texts.
    pub fn with_sources_as_keys(self) -> Option<Self> {
        match self {
            Self::Json => Some(Self::LaravelJson),
            Self::Yaml => Some(Self::YamlSources),
            Self::Php | Self::Laravel => Some(Self::PhpSources),
            _ => None,
        }
    }

    /// Whether the context of a string is the id of its unit, by which programs find it, whatever its source text is.
    pub fn has_unit_ids(self) -> bool {
        matches!(self, Self::Xliff | Self::Xliff2)
    }

    /// Whether files mark texts as unfinished.
    pub fn marks_texts(self) -> bool {
        !self.shape().has_template() || self.has_states()
    }
}

impl std::str::FromStr for FileFormat {
    type Err = InvalidValue;

    fn from_str(name: &str) -> Result<Self, InvalidValue> {
        let mut formats = Self::ALL.into_iter();
        formats.find(|format| format.name() == name).ok_or_else(|| {
            let expected = format!("a supported file format: use one of {}", Self::names());
            InvalidValue::new(name, expected)
        })
    }
}
