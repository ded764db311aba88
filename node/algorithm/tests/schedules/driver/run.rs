//! A run in progress: its possible actions, their execution, and the observations.

use std::cell::{Ref, RefCell};
use std::collections::BTreeSet;
use std::rc::Rc;

use interlock_algorithm::plausibility::implausible;
use interlock_algorithm::{Algorithm, Message, NodeId, Outcome, Participant, Ticks};
use interlock_machine::message_id::MessageId;
use interlock_machine::node::Node;
use interlock_machine::wire::TimerName;
use interlock_model::choice::{Choice, MessageName};
use interlock_model::event::{Json, TimerLabel};
use interlock_model::specification::Specification;
use interlock_world::WorldOf;

use super::Scene;
use super::contract::Contract;
use super::detector::Detector;
use super::faults::Faults;
use super::random::Possible;
use super::watch::{Happened, Seen, Watch};

/// The result of a check: success, or a text that names the violated property.
pub type Verdict = Result<(), String>;

/// A run of a scene.
pub struct Run<'a, A: Algorithm> {
    /// The scene of the run.
    pub scene: &'a Scene<A>,
    /// The faults that may still occur.
    pub faults: Faults,
    world: WorldOf<'a, Contract<A>>,
    seen: Rc<RefCell<Seen>>,
    down: BTreeSet<NodeId>,
    detector: Detector,
    ordered: Vec<Vec<Choice>>,
}

impl<A: Algorithm> Scene<A> {
    /// Begins a run of the scene with random numbers from `seed`, and passes the run to `then`.
    pub fn play<T>(&self, seed: u64, then: impl FnOnce(Run<'_, A>) -> T) -> T {
        let specification = Specification { seed, ..self.specification.clone() };
        then(Run::new(self, &specification, &mut Watch::new(&specification, false)))
    }
}

/// Returns the label that a timer of the algorithm has in events.
pub fn label<T: serde::Serialize>(timer: &T) -> TimerLabel {
    TimerName::Algorithm(Json::of(timer).expect("a timer as JSON"))
}

impl<'a, A: Algorithm> Run<'a, A> {
    /// Returns a run in which all nodes have begun and their first messages are in transit.
    pub fn new(scene: &'a Scene<A>, specification: &'a Specification, watch: &'a mut Watch) -> Self {
        let seen = watch.seen();
        let world = WorldOf::new(specification, &scene.setting, None, Some(watch));
        let state = |(me, &number)| Contract::arbitrary(&scene.setting, me, number).expect("the number of a state");
        let mut world = world.beginning_in(NodeId::all(scene.nodes()).zip(&scene.beginning).map(state));
        world.begin();
        let ordered = vec![Vec::new(); scene.nodes() as usize];
        Self {
            scene,
            faults: scene.faults,
            world,
            seen,
            down: BTreeSet::new(),
            detector: Detector::new(scene.nodes()),
            ordered,
        }
    }

    /// Returns the observations so far.
    pub fn seen(&self) -> Ref<'_, Seen> {
        self.seen.borrow()
    }

