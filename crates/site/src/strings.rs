//! The pages of strings. Each shows its string in all other languages, so the pages of a string are written together.

use super::address::{Target, file_name};
use super::error::SiteError;
use super::folder::{Entry, SiteFolder};
use super::rewrite::Rewriter;
use super::rules::{BodyKind, Rules};
use super::site::Strings;
use gitglot_catalog::{Snapshot, TranslationView};
use gitglot_web::{Hosting, StringPages, checksum};

/// The place of the other languages in a page; texts cannot contain it, because pages escape them.
const OTHERS: &str = "<!--others-->";

/// The pages of all strings that have one.
pub(crate) struct AllStrings<'a> {
    rules: &'a Rules<'a>,
    folder: &'a SiteFolder,
    components: Vec<StringPages<'a>>,
}

/// A string of a component, by its index.
#[derive(Clone, Copy, Debug)]
pub(crate) struct StringJob {
    component: usize,
    string: u32,
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
            components: snapshot.components().iter().map(|of| pages(of)).collect(),
        }
    }

    /// The strings whose pages are written.
    pub(crate) fn jobs(&self, strings: Strings) -> Vec<StringJob> {
        if strings == Strings::None {
            return Vec::new();
        }
        let of_component = |(component, pages): (usize, &StringPages<'_>)| {
            let first = pages.translations().next();
            let count = first.map_or(0, |view| view.component.sources.len());
            (0..count as u32).map(move |string| StringJob { component, string })
        };
        let components = self.components.iter().enumerate();
        components.flat_map(of_component).collect()
    }

    /// Writes the pages of a string. Returns the addresses of its units in the API.
    pub(crate) fn write(
        &self,
        StringJob { component, string }: StringJob,
        rewriter: &mut Rewriter<'_>,
        entries: &mut Vec<Entry>,
    ) -> Result<Vec<Target>, SiteError> {
        let mut units = Vec::new();
        let Some(pages) = self.components.get(component) else {
            return Ok(units);
        };
        let published: Vec<_> = pages
            .translations()
            .enumerate()
            .filter_map(|(at, view)| self.page_of(view, string).map(|page| (at, page)))
            .collect();
        let Some((_, first)) = published.first() else {
            return Ok(units);
        };
        // The links are the same in all languages.
        let place = [&*first.component, "~/", &*first.name].concat();
        let rows: Vec<Vec<u8>> = pages
            .siblings(string)
            .iter()
            .map(|row| rewriter.rewrite(row.as_bytes(), BodyKind::Html, &place))
            .collect();
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
            entries.push(self.folder.write(&file, &body)?);
            units.push(page.unit.clone());
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
        let is_written = self
            .rules
            .has_string([project, component, language], &checksum);
        if !is_written {
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
