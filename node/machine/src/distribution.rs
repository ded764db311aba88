//! Distributions of times, in the notation that users write: `0`, `const:5`, `uniform:1..20`, `exp:200`,
//! `normal:20,5`, `pareto:1,2`. Times may have a unit (`const:500ms`, `uniform:1s..2s`). A single number is a
//! constant time.
//!
//! Every sample is computed from one random number of 64 bits, by inversion of the distribution function. All
//! mathematical functions are from `libm`, so the same random number gives the same sample on every machine.

use std::fmt;
use std::str::FromStr;

use interlock_algorithm::Ticks;
use serde::{Deserialize, Serialize};

use crate::draw::unit;
use crate::normal;
use crate::quantity::Duration;

/// Maximum time in a distribution, in units of time (milliseconds in a live run): one hour.
pub const LONGEST: f64 = 3_600_000.0;

/// Fraction of all samples that are at most the [`longest`](Distribution::longest) time of an unbounded
/// distribution.
const NEARLY_ALL: f64 = 0.999;

/// A distribution of times. The times are in units of time: milliseconds in a live run.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(into = "String", try_from = "Written")]
pub enum Distribution {
    /// Constant: `const:5`, or just `5`.
    Constant(f64),
    /// Uniform between two times: `uniform:1..20`.
    Uniform(f64, f64),
    /// Exponential, given by its mean: `exp:200`.
    Exponential(f64),
    /// Normal, given by its mean and standard deviation: `normal:20,5`. Negative samples become 0.
    Normal(f64, f64),
    /// Pareto, given by its scale (the shortest time) and its shape (above 1): `pareto:1,2`. Samples above
    /// [`LONGEST`] become [`LONGEST`].
    Pareto(f64, f64),
}

/// The reason why a text is not a distribution.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DistributionError {
    /// The text has none of the known forms.
    #[error(
        "`{0}` is not a distribution; write `0`, `const:5`, `uniform:1..20`, `exp:200`, `normal:20,5` or `pareto:1,2`"
    )]
    Form(String),
    /// A time is negative, is not a number, or is longer than [`LONGEST`].
    #[error("`{0}` has a time outside 0 … {LONGEST} ms")]
    Range(String),
    /// The bounds of a uniform distribution are in the wrong order.
    #[error("`{0}` has its bounds in the wrong order; write the smaller one first")]
    Order(String),
    /// The shape of a Pareto distribution is 1 or less, or not finite.
    #[error("`{0}` needs a finite shape above 1, because with a smaller shape its mean is infinite")]
    Shape(String),
}

impl Distribution {
    /// The constant 0.
    pub const ZERO: Self = Self::Constant(0.0);

    /// Returns the sample for a random number of 64 bits, in ticks (thousandths of the unit of time).
    #[must_use]
    pub fn sample(&self, bits: u64) -> Ticks {
        ticks(self.quantile(unit(bits)))
    }

    /// Returns the quantile of `part` (below 1), in units of time: the time that the fraction `part` of all samples
    /// does not exceed.
    fn quantile(&self, part: f64) -> f64 {
        match *self {
            Self::Constant(time) => time,
            Self::Uniform(low, high) => low + (high - low) * part,
            Self::Exponential(mean) => -mean * libm::log(1.0 - part),
            Self::Normal(mean, deviation) => (mean + deviation * normal::quantile(part)).max(0.0),
            Self::Pareto(scale, shape) => (scale * libm::pow(1.0 - part, -1.0 / shape)).min(LONGEST),
        }
    }

    /// Returns the maximum time, in ticks. For an unbounded distribution, returns the time that one sample in a
    /// thousand exceeds.
    #[must_use]
    pub fn longest(&self) -> Ticks {
        ticks(if let Self::Uniform(_, high) = *self { high } else { self.quantile(NEARLY_ALL) })
    }

    /// Whether no sample is longer than [`longest`](Self::longest).
    #[must_use]
    pub const fn is_bounded(&self) -> bool {
        match *self {
            Self::Constant(_) | Self::Uniform(..) => true,
            Self::Exponential(spread) | Self::Normal(_, spread) | Self::Pareto(spread, _) => spread == 0.0,
        }
    }

