//! An exploration and its result as JSON, for the API and for `--format json`.

use serde::Serialize;
use utoipa::ToSchema;

use super::property::Property;
use super::stabilisation::Stabilisation;
use super::table::Table;
use super::{Bypass, Environment, Exploration, Explored, Progress, Verdict};
use interlock_simulation::schedule::Schedule;

/// The verdict of an exploration.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum VerdictWord {
    /// All schedules of this configuration were tried, and none of them violates a property.
    Holds,
    /// A schedule violates a property.
    Violated,
    /// The exploration ended before it had tried all schedules. None of the tried schedules violates a property.
    Unfinished,
}

/// An exploration and its result so far.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct ExplorationDocument {
    /// The algorithm.
    pub algorithm: String,
    /// The variant of the algorithm.
    pub variant: String,
    /// Number of nodes.
    pub nodes: u32,
    /// Number of locks.
    pub locks: u32,
    /// The environment: the events that may happen, and how often.
    #[schema(value_type = Object)]
    pub environment: Environment,
    /// The environment in words.
    pub environment_in_words: String,
    /// The properties that are checked.
    pub properties: Vec<Property>,
    /// The verdict; absent while the exploration runs.
    pub verdict: Option<VerdictWord>,
    /// The reason for which the exploration is unfinished, if it is unfinished.
    pub because: Option<String>,
    /// Number of states found.
    pub states: u64,
    /// Number of transitions examined.
    pub transitions: u64,
    /// Number of steps from an initial state to the states that are being examined.
    pub depth: u32,
    /// Approximate memory that the states and their parts occupy, in bytes.
    pub memory_bytes: u64,
    /// The violated property, if any.
    pub property: Option<Property>,
    /// The statement of the violated property, as a sentence.
    pub sentence: Option<String>,
    /// A schedule that violates the property: a document for `POST /runs` and `interlock replay`. Absent if no
    /// schedule can express the violation.
    #[schema(value_type = Option<Object>)]
    pub schedule: Option<Schedule>,
    /// Whether no violating schedule is shorter than this schedule. False if the search was depth first or was ended
    /// early.
    pub shortest: Option<bool>,
    /// Whether no schedule of the same length violates the same property with fewer participants. False if the
    /// schedules were not compared, as in the case of infinite schedules. Also false if the exploration ended before
    /// the comparison did.
    pub fewest: Option<bool>,
    /// The violating run as a table, if no schedule can express it.
    #[schema(value_type = Option<Object>)]
    pub table: Option<Table>,
    /// The measurement of stabilisation, if closure or convergence was checked and holds.
    #[schema(value_type = Option<Object>)]
    pub stabilisation: Option<Stabilisation>,
    /// The maximum number of times that other processes enter before a waiting process, if bounded bypass was
    /// checked and holds.
    #[schema(value_type = Option<Object>)]
    pub bypass: Option<Bypass>,
}

impl ExplorationDocument {
    /// Returns the document of a running exploration.
    #[must_use]
    pub fn in_progress(exploration: &Exploration, progress: &Progress) -> Self {
        let Exploration { specification, environment, properties, .. } = exploration;
        let Progress { states, transitions, depth, memory, judging: _ } = *progress;
        Self {
            algorithm: specification.algorithm.clone(),
            variant: specification.variant.clone(),
            nodes: specification.nodes,
            locks: specification.locks,
            environment: environment.clone(),
            environment_in_words: environment.in_words(),
            properties: properties.clone(),
            verdict: None,
            because: None,
            states,
            transitions,
            depth,
            memory_bytes: memory,
            property: None,
            sentence: None,
            schedule: None,
            shortest: None,
            fewest: None,
            table: None,
            stabilisation: None,
            bypass: None,
        }
    }

    /// Returns the document of a finished exploration. If the exploration was stopped early, `because` is the
    /// reason.
    #[must_use]
    pub fn of(exploration: &Exploration, explored: &Explored, because: Option<&str>) -> Self {
        let begun = Self::in_progress(exploration, &explored.progress);
        let violated = |property: Property| Self {
            verdict: Some(VerdictWord::Violated),
            property: Some(property),
            sentence: Some(property.sentence().to_owned()),
            ..begun.clone()
        };
        match &explored.verdict {
            Verdict::Holds => Self {
                verdict: Some(VerdictWord::Holds),
                stabilisation: explored.measured.stabilisation,
                bypass: explored.measured.bypass,
                ..begun
            },
            Verdict::Unfinished => {
                let because = Some(explored.unfinished(because));
                Self { verdict: Some(VerdictWord::Unfinished), because, ..begun }
            }
            Verdict::Violated { property, schedule } => {
                let schedule = Some((**schedule).clone());
                let (shortest, fewest) = (Some(explored.is_shortest), Some(explored.is_fewest));
                Self { schedule, shortest, fewest, ..violated(*property) }
            }
            Verdict::Shown { property, table } => Self { table: Some(table.clone()), ..violated(*property) },
        }
    }
}
