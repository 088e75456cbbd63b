//! A number of bytes, as people write it.

/// A size in bytes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct ByteSize(usize);

/// Units and their bytes, longest names first.
const UNITS: [(&str, usize); 7] = [
    ("KiB", 1 << 10),
    ("MiB", 1 << 20),
    ("GiB", 1 << 30),
    ("kB", 1_000),
    ("MB", 1_000_000),
    ("GB", 1_000_000_000),
    ("B", 1),
];

impl Default for ByteSize {
    /// What kept answers may take unless told otherwise.
    fn default() -> Self {
        Self(64_000_000)
    }
}

impl ByteSize {
    /// Takes a whole number with one of the units B, kB, MB, GB, KiB, MiB, GiB; without one it is bytes.
    ///
    /// # Errors
    /// One sentence that says what is wrong.
    pub fn parse(text: &str) -> Result<Self, String> {
        let wrong = || format!("'{text}' is no size: write a number with B, kB, MB, GB, KiB, MiB or GiB, as in 64MB");
        let trimmed = text.trim();
        let ends = |unit: &str| {
            let at = trimmed.len().checked_sub(unit.len())?;
            let end = trimmed.get(at..)?;
            end.eq_ignore_ascii_case(unit).then(|| trimmed[..at].trim_end())
        };
        let found = UNITS.iter().find_map(|&(unit, bytes)| Some((ends(unit)?, bytes)));
        let (number, bytes) = found.unwrap_or((trimmed, 1));
        let number: usize = number.parse().map_err(|_| wrong())?;
        number.checked_mul(bytes).map(Self).ok_or_else(wrong)
    }

    /// The number of bytes.
    pub fn bytes(self) -> usize {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_read_as_people_write_them() {
        for (text, bytes) in [
            ("0", 0),
            ("4096", 4096),
            ("12B", 12),
            ("64MB", 64_000_000),
            ("64 mb", 64_000_000),
            ("1kB", 1_000),
            ("2GiB", 2 << 30),
            (" 3 MiB ", 3 << 20),
        ] {
            assert_eq!(ByteSize::parse(text).map(ByteSize::bytes), Ok(bytes), "{text}");
        }
        for text in ["", "MB", "1.5MB", "-1", "64 megabytes", "99999999999999999999", "18446744073709551615GB", "1€"]
        {
            assert!(ByteSize::parse(text).is_err(), "{text}");
        }
    }
}
