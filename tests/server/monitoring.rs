//! The files for monitoring and Kubernetes in `docs/deploy` match the program.

use std::collections::BTreeSet;
use std::path::Path;

use saphyr_parser::{Event, Parser};

use crate::common::{Repo, Server, commit, gitglot};

const ALERTS: &str = include_str!("../../docs/deploy/prometheus-alerts.yml");
const DASHBOARD: &str = include_str!("../../docs/deploy/grafana-dashboard.json");
const MANIFESTS: &str = include_str!("../../docs/deploy/kubernetes.yaml");

/// The scalars of a YAML file and the number of its documents.
fn yaml(text: &str) -> (Vec<String>, usize) {
    let (mut scalars, mut documents) = (Vec::new(), 0);
    for event in Parser::new_from_str(text) {
        match event.unwrap().0 {
            Event::Scalar(value, ..) => scalars.push(value.into_owned()),
            Event::DocumentStart(..) => documents += 1,
            _ => {}
        }
    }
    (scalars, documents)
}

/// The names of metrics in expressions, without the suffixes of histograms.
fn metrics_in(text: &str) -> BTreeSet<&str> {
    let words = text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
    let names = words.filter(|word| word.starts_with("gitglot_") || word.starts_with("process_"));
    names
        .map(|name| name.strip_suffix("_bucket").unwrap_or(name))
        .collect()
}

/// A server with a shared ledger.
fn replica(folder: &Path) -> Server {
    let history = commit("one").write("locales/en.json", r#"{"title": "Seeds"}"#);
    let path = folder.join("garden.git");
    let _repository = Repo::with(&path, &history);
    let ledger = format!("file://{}", folder.join("store").display());
    let arguments = ["serve", path.to_str().unwrap(), "--ledger", &ledger];
    Server::start(&arguments, &folder.join("replica"))
}

#[test]
fn dashboard_and_alerts_name_existing_metrics() {
    let dashboard: serde_json::Value = serde_json::from_str(DASHBOARD).unwrap();
    let panels = dashboard["panels"].as_array().unwrap();
    let targets = panels
        .iter()
        .flat_map(|panel| panel["targets"].as_array().unwrap());
    let expressions: Vec<&str> = targets
        .map(|target| target["expr"].as_str().unwrap())
        .collect();
    let (alerts, _) = yaml(ALERTS);

    let state = tempfile::tempdir().unwrap();
    let server = Server::start(&["demo"], state.path());
    let replica = replica(state.path());
    let exposed = [server, replica].map(|it| it.get("/metrics").1).concat();
    let exposed: BTreeSet<&str> = exposed
        .lines()
        .filter_map(|line| line.strip_prefix("# TYPE ")?.split(' ').next())
        .collect();
    let texts = expressions
        .iter()
        .copied()
        .chain(alerts.iter().map(String::as_str));
    let named: BTreeSet<&str> = texts.flat_map(metrics_in).collect();
    assert!(named.len() > 15, "{named:?}");
    let unknown: Vec<_> = named.difference(&exposed).collect();
    assert!(unknown.is_empty(), "{unknown:?} are not among {exposed:?}");
}

#[test]
fn the_kubernetes_manifests_contain_a_valid_configuration() {
    let (scalars, documents) = yaml(MANIFESTS);
    assert_eq!(documents, 4);
    let configuration = scalars
        .iter()
        .find(|text| text.contains("[[project]]"))
        .unwrap();
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("gitglot.toml");
    std::fs::write(&file, configuration).unwrap();
    let output = gitglot()
        .args(["config", "check"])
        .arg(&file)
        .env("HOME", folder.path())
        .output()
        .unwrap();
    assert!(output.status.success(), "{output:?}");
}
