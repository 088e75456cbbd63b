//! `gitglot export`: all lists as files.

use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use clap::{Args, ValueEnum};
use futures_util::StreamExt;
use poem::http::StatusCode;
use poem::{Endpoint, Request, Response};

use super::follow_setup::{FollowSetup, async_runtime};
use super::output::{self, OutputFile};
use super::reading;
use crate::config::{BaseUrl, Config, DataArgs, ListenAddress, LogArgs, SourceArgs, TargetArgs};
use gitglot_api::{EXPORTS, Export, LinkConfig, schema_page};
use gitglot_model::counted;

/// The name of the page that describes the tables.
const SCHEMA_FILE: &str = "SCHEMA.md";

/// The part of `gitglot export --help` after the flags.
pub(super) const EXPORT_HELP: &str = "\
Reads the repositories once and writes projects, components, languages,
translations, sources, units, users, changes and renames, one file each,
and SCHEMA.md, which describes their columns. Existing files are replaced.

Ids are those of `gitglot serve` with the same state directory. While a
server uses that directory, download the lists from it instead:
  curl -o units.parquet 'http://HOST/api/units/?format=parquet'

Exit status:
  0  All files were written
  1  A file could not be written, or a component could not be read

Examples:
  gitglot export https://github.com/gorhill/uBlock --format parquet data
      Write data/units.parquet, data/changes.parquet, ...
  gitglot export --config gitglot.toml --format ndjson data
      Export several projects as JSON lines
  gitglot export --schema
      Print the page that describes the tables";

/// The arguments of `gitglot export`.
#[derive(Debug, Args)]
#[command(override_usage = "gitglot export [OPTIONS] [REPO] <DIR>\n       gitglot export --schema")]
pub struct ExportArgs {
    /// URL or path of a git repository [default: the repository that contains the current directory], and the directory
    /// for the files; it is created if missing
    // One argument with two values, which options may separate.
    #[arg(
        value_names = ["REPO", "DIR"],
        num_args = 1..=2,
        help_heading = "Arguments",
        required_unless_present = "schema"
    )]
    pub places: Vec<PathBuf>,
    /// The source of the data.
    #[command(flatten)]
    pub source: SourceArgs,
    /// The output.
    #[command(flatten)]
    pub output: OutputArgs,
    /// Settings of the data and its storage.
    #[command(flatten)]
    pub data: DataArgs,
    /// Settings of the log.
    #[command(flatten)]
    pub log: LogArgs,
}

/// The files that an export writes.
#[derive(Debug, Args)]
#[command(next_help_heading = "Output")]
pub struct OutputArgs {
    /// Format of the files
    #[arg(long, value_enum, default_value_t)]
    pub format: ExportFormat,
    /// Base URL of all links [default: http:// and the listen address of gitglot serve]
    #[arg(
        long,
        env = "GITGLOT_BASE_URL",
        value_name = "URL",
        hide_env_values = true
    )]
    pub base_url: Option<BaseUrl>,
    /// Print the page that describes the tables, and export nothing
    #[arg(long)]
    pub schema: bool,
}

/// The format of exported files.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, ValueEnum)]
pub enum ExportFormat {
    /// Apache Parquet, compressed with zstd
    Parquet,
    /// JSON, one object per line
    #[default]
    Ndjson,
    /// CSV with a header; texts are unchanged, also those that a spreadsheet program would evaluate
    Csv,
}

impl ExportFormat {
    /// The extension of files, and the value of the parameter `format`.
    fn name(self) -> &'static str {
        match self {
            Self::Parquet => "parquet",
            Self::Ndjson => "ndjson",
            Self::Csv => "csv",
        }
    }
}

