//! Sizes of memory and files.

use std::fmt;
use std::str::FromStr;

use serde::Deserialize;

/// The units, in ascending order. Each has the number of bits by which a number in this unit is shifted to get
/// bytes.
const UNITS: [(&str, u32); 3] = [("KiB", 10), ("MiB", 20), ("GiB", 30)];

/// A size of memory or of a file, in the form `512MiB` or `4GiB`. At least one kibibyte.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(try_from = "String")]
pub struct Size {
    /// Number of bytes.
    pub bytes: u64,
}

/// The error for a text that is not a size.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a size; write 512MiB or 4GiB")]
pub struct SizeError(String);

impl Size {
    /// Returns a size of `number` mebibytes. Returns none if `number` is zero, or if the number of bytes is too
    /// large for the type.
    #[must_use]
    pub const fn mebibytes(number: u64) -> Option<Self> {
        match number.checked_mul(1 << 20) {
            Some(bytes) if bytes > 0 => Some(Self { bytes }),
            _ => None,
        }
    }
}

impl FromStr for Size {
    type Err = SizeError;

    fn from_str(text: &str) -> Result<Self, SizeError> {
        let refuse = || SizeError(text.to_owned());
        let found = UNITS.iter().find_map(|(unit, bits)| Some((text.strip_suffix(unit)?, bits)));
        let (number, bits) = found.ok_or_else(refuse)?;
        let number: u64 = number.trim().parse().map_err(|_| refuse())?;
        let bytes = number.checked_mul(1 << bits).filter(|bytes| *bytes > 0).ok_or_else(refuse)?;
        Ok(Self { bytes })
    }
}

impl TryFrom<String> for Size {
    type Error = SizeError;

    fn try_from(text: String) -> Result<Self, SizeError> {
        text.parse()
    }
}

impl fmt::Display for Size {
    /// Writes the size in the largest unit in which it is a whole number: the same form as in input.
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        let whole = UNITS.iter().rev().find(|(_, bits)| self.bytes.trailing_zeros() >= *bits);
        match whole {
            Some((unit, bits)) => write!(to, "{}{unit}", self.bytes >> bits),
            None => write!(to, "{} bytes", self.bytes),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_have_a_unit() {
        assert_eq!("512MiB".parse(), Ok(Size { bytes: 512 << 20 }));
        assert_eq!("4 GiB".parse(), Ok(Size { bytes: 4 << 30 }));
        for text in ["4", "GiB", "0MiB", "-1MiB", "99999999999GiB", "4GB", ""] {
            assert_eq!(text.parse::<Size>(), Err(SizeError(text.to_owned())));
        }
    }

    #[test]
    fn a_size_is_written_as_it_is_read() {
        for text in ["1KiB", "1023KiB", "512MiB", "1025MiB", "4GiB"] {
            assert_eq!(text.parse::<Size>().map(|size| size.to_string()).as_deref(), Ok(text));
        }
        assert_eq!(Size { bytes: 1025 }.to_string(), "1025 bytes");
    }

    #[test]
    fn mebibytes_may_be_too_many_or_none() {
        assert_eq!(Size::mebibytes(2_048).map(|size| size.bytes), Some(2 << 30));
        assert_eq!((Size::mebibytes(0), Size::mebibytes(u64::MAX)), (None, None));
    }
}
