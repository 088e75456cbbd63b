//! A backup of the state directory, without mirrors and checkpoints, as `docs/backup.md` describes it.

use std::path::Path;

use crate::common::{Server, TestSite, commit};

/// Copies the files of a directory, without its directories.
fn copy_files(from: &Path, to: &Path) {
    std::fs::create_dir(to).unwrap();
    for entry in std::fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        if entry.file_type().unwrap().is_file() {
            std::fs::copy(entry.path(), to.join(entry.file_name())).unwrap();
        }
    }
}

#[test]
fn a_restored_backup_keeps_every_id() {
    let texts = r#"{"title": "Seeds"}"#;
    let site = TestSite::new(
        &commit("one")
            .write("locales/en.json", texts)
            .write("locales/cs.json", texts),
    );
    let (state, backup) = (site.path("state"), site.path("backup"));
    let repository = site.path("garden.git");
    let serve = || Server::start(&["serve", repository.to_str().unwrap()], &state);
    let ids = |server: &Server| {
        let changes = server.json("/api/changes/")["results"].clone();
        let units = server.json("/api/units/")["results"].clone();
        let of = |list: &serde_json::Value| -> Vec<u64> {
            list.as_array()
                .unwrap()
                .iter()
                .map(|row| row["id"].as_u64().unwrap())
                .collect()
        };
        (of(&changes), of(&units))
    };
    let server = serve();
    let before = ids(&server);
    assert!(!before.0.is_empty() && !before.1.is_empty());
    server.kill();
    copy_files(&state, &backup);
    std::fs::remove_dir_all(&state).unwrap();
    std::fs::rename(&backup, &state).unwrap();
    assert_eq!(ids(&serve()), before);
}
