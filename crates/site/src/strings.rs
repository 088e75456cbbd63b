//! The pages of strings. Each shows its string in all other languages, so the pages of a string are written together.
//!
//! Packed, the main parts of the pages of a translation are in shards, scripts with a part of the strings each. One page
//! for each translation shows the string that the fragment of its address names (docs/spec/site.md#packed-strings).

use std::ops::Range;

use askama::Template;
use serde::Serialize;

use super::address::{PACKED, Target, file_name};
use super::error::SiteError;
use super::folder::SiteFolder;
use super::options::Strings;
use super::rewrite::Rewriter;
use super::rules::{BodyKind, Rules};
use super::search::script_json;
use gitglot_catalog::{Snapshot, TranslationView};
use gitglot_model::checksum;
use gitglot_web::{Hosting, PageLayout, StringPages, framed};

/// The place of the other languages in a page; texts cannot contain it, because pages escape them.
const OTHERS: &str = "<!--others-->";

/// The script of pages that show packed strings.
pub(crate) const PACKED_SCRIPT: (&str, &str) = ("search/string.js", include_str!("string.js"));
/// Number of strings in a shard.
const SHARD: u32 = 50;

/// A page that shows packed strings.
#[derive(Template)]
#[template(path = "string.html")]
struct PackedPage<'a> {
    /// The name of the translation.
    name: &'a str,
    /// The address of the list of its strings.
    list: String,
    /// The index of the translation in the shards of other languages.
    index: usize,
}

/// The pages of all strings that have one.
pub(crate) struct AllStrings<'a> {
    rules: &'a Rules<'a>,
    folder: &'a SiteFolder,
    components: Vec<StringPages<'a>>,
    layout: PageLayout,
}

/// Strings of a component, by their indexes: one, or those of a shard.
#[derive(Clone, Debug)]
pub(crate) struct StringJob {
    component: usize,
    strings: Range<u32>,
}

impl<'a> AllStrings<'a> {
    /// `base` and `hosting` are those of the endpoint.
    pub(crate) fn new(
        snapshot: &'a Snapshot,
        rules: &'a Rules<'a>,
        folder: &'a SiteFolder,
        base: &'a str,
        hosting: Hosting,
    ) -> Self {
        let pages = |of| StringPages::new(snapshot, of, base, hosting);
        Self {
            rules,
            folder,
            layout: PageLayout::below(base).hosted(hosting),
            components: snapshot.components().iter().map(|of| pages(of)).collect(),
        }
    }

    /// The strings whose pages are written.
    pub(crate) fn jobs(&self, strings: Strings) -> Vec<StringJob> {
        let step = match strings {
            Strings::All | Strings::Attention => 1,
            Strings::Packed => SHARD,
            Strings::None => return Vec::new(),
        };
        let of_component = |(component, pages): (usize, &StringPages<'_>)| {
            let first = pages.translations().next();
            let count = first.map_or(0, |view| view.component.sources.len()) as u32;
            let starts = (0..count).step_by(step as usize);
            starts.map(move |start| StringJob {
                component,
                strings: start..count.min(start + step),
            })
        };
        let components = self.components.iter().enumerate();
        components.flat_map(of_component).collect()
    }

    /// Writes the files of strings. Returns the addresses of their units in the API.
    pub(crate) fn write(
        &self,
        job: StringJob,
        rewriter: &mut Rewriter<'_>,
    ) -> Result<Vec<Target>, SiteError> {
        let mut units = Vec::new();
        let Some(pages) = self.components.get(job.component) else {
            return Ok(units);
        };
        if self.rules.strings() == Strings::Packed {
            self.pack(pages, job.strings, rewriter)?;
            return Ok(units);
        }
        for string in job.strings {
            units.extend(self.pages(pages, string, rewriter)?);
        }
        Ok(units)
    }

    /// Writes the shards of some strings of a component, and with the first ones the pages that show them.
    fn pack(
        &self,
        pages: &StringPages<'_>,
        strings: Range<u32>,
        rewriter: &mut Rewriter<'_>,
    ) -> Result<(), SiteError> {
        let views: Vec<TranslationView<'_>> = pages.translations().collect();
        let Some(of) = views.first().map(|view| view.component) else {
            return Ok(());
        };
        let names = [of.project.slug.as_str(), of.component.slug.as_str()];
        let directory = ["translate/", &*names.map(file_name).join("/"), "/"].concat();
        let shard = strings.start / SHARD;
        if shard == 0 {
            self.packed_pages(&directory, &views, rewriter)?;
        }
        let place = [&*directory, "~/", PACKED, "/index.html"].concat();
        let mut others = Vec::new();
        for string in strings.clone() {
            let rows = pages.siblings(string).into_iter();
            let rows = rows.map(|row| rewriter.text(&row, &place));
            others.push(rows.collect::<Vec<String>>());
        }
        let file = format!("{directory}~others/{shard}.js");
        self.shard(&file, "gitglotOthers", shard, &others)?;
        for (at, view) in views.iter().enumerate() {
            let language = file_name(&view.translation.language.code);
            let folder = [&*directory, &*language, "/", PACKED, "/"].concat();
            let page = [&*folder, "index.html"].concat();
            let main_of = |string| {
                let html = pages.page(at, string, OTHERS)?;
                Some(rewriter.text(main_part(&html)?, &page))
            };
            let mains: Vec<Option<String>> = strings.clone().map(main_of).collect();
            let file = format!("{folder}{shard}.js");
            self.shard(&file, "gitglotStrings", shard, &mains)?;
        }
        Ok(())
    }

