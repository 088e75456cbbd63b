//! Removes HTML tags from a text like a lenient HTML tokenizer (`docs/spec/checks.md#stripped-parts`).

use memchr::memmem;

use super::pair::{bounded, run};
use gitglot_model::steps;

/// The maximum length of a tag in bytes. Without a limit, a text of tags without an end would take quadratic time.
const MAX_TAG: usize = 1024;

/// How often the searches for the ends of tags may read a text, all repetitions together.
const MAX_SEARCHES: usize = 64;

/// How often tags are removed. Each removal can join the parts of one more tag.
const MAX_PASSES: usize = 50;

/// Removes tags, comments and declarations until the text no longer gets shorter.
pub(super) fn without_tags(text: &str) -> String {
    let mut text = text.to_owned();
    let mut budget = text.len().saturating_mul(MAX_SEARCHES);
    for _ in 0..MAX_PASSES {
        if !(text.contains('<') && text.contains('>')) {
            break;
        }
        let Some(shorter) = strip_once(&text, &mut budget) else {
            break;
        };
        if shorter.chars().count() >= text.chars().count() {
            break;
        }
        text = shorter;
    }
    text
}

/// Removes the tags of a text once; `None` if the budget is spent.
fn strip_once(text: &str, budget: &mut usize) -> Option<String> {
    steps::count(text.len());
    let mut output = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(['<', '&']) {
        let (before, markup) = rest.split_at(at);
        output.push_str(before);
        rest = match markup.strip_prefix('&') {
            // Lenient tokenizers stop at an invalid character reference.
            Some(name) if name.starts_with('#') && entity_name(name).is_none() => {
                output.push('&');
                output.push_str(name);
                return Some(output);
            }
            Some(name) => entity(name, &mut output),
            None => tag(markup, &mut output, budget)?,
        };
    }
    output.push_str(rest);
    Some(output)
}

/// Copies an entity and adds a missing semicolon. `text` follows an ampersand. Returns the rest of the text.
fn entity<'a>(text: &'a str, output: &mut String) -> &'a str {
    output.push('&');
    let (name, rest) = text
        .split_at_checked(entity_name(text).unwrap_or(0))
        .unwrap_or(("", text));
    output.push_str(name);
    // A name at the end of the text may be incomplete, so it gets no semicolon.
    if name.is_empty() || rest.is_empty() {
        return rest;
    }
    output.push(';');
    rest.strip_prefix(';').unwrap_or(rest)
}

/// Returns the length in bytes of the entity name at the start of the text, including the `#`.
fn entity_name(text: &str) -> Option<usize> {
    let (before, name) = match text.strip_prefix('#') {
        None if text.starts_with(|char: char| char.is_ascii_alphabetic()) => {
            return Some(run(text, |char| {
                char.is_ascii_alphanumeric() || matches!(char, '-' | '.')
            }));
        }
        None => return None,
        Some(number) => match number.strip_prefix(['x', 'X']) {
            Some(hex) => (2, run(hex, |char| char.is_ascii_hexdigit())),
            None => (1, run(number, |char| char.is_ascii_digit())),
        },
    };
    (name > 0).then_some(before + name)
}

/// Skips a tag, or copies text that is no tag. `text` begins with `<`. Returns the rest of the text, or `None` if the
/// budget is spent.
fn tag<'a>(text: &'a str, output: &mut String, budget: &mut usize) -> Option<&'a str> {
    let inside = &text[1..];
    let near = bounded(text, MAX_TAG);
    let is_cdata = |text: &str| {
        let start = text.get(..9);
        start.is_some_and(|start| start.eq_ignore_ascii_case("<![cdata["))
    };
    let end = match inside.chars().next() {
        Some(char) if char.is_ascii_alphabetic() => start_tag(near),
        Some('!') if text.starts_with("<!--") => comment(near),
        Some('!') if is_cdata(text) => after(near, "]]>"),
        Some('/' | '?' | '!') => after(near, ">"),
        _ => {
            output.push('<');
            return Some(inside);
        }
    };
    let searched = end.unwrap_or(near.len());
    steps::count(searched);
    *budget = budget.checked_sub(searched)?;
    // An unterminated tag is text up to the next bracket.
    let end = end.unwrap_or_else(|| {
        let end = after(near, ">")
            .or_else(|| inside.find('<').map(|at| at + 1))
            .unwrap_or(1);
        output.push_str(text.get(..end).unwrap_or(text));
        end
    });
    Some(&text[end..])
}

