//! The list of what differs between the two APIs, docs/spec/api-differences.md, from the tables that decide it.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use crate::handlers::GROUPS;
use crate::profile::{Profile, Profiles};
use crate::route::{ApiRoute, ResponseBody};
use crate::schema::{ObjectSchema, ValueKind};

const PATH: &str = concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/../../docs/spec/api-differences.md"
);
const INTRODUCTION: &str = "# Differences of the two APIs\n\n\
This page lists what the API of Weblate 3.4 and the [current API](current-api.md) do differently: answers as a whole, \
routes, and fields of objects. The rules behind values that both have are in [current-api.md](current-api.md). A test \
compares this page with the code.\n";

/// The names in two sets that the other one lacks.
type Names = [BTreeSet<String>; 2];

fn routes() -> impl Iterator<Item = &'static ApiRoute> {
    GROUPS.iter().flat_map(|(_, routes)| *routes)
}

/// The fields of an object and those inside of it that only one API has, by the name of the object.
fn collect(object: &ObjectSchema, profile: Profile, found: &mut BTreeMap<String, Names>) {
    let names = &mut found.entry(object.name.clone()).or_default()[profile as usize];
    let own = |profiles| profiles == Profiles::Only(profile);
    let fields = object.fields.iter().filter(|field| own(field.profiles));
    names.extend(fields.map(|field| field.name.to_owned()));
    for field in &object.fields {
        let mut kind = &field.kind;
        while let ValueKind::List(item) = kind {
            kind = item;
        }
        if let ValueKind::Object(object) = kind {
            collect(object, profile, found);
        }
    }
}

fn listed(names: &BTreeSet<String>) -> String {
    let names: Vec<_> = names.iter().map(|name| format!("`{name}`")).collect();
    names.join(", ")
}

fn table(out: &mut String, head: &str, rows: impl IntoIterator<Item = [String; 3]>) {
    write!(out, "\n| {head} | Weblate 3.4 | current |\n|---|---|---|\n").unwrap();
    for [name, legacy, current] in rows {
        writeln!(out, "| {name} | {legacy} | {current} |").unwrap();
    }
}

fn page() -> String {
    let mut out = INTRODUCTION.to_owned();
    let both = Profile::ALL.map(Profile::envelope);
    let yes_no = |value: bool| if value { "yes" } else { "no" }.to_owned();
    let row = |name: &str, values: [String; 2]| {
        let [legacy, current] = values;
        [name.to_owned(), legacy, current]
    };
    out.push_str("\n## Answers\n");
    let sizes = |index: usize| both.map(|of| of.pages[index].default.to_string());
    let accounts = "Refuses what needs an account or a permission, and names the methods that write in `Allow`";
    let rows = [
        row(
            "Redirects to the path with its final slash",
            both.map(|of| yes_no(of.adds_slashes)),
        ),
        row(
            "Suffixes such as `.json`",
            both.map(|of| yes_no(of.has_suffixes)),
        ),
        row(
            "Errors of unknown paths in JSON on request",
            both.map(|of| yes_no(of.describes_unknown_paths)),
        ),
        row(
            "`format=csv` in links to files",
            both.map(|of| yes_no(of.repeats_csv)),
        ),
        row(accounts, both.map(|of| yes_no(of.has_accounts))),
        row(
            "Headers `Gitglot-…`",
            both.map(|of| yes_no(of.has_own_headers)),
        ),
        row("Entries per page", sizes(0)),
        row("Entries per page of long lists", sizes(1)),
        row(
            "Errors",
            both.map(|of| format!("`{}`", (of.error_schema)().name)),
        ),
    ];
    table(&mut out, "Rule", rows);
    out.push_str("\n## Routes\n");
    let mut paths: BTreeMap<&str, [&str; 2]> = BTreeMap::new();
    for route in routes() {
        for profile in Profile::ALL {
            if route.is_readable_in(profile) {
                paths.entry(route.pattern).or_default()[profile as usize] = "yes";
            }
        }
    }
    let rows = paths.iter().filter(|(_, has)| has[0] != has[1]);
    table(
        &mut out,
        "Path",
        rows.map(|(path, has)| row(&format!("`{path}`"), has.map(str::to_owned))),
    );
    out.push_str("\n## Fields\n");
    let mut fields = BTreeMap::new();
    for route in routes() {
        for profile in Profile::ALL {
            if let ResponseBody::Object(object)
            | ResponseBody::Page(object)
            | ResponseBody::Array(object) = route.body_in(profile)
                && route.is_readable_in(profile)
            {
                collect(&object(), profile, &mut fields);
            }
        }
    }
    let rows = fields
        .iter()
        .filter(|(_, by_api)| by_api.iter().any(|names| !names.is_empty()));
    let rows =
        rows.map(|(object, names)| row(&format!("`{object}`"), names.each_ref().map(listed)));
    table(&mut out, "Object", rows.collect::<Vec<_>>());
    out.push_str("\nA field in both columns has another type or meaning there.\n");
    out
}

#[test]
fn the_list_of_differences_is_that_of_the_code() {
    let page = page();
    if std::env::var_os("UPDATE_DOCS").is_some() {
        std::fs::write(PATH, &page).unwrap();
    }
    let committed = std::fs::read_to_string(PATH).unwrap_or_default();
    assert_eq!(
        committed, page,
        "docs/spec/api-differences.md differs from the code: run `just docs`, or this test with UPDATE_DOCS=1"
    );
}
