//! How a run stood after one of its events, and what each event after it changed: what is shown step by step, forwards and
//! back, without being worked out once more by whoever shows it.

use interlock_model::event::Event;
use interlock_observation::document::StateDocument;
use interlock_observation::state::State;
use json_patch::{Patch, diff};
use serde::Serialize;
use serde_json::{Map, Value, json};
use uuid::Uuid;

/// How many messages are told one by one that are held or on their way.
const MOST_UNDER_WAY: usize = 200;

/// What an event changed in the state of a run.
#[derive(Clone, Debug, PartialEq, Serialize, utoipa::ToSchema)]
#[schema(as = StateChange)]
pub struct Change {
    /// The event.
    pub seq: u64,
    /// When it happened, in microseconds since the run began; the state speaks of this time.
    pub at_us: u64,
    /// What is otherwise than before, besides `seq` and `at_us`: a JSON Patch (RFC 6902).
    #[schema(value_type = Vec<Object>)]
    pub patch: Patch,
}

/// Follows a run from one of its events on.
#[derive(Debug)]
pub struct Follower {
    run: Uuid,
    state: State,
    /// The state as it is shown, without its number and its time.
    shown: Value,
}

impl Follower {
    /// From this state on.
    #[must_use]
    pub fn new(run: Uuid, state: State) -> Self {
        let shown = shown(run, &state);
        Self { run, state, shown }
    }

    /// The last event that it takes account of.
    #[must_use]
    pub const fn seq(&self) -> u64 {
        self.state.seq()
    }

    /// The state as `GET …/state` shows it, and in `under_way` the messages that are held or on their way, by their names.
    #[must_use]
    pub fn document(&self) -> Value {
        let mut document = self.shown.clone();
        document["seq"] = json!(self.state.seq());
        document["at_us"] = json!(self.state.at_us());
        document
    }

    /// Takes the next event, and leaves to a later one to say what it has changed.
    pub fn pass(&mut self, event: &Event) {
        self.state.apply(event);
    }

    /// Takes the next event: what it has changed, and those that were passed before it.
    pub fn take(&mut self, event: &Event) -> Change {
        self.state.apply(event);
        self.become_shown(shown(self.run, &self.state), self.state.at_us())
    }

    /// What time alone has changed, if it has: the verdict, or for how long somebody waits.
    pub fn judged(&mut self, now: &StateDocument) -> Option<Change> {
        let mut shown = self.shown.clone();
        shown["verdict"] = json!(now.verdict);
        let somebody_waits = now.locks.iter().any(|lock| !lock.waiting.is_empty());
        (shown != self.shown || somebody_waits).then(|| self.become_shown(shown, now.at_us))
    }

    fn become_shown(&mut self, now: Value, at_us: u64) -> Change {
        let patch = diff(&self.shown, &now);
        self.shown = now;
        Change { seq: self.state.seq(), at_us, patch }
    }
}

fn shown(run: Uuid, state: &State) -> Value {
    let messages = state.messages(None).into_iter().take(MOST_UNDER_WAY);
    let under_way: Map<_, _> = messages.map(|message| (message.message.to_string(), json!(message))).collect();
    let mut document = json!(state.document(run, state.at_us(), 0));
    if let Some(document) = document.as_object_mut() {
        document.retain(|name, _| name != "seq" && name != "at_us");
        document.insert("under_way".to_owned(), Value::Object(under_way));
    }
    document
}
