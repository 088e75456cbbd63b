//! The API as it stands on the wire: every path ends with a slash, which poem-openapi drops, every parameter is
//! described, and lists have their filters and forms.

use std::collections::HashMap;

use poem::endpoint::BoxEndpoint;
use poem::http::Method;
use poem_openapi::OpenApi;
use poem_openapi::registry::{MetaApi, MetaMediaType, MetaOperation, MetaSchema, MetaSchemaRef, Registry};

use crate::api::openapi::params;
use crate::api::request::negotiate::Representation;
use crate::api::router::{Route, RouteKind, RouteMatch, find};

/// An API with the final slashes put back, in the document and in the routes.
pub(in crate::api) struct RoutedApi<T>(pub(in crate::api) T);

/// Adds to an operation what follows from its route: filters, and the forms that it can be had in.
fn complete(operation: &mut MetaOperation, route: &Route) {
    operation.params.extend(params::filters(route));
    let page = || MetaMediaType {
        content_type: "text/html",
        schema: MetaSchemaRef::Inline(Box::new(MetaSchema::new("string"))),
    };
    for refused in operation.responses.responses.iter_mut().filter(|response| response.status != Some(200)) {
        // Who asks for a page is refused by one; an unknown format of a file is a path without a route.
        if route.forms().contains(&Representation::Html) || refused.status == Some(404) {
            refused.content.push(page());
        }
    }
    if matches!(route.kind, RouteKind::Download | RouteKind::Attachment | RouteKind::Stream) {
        return;
    }
    let names = || route.forms().iter().map(|form| form.name().into()).collect();
    for param in operation.params.iter_mut().filter(|param| param.name == "format") {
        if let MetaSchemaRef::Inline(schema) = &mut param.schema {
            schema.enum_items = names();
        }
    }
    let others = || route.forms().iter().filter(|form| **form != Representation::Json);
    for response in operation.responses.responses.iter_mut().filter(|response| response.status == Some(200)) {
        response.content.extend(others().map(|form| {
            // Parameters of a content type are no part of its name in the document.
            let content_type = form.content_type().split(';').next().unwrap_or_default();
            MetaMediaType { content_type, schema: MetaSchemaRef::Inline(Box::new(MetaSchema::new("string"))) }
        }));
    }
}

impl<T: OpenApi> OpenApi for RoutedApi<T> {
    fn meta() -> Vec<MetaApi> {
        let mut apis = T::meta();
        for path in apis.iter_mut().flat_map(|api| &mut api.paths) {
            path.path.push('/');
            if let RouteMatch::Route { route, .. } = find(path.path.trim_start_matches("/api/")) {
                path.operations.iter_mut().for_each(|operation| complete(operation, route));
            }
            for param in path.operations.iter_mut().flat_map(|operation| &mut operation.params) {
                let (description, example) = params::about(&param.name);
                param.description.get_or_insert_with(|| description.to_owned());
                if let (Some(example), MetaSchemaRef::Inline(schema)) = (example, &mut param.schema) {
                    schema.example.get_or_insert_with(|| example.into());
                }
            }
        }
        apis
    }

    fn register(registry: &mut Registry) {
        T::register(registry);
    }

    fn add_routes(self, table: &mut HashMap<String, HashMap<Method, BoxEndpoint<'static>>>) {
        let mut own = HashMap::new();
        self.0.add_routes(&mut own);
        table.extend(own.into_iter().map(|(path, methods)| (path + "/", methods)));
    }
}
