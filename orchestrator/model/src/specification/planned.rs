//! What the steps and the nemesis of a scenario do that can set a waiting run going again.
//!
//! A monitor reads the events and the specification and nothing else. It crosses off the acts that the events carry out
//! and those whose time is past, and so knows which are still to come: live, simulated, replayed and from a journal alike.

use interlock_algorithm::NodeId;
use serde::{Deserialize, Deserializer, Serialize, de};

use super::script::Scripted;
use crate::choice::Choice;

/// The most acts: one for each step.
const MOST_ACTS: usize = 10_000;

/// The acts of a scenario, and the crashes of its nemesis.
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

/// A step that crashes or restarts a process, notifies it of a suspicion, or gives it an order that ends a wait.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Act {
    /// What it does.
    pub kind: ActKind,
    /// The process that it concerns; absent if the step names a role.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub node: Option<NodeId>,
    /// Its earliest time, in microseconds since the run began.
    pub from_us: u64,
    /// Its latest time, in microseconds since the run began; absent if it follows something that may take any time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub until_us: Option<u64>,
    /// The time after which it is undone, in microseconds.
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
    /// A process is notified that it suspects another.
    Suspect,
    /// A process is notified that it trusts another.
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

/// The crashes that a nemesis draws.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NemesisCrashes {
    /// The number of crashes, at most.
    pub count: u32,
    /// The longest time from a crash to its restart, in microseconds.
    pub longest_us: u64,
}

/// The times between which a step is taken, in microseconds since the run began.
#[derive(Clone, Copy, Debug)]
pub struct Window {
    /// The earliest.
    pub from_us: u64,
    /// The latest; none if the step follows something that may take any time.
    pub until_us: Option<u64>,
}

impl Planned {
    /// Whether no such act is planned.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// Adds the act of a choice, if it has one. `is_named` says whether the choice names its process by number, `lasts_us`
    /// after how long it is undone.
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
    /// The act of a scripted choice, if it has one.
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
        return Err(de::Error::custom(format!("{} planned acts are too many: {MOST_ACTS} at most", acts.len())));
    }
    Ok(acts)
}
