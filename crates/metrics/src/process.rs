//! The standard process metrics of Prometheus, from `/proc`. Omits those that the system does not provide.

use std::fs::{read_dir, read_to_string};

use crate::exposition::Exposition;
use crate::follow_metrics::unix_time;

/// Clock ticks per second in `/proc/self/stat`.
const TICKS: f64 = 100.0;

/// The process metrics.
#[derive(Debug)]
pub struct Process {
    /// Unix time.
    started: f64,
}

impl Process {
    /// Writes the metrics.
    pub fn expose(&self, page: &mut Exposition) {
        let status = read_to_string("/proc/self/status").unwrap_or_default();
        let number = |name: &str| -> Option<f64> {
            let line = status
                .lines()
                .find_map(|line| line.strip_prefix(name)?.strip_prefix(':'))?;
            line.split_whitespace().next()?.parse().ok()
        };
        let bytes = |name: &str| number(name).map(|kib| kib * 1024.0);
        // One of them is the directory itself.
        let files = read_dir("/proc/self/fd").map(|files| files.count().saturating_sub(1) as f64);
        #[rustfmt::skip]
        let gauges = [
            ("process_start_time_seconds", "Unix time of the start of the process.", Some(self.started)),
            ("process_resident_memory_bytes", "Resident memory size in bytes.", bytes("VmRSS")),
            ("process_virtual_memory_bytes", "Virtual memory size in bytes.", bytes("VmSize")),
            ("process_threads", "Number of threads.", number("Threads")),
            ("process_open_fds", "Number of open file descriptors.", files.ok()),
            ("process_max_fds", "Maximum number of open file descriptors.", max_files()),
        ];
        for (name, help, value) in gauges {
            if let Some(value) = value {
                page.gauge(name, help).add(&[], value);
            }
        }
        if let Some(seconds) = cpu_seconds() {
            let help = "User and system CPU time in seconds.";
            page.counter("process_cpu_seconds_total", help)
                .add(&[], seconds);
        }
    }
}

impl Default for Process {
    /// Metrics of a process that starts now.
    fn default() -> Self {
        Self {
            started: unix_time(),
        }
    }
}

fn max_files() -> Option<f64> {
    let limits = read_to_string("/proc/self/limits").ok()?;
    let line = limits
        .lines()
        .find_map(|line| line.strip_prefix("Max open files"))?;
    match line.split_whitespace().next()? {
        "unlimited" => Some(f64::INFINITY),
        number => number.parse().ok(),
    }
}

fn cpu_seconds() -> Option<f64> {
    let stat = read_to_string("/proc/self/stat").ok()?;
    // utime and stime are fields 14 and 15. Field 2 is the program name in parentheses, which may contain spaces.
    let mut fields = stat.rsplit_once(')')?.1.split_whitespace().skip(11);
    let ticks = |field: Option<&str>| field?.parse::<f64>().ok();
    Some((ticks(fields.next())? + ticks(fields.next())?) / TICKS)
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn process_metrics_have_plausible_values() {
        let mut page = Exposition::default();
        Process::default().expose(&mut page);
        let text = page.text();
        let value = |name: &str| -> f64 {
            let line = text
                .lines()
                .find_map(|line| line.strip_prefix(&format!("{name} ")));
            line.unwrap_or_else(|| panic!("{name}\n{text}"))
                .parse()
                .unwrap()
        };
        assert!(value("process_resident_memory_bytes") > 1e6);
        assert!(
            value("process_open_fds") >= 3.0
                && value("process_open_fds") < value("process_max_fds")
        );
        assert!(value("process_cpu_seconds_total") >= 0.0);
        assert!(value("process_start_time_seconds") > 1.7e9);
    }
}
