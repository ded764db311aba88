//! Claims, and the experiments that check them.

use clap::ValueEnum;
use interlock_simulation::claim;
use serde::Serialize;

use super::explored::Scenes;
use super::finding::Measurement;
use super::live::Playground;

/// The checks of a statement. The statement itself is data: see [`interlock_simulation::claim`].
#[derive(Debug)]
pub struct Claim {
    /// Name of the claim: the letters of its system and a number, such as `LAM-1`.
    pub id: &'static str,
    /// Checks of the claim.
    pub showings: &'static [Showing],
}

impl Claim {
    /// Returns the statement, in one sentence. If the map of the sources lacks the claim, the statement is empty.
    #[must_use]
    pub fn says(&self) -> &'static str {
        claim::find(self.id).map_or("", |claim| &*claim.says.en)
    }

    /// Returns whether a source makes the statement.
    #[must_use]
    pub fn is_of(&self, source: &str) -> bool {
        claim::find(self.id).is_ok_and(|claim| claim.is_of(source))
    }
}

/// Method by which a claim is checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, ValueEnum)]
pub enum How {
    /// By live processes
    #[serde(rename = "L")]
    #[value(name = "L")]
    Live,
    /// By simulation in virtual time
    #[serde(rename = "S")]
    #[value(name = "S")]
    Simulation,
    /// By exploration of all schedules of a small configuration
    #[serde(rename = "X")]
    #[value(name = "X")]
    Exploration,
    /// By a property tried on many inputs
    #[serde(rename = "P")]
    #[value(name = "P")]
    Property,
}

impl How {
    /// Returns the letter of the method.
    #[must_use]
    pub const fn letter(self) -> &'static str {
        match self {
            Self::Live => "L",
            Self::Simulation => "S",
            Self::Exploration => "X",
            Self::Property => "P",
        }
    }
}

/// A check of a claim: an experiment with a method and, if needed, a negative control.
#[derive(Clone, Copy, Debug)]
pub struct Showing {
    /// Method.
    pub how: How,
    /// Experiment to run.
    pub experiment: Experiment,
    /// Negative control, which must not hold. The control is the same measurement of a faulty variant, or without
    /// an assumption that the claim needs.
    pub control: Option<Experiment>,
}

/// A function that measures a value and compares it with the expected value.
#[derive(Clone, Copy, Debug)]
pub enum Experiment {
    /// A function that needs no live processes.
    Alone(fn() -> Measurement),
    /// A function that needs live processes.
    Live(fn(&Playground) -> Measurement),
    /// Exploration of all schedules of these small configurations.
    Schedules(fn() -> Scenes),
}

impl Showing {
    /// Creates a check that uses live processes.
    pub const fn live(run: fn(&Playground) -> Measurement) -> Self {
        Self { how: How::Live, experiment: Experiment::Live(run), control: None }
    }

    /// Creates a check that needs no live processes.
    pub const fn of(how: How, run: fn() -> Measurement) -> Self {
        Self { how, experiment: Experiment::Alone(run), control: None }
    }

    /// Creates a check that explores all schedules of small configurations.
    pub const fn explored(scenes: fn() -> Scenes) -> Self {
        Self { how: How::Exploration, experiment: Experiment::Schedules(scenes), control: None }
    }

    /// Adds a negative control to the check. The check fails if the control holds.
    #[must_use]
    pub const fn beside(self, control: Experiment) -> Self {
        Self { control: Some(control), ..self }
    }
}

impl Experiment {
    /// Runs the experiment.
    ///
    /// # Errors
    /// If nothing could be measured.
    pub fn run(self, playground: &Playground) -> Measurement {
        match self {
            Self::Alone(run) => run(),
            Self::Live(run) => run(playground),
            Self::Schedules(scenes) => scenes().measure(),
        }
    }
}
