//! Evidence about the algorithms, from simulated and explored runs and from live runs. The claims of the sources are
//! checked. In random runs, correct variants must satisfy all properties, and faulty variants must be caught.

pub mod claims;
pub mod fuzz;
