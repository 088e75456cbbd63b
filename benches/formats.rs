//! Parse speed of every format on one core, with translate-toolkit next to it.
//!
//! `cargo bench --bench formats` prints MB/s. With `GITGLOT_TOOLKIT_PYTHON` set to a Python that has translate-toolkit,
//! `formats.py` parses the same files and the ratio is printed, too.

use std::fmt::Write;
use std::process::Command;
use std::time::{Duration, Instant};

use anyhow::Context;
use gitglot_formats::reader;
use gitglot_model::FileFormat;

/// The allocator of the program.
#[global_allocator]
static ALLOCATOR: tikv_jemallocator::Jemalloc = tikv_jemallocator::Jemalloc;

/// Number of entries of each file.
const ENTRIES: usize = 40_000;
/// translate-toolkit takes minutes for larger files.
const TOOLKIT_ENTRIES: usize = 4_000;
/// Processor time for which each format is parsed.
const TIME: Duration = Duration::from_millis(300);

fn main() -> anyhow::Result<()> {
    let folder = tempfile::tempdir()?;
    let python = std::env::var_os("GITGLOT_TOOLKIT_PYTHON");
    for format in FileFormat::ALL {
        let file = file(format, ENTRIES);
        let ours = speed(format, file.as_bytes())?;
        print!(
            "{:16} {:6.1} MB {ours:8.1} MB/s",
            format.name(),
            file.len() as f64 / 1e6
        );
        if let Some(python) = &python {
            let small = self::file(format, TOOLKIT_ENTRIES);
            let path = folder.path().join(format!("file{}", format.extension()));
            std::fs::write(&path, &small)?;
            let ours = speed(format, small.as_bytes())?;
            let script = concat!(env!("CARGO_MANIFEST_DIR"), "/benches/formats.py");
            let output = Command::new(python)
                .arg(script)
                .arg(format.name())
                .arg(&path)
                .output()?;
            let text = String::from_utf8_lossy(&output.stdout).trim().to_owned();
            match text.parse::<f64>() {
                Ok(theirs) => print!(
                    ", translate-toolkit {theirs:.2} MB/s: {:.0} times",
                    ours / theirs
                ),
                Err(_) => print!(", translate-toolkit does not read it"),
            }
        }
        println!();
    }
    Ok(())
}

/// The processor time of this thread, which other programs do not affect much. On other systems, the elapsed time.
fn cpu_time(start: Instant) -> Duration {
    let schedule = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    let nanoseconds = schedule
        .split(' ')
        .next()
        .and_then(|time| time.parse().ok());
    nanoseconds.map_or_else(|| start.elapsed(), Duration::from_nanos)
}

/// Parses the file repeatedly on this thread. Returns MB/s.
fn speed(format: FileFormat, bytes: &[u8]) -> anyhow::Result<f64> {
    let reader = reader(format);
    let start = Instant::now();
    let (before, mut runs) = (cpu_time(start), 0u32);
    let mut elapsed = Duration::ZERO;
    while elapsed < TIME {
        let mut length = 0;
        reader
            .read(bytes, &mut |entry| length += entry.text.len())
            .with_context(|| format!("the file for {} does not parse", format.name()))?;
        std::hint::black_box(length);
        runs += 1;
        elapsed = cpu_time(start) - before;
    }
    Ok(bytes.len() as f64 / 1e6 * f64::from(runs) / elapsed.as_secs_f64())
}

/// A file with entries of typical lengths.
fn file(format: FileFormat, entries: usize) -> String {
    let text = |n: usize| match n % 4 {
        0 => format!("Save {n}"),
        1 => format!("Uložit všechny změny v projektu {n} na disk"),
        2 => format!(
            "The file number {n} cannot be opened because another program is using it at the moment."
        ),
        _ => format!("Choose the number of columns ({n})"),
    };
    let (before, between, after) = frame(format);
    let mut out = before.to_owned();
    for n in 0..entries {
        if n > 0 {
            out.push_str(between);
        }
        entry(&mut out, format, n, &text(n));
    }
    out + after
}

