//! How long an effect waits: said, or drawn.

use interlock_algorithm::{Delay, NodeId, Ticks};

use crate::draw::{draw, evenly};

/// The delay in microseconds that the effect in this place of a step of node `me` asks for, as drawn in a run of this
/// seed.
pub(crate) fn delay_ticks(delay: Delay, seed: u64, me: NodeId, incarnation: u32, step: u64, place: usize) -> Ticks {
    match delay {
        Delay::Exactly(ticks) => ticks,
        Delay::Uniform(low, high) => {
            let bits = draw(&[seed, u64::from(me.0), u64::from(incarnation), step, place as u64]);
            evenly(bits, low, high)
        }
    }
}
