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

/// The key under which the draws of the nemesis stand, beside those of messages and clients.
const NEMESIS: u64 = 0x6e65_6d65_7369_7300;
/// The most faults of one nemesis.
const MOST_FAULTS: u32 = 10_000;

/// A random nemesis, as it is written.
#[derive(Clone, Debug, PartialEq, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Nemesis {
    /// What it does, as a list or a text such as `crash,pause`.
    #[serde(deserialize_with = "listed::list")]
    #[schema(value_type = Faults)]
    pub kinds: Vec<Fault>,
    /// The time from one fault to the next, in ms.
    pub every: Distribution,
    /// How many faults there are in all.
    #[schema(minimum = 1, maximum = 10_000)]
    pub budget: u32,
    /// How long a fault lasts, in ms; `uniform:50..500` if absent.
    #[serde(default, rename = "for")]
    pub lasts: Option<Distribution>,
}

/// A kind of fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Fault {
    /// A process dies, and comes back with what it had stored.
    Crash,
    /// A process stands still.
    Pause,
    /// The nodes are divided in two, and what is sent from one part to the other is lost.
    Partition,
    /// The nodes are divided in two, and what is sent from one part to the other waits until they are one again.
    PartitionHold,
    /// The next message from one node to another is lost.
    Lose,
    /// A copy is made of the next message from one node to another.
    Duplicate,
}

impl Fault {
    /// The names, as they are written.
    const NAMES: [&str; 6] = ["crash", "pause", "partition", "partition-hold", "lose", "duplicate"];
}

impl listed::Item for Fault {
    const NAME: &'static str = "faults";
    const EXAMPLE: &'static str = "crash,pause";

    fn of_word(word: &str) -> Result<Self, listed::ItemError> {
        listed::known(word)
    }
}

/// Kinds of faults: a list, or a text such as `crash,pause`.
#[derive(Clone, Debug, ToSchema)]
#[serde(untagged)]
#[expect(dead_code, reason = "only the schema tells of it")]
enum Faults {
    /// A list.
    List(Vec<Fault>),
    /// A text.
    Text(String),
}

/// A fault that was drawn.
#[derive(Clone, Debug, PartialEq)]
pub struct Drawn {
    /// The choice, as it is written.
    pub choice: Value,
    /// How long it lasts, in microseconds; none for what is over at once.
    pub lasts_us: Option<u64>,
}

impl Nemesis {
    /// Reads one that stands at a place.
    pub(crate) fn read(value: &Value, place: &str) -> Result<Self, FieldError> {
        let read: Self = strict::read(value).map_err(|error| error.below(place))?;
        if read.kinds.is_empty() {
            let allowed = Fault::NAMES.map(ToOwned::to_owned).to_vec();
            return Err(FieldError {
                allowed,
                ..FieldError::new(format!("{place}/kinds"), "nothing is named that it does")
            });
        }
        if !(1..=MOST_FAULTS).contains(&read.budget) {
            let detail = format!("{} is outside 1 … {MOST_FAULTS}", read.budget);
            return Err(FieldError::new(format!("{place}/budget"), detail));
        }
        Ok(read)
    }

    /// How long it takes from the fault before to this one, in microseconds.
    pub(super) fn gap_us(&self, seed: u64, number: u32) -> u64 {
        self.every.sample(draw(&[seed, NEMESIS, u64::from(number), 0]))
    }

    /// The crashes that it draws in a run with this seed; none if it draws none.
    pub(super) fn crashes(&self, seed: u64) -> Option<NemesisCrashes> {
        let numbers = (0..self.budget).filter(|number| self.kind(seed, *number) == Some(Fault::Crash));
        let longest_us = numbers.clone().map(|number| self.lasts_us(seed, number)).max()?;
        Some(NemesisCrashes { count: u32::try_from(numbers.count()).unwrap_or(u32::MAX), longest_us })
    }

    /// The kind of a fault.
    fn kind(&self, seed: u64, number: u32) -> Option<Fault> {
        let last = u64::try_from(self.kinds.len().checked_sub(1)?).ok()?;
        let place = evenly(draw(&[seed, NEMESIS, u64::from(number), 1]), 0, last);
        self.kinds.get(usize::try_from(place).ok()?).copied()
    }

    /// How long a fault lasts, in microseconds.
    fn lasts_us(&self, seed: u64, number: u32) -> u64 {
        let lasting = Distribution::Uniform(50.0, 500.0);
        self.lasts.as_ref().unwrap_or(&lasting).sample(draw(&[seed, NEMESIS, u64::from(number), 2]))
    }

    /// Fault number so-and-so; none where no process is in the condition for it.
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

    /// Two parts, none of them empty.
    #[expect(clippy::unused_self, reason = "a draw of this nemesis")]
    fn halves(&self, nodes: usize, bits: &dyn Fn(u64) -> u64) -> Option<[Vec<usize>; 2]> {
        let size = usize::try_from(evenly(bits(6), 1, u64::try_from(nodes.checked_sub(1)?).ok()?)).ok()?;
        let mut order: Vec<usize> = (0..nodes).collect();
        order.sort_by_key(|node| bits(1_000 + *node as u64));
        let other = order.split_off(size.min(nodes.checked_sub(1).filter(|most| *most > 0)?));
        Some([order, other])
    }
}
