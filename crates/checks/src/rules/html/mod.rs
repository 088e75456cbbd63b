//! HTML that a sanitizer would change (`docs/spec/checks.md#safe-html`).

mod dom;

use std::sync::LazyLock;

use html5ever::Attribute;

use crate::pair::{bounded, run};

use crate::finding::PartialFinding;
use crate::input::FormPair;
use dom::{Dom, ElementAttributes};
use gitglot_model::SeededSet;

rule! {
    /// HTML that a sanitizer would change: scripts, elements and attributes that the source does not have, unclosed tags. It can run code in the
    /// page, or break it.
    SAFE_HTML: "safe-html" "Unsafe HTML" "The translation has HTML that the source does not have, or that is not well-formed." Error;
    fails "html" "de" "A <b>word</b>" r#"Ein <b onclick="x">Wort</b>"#;
    passes "html" "de" "A <b>word</b>" "Ein <b>Wort</b>";
}

/// The maximum length of a text in bytes. The HTML parser needs more than linear time for hostile nesting.
const MAX_LENGTH: usize = 1 << 13;

/// Attributes whose value is a URL.
const URL_ATTRIBUTES: &str =
    "href src action formaction cite data poster srcset background longdesc ping manifest";

/// URL schemes that are allowed in any case.
const SCHEMES: &str = "bitcoin ftp ftps geo http https im irc ircs magnet mailto mms mx news nntp openpgp4fpr sip \
     sms smsto ssh tel url webcal wtai xmpp";

/// The elements of HTML that carry text. A source with other tags is no HTML for `auto-safe-html`.
static ELEMENTS: LazyLock<SeededSet<&str>> = LazyLock::new(|| {
    let names = "a abbr acronym area article aside b bdi bdo blockquote br caption center cite code col \
                 colgroup data dd del details dfn div dl dt em figcaption figure footer h1 h2 h3 h4 h5 h6 \
                 header hgroup hr i img ins kbd li map mark nav ol p pre q rp rt rtc ruby s samp small span \
                 strike strong sub summary sup table tbody td th thead time tr tt u ul var wbr";
    names.split(' ').collect()
});

/// Compares the HTML of a pair. `auto` skips sources with tags that HTML does not have.
pub(crate) fn check(pair: &FormPair, auto: bool) -> Option<PartialFinding> {
    let FormPair { source, target, .. } = *pair;
    // Without these characters, no text changes.
    if !target.contains(['<', '>', '&', '\u{a0}', '\r', '\0'])
        || source.len().max(target.len()) > MAX_LENGTH
    {
        return None;
    }
    let mut allowed = ElementAttributes::default();
    let mut has_unsafe_url = false;
    Dom::parse(source)?.for_each_element(|name, attributes| {
        has_unsafe_url |= !attributes.iter().all(is_safe);
        let names = attributes
            .iter()
            .map(|attribute| attribute.name.local.to_string());
        allowed.entry(name.to_owned()).or_default().extend(names);
    });
    if auto && (has_unsafe_url || has_other_markup(source)) {
        return None;
    }
    let cleaned = Dom::parse(target)?.serialize(&allowed, is_safe);
    // A no-break space may be written as itself or as an entity.
    if cleaned == target || cleaned == target.replace('\u{a0}', "&nbsp;") {
        return None;
    }
    let equal = cleaned.bytes().zip(target.bytes());
    let equal = equal.take_while(|(one, other)| one == other).count();
    let start = bounded(target, equal).len();
    let end = target.get(start..).and_then(|rest| rest.find('>'));
    let end = end.map_or(target.len(), |end| start + end + 1);
    let shown: String = cleaned.chars().take(200).collect();
    let message = format!(
        "The translation has HTML that is unsafe or not well-formed; a sanitizer returns: {shown}"
    );
    Some(PartialFinding::in_target(pair, message, start..end))
}

