//! The front matter of documents (`docs/spec/formats.md#document`): lines of YAML between two lines `---` at the start.

/// The names of fields with the commit of the source that a document was made from.
pub(super) const SOURCE_COMMITS: [&str; 4] = [
    "l10n.sourceCommit",
    "i18n_source_sha",
    "source_commit",
    "sourceCommit",
];

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

/// The first field with one of these names whose value is the id of a commit, and that id.
pub(super) fn source_commit<'t, 'n>(
    text: &'t str,
    names: impl Iterator<Item = &'n str> + Clone,
) -> Option<(&'n str, &'t str)> {
    // The fields that a line is in, with their indentation.
    let mut outer: Vec<(usize, &str)> = Vec::new();
    for line in front_matter(text)?.lines() {
        let field = line.trim_start();
        let Some((name, value)) = field.split_once(':') else {
            continue;
        };
        let indent = line.len() - field.len();
        while outer.last().is_some_and(|(of, _)| *of >= indent) {
            outer.pop();
        }
        let name = name.trim_end();
        let value = value.split(" #").next().unwrap_or_default();
        let value = value.trim().trim_matches(['"', '\'']);
        if value.is_empty() {
            outer.push((indent, name));
        } else if value.len() == 40 && value.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            let is_named = |known: &&str| {
                let mut parts = known.split('.');
                outer.iter().all(|(_, of)| parts.next() == Some(of)) && parts.eq([name])
            };
            if let Some(known) = names.clone().find(is_named) {
                return Some((known, value));
            }
        }
    }
    None
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
    fn front_matter_begins_and_ends_with_a_mark() {
        assert_eq!(front_matter("---\na: b\r\n---\r\nText"), Some("a: b\r\n"));
        assert_eq!(front_matter("Text\n---\na: b\n---\n"), None);
        assert_eq!(front_matter("---\n---\n"), Some(""));
    }
}
