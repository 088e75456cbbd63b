//! The orders to stop and to read the configuration again that come from outside the process.

use std::io;

/// Listens for SIGTERM and SIGINT from now on; the future ends with the first of them. The
/// second ends the process at once, with the status shells give for it (128 plus the signal's
/// number). Elsewhere than on Unix, Ctrl-C takes the place of both.
///
/// Call it inside the runtime that lives as long as the program.
///
/// # Errors
///
/// When the system refuses the handlers.
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

/// Calls `told` at each SIGHUP from now on, which otherwise ends the program.
///
/// Call it inside the runtime that lives as long as the program.
///
/// # Errors
///
/// When the system refuses the handler.
#[cfg(unix)]
pub fn on_reload_signal(told: impl Fn() + Send + 'static) -> io::Result<()> {
    use tokio::signal::unix::{SignalKind, signal};

    let mut signals = signal(SignalKind::hangup())?;
    tokio::spawn(async move {
        while signals.recv().await.is_some() {
            told();
        }
    });
    Ok(())
}

/// Elsewhere than on Unix there is no such signal.
///
/// # Errors
///
/// Never.
#[cfg(not(unix))]
pub fn on_reload_signal(_: impl Fn() + Send + 'static) -> io::Result<()> {
    Ok(())
}

/// Listens for Ctrl-C from now on; the future ends with the first, the second ends the process.
///
/// # Errors
///
/// When the system refuses the handler.
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
