//! Names in acknowledgements that mean nothing are problems of the component.

use serde_json::Value;

use crate::common::{Server, TestSite, commit, component, project};

#[test]
fn unknown_names_are_problems_of_one_component() {
    let history = commit("start")
        .texts("en", "a=One")
        .texts("cs", "a=Jedna")
        .write("web/en.json", "{\"other\": \"Two\"}")
        .write("web/de.json", "{\"other\": \"Zwei\"}")
        .commit("review")
        .write(
            ".gitglot/reviewed.toml",
            "[de]\nother = \"9db7874c312c839c\"\ngone = \"9db7874c312c839c\"\n",
        )
        .message("Review\n\nTranslation-Reviewed: cs a other nowhere\nTranslation-Reviewed: xx\n");
    let site = TestSite::new(&history);
    let (repo, file) = (site.path("garden.git"), site.path("gitglot.toml"));
    let components = ["locales", "web"].map(|it| component(it, repo.to_str().unwrap(), it, ""));
    std::fs::write(&file, project("garden", &components)).unwrap();
    let reasons = |server: &Server, slug: &str| -> Vec<String> {
        let list = server.json(&format!("/api/components/garden/{slug}/problems/"));
        let list = list["results"].as_array().unwrap().clone();
        let text = |it: &Value, field: &str| it[field].as_str().unwrap().to_owned();
        let reason = |it: &Value| text(it, "path")[..6].to_owned() + ": " + &text(it, "reason");
        list.iter().map(reason).collect()
    };
    let expected = [
        "commit: it acknowledges the string \"nowhere\", which does not exist: correct the key",
        "commit: it acknowledges translations of xx, which no file has: correct the code",
        ".gitgl: it acknowledges the string \"gone\", which does not exist: correct the key",
    ];
    // The second time from a checkpoint.
    for _ in 0..2 {
        let server = Server::start(
            &["serve", "--config", file.to_str().unwrap()],
            &site.path("state"),
        );
        assert_eq!(reasons(&server, "locales"), expected);
        assert_eq!(reasons(&server, "web"), [""; 0]);
        let (_, page) = server.get("/projects/garden/locales/");
        assert!(page.contains("translations of xx, which no file has"));
        let (status, _) = server.get("/readyz");
        assert_eq!(status, 200);
    }
}
