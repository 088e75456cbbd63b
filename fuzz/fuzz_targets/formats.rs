//! A file of any format parses without a panic. Any two JSON or bilingual files parse without a panic, the incremental parse of
//! the second against the first equals its full parse, and the line of every entry exists in the file.
#![no_main]

use gitglot_formats::{Outline, Part, RawEntry, line_of, reader, reader_for};
use gitglot_model::{FileFormat, PLURAL_SEPARATOR};
use libfuzzer_sys::fuzz_target;

const COMPARED: [FileFormat; 5] =
    [FileFormat::Json, FileFormat::WebExtension, FileFormat::Po, FileFormat::Xliff, FileFormat::QtTs];

type Owned = (String, String, String, bool);

fn owned(entry: RawEntry<'_>) -> Owned {
    // Reused entries of bilingual files may have other notes.
    let note = if entry.bilingual.is_some() { "" } else { entry.note };
    (entry.key().into(), entry.text.into(), note.into(), entry.translated)
}

fuzz_target!(|data: &[u8]| {
    let Some((&first, rest)) = data.split_first() else { return };
    // The plain parse of one more format.
    let format = FileFormat::ALL[usize::from(first) % FileFormat::ALL.len()];
    let any = reader_for(format, first & 0x80 != 0);
    let _ = any.read(rest, &mut |entry| {
        assert!(entry.offset <= rest.len(), "{format:?}: {entry:?}");
        let fields = entry.bilingual.or(entry.keyed).copied().unwrap_or_default();
        assert!(fields.fuzzy || fields.previous_source.is_empty());
        assert!(entry.forms.is_empty() || entry.text.split(PLURAL_SEPARATOR).count() >= entry.forms.len());
    });
    let format = COMPARED[usize::from(first) % COMPARED.len()];
    // The first byte also selects the start of the second version.
    let cut = rest.len() * usize::from(first >> 1) / 127;
    let (old, new) = rest.split_at(cut.min(rest.len()));
    let reader = reader(format);
    let mut outline = Outline::default();
    let mut before: Vec<Owned> = Vec::new();
    let read = reader.reparse(b"", &mut outline, old, &mut |part| match part {
        Part::Reused(range) => panic!("{range:?} of no file"),
        Part::Entry(entry) => before.push(owned(entry)),
    });
    let mut alone = Vec::new();
    let whole = reader.read(new, &mut |entry| alone.push(owned(entry)));
    let lines = new.iter().filter(|&&byte| byte == b'\n').count() + 1;
    for (context, ..) in alone.iter().take(8) {
        let line = line_of(format, new, context).expect("the file just parsed");
        assert!(line.is_none_or(|line| (1..=lines).contains(&line)), "{context:?} on line {line:?} of {lines}");
    }
    if read.is_err() {
        return;
    }
    let mut against = Vec::new();
    let again = reader.reparse(old, &mut outline, new, &mut |part| match part {
        Part::Reused(range) => against.extend_from_slice(&before[range]),
        Part::Entry(entry) => against.push(owned(entry)),
    });
    assert_eq!(whole.is_ok(), again.is_ok());
    if whole.is_ok() {
        assert_eq!(alone, against);
    }
});
