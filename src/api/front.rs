//! What happens to a request before and after its operation: path, suffix, host, form, method and page are read
//! here and nowhere else.

use std::borrow::Cow;
use std::sync::Arc;

use percent_encoding::percent_decode_str;
use poem::endpoint::BoxEndpoint;
use poem::http::header::{ACCEPT, CONTENT_LENGTH};
use poem::http::{Method, Uri};
use poem::{Endpoint, IntoEndpoint, IntoResponse, Request, Response, Result};

use super::State;
use super::answer::Answer;
use super::beside;
use super::browse;
use super::call::Call;
use super::document::{Pages, service};
use super::errors::Failure;
use super::links::{Links, encoded};
use super::matches::Matches;
use super::negotiate::{Accepted, Form, negotiate};
use super::options;
use super::paging::{Asked, Paging};
use super::routes::{Kind, Route, Target, find};
use super::rows;

/// Everything under `/api`.
pub(super) struct Front {
    state: Arc<State>,
    operations: BoxEndpoint<'static>,
    pages: Pages,
    matches: Arc<Matches>,
}

impl Front {
    pub(super) fn new(state: Arc<State>) -> Self {
        Self { state, operations: service().into_endpoint(), pages: Pages::new(), matches: Arc::default() }
    }

    async fn answer(&self, mut request: Request) -> Result<Response, Answer> {
        let refused = |failure: Failure| Answer::failure(&failure, 0);
        let path = percent_decode_str(request.uri().path()).decode_utf8().map_err(|_| refused(Failure::NoRoute))?;
        let path = path.into_owned();
        let query = request.uri().query().unwrap_or_default().to_owned();
        if path == "/api" {
            return Err(Answer::with_slash(&path, &query));
        }
        let Some(rest) = path.strip_prefix("/api/") else {
            return beside::answer(&self.state, &request, &path, &query).await;
        };
        if let Some(page) = self.pages.find(rest) {
            return Err(page);
        }
        let snapshot = self.state.published.load().ok_or_else(|| refused(Failure::NotReady))?;
        let (route, suffix) = match find(rest) {
            Target::Route { route, suffix } => (route, suffix),
            Target::WithSlash => return Err(Answer::with_slash(&path, &query)),
            Target::Nowhere => return Err(refused(Failure::NoRoute)),
        };
        let base = self.state.links.base(&request).map_err(refused)?;
        let asked = Asked { base, path: path.clone(), query };
        let (paging, format) = match asked.query.is_empty() {
            true => (Paging::default(), None),
            false => {
                let pairs = asked.pairs();
                let format = pairs.iter().rev().find(|(name, _)| name == "format");
                (Paging::new(&pairs), format.map(|(_, value)| value.clone().into_owned()))
            }
        };
        let accepted = form(&request, route, suffix.or(format.as_deref())).map_err(refused)?;
        match *request.method() {
            Method::GET | Method::HEAD => {}
            Method::OPTIONS => return Err(options::answer(route, accepted.indent)),
            _ => {
                let failure = Failure::Method(request.method().clone());
                return Err(Answer::failure(&failure, accepted.indent));
            }
        }
        let handed_on = suffix.filter(|_| route.kind == Kind::Resource);
        let links = Links::new(&asked.base, self.state.links.site_url.as_deref(), handed_on, format.as_deref());
        let format = suffix.map(str::to_owned).or(format);
        if suffix.is_some() || request.uri().path().contains('%') {
            *request.uri_mut() = plain(rest, suffix).ok_or_else(|| refused(Failure::NoRoute))?;
        }
        let head = request.method() == Method::HEAD;
        request.set_method(Method::GET);
        let state = self.state.clone();
        let shown = (accepted.form == Form::Browsable).then(|| asked.clone());
        let (matches, form, indent) = (self.matches.clone(), accepted.form, accepted.indent);
        request.set_data(Call { state, snapshot, links, paging, asked, matches, form, indent, format });
        let mut response = self.operations.get_response(request).await;
        if let Some(asked) = shown {
            response = browse::page(route, &asked, response).await;
        }
        if head {
            // The length stays that of the body that is left out.
            let body = response.take_body();
            if !response.headers().contains_key(CONTENT_LENGTH) {
                let length = rows::length(body).await;
                response.headers_mut().insert(CONTENT_LENGTH, length.into());
            }
        }
        Ok(response)
    }
}

/// The form of the answer. Downloads are sent whatever the `Accept` header says.
fn form(request: &Request, route: &Route, format: Option<&str>) -> Result<Accepted, Failure> {
    if route.kind == Kind::Download {
        return Ok(Accepted::default());
    }
    let accepts = request.headers().get_all(ACCEPT).iter().map(|value| value.to_str().unwrap_or("?"));
    let joined: Option<Cow<'_, str>> = accepts.fold(None, |joined, accept| match joined {
        None => Some(accept.into()),
        Some(joined) => Some([&*joined, ",", accept].concat().into()),
    });
    negotiate(joined.as_deref(), format, route.forms())
}

/// The path of the route itself: without suffix, with its final slash, encoded in one way.
fn plain(rest: &str, suffix: Option<&str>) -> Option<Uri> {
    let rest = rest.strip_suffix('/').unwrap_or(rest);
    let stem = match suffix {
        Some(suffix) => rest.strip_suffix(suffix)?.strip_suffix('.')?,
        None => rest,
    };
    let slash = if stem.is_empty() { "" } else { "/" };
    ["/api/", &encoded(stem), slash].concat().parse().ok()
}

impl Endpoint for Front {
    type Output = Response;

    async fn call(&self, request: Request) -> Result<Response> {
        let head = request.method() == Method::HEAD;
        Ok(match self.answer(request).await {
            Ok(response) => response,
            Err(answer) => {
                let mut response = answer.into_response();
                if head {
                    drop(response.take_body());
                }
                response
            }
        })
    }
}
