//! The report of `gitglot discover` about a repository: the files of the components, those that do not parse, and
//! translations in other formats; and masks that several components share.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::fmt;

use super::candidates::extension;
use super::describe::Description;
use super::mask_index::MaskIndex;
use super::other_files::OtherFiles;
use super::syntax::syntaxes;
use super::terms::TermStatistics;
use super::tree_file::{ReadBlob, TreeFile};
use gitglot_follow::ComponentConfig;
use gitglot_formats::read_file;
use gitglot_model::{FileFormat, FileMask, counted, escape_line, is_active, language};

/// The files of a repository in relation to its components. `Display` gives lines.
#[derive(Debug)]
pub struct DiscoverReport {
    /// The number of components and of files, by format.
    formats: BTreeMap<&'static str, (usize, usize)>,
    /// The other files.
    rest: OtherFiles,
    /// Comments for a configuration file that suggest masks with placeholders, formats with plural forms and names that
    /// need no translation; empty if there are none.
    pub suggestions: String,
}

/// Examines all files of the components of a description of these files.
pub fn report(description: Description, files: &[TreeFile], read: ReadBlob<'_>) -> DiscoverReport {
    let Description { project, rest, .. } = description;
    let mut formats: BTreeMap<_, (usize, usize)> = BTreeMap::new();
    // Templates that do not parse have no component.
    let mut unreadable = rest.unreadable;
    let mut suggestions = shared_masks(&project.components);
    let mut terms = TermStatistics::default();
    let components = &project.components;
    let masks = MaskIndex::new(components.iter().map(|component| &component.filemask));
    let mut by_template: HashMap<&str, Vec<usize>> = HashMap::new();
    for (at, component) in components.iter().enumerate() {
        by_template.entry(&component.template).or_default().push(at);
    }
    let users = |path: &str| {
        let mut users = masks.matching(path);
        users.extend(by_template.get(path).into_iter().flatten());
        users.sort_unstable();
        users.dedup();
        users
    };
    let mut own_files = vec![Vec::new(); components.len()];
    for file in files {
        for at in users(&file.path) {
            own_files[at].push(file);
        }
    }
    for (component, mut own) in components.iter().zip(own_files) {
        let count = formats.entry(component.file_format.name()).or_default();
        count.0 += 1;
        if component.filemask.has_groups() {
            own.retain(|file| component.file_format.has_name(&file.path));
        }
        if !component.filemask.names_files() {
            count.1 += own.len();
            continue;
        }
        own.sort_by_key(|file| file.path != component.template);
        suggestions.extend(guessed_template(component));
        suggestions.extend(variants(component, &project.source_language, &own));
        terms.next_template();
        for file in own {
            count.1 += 1;
            let Some(bytes) = read(file.blob) else {
                continue;
            };
            let is_template = file.path == component.template;
            let with_pipes = match component.file_format {
                FileFormat::Json if is_template => Some(FileFormat::VueI18n),
                FileFormat::JavaScript if is_template => Some(FileFormat::VueI18nModule),
                _ => None,
            };
            let mut rows = Vec::new();
            let parsed = read_file(component.file_format, &bytes, &mut |entry| {
                if with_pipes.is_some() {
                    rows.push(entry.text.to_owned());
                }
                if is_template {
                    terms.add_source(entry.context, entry.text)
                } else {
                    terms.add_translation(entry.context, entry.text)
                }
            });
            let plurals =
                with_pipes.and_then(|pipes| plural_hint(&component.template, &rows, pipes));
            suggestions.extend(plurals);
            if let Err(error) = parsed {
                unreadable.insert(file.path.clone(), error.to_string());
            }
        }
    }
    suggestions.extend(ignored_terms(&terms.names()));
    suggestions += &syntaxes(components, files, read);
    let new_bases = components.iter().map(|component| &*component.new_base);
    let new_bases: HashSet<&str> = new_bases.collect();
    let is_used = |path: &str| new_bases.contains(path) || !users(path).is_empty();
    DiscoverReport {
        formats,
        rest: OtherFiles::of(files, is_used, unreadable),
        suggestions,
    }
}

