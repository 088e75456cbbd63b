//! Untrusted texts from repositories. They are isolated from surrounding text, and invisible characters and characters
//! that change the text direction are made visible (docs/spec/pages.md#untrusted-text).

use std::borrow::Cow;
use std::fmt;
use std::ops::Range;
use std::sync::Arc;

use askama::FastWritable;
use askama::filters::{Escaper, Html, HtmlSafe};
use gitglot_checks::{DiffMark, word_diff};
use gitglot_model::language::{Language, resolve, tag};

/// Longer texts are not compared word by word, in characters.
const MAX_COMPARED: usize = 4_000;
/// Length limit on the page of a string, in characters.
pub(crate) const LONG: usize = 20_000;
/// Length limit in lists, in characters.
pub(crate) const SHORT: usize = 300;

/// A text with its language, as HTML.
#[derive(Clone, Debug)]
pub(crate) struct LocalizedText {
    html: String,
    is_empty: bool,
}

impl fmt::Display for LocalizedText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.html)
    }
}

impl FastWritable for LocalizedText {
    fn write_into(&self, dest: &mut dyn fmt::Write, _: &dyn askama::Values) -> askama::Result<()> {
        Ok(dest.write_str(&self.html)?)
    }
}

impl HtmlSafe for LocalizedText {}

impl From<LocalizedText> for Arc<str> {
    fn from(text: LocalizedText) -> Self {
        text.html.into()
    }
}

/// The HTML attributes `lang` and `dir` of a text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct LangAttrs {
    /// A BCP 47 tag, or `""` if unknown.
    pub(crate) lang: String,
    /// `ltr`, `rtl` or `auto`.
    pub(crate) dir: &'static str,
}

impl LangAttrs {
    /// The attributes of names and keys.
    pub(crate) const UNKNOWN: Self = Self {
        lang: String::new(),
        dir: "auto",
    };

    /// The attributes of texts in a language.
    pub(crate) fn of(language: &Language) -> Self {
        let dir = match (language.rtl, language.rank) {
            (true, _) => "rtl",
            (false, Some(_)) => "ltr",
            (false, None) => "auto",
        };
        Self {
            lang: tag(&language.code).unwrap_or_default(),
            dir,
        }
    }

    /// The attributes of texts in the language of this code.
    pub(crate) fn of_code(code: &str) -> Self {
        Self::of(&resolve(code))
    }
}

/// Why a part of a text is marked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Mark {
    /// It is not.
    None,
    /// Only in the new text.
    Added,
    /// Only in the old text.
    Removed,
    Placeholder,
    /// A failing check reports it.
    Reported,
    /// A search found it.
    Found,
}

impl Mark {
    /// The tags around a part of a text.
    fn tags(self) -> (&'static str, &'static str) {
        match self {
            Self::None => ("", ""),
            Self::Added => ("<ins>", "</ins>"),
            Self::Removed => ("<del>", "</del>"),
            Self::Placeholder => ("<code class=\"ph\">", "</code>"),
            Self::Reported => ("<mark>", "</mark>"),
            Self::Found => ("<mark class=\"found\">", "</mark>"),
        }
    }
}

/// Writes the HTML of a text.
struct TextWriter<'h> {
    html: &'h mut String,
    /// The length of the HTML before the text.
    start: usize,
    /// The mark of the part that is being written.
    open: Mark,
}

impl<'h> TextWriter<'h> {
    /// Begins a text of about this size.
    fn new(html: &'h mut String, attrs: &LangAttrs, size: usize) -> Self {
        html.reserve(size + 48);
        html.push_str("<bdi");
        if !attrs.lang.is_empty() {
            html.extend([" lang=\"", &*attrs.lang, "\""]);
        }
        if attrs.dir != "auto" {
            html.extend([" dir=\"", attrs.dir, "\""]);
        }
        html.push('>');
        Self {
            start: html.len(),
            html,
            open: Mark::None,
        }
    }

    /// Appends a text; adjacent parts with the same mark are one.
    fn push(&mut self, text: &str, mark: Mark) {
        // Most texts have no special character, which a look at the bytes finds out quickly.
        if text.bytes().all(|byte| matches!(byte, b' '..=b'~')) {
            self.push_run(text, mark);
            return;
        }
        // The start of the characters that are shown as they are.
        let mut start = 0;
        let mut chars = text.char_indices().peekable();
        while let Some((at, c)) = chars.next() {
            // Most characters.
            if (' '..='~').contains(&c) {
                continue;
            }
            let (form, name, end) = if c == '\n' {
                (Cow::Borrowed("↵"), "line break", "<br>")
            } else if c == '\u{1e}' && chars.next_if(|(_, next)| *next == '\u{1e}').is_some() {
                (Cow::Borrowed(" ‖ "), "next plural form", "")
            } else if let Some(name) = special_name(c) {
                (Cow::Owned(visible_form(c)), name, "")
            } else {
                continue;
            };
            self.push_run(&text[start..at], mark);
            self.end_run();
            let sign = [
                "<span class=\"sign\" title=\"",
                name,
                "\">",
                &*form,
                "</span>",
                end,
            ];
            self.html.extend(sign);
            start = chars.peek().map_or(text.len(), |(next, _)| *next);
        }
        self.push_run(&text[start..], mark);
    }

