//! Tests that a schedule recorded from the events of a run reproduces the same events, and that an edited schedule
//! does not.

use interlock_algorithm::{NodeId, catalogue};
use interlock_machine::distribution::Distribution;
use serde_json::Value;

use super::tests::{eventful, played, simulation, written};
use super::{Misplaced, Recorder, Schedule, Unrecordable};
use crate::simulation::Simulation;
use interlock_model::choice::{Choice, MessageName};
use interlock_model::event::{Event, What};
use interlock_model::impossible::Impossible;
use interlock_model::network::LinkSetting;
use interlock_model::specification::Specification;

/// Duration of the runs, in microseconds.
const UNTIL: u64 = 100_000;

/// Runs a variant so that as many kinds of events as possible occur. Returns the events and the schedule recorded
/// from them.
fn read_off(algorithm: &str, variant: &str) -> (Vec<Event>, Schedule) {
    let simulation = simulation(eventful(algorithm, variant), None);
    let simulation = Simulation { until: Some(UNTIL), most_steps: 2_000, ..simulation };
    let events = simulation.run().expect("a run").events;
    let schedule = recorded(&simulation.specification, &events).expect("all of it can be said");
    (events, schedule)
}

fn recorded(specification: &Specification, events: &[Event]) -> Result<Schedule, Unrecordable> {
    let mut recorder = Recorder::new(specification.clone())?;
    events.iter().try_for_each(|event| recorder.observe(event))?;
    Ok(recorder.schedule())
}

#[test]
fn what_is_read_off_the_events_plays_to_the_same_events_whatever_the_algorithm() {
    let mut happened = 0;
    for entry in catalogue::ENTRIES {
        for variant in entry.variants {
            let document = eventful(entry.name, variant.name);
            if !simulation(document, None).specification.unfit_to_live().is_empty() {
                continue;
            }
            let (events, schedule) = read_off(entry.name, variant.name);
            let again = played(&schedule).unwrap_or_else(|why| panic!("{} {}: {why}", entry.name, variant.name));
            assert_eq!(untimed_end(&again), untimed_end(&written(&events)), "{} {}", entry.name, variant.name);
            happened += schedule.choices.len();
        }
    }
    assert!(happened > 3_000, "{happened}");
}

/// Returns the events as JSON, without the times of the events at the end of the run. The execution of the schedule
/// may end earlier than the run, because no action happens at the end.
fn untimed_end(told: &[String]) -> Vec<Value> {
    let mut told: Vec<Value> = told.iter().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    for event in told.iter_mut().filter(|event| event["kind"] == "ended" || event["why"] == "ended") {
        event["at_us"] = Value::Null;
    }
    told
}

#[test]
fn a_recording_that_is_edited_is_another_run_or_none() {
    let (_, schedule) = read_off("ricart-agrawala", "sequence-numbers");
    let told = played(&schedule).expect("it can be played");
    let is_silent = |choice: &Choice| matches!(choice, Choice::Arrive(_) | Choice::Judge { .. });
    let arrives = |choice: &Choice| matches!(choice, Choice::Arrive(_));
    assert!(schedule.choices.iter().any(|scheduled| arrives(&scheduled.choice)), "messages reach who dies before");
    let differs = |edit: &dyn Fn(&mut Schedule)| {
        let mut other = schedule.clone();
        edit(&mut other);
        played(&other) != Ok(told.clone())
    };
    for (place, scheduled) in schedule.choices.iter().enumerate() {
        assert!(differs(&|other| _ = other.choices.remove(place)), "left out: {scheduled:?}");
        if is_silent(&scheduled.choice) {
            continue;
        }
        assert!(
            differs(&|other| other.choices[place].at_us = other.choices[place].at_us.map(|at| at + 1)),
            "later: {scheduled:?}"
        );
        let next = schedule.choices.get(place + 1).filter(|next| !is_silent(&next.choice) && *next != scheduled);
        assert!(next.is_none() || differs(&|other| other.choices.swap(place, place + 1)), "exchanged: {scheduled:?}");
    }
}

#[test]
fn what_no_schedule_says_is_refused_with_the_event_up_to_which_it_can_be_had() {
    let (mut events, schedule) = read_off("lamport", "any-later-message");
    let detail = "it sent what makes no sense".into();
    events[9].what = What::Misbehaved { node: NodeId(0), detail };
    let refused = recorded(&schedule.specification, &events).expect_err("no model says that");
    assert!(matches!(refused, Unrecordable::Unsayable { seq: 10, kind: "misbehaved", .. }), "{refused}");
    assert!(refused.to_string().ends_with("record the run until event 9"), "{refused}");
    assert!(recorded(&schedule.specification, &events[..9]).is_ok());
}

#[test]
fn a_run_that_is_too_long_is_refused_with_the_event_up_to_which_it_can_be_had() {
    let (events, schedule) = read_off("lamport", "any-later-message");
    let note = |seq| Event { seq, at_us: 0, what: What::Noted { detail: "again".into() } };
    let most = super::recorder::MOST_CHOICES as u64;
    let events: Vec<Event> = events.into_iter().take(1).chain((2..=most + 2).map(note)).collect();
    let refused = recorded(&schedule.specification, &events).map(|schedule| schedule.choices.len());
    assert_eq!(refused, Err(Unrecordable::TooLong(most + 1)));
    let longest = recorded(&schedule.specification, &events[..events.len() - 1]);
    assert_eq!(longest.map(|schedule| schedule.choices.len()), Ok(super::recorder::MOST_CHOICES));
}

