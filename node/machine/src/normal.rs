//! The standard normal distribution: its quantiles, cumulative distribution function and density.

use std::f64::consts::{PI, SQRT_2};

/// Bound of the tails. Quantiles of probabilities below `TAIL`, or above 1 − `TAIL`, are computed by the
/// approximation for the tails.
const TAIL: f64 = 0.024_25;
/// Smallest probability whose quantile is computed: half the distance between two neighbouring random numbers.
const SMALLEST: f64 = f64::EPSILON / 4.0;

const CENTRE_ABOVE: [f64; 6] = [
    -3.969_683_028_665_376e1,
    2.209_460_984_245_205e2,
    -2.759_285_104_469_687e2,
    1.383_577_518_672_69e2,
    -3.066_479_806_614_716e1,
    2.506_628_277_459_239,
];
const CENTRE_BELOW: [f64; 6] = [
    -5.447_609_879_822_406e1,
    1.615_858_368_580_409e2,
    -1.556_989_798_598_866e2,
    6.680_131_188_771_972e1,
    -1.328_068_155_288_572e1,
    1.0,
];
const TAIL_ABOVE: [f64; 6] = [
    -7.784_894_002_430_293e-3,
    -3.223_964_580_411_365e-1,
    -2.400_758_277_161_838,
    -2.549_732_539_343_734,
    4.374_664_141_464_968,
    2.938_163_982_698_783,
];
const TAIL_BELOW: [f64; 5] =
    [7.784_695_709_041_462e-3, 3.224_671_290_700_398e-1, 2.445_134_137_142_996, 3.754_408_661_907_416, 1.0];

/// Returns the quantile of `probability` (0 … 1). Because the quantiles of 0 and 1 are infinite, these two
/// probabilities are replaced with the closest probability that has a finite quantile. The rational approximation is
/// that of Acklam 2003, "An algorithm for computing the inverse normal cumulative distribution function", whose
/// relative error is below 1.15·10⁻⁹.
pub(crate) fn quantile(probability: f64) -> f64 {
    let probability = probability.clamp(SMALLEST, 1.0 - SMALLEST);
    let tail = |probability: f64| {
        let root = libm::sqrt(-2.0 * libm::log(probability));
        polynomial(&TAIL_ABOVE, root) / polynomial(&TAIL_BELOW, root)
    };
    if probability < TAIL {
        tail(probability)
    } else if probability > 1.0 - TAIL {
        -tail((1.0 - probability).max(SMALLEST))
    } else {
        let centred = probability - 0.5;
        let square = centred * centred;
        centred * polynomial(&CENTRE_ABOVE, square) / polynomial(&CENTRE_BELOW, square)
    }
}

/// Returns the probability that a normally distributed sample is at most `value`.
pub(crate) fn cumulative(value: f64) -> f64 {
    libm::erfc(-value / SQRT_2) / 2.0
}

/// Returns the probability density at `value`.
pub(crate) fn density(value: f64) -> f64 {
    libm::exp(-value * value / 2.0) / libm::sqrt(2.0 * PI)
}

/// Evaluates a polynomial by Horner's rule; the first coefficient is that of the highest power. The code uses no
/// fused multiply-add, because the last bit of its result differs between machines.
fn polynomial(coefficients: &[f64], at: f64) -> f64 {
    coefficients.iter().fold(0.0, |sum, coefficient| sum * at + coefficient)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_undo_the_cumulative_distribution() {
        for step in -70..=70 {
            let value = f64::from(step) / 10.0;
            // For values above 5, the probability is so close to 1 that it has too few digits for the inverse.
            if value < 5.0 {
                assert!((quantile(cumulative(value)) - value).abs() < 1e-7, "{value}");
            }
        }
    }

    #[test]
    fn quantiles_are_those_of_the_tables() {
        for (probability, value) in [(0.5, 0.0), (0.841_344_746, 1.0), (0.975, 1.959_963_985), (0.001, -3.090_232_306)]
        {
            assert!((quantile(probability) - value).abs() < 1e-7, "{probability}");
        }
        assert!(quantile(0.0).is_finite() && quantile(1.0).is_finite());
    }
}
