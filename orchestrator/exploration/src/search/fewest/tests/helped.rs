//! An algorithm for three processes. The last process enters whenever it requests. The middle process enters after
//! it has requested and has received a message from another process. Either the first process sends that message
//! when it requests, or the last process sends it as an answer.

use interlock_algorithm::{
    Algorithm, Command, Configuration, Effects, Entry, Input, LockId, LockUse, Message, NodeId, Outcome, Refusal,
    RequestId, Variant, View,
};
use serde::{Deserialize, Serialize};

/// The first of three processes.
const FIRST: NodeId = NodeId(0);
/// The middle process, which needs a message from another process to enter.
const HELPED: NodeId = NodeId(1);
/// The last process, which enters as soon as it requests, and which answers each message.
const LAST: NodeId = NodeId(2);

#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Helped {
    /// Whether the process may enter: it has received a message, or it is the last process.
    heard: bool,
    /// Request of the process that has not been granted yet.
    waits: Option<(LockId, RequestId)>,
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(tag = "kind", content = "body")]
pub enum HelpedMessage {
    #[serde(rename = "HELP")]
    Help {},
}

impl Message for HelpedMessage {
    fn kind(&self) -> &'static str {
        "HELP"
    }
}

impl Helped {
    fn enter(&mut self, out: &mut Effects<Self>) {
        if let Some((lock, request)) = self.waits.take() {
            out.outcome(Outcome::Entered { lock, request, fence: None });
        }
    }
}

impl Algorithm for Helped {
    type Setting = ();
    type Message = HelpedMessage;
    type Timer = ();
    type Stored = ();
    type Reason = ();

    const ENTRY: Entry = Entry {
        name: "helped",
        title: "Helped",
        family: "mutual-exclusion",
        summary: "Enters as soon as it has heard of another.",
        variants: &[Variant { name: "original", summary: "", broken: None }],
        commands: &["acquire", "release"],
        locks: LockUse::Instances,
        message_kinds: &["HELP"],
        ..Entry::BLANK
    };

    fn configure(_: &Configuration<'_>) -> Result<(), Refusal> {
        Ok(())
    }

    fn new((): &(), me: NodeId) -> Self {
        Self { heard: me == LAST, waits: None }
    }

    fn step(&mut self, (): &(), me: NodeId, input: Input<Self>, out: &mut Effects<Self>) {
        match input {
            Input::Command(Command::Acquire { lock, request }) => {
                out.outcome(Outcome::requested(lock, request));
                self.waits = Some((lock, request));
                match me {
                    FIRST => out.send(HELPED, HelpedMessage::Help {}),
                    HELPED => out.send(LAST, HelpedMessage::Help {}),
                    _ => {}
                }
            }
            Input::Command(Command::Release { lock, request }) => out.outcome(Outcome::Exited { lock, request }),
            Input::Message { .. } if me == LAST => out.send(HELPED, HelpedMessage::Help {}),
            Input::Message { .. } => self.heard = true,
            _ => {}
        }
        if self.heard {
            self.enter(out);
        }
    }

    fn view(&self, (): &(), _: NodeId) -> View {
        View::default()
    }
}
