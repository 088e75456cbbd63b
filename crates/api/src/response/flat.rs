//! Pages and objects of the current API in its other representations (docs/spec/current-api.md#representations): a table,
//! and the entries of a page in an array. Both are made from the JSON of the response.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::encode::csv::push_row;
use crate::response::api_response::ApiResponse;
use crate::response::media_type::{CSV, JSON};

/// The entries of a page: `results`, the elements of an array, or the object itself.
fn rows(body: Value) -> Vec<Value> {
    match body {
        Value::Array(rows) => rows,
        Value::Object(mut fields) => match fields.remove("results") {
            Some(Value::Array(rows)) => rows,
            _ => vec![Value::Object(fields)],
        },
        other => vec![other],
    }
}

fn parsed(response: &ApiResponse) -> Option<Value> {
    serde_json::from_slice(response.json_body()?).ok()
}

/// The entries of a page in an array.
pub(crate) fn entries(response: ApiResponse) -> ApiResponse {
    let Some(body) = parsed(&response) else {
        return response;
    };
    if !response.head.status.is_success() {
        return response;
    }
    let rows = Value::Array(rows(body)).to_string();
    response.with_body(JSON, rows.into_bytes())
}

/// Metrics; errors are without metrics.
pub(crate) fn open_metrics(response: ApiResponse) -> ApiResponse {
    if response.head.status.is_success() {
        return response;
    }
    let content_type = "application/openmetrics-text; charset=utf-8";
    response.with_body(content_type, b"# EOF\n".to_vec())
}

/// A table with a column for each value, in alphabetical order. Values in objects and arrays have columns of their own,
/// named like their path.
pub(crate) fn csv(response: ApiResponse) -> ApiResponse {
    let Some(body) = parsed(&response) else {
        return response;
    };
    let rows: Vec<BTreeMap<String, String>> = rows(body)
        .iter()
        .map(|row| {
            let mut cells = BTreeMap::new();
            flatten(row, "", &mut cells);
            // Statistics contain times of Python, not of JSON.
            if cells.contains_key("recent_changes")
                && let Some(time) = cells.get_mut("last_change")
            {
                *time = time.replace('T', " ").replace('Z', "+00:00");
            }
            cells
        })
        .collect();
    let columns = rows.iter().flat_map(|row| row.keys().map(|key| &**key));
    let mut columns: Vec<&str> = columns.collect();
    columns.sort_unstable();
    columns.dedup();
    let mut out = String::new();
    if !columns.is_empty() {
        push_row(&mut out, &columns, false);
    }
    for row in &rows {
        let cells = columns
            .iter()
            .map(|name| row.get(*name).map_or("", |cell| cell));
        push_row(&mut out, cells, false);
    }
    response.with_body(CSV, out.into_bytes())
}

fn flatten(value: &Value, path: &str, cells: &mut BTreeMap<String, String>) {
    let below = |name: &str| match path {
        "" => name.to_owned(),
        path => [path, ".", name].concat(),
    };
    let cell = match value {
        Value::Object(fields) => {
            for (name, value) in fields {
                flatten(value, &below(name), cells);
            }
            return;
        }
        Value::Array(values) => {
            for (at, value) in values.iter().enumerate() {
                flatten(value, &below(&at.to_string()), cells);
            }
            return;
        }
        Value::Null => String::new(),
        Value::Bool(true) => "True".to_owned(),
        Value::Bool(false) => "False".to_owned(),
        Value::String(text) => text.clone(),
        Value::Number(number) => number.to_string(),
    };
    cells.insert(path.to_owned(), cell);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_in_objects_and_arrays_have_columns() {
        let mut cells = BTreeMap::new();
        let value = serde_json::json!({"b": {"c": [1, true]}, "a": null});
        flatten(&value, "", &mut cells);
        let cells: Vec<_> = cells
            .iter()
            .map(|(name, cell)| (&**name, &**cell))
            .collect();
        assert_eq!(cells, [("a", ""), ("b.c.0", "1"), ("b.c.1", "True")]);
    }
}
