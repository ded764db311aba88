//! Evidence about the algorithms, from the model and from live runs. It checks the claims of their sources. In
//! random runs, correct variants must satisfy all properties, and faulty ones must be caught.

pub mod claims;
pub mod fuzz;
