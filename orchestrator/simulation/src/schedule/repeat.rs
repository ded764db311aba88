//! The repeated part of a schedule, and the unrolled schedule, in which the part is written out for each round.
//!
//! Each message has a unique number on its link. An action is therefore never repeated on the same message, but on
//! the corresponding message of the next round. In each round, a link must deliver or lose as many messages as are
//! sent on it. Otherwise the state at the end of the round would differ from the state at its beginning. From one
//! round to the next, the message numbers of a link increase by the number of messages sent on it in a round.

use std::collections::BTreeMap;

use interlock_algorithm::NodeId;
use interlock_machine::message_id::MessageId;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::recorder::MOST_CHOICES;
use super::{Schedule, Scheduled};
use interlock_model::choice::{Choice, MessageName};
use interlock_model::field_error::FieldError;

/// Default number of rounds.
const TIMES: u32 = 20;
/// Maximum number of rounds.
pub const MOST_TIMES: u32 = 1_000;

/// The repeated part of a schedule: the actions from an index to the end. These actions name the messages of the
/// first round.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Repeat {
    /// Index of the first repeated action in the list, from 0.
    pub from: usize,
    /// Number of rounds that are executed, 1 … 1000. Default: 20. The actions themselves could be repeated without
    /// end.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub times: Option<u32>,
}

impl Repeat {
    /// Returns the reasons why this part cannot be repeated in a schedule with the actions `choices`.
    pub(super) fn errors(self, choices: &[Scheduled]) -> Vec<FieldError> {
        let mut errors = Vec::new();
        let Some(round) = choices.get(self.from..).filter(|round| !round.is_empty()) else {
            let detail = format!("there is no action {}; there are {}, counted from 0", self.from, choices.len());
            return vec![FieldError::new("/repeat/from", detail)];
        };
        if self.times.is_some_and(|times| times == 0 || times > MOST_TIMES) {
            errors.push(FieldError::new("/repeat/times", format!("must be in 1 … {MOST_TIMES}")));
        }
        let times = usize::try_from(self.times.unwrap_or(TIMES)).unwrap_or(usize::MAX);
        let in_all = self.from.saturating_add(round.len().saturating_mul(times));
        if in_all > MOST_CHOICES {
            let detail = format!("with all rounds there are {in_all} actions; the maximum is {MOST_CHOICES}");
            errors.push(FieldError::new("/repeat/times", detail));
        }
        for (place, scheduled) in (self.from..).zip(round) {
            let detail = match &scheduled.choice {
                _ if scheduled.at_us.is_some() => {
                    "an action in the repeated part cannot have a time; remove its `at_us`"
                }
                choice if !can_be_repeated(choice) => "this action cannot repeat",
                _ => continue,
            };
            errors.push(FieldError::new(format!("/choices/{place}"), detail.to_owned()));
        }
        errors
    }
}

/// Returns whether a repeated part may contain the action `choice`. A repeated part may contain steps of processes,
/// requests of clients, and deliveries and losses of messages.
const fn can_be_repeated(choice: &Choice) -> bool {
    matches!(
        choice,
        Choice::Acquire { .. }
            | Choice::AcquireTogether { .. }
            | Choice::Release { .. }
            | Choice::Elect { .. }
            | Choice::Fire { .. }
            | Choice::Deliver(_)
            | Choice::Lose(_)
    )
}

impl Schedule {
    /// Returns the schedule with all rounds written out, as many as the repeated part specifies. A schedule without a
    /// repeated part does not change.
    #[must_use]
    pub fn unrolled(mut self) -> Self {
        let Some(Repeat { from, times }) = self.repeat.take() else { return self };
        let round = self.choices.get(from..).unwrap_or_default().to_vec();
        let further = further(&round);
        for number in 1..u64::from(times.unwrap_or(TIMES)) {
            self.choices.extend(round.iter().map(|scheduled| again(scheduled, &further, number)));
        }
        self
    }
}

/// Returns, for each link, the number by which the message numbers increase from one round to the next.
fn further(round: &[Scheduled]) -> BTreeMap<(NodeId, NodeId), u64> {
    let mut further = BTreeMap::new();
    for scheduled in round {
        if let Choice::Deliver(MessageName(name)) | Choice::Lose(MessageName(name)) = scheduled.choice {
            *further.entry((name.from, name.to)).or_default() += 1;
        }
    }
    further
}

