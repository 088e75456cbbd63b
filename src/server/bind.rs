//! Opens the listening socket.

use std::io::{self, ErrorKind};
use std::net::{SocketAddr, TcpListener};

/// Why the server cannot listen.
#[derive(Debug, thiserror::Error)]
pub enum BindError {
    /// Another program uses the address.
    #[error(
        "the address {address} is already in use: choose another with --listen; port 0 picks a free port",
        address = .0
    )]
    InUse(SocketAddr),
    /// The port is reserved for privileged programs.
    #[error("no permission to listen on {address}: choose port 1024 or higher with --listen", address = .0)]
    Denied(SocketAddr),
    /// No network interface has this address.
    #[error(
        "the address {address} does not belong to this machine: choose a local address with --listen; 0.0.0.0 or [::] listens on all",
        address = .0
    )]
    NotLocal(SocketAddr),
    /// Any other system error.
    #[error("cannot listen on {address}: {reason}; choose another address with --listen")]
    Other {
        /// The requested address.
        address: SocketAddr,
        /// The system error.
        #[source]
        reason: io::Error,
    },
}

/// Opens a non-blocking listening socket on `address`. Port 0 picks a free port.
///
/// # Errors
///
/// [`BindError`].
pub fn bind(address: SocketAddr) -> Result<TcpListener, BindError> {
    let open = || {
        let listener = TcpListener::bind(address)?;
        listener.set_nonblocking(true)?;
        Ok(listener)
    };
    open().map_err(|reason: io::Error| match reason.kind() {
        ErrorKind::AddrInUse => BindError::InUse(address),
        ErrorKind::PermissionDenied => BindError::Denied(address),
        ErrorKind::AddrNotAvailable => BindError::NotLocal(address),
        _ => BindError::Other { address, reason },
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_port_in_use_is_reported_with_the_setting_to_change() {
        let first = bind("127.0.0.1:0".parse().unwrap()).unwrap();
        let address = first.local_addr().unwrap();
        let error = bind(address).unwrap_err();
        assert_eq!(
            error.to_string(),
            format!("the address {address} is already in use: choose another with --listen; port 0 picks a free port")
        );
    }

    #[test]
    fn an_address_of_another_machine_is_refused() {
        // 192.0.2.0/24 is reserved for documentation (RFC 5737).
        let error = bind("192.0.2.1:8000".parse().unwrap()).unwrap_err();
        assert!(error.to_string().starts_with("the address 192.0.2.1:8000 does not belong to this machine"), "{error}");
    }
}
