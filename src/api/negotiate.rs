//! Which form an answer takes (api.md 5).

use super::answer::{HTML, JSON};
use super::errors::Failure;
use super::python;
use super::table;

/// A form of an answer.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(super) enum Form {
    /// JSON.
    #[default]
    Json,
    /// JSON on a page.
    Browsable,
    /// A whole list, an object in each line.
    Lines,
    /// A whole list as a table.
    Table,
}

impl Form {
    /// Its name as `format` and suffix.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Json => "json",
            Self::Browsable => "api",
            Self::Lines => "ndjson",
            Self::Table => "csv",
        }
    }

    /// Its name for people.
    pub(super) fn label(self) -> &'static str {
        match self {
            Self::Json => "JSON",
            Self::Browsable => "Page",
            Self::Lines => "Whole list as JSON lines",
            Self::Table => "Whole list as CSV",
        }
    }

    /// The header that names its content.
    pub(super) fn content_type(self) -> &'static str {
        match self {
            Self::Json => JSON,
            Self::Browsable => HTML,
            Self::Lines => "application/x-ndjson",
            Self::Table => table::CSV,
        }
    }

    /// Main and sub type of its content.
    fn media(self) -> (&'static str, &'static str) {
        match self {
            Self::Json => ("application", "json"),
            Self::Browsable => ("text", "html"),
            Self::Lines => ("application", "x-ndjson"),
            Self::Table => ("text", "csv"),
        }
    }
}

/// The form that was agreed on.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(super) struct Accepted {
    /// The form.
    pub(super) form: Form,
    /// Blanks for each level of a JSON body, 0 to 8; 0 = all in one line.
    pub(super) indent: usize,
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
        let indent = found.and_then(|(_, value)| python::int(value)).unwrap_or(0);
        indent.clamp(0, 8) as usize
    }
}

/// Finds the form for an `Accept` header and a `format` (suffix or query parameter) among the forms that a route has.
/// `forms` are in order of preference.
///
/// # Errors
/// [`Failure::NotFound`] for a format that the route does not have, [`Failure::NotAcceptable`] when nothing fits.
pub(super) fn negotiate(accept: Option<&str>, format: Option<&str>, forms: &[Form]) -> Result<Accepted, Failure> {
    let forms = match format {
        None | Some("") => forms,
        Some(name) => match forms.iter().position(|form| form.name() == name) {
            Some(at) => &forms[at..=at],
            None => return Err(Failure::NotFound),
        },
    };
    let accept = match accept.map(str::trim) {
        None | Some("" | "*/*") => {
            let form = forms.first().copied().ok_or(Failure::NotAcceptable)?;
            return Ok(Accepted { form, indent: 0 });
        }
        Some(accept) => accept,
    };
    let mut best: Option<(Form, Media<'_>)> = None;
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
    let (form, media) = best.ok_or(Failure::NotAcceptable)?;
    Ok(Accepted { form, indent: if form == Form::Json { media.indent() } else { 0 } })
}

fn rank(forms: &[Form], form: Form) -> usize {
    forms.iter().position(|other| *other == form).unwrap_or(forms.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    const FORMS: &[Form] = &[Form::Json, Form::Browsable];
    const BROWSER: &str = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8";

    fn form(accept: Option<&str>, format: Option<&str>) -> Result<Form, Failure> {
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
            assert_eq!(form(Some(accept), None), Ok(Form::Json), "{accept}");
        }
        for accept in ["text/html", BROWSER, "text/*", "application/*, text/html;q=0.1", "TEXT/HTML"] {
            assert_eq!(form(Some(accept), None), Ok(Form::Browsable), "{accept}");
        }
        for accept in ["application/xml", "garbage", "text/plain", "application"] {
            assert_eq!(form(Some(accept), None), Err(Failure::NotAcceptable), "{accept}");
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
            assert_eq!(negotiate(Some(accept), None, FORMS), Ok(Accepted { form: Form::Json, indent }), "{accept}");
        }
    }

    #[test]
    fn a_format_must_exist_and_fit() {
        assert_eq!(form(None, Some("json")), Ok(Form::Json));
        assert_eq!(form(None, Some("")), Ok(Form::Json));
        assert_eq!(form(None, Some("api")), Ok(Form::Browsable));
        assert_eq!(form(Some(BROWSER), Some("json")), Ok(Form::Json));
        assert_eq!(form(None, Some("xml")), Err(Failure::NotFound));
        assert_eq!(form(None, Some("JSON")), Err(Failure::NotFound));
        assert_eq!(form(Some("application/json"), Some("api")), Err(Failure::NotAcceptable));
        assert_eq!(form(Some("text/html"), Some("json")), Err(Failure::NotAcceptable));
    }
}
