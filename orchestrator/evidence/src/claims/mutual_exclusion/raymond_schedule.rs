//! Raymond's processes on one tree, in one schedule: what happens next is drawn from all that can. A message may
//! overtake any other. After each step the rules are looked at that must hold between the steps.

use interlock_algorithm::mutual_exclusion::raymond::{Raymond, RaymondMessage, Setting};
use interlock_algorithm::{
    Algorithm, Command, Effect, Effects, Input, LockId, NodeId, Outcome, Recipients, RequestId, Value,
};
use interlock_machine::draw::draw;

/// What a schedule broke.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Broken {
    /// ME1: two are inside.
    TwoInside,
    /// There are more privileges than one, or none.
    Privileges(usize),
    /// From this process, HOLDER by HOLDER, one does not get to the privilege.
    Astray(NodeId),
    /// ME2, ME3: nothing can happen any more, and somebody waits.
    Stuck,
}

/// What the client of a process does.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Client {
    Idle,
    Wanting,
    Inside,
}

/// Something that can happen next.
enum Choice {
    Acquire(NodeId),
    Release(NodeId),
    /// The message at this place arrives.
    Arrive(usize),
}

/// The processes, their clients, and the messages between them.
pub(super) struct Schedule {
    setting: Setting,
    processes: Vec<Raymond>,
    clients: Vec<Client>,
    /// How often each client will ask.
    wishes: Vec<u32>,
    /// HOLDER of each process; oneself for who has the privilege.
    holders: Vec<Option<NodeId>>,
    under_way: Vec<(NodeId, NodeId, RaymondMessage)>,
}

impl Schedule {
    /// The processes after their start, each of whose clients will ask so often.
    pub fn new(setting: Setting, nodes: u32, entries: u32) -> Self {
        let count = NodeId::all(nodes).len();
        let mut schedule = Self {
            processes: NodeId::all(nodes).map(|node| Raymond::new(&setting, node)).collect(),
            setting,
            clients: vec![Client::Idle; count],
            wishes: vec![entries; count],
            holders: vec![None; count],
            under_way: Vec::new(),
        };
        for node in NodeId::all(nodes) {
            schedule.step(node, Input::Start);
        }
        schedule
    }

    /// Plays the schedule of this seed to its end, or until it breaks a rule.
    pub fn play(mut self, seed: u64) -> Result<(), Broken> {
        for turn in 0.. {
            let mut choices = self.choices();
            if choices.is_empty() {
                break;
            }
            let drawn = draw(&[seed, turn]) % choices.len() as u64;
            match choices.swap_remove(usize::try_from(drawn).unwrap_or_default()) {
                Choice::Acquire(node) => {
                    self.wishes[node.index()] -= 1;
                    let request = RequestId(self.wishes[node.index()].into());
                    self.step(node, Input::Command(Command::Acquire { lock: LockId(0), request }));
                }
                Choice::Release(node) => {
                    let request = RequestId(self.wishes[node.index()].into());
                    self.step(node, Input::Command(Command::Release { lock: LockId(0), request }));
                }
                Choice::Arrive(place) => {
                    let (from, to, message) = self.under_way.swap_remove(place);
                    self.step(to, Input::Message { from, message });
                }
            }
            self.check()?;
        }
        if self.clients.iter().all(|client| *client == Client::Idle) { Ok(()) } else { Err(Broken::Stuck) }
    }

    fn choices(&self) -> Vec<Choice> {
        let clients = (0..).map(NodeId).zip(&self.clients).filter_map(|(node, client)| match client {
            Client::Idle if self.wishes[node.index()] > 0 => Some(Choice::Acquire(node)),
            Client::Idle | Client::Wanting => None,
            Client::Inside => Some(Choice::Release(node)),
        });
        clients.chain((0..self.under_way.len()).map(Choice::Arrive)).collect()
    }

    fn step(&mut self, node: NodeId, input: Input<Raymond>) {
        let mut effects = Effects::default();
        let process = &mut self.processes[node.index()];
        process.step(&self.setting, node, input, &mut effects);
        self.holders[node.index()] = match process.view(&self.setting, node).variables.get("HOLDER") {
            Some(Value::Number(holder)) => u32::try_from(*holder).ok().map(NodeId),
            Some(Value::Text(word)) if word == "self" => Some(node),
            _ => None,
        };
        for effect in effects.drain() {
            match effect {
                Effect::Send { to: Recipients::One(to), message } => self.under_way.push((node, to, message)),
                Effect::Outcome(outcome) => {
                    self.clients[node.index()] = match outcome {
                        Outcome::Requested { .. } => Client::Wanting,
                        Outcome::Entered { .. } => Client::Inside,
                        Outcome::Exited { .. } => Client::Idle,
                        _ => continue,
                    };
                }
                _ => {}
            }
        }
    }

    fn check(&self) -> Result<(), Broken> {
        if self.clients.iter().filter(|client| **client == Client::Inside).count() > 1 {
            return Err(Broken::TwoInside);
        }
        let on_the_way: Vec<_> =
            self.under_way.iter().filter(|(_, _, message)| *message == RaymondMessage::Privilege {}).collect();
        let at_rest = || (0..).map(NodeId).zip(&self.holders).filter(|(node, holder)| **holder == Some(*node));
        match on_the_way.len() + at_rest().count() {
            1 => {}
            count => return Err(Broken::Privileges(count)),
        }
        // While the privilege is on its way, the two ends of that edge point at each other.
        let there = |node: NodeId| {
            self.holders[node.index()] == Some(node)
                || on_the_way.iter().any(|(from, to, _)| node == *from || node == *to)
        };
        for node in (0..).map(NodeId).take(self.holders.len()) {
            let mut way = std::iter::successors(Some(node), |node| self.holders[node.index()]);
            // Who has not heard INITIALIZE yet knows no way.
            let known = way.by_ref().take(self.holders.len()).any(there) || way.next().is_none();
            if !known {
                return Err(Broken::Astray(node));
            }
        }
        Ok(())
    }
}
