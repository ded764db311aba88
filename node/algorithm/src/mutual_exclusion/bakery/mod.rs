//! Lamport 1974, "A New Solution of Dijkstra's Concurrent Programming Problem", CACM 17(8): the bakery.
//!
//! Who wants the section draws a number greater than all he sees, and waits for those with smaller ones. Each process
//! writes only its own variables, `choosing` and `number`. They are shared by messages, in one of two ways: *pull*,
//! where a process asks for the value each time it wants to look; and *push*, where it tells everybody each time it
//! writes, and goes on when all have acknowledged that.

mod message;

use alloc::collections::{BTreeMap, BTreeSet};
use alloc::vec;
use alloc::vec::Vec;

use serde::{Deserialize, Serialize};

pub use self::message::{BakeryMessage, Reason, Variable};
use super::phase::{Claim, Phase};
use crate::catalogue::{Assumptions, Entry, LockUse, Source, Variant};
use crate::command::Command;
use crate::conduct::{Arrival, Conduct};
use crate::configuration::{Configuration, Refusal};
use crate::contract::{Algorithm, Effects, Input};
use crate::identity::NodeId;
use crate::view::{Value, View};

/// What is fixed for a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Setting {
    /// The number of nodes.
    pub nodes: u32,
    /// How variables are shared, and which.
    pub sharing: Sharing,
}

/// How variables are shared, and which.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sharing {
    /// Asked for at each look.
    Pull,
    /// Told at each change.
    Push,
    /// As [`Pull`](Self::Pull), without `choosing`: wrong.
    PullNumbersOnly,
}

const SHARINGS: [(&str, Sharing); 3] =
    [("pull", Sharing::Pull), ("push", Sharing::Push), ("no-choosing", Sharing::PullNumbersOnly)];

/// Where in its program a process is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
enum Place {
    Rest,
    /// Pull: waits for everybody's number.
    ReadingNumbers,
    /// Pull: waits for this process's variable.
    Testing(NodeId, Variable),
    /// Push: waits until all know that it is choosing.
    Announcing,
    /// Push: waits until all know its number.
    Showing,
    /// Push: waits until all know that it has chosen.
    Finishing,
    /// Push: waits for the others' variables to change.
    Watching,
    /// Push: waits until all know that it has left.
    Leaving,
}

/// One process of the algorithm.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Bakery {
    phase: Phase<()>,
    place: Place,
    choosing: bool,
    number: u64,
    /// The greatest number seen while choosing.
    greatest: u64,
    /// Whose answer is missing.
    awaited: BTreeSet<NodeId>,
    /// Push: everybody's variables as last told, `choosing` and `number`.
    copies: Vec<(bool, u64)>,
}

impl Bakery {
    fn acquire(&mut self, setting: &Setting, me: NodeId, claim: Claim<()>, out: &mut Effects<Self>) {
        self.phase = Phase::Wanting(claim);
        out.outcome(claim.requested());
        match setting.sharing {
            Sharing::Push if self.place == Place::Leaving => out.because(Reason::StillLeaving),
            Sharing::Push => self.announce(setting, me, out),
            Sharing::Pull | Sharing::PullNumbersOnly => self.read_numbers(setting, me, out),
        }
    }

    fn release(&mut self, setting: &Setting, me: NodeId, out: &mut Effects<Self>) {
        let Phase::InSection(claim) = self.phase else { return };
        self.phase = Phase::Idle;
        self.place = Place::Rest;
        self.number = 0;
        out.outcome(claim.exited());
        if setting.sharing == Sharing::Push {
            self.write(setting, me, Place::Leaving, Variable::Number, out);
        }
    }

    fn enter(&mut self, out: &mut Effects<Self>) {
        let Phase::Wanting(claim) = self.phase else { return };
        self.phase = Phase::InSection(claim);
        self.place = Place::Rest;
        out.because(Reason::NobodyBefore { ours: self.number });
        out.outcome(claim.entered());
    }

    fn draw(&mut self, out: &mut Effects<Self>) {
        self.number = self.greatest.saturating_add(1);
        self.greatest = 0;
        out.because(Reason::Drew { number: self.number });
    }

    const fn own(&self, variable: Variable) -> u64 {
        match variable {
            Variable::Choosing => self.choosing as u64,
            Variable::Number => self.number,
        }
    }

    /// Why this process must wait for another whose variable is this, if it must.
    fn obstacle(&self, me: NodeId, process: NodeId, variable: Variable, value: u64) -> Option<Reason> {
        match variable {
            Variable::Choosing => (value != 0).then_some(Reason::StillChoosing { process }),
            Variable::Number => (value != 0 && (value, process) < (self.number, me)).then_some(Reason::Before {
                process,
                theirs: value,
                ours: self.number,
            }),
        }
    }
}

