//! The front matter of documents (`docs/spec/formats.md#document`): lines of YAML between two lines `---` at the start.

use chrono::{DateTime, NaiveDate, NaiveDateTime, NaiveTime};

/// The names of fields with the commit of the source that a document was made from.
pub(super) const SOURCE_COMMITS: [&str; 5] = [
    "l10n.sourceCommit",
    "i18n_source_sha",
    "source_commit",
    "sourceCommit",
    "default_lang_commit",
];

/// The name of the field that says when the source was last updated.
const SOURCE_DATE: &str = "source-updated-at";

/// The front matter of a document, if it has one that ends.
pub fn front_matter(text: &str) -> Option<&str> {
    let is_mark = |line: &str| line.trim_end() == "---";
    let mut lines = text.split_inclusive('\n');
    let first = lines.next().filter(|line| is_mark(line))?;
    let mut end = first.len();
    for line in lines {
        if is_mark(line) {
            return text.get(first.len()..end);
        }
        end += line.len();
    }
    None
}

/// The first field with one of these names whose value is accepted, and that value.
fn field<'t, 'n>(
    text: &'t str,
    names: impl Iterator<Item = &'n str> + Clone,
    is_accepted: impl Fn(&str) -> bool,
) -> Option<(&'n str, &'t str)> {
    // The fields that a line is in, with their indentation.
    let mut outer: Vec<(usize, &str)> = Vec::new();
    for line in front_matter(text)?.lines() {
        let field = line.trim_start();
        let Some((name, value)) = field.split_once(':') else {
            continue;
        };
        let indent = line.len() - field.len();
        while outer.last().is_some_and(|(level, _)| *level >= indent) {
            outer.pop();
        }
        let name = name.trim_end();
        let value = value.split(" #").next().unwrap_or_default();
        let value = value.trim().trim_matches(['"', '\'']);
        if value.is_empty() {
            outer.push((indent, name));
        } else if is_accepted(value) {
            let is_named = |known: &&str| {
                let mut parts = known.split('.');
                outer.iter().all(|(_, part)| parts.next() == Some(part)) && parts.eq([name])
            };
            if let Some(known) = names.clone().find(is_named) {
                return Some((known, value));
            }
        }
    }
    None
}

/// The fewest digits of an abbreviated id of a commit.
const MIN_DIGITS: usize = 7;

/// The first field with one of these names whose value is the id of a commit or its first digits, and that id.
pub(super) fn source_commit<'t, 'n>(
    text: &'t str,
    names: impl Iterator<Item = &'n str> + Clone,
) -> Option<(&'n str, &'t str)> {
    field(text, names, |value| {
        (MIN_DIGITS..=40).contains(&value.len())
            && value.bytes().all(|byte| byte.is_ascii_hexdigit())
    })
}

/// The field of a document that says when its source was last updated, and its value
/// (docs/spec/change-log.md#recorded-dates).
pub fn source_date(text: &str) -> Option<(&'static str, &str)> {
    field(text, std::iter::once(SOURCE_DATE), |_| true)
}

/// The times that a recorded date can mean, in seconds, with both ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SourceDate {
    /// The first one.
    pub first: i64,
    /// The last one.
    pub last: i64,
}

impl SourceDate {
    /// The hours by which clocks of the world are ahead of UTC and behind it.
    const AHEAD: i64 = 14 * 3_600;
    const BEHIND: i64 = 12 * 3_600;

    /// Reads a time with a time zone, or a day or a time in an unknown one; `None` for other texts, such as `01/02/2024`.
    pub fn parse(value: &str) -> Option<Self> {
        if let Ok(time) = DateTime::parse_from_rfc3339(value) {
            let time = time.timestamp();
            return Some(Self {
                first: time,
                last: time,
            });
        }
        let zoneless = ["%Y-%m-%dT%H:%M:%S%.f", "%Y-%m-%d %H:%M:%S%.f"].into_iter();
        let mut times = zoneless.filter_map(|form| NaiveDateTime::parse_from_str(value, form).ok());
        let (time, length) = match times.next() {
            Some(time) => (time, 0),
            None => {
                let day = NaiveDate::parse_from_str(value, "%Y-%m-%d").ok()?;
                (day.and_time(NaiveTime::MIN), 86_399)
            }
        };
        let time = time.and_utc().timestamp();
        Some(Self {
            first: time - Self::AHEAD,
            last: time + length + Self::BEHIND,
        })
    }

