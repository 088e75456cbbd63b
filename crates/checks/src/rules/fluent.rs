//! Fluent messages (`docs/spec/checks.md#fluent`).

use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::ops::Range;

use crate::finding::{FaultKind, NamedPart, PartialFinding};
use crate::input::FormPair;
use crate::lazy_regex::LazyRegex;
use crate::marks::NextMark;
use gitglot_model::steps;

rule! {
    /// A message of Fluent without a variable, term or message of the source does not show a value or a name. Their number and order
    /// do not count, because variants repeat them. It is a warning if only a term or message differs.
    FLUENT_REFERENCES: "fluent-references" "Fluent references" "The references differ from the source." Error;
    fails "fluent" "cs" "Hi { $name }" "Ahoj";
    passes "fluent" "cs" "Hi { $name }" "Ahoj { $name }";
}

rule! {
    /// A message of Fluent without the value or an attribute of the source leaves an element without its text. It is a warning for
    /// attributes that no element of HTML or XUL shows.
    FLUENT_PARTS: "fluent-parts" "Fluent parts" "The value or the attributes differ from the source." Error;
    fails "fluent" "cs" "Save\n.title = Save it" "Uložit";
    passes "fluent" "cs" "Save\n.title = Save it" "Uložit\n.title = Uložit to";
}

/// Names with the position of their first occurrence.
type FluentNames<'a> = BTreeMap<&'a str, Range<usize>>;

/// The variables, terms and messages that the texts refer to must be the same; their number does not matter. A precise
/// comparison reads the parts that both texts have, and accepts what only selects a variant: the attributes of terms,
/// a variable of the source that it does not show, a message whose word the translation inflects, and a variable of
/// the translation that selects no number. A value that the source shows must be shown, not only select a variant,
/// unless that is one for a word.
pub(crate) fn references(pair: &FormPair, precise: bool) -> Option<PartialFinding> {
    if !precise {
        return compare(pair, references_of, "references");
    }
    if pair.source.is_empty() || pair.target.is_empty() {
        return None;
    }
    let parts = [pair.source, pair.target].map(parts_of);
    let pair = &FormPair {
        source: &only_parts(pair.source, &parts[0], &parts[1]),
        target: &only_parts(pair.target, &parts[1], &parts[0]),
        ..*pair
    };
    let (wanted, found) = (references_of(pair.source), references_of(pair.target));
    let [selecting, selecting_in_target] = [pair.source, pair.target].map(only_selecting);
    let (mut missing, mut extra) = (only_in(&wanted, &found), only_in(&found, &wanted));
    let is_attribute_of_term = |name: &str| name.starts_with('-') && name.contains('.');
    missing.retain(|(name, _)| {
        let is_shown = name.starts_with(['$', '-']) && !selecting.contains(name);
        is_shown && !is_attribute_of_term(name)
    });
    let selects_number = NUMBER.is_match(pair.target);
    // Variants for words can say the value themselves.
    if selects_number || !selects_word(pair.target) {
        let is_lost = |name: &str| selecting_in_target.contains(name) && !selecting.contains(name);
        // A name that the target does not refer to is missing already.
        let shared = wanted.iter().filter(|(name, _)| found.contains_key(*name));
        let lost = shared.filter(|(name, _)| is_lost(name));
        missing.extend(lost.map(|(name, range)| (*name, range.clone())));
    }
    extra.retain(|(name, _)| {
        let is_own = !selects_number && selecting_in_target.contains(name);
        !is_attribute_of_term(name) && !is_own
    });
    let is_value = |(name, _): &NamedPart<'_>| name.starts_with('$');
    let has_value = missing.iter().chain(&extra).any(is_value);
    let finding = PartialFinding::of_parts("references", pair, &missing, &extra)?;
    // A name in place of a reference to it reads the same.
    Some(finding.weighed(!has_value))
}

/// A variant for a number.
static NUMBER: LazyRegex = LazyRegex::new(r"\[\s*(?:zero|one|two|few|many|\d+)\s*\]");

/// A variant for a word.
static VARIANT: LazyRegex = LazyRegex::new(r"\[\s*([A-Za-z][A-Za-z0-9_-]*)\s*\]");

/// Whether a text has a variant for a word that is no plural category.
fn selects_word(text: &str) -> bool {
    let words = VARIANT.captures_iter(text);
    let mut words = words.filter_map(|variant| variant.get(1));
    words.any(|word| !["zero", "one", "two", "few", "many", "other"].contains(&word.as_str()))
}

/// The start of a select expression.
static SELECTOR: LazyRegex = LazyRegex::new(
    r#"\{\s*(?:[A-Z][A-Z0-9_-]*\s*\()?\s*(\$[A-Za-z][A-Za-z0-9_-]*)(?:[^{}"]|"[^"\n]*")*?->"#,
);

