//! The same runs as a model for another explorer, Stateright. A state is a complete value, which is cloned for each
//! step. The possible events are written as simply as possible. The model and this project's explorer share only the
//! step of a node for an input.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use interlock_algorithm::{Algorithm, FlatMap, FlatSet, LockId, LockUse, NodeId, Outcome, RequestId};
use interlock_machine::channel::ChannelSetting;
use interlock_machine::client::{Client, ClientContext};
use interlock_machine::followed::{Consequence, Followed};
use interlock_machine::node::{Context, Node, NodeInput};
use interlock_machine::recipients::recipients;
use interlock_machine::wire::{Order, TimerName};
use stateright::{Model, Property};

/// Model of a run: an algorithm with its setting, and the events that may happen.
pub struct Whole<A: Algorithm> {
    /// The setting of the algorithm.
    pub setting: A::Setting,
    /// Number of processes.
    pub nodes: u32,
    /// Number of locks.
    pub locks: u32,
    /// Whether links preserve the order of messages.
    pub fifo: bool,
    /// Maximum number of messages on a link; unlimited if absent.
    pub room: Option<usize>,
    /// Number of requests of each client.
    pub requests: u8,
    /// Whether crashed processes may restart.
    pub restart: bool,
    /// Whether restarted processes have lost their stored state.
    pub forget: bool,
    /// Whether live processes are notified of crashes and restarts.
    pub tells: bool,
    /// When timers expire.
    pub timers: Timers,
    /// Budgets of faults at the start of a run.
    pub faults: Faults,
}

/// When timers of the algorithm expire.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Timers {
    /// At any time, without limit.
    Always,
    /// Only when no message is in transit.
    Patient,
    /// At any time, until the budget is used up.
    Counted,
}

/// Remaining budgets of faults: how many more of each kind may happen.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Faults {
    /// Number of messages that may still be lost.
    pub lose: u8,
    /// Number of messages that may still be duplicated.
    pub duplicate: u8,
    /// Number of crashes that may still happen.
    pub crash: u8,
    /// Number of pauses that may still happen.
    pub pause: u8,
    /// Number of corruptions that may still happen.
    pub corrupt: u8,
    /// Number of timers of the algorithm that may still expire, if this number is limited.
    pub timers: u8,
}

/// A message in transit. The number is the number of notices about the sender that the receiver must receive before
/// the message.
type Waiting<A> = (usize, <A as Algorithm>::Message);

/// The state of a run.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Run<A: Algorithm> {
    processes: Vec<Process<A>>,
    /// Messages in transit, by sender and receiver. If links preserve the order of messages, they are in that order,
    /// and otherwise sorted. Links without messages are not stored.
    links: BTreeMap<(NodeId, NodeId), Vec<Waiting<A>>>,
    /// Pending notices in order, by the process that they report and by receiver. Empty lists are not stored.
    untold: BTreeMap<(NodeId, NodeId), Vec<News>>,
    faults: Faults,
}

#[derive(Clone, PartialEq, Eq, Hash)]
struct Process<A: Algorithm> {
    life: Life<A>,
    paused: bool,
    stored: Option<A::Stored>,
    asked: u8,
    /// For each lock, the latest term for which the process has called an election, and the coordinator that it
    /// accepts, with the term. Also contains the processes that have crashed since that call.
    elections: FlatMap<LockId, Voted>,
    decided: BTreeSet<(u64, Arc<str>)>,
}

type Voted = (Option<u64>, Option<(u64, NodeId)>, FlatSet<NodeId>);

#[derive(Clone, PartialEq, Eq, Hash)]
enum Life<A: Algorithm> {
    Up(Box<Node<A>>),
    Down { incarnation: u32, next_request: RequestId, rounds: u64 },
}

/// Event of a process that a notice reports.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum News {
    Dead,
    Back,
}

/// A possible event.
#[derive(Clone, PartialEq)]
pub enum Happens<T> {
    /// The client of the node receives an order.
    Order(NodeId, Order),
    /// A timer expires.
    Timer(NodeId, TimerName<T>),
    /// A process crashes.
    Crash(NodeId),
    /// A process restarts.
    Return(NodeId),
    /// A process is paused.
    Pause(NodeId),
    /// A process resumes.
    Resume(NodeId),
    /// The second node receives the earliest pending notice about the first node.
    Learn((NodeId, NodeId)),
    /// The message at this index of a link is delivered.
    Deliver((NodeId, NodeId), usize),
    /// The message at this index of a link is lost.
    Lose((NodeId, NodeId), usize),
    /// The message at this index of a link is duplicated.
    Copy((NodeId, NodeId), usize),
}

