//! Units as a compiled gettext catalogue: a table of sources and one of translations, sorted by source.

use super::super::current_unit::CurrentUnit;
use super::{Conversion, po};

/// The first number of a little-endian catalogue.
const MAGIC: u32 = 0x9504_12de;
/// Bytes in front of the tables: seven numbers.
const HEADER: usize = 7 * 4;
const CONTEXT_END: &str = "\u{4}";

pub(super) fn file(of: &Conversion<'_>) -> Vec<u8> {
    mo(&of.strings(), po::current_header(of.view, of.page))
}

/// The catalogue with a header. As `msgfmt` does, it leaves out strings that are fuzzy or have no translation.
fn mo(units: &[CurrentUnit<'_>], header: String) -> Vec<u8> {
    let is_translated = |unit: &&CurrentUnit<'_>| {
        !unit.state.is_fuzzy() && unit.target.iter().any(|form| !form.is_empty())
    };
    let entries = units.iter().filter(is_translated).map(|unit| {
        let context = match unit.context {
            "" => String::new(),
            context => [context, CONTEXT_END].concat(),
        };
        let forms = |all: &[&str]| {
            if unit.is_plural {
                all.join("\0")
            } else {
                all.first().copied().unwrap_or_default().to_owned()
            }
        };
        (context + &forms(&unit.source), forms(&unit.target))
    });
    let mut entries: Vec<_> = entries.chain([(String::new(), header)]).collect();
    entries.sort_unstable();
    // Two strings with one source cannot both be found.
    entries.dedup_by(|next, first| next.0 == first.0);
    let count = entries.len();
    let [sources, translations, hashes] = [0, 1, 2].map(|table| HEADER + table * count * 8);
    let numbers = [MAGIC, 0]
        .into_iter()
        .chain([count, sources, translations, 0, hashes].map(|number| number as u32));
    let mut out: Vec<u8> = numbers.flat_map(u32::to_le_bytes).collect();
    let (keys, texts): (Vec<String>, Vec<String>) = entries.into_iter().unzip();
    let mut at = hashes;
    for text in keys.iter().chain(&texts) {
        out.extend(
            [text.len(), at]
                .map(|number| number as u32)
                .into_iter()
                .flat_map(u32::to_le_bytes),
        );
        at += text.len() + 1;
    }
    for text in keys.iter().chain(&texts) {
        out.extend_from_slice(text.as_bytes());
        out.push(0);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use gitglot_catalog::CurrentState;

    fn unit<'a>(context: &'a str, source: &[&'a str], target: &[&'a str]) -> CurrentUnit<'a> {
        CurrentUnit {
            context,
            source: source.to_vec(),
            target: target.to_vec(),
            note: String::new(),
            locations: "",
            flags: String::new(),
            state: CurrentState::Translated,
            is_plural: source.len() > 1,
            id_hash: 0,
        }
    }

    /// The texts of a catalogue by the offsets in its tables.
    fn read(file: &[u8]) -> Vec<(String, String)> {
        let number = |at: usize| u32::from_le_bytes(file[at..at + 4].try_into().unwrap()) as usize;
        assert_eq!((number(0), number(4), number(20)), (MAGIC as usize, 0, 0));
        let text = |at: usize| {
            let (len, start) = (number(at), number(at + 4));
            assert_eq!(file[start + len], 0);
            String::from_utf8(file[start..start + len].to_vec()).unwrap()
        };
        let rows = 0..number(8);
        rows.map(|row| (text(number(12) + 8 * row), text(number(16) + 8 * row)))
            .collect()
    }

    #[test]
    fn a_catalogue_has_the_translated_strings_by_source() {
        let fuzzy = CurrentUnit {
            state: CurrentState::NeedsEditing,
            ..unit("", &["Fuzzy"], &["x"])
        };
        let units = [
            unit("verb", &["Post"], &["Odeslat"]),
            unit("", &["%d letter", "%d letters"], &["%d dopis", "%d dopisy"]),
            unit("", &["Close"], &[""]),
            unit("", &["A", "B"], &["", ""]),
            fuzzy,
        ];
        let file = mo(&units, "Language: cs\n".to_owned());
        let expected = [
            ("", "Language: cs\n"),
            ("%d letter\0%d letters", "%d dopis\0%d dopisy"),
            ("verb\u{4}Post", "Odeslat"),
        ];
        let expected = expected.map(|(source, text)| (source.to_owned(), text.to_owned()));
        assert_eq!(read(&file), expected);
    }
}
