//! Writes the entries of a list in any representation: a JSON array, JSON lines, or a table.

use crate::table::TableEncoder;

/// The longest body of a page of a list, in bytes. A page has up to 1,000 entries, whose texts can be long.
const MAX_PAGE: usize = 32 << 20;

/// Whether a body is too long for a page. It is then incomplete.
pub(crate) fn is_too_long(body: &[u8]) -> bool {
    body.len() > MAX_PAGE
}

/// Writes the entries of a list one after the other.
pub(crate) struct ListWriter<'a> {
    out: &'a mut Vec<u8>,
    form: ListForm<'a>,
}

/// The form of the entries.
enum ListForm<'a> {
    /// Elements of an array.
    Array { is_first: bool },
    /// One object per line.
    Lines,
    /// Rows, which the encoder buffers.
    Rows(&'a mut TableEncoder),
}

impl<'a> ListWriter<'a> {
    /// A writer that appends elements of an array to `out`, from the first one on.
    pub(crate) fn array(out: &'a mut Vec<u8>) -> Self {
        let form = ListForm::Array { is_first: true };
        Self { out, form }
    }

    /// A writer that appends lines to `out`, or rows to `table` if there is one.
    pub(crate) fn whole_list(out: &'a mut Vec<u8>, table: Option<&'a mut TableEncoder>) -> Self {
        let form = table.map_or(ListForm::Lines, ListForm::Rows);
        Self { out, form }
    }

    /// Writes entries as JSON objects with `write`, and converts them. An array ends early if the body [is too
    /// long](is_too_long).
    pub(crate) fn each<I>(
        &mut self,
        items: impl IntoIterator<Item = I>,
        mut write: impl FnMut(&mut Vec<u8>, I),
    ) {
        for item in items {
            match &mut self.form {
                ListForm::Array { .. } if is_too_long(self.out) => return,
                ListForm::Array { is_first } => {
                    if !std::mem::replace(is_first, false) {
                        self.out.push(b',');
                    }
                    write(self.out, item);
                }
                ListForm::Lines => {
                    write(self.out, item);
                    self.out.push(b'\n');
                }
                ListForm::Rows(table) => table.add(|object| write(object, item)),
            }
        }
    }
}
