//! Makes the links of a response those of a file (docs/spec/site.md#links).
//!
//! All links of the server begin with its base, which contains a random name. So each occurrence of that name is a link,
//! and texts of a repository, whatever they contain, stay as they are.

use std::borrow::Cow;
use std::ops::Range;
use std::rc::Rc;

use memchr::memmem::Finder;

use super::address::{Anchor, HOST_END, PACKED, Target, push_relative};
use super::options::Strings;
use super::rules::{BodyKind, Rules, SEARCH_FILE};
use gitglot_model::SeededMap;

/// Links that are remembered; all pages have those of the header.
const REMEMBERED: usize = 10_000;
const SCHEME: &[u8] = b"http://";

/// Rewrites responses, and collects the addresses that they link to.
pub(crate) struct Rewriter<'a> {
    rules: &'a Rules<'a>,
    token: Finder<'a>,
    /// The file of each link, of bodies without and with escapes.
    known: [SeededMap<Vec<u8>, Option<Rc<Destination>>>; 2],
    /// The directories of the translations that links to strings begin with, of bodies without and with escapes.
    translations: [SeededMap<Vec<u8>, Option<Rc<TranslationPath>>>; 2],
    pictures: SeededMap<String, Option<String>>,
    /// The file of the last link to a string, and the rest of the link.
    file: String,
    fragment: String,
    /// Addresses and their files, some of them several times.
    pub(crate) found: Vec<(Target, String)>,
}

#[derive(Debug)]
struct TranslationPath {
    directory: String,
    names: [String; 3],
}

/// Where a link leads.
#[derive(Clone, Default, Debug)]
struct Destination {
    file: String,
    /// The rest of the link, as it was.
    rest: String,
}

/// A link in a body.
struct Link<'b> {
    start: usize,
    end: usize,
    /// Whether it has a scheme and a host.
    is_absolute: bool,
    /// The link below the base, as it is written.
    text: &'b [u8],
}

/// The last links of a body, and where they were written: entries of a list often have the same project, translation and
/// author.
#[derive(Default)]
struct RecentLinks<'b> {
    links: [Option<WrittenLink<'b>>; 4],
    next: usize,
}

/// A link below the base, whether it is absolute, and where it was written.
type WrittenLink<'b> = (&'b [u8], bool, Range<usize>);

impl<'b> RecentLinks<'b> {
    fn find(&self, link: &Link<'b>) -> Option<Range<usize>> {
        let mut links = self.links.iter().flatten();
        let known = links.find(|known| (known.0, known.1) == (link.text, link.is_absolute));
        known.map(|(.., written)| written.clone())
    }

    fn add(&mut self, link: &Link<'b>, written: Range<usize>) {
        self.links[self.next] = Some((link.text, link.is_absolute, written));
        self.next = (self.next + 1) % self.links.len();
    }
}

impl<'a> Rewriter<'a> {
    pub(crate) fn new(rules: &'a Rules<'a>, anchor: &'a Anchor) -> Self {
        Self {
            rules,
            token: Finder::new(anchor.token.as_str()),
            known: Default::default(),
            translations: Default::default(),
            pictures: SeededMap::default(),
            file: String::new(),
            fragment: String::new(),
            found: Vec::new(),
        }
    }

    pub(crate) fn rewrite(&mut self, body: &[u8], kind: BodyKind, file: &str) -> Vec<u8> {
        let mut out = Vec::with_capacity(body.len() + 512);
        let mut at = 0;
        let mut recent = RecentLinks::default();
        while let Some(link) = self.next_link(body, at, kind) {
            out.extend_from_slice(&body[at..link.start]);
            at = link.end;
            let is_absolute = link.is_absolute;
            if let Some(written) = recent.find(&link) {
                out.extend_from_within(written);
                continue;
            }
            match self.string(link.text, kind) {
                Some(true) => {
                    let (to, rest) = (&*self.file, &*self.fragment);
                    self.write(&mut out, to, rest, is_absolute, kind, file);
                }
                Some(false) => at = without_link(&mut out, body, at, kind),
                None => match self.destination(link.text, kind) {
                    Some(to) => {
                        let start = out.len();
                        self.write(&mut out, &to.file, &to.rest, is_absolute, kind, file);
                        recent.add(&link, start..out.len());
                    }
                    None => at = without_link(&mut out, body, at, kind),
                },
            }
        }
        out.extend_from_slice(&body[at..]);
        out
    }

