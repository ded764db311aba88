//! The middle layer.

pub struct State {
    pub events: Vec<crate::event::Event>,
}
