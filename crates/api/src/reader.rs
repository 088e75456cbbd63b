//! Responses in process, for programs that store them: the bodies that a server sends, without all that only a client
//! needs. There are no limits and no access rules, and no headers, validators, encodings and stored responses.

use std::sync::Arc;

use poem::{Endpoint, Request, Response, Result};

use super::access::Identity;
use super::dispatch::Dispatcher;
use super::openapi::document::{DocumentChoice, Documents};
use super::profile::Roots;
use super::response::api_response::ApiResponse;
use super::route::{PreDispatchTarget, RouteTarget};
use super::router::{RouteMatch, decoded_path, find};
use super::state::ApiState;
use gitglot_catalog::Snapshot;

/// Size limit of the differences of texts that pages share, in bytes. Sites of large repositories would fill any cache.
const DIFFERENCES: usize = 2 << 20;

/// Makes responses from one snapshot.
pub(super) struct Reader {
    dispatcher: Dispatcher,
    documents: Documents,
    snapshot: Arc<Snapshot>,
    roots: Roots,
    base: String,
}

impl Reader {
    pub fn new(state: ApiState, snapshot: Arc<Snapshot>) -> Self {
        Self {
            documents: Documents::new(false, state.roots),
            snapshot,
            roots: state.roots,
            base: state.links.base_url.clone().unwrap_or_default(),
            dispatcher: Dispatcher::new(Arc::new(state), DIFFERENCES),
        }
    }

    async fn respond(&self, request: Request) -> ApiResponse {
        let route = decoded_path(&request).and_then(|path| find(self.roots, &path));
        let service = route.as_ref().map(|matched| matched.route().service);
        let Some(RouteTarget::PreDispatch(target)) = service else {
            return self.dispatch(request, route).await;
        };
        let uri = request.uri();
        let response = match target {
            PreDispatchTarget::Document => {
                let choice = DocumentChoice::default();
                self.documents.find(uri.path(), &self.base, choice)
            }
            PreDispatchTarget::Asset => {
                let asset = gitglot_web::asset(uri.path(), uri.query().unwrap_or_default());
                asset.map(|asset| ApiResponse::asset(&asset))
            }
            _ => None,
        };
        response.unwrap_or_else(|| ApiResponse::not_found(&self.base))
    }

    async fn dispatch(&self, request: Request, route: Option<RouteMatch>) -> ApiResponse {
        let (identity, snapshot) = (Identity::Unrestricted, self.snapshot.clone());
        let (dispatcher, base) = (&self.dispatcher, self.base.clone());
        dispatcher
            .respond(request, route, identity, snapshot, base)
            .await
    }
}

impl Endpoint for Reader {
    type Output = Response;

    async fn call(&self, request: Request) -> Result<Response> {
        let response = self.respond(request).await;
        let status = response.head.status;
        let builder = Response::builder().status(status);
        Ok(builder.body(response.into_body()))
    }
}