    /// Writes the pages that show the strings of a component, and the list of all of them.
    fn packed_pages(
        &self,
        directory: &str,
        views: &[TranslationView<'_>],
        rewriter: &mut Rewriter<'_>,
    ) -> Result<(), SiteError> {
        for (index, view) in views.iter().enumerate() {
            let name = view.translation.language.display_name().to_string();
            let path = view.component.path_of(view.translation);
            let list = ["/translate/", &*path, "/"].concat();
            let main = PackedPage {
                name: &name,
                list: self.layout.url(&list),
                index,
            };
            let title = [&*name, " · ", &*view.component.component.name].concat();
            let html = framed(self.layout.clone(), &title, &main);
            let language = file_name(&view.translation.language.code);
            let file = [directory, &language, "/", PACKED, "/index.html"].concat();
            let body = rewriter.rewrite(html.as_bytes(), BodyKind::Html, &file);
            let body = rewriter.describe(body, &Target::parse(&list), &file);
            self.folder.write(&file, &body)?;
        }
        let sources = views.iter().take(1);
        let sources = sources.flat_map(|view| view.component.sources.iter());
        let checksums: Vec<String> = sources.map(|source| checksum(source.id_hash)).collect();
        let file = [directory, "~others/all.js"].concat();
        // Hexadecimal digits need no escapes.
        let list = checksums.join("\",\"");
        let script = format!("window.gitglotAll={{size:{SHARD},checksums:[\"{list}\"]}};\n");
        self.folder.write(&file, script.as_bytes())
    }

    /// Writes a script that hands over a part of the strings.
    fn shard(
        &self,
        file: &str,
        function: &str,
        number: u32,
        content: &impl Serialize,
    ) -> Result<(), SiteError> {
        let script = format!("{function}({number},{});\n", script_json(content)?);
        self.folder.write(file, script.as_bytes())
    }

    /// Writes the pages of a string. Returns the addresses of its units in the API.
    fn pages(
        &self,
        pages: &StringPages<'_>,
        string: u32,
        rewriter: &mut Rewriter<'_>,
    ) -> Result<Vec<Target>, SiteError> {
        let mut units = Vec::new();
        let views = pages.translations().enumerate();
        let published = views.filter_map(|(at, view)| Some((at, self.page_of(view, string)?)));
        let published: Vec<_> = published.collect();
        let Some((_, first)) = published.first() else {
            return Ok(units);
        };
        // The links are the same in all languages.
        let place = [&*first.component, "~/", &*first.name].concat();
        let rows = pages.siblings(string).into_iter();
        let rows = rows.map(|row| rewriter.rewrite(row.as_bytes(), BodyKind::Html, &place));
        let rows: Vec<Vec<u8>> = rows.collect();
        let size: usize = rows.iter().map(Vec::len).sum();
        for (at, page) in &published {
            let mut others = rows.iter().enumerate();
            let is_alone = others.all(|(other, row)| other == *at || row.is_empty());
            let marker = if is_alone { "" } else { OTHERS };
            let Some(html) = pages.page(*at, string, marker) else {
                continue;
            };
            let file = [&*page.component, &*page.language, "/", &*page.name].concat();
            let body = rewriter.rewrite(html.as_bytes(), BodyKind::Html, &file);
            let body = rewriter.describe(body, &page.target, &file);
            let others = rows.iter().enumerate();
            let others = others.filter(|(other, _)| other != at);
            let body = with_others(&body, others.map(|(_, row)| row.as_slice()), size);
            self.folder.write(&file, &body)?;
            if self.rules.has_api() {
                units.push(page.unit.clone());
            }
        }
        Ok(units)
    }

    /// The page of a string in a translation, if it is written.
    fn page_of(&self, view: TranslationView<'_>, string: u32) -> Option<StringPage> {
        let unit = view.unit_of_string(string)?;
        let path = view.component.path_of(view.translation);
        let checksum = checksum(unit.source.id_hash);
        let address = ["/translate/", &*path, "/?checksum=", &*checksum].concat();
        let target = Target::parse(&address);
        let [_, project, component, language] = target.parts()[..] else {
            return None;
        };
        let names = [project, component, language];
        if !self.rules.has_string(names, &checksum) {
            return None;
        }
        let component = [project, component].map(file_name).join("/");
        Some(StringPage {
            component: ["translate/", &*component, "/"].concat(),
            language: file_name(language),
            name: ["checksum=", &*checksum, "/index.html"].concat(),
            unit: Target::parse(&format!("/api/units/{}/", unit.unit.id.0)),
            target,
        })
    }
}

/// The page of a string in a translation.
struct StringPage {
    target: Target,
    /// The directory of the component.
    component: String,
    /// The name of the directory of the translation.
    language: String,
    /// The rest of the path.
    name: String,
    /// The unit in the API.
    unit: Target,
}

fn main_part(page: &str) -> Option<&str> {
    let (_, rest) = page.split_once("<main id=\"main\">")?;
    rest.rsplit_once("</main>").map(|(main, _)| main)
}

/// Puts the other languages in their place.
fn with_others<'r>(page: &[u8], others: impl Iterator<Item = &'r [u8]>, size: usize) -> Vec<u8> {
    let mut out = Vec::with_capacity(page.len() + size);
    let place = memchr::memmem::find(page, OTHERS.as_bytes());
    let (start, end) = match place {
        Some(place) => (&page[..place], &page[place + OTHERS.len()..]),
        None => (page, &[][..]),
    };
    out.extend_from_slice(start);
    if place.is_some() {
        others.for_each(|row| out.extend_from_slice(row));
    }
    out.extend_from_slice(end);
    out
}