#[test]
fn a_run_of_an_algorithm_that_nobody_knows_has_no_schedule() {
    let (_, schedule) = read_off("lamport", "any-later-message");
    let unknown = Specification { algorithm: "no-such".into(), ..schedule.specification.clone() };
    assert!(matches!(Recorder::new(unknown), Err(Unrecordable::Unfit(_))));
}

#[test]
fn a_paused_process_has_taken_what_was_before_it_stood_still_and_nothing_later() {
    let (_, schedule) = read_off("ricart-agrawala", "sequence-numbers");
    let node = NodeId(0);
    let acquire = Choice::Acquire { node, lock: interlock_algorithm::LockId(0), hold: None };
    let asked_at = |asked_us: u64| {
        let timed = [(1, Choice::Start { node }), (2, Choice::Begin { node }), (10, Choice::Pause { node })];
        let timed = timed.into_iter().chain([(asked_us, acquire.clone())]);
        let choices = timed.map(|(at_us, choice)| super::Scheduled { at_us: Some(at_us), choice }).collect();
        played(&Schedule { choices, ..schedule.clone() })
    };
    assert!(asked_at(5).is_ok_and(|told| told.iter().any(|event| event.contains("\"requested\""))));
    assert!(matches!(asked_at(1), Err(Misplaced::Past { place: 3, at_us: 1, now_us: 2, .. })));
    let stands_still = Impossible::stands_still(node);
    assert!(matches!(asked_at(11), Err(Misplaced::Impossible { place: 3, why, .. }) if why == stands_still));
}

/// When the run ended, two messages had already reached a process. An event reports the first message, which was
/// forwarded. Only the order of the losses reveals that the second message had arrived: its loss follows the loss
/// of a message that was no longer in the network.
#[test]
fn what_is_lost_at_the_end_behind_a_message_that_had_reached_its_process_had_reached_it_too() {
    let (_, schedule) = read_off("ricart-agrawala", "sequence-numbers");
    let name = |name: &str| MessageName(name.parse().expect("the name of a message"));
    let acquire = |node| Choice::Acquire { node: NodeId(node), lock: interlock_algorithm::LockId(0), hold: None };
    let nodes = || NodeId::all(schedule.specification.nodes);
    let begun = nodes().map(|node| Choice::Start { node }).chain(nodes().map(|node| Choice::Begin { node }));
    let lost = ["0.1.1", "0.3.1", "1.0.1", "1.3.1"].map(|message| Choice::Lose(name(message)));
    let reached = [Choice::Pause { node: NodeId(2) }, Choice::Forward(name("0.2.1")), Choice::Arrive(name("1.2.1"))];
    let choices = begun.chain([acquire(0), acquire(1)]).chain(lost).chain(reached);
    let choices = choices.map(|choice| super::Scheduled { at_us: None, choice }).collect();
    let network = LinkSetting { delay: Distribution::ZERO, ..LinkSetting::default() };
    let specification = Specification { network, script: Vec::new(), workload: None, ..schedule.specification.clone() };
    let schedule = Schedule { specification, choices, ..schedule };
    let report = Simulation::of_schedule(&schedule).replay(&schedule).expect("a configuration that can be");
    let events = report.expect("it happens").events;
    let again = played(&recorded(&schedule.specification, &events).expect("all of it can be said"));
    assert_eq!(untimed_end(&again.expect("it can be played")), untimed_end(&written(&events)));
}

#[test]
fn parts_are_refused_where_they_cannot_happen() {
    let (_, schedule) = read_off("ricart-agrawala", "sequence-numbers");
    let refused = |choices: &[Choice]| {
        let mut other = schedule.clone();
        let scheduled = |choice: &Choice| super::Scheduled { at_us: None, choice: choice.clone() };
        other.choices = choices.iter().map(scheduled).collect();
        match played(&other) {
            Err(Misplaced::Impossible { place, why, .. }) => (place, why),
            other => panic!("{other:?}"),
        }
    };
    let node = NodeId(0);
    let (start, begin) = (Choice::Start { node }, Choice::Begin { node });
    assert!(matches!(refused(&[start.clone(), start.clone()]), (1, Impossible::WrongCondition { .. })));
    assert!(matches!(refused(std::slice::from_ref(&begin)), (0, Impossible::WrongCondition { .. })));
    assert!(matches!(refused(&[start.clone(), begin.clone(), begin]), (2, Impossible::WrongCondition { .. })));
    let acquire = Choice::Acquire { node, lock: interlock_algorithm::LockId(0), hold: None };
    assert!(matches!(refused(&[start.clone(), acquire]), (1, Impossible::WrongCondition { .. })));
    assert_eq!(refused(&[start, Choice::Heal {}]), (1, Impossible::InParts));
    assert_eq!(refused(&[Choice::Judge { left: 0 }]), (0, Impossible::NotInParts));
}