/// The texts before, between and after the entries.
fn frame(format: FileFormat) -> (&'static str, &'static str, &'static str) {
    match format {
        FileFormat::GoI18nV1 => ("[\n", ",\n", "\n]\n"),
        FileFormat::Gotext => ("{\"language\": \"cs\", \"messages\": [\n", ",\n", "\n]}\n"),
        FileFormat::AndroidResource => ("<resources>\n", "\n", "\n</resources>\n"),
        FileFormat::Resx => ("<root>\n", "\n", "\n</root>\n"),
        FileFormat::Po | FileFormat::PoMono => (
            "msgid \"\"\nmsgstr \"Content-Type: text/plain; charset=UTF-8\\n\"\n\n",
            "\n",
            "",
        ),
        FileFormat::Xliff => (
            "<xliff version=\"1.2\" xmlns=\"urn:oasis:names:tc:xliff:document:1.2\">\
             <file original=\"a\" source-language=\"en\" target-language=\"cs\" datatype=\"plaintext\"><body>\n",
            "\n",
            "\n</body></file></xliff>\n",
        ),
        FileFormat::Xliff2 => (
            "<xliff version=\"2.0\" xmlns=\"urn:oasis:names:tc:xliff:document:2.0\" srcLang=\"en\" trgLang=\"cs\">\
             <file id=\"a\">\n",
            "\n",
            "\n</file></xliff>\n",
        ),
        FileFormat::QtTs => (
            "<TS version=\"2.1\" language=\"cs\"><context><name>Window</name>\n",
            "\n",
            "\n</context></TS>\n",
        ),
        FileFormat::RubyYaml => ("cs:\n", "\n", "\n"),
        FileFormat::AppleStrings
        | FileFormat::Properties
        | FileFormat::PropertiesUtf8
        | FileFormat::Yaml
        | FileFormat::Fluent => ("", "\n", "\n"),
        _ => ("{\n", ",\n", "\n}\n"),
    }
}

fn entry(out: &mut String, format: FileFormat, n: usize, text: &str) {
    let written = match format {
        FileFormat::WebExtension => write!(
            out,
            r#"  "key{n}": {{"message": "{text}", "description": "A button"}}"#
        ),
        FileFormat::FormatJs => write!(
            out,
            r#"  "key{n}": {{"defaultMessage": "{text}", "description": "A button"}}"#
        ),
        FileFormat::GoI18nV1 | FileFormat::Gotext => {
            write!(out, r#"  {{"id": "key{n}", "translation": "{text}"}}"#)
        }
        FileFormat::GoI18nV2 if n.is_multiple_of(8) => {
            write!(out, r#"  "key{n}": {{"one": "{text}", "other": "{text}"}}"#)
        }
        FileFormat::I18next if n.is_multiple_of(8) => {
            write!(
                out,
                "  \"key{n}\": \"{text}\",\n  \"key{n}_plural\": \"{text}\""
            )
        }
        FileFormat::I18nextV4 if n.is_multiple_of(8) => {
            write!(
                out,
                "  \"key{n}_one\": \"{text}\",\n  \"key{n}_other\": \"{text}\""
            )
        }
        FileFormat::VueI18n if n.is_multiple_of(8) => {
            write!(out, r#"  "key{n}": "{text} | {text}""#)
        }
        FileFormat::Jsonc | FileFormat::Json5 => {
            write!(out, "  // A button\n  \"key{n}\": \"{text}\"")
        }
        FileFormat::AndroidResource if n.is_multiple_of(8) => write!(
            out,
            "<plurals name=\"key{n}\"><item quantity=\"one\">{text}</item><item quantity=\"other\">{text}</item></plurals>"
        ),
        FileFormat::AndroidResource => write!(out, r#"    <string name="key{n}">{text}</string>"#),
        FileFormat::AppleStrings => write!(out, "/* A button */\n\"key{n}\" = \"{text}\";"),
        FileFormat::Properties | FileFormat::PropertiesUtf8 => write!(out, "key{n}={text}"),
        FileFormat::Yaml => write!(out, "key{n}: \"{text}\""),
        FileFormat::RubyYaml => write!(out, "  key{n}: \"{text}\""),
        FileFormat::Resx => write!(
            out,
            "  <data name=\"key{n}\" xml:space=\"preserve\"><value>{text}</value></data>"
        ),
        FileFormat::Fluent => write!(out, "key{n} = {text}"),
        FileFormat::Po | FileFormat::PoMono => write!(
            out,
            "#. A button\n#: src/window.c:{n} src/list.c:{n}\n#, c-format\nmsgid \"Source {n}: {text}\"\nmsgstr \"{text}\"\n"
        ),
        FileFormat::Xliff => write!(
            out,
            "<trans-unit id=\"key{n}\"><source>Source {n}: {text}</source><target state=\"translated\">{text}</target>\
             <note>A button</note></trans-unit>"
        ),
        FileFormat::Xliff2 => write!(
            out,
            "<unit id=\"key{n}\"><segment><source>Source {n}: {text}</source><target>{text}</target></segment></unit>"
        ),
        FileFormat::QtTs => write!(
            out,
            "<message><location filename=\"window.cpp\" line=\"{n}\"/><source>Source {n}: {text}</source>\
             <translation>{text}</translation></message>"
        ),
        _ => write!(out, r#"  "key{n}": "{text}""#),
    };
    if written.is_err() {
        unreachable!("a string takes everything");
    }
}
