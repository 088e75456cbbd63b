//! Path parameters of handlers, named after their arguments.

use std::borrow::Cow;
use std::ops::Deref;

use percent_encoding::percent_decode_str;
use poem::{Request, RequestBody, Result};
use poem_openapi::registry::{MetaParamIn, MetaSchemaRef};
use poem_openapi::types::Type;
use poem_openapi::{ApiExtractor, ApiExtractorType, ExtractParamOptions};

use super::context::RequestContext;

/// A decoded segment of the path: the parameter of the route that has the name of the handler's argument.
pub(crate) struct PathParam(pub(crate) String);

impl Deref for PathParam {
    type Target = str;

    fn deref(&self) -> &str {
        &self.0
    }
}

impl<'a> ApiExtractor<'a> for PathParam {
    const TYPES: &'static [ApiExtractorType] = &[ApiExtractorType::Parameter];
    const PARAM_IS_REQUIRED: bool = true;
    type ParamType = String;
    type ParamRawType = String;

    fn param_in() -> Option<MetaParamIn> {
        Some(MetaParamIn::Path)
    }

    fn param_schema_ref() -> Option<MetaSchemaRef> {
        Some(String::schema_ref())
    }

    async fn from_request(
        request: &'a Request,
        _: &mut RequestBody,
        options: ExtractParamOptions<Self::ParamType>,
    ) -> Result<Self> {
        let params = request
            .data::<RequestContext>()
            .map(|ctx| &*ctx.params)
            .unwrap_or_default();
        let found = params.iter().find(|(name, _)| *name == options.name);
        Ok(Self(
            found.map(|(_, value)| value.clone()).unwrap_or_default(),
        ))
    }
}

/// The path without percent encoding; `None` if that is not UTF-8.
///
/// In paths with names of revisions, `%2F` stays as it is: it is part of a name.
pub(crate) fn decoded_path(request: &Request) -> Option<Cow<'_, str>> {
    let path = request.uri().path();
    let has_names = ["/api/components/", "/compare/", "/revisions/"]
        .iter()
        .any(|start| path.starts_with(start));
    if has_names && (path.contains("%2F") || path.contains("%2f")) {
        let path = path.replace("%2F", "%252F").replace("%2f", "%252F");
        let decoded = percent_decode_str(&path).decode_utf8().ok()?;
        return Some(Cow::Owned(decoded.into_owned()));
    }
    percent_decode_str(path).decode_utf8().ok()
}
