//! Hirschberg and Sinclair: "Decentralized Extrema-Finding in Circular Configurations of Processors" (1980).
//!
//! In phase k, a candidate looks for a greater id up to 2^k places away on both sides of the ring. It enters the next
//! phase only if it finds none. So of any 2^k + 1 neighbours at most one enters the next phase, and there are O(N log
//! N) messages. A candidate whose PROBE comes back to it has won, and notifies all others in another round.

mod message;

use super::FAMILY;
use super::{Coordinator, Initiators, Known, Ring, Term};
use crate::prelude::*;
use Direction::{Backward, Forward};
pub use message::{Direction, HirschbergSinclairMessage, Reason};

/// The last phase, k. In the largest possible ring, 2^k places are enough to go all the way round.
const LAST_PHASE: u32 = 31;

/// The values that are fixed for a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setting {
    /// The order of the processes in the ring.
    pub ring: Ring,
    /// The processes that call an election at the start.
    pub initiators: Initiators,
}

impl Setting {
    fn next(&self, me: NodeId, direction: Direction) -> NodeId {
        match direction {
            Forward => self.ring.successor(me),
            Backward => self.ring.predecessor(me),
        }
    }
}

/// The role of a process in the election of the highest term that it has seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
enum Part {
    /// The process takes no part.
    None,
    /// The process may win. `clear` records the directions without a greater id up to 2^phase places away.
    Candidate { phase: u32, clear: Clear },
    /// The process knows of a greater id, so it cannot win.
    Lost,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
struct Clear {
    forward: bool,
    backward: bool,
}

/// A PROBE that has arrived.
#[derive(Clone, Copy)]
struct Probe {
    term: u64,
    candidate: NodeId,
    phase: u32,
    hops: u32,
    direction: Direction,
}

/// One process of the algorithm.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct HirschbergSinclair {
    known: Known,
    part: Part,
}

impl HirschbergSinclair {
    fn call(&mut self, turn: &mut Turn<Self>) {
        let term = self.known.next();
        turn.outcome(Outcome::called(term));
        self.join(term, turn);
        if turn.is_alone() {
            turn.because(Reason::Alone);
            return self.accept(Coordinator { term, leader: turn.me }, turn);
        }
        self.begin(0, turn);
    }

    fn join(&mut self, term: u64, turn: &mut Turn<Self>) {
        if term > self.known.term() {
            self.known.raise(term, turn);
            self.part = Part::None;
        }
    }

    fn begin(&mut self, phase: u32, turn: &mut Turn<Self>) {
        self.part = Part::Candidate { phase, clear: Clear::default() };
        let term = self.known.term();
        for direction in [Forward, Backward] {
            let probe = HirschbergSinclairMessage::Probe { term, candidate: turn.me, phase, hops: 1, direction };
            turn.send(turn.setting.next(turn.me, direction), probe);
        }
    }

    fn accept(&mut self, coordinator: Coordinator, turn: &mut Turn<Self>) {
        self.part = Part::None;
        self.known.take(coordinator, turn);
    }

    fn receive(&mut self, from: NodeId, message: HirschbergSinclairMessage, turn: &mut Turn<Self>) {
        let (of, heading) = match message {
            HirschbergSinclairMessage::Probe { candidate, direction, .. } => (candidate, direction),
            HirschbergSinclairMessage::Reply { candidate, direction, .. } => (candidate, direction.reverse()),
            HirschbergSinclairMessage::Coord { leader, .. } => (leader, Forward),
        };
        if from != turn.setting.next(turn.me, heading.reverse()) || !turn.setting.ring.has(of) {
            return turn.because(Reason::Unexpected { from });
        }
        match message {
            HirschbergSinclairMessage::Probe { term, candidate, phase, hops, direction } => {
                if phase > LAST_PHASE || hops == 0 || hops > 1 << phase || hops > turn.setting.ring.length() {
                    return turn.because(Reason::Unexpected { from });
                }
                self.probed(Probe { term, candidate, phase, hops, direction }, turn);
            }
            HirschbergSinclairMessage::Reply { term, candidate, phase, direction } => {
                if term != self.known.term() || self.known.winner().is_some() {
                    turn.because(Reason::Older { term });
                } else if candidate == turn.me {
                    self.replied(phase, direction, turn);
                } else {
                    turn.send(turn.setting.next(turn.me, direction.reverse()), message);
                }
            }
            HirschbergSinclairMessage::Coord { term, leader } => {
                self.announced(Coordinator { term, leader }, turn);
            }
        }
    }