/// Names a template that no name indicates.
fn guessed_template(component: &ComponentConfig) -> Option<String> {
    component.is_template_guessed.then(|| {
        let [mask, template] = [component.filemask.as_str(), &component.template].map(escape_line);
        format!(
            "\n# No file of {mask} is named like a template, so the source texts are taken from {template}: set the \
             template if they are elsewhere.\n"
        )
    })
}

/// Names the files with the language of a template next to it.
fn variants(
    component: &ComponentConfig,
    source_language: &str,
    files: &[&TreeFile],
) -> Option<String> {
    let template = component.template.as_str();
    let mask = &component.filemask;
    let language_of = |code: &str| language::resolve(code).code;
    let language = language_of(mask.matches(template).unwrap_or(source_language));
    let is_variant = |path: &str| {
        let code = mask.matches(path).filter(|_| path != template);
        code.is_some_and(|code| language_of(code) == language)
    };
    let paths = files.iter().map(|file| file.path.as_str());
    let variants = paths.filter(|path| is_variant(path));
    let found: Vec<_> = variants.map(escape_line).collect();
    (!template.is_empty() && !found.is_empty()).then(|| {
        format!(
            "\n# {} has the language of the template {}, so it is a variant: a server uses only the template.\n",
            found.join(", "),
            escape_line(template)
        )
    })
}

/// Suggests the format with plural forms that the entries of a template may have.
fn plural_hint(template: &str, rows: &[String], format: FileFormat) -> Option<String> {
    let mut piped = rows.iter().filter(|text| text.contains(" | "));
    // One such text can be a title.
    let (first, _) = (piped.next()?, piped.next()?);
    let example: String = first.chars().take(60).collect();
    Some(format!(
        "\n# {} may have plural forms with '|', such as {}. To read them as one string:\n\
         #file_format = \"{}\"\n",
        escape_line(template),
        quoted(&example),
        format.name()
    ))
}

/// Suggests names that need no translation.
fn ignored_terms(names: &[&str]) -> Option<String> {
    let names: Vec<String> = names.iter().map(|name| quoted(name)).collect();
    (!names.is_empty()).then(|| {
        format!(
            "\n# Nearly all translations keep these names. To report no translation that equals one of them:\n\
             #[check]\n#ignore_terms = [{}]\n",
            names.join(", ")
        )
    })
}

impl fmt::Display for DiscoverReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (format, &(components, files)) in &self.formats {
            let (files, components) = (counted(files, "file"), counted(components, "component"));
            writeln!(f, "{format}: {files} in {components}")?;
        }
        for problem in self.rest.problems() {
            writeln!(f, "{}", escape_line(&problem))?;
        }
        Ok(())
    }
}

/// A TOML string on one line. A line break in the name of a file would end the comment.
fn quoted(text: &str) -> String {
    let mut out = String::new();
    // TOML has the escapes of JSON.
    for char in serde_json::Value::from(text).to_string().chars() {
        if is_active(char) {
            out.push_str(&format!("\\U{:08x}", u32::from(char)))
        } else {
            out.push(char)
        }
    }
    out
}

/// Suggests the masks with placeholders that describe at least two components.
fn shared_masks(components: &[ComponentConfig]) -> String {
    let mut groups: BTreeMap<(String, String, &str), Vec<FileFormat>> = BTreeMap::new();
    for component in components {
        for (filemask, template) in generalized(&component.filemask, &component.template) {
            // Both formats of Java files read both encodings.
            let normalized = match component.file_format {
                FileFormat::Properties => FileFormat::PropertiesUtf8,
                format => format,
            };
            let group = groups.entry((filemask, template, normalized.name()));
            group.or_default().push(component.file_format);
        }
    }
    let shared = groups.iter().filter(|(_, formats)| formats.len() > 1);
    let lines = shared.map(|((filemask, template, normalized), formats)| {
        let format = match formats.split_first() {
            Some((first, others)) if others.iter().all(|other| other == first) => first.name(),
            _ => *normalized,
        };
        let count = formats.len();
        format!(
            "\n# {count} of these components can be one, which includes files that are added later:\n\
             #filemask = {}\n{}#file_format = \"{format}\"\n",
            quoted(filemask),
            match template.as_str() {
                "" => String::new(),
                template => format!("#template = {}\n", quoted(template)),
            }
        )
    });
    lines.collect()
}

