//! Random numbers as a function of keys. The same keys give the same random number on every machine, and in any
//! order of calls.

/// Returns a random number of 64 evenly distributed bits. The number depends on all of `keys`, and on nothing else.
///
/// Each key is mixed in with the finaliser of `SplitMix64` (Steele, Lea and Flood 2014, "Fast splittable
/// pseudorandom number generators", section 3).
#[inline]
#[must_use]
pub fn draw(keys: &[u64]) -> u64 {
    keys.iter().fold(0x9e37_79b9_7f4a_7c15, |state, &key| mix(state ^ mix(key.wrapping_add(0x9e37_79b9_7f4a_7c15))))
}

/// Converts 64 random bits to a number from 0 (included) to 1 (excluded), with a precision of 53 bits.
#[must_use]
#[expect(clippy::cast_precision_loss, reason = "53 bits fit the mantissa of an f64 exactly")]
pub fn unit(bits: u64) -> f64 {
    (bits >> 11) as f64 / (1_u64 << 53) as f64
}

/// Converts 64 random bits to an evenly distributed integer from `low` to `high`, both included.
#[must_use]
pub fn evenly(bits: u64, low: u64, high: u64) -> u64 {
    let width = u128::from(high.saturating_sub(low)) + 1;
    let above = (u128::from(bits) * width) >> 64;
    low.saturating_add(u64::try_from(above).unwrap_or(u64::MAX))
}

#[inline]
const fn mix(mut bits: u64) -> u64 {
    bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    bits ^ (bits >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_draw_depends_on_every_key_and_on_their_order() {
        assert_eq!(draw(&[1, 2, 3]), draw(&[1, 2, 3]));
        assert_ne!(draw(&[1, 2, 3]), draw(&[1, 2, 4]));
        assert_ne!(draw(&[1, 2, 3]), draw(&[2, 1, 3]));
        assert_ne!(draw(&[1, 2]), draw(&[1, 2, 0]));
    }

    #[test]
    fn draws_are_even() {
        let mean = (0..10_000_u64).map(|n| unit(draw(&[7, n]))).sum::<f64>() / 10_000.0;
        assert!((mean - 0.5).abs() < 0.01, "mean {mean}");
    }
}
