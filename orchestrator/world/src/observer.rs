//! Interface for observers of a world.

use interlock_model::event::What;

/// An observer of the events of a run. Without one, events are not created at all.
pub trait Observer {
    /// Whether the observer also reads the fields of messages, reasons and views.
    fn records(&self) -> bool;

    /// Whether the observer reads the fields of messages.
    fn reads_bodies(&self) -> bool {
        self.records()
    }

    /// Receives the next event.
    fn observe(&mut self, at_us: u64, what: What);

    /// Called before something is sent, to one receiver or to several.
    fn transmit(&mut self) {}

    /// Called when a schedule has reached its next choice or its end.
    fn mark(&mut self) {}

    /// Called when a turn is over: nothing happens until the next action on the run, and `left` actions remain.
    fn settle(&mut self, at_us: u64, left: usize) {
        let _ = (at_us, left);
    }
}
