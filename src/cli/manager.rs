//! What a service manager such as systemd is told: ready, reloading, stopping, and that the program lives.
//!
//! Nothing happens where none has started the program, that is, where it has set no `NOTIFY_SOCKET`.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

const ALIVE: &str = "WATCHDOG=1";

/// The service manager that has started the program, if one has.
#[derive(Default, Debug)]
pub(super) struct Manager {
    ready: AtomicBool,
}

impl Manager {
    /// Everything has been read once, or read again as it is to be now.
    pub fn ready(&self) {
        self.ready.store(true, Ordering::Relaxed);
        tell("READY=1");
    }

    /// The configuration is read again. Before the first time that the program is ready this is part of the start.
    pub fn reloading(&self) {
        if self.ready.load(Ordering::Relaxed) {
            tell("RELOADING=1");
        }
    }

    /// The configuration was read again: it is followed, or everything stays as it was.
    pub fn reloaded(&self) {
        if self.ready.load(Ordering::Relaxed) {
            tell("READY=1");
        }
    }

    /// The program ends.
    pub fn stopping(&self) {
        tell("STOPPING=1");
    }
}

/// Tells again and again that the program lives, where the manager wants to hear that; else it only waits.
pub(super) async fn lives() {
    let wanted = std::env::var("WATCHDOG_USEC").ok().and_then(|text| text.parse().ok());
    let for_us = std::env::var("WATCHDOG_PID").map_or(true, |pid| pid == std::process::id().to_string());
    let Some(time) = wanted.filter(|_| for_us).map(Duration::from_micros) else {
        return std::future::pending().await;
    };
    loop {
        tell(ALIVE);
        tokio::time::sleep((time / 2).max(Duration::from_millis(10))).await;
    }
}

/// Sends a message as `sd_notify(3)` says. Whether anybody hears it changes nothing.
#[cfg(target_os = "linux")]
fn tell(message: &str) {
    use std::os::linux::net::SocketAddrExt;
    use std::os::unix::ffi::OsStrExt;
    use std::os::unix::net::{SocketAddr, UnixDatagram};

    let Some(name) = std::env::var_os("NOTIFY_SOCKET") else { return };
    let address = match name.as_bytes() {
        [b'@', rest @ ..] => SocketAddr::from_abstract_name(rest),
        _ => SocketAddr::from_pathname(&name),
    };
    let sent = address.and_then(|address| {
        let socket = UnixDatagram::unbound()?;
        // A manager that does not listen is not waited for long.
        socket.set_write_timeout(Some(Duration::from_secs(1)))?;
        socket.set_nonblocking(message == ALIVE)?;
        socket.send_to_addr(message.as_bytes(), &address)
    });
    if let Err(error) = sent {
        tracing::debug!("the service manager cannot be told {message}: {error}");
    }
}

#[cfg(not(target_os = "linux"))]
fn tell(_: &str) {}
