//! BBcode tags: `[b]…[/b]` (`checks.md` 5).

use memchr::memmem;

/// How many bytes are looked through for closing tags in one text. No honest text needs more; without a limit a text of
/// nothing but opening tags would take the square of its length.
const MOST_BYTES_SEARCHED: usize = 1 << 20;

/// Whether the tags of the texts differ: their number, or the set of their names. A source without tags differs from
/// nothing.
pub(super) fn differ(source: &str, target: &str) -> bool {
    let wanted = tags(source);
    if wanted.is_empty() {
        return false;
    }
    let found = tags(target);
    wanted.len() != found.len() || distinct(wanted) != distinct(found)
}

fn distinct(mut names: Vec<&str>) -> Vec<&str> {
    names.sort_unstable();
    names.dedup();
    names
}

/// The names of all tags with their closing tag on the same line. Tags inside another tag do not count.
fn tags(text: &str) -> Vec<&str> {
    let mut names = Vec::new();
    if !text.contains("[/") {
        return names;
    }
    let mut left = MOST_BYTES_SEARCHED;
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

/// The tag whose text after the first bracket this is: its name and what follows the closing tag.
fn tag<'a>(inside: &'a str, left: &mut usize) -> Option<(&'a str, &'a str)> {
    let (label, content) = inside.split_once(']')?;
    // The whole label is a name, and so is what stands before each `@` in it; the longest that is closed counts.
    let names = std::iter::once(label.len()).chain(label.rmatch_indices('@').map(|(at, _)| at));
    for end in names {
        let name = label.get(..end).filter(|name| !name.is_empty())?;
        let closing = format!("[/{name}]");
        *left = left.checked_sub(content.len())?;
        let Some(at) = memmem::find(content.as_bytes(), closing.as_bytes()) else { continue };
        if content.get(..at).is_some_and(|between| !between.contains('\n')) {
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
    fn what_follows_an_at_sign_is_no_part_of_the_name_unless_it_is_closed_so() {
        assert_eq!(tags("[url@a@b]x[/url]"), ["url"]);
        assert_eq!(tags("[url@a@b]x[/url@a]"), ["url@a"]);
        assert_eq!(tags("[@x]y[/@x]"), ["@x"]);
    }

    #[test]
    fn a_text_of_opening_tags_takes_no_endless_time() {
        let text = "[a]".repeat(1 << 18) + "[/b]";
        assert!(!differ(&text, "x"));
    }
}
