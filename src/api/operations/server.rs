//! The root and the metrics.

use poem::web::Data;
use poem_openapi::OpenApi;

use super::Tag;
use crate::api::bodies::{metrics, root};
use crate::api::call::Call;
use crate::api::params::Format;
use crate::api::reply::Reply;
use crate::api::schema::{self};

/// The operations of this file.
pub(in crate::api) struct Server;

#[expect(unused_variables, reason = "query parameters are read before an operation runs; here they are documented")]
#[OpenApi]
impl Server {
    /// Where the lists are
    #[oai(path = "/api", method = "get", operation_id = "getRoot", tag = "Tag::Server")]
    async fn root(&self, call: Data<&Call>, format: Format) -> Reply<schema::Root> {
        call.found(Some(()), |out, ()| root(out, &call.links))
    }

    /// How much there is of everything
    #[oai(path = "/api/metrics", method = "get", operation_id = "getMetrics", tag = "Tag::Server")]
    async fn metrics(&self, call: Data<&Call>, format: Format) -> Reply<schema::Metrics> {
        call.found(Some(()), |out, ()| metrics(out, &call.snapshot, &call.state.title))
    }
}
