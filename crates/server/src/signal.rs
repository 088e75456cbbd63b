//! Signals that stop the program or reload the configuration.

use std::io;

/// Returns a future that completes on the first SIGTERM or SIGINT (on Windows, Ctrl-C). The second
/// signal exits at once with the conventional status, 128 plus the signal number.
///
/// Call it within a runtime that lives as long as the program.
///
/// # Errors
///
/// When the signal handlers cannot be installed.
#[cfg(unix)]
pub fn stop_signal() -> io::Result<impl Future<Output = ()> + Send + 'static> {
    use tokio::signal::unix::{SignalKind, signal};

    let mut interrupt = signal(SignalKind::interrupt())?;
    let mut terminate = signal(SignalKind::terminate())?;
    let mut next = async move || {
        tokio::select! {
            _ = interrupt.recv() => SignalKind::interrupt(),
            _ = terminate.recv() => SignalKind::terminate(),
        }
    };
    Ok(async move {
        let _ = next().await;
        tokio::spawn(async move {
            let second = next().await;
            std::process::exit(128_i32.saturating_add(second.as_raw_value()));
        });
    })
}

/// Calls `reload` on each SIGHUP. Does nothing on systems without it.
///
/// Call it within a runtime that lives as long as the program.
///
/// # Errors
///
/// When the signal handler cannot be installed.
#[cfg(unix)]
pub fn on_reload_signal(reload: impl Fn() + Send + 'static) -> io::Result<()> {
    use tokio::signal::unix::{SignalKind, signal};

    let mut signals = signal(SignalKind::hangup())?;
    tokio::spawn(async move {
        while signals.recv().await.is_some() {
            reload();
        }
    });
    Ok(())
}

/// See the Unix variant.
///
/// # Errors
///
/// Never.
#[cfg(not(unix))]
pub fn on_reload_signal(_: impl Fn() + Send + 'static) -> io::Result<()> {
    Ok(())
}

/// See the Unix variant.
///
/// # Errors
///
/// Never.
#[cfg(not(unix))]
pub fn stop_signal() -> io::Result<impl Future<Output = ()> + Send + 'static> {
    Ok(async move {
        if tokio::signal::ctrl_c().await.is_err() {
            return std::future::pending().await;
        }
        tokio::spawn(async {
            if tokio::signal::ctrl_c().await.is_ok() {
                std::process::exit(130);
            }
        });
    })
}
