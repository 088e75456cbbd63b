//! A checkout that describes itself with `gitglot.toml`: from the README to published pages.

use std::fs;
use std::path::{Path, PathBuf};

use super::common::{Server, TestSite, commit, gitglot};
use super::integrations::{project, shell};
use super::{DE, EN, clone, git, has_git, site};

const ORIGIN: &str = "https://anna:secret@github.com/some/app.git";

/// Runs the program, and returns its standard output and standard error.
fn run(folder: &Path, arguments: &[&str]) -> (String, String) {
    let output = gitglot()
        .args(arguments)
        .current_dir(folder)
        .output()
        .unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    let (out, err) = (text(output.stdout), text(output.stderr));
    assert!(output.status.success(), "{arguments:?}: {out}{err}");
    (out, err)
}

/// The files below a directory.
fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        match path.is_dir() {
            true => found.extend(files(&path)),
            false => found.push(path),
        }
    }
    found
}

/// A clone of a repository whose remote is at GitHub, in which the configuration of the README is committed, and a fresh
/// clone of it in another directory.
fn fresh_clone(site: &TestSite) -> PathBuf {
    let first = clone(site, "main", &[]);
    let (config, _) = run(&first, &["discover", "."]);
    assert!(config.contains("repo = \".\"\n"), "{config}");
    let config = config.replacen("slug = \"", "slug = \"our-", 1);
    fs::write(first.join("gitglot.toml"), config).unwrap();
    run(&first, &["init", "--github-pages"]);
    git(&first, &["add", "gitglot.toml", ".github"]);
    git(&first, &["commit", "-q", "-m", "Publish the translations"]);
    let fresh = site.path("elsewhere/app");
    let from = format!("file://{}", first.display());
    let clone = ["clone", "-q", &from, fresh.to_str().unwrap()];
    git(site.folder.path(), &clone);
    fs::remove_dir_all(&first).unwrap();
    git(&fresh, &["remote", "set-url", "origin", ORIGIN]);
    fresh
}

#[test]
#[cfg(unix)]
fn the_site_workflow_publishes_a_fresh_clone() {
    if !has_git() {
        return;
    }
    let site = site();
    let fresh = fresh_clone(&site);
    let written = shell(&fresh)
        .arg(project("ci/github-site.sh"))
        .env("GITHUB_EVENT_NAME", "push")
        .env("INPUT_BASE_URL", "https://some.github.io/app")
        .env("INPUT_STATE_DIRECTORY", site.path("state"))
        .output()
        .unwrap();
    let log = String::from_utf8(written.stderr).unwrap();
    assert!(written.status.success(), "{log}");
    let public = fresh.join("public");
    assert!(public.join("index.html").exists() && public.join("projects").exists());
    let here = site.folder.path().to_str().unwrap();
    let mut has_line_links = false;
    for path in files(&public) {
        let text = String::from_utf8_lossy(&fs::read(&path).unwrap()).into_owned();
        assert!(!text.contains(here), "{} has a local path", path.display());
        assert!(!text.contains("secret"), "{}", path.display());
        has_line_links |= text.contains("https://github.com/some/app/blob/");
    }
    assert!(has_line_links, "no page links to the host of origin");
    // Without the script, the file of the checkout applies, too.
    let (_, log) = run(&fresh, &["site", "other"]);
    assert!(log.contains("gitglot.toml: 1 component"), "{log}");
    let names = |folder: &Path| {
        let projects = fs::read_dir(folder.join("projects")).unwrap();
        let mut names: Vec<_> = projects.map(|it| it.unwrap().file_name()).collect();
        names.sort();
        names
    };
    assert_eq!(names(&fresh.join("other")), names(&public));
}

#[test]
fn serve_uses_the_configuration_of_its_checkout() {
    if !has_git() {
        return;
    }
    let site = site();
    let fresh = fresh_clone(&site);
    let arguments = ["serve", fresh.to_str().unwrap()];
    let server = Server::start(&arguments, &site.path("state"));
    let projects = server.json("/api/projects/");
    let slug = projects["results"][0]["slug"].as_str().unwrap();
    assert!(slug.starts_with("our-"), "{projects}");
    let component = server.json(&format!("/api/projects/{slug}/components/"));
    let component = &component["results"][0];
    assert_eq!(component["repo"], "https://github.com/some/app.git");
    assert_eq!(component["branch"], "main");
}

#[test]
fn a_checkout_cannot_name_other_repositories_or_settings() {
    let config = "listen = \"0.0.0.0:1\"\n[[project]]\nslug = \"p\"\n[[project.component]]\nslug = \"own\"\nrepo = \".\"\n\
        filemask = \"locales/*.json\"\ntemplate = \"locales/en.json\"\nfile_format = \"json\"\n\
        credential_helper = \"!touch owned\"\n[[project.component]]\nslug = \"other\"\nrepo = \"/etc\"\n\
        filemask = \"locales/*.json\"\ntemplate = \"locales/en.json\"\nfile_format = \"json\"\n";
    if !has_git() {
        return;
    }
    let history = commit("one")
        .write("gitglot.toml", config)
        .write("locales/en.json", EN)
        .write("locales/de.json", DE);
    let site = TestSite::new(&history);
    let folder = clone(&site, "main", &[]);
    let log = site.path("log");
    let arguments = ["serve", folder.to_str().unwrap()];
    let server = Server::start_logging(&arguments, &site.path("state"), &log);
    let components = server.json("/api/projects/p/components/");
    assert_eq!(components["count"], 1);
    assert_eq!(components["results"][0]["slug"], "own");
    let log = fs::read_to_string(log).unwrap();
    assert!(log.contains("1 component of other repositories"), "{log}");
    assert!(!folder.join("owned").exists());
}

#[test]
fn pages_show_no_local_path() {
    let site = site();
    let path = site.repository.dir().to_str().unwrap();
    let server = Server::start(&["serve", path], &site.path("state"));
    let components = server.json("/api/components/");
    let component = &components["results"][0];
    let slug = |of: &serde_json::Value| of["slug"].as_str().unwrap().to_owned();
    let page = format!(
        "/projects/{}/{}/",
        slug(&component["project"]),
        slug(component)
    );
    let (status, page) = server.get(&page);
    assert_eq!(status, 200);
    assert!(!page.contains(path), "{page}");
    let name = site.repository.dir().file_name().unwrap();
    assert!(page.contains(name.to_str().unwrap()), "{page}");
}
