//! The steps of a scenario: the actions on a run, in order, and the waits between them.

use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::choice_names::{takes_together, unknown_names};
use super::condition::Until;
use super::role;
use interlock_model::choice::forms;
use interlock_model::field_error::{FieldError, token};
use interlock_model::flow::flow;
use interlock_model::span::Span;
use interlock_model::specification::{KnownAlgorithm, Specification};

/// Maximum number of steps of a scenario, after the expansion of repeated steps.
pub const MOST_STEPS: usize = 10_000;
/// Maximum length of the name of a mark, in characters.
pub(super) const LONGEST_MARK: usize = 100;
/// Maximum number of repetitions.
pub(super) const MOST_REPEATS: u64 = 10_000;
/// The verbs of steps that do not change the run.
const VERBS: [&str; 4] = ["wait", "sleep", "mark", "repeat"];
/// The verbs of steps that execute an action on the run.
pub(super) const CHOICES: [&str; 24] = [
    "acquire",
    "acquire_together",
    "release",
    "elect",
    "propose",
    "tell",
    "corrupt",
    "suspect",
    "trust",
    "put",
    "crash",
    "restart",
    "pause",
    "resume",
    "fire",
    "deliver",
    "lose",
    "hold",
    "duplicate",
    "network",
    "partition",
    "rule",
    "heal",
    "note",
];

/// The verbs whose value may be a node instead of an object: `crash: holder`.
pub(super) const ONE_NODE: [&str; 7] = ["acquire", "release", "elect", "crash", "restart", "pause", "resume"];
/// The verbs that accept the field `for`, after which the action is undone.
pub(super) const UNDOABLE: [&str; 5] = ["crash", "pause", "suspect", "partition", "rule"];

/// One step.
#[derive(Clone, Debug, PartialEq)]
pub struct Step {
    /// The location in the document, as a JSON pointer.
    pub place: String,
    /// The earliest time of the step, counted from the start of the run. If absent, the step follows the previous
    /// step immediately.
    pub at: Option<Span>,
    /// The action of the step.
    pub action: Action,
}

/// The effect of a step.
#[derive(Clone, Debug, PartialEq)]
pub enum Action {
    /// An action on the run.
    Choose {
        /// The action in the form in which the document contains it, with roles.
        choice: Value,
        /// The time after which the action is undone; absent if it is not undone.
        undone_after: Option<Span>,
    },
    /// A wait: the next step follows once the condition is met.
    Wait {
        /// The condition.
        until: Until,
        /// Maximum duration of the wait; absent if there is no limit.
        within: Option<Span>,
    },
    /// A sleep: the next step follows after this time.
    Sleep(Span),
    /// A mark: gives the moment a name, to which expectations can refer.
    Mark(String),
}

/// Reads the steps at the location `place` of the document, and expands repeated steps.
pub(super) fn read(steps: Value, place: &str, errors: &mut Vec<FieldError>) -> Vec<Step> {
    let Value::Array(steps) = steps else {
        let detail = match &steps {
            Value::Object(_) => format!("an object is not a list of steps; write `steps: [{}]`", flow(&steps)),
            _ => "expected a list of steps; write `steps: [{ acquire: 1 }, { wait: entered }]`".to_owned(),
        };
        errors.push(FieldError::new(place, detail));
        return Vec::new();
    };
    let mut read = Vec::new();
    for (number, step) in steps.into_iter().enumerate() {
        match one(step, &format!("{place}/{number}"), errors) {
            Ok(steps) => read.extend(steps),
            Err(error) => errors.push(error),
        }
        if read.len() > MOST_STEPS {
            errors.push(FieldError::new(
                place,
                format!("a scenario has at most {MOST_STEPS} steps, including repeated steps"),
            ));
            return Vec::new();
        }
    }
    read
}