    pub(crate) fn text(&mut self, html: &str, file: &str) -> String {
        let body = self.rewrite(html.as_bytes(), BodyKind::Html, file);
        // Links are ASCII, and whole links are replaced.
        String::from_utf8_lossy(&body).into_owned()
    }

    fn next_link<'b>(&self, body: &'b [u8], from: usize, kind: BodyKind) -> Option<Link<'b>> {
        let length = self.token.needle().len();
        let hit = from + self.token.find(&body[from..])?;
        let is_absolute = body[..hit].ends_with(SCHEME);
        let (start, text) = match is_absolute {
            true => (hit - SCHEME.len(), hit + 2 * length + HOST_END.len()),
            // The slash before the path.
            false => (hit.saturating_sub(1), hit + length),
        };
        let text = text.min(body.len());
        let is_quoted = start > 0 && body[start - 1] == b'"';
        // A field of a table that contains a comma is quoted.
        let is_field = kind == BodyKind::Text;
        let ends =
            |byte: &u8| b"<>\"' \n\t)]`\\".contains(byte) || (is_field && b",\r".contains(byte));
        let rest = &body[text..];
        let end = if is_quoted {
            memchr::memchr(b'"', rest)
        } else {
            rest.iter().position(ends)
        };
        let end = end.map_or(body.len(), |end| text + end);
        Some(Link {
            start,
            end,
            is_absolute,
            text: &body[text..end],
        })
    }

    /// Whether a link to a string leads to a file, which is written to `self.file`; `None` for all other links. There are
    /// too many of these to remember them.
    fn string(&mut self, text: &[u8], kind: BodyKind) -> Option<bool> {
        if kind == BodyKind::Xml {
            return None;
        }
        self.fragment.clear();
        if let Some(rest) = text.strip_prefix(b"/api/sources/") {
            // Each unit has a link to its source.
            let has_none = self.rules.strings() == Strings::None;
            return (has_none && number(rest).is_some()).then_some(false);
        }
        if let Some(rest) = text.strip_prefix(b"/api/units/") {
            let id = number(rest)?;
            if !self.rules.has_unit(id) {
                return Some(false);
            }
            self.file.clear();
            self.file.extend(["api/units/", id, "/index.json"]);
            return Some(true);
        }
        let rest = text.strip_prefix(b"/translate/")?;
        let mark = memchr::memchr(b'?', rest)?;
        let value = rest[mark..].strip_prefix(b"?checksum=")?;
        let end = value.iter().position(|byte| !byte.is_ascii_hexdigit());
        let (checksum, others) = value.split_at(end.unwrap_or(value.len()));
        let checksum = str::from_utf8(checksum).ok()?;
        // Only the page of the string counts, not the list that it is shown in.
        if checksum.is_empty() || !matches!(others.first(), None | Some(b'&' | b'#')) {
            return None;
        }
        if self.rules.strings() == Strings::None {
            return Some(false);
        }
        let of = self.translation(&rest[..mark], kind)?;
        self.file.clear();
        if self.rules.strings() == Strings::Packed {
            self.file.extend([&of.directory, PACKED, "/index.html"]);
            self.fragment.extend(["#", checksum]);
            return Some(true);
        }
        self.file
            .extend([&of.directory, "checksum=", checksum, "/index.html"]);
        if others.starts_with(b"#") {
            self.fragment.push_str(str::from_utf8(others).ok()?);
        }
        let names = of.names.each_ref().map(String::as_str);
        Some(self.rules.has_string(names, checksum))
    }

    fn translation(&mut self, path: &[u8], kind: BodyKind) -> Option<Rc<TranslationPath>> {
        let of_kind = usize::from(has_escapes(kind));
        if let Some(known) = self.translations[of_kind].get(path) {
            return known.clone();
        }
        let target = Target::parse(&["/translate/", &*link_text(path, kind)].concat());
        let directory = target.directory();
        let found = <[String; 4]>::try_from(target.segments).ok();
        let found = found.map(|[_, project, component, language]| {
            let names = [project, component, language];
            Rc::new(TranslationPath { directory, names })
        });
        self.translations[of_kind].insert(path.to_vec(), found.clone());
        found
    }

    fn destination(&mut self, text: &[u8], kind: BodyKind) -> Option<Rc<Destination>> {
        // Only feeds have links to lists instead of strings.
        if kind == BodyKind::Xml {
            return self.find(text, kind).map(Rc::new);
        }
        let of_kind = usize::from(has_escapes(kind));
        if let Some(known) = self.known[of_kind].get(text) {
            return known.clone();
        }
        let found = self.find(text, kind).map(Rc::new);
        let known = &mut self.known[of_kind];
        if known.len() >= REMEMBERED {
            known.clear();
        }
        known.insert(text.to_vec(), found.clone());
        found
    }

    fn find(&mut self, text: &[u8], kind: BodyKind) -> Option<Destination> {
        let link = link_text(text, kind);
        if link.is_empty() {
            return Some(Destination::default());
        }
        let target = self.rules.canonical(Target::parse(&link));
        let written = || String::from_utf8_lossy(text);
        let query = || written().find('?').map(|at| written()[at..].to_owned());
        match self.rules.published(&target) {
            Some(file) => {
                let keeps_query = file == SEARCH_FILE || file.starts_with("static/");
                if file != SEARCH_FILE && !target.is_string() {
                    self.found.push((target, file.clone()));
                }
                Some(Destination {
                    rest: keeps_query.then(query).flatten().unwrap_or_default(),
                    file,
                })
            }
            // Entries of feeds need a link: the list that contains the string.
            None if kind == BodyKind::Xml && !target.pairs.is_empty() => {
                self.find(target.path.as_bytes(), kind)
            }
            None => None,
        }
    }

    fn write(
        &self,
        out: &mut Vec<u8>,
        to: &str,
        rest: &str,
        is_absolute: bool,
        kind: BodyKind,
        file: &str,
    ) {
        let is_root = to.is_empty();
        match self.rules.address() {
            Some(address) if is_absolute && (kind != BodyKind::Json || is_root) => {
                out.extend_from_slice(address.trim_end_matches('/').as_bytes());
                if !is_root {
                    out.push(b'/');
                    out.extend_from_slice(place(to).as_bytes());
                }
            }
            _ if is_root => {
                let up = "../".repeat(file.matches('/').count());
                out.extend_from_slice(up.strip_suffix('/').unwrap_or(".").as_bytes());
            }
            _ => push_relative(out, file, to),
        }
        out.extend_from_slice(rest.as_bytes());
    }

    /// Adds to a page what those see who share or index it.
    pub(crate) fn describe(&mut self, page: Vec<u8>, target: &Target, file: &str) -> Vec<u8> {
        let Some(address) = self.rules.address() else {
            return page;
        };
        let title = between(&page, b"<title>", b"</title>");
        let Some((title, end)) = title else {
            return page;
        };
        let url = [address, place(file)].concat();
        let mut added = format!(
            "\n<link rel=\"canonical\" href=\"{url}\">\n<meta property=\"og:type\" content=\"website\">\n\
             <meta property=\"og:url\" content=\"{url}\">\n<meta property=\"og:title\" content=\""
        )
        .into_bytes();
        added.extend_from_slice(title);
        added.extend_from_slice(b"\">");
        if let Some(picture) = self.picture(target) {
            let tag = format!("\n<meta property=\"og:image\" content=\"{address}{picture}\">");
            added.extend_from_slice(tag.as_bytes());
        }
        [&page[..end], &added, &page[end..]].concat()
    }

    /// The file of the picture of a page.
    fn picture(&mut self, target: &Target) -> Option<String> {
        let link = self.rules.picture(target)?;
        if let Some(known) = self.pictures.get(&link) {
            return known.clone();
        }
        let badge = Target::parse(&link);
        let file = self.rules.published(&badge);
        self.found
            .extend(file.iter().map(|file| (badge.clone(), file.clone())));
        self.pictures.insert(link, file.clone());
        file
    }
}

