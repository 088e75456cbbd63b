//! Notifies a service manager such as systemd (`sd_notify(3)`): ready, reloading, stopping and watchdog.
//!
//! Does nothing without the environment variable `NOTIFY_SOCKET`. The `sd-notify` crate is no alternative: it lacks
//! abstract sockets and blocks if the manager does not read.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

const WATCHDOG: &str = "WATCHDOG=1";

/// The service manager, if there is one.
#[derive(Default, Debug)]
pub(super) struct ServiceManager {
    ready: AtomicBool,
}

impl ServiceManager {
    /// Reports that the start is complete.
    pub fn ready(&self) {
        self.ready.store(true, Ordering::Relaxed);
        notify("READY=1");
    }

    /// Reports that a reload begins. During the start this is part of the start.
    pub fn reloading(&self) {
        if self.ready.load(Ordering::Relaxed) {
            notify("RELOADING=1");
        }
    }

    /// Reports that a reload is complete or was rejected.
    pub fn reloaded(&self) {
        if self.ready.load(Ordering::Relaxed) {
            notify("READY=1");
        }
    }

    /// Reports that the program shuts down.
    pub fn stopping(&self) {
        notify("STOPPING=1");
    }
}

/// Sends watchdog messages for ever, if the manager asks for them.
pub(super) async fn run_watchdog() {
    let interval = std::env::var("WATCHDOG_USEC").ok();
    let interval = interval.and_then(|text| text.parse().ok());
    let pid = std::process::id().to_string();
    let is_ours = std::env::var("WATCHDOG_PID").map_or(true, |wanted| wanted == pid);
    let Some(interval) = interval.filter(|_| is_ours).map(Duration::from_micros) else {
        return std::future::pending().await;
    };
    loop {
        notify(WATCHDOG);
        tokio::time::sleep((interval / 2).max(Duration::from_millis(10))).await;
    }
}

#[cfg(target_os = "linux")]
fn notify(message: &str) {
    use std::os::linux::net::SocketAddrExt;
    use std::os::unix::ffi::OsStrExt;
    use std::os::unix::net::{SocketAddr, UnixDatagram};

    let Some(name) = std::env::var_os("NOTIFY_SOCKET") else {
        return;
    };
    let address = match name.as_bytes() {
        [b'@', rest @ ..] => SocketAddr::from_abstract_name(rest),
        _ => SocketAddr::from_pathname(&name),
    };
    let sent = address.and_then(|address| {
        let socket = UnixDatagram::unbound()?;
        socket.set_write_timeout(Some(Duration::from_secs(1)))?;
        socket.set_nonblocking(message == WATCHDOG)?;
        socket.send_to_addr(message.as_bytes(), &address)
    });
    if let Err(error) = sent {
        tracing::debug!("cannot send {message} to the service manager: {error}");
    }
}

#[cfg(not(target_os = "linux"))]
fn notify(_: &str) {}
