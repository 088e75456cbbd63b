//! Writers of revisions and comparisons.

use super::translations::counts;
use crate::api::encode::json::{boolean, fields, int, list, moment, object, optional, text};
use crate::api::request::pagination::{RequestUrl, page_links};
use crate::api::request::revisions::Compared;
use crate::api::response::links::{Links, link};
use crate::catalog::{ComponentSnapshot, TranslationSnapshot};
use crate::lint::{GateOutcome, Report, output};
use crate::model::address::{commit_page, encoded, encoded_value};
use crate::model::privacy::{name, without_addresses};
use crate::model::{Timestamp, TranslationId};
use crate::revisions::Revision;

/// The name of a revision in a path: a slash is `%2F`.
fn revision_segment(name: &str) -> String {
    encoded(name).replace('/', "%2F")
}

/// Writes a component at a revision (docs/spec/revisions.md#resources).
pub(crate) fn revision(
    out: &mut Vec<u8>,
    links: &Links,
    revision: &Revision,
    state: &ComponentSnapshot,
) {
    let (tip, segment) = (&state.tip, revision_segment(&revision.name));
    let parents: Vec<String> = tip.parents.iter().map(ToString::to_string).collect();
    let summary = tip.message.lines().next().unwrap_or_default();
    let web = commit_page(&state.component.repo, tip.id);
    let component = state.path();
    object!(out;
        "revision" => text(&revision.name),
        "commit" => text(&tip.id.to_string()),
        "summary" => text(&without_addresses(summary)),
        "author" => text(&name(&tip.author.name)),
        "authored" => moment(Timestamp::from_seconds(tip.author.time.seconds)),
        "committed" => moment(Timestamp::from_seconds(tip.committer.time.seconds)),
        "parents" => list(parents.iter(), |out, parent| text(out, parent)),
        "web_url" => optional(web.as_deref(), text),
        "statistics" => list(state.translations.iter(), |out, translation| {
            revision_translation(out, links, &revision.name, state, translation);
        }),
        "component_url" => link(links, &["components/", &component]),
        "translations_url" => below(links, state, &segment, "/translations", ""),
        "units_url" => below(links, state, &segment, "/units", ""),
        "url" => below(links, state, &segment, "", ""),
    );
}

/// Writes a translation at a revision.
pub(crate) fn revision_translation(
    out: &mut Vec<u8>,
    links: &Links,
    revision: &str,
    state: &ComponentSnapshot,
    translation: &TranslationSnapshot,
) {
    let segment = revision_segment(revision);
    let code = encoded_value(&translation.language.code);
    out.extend_from_slice(b"{\"language\":");
    text(out, &translation.language.code);
    fields!(out;
        "name" => text(&translation.language.name),
        "language_code" => text(&translation.file_code),
        "filename" => text(&translation.path),
        "revision" => text(&translation.revision(state.template_blob)),
        "is_template" => boolean(translation.is_template),
    );
    counts(out, &translation.statistics);
    fields!(out;
        "translation" => current(links, state, translation),
        "units_url" => below(links, state, &segment, "/units", &format!("q=language%3A{code}")),
        "file_url" => below(links, state, &segment, "/file", &format!("language={code}")),
    );
    out.push(b'}');
}

/// Writes the link to the translation at the tip, or `null`.
fn current(
    out: &mut Vec<u8>,
    links: &Links,
    state: &ComponentSnapshot,
    translation: &TranslationSnapshot,
) {
    if translation.id == TranslationId(0) {
        return out.extend_from_slice(b"null");
    }
    let path = state.path_of(translation);
    link(out, links, &["translations/", &path]);
}

/// Writes a link to a resource of a revision, with a query.
fn below(
    out: &mut Vec<u8>,
    links: &Links,
    state: &ComponentSnapshot,
    segment: &str,
    rest: &str,
    query: &str,
) {
    let start = out.len();
    let component = state.path();
    let path = ["components/", &component, "/revisions/", segment, rest];
    link(out, links, &path);
    if !query.is_empty() {
        let has_query = out.get(start..).unwrap_or_default().contains(&b'?');
        out.pop();
        out.push(if has_query { b'&' } else { b'?' });
        out.extend_from_slice(query.as_bytes());
        out.push(b'"');
    }
}

/// Writes a comparison with one page of its findings: the document of `gitglot check`, with the fields of a page in front.
pub(crate) fn comparison(out: &mut Vec<u8>, url: &RequestUrl, compared: Compared) {
    let Compared {
        component,
        base,
        head,
        comparison,
        filter,
        page,
        findings,
    } = compared;
    let errors = comparison.errors(&filter);
    let mut outcome = GateOutcome::default();
    if errors > 0 {
        let plural = if errors == 1 { "finding" } else { "findings" };
        outcome.failed.push(format!("error: {errors} {plural}"));
    }
    let results = vec![(comparison.report.clone(), findings)];
    let read = comparison.read_state(&component, &base, &head);
    let report = Report::new(read, results, comparison.notes.clone());
    let document = output::document(&report, &outcome);
    let links = page_links(url, &page);
    object!(out;
        "count" => int(comparison.count(&filter)),
        "next" => optional(links.next.as_deref(), text),
        "previous" => optional(links.previous.as_deref(), text),
    );
    out.pop();
    out.push(b',');
    out.extend_from_slice(document.as_bytes().get(1..).unwrap_or_default());
}
