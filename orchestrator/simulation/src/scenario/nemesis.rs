//! A random nemesis: faults drawn from the seed of the run, one after the other.

use interlock_algorithm::NodeId;
use interlock_machine::distribution::Distribution;
use interlock_machine::draw::{draw, evenly};
use serde::Deserialize;
use serde_json::{Value, json};
use utoipa::ToSchema;

use interlock_model::field_error::FieldError;
use interlock_model::listed;
use interlock_model::process_status::ProcessStatus;
use interlock_model::specification::NemesisCrashes;
use interlock_model::strict;
use interlock_observation::state::State;

/// The key of the random draws for the nemesis. Because of this key, the draws do not depend on the draws for
/// messages and clients.
const NEMESIS: u64 = 0x6e65_6d65_7369_7300;
/// Maximum number of faults of one nemesis.
const MOST_FAULTS: u32 = 10_000;

/// A random nemesis, in the form in which a document contains it.
#[derive(Clone, Debug, PartialEq, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Nemesis {
    /// The kinds of faults, as a list or a text such as `crash,pause`.
    #[serde(deserialize_with = "listed::list")]
    #[schema(value_type = Faults)]
    pub kinds: Vec<Fault>,
    /// The time from one fault to the next, in ms.
    pub every: Distribution,
    /// Maximum number of faults that the nemesis draws.
    #[schema(minimum = 1, maximum = 10_000)]
    pub budget: u32,
    /// The duration of a fault, in ms. Default: `uniform:50..500`.
    #[serde(default, rename = "for")]
    pub lasts: Option<Distribution>,
}

/// A kind of fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Fault {
    /// A process crashes, and restarts with its stored state.
    Crash,
    /// A process is paused.
    Pause,
    /// The network is partitioned into two groups, and messages between the groups are lost.
    Partition,
    /// The network is partitioned into two groups, and messages between the groups wait until the partition is
    /// healed.
    PartitionHold,
    /// The next message from one node to another is lost.
    Lose,
    /// The next message from one node to another is duplicated.
    Duplicate,
}

impl Fault {
    /// The names of the kinds of faults in documents.
    const NAMES: [&str; 6] = ["crash", "pause", "partition", "partition-hold", "lose", "duplicate"];
}

impl listed::Item for Fault {
    const NAME: &'static str = "faults";
    const EXAMPLE: &'static str = "crash,pause";

    fn of_word(word: &str) -> Result<Self, listed::ItemError> {
        listed::known(word)
    }
}

/// The kinds of faults in a document: a list, or a text such as `crash,pause`.
#[derive(Clone, Debug, ToSchema)]
#[serde(untagged)]
#[expect(dead_code, reason = "only the schema tells of it")]
enum Faults {
    /// A list of kinds.
    List(Vec<Fault>),
    /// A text that lists kinds.
    Text(String),
}

/// A fault that the nemesis has drawn.
#[derive(Clone, Debug, PartialEq)]
pub struct Drawn {
    /// The action in the form of a document.
    pub choice: Value,
    /// The duration of the fault, in microseconds; absent for a fault without duration.
    pub lasts_us: Option<u64>,
}

impl Nemesis {
    /// Reads the nemesis at the location `place` of the document.
    pub(crate) fn read(value: &Value, place: &str) -> Result<Self, FieldError> {
        let read: Self = strict::read(value).map_err(|error| error.below(place))?;
        if read.kinds.is_empty() {
            let allowed = Fault::NAMES.map(ToOwned::to_owned).to_vec();
            return Err(FieldError {
                allowed,
                ..FieldError::new(format!("{place}/kinds"), "expected at least one kind of fault")
            });
        }
        if !(1..=MOST_FAULTS).contains(&read.budget) {
            let detail = format!("{} is outside 1 … {MOST_FAULTS}", read.budget);
            return Err(FieldError::new(format!("{place}/budget"), detail));
        }
        Ok(read)
    }

