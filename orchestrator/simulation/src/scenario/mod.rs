//! Scenarios: a run, its steps and its expectations in one document.
//!
//! A scenario means the same in a live run and in a simulated one. A [`Director`] determines the next action and
//! judges the result. A driver asks the director for each action, and executes it in virtual time or with real
//! processes.

mod ability;
mod asked;
mod bound;
mod choice_names;
mod condition;
mod condition_form;
#[cfg(test)]
mod declared_tests;
mod director;
mod event_pattern;
mod expectation;
mod findings;
#[cfg(test)]
mod guide_tests;
mod handed;
mod judge;
mod nemesis;
mod planned;
pub mod role;
mod schema;
mod script;
mod service_names;
mod step;
#[cfg(test)]
mod step_tests;
mod stop;
#[cfg(test)]
mod tests;
mod text;
mod undo;
#[cfg(test)]
mod verdict_tests;
mod watch;
mod window;

use serde_json::{Map, Value};

use interlock_model::choice::forms;
use interlock_model::field_error::FieldError;
use interlock_model::flow::flow;
use interlock_model::span::Span;
use interlock_model::specification::{
    Declaration, Draft, Scripted, Service, Specification, count, read_groups, read_services,
};
use interlock_model::strict;

pub use condition::{EntryOrExit, Until};
pub use condition_form::ANY;
pub use director::{Director, IDLE, Moment, Next, STUCK};
pub use event_pattern::{EventPattern, unknown_kind};
pub use expectation::{Expectation, Expected};
pub use findings::{Failure, Findings, Judgement, Outcome};
pub(crate) use judge::UNREACHED;
pub use nemesis::{Fault, Nemesis};
pub use role::Role;
pub use schema::schema;
use service_names::ServiceNames;
pub(crate) use step::span;
pub use step::{Action, MOST_STEPS, Step};
pub use stop::{RunStop, Stop, StopReason};
pub use text::{Malformed, Written};
pub use watch::Watch;

/// The fields of a scenario besides the specification of its run.
pub(crate) const OWN: [&str; 7] = ["steps", "expect", "stop", "nemesis", "about", "source", "lesson"];

/// The field with the declarations of foreign programs. Only scenarios have it; the API does not accept it in a run.
const DECLARED: &str = "own";

/// The field with the servers that the programs use. Only scenarios have it.
const SERVICES: &str = "services";

/// A run, its steps and its expectations.
#[derive(Clone, Debug)]
pub struct Scenario {
    /// The run in the form in which the document contains it.
    pub run: Draft,
    /// The steps, in order.
    pub steps: Vec<Step>,
    /// The random faults, if any.
    pub nemesis: Option<Nemesis>,
    /// The expectations.
    pub expectations: Vec<Expectation>,
    /// The conditions under which the run ends.
    pub stop: Stop,
}

impl Scenario {
    /// Reads a scenario.
    ///
    /// # Errors
    /// Returns all errors of the document, each with a pointer to its location.
    pub fn read(document: Value) -> Result<Self, Vec<FieldError>> {
        let Value::Object(mut map) = document else {
            return Err(vec![FieldError::new("", "expected a scenario: an object with `algorithm` and other fields")]);
        };
        let mut errors = Vec::new();
        let services = take_services(&mut map).map_err(|error| vec![error])?;
        let mut own = OWN.map(|key| map.remove(key).filter(|value| !value.is_null()));
        let [steps, expect, stop, nemesis, about, source, lesson] = own.each_mut().map(Option::take);
        let steps = steps.map(|steps| step::read(steps, "/steps", &mut errors)).unwrap_or_default();
        let mut expectations = expect.map(|all| expectation::read(all, "/expect", &mut errors)).unwrap_or_default();
        let mut take = |error| errors.push(error);
        let nemesis = nemesis.and_then(|value| Nemesis::read(&value, "/nemesis").map_err(&mut take).ok());
        let usual = usual_time(&steps, &expectations);
        let stop = stop.and_then(|value| Stop::read(value, "/stop", usual).map_err(&mut take).ok());
        for (value, place) in [(about, "/about"), (source, "/source")] {
            if value.is_some_and(|value| !value.is_string()) {
                take(FieldError::new(place, "expected a text"));
            }
        }
        if lesson.is_some_and(|lesson| !lesson.is_object()) {
            take(FieldError::new("/lesson", "expected a lesson: an object with `title` and `stops`"));
        }
        let run = read_run(map).map_err(&mut take).ok().map(|run| Draft { services, ..run });
        if !expectations.iter().any(Expectation::is_of_a_rule) {
            expectations.push(Expectation::understood());
        }
        let waits = steps.iter().any(Step::takes_time)
            || expectations.iter().any(|all| matches!(all.expected, Expected::Eventually(_)));
        let stop = stop.unwrap_or(Stop::usual(waits, usual));
        let Some(run) = run else { return Err(errors) };
        let scenario = Self { run, steps, nemesis, expectations, stop };
        errors.extend(scenario.errors());
        if errors.is_empty() { Ok(scenario) } else { Err(errors) }
    }