    /// Which source a document was made from that names this date, given when each of its sources came, in order: one of them,
    /// or why that is unknown. `now` is the time of the document.
    pub fn select(self, times: &[i64], now: i64) -> Result<usize, &'static str> {
        if self.first > now {
            return Err("the date is later than the document");
        }
        let before = times.partition_point(|time| *time < self.first);
        let until = times.partition_point(|time| *time <= self.last);
        match until.checked_sub(1) {
            None => Err("the source is newer"),
            Some(_) if until > before + 1 && self.first < self.last => {
                Err("the source changed several times around that day")
            }
            Some(newest) => Ok(newest),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_field_names_the_commit_of_the_source() {
        let id = "0123456789abcdef0123456789abcdef01234567";
        let found = |lines: &str| {
            let text = format!("---\n{}\n---\n# Text\n", lines.replace("ID", id));
            let names = SOURCE_COMMITS.into_iter().chain(["meta.of"]);
            source_commit(&text, names).map(|(name, commit)| {
                assert_eq!(commit, id);
                name.to_owned()
            })
        };
        let name = |name: &str| Some(name.to_owned());
        assert_eq!(found("title: A\nsourceCommit: ID"), name("sourceCommit"));
        assert_eq!(
            found("source_commit: \"ID\" # English"),
            name("source_commit")
        );
        let nested = "l10n:\n  reviewed: yes\n  sourceCommit: ID";
        assert_eq!(found(nested), name("l10n.sourceCommit"));
        assert_eq!(found("meta:\n  of: ID"), name("meta.of"));
        let patched = "default_lang_commit: ID # patched";
        assert_eq!(found(patched), name("default_lang_commit"));
        let names = SOURCE_COMMITS.into_iter();
        let short = "---\ndefault_lang_commit: c2cd5b14 # patched\n---\n";
        let commit = source_commit(short, names.clone()).map(|(_, commit)| commit);
        assert_eq!(commit, Some("c2cd5b14"));
        assert_eq!(
            source_commit("---\nsourceCommit: c2cd5b\n---\n", names),
            None
        );
        assert_eq!(found("other:\n  sourceCommit: ID"), None);
        assert_eq!(found("sourceCommit: main"), None);
        assert_eq!(
            source_commit(
                &format!("---\nsourceCommit: {id}\n"),
                SOURCE_COMMITS.into_iter()
            ),
            None
        );
    }

    #[test]
    fn a_date_means_a_time_or_a_day_somewhere() {
        let parse = |value: &str| SourceDate::parse(value).map(|it| (it.first, it.last));
        let noon = 1_717_243_200;
        for exact in [
            "2024-06-01T12:00:00Z",
            "2024-06-01T12:00:00.000Z",
            "2024-06-01 14:00:00+02:00",
        ] {
            assert_eq!(parse(exact), Some((noon, noon)), "{exact}");
        }
        let around = Some((noon - 14 * 3_600, noon + 12 * 3_600));
        assert_eq!(parse("2024-06-01T12:00:00"), around);
        let day = Some((noon - 26 * 3_600, noon + 24 * 3_600 - 1));
        assert_eq!(parse("2024-06-01"), day);
        for unknown in [
            "01/06/2024",
            "2024-06",
            "2024-13-01",
            "yesterday",
            "1717243200",
        ] {
            assert_eq!(parse(unknown), None, "{unknown}");
        }
        let text = "---\ntitle: A\nsource-updated-at: 2024-06-01 # of the source\n---\n";
        assert_eq!(source_date(text), Some(("source-updated-at", "2024-06-01")));
    }

    #[test]
    fn a_date_selects_the_last_source_unless_it_is_ambiguous() {
        let day = SourceDate {
            first: 10,
            last: 20,
        };
        assert_eq!(day.select(&[1, 5, 30], 40), Ok(1));
        assert_eq!(day.select(&[1, 15, 30], 40), Ok(1), "of that day");
        assert!(day.select(&[1, 11, 12], 40).is_err());
        assert!(day.select(&[21], 40).is_err());
        assert!(day.select(&[1], 9).is_err());
        let exact = SourceDate {
            first: 10,
            last: 10,
        };
        assert_eq!(exact.select(&[1, 10, 10, 11], 10), Ok(2));
    }

    #[test]
    fn front_matter_begins_and_ends_with_a_mark() {
        assert_eq!(front_matter("---\na: b\r\n---\r\nText"), Some("a: b\r\n"));
        assert_eq!(front_matter("Text\n---\na: b\n---\n"), None);
        assert_eq!(front_matter("---\n---\n"), Some(""));
    }
}
