use std::convert::Infallible;

use super::*;

/// The syntax of a file in a repository with these other files.
fn found(file: &str, format: &str, files: &[(&str, &str)]) -> Option<String> {
    let mut manifests = Manifests::new(files.iter().map(|(path, _)| *path));
    let mut read = |path: &str| {
        let mut files = files.iter();
        let text = files.find(|(other, _)| *other == path);
        Ok::<_, Infallible>(text.map(|(_, text)| text.as_bytes().to_vec()))
    };
    let known = manifests.syntax_of(file, format, &mut read).unwrap();
    known.map(|known| known.to_string())
}

/// A manifest of a kind that names a dependency.
fn manifest(kind: ManifestKind, name: &str) -> (&'static str, String) {
    match kind {
        ManifestKind::Npm => {
            let version = name.rsplit_once('@').filter(|(name, _)| !name.is_empty());
            let (name, major) = version.unwrap_or((name, "1"));
            let text = format!(r#"{{"name": "x", "dependencies": {{"{name}": "^{major}.0.0"}}}}"#);
            ("package.json", text)
        }
        ManifestKind::Composer => (
            "composer.json",
            format!(r#"{{"require": {{"php": "^8", "{name}": "^1"}}}}"#),
        ),
        ManifestKind::Ruby => (
            "Gemfile",
            format!("source 'https://rubygems.org'\n# gem 'other'\ngem '{name}', '~> 7'\n"),
        ),
        ManifestKind::Pub => (
            "pubspec.yaml",
            format!("name: x\ndependencies:\n  flutter:\n    sdk: flutter\n  {name}: ^3.0.0\n"),
        ),
        ManifestKind::Go => (
            "go.mod",
            format!("module example.org/x\n\ngo 1.22\n\nrequire (\n\t{name}/v2 v2.4.0\n)\n"),
        ),
        ManifestKind::Cargo => (
            "Cargo.toml",
            format!("[package]\nname = \"x\"\n[dependencies]\n{name} = \"3\"\n"),
        ),
        ManifestKind::Python => (
            "requirements-dev.txt",
            format!("# x\n{name}[YAML]>=0.3.9\n"),
        ),
        ManifestKind::Jvm => (
            "build.gradle.kts",
            format!("plugins {{\n    id(\"{name}\") version \"3.2\" // x\n}}\n"),
        ),
        ManifestKind::DotNet => (
            "App.csproj",
            format!(
                "<Project><ItemGroup><PackageReference Include=\"{name}\" Version=\"1\" /></ItemGroup></Project>"
            ),
        ),
        ManifestKind::Extension => (
            "manifest.json",
            r#"{"domain": "x", "codeowners": [], "version": "1"}"#.to_owned(),
        ),
        ManifestKind::CMake => (
            "CMakeLists.txt",
            format!("cmake_minimum_required(VERSION 3.16)\nfind_package({name} REQUIRED)\n"),
        ),
    }
}

#[test]
fn each_library_is_found_by_the_manifest_that_names_it() {
    assert!(LIBRARIES.len() >= 25);
    for row in LIBRARIES {
        assert!(MessageSyntax::named(row.syntax).is_some(), "{row:?}");
        let folder = row.only_below.unwrap_or("texts");
        for name in row.names {
            for format in row.formats {
                let (path, text) = manifest(row.manifest, name);
                let file = format!("app/{folder}/en.json");
                let known = found(&file, format, &[(path, &text)]);
                let wanted = format!("{} ({path} depends on {name})", row.syntax);
                assert_eq!(known.as_deref(), Some(wanted.as_str()), "{format}");
            }
        }
    }
}

#[test]
fn the_nearest_manifest_counts_and_a_plugin_comes_first() {
    let npm = |names: &[&str]| {
        let names: Vec<String> = names.iter().map(|it| format!("\"{it}\": \"1\"")).collect();
        format!("{{\"devDependencies\": {{{}}}}}", names.join(","))
    };
    let (vue, react) = (npm(&["vue-i18n"]), npm(&["react-intl"]));
    let files = [("package.json", &*react), ("web/package.json", &*vue)];
    let syntax = |file: &str, files: &[(&str, &str)]| {
        found(file, "json", files)
            .unwrap_or_default()
            .split(' ')
            .next()
            .unwrap_or_default()
            .to_owned()
    };
    assert_eq!(syntax("web/src/locales/en.json", &files), "vue-i18n");
    assert_eq!(syntax("locales/en.json", &files), "formatjs");
    // Of the members of a workspace, all agree.
    let plain = "{\"workspaces\": [\"packages/*\"]}";
    let member = ("packages/a/package.json", &*vue);
    assert_eq!(
        syntax("locales/en.json", &[("package.json", plain), member]),
        "vue-i18n"
    );
    let other = ("packages/b/package.json", &*react);
    assert_eq!(syntax("locales/en.json", &[member, other]), "");
    let docs = ("docs/package.json", &*react);
    assert_eq!(syntax("locales/en.json", &[member, docs]), "vue-i18n");
    let program = ("api/App.csproj", "<Project></Project>");
    assert_eq!(syntax("api/texts/en.json", &[member, program]), "");
    assert_eq!(syntax("texts/en.json", &[member, program]), "vue-i18n");
    let both = npm(&["i18next", "i18next-icu", "react-i18next"]);
    assert_eq!(syntax("locales/en.json", &[("package.json", &both)]), "icu");
    let two = npm(&["i18next", "react-intl"]);
    assert_eq!(syntax("locales/en.json", &[("package.json", &two)]), "");
    // Laravel reads only the files of its folder.
    let php = r#"{"require": {"laravel/framework": "^11"}}"#;
    let files = [("composer.json", php), ("package.json", &*vue)];
    assert_eq!(syntax("lang/en.json", &files), "laravel");
    assert_eq!(syntax("resources/js/locales/en.json", &files), "vue-i18n");
}

#[test]
fn other_manifests_and_comments_name_no_library() {
    for (path, text) in [
        ("package.json", "{\"name\": \"i18next\"}"),
        ("package.json", "{\"dependencies\": [\"i18next\"]}"),
        ("package.json", "{\"dependencies\": {\"i18next\": "),
        ("Gemfile", "# gem 'rails'\nputs 'rails'"),
        ("go.mod", "module github.com/nicksnyder/go-i18n"),
        (
            "go.mod",
            "require github.com/nicksnyder/go-i18n/v2 v2.1.0 // indirect",
        ),
        (
            "pubspec.yaml",
            "name: easy_localization\nflutter:\n  easy_localization: x\n",
        ),
        ("Cargo.toml", "[package]\nname = \"rust-i18n\"\n"),
        (
            "locales/pom.xml",
            "<!-- <artifactId>\nio.quarkus</artifactId> -->",
        ),
    ] {
        for format in ["json", "yaml", "properties"] {
            assert_eq!(
                found("locales/en.json", format, &[(path, text)]),
                None,
                "{text}"
            );
        }
    }
    let large = format!(
        "{{\"dependencies\": {{\"i18next\": \"1\"}}}}{}",
        " ".repeat(MAX_MANIFEST)
    );
    assert_eq!(found("en.json", "json", &[("package.json", &large)]), None);
}

#[test]
fn requirements_of_python_are_read_from_all_places() {
    for (path, text) in [
        (
            "setup.cfg",
            "[options]\ninstall_requires =\n    Python_i18n >= 0.3\n",
        ),
        (
            "pyproject.toml",
            "[project]\ndependencies = [\"python-i18n[yaml]>=0.3\"]\n",
        ),
        (
            "pyproject.toml",
            "[project.optional-dependencies]\nx = [\"python-i18n\"]\n",
        ),
        (
            "pyproject.toml",
            "[dependency-groups]\ndev = [\"python-i18n\"]\n",
        ),
        (
            "pyproject.toml",
            "[tool.poetry.dependencies]\npython-i18n = \"^0.3\"\n",
        ),
        (
            "pyproject.toml",
            "[tool.poetry.group.dev.dependencies]\npython-i18n = \"^0.3\"\n",
        ),
    ] {
        let known = found("texts/en.yml", "yaml", &[(path, text)]);
        assert_eq!(
            known.unwrap_or_default(),
            format!("percent-brace ({path} depends on python-i18n)"),
            "{text}"
        );
    }
    let catalog = "[plugins]\nx = { id = \"org.springframework.boot\", version = \"3\" }\n";
    let known = found(
        "src/main/resources/m.properties",
        "properties",
        &[("gradle/libs.versions.toml", catalog)],
    );
    assert!(known.is_some());
}

/// The names of the files of a kind, in Markdown.
fn files(kind: ManifestKind) -> &'static str {
    match kind {
        ManifestKind::Npm => "`package.json`",
        ManifestKind::Composer => "`composer.json`",
        ManifestKind::Ruby => "`Gemfile`, `*.gemspec`",
        ManifestKind::Pub => "`pubspec.yaml`",
        ManifestKind::Go => "`go.mod`",
        ManifestKind::Cargo => "`Cargo.toml`",
        ManifestKind::Python => "`pyproject.toml`, `setup.cfg`, `requirements*.txt`",
        ManifestKind::Jvm => "`build.gradle`, `build.gradle.kts`, `libs.versions.toml`, `pom.xml`",
        ManifestKind::DotNet => "`*.csproj`",
        ManifestKind::Extension => "`manifest.json`",
        ManifestKind::CMake => "`CMakeLists.txt`",
    }
}

/// The tables of `docs/message-syntax.md`.
fn tables() -> [String; 2] {
    let mut syntaxes =
        "| Syntax | Placeholders and markup | File formats that define it |\n|---|---|---|\n"
            .to_owned();
    for syntax in MessageSyntax::all() {
        let formats: Vec<_> = syntax
            .formats()
            .iter()
            .map(|it| format!("`{it}`"))
            .collect();
        let formats = if formats.is_empty() {
            "–".to_owned()
        } else {
            formats.join(", ")
        };
        let values = syntax.values().replace('|', "\\|");
        syntaxes += &format!("| `{syntax}` | {values} | {formats} |\n");
    }
    let mut libraries =
        "| Manifest | Libraries | Syntax | File formats |\n|---|---|---|---|\n".to_owned();
    for row in LIBRARIES {
        let list = |names: &[&str]| {
            let names: Vec<_> = names.iter().map(|it| format!("`{it}`")).collect();
            names.join(", ")
        };
        let below = row.only_below.map(|it| format!(", below `{it}/`"));
        libraries += &format!(
            "| {} | {} | `{}` | {}{} |\n",
            files(row.manifest),
            list(row.names),
            row.syntax,
            list(row.formats),
            below.unwrap_or_default()
        );
    }
    [syntaxes, libraries]
}

#[test]
fn the_documentation_lists_all_syntaxes_and_libraries() {
    let documentation = include_str!("../../../docs/message-syntax.md");
    for table in tables() {
        assert!(
            documentation.contains(&table),
            "docs/message-syntax.md needs:\n{table}"
        );
    }
}

#[test]
fn too_many_manifests_say_nothing() {
    let paths = |count: usize| (0..count).map(|nth| format!("{nth}/go.mod"));
    for (count, is_searched) in [(MAX_MANIFESTS, true), (MAX_MANIFESTS + 1, false)] {
        let paths: Vec<String> = paths(count).collect();
        let manifests = Manifests::new(paths.iter().map(String::as_str));
        assert_eq!(manifests.problem().is_none(), is_searched);
    }
    let paths: Vec<String> = paths(40).collect();
    let mut manifests = Manifests::new(paths.iter().map(String::as_str));
    let mut read = |_: &str| Ok::<_, Infallible>(Some(vec![b' '; MAX_MANIFEST]));
    let found = manifests.syntax_of("l/en.json", "json", &mut read).unwrap();
    assert_eq!((found, manifests.problem().is_some()), (None, true));
}

#[test]
fn a_manifest_is_read_once_for_all_components() {
    let mut manifests = Manifests::new(["web/package.json", "package.json"].into_iter());
    let mut reads = Vec::new();
    for file in ["web/a/en.json", "web/b/en.json", "web/a/en.json"] {
        let mut read = |path: &str| {
            reads.push(path.to_owned());
            let text = r#"{"dependencies": {"vue-i18n": "9"}}"#;
            Ok::<_, Infallible>(Some(text.as_bytes().to_vec()))
        };
        assert!(
            manifests
                .syntax_of(file, "json", &mut read)
                .unwrap()
                .is_some()
        );
    }
    assert_eq!(reads, ["web/package.json"]);
}
