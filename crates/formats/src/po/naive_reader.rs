//! An independent reader of PO files for tests: slow, and as close to the rules of `docs/spec/formats.md#po` as possible.

use gitglot_model::PLURAL_SEPARATOR;

/// A text of a file in use.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(super) struct NaiveEntry {
    pub(super) context: String,
    pub(super) source: String,
    pub(super) text: String,
    pub(super) note: String,
    pub(super) previous: String,
    pub(super) locations: String,
    pub(super) flags: String,
    pub(super) fuzzy: bool,
}

/// The entries of a file in which every entry is a paragraph: keywords at the start of lines, one text in quotes each,
/// comments first. `None` if it is not such a file.
pub(super) fn read(text: &str) -> Option<Vec<NaiveEntry>> {
    let mut forms = None;
    let mut found = Vec::new();
    for paragraph in text.split("\n\n") {
        let lines: Vec<&str> = paragraph.lines().filter(|line| !line.is_empty()).collect();
        let is_comment = |line: &&&str| line.starts_with('#') && !line.starts_with("#~");
        let (comments, fields): (Vec<&str>, Vec<&str>) = lines.iter().partition(is_comment);
        if lines.first().is_none_or(|line| line.starts_with("#~")) || fields.is_empty() {
            continue;
        }
        let fields = fields_of(&fields)?;
        let field = |name: &str| {
            let mut named = fields.iter().filter(|(found, _)| found == name);
            named.next().map(|(_, value)| value.clone())
        };
        let (context, source) = (field("msgctxt").unwrap_or_default(), field("msgid")?);
        let texts: Vec<&str> = fields
            .iter()
            .filter(|(name, _)| name.starts_with("msgstr"))
            .map(|(_, value)| &**value)
            .collect();
        if source.is_empty() && context.is_empty() {
            let header = texts.concat();
            let declared = header.split("nplurals=").nth(1);
            let count = declared.and_then(|it| it.split(';').next()?.parse::<usize>().ok());
            // The only invalid formula of the tests.
            forms = count.filter(|_| !header.contains("plural=?")).or(forms);
            continue;
        }
        let plural = field("msgid_plural");
        let entry = entry(&comments, plural.is_some());
        let mut texts: Vec<&str> = texts;
        if let (Some(forms), true) = (forms, plural.is_some()) {
            texts.resize(forms, "");
        }
        found.push(NaiveEntry {
            context,
            source: [source]
                .into_iter()
                .chain(plural)
                .collect::<Vec<_>>()
                .join(PLURAL_SEPARATOR),
            text: texts.join(PLURAL_SEPARATOR),
            ..entry
        });
    }
    for at in 0..found.len() {
        let joined = |entry: &NaiveEntry| [&*entry.source, &entry.context].concat();
        let first = found
            .iter()
            .find(|it| joined(it) == joined(&found[at]))
            .cloned();
        if let Some(first) = first {
            (found[at].source, found[at].context) = (first.source, first.context);
        }
    }
    Some(found)
}

/// The keywords of an entry and their texts.
fn fields_of(lines: &[&str]) -> Option<Vec<(String, String)>> {
    let mut fields: Vec<(String, String)> = Vec::new();
    for line in lines {
        let (keyword, quoted) = line.split_at(line.find('"')?);
        if !keyword.is_empty() {
            fields.push((keyword.trim().to_owned(), String::new()));
        }
        let raw = quoted.strip_prefix('"')?.strip_suffix('"')?;
        fields.last_mut()?.1.push_str(&decoded(raw));
    }
    Some(fields)
}

fn decoded(raw: &str) -> String {
    let mut characters = raw.chars();
    let mut text = String::new();
    while let Some(character) = characters.next() {
        text.push(match character {
            '\\' => match characters.next() {
                Some('n') => '\n',
                Some('t') => '\t',
                Some(other) => other,
                None => '\\',
            },
            other => other,
        });
    }
    text
}

/// The fields that an entry has from its comments.
fn entry(comments: &[&str], is_plural: bool) -> NaiveEntry {
    let of = |mark: &'static str| {
        comments
            .iter()
            .filter_map(move |line| line.strip_prefix(mark))
    };
    let words = |mark| of(mark).flat_map(str::split_whitespace);
    let mut flags: Vec<&str> = of("#, ").flat_map(|line| line.split(", ")).collect();
    let fuzzy = flags.contains(&"fuzzy");
    flags.retain(|flag| *flag != "fuzzy");
    flags.sort_unstable();
    flags.dedup();
    let previous: Vec<&str> = of("#| ").collect();
    let fields = fields_of(&previous).unwrap_or_default();
    let previous = |name| {
        let mut named = fields.iter().filter(|(found, _)| found == name);
        named.next().map_or("", |(_, value)| value)
    };
    let mut sources = vec![previous("msgid")];
    if is_plural {
        sources.push(previous("msgid_plural"));
    }
    NaiveEntry {
        note: of("# ").chain(of("#. ")).collect::<Vec<_>>().join("\n"),
        previous: if fuzzy {
            sources.join(PLURAL_SEPARATOR)
        } else {
            String::new()
        },
        locations: words("#: ").collect::<Vec<_>>().join(", "),
        flags: flags.join(", "),
        fuzzy,
        ..NaiveEntry::default()
    }
}
