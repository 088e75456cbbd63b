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

/// A table in each row: its name, the object of a row and the query for its details, a description, and its keys.
macro_rules! exports {
    ($($name:literal $object:ident $(with $query:literal)? $about:literal [$($column:literal => $key:literal),*];)*) => {
        &[$(Export {
            name: $name,
            query: concat!($($query)?),
            about: $about,
            keys: &[$(($column, $key)),*],
            table: || Table::of(&views::$object::object(), !concat!($($query)?).is_empty()),
        }),*]
    };
}

/// The tables, in the order in which they refer to each other.
pub const EXPORTS: &[Export] = exports! {
    "projects" Project "A row is a project." ["source_language_code" => "languages.code"];
    "components" Component
        "A row is a component: the files that match one file mask on one branch of a repository."
        ["project_url" => "projects.url"];
    "languages" Language "A row is a language with a translation." [];
    "translations" Translation
        "A row is a translation: a component in one language, with its statistics."
        ["component_url" => "components.url", "language__code" => "languages.code"];
    "sources" Source "A row is a string of a template." ["component" => "components.url", "units" => "units.url"];
    "units" Unit with "expand=details" "A row is a string in one language."
        ["translation" => "translations.url", "source_info" => "sources.url", "details_language" => "languages.code"];
    "users" User "A row is a user in the change log." [];
    "changes" Change with "expand=details&removed=true&states=true"
        "A row is a change log entry. A removed string (action 200) and a changed state (201) have the `id` of \
            the previous row; other ids are unique."
        ["unit" => "units.url", "translation" => "translations.url", "component" => "components.url",
            "user" => "users.id", "author" => "users.id", "details_language" => "languages.code"];
    "renames" Rename "A row is a string that a commit gave a new key."
        ["component" => "components.url", "change" => "changes.url"];
};

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
