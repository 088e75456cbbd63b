//! Weblate's hash of texts.

use siphasher::sip::SipHasher24;

/// Weblate's hash of texts put one after the other, as the signed number that it stores (docs/spec/units.md#hashes).
pub fn signed_hash(parts: &[&str]) -> i64 {
    use std::hash::Hasher;
    let mut hasher = SipHasher24::new_with_key(b"Weblate Sip Hash");
    parts.iter().for_each(|part| hasher.write(part.as_bytes()));
    (hasher.finish() ^ (1 << 63)) as i64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hashes_match_weblate() {
        let cases: [(&[&str], i64); 7] = [
            (&[""], 2141328909150225308),
            (&[".hello"], -3886856454571204551),
            (&["hello"], 1219941101254463490),
            (&[".key14"], -9200099127887087275),
            (&["Hello, world!\n", ".hello"], -8154609877154160748),
            (&["Příliš žluťoučký kůň", ".uni"], -1023089291559694422),
            (&["a", "b"], -1326248940019328263),
        ];
        for (parts, hash) in cases {
            assert_eq!(signed_hash(parts), hash, "{parts:?}");
        }
    }
}
