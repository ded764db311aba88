//! Lengths of time, which users write in ms and the code counts in ticks.

use core::fmt;

use crate::identity::Ticks;

/// Maximum length of time of a parameter, in ticks: one hour.
pub const LONGEST: Ticks = 3_600_000_000;
/// The unit in which time parameters are read and written.
pub const UNIT: &str = "ms";

/// The units of time, each with its number of ms. If one name is a suffix of another, the longer name comes first.
const UNITS: [(&str, f64); 5] = [("us", 0.001), ("µs", 0.001), ("ms", 1.0), ("s", 1_000.0), ("m", 60_000.0)];
const TICKS_PER_MS: f64 = 1_000.0;

/// Converts a text to a number of ms: `500`, `0.5`, `500ms`, `2s`, `1m`, `250us`. The result may be negative,
/// infinite or not a number.
#[must_use]
pub fn ms(text: &str) -> Option<f64> {
    let with_unit = UNITS.iter().find_map(|(unit, ms)| Some((text.strip_suffix(unit)?, ms)));
    let (amount, ms) = with_unit.unwrap_or((text, &1.0));
    amount.trim_end().parse::<f64>().ok().map(|amount| amount * ms)
}

/// Converts ms to ticks, rounded to the nearest tick. Returns none if the number is negative or too large.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "the range has been checked")]
pub(crate) fn ticks(ms: f64) -> Option<Ticks> {
    const MOST: f64 = 9_007_199_254_740_992.0;
    let ticks = ms * TICKS_PER_MS + 0.5;
    (0.0..=MOST).contains(&ticks).then_some(ticks as Ticks)
}

/// Returns a length of time in ms, for display.
#[expect(clippy::cast_precision_loss, reason = "times beyond 2^53 ticks are not written")]
pub(crate) const fn in_ms(ticks: Ticks) -> impl fmt::Display {
    ticks as f64 / TICKS_PER_MS
}

#[cfg(test)]
mod tests {
    use alloc::format;
    use alloc::string::{String, ToString};

    use super::*;
    use crate::configuration::{Configuration, ParameterValue, Parameters};

    fn read(given: &ParameterValue) -> Result<Option<Ticks>, (String, alloc::vec::Vec<String>)> {
        let parameters = Parameters::from([("answer".to_string(), given.clone())]);
        let configuration =
            Configuration { algorithm: "any", variant: None, parameters: &parameters, nodes: 3, locks: 1 };
        configuration.time_parameter("answer", 1..=LONGEST).map_err(|refusal| (refusal.detail, refusal.allowed))
    }

    fn text(text: &str) -> ParameterValue {
        ParameterValue::Text(text.into())
    }

    #[test]
    fn times_are_in_ms_unless_they_say_otherwise() {
        let table = [
            ("50", 50_000),
            ("0.5", 500),
            ("500ms", 500_000),
            ("2s", 2_000_000),
            ("1.5 s", 1_500_000),
            ("1m", 60_000_000),
            ("250us", 250),
            ("250µs", 250),
            ("0.001", 1),
            ("60m", LONGEST),
        ];
        for (given, ticks) in table {
            assert_eq!(read(&text(given)), Ok(Some(ticks)), "{given}");
        }
        assert_eq!(read(&ParameterValue::Number(50)), Ok(Some(50_000)));
        let half: ParameterValue = serde_json::from_str("0.5").expect("a number");
        assert_eq!(read(&half), Ok(Some(500)));
    }

    #[test]
    fn what_is_written_is_read_again() {
        for ticks in [1, 500, 999, 1_000, 1_001, 50_000, 123_456_789, LONGEST] {
            let written = ParameterValue::time(ticks);
            assert_eq!(read(&written), Ok(Some(ticks)), "{written}");
            let json = serde_json::to_string(&written).expect("JSON");
            assert_eq!(serde_json::from_str::<ParameterValue>(&json).ok(), Some(written), "{json}");
        }
        assert_eq!(serde_json::to_string(&ParameterValue::time(500)).expect("JSON"), "0.5");
        assert_eq!(serde_json::to_string(&ParameterValue::time(50_000)).expect("JSON"), "50");
    }

    #[test]
    fn what_is_none_is_refused_with_what_would_be_right() {
        for given in ["", "soon", "5h", "NaN", "inf", "2ss"] {
            let (detail, allowed) = read(&text(given)).expect_err("no time");
            assert!(detail.starts_with(&format!("`{given}` is not a length of time")), "{detail}");
            assert_eq!(allowed, ["0.001 … 3600000"]);
        }
        for (given, nearest) in [("0", "0.001"), ("0.0001", "0.001"), ("-5", "0.001"), ("61m", "3600000")] {
            let (detail, allowed) = read(&text(given)).expect_err("too short or too long");
            assert!(detail.ends_with(&format!("outside 0.001 … 3600000; the nearest is {nearest}")), "{detail}");
            assert_eq!(allowed, ["0.001 … 3600000"]);
        }
    }
}
