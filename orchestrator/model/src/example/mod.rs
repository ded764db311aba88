//! Examples with a name: runs that anybody can start with one command or one click, and follow.
//!
//! Each is a document in this folder: a specification, as in `POST /runs`, with what is done to the run in its script.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;

use crate::nearest::did_you_mean;
use crate::specification::Draft;

/// The documents, in the order in which they are shown.
const DOCUMENTS: &[&str] = &[
    include_str!("cash-machines.json"),
    include_str!("cash-machines-unprotected.json"),
    include_str!("files-one-by-one.json"),
    include_str!("files-together.json"),
    include_str!("ricart-agrawala.json"),
    include_str!("lamport-without-fifo.json"),
    include_str!("maekawa-deadlock.json"),
    include_str!("suzuki-kasami-lost-token.json"),
    include_str!("lease-fenced.json"),
    include_str!("lease-unfenced.json"),
    include_str!("bully.json"),
    include_str!("ring-best.json"),
    include_str!("ring-worst.json"),
    include_str!("ring-dead-successor.json"),
    include_str!("failover.json"),
    include_str!("two-coordinators.json"),
    include_str!("philosophers.json"),
    include_str!("philosophers-ordered.json"),
    include_str!("philosophers-together.json"),
    include_str!("philosophers-give-way.json"),
    include_str!("philosophers-shared.json"),
    include_str!("corridor.json"),
    include_str!("corridor-random.json"),
    include_str!("priority-starvation.json"),
    include_str!("distributed-deadlock.json"),
    include_str!("phantom-deadlock.json"),
    include_str!("probes.json"),
    include_str!("wait-die.json"),
    include_str!("wound-wait.json"),
    include_str!("banker.json"),
    include_str!("paxos.json"),
    include_str!("paxos-promises.json"),
    include_str!("paxos-ignored-prepare.json"),
    include_str!("paxos-ignored-accept.json"),
    include_str!("paxos-two-values.json"),
    include_str!("paxos-duel.json"),
];

/// A run that can be started by its name.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Example {
    /// Its name on the command line and in the API.
    pub name: String,
    /// Its name for people.
    pub title: String,
    /// What there is to be seen.
    pub about: String,
    /// Where it comes from.
    pub source: String,
    /// The body of `POST /runs` that starts it.
    #[schema(value_type = Object)]
    pub specification: Value,
}

impl Example {
    /// The run that it describes, named after it.
    ///
    /// # Errors
    /// When it describes none.
    pub fn draft(&self) -> serde_json::Result<Draft> {
        let draft = Draft::deserialize(&self.specification)?;
        Ok(Draft { name: draft.name.or_else(|| Some(self.title.clone())), ..draft })
    }
}

/// All examples.
///
/// # Errors
/// When a document is none.
pub fn all() -> serde_json::Result<Vec<Example>> {
    DOCUMENTS.iter().map(|document| serde_json::from_str(document)).collect()
}

/// The example of this name.
///
/// # Errors
/// Says which there are, and which was probably meant.
pub fn find(name: &str) -> Result<Example, String> {
    let mut all = all().map_err(|error| error.to_string())?;
    if let Some(place) = all.iter().position(|example| example.name == name) {
        return Ok(all.swap_remove(place));
    }
    let names: Vec<&str> = all.iter().map(|example| &*example.name).collect();
    let meant = did_you_mean(name, names.iter().copied());
    Err(format!("no example is called `{name}`{meant}; there are: {}", names.join(", ")))
}

#[cfg(test)]
mod tests;