    /// Returns the crashes, restarts and reported outcomes of all nodes, in order.
    pub fn log(&self) -> Ref<'_, [(NodeId, Happened)]> {
        Ref::map(self.seen(), |seen| &seen.log[..])
    }

    /// Returns the outcomes that the nodes have reported, in order.
    pub fn told(&self) -> Vec<(NodeId, Outcome)> {
        let told = |(node, what): &(NodeId, Happened)| match what {
            Happened::Told(outcome) => Some((*node, outcome.clone())),
            Happened::Crashed | Happened::Restarted => None,
        };
        self.log().iter().filter_map(told).collect()
    }

    /// Returns the current time, which is the due time of the latest expired timer.
    pub fn now(&self) -> Ticks {
        self.world.now()
    }

    /// Returns all orders that a node has received, over all its incarnations.
    pub fn ordered(&self, node: NodeId) -> &[Choice] {
        &self.ordered[node.index()]
    }

    /// Returns the current incarnation of a node, or its last incarnation if the node is down.
    pub fn node(&self, node: NodeId) -> &Node<Contract<A>> {
        self.world.node(node).expect("a node of the run")
    }

    /// Returns the nodes that are up.
    pub fn running(&self) -> impl Iterator<Item = NodeId> {
        NodeId::all(self.scene.nodes()).filter(|node| !self.down.contains(node))
    }

    /// Returns the nodes that are up and take part in the algorithm, each with the state of its algorithm.
    pub fn up(&self) -> impl Iterator<Item = (NodeId, &A)> {
        self.running().filter_map(|node| Some((node, self.state_of(node)?)))
    }

    /// Returns the state of a node's algorithm; none if the node does not take part in the algorithm.
    pub fn state_of(&self, node: NodeId) -> Option<&A> {
        self.participant(node).state().map(|contract| &contract.algorithm)
    }

    /// Returns a node as a participant of the algorithm, even if the node does not take part at present.
    pub fn participant(&self, node: NodeId) -> &Participant<Contract<A>> {
        self.node(node).state()
    }

    /// Returns the nodes that are up and in a critical section.
    pub fn inside(&self) -> Vec<u32> {
        self.those(|node| node.client().inside().next().is_some())
    }

    /// Returns the nodes that are up and wait for a lock.
    pub fn waiting(&self) -> Vec<u32> {
        self.those(|node| node.client().is_waiting())
    }

    fn those(&self, doing: impl Fn(&Node<Contract<A>>) -> bool) -> Vec<u32> {
        self.running().filter(|node| doing(self.node(*node))).map(|node| node.0).collect()
    }

    /// Returns the algorithm's messages on a link in the order in which they were sent, each before its duplicated
    /// copies.
    pub fn link(&self, from: u32, to: u32) -> Vec<(MessageId, &A::Message)> {
        let mut link: Vec<_> =
            self.world.in_flight().filter(|(name, _)| (name.from.0, name.to.0) == (from, to)).collect();
        link.sort_unstable_by_key(|(name, _)| *name);
        link
    }

    /// Returns the algorithm's messages on all links.
    pub fn in_flight(&self) -> impl Iterator<Item = &A::Message> {
        self.world.in_flight().map(|(_, message)| message)
    }

    /// Returns the pending timers of the algorithms, in the order of their due times.
    pub fn pending(&self) -> Vec<(Ticks, NodeId, A::Timer)> {
        let own = |name| match name {
            TimerName::Algorithm(timer) => Some(timer),
            TimerName::Client(_) | TimerName::Channel(_) | TimerName::Detector(_) => None,
        };
        let mut pending = Vec::new();
        for node in self.running() {
            let timers = self.node(node).timers();
            let due = |timer| timers.due_us_of(TimerName::Algorithm(timer)).unwrap_or_default();
            pending.extend(timers.names().filter_map(own).map(|timer| (due(timer), node, timer)));
        }
        pending.sort_unstable();
        pending
    }

    /// Checks ME1: by happened-before, at most one process is in the critical section at a time.
    pub fn at_most_one_inside(&self) -> Verdict {
        self.seen().together.as_ref().map_or(Ok(()), |together| Err(format!("two in the section: {together}")))
    }

    /// Checks ORDER: entries are in the happened-before order of their requests.
    pub fn in_order(&self) -> Verdict {
        self.seen().out_of_order.as_ref().map_or(Ok(()), |inversion| Err(format!("out of order: {inversion}")))
    }

    /// Checks ME3: no process waits. Call this function at the end of a run, when no further action is possible.
    pub fn nobody_waits(&self) -> Verdict {
        let waiting = self.waiting();
        if waiting.is_empty() { Ok(()) } else { Err(format!("stuck: {waiting:?}")) }
    }

    fn reachable(&self) -> Vec<MessageName> {
        let mut names = self.world.messages();
        names.retain(|name| !self.faults.detected || self.down.contains(&name.from) || self.detector.is_told(name));
        if self.faults.fifo {
            names.dedup_by_key(|name| (name.from, name.to));
        }
        names.into_iter().map(MessageName).collect()
    }

    /// Executes an action. If the action delivers a message with a number that cannot occur in a run, the message
    /// is lost, except in a credulous scene. If the action makes a timer expire, time advances to the due time of
    /// the timer.
    #[track_caller]
    pub fn happen(&mut self, choice: &Choice) {
        self.seen.borrow_mut().latest.clear();
        match choice {
            Choice::Deliver(name) if !self.scene.credulous && self.is_implausible(*name) => {
                return self.apply(&Choice::Lose(*name));
            }
            Choice::Fire { .. } => {
                let due_us = self.world.due_us(choice).expect("a pending timer");
                self.world.reach(due_us);
            }
            Choice::Lose(_) => self.faults.losses -= 1,
            Choice::Duplicate(_) => self.faults.copies -= 1,
            Choice::Tell { .. } => self.faults.tells -= 1,
            Choice::Crash { node } => {
                self.faults.crashes -= 1;
                self.down.insert(*node);
                self.detector.died(*node);
            }
            Choice::Restart { node, .. } => {
                self.down.remove(node);
                self.detector.returned(*node, &self.down);
            }
            Choice::Suspect { node, whom } => self.detector.suspected(*node, *whom),
            Choice::Trust { node, whom } => self.detector.trusted(*node, *whom),
            _ => {}
        }
        if let Some((node, _)) = choice.order() {
            self.ordered[node.index()].push(choice.clone());
        }
        self.apply(choice);
        self.lose_what_finds_no_room();
    }

    /// Executes an action of a test, even if `faults` does not allow this action.
    #[track_caller]
    pub fn apply(&mut self, choice: &Choice) {
        if let Err(impossible) = self.world.apply(choice) {
            panic!("{choice:?}: {impossible}");
        }
    }

    fn is_implausible(&self, MessageName(name): MessageName) -> bool {
        let message = self.world.in_flight().find(|(other, _)| *other == name);
        message.is_some_and(|(_, message)| implausible(message).is_some())
    }

    fn lose_what_finds_no_room(&mut self) {
        if self.faults.room == usize::MAX {
            return;
        }
        for link in self.world.messages().chunk_by(|one, other| (one.from, one.to) == (other.from, other.to)) {
            for &name in link.iter().skip(self.faults.room) {
                self.apply(&Choice::Lose(MessageName(name)));
            }
        }
    }

    /// Puts a forged message on a link, as if `from` had sent it.
    pub fn push(&mut self, from: NodeId, to: NodeId, message: A::Message) {
        self.world.forge(from, to, message);
    }
}