    fn push_run(&mut self, run: &str, mark: Mark) {
        if run.is_empty() {
            return;
        }
        if self.open != mark {
            self.end_run();
            self.html.push_str(mark.tags().0);
            self.open = mark;
        }
        push_escaped(self.html, run);
    }

    /// Ends a marked part.
    fn end_run(&mut self) {
        self.html.push_str(self.open.tags().1);
        self.open = Mark::None;
    }

    /// Ends the text, given the number of characters that are left out. Returns whether it is empty.
    fn finish(mut self, cut_off: usize) -> bool {
        self.end_run();
        let is_empty = self.html.len() == self.start;
        if cut_off > 0 {
            let sign = format!("<span class=\"sign\">… {cut_off} more characters</span>");
            self.html.push_str(&sign);
        }
        self.html.push_str("</bdi>");
        is_empty
    }
}

/// Appends a text with its special characters escaped.
pub(super) fn push_escaped(html: &mut String, text: &str) {
    // Writing into a string cannot fail.
    let _ = Html.write_escaped_str(html, text);
}

/// Appends a text in a list.
pub(super) fn push_short(html: &mut String, attrs: &LangAttrs, text: &str) {
    push_cut(html, attrs, text, SHORT, &[]);
}

/// Appends a text in a list with the parts marked that `find` returns for what is shown of it.
pub(super) fn push_found(
    html: &mut String,
    attrs: &LangAttrs,
    text: &str,
    find: impl FnOnce(&str) -> Vec<Range<usize>>,
) {
    let found = find(cut(text, SHORT).0).into_iter();
    let parts: Vec<_> = found.map(|part| (part, Mark::Found)).collect();
    push_cut(html, attrs, text, SHORT, &parts);
}

/// Appends the first characters of a text. Returns whether it is empty.
fn push_cut(
    html: &mut String,
    attrs: &LangAttrs,
    text: &str,
    most: usize,
    parts: &[(Range<usize>, Mark)],
) -> bool {
    let (shown, cut_off) = cut(text, most);
    let (mut out, mut end) = (TextWriter::new(html, attrs, shown.len()), 0);
    for (range, mark) in parts {
        let part = shown.get(range.clone()).filter(|_| range.start >= end);
        let (Some(before), Some(part)) = (shown.get(end..range.start), part) else {
            continue;
        };
        out.push(before, Mark::None);
        out.push(part, *mark);
        // Adjacent parts stay separate.
        out.end_run();
        end = range.end;
    }
    out.push(shown.get(end..).unwrap_or_default(), Mark::None);
    out.finish(cut_off)
}

impl LocalizedText {
    /// A text on the page of its string.
    pub(crate) fn new(attrs: &LangAttrs, text: &str) -> Self {
        Self::marked(attrs, text, &[])
    }

    /// A text on the page of its string with marked parts. The parts are sorted and do not overlap.
    pub(crate) fn marked(attrs: &LangAttrs, text: &str, parts: &[(Range<usize>, Mark)]) -> Self {
        Self::cut(attrs, text, LONG, parts)
    }

    /// A text in a list.
    pub(crate) fn short(attrs: &LangAttrs, text: &str) -> Self {
        Self::cut(attrs, text, SHORT, &[])
    }

    /// A text in a list, cut to a number of bytes.
    pub(crate) fn within(attrs: &LangAttrs, text: &str, most: usize) -> Self {
        let (shown, _) = cut(text, SHORT);
        let ends = shown.char_indices().map(|(at, c)| at + c.len_utf8());
        let end = ends.take_while(|end| *end <= most).last();
        let shown = &shown[..end.unwrap_or_default()];
        let mut html = String::new();
        let mut out = TextWriter::new(&mut html, attrs, shown.len());
        out.push(shown, Mark::None);
        if shown.len() < text.len() {
            out.push("…", Mark::None);
        }
        let is_empty = out.finish(0);
        Self { html, is_empty }
    }

    /// A name or a key.
    pub(crate) fn name(text: impl AsRef<str>) -> Self {
        Self::short(&LangAttrs::UNKNOWN, text.as_ref())
    }

    fn cut(attrs: &LangAttrs, text: &str, most: usize, parts: &[(Range<usize>, Mark)]) -> Self {
        let mut html = String::new();
        let is_empty = push_cut(&mut html, attrs, text, most, parts);
        Self { html, is_empty }
    }

