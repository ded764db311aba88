//! The global state of a run: one fold over its events.
