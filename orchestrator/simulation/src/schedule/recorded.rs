//! Execution of a schedule: each action is executed at its time, or is rejected if it is impossible then.

use interlock_algorithm::{NodeId, Ticks};

use super::{Schedule, Scheduled};
use interlock_model::choice::Choice;
use interlock_model::event::Ending;
use interlock_model::impossible::Impossible;
use interlock_world::World;

/// Maximum number of possible actions that an error lists.
const MOST_LISTED: usize = 12;

/// The reason why an action of a schedule cannot be executed at its position in the list.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum Misplaced {
    /// The action is impossible in the present state.
    #[error("action {place}, {}: {why}; possible now: {}", named(choice), listed(possible))]
    Impossible {
        /// Index of the action in the list, from 0.
        place: usize,
        /// The action.
        choice: Box<Choice>,
        /// The reason.
        why: Impossible,
        /// The actions that are possible instead, except faults.
        possible: Vec<Choice>,
    },
    /// The time of the action is earlier than the present time.
    #[error("action {place}, {}: its time is {at_us} µs, but the run is already at {now_us} µs", named(choice))]
    Past {
        /// Index of the action in the list, from 0.
        place: usize,
        /// The action.
        choice: Box<Choice>,
        /// The time of the action.
        at_us: u64,
        /// The current time.
        now_us: u64,
    },
}

impl Misplaced {
    /// Returns the index of the action in the list, from 0.
    #[must_use]
    pub const fn place(&self) -> usize {
        match self {
            Self::Impossible { place, .. } | Self::Past { place, .. } => *place,
        }
    }

    /// Returns the actions that are possible instead, except faults. Returns an empty list if the time of the action
    /// has passed.
    #[must_use]
    pub fn possible(&self) -> &[Choice] {
        match self {
            Self::Impossible { possible, .. } => possible,
            Self::Past { .. } => &[],
        }
    }
}

/// Returns an action as JSON.
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
    /// Executes the schedule in a world that has not begun. Stops at the end of the schedule, or at the first
    /// action that is impossible at its position.
    ///
    /// # Errors
    /// Returns the first action that is impossible at its position.
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

    /// Executes a schedule that was recorded from a live run. Monitors judge the state only where an action says so.
    /// Each process has its own clock, so the times of the actions need not ascend.
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
            // If a message is lost on arrival, its receiver takes no step.
            let stepped = whose.filter(|node| before != Some(world.latest_step(*node)));
            times.pass(stepped, world.now());
        }
        world.mark();
        world.end(self.ended.clone().unwrap_or(Ending::Stopped));
        Ok(())
    }
}

/// The present times. The present time of a process is the time of its latest step. For an action that is not a step
/// of a process, the present time is the latest time of any action.
struct Times {
    steps: Vec<Ticks>,
    latest: Ticks,
}

impl Times {
    fn of(schedule: &Schedule) -> Self {
        let steps = NodeId::all(schedule.specification.nodes).map(|_| 0).collect();
        Self { steps, latest: 0 }
    }

    /// Rejects an action whose time has passed. A step of a process may be earlier than steps of other processes, but
    /// not earlier than the latest step of the same process.
    fn refuse_past(&self, place: usize, Scheduled { choice, .. }: &Scheduled, at_us: Ticks) -> Result<(), Misplaced> {
        let now_us = choice.steps().and_then(|node| self.steps.get(node.index())).copied().unwrap_or(self.latest);
        if at_us < now_us {
            return Err(Misplaced::Past { place, choice: Box::new(choice.clone()), at_us, now_us });
        }
        Ok(())
    }

    /// Advances the present times after an action at the time `now`. If the action was a step of a process, `stepped`
    /// is this process.
    fn pass(&mut self, stepped: Option<NodeId>, now: Ticks) {
        if let Some(step) = stepped.and_then(|node| self.steps.get_mut(node.index())) {
            *step = now;
        }
        self.latest = self.latest.max(now);
    }
}

/// Executes one action at its time.
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
