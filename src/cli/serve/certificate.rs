//! Loads the TLS certificate and reloads it when its files change and on SIGHUP.

use std::sync::Arc;
use std::sync::mpsc::{self, Sender};

use crate::cli::reload::{Trigger, next, watch};
use crate::config::{Settings, read_text_file};
use crate::server::{Tls, TlsError};

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
pub(super) fn reload_on_change(tls: Arc<Tls>) -> Sender<Trigger> {
    let (sender, triggers) = mpsc::channel();
    let watchers = tls.files().map(|file| watch(file, sender.clone()));
    std::thread::spawn(move || {
        let _watchers = watchers;
        let read = || tls.files().map(|file| read_text_file(file).ok());
        let mut files = read();
        while let Some(trigger) = next(&triggers) {
            let current = read();
            if trigger == Trigger::FileEvent && current == files {
                continue;
            }
            files = current;
            match tls.reload() {
                Ok(()) => tracing::info!("reloaded the TLS certificate"),
                Err(error) => tracing::error!(
                    "cannot reload the TLS certificate, keeping the previous one: {error}"
                ),
            }
        }
    });
    sender
}
