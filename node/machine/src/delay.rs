//! Delay of an effect: a fixed time or a random one.

use interlock_algorithm::{Delay, NodeId, Ticks};

use crate::draw::{draw, evenly};

/// Returns the delay of an effect, in microseconds. `place` is the index of the effect in the step of node `me`. A
/// random delay is drawn from the seed of the run.
pub(crate) fn delay_ticks(delay: Delay, seed: u64, me: NodeId, incarnation: u32, step: u64, place: usize) -> Ticks {
    match delay {
        Delay::Exactly(ticks) => ticks,
        Delay::Uniform(low, high) => {
            let bits = draw(&[seed, u64::from(me.0), u64::from(incarnation), step, place as u64]);
            evenly(bits, low, high)
        }
    }
}
