//! Opening the listening socket, with errors that say what to do.

use std::io::{self, ErrorKind};
use std::net::{SocketAddr, TcpListener};

/// Why the server cannot listen.
#[derive(Debug, thiserror::Error)]
pub enum BindError {
    /// Another program listens there.
    #[error(
        "the address {address} is already in use: choose another with --listen, port 0 takes any free one",
        address = .0
    )]
    InUse(SocketAddr),
    /// The system keeps this port for privileged programs.
    #[error("not allowed to listen on {address}: choose a port from 1024 on with --listen", address = .0)]
    Denied(SocketAddr),
    /// No network interface has this address.
    #[error(
        "the address {address} does not belong to this machine: choose one of its own with --listen, 0.0.0.0 or [::] for all",
        address = .0
    )]
    NotLocal(SocketAddr),
    /// Anything else the system says.
    #[error("cannot listen on {address}: {reason}; choose another address with --listen")]
    Other {
        /// The address asked for.
        address: SocketAddr,
        /// The system's reason.
        #[source]
        reason: io::Error,
    },
}

/// Opens a listening socket on `address`; port 0 takes any free one, which the result's
/// `local_addr` tells. The socket is ready for [`serve`](super::serve): it does not block.
///
/// # Errors
///
/// [`BindError`], one sentence for people.
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
    fn a_taken_port_is_named_with_the_setting_that_helps() {
        let first = bind("127.0.0.1:0".parse().unwrap()).unwrap();
        let address = first.local_addr().unwrap();
        let error = bind(address).unwrap_err();
        assert_eq!(
            error.to_string(),
            format!("the address {address} is already in use: choose another with --listen, port 0 takes any free one")
        );
    }

    #[test]
    fn an_address_of_another_machine_is_refused_by_name() {
        // 192.0.2.0/24 is kept for documentation (RFC 5737), so no machine has it.
        let error = bind("192.0.2.1:8000".parse().unwrap()).unwrap_err();
        assert!(error.to_string().starts_with("the address 192.0.2.1:8000 does not belong to this machine"), "{error}");
    }
}
