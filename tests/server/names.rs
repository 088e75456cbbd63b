//! File masks with `{language}` and `{name}` in a configuration file: one component per name, also for names of later
//! commits.

use std::fs;

use serde_json::Value;

use crate::common::{ANNA, Server, TestSite, commit, until};

const PACKAGES: &str = "filemask = 'packages/{name}/locales/{language}.json'\n\
                        template = 'packages/{name}/locales/en.json'";

fn site() -> TestSite {
    TestSite::new(
        &commit("one")
            .by_at(ANNA, "2020-01-01 10:00")
            .write("packages/admin/locales/en.json", r#"{"a": "Users"}"#)
            .write("packages/admin/locales/cs.json", r#"{"a": "Uživatelé"}"#)
            .write("packages/ui/locales/en.json", r#"{"b": "Save"}"#)
            .write("packages/ui/locales/cs.json", r#"{"b": "Uložit"}"#)
            .write("packages/draft/locales/cs.json", r#"{"c": "Nic"}"#),
    )
}

fn configure(site: &TestSite, more: &str) {
    let repo = site.path("garden.git");
    let text = format!(
        "[[project]]\nslug = 'garden'\n[[project.component]]\nrepo = '{}'\nbranch = 'main'\n\
         file_format = 'json'\n{more}\n",
        repo.display()
    );
    fs::write(site.path("new.toml"), text).unwrap();
    fs::rename(site.path("new.toml"), site.path("gitglot.toml")).unwrap();
}

fn serve(site: &TestSite) -> Server {
    let config = site.path("gitglot.toml");
    let arguments = [
        "serve",
        "--config",
        config.to_str().unwrap(),
        "--poll-interval",
        "168h",
    ];
    Server::start(&arguments, &site.path("state"))
}

/// The slugs of the components in alphabetical order, with the number of their translations.
fn served(server: &Server) -> Vec<(String, u64)> {
    let all = server.json("/api/components/?page_size=1000");
    let each = all["results"].as_array().unwrap().iter();
    let mut rows: Vec<_> = each
        .map(|it| {
            let slug = it["slug"].as_str().unwrap().to_owned();
            let path = format!("/api/components/garden/{slug}/translations/");
            let (status, body) = server.get(&path);
            let body: Value = serde_json::from_str(&body).unwrap();
            // A component may disappear after the list.
            let count = match status {
                200 => body["count"].as_u64().unwrap(),
                _ => 0,
            };
            assert!(matches!(status, 200 | 404), "{path}: {status} {body}");
            (slug, count)
        })
        .collect();
    rows.sort();
    rows
}

fn rows<const N: usize>(rows: [(&str, u64); N]) -> Vec<(String, u64)> {
    rows.map(|(slug, count)| (slug.to_owned(), count)).to_vec()
}

#[test]
fn each_name_is_a_component_also_in_later_commits() {
    let mut site = site();
    configure(&site, PACKAGES);
    let server = serve(&site);
    let both = [("packages-admin-locales", 2), ("packages-ui-locales", 2)];
    assert_eq!(served(&server), rows(both));
    assert_eq!(server.json("/readyz")["published"], 2);

    site.repository.push(
        &commit("two")
            .by(ANNA)
            .write("packages/draft/locales/en.json", r#"{"c": "Nothing"}"#),
    );
    let three = rows([
        ("packages-admin-locales", 2),
        ("packages-draft-locales", 2),
        ("packages-ui-locales", 2),
    ]);
    server.poll("garden");
    until("the new name", || (served(&server) == three).then_some(()));
    let unchanged = server.json("/api/components/garden/packages-ui-locales/changes/");

    site.repository.push(
        &commit("three")
            .by(ANNA)
            .delete("packages/admin/locales/en.json")
            .delete("packages/admin/locales/cs.json"),
    );
    server.poll("garden");
    until("the removed name", || {
        (served(&server) == three[1..]).then_some(())
    });
    let changes = server.json("/api/components/garden/packages-ui-locales/changes/");
    assert_eq!(changes["count"], unchanged["count"]);
    server.kill();
    assert_eq!(served(&serve(&site)), three[1..]);
}

#[test]
fn a_reload_applies_names_and_a_given_slug() {
    let site = site();
    configure(&site, PACKAGES);
    let server = serve(&site);
    configure(&site, &format!("slug = 'web'\nname = 'Web'\n{PACKAGES}"));
    until("the new slugs", || {
        (served(&server) == rows([("web-admin", 2), ("web-ui", 2)])).then_some(())
    });
    let component = server.json("/api/components/garden/web-ui/");
    assert_eq!(component["name"], "Web ui");
    assert_eq!(component["filemask"], "packages/ui/locales/*.json");
    assert_eq!(component["template"], "packages/ui/locales/en.json");
}

#[test]
fn a_mask_whose_names_have_no_template_is_reported() {
    let site = site();
    configure(
        &site,
        "filemask = 'packages/{name}/locales/{language}.json'\ntemplate = 'x/{name}/en.json'",
    );
    let config = site.path("gitglot.toml");
    let arguments = ["serve", "--config", config.to_str().unwrap()];
    let server = Server::start_unready(&arguments, &site.path("state"));
    let reason = until("the reason", || {
        let body = server.get("/readyz").1;
        body.contains("x/{name}/en.json").then_some(body)
    });
    assert!(reason.contains("packages-locales"), "{reason}");
}

#[test]
fn a_file_mask_with_two_stars_that_clash_is_refused() {
    let site = site();
    configure(
        &site,
        "filemask = 'packages/*/locales/*.json'\ntemplate = 'packages/ui/locales/en.json'",
    );
    let config = site.path("gitglot.toml");
    let arguments = ["serve", "--config", config.to_str().unwrap()];
    let server = Server::start_unready(&arguments, &site.path("state"));
    let reason = until("the reason", || {
        let body = server.get("/readyz").1;
        body.contains("ambiguous").then_some(body)
    });
    for text in [
        "packages/admin/locales/cs.json",
        "packages/admin/locales/en.json",
        "{name}",
    ] {
        assert!(reason.contains(text), "{reason}");
    }
}
