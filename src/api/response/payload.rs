//! The payload types of the operations: handlers write the bodies, the types define the schemas.

use std::marker::PhantomData;

use poem::{IntoResponse, Response};
use poem_openapi::registry::{
    MetaHeader, MetaMediaType, MetaResponse, MetaResponses, MetaSchema, MetaSchemaRef, Registry,
};
use poem_openapi::types::Type;

use crate::api::response::api_response::ApiResponse;
use crate::api::response::media_type::{EVENTS, JSON};
use crate::api::schema::Detail;

/// A response whose body, on success, is a `T` in JSON.
pub(crate) struct Reply<T> {
    response: ApiResponse,
    of: PhantomData<fn() -> T>,
}

/// A response whose body is a file on success, of the media type `M`.
pub(crate) struct Download<M> {
    response: ApiResponse,
    of: PhantomData<fn() -> M>,
}

/// A media type of files.
pub(crate) trait Media: Send {
    /// Its name.
    const TYPE: &'static str;
    /// Further types that a file may be sent as.
    const OTHERS: &'static [&'static str] = &[];
}

/// A file in one of the formats that are read.
pub(crate) struct JsonFile;

/// A translation, as it is or converted.
pub(crate) struct DownloadedFile;

/// A file of any type.
pub(crate) struct AnyFile;

impl Media for JsonFile {
    const TYPE: &'static str = JSON;
}

impl Media for DownloadedFile {
    const TYPE: &'static str = JSON;
    const OTHERS: &'static [&'static str] = &["text/x-po", "application/x-xliff+xml", "text/csv"];
}

impl Media for AnyFile {
    const TYPE: &'static str = "application/binary";
    // The standard type, which generators of clients know.
    const OTHERS: &'static [&'static str] = &["application/octet-stream"];
}

impl<M: Media> Download<M> {
    /// Bytes to be saved; `disposition` is the header that names them.
    pub(crate) fn new(bytes: Vec<u8>, disposition: String) -> Self {
        Self::refused(ApiResponse::file(bytes, M::TYPE, &disposition))
    }

    /// The response.
    pub(crate) fn into_inner(self) -> ApiResponse {
        self.response
    }

    /// A response that is no file.
    pub(crate) fn refused(response: ApiResponse) -> Self {
        Self {
            response,
            of: PhantomData,
        }
    }
}

impl<T> Reply<T> {
    /// The same reply, which depends on more than the snapshot.
    pub(crate) fn volatile(self) -> Self {
        Self::new(self.response.volatile())
    }

    /// The same reply, which never changes.
    pub(crate) fn immutable(self) -> Self {
        Self::new(self.response.immutable())
    }

    /// Takes the response as a `T`.
    pub(crate) fn new(response: ApiResponse) -> Self {
        Self {
            response,
            of: PhantomData,
        }
    }
}

/// A response whose body is a stream of server-sent events on success.
pub(crate) struct EventStream(pub(crate) ApiResponse);

impl IntoResponse for EventStream {
    fn into_response(self) -> Response {
        self.0.into_response()
    }
}

impl poem_openapi::ApiResponse for EventStream {
    fn meta() -> MetaResponses {
        let content = vec![MetaMediaType {
            content_type: EVENTS,
            schema: MetaSchemaRef::Inline(Box::new(MetaSchema {
                description: Some(
                    "Server-sent events; the schema `Event` describes them. The `data` of `change` is a `Change`, that of \
                     `ledger` and `reset` a `LedgerEvent`. The `id` is that of the change, and after a colon that of the ledger.",
                ),
                ..MetaSchema::new("string")
            })),
        }];
        let mut all = responses(
            content,
            "Events, until one side ends the connection.",
            Vec::new(),
        );
        if let Some(refused) = all
            .responses
            .iter_mut()
            .find(|response| response.status == Some(503))
        {
            refused.description = "No snapshot is available yet, or there are too many event streams; retry after \
                                   `Retry-After` seconds.";
        }
        all
    }

