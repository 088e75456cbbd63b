//! `/exports/progress/PROJECT/`: what charts show, as JSON or CSV (docs/spec/pages.md#data-of-charts).

use super::selection::Selection;
use crate::aggregates::{translations_of_project, without_sources};
use crate::csv_table::CsvTable;
use crate::request::{PageRequest, PageResponse};
use gitglot_catalog::{OriginCounts, origin_counts};
use gitglot_model::{Origin, SeededMap, percent};
use serde_json::{Value, json};

/// The columns of the table.
const COLUMNS: [&str; 6] = [
    "step",
    "language",
    "strings",
    "translated",
    "translated_percent",
    "changed_texts",
];

/// Responds with the history of a project; `None` for an unknown one.
pub(crate) fn response(request: &PageRequest<'_>, [slug]: [&str; 1]) -> Option<PageResponse> {
    request.snapshot.project(slug)?;
    let is_yearly = request.value("step") == Some("year");
    let is_csv = request.value("format") == Some("csv");
    let history = request.history(slug);
    let selection = history
        .as_ref()
        .map(|history| Selection::of(request, history, None));
    let steps = selection.as_ref().map(|of| steps(of, is_yearly));
    let steps = steps.unwrap_or_default();
    let languages = selection.iter().flat_map(|of| of.languages());
    let languages = languages.map(|of| {
        let last = |step: &Step| step.months.end - 1;
        let translated = steps.iter().map(|step| of.translated_at(last(step)));
        let texts = steps.iter().map(|step| {
            let texts = of.texts.get(step.months.clone()).unwrap_or_default();
            texts.iter().sum::<u32>()
        });
        Row {
            code: &of.code,
            name: &of.name,
            strings: of.total,
            translated: translated.collect(),
            texts: texts.collect(),
        }
    });
    let rows: Vec<Row<'_>> = languages.collect();
    if is_csv {
        return Some(csv(&steps, &rows));
    }
    let origins = origins(request, slug);
    let languages = rows.iter().map(|row| {
        json!({
            "code": row.code,
            "name": row.name,
            "strings": row.strings,
            "translated": row.translated,
            "translated_percent": row.percents().collect::<Vec<_>>(),
            "changed_texts": row.texts,
            "origins": origins.get(row.code),
        })
    });
    let all = selection.iter().flat_map(|of| {
        let of_step = |step: &Step| step.months.clone().map(|at| of.texts(at)).sum::<u32>();
        steps.iter().map(of_step)
    });
    let body = json!({
        "project": slug,
        "step": if is_yearly { "year" } else { "month" },
        "steps": steps.iter().map(|step| &*step.name).collect::<Vec<_>>(),
        "changed_texts": all.collect::<Vec<_>>(),
        "languages": languages.collect::<Vec<_>>(),
    });
    let body = body.to_string() + "\n";
    Some(PageResponse::File(body.into_bytes(), "application/json"))
}

/// The texts of today by who wrote them, by language.
fn origins<'a>(request: &PageRequest<'a>, slug: &str) -> SeededMap<&'a str, Value> {
    let mut counts: SeededMap<&str, OriginCounts> = SeededMap::default();
    for view in without_sources(translations_of_project(request, slug)) {
        let own = origin_counts(view, request.budget);
        let sum = counts.entry(&view.translation.language.code).or_default();
        *sum = [*sum, own].into_iter().sum();
    }
    let object = |counts: OriginCounts| -> Value {
        let of = |origin: Origin| {
            let count = counts.of(origin);
            let value = json!({ "strings": count.units, "words": count.words });
            (origin.name().to_owned(), value)
        };
        Value::Object(Origin::ALL.map(of).into_iter().collect())
    };
    let counts = counts.into_iter();
    counts
        .map(|(code, counts)| (code, object(counts)))
        .collect()
}

/// A month or a year, whose progress is that at its end.
struct Step {
    name: String,
    months: std::ops::Range<usize>,
}

/// The values of a language.
struct Row<'a> {
    code: &'a str,
    name: &'a str,
    strings: u64,
    /// By step.
    translated: Vec<u64>,
    /// By step.
    texts: Vec<u32>,
}

impl Row<'_> {
    /// The percentage at the end of each step.
    fn percents(&self) -> impl Iterator<Item = f64> {
        let translated = self.translated.iter();
        translated.map(|&count| f64::from(percent(count, self.strings, 1000)) / 10.0)
    }
}

fn steps(selection: &Selection<'_>, is_yearly: bool) -> Vec<Step> {
    let mut steps: Vec<Step> = Vec::new();
    for at in selection.months.clone() {
        let name = if is_yearly {
            selection.history.year_of(at).0.to_string()
        } else {
            selection.history.month(at)
        };
        match steps.last_mut().filter(|step| step.name == name) {
            Some(step) => step.months.end = at + 1,
            None => steps.push(Step {
                name,
                months: at..at + 1,
            }),
        }
    }
    steps
}

/// A line for each language and step.
fn csv(steps: &[Step], rows: &[Row<'_>]) -> PageResponse {
    let mut table = CsvTable::new(&COLUMNS);
    for row in rows {
        let values = row.translated.iter().zip(row.percents()).zip(&row.texts);
        for (step, ((translated, percent), texts)) in steps.iter().zip(values) {
            table.push(&[
                &step.name,
                row.code,
                &row.strings.to_string(),
                &translated.to_string(),
                &format!("{percent:.1}"),
                &texts.to_string(),
            ]);
        }
    }
    table.response()
}
