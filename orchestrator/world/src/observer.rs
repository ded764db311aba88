//! Who watches a world.

use interlock_model::event::What;

/// Somebody who watches the events of a run. Where there is nobody, events are not even made.
pub trait Observer {
    /// Whether the fields of messages, reasons and views are wanted, too.
    fn records(&self) -> bool;

    /// Whether the fields of messages are wanted.
    fn reads_bodies(&self) -> bool {
        self.records()
    }

    /// Takes the next event.
    fn observe(&mut self, at_us: u64, what: What);

    /// Something is about to be sent, to one or to many.
    fn transmit(&mut self) {}

    /// A schedule has come to its next choice, or to its end.
    fn mark(&mut self) {}

    /// A turn is over: nothing moves until something else is done to the run, of which so much is left.
    fn settle(&mut self, at_us: u64, left: usize) {
        let _ = (at_us, left);
    }
}
