//! Limits the size of the responses of cloud stores: the crate `object_store` reads lists and errors into memory, however
//! long they are.

use std::future::Future;
use std::pin::Pin;

use http_body_util::{BodyExt, Limited};
use object_store::ClientOptions;
use object_store::client::{
    HttpClient, HttpConnector, HttpError, HttpErrorKind, HttpRequest, HttpResponse,
    HttpResponseBody, HttpService, ReqwestConnector,
};

/// The largest page of a list in bytes. Pages have at most 5,000 entries.
pub(super) const MAX_PAGE: u64 = 16 << 20;
/// The largest description of an error in bytes.
const MAX_ERROR: u64 = 64 << 10;

tokio::task_local! {
    /// The largest response that the current request accepts, in bytes.
    static MAX_RESPONSE: u64;
}

/// Sends requests whose responses have at most `max` bytes.
pub(super) async fn limited<T>(max: u64, requests: impl Future<Output = T>) -> T {
    MAX_RESPONSE.scope(max, requests).await
}

/// Connects clients whose responses are [limited].
#[derive(Debug)]
pub(super) struct LimitedConnector;

impl HttpConnector for LimitedConnector {
    fn connect(&self, options: &ClientOptions) -> object_store::Result<HttpClient> {
        // The client has no cryptographic library of its own. Only the first call has an effect.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let client = ReqwestConnector::default().connect(options)?;
        Ok(HttpClient::new(LimitedService(client)))
    }
}

#[derive(Debug)]
struct LimitedService(HttpClient);

impl HttpService for LimitedService {
    fn call<'service, 'call>(
        &'service self,
        request: HttpRequest,
    ) -> Pin<Box<dyn Future<Output = Result<HttpResponse, HttpError>> + Send + 'call>>
    where
        'service: 'call,
        Self: 'call,
    {
        Box::pin(async move {
            let response = self.0.execute(request).await?;
            let max = if response.status().is_success() {
                MAX_RESPONSE.try_with(|max| *max).unwrap_or(MAX_PAGE)
            } else {
                MAX_ERROR
            };
            let max = usize::try_from(max).unwrap_or(usize::MAX);
            Ok(response.map(|body| {
                let too_long = |error| HttpError::new_boxed(HttpErrorKind::Decode, error);
                HttpResponseBody::new(Limited::new(body, max).map_err(too_long))
            }))
        })
    }
}
