//! Functions that return the present state of a run.

use interlock_machine::message_id::MessageId;

use super::core::Core;
use super::past::entries;
use crate::journal::Outcome;
use interlock_model::specification::KnownAlgorithm;
use interlock_observation::document::{MessageDocument, StateDocument};
use interlock_observation::metrics::{DelayBuckets, MetricsDocument};
use interlock_observation::state::{MessageStatus, State};
use interlock_simulation::scenario::role::{self, Missing};

impl Core {
    /// Returns the present global state.
    #[must_use]
    pub const fn state(&self) -> &State {
        self.log.state()
    }

    /// Whether the network contains this message, either held or in transit.
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
        role::message_described(words, self.specification.known_kinds().as_deref(), self.log.state(), &|message| {
            self.has(message)
        })
    }

    /// Returns the facts about the algorithm of the run, such as its kinds of messages; none if the algorithm is
    /// unknown.
    #[must_use]
    pub fn known_algorithm(&self) -> Option<KnownAlgorithm<'_>> {
        self.specification.known_algorithm()
    }

    /// Returns the global state with the verdict. After the end of the run, its time no longer advances.
    #[must_use]
    pub fn document(&self) -> StateDocument {
        self.log.state().document(self.id, self.now_us(), self.pending_inputs())
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
    pub fn metrics_document(&self) -> MetricsDocument {
        self.log.metrics().document()
    }

    /// Returns the histograms of delays of the run so far; see
    /// [`interlock_observation::metrics::Metrics::delay_buckets`].
    #[must_use]
    pub fn delay_buckets(&self) -> [DelayBuckets; 3] {
        self.log.metrics().delay_buckets()
    }

    /// Whether the run is over.
    #[must_use]
    pub const fn is_ended(&self) -> bool {
        self.log.ended().is_some()
    }

    /// Returns the messages in the network. If a status is given, returns only the messages with this status.
    #[must_use]
    pub fn messages(&self, status: Option<MessageStatus>) -> Vec<MessageDocument> {
        self.log.state().messages(status)
    }
}