    /// Returns the mean of the samples, in units of time. Negative normal samples count as 0, and Pareto samples above
    /// [`LONGEST`] count as [`LONGEST`].
    #[must_use]
    pub fn mean(&self) -> f64 {
        match *self {
            Self::Constant(time) => time,
            Self::Uniform(low, high) => f64::midpoint(low, high),
            Self::Exponential(mean) | Self::Normal(mean, 0.0) => mean,
            Self::Normal(mean, deviation) => {
                mean * normal::cumulative(mean / deviation) + deviation * normal::density(mean / deviation)
            }
            Self::Pareto(0.0, _) => 0.0,
            Self::Pareto(scale, shape) => {
                scale + scale / (shape - 1.0) * (1.0 - libm::pow(scale / LONGEST, shape - 1.0))
            }
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
        let time = |part: &str| match part.parse() {
            Ok(Duration(time)) if (0.0..=LONGEST).contains(&time) => Ok(time),
            Ok(Duration(_)) => Err(DistributionError::Range(text.to_owned())),
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
            Some(("normal", parts)) => {
                let (mean, deviation) = pair(text, parts)?;
                Ok(Self::Normal(time(mean)?, time(deviation)?))
            }
            Some(("pareto", parts)) => {
                let (scale, shape) = pair(text, parts)?;
                Ok(Self::Pareto(time(scale)?, shape_above_one(text, shape)?))
            }
            Some(_) => Err(DistributionError::Form(text.to_owned())),
        }
    }
}

fn pair<'a>(text: &str, parts: &'a str) -> Result<(&'a str, &'a str), DistributionError> {
    parts.split_once(',').ok_or_else(|| DistributionError::Form(text.to_owned()))
}

fn shape_above_one(text: &str, part: &str) -> Result<f64, DistributionError> {
    match part.parse::<f64>() {
        Ok(shape) if shape > 1.0 && shape.is_finite() => Ok(shape),
        Ok(_) => Err(DistributionError::Shape(text.to_owned())),
        Err(_) => Err(DistributionError::Form(text.to_owned())),
    }
}

/// Written form of a distribution in a document: a text, or a number, which is a constant time.
#[derive(Deserialize)]
#[serde(untagged, expecting = "a distribution of times, such as `const:5`, or a number")]
enum Written {
    Text(String),
    Number(f64),
}

impl TryFrom<Written> for Distribution {
    type Error = DistributionError;