fn after(text: &str, mark: &str) -> Option<usize> {
    memmem::find(text.as_bytes(), mark.as_bytes()).map(|at| at + mark.len())
}

/// Returns the end of a comment: two hyphens, optional whitespace, and a bracket.
fn comment(text: &str) -> Option<usize> {
    let body = text.get(4..)?;
    let mut brackets = memchr::memchr_iter(b'>', body.as_bytes());
    let closes = |&at: &usize| {
        let before = &body[..at];
        before.trim_end().ends_with("--")
    };
    brackets.find(closes).map(|at| 4 + at + 1)
}

/// Returns the end of a start tag: the first `>` outside quoted values.
fn start_tag(text: &str) -> Option<usize> {
    let mut at = 1;
    loop {
        let rest = text.get(at..)?;
        let mark = memchr::memchr2(b'=', b'>', rest.as_bytes())?;
        if rest.as_bytes().get(mark) == Some(&b'>') {
            return Some(at + mark + 1);
        }
        let value = rest.get(mark..)?.trim_start_matches('=').trim_start();
        at = text.len() - value.len();
        if let Some(quote) = value
            .chars()
            .next()
            .filter(|char| matches!(char, '"' | '\''))
        {
            at += 1 + value.get(1..)?.find(quote)? + 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_comments_and_declarations_are_removed() {
        assert_eq!(without_tags("<b>x</b> <i class='a>b'>y</i>z"), "x yz");
        assert_eq!(
            without_tags("a<!-- > -->b<!doctype x>c<?php y?>d<br/>"),
            "abcd"
        );
        assert_eq!(without_tags("a<!-- b --->c<!---- >d"), "acd");
        assert_eq!(without_tags("<a href=\"x\"title=y>z</a >"), "z");
    }

    #[test]
    fn angle_brackets_that_form_no_tag_stay() {
        assert_eq!(without_tags("a < b > c"), "a < b > c");
        assert_eq!(without_tags("1 <2> 3"), "1 <2> 3");
        assert_eq!(without_tags("x <b y > z <i"), "x  z <i");
        assert_eq!(without_tags("no tags & more"), "no tags & more");
    }

    #[test]
    fn entities_stay_and_get_a_semicolon() {
        assert_eq!(
            without_tags("<b>&amp &lt;x&#39;&#x2fz & &x<i>&</b>"),
            "&amp; &lt;x&#39;&#x2f;z & &x;&"
        );
        assert_eq!(without_tags("<b>&#<i>"), "&#<i>");
    }

    #[test]
    fn tags_that_appear_after_a_removal_are_removed_too() {
        assert_eq!(without_tags("<<b>i>x"), "x");
        let nested = |depth: usize| "<".repeat(depth) + &"b>".repeat(depth) + "x";
        assert_eq!(without_tags(&nested(MAX_PASSES)), "x");
    }

    /// Without limits, each text of the maximum length takes minutes.
    #[test]
    fn tags_that_never_end_take_bounded_time() {
        let strip = |text: &str| {
            let mut stripped = String::new();
            let work = steps::of(|| stripped = without_tags(text));
            let limit = (MAX_SEARCHES + MAX_PASSES) * text.len() + MAX_TAG;
            assert!(work <= limit, "{work} bytes of {}", text.len());
            stripped
        };
        for part in [
            "<a",
            "<a b=\"",
            "<a =",
            "<!--",
            "<!-- -",
            "<!>",
            "</",
            "<![cdata[",
        ] {
            let text = [">", &part.repeat(8 * MAX_TAG / part.len())].concat();
            assert!(strip(&text) == text || part == "<!>", "{part}");
        }
        let nested = "<".repeat(4 * MAX_TAG) + &"b>".repeat(4 * MAX_TAG);
        assert_eq!(strip(&nested).len(), nested.len() - 3 * MAX_PASSES);
    }

    #[test]
    fn a_tag_beyond_the_limit_is_text() {
        let tag = |length: usize| format!("<a {}>", "b".repeat(length - 4));
        assert_eq!(without_tags(&tag(MAX_TAG)), "");
        assert_eq!(without_tags(&tag(MAX_TAG + 1)), tag(MAX_TAG + 1));
    }
}
