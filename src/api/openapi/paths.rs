//! Adds data of the route table to the operations that poem-openapi generates: final slashes, query
//! parameters and representations.

use std::collections::HashMap;

use poem::endpoint::BoxEndpoint;
use poem::http::Method;
use poem_openapi::OpenApi;
use poem_openapi::registry::{
    MetaApi, MetaMediaType, MetaOperation, MetaSchema, MetaSchemaRef, Registry,
};

use super::params;
use crate::api::response::media_type::{HTML, PARQUET, Representation};
use crate::api::route::{Route, RouteKind};
use crate::api::router::find;

/// An API whose document is completed from the route table.
pub(crate) struct Completed<T>(pub(crate) T);

fn text(content_type: &'static str) -> MetaMediaType {
    // In the document media types have no parameters.
    let content_type = content_type.split(';').next().unwrap_or_default();
    let schema = match content_type {
        PARQUET => MetaSchema::new_with_format("string", "binary"),
        _ => MetaSchema::new("string"),
    };
    MetaMediaType {
        content_type,
        schema: MetaSchemaRef::Inline(Box::new(schema)),
    }
}

fn complete(operation: &mut MetaOperation, route: &Route) {
    operation.params.extend(params::of(route));
    let representations = route.representations();
    let responses = &mut operation.responses.responses;
    for response in responses
        .iter_mut()
        .filter(|response| response.status != Some(200))
    {
        // Browsers get errors as pages. An unknown format of a file is a path without a route.
        if representations.contains(&Representation::Html) || response.status == Some(404) {
            response.content.push(text(HTML));
        }
    }
    let is_file = |kind| {
        matches!(
            kind,
            RouteKind::Download | RouteKind::Attachment | RouteKind::Stream
        )
    };
    if route.api().is_some_and(|api| is_file(api.kind)) {
        return;
    }
    for response in responses
        .iter_mut()
        .filter(|response| response.status == Some(200))
    {
        let others = representations
            .iter()
            .filter(|other| **other != Representation::Json);
        response
            .content
            .extend(others.map(|other| text(other.content_type())));
    }
}

impl<T: OpenApi> OpenApi for Completed<T> {
    fn meta() -> Vec<MetaApi> {
        let mut apis = T::meta();
        for path in apis.iter_mut().flat_map(|api| &mut api.paths) {
            path.path.push('/');
            if let Some(found) = find(&path.path) {
                path.operations
                    .iter_mut()
                    .for_each(|operation| complete(operation, found.route()));
            }
            for param in path
                .operations
                .iter_mut()
                .flat_map(|operation| &mut operation.params)
            {
                let (description, example) = params::path_param(&param.name);
                param
                    .description
                    .get_or_insert_with(|| description.to_owned());
                if let (Some(example), MetaSchemaRef::Inline(schema)) = (example, &mut param.schema)
                {
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
        self.0.add_routes(table);
    }
}
