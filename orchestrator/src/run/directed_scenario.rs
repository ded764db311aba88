//! The state of the scenario that a run executes.

use std::sync::Arc;

use tokio::sync::Notify;

use interlock_simulation::scenario::{Director, Moment, Next};

/// The scenario of a run: its director, and the signal that wakes the task that executes the scenario.
#[derive(Debug)]
pub(super) struct Directing {
    director: Director,
    /// The first step of the scenario, if it is an action. It is determined when the run begins.
    first: Option<Next>,
    woken: Arc<Notify>,
}

impl Directing {
    /// Returns a scenario whose steps `director` determines.
    pub fn by(director: Director) -> Self {
        Self { director, first: None, woken: Arc::default() }
    }

    pub const fn director(&mut self) -> &mut Director {
        &mut self.director
    }

    /// Returns the number of actions that will be executed even if no further event occurs.
    pub fn left(&self) -> usize {
        self.director.left()
    }

    /// Begins the scenario, and determines its first step.
    pub fn begin(&mut self, moment: Moment<'_>) {
        self.director.begin(moment.now_us);
        self.first = Some(self.director.next(moment)).filter(|next| matches!(next, Next::Do(_)));
    }

    /// Returns the next action.
    pub fn next(&mut self, moment: Moment<'_>) -> Next {
        self.first.take().unwrap_or_else(|| self.director.next(moment))
    }

    /// Wakes the task that executes the scenario.
    pub fn wake(&self) {
        self.woken.notify_one();
    }

    pub fn woken(&self) -> Arc<Notify> {
        Arc::clone(&self.woken)
    }
}
