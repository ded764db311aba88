//! Naimi and Tréhel 1996, the yardstick.

use super::{Claim, How, Showing};

pub(super) const CLAIMS: &[Claim] = &[Claim {
    id: "NAI-1",
    says: "ME1–ME3 hold; H_(N−1) messages per entry in the mean at light load, 0 for the holder",
    showings: &[Showing::not_yet(How::Exploration), Showing::not_yet(How::Simulation)],
}];
