//! Deltas of packs: an object as copies from another one and inserted bytes.

/// A delta; see "Deltified representation" in git's `pack-format` documentation.
pub(super) struct Delta<'a> {
    base_size: u64,
    pub(super) result_size: u64,
    instructions: &'a [u8],
}

impl<'a> Delta<'a> {
    pub(super) fn read(delta: &'a [u8]) -> Option<Self> {
        let (base_size, rest) = delta_size(delta)?;
        let (result_size, instructions) = delta_size(rest)?;
        Some(Self {
            base_size,
            result_size,
            instructions,
        })
    }

    /// The object; `None` if the delta does not match the base or its own sizes.
    pub(super) fn apply(&self, base: &[u8]) -> Option<Vec<u8>> {
        let result_size = usize::try_from(self.result_size).ok()?;
        if u64::try_from(base.len()).ok()? != self.base_size {
            return None;
        }
        let mut result = Vec::with_capacity(result_size);
        let mut rest = self.instructions;
        while let Some((&instruction, after)) = rest.split_first() {
            rest = after;
            let piece = if instruction & 0x80 != 0 {
                let mut number = |bits: u8, count: u8| {
                    let mut value = 0;
                    for byte in (0..count).filter(|byte| bits & (1 << byte) != 0) {
                        let (&next, after) = rest.split_first()?;
                        rest = after;
                        value |= usize::from(next) << (8 * byte);
                    }
                    Some(value)
                };
                let start = number(instruction, 4)?;
                let length = match number(instruction >> 4 & 0b111, 3)? {
                    0 => 0x1_0000,
                    length => length,
                };
                base.get(start..start.checked_add(length)?)?
            } else {
                let split = rest.split_at_checked(usize::from(instruction));
                let (piece, after) = split.filter(|_| instruction != 0)?;
                rest = after;
                piece
            };
            if piece.len() > result_size - result.len() {
                return None;
            }
            result.extend_from_slice(piece);
        }
        (result.len() == result_size).then_some(result)
    }
}

/// Parses a little-endian base-128 number.
fn delta_size(bytes: &[u8]) -> Option<(u64, &[u8])> {
    let mut size = 0;
    for (at, byte) in bytes.iter().enumerate().take(9) {
        size |= u64::from(byte & 0x7f) << (7 * at);
        if byte & 0x80 == 0 {
            return Some((size, bytes.get(at + 1..)?));
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    const BASE: &[u8] = b"{\"a\": \"one\", \"b\": \"two\"}";

    fn apply(delta: &[u8]) -> Option<Vec<u8>> {
        Delta::read(delta)?.apply(BASE)
    }

    #[test]
    fn a_delta_copies_from_its_base_and_inserts_bytes() {
        // Copy 7 bytes from 0, insert 3, copy 13 from 10 (offset and length in one byte each).
        let delta = [
            24,
            23,
            0b1001_0000,
            7,
            3,
            b'u',
            b'n',
            b'o',
            0b1001_0001,
            10,
            13,
        ];
        assert_eq!(apply(&delta).unwrap(), b"{\"a\": \"uno\", \"b\": \"two\"");
    }

    #[test]
    fn an_invalid_delta_is_rejected() {
        for (delta, why) in [
            (&[][..], "no sizes"),
            (&[0x80], "a truncated size"),
            (&[0xff; 12], "an overlong size"),
            (&[23, 1, 1, b'x'], "a base of a different size"),
            (&[24, 2, 1, b'x'], "a short result"),
            (&[24, 1, 2, b'x', b'y'], "a long result"),
            (&[24, 1, 5, b'x'], "a truncated insertion"),
            (&[24, 1, 0], "the reserved instruction"),
            (&[24, 1, 0b1001_0001, 30], "a copy without a length"),
            (
                &[24, 1, 0b1001_0001, 24, 1],
                "a copy past the end of the base",
            ),
            (
                &[24, 1, 0b1000_1111, 0xff, 0xff, 0xff, 0xff],
                "a copy at an offset far past the end",
            ),
        ] {
            assert_eq!(apply(delta), None, "{why}");
        }
    }
}
