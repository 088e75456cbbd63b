//! A small generator of numbers, the same on every machine.

/// Numbers that depend on a seed alone (xorshift).
pub struct Chance(u64);

impl Chance {
    /// The numbers of that seed.
    pub fn new(seed: u64) -> Self {
        // Consecutive seeds must give unrelated numbers.
        let mut mixed = (seed + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        Self((mixed ^ (mixed >> 27)).max(1))
    }

    /// The next number.
    pub fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    /// Any byte.
    pub fn byte(&mut self) -> u8 {
        (self.next() >> 24) as u8
    }

    /// A number below `end`, 0 if there is none.
    pub fn below(&mut self, end: usize) -> usize {
        (self.next() % end.max(1) as u64) as usize
    }

    /// True with the probability 1/n.
    pub fn one_in(&mut self, times: usize) -> bool {
        self.below(times) == 0
    }

    /// One of these.
    pub fn of<T: Copy>(&mut self, all: &[T]) -> T {
        all[self.below(all.len())]
    }
}
