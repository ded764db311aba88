//! Chang and Roberts: "An Improved Algorithm for Decentralized Extrema-Finding in Circular Configurations of
//! Processes" (1979).
//!
//! Ids travel around the ring in one direction. A process passes on an id that is greater than its own id. If it has
//! already sent its own id, it swallows any smaller id. A process whose id comes back has won, and notifies all others
//! in a second round.

use super::FAMILY;
use super::{Coordinator, Initiators, Known, Ring, Term};
use crate::prelude::*;

/// The values that are fixed for a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setting {
    /// The order of the processes in the ring.
    pub ring: Ring,
    /// The processes that call an election at the start.
    pub initiators: Initiators,
    /// The processes that swallow a smaller id.
    pub swallowing: Swallowing,
}

choices! {
    /// The processes that swallow an id smaller than their own.
    pub enum Swallowing {
        Participants = "original":
            "a process that does not take part yet sends its own id instead of a smaller one: the paper",
        Everybody = "swallow-always": "a process that does not take part yet swallows smaller ids as well";
            broken: "the election dies: an id is swallowed, and no other is in transit",
    }
}

messages! {
    /// The messages.
    #[derive(Copy)]
    pub enum ChangRobertsMessage {
        "ELECT" Elect { term: u64, candidate: NodeId }:
            "The greatest id so far, on its way from the process that sent it first.",
        "COORD" Coord { term: u64, leader: NodeId }: "Announces the winner.",
    }
}

reasons! {
    pub enum Reason {
        Told: "Calls an election: told to.",
        Suspects { node: NodeId }: "Calls an election: the failure detector suspects the coordinator.",
        Returned: "Calls an election: it is back after a crash and does not know the coordinator.",
        Greater { candidate: NodeId }: "Passed an id on: it is greater.",
        Replaced { candidate: NodeId }: "Sent its own id instead of a smaller one.",
        Swallowed { candidate: NodeId }: "Swallowed a smaller id: its own is in transit.",
        CameBack: "Is the coordinator: its own id has come back.",
        Alone: "Is the coordinator: there is no other process.",
        DeadCoordinator { leader: NodeId }:
            "Calls an election: the failure detector suspects the process that this announcement names.",
        Accepted { leader: NodeId }: "Accepts this process as the coordinator.",
        RoundOver: "All processes know: the coordinator's announcement has come back.",
        Older { term: u64 }: "Ignored: it is of an older term, or of an election that is over.",
        Unexpected { from: NodeId }:
            "Ignored: it is not from the predecessor in the ring, or it is about no process of the ring.",
    }
}

/// One process of the algorithm.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct ChangRoberts {
    known: Known,
    participating: bool,
}

impl ChangRoberts {
    fn call(&mut self, turn: &mut Turn<Self>) {
        let term = self.known.next();
        turn.outcome(Outcome::called(term));
        self.join(term, turn);
        if turn.is_alone() {
            turn.because(Reason::Alone);
            return self.accept(Coordinator { term, leader: turn.me }, turn);
        }
        self.pass(turn.me, turn);
    }

    fn join(&mut self, term: u64, turn: &mut Turn<Self>) {
        if term > self.known.term() {
            self.known.raise(term, turn);
            self.participating = false;
        }
    }

    /// Sends an id to the next process: the process's own id or a received one.
    fn pass(&mut self, candidate: NodeId, turn: &mut Turn<Self>) {
        self.participating = true;
        let term = self.known.term();
        turn.send(turn.setting.ring.successor(turn.me), ChangRobertsMessage::Elect { term, candidate });
    }

    fn accept(&mut self, coordinator: Coordinator, turn: &mut Turn<Self>) {
        self.participating = false;
        self.known.take(coordinator, turn);
    }

    fn receive(&mut self, from: NodeId, message: ChangRobertsMessage, turn: &mut Turn<Self>) {
        let (ChangRobertsMessage::Elect { term, candidate: of } | ChangRobertsMessage::Coord { term, leader: of }) =
            message;
        if from != turn.setting.ring.predecessor(turn.me) || !turn.setting.ring.has(of) {
            return turn.because(Reason::Unexpected { from });
        }
        match message {
            ChangRobertsMessage::Elect { term, candidate } => self.elect((term, candidate), turn),
            ChangRobertsMessage::Coord { .. } => self.announced(Coordinator { term, leader: of }, turn),
        }
    }

