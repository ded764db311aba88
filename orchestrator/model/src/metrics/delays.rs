//! Lengths of time: their mean and maximum exactly, their quantiles to three digits, in bounded memory.

use hdrhistogram::Histogram;
use serde::Serialize;
use utoipa::ToSchema;

/// The longest time whose quantiles are told apart, in microseconds: an hour.
const LONGEST_US: u64 = 3_600_000_000;
const DIGITS: u8 = 3;

/// Lengths of time in the metrics of a run, in ms; null where there were none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, ToSchema)]
pub struct DelayDocument {
    /// How many there were.
    pub count: u64,
    /// Their mean, exactly.
    pub mean: Option<f64>,
    /// The median.
    pub p50: Option<f64>,
    /// What 99 % of them do not exceed.
    pub p99: Option<f64>,
    /// The longest, exactly.
    pub max: Option<f64>,
}

/// A set of lengths of time. Memory is taken at the first one, and then no more.
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

fn ms(us: u64) -> f64 {
    real(u128::from(us)) / 1_000.0
}

/// The nearest floating-point number; exact up to 2⁵³.
#[expect(clippy::cast_precision_loss, reason = "counts and times beyond 2^53 do not occur in a run")]
pub(super) const fn real(number: u128) -> f64 {
    number as f64
}