/// Pull.
impl Bakery {
    fn read_numbers(&mut self, setting: &Setting, me: NodeId, out: &mut Effects<Self>) {
        self.choosing = setting.sharing == Sharing::Pull;
        self.greatest = 0;
        self.place = Place::ReadingNumbers;
        self.awaited = others(setting, me);
        if self.awaited.is_empty() {
            self.number_chosen(setting, me, out);
        } else {
            out.multicast(BakeryMessage::Read { variable: Variable::Number });
        }
    }

    fn number_chosen(&mut self, setting: &Setting, me: NodeId, out: &mut Effects<Self>) {
        self.draw(out);
        self.choosing = false;
        self.test_next(setting, me, 0, out);
    }

    /// Looks at the first process from `next` on, or enters if there is none.
    fn test_next(&mut self, setting: &Setting, me: NodeId, next: u32, out: &mut Effects<Self>) {
        let first = match setting.sharing {
            Sharing::PullNumbersOnly => Variable::Number,
            Sharing::Pull | Sharing::Push => Variable::Choosing,
        };
        match (next..setting.nodes).map(NodeId).find(|&process| process != me) {
            Some(process) => self.look(process, first, out),
            None => self.enter(out),
        }
    }

    fn look(&mut self, process: NodeId, variable: Variable, out: &mut Effects<Self>) {
        self.place = Place::Testing(process, variable);
        out.send(process, BakeryMessage::Read { variable });
    }

    fn seen(
        &mut self,
        setting: &Setting,
        me: NodeId,
        from: NodeId,
        (variable, value): (Variable, u64),
        out: &mut Effects<Self>,
    ) {
        match self.place {
            Place::ReadingNumbers if variable == Variable::Number && self.awaited.remove(&from) => {
                self.greatest = self.greatest.max(value);
                if self.awaited.is_empty() {
                    self.number_chosen(setting, me, out);
                }
            }
            Place::Testing(process, expected) if (process, expected) == (from, variable) => {
                match (self.obstacle(me, from, variable, value), variable) {
                    (Some(obstacle), _) => {
                        out.because(obstacle);
                        self.look(from, variable, out);
                    }
                    (None, Variable::Choosing) => self.look(from, Variable::Number, out),
                    (None, Variable::Number) => self.test_next(setting, me, from.0.saturating_add(1), out),
                }
            }
            _ => out.because(Reason::Unexpected { from }),
        }
    }
}

/// Push.
impl Bakery {
    fn announce(&mut self, setting: &Setting, me: NodeId, out: &mut Effects<Self>) {
        self.choosing = true;
        self.write(setting, me, Place::Announcing, Variable::Choosing, out);
    }

    /// Tells everybody one's own variable.
    fn write(&mut self, setting: &Setting, me: NodeId, place: Place, variable: Variable, out: &mut Effects<Self>) {
        self.place = place;
        self.awaited = others(setting, me);
        if self.awaited.is_empty() {
            self.written(setting, me, out);
        } else {
            out.multicast(BakeryMessage::Write { variable, value: self.own(variable) });
        }
    }

    fn acknowledged(&mut self, setting: &Setting, me: NodeId, from: NodeId, out: &mut Effects<Self>) {
        if setting.sharing != Sharing::Push || !self.awaited.remove(&from) {
            return out.because(Reason::Unexpected { from });
        }
        if self.awaited.is_empty() {
            self.written(setting, me, out);
        }
    }

    /// Everybody knows what was written last.
    fn written(&mut self, setting: &Setting, me: NodeId, out: &mut Effects<Self>) {
        match self.place {
            Place::Announcing => {
                self.greatest = self.copies.iter().map(|&(_, number)| number).max().unwrap_or_default();
                self.draw(out);
                self.write(setting, me, Place::Showing, Variable::Number, out);
            }
            Place::Showing => {
                self.choosing = false;
                self.write(setting, me, Place::Finishing, Variable::Choosing, out);
            }
            Place::Finishing => {
                self.place = Place::Watching;
                self.watch(me, out);
            }
            Place::Leaving => {
                self.place = Place::Rest;
                if matches!(self.phase, Phase::Wanting(_)) {
                    self.announce(setting, me, out);
                }
            }
            _ => {}
        }
    }

    fn told(&mut self, me: NodeId, from: NodeId, (variable, value): (Variable, u64), out: &mut Effects<Self>) {
        if let Some(copy) = self.copies.get_mut(from.index()) {
            match variable {
                Variable::Choosing => copy.0 = value != 0,
                Variable::Number => copy.1 = value,
            }
        }
        out.send(from, BakeryMessage::Ack {});
        self.watch(me, out);
    }

    /// Enters if nobody is choosing and nobody is before this process.
    fn watch(&mut self, me: NodeId, out: &mut Effects<Self>) {
        if self.place != Place::Watching {
            return;
        }
        let obstacle = self.obstacles(me).next().map(|(_, obstacle)| obstacle);
        match obstacle {
            Some(obstacle) => out.because(obstacle),
            None => self.enter(out),
        }
    }