    fn register(registry: &mut Registry) {
        Detail::register(registry);
    }
}

impl<T: Send> IntoResponse for Reply<T> {
    fn into_response(self) -> Response {
        self.response.into_response()
    }
}

impl<M: Media> IntoResponse for Download<M> {
    fn into_response(self) -> Response {
        self.response.into_response()
    }
}

/// The responses of every operation other than status 200.
const ERRORS: [(u16, &str); 7] = [
    (
        400,
        "The `Host` header or a filter is invalid; `detail` gives the reason.",
    ),
    (
        401,
        "A token is required, and the request has no valid one.",
    ),
    (404, "The object, page or format does not exist."),
    (
        406,
        "No available representation matches the `Accept` header.",
    ),
    (414, "Path and query are longer than 8,192 bytes."),
    (
        429,
        "The client exceeds the rate limit; retry after `Retry-After` seconds.",
    ),
    (
        503,
        "No snapshot is available yet; retry after `Retry-After` seconds.",
    ),
];

fn header(name: &str, description: &str, schema: MetaSchema) -> MetaHeader {
    MetaHeader {
        name: name.to_owned(),
        description: Some(description.to_owned()),
        required: true,
        deprecated: false,
        schema: MetaSchemaRef::Inline(Box::new(schema)),
    }
}

fn responses(
    content: Vec<MetaMediaType>,
    description: &'static str,
    headers: Vec<MetaHeader>,
) -> MetaResponses {
    let good = MetaResponse {
        description,
        status: Some(200),
        status_range: None,
        content,
        headers,
    };
    let failed = ERRORS.map(|(status, description)| MetaResponse {
        description,
        status: Some(status),
        status_range: None,
        content: vec![MetaMediaType {
            content_type: JSON,
            schema: Detail::schema_ref(),
        }],
        headers: match status {
            429 | 503 => {
                vec![header(
                    "Retry-After",
                    "Seconds to wait.",
                    MetaSchema::new_with_format("integer", "int32"),
                )]
            }
            _ => Vec::new(),
        },
    });
    MetaResponses {
        responses: [good].into_iter().chain(failed).collect(),
    }
}

impl<T: Type> poem_openapi::ApiResponse for Reply<T> {
    fn meta() -> MetaResponses {
        responses(
            vec![MetaMediaType {
                content_type: JSON,
                schema: T::schema_ref(),
            }],
            "Success.",
            vec![
                MetaHeader {
                    required: false,
                    ..header(
                        "Gitglot-Ledger",
                        "The id of the log. A copy of a different log is worthless.",
                        MetaSchema::new("string"),
                    )
                },
                MetaHeader {
                    required: false,
                    ..header(
                        "Gitglot-Ignored-Parameters",
                        "The query parameters that had no effect, separated by commas.",
                        MetaSchema::new("string"),
                    )
                },
            ],
        )
    }

    fn register(registry: &mut Registry) {
        T::register(registry);
        Detail::register(registry);
    }
}

impl<M: Media> poem_openapi::ApiResponse for Download<M> {
    fn meta() -> MetaResponses {
        let file = |content_type| MetaMediaType {
            content_type,
            // Clients that parse such a response as JSON get a value of any type.
            schema: MetaSchemaRef::Inline(Box::new(match content_type {
                JSON => MetaSchema::ANY,
                _ => MetaSchema::new_with_format("string", "binary"),
            })),
        };
        let name = header(
            "Content-Disposition",
            "The name to save it under.",
            MetaSchema::new("string"),
        );
        let content = [M::TYPE]
            .iter()
            .chain(M::OTHERS)
            .map(|media| file(media))
            .collect();
        responses(content, "The bytes of the file.", vec![name])
    }

    fn register(registry: &mut Registry) {
        Detail::register(registry);
    }
}