    /// Returns the time between the fault with this number and the fault before it, in microseconds.
    pub(super) fn gap_us(&self, seed: u64, number: u32) -> u64 {
        self.every.sample(draw(&[seed, NEMESIS, u64::from(number), 0]))
    }

    /// Returns the number of crashes that the nemesis draws with this seed, and the maximum duration of these
    /// crashes. Returns none if the nemesis draws no crashes.
    pub(super) fn crashes(&self, seed: u64) -> Option<NemesisCrashes> {
        let numbers = (0..self.budget).filter(|number| self.kind(seed, *number) == Some(Fault::Crash));
        let longest_us = numbers.clone().map(|number| self.lasts_us(seed, number)).max()?;
        Some(NemesisCrashes { count: u32::try_from(numbers.count()).unwrap_or(u32::MAX), longest_us })
    }

    /// Returns the kind of the fault with this number.
    fn kind(&self, seed: u64, number: u32) -> Option<Fault> {
        let last = u64::try_from(self.kinds.len().checked_sub(1)?).ok()?;
        let place = evenly(draw(&[seed, NEMESIS, u64::from(number), 1]), 0, last);
        self.kinds.get(usize::try_from(place).ok()?).copied()
    }

    /// Returns the duration of the fault with this number, in microseconds.
    fn lasts_us(&self, seed: u64, number: u32) -> u64 {
        let lasting = Distribution::Uniform(50.0, 500.0);
        self.lasts.as_ref().unwrap_or(&lasting).sample(draw(&[seed, NEMESIS, u64::from(number), 2]))
    }

    /// Draws the fault with this number. Returns none if the fault is impossible in this state of the run.
    pub(super) fn draw(&self, seed: u64, number: u32, state: &State) -> Option<Drawn> {
        let bits = |what: u64| draw(&[seed, NEMESIS, u64::from(number), what]);
        let pick = |what: u64, count: usize| {
            let last = u64::try_from(count.checked_sub(1)?).ok()?;
            usize::try_from(evenly(bits(what), 0, last)).ok()
        };
        let kind = self.kind(seed, number)?;
        let lasts_us = Some(self.lasts_us(seed, number));
        let running: Vec<NodeId> = (0..)
            .map(NodeId)
            .zip(state.nodes())
            .filter(|(_, node)| node.process == ProcessStatus::Running)
            .map(|(id, _)| id)
            .collect();
        let victim = || running.get(pick(3, running.len())?).copied();
        let of_next_message = |action: &str| {
            let from = pick(4, state.nodes().len())?;
            let to = (from + 1 + pick(5, state.nodes().len().checked_sub(1)?)?) % state.nodes().len();
            Some(json!({ "rule": { "match": { "from": from, "to": to }, "action": action, "count": 1 } }))
        };
        let choice = match kind {
            Fault::Crash => json!({ "crash": { "node": victim()? } }),
            Fault::Pause => json!({ "pause": { "node": victim()? } }),
            Fault::Partition => json!({ "partition": { "groups": self.halves(state.nodes().len(), &bits)? } }),
            Fault::PartitionHold => {
                json!({ "partition": { "groups": self.halves(state.nodes().len(), &bits)?, "lost": "hold" } })
            }
            Fault::Lose => of_next_message("drop")?,
            Fault::Duplicate => of_next_message("duplicate")?,
        };
        Some(Drawn { choice, lasts_us })
    }

    /// Returns all nodes in two random groups, neither of which is empty.
    #[expect(clippy::unused_self, reason = "a draw of this nemesis")]
    fn halves(&self, nodes: usize, bits: &dyn Fn(u64) -> u64) -> Option<[Vec<usize>; 2]> {
        let size = usize::try_from(evenly(bits(6), 1, u64::try_from(nodes.checked_sub(1)?).ok()?)).ok()?;
        let mut order: Vec<usize> = (0..nodes).collect();
        order.sort_by_key(|node| bits(1_000 + *node as u64));
        let other = order.split_off(size.min(nodes.checked_sub(1).filter(|most| *most > 0)?));
        Some([order, other])
    }
}
