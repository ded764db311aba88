//! Three layers. No layer refers to a higher one, except in tests, comments and texts.

mod event;
mod monitor;
mod state;
