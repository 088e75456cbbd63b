//! Values written one after the other as bytes, and read back: numbers in little-endian, lists after their length.
//!
//! Made for much data that is read at once and fast. What is read may be anything: it gives `None`, never a panic,
//! and no list reserves more memory than the bytes that are there can fill.

/// Bytes that are gathered before they are handed on.
const BUFFER: usize = 64 * 1024;

/// Writes values and hands the bytes on in pieces.
pub struct Writer<'a> {
    buffer: Vec<u8>,
    sink: &'a mut dyn FnMut(&[u8]),
}

impl<'a> Writer<'a> {
    /// A writer whose bytes go to `sink`.
    pub fn new(sink: &'a mut dyn FnMut(&[u8])) -> Self {
        Self { buffer: Vec::with_capacity(BUFFER), sink }
    }

    fn put(&mut self, bytes: &[u8]) {
        if self.buffer.len() + bytes.len() > BUFFER {
            self.flush();
        }
        if bytes.len() > BUFFER {
            (self.sink)(bytes);
        } else {
            self.buffer.extend_from_slice(bytes);
        }
    }

    /// Hands on what is gathered. To be called at the end.
    pub fn flush(&mut self) {
        if !self.buffer.is_empty() {
            (self.sink)(&self.buffer);
            self.buffer.clear();
        }
    }

    /// A number of 8 bits.
    pub fn u8(&mut self, value: u8) {
        self.put(&[value]);
    }

    /// A number of 16 bits.
    pub fn u16(&mut self, value: u16) {
        self.put(&value.to_le_bytes());
    }

    /// A number of 32 bits.
    pub fn u32(&mut self, value: u32) {
        self.put(&value.to_le_bytes());
    }

    /// A signed number of 64 bits.
    pub fn i64(&mut self, value: i64) {
        self.put(&value.to_le_bytes());
    }

    /// How many items follow.
    pub fn len(&mut self, items: usize) {
        self.put(&(items as u64).to_le_bytes());
    }

    /// The 20 bytes of an object id.
    pub fn id(&mut self, id: &[u8; 20]) {
        self.put(id);
    }

    /// A text.
    pub fn text(&mut self, text: &str) {
        self.len(text.len());
        self.put(text.as_bytes());
    }

    /// A list of numbers.
    pub fn u32s(&mut self, values: impl ExactSizeIterator<Item = u32>) {
        self.len(values.len());
        values.for_each(|value| self.u32(value));
    }

    /// A list, each item written by `each`.
    pub fn list<T>(&mut self, items: impl ExactSizeIterator<Item = T>, mut each: impl FnMut(&mut Self, T)) {
        self.len(items.len());
        items.for_each(|item| each(self, item));
    }

    /// A value or none.
    pub fn option<T>(&mut self, value: Option<T>, some: impl FnOnce(&mut Self, T)) {
        self.u8(u8::from(value.is_some()));
        if let Some(value) = value {
            some(self, value);
        }
    }
}

/// Reads what a [`Writer`] wrote.
#[derive(Clone, Debug)]
pub struct Reader<'a> {
    rest: &'a [u8],
}

impl<'a> Reader<'a> {
    /// A reader of these bytes.
    pub fn new(bytes: &'a [u8]) -> Self {
        Self { rest: bytes }
    }

    /// Whether everything was read.
    pub fn is_at_end(&self) -> bool {
        self.rest.is_empty()
    }

    fn take(&mut self, count: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.rest.split_at_checked(count)?;
        self.rest = rest;
        Some(taken)
    }

    fn array<const N: usize>(&mut self) -> Option<[u8; N]> {
        self.take(N)?.try_into().ok()
    }

    /// A number of 8 bits.
    pub fn u8(&mut self) -> Option<u8> {
        self.array().map(|[value]| value)
    }

    /// A number of 16 bits.
    pub fn u16(&mut self) -> Option<u16> {
        self.array().map(u16::from_le_bytes)
    }

    /// A number of 32 bits.
    pub fn u32(&mut self) -> Option<u32> {
        self.array().map(u32::from_le_bytes)
    }

