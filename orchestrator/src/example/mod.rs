//! Examples with a name: runs that anybody can start with one command or one click, and follow.
//!
//! Each is a document in this folder: a specification, as in `POST /runs`, with what is done to the run in its script.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;

use crate::specification::Draft;

/// The documents, in the order in which they are shown.
const DOCUMENTS: &[&str] = &[
    include_str!("cash-machines.json"),
    include_str!("cash-machines-unprotected.json"),
    include_str!("files-one-by-one.json"),
    include_str!("files-together.json"),
    include_str!("bully.json"),
    include_str!("ring-best.json"),
    include_str!("ring-worst.json"),
    include_str!("ring-dead-successor.json"),
    include_str!("failover.json"),
    include_str!("philosophers.json"),
    include_str!("philosophers-ordered.json"),
    include_str!("philosophers-together.json"),
    include_str!("philosophers-give-way.json"),
    include_str!("philosophers-shared.json"),
    include_str!("corridor.json"),
    include_str!("corridor-random.json"),
    include_str!("distributed-deadlock.json"),
    include_str!("probes.json"),
    include_str!("banker.json"),
    include_str!("paxos.json"),
    include_str!("paxos-promises.json"),
    include_str!("paxos-ignored-prepare.json"),
    include_str!("paxos-ignored-accept.json"),
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
/// Says which there are, and which is the nearest.
pub fn find(name: &str) -> Result<Example, String> {
    let all = all().map_err(|error| error.to_string())?;
    let distance = |example: &Example| strsim::damerau_levenshtein(&example.name, name);
    let nearest = all.iter().min_by_key(|example| distance(example)).map(|example| example.name.clone());
    let names: Vec<String> = all.iter().map(|example| example.name.clone()).collect();
    all.into_iter().find(|example| example.name == name).ok_or_else(|| {
        let nearest = nearest.unwrap_or_default();
        format!("no example is called `{name}`; did you mean `{nearest}`? There are: {}", names.join(", "))
    })
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn every_example_can_be_run_live_and_simulated() {
        let examples = all().expect("documents");
        let names: BTreeSet<&str> = examples.iter().map(|example| &*example.name).collect();
        assert_eq!(names.len(), examples.len(), "names are unique");
        for example in &examples {
            let draft = example.draft().unwrap_or_else(|error| panic!("{}: {error}", example.name));
            let live = draft.clone().complete();
            let simulated = draft.complete_simulated();
            assert!(live.is_ok() && simulated.is_ok(), "{}: {live:?}", example.name);
        }
    }

    #[test]
    fn one_that_there_is_not_is_refused_with_the_nearest() {
        let refusal = find("cash-machine").expect_err("no such example");
        assert!(refusal.contains("did you mean `cash-machines`?"), "{refusal}");
    }
}
