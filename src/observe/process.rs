//! What the system says of this process, under the names that Prometheus has for it. What it does not say is left out.

use std::fs::{read_dir, read_to_string};
use std::time::{SystemTime, UNIX_EPOCH};

use super::Exposition;

/// Ticks a second in `/proc/self/stat`, on every Linux that this runs on.
const TICKS: f64 = 100.0;

/// This process.
#[derive(Debug)]
pub struct Process {
    /// Seconds since 1970.
    started: f64,
}

impl Process {
    /// It starts now.
    pub fn new() -> Self {
        let started = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        Self { started: started.as_secs_f64() }
    }

    /// Writes what is known of it.
    pub fn expose(&self, page: &mut Exposition) {
        let mut gauge = |name: &str, help: &str, value: Option<f64>| {
            if let Some(value) = value {
                page.gauge(name, help).add(&[], value);
            }
        };
        let status = read_to_string("/proc/self/status").unwrap_or_default();
        let number = |name: &str| -> Option<f64> {
            let line = status.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(':'))?;
            line.split_whitespace().next()?.parse().ok()
        };
        let bytes = |name: &str| number(name).map(|kib| kib * 1024.0);
        gauge("process_start_time_seconds", "When the process started, in seconds since 1970.", Some(self.started));
        gauge("process_resident_memory_bytes", "Memory in use.", bytes("VmRSS"));
        gauge("process_virtual_memory_bytes", "Addresses in use.", bytes("VmSize"));
        gauge("process_threads", "Threads.", number("Threads"));
        // One of them is the folder that is being read.
        let files = read_dir("/proc/self/fd").ok().map(|files| files.count().saturating_sub(1) as f64);
        gauge("process_open_fds", "Open files and sockets.", files);
        gauge("process_max_fds", "How many files and sockets may be open.", most_files());
        if let Some(seconds) = processor_time() {
            page.counter("process_cpu_seconds_total", "Processor time that was used.").add(&[], seconds);
        }
    }
}

impl Default for Process {
    fn default() -> Self {
        Self::new()
    }
}

fn most_files() -> Option<f64> {
    let limits = read_to_string("/proc/self/limits").ok()?;
    let line = limits.lines().find_map(|line| line.strip_prefix("Max open files"))?;
    match line.split_whitespace().next()? {
        "unlimited" => Some(f64::INFINITY),
        most => most.parse().ok(),
    }
}

/// Of the program and of the system for it.
fn processor_time() -> Option<f64> {
    let stat = read_to_string("/proc/self/stat").ok()?;
    // The second field is the program's name in parentheses, which may hold anything; these are the 14th and 15th.
    let mut fields = stat.rsplit_once(')')?.1.split_whitespace().skip(11);
    let ticks = |field: Option<&str>| field?.parse::<f64>().ok();
    Some((ticks(fields.next())? + ticks(fields.next())?) / TICKS)
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn a_process_tells_its_memory_files_and_processor_time() {
        let mut page = Exposition::default();
        Process::new().expose(&mut page);
        let text = page.text();
        let value = |name: &str| -> f64 {
            let line = text.lines().find_map(|line| line.strip_prefix(&format!("{name} ")));
            line.unwrap_or_else(|| panic!("{name}\n{text}")).parse().unwrap()
        };
        assert!(value("process_resident_memory_bytes") > 1e6);
        assert!(value("process_open_fds") >= 3.0 && value("process_open_fds") < value("process_max_fds"));
        assert!(value("process_cpu_seconds_total") >= 0.0);
        assert!(value("process_start_time_seconds") > 1.7e9);
    }
}
