//! The search of a site: a page, a script, and an index in parts that the script loads (docs/spec/site.md#search).

use askama::Template;
use serde::Serialize;

use super::address::{PACKED, file_name};
use super::error::SiteError;
use super::folder::SiteFolder;
use super::options::Strings;
use super::rules::attention_units;
use gitglot_catalog::{ComponentSnapshot, Snapshot, TranslationView};
use gitglot_model::{checksum, try_in_parallel};
use gitglot_web::{PageLayout, framed};

const SCRIPT: &str = include_str!("search.js");

#[derive(Template)]
#[template(path = "search.html")]
struct SearchPage {
    path: String,
    /// Values and names of options.
    projects: Vec<(String, String)>,
    languages: Vec<(String, String)>,
}

pub(crate) fn page(layout: PageLayout, snapshot: &Snapshot) -> String {
    let (projects, languages) = (snapshot.projects(), snapshot.languages().iter());
    let projects = projects.map(|project| (project.slug.to_string(), project.name.clone()));
    let languages = languages.map(|language| {
        (
            language.code.to_string(),
            language.display_name().to_string(),
        )
    });
    let main = SearchPage {
        path: layout.url(gitglot_web::paths::SEARCH),
        projects: projects.collect(),
        languages: languages.collect(),
    };
    framed(layout, "Search", &main)
}

#[derive(Serialize)]
struct Catalog<'a> {
    components: Vec<CatalogEntry<'a>>,
}

#[derive(Serialize)]
struct CatalogEntry<'a> {
    project: &'a str,
    name: String,
    /// The code of the source language.
    source: &'a str,
    /// The part with keys and source texts.
    file: String,
    /// Code, name, part with the texts, and directory of the pages; the source language is the first.
    languages: Vec<[String; 4]>,
}

#[derive(Serialize)]
struct Keys<'a> {
    checksums: Vec<String>,
    keys: Vec<&'a str>,
    sources: Vec<&'a str>,
}

/// The texts of a translation, and the strings that have a page, both by row of the component's strings.
#[derive(Serialize)]
struct Texts<'a> {
    pages: Pages,
    targets: Vec<&'a str>,
}

#[derive(Serialize)]
#[serde(untagged)]
enum Pages {
    AllOrNone(bool),
    /// The name of the directory of the page that shows all of them.
    Packed(&'static str),
    Some(Vec<u32>),
}

/// Writes the script and the index.
pub(crate) fn write(
    snapshot: &Snapshot,
    strings: Strings,
    folder: &SiteFolder,
    threads: usize,
) -> Result<(), SiteError> {
    let components = snapshot.components().iter();
    let components = components.map(|of| component(of, strings, folder, threads));
    let catalog = Catalog {
        components: components.collect::<Result<_, _>>()?,
    };
    let text = ["window.gitglotCatalog=", &script_json(&catalog)?, ";\n"].concat();
    folder.write("search/catalog.js", text.as_bytes())?;
    folder.write("search/search.js", SCRIPT.as_bytes())
}

fn component<'a>(
    of: &'a ComponentSnapshot,
    strings: Strings,
    folder: &SiteFolder,
    threads: usize,
) -> Result<CatalogEntry<'a>, SiteError> {
    let (project, slug) = (of.project.slug.as_str(), of.component.slug.as_str());
    let place = [&*file_name(project), "/", &*file_name(slug), "/"].concat();
    let text = |id| of.texts.get(id);
    let rows = of.sources.iter();
    let keys = Keys {
        checksums: rows.clone().map(|row| checksum(row.id_hash)).collect(),
        keys: rows.clone().map(|row| text(row.context)).collect(),
        sources: rows.map(|row| text(row.source)).collect(),
    };
    let part = |name: &str, content: String| -> Result<(), SiteError> {
        let text = format!("gitglotIndex({},{content});\n", script_json(&name)?);
        folder.write(&["search/", name].concat(), text.as_bytes())
    };
    let file = [&*place, "keys.js"].concat();
    part(&file, script_json(&keys)?)?;
    let mut views: Vec<TranslationView<'_>> = of.views().collect();
    views.sort_by_key(|view| !view.translation.is_template);
    let language = |view: TranslationView<'_>| -> Result<_, SiteError> {
        let code = view.translation.language.code.to_string();
        let name = file_name(&code);
        let texts = Texts {
            pages: pages(view, strings),
            // A bilingual file has some of the component's strings, in its own order.
            targets: (0..of.sources.len() as u32)
                .map(|string| view.unit_of_string(string))
                .map(|unit| unit.map_or("", |unit| text(unit.unit.target)))
                .collect(),
        };
        let file = [&*place, "texts/", &*name, ".js"].concat();
        part(&file, script_json(&texts)?)?;
        let directory = ["translate/", &*place, &*name, "/"].concat();
        let shown = view.translation.language.display_name().to_string();
        Ok([code, shown, file, directory])
    };
    let languages = try_in_parallel(views, threads, || &language)?;
    Ok(CatalogEntry {
        project,
        name: [&*of.project.name, ", ", &*of.component.name].concat(),
        source: &of.project.source_language,
        file,
        languages,
    })
}

/// The strings of a translation that have a page.
fn pages(view: TranslationView<'_>, strings: Strings) -> Pages {
    let has_all = view.translation.unit_count() == view.component.sources.len();
    let mut rows: Vec<u32> = match strings {
        Strings::None => return Pages::AllOrNone(false),
        Strings::Packed => return Pages::Packed(PACKED),
        Strings::All if has_all => return Pages::AllOrNone(true),
        Strings::All => view.units_from(0).map(|unit| unit.string()).collect(),
        Strings::Attention => {
            let units = attention_units(view);
            units.into_iter().map(|unit| unit.string()).collect()
        }
    };
    rows.sort_unstable();
    Pages::Some(rows)
}

/// JSON that is also a script: older browsers end its line at two characters.
pub(crate) fn script_json(value: &impl Serialize) -> Result<String, SiteError> {
    let text = serde_json::to_string(value)?;
    Ok(text
        .replace('\u{2028}', "\\u2028")
        .replace('\u{2029}', "\\u2029"))
}
