//! Writes the links in bodies (docs/spec/http.md#links-in-bodies).

use crate::encode::json;
use crate::profile::Profile;
use gitglot_model::address::encoded_value;
use gitglot_web::paths;

/// The links of a response, below the root of a profile: the parts that they are made of, escaped for JSON strings.
#[derive(Debug)]
pub(crate) struct Links {
    /// The start of API links, including `/api/`.
    api: String,
    /// The end of API links: a slash, or the suffix of the request, and the `format` of the request.
    tail: String,
    /// The end of links to downloads. They do not repeat a format that a download lacks.
    download_tail: String,
    /// The start of links to pages, without a final slash.
    site: String,
}

impl Links {
    /// Links to the API of a profile, at `base` and `root`. `suffix`: that of the request, if links repeat it. `format`: the
    /// query parameter.
    pub fn new(
        base: &str,
        root: &str,
        profile: Profile,
        site: Option<&str>,
        suffix: Option<&str>,
        format: Option<&str>,
    ) -> Self {
        let mut tail = match suffix {
            Some(suffix) => [".", suffix].concat(),
            None => "/".to_owned(),
        };
        if let Some(format) = format {
            tail.push_str("?format=");
            tail.push_str(&encoded_value(format));
        }
        let download_tail = match format {
            Some("api") => "/".to_owned(),
            Some("csv") if !profile.envelope().repeats_csv => "/".to_owned(),
            _ => tail.clone(),
        };
        let site = site.map_or(base, |site| site.trim_end_matches('/'));
        Self {
            api: escaped(base, &[root, "/api/"].concat()),
            tail,
            download_tail,
            site: escaped(site, ""),
        }
    }
}

/// A base, escaped, and the rest of the link.
fn escaped(base: &str, rest: &str) -> String {
    let mut out = Vec::with_capacity(base.len() + rest.len());
    json::escaped(&mut out, base);
    out.extend_from_slice(rest.as_bytes());
    String::from_utf8(out).unwrap_or_default()
}

/// Writes the link to an API resource, in quotes. `path` is below `/api/`, without a final slash and encoded.
pub(crate) fn link(out: &mut Vec<u8>, links: &Links, path: &[&str]) {
    link_with_tail(out, links, path, &links.tail);
}

/// Writes the link to a download, in quotes, as [`link`] does.
pub(crate) fn download(out: &mut Vec<u8>, links: &Links, path: &[&str]) {
    link_with_tail(out, links, path, &links.download_tail);
}

fn link_with_tail(out: &mut Vec<u8>, links: &Links, path: &[&str], tail: &str) {
    out.push(b'"');
    out.extend_from_slice(links.api.as_bytes());
    path.iter()
        .for_each(|part| out.extend_from_slice(part.as_bytes()));
    out.extend_from_slice(tail.as_bytes());
    out.push(b'"');
}

/// Writes the link to an API resource with a number, in quotes.
pub(crate) fn numbered(out: &mut Vec<u8>, links: &Links, kind: &str, id: u32) {
    link(out, links, &[kind, itoa::Buffer::new().format(id)]);
}

/// Writes the link to an HTML page, in quotes; see [`paths::link`].
pub(crate) fn page(out: &mut Vec<u8>, links: &Links, pattern: &'static str, values: &[&str]) {
    out.push(b'"');
    out.extend_from_slice(links.site.as_bytes());
    out.extend_from_slice(paths::before_parameters(pattern).as_bytes());
    for value in values {
        out.extend_from_slice(value.as_bytes());
        out.push(b'/');
    }
    out.push(b'"');
}

/// The URL of the HTML page at a path, which begins with a slash.
pub(crate) fn site(links: &Links, path: &str) -> String {
    let site: String =
        serde_json::from_str(&["\"", &links.site, "\""].concat()).unwrap_or_default();
    site + path
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_end_like_the_url_of_the_request() {
        let written = |suffix, format| {
            let mut out = Vec::new();
            let links = Links::new("http://h", "", Profile::Legacy, None, suffix, format);
            link(&mut out, &links, &["units/", "1"]);
            String::from_utf8(out).unwrap()
        };
        assert_eq!(written(None, None), "\"http://h/api/units/1/\"");
        assert_eq!(
            written(None, Some("json")),
            "\"http://h/api/units/1/?format=json\""
        );
        assert_eq!(written(Some("json"), None), "\"http://h/api/units/1.json\"");
        assert_eq!(
            written(Some("json"), Some("api")),
            "\"http://h/api/units/1.json?format=api\""
        );
    }
}
