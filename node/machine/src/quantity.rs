//! Lengths of time and probabilities, in the notation that users write: `500`, `500ms`, `2s`, `1m`, `250us`; `0.1`,
//! `10%`.
//!
//! In JSON input, a quantity may be a number, or a text in this notation. In JSON output, a quantity is always a
//! number.

use std::fmt;
use std::str::FromStr;

use interlock_algorithm::span;
use serde::de::{self, Deserialize, Deserializer, Visitor};

/// A length of time, in units of time. In a live run, a unit is a millisecond.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
pub struct Duration(pub f64);

/// A probability. The value is not checked: it may be outside the range 0 … 1.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
pub struct Probability(pub f64);

/// The reason why a text is not a quantity.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum QuantityError {
    /// The text is not a length of time.
    #[error("`{0}` is not a {TIME}")]
    Time(String),
    /// The text is not a probability.
    #[error("`{0}` is not a {PROBABILITY}")]
    Probability(String),
    /// The text is a length of time, but not a whole number of milliseconds, or it is negative.
    #[error("`{0}` is not a whole number of milliseconds, 0 or more")]
    Whole(String),
}

const TIME: &str = "length of time; write a number of ms, or `500ms`, `2s`, `1m`";
const PROBABILITY: &str = "probability; write a number in 0 … 1, or `10%`";

fn number(text: &str) -> Option<f64> {
    text.trim_end().parse().ok()
}

impl FromStr for Duration {
    type Err = QuantityError;

    fn from_str(text: &str) -> Result<Self, QuantityError> {
        span::ms(text).map(Self).ok_or_else(|| QuantityError::Time(text.to_owned()))
    }
}

impl FromStr for Probability {
    type Err = QuantityError;

    fn from_str(text: &str) -> Result<Self, QuantityError> {
        let probability = match text.strip_suffix('%') {
            Some(percent) => number(percent).map(|percent| percent / 100.0),
            None => number(text),
        };
        probability.map(Self).ok_or_else(|| QuantityError::Probability(text.to_owned()))
    }
}

impl Duration {
    /// Returns the time as a whole number of ms.
    ///
    /// # Errors
    /// If the time is negative, has a fractional part, or is longer than 2^53 ms.
    pub fn whole_ms(self) -> Result<u64, QuantityError> {
        const MOST: f64 = 9_007_199_254_740_992.0;
        if (0.0..=MOST).contains(&self.0) && self.0.fract() == 0.0 {
            #[expect(
                clippy::cast_possible_truncation,
                clippy::cast_sign_loss,
                reason = "it is whole and in 0 … MOST"
            )]
            return Ok(self.0 as u64);
        }
        Err(QuantityError::Whole(self.0.to_string()))
    }
}

/// Reader of a JSON value that is a number, or a text that denotes a number.
struct Reader {
    kind: &'static str,
    read: fn(&str) -> Result<f64, QuantityError>,
}

impl Visitor<'_> for Reader {
    type Value = f64;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.kind)
    }

    fn visit_f64<E: de::Error>(self, number: f64) -> Result<f64, E> {
        Ok(number)
    }

    #[expect(clippy::cast_precision_loss, reason = "all quantities that are allowed have far fewer than 53 bits")]
    fn visit_u64<E: de::Error>(self, number: u64) -> Result<f64, E> {
        Ok(number as f64)
    }

    #[expect(clippy::cast_precision_loss, reason = "all quantities that are allowed have far fewer than 53 bits")]
    fn visit_i64<E: de::Error>(self, number: i64) -> Result<f64, E> {
        Ok(number as f64)
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<f64, E> {
        (self.read)(text).map_err(E::custom)
    }
}

impl<'de> Deserialize<'de> for Duration {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let read = |text: &str| text.parse().map(|Self(ms)| ms);
        deserializer.deserialize_any(Reader { kind: TIME, read }).map(Self)
    }
}

impl<'de> Deserialize<'de> for Probability {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let read = |text: &str| text.parse().map(|Self(probability)| probability);
        deserializer.deserialize_any(Reader { kind: PROBABILITY, read }).map(Self)
    }
}

/// Reads an optional field that contains a time in ms. Returns `None` if the field is absent.
///
/// # Errors
/// If the field is not a time.
pub fn optional_ms<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<f64>, D::Error> {
    Ok(Option::<Duration>::deserialize(deserializer)?.map(|Duration(ms)| ms))
}

/// Reads a field that is a whole number of ms.
///
/// # Errors
/// If the field is not a whole number of ms.
pub fn whole_ms<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u64, D::Error> {
    Duration::deserialize(deserializer)?.whole_ms().map_err(de::Error::custom)
}

/// Reads an optional field that contains a whole number of ms. Returns `None` if the field is absent.
///
/// # Errors
/// If the field is not a whole number of ms.
pub fn optional_whole_ms<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<u64>, D::Error> {
    let time = Option::<Duration>::deserialize(deserializer)?;
    time.map(Duration::whole_ms).transpose().map_err(de::Error::custom)
}

/// Reads an optional field that contains a probability. Returns `None` if the field is absent.
///
/// # Errors
/// If the field is not a probability.
pub fn optional_probability<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<f64>, D::Error> {
    Ok(Option::<Probability>::deserialize(deserializer)?.map(|Probability(probability)| probability))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_have_units() {
        for (text, ms) in
            [("500ms", 500.0), ("2s", 2_000.0), ("1m", 60_000.0), ("0.5 s", 500.0), ("5", 5.0), ("250us", 0.25)]
        {
            assert_eq!(text.parse(), Ok(Duration(ms)), "{text}");
        }
        for text in ["", "s", "ms", "1h", "2ss", "5 % ", "1ns"] {
            assert_eq!(text.parse::<Duration>(), Err(QuantityError::Time(text.to_owned())), "{text}");
        }
        assert_eq!("1.5s".parse::<Duration>().expect("a time").whole_ms(), Ok(1_500));
        for text in ["1.5ms", "-1s", "1e300"] {
            assert!(text.parse::<Duration>().expect("a time").whole_ms().is_err(), "{text}");
        }
    }

    #[test]
    fn probabilities_may_be_percentages() {
        for (text, probability) in [("10%", 0.1), ("0.1", 0.1), ("100 %", 1.0), ("0", 0.0)] {
            assert_eq!(text.parse(), Ok(Probability(probability)), "{text}");
        }
        assert_eq!("%".parse::<Probability>(), Err(QuantityError::Probability("%".to_owned())));
    }

    #[test]
    fn in_json_they_are_numbers_or_texts() {
        let time = |json: &str| serde_json::from_str::<Duration>(json).map(|Duration(ms)| ms);
        assert_eq!((time("5").ok(), time("2.5").ok(), time(r#""2s""#).ok()), (Some(5.0), Some(2.5), Some(2_000.0)));
        assert!(time("[]").expect_err("no time").to_string().contains(TIME));
        let probability = |json: &str| serde_json::from_str::<Probability>(json).map(|Probability(value)| value);
        assert_eq!((probability("0.5").ok(), probability(r#""10%""#).ok()), (Some(0.5), Some(0.1)));
    }
}
