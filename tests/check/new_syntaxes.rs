//! Names that occur twice and syntax errors in source code, TOML and dialects of JSON and YAML: each is found at its place.

use super::Run;
use super::common::{TestSite, commit};

/// A format: its name and ending, a file with a name that occurs twice, and one with an error, each with its line and column.
/// The texts of both are those of the template, which is the first file without its third line.
struct Syntax {
    name: &'static str,
    ending: &'static str,
    /// Whether the format refuses the name.
    twice: (&'static str, (u64, u64), bool),
    broken: (&'static str, (u64, u64)),
}

const SYNTAXES: &[Syntax] = &[
    Syntax {
        name: "javascript",
        ending: "ts",
        twice: (
            "export default {\n  a: 'x',\n  b: 'é', a: 'z',\n}\n",
            (3, 11),
            false,
        ),
        broken: ("export default {\n  a: 'x'\n  b: 'y',\n}\n", (3, 3)),
    },
    Syntax {
        name: "i18nextv4-javascript",
        ending: "js",
        twice: ("export default {\n  a: 'x',\n  a: 'z',\n}\n", (3, 3), false),
        broken: ("export default {\n  a: 'x\n}\n", (2, 6)),
    },
    Syntax {
        name: "vue-i18n-javascript",
        ending: "mjs",
        twice: (
            "export default {\n  a: 'x | y',\n  a: 'z | u',\n}\n",
            (3, 3),
            false,
        ),
        broken: ("export default {\n  a: }\n", (2, 6)),
    },
    Syntax {
        name: "php",
        ending: "php",
        twice: (
            "<?php return [\n  'a' => 'x',\n  'b' => 'é', 'a' => 'z',\n];\n",
            (3, 15),
            false,
        ),
        broken: ("<?php return [\n  'a' => 'x'\n  'b' => 'y',\n];\n", (3, 3)),
    },
    Syntax {
        name: "laravel",
        ending: "php",
        twice: (
            "<?php return [\n  'a' => 'x',\n  'a' => 'z',\n];\n",
            (3, 3),
            false,
        ),
        broken: ("<?php return [\n  'a' => ,\n];\n", (2, 10)),
    },
    Syntax {
        name: "php-sources",
        ending: "php",
        twice: (
            "<?php return [\n  'A b' => 'x',\n  'A b' => 'z',\n];\n",
            (3, 3),
            false,
        ),
        broken: ("<?php return [\n  'A b' => ['x'],\n];\n", (2, 3)),
    },
    Syntax {
        name: "toml",
        ending: "toml",
        twice: ("a = 'x'\nb = 'y'\na = 'z'\n", (3, 1), true),
        broken: ("a = 'x'\nb = 'y\n", (2, 7)),
    },
    Syntax {
        name: "go-i18n-toml",
        ending: "toml",
        twice: ("[a]\nother = 'x'\n[a]\nother = 'y'\n", (3, 2), true),
        broken: ("[a]\nother = x\n", (2, 9)),
    },
    Syntax {
        name: "go-i18n-yaml",
        ending: "yml",
        twice: (
            "- {id: a, translation: x}\n- {id: b, translation: y}\n- {id: a, translation: z}\n",
            (3, 3),
            false,
        ),
        broken: (
            "- {id: a, translation: x}\n- {id: b, translation: [y]}\n",
            (2, 11),
        ),
    },
    Syntax {
        name: "webextension-yaml",
        ending: "yml",
        twice: ("a:\n  message: x\na:\n  message: z\n", (3, 1), false),
        broken: ("a:\n  message: x\nb: y\n", (3, 1)),
    },
    Syntax {
        name: "yaml-sources",
        ending: "yml",
        twice: ("A b: x\nC d: y\nA b: z\n", (3, 1), false),
        broken: ("A b: x\nC d: [y]\n", (2, 1)),
    },
    Syntax {
        name: "inlang",
        ending: "json",
        twice: (
            "{\n  \"a\": \"x\",\n  \"b\": \"é\", \"a\": \"z\"\n}\n",
            (3, 13),
            false,
        ),
        broken: ("{\n  \"a\": \"x\",\n  \"b\": [\"y\"]\n}\n", (3, 9)),
    },
    Syntax {
        name: "banana",
        ending: "json",
        twice: ("{\n  \"a\": \"x\",\n  \"a\": \"z\"\n}\n", (3, 3), false),
        broken: ("{\n  \"a\": \"x\"\n  \"b\": \"y\"\n}\n", (3, 3)),
    },
    Syntax {
        name: "laravel-json",
        ending: "json",
        twice: ("{\n  \"A b\": \"x\",\n  \"A b\": \"z\"\n}\n", (3, 3), false),
        broken: ("{\n  \"A b\": [\"x\"]\n}\n", (2, 10)),
    },
    Syntax {
        name: "jed",
        ending: "json",
        twice: (
            "{\n  \"A b\": [\"x\"],\n  \"A b\": [\"z\"]\n}\n",
            (3, 3),
            false,
        ),
        broken: ("{\n  \"A b\": {}\n}\n", (2, 10)),
    },
];

#[test]
fn names_that_occur_twice_and_errors_have_a_line_and_a_column() {
    let mut wrong = Vec::new();
    for syntax in SYNTAXES {
        let (twice, broken) = (syntax.twice.0, syntax.broken.0);
        let mut lines: Vec<&str> = twice.split_inclusive('\n').collect();
        lines.truncate(2);
        let end = twice
            .split_inclusive('\n')
            .skip(3)
            .filter(|_| !syntax.twice.2);
        let template: String = match syntax.name {
            "go-i18n-toml" | "webextension-yaml" => lines.concat(),
            _ => lines.into_iter().chain(end).collect(),
        };
        let template = template.replace(",\n}\n", "\n}\n");
        let path = |language: &str| format!("l/{language}.{}", syntax.ending);
        let site = TestSite::new(
            &commit("c")
                .write(&path("en"), template)
                .write(&path("de"), twice)
                .write(&path("fr"), broken),
        );
        let (mask, english) = (path("*"), path("en"));
        let mut flags = vec![
            "--revision",
            "main",
            "--format",
            "json",
            "--file-format",
            syntax.name,
        ];
        flags.extend(["--filemask", &mask]);
        if !["php-sources", "yaml-sources", "laravel-json", "jed"].contains(&syntax.name) {
            flags.extend(["--template", &english]);
        }
        let run = Run::new(site.repository.dir(), &flags);
        let document = run.json();
        let places = |language: &str, check: &str| -> Vec<(u64, u64)> {
            let findings = document["findings"].as_array().unwrap().iter();
            let own = findings.filter(|it| it["file"] == path(language) && it["check"] == check);
            let place = |name: &str, it: &serde_json::Value| it[name].as_u64().unwrap_or_default();
            own.map(|it| (place("line", it), place("column", it)))
                .collect()
        };
        let check = if syntax.twice.2 {
            "parse-error"
        } else {
            "duplicate-key"
        };
        let found = (places("de", check), vec![syntax.twice.1]);
        let errors = (places("fr", "parse-error"), vec![syntax.broken.1]);
        for (found, expected) in [found, errors] {
            if found != expected {
                wrong.push(format!(
                    "{}: {found:?} instead of {expected:?}",
                    syntax.name
                ));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}
