//! What people see of a run as it is now.

use super::core::Core;
use interlock_model::document::{MessageDocument, StateDocument};
use interlock_model::metrics::MetricsDocument;
use interlock_model::state::MessageStatus;

impl Core {
    /// The global state, with the verdict on it. The clock of a run that is over stands still.
    #[must_use]
    pub fn document(&self) -> StateDocument {
        let now_us = if self.ended.is_some() { self.state.at_us() } else { self.time.now_us() };
        self.state.document(self.id, now_us, self.pending_inputs())
    }

    /// What the run has cost so far and how long it took.
    #[must_use]
    pub fn metrics_document(&self) -> MetricsDocument {
        self.metrics.document()
    }

    /// The messages in the network; only those of one status, if one is given.
    #[must_use]
    pub fn messages(&self, status: Option<MessageStatus>) -> Vec<MessageDocument> {
        self.state.messages(status)
    }
}
