//! The readers of all formats.

use super::code::Language;
use super::documents::DocumentReader;
use super::entry_list::EntryList;
use super::error::SyntaxError;
use super::format_reader::FormatReader;
use super::json::{
    I18next, I18nextV4, Incremental, Json, JsonNode, VueI18n, Walk, WebExtension, arb, banana,
    formatjs, go, inlang, plain, resjson, source_keys, webextension_entries,
};
use super::list_reader::ListReader::{Java, Text, Tree};
use super::parts::PartReader;
use super::tables::TableReader;
use super::xml_reader::XmlReader;
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
        FileFormat::I18nextModule if single_form => {
            &Text(|text, list| code::parse(text, Language::JavaScript, single_forms, list))
        }
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

/// Returns the reader of a format.
pub fn reader(format: FileFormat) -> &'static dyn FormatReader {
    match format {
        FileFormat::Json | FileFormat::JsonNested => &Incremental(Json),
        FileFormat::WebExtension => &Incremental(WebExtension),
        FileFormat::I18next => &Tree(|root, list| Walk::run(&I18next, root, list)),
        FileFormat::I18nextV4 => &Tree(i18next_v4),
        FileFormat::I18nextModule => {
            &Text(|text, list| code::parse(text, Language::JavaScript, i18next_v4, list))
        }
        FileFormat::VueI18n => &Tree(vue_i18n),
        FileFormat::VueI18nModule => {
            &Text(|text, list| code::parse(text, Language::JavaScript, vue_i18n, list))
        }
        FileFormat::Arb => &Tree(arb::entries),
        FileFormat::FormatJs => &Tree(formatjs::entries),
        FileFormat::GoI18nV1 => &Tree(go::i18n_v1),
        FileFormat::GoI18nV2 => &Tree(go::i18n_v2),
        FileFormat::GoI18nToml => &Text(|text, list| toml::parse(text, go::i18n, list)),
        FileFormat::GoI18nYaml => &Text(|text, list| yaml::parse_as_json(text, go::i18n, list)),
        FileFormat::WebExtensionYaml => {
            &Text(|text, list| yaml::parse_as_json(text, webextension_entries, list))
        }
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
        FileFormat::Toml => &Text(|text, list| toml::parse(text, plain, list)),
        FileFormat::RubyYaml => &Text(|text, list| yaml::parse(text, YamlDialect::Ruby, list)),
        FileFormat::RubyYamlPlurals => {
            &Text(|text, list| yaml::parse(text, YamlDialect::RubyPlurals, list))
        }
        FileFormat::Resx => &Text(resx::parse),
        FileFormat::JavaScript => {
            &Text(|text, list| code::parse(text, Language::JavaScript, plain, list))
        }
        FileFormat::Php | FileFormat::Laravel => {
            &Text(|text, list| code::parse(text, Language::Php, plain, list))
        }
        FileFormat::PhpSources => {
            &Text(|text, list| code::parse(text, Language::Php, source_keys::of_texts, list))
        }
        FileFormat::YamlSources => {
            &Text(|text, list| yaml::parse_as_json(text, source_keys::of_texts, list))
        }
        FileFormat::Fluent => &Text(fluent::parse),
        FileFormat::Po => &po::PoReader {
            has_template: false,
        },
        FileFormat::PoMono => &po::PoReader { has_template: true },
        FileFormat::Xliff => &XmlReader(xliff::Xliff),
        FileFormat::Xliff2 => &XmlReader(xliff::Xliff2),
        FileFormat::QtTs => &XmlReader(ts::QtTs),
    }
}
