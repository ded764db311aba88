//! The catalogue entry for a user's own programs. The algorithm of such a program is unknown to Interlock.
//!
//! Only a search by its name finds this entry; no list contains it. The nodes of a run are the programs themselves,
//! so the placeholder algorithm in this file never takes a step.

use serde::{Deserialize, Serialize};

use crate::choice::Variant;
use crate::configuration::{Configuration, Refusal};
use crate::contract::{Algorithm, Effects, Input, Message};
use crate::entry::{Entry, LockUse, OWN, Source};
use crate::identity::NodeId;
use crate::view::View;

/// A process of an unknown algorithm.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Own {}

/// The message type of an algorithm that Interlock does not know. The type has no values, so no message can be
/// parsed.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(tag = "kind", content = "body")]
pub enum Unknown {}

impl Message for Unknown {
    fn kind(&self) -> &'static str {
        match *self {}
    }
}

impl Algorithm for Own {
    type Setting = ();
    type Message = Unknown;
    type Timer = u8;
    type Stored = ();
    type Reason = ();

    const ENTRY: Entry = Entry {
        name: OWN,
        title: "A program of your own",
        family: "mutual-exclusion",
        source: Source { authors: "its author", title: "the program", year: 0 },
        summary: "The nodes are external programs that speak the node protocol.",
        variants: &[Variant::new("own", "as the programs say")],
        commands: &["acquire", "release", "elect", "propose"],
        locks: LockUse::Many,
        messages_per_entry: "as the programs say",
        ..Entry::BLANK
    };

    fn configure(_: &Configuration<'_>) -> Result<(), Refusal> {
        Ok(())
    }

    fn new((): &(), _: NodeId) -> Self {
        Self {}
    }

    fn step(&mut self, (): &(), _: NodeId, _: Input<Self>, _: &mut Effects<Self>) {}

    fn view(&self, (): &(), _: NodeId) -> View {
        View::default()
    }
}
