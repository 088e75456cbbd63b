//! What users copy, and the packages of a release.

use std::fs;
use std::path::{Path, PathBuf};

/// The files of a directory and those below it, or the file itself.
fn files(path: PathBuf) -> Vec<PathBuf> {
    match fs::read_dir(&path) {
        Ok(entries) => entries
            .flat_map(|entry| files(entry.unwrap().path()))
            .collect(),
        Err(_) => vec![path],
    }
}

/// `packaging/owner` is the only place to change before a release.
#[test]
fn only_one_file_names_the_owner_of_the_repository() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let owner = fs::read_to_string(root.join("packaging/owner")).unwrap();
    let named = format!("{}/gitglot", owner.trim());
    let copied = [
        "README.md",
        "action.yml",
        ".pre-commit-hooks.yaml",
        "Cargo.toml",
        "ci",
        "docs",
        "flake.nix",
        "packaging",
        "pyproject.toml",
        "templates",
    ];
    let all: Vec<PathBuf> = copied
        .iter()
        .flat_map(|path| files(root.join(path)))
        .collect();
    assert!(all.len() > 40);
    for path in all {
        let text = String::from_utf8_lossy(&fs::read(&path).unwrap()).into_owned();
        let mut words = text.split(|c: char| !c.is_alphanumeric() && c != '_');
        let is_owner = path.ends_with("packaging/owner");
        assert!(
            is_owner || (!words.any(|word| word == "OWNER") && !text.contains(&named)),
            "{} names the owner: use packaging/owner",
            path.display()
        );
    }
}

#[test]
fn a_release_builds_every_platform_of_the_packages() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let targets = fs::read_to_string(root.join("packaging/targets")).unwrap();
    let release = fs::read_to_string(root.join(".github/workflows/release.yml")).unwrap();
    let lines = targets.lines().filter(|line| !line.starts_with('#'));
    let targets: Vec<&str> = lines.filter_map(|line| line.split(' ').next()).collect();
    assert_eq!(targets.len(), 7);
    for target in targets {
        let entry = format!("- target: {target}\n");
        assert!(
            release.contains(&entry),
            "release.yml does not build {target}"
        );
    }
}

/// The rows of the first table of the guide: each way, the command, and what makes it.
#[test]
fn the_guide_names_what_makes_each_package() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let guide = fs::read_to_string(root.join("docs/install.md")).unwrap();
    let all = fs::read_to_string(root.join("packaging/all")).unwrap();
    let rows = guide.lines().skip_while(|line| !line.starts_with("| Way"));
    let rows: Vec<&str> = rows.take_while(|line| line.starts_with('|')).collect();
    assert!(rows.len() > 12);
    let makers = rows.iter().filter_map(|row| row.split('|').nth(3));
    for maker in makers.flat_map(|cell| cell.split('`').skip(1).step_by(2)) {
        assert!(root.join(maker).exists(), "there is no {maker}");
        let is_script = maker.starts_with("packaging/");
        assert!(
            !is_script || all.contains(maker),
            "packaging/all does not run {maker}"
        );
    }
}

/// `cargo binstall` finds the archives by this name.
#[test]
fn cargo_binstall_looks_for_the_archives_of_a_release() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let manifest = fs::read_to_string(root.join("Cargo.toml")).unwrap();
    let archive = fs::read_to_string(root.join("packaging/archive")).unwrap();
    let value = |key: &str| {
        let line = manifest.lines().find(|line| line.starts_with(key)).unwrap();
        line.replace("{ name }", "gitglot")
            .replace("{ version }", "$version")
            .replace("{ target }", "$target")
    };
    assert!(archive.contains("name=gitglot-$version-$target\n"));
    assert!(archive.contains("\"$out/$name.tar.gz\""));
    let address = "/releases/download/v$version/gitglot-$version-$target{ archive-suffix }\"";
    assert!(value("pkg-url").ends_with(address));
    assert!(value("bin-dir").contains("\"gitglot-$version-$target/{ bin }{ binary-ext }\""));
}
