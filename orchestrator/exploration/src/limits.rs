//! The limits of an exploration.

use std::str::FromStr;

use serde::Deserialize;

use super::search::Progress;

/// A memory size in the form `512MiB` or `4GiB`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(try_from = "String")]
pub struct Memory {
    /// Number of bytes.
    pub bytes: u64,
}

/// The error for a text that is not a memory size.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a memory size; write 512MiB or 4GiB")]
pub struct MemoryError(String);

impl FromStr for Memory {
    type Err = MemoryError;

    fn from_str(text: &str) -> Result<Self, MemoryError> {
        let refuse = || MemoryError(text.to_owned());
        let units = [("KiB", 10), ("MiB", 20), ("GiB", 30)];
        let found = units.iter().find_map(|(unit, bits)| Some((text.strip_suffix(unit)?, bits)));
        let (number, bits) = found.ok_or_else(refuse)?;
        let number: u64 = number.trim().parse().map_err(|_| refuse())?;
        let bytes = number.checked_mul(1 << bits).filter(|bytes| *bytes > 0).ok_or_else(refuse)?;
        Ok(Self { bytes })
    }
}

impl TryFrom<String> for Memory {
    type Error = MemoryError;

    fn try_from(text: String) -> Result<Self, MemoryError> {
        text.parse()
    }
}

/// The limits of an exploration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Approximate memory limit of the states.
    pub memory: Memory,
    /// Maximum number of states; unlimited if absent.
    pub states: Option<u64>,
}

impl Limits {
    /// Returns why an exploration with this progress is cut off, if it is.
    #[must_use]
    pub fn exceeded(&self, progress: &Progress) -> Option<String> {
        if progress.memory > self.memory.bytes {
            return Some(format!("the states take more than {} MiB", self.memory.bytes >> 20));
        }
        let most = self.states.filter(|most| progress.states > *most && !progress.judging)?;
        Some(format!("there are more than {most} states"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_of_memory_have_a_unit() {
        assert_eq!("512MiB".parse(), Ok(Memory { bytes: 512 << 20 }));
        assert_eq!("4 GiB".parse(), Ok(Memory { bytes: 4 << 30 }));
        for text in ["4", "GiB", "0MiB", "-1MiB", "99999999999GiB", "4GB"] {
            assert_eq!(text.parse::<Memory>(), Err(MemoryError(text.to_owned())));
        }
    }

    #[test]
    fn what_is_at_a_limit_is_not_beyond_it() {
        let limits = Limits { memory: Memory { bytes: 1 << 20 }, states: Some(10) };
        let come = |states, memory| Progress { states, memory, ..Progress::default() };
        assert_eq!(limits.exceeded(&come(10, 1 << 20)), None);
        assert_eq!(limits.exceeded(&come(11, 0)).as_deref(), Some("there are more than 10 states"));
        assert_eq!(limits.exceeded(&come(0, (1 << 20) + 1)).as_deref(), Some("the states take more than 1 MiB"));
        assert_eq!(Limits { states: None, ..limits }.exceeded(&come(u64::MAX, 0)), None);
    }
}