/// The path of a file below the URL of the site. Every server sends `index.html` for its directory.
pub(crate) fn place(file: &str) -> &str {
    match file.strip_suffix("index.html") {
        Some(directory) if directory.is_empty() || directory.ends_with('/') => directory,
        _ => file,
    }
}

/// The text between two others, and the end of the second one.
fn between<'p>(page: &'p [u8], start: &[u8], end: &[u8]) -> Option<(&'p [u8], usize)> {
    let from = memchr::memmem::find(page, start)? + start.len();
    let to = from + memchr::memmem::find(&page[from..], end)?;
    Some((&page[from..to], to + end.len()))
}

/// The number that is all of a path but its final slash.
fn number(path: &[u8]) -> Option<&str> {
    let number = str::from_utf8(path.strip_suffix(b"/")?).ok()?;
    let is_number = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
    is_number.then_some(number)
}

/// Whether links have the escapes of markup. JSON and tables have none in addresses, in which `&amp;` is a name.
fn has_escapes(kind: BodyKind) -> bool {
    matches!(kind, BodyKind::Html | BodyKind::Xml | BodyKind::Svg)
}

/// A link without the escapes of its body. Each escape is read once: `&#38;amp;` is `&amp;`.
fn link_text(text: &[u8], kind: BodyKind) -> Cow<'_, str> {
    const ESCAPES: [(&str, char); 6] = [
        ("&#39;", '\''),
        ("&#34;", '"'),
        ("&#60;", '<'),
        ("&#62;", '>'),
        ("&#38;", '&'),
        ("&amp;", '&'),
    ];
    let text = String::from_utf8_lossy(text);
    if !has_escapes(kind) || !text.contains('&') {
        return text;
    }
    let mut plain = String::with_capacity(text.len());
    let mut rest = &*text;
    while let Some(at) = rest.find('&') {
        let (before, escape) = rest.split_at(at);
        plain.push_str(before);
        let known = ESCAPES.iter().find(|(known, _)| escape.starts_with(known));
        let (length, char) = known.map_or((1, '&'), |(known, char)| (known.len(), *char));
        plain.push(char);
        rest = &escape[length..];
    }
    (plain + rest).into()
}

