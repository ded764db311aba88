//! The state of everything: nodes, links, clients; and the steps that lead from one state to the next.

use std::collections::BTreeSet;

use interlock_algorithm::plausibility::implausible;
use interlock_algorithm::{
    Algorithm, Command, Effect, Effects, Input, LockId, Message, NodeId, Outcome, Recipients, RequestId,
};

use super::Scene;

/// The only lock.
const LOCK: LockId = LockId(0);

/// What the links do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Channel {
    /// Messages of a link keep their order; a copy stays next to its original.
    pub fifo: bool,
    /// How many messages may still be lost.
    pub losses: u32,
    /// How many messages may still be doubled.
    pub copies: u32,
    /// How many messages of the application may still be sent: whom they tell knows it at once.
    pub tells: u32,
    /// How many messages a link holds: what is sent on a full one is lost.
    pub room: usize,
}

/// Order is kept, nothing is lost or doubled.
pub const FIFO: Channel = Channel { fifo: true, losses: 0, copies: 0, tells: 0, room: usize::MAX };
/// Messages may overtake, nothing is lost or doubled.
pub const OVERTAKING: Channel = Channel { fifo: false, losses: 0, copies: 0, tells: 0, room: usize::MAX };

/// What a client is doing, and how often it has asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Client {
    /// Its state, by the outcomes that its node has told.
    pub doing: Doing,
    /// The number of its latest request: how often it has asked.
    pub asked: u32,
    /// How often it will have asked in the end.
    pub wanted: u32,
}

/// What a client is doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Doing {
    /// Nothing.
    Idle,
    /// It has asked and is waiting.
    Wanting,
    /// It is in the section.
    InSection,
}

/// The state of everything.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct World<A: Algorithm> {
    /// The nodes.
    pub nodes: Vec<A>,
    /// Their clients.
    pub clients: Vec<Client>,
    /// Messages on the way, for each sender and recipient, in the order in which they were sent.
    pub links: Vec<Vec<Vec<A::Message>>>,
    /// The timers that are pending, for each node. Time is not known here: each may run out at any moment.
    pub timers: Vec<BTreeSet<A::Timer>>,
    /// What the links may still do.
    pub channel: Channel,
}

/// Something that can happen next.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Choice {
    /// A client asks.
    Acquire(NodeId),
    /// A client leaves.
    Release(NodeId),
    /// The message at this place of a link arrives.
    Deliver(Place),
    /// The message at this place of a link is lost.
    Lose(Place),
    /// The message at this place of a link is doubled.
    Copy(Place),
    /// The application of the first node tells that of the second something.
    Tell(NodeId, NodeId),
    /// A timer of this node runs out: this one of those pending.
    RunOut(NodeId, usize),
}

/// A place on a link.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Place {
    /// Where the link begins.
    pub from: NodeId,
    /// Where it ends.
    pub to: NodeId,
    /// The place: 0 is the message sent first.
    pub index: usize,
}

/// What a step did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Taken<A: Algorithm> {
    /// What was sent and has found room, and to whom, in order.
    pub sent: Vec<(NodeId, A::Message)>,
    /// What was told, in order.
    pub outcomes: Vec<Outcome>,
    /// Why.
    pub reasons: Vec<A::Reason>,
}

impl Client {
    fn new<A: Algorithm>(scene: &Scene<A>, node: NodeId) -> Self {
        Self { doing: Doing::Idle, asked: 0, wanted: if node.0 < scene.askers { scene.entries } else { 0 } }
    }
}

impl<A: Algorithm> World<A> {
    /// All idle, nothing on the way.
    pub fn new(scene: &Scene<A>) -> Self {
        let nodes = scene.nodes as usize;
        let mut world = Self {
            nodes: NodeId::all(scene.nodes).map(|node| scene.first_state(node)).collect(),
            clients: NodeId::all(scene.nodes).map(|node| Client::new(scene, node)).collect(),
            links: vec![vec![Vec::new(); nodes]; nodes],
            timers: vec![BTreeSet::new(); nodes],
            channel: scene.channel,
        };
        for node in NodeId::all(scene.nodes) {
            world.take(scene, node, Input::Start);
        }
        world
    }

