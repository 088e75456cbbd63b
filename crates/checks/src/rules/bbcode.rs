//! BBcode tags: `[b]…[/b]` (`docs/spec/checks.md#bbcode`).

use std::collections::BTreeSet;

use memchr::memmem;

use gitglot_model::steps;

rule! {
    /// Forums and games replace `[b]…[/b]`. A tag without its end, or with another name, is shown as it is.
    BBCODE: "bbcode" "BBCode markup" "The BBCode tags differ from the source." Warning;
    fails "json" "de" "A [b]file[/b]" "Eine Datei";
    passes "json" "de" "A [b]file[/b]" "Eine [b]Datei[/b]";
}

/// Number of bytes to search for the ends of labels and for closing tags in one text. Without a limit, a text that
/// consists of opening tags would take quadratic time.
const MAX_BYTES_SEARCHED: usize = 1 << 21;

/// Whether the number of tags or the set of their names differs. A source without tags passes.
pub(crate) fn differ(source: &str, target: &str) -> bool {
    let wanted = tags(source);
    if wanted.is_empty() {
        return false;
    }
    let found = tags(target);
    wanted.len() != found.len() || BTreeSet::from_iter(wanted) != BTreeSet::from_iter(found)
}

/// Returns the names of all tags that are closed on the same line. Tags inside another tag do not count.
fn tags(text: &str) -> Vec<&str> {
    let mut names = Vec::new();
    if !text.contains("[/") {
        return names;
    }
    let mut left = MAX_BYTES_SEARCHED;
    let mut rest = text;
    while let Some((_, inside)) = rest.split_once('[') {
        match tag(inside, &mut left) {
            Some((name, after)) => {
                names.push(name);
                rest = after;
            }
            None => rest = inside,
        }
    }
    names
}

/// Reads a tag from the text after its first bracket. Returns its name and the text after the closing tag.
fn tag<'a>(inside: &'a str, left: &mut usize) -> Option<(&'a str, &'a str)> {
    *left = left.checked_sub(inside.len())?;
    steps::count(inside.len());
    let (label, content) = inside.split_once(']')?;
    // The name is the label or the part of it before an `@`. The longest one with a closing tag counts.
    let names = std::iter::once(label.len()).chain(label.rmatch_indices('@').map(|(at, _)| at));
    for end in names {
        let name = label.get(..end).filter(|name| !name.is_empty())?;
        let closing = format!("[/{name}]");
        *left = left.checked_sub(label.len() + content.len())?;
        steps::count(label.len() + content.len());
        let Some(at) = memmem::find(content.as_bytes(), closing.as_bytes()) else {
            continue;
        };
        if content
            .get(..at)
            .is_some_and(|between| !between.contains('\n'))
        {
            return Some((name, content.get(at + closing.len()..)?));
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tag_counts_with_its_closing_tag_on_the_same_line() {
        assert_eq!(tags("[b]x[/b] [i]y[/i] [u]z"), ["b", "i"]);
        assert_eq!(tags("[b]x\n[/b]"), Vec::<&str>::new());
        assert_eq!(tags("[][/] x ] [ [/b]"), Vec::<&str>::new());
    }

    #[test]
    fn tags_inside_a_tag_do_not_count() {
        assert_eq!(tags("[b][i]x[/i][/b][i]y[/i]"), ["b", "i"]);
    }

    #[test]
    fn the_closing_tag_may_omit_the_part_from_an_at_sign_on() {
        assert_eq!(tags("[url@a@b]x[/url]"), ["url"]);
        assert_eq!(tags("[url@a@b]x[/url@a]"), ["url@a"]);
        assert_eq!(tags("[@x]y[/@x]"), ["@x"]);
    }

    #[test]
    fn a_text_of_opening_tags_takes_bounded_time() {
        let text = "[a]".repeat(1 << 18) + "[/b]";
        assert!(!differ(&text, "x"));
    }

    #[test]
    fn a_label_without_an_end_or_with_many_names_takes_bounded_time() {
        for part in ["[", "@", "[@"] {
            let open = part.repeat((1 << 16) / part.len());
            for end in ["", "]"] {
                let text = format!("[/[{open}{end}");
                let work = steps::of(|| assert!(tags(&text).is_empty()));
                assert!(work <= MAX_BYTES_SEARCHED, "{part} {end}: {work}");
            }
        }
    }
}
