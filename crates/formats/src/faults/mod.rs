//! Faults of files that parse: names that occur twice, and escapes that the format rejects or changes
//! (`docs/spec/formats.md#faults`).
//!
//! Must not depend on the entries of the readers: they do not tell what a reader dropped or replaced.

mod android;
mod json;
mod web_extension;

use super::documents::is_group;
use super::error::SyntaxError;
use super::fault::{Fault, FaultKind, FaultList, InvalidPart, Names};
use super::input::{BYTE_ORDER_MARK, unicode, unicode_or_latin1};
use super::offsets::{FileOffsets, line_at};
use super::registry::read_file;
use super::tables::{self, TableFile};
use super::{code, po, properties, resx, strings, stringsdict, ts, xliff, xml_encoding, yaml};
use gitglot_model::{FileFormat, counted};

/// Finds the faults of a file that parses, in file order. A format without own rules has none.
pub fn faults(format: FileFormat, bytes: &[u8]) -> Vec<Fault> {
    if format == FileFormat::AppleStrings && is_group(bytes) {
        let of_file = |file: TableFile<'_>| {
            let in_file = faults(file.format(), file.bytes).into_iter();
            in_file.map(move |fault| fault.moved(file.start))
        };
        return tables::files(bytes).flat_map(of_file).collect();
    }
    let decoded = match format {
        FileFormat::Properties | FileFormat::PropertiesUtf8 => unicode_or_latin1(bytes),
        FileFormat::Po | FileFormat::PoMono => po::decode(bytes),
        FileFormat::Xliff | FileFormat::Xliff2 | FileFormat::QtTs => xml_encoding::decode(bytes),
        _ => unicode(bytes),
    };
    let Ok(decoded) = decoded else {
        return Vec::new();
    };
    let text = decoded.strip_prefix(BYTE_ORDER_MARK).unwrap_or(&decoded);
    let mut list = FaultList::default();
    // A file that does not parse has an error, not faults.
    let _ = faults_of_text(format, text, &mut list);
    list.in_file(FileOffsets::new(bytes, text))
}

fn faults_of_text(format: FileFormat, text: &str, list: &mut FaultList) -> Result<(), SyntaxError> {
    match format {
        FileFormat::AndroidResource => return android::faults(text, list),
        FileFormat::AppleStrings => return strings::faults(text, list),
        FileFormat::Stringsdict => return stringsdict::faults(text, list),
        FileFormat::Resx => return resx::faults(text, list),
        FileFormat::Yaml | FileFormat::WebExtensionYaml | FileFormat::YamlSources => {
            return yaml::faults(text, false, list);
        }
        FileFormat::RubyYaml | FileFormat::RubyYamlPlurals => {
            return yaml::faults(text, true, list);
        }
        FileFormat::Xliff => return xliff::faults(text, list),
        FileFormat::Xliff2 => return xliff::faults_2(text, list),
        FileFormat::QtTs => return ts::faults(text, list),
        FileFormat::JavaScript | FileFormat::I18nextModule | FileFormat::VueI18nModule => {
            return code::javascript_faults(text, list);
        }
        FileFormat::Php | FileFormat::Laravel | FileFormat::PhpSources => {
            return code::php_faults(text, list);
        }
        FileFormat::Properties | FileFormat::PropertiesUtf8 => properties::faults(text, list),
        FileFormat::GoI18nV1 | FileFormat::GoI18nYaml | FileFormat::Gotext => {
            ids(text, format, list);
        }
        FileFormat::Json
        | FileFormat::JsonNested
        | FileFormat::I18next
        | FileFormat::I18nextV4
        | FileFormat::VueI18n
        | FileFormat::Arb
        | FileFormat::FormatJs
        | FileFormat::GoI18nV2
        | FileFormat::Banana
        | FileFormat::Inlang
        | FileFormat::LaravelJson
        | FileFormat::Jed
        | FileFormat::ResJson
        | FileFormat::Jsonc
        | FileFormat::Json5 => json::faults(text, format, list),
        FileFormat::WebExtension => {
            json::faults(text, format, list);
            web_extension::faults(text, list);
        }
        FileFormat::Po | FileFormat::PoMono => {
            po::faults(text, format == FileFormat::PoMono, list);
        }
        // They have errors instead.
        FileFormat::Fluent | FileFormat::Toml | FileFormat::GoI18nToml => {}
        // A part has one language of the file.
        FileFormat::StringCatalog
        | FileFormat::JsonLanguages
        | FileFormat::YamlLanguages
        | FileFormat::ModuleLanguages
        | FileFormat::CsvColumns => {}
        // A file is one string.
        FileFormat::AppStore | FileFormat::Document => {}
    }
    Ok(())
}

/// The values of source code that a reader leaves out because they are no data, as one clause.
pub fn left_out(format: FileFormat, bytes: &[u8]) -> Option<String> {
    if !format.is_code() {
        return None;
    }
    let mut found = faults(format, bytes)
        .into_iter()
        .filter_map(|fault| match fault.kind {
            FaultKind::Invalid {
                part: InvalidPart::NoData,
                problem,
            } => Some((fault.offset, problem)),
            _ => None,
        });
    let (offset, problem) = found.next()?;
    let line = line_at(bytes, offset);
    let more = match found.count() {
        0 => String::new(),
        more => format!(", as well as {}", counted(more, "other value")),
    };
    let problem = problem.trim_end_matches('.');
    let (what, next) = problem.split_once(" is not read").unwrap_or((problem, ""));
    Some(format!(
        "line {line}: {} is not read{more}{next}",
        what.to_lowercase()
    ))
}

/// Adds the ids that occur twice in a list of texts.
fn ids(text: &str, format: FileFormat, list: &mut FaultList) {
    let mut names = Names::default();
    // A file that does not parse has an error, not faults.
    let _ = read_file(format, text.as_bytes(), &mut |entry| {
        let (id, text) = (entry.context.to_owned(), entry.text.to_owned());
        let again = names.add(id, entry.offset, text);
        list.push(entry.context, entry.offset, again);
    });
}

#[cfg(test)]
mod tests;
