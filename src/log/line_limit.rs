//! Limits the length of log lines, and keeps each on one line: names in repositories can have any length and newlines.

use std::io::{self, Write};

use serde_json::Value;

use super::BARS;
use gitglot_model::{escape_line, is_active};

/// Bytes of a line, and of a string in a line of JSON, that are logged.
const MAX_BYTES: usize = 2_000;

/// Standard error, with a limited length of lines. Each write is one line.
#[derive(Clone, Copy, Debug)]
pub(super) struct LimitedStderr {
    pub(super) is_json: bool,
}

impl Write for LimitedStderr {
    fn write(&mut self, line: &[u8]) -> io::Result<usize> {
        let short = shortened(line, self.is_json);
        let written = short.as_deref().unwrap_or(line);
        let escaped = one_line(written).filter(|_| !self.is_json);
        let written = escaped.as_deref().unwrap_or(written);
        BARS.suspend(|| io::stderr().lock().write_all(written))?;
        Ok(line.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        io::stderr().flush()
    }
}

/// A line that is too long, cut; `None` for other lines.
fn shortened(line: &[u8], is_json: bool) -> Option<Vec<u8>> {
    if line.len() <= MAX_BYTES {
        return None;
    }
    if is_json && let Ok(mut value) = serde_json::from_slice::<Value>(line) {
        shorten_strings(&mut value);
        return Some(format!("{value}\n").into_bytes());
    }
    let text = String::from_utf8_lossy(line);
    Some(format!("{}\n", cut(&text)).into_bytes())
}

/// A line whose text contains newlines, marks that reverse it or commands of runners, with escapes; `None` for other lines. The formatter
/// has escaped the characters that control a terminal.
fn one_line(line: &[u8]) -> Option<Vec<u8>> {
    let text = String::from_utf8_lossy(line.strip_suffix(b"\n").unwrap_or(line));
    let is_unsafe = |char| is_active(char) && !matches!(char, '\x1b' | '\t');
    if !text.contains(is_unsafe) && !text.contains("##") {
        return None;
    }
    let parts = text
        .split_inclusive('\x1b')
        .map(|part| match part.strip_suffix('\x1b') {
            Some(part) => escape_line(part) + "\x1b",
            None => escape_line(part),
        });
    Some((parts.collect::<String>() + "\n").into_bytes())
}

fn shorten_strings(value: &mut Value) {
    match value {
        Value::String(text) if text.len() > MAX_BYTES => *text = cut(text),
        Value::Array(items) => items.iter_mut().for_each(shorten_strings),
        Value::Object(fields) => fields.values_mut().for_each(shorten_strings),
        _ => {}
    }
}

fn cut(text: &str) -> String {
    let start = (0..=MAX_BYTES).rev().find_map(|end| text.get(..end));
    format!("{}… ({} bytes)", start.unwrap_or_default(), text.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_lines_are_cut_and_short_ones_are_unchanged() {
        assert_eq!(shortened(b"INFO a line\n", false), None);
        let long = format!("INFO {}\n", "ž".repeat(3_000));
        let short = String::from_utf8(shortened(long.as_bytes(), false).unwrap()).unwrap();
        assert!(short.len() < 2_050 && short.ends_with("ž… (6006 bytes)\n"));
    }

    #[test]
    fn a_name_cannot_begin_a_line() {
        assert_eq!(one_line(b"\x1b[33mWARN\x1b[0m a line\n"), None);
        assert_eq!(
            one_line(b"a ##[b]\n").as_deref(),
            Some(&b"a \\u{23}#[b]\n"[..])
        );
        let line = "\x1b[33mWARN\x1b[0m l/zz\n::error::x\u{202e}.json\n";
        let escaped = String::from_utf8(one_line(line.as_bytes()).unwrap()).unwrap();
        assert_eq!(
            escaped,
            "\x1b[33mWARN\x1b[0m l/zz\\n::error::x\\u{202e}.json\n"
        );
    }

    #[test]
    fn long_lines_of_json_stay_json() {
        let long = serde_json::json!({"level": "WARN", "message": "x".repeat(9_000)});
        let short = shortened(format!("{long}\n").as_bytes(), true).unwrap();
        let short: Value = serde_json::from_slice(&short).unwrap();
        assert_eq!(short["level"], "WARN");
        assert!(
            short["message"]
                .as_str()
                .unwrap()
                .ends_with("x… (9000 bytes)")
        );
    }
}
