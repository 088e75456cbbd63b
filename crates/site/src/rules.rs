//! Which addresses become files, and which need a server (docs/spec/site.md#contents).

use std::collections::{HashMap, HashSet};

use super::address::Target;
use super::options::{Changes, SiteOptions, Strings};
use gitglot_catalog::scan::Budget;
use gitglot_catalog::{Snapshot, TranslationView, UnitView};
use gitglot_model::checksum;
use gitglot_web::paths;

/// The file of the page that searches, which the site writes itself.
pub(crate) const SEARCH_FILE: &str = "search/index.html";

/// Pages of each list of changes, if not all are written.
const RECENT_PAGES: u64 = 5;
/// Pages of the lists of authors, whose entries are in other lists, too.
const RECENT_PAGES_OF_AUTHOR: u64 = 1;

/// How links in a file are written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum BodyKind {
    /// Links without a target lose their attribute.
    Html,
    /// Links without a target are null.
    Json,
    /// Feeds and the list of pages: all links are absolute.
    Xml,
    Svg,
    /// Other texts with links.
    Text,
    /// Files without links.
    Binary,
}

pub(crate) struct Rules<'a> {
    snapshot: &'a Snapshot,
    options: &'a SiteOptions,
    attention: Attention,
}

/// The strings that need work: stale ones, those without a translation, and those that fail a check.
#[derive(Default)]
struct Attention {
    /// Checksums by `project/component/language`.
    checksums: HashMap<String, HashSet<String>>,
    units: HashSet<u32>,
}

impl Attention {
    fn of(snapshot: &Snapshot) -> Self {
        let mut found = Self::default();
        for view in snapshot.translations_from(0).map(TranslationView::revised) {
            let mut checksums = HashSet::new();
            for unit in attention_units(view) {
                found.units.insert(unit.unit.id.0);
                checksums.insert(checksum(unit.source.id_hash));
            }
            let code = &view.translation.language.code;
            let path = [&*view.component.path(), "/", code].concat();
            found.checksums.insert(path, checksums);
        }
        found
    }
}

/// The units of a translation that need work.
pub(crate) fn attention_units(view: TranslationView<'_>) -> Vec<UnitView<'_>> {
    let budget = Budget::unlimited();
    let failures = view.check_results(&budget);
    let needs_work = |unit: &UnitView<'_>| {
        let is_failing = !failures.of_row(unit.row).is_empty();
        !unit.unit.translated() || is_failing || gitglot_web::has_fault(*unit, &budget)
    };
    view.units_from(0).filter(needs_work).collect()
}

/// Endings of files that browsers never run. They run scripts in XML and HTML, so that other files become plain text.
const DATA: [&str; 11] = [
    ".json",
    ".jsonc",
    ".json5",
    ".arb",
    ".po",
    ".pot",
    ".yaml",
    ".yml",
    ".properties",
    ".strings",
    ".ftl",
];

impl<'a> Rules<'a> {
    pub(crate) fn new(snapshot: &'a Snapshot, options: &'a SiteOptions) -> Self {
        let attention = match options.strings {
            Strings::Attention => Attention::of(snapshot),
            Strings::All | Strings::Packed | Strings::None => Attention::default(),
        };
        Self {
            snapshot,
            options,
            attention,
        }
    }

    /// The URL of the site, with a final slash.
    pub(crate) fn address(&self) -> Option<&str> {
        self.options.base_url.as_deref()
    }

    /// The addresses where reading starts; links lead to all others.
    pub(crate) fn starts(&self) -> Vec<Target> {
        let map = self.address().map(|_| "/sitemap.xml");
        let api = self.options.api.then_some("/api/");
        let starts = ["/"].into_iter().chain(api).chain(map);
        starts.map(Target::parse).collect()
    }

    /// The address with the same content that has a file. Filters of changes that select everything are left out; with a
    /// language they are added, because the log of a translation is at hand.
    pub(crate) fn canonical(&self, mut target: Target) -> Target {
        if target.path != paths::CHANGES || target.value("user").is_some() {
            return target;
        }
        let mut projects = self.snapshot.projects();
        let only = projects.next().filter(|_| projects.len() == 0);
        let project = target.value("project").map(str::to_owned);
        let project = project.or(only.map(|only| only.slug.to_string()));
        let projects = project.iter();
        let components = projects.flat_map(|project| self.snapshot.components_of(project));
        let components: Vec<String> = components.map(|of| of.component.slug.to_string()).collect();
        let component = target.value("component").map(str::to_owned);
        let is_language = target.value("lang").is_some();
        let implied = match components.as_slice() {
            [component] => Some(component.clone()),
            _ => None,
        };
        if is_language {
            target.set("component", component.or(implied));
            target.set("project", project);
        } else {
            target.set("component", component.filter(|_| implied.is_none()));
            target.set("project", project.filter(|_| only.is_none()));
        }
        target
    }

    /// Whether a page of a list of changes is among those that are written.
    fn is_recent(&self, target: &Target) -> bool {
        let page = target.value("page");
        let page = page.and_then(|page| page.parse::<u64>().ok());
        let most = match target.value("user") {
            Some(_) => RECENT_PAGES_OF_AUTHOR,
            None => RECENT_PAGES,
        };
        self.options.changes == Changes::All || page.is_none_or(|page| page <= most)
    }