/// The variables that only select variants and are never shown.
fn only_selecting(text: &str) -> HashSet<&str> {
    steps::count(text.len());
    let mut shown: HashMap<&str, usize> = HashMap::new();
    for variable in VARIABLE.find_iter(text) {
        *shown.entry(variable.as_str()).or_default() += 1;
    }
    let selectors = SELECTOR.captures_iter(text);
    let mut selecting: HashSet<&str> = HashSet::new();
    for name in selectors.filter_map(|selector| selector.get(1)) {
        if let Some(shown) = shown.get_mut(name.as_str()) {
            *shown = shown.saturating_sub(1);
        }
        selecting.insert(name.as_str());
    }
    selecting.retain(|name| shown.get(name) == Some(&0));
    selecting
}

/// The texts must have the same attributes, and both or none a value.
pub(crate) fn parts(pair: &FormPair) -> Option<PartialFinding> {
    compare(pair, parts_of, "parts")
}

/// The attributes that elements of HTML and XUL take from a message; ARIA's are added. Others are texts of their own, which
/// programs ask for by name and take from another language.
const SHOWN_ATTRIBUTES: &[&str] = &[
    "accesskey",
    "alt",
    "label",
    "placeholder",
    "title",
    "tooltiptext",
    "value",
];

/// Whether the translation lacks the value, or an attribute that an element shows, or has a value that the template lacks.
pub(crate) fn loses_shown_part(finding: &PartialFinding) -> bool {
    finding.faults.iter().any(|fault| {
        let attribute = fault.part.strip_prefix('.');
        let attribute = attribute.filter(|_| fault.kind == FaultKind::Missing);
        let is_shown = |name: &str| SHOWN_ATTRIBUTES.contains(&name) || name.starts_with("aria-");
        fault.part == "value" || attribute.is_some_and(is_shown)
    })
}

fn compare(
    pair: &FormPair,
    names: fn(&str) -> FluentNames<'_>,
    noun: &'static str,
) -> Option<PartialFinding> {
    if pair.source.is_empty() || pair.target.is_empty() {
        return None;
    }
    let (wanted, found) = (names(pair.source), names(pair.target));
    let (missing, extra) = (only_in(&wanted, &found), only_in(&found, &wanted));
    PartialFinding::of_parts(noun, pair, &missing, &extra)
}

/// The names that the other text does not have.
fn only_in<'a>(names: &FluentNames<'a>, other: &FluentNames<'_>) -> Vec<NamedPart<'a>> {
    let names = names.iter().filter(|(name, _)| !other.contains_key(*name));
    names.map(|(name, range)| (*name, range.clone())).collect()
}

/// An attribute at the start of a line.
static ATTRIBUTE: LazyRegex = LazyRegex::new(r"^(\.[A-Za-z][A-Za-z0-9_-]*) =");

/// A placeable with a string literal, or with a reference and the bracket before its arguments.
static PLACEABLE: LazyRegex = LazyRegex::new(concat!(
    r#"\{\s*(?:"(?:(?s:\\.)|[^"\\\n])*""#,
    r"|(?<name>[$-]?[A-Za-z][A-Za-z0-9_-]*(?:\.[A-Za-z][A-Za-z0-9_-]*)?)(?<call>\s*\()?)",
));

static VARIABLE: LazyRegex = LazyRegex::new(r"\$(?:[A-Za-z][A-Za-z0-9_-]*)?");

/// The attributes, as `.name`, and `value` if there is one.
fn parts_of(text: &str) -> FluentNames<'_> {
    let mut names = FluentNames::new();
    let mut offset = 0;
    for line in text.split('\n') {
        let attribute = ATTRIBUTE.captures(line).and_then(|matched| matched.get(1));
        if let Some(name) = attribute {
            let range = offset..offset + name.len();
            names.entry(name.as_str()).or_insert(range);
        } else if names.is_empty() && !line.trim().is_empty() {
            names.insert("value", offset..offset);
        }
        offset += line.len() + 1;
    }
    names
}

/// A text with blanks in place of the parts that the other one lacks: programs take them from another language, or never ask
/// for them. All positions stay.
fn only_parts<'t>(text: &'t str, names: &FluentNames<'_>, other: &FluentNames<'_>) -> Cow<'t, str> {
    if names.keys().all(|name| other.contains_key(name)) {
        return Cow::Borrowed(text);
    }
    let mut starts: Vec<(usize, bool)> = names
        .iter()
        .map(|(name, range)| (range.start, other.contains_key(name)))
        .collect();
    starts.sort_unstable();
    let mut kept = " ".repeat(starts.first().map_or(0, |first| first.0));
    for (at, &(start, is_shared)) in starts.iter().enumerate() {
        let end = starts.get(at + 1).map_or(text.len(), |next| next.0);
        if is_shared {
            kept.push_str(&text[start..end])
        } else {
            kept.extend(std::iter::repeat_n(' ', end - start))
        }
    }
    Cow::Owned(kept)
}

