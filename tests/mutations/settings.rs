//! Configurations that fit a repository or not, the configuration file, and detection without one.

use std::path::Path;
use std::sync::Arc;

use gitglot::config::{Config, ConfigFlags, TargetArgs, to_toml};
use gitglot::discover;
use gitglot_follow::{ComponentConfig, ProjectConfig, RepoAddress};
use gitglot_git::{EntryKind, GitError, Repository};
use gitglot_model::{CommitId, ComponentSettings, FileFormat, FileMask, Slug};

use super::random::Chance;
use super::texts;

const MASKS: [&str; 10] = [
    "*",
    "*.json",
    "*/*.json",
    "locales/*",
    "locales/*.json",
    "src/_locales/*/messages.json",
    "**/*.json",
    "[!a-d]*.json",
    "locales/[*.json",
    "locales/?*.jso?",
];
const TEMPLATES: [&str; 8] = [
    "",
    "/",
    "..",
    "locales",
    "locales/en.json",
    "locales/cs.json",
    "../../x",
    "locales/\u{1}.json",
];
const LANGUAGES: [&str; 6] = [
    "en",
    "cs",
    "zh_Hant",
    "no such language",
    "\u{11b}",
    "EN_us",
];
const NAMES: [&str; 5] = ["TestSite", "", "<b>&amp;", "\u{202e}\u{0}", "a\nb"];

/// The known facts about a repository.
pub struct About {
    /// Which files are translations.
    pub mask: &'static str,
    /// The template.
    pub template: &'static str,
    /// The file format.
    pub format: FileFormat,
}

/// A correctly configured component.
fn fitting(repository: &Path, about: &About) -> ComponentConfig {
    let repository = RepoAddress::parse(repository.to_str().unwrap(), Path::new("/")).unwrap();
    let mask = FileMask::new(about.mask).unwrap();
    let slug = Slug::new("app").unwrap();
    let settings = ComponentSettings::new(slug, mask, about.template, about.format);
    ComponentConfig {
        branch: Some("main".to_owned()),
        ..ComponentConfig::new(repository, settings)
    }
}

fn changed(mut it: ComponentConfig, chance: &mut Chance) -> ComponentConfig {
    let settings = &mut it.settings;
    match chance.below(10) {
        0 => settings.filemask = FileMask::new(chance.of(&MASKS)).unwrap(),
        1 => settings.template = chance.of(&TEMPLATES).to_owned(),
        2 => settings.file_format = chance.of(&[FileFormat::Json, FileFormat::WebExtension]),
        3 => {
            it.branch = chance
                .of(&[None, Some("main"), Some("gone"), Some(""), Some("..")])
                .map(str::to_owned)
        }
        4 => settings.new_base = chance.of(&TEMPLATES).to_owned(),
        5 => settings.name = chance.of(&NAMES).to_owned(),
        6 => {
            let masks = (0..chance.below(3)).map(|_| FileMask::new(chance.of(&MASKS)).unwrap());
            settings.previous_filemasks = masks.collect();
        }
        7 => {
            settings.platforms = vec![
                chance.of(&NAMES).to_owned(),
                chance.of(&["", "a", "Example Maintainer"]).to_owned(),
            ]
        }
        8 => settings.renames = false,
        _ => {
            (settings.license, settings.license_url) =
                (chance.of(&NAMES).to_owned(), chance.of(&NAMES).to_owned())
        }
    }
    it
}

/// A project with one or two components, with correct or wrong settings.
pub fn project(repository: &Path, about: &About, chance: &mut Chance) -> ProjectConfig {
    let mut component = fitting(repository, about);
    if chance.one_in(3) {
        for _ in 0..1 + chance.below(3) {
            component = changed(component, chance);
        }
    }
    let mut components = vec![component];
    if chance.one_in(8) {
        let mut second = changed(fitting(repository, about), chance);
        second.settings.slug = Slug::new("second").unwrap();
        components.push(second);
    }
    let source_language = if chance.one_in(8) {
        chance.of(&LANGUAGES)
    } else {
        "en"
    };
    ProjectConfig {
        slug: Slug::new("garden").unwrap(),
        name: chance.of(&NAMES).to_owned(),
        web: String::new(),
        instructions: String::new(),
        source_language: source_language.to_owned(),
        components,
    }
}

/// Reads the configuration file of a project with a few changes, which may be invalid.
pub fn file(project: &ProjectConfig, folder: &Path, chance: &mut Chance) {
    let text = to_toml(std::slice::from_ref(project)).unwrap();
    let times = 1 + chance.below(4);
    let path = folder.join("gitglot.toml");
    std::fs::write(&path, texts::changed(text.into_bytes(), times, chance)).unwrap();
    let mut target = TargetArgs::default();
    target.source.config = Some(path);
    if let Err(error) = Config::load(ConfigFlags {
        target,
        ..ConfigFlags::default()
    }) {
        assert!(!error.to_string().is_empty());
    }
}

/// Detects the translation files of a commit.
///
/// # Errors
/// When the repository or its directories cannot be read.
pub fn found(repository: &Path, commit: CommitId) -> Result<usize, GitError> {
    let repository = Repository::open(repository)?;
    let mut reader = repository.reader();
    let tree = reader.commit_header(commit)?.tree;
    let mut files = Vec::new();
    for entry in reader.list_files(tree, "")? {
        if let (EntryKind::File(blob), Ok(path)) =
            (entry.kind, String::from_utf8(entry.path.into_vec()))
        {
            files.push(discover::TreeFile { path, blob });
        }
    }
    let mut read = |blob| reader.blob(blob).ok().map(Arc::unwrap_or_clone);
    Ok(discover::detect_components(&files, &mut read).0.len())
}