/// Runs the command.
pub(super) fn run(args: ExportArgs) -> anyhow::Result<()> {
    if args.output.schema {
        return output::print(&schema_page());
    }
    let (repo, directory) = reading::places(&args.places, "export")?;
    let format = args.output.format;
    if format == ExportFormat::Parquet && !cfg!(feature = "parquet") {
        bail!(
            "this program was built without Parquet: build it with `--features parquet`, or use --format csv or ndjson"
        );
    }
    let source = args.source;
    let target = TargetArgs { repo, source };
    let config = reading::config(target, args.output.base_url, args.data, args.log)?;
    let shown = directory.display();
    std::fs::create_dir_all(directory)
        .with_context(|| format!("cannot create the directory {shown}: choose a different one"))?;
    let setup = FollowSetup::new(config);
    let failures = reading::read(&setup)?;
    let state = gitglot_api::ApiState {
        links: LinkConfig {
            base_url: Some(base_url(&setup.config)),
            ..LinkConfig::default()
        },
        ..gitglot_api::ApiState::new(setup.published.clone())
    };
    async_runtime()?.block_on(write(gitglot_api::endpoint(state), format, directory))?;
    // Scripts may read standard output, so it stays empty.
    let files = counted(EXPORTS.len() + 1, "file");
    eprintln!("wrote {files} to {shown}");
    reading::refuse_incomplete("export", &failures)
}

/// Where links point: the address of a server with the same settings.
fn base_url(config: &Config) -> String {
    let settings = &config.settings;
    match &settings.base_url {
        Some(url) => BaseUrl::as_str(url).to_owned(),
        None => format!("http://{}", ListenAddress::as_str(&settings.listen)),
    }
}

/// Writes all files.
async fn write(
    api: impl Endpoint<Output = Response>,
    format: ExportFormat,
    directory: &Path,
) -> anyhow::Result<()> {
    for export in EXPORTS {
        let name = format!("{}.{}", export.name, format.name());
        write_list(&api, export, format, directory, &name)
            .await
            .with_context(|| format!("cannot write {}", directory.join(&name).display()))?;
    }
    let path = directory.join(SCHEMA_FILE);
    output::write_file(&path, schema_page().as_bytes())
}

/// Writes a list to a file, which appears when it is complete.
async fn write_list(
    api: &impl Endpoint<Output = Response>,
    export: &Export,
    format: ExportFormat,
    directory: &Path,
    name: &str,
) -> anyhow::Result<()> {
    let (name_of_list, format) = (export.name, format.name());
    let target = format!(
        "/api/{name_of_list}/?format={format}&csv=raw&{}",
        export.query
    );
    let request = Request::builder().uri(target.parse()?).finish();
    let response = api.get_response(request).await;
    let status = response.status();
    let mut body = response.into_body().into_bytes_stream();
    if status != StatusCode::OK {
        let text = body.next().await.transpose()?.unwrap_or_default();
        bail!("{status}: {}", String::from_utf8_lossy(&text));
    }
    let mut file = OutputFile::create(&directory.join(name))?;
    while let Some(chunk) = body.next().await.transpose()? {
        file.write_all(&chunk)?;
    }
    file.finish()?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::{Cli, Command};
    use clap::Parser;

    #[test]
    fn options_may_separate_the_repository_and_the_directory() {
        for line in [
            "REPO DIR --format csv",
            "REPO --format csv DIR",
            "--format csv REPO DIR",
            "DIR --format csv",
        ] {
            let line = ["gitglot", "export"].into_iter().chain(line.split(' '));
            let args = match Cli::try_parse_from(line).unwrap().command {
                Some(Command::Export(args)) => args,
                other => panic!("{other:?}"),
            };
            assert_eq!(args.output.format, ExportFormat::Csv);
            let (repo, directory) = reading::places(&args.places, "export").unwrap();
            assert!(repo.is_none_or(|repo| repo == "REPO"));
            assert_eq!(directory, Path::new("DIR"));
        }
        let none = Cli::try_parse_from(["gitglot", "export"]);
        assert!(none.unwrap_err().to_string().contains("[REPO] <DIR>"));
        let three = ["gitglot", "export", "a", "b", "c"];
        let three = Cli::try_parse_from(three).map(|cli| match cli.command {
            Some(Command::Export(args)) => reading::places(&args.places, "export").is_err(),
            other => panic!("{other:?}"),
        });
        assert!(three.unwrap_or(true));
    }

    #[test]
    fn the_help_lists_the_repository_before_the_directory() {
        let help = Cli::try_parse_from(["gitglot", "export", "--help"]).unwrap_err();
        let help = help.to_string();
        assert!(help.contains("[OPTIONS] [REPO] <DIR>"), "{help}");
        let at = |text: &str| help.find(text).unwrap();
        assert!(
            at("URL or path of a git repository") < at("directory for the files"),
            "{help}"
        );
    }
}
