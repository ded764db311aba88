//! Planned actions of a scenario that can end the wait of a process: actions of the scenario's steps, and crashes
//! that its nemesis causes.
//!
//! A monitor reads only the events and the specification. It removes each act that an event carries out, and each
//! act whose latest time is past. So the monitor knows which acts are still to come, in live, simulated, replayed
//! and recorded runs.

use interlock_algorithm::NodeId;
use serde::{Deserialize, Deserializer, Serialize, de};

use super::script::Scripted;
use crate::choice::Choice;

/// Maximum number of acts: one act for each step.
const MOST_ACTS: usize = 10_000;

/// The acts that a scenario plans, and the crashes that its nemesis may cause.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Planned {
    /// The acts, in the order of the steps.
    #[serde(skip_serializing_if = "Vec::is_empty", deserialize_with = "acts")]
    pub acts: Vec<Act>,
    /// The crashes that a nemesis may cause, each with a restart.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub nemesis: Option<NemesisCrashes>,
}

/// An act: a step that can end the wait of a process. It crashes or restarts a process, changes the suspicions of a
/// failure detector, or commands an election or a proposal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Act {
    /// Kind of the act.
    pub kind: ActKind,
    /// The process on which the step acts; absent if the step names a role instead of a process.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub node: Option<NodeId>,
    /// Earliest time of the act, in microseconds since the start of the run.
    pub from_us: u64,
    /// Latest time of the act, in microseconds since the start of the run. Absent if the act follows an event that
    /// may happen at any time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub until_us: Option<u64>,
    /// Time from the act until it is undone, in microseconds. Absent if it is not undone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lasts_us: Option<u64>,
}

/// A kind of act.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum ActKind {
    /// A process crashes.
    Crash,
    /// A crashed process is restarted.
    Restart,
    /// The failure detector of a process is made to suspect another process.
    Suspect,
    /// The failure detector of a process is made to trust another process.
    Trust,
    /// A process calls an election.
    Elect,
    /// A process proposes a value.
    Propose,
}

impl ActKind {
    const fn of(choice: &Choice) -> Option<(Self, NodeId)> {
        Some(match choice {
            Choice::Crash { node } => (Self::Crash, *node),
            Choice::Restart { node, .. } => (Self::Restart, *node),
            Choice::Suspect { node, .. } => (Self::Suspect, *node),
            Choice::Trust { node, .. } => (Self::Trust, *node),
            Choice::Elect { node } => (Self::Elect, *node),
            Choice::Propose { node, .. } => (Self::Propose, *node),
            _ => return None,
        })
    }
}

/// The crashes that a nemesis causes at random.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NemesisCrashes {
    /// Maximum number of crashes.
    pub count: u32,
    /// Longest time from a crash to the restart of the process, in microseconds.
    pub longest_us: u64,
}

/// Interval in which a step is executed, in microseconds since the start of the run.
#[derive(Clone, Copy, Debug)]
pub struct Window {
    /// Earliest time.
    pub from_us: u64,
    /// Latest time; none if the step follows an event that may happen at any time.
    pub until_us: Option<u64>,
}

impl Planned {
    /// Returns whether the scenario plans no act and no crash.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// Adds the act that an action carries out; some actions carry out no act. `is_named` says whether the action
    /// names its process by number. `lasts_us` is the time after which the act is undone.
    pub fn add(
        &mut self,
        choice: &Choice,
        is_named: bool,
        Window { from_us, until_us }: Window,
        lasts_us: Option<u64>,
    ) {
        let act = ActKind::of(choice).map(|(kind, node)| {
            let node = is_named.then_some(node);
            Act { kind, node, from_us, until_us, lasts_us }
        });
        self.acts.extend(act);
    }
}

impl Act {
    /// Returns the act that a scripted action carries out; none if the action carries out no act.
    #[must_use]
    pub fn of_script(Scripted { at, choice }: &Scripted) -> Option<Self> {
        let (kind, node) = ActKind::of(choice)?;
        Some(Self { kind, node: Some(node), from_us: at.0, until_us: Some(at.0), lasts_us: None })
    }
}

/// Reads at most [`MOST_ACTS`] acts.
fn acts<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<Act>, D::Error> {
    let acts = Vec::<Act>::deserialize(deserializer)?;
    if acts.len() > MOST_ACTS {
        return Err(de::Error::custom(format!("{} planned acts are too many; the maximum is {MOST_ACTS}", acts.len())));
    }
    Ok(acts)
}
