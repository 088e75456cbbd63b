//! Markdown links and emphasis (`docs/spec/checks.md#markdown`).

use std::cell::Cell;
use std::collections::{HashMap, HashSet};
use std::ops::Range;

use crate::lazy_regex::LazyRegex;
use crate::marks::NextMark;
use crate::pair::{find_from, run};
use crate::registry::CheckId;
use gitglot_model::steps;

use crate::finding::PartialFinding;
use crate::input::FormPair;

rule! {
    /// A reference link `[text][id]` whose id the text does not define is shown as it is.
    MD_REFLINK: "md-reflink" "Markdown references" "The ids of Markdown reference links differ from the source." Warning;
    fails "markdown" "de" "See [this][id]" "Siehe [das][ip]";
    passes "markdown" "de" "See [this][id]" "Siehe [das][id]";
}

rule! {
    /// The number of links, images and autolinks, and targets inside of the document, must be those of the source.
    MD_LINK: "md-link" "Markdown links" "The Markdown links differ from the source." Warning;
    fails "json" "de" "See [this](#a)" "Siehe das";
    passes "json" "de" "See [this](#a)" "Siehe [das](#a)";
}

rule! {
    /// The number of parts in `**`, `__`, `~~`, `*`, `_` and backticks must be that of the source.
    MD_SYNTAX: "md-syntax" "Markdown syntax" "The Markdown emphasis differs from the source." Warning;
    fails "markdown" "de" "A **bold** word" "Ein fettes Wort";
    passes "markdown" "de" "A **bold** word" "Ein **fettes** Wort";
}

/// An inline link, an image or an autolink.
#[derive(Debug)]
struct Link<'a> {
    target: &'a str,
    title: Option<&'a str>,
    range: Range<usize>,
}

/// Compares the number, the local targets and the titles of links.
pub(crate) fn links(pair: &FormPair) -> Option<PartialFinding> {
    let wanted = find_links(pair.source);
    if wanted.is_empty() {
        return None;
    }
    let found = find_links(pair.target);
    let problem = |message: String| {
        let ranges = |links: &[Link<'_>]| -> Vec<Range<usize>> {
            links.iter().map(|link| link.range.clone()).collect()
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
    let distinct: HashSet<&str> = titles.iter().copied().collect();
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
pub(crate) fn reference_links(pair: &FormPair) -> Option<PartialFinding> {
    let wanted = find_references(pair.source);
    if wanted.is_empty() {
        return None;
    }
    let found = find_references(pair.target);
    let only_in = |these: &[Reference<'_>], those: &[Reference<'_>]| -> Vec<Range<usize>> {
        let common: HashSet<&str> = those.iter().map(|(id, _)| *id).collect();
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
pub(crate) fn syntax(pair: &FormPair) -> Option<PartialFinding> {
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

/// The links of a text. Brackets in the target of a link begin no link.
fn find_links(text: &str) -> Vec<Link<'_>> {
    let mut links: Vec<Link<'_>> = Vec::new();
    let bracket = text.find('[').unwrap_or(text.len());
    let (mut open, mut target_end) = (Vec::new(), 0);
    let mut ends = None;
    for at in memchr::memchr3_iter(b'[', b']', b'<', text.as_bytes()) {
        match text.as_bytes().get(at) {
            Some(b'<') => links.extend(autolink(text, at)),
            _ if at < target_end => {}
            Some(b'[') => open.push(at),
            _ => {
                let start = open.pop();
                if bracket > at || text.as_bytes().get(at + 1) != Some(&b'(') {
                    continue;
                }
                let ends = ends.get_or_insert_with(|| target_ends(text));
                let Some(link) = ends.get(&at).and_then(|&end| inline_link(text, at, end)) else {
                    continue;
                };
                // An image in the text of a link does not count.
                if let Some(start) = start {
                    links.truncate(links.partition_point(|inner| inner.range.start < start));
                }
                target_end = link.range.end;
                links.push(link);
            }
        }
    }
    links
}

fn autolink(text: &str, at: usize) -> Option<Link<'_>> {
    let inside = text.get(at + 1..)?;
    let end = run(inside, |char| !char.is_whitespace() && !"<>".contains(char));
    let target = inside
        .get(..end)
        .filter(|target| target.len() < MAX_LENGTH)?;
    inside.get(end..)?.starts_with('>').then_some(())?;
    let (scheme, _) = target.split_once(':')?;
    let is_scheme = !scheme.is_empty()
        && scheme
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || b"+.-".contains(&byte));
    is_scheme.then(|| Link {
        target,
        title: None,
        range: at..at + target.len() + 2,
    })
}

/// Reads the link whose text ends with the bracket at `at` and whose target ends at `end`.
fn inline_link(text: &str, at: usize, end: usize) -> Option<Link<'_>> {
    let inside = text.get(at + 2..end);
    let content = inside.filter(|inside| inside.len() < MAX_LENGTH)?.trim();
    let (target, title) = match content.split_once(char::is_whitespace) {
        Some((target, title)) if title.trim().starts_with(['"', '\'', '(']) => {
            (target, Some(title.trim()))
        }
        _ => (content, None),
    };
    Some(Link {
        target,
        title,
        range: at..end + 1,
    })
}

/// The positions of the parentheses that close the targets of links, by those of the brackets that close their texts. A
/// target is on one line.
fn target_ends(text: &str) -> HashMap<usize, usize> {
    let mut ends = HashMap::new();
    let mut open: Vec<usize> = Vec::new();
    let bytes = text.as_bytes();
    steps::count(bytes.len());
    for at in memchr::memchr3_iter(b'(', b')', b'\n', bytes) {
        match bytes.get(at) {
            Some(b'(') => open.push(at),
            Some(b')') => {
                let bracket = open.pop().and_then(|open| open.checked_sub(1));
                if let Some(bracket) = bracket.filter(|&index| bytes.get(index) == Some(&b']')) {
                    ends.insert(bracket, at);
                }
            }
            _ => open.clear(),
        }
    }
    ends
}

/// The id of a reference link with its bytes.
type Reference<'a> = (&'a str, Range<usize>);

/// The end of `[text][id]`. One space or line break may separate the brackets.
static REFERENCE: LazyRegex = LazyRegex::new(r"\][ \n]?\[([^\[\]]+)\]");

/// Returns the ids of `[text][id]` with their bytes.
fn find_references(text: &str) -> Vec<Reference<'_>> {
    let first = text.find('[').unwrap_or(text.len());
    let rest = &text[first..];
    let ends = REFERENCE.captures_iter(rest);
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
    let ends = MARKS.map(|mark| NextMark::new(text, mark));
    let addresses = Addresses::new(text);
    let mut at = 0;
    while let Some(next) = find_from(text, at, &['*', '_', '~', '`', '<']) {
        at = next;
        let rest = &text[at..];
        if rest.starts_with('<') {
            let end = addresses.end(at + 1);
            found.extend(end.map(|_| AUTOLINK));
            at = end.unwrap_or(at + 1);
            continue;
        }
        let mark = MARKS
            .into_iter()
            .zip(&ends)
            .find(|(mark, _)| rest.starts_with(mark));
        let Some((mark, ends)) = mark else {
            at += 1;
            continue;
        };
        at += mark.len();
        let end = ends.at_or_after(at);
        if let Some(end) = end.filter(|&end| end > at && end + mark.len() <= at + MAX_LENGTH) {
            found.push(mark);
            at = end + mark.len();
        }
    }
    found.sort_unstable();
    found
}

