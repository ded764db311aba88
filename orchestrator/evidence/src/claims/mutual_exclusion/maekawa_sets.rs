//! Voting sets of the claims about Maekawa 1985.

/// The lecture's sets for seven processes.
pub(super) const BY_HAND: &str = "sets:0,1,2;1,3,5;2,4,5;0,3,4;1,4,6;0,5,6;2,3,6";
/// Voting sets of five processes: P0, P1 and P2 request, and P3 and P4 are their arbiters. No requesting process
/// is in the set of another requesting process, so two requests can have the same time.
pub(super) const TWO_ARBITERS: &str = "sets:0,3,4;1,3,4;2,3,4;3,4;3,4";