impl<A: Algorithm> Whole<A> {
    /// Applies an input to a process. Returns true if the process accepted the input and did not refuse it to its
    /// client.
    fn take(&self, run: &mut Run<A>, me: NodeId, input: NodeInput<A>) -> bool {
        let process = &mut run.processes[me.index()];
        let Life::Up(node) = &mut process.life else { return false };
        let context = Context {
            setting: &self.setting,
            nodes: self.nodes,
            seed: 1,
            channel: ChannelSetting::default(),
            detector: interlock_machine::detector::DetectorSetting::None,
            timers: false,
            exhausted: false,
            now_us: 0,
        };
        let mut followed = Followed::default();
        if node.take(&context, input, &mut followed).is_err() {
            return false;
        }
        let (mut sent, mut taken) = (Vec::new(), true);
        followed.take_out(|consequence| match consequence {
            Consequence::Send { to, message } => sent.push((to, message)),
            Consequence::Store(stored) => process.stored = Some(stored),
            Consequence::Outcome(Outcome::Called { lock, term }) => {
                let (called, _, outlived) = process.elections.entry(lock).or_default();
                *called = (*called).max(Some(term));
                outlived.clear();
            }
            Consequence::Outcome(Outcome::Elected { lock, leader, term }) => {
                process.elections.entry(lock).or_default().1 = Some((term, leader));
            }
            Consequence::Outcome(Outcome::Decided { instance, value }) => _ = process.decided.insert((instance, value)),
            Consequence::Refused { .. } => taken = false,
            _ => {}
        });
        for (whom, message) in sent {
            for to in recipients::<A>(&self.setting, me, self.nodes, whom) {
                self.send(run, (me, to), message.clone());
            }
        }
        taken
    }

    fn send(&self, run: &mut Run<A>, link: (NodeId, NodeId), message: A::Message) {
        let untold = run.untold.get(&link).map_or(0, Vec::len);
        let messages = run.links.entry(link).or_default();
        if self.room.is_none_or(|room| messages.len() < room) {
            messages.push((untold, message));
        }
        self.tidy(run, link);
    }

    fn tidy(&self, run: &mut Run<A>, link: (NodeId, NodeId)) {
        let messages = run.links.entry(link).or_default();
        if !self.fifo {
            messages.sort();
        }
        if messages.is_empty() {
            run.links.remove(&link);
        }
    }

    fn remove(&self, run: &mut Run<A>, link: (NodeId, NodeId), place: usize) -> Option<A::Message> {
        let (_, message) = run.links.get_mut(&link)?.remove(place);
        self.tidy(run, link);
        Some(message)
    }

    /// Sends a notice about a process to all other live processes. Omits each receiver whose pending notices
    /// already lead to the same belief.
    fn spread(&self, run: &mut Run<A>, whom: NodeId, news: News) {
        for to in NodeId::all(self.nodes).filter(|to| self.tells && *to != whom) {
            let Life::Up(node) = &run.processes[to.index()].life else { continue };
            let thinks = || match node.refusal(&self.setting, &Order::Suspect { whom }) {
                Some(_) => News::Dead,
                None => News::Back,
            };
            let last = run.untold.get(&(whom, to)).map_or_else(thinks, |untold| untold[untold.len() - 1]);
            if last != news {
                run.untold.entry((whom, to)).or_default().push(news);
            }
        }
    }

    fn learn(&self, run: &mut Run<A>, (whom, me): (NodeId, NodeId)) {
        let untold = run.untold.entry((whom, me)).or_default();
        let news = untold.remove(0);
        run.untold.retain(|_, untold| !untold.is_empty());
        run.links.entry((whom, me)).or_default().iter_mut().for_each(|(before, _)| *before = before.saturating_sub(1));
        self.tidy(run, (whom, me));
        let order = match news {
            News::Dead => Order::Suspect { whom },
            News::Back => Order::Trust { whom },
        };
        self.take(run, me, NodeInput::Order(order));
    }

