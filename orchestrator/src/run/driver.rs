//! The director's side of a run: the source of the actions that no client orders.

use interlock_algorithm::NodeId;

use super::difference::NotDone;
use super::directed_scenario::Directing;
use super::following::Following;
use interlock_model::event::{Event, TimerLabel};

/// The source of the actions of a run, besides its clients.
#[expect(clippy::large_enum_variant, reason = "a run has one driver, which sees every event")]
pub(super) enum Driver {
    /// The script of the specification. The value is the number of actions that have not been executed yet.
    Script(usize),
    /// A schedule. A run can leave its schedule and continue without it.
    Schedule(Following),
    /// A scenario. Its specification has no script.
    Scenario(Directing),
}

impl Driver {
    /// Passes the next event to the schedule or the scenario. Returns a timer if its expiry must be withdrawn.
    pub fn observe(&mut self, event: &Event) -> Option<(NodeId, TimerLabel)> {
        match self {
            Self::Script(_) => {}
            Self::Schedule(following) => return following.observe(event),
            Self::Scenario(directing) => directing.director().observe(event),
        }
        None
    }

    /// Wakes the task that executes the scenario, after new events.
    pub fn wake(&self) {
        if let Self::Scenario(directing) = self {
            directing.wake();
        }
    }

    /// Returns the number of actions that will be executed even if no further event occurs.
    pub fn left(&self) -> usize {
        match self {
            Self::Script(left) => *left,
            Self::Schedule(following) if following.holds() => following.left(),
            Self::Schedule(_) => 0,
            Self::Scenario(directing) => directing.left(),
        }
    }

    /// Whether the run follows a schedule at present, so that only the actions of the schedule are executed.
    pub const fn follows(&self) -> bool {
        matches!(self, Self::Schedule(following) if following.holds())
    }

    /// Whether the run follows a schedule in parts, which has separate actions for the start of each process and
    /// for each input.
    pub const fn follows_parts(&self) -> bool {
        matches!(self, Self::Schedule(following) if following.holds() && following.is_in_parts())
    }

    /// Returns the progress in the schedule that the run follows or has left.
    ///
    /// # Errors
    /// If the run has no schedule.
    pub const fn following(&mut self) -> Result<&mut Following, NotDone> {
        if let Self::Schedule(following) = self { Ok(following) } else { Err(NotDone::NoReplay) }
    }

    /// Returns the scenario of the run, if it has one.
    pub const fn scenario(&mut self) -> Option<&mut Directing> {
        if let Self::Scenario(directing) = self { Some(directing) } else { None }
    }
}