    /// The file of an address, which has the response of the server unless it is [`SEARCH_FILE`]; `None` if it needs a
    /// server or is left out.
    pub(crate) fn published(&self, target: &Target) -> Option<String> {
        match target.parts().as_slice() {
            ["search"] => Some(SEARCH_FILE.to_owned()),
            ["changes"] if !self.is_recent(target) => None,
            ["compare" | "revisions" | "line" | "hooks", ..] => None,
            ["exports", "rss", ..] => self.address().map(|_| target.directory() + "index.xml"),
            ["exports", ..] if self.options.exports => Some(self.export(target)),
            ["download", project, component, language] => {
                self.download(target, project, component, Some(language))
            }
            ["exports" | "download", ..] => None,
            ["api", rest @ ..] if self.has_api() => self.api(target, rest),
            ["api", ..] => None,
            ["translate", project, component, language] => {
                self.page_of_strings(target, project, component, language)
            }
            _ if target.path.ends_with('/') => Some(target.directory() + "index.html"),
            _ => as_is(target),
        }
    }

    fn export(&self, target: &Target) -> String {
        let extension = match target.value("format") {
            Some("csv") => "csv",
            _ => "json",
        };
        [&*target.directory(), "index.", extension].concat()
    }

    /// A file of the repository has its own name there.
    fn download(
        &self,
        target: &Target,
        project: &str,
        component: &str,
        language: Option<&str>,
    ) -> Option<String> {
        if !self.options.exports || !target.pairs.is_empty() {
            return None;
        }
        // A group of files is none.
        let of = self.snapshot.component(project, component)?;
        if !of.component.filemask.names_files() {
            return None;
        }
        let path = match language {
            Some(language) => {
                let view = self.snapshot.translation(project, component, language)?;
                view.translation.path.to_string()
            }
            None => of.component.template.to_string(),
        };
        let name = path.rsplit('/').next().unwrap_or_default();
        let is_data = DATA.iter().any(|ending| name.ends_with(ending));
        let ending = if is_data { "" } else { ".txt" };
        Some(target.directory() + &super::address::file_name(&[name, ending].concat()))
    }

    fn api(&self, target: &Target, below: &[&str]) -> Option<String> {
        if !target.path.ends_with('/') {
            return as_is(target);
        }
        match below {
            ["docs"] => return Some(target.directory() + "index.html"),
            ["events"] => return None,
            ["translations", project, component, language, "file"] => {
                return self.download(target, project, component, Some(language));
            }
            ["components", project, component, "monolingual_base"] => {
                return self.download(target, project, component, None);
            }
            [
                "components",
                _,
                _,
                "new_template" | "revisions" | "compare",
                ..,
            ] => return None,
            ["units", id, ..] if !self.has_unit(id) => return None,
            ["changes", _, ..]
                if self.options.strings != Strings::All || self.options.changes != Changes::All =>
            {
                return None;
            }
            [.., "changes"] if !self.is_recent(target) => return None,
            ["sources", _, ..] if self.options.strings == Strings::None => return None,
            _ => {}
        }
        // Other representations than JSON are those of a server.
        let is_json = target.value("format").is_none();
        is_json.then(|| target.directory() + "index.json")
    }

    pub(crate) fn has_api(&self) -> bool {
        self.options.api
    }

    /// Whether the object of a unit is written.
    pub(crate) fn has_unit(&self, id: &str) -> bool {
        self.has_page_of_string(|attention| {
            id.parse().is_ok_and(|id| attention.units.contains(&id))
        })
    }

    /// A list of strings, or a string.
    fn page_of_strings(
        &self,
        target: &Target,
        project: &str,
        component: &str,
        language: &str,
    ) -> Option<String> {
        // The strings that no other filter lists need no attention.
        if self.strings() == Strings::None && target.value("type") == Some("translated") {
            return None;
        }
        let path = [project, component, language];
        let checksum = target.value("checksum");
        let is_written = checksum.is_none_or(|checksum| self.has_string(path, checksum));
        is_written.then(|| target.directory() + "index.html")
    }

    /// The strings whose pages are written.
    pub(crate) fn strings(&self) -> Strings {
        self.options.strings
    }

    /// Whether the page of a string is a file.
    pub(crate) fn has_string(&self, translation: [&str; 3], checksum: &str) -> bool {
        self.has_page_of_string(|attention| {
            let own = attention.checksums.get(&translation.join("/"));
            own.is_some_and(|own| own.contains(checksum))
        })
    }

    /// Whether a string has a page of its own; `needs_attention` looks it up.
    fn has_page_of_string(&self, needs_attention: impl FnOnce(&Attention) -> bool) -> bool {
        match self.options.strings {
            Strings::All => true,
            Strings::Packed | Strings::None => false,
            Strings::Attention => needs_attention(&self.attention),
        }
    }

    /// The badge that shows a page where it is shared: that of its project.
    pub(crate) fn picture(&self, target: &Target) -> Option<String> {
        let mut names = target.segments.iter().skip(1).map(String::as_str);
        let own = names.find(|name| self.snapshot.project(name).is_some());
        let first = || Some(self.snapshot.projects().next()?.slug.as_str());
        let project = own.or_else(first)?;
        let parameters = [project, "-", "287x66-grey.png"];
        Some(paths::link(paths::BADGE, &parameters))
    }
}

/// A path that names a file.
fn as_is(target: &Target) -> Option<String> {
    if !target.pairs.is_empty() {
        return None;
    }
    let directory = target.directory();
    directory.strip_suffix('/').map(str::to_owned)
}

/// How the links of a file are written.
pub(crate) fn kind_of(file: &str) -> BodyKind {
    if file.starts_with("download/") || file.starts_with("static/") {
        return BodyKind::Binary;
    }
    match file.rsplit('.').next() {
        Some("html") => BodyKind::Html,
        Some("json") => BodyKind::Json,
        Some("xml") => BodyKind::Xml,
        Some("svg") => BodyKind::Svg,
        Some("yaml" | "csv") => BodyKind::Text,
        _ => BodyKind::Binary,
    }
}
