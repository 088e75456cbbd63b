//! Opens the listening socket.

use std::io::{self, ErrorKind};
use std::net::{SocketAddr, TcpListener};

/// Why the server cannot listen.
#[derive(Debug, thiserror::Error)]
pub enum BindError {
    /// Another program uses the address.
    #[error(
        "the address {address} is already in use: stop the other program, or use --listen {free}"
    )]
    InUse {
        /// The requested address.
        address: SocketAddr,
        /// The same host with a port that is free, or 0.
        free: SocketAddr,
    },
    /// The port is reserved for privileged programs.
    #[error("no permission to listen on {address}: choose port 1024 or higher with --listen", address = .0)]
    Denied(SocketAddr),
    /// No network interface has this address.
    #[error(
        "the address {address} does not belong to this machine: choose a local address with --listen; 0.0.0.0 or [::] listens on all",
        address = .0
    )]
    NotLocal(SocketAddr),
    /// The socket of a service manager cannot be used.
    #[error(
        "the service manager gives {given}: give one TCP socket (ListenStream), or none to use --listen"
    )]
    Inherited {
        /// What it gives, in words.
        given: String,
    },
    /// Any other system error.
    #[error("cannot listen on {address}: {reason}; choose a different address with --listen")]
    Other {
        /// The requested address.
        address: SocketAddr,
        /// The system error.
        #[source]
        reason: io::Error,
    },
}

/// Opens a listening socket on `address`. Port 0 picks a free port.
///
/// # Errors
///
/// [`BindError`].
pub fn bind(address: SocketAddr) -> Result<TcpListener, BindError> {
    TcpListener::bind(address).map_err(|reason| match reason.kind() {
        ErrorKind::AddrInUse => BindError::InUse {
            address,
            free: free_address(address),
        },
        ErrorKind::PermissionDenied => BindError::Denied(address),
        ErrorKind::AddrNotAvailable => BindError::NotLocal(address),
        _ => BindError::Other { address, reason },
    })
}

/// The listening socket that a service manager such as systemd gives the program; `None` without one
/// (`docs/operations.md#socket-activation`).
///
/// # Errors
///
/// [`BindError::Inherited`] if it is no TCP socket, or one of several.
pub fn inherited() -> Result<Option<TcpListener>, BindError> {
    #[cfg(not(unix))]
    return Ok(None);
    #[cfg(unix)]
    {
        let mut given = listenfd::ListenFd::from_env();
        let refused = |given: String| BindError::Inherited { given };
        match given.len() {
            0 => return Ok(None),
            1 => {}
            count => return Err(refused(format!("{count} sockets"))),
        }
        let listener = given.take_tcp_listener(0);
        listener.map_err(|reason| refused(format!("another file ({reason})")))
    }
}

/// `address` with one of the next ports that is free, or with port 0.
fn free_address(address: SocketAddr) -> SocketAddr {
    let with_port = |port| SocketAddr::new(address.ip(), port);
    let next = (1..=20).filter_map(|step| address.port().checked_add(step));
    let next = next.map(with_port);
    next.into_iter()
        .find(|address| TcpListener::bind(address).is_ok())
        .unwrap_or_else(|| with_port(0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_port_in_use_is_reported_with_the_setting_to_change() {
        let first = bind("127.0.0.1:0".parse().unwrap()).unwrap();
        let address = first.local_addr().unwrap();
        let error = bind(address).unwrap_err();
        let expected = format!(
            "the address {address} is already in use: stop the other program, or use --listen 127"
        );
        assert!(error.to_string().starts_with(&expected), "{error}");
    }

    #[test]
    fn an_address_of_another_machine_is_refused() {
        // 192.0.2.0/24 is reserved for documentation (RFC 5737).
        let error = bind("192.0.2.1:8000".parse().unwrap()).unwrap_err();
        assert!(
            error
                .to_string()
                .starts_with("the address 192.0.2.1:8000 does not belong to this machine"),
            "{error}"
        );
    }
}
