//! The message syntaxes that the manifests of a repository name for its components (`docs/spec/checks.md#manifests`).

use std::collections::{BTreeMap, HashMap};

use super::tree_file::{ReadBlob, TreeFile};
use gitglot_checks::{KnownSyntax, MessageSyntax};
use gitglot_follow::ComponentConfig;
use gitglot_manifests::Manifests;
use gitglot_model::escape_line;

/// Comments for a configuration file that name the syntax of components, with the reason; empty if no manifest names one.
pub(super) fn syntaxes(
    components: &[ComponentConfig],
    files: &[TreeFile],
    read: ReadBlob<'_>,
) -> String {
    let mut manifests = Manifests::new(files.iter().map(|file| file.path.as_str()));
    let blobs = files.iter().map(|file| (file.path.as_str(), file.blob));
    let blobs: HashMap<&str, _> = blobs.collect();
    let mut read = |path: &str| {
        let blob = blobs.get(path);
        Ok::<_, std::convert::Infallible>(blob.and_then(|blob| read(*blob)))
    };
    let mut masks: BTreeMap<String, (KnownSyntax, Vec<&str>)> = BTreeMap::new();
    for component in components {
        let format = component.file_format.name();
        if component.checks.syntax.is_some() || MessageSyntax::of_format(format).is_some() {
            continue;
        }
        let file = match component.source_file() {
            "" => component.filemask.as_str(),
            file => file,
        };
        let Ok(Some(known)) = manifests.syntax_of(file, format, &mut read) else {
            continue;
        };
        let of_syntax = masks.entry(known.to_string());
        let (_, masks) = of_syntax.or_insert_with(|| (known, Vec::new()));
        masks.push(component.filemask.as_str());
    }
    let comments = masks.values().map(|(known, masks)| {
        let masks: Vec<String> = masks.iter().map(|mask| escape_line(mask)).collect();
        format!(
            "\n# {}, so this is the syntax of the texts of {}:\n#message_syntax = \"{}\"\n",
            escape_line(&known.origin.to_string()),
            masks.join(", "),
            known.syntax
        )
    });
    let problem = manifests.problem();
    let problem = problem.map(|problem| format!("\n# {problem}\n"));
    comments.chain(problem).collect()
}
