//! Which form an answer takes (api.md 5).

use crate::api::encode::csv;
use crate::api::request::python_int;
use crate::api::response::api_response::{HTML, JSON};
use crate::api::response::error::ApiError;

/// A form of an answer.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(in crate::api) enum Representation {
    /// JSON.
    #[default]
    Json,
    /// JSON on a page.
    Html,
    /// A whole list, an object in each line.
    NdJson,
    /// A whole list as a table.
    Csv,
}

impl Representation {
    /// Its name as `format` and suffix.
    pub(in crate::api) fn name(self) -> &'static str {
        match self {
            Self::Json => "json",
            Self::Html => "api",
            Self::NdJson => "ndjson",
            Self::Csv => "csv",
        }
    }

    /// Its name for people.
    pub(in crate::api) fn label(self) -> &'static str {
        match self {
            Self::Json => "JSON",
            Self::Html => "Page",
            Self::NdJson => "Whole list as JSON lines",
            Self::Csv => "Whole list as CSV",
        }
    }

    /// The header that names its content.
    pub(in crate::api) fn content_type(self) -> &'static str {
        match self {
            Self::Json => JSON,
            Self::Html => HTML,
            Self::NdJson => "application/x-ndjson",
            Self::Csv => csv::CSV,
        }
    }

    /// Main and sub type of its content.
    fn media(self) -> (&'static str, &'static str) {
        match self {
            Self::Json => ("application", "json"),
            Self::Html => ("text", "html"),
            Self::NdJson => ("application", "x-ndjson"),
            Self::Csv => ("text", "csv"),
        }
    }
}

/// The form that was agreed on.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(in crate::api) struct Negotiated {
    /// The form.
    pub(in crate::api) form: Representation,
    /// Blanks for each level of a JSON body, 0 to 8; 0 = all in one line.
    pub(in crate::api) indent: usize,
}

/// An entry of an `Accept` header.
#[derive(Clone, Copy)]
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

    fn matches(&self, (main, sub): (&str, &str)) -> bool {
        let fits = |part: &str, wanted: &str| part == "*" || part.eq_ignore_ascii_case(wanted);
        fits(self.main, main) && fits(self.sub, sub)
    }

    fn indent(&self) -> usize {
        let found = self.parameters().find(|(name, _)| name.eq_ignore_ascii_case("indent"));
        let indent = found.and_then(|(_, value)| python_int::int(value)).unwrap_or(0);
        indent.clamp(0, 8) as usize
    }
}

/// Finds the form for an `Accept` header and a `format` (suffix or query parameter) among the forms that a route has.
/// `forms` are in order of preference.
///
/// # Errors
/// [`ApiError::NotFound`] for a format that the route does not have, [`ApiError::NotAcceptable`] when nothing fits.
pub(in crate::api) fn negotiate(
    accept: Option<&str>,
    format: Option<&str>,
    forms: &[Representation],
) -> Result<Negotiated, ApiError> {
    let forms = match format {
        None | Some("") => forms,
        Some(name) => match forms.iter().position(|form| form.name() == name) {
            Some(at) => &forms[at..=at],
            None => return Err(ApiError::NotFound),
        },
    };
    let accept = match accept.map(str::trim) {
        None | Some("" | "*/*") => {
            let form = forms.first().copied().ok_or(ApiError::NotAcceptable)?;
            return Ok(Negotiated { form, indent: 0 });
        }
        Some(accept) => accept,
    };
    let mut best: Option<(Representation, Media<'_>)> = None;
    for media in accept.split(',').map(|entry| Media::new(entry.trim())) {
        // Of two entries that are as specific, the one for the form that is preferred wins; of one form the first.
        for &form in forms.iter().filter(|form| media.matches(form.media())) {
            let wins = best.as_ref().is_none_or(|(other, known)| {
                let (own, other_place) = (rank(forms, form), rank(forms, *other));
                (media.precedence(), std::cmp::Reverse(own)) > (known.precedence(), std::cmp::Reverse(other_place))
            });
            if wins {
                best = Some((form, media));
            }
        }
    }
    let (form, media) = best.ok_or(ApiError::NotAcceptable)?;
    Ok(Negotiated { form, indent: if form == Representation::Json { media.indent() } else { 0 } })
}

fn rank(forms: &[Representation], form: Representation) -> usize {
    forms.iter().position(|other| *other == form).unwrap_or(forms.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    const FORMS: &[Representation] = &[Representation::Json, Representation::Html];
    const BROWSER: &str = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8";

    fn form(accept: Option<&str>, format: Option<&str>) -> Result<Representation, ApiError> {
        negotiate(accept, format, FORMS).map(|accepted| accepted.form)
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
            assert_eq!(form(Some(accept), None), Ok(Representation::Json), "{accept}");
        }
        for accept in ["text/html", BROWSER, "text/*", "application/*, text/html;q=0.1", "TEXT/HTML"] {
            assert_eq!(form(Some(accept), None), Ok(Representation::Html), "{accept}");
        }
        for accept in ["application/xml", "garbage", "text/plain", "application"] {
            assert_eq!(form(Some(accept), None), Err(ApiError::NotAcceptable), "{accept}");
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
                Ok(Negotiated { form: Representation::Json, indent }),
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
        assert_eq!(form(Some("application/json"), Some("api")), Err(ApiError::NotAcceptable));
        assert_eq!(form(Some("text/html"), Some("json")), Err(ApiError::NotAcceptable));
    }
}
