//! HTTPS: clients verify the certificate, and a new certificate applies without a restart.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};
use std::sync::Arc;

use rustls::pki_types::{CertificateDer, ServerName};
use rustls::{ClientConfig, ClientConnection, RootCertStore, StreamOwned};

use crate::common::{gitglot, until};

/// Certificate and key files, and a server that uses them.
struct Https {
    folder: tempfile::TempDir,
    child: Child,
    address: String,
}

/// Writes a new self-signed certificate and its key; returns the certificate.
fn write_certificate(folder: &Path) -> CertificateDer<'static> {
    let made = rcgen::generate_simple_self_signed(["localhost".to_owned()]).unwrap();
    std::fs::write(key(folder), made.signing_key.serialize_pem()).unwrap();
    std::fs::write(cert(folder), made.cert.pem()).unwrap();
    made.cert.der().clone()
}

fn cert(folder: &Path) -> PathBuf {
    folder.join("cert.pem")
}

fn key(folder: &Path) -> PathBuf {
    folder.join("key.pem")
}

impl Https {
    fn start() -> (Self, CertificateDer<'static>) {
        let folder = tempfile::tempdir().unwrap();
        let trusted = write_certificate(folder.path());
        let mut command = gitglot();
        command.args([
            "demo",
            "--listen",
            "127.0.0.1:0",
            "--log-level",
            "off",
            "--tls-cert",
        ]);
        command
            .arg(cert(folder.path()))
            .arg("--tls-key")
            .arg(key(folder.path()));
        let mut child = command.stdout(Stdio::piped()).spawn().unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap())
            .read_line(&mut line)
            .unwrap();
        let address = line
            .trim()
            .strip_prefix("listening on https://")
            .unwrap()
            .to_owned();
        (
            Self {
                folder,
                child,
                address,
            },
            trusted,
        )
    }

    /// The response to a GET by a client that trusts one certificate; `None` if the handshake fails.
    fn get(&self, path: &str, trusted: &CertificateDer<'static>) -> Option<String> {
        let mut roots = RootCertStore::empty();
        roots.add(trusted.clone()).unwrap();
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let config = ClientConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .unwrap();
        let config = config.with_root_certificates(roots).with_no_client_auth();
        let client =
            ClientConnection::new(Arc::new(config), ServerName::try_from("localhost").unwrap())
                .unwrap();
        let mut stream = StreamOwned::new(client, TcpStream::connect(&self.address).unwrap());
        write!(
            stream,
            "GET {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
        )
        .ok()?;
        let mut response = String::new();
        stream.read_to_string(&mut response).ok()?;
        Some(response)
    }
}

impl Drop for Https {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn clients_verify_the_certificate_and_get_https_links() {
    let (server, trusted) = Https::start();
    let health = server.get("/healthz", &trusted).unwrap();
    assert!(health.starts_with("HTTP/1.1 200 "), "{health}");
    let root = until("the API", || {
        server
            .get("/api/", &trusted)
            .filter(|it| it.starts_with("HTTP/1.1 200 "))
    });
    assert!(
        root.contains(r#""https://localhost/api/projects/""#),
        "{root}"
    );

    let stranger = rcgen::generate_simple_self_signed(["localhost".to_owned()]).unwrap();
    assert_eq!(
        server.get("/healthz", stranger.cert.der()),
        None,
        "another certificate is trusted"
    );
    // A client without TLS is disconnected and disturbs no other.
    let mut plain = TcpStream::connect(&server.address).unwrap();
    plain
        .write_all(b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
        .unwrap();
    let mut response = Vec::new();
    let _ = plain.read_to_end(&mut response);
    assert!(!response.starts_with(b"HTTP/"), "{response:?}");
    assert!(server.get("/healthz", &trusted).is_some());
}

#[test]
fn a_changed_certificate_applies_to_new_connections() {
    let (server, old) = Https::start();
    assert!(server.get("/healthz", &old).is_some());
    let new = write_certificate(server.folder.path());
    until("the new certificate", || server.get("/healthz", &new));
    assert_eq!(server.get("/healthz", &old), None);

    // The files are unusable while only one of them is new: the previous certificate stays.
    std::fs::write(key(server.folder.path()), "no key").unwrap();
    let newest = write_certificate(server.folder.path());
    until("the newest certificate", || server.get("/healthz", &newest));
}

#[test]
fn an_unusable_certificate_is_reported_at_the_start() {
    let folder = tempfile::tempdir().unwrap();
    let demo = |arguments: &[&Path]| {
        let mut command = gitglot();
        let flags = ["--tls-cert", "--tls-key"].iter().zip(arguments);
        command.args(["demo", "--listen", "127.0.0.1:0"]);
        let output = flags
            .fold(&mut command, |command, (flag, path)| {
                command.arg(flag).arg(path)
            })
            .output()
            .unwrap();
        assert_eq!(output.status.code(), Some(1));
        String::from_utf8(output.stderr).unwrap()
    };
    let (cert, key) = (cert(folder.path()), key(folder.path()));
    assert!(demo(&[&cert, &key]).contains("cannot read the certificate"));
    write_certificate(folder.path());
    assert!(demo(&[&cert]).contains("TLS needs both tls-cert and tls-key"));
    let other = rcgen::generate_simple_self_signed(["localhost".to_owned()]).unwrap();
    std::fs::write(&key, other.signing_key.serialize_pem()).unwrap();
    assert!(demo(&[&cert, &key]).contains("cannot use the certificate"));
}
