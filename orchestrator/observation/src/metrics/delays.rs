//! Statistics of durations. Mean and maximum are exact, and quantiles are exact to three digits. Memory is bounded.

use hdrhistogram::Histogram;
use serde::Serialize;
use utoipa::ToSchema;

/// The longest duration that quantiles represent, in microseconds: one hour. Longer durations count as one hour.
const LONGEST_US: u64 = 3_600_000_000;
const DIGITS: u8 = 3;

/// Statistics of durations in a run, in ms. Each value except `count` is null if there were no durations.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, ToSchema)]
pub struct DelayDocument {
    /// Number of durations.
    pub count: u64,
    /// Mean, exact.
    pub mean: Option<f64>,
    /// Median.
    pub p50: Option<f64>,
    /// 99th percentile.
    pub p99: Option<f64>,
    /// Maximum, exact.
    pub max: Option<f64>,
}

/// A set of durations. It allocates no memory before the first duration.
#[derive(Clone, Debug, Default)]
pub(super) struct Delays {
    count: u64,
    sum_us: u128,
    max_us: u64,
    histogram: Option<Histogram<u64>>,
}

impl Delays {
    pub(super) fn record(&mut self, delay_us: u64) {
        self.count += 1;
        self.sum_us += u128::from(delay_us);
        self.max_us = self.max_us.max(delay_us);
        if self.histogram.is_none() {
            self.histogram = Histogram::new_with_max(LONGEST_US, DIGITS).ok();
        }
        if let Some(histogram) = &mut self.histogram {
            histogram.saturating_record(delay_us);
        }
    }

    pub(super) fn buckets(&self) -> DelayBuckets {
        let up_to = |bound_us| self.histogram.as_ref().map_or(0, |histogram| histogram.count_between(0, bound_us));
        DelayBuckets { up_to: BOUNDS_US.map(up_to), count: self.count, sum_us: self.sum_us }
    }

    pub(super) fn document(&self) -> DelayDocument {
        let Some(histogram) = &self.histogram else { return DelayDocument::default() };
        let quantile = |quantile: f64| Some(ms(histogram.value_at_quantile(quantile).min(self.max_us)));
        DelayDocument {
            count: self.count,
            mean: Some(real(self.sum_us) / real(u128::from(self.count)) / 1_000.0),
            p50: quantile(0.5),
            p99: quantile(0.99),
            max: Some(ms(self.max_us)),
        }
    }
}

/// The upper bounds of the buckets, in microseconds.
const BOUNDS_US: [u64; 14] = [
    500, 1_000, 2_500, 5_000, 10_000, 25_000, 50_000, 100_000, 250_000, 500_000, 1_000_000, 2_500_000, 5_000_000,
    10_000_000,
];

/// For each upper bound, the number of durations that do not exceed it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DelayBuckets {
    up_to: [u64; BOUNDS_US.len()],
    count: u64,
    sum_us: u128,
}

impl DelayBuckets {
    /// For each bound from 0.0005 s to 10 s, returns the bound and the number of durations that do not exceed it. The
    /// histogram rounds durations to three digits before it counts them.
    pub fn up_to(&self) -> impl Iterator<Item = (f64, u64)> {
        BOUNDS_US.map(|bound_us| real(u128::from(bound_us)) / 1_000_000.0).into_iter().zip(self.up_to)
    }

    /// Returns the number of durations.
    #[must_use]
    pub const fn count(&self) -> u64 {
        self.count
    }

    /// Returns the sum of all durations, in seconds.
    #[must_use]
    pub const fn sum_seconds(&self) -> f64 {
        real(self.sum_us) / 1_000_000.0
    }
}

fn ms(us: u64) -> f64 {
    real(u128::from(us)) / 1_000.0
}

/// Returns the nearest floating-point number. The conversion is exact up to 2⁵³.
#[expect(clippy::cast_precision_loss, reason = "counts and times beyond 2^53 do not occur in a run")]
pub(super) const fn real(number: u128) -> f64 {
    number as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_bucket_has_all_that_do_not_exceed_its_bound() {
        let mut delays = Delays::default();
        assert!(delays.buckets().up_to().all(|(_, count)| count == 0));
        for delay_us in [0, 500, 501, 999, 1_000, 1_001, 60_000_000] {
            delays.record(delay_us);
        }
        let buckets = delays.buckets();
        let up_to: Vec<_> = buckets.up_to().collect();
        assert_eq!(up_to[..3], [(0.000_5, 2), (0.001, 5), (0.002_5, 6)]);
        assert_eq!((up_to[13], buckets.count()), ((10.0, 6), 7), "the longest is beyond the last bound");
        assert!((buckets.sum_seconds() - 60.004_001).abs() < 1e-9);
    }
}
