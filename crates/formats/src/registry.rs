//! The readers of all formats.

use super::documents::DocumentReader;
use super::entry::EntrySink;
use super::entry_list::EntryList;
use super::error::SyntaxError;
use super::format_reader::{FormatReader, ReadResult};
use super::json::{
    I18next, I18nextV4, Incremental, Json, JsonNode, VueI18n, Walk, WebExtension, arb, banana,
    formatjs, go, inlang, plain, resjson, source_keys, webextension_entries,
};
use super::list_reader::ListReader::{Java, Text, Tree, Written};
use super::parts::PartReader;
use super::tables::TableReader;
use super::version_reader::VersionReader;
use super::yaml::YamlDialect;
use super::{
    android, code, fluent, jsonc, po, properties, resx, stringsdict, toml, ts, xliff, yaml,
};
use gitglot_model::FileFormat;

/// Returns the reader of a format for files of a language. `single_form`: whether the language has a single plural
/// form.
pub fn reader_for(format: FileFormat, single_form: bool) -> &'static dyn FormatReader {
    match format {
        FileFormat::I18nextV4 if single_form => &Tree(single_forms),
        FileFormat::I18nextModule if single_form => &Written(code::javascript, single_forms),
        _ => reader(format),
    }
}

fn i18next_v4(root: JsonNode<'_>, list: &mut EntryList) -> Result<(), SyntaxError> {
    Walk::run(&I18nextV4 { single_form: false }, root, list)
}

/// As [`i18next_v4`], for languages with a single plural form.
fn single_forms(root: JsonNode<'_>, list: &mut EntryList) -> Result<(), SyntaxError> {
    Walk::run(&I18nextV4 { single_form: true }, root, list)
}

fn vue_i18n(root: JsonNode<'_>, list: &mut EntryList) -> Result<(), SyntaxError> {
    Walk::run(&VueI18n, root, list)
}

/// Emits every entry of a file that is read only once ([`FormatReader::read`]).
///
/// # Errors
/// If the file does not parse or exceeds a limit. Then `sink` was not called.
pub fn read_file(format: FileFormat, bytes: &[u8], sink: EntrySink<'_>) -> ReadResult {
    reader(format).read(bytes, sink)
}

/// Returns the reader of a format.
pub fn reader(format: FileFormat) -> &'static dyn FormatReader {
    match format {
        FileFormat::Json | FileFormat::JsonNested => &Incremental(Json),
        FileFormat::WebExtension => &Incremental(WebExtension),
        FileFormat::I18next => &Tree(|root, list| Walk::run(&I18next, root, list)),
        FileFormat::I18nextV4 => &Tree(i18next_v4),
        FileFormat::I18nextModule => &Written(code::javascript, i18next_v4),
        FileFormat::VueI18n => &Tree(vue_i18n),
        FileFormat::VueI18nModule => &Written(code::javascript, vue_i18n),
        FileFormat::Arb => &Tree(arb::entries),
        FileFormat::FormatJs => &Tree(formatjs::entries),
        FileFormat::GoI18nV1 => &Tree(go::i18n_v1),
        FileFormat::GoI18nV2 => &Tree(go::i18n_v2),
        FileFormat::GoI18nToml => &Written(toml::as_json, go::i18n),
        FileFormat::GoI18nYaml => &Written(yaml::as_json, go::i18n),
        FileFormat::WebExtensionYaml => &Written(yaml::as_json, webextension_entries),
        FileFormat::Gotext => &Tree(go::gotext),
        FileFormat::Banana => &Tree(banana::entries),
        FileFormat::Inlang => &Tree(inlang::entries),
        FileFormat::LaravelJson => &Tree(source_keys::of_texts),
        FileFormat::Jed => &Tree(source_keys::jed),
        FileFormat::ResJson => &Tree(resjson::entries),
        FileFormat::Jsonc => &Text(|text, list| jsonc::parse(text, false, list)),
        FileFormat::Json5 => &Text(|text, list| jsonc::parse(text, true, list)),
        FileFormat::AndroidResource => &Text(android::parse),
        FileFormat::AppleStrings => &TableReader,
        FileFormat::Stringsdict => &Text(stringsdict::parse),
        FileFormat::StringCatalog => &PartReader(FileFormat::StringCatalog),
        FileFormat::JsonLanguages => &PartReader(FileFormat::JsonLanguages),
        FileFormat::YamlLanguages => &PartReader(FileFormat::YamlLanguages),
        FileFormat::ModuleLanguages => &PartReader(FileFormat::ModuleLanguages),
        FileFormat::CsvColumns => &PartReader(FileFormat::CsvColumns),
        FileFormat::AppStore => &DocumentReader(FileFormat::AppStore),
        FileFormat::Document => &DocumentReader(FileFormat::Document),
        FileFormat::Properties | FileFormat::PropertiesUtf8 => &Java(properties::parse),
        FileFormat::Yaml => &Text(|text, list| yaml::parse(text, YamlDialect::Plain, list)),
        FileFormat::Toml => &Written(toml::as_json, plain),
        FileFormat::RubyYaml => &Text(|text, list| yaml::parse(text, YamlDialect::Ruby, list)),
        FileFormat::RubyYamlPlurals => {
            &Text(|text, list| yaml::parse(text, YamlDialect::RubyPlurals, list))
        }
        FileFormat::Resx => &Text(resx::parse),
        FileFormat::JavaScript => &Written(code::javascript, plain),
        FileFormat::Php | FileFormat::Laravel => &Written(code::php, plain),
        FileFormat::PhpSources => &Written(code::php, source_keys::of_texts),
        FileFormat::YamlSources => &Written(yaml::as_json, source_keys::of_texts),
        FileFormat::Fluent => &Text(fluent::parse),
        FileFormat::Po => &VersionReader(po::Po {
            has_template: false,
        }),
        FileFormat::PoMono => &VersionReader(po::Po { has_template: true }),
        FileFormat::Xliff => &VersionReader(xliff::Xliff),
        FileFormat::Xliff2 => &VersionReader(xliff::Xliff2),
        FileFormat::QtTs => &VersionReader(ts::QtTs),
    }
}
