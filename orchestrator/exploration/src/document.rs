//! An exploration and what has come of it, as scripts read it: over the API, and as `--format json`.

use serde::Serialize;
use utoipa::ToSchema;

use super::property::Property;
use super::stabilisation::Stabilisation;
use super::table::Table;
use super::{Bypass, Environment, Exploration, Explored, Progress, Verdict};
use interlock_simulation::schedule::Schedule;

/// What an exploration has come to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum VerdictWord {
    /// No schedule of this configuration breaks a rule: all were tried.
    Holds,
    /// A schedule breaks a rule.
    Violated,
    /// It was ended before all schedules had been tried; none of those that were breaks a rule.
    Unfinished,
}

/// What is explored and what has come of it so far.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct ExplorationDocument {
    /// The algorithm.
    pub algorithm: String,
    /// Its variant.
    pub variant: String,
    /// How many nodes there are.
    pub nodes: u32,
    /// How many locks there are.
    pub locks: u32,
    /// What may happen.
    #[schema(value_type = Object)]
    pub environment: Environment,
    /// The same in plain words.
    pub environment_in_words: String,
    /// What is looked for.
    pub properties: Vec<Property>,
    /// What it says; nothing as long as it goes on.
    pub verdict: Option<VerdictWord>,
    /// Why it is unfinished, if it is.
    pub because: Option<String>,
    /// How many states were found.
    pub states: u64,
    /// How many ways from a state to another were looked at.
    pub transitions: u64,
    /// How many steps the states that are being looked at are from the beginning.
    pub depth: u32,
    /// How much memory the states and their parts take, in bytes, about.
    pub memory_bytes: u64,
    /// The rule that is broken, if one is.
    pub property: Option<Property>,
    /// What should be true instead, as a sentence.
    pub sentence: Option<String>,
    /// A schedule that breaks it, if one can: a document for `POST /runs` and `interlock replay`.
    #[schema(value_type = Option<Object>)]
    pub schedule: Option<Schedule>,
    /// Whether no schedule that breaks a rule is shorter: not if the search went depth first or was ended before.
    pub shortest: Option<bool>,
    /// Whether in no schedule that breaks the same rule and is as short fewer processes take part: not if that was not looked
    /// for, as of what goes on for ever, or was not known when it was ended.
    pub fewest: Option<bool>,
    /// The run that breaks it in a way that no schedule can say.
    #[schema(value_type = Option<Object>)]
    pub table: Option<Table>,
    /// How it stabilises, where closure or convergence was looked for and holds.
    #[schema(value_type = Option<Object>)]
    pub stabilisation: Option<Stabilisation>,
    /// How often others enter before one who waits, at the most, where bounded bypass was looked for and holds.
    #[schema(value_type = Option<Object>)]
    pub bypass: Option<Bypass>,
}

impl ExplorationDocument {
    /// An exploration that has come so far.
    #[must_use]
    pub fn under_way(exploration: &Exploration, progress: &Progress) -> Self {
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

    /// An exploration of which this has come, and why it was ended if somebody did so.
    #[must_use]
    pub fn of(exploration: &Exploration, explored: &Explored, because: Option<&str>) -> Self {
        let begun = Self::under_way(exploration, &explored.progress);
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
