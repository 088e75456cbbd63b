//! Tests of links in the files of a site.

use super::*;
use crate::options::{Changes, SiteOptions, Strings};
use gitglot_catalog::Snapshot;

/// Writes texts with the base for `BASE` and its path for `ROOT`. Returns the rewritten bodies.
fn rewritten(address: Option<&str>, cases: &[(BodyKind, &str)]) -> Vec<String> {
    let snapshot = Snapshot::after(None, Vec::new(), Vec::new(), [].into());
    let options = SiteOptions {
        base_url: address.map(str::to_owned),
        strings: Strings::All,
        changes: Changes::All,
        api: true,
        ..SiteOptions::default()
    };
    let rules = Rules::new(&snapshot, &options);
    let anchor = Anchor::new();
    let mut rewriter = Rewriter::new(&rules, &anchor);
    let body = |(kind, text): &(BodyKind, &str)| {
        let text = text.replace("BASE", &anchor.base());
        let text = text.replace("ROOT", &["/", &*anchor.token].concat());
        let out = rewriter.rewrite(text.as_bytes(), *kind, "a/b/index.html");
        String::from_utf8(out).unwrap()
    };
    cases.iter().map(body).collect()
}

#[test]
fn links_of_pages_are_relative_and_those_that_need_a_server_are_removed() {
    use BodyKind::{Html, Json, Text};
    let cases = [
        (
            Html,
            r#"<a href="ROOT/changes/?project=p&#38;page=2">x</a>"#,
        ),
        (Html, r#"<body data-events="ROOT/api/events/?a=b"><p>"#),
        (
            Html,
            r#"<ul><li><a href="ROOT/exports/rss/">Feed</a></li><li>y</li></ul>"#,
        ),
        (
            Html,
            r#"<th><a class="k" href="ROOT/compare/p/c/a...b/">x</a></th>"#,
        ),
        (
            Html,
            r#"1 <a href="ROOT/compare/p/" rel="next">2</a> <a href="ROOT/compare/p/" rel="last">3</a>4"#,
        ),
        (Html, r#"<a href="ROOT/search/?project=p">Search</a>"#),
        (Html, r#"<script src="ROOT/static/script.js?v=1"></script>"#),
        (
            Json,
            r#"{"url":"BASE/api/units/1/","x":"BASE/api/events/"}"#,
        ),
        (
            Json,
            r#"["BASE/api/projects/p/","BASE/api/projects/p/","BASE/api/projects/q/"]"#,
        ),
        (Json, r#"{"servers":[{"url":"BASE"}]}"#),
        (Text, "BASE/projects/p/,BASE/engage/p/,1\r\n"),
    ];
    assert_eq!(
        rewritten(None, &cases),
        [
            r#"<a href="../../changes/project=p/page=2/index.html">x</a>"#,
            "<body><p>",
            "<ul><li>y</li></ul>",
            r#"<th><a class="k">x</a></th>"#,
            "1 <span>Next: left out of this site</span>4",
            r#"<a href="../../search/index.html?project=p">Search</a>"#,
            r#"<script src="../../static/script.js?v=1"></script>"#,
            r#"{"url":"../../api/units/1/index.json","x":null}"#,
            r#"["../../api/projects/p/index.json","../../api/projects/p/index.json","../../api/projects/q/index.json"]"#,
            r#"{"servers":[{"url":"../.."}]}"#,
            "../../projects/p/index.html,../../engage/p/index.html,1\r\n",
        ]
    );
}

#[test]
fn absolute_links_are_those_of_the_site() {
    let cases = [
        (
            BodyKind::Xml,
            "<link>BASE/</link><loc>BASE/projects/p/</loc>",
        ),
        (
            BodyKind::Html,
            "[![x](BASE/widgets/p/-/svg-badge.svg)](BASE/projects/p/)",
        ),
        (
            BodyKind::Json,
            r#"{"servers":[{"url":"BASE"}],"url":"BASE/api/"}"#,
        ),
    ];
    assert_eq!(
        rewritten(Some("https://h/x/"), &cases),
        [
            "<link>https://h/x/</link><loc>https://h/x/projects/p/</loc>",
            "[![x](https://h/x/widgets/p/-/svg-badge.svg)](https://h/x/projects/p/)",
            r#"{"servers":[{"url":"https://h/x"}],"url":"../../api/index.json"}"#,
        ]
    );
}
