//! Lamport 1974, "A New Solution of Dijkstra's Concurrent Programming Problem", CACM 17(8): the bakery.
//!
//! A process that wants the critical section draws a number greater than all numbers it sees. Then it waits for the
//! processes with smaller numbers. Each process writes only its own variables, `choosing` and `number`. Processes
//! share their variables by messages, in one of two ways. *Pull*: a process asks for a value each time it wants to
//! read it. *Push*: a process sends each new value to all others, and continues when all have acknowledged the value.
//!
//! In the paper a process may crash, provided that its variables then read as 0 and false. Over messages, a failure
//! detector must report the crash. While a process is suspected, the others use 0 and false as its values and do not
//! wait for it. A process that comes back draws a number only after all live processes have answered it. When a
//! process answers, it trusts the returning process again. If writes are pushed, a process that has been suspected
//! never takes part again, because it has lost its copies of the others' variables. Without a detector, all processes
//! wait for the crashed processes. With a detector that makes mistakes, two processes can be in the section.

use super::prelude::*;
use crate::conduct::Arrival;

/// One process of the algorithm.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Bakery {
    /// Incarnation of this process, counted from 1.
    life: u32,
    section: Section<()>,
    place: Place,
    choosing: bool,
    number: u64,
    /// Greatest number seen while choosing.
    greatest: u64,
    /// Processes whose answer is missing.
    awaited: FlatSet<NodeId>,
    /// Push: the latest variables received from each process, `choosing` and `number`.
    copies: Vec<(bool, u64)>,
    /// Processes that the failure detector suspects. Their variables read as 0 and false.
    suspected: FlatSet<NodeId>,
}

/// The position of a process in its program.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
enum Place {
    #[default]
    Rest,
    /// Pull: waits for the numbers of all processes.
    ReadingNumbers,
    /// Pull: waits for the value of one variable of another process.
    Testing(NodeId, Variable),
    /// Push: waits until all others have acknowledged that this process is choosing.
    Announcing,
    /// Push: waits until all others have acknowledged this process's number.
    Showing,
    /// Push: waits until all others have acknowledged that this process has finished choosing.
    Finishing,
    /// Push: waits for the others' variables to change.
    Watching,
    /// Push: waits until all others have acknowledged that this process has left.
    Leaving,
}

/// A variable of a process.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Variable {
    /// 1 while the process is drawing a number, otherwise 0.
    Choosing,
    /// The number drawn; 0 if none.
    Number,
}

messages! {
    /// The messages that share variables.
    #[derive(Copy)]
    pub enum BakeryMessage {
        "READ" Read {
            variable: Variable,
            /// Incarnation of the sender, which requests the value.
            life: u32,
        }: "Asks the recipient for one of its variables.",
        "VALUE" Value {
            variable: Variable,
            value: u64,
            /// Incarnation of the recipient at the time of its READ.
            life: u32,
        }: "Answers with the value.",
        "WRITE" Write { variable: Variable, value: u64 }: "A variable of the sender has changed.",
        "ACK" Ack {}: "Acknowledges the change.",
    }
}

impl Bakery {
    fn acquire(&mut self, asked: Asked, turn: &mut Turn<Self>) {
        self.section.request(asked, (), turn);
        match turn.setting.sharing {
            Sharing::Push if self.place == Place::Leaving => turn.because(Reason::StillLeaving),
            Sharing::Push => self.announce(turn),
            Sharing::Pull | Sharing::PullNumbersOnly => self.read_numbers(turn),
        }
    }

    fn release(&mut self, turn: &mut Turn<Self>) {
        let Some(()) = self.section.exit(turn) else { return };
        self.number = 0;
        if turn.setting.sharing == Sharing::Push {
            self.write(Place::Leaving, Variable::Number, turn);
        }
    }

    fn receive(&mut self, from: NodeId, message: BakeryMessage, turn: &mut Turn<Self>) {
        match message {
            BakeryMessage::Read { variable, life } => {
                turn.send(from, BakeryMessage::Value { variable, value: self.own(variable), life });
            }
            BakeryMessage::Value { variable, value, life } if life == self.life => {
                self.seen(from, variable, value, turn);
            }
            BakeryMessage::Value { .. } => turn.because(Reason::Unexpected { from }),
            BakeryMessage::Write { variable, value } => self.told(from, variable, value, turn),
            BakeryMessage::Ack {} => self.acknowledged(from, turn),
        }
    }

