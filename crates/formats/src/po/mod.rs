//! The formats `po` and `po-mono`: files of gettext (`docs/spec/formats.md#po`).

mod comments;
mod entry;
mod faults;
mod header;
mod incremental;
mod lines;
mod messages;
#[cfg(test)]
mod naive_reader;
mod parse;
#[cfg(test)]
mod property_tests;
#[cfg(test)]
mod tests;

use std::borrow::Cow;

use super::error::{ReadError, ReadErrorKind, SyntaxError};
use super::incremental::{Comparison, Scopes};
use super::input::{BYTE_ORDER_MARK, limits, located, utf8};
use super::version_reader::BlockFormat;
use encoding_rs::{Encoding, UTF_8};

pub(super) use faults::faults;
use gitglot_model::FileFormat;
use gitglot_model::language::PluralRule;

/// Files of gettext.
pub(super) struct Po {
    /// Whether the messages are keys of a template, not source texts. Then versions are not compared.
    pub(super) has_template: bool,
}

impl BlockFormat for Po {
    fn decode(bytes: &[u8]) -> Result<Cow<'_, str>, ReadError> {
        decode(bytes)
    }

    fn read(
        &self,
        text: &str,
        comparison: &mut Comparison<'_>,
        _: &mut Scopes,
    ) -> Result<bool, SyntaxError> {
        if self.has_template {
            parse::keyed(text, &mut comparison.version.list)?;
        } else {
            incremental::read(text, comparison)?;
        }
        Ok(!self.has_template)
    }
}

/// The number of plural forms that the header of a file declares, if the format has such headers and the rule is valid.
pub fn plural_forms(format: FileFormat, bytes: &[u8]) -> Option<usize> {
    header::plural_forms(&header_of(format, bytes)?)
}

/// The rule of plural forms in the header of a file, if the format has such headers and the rule is valid.
pub fn plural_rule(format: FileFormat, bytes: &[u8]) -> Option<PluralRule> {
    header::plural_rule(&header_of(format, bytes)?)
}

fn header_of(format: FileFormat, bytes: &[u8]) -> Option<String> {
    let text = format.is_gettext().then(|| decode(bytes).ok())??;
    parse::header(text.strip_prefix(BYTE_ORDER_MARK).unwrap_or(&text))
}

/// The `POT-Creation-Date` of the header of a file, if the format has such headers: when the template was made that the
/// file was last merged with.
pub fn template_date(format: FileFormat, bytes: &[u8]) -> Option<String> {
    if format != FileFormat::Po {
        return None;
    }
    let header = header_of(format, bytes)?;
    let date = header::field(&header, "POT-Creation-Date")?.trim();
    (!date.is_empty() && !date.starts_with("YEAR")).then(|| date.to_owned())
}

/// The day on which a file was last merged with a template, given the [`template_date`] of both. A newer date than that
/// of the template is of a different template.
pub fn merged_day<'d>(file: Option<&'d str>, template: Option<&str>) -> Option<&'d str> {
    fn day(date: &str) -> &str {
        date.split_whitespace().next().unwrap_or_default()
    }
    let merged = file.map(day).filter(|day| !day.is_empty());
    merged.filter(|merged| template.is_none_or(|made| *merged <= day(made)))
}

/// Decodes a file with the charset of its header.
pub(super) fn decode(bytes: &[u8]) -> Result<Cow<'_, str>, ReadError> {
    limits(bytes)?;
    // The first name is that of a template, and neither means other bytes than those of UTF-8.
    let is_utf8 = |name: &[u8]| {
        let mut labels = [&b"CHARSET"[..], b"ASCII"].into_iter();
        labels.any(|label| name.eq_ignore_ascii_case(label))
    };
    let charset = header::charset(bytes).filter(|name| !bytes.is_ascii() && !is_utf8(name));
    let encoding = match charset {
        Some(name) => Encoding::for_label(name).ok_or_else(|| {
            let name = String::from_utf8_lossy(name);
            let message =
                format!("the charset {name} of the header is unknown; save the file as UTF-8");
            located("", ReadErrorKind::syntax(message, 0))
        })?,
        None => UTF_8,
    };
    if encoding == UTF_8 {
        return utf8(bytes).map(Cow::Borrowed);
    }
    let (text, has_errors) = encoding.decode_without_bom_handling(bytes);
    if has_errors {
        let message = format!(
            "some bytes are not in the charset {} of the header",
            encoding.name()
        );
        return Err(located("", ReadErrorKind::syntax(message, 0)));
    }
    Ok(text)
}
