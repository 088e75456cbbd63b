//! Markdown links and emphasis (`docs/spec/checks.md#markdown`).

use std::ops::Range;
use std::sync::LazyLock;

use regex::Regex;
use rustc_hash::FxHashSet;

use crate::checks::CheckId;
use crate::checks::pair::bounded;

use super::super::finding::PartialFinding;
use super::super::unit::FormPair;

/// An inline link, an image or an autolink.
#[derive(Debug)]
struct Link<'a> {
    target: &'a str,
    title: Option<&'a str>,
    range: Range<usize>,
}

/// Compares the number, the local targets and the titles of links.
pub(in super::super) fn links(pair: &FormPair) -> Option<PartialFinding> {
    let wanted = find_links(pair.source);
    if wanted.is_empty() {
        return None;
    }
    let found = find_links(pair.target);
    let problem = |message: String| {
        let ranges = |links: &[Link<'_>]| {
            links
                .iter()
                .map(|link| link.range.clone())
                .collect::<Vec<_>>()
        };
        Some(PartialFinding::new(message).in_both(pair, ranges(&wanted), ranges(&found)))
    };
    if wanted.len() != found.len() {
        let message = format!(
            "The translation has {} Markdown links, the source has {}.",
            found.len(),
            wanted.len()
        );
        return problem(message);
    }
    if local_targets(&wanted) != local_targets(&found) {
        return problem("The local targets of Markdown links differ from the source.".into());
    }
    let source_titles: Vec<&str> = wanted.iter().filter_map(|link| link.title).collect();
    let titles: Vec<&str> = found.iter().filter_map(|link| link.title).collect();
    let distinct: FxHashSet<&str> = titles.iter().copied().collect();
    if titles.len() < source_titles.len() {
        return problem("A Markdown link has lost its title.".into());
    }
    if source_titles.iter().any(|title| distinct.contains(title)) {
        return problem("The title of a Markdown link is not translated.".into());
    }
    None
}

/// Returns the targets that must not change: relative paths, anchors and placeholders.
fn local_targets<'a>(links: &[Link<'a>]) -> Vec<&'a str> {
    let mut targets: Vec<&str> = links
        .iter()
        .map(|link| link.target)
        .filter(|target| target.starts_with(['.', '#', '{']))
        .collect();
    targets.sort_unstable();
    targets
}

/// Compares the ids of reference links.
pub(in super::super) fn reference_links(pair: &FormPair) -> Option<PartialFinding> {
    let wanted = find_references(pair.source);
    if wanted.is_empty() {
        return None;
    }
    let found = find_references(pair.target);
    let only_in = |these: &[Reference<'_>], those: &[Reference<'_>]| -> Vec<Range<usize>> {
        let common: FxHashSet<&str> = those.iter().map(|(id, _)| *id).collect();
        let only = these.iter().filter(|(id, _)| !common.contains(id));
        only.map(|(_, range)| range.clone()).collect()
    };
    let (missing, extra) = (only_in(&wanted, &found), only_in(&found, &wanted));
    if missing.is_empty() && extra.is_empty() {
        return None;
    }
    let message = CheckId::MdReflink.description();
    Some(PartialFinding::new(message).in_both(pair, missing, extra))
}

/// Compares the number of emphasised and literal parts of each kind.
pub(in super::super) fn syntax(pair: &FormPair) -> Option<PartialFinding> {
    let (wanted, found) = (find_emphasis(pair.source), find_emphasis(pair.target));
    if wanted == found {
        return None;
    }
    let differing = MARKS.into_iter().chain([AUTOLINK]).find(|mark| {
        let count = |marks: &[&str]| marks.iter().filter(|other| *other == mark).count();
        count(&wanted) != count(&found)
    })?;
    Some(PartialFinding::new(format!(
        "The translation has more or fewer parts in {differing} than the source."
    )))
}

fn find_links(text: &str) -> Vec<Link<'_>> {
    let mut links: Vec<Link<'_>> = Vec::new();
    let bracket = text.find('[').unwrap_or(text.len());
    let mut open = Vec::new();
    for at in memchr::memchr3_iter(b'[', b']', b'<', text.as_bytes()) {
        match text.as_bytes().get(at) {
            Some(b'[') => open.push(at),
            Some(b'<') => links.extend(autolink(text, at)),
            _ => {
                let start = open.pop();
                if bracket > at {
                    continue;
                }
                let Some(link) = inline_link(text, at) else {
                    continue;
                };
                // An image in the text of a link does not count.
                if let Some(start) = start {
                    links.truncate(links.partition_point(|inner| inner.range.start < start));
                }
                links.push(link);
            }
        }
    }
    links
}

