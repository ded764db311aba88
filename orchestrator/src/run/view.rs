//! Functions that return the present state of a run.

use interlock_machine::message_id::MessageId;

use super::core::Core;
use super::past::entries;
use crate::journal::Outcome;
use interlock_observation::document::StateDocument;
use interlock_observation::metrics::Metrics;
use interlock_observation::state::State;
use interlock_simulation::scenario::role::{self, Missing};

impl Core {
    /// Returns the present global state.
    #[must_use]
    pub const fn state(&self) -> &State {
        self.log.state()
    }

    /// Whether the network contains `message`, either held or in transit.
    #[must_use]
    pub fn has(&self, message: MessageId) -> bool {
        self.network.standing(message).is_some()
    }

    /// Returns the message in the network that matches a description, such as `REPLY from holder to 2`. Returns
    /// none if the text is not a description of a message.
    ///
    /// # Errors
    /// If the network contains no such message now.
    #[must_use]
    pub fn message_described(&self, words: &str) -> Option<Result<MessageId, Missing>> {
        role::message_described(words, self.specification().known_kinds().as_deref(), self.log.state(), &|message| {
            self.has(message)
        })
    }

    /// Returns the global state with the verdict. After the end of the run, its time no longer advances.
    #[must_use]
    pub fn document(&self) -> StateDocument {
        self.log.state().document(self.id(), self.now_us(), self.pending_inputs())
    }

    /// Returns the time of the run, which stops advancing when the run ends.
    fn now_us(&self) -> u64 {
        if self.is_ended() { self.log.state().at_us() } else { self.time.now_us() }
    }

    /// Returns the outcome of the run so far.
    #[must_use]
    pub fn outcome(&self) -> Outcome {
        let verdict = self.log.state().verdict(self.now_us(), self.pending_inputs()).status;
        Outcome { verdict, events: self.latest(), entries: entries(self.log.state()) }
    }

    /// Returns the metrics of the run so far.
    #[must_use]
    pub const fn metrics(&self) -> &Metrics {
        self.log.metrics()
    }

    /// Whether the run is over.
    #[must_use]
    pub const fn is_ended(&self) -> bool {
        self.log.ended().is_some()
    }
}