/// All masks and templates with `{language}` in place of `*` and `{name}` in place of one other part of the path: a
/// directory, or the file name without its ending.
fn generalized(mask: &FileMask, template: &str) -> Vec<(String, String)> {
    let mask = mask.as_str();
    // A text in braces is no name.
    if mask.matches('*').count() != 1 || mask.contains(['{', '}', '?', '[']) {
        return Vec::new();
    }
    let mask_parts: Vec<&str> = mask.split('/').collect();
    // Files that have their own source texts have no template.
    let template_parts: Vec<&str> = match template {
        "" => Vec::new(),
        _ => template.split('/').collect(),
    };
    if !template_parts.is_empty() && mask_parts.len() != template_parts.len() {
        return Vec::new();
    }
    let last = mask_parts.len() - 1;
    let named = |at: usize| {
        let part = mask_parts[at];
        if part.contains('*') {
            return None;
        }
        let part = match extension(part).filter(|_| at == last) {
            Some(extension) => part.strip_suffix(extension)?,
            None => part,
        };
        let replaced = |parts: &[&str]| {
            if parts.is_empty() {
                return Some(String::new());
            }
            let mut parts: Vec<String> = parts.iter().map(|part| (*part).to_owned()).collect();
            let named = parts.get_mut(at)?;
            *named = format!("{{name}}{}", named.strip_prefix(part)?);
            Some(parts.join("/"))
        };
        let (mask, template) = (replaced(&mask_parts)?, replaced(&template_parts)?);
        Some((mask.replace('*', "{language}"), template))
    };
    (0..=last).filter_map(named).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use gitglot_follow::{ProjectConfig, RepoAddress};
    use gitglot_model::{BlobId, ComponentSettings, Slug};

    fn project(rows: &[(&str, &str)]) -> ProjectConfig {
        let slug = Slug::new("app").unwrap();
        let repo = RepoAddress::parse("/r", std::path::Path::new("/")).unwrap();
        let component = |&(mask, template): &(&str, &str)| {
            let mask = FileMask::new(mask).unwrap();
            let format = FileFormat::Json;
            let settings = ComponentSettings::new(slug.clone(), mask, template, format);
            ComponentConfig::new(repo.clone(), settings)
        };
        ProjectConfig {
            slug: slug.clone(),
            name: "app".to_owned(),
            web: String::new(),
            instructions: String::new(),
            source_language: "en".to_owned(),
            components: rows.iter().map(component).collect(),
        }
    }

    #[test]
    fn names_of_files_cannot_end_a_comment() {
        let folder = "l\r\ncredential_helper = \"!x\"\n\\\u{7f}\u{2028}\u{e0001}#";
        let path = |name: &str| format!("{folder}/{name}.json");
        let [a, a_en, b, b_en] = ["a/*", "a/en", "b/*", "b/en"].map(path);
        let shared = shared_masks(&project(&[(&a, &a_en), (&b, &b_en)]).components);
        let rows = [path("k"), path("k")].map(|path| path + " | x");
        let text = shared + &plural_hint(&a_en, &rows, FileFormat::VueI18n).unwrap();
        assert!(
            text.lines()
                .all(|line| line.is_empty() || line.starts_with('#')),
            "{text}"
        );
        assert!(!text.replace('\n', "").contains(is_active), "{text:?}");
        // Without the marks of the comments, it is a table of a component.
        let lines = text.lines().filter_map(|line| line.strip_prefix('#'));
        let settings: String = lines
            .filter(|line| !line.starts_with(' '))
            .take(2)
            .map(|line| line.to_owned() + "\n")
            .collect();
        let table: toml::Table = settings.parse().unwrap();
        assert_eq!(
            table["filemask"].as_str(),
            Some(&*path("{name}/{language}"))
        );
        assert_eq!(table["template"].as_str(), Some(&*path("{name}/en")));
    }

    #[test]
    fn components_that_differ_in_one_part_share_a_mask() {
        let suggested = |rows: &[(&str, &str)]| shared_masks(&project(rows).components);
        let mask = |filemask: &str, template: &str| {
            format!(
                "\n# 2 of these components can be one, which includes files that are added later:\n\
                 #filemask = \"{filemask}\"\n#template = \"{template}\"\n#file_format = \"json\"\n"
            )
        };
        assert_eq!(
            suggested(&[
                ("locales/*/common.json", "locales/en/common.json"),
                ("locales/*/errors.json", "locales/en/errors.json"),
                ("packages/a/i18n/*.json", "packages/a/i18n/en.json"),
                ("packages/b/i18n/*.json", "packages/b/i18n/en.json"),
                ("packages/c/i18n/*.json", "packages/c/i18n/source.json"),
                ("other/*/x.json", "other/en/x.json"),
            ]),
            mask("locales/{language}/{name}.json", "locales/en/{name}.json")
                + &mask(
                    "packages/{name}/i18n/{language}.json",
                    "packages/{name}/i18n/en.json"
                )
        );
        assert_eq!(suggested(&[("a/*.json", "a/en.json")]), "");
    }

    #[test]
    fn tables_of_java_share_a_mask_in_any_encoding() {
        let repo = RepoAddress::parse("/r", std::path::Path::new("/")).unwrap();
        let table = |(name, format): (&str, FileFormat)| {
            let mask = FileMask::new(&format!("{name}/text_*.properties")).unwrap();
            let template = format!("{name}/text.properties");
            let slug = Slug::new(name).unwrap();
            ComponentConfig::new(
                repo.clone(),
                ComponentSettings::new(slug, mask, &template, format),
            )
        };
        let (other, utf8) = (FileFormat::Properties, FileFormat::PropertiesUtf8);
        for (formats, format) in [
            ([other, utf8], "properties-utf8"),
            ([utf8, other], "properties-utf8"),
            ([utf8, utf8], "properties-utf8"),
            ([other, other], "properties"),
        ] {
            let [a, b] = formats;
            assert_eq!(
                shared_masks(&[("a", a), ("b", b)].map(table)),
                format!(
                    "\n# 2 of these components can be one, which includes files that are added later:\n\
                     #filemask = \"{{name}}/text_{{language}}.properties\"\n\
                     #template = \"{{name}}/text.properties\"\n#file_format = \"{format}\"\n"
                )
            );
        }
    }

    #[test]
    fn plural_forms_of_other_formats_are_named() {
        let rows =
            |texts: &[&str]| -> Vec<String> { texts.iter().map(|text| (*text).into()).collect() };
        let hint = |texts: &[&str]| plural_hint("en.json", &rows(texts), FileFormat::VueI18n);
        assert!(
            hint(&["one | more", "no | one | more"])
                .unwrap()
                .contains("vue-i18n")
        );
        assert_eq!(hint(&["Home | Site", "x"]), None);
    }

    #[test]
    fn a_report_counts_formats_and_names_broken_files() {
        let paths = ["l/en.json", "l/cs.json", "l/de.json", "po/cs.mo"];
        let files: Vec<TreeFile> = (0..)
            .zip(paths)
            .map(|(number, path)| TreeFile {
                path: path.to_owned(),
                blob: BlobId([number; 20]),
            })
            .collect();
        let texts: [&[u8]; 4] = [b"{}", b"{\n,}", b"{}", b""];
        let mut read = |blob: BlobId| Some(texts[usize::from(blob.0[0])].to_vec());
        let description = Description {
            project: project(&[("l/*.json", "l/en.json")]),
            rest: OtherFiles::default(),
            left_out: <_>::default(),
        };
        let report = report(description, &files, &mut read);
        assert_eq!(
            report.to_string(),
            "json: 3 files in 1 component\n1 .mo file: format not supported\n\
             l/cs.json: line 2, column 1: expected a name in double quotes or '}', found ','\n"
        );
        assert_eq!(report.suggestions, "");
    }
}
