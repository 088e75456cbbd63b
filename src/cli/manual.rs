//! `gitglot completions` and `gitglot man`.

use std::path::Path;

use anyhow::Context;
use clap::CommandFactory;
use clap_complete::Shell;

use super::follow_setup::temporary_folder;
use super::{Cli, output};

/// Prints a completion script.
pub(super) fn completions(shell: Shell) -> anyhow::Result<()> {
    let mut script = Vec::new();
    let name = env!("CARGO_PKG_NAME");
    clap_complete::generate(shell, &mut Cli::command(), name, &mut script);
    output::print(&String::from_utf8_lossy(&script))
}

/// Writes the manual pages to a directory.
pub(super) fn pages(folder: &Path) -> anyhow::Result<()> {
    let shown = folder.display();
    write_pages(folder)
        .with_context(|| format!("cannot write to {shown}: choose a different directory"))
}

fn write_pages(folder: &Path) -> anyhow::Result<()> {
    std::fs::create_dir_all(folder)?;
    let pages = temporary_folder()?;
    clap_mangen::generate_to(Cli::command(), pages.path())?;
    for page in std::fs::read_dir(pages.path())? {
        let page = page?;
        output::write_file(&folder.join(page.file_name()), &std::fs::read(page.path())?)?;
    }
    Ok(())
}