    /// Adds the events that can happen at a process without the delivery of a message.
    fn local(&self, run: &Run<A>, me: NodeId, actions: &mut Vec<Happens<A::Timer>>) {
        let process = &run.processes[me.index()];
        let Life::Up(node) = &process.life else {
            actions.extend(self.restart.then_some(Happens::Return(me)));
            return;
        };
        actions.extend((run.faults.crash > 0).then_some(Happens::Crash(me)));
        if process.paused {
            actions.push(Happens::Resume(me));
            return;
        }
        actions.extend((run.faults.pause > 0).then_some(Happens::Pause(me)));
        if run.faults.corrupt > 0 {
            let states = (0..).take_while(|state| A::arbitrary(&self.setting, me, *state).is_some());
            actions.extend(states.map(|choice| Happens::Order(me, Order::Corrupt { choice })));
        }
        let may_run_out = match self.timers {
            Timers::Always => true,
            Timers::Patient => {
                let mut edges = run.links.keys().chain(run.untold.keys());
                edges.all(|(_, to)| run.processes[to.index()].paused)
            }
            Timers::Counted => run.faults.timers > 0,
        };
        let timers = node.timers().names();
        let timers = timers.filter(|name| may_run_out || matches!(name, TimerName::Client(_)));
        actions.extend(timers.map(|name| Happens::Timer(me, name)));
        let has_locks = A::ENTRY.locks != LockUse::None;
        let may_ask = process.asked < self.requests;
        for lock in (0..self.locks).map(LockId).filter(|_| has_locks) {
            actions.push(Happens::Order(me, Order::Release { lock }));
            actions.extend(may_ask.then_some(Happens::Order(me, Order::Acquire { lock, hold_us: None })));
        }
        if may_ask && !has_locks && A::ENTRY.commands.contains(&"elect") {
            actions.push(Happens::Order(me, Order::Elect {}));
        }
        if may_ask && A::ENTRY.commands.contains(&"propose") {
            let value = format!("v{}", me.0);
            actions.push(Happens::Order(me, Order::Propose { instance: 0, value }));
        }
    }

    fn crash(&self, run: &mut Run<A>, me: NodeId) {
        let process = &mut run.processes[me.index()];
        if let Life::Up(node) = &process.life {
            let (next_request, rounds) = (node.client().next_request(), node.client().rounds());
            process.life = Life::Down { incarnation: node.incarnation(), next_request, rounds };
        }
        process.paused = false;
        process.elections.clear();
        for (called, _, outlived) in run.processes.iter_mut().flat_map(|other| other.elections.values_mut()) {
            outlived.extend(called.map(|_| me));
        }
        let process = &mut run.processes[me.index()];
        if self.forget {
            process.stored = None;
        }
        run.untold.retain(|(_, to), _| *to != me);
        for from in NodeId::all(self.nodes) {
            run.links.entry((from, me)).or_default().iter_mut().for_each(|(before, _)| *before = 0);
            self.tidy(run, (from, me));
        }
        self.spread(run, me, News::Dead);
    }

    fn client(&self, me: NodeId) -> Client {
        Client::new(me, self.nodes, 1, None, ClientContext::of::<A>(&self.setting, self.locks))
    }

    fn come_back(&self, run: &mut Run<A>, me: NodeId) {
        let process = &mut run.processes[me.index()];
        if let Life::Down { incarnation, next_request, rounds } = process.life {
            let client = self.client(me).reborn(next_request, rounds);
            process.life = Life::Up(Box::new(Node::new(&self.setting, me, incarnation + 1, client)));
            let stored = process.stored.clone();
            // The notice must precede all messages of the restart step. However, only the restart step shows whether
            // the process participates. The step is therefore tried on a copy of the run first.
            let mut trial = run.clone();
            self.take(&mut trial, me, NodeInput::Restart(stored.clone()));
            let takes_part = |life: &Life<A>| matches!(life, Life::Up(node) if node.state().state().is_some());
            if takes_part(&trial.processes[me.index()].life) {
                self.spread(run, me, News::Back);
            }
            for dead in NodeId::all(self.nodes).filter(|_| self.tells) {
                if matches!(run.processes[dead.index()].life, Life::Down { .. }) {
                    run.untold.insert((dead, me), vec![News::Dead]);
                }
            }
            self.take(run, me, NodeInput::Restart(stored));
        }
    }

    fn order(&self, run: &mut Run<A>, me: NodeId, order: Order) -> bool {
        match order {
            Order::Release { .. } => {}
            Order::Corrupt { .. } => run.faults.corrupt -= 1,
            _ => run.processes[me.index()].asked += 1,
        }
        self.take(run, me, NodeInput::Order(order))
    }

