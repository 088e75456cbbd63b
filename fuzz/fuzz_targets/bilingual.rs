//! A file of a bilingual format parses without a panic, and so do its faults and its header. Entries and faults are inside
//! the file, fields fit together, an incremental parse against a part of the file equals the full parse, and the line of
//! every entry exists.
#![no_main]

use gitglot_formats::{Outline, Part, RawEntry, faults, line_of, plural_forms, reader, template_date};
use gitglot_model::{FileFormat, PLURAL_SEPARATOR};
use libfuzzer_sys::fuzz_target;

const FORMATS: [FileFormat; 5] =
    [FileFormat::Po, FileFormat::PoMono, FileFormat::Xliff, FileFormat::Xliff2, FileFormat::QtTs];

/// An entry without notes and locations, which may differ in reused ones.
fn owned(entry: RawEntry<'_>) -> (String, String, bool) {
    (entry.key().into(), entry.text.into(), entry.translated)
}

fuzz_target!(|data: &[u8]| {
    let Some((&first, new)) = data.split_first() else { return };
    let format = FORMATS[usize::from(first) % FORMATS.len()];
    let mut full = Vec::new();
    let read = reader(format).read(new, &mut |entry| {
        assert!(entry.offset <= new.len(), "{entry:?}");
        let fields = entry.bilingual.or(entry.keyed).copied().unwrap_or_default();
        assert!(fields.fuzzy || fields.previous_source.is_empty(), "{entry:?}");
        assert!(!(fields.fuzzy && entry.translated), "{entry:?}");
        let parts = entry.text.split(PLURAL_SEPARATOR).count();
        assert!(entry.forms.is_empty() || parts >= entry.forms.len(), "{entry:?}");
        full.push(owned(entry));
    });
    for fault in faults(format, new) {
        assert!(fault.offset <= new.len(), "{fault:?}");
    }
    let _ = (plural_forms(format, new), template_date(format, new));
    let lines = new.iter().filter(|&&byte| byte == b'\n').count() + 1;
    for (key, ..) in full.iter().take(8) {
        let line = line_of(format, new, key).expect("the file just parsed");
        assert!(line.is_none_or(|line| (1..=lines).contains(&line)), "{key:?} on line {line:?} of {lines}");
    }
    // The old version has the lines from some line on, or up to it.
    let at = new.split_inclusive(|&byte| byte == b'\n').take(usize::from(first >> 4)).map(<[u8]>::len).sum();
    let (start, rest) = new.split_at(at);
    let old = if first & 8 == 0 { rest } else { start };
    let (mut outline, mut before, mut against) = (Outline::default(), Vec::new(), Vec::new());
    let first = reader(format).reparse(b"", &mut outline, old, &mut |part| match part {
        Part::Reused(range) => panic!("{range:?} of no file"),
        Part::Entry(entry) => before.push(owned(entry)),
    });
    if first.is_err() {
        return;
    }
    let again = reader(format).reparse(old, &mut outline, new, &mut |part| match part {
        Part::Reused(range) => against.extend_from_slice(&before[range]),
        Part::Entry(entry) => against.push(owned(entry)),
    });
    assert_eq!((&read, &full), (&again, &against));
});