fn autolink(text: &str, at: usize) -> Option<Link<'_>> {
    let inside = bounded(text.get(at + 1..)?, MAX_LENGTH);
    let target = inside.get(..inside.find('>')?)?;
    let (scheme, _) = target.split_once(':')?;
    let is_scheme = !scheme.is_empty()
        && scheme
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || b"+.-".contains(&byte));
    let is_link = is_scheme && !target.contains(|char: char| char.is_whitespace() || char == '<');
    is_link.then(|| Link {
        target,
        title: None,
        range: at..at + target.len() + 2,
    })
}

/// Reads the link whose text ends with the bracket at `at`.
fn inline_link(text: &str, at: usize) -> Option<Link<'_>> {
    let inside = bounded(text.get(at + 1..)?.strip_prefix('(')?, MAX_LENGTH);
    let end = closing(inside)?;
    let content = inside.get(..end)?.trim();
    let (target, title) = match content.split_once(char::is_whitespace) {
        Some((target, title)) if title.trim().starts_with(['"', '\'', '(']) => {
            (target, Some(title.trim()))
        }
        _ => (content, None),
    };
    Some(Link {
        target,
        title,
        range: at..at + 2 + end + 1,
    })
}

/// Returns the offset of the parenthesis that closes a link target.
fn closing(text: &str) -> Option<usize> {
    let mut depth = 0_usize;
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            b'(' => depth += 1,
            b')' if depth == 0 => return Some(at),
            b')' => depth -= 1,
            b'\n' => return None,
            _ => {}
        }
    }
    None
}

/// The id of a reference link with its bytes.
type Reference<'a> = (&'a str, Range<usize>);

/// The end of `[text][id]`. One space or line break may separate the brackets.
static REFERENCE: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(r"\][ \n]?\[([^\[\]]+)\]").ok());

/// Returns the ids of `[text][id]` with their bytes.
fn find_references(text: &str) -> Vec<Reference<'_>> {
    let first = text.find('[').unwrap_or(text.len());
    let rest = text.get(first..).unwrap_or_default();
    let ends = REFERENCE.iter().flat_map(|end| end.captures_iter(rest));
    ends.filter_map(|end| end.get(1))
        .filter(|id| id.len() <= MAX_LENGTH)
        .map(|id| (id.as_str(), first + id.start()..first + id.end()))
        .collect()
}

/// The marks around emphasised and literal parts. Longer ones come first.
const MARKS: [&str; 6] = ["**", "__", "~~", "*", "_", "`"];

/// The mark of a web or email address in angle brackets.
const AUTOLINK: &str = "<…>";

/// Returns the marks of emphasised parts and addresses, sorted.
fn find_emphasis(text: &str) -> Vec<&'static str> {
    let mut found: Vec<&'static str> = Vec::new();
    let mut rest = text;
    while let Some(at) = rest.find(['*', '_', '~', '`', '<']) {
        rest = rest.get(at..).unwrap_or_default();
        if let Some(inside) = rest.strip_prefix('<') {
            let length = address_length(inside).unwrap_or(0);
            if length > 0 {
                found.push(AUTOLINK);
            }
            rest = inside.get(length..).unwrap_or_default();
            continue;
        }
        let mark = MARKS.into_iter().find(|mark| rest.starts_with(mark));
        let Some(mark) = mark else {
            rest = rest.get(1..).unwrap_or_default();
            continue;
        };
        let inside = rest.get(mark.len()..).unwrap_or_default();
        match bounded(inside, MAX_LENGTH)
            .find(mark)
            .filter(|&end| end > 0)
        {
            Some(end) => {
                found.push(mark);
                rest = inside.get(end + mark.len()..).unwrap_or_default();
            }
            None => rest = inside,
        }
    }
    found.sort_unstable();
    found
}

/// Returns the length of the web or email address between the start of a text and the next `>`.
fn address_length(text: &str) -> Option<usize> {
    let target = text.get(..bounded(text, MAX_LENGTH).find('>')?)?;
    let is_url = target.starts_with("http://") || target.starts_with("https://");
    let is_address = target
        .split_once('@')
        .is_some_and(|(name, host)| !name.is_empty() && host.trim_matches('.').contains('.'));
    (is_url || is_address).then_some(target.len())
}

/// The maximum length of a link or an emphasised part in bytes. It keeps the time linear.
const MAX_LENGTH: usize = 2048;
