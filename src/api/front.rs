//! What happens to a request before and after its operation: path, suffix, host, form, method and page are read
//! here and nowhere else.

use std::borrow::Cow;
use std::sync::Arc;

use percent_encoding::percent_decode_str;
use poem::endpoint::BoxEndpoint;
use poem::http::header::ACCEPT;
use poem::http::{Method, Uri};
use poem::{Endpoint, IntoEndpoint, IntoResponse, Request, Response, Result};

use super::State;
use super::answer::Answer;
use super::call::Call;
use super::document::{Pages, service};
use super::errors::Failure;
use super::links::{Links, encoded, encoded_path, query_as_it_came};
use super::negotiate::{Accepted, negotiate, negotiate_attachment};
use super::options;
use super::paging::{Asked, Paging};
use super::routes::{Kind, Route, Target, find};

/// Everything under `/api`.
pub(super) struct Front {
    state: Arc<State>,
    operations: BoxEndpoint<'static>,
    pages: Pages,
}

impl Front {
    pub(super) fn new(state: Arc<State>) -> Self {
        Self { state, operations: service().into_endpoint(), pages: Pages::new() }
    }

    async fn answer(&self, mut request: Request) -> Result<Response, Answer> {
        let refused = |failure: Failure| Answer::failure(&failure, 0);
        let snapshot = self.state.published.load().ok_or_else(|| refused(Failure::NotReady))?;
        let path = percent_decode_str(request.uri().path()).decode_utf8().map_err(|_| refused(Failure::NoRoute))?;
        let path = path.into_owned();
        let query = request.uri().query().unwrap_or_default().to_owned();
        if path == "/api" {
            return Err(with_slash(&path, &query));
        }
        let rest = path.strip_prefix("/api/").ok_or_else(|| refused(Failure::NoRoute))?;
        if let Some(page) = self.pages.find(rest) {
            return Err(page);
        }
        let (route, suffix) = match find(rest) {
            Target::Route { route, suffix } => (route, suffix),
            Target::WithSlash => return Err(with_slash(&path, &query)),
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
        let has_format = suffix.is_some() || format.is_some();
        if suffix.is_some() || request.uri().path().contains('%') {
            *request.uri_mut() = plain(rest, suffix).ok_or_else(|| refused(Failure::NoRoute))?;
        }
        let head = request.method() == Method::HEAD;
        request.set_method(Method::GET);
        let state = self.state.clone();
        request.set_data(Call { state, snapshot, links, paging, asked, indent: accepted.indent, has_format });
        let mut response = self.operations.get_response(request).await;
        if head {
            // The length stays that of the body that is left out.
            drop(response.take_body());
        }
        Ok(response)
    }
}

/// The form of the answer. Downloads are sent whatever the `Accept` header says.
fn form(request: &Request, route: &Route, format: Option<&str>) -> Result<Accepted, Failure> {
    let negotiate = match route.kind {
        Kind::Download => return Ok(Accepted::default()),
        Kind::Attachment => negotiate_attachment,
        Kind::Resource | Kind::Action | Kind::Plain => negotiate,
    };
    let accepts = request.headers().get_all(ACCEPT).iter().map(|value| value.to_str().unwrap_or("?"));
    let joined: Option<Cow<'_, str>> = accepts.fold(None, |joined, accept| match joined {
        None => Some(accept.into()),
        Some(joined) => Some([&*joined, ",", accept].concat().into()),
    });
    negotiate(joined.as_deref(), format)
}

fn with_slash(path: &str, query: &str) -> Answer {
    let mark = if query.is_empty() { "" } else { "?" };
    Answer::moved(&[&encoded_path(path), "/", mark, &query_as_it_came(query)].concat())
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
