//! The page that describes the tables of an export, in Markdown.

use std::fmt::Write;

use super::{Column, ColumnKind, EXPORTS, Export};

/// The text before the tables.
const HEAD: &str = "\
# Tables

The tables of `gitglot export`, and the columns of the lists of the API with `format=parquet` and
`format=csv`. The lists of changes have the columns that begin with `details_` only with
`expand=details`. In NDJSON, a column `a_b` of a nested object is the field `b` of the object `a`, and
so is `a__b`, where the outer object has a field `a_b`, too.

| Type | Parquet | CSV |
|---|---|---|
| text | `STRING` | text; with `csv=raw` unchanged |
| integer | `INT64` | digits |
| number | `DOUBLE` | decimal number |
| boolean | `BOOLEAN` | `true` or `false` |
| time | `TIMESTAMP` in UTC, microseconds | RFC 3339, with the offset of the author or committer |
| texts | `LIST` of `STRING` | texts separated by spaces |
| JSON | `STRING` with a JSON array | JSON array |

Null is an empty field in CSV. Columns without “or null” are never null.
";

/// The page.
pub fn schema_page() -> String {
    let mut page = HEAD.to_owned();
    for export in EXPORTS {
        section(&mut page, export);
    }
    page
}

fn section(page: &mut String, export: &Export) {
    // Writing to a string cannot fail.
    let _ = write!(
        page,
        "\n## {}\n\n{}\n\n| Column | Type | Content |\n|---|---|---|\n",
        export.name, export.about
    );
    for column in (export.table)().columns() {
        let null = if column.nullable { " or null" } else { "" };
        let mut about = description(column);
        if let Some((_, key)) = export.keys.iter().find(|(name, _)| *name == column.name) {
            let _ = write!(about, " Refers to `{key}`.");
        }
        let _ = writeln!(
            page,
            "| `{}` | {}{null} | {about} |",
            column.name,
            type_name(column.kind)
        );
    }
}

/// The description of a column in one line, ending with a full stop.
fn description(column: &Column) -> String {
    let about = column.about.split_whitespace().collect::<Vec<_>>();
    let about = about.join(" ").replace('|', "\\|");
    if about.is_empty() || about.ends_with('.') {
        about
    } else {
        about + "."
    }
}

fn type_name(kind: ColumnKind) -> &'static str {
    match kind {
        ColumnKind::Boolean => "boolean",
        ColumnKind::Integer => "integer",
        ColumnKind::Number => "number",
        ColumnKind::Text => "text",
        ColumnKind::Time => "time",
        ColumnKind::Texts => "texts",
        ColumnKind::Json => "JSON",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_in_the_documentation_is_current() {
        let committed = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/tables.md");
        if std::env::var_os("UPDATE_OPENAPI").is_some() {
            std::fs::write(committed, schema_page()).unwrap();
        }
        let committed = std::fs::read_to_string(committed).unwrap_or_default();
        assert_eq!(
            committed,
            schema_page(),
            "run: cargo run -- export --schema > docs/tables.md"
        );
    }

    #[test]
    fn every_column_has_a_description() {
        for line in schema_page().lines() {
            assert!(!line.ends_with("|  |"), "{line}");
        }
    }
}
