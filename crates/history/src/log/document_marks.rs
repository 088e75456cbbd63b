//! What a document has in common with its translations, and which of several sources a translation was made from
//! (docs/spec/change-log.md#documents-of-branches).

use gitglot_model::{SeededMap, steps};

/// Something that translators keep: what it is, and its text or number.
type Mark<'t> = (char, &'t str, usize);

/// How often a document has each mark.
type Marks<'t> = SeededMap<Mark<'t>, i64>;

/// What comments in code begin with; people translate them.
const COMMENTS: [&str; 5] = ["#", "//", "--", "/*", "<!--"];

/// The newest of the `later` sources that agree best with a text, if they agree better than the source `first` does.
pub fn best_source<'t, T>(
    text: &'t str,
    first: &'t str,
    later: impl Iterator<Item = (T, &'t str)>,
) -> Option<T> {
    let text = marks(text);
    let mut best = distance(&text, &marks(first));
    let mut found = None;
    for (source, later) in later {
        let distance = distance(&text, &marks(later));
        if distance < best || found.is_some() && distance == best {
            (best, found) = (distance, Some(source));
        }
    }
    found
}

fn distance(one: &Marks<'_>, other: &Marks<'_>) -> i64 {
    let count_of = |marks: &Marks<'_>, mark| marks.get(mark).copied().unwrap_or_default();
    let counts = one
        .iter()
        .map(|(mark, count)| count - count_of(other, mark));
    let others = other.iter().filter(|(mark, _)| !one.contains_key(*mark));
    counts
        .map(i64::abs)
        .chain(others.map(|(_, count)| *count))
        .sum()
}

/// Headings by level, list items, rows of tables, lines of code, links by the last part of their paths, and inline code.
fn marks(text: &str) -> Marks<'_> {
    steps::count(text.len());
    let mut found = Marks::default();
    let mut add = |mark| *found.entry(mark).or_default() += 1;
    let mut is_code = false;
    for line in text.lines().map(str::trim) {
        if line.starts_with("```") || line.starts_with("~~~") {
            is_code = !is_code;
            add(('f', "", 0));
            continue;
        }
        if is_code {
            if !line.is_empty() && !COMMENTS.iter().any(|start| line.starts_with(start)) {
                add(('c', line, 0));
            }
            continue;
        }
        let without_level = line.trim_start_matches('#');
        let level = line.len() - without_level.len();
        let without_number = line.trim_start_matches(|c: char| c.is_ascii_digit());
        let is_number = without_number.len() < line.len() && without_number.starts_with(". ");
        if level > 0 && without_level.starts_with(' ') {
            add(('h', "", level));
        } else if is_number || ["- ", "* ", "+ "].iter().any(|mark| line.starts_with(mark)) {
            add(('i', "", 0));
        } else if line.starts_with('|') {
            add(('r', "", 0));
        }
        for target in line.split("](").skip(1) {
            let end = target.find([')', ' ', '#', '?']);
            let path = target[..end.unwrap_or(target.len())].trim_matches('/');
            add(('l', path.rsplit('/').next().unwrap_or_default(), 0));
        }
        for code in line.split('`').skip(1).step_by(2) {
            add(('`', code, 0));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::best_source;

    const OLD: &str = "# API\n\n## What it is\n\nA [door](/en/door/) to `open`.\n";
    const NEW: &str = "# API\n\nA [door](/en/door/) to `open`.\n";

    fn best(text: &str, later: &[&str]) -> Option<usize> {
        best_source(text, OLD, later.iter().copied().enumerate())
    }

    #[test]
    fn a_text_with_the_headings_of_a_newer_source_was_made_from_it() {
        assert_eq!(
            best("# API\n\nEine [Tür](/de/door/#x) für `open`.\n", &[NEW]),
            Some(0)
        );
        assert_eq!(
            best("# API\n\n## Was\n\nEine [Tür](/de/door/).\n", &[NEW]),
            None
        );
    }

    #[test]
    fn the_newest_of_those_that_agree_best_counts() {
        let (reworded, again) = (NEW.replace(" to ", " for "), NEW.replace("door", "gate"));
        let text = "# API\n\nEine [Tür](/de/door/) für `open`.\n";
        assert_eq!(best(text, &[NEW, &reworded, &again]), Some(1));
        assert_eq!(
            best(
                "# API\n\n## Was\n\nEine [Tür](/door) für `open`.\n",
                &[OLD, NEW]
            ),
            None
        );
    }

    #[test]
    fn code_counts_and_comments_in_it_do_not() {
        let source = |code: &str| format!("```sh\n# Text\n{code}\n```\n");
        let (old, new) = (source("run a"), source("run b"));
        let text = source("run b").replace("Text", "Wort");
        assert_eq!(
            best_source(&text, &old, [((), &*new)].into_iter()),
            Some(())
        );
        assert_eq!(best_source(&text, &new, [((), &*old)].into_iter()), None);
    }
}
