//! Length of the common prefix of two byte strings.

/// Returns the length of the longest common prefix.
#[inline]
pub(super) fn common_prefix(a: &[u8], b: &[u8]) -> usize {
    fn blocks<const N: usize>(a: &[u8], b: &[u8]) -> usize {
        let ((a, _), (b, _)) = (a.as_chunks::<N>(), b.as_chunks::<N>());
        a.iter().zip(b).take_while(|(a, b)| a == b).count() * N
    }
    // Large blocks compile to memcmp; smaller blocks then locate the difference.
    let mut len = blocks::<512>(a, b);
    len += blocks::<32>(&a[len..], &b[len..]);
    len + blocks::<1>(&a[len..], &b[len..])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_common_prefix_is_exact_at_every_length() {
        let a: Vec<u8> = (0..2000u32).map(|i| (i % 251) as u8).collect();
        for at in [0, 1, 7, 31, 32, 33, 511, 512, 513, 545, 1023, 1024, 1999] {
            let mut b = a.clone();
            b[at] ^= 0x40;
            assert_eq!(common_prefix(&a, &b), at);
            assert_eq!(common_prefix(&a, &a[..at]), at);
            assert_eq!(common_prefix(&b[..at], &a), at);
        }
        assert_eq!(common_prefix(&a, &a), 2000);
    }
}
