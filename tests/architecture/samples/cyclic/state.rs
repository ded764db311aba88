//! The layer between, with a reference in an attribute.

pub struct State {
    #[serde(with = "crate::event")]
    pub latest: u64,
}
