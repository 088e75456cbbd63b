//! The checksum of a unit: its id hash as addresses contain it.

/// The checksum of an id hash: hexadecimal digits without leading zeros (docs/spec/pages.md#checksum).
pub fn checksum(id_hash: i64) -> String {
    significant(id_hash).map(char::from).collect()
}

/// Appends the checksum of an id hash.
pub fn write_checksum(out: &mut Vec<u8>, id_hash: i64) {
    out.extend(significant(id_hash));
}

/// Appends the checksum of an id hash with leading zeros, as the current API has it: sixteen digits.
pub fn write_padded_checksum(out: &mut Vec<u8>, id_hash: i64) {
    out.extend(digits(unsigned(id_hash), 16));
}

/// The id hash of a checksum; `None` if it is none.
pub fn parse_checksum(checksum: &str) -> Option<i64> {
    let hash = u64::from_str_radix(checksum, 16).ok()?;
    Some((hash ^ SIGN) as i64)
}

/// The digits of hexadecimal numbers.
pub(super) const HEX_DIGITS: &[u8; 16] = b"0123456789abcdef";

/// The sign bit: Weblate stores an unsigned hash minus 2⁶³.
const SIGN: u64 = 1 << 63;

fn unsigned(id_hash: i64) -> u64 {
    id_hash as u64 ^ SIGN
}

fn significant(id_hash: i64) -> impl Iterator<Item = u8> {
    let hash = unsigned(id_hash);
    digits(hash, (64 - hash.leading_zeros()).div_ceil(4).max(1))
}

/// The last hexadecimal digits of a hash.
fn digits(hash: u64, count: u32) -> impl Iterator<Item = u8> {
    (0..count)
        .rev()
        .map(move |at| HEX_DIGITS[(hash >> (4 * at)) as usize & 15])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn checksums_have_no_leading_zeros() {
        for (id_hash, shown) in [
            (2141328909150225308, "9db7874c312c839c"),
            (-9008166147883819275, "2fc909da5af9ef5"),
            (-9200099127887087275, "52ae965fe8b955"),
            (i64::MIN, "0"),
        ] {
            assert_eq!(checksum(id_hash), shown);
            assert_eq!(parse_checksum(shown), Some(id_hash));
            let mut out = Vec::new();
            write_padded_checksum(&mut out, id_hash);
            assert_eq!(String::from_utf8(out).unwrap(), format!("{shown:0>16}"));
        }
        assert_eq!(parse_checksum("g"), None);
    }
}
