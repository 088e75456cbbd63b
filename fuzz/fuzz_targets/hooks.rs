//! Webhooks of hosting services: content type, one header, and the payload.
#![no_main]

use libfuzzer_sys::fuzz_target;
use poem::Request;
use poem::http::{HeaderValue, Method};

const SERVICES: [&str; 7] = ["github", "gitlab", "bitbucket", "pagure", "gitea", "forgejo", "update/reading-lamp"];
const NAMES: [&str; 10] = [
    "x-github-event",
    "x-gitlab-event",
    "x-event-key",
    "x-gitea-event",
    "x-hub-signature-256",
    "x-hub-signature",
    "x-gitlab-token",
    "x-pagure-signature-256",
    "x-gitea-signature",
    "x-forgejo-signature",
];

fuzz_target!(|data: &[u8]| {
    let [service, name, kind, rest @ ..] = data else { return };
    let uri = format!("/hooks/{}/", SERVICES[usize::from(*service) % SERVICES.len()]).parse().expect("a path");
    let (value, body) = rest.split_at(rest.len().min(usize::from(*kind >> 2)));
    let mut request = Request::builder().method(Method::POST).uri(uri).finish();
    let types = ["application/json", "application/x-www-form-urlencoded", "text/plain", ""];
    let headers = request.headers_mut();
    headers.insert("content-type", HeaderValue::from_static(types[usize::from(*kind) % types.len()]));
    if let Ok(value) = HeaderValue::from_bytes(value) {
        headers.insert(NAMES[usize::from(*name) % NAMES.len()], value);
    }
    request.set_body(body.to_vec());
    gitglot_fuzz::ask(request, false);
});
