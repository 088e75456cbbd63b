//! XML tags (`docs/spec/checks.md#xml-tags`).

pub(crate) mod accepted;

use std::borrow::Cow;
use std::collections::HashMap;
use std::ops::Range;

use crate::pair::{char_at, char_before};
use crate::registry::{CheckId, CheckIds};
use crate::xml;

use crate::finding::{FaultKind, PartialFinding, other_names};
use crate::input::{CheckInput, FormPair};
use crate::lazy_regex::LazyRegex;

rule! {
    /// The source is well-formed markup and the translation is not: a parser refuses it, or the rest of the page is bold.
    ///
    /// Inferred checks accept void elements such as `<br>` and attributes without a value. They also report typographic quotation marks around the value of an
    /// attribute, which become a part of the address, where the source is HTML and no XML.
    XML_INVALID: "xml-invalid" "XML syntax" "The source is well-formed markup and the translation is not." Error;
    fails "json" "de" "<b>New</b> file" "<b>Neue Datei";
    fails "json" "de" "See <a href='x'>y</a>" "Siehe <a href=„x“>y</a>";
    fails "json" "de" "See <a href='x'>y</a><br>" "Siehe <a href=“x”>y</a><br>";
    passes "json" "de" "<b>New</b> file" "<b>Neue</b> Datei";
    passes "json" "de" "See <a href='x'>y</a><br>" "Siehe „<a href='x'>y</a>“<br>";
}

rule! {
    /// A lost tag loses a link, a button or an emphasis; components that the program inserts for it are not shown. An error if the source closes a lost
    /// element or an element stays open, else a warning.
    ///
    /// Inferred checks accept `<br>`, closing tags without an opening one if only the source has them, `xliff:g` of Android,
    /// the number of tags in branches of messages and in alternatives with intervals (`{0} none|]1,Inf] many`), and names that are no HTML (`<Unknown sender>`). Where ICU messages are checked, tags in apostrophes (`'<b>'`) are text.
    XML_TAGS: "xml-tags" "XML markup" "The tags or their attributes differ from the source." Error;
    fails "json" "de" "Press <b>here</b> now" "Drücke hier jetzt";
    passes "json" "de" "Press <b>here</b> now" "Drücke jetzt <b>hier</b>";
    passes "json" "de" "Press <b>here</b> now</b>" "Drücke jetzt <b>hier</b>";
    fails "json" "de" "Copy <path> <b>here</b> now</b>" "Kopiere jetzt <b>hier</b>";
    passes "json" "sl" "One<br>two<br>three" "Ena<br>dve in tri";
    passes "formatjs" "fi" "Place the code in the '<head>...</head>' section" "Seurantakoodi";
}

rule! {
    /// A letter touches a tag in only one of the texts: often a space was lost.
    ///
    /// Inferred checks report only a letter that touches a tag from outside while none does in the source, and accept languages without spaces or with suffixes.
    XML_CHARS_AROUND_TAGS: "xml-chars-around-tags" "Characters around XML tags" "A tag touches a word where it does not in the source." Note;
    fails "json" "cs" "<b>New</b> file" "<b>Nový</b>soubor";
    passes "json" "cs" "<b>New</b> file" "<b>Nový</b> soubor";
}

/// The checks of tags.
pub(crate) const CHECKS: CheckIds = CheckIds::all(&[
    CheckId::XmlInvalid,
    CheckId::XmlTags,
    CheckId::XmlCharsAroundTags,
]);

const ONLY_TRANSLATION_HAS_TAGS: &str = "The translation has HTML tags, and the source has none.";

/// How to compare tags.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Mode {
    /// Whether a source without tags is compared, too: the flag `xml-text`.
    pub(crate) forced: bool,
    /// Whether tags are compared if the source is not well-formed XML: inferred checks.
    pub(crate) lenient: bool,
    /// Whether escaped tags are compared: inferred checks of XLIFF, whose texts escape the markup of the program.
    pub(crate) escaped: bool,
}

impl Mode {
    /// The mode for a unit: all forms are compared if one source form has tags and all are well-formed. `None` if a
    /// source form is not well-formed, unless the mode is lenient.
    pub(crate) fn of_unit(mut self, sources: &[&str]) -> Option<Self> {
        if sources.len() < 2 || !sources.iter().any(|source| xml::has_markup(source)) {
            return Some(self);
        }
        let parses = |source: &&str| xml::read_any(&xml::without_entities(source)).is_some();
        let all_parse = sources.iter().all(parses);
        self.forced |= all_parse;
        (all_parse || self.lenient).then_some(self)
    }
}

