//! Limits the size of everything that a server sends before a pack: capabilities, references, and what it says about the
//! commits of both sides. gix keeps that in memory, so an endless list would exhaust it.

use std::io::{self, BufRead, Read, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// The maximum size of everything before a pack in bytes: space for half a million references.
const MAX_BYTES: u64 = 64 << 20;

/// What both directions of a connection know.
#[derive(Clone, Default)]
pub(crate) struct Exchange {
    /// Whether a pack was requested.
    pack_requested: Arc<AtomicBool>,
    /// Ends the exchange with the next data from the server.
    interrupt: Arc<AtomicBool>,
}

impl Exchange {
    /// An exchange that ends when the flag is set.
    pub(crate) fn new(interrupt: &Arc<AtomicBool>) -> Self {
        Self {
            interrupt: interrupt.clone(),
            ..Self::default()
        }
    }

    /// The data from the server, limited until a requested pack begins.
    pub(crate) fn limit<R>(&self, inner: R) -> LimitedRead<R> {
        let before_pack = BeforePack {
            read: 0,
            packets: Packets::default(),
            is_pack: false,
            exchange: self.clone(),
        };
        LimitedRead { inner, before_pack }
    }

    /// The data to the server, which may request a pack.
    pub(crate) fn observe<W>(&self, inner: W) -> ObservedWrite<W> {
        ObservedWrite {
            inner,
            exchange: self.clone(),
        }
    }
}

/// Data from a server.
pub(crate) struct LimitedRead<R> {
    inner: R,
    before_pack: BeforePack,
}

/// What was read before a pack.
struct BeforePack {
    /// Its number of bytes.
    read: u64,
    packets: Packets,
    /// A requested pack has begun: its size has no limit.
    is_pack: bool,
    exchange: Exchange,
}

impl BeforePack {
    fn check(&self) -> io::Result<()> {
        if self.exchange.interrupt.load(Ordering::Relaxed) {
            return Err(io::Error::other("the fetch was interrupted"));
        }
        if !self.is_pack && self.read > MAX_BYTES {
            let reason = "the server sends more than 64 MB before the pack";
            return Err(io::Error::other(reason));
        }
        Ok(())
    }

    /// Counts data, unless the pack has begun.
    fn count(&mut self, bytes: &[u8]) {
        if !self.is_pack {
            self.read += bytes.len() as u64;
            let pack_requested = &self.exchange.pack_requested;
            self.is_pack = self.packets.scan(bytes) && pack_requested.load(Ordering::Relaxed);
        }
    }
}

impl<R: Read> Read for LimitedRead<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let length = self.inner.read(buffer)?;
        self.before_pack.count(&buffer[..length]);
        self.before_pack.check().map(|()| length)
    }
}

impl<R: BufRead> BufRead for LimitedRead<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        self.before_pack.check()?;
        self.inner.fill_buf()
    }

    fn consume(&mut self, length: usize) {
        // The buffer has these bytes, so this reads nothing. The next read reports the error of the limit.
        if !self.before_pack.is_pack
            && length > 0
            && let Ok(buffer) = self.inner.fill_buf()
        {
            let bytes = buffer.get(..length).unwrap_or(buffer);
            self.before_pack.count(bytes);
        }
        self.inner.consume(length);
    }
}

/// Finds the beginning of a pack in packet lines (gitprotocol-common(5)): a line `packfile` in version 2 of the protocol; in
/// older ones data of a side band, or the pack itself without a line.
#[derive(Default)]
enum Packets {
    /// In the length of a line, of which these digits are known.
    #[default]
    Start,
    Length([u8; 3], usize),
    /// In a line: the bytes that follow, and its beginning.
    Line(usize, Vec<u8>),
    /// These are no lines.
    Other,
}

impl Packets {
    /// The longest beginning of a line that matters.
    const LINE: &[u8] = b"packfile\n";

