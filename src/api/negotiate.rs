//! Which form an answer takes (api.md 5). Only JSON is sent; HTML is known by name, so that asking for
//! it alone is refused with 406 and not misread.

use super::errors::Failure;
use super::python;

/// The form that was agreed on.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(super) struct Accepted {
    /// Blanks for each level of a JSON body, 0 to 8; 0 = all in one line.
    pub(super) indent: usize,
}

/// An entry of an `Accept` header.
struct Media<'a> {
    main: &'a str,
    sub: &'a str,
    parameters: &'a str,
}

impl<'a> Media<'a> {
    fn new(entry: &'a str) -> Self {
        let (name, parameters) = entry.split_once(';').unwrap_or((entry, ""));
        let (main, sub) = name.trim().split_once('/').unwrap_or((name.trim(), ""));
        Self { main, sub, parameters }
    }

    fn parameters(&self) -> impl Iterator<Item = (&'a str, &'a str)> {
        self.parameters.split(';').filter_map(|part| {
            let (name, value) = part.split_once('=')?;
            Some((name.trim(), value.trim().trim_matches('"')))
        })
    }

    /// More specific entries win; quality values are not looked at.
    fn precedence(&self) -> u8 {
        if self.main == "*" {
            0
        } else if self.sub == "*" {
            1
        } else if self.parameters().all(|(name, _)| name.eq_ignore_ascii_case("q")) {
            2
        } else {
            3
        }
    }

    fn matches(&self, main: &str, sub: &str) -> bool {
        let fits = |part: &str, wanted: &str| part == "*" || part.eq_ignore_ascii_case(wanted);
        fits(self.main, main) && fits(self.sub, sub)
    }

    fn indent(&self) -> usize {
        let found = self.parameters().find(|(name, _)| name.eq_ignore_ascii_case("indent"));
        let indent = found.and_then(|(_, value)| python::int(value)).unwrap_or(0);
        indent.clamp(0, 8) as usize
    }
}

/// Whether HTML may be asked for: an attachment is negotiated as if there were a page of it, then sent as it is.
fn html_fits(accept: Option<&str>, format: Option<&str>) -> bool {
    let mut accept = accept.map_or("*/*", str::trim).split(',').map(|entry| Media::new(entry.trim()));
    matches!(format, None | Some("" | "api")) && accept.any(|media| media.matches("text", "html"))
}

/// Finds the form of an attachment: [`negotiate`], but whoever takes HTML gets it, too.
///
/// # Errors
/// As [`negotiate`].
pub(super) fn negotiate_attachment(accept: Option<&str>, format: Option<&str>) -> Result<Accepted, Failure> {
    match negotiate(accept, format) {
        Err(Failure::NotAcceptable) if html_fits(accept, format) => Ok(Accepted::default()),
        other => other,
    }
}

/// Finds the form for an `Accept` header and a `format` (suffix or query parameter).
///
/// # Errors
/// [`Failure::NotFound`] for a format that does not exist, [`Failure::NotAcceptable`] when nothing fits.
pub(super) fn negotiate(accept: Option<&str>, format: Option<&str>) -> Result<Accepted, Failure> {
    match format {
        None | Some("" | "json") => {}
        Some("api") => return Err(Failure::NotAcceptable),
        Some(_) => return Err(Failure::NotFound),
    }
    let accept = match accept.map(str::trim) {
        None | Some("" | "*/*") => return Ok(Accepted::default()),
        Some(accept) => accept,
    };
    let best = accept
        .split(',')
        .map(|entry| Media::new(entry.trim()))
        .filter(|media| media.matches("application", "json"))
        .reduce(|best, media| if media.precedence() > best.precedence() { media } else { best });
    match best {
        Some(media) => Ok(Accepted { indent: media.indent() }),
        None => Err(Failure::NotAcceptable),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn json_is_sent_to_whoever_takes_it() {
        for accept in [
            "",
            "*/*",
            "application/json",
            "APPLICATION/JSON",
            "application/*",
            "text/plain, */*",
            "application/json;q=0",
            "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8",
        ] {
            assert_eq!(negotiate(Some(accept), None), Ok(Accepted { indent: 0 }), "{accept}");
        }
        for accept in ["application/xml", "garbage", "text/plain", "text/*", "text/html", "application"] {
            assert_eq!(negotiate(Some(accept), None), Err(Failure::NotAcceptable), "{accept}");
        }
    }

    #[test]
    fn indent_is_read_from_the_most_specific_entry() {
        for (accept, indent) in [
            ("application/json; indent=4", 4),
            ("application/json;indent=99", 8),
            ("application/json; indent=0", 0),
            ("application/json; indent=-1", 0),
            ("application/json; indent=x", 0),
            ("*/*; indent=2", 2),
            ("*/*; indent=2, application/json; indent=\"3\"", 3),
        ] {
            assert_eq!(negotiate(Some(accept), None), Ok(Accepted { indent }), "{accept}");
        }
    }

    #[test]
    fn an_attachment_is_sent_to_whoever_takes_a_page() {
        for (accept, format) in [("text/html", None), ("*/*", Some("api")), ("text/*", Some("")), ("*/*", None)] {
            assert!(negotiate_attachment(Some(accept), format).is_ok(), "{accept} {format:?}");
        }
        for (accept, format) in [("text/plain", None), ("application/json", Some("api")), ("text/html", Some("json"))] {
            assert!(negotiate_attachment(Some(accept), format).is_err(), "{accept} {format:?}");
        }
    }

    #[test]
    fn a_format_must_exist_and_fit() {
        assert!(negotiate(None, Some("json")).is_ok());
        assert!(negotiate(None, Some("")).is_ok());
        assert_eq!(negotiate(None, Some("xml")), Err(Failure::NotFound));
        assert_eq!(negotiate(None, Some("JSON")), Err(Failure::NotFound));
        assert_eq!(negotiate(None, Some("api")), Err(Failure::NotAcceptable));
        assert_eq!(negotiate(Some("text/html"), Some("json")), Err(Failure::NotAcceptable));
    }
}