/// Compares the tags of a pair. A source that is not well-formed passes, unless the mode is lenient.
pub(crate) fn check(pair: &FormPair, mode: Mode, mut report: impl FnMut(CheckId, PartialFinding)) {
    if mode.escaped {
        let names = [escaped_names(pair.source), escaped_names(pair.target)];
        if names[0] != names[1] {
            let message = "The escaped tags differ from the source.";
            report(CheckId::XmlTags, named_difference(pair, message, names));
            return;
        }
    }
    if !mode.forced && !xml::has_markup(pair.source) {
        if mode.lenient && !html_names(pair.target).is_empty() {
            let finding = named_difference(pair, ONLY_TRANSLATION_HAS_TAGS, names(pair));
            report(CheckId::XmlTags, finding);
        }
        return;
    }
    let (source, target) = (
        xml::without_entities(pair.source),
        xml::without_entities(pair.target),
    );
    let Some((production, wanted)) = xml::read_any(&source) else {
        let faults = mode.lenient.then(|| check_html(pair)).flatten();
        if let Some((check, finding)) = faults {
            report(check, finding);
        }
        return;
    };
    match xml::read(&target, production) {
        None => {
            let check = CheckId::XmlInvalid;
            let finding = named_difference(pair, check.description(), names(pair));
            report(check, finding);
        }
        Some(_) if mode.lenient && inline_elements(pair.source) != inline_elements(pair.target) => {
            let [wanted, found] = [pair.source, pair.target].map(|text| {
                let elements = inline_elements(text).into_iter();
                elements
                    .map(|(name, id)| format!("{name} {id}"))
                    .collect::<Vec<_>>()
            });
            let finding = difference(pair, "inline elements", &wanted, &found);
            report(CheckId::XmlTags, finding);
        }
        Some(found) if wanted != found => {
            let finding = difference(pair, "tags", &wanted.tags(), &found.tags());
            report(CheckId::XmlTags, finding);
        }
        Some(_) => {}
    }
    if let Some(at) = boundaries(pair.source, pair.target) {
        let message = "A tag touches a word in only one of source and translation.";
        let finding = PartialFinding::in_target(pair, message, at);
        report(CheckId::XmlCharsAroundTags, finding);
    }
}

/// Compares the tags of a source that is no XML.
fn check_html(pair: &FormPair) -> Option<(CheckId, PartialFinding)> {
    let names = names(pair);
    // A translation may leave out closing tags without an opening one.
    if names[0] != names[1] && without_stray_ends(&names[0]) != names[1] {
        let finding = if names[0].is_empty() {
            named_difference(pair, ONLY_TRANSLATION_HAS_TAGS, names)
        } else {
            let [wanted, found] = names.map(|names| {
                let tags = names.iter().map(|name| format!("<{name}>"));
                tags.collect::<Vec<_>>()
            });
            difference(pair, "tags", &wanted, &found)
        };
        return Some((CheckId::XmlTags, finding));
    }
    if accepted::has_typographic_quotes(pair.target)
        && !accepted::has_typographic_quotes(pair.source)
    {
        let finding = PartialFinding::new("An attribute has typographic quotation marks.");
        let finding = finding.with_fault(FaultKind::Malformed, "", pair.target_form);
        return Some((CheckId::XmlInvalid, highlight(pair, finding)));
    }
    (other_tags(pair.source) > other_tags(pair.target)).then(|| {
        let finding = PartialFinding::new("The translation has fewer tags than the source.");
        (CheckId::XmlTags, highlight(pair, finding))
    })
}

/// The names of the tags of a text without the closing tags that are more than the opening ones.
fn without_stray_ends(names: &[String]) -> Vec<String> {
    let mut open: HashMap<&str, usize> = HashMap::new();
    for name in names {
        *open.entry(name).or_default() += 1;
    }
    let is_paired = |name: &&String| {
        let element = name.strip_prefix('/');
        element.is_none_or(|element| {
            let left = open.get_mut(element).filter(|left| **left > 0);
            left.map(|left| *left -= 1).is_some()
        })
    };
    names.iter().filter(is_paired).cloned().collect()
}

/// A problem that names the tags, or the inline elements with their ids, that only the source or only the translation has.
fn difference(
    pair: &FormPair,
    what: &'static str,
    wanted: &[String],
    found: &[String],
) -> PartialFinding {
    let finding = PartialFinding::of_names(what, pair, wanted, found).unwrap_or_else(|| {
        let finding = PartialFinding::new("The order of tags differs from the source.");
        finding.with_fault(FaultKind::Reordered, "", pair.target_form)
    });
    highlight(pair, finding)
}

/// The names of HTML tags in source and translation.
fn names(pair: &FormPair) -> [Vec<String>; 2] {
    [html_names(pair.source), html_names(pair.target)]
}

/// A problem whose details are the names of tags that only the source or only the translation has.
fn named_difference(
    pair: &FormPair,
    message: &'static str,
    [wanted, found]: [Vec<String>; 2],
) -> PartialFinding {
    let faults = other_names(pair, &wanted, &found);
    highlight(pair, PartialFinding::new(message).with_faults(faults))
}

/// A finding with everything that looks like a tag.
fn highlight(pair: &FormPair, finding: PartialFinding) -> PartialFinding {
    finding.in_both(pair, tag_ranges(pair.source), tag_ranges(pair.target))
}

