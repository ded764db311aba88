//! The state of everything, and the steps that lead from one state to the next.

use std::collections::BTreeMap;

use interlock_algorithm::plausibility::implausible;
use interlock_algorithm::{
    Algorithm, Command, Delay, Effect, Effects, Input, NodeId, Outcome, Participant, Recipients, Ticks,
};

use super::Scene;
use super::draws::Draws;
use super::faults::{Faults, Memory};
use super::log::{Entry, What};
use super::well_formed;

/// The state of everything.
pub struct World<A: Algorithm> {
    /// The nodes; none where one is down.
    pub nodes: Vec<Option<Participant<A>>>,
    /// Which life of each node is its latest.
    incarnations: Vec<u32>,
    /// What each has in stable storage.
    pub stored: Vec<Option<A::Stored>>,
    /// Messages on the way, for each sender and recipient, in the order in which they were sent.
    pub links: Vec<Vec<Vec<A::Message>>>,
    /// The timers that are pending at each node, and when they would run out. In a random schedule each may run out at
    /// any moment, as slow as the network may be.
    pub timers: Vec<BTreeMap<A::Timer, Ticks>>,
    /// The time: that of the latest timer that ran out.
    pub now: Ticks,
    /// What may still go wrong.
    pub faults: Faults,
    /// What has happened.
    pub log: Vec<Entry>,
    /// What was sent so far, by sender and recipient, in order, with what was lost.
    pub sent: Vec<(NodeId, NodeId, A::Message)>,
    /// Why the steps did what they did, in order.
    pub reasons: Vec<(NodeId, A::Reason)>,
    draws: Draws,
}

/// Something that can happen next.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Choice<T> {
    /// A client gives a command.
    Command(NodeId, Command),
    /// The message at this place of a link arrives, at nobody if the node is down.
    Deliver(Place),
    /// The message at this place of a link is lost.
    Lose(Place),
    /// The message at this place of a link is doubled.
    Copy(Place),
    /// A timer of this node runs out.
    RunOut(NodeId, T),
    /// A node crashes.
    Crash(NodeId),
    /// A node comes back.
    Restart(NodeId, Memory),
}

/// A place on a link.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// Where the link begins.
    pub from: NodeId,
    /// Where it ends.
    pub to: NodeId,
    /// The place: 0 is the message sent first.
    pub index: usize,
}

impl<A: Algorithm> World<A> {
    /// All have started; what they sent is on the way.
    pub fn new(scene: &Scene<A>, seed: u64) -> Self {
        let nodes = scene.nodes as usize;
        let mut world = Self {
            nodes: NodeId::all(scene.nodes).map(|node| Some(Participant::new(&scene.setting, node, 1))).collect(),
            incarnations: vec![1; nodes],
            stored: vec![None; nodes],
            links: vec![vec![Vec::new(); nodes]; nodes],
            timers: vec![BTreeMap::new(); nodes],
            now: 0,
            faults: scene.faults,
            log: Vec::new(),
            sent: Vec::new(),
            reasons: Vec::new(),
            draws: Draws::new(!seed),
        };
        NodeId::all(scene.nodes).for_each(|node| world.take(scene, node, Input::Start));
        world
    }

    /// The nodes that are up and take part, and their states.
    pub fn up(&self) -> impl Iterator<Item = (NodeId, &A)> {
        ids().zip(&self.nodes).filter_map(|(node, up)| Some((node, up.as_ref()?.state()?)))
    }

    /// What the nodes have told, in order.
    pub fn told(&self) -> impl Iterator<Item = (NodeId, &Outcome)> {
        self.log.iter().filter_map(|entry| match &entry.what {
            What::Told(outcome) => Some((entry.node, outcome)),
            _ => None,
        })
    }

    /// The commands that a node has been given so far, over all its lives.
    pub fn commanded(&self, node: NodeId) -> impl Iterator<Item = &Command> {
        self.log.iter().filter(move |entry| entry.node == node).filter_map(|entry| match &entry.what {
            What::Commanded(command) => Some(command),
            _ => None,
        })
    }

    /// The commands that can be given now.
    pub fn commands(&self, scene: &Scene<A>) -> Vec<Choice<A::Timer>> {
        let wanted = self.up().filter_map(|(node, state)| Some((node, state, (scene.client)(self, node)?)));
        let allowed = wanted.filter(|(node, state, command)| state.objection(&scene.setting, *node, command).is_none());
        allowed.map(|(node, _, command)| Choice::Command(node, command)).collect()
    }

    /// The messages that can arrive now.
    pub fn arrivals(&self) -> Vec<Choice<A::Timer>> {
        self.places().map(Choice::Deliver).collect()
    }

    /// The timers that are pending, the one that would run out first in front.
    pub fn expiries(&self) -> Vec<Choice<A::Timer>> {
        let pending = ids().zip(&self.timers);
        let mut pending: Vec<_> =
            pending.flat_map(|(node, timers)| timers.iter().map(move |(&timer, &at)| (at, node, timer))).collect();
        pending.sort_unstable();
        pending.into_iter().map(|(_, node, timer)| Choice::RunOut(node, timer)).collect()
    }

    /// What can go wrong now, and be mended.
    pub fn mishaps(&self) -> Vec<Choice<A::Timer>> {
        let losses = self.places().filter(|_| self.faults.losses > 0).map(Choice::Lose);
        let copies = self.places().filter(|_| self.faults.copies > 0).map(Choice::Copy);
        let down = self.nodes.iter().filter(|node| node.is_none()).count();
        let may_crash = self.faults.crashes > 0 && down < self.faults.down_at_once as usize;
        let crashes = self.up().filter(|_| may_crash).map(|(node, _)| Choice::Crash(node));
        losses.chain(copies).chain(crashes).chain(self.returns()).collect()
    }

