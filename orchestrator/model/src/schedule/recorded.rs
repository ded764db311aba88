//! A schedule, played: each thing happens when it says, if it can.

use interlock_algorithm::Algorithm;

use super::{Schedule, Scheduled};
use crate::choice::Choice;
use crate::event::Ending;
use crate::impossible::Impossible;
use crate::world::World;

/// The most choices that are listed as possible.
const MOST_LISTED: usize = 12;

/// A choice of a schedule that cannot happen where it stands.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum Misplaced {
    /// It cannot happen now.
    #[error("choice {place}, {}: {why}; what can happen now: {}", named(choice), listed(possible))]
    Impossible {
        /// Its place in the list, from 0.
        place: usize,
        /// It.
        choice: Box<Choice>,
        /// Why not.
        why: Impossible,
        /// What can happen instead, but for what can go wrong.
        possible: Vec<Choice>,
    },
    /// Its time is before that of the one before it.
    #[error("choice {place}, {}: it is for {at_us} µs, and {now_us} µs have gone by already", named(choice))]
    Past {
        /// Its place in the list, from 0.
        place: usize,
        /// It.
        choice: Box<Choice>,
        /// When it is to happen.
        at_us: u64,
        /// What time it is.
        now_us: u64,
    },
}

impl Misplaced {
    /// Its place in the list, from 0.
    #[must_use]
    pub const fn place(&self) -> usize {
        match self {
            Self::Impossible { place, .. } | Self::Past { place, .. } => *place,
        }
    }

    /// What can happen instead, but for what can go wrong; none where it is only too late.
    #[must_use]
    pub fn possible(&self) -> &[Choice] {
        match self {
            Self::Impossible { possible, .. } => possible,
            Self::Past { .. } => &[],
        }
    }
}

/// A choice as JSON.
fn named(choice: &Choice) -> String {
    serde_json::to_string(choice).unwrap_or_default()
}

fn listed(possible: &[Choice]) -> String {
    let more = possible.len().saturating_sub(MOST_LISTED);
    let mut names: Vec<String> = possible.iter().take(MOST_LISTED).map(named).collect();
    if more > 0 {
        names.push(format!("{more} more"));
    }
    if names.is_empty() { "nothing".to_owned() } else { names.join(", ") }
}

impl Schedule {
    /// Plays it in a world that has not begun, to its end or to a choice that cannot happen where it stands.
    ///
    /// # Errors
    /// The first choice that cannot happen where it stands.
    pub fn play<A: Algorithm>(&self, world: &mut World<'_, A>) -> Result<(), Misplaced> {
        world.begin();
        for (place, scheduled) in self.choices.iter().enumerate() {
            world.mark();
            follow(world, place, scheduled)?;
            if scheduled.choice.ends_a_turn() {
                world.settle(self.choices.len() - place - 1);
            }
        }
        if world.next_due().is_none() && !world.has_only_background() {
            world.settle(0);
        }
        world.mark();
        world.end(self.ended.clone().unwrap_or(Ending::Stopped));
        Ok(())
    }
}

/// Lets one thing happen at its time.
fn follow<A: Algorithm>(world: &mut World<'_, A>, place: usize, scheduled: &Scheduled) -> Result<(), Misplaced> {
    let Scheduled { at_us, choice } = scheduled;
    let now_us = world.now();
    match *at_us {
        Some(at_us) if at_us < now_us => {
            return Err(Misplaced::Past { place, choice: Box::new(choice.clone()), at_us, now_us });
        }
        at_us => world.reach(at_us.or_else(|| world.due_us(choice)).unwrap_or(now_us)),
    }
    world.apply(choice).map_err(|why| Misplaced::Impossible {
        place,
        choice: Box::new(choice.clone()),
        why,
        possible: world.enabled(),
    })?;
    Ok(())
}
