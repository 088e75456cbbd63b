//! Logs, as lines on standard error. What is logged never holds a secret: addresses are logged as
//! [`crate::config::RepoAddress`] prints them.

use std::io::IsTerminal;
use std::sync::OnceLock;

use chrono::{SecondsFormat, Utc};
use tracing_subscriber::filter::{LevelFilter, Targets};
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;
use tracing_subscriber::{Layer, fmt};

use crate::config::{LogFormat, LogLevel};

/// Sends log lines of that level to standard error from now on. A second call changes nothing.
pub fn start_logging(format: LogFormat, level: LogLevel) {
    let lines = fmt::layer().with_writer(std::io::stderr);
    let lines = match format {
        LogFormat::Text => {
            let colours =
                std::io::stderr().is_terminal() && std::env::var_os("NO_COLOR").is_none_or(|it| it.is_empty());
            lines.with_ansi(colours).boxed()
        }
        LogFormat::Json => lines.json().flatten_event(true).boxed(),
    };
    if format == LogFormat::Json {
        // Whoever reads the lines as JSON is to find nothing else between them.
        std::panic::set_hook(Box::new(|panic| eprintln!("{}", line(&format!("a fault in this program: {panic}")))));
    }
    let _ = FORMAT.set(format);
    let started = tracing_subscriber::registry().with(lines.with_filter(filter(level))).try_init();
    // Only tests start twice; the first one's choice stands.
    drop(started);
}

/// Says why the program ends, whatever lines are written: as one of them where they are JSON, else as a sentence.
pub fn last_words(error: &anyhow::Error) {
    // `{:#}` puts the causes behind the sentence, in one line.
    match FORMAT.get() {
        Some(LogFormat::Json) => eprintln!("{}", line(&format!("{error:#}"))),
        _ => eprintln!("gitglot: {error:#}"),
    }
}

/// A line of JSON with an error, as the others are.
fn line(message: &str) -> String {
    let now = Utc::now().to_rfc3339_opts(SecondsFormat::Micros, true);
    let target = env!("CARGO_PKG_NAME");
    serde_json::json!({"timestamp": now, "level": "ERROR", "message": message, "target": target}).to_string()
}

/// How lines are written, once that is known.
static FORMAT: OnceLock<LogFormat> = OnceLock::new();

/// gitglot's own lines from `level` on; those of the libraries only when they warn, or when everything is asked for.
fn filter(level: LogLevel) -> Targets {
    let own = match level {
        LogLevel::Off => LevelFilter::OFF,
        LogLevel::Error => LevelFilter::ERROR,
        LogLevel::Warn => LevelFilter::WARN,
        LogLevel::Info => LevelFilter::INFO,
        LogLevel::Debug => LevelFilter::DEBUG,
        LogLevel::Trace => LevelFilter::TRACE,
    };
    let others = if level == LogLevel::Trace { own } else { own.min(LevelFilter::WARN) };
    Targets::new().with_target(env!("CARGO_PKG_NAME"), own).with_default(others)
}

#[cfg(test)]
mod tests {
    use super::*;
    use tracing::Level;

    #[test]
    fn libraries_are_only_heard_when_they_warn() {
        let info = filter(LogLevel::Info);
        assert!(info.would_enable("gitglot::git", &Level::INFO));
        assert!(!info.would_enable("gitglot::git", &Level::DEBUG));
        assert!(!info.would_enable("hyper", &Level::INFO));
        assert!(info.would_enable("hyper", &Level::WARN));
        assert!(filter(LogLevel::Trace).would_enable("hyper", &Level::TRACE));
        assert!(!filter(LogLevel::Error).would_enable("hyper", &Level::WARN));
        assert!(!filter(LogLevel::Off).would_enable("gitglot", &Level::ERROR));
    }
}
