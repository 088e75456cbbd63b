//! Letters that touch tags, and tags that do not matter.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use super::{html_names, inline_elements, tag_ranges};
use crate::finding::{FaultKind, PartialFinding};
use crate::input::FormPair;
use crate::lazy_regex::LazyRegex;
use crate::registry::CheckId;
use crate::rules::html::is_element;
use crate::{intervals, languages, xml};

/// Whether no letter of the translation touches a tag from outside, or the source has the same, or the language puts
/// endings behind a tag or words before it.
pub(crate) fn accepts(pair: &FormPair, language: &str) -> bool {
    languages::has_no_spaces(language)
        || languages::has_suffixes(language)
        || languages::has_prefixes(language)
        || !touches_outside(pair.target)
        || touches_outside(pair.source)
}

/// Whether tags differ only in line breaks, in notes for translators (`xliff:g` of Android), in how often the branches of
/// an ICU message or the alternatives of a plural text repeat them, or in names that are no HTML: `<Unknown sender>`.
pub(crate) fn accepts_tags(pair: &FormPair) -> bool {
    let (source, target) = (tags(pair.source), tags(pair.target));
    let (all, all_of_target) = (tag_ranges(pair.source), tag_ranges(pair.target));
    let is_plain = html_names(pair.source).is_empty() && pair.source.contains('<');
    let branches =
        has_branches(pair.source) && has_branches(pair.target) || intervals::has_some(pair.source);
    if !branches && inline_elements(pair.source) != inline_elements(pair.target) {
        return false;
    }
    // A word in brackets such as `<empty>`.
    let is_whole =
        pair.source.starts_with('<') && pair.source.find('>') == Some(pair.source.len() - 1);
    if is_plain && is_whole && html_names(pair.target).is_empty() {
        return true;
    }
    if is_plain && !pair.source.contains("</") && all.count() == all_of_target.count() {
        return true;
    }
    let has = |mark: &str| pair.source.contains(mark) || pair.target.contains(mark);
    if branches {
        let unique = |mut tags: Vec<String>| {
            tags.dedup();
            tags
        };
        let elements = |text| {
            let mut elements = inline_elements(text);
            elements.dedup();
            elements
        };
        return unique(source) == unique(target) && elements(pair.source) == elements(pair.target);
    }
    // A paragraph that is only opened or only closed is a break, too.
    let is_break = |text: &str| text.matches("<p").count() != text.matches("</p").count();
    let has_breaks = has("<br") || has("<html") || is_break(pair.source);
    (has("<xliff:g") || has_breaks) && source == target
}

/// Whether the translation lacks an inline element of XLIFF, which represents a value or a link, has another one, or has a
/// start without its end. A value may occur several times.
pub(crate) fn has_other_elements(pair: &FormPair) -> bool {
    let (source, target) = (inline_elements(pair.source), inline_elements(pair.target));
    let values = |elements: &[(&str, &str)]| -> BTreeSet<String> {
        let elements = elements.iter();
        elements.map(|(name, id)| format!("{name} {id}")).collect()
    };
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for (_, id) in &target {
        *counts.entry(*id).or_default() += 1;
    }
    let is_open = |id: &str| {
        let name = id.strip_prefix("START_");
        name.is_some_and(|name| counts.get(id) != counts.get(&*format!("CLOSE_{name}")))
    };
    values(&source) != values(&target) || target.iter().any(|(_, id)| is_open(id))
}

/// Elements that HTML closes by itself.
const CLOSED_BY_HTML: &[&str] = &[
    "body", "dd", "dt", "head", "html", "li", "option", "p", "td", "th", "tr",
];

/// Elements without an end.
const VOID_ELEMENTS: &[&str] = &["br", "hr", "img", "input", "wbr"];

