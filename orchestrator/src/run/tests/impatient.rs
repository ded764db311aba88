//! A deliberately faulty algorithm: a process sends its request to all others and enters without waiting for replies.

use interlock_algorithm::Entry;
use interlock_algorithm::mutual_exclusion::ricart_agrawala::RicartAgrawala;
use interlock_algorithm::{Algorithm, Command, Configuration, Effects, Input, Message, NodeId, Outcome, Refusal, View};
use serde::{Deserialize, Serialize};

/// The messages of this algorithm. They look like the messages of Ricart and Agrawala's algorithm, so that the
/// network accepts them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(tag = "kind", content = "body")]
pub enum ImpatientMessage {
    #[serde(rename = "REQUEST")]
    Request {},
}

impl Message for ImpatientMessage {
    fn kind(&self) -> &'static str {
        "REQUEST"
    }
}

/// A process of this algorithm.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Impatient;

impl Algorithm for Impatient {
    type Setting = ();
    type Message = ImpatientMessage;
    type Timer = ();
    type Stored = ();
    type Reason = ();

    const ENTRY: Entry = Entry { name: "impatient", ..RicartAgrawala::ENTRY };

    fn configure(_: &Configuration<'_>) -> Result<(), Refusal> {
        Ok(())
    }

    fn new((): &(), _: NodeId) -> Self {
        Self
    }

    fn step(&mut self, (): &(), _: NodeId, input: Input<Self>, out: &mut Effects<Self>) {
        match input {
            Input::Command(Command::Acquire { lock, request }) => {
                out.outcome(Outcome::requested(lock, request));
                out.multicast(ImpatientMessage::Request {});
                out.outcome(Outcome::Entered { lock, request, fence: None });
            }
            Input::Command(Command::Release { lock, request }) => out.outcome(Outcome::Exited { lock, request }),
            _ => {}
        }
    }

    fn view(&self, (): &(), _: NodeId) -> View {
        View::default()
    }
}