    fn enter(&mut self, turn: &mut Turn<Self>) {
        self.place = Place::Rest;
        self.section.enter(Reason::NobodyBefore { ours: self.number }, turn);
    }

    fn draw(&mut self, turn: &mut Turn<Self>) {
        self.number = self.greatest.saturating_add(1);
        self.greatest = 0;
        turn.because(Reason::Drew { number: self.number });
    }

    const fn own(&self, variable: Variable) -> u64 {
        match variable {
            Variable::Choosing => self.choosing as u64,
            Variable::Number => self.number,
        }
    }

    /// Returns the reason to wait for `process` if its `variable` has this `value`, or `None` if there is no such
    /// reason.
    fn obstacle(&self, me: NodeId, process: NodeId, variable: Variable, value: u64) -> Option<Reason> {
        let (theirs, ours) = (value, self.number);
        match variable {
            Variable::Choosing if value != 0 => Some(Reason::StillChoosing { process }),
            Variable::Number if value != 0 && (theirs, process) < (ours, me) => {
                Some(Reason::Before { process, theirs, ours })
            }
            Variable::Choosing | Variable::Number => None,
        }
    }
}

/// Reactions to the failure detector.
impl Bakery {
    fn suspected(&mut self, process: NodeId, turn: &mut Turn<Self>) {
        self.suspected.insert(process);
        turn.because(Reason::ReadsAsZero { process });
        if let Some(copy) = self.copies.get_mut(process.index()) {
            *copy = (false, 0);
        }
        let was_awaited = self.awaited.remove(&process);
        match self.place {
            Place::ReadingNumbers if was_awaited => self.choose_number_if_all_read(turn),
            Place::Testing(tested, _) if tested == process => self.test_next(process.0.saturating_add(1), turn),
            Place::Watching => self.watch(turn),
            _ if was_awaited => self.go_on_if_all_know(turn),
            _ => {}
        }
    }

    fn trusted(&mut self, process: NodeId, turn: &mut Turn<Self>) {
        if turn.setting.sharing != Sharing::Push && self.suspected.remove(&process) {
            turn.because(Reason::ReadAgain { process });
        }
    }

    /// Returns the other processes that are not suspected.
    fn living(&self, turn: &Turn<Self>) -> FlatSet<NodeId> {
        turn.others().filter(|process| !self.suspected.contains(process)).collect()
    }
}

/// Sharing by pull.
impl Bakery {
    fn read_numbers(&mut self, turn: &mut Turn<Self>) {
        self.choosing = turn.setting.sharing == Sharing::Pull;
        self.greatest = 0;
        self.place = Place::ReadingNumbers;
        self.awaited = self.living(turn);
        turn.multicast(BakeryMessage::Read { variable: Variable::Number, life: self.life });
        self.choose_number_if_all_read(turn);
    }

    fn choose_number_if_all_read(&mut self, turn: &mut Turn<Self>) {
        if self.awaited.is_empty() {
            self.draw(turn);
            self.choosing = false;
            self.test_next(0, turn);
        }
    }

    /// Reads the variables of the first other process from index `next` on. If no such process is left, enters.
    fn test_next(&mut self, next: u32, turn: &mut Turn<Self>) {
        let first = match turn.setting.sharing {
            Sharing::PullNumbersOnly => Variable::Number,
            Sharing::Pull | Sharing::Push => Variable::Choosing,
        };
        let is_read = |process: &NodeId| *process != turn.me && !self.suspected.contains(process);
        match (next..turn.setting.nodes).map(NodeId).find(is_read) {
            Some(process) => self.look(process, first, turn),
            None => self.enter(turn),
        }
    }

    fn look(&mut self, process: NodeId, variable: Variable, turn: &mut Turn<Self>) {
        self.place = Place::Testing(process, variable);
        turn.send(process, BakeryMessage::Read { variable, life: self.life });
    }