    fn probed(&mut self, probe: Probe, turn: &mut Turn<Self>) {
        let Probe { term, candidate, .. } = probe;
        self.join(term, turn);
        if term < self.known.term() || self.known.winner().is_some() {
            return turn.because(Reason::Older { term });
        }
        if candidate > turn.me {
            self.part = Part::Lost;
            return Self::pass(probe, turn);
        }
        if candidate == turn.me && matches!(self.part, Part::Candidate { .. }) {
            turn.because(Reason::CameBack);
            self.accept(Coordinator { term, leader: turn.me }, turn);
            return turn
                .send(turn.setting.next(turn.me, Forward), HirschbergSinclairMessage::Coord { term, leader: turn.me });
        }
        turn.because(Reason::Swallowed { candidate });
        // This process does not take part yet, and its id is greater than the id of the candidate whose PROBE ends
        // here. So it becomes a candidate.
        if self.part == Part::None && candidate != turn.me {
            self.begin(0, turn);
        }
    }

    /// Passes on the PROBE of a greater id, or answers it if it has travelled far enough.
    fn pass(probe: Probe, turn: &mut Turn<Self>) {
        let Probe { term, candidate, phase, hops, direction } = probe;
        if hops < 1 << phase {
            turn.because(Reason::Greater { candidate });
            let hops = hops + 1;
            let further = HirschbergSinclairMessage::Probe { term, candidate, phase, hops, direction };
            turn.send(turn.setting.next(turn.me, direction), further);
        } else {
            turn.because(Reason::FarEnough { candidate });
            let reply = HirschbergSinclairMessage::Reply { term, candidate, phase, direction };
            turn.send(turn.setting.next(turn.me, direction.reverse()), reply);
        }
    }

    fn replied(&mut self, phase: u32, direction: Direction, turn: &mut Turn<Self>) {
        match &mut self.part {
            Part::Candidate { phase: current, clear } if *current == phase => {
                match direction {
                    Forward => clear.forward = true,
                    Backward => clear.backward = true,
                }
                if clear.forward && clear.backward && phase < LAST_PHASE {
                    turn.because(Reason::NextPhase { phase: phase + 1 });
                    self.begin(phase + 1, turn);
                }
            }
            _ => turn.because(Reason::Older { term: self.known.term() }),
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
        turn.send(turn.setting.next(turn.me, Forward), HirschbergSinclairMessage::Coord { term, leader });
    }
}

impl Algorithm for HirschbergSinclair {
    type Setting = Setting;
    type Message = HirschbergSinclairMessage;
    type Timer = ();
    type Stored = Term;
    type Reason = Reason;

    const SENTENCES: &'static [Sentence] = Reason::SENTENCES;
    const ENTRY: Entry = Entry {
        name: "hirschberg-sinclair",
        title: "Hirschberg–Sinclair",
        source: Source {
            authors: "Daniel Hirschberg, James Sinclair",
            title: "Decentralized Extrema-Finding in Circular Configurations of Processors",
            year: 1980,
        },
        summary: "Candidates look for greater ids on both sides of a ring, twice as far each time that they find none.",
        variants: &[Variant::new("original", "a process that swallows the PROBE of a smaller id does not answer it")],
        // Duplication is tolerated: a duplicated PROBE causes a second REPLY, which changes nothing.
        assumes: FAMILY.assumes,
        structure: Structure::Ring { parameter: Some("ring") },
        message_kinds: HirschbergSinclairMessage::KINDS,
        parameters: &[Initiators::parameter("all"), Ring::PARAMETER],
        messages_per_entry: "per election at most 8N(1 + log2 N) PROBE and REPLY, and N COORD",
        ..FAMILY
    };

    fn configure(configuration: &Configuration<'_>) -> Result<Setting, Refusal> {
        Ok(Setting { ring: Ring::configure(configuration)?, initiators: Initiators::configure(configuration, "all")? })
    }

    fn new(_: &Setting, _: NodeId) -> Self {
        Self { known: Known::default(), part: Part::None }
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
            Input::Command(Command::Elect) if self.part == Part::None => {
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
                if is_news && self.part == Part::None {
                    turn.because(Reason::Suspects { node });
                    self.call(turn);
                }
            }
            Input::Trusted(node) => self.known.trust(node),
            _ => {}
        }
    }

    fn objection(&self, _: &Setting, _: NodeId, command: &Command) -> Option<String> {
        let asked = self.part != Part::None && *command == Command::Elect;
        asked.then(|| format!("the election of term {} is in progress here; wait for its end", self.known.term()))
    }

    fn view(&self, setting: &Setting, me: NodeId) -> View {
        let mut view = self.known.view(self.part != Part::None);
        match self.part {
            Part::Candidate { phase, clear } => {
                view.variables.insert("phase".into(), Value::number(phase.into()));
                let open = [(Forward, clear.forward), (Backward, clear.backward)];
                view.waits_for =
                    open.into_iter().filter(|(_, clear)| !clear).map(|(way, _)| setting.next(me, way)).collect();
                view.waits_for.dedup();
            }
            Part::Lost => view.waits_for = [setting.ring.predecessor(me)].into(),
            Part::None => {}
        }
        view
    }
}