/// Returns the same action for the round that is `rounds` rounds later, with the corresponding message number.
fn again(scheduled: &Scheduled, further: &BTreeMap<(NodeId, NodeId), u64>, rounds: u64) -> Scheduled {
    let later = |MessageName(name): MessageName| {
        let by = further.get(&(name.from, name.to)).copied().unwrap_or_default();
        MessageName(MessageId { number: name.number.saturating_add(by.saturating_mul(rounds)), ..name })
    };
    let choice = match &scheduled.choice {
        Choice::Deliver(name) => Choice::Deliver(later(*name)),
        Choice::Lose(name) => Choice::Lose(later(*name)),
        other => other.clone(),
    };
    Scheduled { choice, ..scheduled.clone() }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::schedule::ScheduleDraft;
    use crate::simulation::Simulation;

    /// Returns a schedule of Le Lann's ring with these actions and this repeated part. The token circulates, and no
    /// process requests it.
    fn ring(choices: &[Value], repeat: &Value) -> Result<Schedule, Vec<FieldError>> {
        let choices: Vec<Value> = choices.iter().map(|choice| json!({ "do": choice })).collect();
        let document = json!({
            "specification": { "algorithm": "le-lann", "nodes": 3, "seed": 1, "timers": false },
            "choices": choices, "repeat": repeat,
        });
        serde_json::from_value::<ScheduleDraft>(document).expect("a draft").complete()
    }

    fn round(links: [&str; 3]) -> Vec<Value> {
        links.iter().map(|link| json!({ "deliver": format!("{link}.1") })).collect()
    }

    fn happens(schedule: &Schedule) -> Result<(), usize> {
        let played = Simulation::of_schedule(schedule).replay(schedule).expect("a configuration that can be");
        played.map(|_| ()).map_err(|misplaced| misplaced.place())
    }

    #[test]
    fn each_round_is_done_to_the_next_messages() {
        let schedule = ring(&round(["0.1", "1.2", "2.0"]), &json!({ "from": 0, "times": 3 })).expect("a schedule");
        let message = |scheduled: &Scheduled| match scheduled.choice {
            Choice::Deliver(MessageName(name)) => name.to_string(),
            _ => String::new(),
        };
        let names: Vec<String> = schedule.choices.iter().map(message).collect();
        assert_eq!(names, ["0.1.1", "1.2.1", "2.0.1", "0.1.2", "1.2.2", "2.0.2", "0.1.3", "1.2.3", "2.0.3"]);
        assert_eq!((schedule.repeat, happens(&schedule)), (None, Ok(())));
        let schedule = ring(&round(["0.1", "1.2", "2.0"]), &json!({ "from": 1 })).expect("a schedule");
        assert_eq!(happens(&schedule), Err(3), "1.2.2 before 0.1.2: this is not a cycle");
        assert_eq!(schedule.choices.len(), 1 + 2 * 20);
    }

    #[test]
    fn what_cannot_be_repeated_is_refused_at_its_place() {
        let mut choices = round(["0.1", "1.2", "2.0"]);
        choices.push(json!({ "crash": { "node": 1 } }));
        for (repeat, pointer) in [
            (json!({ "from": 4 }), "/repeat/from"),
            (json!({ "from": 0, "times": 0 }), "/repeat/times"),
            (json!({ "from": 0, "times": 1_001 }), "/repeat/times"),
            (json!({ "from": 2 }), "/choices/3"),
        ] {
            let errors = ring(&choices, &repeat).expect_err("it cannot be");
            assert!(errors.iter().any(|error| error.pointer == pointer), "{repeat}: {errors:?}");
        }
    }

    #[test]
    fn with_all_rounds_a_schedule_is_as_long_as_any_other_at_the_most() {
        let rounds = |choices: usize, times: usize| {
            let notes: Vec<Value> = (0..choices).map(|_| json!({ "acquire": { "node": 0 } })).collect();
            ring(&notes, &json!({ "from": 0, "times": times })).map(|_| ())
        };
        assert_eq!(rounds(MOST_CHOICES / 1_000, 1_000), Ok(()));
        let errors = rounds(MOST_CHOICES / 1_000 + 1, 1_000).expect_err("too many");
        assert_eq!(errors.iter().map(|error| &*error.pointer).collect::<Vec<_>>(), ["/repeat/times"]);
        assert!(errors[0].detail.contains("101000"), "{errors:?}");
    }
}