/// Returns the bytes of everything that looks like a tag.
pub(crate) fn tag_ranges(text: &str) -> impl Iterator<Item = Range<usize>> {
    let mut from = 0;
    std::iter::from_fn(move || {
        let start = from + text.get(from..)?.find('<')?;
        let end = start + text.get(start..)?.find('>')? + 1;
        from = end;
        Some(start..end)
    })
}

/// Runs a check on texts of XLIFF. Braces inside of tags are notes for people: `<x id="NAME" equiv-text="{{name}}"/>`.
pub(crate) fn with_plain_tags<T>(unit: &CheckInput, check: impl FnOnce(&CheckInput) -> T) -> T {
    let has_some = |text: &&str| text.contains('<') && text.contains('{');
    if !unit.source.iter().chain(unit.target).any(has_some) {
        return check(unit);
    }
    let plain = |text: &str| {
        let mut plain = text.to_owned();
        for range in tag_ranges(text) {
            plain.replace_range(range.clone(), &text[range].replace(['{', '}'], " "));
        }
        plain
    };
    unit.with_texts(plain, check)
}

/// The sorted names and ids of inline elements of XLIFF, whose ids say what they represent.
pub(crate) fn inline_elements(text: &str) -> Vec<(&str, &str)> {
    const NAMES: [&str; 13] = [
        "x", "g", "bx", "ex", "ph", "bpt", "ept", "it", "mrk", "pc", "sc", "ec", "cp",
    ];
    let element = |range: Range<usize>| {
        let inside = text.get(range.start + 1..range.end - 1)?;
        let (name, attributes) = inside.split_once(char::is_whitespace)?;
        let (_, id) = attributes.split_once("id=")?;
        let quote = id.chars().next()?;
        matches!(quote, '"' | '\'').then_some(())?;
        let id = id.get(1..)?.split(quote).next()?;
        NAMES.contains(&name).then_some((name, id))
    };
    let mut elements: Vec<_> = tag_ranges(text).filter_map(element).collect();
    elements.sort_unstable();
    elements
}

/// Returns the sorted names of HTML tags, closing tags with their slash.
pub(crate) fn html_names(text: &str) -> Vec<String> {
    let mut names: Vec<String> = tag_ranges(text)
        .filter_map(|range| {
            let inside = text.get(range.start + 1..range.end)?;
            let name = inside.strip_prefix('/').unwrap_or(inside);
            name.starts_with(|char: char| char.is_ascii_alphabetic())
                .then_some(())?;
            let end = inside
                .find(|char: char| !char.is_ascii_alphanumeric() && !matches!(char, '/' | '-'))?;
            let after = inside.get(end..)?;
            after.starts_with([' ', '\t', '\n', '>']).then_some(())?;
            let name = inside.get(..end)?.trim_end_matches('/');
            let name = name.to_ascii_lowercase();
            crate::rules::html::is_element(name.trim_start_matches('/')).then_some(name)
        })
        .collect();
    names.sort_unstable();
    names
}

/// The names of HTML tags in a text whose markup is escaped; none without escaped markup.
fn escaped_names(text: &str) -> Vec<String> {
    match accepted::unescaped(text) {
        Cow::Owned(text) => html_names(&text),
        Cow::Borrowed(_) => Vec::new(),
    }
}

/// The number of tags such as `<folder>` that are no HTML. They may be escaped, and their names are often translated.
fn other_tags(text: &str) -> usize {
    let text = text.replace("&lt;", "<").replace("&gt;", ">");
    let is_other = |range: Range<usize>| {
        let inside = &text[range.start + 1..range.end - 1];
        let name = inside.strip_prefix('/').unwrap_or(inside);
        let is_name = |char: char| char.is_alphanumeric() || matches!(char, '-' | '_' | '.');
        name.starts_with(char::is_alphabetic)
            && name.chars().all(is_name)
            && !crate::rules::html::is_element(&name.to_lowercase())
    };
    tag_ranges(&text)
        .filter(|range| is_other(range.clone()))
        .count()
}

static LETTERS: LazyRegex = LazyRegex::new(r"\p{L}");

/// Whether a character is in the Unicode category of letters. Combining marks are not.
fn is_letter(char: char) -> bool {
    if char.is_ascii() || !char.is_alphabetic() {
        return char.is_ascii_alphabetic();
    }
    LETTERS.has(char)
}

/// Compares whether a letter precedes and follows the n-th tag. Returns the first tag that differs.
fn boundaries(source: &str, target: &str) -> Option<Range<usize>> {
    let touches = |text: &str, range: &Range<usize>| {
        let around = [char_before(text, range.start), char_at(text, range.end)];
        around.map(|char| char.is_some_and(is_letter))
    };
    let tags: Vec<_> = tag_ranges(source).collect();
    let translated: Vec<_> = tag_ranges(target).collect();
    if tags.len() != translated.len() {
        return None;
    }
    let mut pairs = tags.iter().zip(translated);
    let differs = pairs.find(|(one, other)| touches(source, one) != touches(target, other));
    differs.map(|(_, other)| other)
}
