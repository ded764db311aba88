//! What people see of a run as it is now.

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
    /// The global state as it is now.
    #[must_use]
    pub const fn state(&self) -> &State {
        self.observation.state()
    }

    /// Whether a message is in the network: held, or on its way.
    #[must_use]
    pub fn has(&self, message: MessageId) -> bool {
        self.network.standing(message).is_some()
    }

    /// The message in the network that is described so, as `REPLY from holder to 2`; none if the words describe none that
    /// could be.
    ///
    /// # Errors
    /// When there is none such now.
    #[must_use]
    pub fn message_described(&self, words: &str) -> Option<Result<MessageId, Missing>> {
        role::message_described(
            words,
            self.specification.known_kinds().as_deref(),
            self.observation.state(),
            &|message| self.has(message),
        )
    }

    /// What is known of its algorithm.
    #[must_use]
    pub fn known_algorithm(&self) -> Option<KnownAlgorithm<'_>> {
        self.specification.known_algorithm()
    }

    /// The global state, with the verdict on it. The clock of a run that is over stands still.
    #[must_use]
    pub fn document(&self) -> StateDocument {
        self.observation.state().document(self.id, self.now_us(), self.pending_inputs())
    }

    /// The time that it is in the run; once that is over it stands still.
    fn now_us(&self) -> u64 {
        if self.ended.is_some() { self.observation.state().at_us() } else { self.time.now_us() }
    }

    /// What has come of it so far.
    #[must_use]
    pub fn outcome(&self) -> Outcome {
        let verdict = self.observation.state().verdict(self.now_us(), self.pending_inputs()).status;
        Outcome { verdict, events: self.latest(), entries: entries(self.observation.state()) }
    }

    /// What the run has cost so far and how long it took.
    #[must_use]
    pub fn metrics_document(&self) -> MetricsDocument {
        self.metrics.document()
    }

    /// How many lengths of time were how long, so far; see [`interlock_observation::metrics::Metrics::delay_buckets`].
    #[must_use]
    pub fn delay_buckets(&self) -> [DelayBuckets; 3] {
        self.metrics.delay_buckets()
    }

    /// Whether the run is over.
    #[must_use]
    pub const fn is_ended(&self) -> bool {
        self.ended.is_some()
    }

    /// The messages in the network; only those of one status, if one is given.
    #[must_use]
    pub fn messages(&self, status: Option<MessageStatus>) -> Vec<MessageDocument> {
        self.observation.state().messages(status)
    }
}