/// Removes the link whose start was written; `at` is its end. Returns where to continue.
fn without_link(out: &mut Vec<u8>, body: &[u8], at: usize, kind: BodyKind) -> usize {
    let quote = body.get(at) == Some(&b'"') && out.last() == Some(&b'"');
    match kind {
        BodyKind::Json if quote => {
            out.pop();
            out.extend_from_slice(b"null");
            at + 1
        }
        BodyKind::Html if quote => without_attribute(out, body, at + 1),
        _ => at,
    }
}

/// Elements that are nothing without their link: their start before it, the rest of it, their end, and what replaces them.
const LINKS_ONLY: [[&[u8]; 4]; 3] = [
    [b"<li><a", b"", b"</a></li>", b""],
    // Of some lists only the first pages are written, and of some strings none.
    [
        b" <a",
        b" rel=\"next\"",
        b"</a>",
        b" <span>Next: left out of this site</span>",
    ],
    [b" <a", b" rel=\"last\"", b"</a>", b""],
];

/// Removes an attribute, whose name was written, and an element that is nothing without it.
fn without_attribute(out: &mut Vec<u8>, body: &[u8], at: usize) -> usize {
    let name = out.iter().rposition(|byte| *byte == b' ');
    out.truncate(name.unwrap_or(out.len()));
    let rest = &body[at..];
    for [start, more, end, instead] in LINKS_ONLY {
        if !out.ends_with(start) || !rest.starts_with(more) {
            continue;
        }
        let close = memchr::memmem::find(rest, b"</a>");
        if let Some(close) = close.filter(|close| rest[*close..].starts_with(end)) {
            out.truncate(out.len() - start.len());
            out.extend_from_slice(instead);
            return at + close + end.len();
        }
    }
    at
}

#[cfg(test)]
#[path = "rewrite_tests.rs"]
mod tests;
