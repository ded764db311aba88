//! The state of a run after one of its events, and the changes by each later event. A viewer can step through them
//! forwards and backwards without computing the states itself.

use interlock_model::event::Event;
use interlock_observation::document::StateDocument;
use interlock_observation::state::State;
use json_patch::{Patch, diff};
use serde::Serialize;
use serde_json::{Map, Value, json};
use uuid::Uuid;

/// Maximum number of messages, held or in transit, that are listed one by one.
const MOST_UNDER_WAY: usize = 200;

/// Changes of a run's state by one event.
#[derive(Clone, Debug, PartialEq, Serialize, utoipa::ToSchema)]
#[schema(as = StateChange)]
pub struct Change {
    /// Sequence number of the event.
    pub seq: u64,
    /// Time of the event and of the state, in microseconds since the run began.
    pub at_us: u64,
    /// Differences from the previous state, besides `seq` and `at_us`: a JSON Patch (RFC 6902).
    #[schema(value_type = Vec<Object>)]
    pub patch: Patch,
}

/// Follows a run from one of its events on.
#[derive(Debug)]
pub struct Follower {
    run: Uuid,
    state: State,
    /// The state as `GET …/state` shows it, without `seq` and `at_us`.
    shown: Value,
}

impl Follower {
    /// Creates a follower that starts from this state.
    #[must_use]
    pub fn new(run: Uuid, state: State) -> Self {
        let shown = shown(run, &state);
        Self { run, state, shown }
    }

    /// Returns the sequence number of the last event that the state includes.
    #[must_use]
    pub const fn seq(&self) -> u64 {
        self.state.seq()
    }

    /// Returns the state as `GET …/state` shows it. Its `under_way` has the messages that are held or in transit, by
    /// their names.
    #[must_use]
    pub fn document(&self) -> Value {
        let mut document = self.shown.clone();
        document["seq"] = json!(self.state.seq());
        document["at_us"] = json!(self.state.at_us());
        document
    }

    /// Applies the next event. Its changes are part of the next change that is returned.
    pub fn pass(&mut self, event: &Event) {
        self.state.apply(event);
    }

    /// Applies the next event. Returns its changes, together with those of the events passed before it.
    pub fn take(&mut self, event: &Event) -> Change {
        self.state.apply(event);
        self.become_shown(shown(self.run, &self.state), self.state.at_us())
    }

    /// Returns the changes by the passing of time alone, if there are any: the verdict, or the lengths of waits.
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
