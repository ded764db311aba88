//! A schedule, played: each thing happens when it says, if it can.

use interlock_algorithm::{NodeId, Ticks};

use super::{Schedule, Scheduled};
use interlock_model::choice::Choice;
use interlock_model::event::Ending;
use interlock_model::impossible::Impossible;
use interlock_world::World;

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
    pub fn play(&self, world: &mut World<'_>) -> Result<(), Misplaced> {
        if self.is_in_parts() {
            return self.play_in_parts(world);
        }
        world.begin();
        for (place, scheduled) in self.choices.iter().enumerate() {
            world.mark();
            follow(world, place, scheduled)?;
            if scheduled.choice.ends_a_turn() {
                world.settle(self.choices.len() - place - 1);
            }
        }
        if world.is_still() && !world.has_only_background() {
            world.settle(0);
        }
        world.mark();
        world.end(self.ended.clone().unwrap_or(Ending::Stopped));
        Ok(())
    }

    /// Plays what live processes did: it is judged only where it says so, and each process has times of its own.
    fn play_in_parts(&self, world: &mut World<'_>) -> Result<(), Misplaced> {
        world.begin_in_parts();
        let mut times = Times::of(self);
        for (place, scheduled) in self.choices.iter().enumerate() {
            world.mark();
            let whose = scheduled.choice.steps();
            let before = whose.map(|node| world.latest_step(node));
            if let Some(at_us) = scheduled.at_us {
                times.refuse_past(place, scheduled, at_us)?;
                world.turn_to(at_us);
            }
            apply(world, place, &scheduled.choice)?;
            // A message that is lost where it arrives is nobody's step.
            let stepped = whose.filter(|node| before != Some(world.latest_step(*node)));
            times.pass(stepped, world.now());
        }
        world.mark();
        world.end(self.ended.clone().unwrap_or(Ending::Stopped));
        Ok(())
    }
}

/// How late it is for each process, by the latest step that it took, and for all else, by what was latest.
struct Times {
    steps: Vec<Ticks>,
    latest: Ticks,
}

impl Times {
    fn of(schedule: &Schedule) -> Self {
        let steps = NodeId::all(schedule.specification.nodes).map(|_| 0).collect();
        Self { steps, latest: 0 }
    }

    /// Refuses a choice whose time has passed: a step may be before others, but not before one of the same process.
    fn refuse_past(&self, place: usize, Scheduled { choice, .. }: &Scheduled, at_us: Ticks) -> Result<(), Misplaced> {
        let now_us = choice.steps().and_then(|node| self.steps.get(node.index())).copied().unwrap_or(self.latest);
        if at_us < now_us {
            return Err(Misplaced::Past { place, choice: Box::new(choice.clone()), at_us, now_us });
        }
        Ok(())
    }

    /// Something happened at this time, which was a step of this process if of any.
    fn pass(&mut self, stepped: Option<NodeId>, now: Ticks) {
        if let Some(step) = stepped.and_then(|node| self.steps.get_mut(node.index())) {
            *step = now;
        }
        self.latest = self.latest.max(now);
    }
}

/// Lets one thing happen at its time.
fn follow(world: &mut World<'_>, place: usize, scheduled: &Scheduled) -> Result<(), Misplaced> {
    let Scheduled { at_us, choice } = scheduled;
    let now_us = world.now();
    match *at_us {
        Some(at_us) if at_us < now_us => {
            return Err(Misplaced::Past { place, choice: Box::new(choice.clone()), at_us, now_us });
        }
        at_us => world.reach(at_us.or_else(|| world.due_us(choice)).unwrap_or(now_us)),
    }
    apply(world, place, choice)
}

fn apply(world: &mut World<'_>, place: usize, choice: &Choice) -> Result<(), Misplaced> {
    world.apply(choice).map_err(|why| Misplaced::Impossible {
        place,
        choice: Box::new(choice.clone()),
        why,
        possible: world.enabled(),
    })?;
    Ok(())
}
