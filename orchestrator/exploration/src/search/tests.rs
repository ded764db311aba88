//! Tests the precedence of a state that violates a property at rest. Another state at the same distance may have a
//! violating successor, but this successor is one step further away. The state at rest has precedence even if the
//! other state is examined first.

use interlock_algorithm::{
    Algorithm, Command, Configuration, Effects, Entry, Input, LockUse, Message, NodeId, Outcome, Refusal, Variant, View,
};
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::{Environment, Exploration, Property, Strategy, Verdict};
use interlock_model::specification::Draft;

/// Algorithm for two processes. The first process enters on request and notifies the second. The second process
/// enters if it was notified before its request, and otherwise waits without end.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
struct Hasty {
    heard: bool,
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(tag = "kind", content = "body")]
enum HastyMessage {
    #[serde(rename = "ASKED")]
    Asked {},
}

impl Message for HastyMessage {
    fn kind(&self) -> &'static str {
        "ASKED"
    }
}

impl Algorithm for Hasty {
    type Setting = ();
    type Message = HastyMessage;
    type Timer = ();
    type Stored = ();
    type Reason = ();

    const ENTRY: Entry = Entry {
        name: "hasty",
        title: "Hasty",
        family: "mutual-exclusion",
        summary: "Enters too early, or never.",
        variants: &[Variant { name: "original", summary: "", broken: None }],
        commands: &["acquire", "release"],
        locks: LockUse::Instances,
        message_kinds: &["ASKED"],
        ..Entry::BLANK
    };

    fn configure(_: &Configuration<'_>) -> Result<(), Refusal> {
        Ok(())
    }

    fn new((): &(), me: NodeId) -> Self {
        Self { heard: me == NodeId(0) }
    }

    fn step(&mut self, (): &(), _: NodeId, input: Input<Self>, out: &mut Effects<Self>) {
        match input {
            Input::Command(Command::Acquire { lock, request }) => {
                out.outcome(Outcome::requested(lock, request));
                out.multicast(HastyMessage::Asked {});
                if self.heard {
                    out.outcome(Outcome::Entered { lock, request, fence: None });
                }
            }
            Input::Command(Command::Release { lock, request }) => out.outcome(Outcome::Exited { lock, request }),
            Input::Message { .. } => self.heard = true,
            _ => {}
        }
    }

    fn view(&self, (): &(), _: NodeId) -> View {
        View::default()
    }
}

#[test]
fn who_rests_is_nearer_than_what_follows_from_others_as_near() {
    let document = json!({ "algorithm": "lamport", "nodes": 2, "seed": 1 });
    let draft: Draft = serde_json::from_value(document).expect("a draft");
    let specification = draft.complete_simulated().expect("a specification");
    let found = |properties: &[Property]| {
        let environment = Environment::faultless(false, 1);
        let specification = specification.clone();
        let exploration =
            Exploration { specification, environment, properties: properties.to_vec(), strategy: Strategy::default() };
        let explored = exploration.run_with::<Hasty>(&(), None, &mut |_| true).expect("a configuration that can be");
        let Verdict::Violated { property, schedule } = explored.verdict else { panic!("{explored:?}") };
        (property, schedule.choices.len())
    };
    let (crowded, stuck) = (Property::MutualExclusion, Property::NobodyStuck);
    assert_eq!((found(&[crowded]), found(&[stuck])), ((crowded, 3), (stuck, 2)));
    assert_eq!((found(&[crowded, stuck]), found(&[stuck, crowded])), ((stuck, 2), (stuck, 2)));
}
