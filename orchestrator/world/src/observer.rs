//! Interface for observers of the events of a world.

use interlock_model::event::What;

/// An observer of the events of a run. In a run without an observer, the world may skip the creation of events.
pub trait Observer {
    /// Whether the observer reads the fields of messages, the reasons and the views.
    fn records(&self) -> bool;

    /// Whether the observer reads the fields of messages.
    fn reads_bodies(&self) -> bool {
        self.records()
    }

    /// Receives the next event.
    fn observe(&mut self, at_us: u64, what: What);

    /// Called before a node sends a message or a multicast. A multicast to several receivers causes a single call.
    fn transmit(&mut self) {}

    /// Called when a schedule has reached its next choice or its end.
    fn mark(&mut self) {}

    /// Called when no event happens until the next action on the run. `left` actions remain.
    fn settle(&mut self, at_us: u64, left: usize) {
        let _ = (at_us, left);
    }
}