impl<A: Algorithm> Possible for Run<'_, A> {
    fn commands(&self) -> Vec<Choice> {
        let mut commands = Vec::new();
        for node in self.running() {
            let possible = |choice: &Choice| {
                let order = choice.order();
                order.is_some_and(|(_, order)| self.node(node).refusal(&self.scene.setting, &order).is_none())
            };
            commands.extend((self.scene.client)(self, node).filter(possible));
            commands.extend(self.node(node).timers().names().filter_map(|name| match name {
                TimerName::Client(timer) => Some(Choice::Fire { node, timer: TimerName::Client(timer) }),
                TimerName::Algorithm(_) | TimerName::Channel(_) | TimerName::Detector(_) => None,
            }));
        }
        commands
    }

    fn arrivals(&self) -> Vec<Choice> {
        self.reachable().into_iter().map(Choice::Deliver).collect()
    }

    fn expiries(&self) -> Vec<Choice> {
        self.pending().into_iter().map(|(_, node, timer)| Choice::Fire { node, timer: label(&timer) }).collect()
    }

    fn mishaps(&self) -> Vec<Choice> {
        let Faults { losses, copies, crashes, down_at_once, .. } = self.faults;
        let mut mishaps = Vec::new();
        if losses > 0 {
            mishaps.extend(self.reachable().into_iter().map(Choice::Lose));
        }
        if copies > 0 {
            mishaps.extend(self.reachable().into_iter().map(Choice::Duplicate));
        }
        if crashes > 0 && self.down.len() < down_at_once {
            mishaps.extend(self.up().map(|(node, _)| Choice::Crash { node }));
        }
        mishaps.extend(self.returns());
        mishaps.extend(self.notices());
        mishaps
    }

    fn notices(&self) -> Vec<Choice> {
        if !self.faults.detected {
            return Vec::new();
        }
        let up: Vec<NodeId> = self.running().collect();
        self.detector.notices(&up)
    }

    fn returns(&self) -> Vec<Choice> {
        let back = |state| self.down.iter().map(move |&node| Choice::Restart { node, state });
        self.faults.memory.map(back).into_iter().flatten().collect()
    }

    fn tells(&self) -> Vec<Choice> {
        if self.faults.tells == 0 {
            return Vec::new();
        }
        let all = || NodeId::all(self.scene.nodes());
        let others = |from| {
            all().filter(move |to| *to != from).map(move |to| Choice::Tell { from, to, hold: None, asks: false })
        };
        all().flat_map(others).collect()
    }

    fn is_over(&self) -> bool {
        let flows_anyway = |message: &A::Message| A::ENTRY.background_kinds.contains(&message.kind());
        self.world.engaged() == 0 && self.in_flight().all(flows_anyway) && self.commands().is_empty()
    }
}