/// Whether a lower-case name is an HTML element that carries text.
pub(crate) fn is_element(name: &str) -> bool {
    ELEMENTS.contains(name)
}

/// Whether a text has tags that are not HTML, or XML declarations.
fn has_other_markup(text: &str) -> bool {
    let last = text.rfind('>').unwrap_or(0);
    text.match_indices('<').any(|(at, _)| {
        let inside = &text[at + 1..];
        let inside = inside.strip_prefix('/').unwrap_or(inside);
        let is_end = |char: char| char.is_whitespace() || matches!(char, '>' | '/' | '<');
        let end = run(inside, |char| !is_end(char));
        let name = &inside[..end];
        let is_tag = name.starts_with(|char: char| {
            char.is_alphanumeric() || matches!(char, '?' | '%' | '_' | '[')
        });
        is_tag && at < last && !is_element(&name.to_ascii_lowercase())
    })
}

/// Whether an attribute has no URL, or a safe one.
fn is_safe(attribute: &Attribute) -> bool {
    let mut names = URL_ATTRIBUTES.split(' ');
    let is_url = names.any(|name| *name == *attribute.name.local);
    !is_url || is_safe_url(&attribute.value)
}

/// Whether a URL is relative or has a common scheme.
fn is_safe_url(url: &str) -> bool {
    let url = url.trim_matches(|char: char| char <= ' ');
    let Some((scheme, _)) = url.split_once(':') else {
        return true;
    };
    let is_part = |char: char| char.is_ascii_alphanumeric() || "+-.".contains(char);
    let is_scheme = scheme.starts_with(|char: char| char.is_ascii_alphabetic());
    let mut schemes = SCHEMES.split(' ');
    !(is_scheme && scheme.chars().all(is_part))
        || schemes.any(|safe| safe.eq_ignore_ascii_case(scheme))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn unsafe_html(source: &str, target: &str, auto: bool) -> bool {
        let pair = FormPair {
            source,
            target,
            source_form: 0,
            target_form: 0,
        };
        check(&pair, auto).is_some()
    }

    #[test]
    fn html_that_a_sanitizer_keeps_passes() {
        for (source, target) in [
            ("<b>x</b>", "y"),
            ("<b>x</b>", "<b>y</b> &amp; &lt;&nbsp;"),
            ("<b><i>x</i></b>", "<i><b>x</b></i>"),
            (
                "<a href='https://x.y/'>x</a>",
                "<a href=\"https://x.y/\">y</a>",
            ),
            ("x<br/>y", "a<br>b"),
            ("<p>one</p>", "<p>jedna</p><p>dva</p>"),
            ("<style>a</style>", "<style>a > b</style>"),
            (
                "<table><tr><td>x</table>",
                "<table><tbody><tr><td>y</td></tr></tbody></table>",
            ),
        ] {
            assert!(!unsafe_html(source, target, false), "{target}");
        }
    }

    #[test]
    fn html_that_a_sanitizer_changes_fails() {
        for (source, target) in [
            ("<b>x</b>", "<b>y"),
            ("<b>x</b>", "<i>y</i>"),
            ("<b>x</b>", "<B>y</B>"),
            ("<b>x</b>", "<b onclick=\"x\">y</b>"),
            (
                "<a href='https://x.y/'>x</a>",
                "<a href=\"javascript:alert(1)\">y</a>",
            ),
            ("<br>", "<br/>"),
            ("x", "a & b"),
            ("x", "<!-- c -->y"),
            ("x", "<script>alert(1)</script>"),
        ] {
            assert!(unsafe_html(source, target, false), "{target}");
        }
    }

    #[test]
    fn sources_with_other_markup_are_skipped_automatically() {
        assert!(
            unsafe_html("<0>x</0>", "<0>y</0>", false)
                && !unsafe_html("<0>x</0>", "<0>y</0>", true)
        );
        assert!(unsafe_html("a < b", "a < b", true));
    }
}
