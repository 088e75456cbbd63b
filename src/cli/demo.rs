//! `gitglot demo`.

use anyhow::Context;

use super::DemoArgs;
use super::follow_setup::temporary_folder;
use super::serve::serve;
use crate::config::{Config, Target};
use crate::{demo, log};
use gitglot_follow::{ComponentConfig, ProjectConfig, RepoAddress};
use gitglot_model::{ComponentSettings, FileMask, Slug};

const NOT_UTF8: &str =
    "the path of the temporary directory is not UTF-8: set TMPDIR to a different directory";

/// Runs the command.
pub(super) fn run(args: DemoArgs) -> anyhow::Result<()> {
    let folder = temporary_folder()?;
    let repository = folder.path().to_str().context(NOT_UTF8)?.to_owned();
    let flags = args.flags(repository, folder.path().join("state"));
    let mut config = Config::load(flags.clone())?;
    config.target = Target::Projects(projects(folder.path())?.into());
    log::start_logging(config.settings.log_format, config.settings.log_level);
    serve(config, flags)
}

/// Writes the bundled repositories to a directory.
fn projects(folder: &std::path::Path) -> anyhow::Result<Vec<ProjectConfig>> {
    demo::DEMOS
        .iter()
        .map(|demo| {
            let path = folder.join(format!("{}.git", demo.project));
            demo.write(&path)
                .with_context(|| format!("cannot create the example {}", demo.project))?;
            let path = path.to_str().context(NOT_UTF8)?;
            let repo = RepoAddress::parse(path, folder)?;
            let (slug, mask) = (Slug::new(demo.component)?, FileMask::new(demo.filemask)?);
            let settings = ComponentSettings {
                name: demo.component_name.to_owned(),
                license: demo.license.to_owned(),
                ..ComponentSettings::new(slug, mask, demo.template, demo.file_format)
            };
            let component = ComponentConfig {
                branch: Some(demo.branch.to_owned()),
                ..ComponentConfig::new(repo, settings)
            };
            Ok(ProjectConfig {
                slug: Slug::new(demo.project)?,
                name: demo.project_name.to_owned(),
                web: demo.web.to_owned(),
                instructions: String::new(),
                source_language: demo.source_language.to_owned(),
                components: vec![component],
            })
        })
        .collect()
}
