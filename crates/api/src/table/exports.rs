//! The tables of a complete export.

use super::Table;
use crate::views;

/// A table of a complete export.
pub struct Export {
    /// The name of the table, and of its list below `/api/`.
    pub name: &'static str,
    /// The query for its list, without `format`.
    pub query: &'static str,
    /// Describes a row in one sentence.
    pub(super) about: &'static str,
    /// Columns that contain keys of other tables: the column, and the table and column of the key.
    pub(super) keys: &'static [(&'static str, &'static str)],
    /// The columns.
    pub(super) table: fn() -> Table,
}

/// The tables, in the order in which they refer to each other.
pub const EXPORTS: &[Export] = &[
    Export {
        name: "projects",
        query: "",
        about: "A row is a project.",
        keys: &[("source_language_code", "languages.code")],
        table: || Table::of(&views::Project::object(), false),
    },
    Export {
        name: "components",
        query: "",
        about: "A row is a component: the files that match one file mask on one branch of a repository.",
        keys: &[("project_url", "projects.url")],
        table: || Table::of(&views::Component::object(), false),
    },
    Export {
        name: "languages",
        query: "",
        about: "A row is a language with a translation.",
        keys: &[],
        table: || Table::of(&views::Language::object(), false),
    },
    Export {
        name: "translations",
        query: "",
        about: "A row is a translation: a component in one language, with its statistics.",
        keys: &[
            ("component_url", "components.url"),
            ("language__code", "languages.code"),
        ],
        table: || Table::of(&views::Translation::object(), false),
    },
    Export {
        name: "sources",
        query: "",
        about: "A row is a string of a template.",
        keys: &[("component", "components.url"), ("units", "units.url")],
        table: || Table::of(&views::Source::object(), false),
    },
    Export {
        name: "units",
        query: "expand=details",
        about: "A row is a string in one language.",
        keys: &[
            ("translation", "translations.url"),
            ("source_info", "sources.url"),
            ("details_language", "languages.code"),
        ],
        table: || Table::of(&views::Unit::object(), true),
    },
    Export {
        name: "users",
        query: "",
        about: "A row is a user in the change log.",
        keys: &[],
        table: || Table::of(&views::User::object(), false),
    },
    Export {
        name: "changes",
        query: "expand=details&removed=true&states=true",
        about: "A row is a change log entry. A removed string (action 200) and a changed state (201) have the `id` of \
                the previous row; other ids are unique.",
        keys: &[
            ("unit", "units.url"),
            ("translation", "translations.url"),
            ("component", "components.url"),
            ("user", "users.id"),
            ("author", "users.id"),
            ("details_language", "languages.code"),
        ],
        table: || Table::of(&views::Change::object(), true),
    },
    Export {
        name: "renames",
        query: "",
        about: "A row is a string that a commit gave a new key.",
        keys: &[("component", "components.url"), ("change", "changes.url")],
        table: || Table::of(&views::Rename::object(), false),
    },
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_columns_of_their_tables() {
        let columns = |name: &str| {
            let export = EXPORTS.iter().find(|export| export.name == name).unwrap();
            (export.table)()
        };
        let has = |table: &Table, name: &str| {
            let mut columns = table.columns().iter();
            columns.any(|column| column.name == name)
        };
        for export in EXPORTS {
            for (column, key) in export.keys {
                let (table, key) = key.split_once('.').unwrap();
                assert!(has(&columns(export.name), column), "{column}");
                assert!(has(&columns(table), key), "{table}.{key}");
            }
        }
    }
}