    /// Whether the text is empty.
    pub(crate) fn is_empty(&self) -> bool {
        self.is_empty
    }
}

/// The first characters of a text, and the number of the others.
fn cut(text: &str, most: usize) -> (&str, usize) {
    // Every character has at least one byte.
    if text.len() <= most {
        return (text, 0);
    }
    match text.char_indices().nth(most) {
        Some((at, _)) => (&text[..at], text[at..].chars().count()),
        None => (text, 0),
    }
}

/// Formats a short text where markup is not possible, as in titles and options.
pub(crate) fn plain(text: &str) -> String {
    let visible = |c: char| match special_name(c) {
        Some(_) => visible_form(c),
        None => c.to_string(),
    };
    text.chars().take(SHORT).map(visible).collect()
}

/// Compares two texts word by word; shows up to `most` characters of each.
pub(crate) fn difference(attrs: &LangAttrs, old: &str, new: &str, most: usize) -> LocalizedText {
    let mut html = String::new();
    let is_empty = push_difference(&mut html, attrs, [old, new], most);
    LocalizedText { html, is_empty }
}

/// Appends the difference of two texts. Returns whether it is empty.
pub(super) fn push_difference(
    html: &mut String,
    attrs: &LangAttrs,
    [old, new]: [&str; 2],
    most: usize,
) -> bool {
    let limit = most.min(MAX_COMPARED);
    let is_short = [old, new]
        .iter()
        .all(|text| !text.is_empty() && !is_long(text, limit));
    let Some(changes) = is_short.then(|| word_diff(old, new)).flatten() else {
        let ((old, old_rest), (new, new_rest)) = (cut(old, most), cut(new, most));
        let mut out = TextWriter::new(html, attrs, old.len() + new.len());
        out.push(old, Mark::Removed);
        out.push(new, Mark::Added);
        return out.finish(old_rest + new_rest);
    };
    let mut out = TextWriter::new(html, attrs, old.len() + new.len());
    for (mark, part) in changes {
        out.push(part, mark_of(mark));
    }
    out.finish(0)
}

fn is_long(text: &str, limit: usize) -> bool {
    text.len() > limit && text.chars().count() > limit
}

fn mark_of(mark: DiffMark) -> Mark {
    match mark {
        DiffMark::Equal => Mark::None,
        DiffMark::Added => Mark::Added,
        DiffMark::Removed => Mark::Removed,
    }
}

/// Two texts side by side, each with the words that the other one lacks marked.
pub(crate) fn side_by_side(
    attrs: &LangAttrs,
    old: &str,
    new: &str,
) -> (LocalizedText, LocalizedText) {
    let is_short = [old, new].iter().all(|text| !is_long(text, MAX_COMPARED));
    let Some(changes) = is_short.then(|| word_diff(old, new)).flatten() else {
        let first = |text| LocalizedText::cut(attrs, text, MAX_COMPARED, &[]);
        return (first(old), first(new));
    };
    let (mut html_before, mut html_after) = (String::new(), String::new());
    let mut before = TextWriter::new(&mut html_before, attrs, old.len());
    let mut after = TextWriter::new(&mut html_after, attrs, new.len());
    for (mark, text) in changes {
        let mark = mark_of(mark);
        if mark != Mark::Added {
            before.push(text, mark);
        }
        if mark != Mark::Removed {
            after.push(text, mark);
        }
    }
    let (no_before, no_after) = (before.finish(0), after.finish(0));
    let text = |html, is_empty| LocalizedText { html, is_empty };
    (text(html_before, no_before), text(html_after, no_after))
}

/// The name of an invisible character or one that affects its neighbours.
fn special_name(c: char) -> Option<&'static str> {
    Some(match c {
        '\t' => "tab",
        '\u{0}'..='\u{1f}' | '\u{7f}'..='\u{9f}' => "control character",
        '\u{a0}' | '\u{202f}' => "no-break space",
        '\u{ad}' => "soft hyphen",
        '\u{61c}' | '\u{200e}' | '\u{200f}' => "direction mark",
        '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => "direction control",
        '\u{200b}' | '\u{2060}' | '\u{feff}' => "zero-width space",
        '\u{2028}' => "line separator",
        '\u{2029}' => "paragraph separator",
        '\u{206a}'..='\u{206f}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}' => {
            "invisible character"
        }
        _ => return None,
    })
}

/// The visible form of a special character.
fn visible_form(c: char) -> String {
    match c {
        '\t' => "⇥".into(),
        '\u{a0}' | '\u{202f}' => "⍽".into(),
        '\u{7f}' => "␡".into(),
        '\u{0}'..='\u{1f}' => char::from_u32(0x2400 + u32::from(c)).unwrap_or('␦').into(),
        _ => format!("U+{:04X}", u32::from(c)),
    }
}

#[cfg(test)]
#[path = "text_tests.rs"]
mod tests;