    fn run_out(&self, run: &mut Run<A>, me: NodeId, name: TimerName<A::Timer>) {
        let counts = self.timers == Timers::Counted && matches!(name, TimerName::Algorithm(_));
        run.faults.timers -= u8::from(counts);
        if let Life::Up(node) = &mut run.processes[me.index()].life {
            node.timers_mut().cancel(name);
            self.take(run, me, NodeInput::Timer(name));
        }
    }

    /// Returns whether no critical section contains more processes than its lock has units.
    fn excludes(&self, run: &Run<A>) -> bool {
        let up = |process: &Process<A>| match &process.life {
            Life::Up(node) => node.client().inside().collect(),
            Life::Down { .. } => Vec::new(),
        };
        let inside: Vec<LockId> = run.processes.iter().flat_map(up).collect();
        (0..self.locks).map(LockId).all(|lock| {
            let units = A::capacity(&self.setting, lock) as usize;
            inside.iter().filter(|&&other| other == lock).count() <= units
        })
    }
}

impl<A: Algorithm> Model for Whole<A> {
    type State = Run<A>;
    type Action = Happens<A::Timer>;

    fn init_states(&self) -> Vec<Run<A>> {
        let process = |me| Process {
            life: Life::Up(Box::new(Node::new(&self.setting, me, 1, self.client(me)))),
            paused: false,
            stored: None,
            asked: 0,
            elections: FlatMap::new(),
            decided: BTreeSet::new(),
        };
        let processes = NodeId::all(self.nodes).map(process).collect();
        let mut run = Run { processes, links: BTreeMap::new(), untold: BTreeMap::new(), faults: self.faults };
        for me in NodeId::all(self.nodes) {
            self.take(&mut run, me, NodeInput::Start);
        }
        vec![run]
    }

    fn actions(&self, run: &Run<A>, actions: &mut Vec<Happens<A::Timer>>) {
        for me in NodeId::all(self.nodes) {
            self.local(run, me, actions);
        }
        let told = run.untold.keys().filter(|(_, to)| !run.processes[to.index()].paused);
        actions.extend(told.map(|way| Happens::Learn(*way)));
        for (&link, messages) in &run.links {
            for place in 0..messages.len() {
                // On a link without order, equal messages are adjacent and interchangeable, so only the first of
                // them is deliverable.
                let is_open = if self.fifo { place == 0 } else { !messages[..place].contains(&messages[place]) };
                if is_open && messages[place].0 == 0 {
                    let hears = !run.processes[link.1.index()].paused;
                    actions.extend(hears.then_some(Happens::Deliver(link, place)));
                    actions.extend((run.faults.lose > 0).then_some(Happens::Lose(link, place)));
                    actions.extend((run.faults.duplicate > 0).then_some(Happens::Copy(link, place)));
                }
            }
        }
    }

    fn next_state(&self, run: &Run<A>, happens: Happens<A::Timer>) -> Option<Run<A>> {
        let mut run = run.clone();
        match happens {
            Happens::Order(me, order) => return self.order(&mut run, me, order).then_some(run),
            Happens::Timer(me, name) => self.run_out(&mut run, me, name),
            Happens::Crash(me) => {
                run.faults.crash -= 1;
                self.crash(&mut run, me);
            }
            Happens::Return(me) => self.come_back(&mut run, me),
            Happens::Pause(me) => {
                run.faults.pause -= 1;
                run.processes[me.index()].paused = true;
            }
            Happens::Resume(me) => run.processes[me.index()].paused = false,
            Happens::Learn(way) => self.learn(&mut run, way),
            Happens::Deliver((from, to), place) => {
                let message = self.remove(&mut run, (from, to), place)?;
                self.take(&mut run, to, NodeInput::Message { from, message });
            }
            Happens::Lose(link, place) => {
                run.faults.lose -= 1;
                self.remove(&mut run, link, place)?;
            }
            Happens::Copy(link, place) => {
                run.faults.duplicate -= 1;
                let messages = run.links.get_mut(&link)?;
                messages.insert(place, messages[place].clone());
            }
        }
        Some(run)
    }

    fn properties(&self) -> Vec<Property<Self>> {
        vec![Property::always("mutual exclusion", Self::excludes)]
    }
}
