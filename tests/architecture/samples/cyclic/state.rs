//! The layer between.

pub struct State {
    pub events: Vec<crate::event::Event>,
}
