//! Failure detectors: what a process believes of whether the others are alive (Chandra and Toueg 1996, "Unreliable Failure
//! Detectors for Reliable Distributed Systems", JACM 43(2)).
//!
//! Without one, nobody suspects anybody. A *perfect* one is told by who knows, the supervisor of the processes. One of
//! *heartbeats* says at regular times that its process is alive, and suspects whom it has not heard for long. It reads no
//! clock: it counts how often its own process has said so since. So a process that was stopped for a while does not
//! suspect all others as soon as it goes on.

#[cfg(test)]
mod tests;

use interlock_algorithm::{NodeId, Ticks};
use serde::{Deserialize, Serialize};

/// The kind of the message by which a process says that it is alive.
pub const HEARTBEAT: &str = "DETECTOR-HEARTBEAT";

/// The failure detectors of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum DetectorSetting {
    /// There is none.
    #[default]
    None,
    /// Whoever knows tells who has crashed, and who is back.
    Perfect,
    /// Who is silent for long is suspected.
    Heartbeat(Beating),
}

/// How heartbeats are sent and missed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Beating {
    /// After how long a process says again that it is alive, in microseconds.
    pub interval_us: Ticks,
    /// How many intervals of silence make a process suspected, 1 or more.
    pub patience: u32,
    /// Whether a process is given an interval more each time that it was suspected wrongly (Chandra and Toueg 1996, figure
    /// 10): where delays have a bound, known or not, in the end nobody alive is suspected.
    pub adaptive: bool,
}

impl DetectorSetting {
    /// How heartbeats are sent, if they are.
    #[must_use]
    pub const fn beating(&self) -> Option<Beating> {
        if let Self::Heartbeat(beating) = self { Some(*beating) } else { None }
    }

    /// Whether there is none.
    #[must_use]
    pub const fn is_none(&self) -> bool {
        matches!(self, Self::None)
    }
}

/// A process says that it is alive.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Heartbeat {
    /// Which life it is in, from 1.
    pub life: u32,
}

/// What a detector has come to believe of a process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Belief {
    /// It is dead.
    Suspected(NodeId),
    /// It is alive.
    Trusted(NodeId),
}

/// What a process believes of another.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
struct Other {
    suspected: bool,
    /// How often this process has said that it is alive since it has heard that of the other.
    silent: u32,
    /// How many intervals more it waits, having been wrong.
    leniency: u32,
    /// The latest life in which the other was heard, from 1; 0 if it was not heard yet.
    life: u32,
}

/// The failure detector of one life of a process.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Detector(Vec<Other>);

impl Detector {
    /// One that suspects nobody of so many processes.
    #[must_use]
    pub fn new(nodes: u32) -> Self {
        Self(vec![Other::default(); nodes as usize])
    }

    /// Whether it suspects a process.
    #[must_use]
    pub fn suspects(&self, node: NodeId) -> bool {
        self.0.get(node.index()).is_some_and(|other| other.suspected)
    }

    /// Believes what it is told of a process; false if it believed so already.
    pub fn believe(&mut self, belief: Belief) -> bool {
        let (node, suspected) = match belief {
            Belief::Suspected(node) => (node, true),
            Belief::Trusted(node) => (node, false),
        };
        let Some(other) = self.0.get_mut(node.index()) else { return false };
        let is_news = other.suspected != suspected;
        (other.suspected, other.silent) = (suspected, 0);
        is_news
    }

    /// An interval has gone by; says whom it suspects from now on.
    pub fn beat(&mut self, beating: Beating, me: NodeId) -> Vec<Belief> {
        let mut news = Vec::new();
        for (node, other) in (0..).map(NodeId).zip(&mut self.0).filter(|(node, _)| *node != me) {
            other.silent = other.silent.saturating_add(1);
            let patience = beating.patience.max(1).saturating_add(other.leniency);
            if other.silent > patience && !other.suspected {
                other.suspected = true;
                news.push(Belief::Suspected(node));
            }
        }
        news
    }

    /// A process says that it is alive; says what that changes. Who is heard in a later life has died in between, though
    /// nobody missed it.
    pub fn hear(&mut self, beating: Beating, from: NodeId, heartbeat: Heartbeat) -> Vec<Belief> {
        let Some(other) = self.0.get_mut(from.index()) else { return Vec::new() };
        if heartbeat.life < other.life {
            return Vec::new();
        }
        let is_another_life = other.life != 0 && other.life != heartbeat.life;
        let was_suspected = other.suspected;
        if was_suspected && !is_another_life && beating.adaptive {
            other.leniency = other.leniency.saturating_add(1);
        }
        (other.life, other.silent, other.suspected) = (heartbeat.life, 0, false);
        match (was_suspected, is_another_life) {
            (true, _) => vec![Belief::Trusted(from)],
            (false, true) => vec![Belief::Suspected(from), Belief::Trusted(from)],
            (false, false) => Vec::new(),
        }
    }
}
