//! What is shown of the algorithms, with the model and with live runs: what their sources claim, and that right ones keep
//! the rules in random runs and wrong ones do not.

pub mod claims;
pub mod fuzz;
