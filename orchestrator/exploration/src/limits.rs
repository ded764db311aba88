//! The limits of an exploration.

use interlock_model::size::Size;

use super::search::Progress;

/// The limits of an exploration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Approximate memory limit of the states.
    pub memory: Size,
    /// Maximum number of states; unlimited if absent.
    pub states: Option<u64>,
}

impl Limits {
    /// If an exploration with this progress exceeds a limit, returns the reason for which the exploration must end.
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
    fn what_is_at_a_limit_is_not_beyond_it() {
        let limits = Limits { memory: Size { bytes: 1 << 20 }, states: Some(10) };
        let come = |states, memory| Progress { states, memory, ..Progress::default() };
        assert_eq!(limits.exceeded(&come(10, 1 << 20)), None);
        assert_eq!(limits.exceeded(&come(11, 0)).as_deref(), Some("there are more than 10 states"));
        assert_eq!(limits.exceeded(&come(0, (1 << 20) + 1)).as_deref(), Some("the states take more than 1 MiB"));
        assert_eq!(Limits { states: None, ..limits }.exceeded(&come(u64::MAX, 0)), None);
    }
}