/// The web and email addresses in angle brackets of a text.
struct Addresses<'a> {
    text: &'a str,
    bracket: NextMark<'a>,
    at_sign: NextMark<'a>,
    /// The last closing bracket, and the last dot before it that another character follows.
    last_dot: Cell<(usize, Option<usize>)>,
}

impl<'a> Addresses<'a> {
    fn new(text: &'a str) -> Self {
        Self {
            text,
            bracket: NextMark::new(text, ">"),
            at_sign: NextMark::new(text, "@"),
            last_dot: Cell::new((0, None)),
        }
    }

    /// The end of the address between a position and the next `>`.
    fn end(&self, start: usize) -> Option<usize> {
        let end = self.bracket.at_or_after(start);
        let end = end.filter(|&end| end < start + MAX_LENGTH)?;
        let inside = self.text.get(start..end)?;
        let is_url = inside.starts_with("http://") || inside.starts_with("https://");
        let at_sign = self.at_sign.at_or_after(start);
        let is_address = |at_sign| at_sign > start && self.is_host(at_sign + 1, end);
        (is_url || at_sign.is_some_and(is_address)).then_some(end)
    }

    /// Whether the text between two positions has a dot between other characters.
    fn is_host(&self, start: usize, end: usize) -> bool {
        let (known_end, mut last_dot) = self.last_dot.get();
        if known_end != end {
            // Later addresses with the same end begin later. No host is between an at sign after the end and the end.
            let host = self.text.get(start..end).unwrap_or_default();
            steps::count(host.len());
            last_dot = host.trim_end_matches('.').rfind('.').map(|at| start + at);
            self.last_dot.set((end, last_dot));
        }
        last_dot.is_some_and(|last_dot| {
            let before = self.text.get(start..last_dot).unwrap_or_default();
            run(before, |char| char == '.') < before.len()
        })
    }
}

/// The maximum length of a link or an emphasised part in bytes.
const MAX_LENGTH: usize = 2048;
