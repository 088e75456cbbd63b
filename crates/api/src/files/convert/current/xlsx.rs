//! Units as a spreadsheet of Office Open XML: a table with texts only, which no program takes for formulas.

use super::{Conversion, csv, put};
use crate::encode::xml::escaped;
use crate::encode::zip::ZipWriter;

/// The parts of the file besides the table: path and content.
const PARTS: [(&str, &str); 4] = [
    (
        "[Content_Types].xml",
        "<Types xmlns=\"http://schemas.openxmlformats.org/package/2006/content-types\">\
<Default Extension=\"rels\" ContentType=\"application/vnd.openxmlformats-package.relationships+xml\"/>\
<Override PartName=\"/xl/workbook.xml\" \
ContentType=\"application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml\"/>\
<Override PartName=\"/xl/worksheets/sheet1.xml\" \
ContentType=\"application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml\"/></Types>",
    ),
    (
        "_rels/.rels",
        "<Relationships xmlns=\"http://schemas.openxmlformats.org/package/2006/relationships\">\
<Relationship Id=\"rId1\" \
Type=\"http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument\" \
Target=\"xl/workbook.xml\"/></Relationships>",
    ),
    (
        "xl/workbook.xml",
        "<workbook xmlns=\"http://schemas.openxmlformats.org/spreadsheetml/2006/main\" \
xmlns:r=\"http://schemas.openxmlformats.org/officeDocument/2006/relationships\">\
<sheets><sheet name=\"Weblate\" sheetId=\"1\" r:id=\"rId1\"/></sheets></workbook>",
    ),
    (
        "xl/_rels/workbook.xml.rels",
        "<Relationships xmlns=\"http://schemas.openxmlformats.org/package/2006/relationships\">\
<Relationship Id=\"rId1\" \
Type=\"http://schemas.openxmlformats.org/officeDocument/2006/relationships/worksheet\" \
Target=\"worksheets/sheet1.xml\"/></Relationships>",
    ),
];

const DECLARATION: &str = "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"yes\"?>\n";

/// Writes a workbook with one sheet.
pub(super) fn xlsx(of: &Conversion<'_>) -> Vec<u8> {
    let mut zip = ZipWriter::default();
    for (path, content) in PARTS {
        zip.add(path, [DECLARATION, content].concat().as_bytes());
    }
    zip.add("xl/worksheets/sheet1.xml", sheet(&csv::rows(of)).as_bytes());
    zip.finish()
}

fn sheet(rows: &[Vec<String>]) -> String {
    let mut out = DECLARATION.to_owned();
    out.push_str("<worksheet xmlns=\"http://schemas.openxmlformats.org/spreadsheetml/2006/main\"><sheetData>");
    for (row, cells) in rows.iter().enumerate() {
        let row = row + 1;
        put!(out, "<row r=\"{row}\">");
        for (column, text) in ('A'..).zip(cells) {
            if text.is_empty() {
                continue;
            }
            let text = escaped(text);
            put!(
                out,
                "<c r=\"{column}{row}\" t=\"inlineStr\"><is><t xml:space=\"preserve\">{text}</t></is></c>"
            );
        }
        out.push_str("</row>");
    }
    out.push_str("</sheetData></worksheet>");
    out
}
