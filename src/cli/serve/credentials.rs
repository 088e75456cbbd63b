//! Loads the TLS certificate and the read tokens, and reloads them when their files change and on SIGHUP.

use std::path::Path;
use std::sync::Arc;
use std::sync::mpsc::Sender;

use super::server_parts::ServerParts;
use crate::cli::access::read_tokens;
use crate::cli::file_triggers::{Trigger, reload_on_change};
use crate::config::Settings;
use gitglot_api::Tokens;
use gitglot_server::{Tls, TlsError};

/// The certificate that the settings name.
///
/// # Errors
/// When its files cannot be used.
pub(in crate::cli) fn certificate(settings: &Settings) -> Result<Option<Arc<Tls>>, TlsError> {
    match (&settings.tls_cert, &settings.tls_key) {
        (Some(cert), Some(key)) => Tls::load(cert, key).map(|tls| Some(Arc::new(tls))),
        _ => Ok(None),
    }
}

/// Starts a thread that reloads the certificate on each trigger. Returns the sender of triggers.
pub(super) fn reload_certificate(tls: &Arc<Tls>, parts: &ServerParts) -> Sender<Trigger> {
    let reloaded = tls.clone();
    let reload = move || reloaded.reload();
    let (watcher, rejected) = (&parts.watcher, parts.rejected.clone());
    reload_on_change(watcher, &tls.files(), "TLS certificate", rejected, reload)
}

/// Starts a thread that reloads the tokens on each trigger. Returns the sender of triggers.
pub(super) fn reload_tokens(tokens: Tokens, file: &Path, parts: &ServerParts) -> Sender<Trigger> {
    let path = file.to_owned();
    let reload = move || read_tokens(&path).map(|new| tokens.replace(new));
    let rejected = parts.rejected.clone();
    reload_on_change(&parts.watcher, &[file], "token file", rejected, reload)
}
