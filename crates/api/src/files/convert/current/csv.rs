//! Units as a table, for CSV and spreadsheets.

use super::Conversion;
use crate::encode::csv::push_row;
use crate::files::convert::csv::COLUMNS;
use gitglot_catalog::TranslationView;
use gitglot_model::language::PluralRule;
use gitglot_model::spreadsheet_text;

/// The columns of tables with plurals.
const PLURAL_COLUMNS: [&str; 3] = ["source_plural_form", "target_plural_form", "id_hash"];

/// The rows of the table, with the names of the columns first: one per plural form.
pub(super) fn rows(conversion: &Conversion<'_>) -> Vec<Vec<String>> {
    let (of, units) = (conversion.view, conversion.strings());
    let source = of.component.source_translation();
    let source = source.map_or((2, "n != 1"), TranslationView::current_plural);
    let source_forms = source_forms(of.current_plural(), source);
    let has_plurals = units.iter().any(|unit| unit.is_plural);
    let plural_columns = if has_plurals {
        &PLURAL_COLUMNS[..]
    } else {
        &[]
    };
    let names = COLUMNS.iter().chain(plural_columns);
    let mut rows = vec![names.map(|&name| name.to_owned()).collect()];
    for unit in &units {
        let fuzzy = if unit.state.is_fuzzy() {
            "True"
        } else {
            "False"
        };
        let location = unit.locations().last().unwrap_or_default();
        let last_source = unit.source.len().saturating_sub(1);
        for (form, target) in unit.target.iter().enumerate() {
            let source_form = source_forms.get(form).copied().unwrap_or_default();
            let source_form = source_form.min(last_source);
            let source = unit.source.get(source_form).copied().unwrap_or_default();
            let cells = [
                location,
                source,
                target,
                "",
                fuzzy,
                unit.context,
                "",
                &unit.note,
            ];
            let mut row: Vec<String> = cells.map(str::to_owned).into();
            match (has_plurals, unit.is_plural) {
                (false, _) => {}
                (true, false) => row.resize(row.len() + PLURAL_COLUMNS.len(), String::new()),
                (true, true) => row.extend([
                    source_form.to_string(),
                    form.to_string(),
                    ["0x", &unit.checksum()].concat(),
                ]),
            }
            rows.push(row);
        }
    }
    rows
}

/// The form of the source for each form of the language: that for the first number with the form. Only fractions have
/// some forms; they have the last one of the source.
fn source_forms(own: (usize, &str), source: (usize, &str)) -> Vec<usize> {
    const NUMBERS: u64 = 200;
    let rules = [own, source].map(|(forms, formula)| PluralRule::parse(forms, formula));
    let [Some(own), Some(source)] = rules else {
        return Vec::new();
    };
    let source_form = |form: usize| {
        let number = (0..NUMBERS).find(|&number| own.form(number) == form);
        number.map_or(usize::MAX, |number| source.form(number))
    };
    (0..own.forms()).map(source_form).collect()
}

pub(super) fn csv(of: &Conversion<'_>) -> Vec<u8> {
    let mut out = String::new();
    for row in rows(of) {
        let cells = row.iter().map(|cell| spreadsheet_text(cell));
        push_row(&mut out, cells, false);
    }
    out.into_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_form_has_the_source_for_its_first_number() {
        let english = (2, "n != 1");
        for (own, forms) in [
            (english, vec![0, 1]),
            ((1, "0"), vec![1]),
            ((3, "(n==1) ? 0 : (n>=2 && n<=4) ? 1 : 2"), vec![0, 1, 1]),
            (
                (3, "n < 2 ? 0 : n % 1000000 == 0 ? 1 : 2"),
                vec![1, usize::MAX, 1],
            ),
            (
                (
                    6,
                    "n==0 ? 0 : n==1 ? 1 : n==2 ? 2 : n%100>=3 && n%100<=10 ? 3 : n%100>=11 ? 4 : 5",
                ),
                vec![1, 0, 1, 1, 1, 1],
            ),
        ] {
            assert_eq!(source_forms(own, english), forms, "{own:?}");
        }
    }
}