/// Whether the translation does not close an element that the source closes, or an attribute of it.
/// Also if both escape it.
pub(crate) fn is_unbalanced(pair: &FormPair) -> bool {
    let is_escaped = !pair.source.contains('<') && !pair.target.contains('<');
    let (source, target) = if is_escaped {
        (unescaped(pair.source), unescaped(pair.target))
    } else {
        (pair.source.into(), pair.target.into())
    };
    let (wanted, found) = (balances(&source), balances(&target));
    let is_void = |name: &str| VOID_ELEMENTS.contains(&name) || CLOSED_BY_HTML.contains(&name);
    // Elements that end with the text, as `<red>` in games.
    let needs_no_end =
        |(name, (opened, closed)): (&String, &(usize, usize))| opened != closed && !is_void(name);
    let is_closing = !wanted.is_empty() && !wanted.iter().any(needs_no_end);
    let is_html = source.contains("<br");
    let is_open = |name: &String| {
        let Some((opened, closed)) = found.get(name) else {
            return false;
        };
        // HTML ignores the end of an element that the text does not have.
        let is_lone_end = opened < closed && is_html && !wanted.contains_key(name);
        opened != closed && !CLOSED_BY_HTML.contains(&name.as_str()) && !is_lone_end
    };
    let is_read = |name: &&String| match wanted.get(*name) {
        Some((opened, closed)) => opened == closed,
        None => is_closing && is_element(name) && !VOID_ELEMENTS.contains(&name.as_str()),
    };
    let mut read = found.keys().filter(is_read);
    read.any(is_open) || (!wanted.is_empty() && has_open_attribute(pair))
}

/// A text without the escapes of tags.
pub(super) fn unescaped(text: &str) -> Cow<'_, str> {
    if text.contains("&lt;") {
        text.replace("&lt;", "<").replace("&gt;", ">").into()
    } else {
        text.into()
    }
}

/// How often each element is opened and closed.
fn balances(text: &str) -> BTreeMap<String, (usize, usize)> {
    let mut balances: BTreeMap<String, (usize, usize)> = BTreeMap::new();
    for range in tag_ranges(text) {
        let inside = &text[range.start + 1..range.end - 1];
        let (name, is_closing) = match inside.strip_prefix('/') {
            Some(name) => (name, true),
            None => (inside, false),
        };
        let end = name.find(|char: char| !char.is_ascii_alphanumeric() && char != '-');
        let name = name.get(..end.unwrap_or(name.len())).unwrap_or_default();
        if name.is_empty() || inside.ends_with('/') {
            continue;
        }
        let (opened, closed) = balances.entry(name.to_ascii_lowercase()).or_default();
        if is_closing {
            *closed += 1
        } else {
            *opened += 1
        }
    }
    balances
}

/// Whether a tag of the translation has an odd number of quotation marks, and none of the source.
fn has_open_attribute(pair: &FormPair) -> bool {
    let is_odd = |text: &str| {
        tag_ranges(text).any(|range| {
            let tag = &text[range];
            tag.contains('=') && tag.matches('"').count() % 2 == 1
        })
    };
    is_odd(pair.target) && !is_odd(pair.source)
}

/// Whether a tag has a value in typographic quotation marks, which become a part of it: `href=„…“`.
pub(crate) fn has_typographic_quotes(text: &str) -> bool {
    tag_ranges(text).any(|range| {
        let tag = &text[range];
        let is_tag = tag[1..].starts_with(|char: char| char.is_ascii_alphabetic());
        let mut parts = tag.split(['"', '\'']).step_by(2);
        is_tag
            && parts.any(|part| {
                let values = part.split('=').skip(1).map(str::trim_start);
                let is_open =
                    |value: &str| value.starts_with(['„', '“', '”', '«', '»', '‘', '’', '‚']);
                values.into_iter().any(is_open)
            })
    })
}

/// A tag as HTML allows it: also with attributes that have no value.
static HTML_TAG: LazyRegex = LazyRegex::new(
    r#"^</?[A-Za-z][\w:.-]*(\s+[\w:@.-]+(\s*=\s*("[^"<]*"|'[^'<]*'|[^\s"'=<>`„“”«»‘’‚][^\s"'=<>`]*))?)*\s*/?>$"#,
);

