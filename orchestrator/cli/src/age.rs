//! Ages on the command line: parsing and printing.

use std::str::FromStr;

use jiff::SignedDuration;

/// Error for a text that is not an age.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not an age; write a number with its unit, such as `30m`, `12h` or `7d`")]
pub struct AgeError(String);

/// Age: a whole number of seconds, minutes, hours or days.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Age(pub SignedDuration);

impl FromStr for Age {
    type Err = AgeError;

    fn from_str(text: &str) -> Result<Self, AgeError> {
        let seconds = || {
            let unit = text.chars().next_back()?;
            let each = match unit {
                's' => 1,
                'm' => 60,
                'h' => 3_600,
                'd' => 86_400,
                _ => return None,
            };
            let number: u32 = text.strip_suffix(unit)?.parse().ok()?;
            Some(i64::from(number) * each)
        };
        seconds().map(|seconds| Self(SignedDuration::from_secs(seconds))).ok_or_else(|| AgeError(text.to_owned()))
    }
}

/// Formats an age, such as `3 h ago`, in the largest unit that is not longer than the age. The number is rounded
/// down.
pub fn ago(seconds: i64) -> String {
    let seconds = seconds.max(0);
    let (length, unit) = match seconds {
        0..60 => (seconds, "s"),
        60..3_600 => (seconds / 60, "min"),
        3_600..86_400 => (seconds / 3_600, "h"),
        _ => (seconds / 86_400, "d"),
    };
    format!("{length} {unit} ago")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn how_long_ago_is_told_in_one_unit() {
        for (seconds, told) in
            [(-3, "0 s ago"), (59, "59 s ago"), (60, "1 min ago"), (7_199, "1 h ago"), (200_000, "2 d ago")]
        {
            assert_eq!(ago(seconds), told);
        }
    }

    #[test]
    fn an_age_has_a_unit() {
        for (text, seconds) in [("0s", 0), ("30m", 1_800), ("12h", 43_200), ("7d", 604_800)] {
            assert_eq!(text.parse::<Age>().map(|Age(age)| age.as_secs()), Ok(seconds));
        }
        for text in ["", "7", "d", "-1d", "1.5h", "7 d", "7w", "99999999999d", "7\u{b5}"] {
            let told = text.parse::<Age>().expect_err("no age").to_string();
            assert!(told.starts_with(&format!("`{text}` is not an age")), "{told}");
        }
    }
}
