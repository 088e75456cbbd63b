//! Content negotiation: which representation a response has (docs/spec/http.md#content-negotiation).

use std::cmp::Reverse;

use super::python_int;
use crate::response::error::ApiError;
use crate::response::media_type::Representation;

#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(crate) struct Negotiated {
    pub(crate) representation: Representation,
    /// Spaces per level of a JSON body, 0 to 8; 0 for compact JSON.
    pub(crate) indent: usize,
}

/// A media range of an `Accept` header.
#[derive(Clone, Copy)]
struct MediaRange<'a> {
    main: &'a str,
    sub: &'a str,
    parameters: &'a str,
}

impl<'a> MediaRange<'a> {
    fn new(range: &'a str) -> Self {
        let (name, parameters) = range.split_once(';').unwrap_or((range, ""));
        let (main, sub) = name.trim().split_once('/').unwrap_or((name.trim(), ""));
        Self {
            main,
            sub,
            parameters,
        }
    }

    fn parameters(&self) -> impl Iterator<Item = (&'a str, &'a str)> {
        self.parameters.split(';').filter_map(|part| {
            let (name, value) = part.split_once('=')?;
            Some((name.trim(), value.trim().trim_matches('"')))
        })
    }

    /// How specific the range is. As in 3.4, quality values do not count.
    fn precedence(&self) -> u8 {
        let mut parameters = self.parameters();
        match (self.main, self.sub) {
            ("*", _) => 0,
            (_, "*") => 1,
            _ if parameters.all(|(name, _)| name.eq_ignore_ascii_case("q")) => 2,
            _ => 3,
        }
    }

    fn matches(&self, representation: Representation) -> bool {
        let media_type = representation.media_type();
        let (main, sub) = media_type.split_once('/').unwrap_or_default();
        let fits = |part: &str, wanted: &str| part == "*" || part.eq_ignore_ascii_case(wanted);
        fits(self.main, main) && fits(self.sub, sub)
    }

    fn indent(&self) -> usize {
        let mut parameters = self.parameters();
        let found = parameters.find(|(name, _)| name.eq_ignore_ascii_case("indent"));
        let indent = found.and_then(|(_, value)| python_int::int(value));
        indent.unwrap_or(0).clamp(0, 8) as usize
    }
}

/// Selects a representation by `Accept` header and `format` (suffix or query parameter). `available` is in order of
/// preference.
///
/// # Errors
/// [`ApiError::NotFound`] for an unavailable format, [`ApiError::NotAcceptable`] when the header matches nothing.
pub(crate) fn negotiate(
    accept: Option<&str>,
    format: Option<&str>,
    available: &[Representation],
) -> Result<Negotiated, ApiError> {
    let available = match format {
        None | Some("") => available,
        Some(name) => match available.iter().position(|known| known.name() == name) {
            Some(at) => &available[at..=at],
            None => return Err(ApiError::NotFound),
        },
    };
    let accept = accept.unwrap_or_default().trim();
    // Most programs accept everything.
    if matches!(accept, "" | "*/*") {
        return Ok(Negotiated {
            representation: *available.first().ok_or(ApiError::NotAcceptable)?,
            indent: 0,
        });
    }
    // The most specific range counts, then the preferred representation, then the first range.
    let ranges = accept.split(',').map(|range| MediaRange::new(range.trim()));
    let candidates = ranges.enumerate().flat_map(|(position, range)| {
        let matching = available.iter().enumerate();
        let matching = matching.filter(move |(_, known)| range.matches(**known));
        matching.map(move |(rank, known)| {
            let order = (range.precedence(), Reverse(rank), Reverse(position));
            (order, *known, range)
        })
    });
    let best = candidates.max_by_key(|(order, ..)| *order);
    let (_, representation, range) = best.ok_or(ApiError::NotAcceptable)?;
    let indent = if representation == Representation::Json {
        range.indent()
    } else {
        0
    };
    Ok(Negotiated {
        representation,
        indent,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const FORMS: &[Representation] = &[Representation::Json, Representation::Html];
    const BROWSER: &str = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8";

    fn form(accept: Option<&str>, format: Option<&str>) -> Result<Representation, ApiError> {
        negotiate(accept, format, FORMS).map(|accepted| accepted.representation)
    }

    #[test]
    fn json_is_sent_unless_html_is_named_more_closely() {
        for accept in [
            "",
            "*/*",
            "application/json",
            "APPLICATION/JSON",
            "application/*",
            "text/plain, */*",
            "application/json;q=0",
            "text/html, application/json",
            "text/*, application/*",
        ] {
            assert_eq!(
                form(Some(accept), None),
                Ok(Representation::Json),
                "{accept}"
            );
        }
        for accept in [
            "text/html",
            BROWSER,
            "text/*",
            "application/*, text/html;q=0.1",
            "TEXT/HTML",
        ] {
            assert_eq!(
                form(Some(accept), None),
                Ok(Representation::Html),
                "{accept}"
            );
        }
        for accept in ["application/xml", "garbage", "text/plain", "application"] {
            assert_eq!(
                form(Some(accept), None),
                Err(ApiError::NotAcceptable),
                "{accept}"
            );
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
            assert_eq!(
                negotiate(Some(accept), None, FORMS),
                Ok(Negotiated {
                    representation: Representation::Json,
                    indent
                }),
                "{accept}"
            );
        }
    }

    #[test]
    fn a_format_must_exist_and_fit() {
        assert_eq!(form(None, Some("json")), Ok(Representation::Json));
        assert_eq!(form(None, Some("")), Ok(Representation::Json));
        assert_eq!(form(None, Some("api")), Ok(Representation::Html));
        assert_eq!(form(Some(BROWSER), Some("json")), Ok(Representation::Json));
        assert_eq!(form(None, Some("xml")), Err(ApiError::NotFound));
        assert_eq!(form(None, Some("JSON")), Err(ApiError::NotFound));
        assert_eq!(
            form(Some("application/json"), Some("api")),
            Err(ApiError::NotAcceptable)
        );
        assert_eq!(
            form(Some("text/html"), Some("json")),
            Err(ApiError::NotAcceptable)
        );
    }
}
