//! Evidence about the algorithms, from simulated, explored and live runs. Checks the claims of the sources. Also
//! executes random runs, in which correct variants must satisfy all properties, and faulty variants must be
//! caught.

pub mod claims;
pub mod fuzz;