/// Whether a translation has the same elements in the same order as a well-formed source, and its tags are HTML: an
/// attribute without a value is no XML.
pub(crate) fn is_equal_html(source: &str, target: &str) -> bool {
    let names = |text: &str| -> Option<Vec<String>> {
        let tags = tag_ranges(text).map(|range| {
            let tag = text.get(range)?;
            let is_html = HTML_TAG.is_match(tag);
            let inside = tag.get(1..)?;
            let end = inside.find(|char: char| char.is_whitespace() || char == '>')?;
            is_html.then(|| inside.get(..end).map(str::to_lowercase))?
        });
        tags.collect()
    };
    let marks = |text: &str| text.matches('<').count();
    names(target).is_some_and(|found| {
        !found.is_empty() && marks(target) == found.len() && names(source) == Some(found)
    })
}

/// Whether a text is an ICU message with branches.
pub(crate) fn has_branches(text: &str) -> bool {
    text.contains(", plural,") || text.contains(", select,")
}

/// The sorted names of all tags but those that do not matter.
fn tags(text: &str) -> Vec<String> {
    let names = tag_ranges(text).filter_map(|range| {
        let inside = text.get(range.start + 1..range.end - 1)?;
        let end = inside.find(char::is_whitespace).unwrap_or(inside.len());
        let name = inside.get(..end)?.to_lowercase();
        let is_optional = matches!(&*name, "/html" | "/body");
        let matters = !is_optional && !matches!(name.trim_matches('/'), "br" | "p" | "xliff:g");
        matters.then_some(name)
    });
    let mut names: Vec<String> = names.collect();
    names.sort_unstable();
    names
}

/// A void element of HTML without a slash.
static VOID: LazyRegex = LazyRegex::new(r"(?i)<((?:br|hr|img|input|wbr)\b[^<>]*[^<>/]|br|hr|wbr)>");

/// Whether a translation that is not well-formed is, as soon as void elements of HTML are closed, and then has the other tags of
/// the source.
pub(crate) fn accepts_invalid(pair: &FormPair) -> bool {
    let parses = |text: &str| xml::read_any(&xml::without_entities(text)).is_some();
    let closed = VOID.replace_all(pair.target, "<$1/>");
    closed != pair.target && parses(&closed) && tags(pair.source) == tags(pair.target)
}

/// Whether a letter precedes an opening tag or follows a closing one.
fn touches_outside(text: &str) -> bool {
    text.match_indices('<').any(|(at, _)| {
        let (before, tag) = text.split_at(at);
        let Some(end) = tag.find('>') else {
            return false;
        };
        let is_letter = |char: Option<char>| char.is_some_and(char::is_alphabetic);
        if tag.starts_with("</") {
            is_letter(tag.get(end + 1..).and_then(|after| after.chars().next()))
        } else {
            is_letter(before.chars().next_back())
        }
    })
}

/// Whether a fault of markup breaks nothing: no element that the source closes is lost, and none stays open. Programs
/// differ in the other tags that they read.
pub(crate) fn is_minor(check: CheckId, pair: &FormPair, finding: &PartialFinding) -> bool {
    // `<a href>` and `/a` are of the element `a`; with other attributes, it is not lost.
    fn element(tag: &str) -> &str {
        let inside = tag.trim_matches(['<', '>', '/']);
        inside.split(' ').next().unwrap_or(inside)
    }
    let extra = || finding.parts(FaultKind::Extra).take(MAX_TAGS);
    let is_closed = |tag: &str| {
        let name = element(tag);
        let has_other = extra().any(|extra| element(extra) == name);
        // A text without `<html>` is shown as it is.
        let is_shown = matches!(name, "" | "html" | "body");
        !is_shown && !has_other && pair.source.contains(&format!("</{name}>"))
    };
    let mut missing = finding.parts(FaultKind::Missing).take(MAX_TAGS);
    check == CheckId::XmlTags
        && !has_other_elements(pair)
        && !is_unbalanced(pair)
        && !missing.any(is_closed)
}

/// The most lost tags that are searched for in the source.
const MAX_TAGS: usize = 16;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_one_letter_may_touch_a_tag() {
        let pair = FormPair {
            source: "In <b>all</b> files",
            target: "ב<b>כל</b> הקבצים",
            source_form: 0,
            target_form: 0,
        };
        assert!(accepts(&pair, "he") && !accepts(&pair, "de"));
    }
}
