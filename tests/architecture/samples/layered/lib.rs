//! A crate of three layers. No layer refers to a higher layer, except in tests, comments and texts.

mod event;
mod monitor;
mod state;
