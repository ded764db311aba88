//! The data of a world that does not depend on the algorithm: time, network, calendar, observer, and the state of
//! each process except its node.

use std::collections::VecDeque;

use interlock_algorithm::{Entry, NodeId, Ticks};
use interlock_machine::channel::ChannelSetting;
use interlock_machine::detector::DetectorSetting;

use super::calendar::Calendar;
use super::content::Content;
use super::observer::Observer;
use super::process::Process;
use super::{Counts, steps_without_progress};
use interlock_model::network::{InFlight, Network};
use interlock_model::specification::Specification;
use interlock_observation::state::Hearts;

/// The kernel of a world: everything in the world except the nodes.
pub struct Kernel<'a> {
    pub(super) specification: &'a Specification,
    /// Catalogue entry of the algorithm.
    pub(super) entry: &'static Entry,
    pub(super) now: Ticks,
    pub(super) processes: Vec<Process>,
    pub(super) network: Network<Content>,
    pub(super) calendar: Calendar,
    pub(super) observer: Option<&'a mut dyn Observer>,
    /// Number of further rounds that the clients may begin without an order. `None` means that only the workload
    /// limits the number of rounds.
    pub(super) rounds_left: Option<u64>,
    pub(super) counts: Counts,
    /// Number of processes that want or hold a critical section.
    pub(super) engaged: usize,
    /// Messages that must be read before any other event happens. The algorithm assumes composite atomicity: a step
    /// includes the receipt of its messages.
    pub(super) at_once: VecDeque<InFlight<Content>>,
    pub(super) instantaneous: bool,
    pub(super) channel: ChannelSetting,
    pub(super) detector: DetectorSetting,
    /// State of the heartbeats; `None` if the run has no heartbeats.
    pub(super) hearts: Option<Hearts>,
    /// Whether the world is in parts. In such a world, an action that is one choice in other worlds consists of
    /// several choices.
    pub(super) in_parts: bool,
    pub(super) most_steps: u64,
    pub(super) most_steps_without_progress: u64,
}

impl<'a> Kernel<'a> {
    /// Creates the kernel of a run, before the first step.
    pub(super) fn new(
        specification: &'a Specification,
        (entry, instantaneous): (&'static Entry, bool),
        rounds: Option<u64>,
        observer: Option<&'a mut dyn Observer>,
    ) -> Self {
        let Specification { nodes, seed, network, links, .. } = specification;
        Self {
            specification,
            entry,
            now: 0,
            processes: NodeId::all(*nodes).map(|_| Process::new()).collect(),
            network: Network::new(*nodes, *seed, network.clone(), links),
            calendar: Calendar::default(),
            observer,
            rounds_left: rounds,
            counts: Counts::default(),
            engaged: 0,
            at_once: VecDeque::new(),
            instantaneous,
            channel: specification.channel_setting(),
            detector: specification.detector_setting(),
            hearts: Hearts::new(specification),
            in_parts: false,
            most_steps: u64::MAX,
            most_steps_without_progress: steps_without_progress(*nodes),
        }
    }
}
