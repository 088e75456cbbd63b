//! The API as it stands on the wire: every path ends with a slash, which poem-openapi drops, and every
//! parameter is described.

use std::collections::HashMap;

use poem::endpoint::BoxEndpoint;
use poem::http::Method;
use poem_openapi::OpenApi;
use poem_openapi::registry::{MetaApi, MetaSchemaRef, Registry};

use super::params;

/// An API with the final slashes put back, in the document and in the routes.
pub(super) struct Wire<T>(pub(super) T);

impl<T: OpenApi> OpenApi for Wire<T> {
    fn meta() -> Vec<MetaApi> {
        let mut apis = T::meta();
        for path in apis.iter_mut().flat_map(|api| &mut api.paths) {
            path.path.push('/');
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
