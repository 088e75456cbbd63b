//! Names the commit of an optimized build, which `--version` prints and entity tags depend on: `GITGLOT_COMMIT`, or the
//! commit of the checkout. A debug build has none, because each commit would link the program again.

use std::process::Command;

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rerun-if-env-changed=GITGLOT_COMMIT");
    if std::env::var("PROFILE").is_ok_and(|profile| profile == "debug") {
        return;
    }
    let named = std::env::var("GITGLOT_COMMIT").ok();
    if let Some(commit) = named.or_else(commit_of_checkout) {
        let short: String = commit.trim().chars().take(12).collect();
        println!("cargo:rustc-env=GITGLOT_COMMIT={short}");
    }
}

/// The commit that is checked out, `None` outside of a checkout of gitglot.
fn commit_of_checkout() -> Option<String> {
    // A source package may have been unpacked inside of a different repository.
    let is_root = git(&["rev-parse", "--show-prefix"])?.trim().is_empty();
    let commit = git(&["rev-parse", "HEAD"]).filter(|_| is_root)?;
    let log = git(&["rev-parse", "--git-path", "logs/HEAD"])?;
    println!("cargo:rerun-if-changed={}", log.trim());
    Some(commit)
}

/// What git prints, `None` if it fails.
fn git(arguments: &[&str]) -> Option<String> {
    let output = Command::new("git").args(arguments).output().ok()?;
    output.status.success().then_some(())?;
    String::from_utf8(output.stdout).ok()
}