fn one(step: Value, place: &str, errors: &mut Vec<FieldError>) -> Result<Vec<Step>, FieldError> {
    let mut map = match step {
        Value::String(word) => Map::from_iter([(word, Value::Null)]),
        Value::Object(map) => map,
        _ => return Err(FieldError::new(place, "expected a step, such as `wait: { entries: 50 }`")),
    };
    if map.contains_key("repeat") {
        return repeated(map, place, errors);
    }
    let within = map.remove("within").map(|value| span(value, &format!("{place}/within"))).transpose()?;
    let at = map.remove("at").map(|value| span(value, &format!("{place}/at"))).transpose()?;
    let (verb, value) = only(map, place)?;
    let inside = format!("{place}/{verb}");
    let action = match verb.as_str() {
        "wait" => Action::Wait { until: Until::read(value).map_err(|error| error.below(&inside))?, within },
        _ if within.is_some() => {
            return Err(FieldError::new(
                format!("{place}/within"),
                format!("only `wait` has a time limit, and `{verb}` has none; remove this field"),
            ));
        }
        "sleep" => Action::Sleep(span(value, &inside)?),
        "mark" => Action::Mark(mark(value, &inside)?),
        _ => choose(verb, value, &inside)?,
    };
    Ok(vec![Step { place: place.to_owned(), at, action }])
}

fn repeated(mut map: Map<String, Value>, place: &str, errors: &mut Vec<FieldError>) -> Result<Vec<Step>, FieldError> {
    let times =
        map.remove("repeat").and_then(|times| times.as_u64()).filter(|times| (1..=MOST_REPEATS).contains(times));
    let times = times.ok_or_else(|| {
        FieldError::new(format!("{place}/repeat"), format!("expected a number of repetitions in 1 … {MOST_REPEATS}"))
    })?;
    let steps = map
        .remove("steps")
        .ok_or_else(|| FieldError::new(format!("{place}/steps"), "missing field `steps`, the steps to repeat"))?;
    if let Some(key) = map.keys().next() {
        let mut error = FieldError::new(format!("{place}{}", token(key)), format!("unknown field `{key}`"));
        error.allowed = vec!["repeat".to_owned(), "steps".to_owned()];
        return Err(error.meant_by(key));
    }
    let steps = read(steps, &format!("{place}/steps"), errors);
    let times = usize::try_from(times).unwrap_or(usize::MAX);
    if steps.len().saturating_mul(times) > MOST_STEPS {
        return Err(FieldError::new(
            format!("{place}/repeat"),
            format!("a scenario has at most {MOST_STEPS} steps, including repeated steps"),
        ));
    }
    Ok(steps.iter().cycle().take(steps.len() * times).cloned().collect())
}

/// Returns the key and the value of a map with one entry. Returns an error if the map does not have exactly one
/// entry.
pub(super) fn only(map: Map<String, Value>, place: &str) -> Result<(String, Value), FieldError> {
    let count = map.len();
    let mut pairs = map.into_iter();
    match (pairs.next(), count) {
        (Some(pair), 1) => Ok(pair),
        (None, _) => Err(FieldError::new(place, "expected one field")),
        (Some((first, _)), _) => {
            let other = pairs.next().map(|(key, _)| key).unwrap_or_default();
            Err(FieldError::new(
                format!("{place}{}", token(&other)),
                format!("a step has one action; write either `{first}` or `{other}`"),
            ))
        }
    }
}

/// Reads a duration at the location `place` of the document.
pub(crate) fn span(value: Value, place: &str) -> Result<Span, FieldError> {
    Span::deserialize(value).map_err(|error| FieldError { pointer: place.to_owned(), ..FieldError::said(&error) })
}

fn mark(value: Value, place: &str) -> Result<String, FieldError> {
    match value {
        Value::String(name) if (1..=LONGEST_MARK).contains(&name.chars().count()) => Ok(name),
        _ => Err(FieldError::new(place, format!("expected a name of 1 … {LONGEST_MARK} characters"))),
    }
}