    /// A signed number of 64 bits.
    pub fn i64(&mut self) -> Option<i64> {
        self.array().map(i64::from_le_bytes)
    }

    /// How many items of at least `size` bytes follow.
    pub fn len(&mut self, size: usize) -> Option<usize> {
        let items = usize::try_from(self.array().map(u64::from_le_bytes)?).ok()?;
        (items.checked_mul(size)? <= self.rest.len()).then_some(items)
    }

    /// The 20 bytes of an object id.
    pub fn id(&mut self) -> Option<[u8; 20]> {
        self.array()
    }

    /// A text.
    pub fn text(&mut self) -> Option<&'a str> {
        let bytes = self.len(1)?;
        std::str::from_utf8(self.take(bytes)?).ok()
    }

    /// That many numbers.
    pub fn numbers(&mut self, count: usize) -> Option<impl ExactSizeIterator<Item = u32> + Clone + use<'a>> {
        let (numbers, _) = self.take(count.checked_mul(4)?)?.as_chunks::<4>();
        Some(numbers.iter().map(|bytes| u32::from_le_bytes(*bytes)))
    }

    /// A list of numbers.
    pub fn u32s(&mut self) -> Option<impl ExactSizeIterator<Item = u32> + Clone + use<'a>> {
        let count = self.len(4)?;
        self.numbers(count)
    }

    /// A list, each item of at least `size` bytes and read by `each`.
    pub fn list<T>(&mut self, size: usize, mut each: impl FnMut(&mut Self) -> Option<T>) -> Option<Vec<T>> {
        let count = self.len(size)?;
        let mut items = Vec::with_capacity(count);
        for _ in 0..count {
            items.push(each(self)?);
        }
        Some(items)
    }

    /// A value or none.
    pub fn option<T>(&mut self, some: impl FnOnce(&mut Self) -> Option<T>) -> Option<Option<T>> {
        match self.u8()? {
            0 => Some(None),
            1 => some(self).map(Some),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn written(fill: impl FnOnce(&mut Writer<'_>)) -> Vec<u8> {
        let mut bytes = Vec::new();
        let mut sink = |piece: &[u8]| bytes.extend_from_slice(piece);
        let mut writer = Writer::new(&mut sink);
        fill(&mut writer);
        writer.flush();
        bytes
    }

    proptest! {
        #[test]
        fn what_is_written_is_read_and_less_of_it_is_refused(
            number in any::<i64>(), text in ".*", numbers in prop::collection::vec(any::<u32>(), 0..40), cut in 0usize..60,
        ) {
            let bytes = written(|writer| {
                writer.i64(number);
                writer.text(&text);
                writer.u32s(numbers.iter().copied());
                writer.option(Some(7), Writer::u16);
                writer.list(numbers.iter(), |writer, &number| writer.text(&number.to_string()));
            });
            let read = |bytes: &[u8]| {
                let mut reader = Reader::new(bytes);
                let read = (
                    reader.i64()?,
                    reader.text()?.to_owned(),
                    reader.u32s()?.collect::<Vec<_>>(),
                    reader.option(Reader::u16)?,
                    reader.list(8, |reader| reader.text()?.parse().ok())?,
                );
                reader.is_at_end().then_some(read)
            };
            prop_assert_eq!(read(&bytes), Some((number, text, numbers.clone(), Some(7), numbers)));
            prop_assert_eq!(read(&bytes[..bytes.len().saturating_sub(cut + 1)]), None);
        }
    }

    #[test]
    fn a_length_beyond_the_bytes_that_are_there_is_refused() {
        let bytes = written(|writer| writer.len(usize::MAX));
        assert!(Reader::new(&bytes).text().is_none());
        assert!(Reader::new(&bytes).u32s().is_none());
    }

    #[test]
    fn much_text_goes_through_in_pieces() {
        let text = "seed ".repeat(100_000);
        let bytes = written(|writer| (0..3).for_each(|_| writer.text(&text)));
        let mut reader = Reader::new(&bytes);
        assert!((0..3).all(|_| reader.text() == Some(&text)) && reader.is_at_end());
    }
}