    /// Who can come back now.
    pub fn returns(&self) -> Vec<Choice<A::Timer>> {
        let Some(memory) = self.faults.memory else { return Vec::new() };
        let down = ids().zip(&self.nodes).filter(|(_, state)| state.is_none());
        down.map(|(node, _)| Choice::Restart(node, memory)).collect()
    }

    fn places(&self) -> impl Iterator<Item = Place> {
        let fifo = self.faults.fifo;
        ids().zip(&self.links).flat_map(move |(from, links)| {
            ids().zip(links).flat_map(move |(to, link)| {
                let reachable = if fifo { link.len().min(1) } else { link.len() };
                (0..reachable).map(move |index| Place { from, to, index })
            })
        })
    }

    /// Lets something happen.
    pub fn happen(&mut self, scene: &Scene<A>, choice: Choice<A::Timer>) {
        match choice {
            Choice::Command(node, command) => {
                self.note(node, What::Commanded(command.clone()));
                self.take(scene, node, Input::Command(command));
            }
            Choice::Deliver(place) => {
                let message = self.pick(place);
                if scene.credulous || implausible(&message).is_none() {
                    self.take(scene, place.to, Input::Message { from: place.from, message });
                }
            }
            Choice::Lose(place) => {
                self.faults.losses -= 1;
                self.pick(place);
            }
            Choice::Copy(place) => {
                self.faults.copies -= 1;
                let link = &mut self.links[place.from.index()][place.to.index()];
                link.insert(place.index, link[place.index].clone());
            }
            Choice::RunOut(node, timer) => {
                let at = self.timers[node.index()].remove(&timer).expect("a pending timer");
                self.now = self.now.max(at);
                self.take(scene, node, Input::Timer(timer));
            }
            Choice::Crash(node) => self.crash(node),
            Choice::Restart(node, memory) => self.restart(scene, node, memory),
        }
    }

    fn pick(&mut self, place: Place) -> A::Message {
        self.links[place.from.index()][place.to.index()].remove(place.index)
    }

    fn crash(&mut self, node: NodeId) {
        self.faults.crashes -= 1;
        self.nodes[node.index()] = None;
        self.timers[node.index()].clear();
        self.note(node, What::Crashed);
    }

    fn restart(&mut self, scene: &Scene<A>, node: NodeId, memory: Memory) {
        self.incarnations[node.index()] += 1;
        self.nodes[node.index()] = Some(Participant::new(&scene.setting, node, self.incarnations[node.index()]));
        self.note(node, What::Restarted);
        if memory == Memory::Nothing {
            self.stored[node.index()] = None;
        }
        let stored = self.stored[node.index()].clone();
        self.take(scene, node, Input::Restart(stored));
    }

    fn note(&mut self, node: NodeId, what: What) {
        self.log.push(Entry { node, what });
    }

    fn take(&mut self, scene: &Scene<A>, node: NodeId, input: Input<A>) {
        let Some(state) = &mut self.nodes[node.index()] else { return };
        let mut effects = Effects::default();
        state.step(&scene.setting, node, input, &mut effects);
        state.state().into_iter().for_each(well_formed::data);
        let _ = state.view(&scene.setting, node);
        well_formed::order(node, effects.as_slice());
        for effect in effects.drain() {
            self.follow(scene, node, effect);
        }
    }

    fn follow(&mut self, scene: &Scene<A>, node: NodeId, effect: Effect<A>) {
        match effect {
            Effect::Send { to, message } => {
                well_formed::message::<A>(&message);
                for to in recipients::<A>(scene, node, to) {
                    self.sent.push((node, to, message.clone()));
                    self.links[node.index()][to.index()].push(message.clone());
                }
            }
            Effect::SetTimer { timer, delay } => {
                well_formed::data(&timer);
                let at = self.now + self.length(delay);
                self.timers[node.index()].insert(timer, at);
            }
            Effect::CancelTimer(timer) => drop(self.timers[node.index()].remove(&timer)),
            Effect::Store(stored) => {
                well_formed::data(&stored);
                self.stored[node.index()] = Some(stored);
            }
            Effect::Outcome(outcome) => self.note(node, What::Told(outcome)),
            Effect::Because(reason) => {
                well_formed::reason(&reason);
                self.reasons.push((node, reason));
            }
        }
    }

    fn length(&mut self, delay: Delay) -> Ticks {
        match delay {
            Delay::Exactly(ticks) => ticks,
            Delay::Uniform(least, most) => {
                assert!(least <= most, "a time between {least} and {most}");
                least + self.draws.below(most - least + 1)
            }
        }
    }
}

fn ids() -> impl Iterator<Item = NodeId> + Clone {
    (0_u32..).map(NodeId)
}

fn recipients<A: Algorithm>(scene: &Scene<A>, me: NodeId, to: Recipients) -> Vec<NodeId> {
    match to {
        Recipients::One(node) => {
            assert!(node != me && node.0 < scene.nodes, "{me} sends to {node}");
            vec![node]
        }
        Recipients::Others => NodeId::all(scene.nodes).filter(|&node| node != me).collect(),
        Recipients::Set(set) => {
            A::members(&scene.setting, me, set).iter().copied().filter(|&node| node != me).collect()
        }
    }
}
