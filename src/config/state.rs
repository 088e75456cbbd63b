//! The default state directory. Rules: `docs/spec/settings.md#state-directory`.

use std::ffi::OsString;
use std::path::PathBuf;

use gitglot_model::Slug;

/// The user's directory for program state; `None` if no environment variable names it. `variable` reads one.
fn user_state_folder(variable: &dyn Fn(&str) -> Option<OsString>) -> Option<PathBuf> {
    let absolute = |name: &str| {
        let path = variable(name).map(PathBuf::from);
        path.filter(|path| path.is_absolute())
    };
    if cfg!(windows) {
        return absolute("LOCALAPPDATA");
    }
    // The XDG specification requires to ignore relative paths.
    absolute("XDG_STATE_HOME").or_else(|| {
        let home = absolute("HOME")?;
        Some(home.join(if cfg!(target_os = "macos") {
            "Library/Application Support"
        } else {
            ".local/state"
        }))
    })
}

/// The state directory of a configuration. Different identities have different directories; `readable` makes the name
/// recognizable.
pub(super) fn default_dir(
    variable: &dyn Fn(&str) -> Option<OsString>,
    readable: &str,
    identity: &str,
) -> Option<PathBuf> {
    let hash = blake3::hash(identity.as_bytes()).to_hex();
    let slug = Slug::derive(readable).map_or_else(String::new, |slug| slug.to_string());
    let readable: String = slug.chars().take(40).collect();
    let name = format!("{readable}-{}", hash.get(..16).unwrap_or_default());
    let folder = user_state_folder(variable)?.join("gitglot");
    Some(folder.join(name.trim_start_matches('-')))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn dir(variables: &[(&str, &str)], readable: &str, identity: &str) -> Option<PathBuf> {
        let lookup = |name: &str| {
            variables
                .iter()
                .find(|(key, _)| *key == name)
                .map(|(_, value)| value.into())
        };
        default_dir(&lookup, readable, identity)
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn the_default_follows_the_conventions_of_the_system() {
        let home = [("HOME", "/home/somebody")];
        let found = dir(&home, "uBlock", "https://host.example/uBlock").unwrap();
        assert!(
            found
                .to_str()
                .unwrap()
                .starts_with("/home/somebody/.local/state/gitglot/ublock-"),
            "{found:?}"
        );
        let own = [("HOME", "/home/somebody"), ("XDG_STATE_HOME", "/state")];
        assert!(dir(&own, "a", "a").unwrap().starts_with("/state/gitglot"));
        let relative = [("HOME", "/home/somebody"), ("XDG_STATE_HOME", "state")];
        assert!(
            dir(&relative, "a", "a")
                .unwrap()
                .starts_with("/home/somebody/.local/state/gitglot")
        );
        assert_eq!(dir(&[], "a", "a"), None);
    }

    #[test]
    #[cfg(unix)]
    fn different_repositories_never_share_a_state_directory() {
        let home = [("HOME", "/home/somebody")];
        let one = dir(&home, "project", "https://one.example/project");
        let two = dir(&home, "project", "https://two.example/project");
        assert_ne!(one, two);
        assert_eq!(one, dir(&home, "project", "https://one.example/project"));
        let nameless = dir(&home, "", "https://one.example").unwrap();
        assert!(
            !nameless
                .file_name()
                .unwrap()
                .to_str()
                .unwrap()
                .starts_with('-')
        );
    }
}