fn choose(verb: String, value: Value, place: &str) -> Result<Action, FieldError> {
    if !CHOICES.contains(&&*verb) {
        let mut error = FieldError::new(place, format!("`{verb}` is not an action"));
        error.allowed = VERBS.iter().chain(&CHOICES).map(ToString::to_string).collect();
        return Err(error.meant_by(&verb));
    }
    // Whether the algorithm can grant several locks together is checked later, when the run is known: see `misfits`.
    let asks_for_several = verb == "acquire" && value.get("locks").is_some();
    if let Some((below, detail)) = forms::mistaken(&verb, &value, None).filter(|_| !asks_for_several) {
        return Err(FieldError::new(format!("{place}{below}"), detail));
    }
    let mut value = match value {
        // `heal` without a value heals all partitions.
        Value::Null => json!({}),
        Value::String(word) if verb == "heal" && word == "all" => json!({}),
        // A node alone is short for an object with that node.
        node @ (Value::Number(_) | Value::String(_)) if ONE_NODE.contains(&&*verb) => json!({ "node": node }),
        other => other,
    };
    let undone_after = match value.as_object_mut().and_then(|map| map.remove("for")) {
        Some(after) if UNDOABLE.contains(&&*verb) => Some(span(after, &format!("{place}/for"))?),
        Some(_) => {
            let mut error = FieldError::new(
                format!("{place}/for"),
                format!("`{verb}` has no duration, because it cannot be undone"),
            );
            error.allowed = UNDOABLE.iter().map(ToString::to_string).collect();
            return Err(error);
        }
        None => None,
    };
    Ok(Action::Choose { choice: json!({ verb: value }), undone_after })
}

impl Step {
    /// Returns whether the step may take time: it has a start time, or it is a wait or a sleep.
    pub(super) const fn takes_time(&self) -> bool {
        self.at.is_some() || matches!(self.action, Action::Wait { .. } | Action::Sleep(_))
    }

    /// Returns whether the step changes the run. Waits, sleeps, marks and notes do not.
    pub(super) fn is_an_action(&self) -> bool {
        matches!(&self.action, Action::Choose { choice, .. } if choice.get("note").is_none())
    }

    /// Returns the verb of the step.
    pub(super) fn verb(&self) -> &str {
        match &self.action {
            Action::Choose { choice, .. } => {
                choice.as_object().and_then(|map| map.keys().next()).map_or("act", String::as_str)
            }
            Action::Wait { .. } => "wait",
            Action::Sleep(_) => "sleep",
            Action::Mark(_) => "mark",
        }
    }

    /// Returns the name of the mark, if the step is a mark.
    pub(super) fn mark(&self) -> Option<&str> {
        if let Action::Mark(name) = &self.action { Some(name) } else { None }
    }

    /// Returns the errors of the step in this run.
    pub(super) fn errors(&self, known: &KnownAlgorithm<'_>, run: &Specification) -> Vec<FieldError> {
        match &self.action {
            Action::Wait { until, .. } => until.errors_if_awaited(&format!("{}/wait", self.place), run),
            Action::Choose { choice, .. } => {
                let errors = role::errors(choice, &self.place, known, run.nodes);
                if errors.is_empty() { self.misfits(choice, known, run) } else { errors }
            }
            Action::Sleep(_) | Action::Mark(_) => Vec::new(),
        }
    }

    fn misfits(&self, choice: &Value, known: &KnownAlgorithm<'_>, run: &Specification) -> Vec<FieldError> {
        match forms::read(&role::stand_in(choice, run.nodes), takes_together(run)) {
            Ok(choice) => {
                let errors = choice.errors(&self.place, known, run.nodes, run.locks);
                if errors.is_empty() { unknown_names(&choice, &self.place, run) } else { errors }
            }
            Err(error) => vec![error.below(&self.place)],
        }
    }
}
