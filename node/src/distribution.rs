//! Distributions of times, as people write them: `0`, `const:5`, `uniform:1..20`, `exp:200`.

use std::fmt;
use std::str::FromStr;

use interlock_algorithm::Ticks;
use serde::{Deserialize, Serialize};

use crate::draw::unit;

/// The longest time that may be asked for, in units of time (milliseconds live): an hour.
pub const LONGEST: f64 = 3_600_000.0;

/// A distribution of times in units of time: milliseconds in a live run.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub enum Distribution {
    /// Always the same: `const:5`, or just `5`.
    Constant(f64),
    /// Evenly between the two: `uniform:1..20`.
    Uniform(f64, f64),
    /// Exponential with this mean: `exp:200`.
    Exponential(f64),
}

/// Why a text is no distribution.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DistributionError {
    /// The text has none of the known forms.
    #[error("`{0}` is no distribution: write `0`, `const:5`, `uniform:1..20` or `exp:200`")]
    Form(String),
    /// A time is negative, not a number, or longer than [`LONGEST`].
    #[error("`{0}` has a time outside 0 … {LONGEST} ms")]
    Range(String),
    /// The bounds of a uniform distribution are the wrong way round.
    #[error("`{0}` ends before it begins")]
    Order(String),
}

impl Distribution {
    /// No time at all.
    pub const ZERO: Self = Self::Constant(0.0);

    /// The time that belongs to a draw of 64 bits, in ticks (thousandths of the unit of time).
    #[must_use]
    pub fn sample(&self, bits: u64) -> Ticks {
        ticks(match *self {
            Self::Constant(time) => time,
            Self::Uniform(low, high) => low + (high - low) * unit(bits),
            Self::Exponential(mean) => -mean * libm::log(1.0 - unit(bits)),
        })
    }

    /// The mean, in units of time.
    #[must_use]
    pub fn mean(&self) -> f64 {
        match *self {
            Self::Constant(time) => time,
            Self::Uniform(low, high) => f64::midpoint(low, high),
            Self::Exponential(mean) => mean,
        }
    }
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "times are in 0 … LONGEST, or a few times it"
)]
fn ticks(units: f64) -> Ticks {
    libm::round(units * 1000.0) as Ticks
}

impl FromStr for Distribution {
    type Err = DistributionError;

    fn from_str(text: &str) -> Result<Self, DistributionError> {
        let time = |part: &str| match part.parse::<f64>() {
            Ok(time) if (0.0..=LONGEST).contains(&time) => Ok(time),
            Ok(_) => Err(DistributionError::Range(text.to_owned())),
            Err(_) => Err(DistributionError::Form(text.to_owned())),
        };
        match text.split_once(':') {
            None => time(text).map(Self::Constant),
            Some(("const", part)) => time(part).map(Self::Constant),
            Some(("exp", part)) => time(part).map(Self::Exponential),
            Some(("uniform", part)) => {
                let (low, high) = part.split_once("..").ok_or_else(|| DistributionError::Form(text.to_owned()))?;
                let (low, high) = (time(low)?, time(high)?);
                if low > high { Err(DistributionError::Order(text.to_owned())) } else { Ok(Self::Uniform(low, high)) }
            }
            Some(_) => Err(DistributionError::Form(text.to_owned())),
        }
    }
}

impl TryFrom<String> for Distribution {
    type Error = DistributionError;

    fn try_from(text: String) -> Result<Self, DistributionError> {
        text.parse()
    }
}

impl From<Distribution> for String {
    fn from(distribution: Distribution) -> Self {
        distribution.to_string()
    }
}

impl fmt::Display for Distribution {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Constant(time) => write!(formatter, "const:{time}"),
            Self::Uniform(low, high) => write!(formatter, "uniform:{low}..{high}"),
            Self::Exponential(mean) => write!(formatter, "exp:{mean}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::draw::draw;

    #[test]
    fn texts_are_read_and_written() {
        for text in ["const:5", "uniform:1..20", "exp:200", "const:0.5"] {
            assert_eq!(text.parse::<Distribution>().map(|read| read.to_string()), Ok(text.to_owned()));
        }
        assert_eq!("0".parse(), Ok(Distribution::ZERO));
    }

    #[test]
    fn nonsense_is_refused_with_the_reason() {
        for text in ["", "fast", "const:", "uniform:5", "normal:5,1", "exp:x"] {
            assert_eq!(text.parse::<Distribution>(), Err(DistributionError::Form(text.to_owned())), "{text}");
        }
        for text in ["-1", "const:1e300", "exp:NaN", "uniform:-1..2"] {
            assert_eq!(text.parse::<Distribution>(), Err(DistributionError::Range(text.to_owned())), "{text}");
        }
        assert_eq!("uniform:3..1".parse::<Distribution>(), Err(DistributionError::Order("uniform:3..1".to_owned())));
    }

    #[test]
    #[expect(clippy::cast_precision_loss, reason = "small numbers")]
    fn samples_have_the_mean_they_should() {
        for text in ["const:5", "uniform:1..20", "exp:20"] {
            let distribution: Distribution = text.parse().expect("a distribution");
            let total: u64 = (0..20_000).map(|n| distribution.sample(draw(&[1, n]))).sum();
            let mean = total as f64 / 20_000.0 / 1000.0;
            assert!((mean / distribution.mean() - 1.0).abs() < 0.03, "{text}: {mean}");
        }
    }
}