    /// Returns the specification of the scenario's run, simulated or live. `seed` replaces the seed of the scenario.
    ///
    /// # Errors
    /// Returns all errors of the specification, each with a pointer to its location.
    pub fn specification(&self, seed: Option<u64>, live: bool) -> Result<Specification, Vec<FieldError>> {
        let draft = Draft { seed: seed.or(self.run.seed), ..self.run.clone() };
        let mut specification = draft.complete_beside(&self.done())?;
        self.ask_for_monitors(&mut specification);
        specification.planned = self.planned(specification.seed);
        let errors = if live { specification.unfit_to_live() } else { specification.unfit_to_simulate() };
        if errors.is_empty() { Ok(specification) } else { Err(errors) }
    }

    /// Returns the actions of all steps, each with time 0. The default time-outs must be longer than every delay that
    /// these actions cause, so the specification needs to know the actions.
    fn done(&self) -> Vec<Scripted> {
        let nodes = self.nodes();
        let choice = |step: &Step| match &step.action {
            Action::Choose { choice, .. } => forms::read(&role::stand_in(choice, nodes), None).ok(),
            _ => None,
        };
        self.steps.iter().filter_map(choice).map(|choice| Scripted { at: Span(0), choice }).collect()
    }

    /// Returns the number of processes, including those of services.
    fn nodes(&self) -> u32 {
        let nodes = self.run.nodes.unwrap_or(5);
        self.run.services.iter().fold(nodes, |sum, service| sum.saturating_add(service.count))
    }

    /// Returns the errors that can only be found by checking several parts of the scenario together.
    fn errors(&self) -> Vec<FieldError> {
        let mut specification = match self.run.clone().complete_beside(&self.done()) {
            Ok(specification) => specification,
            Err(errors) => return errors,
        };
        self.ask_for_monitors(&mut specification);
        let mut errors = Vec::new();
        let known = specification.known_algorithm();
        if let Some(known) = &known {
            errors.extend(self.steps.iter().flat_map(|step| step.errors(known, &specification)));
        }
        errors.extend(self.expectations.iter().flat_map(|expectation| expectation.errors(&specification)));
        errors.extend(self.stop.when.iter().flat_map(|until| until.errors_if_awaited("/stop/when", &specification)));
        let marks: Vec<&str> = self.steps.iter().filter_map(Step::mark).collect();
        for expectation in &self.expectations {
            if let Some(mark) = expectation.after.as_ref().filter(|mark| !marks.contains(&mark.as_str())) {
                let mut error =
                    FieldError::new(format!("{}/after", expectation.place), format!("no step has the mark `{mark}`"));
                error.allowed = marks.iter().map(ToString::to_string).collect();
                errors.push(error.meant_by(mark));
            }
        }
        // A repeated step reports its errors once for each repetition.
        errors.dedup();
        errors
    }
}

