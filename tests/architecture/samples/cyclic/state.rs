//! The middle layer. It contains a reference in an attribute.

pub struct State {
    #[serde(with = "crate::event")]
    pub latest: u64,
}
