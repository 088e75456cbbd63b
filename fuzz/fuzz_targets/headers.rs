//! Request headers. The first byte selects the path, the method and whether a token is needed; each
//! line of the rest is a header, whose first byte selects its name.
#![no_main]

use libfuzzer_sys::fuzz_target;
use poem::Request;
use poem::http::{HeaderValue, Method};

const PATHS: [&str; 8] = [
    "/api/",
    "/api/units/1/",
    "/api/units/",
    "/api/translations/reading-lamp/extension/cs/statistics/",
    "/api/translations/reading-lamp/extension/cs/file/",
    "/projects/reading-lamp/",
    "/sign-in/",
    "/api/openapi.json",
];
const NAMES: [&str; 15] = [
    "accept",
    "accept-encoding",
    "accept-language",
    "if-none-match",
    "if-modified-since",
    "if-match",
    "range",
    "host",
    "authorization",
    "forwarded",
    "x-forwarded-host",
    "x-forwarded-proto",
    "origin",
    "access-control-request-method",
    "cookie",
];

fuzz_target!(|data: &[u8]| {
    let Some((&first, rest)) = data.split_first() else { return };
    let method = [Method::GET, Method::HEAD, Method::OPTIONS, Method::POST][usize::from(first >> 6)].clone();
    let uri = PATHS[usize::from(first & 0x1f) % PATHS.len()].parse().expect("a path");
    let mut request = Request::builder().method(method).uri(uri).finish();
    for line in rest.split(|&byte| byte == b'\n') {
        if let Some((&name, value)) = line.split_first()
            && let Ok(value) = HeaderValue::from_bytes(value)
        {
            request.headers_mut().append(NAMES[usize::from(name) % NAMES.len()], value);
        }
    }
    gitglot_fuzz::ask(request, first & 0x20 != 0);
});
