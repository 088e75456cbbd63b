//! TLS: certificate and key, which can be reloaded, and the stream of a connection with or without TLS.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use arc_swap::ArcSwap;
use rustls::ServerConfig;
use rustls::pki_types::pem::{self, PemObject};
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use tokio::net::TcpStream;
use tokio_rustls::TlsAcceptor;
use tokio_rustls::server::TlsStream;
use tokio_util::either::Either;

/// The part of a file that is read, in bytes.
const MAX_BYTES: u64 = 1 << 20;

/// Why a certificate and its key cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum TlsError {
    /// The certificate file cannot be read, or contains no certificate.
    #[error("cannot read the certificate {}: {reason}; give a PEM file with --tls-cert", path.display())]
    Certificate {
        /// The file.
        path: PathBuf,
        /// The reason.
        reason: pem::Error,
    },
    /// The key file cannot be read, or contains no private key.
    #[error("cannot read the private key {}: {reason}; give a PEM file with --tls-key", path.display())]
    Key {
        /// The file.
        path: PathBuf,
        /// The reason.
        reason: pem::Error,
    },
    /// Certificate and key do not match, or use an unsupported algorithm.
    #[error("cannot use the certificate {} with the key {}: {reason}; replace both files", cert.display(), key.display())]
    Unusable {
        /// The certificate file.
        cert: PathBuf,
        /// The key file.
        key: PathBuf,
        /// The reason.
        reason: rustls::Error,
    },
}

/// A certificate with its key. A reload applies to new connections.
#[derive(Debug)]
pub struct Tls {
    cert: PathBuf,
    key: PathBuf,
    config: ArcSwap<ServerConfig>,
}

impl Tls {
    /// Reads the PEM files of a certificate chain and its private key.
    ///
    /// # Errors
    ///
    /// [`TlsError`].
    pub fn load(cert: &Path, key: &Path) -> Result<Self, TlsError> {
        let config = ArcSwap::new(server_config(cert, key)?);
        Ok(Self {
            cert: cert.to_owned(),
            key: key.to_owned(),
            config,
        })
    }

    /// Reads the files again. If that fails, the previous certificate stays in use.
    ///
    /// # Errors
    ///
    /// [`TlsError`].
    pub fn reload(&self) -> Result<(), TlsError> {
        self.config.store(server_config(&self.cert, &self.key)?);
        Ok(())
    }

    /// The files of the certificate and the key.
    #[must_use]
    pub fn files(&self) -> [&Path; 2] {
        [&self.cert, &self.key]
    }

    /// Performs the handshake of a new connection.
    pub(super) async fn accept(&self, stream: TcpStream) -> io::Result<Transport> {
        let stream = TlsAcceptor::from(self.config.load_full())
            .accept(stream)
            .await?;
        Ok(Either::Right(Box::new(stream)))
    }
}

/// The start of a file; certificates and keys are much smaller than the limit.
fn limited(path: &Path) -> Result<impl io::Read, pem::Error> {
    let file = File::open(path).map_err(pem::Error::Io)?;
    Ok(io::Read::take(file, MAX_BYTES))
}

fn server_config(cert: &Path, key: &Path) -> Result<Arc<ServerConfig>, TlsError> {
    let no_certificate = |reason| TlsError::Certificate {
        path: cert.to_owned(),
        reason,
    };
    let chain = CertificateDer::pem_reader_iter(limited(cert).map_err(no_certificate)?);
    let chain = chain.collect::<Result<Vec<_>, _>>();
    let chain = chain.map_err(no_certificate)?;
    if chain.is_empty() {
        return Err(no_certificate(pem::Error::NoItemsFound));
    }
    let secret = limited(key).and_then(PrivateKeyDer::from_pem_reader);
    let secret = secret.map_err(|reason| TlsError::Key {
        path: key.to_owned(),
        reason,
    })?;
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let config = ServerConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .and_then(|builder| {
            builder
                .with_no_client_auth()
                .with_single_cert(chain, secret)
        });
    let unusable = |reason| TlsError::Unusable {
        cert: cert.to_owned(),
        key: key.to_owned(),
        reason,
    };
    let mut config = config.map_err(unusable)?;
    config.alpn_protocols = vec![b"http/1.1".to_vec()];
    Ok(Arc::new(config))
}

/// A listening socket, with or without TLS.
#[derive(Debug)]
pub struct Listener {
    pub(super) socket: std::net::TcpListener,
    pub(super) tls: Option<Arc<Tls>>,
}

impl Listener {
    /// Accepts connections on `socket`, with TLS if `tls` is given.
    #[must_use]
    pub fn new(socket: std::net::TcpListener, tls: Option<Arc<Tls>>) -> Self {
        Self { socket, tls }
    }
}

impl From<std::net::TcpListener> for Listener {
    fn from(socket: std::net::TcpListener) -> Self {
        Self::new(socket, None)
    }
}

/// The stream of a connection, without or with TLS.
pub(super) type Transport = Either<TcpStream, Box<TlsStream<TcpStream>>>;