    /// Everything that can happen next.
    pub fn choices(&self) -> Vec<Choice> {
        let clients = (0_u32..).map(NodeId).zip(&self.clients).filter_map(|(node, client)| match client.doing {
            Doing::Idle if client.asked < client.wanted => Some(Choice::Acquire(node)),
            Doing::Idle | Doing::Wanting => None,
            Doing::InSection => Some(Choice::Release(node)),
        });
        let timers = (0_u32..).map(NodeId).zip(&self.timers);
        let timers = timers.flat_map(|(node, timers)| (0..timers.len()).map(move |place| Choice::RunOut(node, place)));
        let messages = self.places().flat_map(|place| self.fates(place));
        clients.chain(messages).chain(timers).chain(self.tells()).collect()
    }

    fn tells(&self) -> impl Iterator<Item = Choice> + '_ {
        let ids = || (0_u32..).map(NodeId).take(if self.channel.tells > 0 { self.nodes.len() } else { 0 });
        ids().flat_map(move |from| ids().filter(move |&to| to != from).map(move |to| Choice::Tell(from, to)))
    }

    /// The places from which a message can be taken now.
    fn places(&self) -> impl Iterator<Item = Place> + '_ {
        let ids = || (0_u32..).map(NodeId);
        ids().zip(&self.links).flat_map(move |(from, links)| {
            ids().zip(links).flat_map(move |(to, link)| {
                let reachable = if self.channel.fifo { link.len().min(1) } else { link.len() };
                (0..reachable).map(move |index| Place { from, to, index })
            })
        })
    }

    fn fates(&self, place: Place) -> impl Iterator<Item = Choice> + use<A> {
        let lose = (self.channel.losses > 0).then_some(Choice::Lose(place));
        let copy = (self.channel.copies > 0).then_some(Choice::Copy(place));
        [Some(Choice::Deliver(place)), lose, copy].into_iter().flatten()
    }

    /// The message at a place.
    pub fn message(&self, place: Place) -> &A::Message {
        &self.links[place.from.index()][place.to.index()][place.index]
    }

    /// The timer of a node at a place among those pending.
    pub fn timer(&self, node: NodeId, place: usize) -> A::Timer {
        *self.timers[node.index()].iter().nth(place).expect("a pending timer")
    }

    /// Lets something happen, and says at which node, and what followed.
    pub fn happen(&mut self, scene: &Scene<A>, choice: Choice) -> Option<(NodeId, Taken<A>)> {
        let (node, input) = match choice {
            Choice::Acquire(node) => {
                self.clients[node.index()].asked += 1;
                (node, Input::Command(Command::Acquire { lock: LOCK, request: self.request(node) }))
            }
            Choice::Release(node) => {
                (node, Input::Command(Command::Release { lock: LOCK, request: self.request(node) }))
            }
            Choice::Deliver(place) => {
                let message = self.pick(place);
                if !scene.credulous && implausible(&message).is_some() {
                    return None;
                }
                (place.to, Input::Message { from: place.from, message })
            }
            Choice::Lose(place) => {
                self.channel.losses -= 1;
                self.pick(place);
                return None;
            }
            Choice::Copy(place) => {
                self.channel.copies -= 1;
                let copy = self.message(place).clone();
                self.links[place.from.index()][place.to.index()].insert(place.index, copy);
                return None;
            }
            Choice::Tell(from, to) => {
                self.channel.tells -= 1;
                if let Some(stamp) = self.nodes[from.index()].stamp(&scene.setting) {
                    self.nodes[to.index()].witness(&scene.setting, stamp);
                }
                return None;
            }
            Choice::RunOut(node, place) => {
                let timer = self.timer(node, place);
                self.timers[node.index()].remove(&timer);
                (node, Input::Timer(timer))
            }
        };
        Some((node, self.take(scene, node, input)))
    }

    fn request(&self, node: NodeId) -> RequestId {
        RequestId(self.clients[node.index()].asked.into())
    }

    fn pick(&mut self, place: Place) -> A::Message {
        self.links[place.from.index()][place.to.index()].remove(place.index)
    }

    fn take(&mut self, scene: &Scene<A>, node: NodeId, input: Input<A>) -> Taken<A> {
        let mut effects = Effects::default();
        self.nodes[node.index()].step(&scene.setting, node, input, &mut effects);
        let mut taken = Taken::<A> { sent: Vec::new(), outcomes: Vec::new(), reasons: Vec::new() };
        for effect in effects.drain() {
            match effect {
                Effect::Send { to, message } => {
                    let recipients = recipients::<A>(scene, node, to);
                    taken.sent.extend(recipients.into_iter().map(|to| (to, message.clone())));
                }
                Effect::Outcome(outcome) => {
                    let leaves = matches!(outcome, Outcome::Exited { .. });
                    assert!(!leaves || taken.sent.is_empty(), "{node} sends before it says that it has left");
                    taken.outcomes.push(outcome);
                }
                Effect::Because(reason) => taken.reasons.push(reason),
                Effect::SetTimer { timer, .. } => drop(self.timers[node.index()].insert(timer)),
                Effect::CancelTimer(timer) => drop(self.timers[node.index()].remove(&timer)),
                Effect::Store(_) => unreachable!("no algorithm driven here has storage"),
            }
        }
        for outcome in &taken.outcomes {
            self.tell(node, outcome);
        }
        taken.sent.retain(|(to, message)| self.send(scene, node, *to, message));
        taken
    }

    /// Puts a message on its way, and says whether there was room; what is known at once arrives at once.
    fn send(&mut self, scene: &Scene<A>, from: NodeId, to: NodeId, message: &A::Message) -> bool {
        if A::is_instantaneous(&scene.setting) {
            self.take(scene, to, Input::Message { from, message: message.clone() });
            return true;
        }
        let link = &mut self.links[from.index()][to.index()];
        let room = link.len() < self.channel.room;
        if room {
            link.push(message.clone());
        }
        room
    }

    /// A client hears from its node.
    fn tell(&mut self, node: NodeId, outcome: &Outcome) {
        let (&request, before, after) = match outcome {
            Outcome::Requested { request, .. } => (request, Doing::Idle, Doing::Wanting),
            Outcome::Entered { request, .. } => (request, Doing::Wanting, Doing::InSection),
            Outcome::Exited { request, .. } => (request, Doing::InSection, Doing::Idle),
            _ => panic!("{node}: an algorithm of mutual exclusion does not tell {outcome:?}"),
        };
        assert_eq!(request, self.request(node), "{node}: {outcome:?} is of another request");
        let client = &mut self.clients[node.index()];
        assert_eq!(client.doing, before, "{node}: {outcome:?} out of order");
        client.doing = after;
    }

    /// The nodes whose clients are doing this.
    pub fn doing(&self, doing: Doing) -> BTreeSet<NodeId> {
        (0_u32..)
            .map(NodeId)
            .zip(&self.clients)
            .filter(|(_, client)| client.doing == doing)
            .map(|(node, _)| node)
            .collect()
    }

    /// Whether everybody has entered as often as wanted, and nothing is on the way but what flows anyway.
    pub fn is_over(&self) -> bool {
        let done = |client: &Client| client.doing == Doing::Idle && client.asked == client.wanted;
        let flows_anyway = |message: &A::Message| A::ENTRY.background_kinds.contains(&message.kind());
        self.clients.iter().all(done) && self.links.iter().flatten().flatten().all(flows_anyway)
    }
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
