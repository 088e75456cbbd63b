//! The order of a table by one of its columns, and the links in its head that change it.

use std::cmp::Reverse;

use crate::request::PageRequest;

/// A column: label, value of the parameter `sort`, and whether large values come first.
pub(crate) type SortColumn = (&'static str, &'static str, bool);

/// The order that `sort` selects; `-` in front of a column reverses it. The first column is the default.
pub(crate) struct Sorting {
    columns: &'static [SortColumn],
    /// The value of the parameter.
    pub(crate) value: String,
}

/// A heading: label, URL, and the value of `aria-sort` or `""`.
pub(crate) type SortLink = (&'static str, String, &'static str);

impl Sorting {
    /// Reads the parameter.
    pub(crate) fn of(request: &PageRequest<'_>, columns: &'static [SortColumn]) -> Self {
        let first = columns.first().map_or("", |(_, key, _)| key);
        let value = request.value("sort").unwrap_or(first).to_owned();
        Self { columns, value }
    }

    /// Whether the order is that without the parameter.
    pub(crate) fn is_default(&self) -> bool {
        let first = self.columns.first();
        first.is_some_and(|(_, key, _)| *key == self.value)
    }

    /// The key of the column, and whether its order is reversed.
    pub(crate) fn key(&self) -> (&str, bool) {
        match self.value.strip_prefix('-') {
            Some(key) => (key, true),
            None => (&*self.value, false),
        }
    }

    /// The headings.
    pub(crate) fn links(&self, request: &PageRequest<'_>) -> Vec<SortLink> {
        let (chosen, is_reversed) = self.key();
        let columns = self.columns.iter();
        let link = |&(label, key, is_descending): &SortColumn| {
            let is_chosen = key == chosen;
            let sign = if is_chosen && !is_reversed { "-" } else { "" };
            let direction = match is_descending != is_reversed {
                _ if !is_chosen => "",
                true => "descending",
                false => "ascending",
            };
            (
                label,
                request.with("sort", &[sign, key].concat()),
                direction,
            )
        };
        columns.map(link).collect()
    }

    /// Sorts rows, which are in the order of the first column. Rows without a value come last.
    pub(crate) fn apply<T>(&self, rows: &mut [T], value: impl Fn(&str, &T) -> Option<i64>) {
        let (key, is_reversed) = self.key();
        let Some(at) = self.columns.iter().position(|(_, own, _)| *own == key) else {
            return;
        };
        let is_descending = self.columns.get(at).is_some_and(|column| column.2);
        match is_descending != is_reversed {
            _ if at == 0 && is_reversed => rows.reverse(),
            _ if at == 0 => {}
            true => rows.sort_by_cached_key(|row| Reverse(value(key, row))),
            false => rows.sort_by_cached_key(|row| {
                let value = value(key, row);
                (value.is_none(), value)
            }),
        }
    }
}