    fn try_from(written: Written) -> Result<Self, DistributionError> {
        match written {
            Written::Text(text) => text.parse(),
            Written::Number(time) => time.to_string().parse(),
        }
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
            Self::Normal(mean, deviation) => write!(formatter, "normal:{mean},{deviation}"),
            Self::Pareto(scale, shape) => write!(formatter, "pareto:{scale},{shape}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::draw::draw;

    #[test]
    fn texts_are_read_and_written() {
        for text in ["const:5", "uniform:1..20", "exp:200", "const:0.5", "normal:20,5", "pareto:1,2"] {
            assert_eq!(text.parse::<Distribution>().map(|read| read.to_string()), Ok(text.to_owned()));
        }
        assert_eq!("0".parse(), Ok(Distribution::ZERO));
        for (text, same) in [("500ms", "const:500"), ("exp:2s", "exp:2000"), ("uniform:1s..1m", "uniform:1000..60000")]
        {
            assert_eq!(text.parse::<Distribution>(), same.parse(), "{text}");
        }
        for (json, same) in [("5", "const:5"), ("0.5", "const:0.5"), ("\"exp:2\"", "exp:2")] {
            assert_eq!(serde_json::from_str::<Distribution>(json).ok(), same.parse().ok(), "{json}");
        }
    }

    #[test]
    fn nonsense_is_refused_with_the_reason() {
        for text in [
            "",
            "fast",
            "const:",
            "uniform:5",
            "normal:5",
            "normal:5,",
            "normal:5,1,2",
            "pareto:1",
            "pareto:1,x",
            "weibull:1,2",
            "exp:x",
        ] {
            assert_eq!(text.parse::<Distribution>(), Err(DistributionError::Form(text.to_owned())), "{text}");
        }
        for text in ["-1", "const:1e300", "exp:NaN", "uniform:-1..2", "normal:-1,2", "normal:1,-2", "pareto:-1,2"] {
            assert_eq!(text.parse::<Distribution>(), Err(DistributionError::Range(text.to_owned())), "{text}");
        }
        assert_eq!("uniform:3..1".parse::<Distribution>(), Err(DistributionError::Order("uniform:3..1".to_owned())));
        for text in ["pareto:1,1", "pareto:1,0.5", "pareto:1,-2", "pareto:1,NaN", "pareto:1,inf"] {
            assert_eq!(text.parse::<Distribution>(), Err(DistributionError::Shape(text.to_owned())), "{text}");
        }
    }

    #[test]
    #[expect(clippy::cast_precision_loss, reason = "small numbers")]
    fn samples_have_the_mean_they_should() {
        for text in ["const:5", "uniform:1..20", "exp:20", "normal:20,5", "normal:5,10", "normal:5,0", "pareto:1,3"] {
            let distribution: Distribution = text.parse().expect("a distribution");
            let total: u64 = (0..20_000).map(|n| distribution.sample(draw(&[1, n]))).sum();
            let mean = total as f64 / 20_000.0 / 1000.0;
            assert!((mean / distribution.mean() - 1.0).abs() < 0.03, "{text}: {mean}");
        }
    }

    #[test]
    fn no_sample_is_beyond_the_ends() {
        for bits in [0, 1, u64::MAX / 2, u64::MAX - 1, u64::MAX] {
            let sample = |text: &str| text.parse::<Distribution>().expect("a distribution").sample(bits);
            assert!(sample("normal:10,3600000") <= 10 * 3_600_000_000, "nothing is infinite");
            assert!((1_000..=3_600_000_000).contains(&sample("pareto:1,1.01")));
        }
        assert_eq!("normal:1,100".parse::<Distribution>().expect("a distribution").sample(0), 0);
        assert_eq!("pareto:1,1.01".parse::<Distribution>().expect("a distribution").sample(u64::MAX), 3_600_000_000);
        assert!("pareto:3600000,2".parse::<Distribution>().expect("a distribution").mean() <= LONGEST);
    }

    #[test]
    fn the_longest_is_exceeded_by_none_or_by_one_in_a_thousand() {
        for text in ["const:5", "uniform:1..20", "exp:20", "normal:20,5", "normal:5,0", "pareto:1,3", "pareto:0,2"] {
            let distribution: Distribution = text.parse().expect("a distribution");
            let exceeds = |n| distribution.sample(draw(&[1, n])) > distribution.longest();
            let beyond = (0..100_000).filter(|&n| exceeds(n)).count();
            if distribution.is_bounded() {
                assert_eq!(beyond, 0, "{text}");
            } else {
                assert!((70..130).contains(&beyond), "{text}: {beyond} of 100,000");
            }
        }
    }

    #[test]
    fn samples_are_these_on_every_machine() {
        let samples = |text: &str| {
            let distribution: Distribution = text.parse().expect("a distribution");
            [1, 2, 3].map(|n| distribution.sample(draw(&[1, n])))
        };
        assert_eq!(samples("normal:20,5"), [24_402, 14_909, 20_314]);
        assert_eq!(samples("pareto:1,2"), [2_298, 1_087, 1_451]);
    }

    proptest! {
        #[test]
        fn what_is_written_is_read_again(kind in 0..5_u8, a in 0.0..=LONGEST, b in 0.0..=LONGEST) {
            let distribution = match kind {
                0 => Distribution::Constant(a),
                1 => Distribution::Uniform(a.min(b), a.max(b)),
                2 => Distribution::Exponential(a),
                3 => Distribution::Normal(a, b),
                _ => Distribution::Pareto(a, 1.0 + f64::EPSILON + b),
            };
            prop_assert_eq!(distribution.to_string().parse(), Ok(distribution));
        }
    }
}
