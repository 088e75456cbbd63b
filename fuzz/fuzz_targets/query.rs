//! Query strings: searches, filters and page numbers on lists, exports and HTML pages.
#![no_main]

use libfuzzer_sys::fuzz_target;
use percent_encoding::{NON_ALPHANUMERIC, percent_encode};
use poem::Request;

const PATHS: [&str; 12] = [
    "/api/units/",
    "/api/changes/",
    "/api/translations/reading-lamp/extension/cs/units/",
    "/api/sources/",
    "/translate/reading-lamp/extension/cs/",
    "/changes/",
    "/search/",
    "/checks/",
    "/api/translations/reading-lamp/extension/cs/file/",
    "/api/projects/reading-lamp/statistics/",
    "/exports/stats/reading-lamp/extension/",
    "/line/reading-lamp/extension/cs/",
];
const NAMES: [&str; 16] = [
    "q",
    "page",
    "page_size",
    "action",
    "timestamp_after",
    "timestamp_before",
    "format",
    "language",
    "project",
    "component",
    "translated",
    "fuzzy",
    "user",
    "unit",
    "id_after",
    "checksum",
];

fuzz_target!(|data: &[u8]| {
    let Some((&first, rest)) = data.split_first() else { return };
    let path = PATHS[usize::from(first & 0x7f) % PATHS.len()];
    let query = if first & 0x80 == 0 {
        format!("q={}", percent_encode(rest, NON_ALPHANUMERIC))
    } else {
        // Several parameters, each named by its first byte.
        let parts = rest.split(|&byte| byte == b'\n').filter_map(|part| part.split_first());
        let parts = parts.map(|(&name, value)| {
            format!("{}={}", NAMES[usize::from(name) % NAMES.len()], percent_encode(value, NON_ALPHANUMERIC))
        });
        parts.collect::<Vec<_>>().join("&")
    };
    let Ok(uri) = format!("http://l10n.example.org{path}?{query}").parse() else { return };
    gitglot_fuzz::ask(Request::builder().uri(uri).header("host", "l10n.example.org").finish(), false);
});