    fn seen(&mut self, from: NodeId, variable: Variable, value: u64, turn: &mut Turn<Self>) {
        match self.place {
            Place::ReadingNumbers if variable == Variable::Number && self.awaited.remove(&from) => {
                self.greatest = self.greatest.max(value);
                self.choose_number_if_all_read(turn);
            }
            Place::Testing(process, expected) if (process, expected) == (from, variable) => {
                match (self.obstacle(turn.me, from, variable, value), variable) {
                    (Some(obstacle), _) => {
                        turn.because(obstacle);
                        self.look(from, variable, turn);
                    }
                    (None, Variable::Choosing) => self.look(from, Variable::Number, turn),
                    (None, Variable::Number) => self.test_next(from.0.saturating_add(1), turn),
                }
            }
            _ => turn.because(Reason::Unexpected { from }),
        }
    }
}

/// Sharing by push.
impl Bakery {
    fn announce(&mut self, turn: &mut Turn<Self>) {
        self.choosing = true;
        self.write(Place::Announcing, Variable::Choosing, turn);
    }

    /// Sends a variable of this process to all others.
    fn write(&mut self, place: Place, variable: Variable, turn: &mut Turn<Self>) {
        self.place = place;
        self.awaited = self.living(turn);
        turn.multicast(BakeryMessage::Write { variable, value: self.own(variable) });
        self.go_on_if_all_know(turn);
    }

    fn acknowledged(&mut self, from: NodeId, turn: &mut Turn<Self>) {
        if turn.setting.sharing != Sharing::Push || !self.awaited.remove(&from) {
            return turn.because(Reason::Unexpected { from });
        }
        self.go_on_if_all_know(turn);
    }

    /// Continues with the program if all others have acknowledged the last write.
    fn go_on_if_all_know(&mut self, turn: &mut Turn<Self>) {
        match self.place {
            _ if !self.awaited.is_empty() => {}
            Place::Announcing => {
                self.greatest = self.copies.iter().map(|&(_, number)| number).max().unwrap_or_default();
                self.draw(turn);
                self.write(Place::Showing, Variable::Number, turn);
            }
            Place::Showing => {
                self.choosing = false;
                self.write(Place::Finishing, Variable::Choosing, turn);
            }
            Place::Finishing => {
                self.place = Place::Watching;
                self.watch(turn);
            }
            Place::Leaving => {
                self.place = Place::Rest;
                if self.section.is_wanting() {
                    self.announce(turn);
                }
            }
            _ => {}
        }
    }

    fn told(&mut self, from: NodeId, variable: Variable, value: u64, turn: &mut Turn<Self>) {
        // The last write of a crashed process may arrive after the failure detector has reported the crash.
        if self.suspected.contains(&from) {
            return turn.because(Reason::WroteBeforeDeath { from });
        }
        if let Some((choosing, number)) = self.copies.get_mut(from.index()) {
            match variable {
                Variable::Choosing => *choosing = value != 0,
                Variable::Number => *number = value,
            }
        }
        turn.send(from, BakeryMessage::Ack {});
        self.watch(turn);
    }

    /// Enters if no other process is choosing and no process with a number comes before this process.
    fn watch(&mut self, turn: &mut Turn<Self>) {
        if self.place != Place::Watching {
            return;
        }
        let obstacle = self.obstacles(turn.me).next();
        match obstacle {
            Some((_, obstacle)) => turn.because(obstacle),
            None => self.enter(turn),
        }
    }

    /// Returns the processes for which this process must wait according to its copies of their variables, with the
    /// reasons.
    fn obstacles(&self, me: NodeId) -> impl Iterator<Item = (NodeId, Reason)> {
        let others = (0..).map(NodeId).zip(&self.copies).filter(move |&(process, _)| process != me);
        others.filter_map(move |(process, &(choosing, number))| {
            let obstacle = self.obstacle(me, process, Variable::Choosing, choosing.into());
            let obstacle = obstacle.or_else(|| self.obstacle(me, process, Variable::Number, number));
            obstacle.map(|obstacle| (process, obstacle))
        })
    }
}

