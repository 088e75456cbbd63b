//! Zip files without compression and times.

/// Writes a zip file. Sizes and offsets have 32 bits, names and the number of entries 16, which the caller ensures.
#[derive(Default)]
pub(crate) struct ZipWriter {
    bytes: Vec<u8>,
    directory: Vec<u8>,
    entries: u16,
}

/// 1 January 1980, the first date of the format.
const NO_DATE: u16 = 1 << 5 | 1;
/// Names are in UTF-8.
const UTF8_NAMES: u16 = 1 << 11;

impl ZipWriter {
    /// Whether a file of this size fits into an archive of a maximum size.
    pub(crate) fn fits(&self, size: usize, most: usize) -> bool {
        self.bytes.len() + size <= most && self.entries < u16::MAX
    }

    pub(crate) fn add(&mut self, name: &str, content: &[u8]) {
        let offset = self.bytes.len() as u32;
        let mut fields = Vec::new();
        // Version 2.0, stored, without a time.
        for field in [20, UTF8_NAMES, 0, 0, NO_DATE] {
            fields.extend_from_slice(&field.to_le_bytes());
        }
        let size = content.len() as u32;
        let mut checksum = flate2::Crc::new();
        checksum.update(content);
        for field in [checksum.sum(), size, size] {
            fields.extend_from_slice(&field.to_le_bytes());
        }
        fields.extend_from_slice(&(name.len() as u16).to_le_bytes());
        fields.extend_from_slice(&[0; 2]);
        self.bytes.extend_from_slice(b"PK\x03\x04");
        self.bytes.extend_from_slice(&fields);
        self.bytes.extend_from_slice(name.as_bytes());
        self.bytes.extend_from_slice(content);
        self.directory.extend_from_slice(b"PK\x01\x02\x14\x00");
        self.directory.extend_from_slice(&fields);
        // No comment, first disk, no attributes.
        self.directory.extend_from_slice(&[0; 10]);
        self.directory.extend_from_slice(&offset.to_le_bytes());
        self.directory.extend_from_slice(name.as_bytes());
        self.entries += 1;
    }

    pub(crate) fn finish(mut self) -> Vec<u8> {
        let (start, size) = (self.bytes.len() as u32, self.directory.len() as u32);
        self.bytes.append(&mut self.directory);
        self.bytes.extend_from_slice(b"PK\x05\x06\0\0\0\0");
        for _ in 0..2 {
            self.bytes.extend_from_slice(&self.entries.to_le_bytes());
        }
        self.bytes.extend_from_slice(&size.to_le_bytes());
        self.bytes.extend_from_slice(&start.to_le_bytes());
        self.bytes.extend_from_slice(&[0; 2]);
        self.bytes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_archive_has_a_directory_of_its_files() {
        let mut zip = ZipWriter::default();
        zip.add("a.txt", b"hello");
        zip.add("b.txt", b"");
        let bytes = zip.finish();
        let count = |mark: &[u8]| bytes.windows(4).filter(|window| *window == mark).count();
        assert_eq!(count(b"PK\x03\x04"), 2);
        assert_eq!(count(b"PK\x01\x02"), 2);
        assert_eq!(bytes[bytes.len() - 12..bytes.len() - 10], [2, 0]);
    }
}
