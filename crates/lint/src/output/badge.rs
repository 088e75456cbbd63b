//! Badges with the translated percentage: an SVG image and the data of a shields.io endpoint.

use crate::report::Report;

/// The width of a character of the badge's font, in tenths of a pixel.
const CHAR_WIDTH: u32 = 66;

/// The colour of a percentage, as a name of shields.io and as a value.
fn colour(tenths: u32) -> (&'static str, &'static str) {
    match tenths {
        1000.. => ("brightgreen", "#4c1"),
        900.. => ("green", "#97ca00"),
        750.. => ("yellow", "#dfb317"),
        500.. => ("orange", "#fe7d37"),
        _ => ("red", "#e05d44"),
    }
}

fn percent(report: &Report) -> (u32, String) {
    let tenths = report.totals.counts.tenths();
    (tenths, format!("{}%", gitglot_model::whole_percent(tenths)))
}

/// An SVG badge.
pub fn svg(report: &Report) -> String {
    let (tenths, percent) = percent(report);
    let word = "translated";
    let width = |text: &str| (text.len() as u32 * CHAR_WIDTH).div_ceil(10) + 10;
    let (left, right) = (width(word), width(&percent));
    let (total, colour) = (left + right, colour(tenths).1);
    let (first, second) = (left / 2, left + right / 2);
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{total}\" height=\"20\" role=\"img\" \
         aria-label=\"{word}: {percent}\"><title>{word}: {percent}</title><clipPath id=\"r\"><rect width=\"{total}\" \
         height=\"20\" rx=\"3\"/></clipPath><g clip-path=\"url(#r)\"><rect width=\"{left}\" height=\"20\" \
         fill=\"#555\"/><rect x=\"{left}\" width=\"{right}\" height=\"20\" fill=\"{colour}\"/></g><g fill=\"#fff\" \
         text-anchor=\"middle\" font-family=\"DejaVu Sans,Verdana,Geneva,sans-serif\" font-size=\"11\"><text \
         x=\"{first}\" y=\"14\">{word}</text><text x=\"{second}\" y=\"14\">{percent}</text></g></svg>\n"
    )
}

/// The JSON of a shields.io endpoint badge.
pub fn endpoint(report: &Report) -> String {
    let (tenths, percent) = percent(report);
    let value = serde_json::json!({
        "schemaVersion": 1,
        "label": "translated",
        "message": percent,
        "color": colour(tenths).0,
    });
    format!("{value}\n")
}