/// Returns the default duration of a run. It is the usual duration, or longer if the times of the steps and
/// expectations need more.
fn usual_time(steps: &[Step], expectations: &[Expectation]) -> Span {
    let after = |time: u64, step: &Step| {
        let begun = time.max(step.at.map_or(0, |at| at.0));
        match &step.action {
            Action::Sleep(span) | Action::Wait { within: Some(span), .. } => begun.saturating_add(span.0),
            _ => begun,
        }
    };
    let steps = steps.iter().fold(0, after);
    let within = expectations.iter().filter_map(|expectation| expectation.within).map(|span| span.0).max();
    Span(steps.saturating_add(within.unwrap_or(0)).max(stop::USUAL.0))
}

/// Removes and reads the services of a document. Replaces their names in all other fields by numbers of processes.
fn take_services(map: &mut Map<String, Value>) -> Result<Vec<Service>, FieldError> {
    let Some(list) = map.remove(SERVICES).filter(|list| !list.is_null()) else { return Ok(Vec::new()) };
    let services = read_services(&list)?;
    let nodes = match map.get("nodes") {
        Some(groups @ Value::Array(_)) => count(&read_groups(groups)?),
        // If there are no programs, the run is refused later, whatever the numbers are.
        _ => 0,
    };
    let names = ServiceNames::of(&services, nodes);
    for field in ["links", "steps", "expect", "stop", "nemesis"] {
        if let Some(part) = map.get_mut(field) {
            names.replace(part);
        }
    }
    Ok(services)
}

/// Reads the specification of the run from the fields of the document that remain after the scenario's own fields
/// have been removed.
fn read_run(mut map: Map<String, Value>) -> Result<Draft, FieldError> {
    if map.contains_key("script") {
        let detail = "a scenario has `steps` instead of a script; write `- sleep: 100ms` between two steps";
        return Err(FieldError::new("/script", detail));
    }
    if let Some(nodes @ Value::Object(group)) = map.get("nodes") {
        let number = group.get("count").filter(|_| group.len() == 1).map(|count| format!("`nodes: {count}`, or "));
        let detail =
            format!("groups of nodes need a list; write {}`nodes: [{}]`", number.unwrap_or_default(), flow(nodes));
        return Err(FieldError::new("/nodes", detail));
    }
    let programs = match map.get_mut("nodes") {
        Some(nodes @ Value::Array(_)) => {
            let groups = read_groups(nodes)?;
            *nodes = count(&groups).into();
            groups
        }
        _ => Vec::new(),
    };
    if let Some(network) = map.get("network").and_then(Value::as_object) {
        if network.contains_key("from") || network.contains_key("to") {
            let detail = "`network` is about all links; for one link, write `links: [{ from: 0, to: 1, delay: 30ms }]`";
            return Err(FieldError::new("/network", detail));
        }
        if network.contains_key("default") || network.contains_key("link") {
            let detail = "only steps have `default` and `link`; write `network: { loss: 10% }` for all links, or \
                          `links: [{ from: 0, to: 1, delay: 30ms }]` for one link";
            return Err(FieldError::new("/network", detail));
        }
    }
    let own = map.remove(DECLARED).filter(|declared| !declared.is_null());
    let own = own.as_ref().map(Declaration::read).transpose()?;
    let read = strict::read(&Value::Object(map)).map_err(|found| {
        let is_unknown = found.detail.starts_with("unknown field") && found.pointer.matches('/').count() == 1;
        if is_unknown { unknown_field(&found) } else { found }
    });
    read.map(|draft: Draft| Draft { programs, own, ..draft })
}

/// Returns an error that also suggests the fields that only a scenario has.
fn unknown_field(found: &FieldError) -> FieldError {
    let name = found.pointer.trim_start_matches('/');
    let mut allowed = found.allowed.clone();
    allowed.retain(|name| name != "script");
    allowed.extend(OWN.into_iter().chain([DECLARED, SERVICES]).map(ToOwned::to_owned));
    FieldError { allowed, ..FieldError::new(&found.pointer, format!("unknown field `{name}`")) }.meant_by(name)
}