    /// Whom this process must wait for, as far as it has been told, and why.
    fn obstacles(&self, me: NodeId) -> impl Iterator<Item = (NodeId, Reason)> {
        let others = (0..).map(NodeId).zip(&self.copies).filter(move |&(process, _)| process != me);
        others.filter_map(move |(process, &(choosing, number))| {
            let obstacle = self.obstacle(me, process, Variable::Choosing, choosing.into());
            let obstacle = obstacle.or_else(|| self.obstacle(me, process, Variable::Number, number));
            obstacle.map(|obstacle| (process, obstacle))
        })
    }
}

fn others(setting: &Setting, me: NodeId) -> BTreeSet<NodeId> {
    NodeId::all(setting.nodes).filter(|&node| node != me).collect()
}

impl Algorithm for Bakery {
    type Setting = Setting;
    type Message = BakeryMessage;
    type Timer = ();
    type Stored = ();
    type Reason = Reason;

    const ENTRY: Entry = Entry {
        name: "bakery",
        title: "Lamport's bakery",
        family: "mutual-exclusion",
        source: Source {
            authors: "Leslie Lamport",
            title: "A New Solution of Dijkstra's Concurrent Programming Problem",
            year: 1974,
        },
        summary: "Draw a number greater than all you see, and wait for those with smaller ones.",
        variants: &[
            Variant {
                name: "pull",
                summary: "a variable of another is asked for at each look, again and again while waiting",
                broken: None,
            },
            Variant {
                name: "push",
                summary: "everybody is told of each change, which is complete when all have acknowledged it",
                broken: None,
            },
            Variant {
                name: "no-choosing",
                summary: "as pull, without waiting for those who are drawing a number",
                broken: Some("two can be in the section: one may draw a small number late"),
            },
        ],
        // At most one message of a kind is on a link at a time. A late copy would be an old value, or count for another.
        assumes: Assumptions {
            fifo: false,
            no_loss: true,
            no_duplication: true,
            no_crash: true,
            ..Assumptions::ASYNCHRONOUS
        },
        commands: &["acquire", "release"],
        locks: LockUse::Instances,
        message_kinds: &["READ", "VALUE", "WRITE", "ACK"],
        background_kinds: &[],
        token_kinds: &[],
        keeps_order: &[],
        conduct: Conduct { arrival: Arrival::Doorway, ..Conduct::PLAIN },
        parameters: &[],
        messages_per_entry: "pull: 6(N-1), more while waiting; push: 8(N-1)",
    };

    fn configure(configuration: &Configuration<'_>) -> Result<Setting, Refusal> {
        configuration.refuse_unknown_parameters(&Self::ENTRY)?;
        Ok(Setting { nodes: configuration.nodes, sharing: configuration.variant_as(&SHARINGS)? })
    }

    fn new(setting: &Setting, _: NodeId) -> Self {
        let copies = if setting.sharing == Sharing::Push { setting.nodes as usize } else { 0 };
        Self {
            phase: Phase::Idle,
            place: Place::Rest,
            choosing: false,
            number: 0,
            greatest: 0,
            awaited: BTreeSet::new(),
            copies: vec![(false, 0); copies],
        }
    }

    /// Its own variables read as 0 and false, as those of a dead process do. Those of the others it can look at again,
    /// unless they tell of changes only.
    fn begin_incarnation(setting: &Setting, me: NodeId, _: u32) -> Option<Self> {
        (setting.sharing != Sharing::Push || setting.nodes == 1).then(|| Self::new(setting, me))
    }

    fn step(&mut self, setting: &Setting, me: NodeId, input: Input<Self>, out: &mut Effects<Self>) {
        match input {
            Input::Command(Command::Acquire { lock, request }) => {
                self.acquire(setting, me, Claim::new(lock, request), out);
            }
            Input::Command(Command::Release { .. }) => self.release(setting, me, out),
            Input::Message { from, message } => match message {
                BakeryMessage::Read { variable } => {
                    out.send(from, BakeryMessage::Value { variable, value: self.own(variable) });
                }
                BakeryMessage::Value { variable, value } => self.seen(setting, me, from, (variable, value), out),
                BakeryMessage::Write { variable, value } => self.told(me, from, (variable, value), out),
                BakeryMessage::Ack {} => self.acknowledged(setting, me, from, out),
            },
            // Nothing is stored: after a crash a process knows no more than at the start.
            Input::Start | Input::Restart(_) | Input::Timer(()) | Input::Command(_) => {}
        }
    }

    fn view(&self, _: &Setting, me: NodeId) -> View {
        let mut view = View {
            waits_for: match self.place {
                Place::Testing(process, _) => [process].into(),
                Place::Watching => self.obstacles(me).map(|(process, _)| process).collect(),
                _ => self.awaited.iter().copied().collect(),
            },
            variables: BTreeMap::from([
                ("choosing".into(), Value::Flag(self.choosing)),
                ("number".into(), Value::number(self.number)),
            ]),
            ..View::default()
        };
        if !self.copies.is_empty() {
            let numbers: Vec<u64> = self.copies.iter().map(|&(_, number)| number).collect();
            view.variables.insert("numbers_known".into(), Value::numbers(&numbers));
        }
        view
    }
}