    fn elect(&mut self, (term, candidate): (u64, NodeId), turn: &mut Turn<Self>) {
        self.join(term, turn);
        if term < self.known.term() || self.known.winner().is_some() {
            return turn.because(Reason::Older { term });
        }
        if candidate > turn.me {
            turn.because(Reason::Greater { candidate });
            self.pass(candidate, turn);
        } else if candidate == turn.me && self.participating {
            turn.because(Reason::CameBack);
            self.accept(Coordinator { term, leader: turn.me }, turn);
            turn.send(turn.setting.ring.successor(turn.me), ChangRobertsMessage::Coord { term, leader: turn.me });
        } else if self.participating || turn.setting.swallowing == Swallowing::Everybody {
            turn.because(Reason::Swallowed { candidate });
        } else {
            turn.because(Reason::Replaced { candidate });
            self.pass(turn.me, turn);
        }
    }

    fn announced(&mut self, theirs: Coordinator, turn: &mut Turn<Self>) {
        let Coordinator { term, leader } = theirs;
        if leader == turn.me && self.known.coordinator() == Some(theirs) {
            return turn.because(Reason::RoundOver);
        }
        if leader == turn.me || term < self.known.term() || self.known.coordinator() >= Some(theirs) {
            return turn.because(Reason::Older { term });
        }
        if self.known.suspects(leader) {
            turn.because(Reason::DeadCoordinator { leader });
            self.join(term, turn);
            return self.call(turn);
        }
        turn.because(Reason::Accepted { leader });
        self.accept(theirs, turn);
        turn.send(turn.setting.ring.successor(turn.me), ChangRobertsMessage::Coord { term, leader });
    }
}

impl Algorithm for ChangRoberts {
    type Setting = Setting;
    type Message = ChangRobertsMessage;
    type Timer = ();
    type Stored = Term;
    type Reason = Reason;

    const SENTENCES: &'static [Sentence] = Reason::SENTENCES;
    const ENTRY: Entry = Entry {
        name: "chang-roberts",
        title: "Chang–Roberts",
        source: Source {
            authors: "Ernest Chang, Rosemary Roberts",
            title: "An Improved Algorithm for Decentralized Extrema-Finding in Circular Configurations of Processes",
            year: 1979,
        },
        summary: "Ids travel round a ring; greater ones are passed on, smaller ones swallowed; the process whose id \
                  comes back wins.",
        variants: Swallowing::VARIANTS,
        // Duplication is tolerated. A duplicated id either reaches a process with a greater id, which swallows it, or
        // arrives after the end of the election.
        assumes: FAMILY.assumes,
        structure: Structure::Ring { parameter: Some("ring") },
        message_kinds: ChangRobertsMessage::KINDS,
        parameters: &[Initiators::parameter("all"), Ring::PARAMETER],
        messages_per_entry: "per election N COORD and, if all call it, 2N-1 … N(N+1)/2 ELECT, N·H_N on average; if one \
                             calls it, N+d ELECT (d hops to the highest id)",
        ..FAMILY
    };

    fn configure(configuration: &Configuration<'_>) -> Result<Setting, Refusal> {
        Ok(Setting {
            ring: Ring::configure(configuration)?,
            initiators: Initiators::configure(configuration, "all")?,
            swallowing: configuration.variant()?,
        })
    }

    fn new(_: &Setting, _: NodeId) -> Self {
        Self { known: Known::default(), participating: false }
    }

    /// Returns the initial state. Everything that the process must remember is in the stored state, which it receives
    /// with `Input::Restart`.
    fn begin_incarnation(setting: &Setting, me: NodeId, _: u32) -> Option<Self> {
        Some(Self::new(setting, me))
    }

    fn step(&mut self, setting: &Setting, me: NodeId, input: Input<Self>, out: &mut Effects<Self>) {
        let turn = &mut Turn::new(setting, me, setting.ring.length(), out);
        match input {
            Input::Start if turn.setting.initiators.contain(turn.me) => self.call(turn),
            Input::Command(Command::Elect) if !self.participating => {
                turn.because(Reason::Told);
                self.call(turn);
            }
            Input::Restart(stored) => {
                self.known = Known::restored(stored);
                turn.because(Reason::Returned);
                self.call(turn);
            }
            Input::Message { from, message } => self.receive(from, message, turn),
            Input::Suspected(node) => {
                let is_news = self.known.suspect(node);
                if is_news && !self.participating {
                    turn.because(Reason::Suspects { node });
                    self.call(turn);
                }
            }
            Input::Trusted(node) => self.known.trust(node),
            _ => {}
        }
    }

    fn objection(&self, _: &Setting, _: NodeId, command: &Command) -> Option<String> {
        let asked = self.participating && *command == Command::Elect;
        asked.then(|| format!("the election of term {} is in progress here; wait for its end", self.known.term()))
    }

    fn view(&self, setting: &Setting, me: NodeId) -> View {
        let waits_for = self.participating.then(|| setting.ring.predecessor(me));
        self.known.view(self.participating).waiting_for(waits_for)
    }
}