reasons! {
    pub enum Reason {
        Drew { number: u64 }: "Drew a number: one more than the greatest seen.",
        StillChoosing { process: NodeId }: "Keeps waiting: that process is drawing a number.",
        Before { process: NodeId, theirs: u64, ours: u64 }:
            "Keeps waiting: that process comes before this one, by their numbers.",
        NobodyBefore { ours: u64 }: "Entered: no process comes before this one, by their numbers.",
        StillLeaving: "Keeps waiting: not all processes know yet that it has left the critical section.",
        ReadsAsZero { process: NodeId }: "That process has crashed: its number counts as 0, and it is not choosing.",
        ReadAgain { process: NodeId }: "That process is alive: its variables count again.",
        WroteBeforeDeath { from: NodeId }: "Ignored: the sender has crashed since, so its variables read as 0.",
        Unexpected { from: NodeId }: "Ignored: no such answer is expected from there.",
    }
}

choices! {
    /// How processes share their variables, and which variables they share.
    pub enum Sharing {
        Pull = "pull": "a process asks for another's variable at each read, again and again while it waits",
        Push = "push":
            "a process announces each change of a variable to all; the change is complete when all have acknowledged \
            it",
        PullNumbersOnly = "no-choosing": "as pull, without waiting for processes that are drawing a number";
            broken: "mutual exclusion can be violated: a process may draw a small number late",
    }
}

setting! { |configuration|
    sharing: Sharing = configuration.variant()?,
}

impl Algorithm for Bakery {
    steps!(BakeryMessage: acquire, release, receive, suspected suspected, trusted trusted);

    const ENTRY: Entry = Entry {
        name: "bakery",
        title: "Lamport's bakery",
        source: Source {
            authors: "Leslie Lamport",
            title: "A New Solution of Dijkstra's Concurrent Programming Problem",
            year: 1974,
        },
        summary: "A process draws a number greater than all that it sees, and waits for those with smaller ones.",
        variants: Sharing::VARIANTS,
        // FIFO links are unnecessary, because a link carries at most one message of a kind at a time. Duplication is
        // not tolerated: a late duplicate would carry an old value, or count as the answer to a later message.
        assumes: FAMILY.assumes,
        message_kinds: BakeryMessage::KINDS,
        conduct: Conduct { arrival: Arrival::Doorway, heeds_suspicions: &["pull"], ..FAMILY.conduct },
        messages_per_entry: "pull: 6(N-1), more while waiting; push: 8(N-1)",
        ..FAMILY
    };

    fn new(setting: &Setting, _: NodeId) -> Self {
        let copies = if setting.sharing == Sharing::Push { setting.nodes as usize } else { 0 };
        Self { life: 1, copies: vec![(false, 0); copies], ..Self::default() }
    }

    /// Returns the initial state, or `None` if the process may not take part again. In the initial state, the
    /// process's own variables read as 0 and false, like the variables of a crashed process. In the pull variants,
    /// the process can read the others' variables again. In the push variant it cannot, because processes send only
    /// changes. Messages name the incarnation, because a late answer to an earlier incarnation may be outdated.
    fn begin_incarnation(setting: &Setting, me: NodeId, incarnation: u32) -> Option<Self> {
        let takes_part = setting.sharing != Sharing::Push || setting.nodes == 1;
        takes_part.then(|| Self { life: incarnation, ..Self::new(setting, me) })
    }

    fn view(&self, _: &Setting, me: NodeId) -> View {
        let waits_for = match self.place {
            Place::Testing(process, _) => [process].into(),
            Place::Watching => self.obstacles(me).map(|(process, _)| process).collect(),
            _ => self.awaited.clone(),
        };
        let numbers: Vec<u64> = self.copies.iter().map(|&(_, number)| number).collect();
        View::default()
            .waiting_for(waits_for)
            .with("choosing", Value::Flag(self.choosing))
            .with("number", Value::number(self.number))
            .with("numbers_known", (!numbers.is_empty()).then(|| Value::numbers(&numbers)))
            .with("suspected", Value::some_nodes(&self.suspected))
    }
}
