//! A second, short implementation of Ricart and Agrawala's algorithm, with a selectable mistake. Without a mistake,
//! this implementation is correct. So if a test with a mistake reports a violation, the mistake is the cause.

use std::collections::BTreeSet;

use interlock_algorithm::clock::{Clock, Timestamp};
use interlock_algorithm::mutual_exclusion::ricart_agrawala::RicartAgrawala;
use interlock_algorithm::{
    Algorithm, Command, Configuration, Effects, Entry, Input, LockId, Message, NodeId, Outcome, Refusal, RequestId,
    View,
};
use serde::{Deserialize, Serialize};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mistake {
    None,
    /// While a process waits for the critical section, it replies to every request, even to a request that is younger
    /// than its own.
    RepliesWhileWanting,
    /// A process replies to a request that has the same time as its own request.
    RepliesAtTie,
    /// A process defers a request that has the same time as its own request.
    DefersAtTie,
    /// A process does not advance its clock when it receives a message.
    KeepsItsClock,
    /// A process replies to requests while it is in the critical section.
    RepliesInSection,
}

const MISTAKES: [(&str, Mistake); 6] = [
    ("none", Mistake::None),
    ("replies-while-wanting", Mistake::RepliesWhileWanting),
    ("replies-at-tie", Mistake::RepliesAtTie),
    ("defers-at-tie", Mistake::DefersAtTie),
    ("keeps-its-clock", Mistake::KeepsItsClock),
    ("replies-in-section", Mistake::RepliesInSection),
];

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(tag = "kind", content = "body", rename_all = "UPPERCASE")]
pub enum CarelessMessage {
    Request { clock: u64 },
    Reply {},
}

impl Message for CarelessMessage {
    fn kind(&self) -> &'static str {
        match self {
            Self::Request { .. } => "REQUEST",
            Self::Reply {} => "REPLY",
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Careless {
    clock: Clock,
    wanting: Option<(RequestId, Timestamp)>,
    inside: bool,
    replies: u32,
    deferred: BTreeSet<NodeId>,
}

impl Careless {
    fn defers(&self, mistake: Mistake, theirs: Timestamp) -> bool {
        let Some((_, ours)) = self.wanting else { return false };
        match mistake {
            _ if self.inside => mistake != Mistake::RepliesInSection,
            Mistake::RepliesWhileWanting => false,
            Mistake::RepliesAtTie => ours.clock < theirs.clock,
            Mistake::DefersAtTie => ours.clock <= theirs.clock,
            _ => ours < theirs,
        }
    }

    fn enter_if_permitted(&mut self, nodes: u32, out: &mut Effects<Self>) {
        if let Some((request, _)) = self.wanting.filter(|_| !self.inside && self.replies + 1 == nodes) {
            self.inside = true;
            out.outcome(Outcome::Entered { lock: LockId(0), request, fence: None });
        }
    }
}

impl Algorithm for Careless {
    type Setting = (u32, Mistake);
    type Message = CarelessMessage;
    type Timer = ();
    type Stored = ();
    type Reason = ();

    const ENTRY: Entry = Entry { name: "careless", title: "Careless", variants: &[], ..RicartAgrawala::ENTRY };

    fn configure(configuration: &Configuration<'_>) -> Result<Self::Setting, Refusal> {
        Ok((configuration.nodes, configuration.variant_as(&MISTAKES)?))
    }

    fn new(_: &Self::Setting, _: NodeId) -> Self {
        Self { clock: Clock::default(), wanting: None, inside: false, replies: 0, deferred: BTreeSet::new() }
    }

    fn step(&mut self, &(nodes, mistake): &Self::Setting, me: NodeId, input: Input<Self>, out: &mut Effects<Self>) {
        match input {
            Input::Command(Command::Acquire { lock, request }) => {
                let clock = self.clock.tick();
                self.wanting = Some((request, Timestamp { clock, process: me }));
                self.replies = 0;
                out.outcome(Outcome::requested(lock, request));
                out.multicast(CarelessMessage::Request { clock });
                self.enter_if_permitted(nodes, out);
            }
            Input::Command(Command::Release { lock, request }) => {
                (self.wanting, self.inside) = (None, false);
                out.outcome(Outcome::Exited { lock, request });
                for node in std::mem::take(&mut self.deferred) {
                    out.send(node, CarelessMessage::Reply {});
                }
            }
            Input::Message { from, message: CarelessMessage::Request { clock } } => {
                if mistake != Mistake::KeepsItsClock {
                    self.clock.observe(clock);
                }
                if self.defers(mistake, Timestamp { clock, process: from }) {
                    self.deferred.insert(from);
                } else {
                    out.send(from, CarelessMessage::Reply {});
                }
            }
            Input::Message { message: CarelessMessage::Reply {}, .. } => {
                self.replies += 1;
                self.enter_if_permitted(nodes, out);
            }
            _ => {}
        }
    }

    fn view(&self, _: &Self::Setting, _: NodeId) -> View {
        View::default()
    }
}