    /// Whether a pack begins in these bytes.
    fn scan(&mut self, mut bytes: &[u8]) -> bool {
        let mut begins = false;
        while let Some((&first, rest)) = bytes.split_first() {
            *self = match std::mem::replace(self, Self::Other) {
                Self::Start => {
                    bytes = rest;
                    Self::Length([first, 0, 0], 1)
                }
                Self::Length(mut digits, known) if known < digits.len() => {
                    bytes = rest;
                    digits[known] = first;
                    Self::Length(digits, known + 1)
                }
                Self::Length([a, b, c], _) => {
                    bytes = rest;
                    let digits = [a, b, c, first];
                    begins |= digits == *b"PACK";
                    let digits = std::str::from_utf8(&digits).ok();
                    let length = digits.and_then(|digits| usize::from_str_radix(digits, 16).ok());
                    match length {
                        Some(0..=2 | 4) => Self::Start,
                        Some(length @ 5..) => Self::Line(length - 4, Vec::new()),
                        _ => Self::Other,
                    }
                }
                Self::Line(left, mut beginning) => {
                    let (now, rest) = bytes.split_at(left.min(bytes.len()));
                    bytes = rest;
                    let missing = (Self::LINE.len() + 1).saturating_sub(beginning.len());
                    beginning.extend(now.iter().take(missing));
                    begins |= matches!(beginning[..], [1..=3, ..]);
                    if now.len() < left {
                        Self::Line(left - now.len(), beginning)
                    } else {
                        begins |= beginning == Self::LINE || beginning == b"packfile";
                        Self::Start
                    }
                }
                Self::Other => return begins,
            };
        }
        begins
    }
}

/// Data to a server.
pub(crate) struct ObservedWrite<W> {
    inner: W,
    exchange: Exchange,
}

impl<W: Write> Write for ObservedWrite<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if requests_pack(bytes) {
            self.exchange.pack_requested.store(true, Ordering::Relaxed);
        }
        self.inner.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.inner.flush()
    }
}

/// Whether a part of a request asks for a pack, in version 2 or 1 of the protocol.
fn requests_pack(bytes: &[u8]) -> bool {
    let contains = |text: &[u8]| bytes.windows(text.len()).any(|part| part == text);
    contains(b"command=fetch") || contains(b"want ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read_all(mut limited: impl Read) -> io::Result<u64> {
        io::copy(&mut limited, &mut io::sink())
    }

    /// An exchange in which the client has sent this.
    fn after(request: &[u8]) -> Exchange {
        let exchange = Exchange::default();
        let mut to_server = exchange.observe(io::sink());
        to_server.write_all(request).expect("a sink");
        exchange
    }

    #[test]
    fn everything_before_a_pack_is_limited() {
        let lines = b"0008NAK\n".repeat(MAX_BYTES as usize / 8 + 1);
        for request in [
            "0014command=ls-refs\n",
            "0011command=fetch",
            "0032want 11111111",
        ] {
            let mut endless = after(request.as_bytes()).limit(io::BufReader::new(&lines[..]));
            assert_eq!(
                read_all(&mut endless).unwrap_err().to_string(),
                "the server sends more than 64 MB before the pack"
            );
            assert!(endless.fill_buf().is_err());
        }
    }

    #[test]
    fn a_requested_pack_has_no_limit() {
        let pack = || io::repeat(b'x').take(MAX_BYTES + 1);
        let beginnings: [&[u8]; 4] = [
            b"0014acknowledgments\n0008NAK\n0001000dpackfile\n0006\x01P",
            b"000dpackfile\n",
            b"0008NAK\n0006\x02C",
            b"0008NAK\nPACK",
        ];
        for beginning in beginnings {
            let limited = |request: &[u8]| after(request).limit(beginning.chain(pack()));
            let all = beginning.len() as u64 + MAX_BYTES + 1;
            assert_eq!(read_all(limited(b"0011command=fetch")).unwrap(), all);
            let limited = |request: &[u8]| {
                // One byte at a time.
                let beginning = io::BufReader::with_capacity(1, beginning);
                after(request).limit(beginning.chain(io::BufReader::new(pack())))
            };
            let mut limited = limited(b"0032want 11111111");
            while let Ok(length @ 1..) = limited.fill_buf().map(<[u8]>::len) {
                limited.consume(length);
            }
            assert!(limited.before_pack.is_pack, "{beginning:?}");
            assert!(
                read_all(after(b"0014command=ls-refs").limit(beginning.chain(pack()))).is_err()
            );
        }
        // A name of a reference is no beginning of a pack.
        let hidden: &[u8] = b"0015 000dpackfile\nx\n";
        assert!(read_all(after(b"0011command=fetch").limit(hidden.chain(pack()))).is_err());
    }

    #[test]
    fn an_interrupted_exchange_ends_with_the_next_data() {
        let interrupt = Arc::<AtomicBool>::default();
        let mut endless = Exchange::new(&interrupt).limit(io::BufReader::new(io::repeat(b'0')));
        assert!(endless.fill_buf().is_ok());
        interrupt.store(true, Ordering::Relaxed);
        assert!(endless.fill_buf().is_err() && endless.read(&mut [0]).is_err());
    }
}
