//! Log lines on standard error. They never contain secrets: addresses are logged as
//! [`crate::config::RepoAddress`] formats them.

mod line_limit;

use std::io::IsTerminal;
use std::sync::{LazyLock, OnceLock};

use chrono::{SecondsFormat, Utc};
use indicatif::MultiProgress;
use tracing_subscriber::filter::{LevelFilter, Targets};
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;
use tracing_subscriber::{Layer, fmt};

use self::line_limit::LimitedStderr;
use crate::config::{LogFormat, LogLevel};
use gitglot_model::escape_line;

/// The progress bars on standard error, which are drawn again after each line of the log. Each bar must be one of them.
pub static BARS: LazyLock<MultiProgress> = LazyLock::new(MultiProgress::new);

/// Starts logging to standard error. A second call has no effect.
pub fn start_logging(format: LogFormat, level: LogLevel) {
    // A check starts it with a level of its own, and may then load the configuration of a history.
    if FORMAT.set(format).is_err() {
        return;
    }
    let stderr = LimitedStderr {
        is_json: format == LogFormat::Json,
    };
    let lines = fmt::layer().with_writer(move || stderr);
    let lines = match format {
        LogFormat::Text => {
            let colours = std::io::stderr().is_terminal()
                && std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty());
            lines.with_ansi(colours).boxed()
        }
        LogFormat::Json => lines.json().flatten_event(true).boxed(),
    };
    if format == LogFormat::Json {
        // Panics are JSON lines, too.
        std::panic::set_hook(Box::new(|panic| {
            eprintln!("{}", line(&format!("internal error: {panic}")))
        }));
    }
    // It fails if a test has a subscriber.
    let _ = tracing_subscriber::registry()
        .with(lines.with_filter(filter(level)))
        .try_init();
}

/// Writes the error that ends the program, as a JSON line or as a sentence. Ignores the log level.
pub fn log_fatal(error: &anyhow::Error) {
    let message = with_causes(error);
    match FORMAT.get() {
        Some(LogFormat::Json) => eprintln!("{}", line(&message)),
        _ => eprintln!("error: {}", escape_line(&message)),
    }
}

/// An error and its causes on one line. Many errors include their cause already; it is not repeated.
fn with_causes(error: &anyhow::Error) -> String {
    let mut message = String::new();
    for cause in error.chain().map(ToString::to_string) {
        if message.is_empty() {
            message = cause;
        } else if !message.contains(&cause) {
            message.push_str(": ");
            message.push_str(&cause);
        }
    }
    message
}

/// A JSON log line with an error.
fn line(message: &str) -> String {
    let now = Utc::now().to_rfc3339_opts(SecondsFormat::Micros, true);
    let target = env!("CARGO_PKG_NAME");
    serde_json::json!({"timestamp": now, "level": "ERROR", "message": message, "target": target})
        .to_string()
}

/// The log format, after the start of logging.
static FORMAT: OnceLock<LogFormat> = OnceLock::new();

/// Lines of gitglot at `level`; lines of libraries at warning level, or all at trace level.
fn filter(level: LogLevel) -> Targets {
    let own = match level {
        LogLevel::Off => LevelFilter::OFF,
        LogLevel::Error => LevelFilter::ERROR,
        LogLevel::Warn => LevelFilter::WARN,
        LogLevel::Info => LevelFilter::INFO,
        LogLevel::Debug => LevelFilter::DEBUG,
        LogLevel::Trace => LevelFilter::TRACE,
    };
    let others = match level {
        LogLevel::Trace => own,
        _ => own.min(LevelFilter::WARN),
    };
    Targets::new()
        .with_target(env!("CARGO_PKG_NAME"), own)
        .with_default(others)
}

#[cfg(test)]
mod tests {
    use super::*;
    use tracing::Level;

    #[test]
    fn libraries_log_only_warnings_below_trace() {
        let info = filter(LogLevel::Info);
        assert!(info.would_enable("gitglot_git", &Level::INFO));
        assert!(!info.would_enable("gitglot_git", &Level::DEBUG));
        assert!(!info.would_enable("hyper", &Level::INFO));
        assert!(info.would_enable("hyper", &Level::WARN));
        assert!(filter(LogLevel::Trace).would_enable("hyper", &Level::TRACE));
        assert!(!filter(LogLevel::Error).would_enable("hyper", &Level::WARN));
        assert!(!filter(LogLevel::Off).would_enable("gitglot", &Level::ERROR));
    }
}
