//! What a claim is, and how one is written down.

use clap::ValueEnum;
use serde::Serialize;

use super::explored::Scenes;
use super::finding::Measurement;
use super::live::Playground;

/// Something that a source says.
#[derive(Debug)]
pub struct Claim {
    /// Its name: the system and a number, such as `LAM-1`.
    pub id: &'static str,
    /// What the source says, in one sentence.
    pub says: &'static str,
    /// How it is shown, or will be.
    pub showings: &'static [Showing],
}

/// How a claim may be shown.
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
    /// The letter it is called by.
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

/// One way of showing a claim.
#[derive(Clone, Copy, Debug)]
pub struct Showing {
    /// How.
    pub how: How,
    /// What there is to run.
    pub experiment: Experiment,
    /// The same measurement where it must not hold: of a broken variant, or under the assumption that the claim says
    /// is needed.
    pub control: Option<Experiment>,
}

/// A function that measures and compares.
#[derive(Clone, Copy, Debug)]
pub enum Experiment {
    /// It needs nothing from outside.
    Alone(fn() -> Measurement),
    /// It needs live processes.
    Live(fn(&Playground) -> Measurement),
    /// All schedules of these small configurations are tried.
    Schedules(fn() -> Scenes),
}

impl Showing {
    /// Shown by live processes.
    pub const fn live(run: fn(&Playground) -> Measurement) -> Self {
        Self { how: How::Live, experiment: Experiment::Live(run), control: None }
    }

    /// Shown by something that needs nothing from outside.
    pub const fn of(how: How, run: fn() -> Measurement) -> Self {
        Self { how, experiment: Experiment::Alone(run), control: None }
    }

    /// Shown by trying all schedules of small configurations.
    pub const fn explored(scenes: fn() -> Scenes) -> Self {
        Self { how: How::Exploration, experiment: Experiment::Schedules(scenes), control: None }
    }

    /// With this beside it, which must not hold.
    #[must_use]
    pub const fn beside(self, control: Experiment) -> Self {
        Self { control: Some(control), ..self }
    }
}

impl Experiment {
    /// Runs it.
    ///
    /// # Errors
    /// When nothing could be measured.
    pub fn run(self, playground: &Playground) -> Measurement {
        match self {
            Self::Alone(run) => run(),
            Self::Live(run) => run(playground),
            Self::Schedules(scenes) => scenes().measure(),
        }
    }
}
