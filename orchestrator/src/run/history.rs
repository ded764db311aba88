//! The state of a run after one of its events, and the change that each later event makes. With the changes, a
//! viewer can step forwards and backwards without computing states itself.

use interlock_model::event::Event;
use interlock_observation::document::StateDocument;
use interlock_observation::state::State;
use json_patch::{Patch, diff};
use serde::Serialize;
use serde_json::{Map, Value, json};
use uuid::Uuid;

/// Maximum number of messages, held or in transit, that a state lists individually.
const MOST_UNDER_WAY: usize = 200;

/// Change that one event makes to the state of a run.
#[derive(Clone, Debug, PartialEq, Serialize, utoipa::ToSchema)]
#[schema(as = StateChange)]
pub struct Change {
    /// Sequence number of the event.
    pub seq: u64,
    /// Time of the event and of the state, in microseconds since the run began.
    pub at_us: u64,
    /// Differences from the previous state, except `seq` and `at_us`, as a JSON Patch (RFC 6902).
    #[schema(value_type = Vec<Object>)]
    pub patch: Patch,
}

/// Computes the changes of a run's state, beginning after one of its events.
#[derive(Debug)]
pub struct Follower {
    run: Uuid,
    state: State,
    /// The state in the form of `GET …/state`, without `seq` and `at_us`.
    shown: Value,
    /// Time of the shown state, in microseconds since the run began.
    at_us: u64,
}

impl Follower {
    /// Creates a follower that starts from `state`.
    #[must_use]
    pub fn new(run: Uuid, state: State) -> Self {
        let (shown, at_us) = (shown(run, &state), state.at_us());
        Self { run, state, shown, at_us }
    }

    /// Returns the sequence number of the last event that the state includes.
    #[must_use]
    pub const fn seq(&self) -> u64 {
        self.state.seq()
    }

    /// Returns the state in the form of `GET …/state`. Its field `under_way` lists the messages that are held or
    /// in transit, indexed by their names.
    #[must_use]
    pub fn document(&self) -> Value {
        let mut document = self.shown.clone();
        document["seq"] = json!(self.state.seq());
        document["at_us"] = json!(self.at_us);
        document
    }

    /// Applies the next event without returning its change. The next change that is returned includes it.
    pub fn pass(&mut self, event: &Event) {
        self.state.apply(event);
    }

    /// Applies the next event. Returns its change, combined with the changes of the events to which only `pass`
    /// was applied before.
    pub fn take(&mut self, event: &Event) -> Change {
        self.state.apply(event);
        self.become_shown(shown(self.run, &self.state), self.state.at_us())
    }

    /// Returns the change that results from the passing of time alone, such as a new verdict or longer waits; none
    /// if there is no such change.
    pub fn judged(&mut self, now: &StateDocument) -> Option<Change> {
        let mut shown = self.shown.clone();
        shown["verdict"] = json!(now.verdict);
        let somebody_waits = now.locks.iter().any(|lock| !lock.waiting.is_empty());
        (shown != self.shown || somebody_waits).then(|| self.become_shown(shown, now.at_us))
    }

    /// Whether both followers have reached the same event and show the same state.
    #[must_use]
    pub fn agrees_with(&self, other: &Self) -> bool {
        self.seq() == other.seq() && self.shown == other.shown
    }

    /// Adopts the state that another follower shows after the same event. Returns the change, such as another
    /// verdict; none if there is no difference.
    pub fn become_like(&mut self, other: &Self) -> Option<Change> {
        (self.shown != other.shown).then(|| self.become_shown(other.shown.clone(), other.at_us))
    }

    fn become_shown(&mut self, now: Value, at_us: u64) -> Change {
        let patch = diff(&self.shown, &now);
        (self.shown, self.at_us) = (now, at_us);
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
