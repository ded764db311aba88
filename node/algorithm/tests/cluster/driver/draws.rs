//! Numbers that look drawn at random: a function of the seed alone.

/// A generator (Steele, Lea and Flood's SplitMix64, 2014).
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Draws(u64);

impl Draws {
    /// The generator of this seed.
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// A number below `size`, which is not 0.
    pub fn below(&mut self, size: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        (mixed ^ (mixed >> 31)) % size
    }

    /// A place in a list of `length` items, which is not empty.
    pub fn place(&mut self, length: usize) -> usize {
        usize::try_from(self.below(length as u64)).expect("a place in a list")
    }
}