/// The references in placeables: `$variable`, `-term`, `message`, each with an attribute.
fn references_of(text: &str) -> FluentNames<'_> {
    let mut names = FluentNames::new();
    let (end_of_call, mut searched) = (NextMark::new(text, ")"), 0);
    for placeable in PLACEABLE.captures_iter(text) {
        let Some(name) = placeable.name("name") else {
            continue;
        };
        let call = placeable.name("call");
        if call.is_none() || name.as_str().starts_with('-') {
            names.entry(name.as_str()).or_insert(name.range());
        }
        // Functions and terms can have variables as arguments.
        if let Some(start) = call.map(|call| call.end()) {
            // Calls inside the arguments end at the same bracket, so their variables are found already.
            let start = start.max(searched);
            searched = end_of_call.at_or_after(start).unwrap_or(text.len());
            let arguments = &text[start..searched];
            steps::count(arguments.len());
            for variable in VARIABLE.find_iter(arguments) {
                let range = start + variable.start()..start + variable.end();
                names.entry(variable.as_str()).or_insert(range);
            }
        }
    }
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(names: FluentNames<'_>) -> Vec<&str> {
        names.into_keys().collect()
    }

    #[test]
    fn references_are_found_in_all_placeables() {
        for (text, wanted) in [
            ("Hello { $name }", &["$name"][..]),
            (
                "{-brand.title} and {message.attr}",
                &["-brand.title", "message.attr"],
            ),
            ("{ NUMBER($n, minimumFractionDigits: 2) }", &["$n"]),
            ("{ -brand(case: \"nominative\") }", &["-brand"]),
            ("{ \"$literal {\" } { 5 }", &[]),
            (
                "{ $count ->\n    [one] { $count } item\n   *[other] { $count } items by { $user }\n}",
                &["$count", "$user"],
            ),
            ("{ { {", &[]),
            ("no placeable $name", &[]),
        ] {
            assert_eq!(names(references_of(text)), wanted, "{text}");
        }
    }

    #[test]
    fn what_only_selects_a_variant_may_differ() {
        let fails = |source, target, precise| {
            let pair = FormPair {
                source,
                target,
                source_form: 0,
                target_form: 0,
            };
            references(&pair, precise).is_some()
        };
        let plural = "{ $count ->\n    [one] Comment\n   *[other] Comments\n}";
        let shown = "{ $count ->\n    [one] Comment\n   *[other] { $count } comments\n}";
        let term = "{ $case ->\n    [genitive] Firefoxu\n   *[other] Firefox\n}";
        let gender =
            "{ -brand.gender ->\n    [female] Neue { -brand }\n   *[other] Neuer { -brand }\n}";
        for (source, target, wanted) in [
            (plural, "Kommentare", false),
            (shown, "Kommentare", true),
            (shown, plural, true),
            ("{ $count } comments", plural, true),
            (
                shown,
                "{ $count ->\n    [one] Kommentar\n   *[other] { $count } Kommentare\n}",
                false,
            ),
            (
                shown,
                "{ $count } { $count ->\n    [one] Kommentar\n   *[other] Kommentare\n}",
                false,
            ),
            ("Firefox", term, false),
            ("New { -brand }", gender, false),
            ("Comments", plural, true),
            (shown, "{ $count ->\n   *[other] Kommentare\n}", true),
            (
                "{ $kind } file",
                "{ $kind ->\n    [image] Bild\n   *[other] Datei\n}",
                false,
            ),
            (
                "{ NUMBER($part, style: \"percent\") } done",
                "{ NUMBER($part, style: \"percent\") ->\n    [1] fertig\n   *[other] Teile\n}",
                true,
            ),
            ("Hi { $name }", "Ahoj", true),
            ("Hi\n.title = { $name }", "Ahoj", false),
            ("Hi", "Ahoj\n.title = { $name }", false),
            ("Hi\n.title = { $name }", "Ahoj\n.title = X", true),
        ] {
            assert_eq!(fails(source, target, true), wanted, "{target}");
        }
        assert!(fails(plural, "Kommentare", false));
    }

    #[test]
    fn a_lost_part_breaks_something_if_an_element_shows_it() {
        for (source, target, wanted) in [
            ("Users\n.admin = Admin", "Utilisateurs", false),
            ("Users\n.title = Admin", "Utilisateurs", true),
            ("Users\n.aria-label = Admin", "Utilisateurs", true),
            ("Users\n.admin = Admin", ".admin = Admin", true),
            ("Users", "Utilisateurs\n.title = Admin", false),
        ] {
            let pair = FormPair {
                source,
                target,
                source_form: 0,
                target_form: 0,
            };
            let lost = parts(&pair).is_some_and(|it| loses_shown_part(&it));
            assert_eq!(lost, wanted, "{target}");
        }
    }

    #[test]
    fn parts_are_attributes_and_the_value() {
        assert_eq!(
            names(parts_of("Text\n.title = A\n.label = B")),
            [".label", ".title", "value"]
        );
        assert_eq!(names(parts_of(".title = A\nmore")), [".title"]);
    }
}
